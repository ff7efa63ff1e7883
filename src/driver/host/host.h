// The C compiler of this machine (host.c), and the cache of compiled libraries (cache.c).
#ifndef ADZE_DRIVER_HOST_H
#define ADZE_DRIVER_HOST_H

#include "driver/system/system.h"

/// How to compile C. All fields may be zero.
typedef struct {
    const char *cc;     // NULL for $CC, or the first of cc, gcc and clang
    const char *cflags; // more flags, separated by blanks
    Strings more;       // further arguments of the compiler, such as more C files
    const char *cpu;    // the flags for the target processor; NULL for -march=native
    const char *cache;  // the cache folder; NULL for the default
    bool no_cache;      // do not use the cache
    bool parallel;      // the C has parallel loops, so it needs OpenMP
    bool quick;         // compile in less time: the C runs once, for its result
    bool exact;         // float results must equal the interpreter's: no fused a*b+c
    bool progress;      // show long operations on standard error
    Cleanup *cleanup;   // removes temporary files after a signal; may be NULL
} HostOptions;

/// The C compiler: its command (several words if CC has flags) and its version string.
typedef struct {
    Strings command;
    const char *version;
} Compiler;

/// Finds the compiler; reports E0708 and returns false if there is none.
bool host_find(Session *cx, const HostOptions *h, Compiler *out);

/// Returns the compiler flags for a shared library, or for an object file if `object` is set.
Strings host_flags(Session *cx, const HostOptions *h, bool object);

/// The result of compiling. HOST_REFUSED means that the compiler rejected the C file, which is
/// kept, and HOST_STOPPED that compiling failed for another reason.
typedef enum { HOST_COMPILED, HOST_REFUSED, HOST_STOPPED } HostResult;

/// Compiles `c_file` to `target`; if it fails, reports E0709 with the compiler's messages.
HostResult host_compile(Session *cx, const HostOptions *h, const Compiler *cc, bool object,
                        const char *c_file, const char *target);

/// Joins several object files into one; reports E0709 and returns false on failure.
bool host_join(Session *cx, const HostOptions *h, const Compiler *cc, const Strings *parts,
               const char *target);

/// Runs a command without a shell and appends its output to `out`. Returns its wait status, or -1
/// with the reason in `out` if it cannot be started.
int host_execute(const Strings *words, Cleanup *cleanup, Text *out);

/// Splits a string into words at white space. NULL counts as an empty string.
Strings split_words(Arena *arena, const char *text);

/// Returns the path of the library compiled from this C source, or NULL after an error. The library
/// comes from the cache or is compiled now. Sets *temporary to a folder that the caller must remove
/// after loading the library, or to NULL.
const char *cache_library(Session *cx, const HostOptions *h, const char *name, const Text *source,
                          const Text *header, const char **temporary);

/// Returns the path of a file in the cache folder, or NULL if there is no cache.
const char *cache_path(Session *cx, const HostOptions *h, const char *name);

/// Records in the cache that this C source was requested for these sizes. Returns true if this is
/// the first time. Returns false otherwise, or if there is no cache.
bool cache_first(Session *cx, const HostOptions *h, const Text *source, const Text *sizes);

/// Returns the number of seconds that this C source took for these sizes when they were last
/// recorded, or 0.
double cache_duration(Session *cx, const HostOptions *h, const Text *source, const Text *sizes);
/// Records them, if there is a cache.
void cache_record(Session *cx, const HostOptions *h, const Text *source, const Text *sizes,
                  double seconds);

#endif
