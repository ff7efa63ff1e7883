// The command line program: options, the order of the stages, the host's C compiler, and the
// subcommands.
//
//   options.def   subcommands and options (options.c parses them, help.c explains them)
//   pipeline.c    the passes of src/pipeline.def as a table, run and checked one after the other
//   host.c        the C compiler of the machine; cache.c keeps what it made
//   library.c     compiled code in this process; marshal.c moves values in and out of its buffers
//   modules.c     where `import` looks
//   cmd_*.c       one subcommand each
//
// This header is what tests and other programs use of it: main, and compiled entries called on
// values.
#ifndef ADZE_DRIVER_DRIVER_H
#define ADZE_DRIVER_DRIVER_H

#include "emit/emit.h"

/// The whole program; gives its exit status: 0 good, 1 the program's or user's error, 2 wrong
/// usage.
int driver_main(int argc, char **argv);

struct Cleanup;

/// How C becomes machine code. All fields may be zero.
typedef struct {
    const char *cc;     // NULL: $CC, or the first of cc, gcc and clang
    const char *cflags; // more flags, separated by blanks
    const char *cpu;    // the flags that say for which processor; NULL: this machine
    const char *cache;  // where compiled code is kept; NULL: the user's cache folder
    bool no_cache;      // keep nothing
    bool parallel;      // the C has parallel loops, for OpenMP
    bool exact;         // floats to the last bit as the reference interpreter: no a*b+c in one step
    bool progress;      // say on standard error what takes long
    struct Cleanup *cleanup; // who removes temporary files after a signal; may be NULL
} HostOptions;

/// Compiled entries in this process.
typedef struct Library Library;

/// Emits `entries` as C with wrappers, compiles it (or takes it from the cache) and loads it.
/// `name` names the C file in messages. NULL after an error, which is reported.
Library *library_build(Session *cx, const char *name, LoopEntry *const *entries, int n,
                       const HostOptions *host);
void library_close(Library *lib);

/// Finds sizes for e->sizes from the shapes of `args` (values of the types e->source), where the
/// sizes in `given` that are not -1 are fixed. False after an error, which is reported at `span`:
/// sizes that disagree (E0604) or do not follow (E0406).
bool sizes_deduce(Session *cx, const LoopEntry *e, const Value *args, const int64_t *given,
                  Span span, int64_t *sizes);

/// Calls an entry on values of the types e->source with these sizes. *result lives in `arena`.
Outcome library_call(Session *cx, Arena *arena, const Library *lib, const LoopEntry *e,
                     const int64_t *sizes, const Value *args, Value *result);

#endif
