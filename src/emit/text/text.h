// The state of one C file being written, and the texts that all of emit/ uses: names, lines, sizes,
// structs, functions of the runtime headers.
#ifndef ADZE_EMIT_TEXT_H
#define ADZE_EMIT_TEXT_H

#include "emit/text/emit.h"

/// A cause of failure: its number in Emitter.faults is the status that the entry returns.
typedef struct {
    DiagCode code;
    Span span;
    const char *text;           // the message, of one or several lines
    const SizeCheck *condition; // the condition on sizes that failed, or NULL
} Fault;

/// A function of the file: an entry, a function that an entry calls, or a C function.
typedef struct {
    const LoopEntry *entry;
    Atomic atomic;    // ATOMIC_COUNT if it is not atomic
    const char *name; // in C
    bool fails;       // it returns a status (entries always do)
    bool gives;       // it returns its one scalar result
    bool is_entry;
    bool recursive;         // it may call itself, and checks the depth of the stack
    bool tasks;             // it, or a function that it calls, starts tasks
    bool team;              // the body of an entry with tasks, which the entry calls
    bool visited;           // its text is being written
    bool known;             // C has a declaration
    bool given;             // its last parameter is the workspace
    bool allocates;         // calls need the form that allocates its workspace
    const char *given_name; // name of the form with a workspace parameter
    VEC(Sym) sizes;         // its size parameters
    VEC(Sym) callees;       // functions that it calls, each once
} CFunction;

/// A slot of the workspace, at which one or more arrays begin.
typedef struct {
    int arrays;
    Node *type;
    bool mixed;       // the arrays have several types, or belong to another function
    const char *name; // in C, of the first array in scope
} CSlot;

/// The place to which control goes from the end of a statement.
typedef enum {
    PLACE_NEXT,      // to the statement that follows
    PLACE_LABEL,     // to the end of a label, and then to its `outer` place
    PLACE_ITERATION, // to the next iteration of a loop
    PLACE_END        // to the end of the function
} PlaceKind;
typedef struct Place Place;
struct Place {
    PlaceKind kind;
    const Place *outer; // of a label
    Sym label;
    int heap;         // the length of Emitter.open at the beginning of the label or loop
    const char *name; // of the label in C, once a goto needs it
};

/// A C loop that encloses the current statement.
typedef struct CLoop CLoop;
struct CLoop {
    const CLoop *outer;
    const Place *next, *behind; // targets of `continue` and `break`
};

/// The owner of memory, faults and tasks: a function, an iteration of a parallel loop, or a task.
typedef struct Frame Frame;
struct Frame {
    Frame *outer;
    Node *body;
    VEC(Node *) heap;  // its allocations, in order of appearance
    bool inner;        // an iteration or a task
    const char *fault; // if an iteration or a task may fail: the variable for its faults
    const char *exit;  // the label before its memory is freed, once a goto needs it
    const CLoop *loop; // of an iteration
    bool tasks;        // it starts tasks, and waits for them at its end
    const char *noted; // if tasks of the function may fail: the variable for their faults
};

typedef struct Emitter Emitter;
struct Emitter {
    Session *cx;
    Arena *arena;
    const EmitOptions *options;
    // Functions that write an expression and a statement of any kind.
    void (*expr)(Emitter *e, Node *x, int min);
    void (*stmt)(Emitter *e, Node *s, const Place *place);
    Text *out;
    int indent;
    int loop_depth;
    Facts *facts;        // ranges of the indices in scope
    Map spelling;        // Sym -> its C name in scope
    Map taken;           // interned C name -> not NULL while in scope
    Map series;          // stem of names with numbers -> Series (names.c)
    Map used;            // Sym -> not NULL after its name was written
    Map params;          // Sym -> LoopParam of the function
    Map changed;         // Sym -> not NULL for locals that are set after their declaration
    Map naturals;        // Sym -> not NULL for changed locals that are never negative
    Map small;           // Sym -> not NULL for i64 locals and indices whose values fit 32 bits
    Map narrow;          // Sym -> not NULL for indices that are int32_t in C
    Map scalars;         // Sym -> not NULL for locals
    Map arrays;          // Sym -> not NULL for arrays on the stack
    Map lengths;         // Sym -> number of elements of those, and of constant tables
    Map masks;           // Sym -> bytes per lane of a mask local
    Map bits;            // Sym -> not NULL for mask locals that are bit masks
    Map in_vectors;      // Sym -> not NULL for buffers with vector loads or stores
    Map ignored;         // Sym -> not NULL for locals that only receive results and are dead
    Map labels;          // Sym -> Place of the label
    Map label_names;     // interned C name -> not NULL: labels of the function
    VEC(Fault) faults;   // of the entry and the functions it calls
    VEC(Node *) strides; // row lengths in scope
    VEC(Sym) bound;      // names of the blocks in scope
    VEC(Node *) open;    // heap allocations of the blocks in scope, except those of frames
    CFunction *function; // the function that is written
    Map functions;       // Sym -> CFunction that the entry calls
    Map function_names;  // interned C name -> not NULL: functions of the file
    Sym workspace;       // the parameter
    Sym stack;           // the end of the stack, which recursive functions get like a size
    Map slots;           // line of the workspace -> CSlot
    Map pointers;        // Sym -> its LOOP_POINTER
    bool mixed_pointers; // the memory of pointers may have another type at other times
    Map mixed_bools;     // arrays of type adze_any_bool -> not NULL
    Node *complement;    // an operand of a comparison that gcc would warn about, or NULL
    Map saturating;      // sizes that saturate at INT64_MAX -> not NULL (overflow.c)
    bool measuring;      // the function returns the size of a workspace: failures are 0
    bool returns;        // the result is returned by the statements that store it
    Frame *frame;
    const CLoop *loop;
    Map needs; // name of a support section -> not NULL
    VEC(const char *) need_order;
    Map vectors; // interned C name of a type or function of vectors -> not NULL
    Text vector_types, vector_functions;
    bool intrinsics;          // the functions of vectors use <immintrin.h>
    bool math;                // the file uses <math.h>
    bool is_static;           // the expression is a constant expression of C
    bool pragmas;             // the file has pragmas
    Map structs;              // full name of a struct -> its name in C
    VEC(Node *) struct_order; // in order of declaration
    bool workspaces;          // an entry has a workspace
    bool explains;            // messages with sizes use <stdio.h>
};

