// The C compiler of this machine (host.c), and the cache of the libraries that it made (cache.c).
#ifndef ADZE_DRIVER_HOST_H
#define ADZE_DRIVER_HOST_H

#include "driver/system/system.h"

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
    Cleanup *cleanup;   // who removes temporary files after a signal; may be NULL
} HostOptions;

/// The C compiler: its command (more than one word when CC says so) and what it says about itself.
typedef struct {
    Strings command;
    const char *version;
} Compiler;

/// Finds the compiler; false and E0708 when there is none.
bool host_find(Session *cx, const HostOptions *h, Compiler *out);

/// The flags for a library (or, with `object`, for an object file).
Strings host_flags(Session *cx, const HostOptions *h, bool object);

/// How compiling ended. HOST_REFUSED: the compiler does not accept the C file, which is worth
/// keeping. HOST_STOPPED: for a reason that is not in the C file.
typedef enum { HOST_COMPILED, HOST_REFUSED, HOST_STOPPED } HostResult;

/// Compiles `c_file` to `target`; reports E0709, with the compiler's messages, when it fails.
HostResult host_compile(Session *cx, const HostOptions *h, const Compiler *cc, bool object,
                        const char *c_file, const char *target);

/// Makes one object file of several; false and E0709 when it fails.
bool host_join(Session *cx, const HostOptions *h, const Compiler *cc, const Strings *parts,
               const char *target);

/// Runs a command without a shell, with what it prints in `out`; gives its wait status, -1 when it
/// cannot be started.
int host_execute(const Strings *words, Cleanup *cleanup, Text *out);

/// The words of a text separated by blanks.
Strings split_words(Arena *arena, const char *text);

/// The compiled library for this C text, from the cache or made now. *temporary: the caller removes
/// the folder that it is in after loading it. NULL after an error.
const char *cache_library(Session *cx, const HostOptions *h, const char *name, const Text *source,
                          const Text *header, const char **temporary);

/// Whether this C text is met for the first time with these sizes, which is noted in the cache.
/// False where nothing can be noted.
bool cache_first(Session *cx, const HostOptions *h, const Text *source, const Text *sizes);

#endif
