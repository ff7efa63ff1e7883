// Writes Loop IR as C text. Earlier passes have made all decisions; the emitter only writes.
#ifndef ADZE_EMIT_EMIT_H
#define ADZE_EMIT_EMIT_H

#include "loops/ir/loops.h"

/// The functions that the header declares for an entry. Not every entry has all of them.
typedef enum {
    PUBLIC_CALL,
    PUBLIC_WORKSPACE, // returns the size of the workspace
    PUBLIC_IN,        // the same call, using a workspace that the caller provides
    PUBLIC_ON,        // the same call, on arrays in the memory of a device
    PUBLIC_MESSAGE,
    PUBLIC_EXPLAIN,
    PUBLIC_ROLES
} PublicRole;
typedef struct {
    const char *signature[PUBLIC_ROLES]; // in C, or NULL if the entry has no such function
    const char *arguments[PUBLIC_ROLES]; // the parameters, spelled as the arguments of a call
} PublicEntry;

typedef struct {
    const char *prefix;        // the prefix of function names, such as "adze_"
    const char *struct_prefix; // the prefix of struct names, or NULL to use `prefix`
    bool field;                // compute floats in GF(2^61 - 1), for tests
    // For callers that load the library, also emit `int adze_1call_NAME(const int64_t *sizes, void
    // *const *buffers)`, which takes a buffer for each element of LoopEntry.params (of those of a
    // record, only the first is used), and `char **adze_kept(void)`, which locates the message of
    // a failed assertion.
    bool wrappers;
    bool buffers;           // for a device, also emit the functions of PUBLIC_ON
    bool source_comments;   // precede each outermost loop with its source line, as a comment
    Text *kernels;          // receives the kernels without what they use, or NULL
    PublicEntry *functions; // receives the functions of each entry, or NULL
} EmitOptions;

/// Writes the C file and its header. They are self-contained: they need only a C compiler and libm.
void emit_c(Session *cx, Text *source, Text *header, const char *header_name,
            LoopEntry *const *entries, int n, const EmitOptions *options);

/// Entries compiled for one processor, with their own header.
typedef struct {
    const struct Cpu *cpu;
    const char *header;
    const PublicEntry *entries;
} EmitVersion;

/// Writes the C file that implements the functions that a header declares for `entries`. At run
/// time, each function calls the first of `versions` that the machine supports and, if there are
/// several of one level, that is for its processor; the last version of the level is for all
/// others, and the last version of all is the fallback. The versions are in the reverse order of
/// cpu.def.
void emit_dispatch(Session *cx, Text *source, const char *header_name, const PublicEntry *entries,
                   int count, const EmitVersion *versions, int n);

#endif
