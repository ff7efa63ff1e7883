// From Loop IR to C text. The emitter decides nothing, it spells.
#ifndef ADZE_EMIT_EMIT_H
#define ADZE_EMIT_EMIT_H

#include "loops/ir/loops.h"

/// The functions that the header has for an entry; not all have all of them.
typedef enum {
    PUBLIC_CALL,
    PUBLIC_WORKSPACE, // how large it is
    PUBLIC_IN,        // with a workspace
    PUBLIC_MESSAGE,
    PUBLIC_EXPLAIN,
    PUBLIC_ROLES
} PublicRole;
typedef struct {
    const char *signature[PUBLIC_ROLES]; // in C; NULL: there is no such function
    const char *arguments[PUBLIC_ROLES]; // the parameters, to be passed on
} PublicEntry;

typedef struct {
    const char *prefix;        // of function names, "adze_"
    const char *struct_prefix; // of structs; NULL: the same
    bool field;                // compute floats in GF(2^61 - 1): for tests
    bool wrappers; // also emit `int adze_1call_NAME(const int64_t *sizes, void *const *buffers,
                   // AdzeFault *fault)`, for callers that load the library, and
                   // `char **adze_kept(void)`, the message of an assertion that failed
    bool source_comments;   // name the source lines
    PublicEntry *functions; // gets those of each entry; or NULL
} EmitOptions;

/// The C file and its header. Self-contained: needs only a C compiler and libm.
void emit_c(Session *cx, Text *source, Text *header, const char *header_name,
            LoopEntry *const *entries, int n, const EmitOptions *options);

/// Entries made for one processor, with a header of their own.
typedef struct {
    const struct Cpu *cpu;
    const char *header;
    const PublicEntry *entries;
} EmitVersion;

/// The C file behind a header with `entries`, which calls the version for the machine that it runs
/// on: the first of `versions`, the most able one first, whose processor the machine is, or the
/// last.
void emit_dispatch(Session *cx, Text *source, const char *header_name, const PublicEntry *entries,
                   int count, const EmitVersion *versions, int n);

#endif
