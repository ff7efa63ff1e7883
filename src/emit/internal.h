// Inside emit/: the state of one file being spelled.
#ifndef ADZE_EMIT_INTERNAL_H
#define ADZE_EMIT_INTERNAL_H

#include "emit/emit.h"

/// One place where a run can fail: its number is the status the entry returns.
typedef struct {
    DiagCode code;
    Span span;
    const char *text;
} Fault;

typedef struct {
    Session *cx;
    Arena *arena;
    const EmitOptions *options;
    Text *out;
    int indent;
    int loop_depth;
    Facts *facts;        // ranges of the indices in scope
    Map spelling;        // Sym -> its C name in scope
    Map taken;           // interned C name -> not NULL while in scope
    Map used;            // Sym -> not NULL once its name was written
    Map params;          // Sym -> LoopParam of the entry
    VEC(Fault) faults;   // of the entry
    VEC(Node *) heap;    // its heap allocations, in order of appearance
    VEC(Node *) strides; // lengths of rows in sight
    Map needs;           // support section name -> not NULL
    VEC(const char *) need_order;
    bool math; // whether something of <math.h> is used
} Emitter;

// names.c: C names for Adze names.
void names_reset(Emitter *e);
const char *names_declare(Emitter *e, Sym name, bool fresh_number);
void names_forget(Emitter *e, Sym name);
const char *names_use(Emitter *e, Sym name);

// expr.c: expressions and positions. `min` is the C precedence the place asks for.
enum {
    PREC_ANY = 0,
    PREC_TERNARY = 1,
    PREC_OR,
    PREC_AND,
    PREC_BITOR,
    PREC_BITXOR,
    PREC_BITAND,
    PREC_EQ,
    PREC_REL,
    PREC_SHIFT,
    PREC_ADD,
    PREC_MUL,
    PREC_UNARY,
    PREC_PRIMARY
};
void emit_expr(Emitter *e, Node *x, int min);
void emit_negated(Emitter *e, Node *condition);

// size.c: sizes and positions.
void emit_size(Emitter *e, Node *n, int min);
void emit_saturating_size(Emitter *e, Node *n); // stops at INT64_MAX: for sizes of memory
const char *emit_ctype(const Emitter *e, Scalar s);
Scalar emit_scalar_of(Node *type); // idx counts as i64

bool emit_open(Emitter *e, int own,
               int min); // writes ( when the place asks for a higher precedence
void emit_close(Emitter *e, bool opened);

// stride.c: sums as quotient*stride + rest.
void strides_add(Emitter *e, Node *size);
Node *strides_divide(Emitter *e, Node *sum, Node **quotient,
                     Node **rest); // the stride, NULL when none helps

// prim.c: operators and casts by scalar type.
void emit_prim(Emitter *e, Node *x, int min);
void emit_cast(Emitter *e, Node *x, int min);

// stmt.c: statements of one entry's body.
void emit_stmt(Emitter *e, Node *s);
int emit_fault(Emitter *e, DiagCode code, Span span, const char *text); // the status of a new place
void emit_line(Emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit_indent(Emitter *e);

// support.c: the functions of runtime/adze_support.h and adze_field.h that the file needs.
void support_need(Emitter *e, const char *section);
bool support_has(const char *name); // whether a support function or type is called adze_NAME
void support_write(Emitter *e, Text *out);

#endif