// names.c: C names for Adze names.
void names_reset(Emitter *e);
const char *names_declare(Emitter *e, Sym name, bool fresh_number);
/// The same for a parameter, whose name is not a keyword of C++, as headers are also C++.
const char *names_parameter(Emitter *e, Sym name);
/// A name declared in the current block.
const char *declared_name(Emitter *e, Node *decl);
void names_forget(Emitter *e, Sym name);
/// The C name of a declared name; `names_use` also marks it as used.
const char *names_spelled(const Emitter *e, Sym name);
const char *names_use(Emitter *e, Sym name);
const char *names_label(Emitter *e, const char *text); // of a label in this function

/// The C name of an entry's function; the common stem of the names of its companion functions; an
/// unused name like `stem`.
const char *names_entry(Emitter *e, Sym name);
const char *names_stem(Emitter *e, Sym name);
const char *names_beside(Emitter *e, const char *stem);
/// Marks a function name as used; false if it already was.
bool names_claim(Emitter *e, const char *name);

// text.c: expressions, positions and statements. `min` is the precedence that the context requires.
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
/// A function that writes the text of a node.
typedef void Spell(Emitter *e, Node *x, int min);
const char *text_of(Emitter *e, Spell *spell, Node *x, int min);
const char *expr_text(Emitter *e, Node *x, int min);
const char *operands_text(Emitter *e, Node *x); // with commas
const char *size_text(Emitter *e, Node *n, int min);
const char *saturating_text(Emitter *e, Node *n);
const char *negated_text(Emitter *e, Node *condition);
/// The position of an element in brackets.
const char *position_text(Emitter *e, Node *position);
/// An element of memory: a[i], *x for memory of one scalar, x for a result that is returned.
const char *place_text(Emitter *e, Sym name, Node *position);

/// Writes a statement; control goes from its end to `place`.
void emit_stmt(Emitter *e, Node *s, const Place *place);
/// The statements of a block, one level deeper (the braces are the caller's).
void emit_body(Emitter *e, Node *s, const Place *place);
/// Forgets the names declared after the first `outer` ones.
void emit_forget(Emitter *e, int outer);
/// The result of a function that returns it; whether a name is the current function's result.
const LoopParam *result_of(const CFunction *f);
bool emit_is_result(const Emitter *e, Sym name);

/// The type in C; the scalar type, with i64 for idx.
const char *emit_ctype(const Emitter *e, Scalar s);
Scalar emit_scalar_of(Node *type);

/// Writes "(" if the context requires a higher precedence than `own`; writes the matching ")".
bool emit_open(Emitter *e, int own, int min);
void emit_close(Emitter *e, bool opened);

// size.c: sizes; saturating at INT64_MAX, for sizes of memory.
void emit_size(Emitter *e, Node *n, int min);
void emit_saturating_size(Emitter *e, Node *n, int min);

// stride.c: sums as quotient*stride + rest.
void strides_add(Emitter *e, Node *size);
/// The stride, NULL if none makes the sum shorter.
Node *strides_divide(Emitter *e, Node *sum, Node **quotient, Node **rest);

// overflow.c: sizes that may exceed 64 bits. Whether an entry computes such sizes; `condition`
// receives the test whether one exceeds 64 bits. Sizes that are only compared with numbers saturate
// instead.
bool emit_may_overflow(Emitter *e, const LoopEntry *entry, Text *condition);

// line.c: lines of C.
void emit_line(Emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit_pragma(Emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
enum { LINE_WIDTH = 100 };

// struct.c: structs of C for structs with #[c_layout].
/// The name of the struct in C, which the header then declares.
const char *struct_name(Emitter *e, Node *type);
/// Writes the declarations, and in the C file assertions about their layout.
void struct_write(Emitter *e, Text *header, Text *source);

/// A cast for pointers into an array that a function gets, or "".
const char *memory_cast(const Emitter *e, Sym array);

// support.c: the functions of runtime/adze_support.h and adze_field.h that the file needs.
void support_need(Emitter *e, const char *section);
bool support_has(const char *name); // whether a support function or type has the name adze_NAME
void support_write(Emitter *e, Text *out);

#endif
