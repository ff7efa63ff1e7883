// The state of one C file being written, and the texts that all of emit/ uses: names, lines, sizes,
// structs, functions of the runtime headers.
#ifndef ADZE_EMIT_TEXT_H
#define ADZE_EMIT_TEXT_H

#include "emit/text/emit.h"

/// One place where a run can fail: its number is the status the entry returns.
typedef struct {
    DiagCode code;
    Span span;
    const char *text;           // on lines
    const SizeCheck *condition; // on sizes, that it is about; or NULL
} Fault;

/// A function of the file: an entry, one that it calls, or one of C.
typedef struct {
    const LoopEntry *entry;
    Atomic atomic;    // ATOMIC_COUNT: none
    const char *name; // in C
    bool fails;       // whether it returns a status (entries always do)
    bool gives;       // whether it returns its one scalar result
    bool is_entry;
    bool recursive; // whether it may call itself: then it looks how deep the stack is
    bool tasks;     // whether it, or what it calls, starts tasks
    bool team;      // whether this is what an entry with tasks does, beside the entry
    bool visited;   // whether its text is being written
    bool known;     // whether C has seen it
    bool given;     // whether this is the form that is given its workspace
    bool allocates; // whether there is another that allocates it
    const char *given_name;
    VEC(Sym) sizes;   // those that it is given
    VEC(Sym) callees; // functions that it calls, each once
} CFunction;

/// A place in the workspace where one or more arrays begin.
typedef struct {
    int arrays;
    Node *type;
    bool mixed;       // whether they have several types, or are another function's
    const char *name; // in C of the first that is told apart
} CSlot;

/// Where control goes from the end of a statement.
typedef enum {
    PLACE_NEXT,  // to the statement that follows
    PLACE_LABEL, // to the end of a label, and on to the place of that
    PLACE_ROUND, // to the next round of a loop
    PLACE_END    // to the end of the function
} PlaceKind;
typedef struct Place Place;
struct Place {
    PlaceKind kind;
    const Place *outer; // of a label
    Sym label;
    int heap;         // memory of blocks that was there when the label or loop began
    const char *name; // of the label in C, once it is jumped to
};

/// A loop of C around the current statement.
typedef struct CLoop CLoop;
struct CLoop {
    const CLoop *outer;
    const Place *round, *behind; // where `continue` and `break` go
};

/// What memory, faults and tasks belong to: a function, an iteration of a parallel loop, or a task.
typedef struct Frame Frame;
struct Frame {
    Frame *outer;
    Node *body;
    VEC(Node *) heap;  // its allocations, in order of appearance
    bool inner;        // of an iteration or task
    const char *fault; // of these, when they may fail: the variable that notes faults
    const char *exit;  // the label before its memory is freed, when that is jumped to
    const CLoop *loop; // of an iteration
    bool tasks;        // whether it starts tasks: then it waits for them at its end
    const char
        *noted; // of a function with tasks that may fail: the variable that notes their faults
};

typedef struct Emitter Emitter;
struct Emitter {
    Session *cx;
    Arena *arena;
    const EmitOptions *options;
    // What spells an expression and a statement of any kind.
    void (*expr)(Emitter *e, Node *x, int min);
    void (*stmt)(Emitter *e, Node *s, const Place *place);
    Text *out;
    int indent;
    int loop_depth;
    Facts *facts;      // ranges of the indices in scope
    Map spelling;      // Sym -> its C name in scope
    Map taken;         // interned C name -> not NULL while in scope
    Map series;        // of names that differ by number -> the numbers that are free (names.c)
    Map used;          // Sym -> not NULL once its name was written
    Map params;        // Sym -> LoopParam of the function
    Map changed;       // Sym -> not NULL for locals that are set after their declaration
    Map naturals;      // Sym -> not NULL for some of them that are never negative
    Map small;         // Sym -> not NULL for i64 locals and indices whose values fit 32 bits
    Map narrow;        // Sym -> not NULL for indices that are int32_t in C
    Map scalars;       // Sym -> not NULL for locals
    Map arrays;        // Sym -> not NULL for arrays on the stack
    Map masks;         // Sym -> bytes of a lane, of a local that is a mask
    Map bits;          // Sym -> not NULL for those that are a bit for each lane
    Map in_vectors;    // Sym -> not NULL for buffers with loads and stores of vectors
    Map ignored;       // Sym -> not NULL for locals that only get results of calls and are not read
    Map labels;        // Sym -> Place of the label
    Map label_names;   // interned C name -> not NULL: labels of the function
    VEC(Fault) faults; // of the entry and the functions it calls
    VEC(Node *) strides; // lengths of rows in sight
    VEC(Sym) bound;      // names of the blocks in sight
    VEC(Node *) open;    // heap allocations of the blocks in sight, but for those of frames
    CFunction *function; // whose text is written
    Map functions;       // Sym -> CFunction that the entry calls
    Map function_names;  // interned C name -> not NULL: functions of the file
    Sym workspace;       // the parameter
    Sym stack;           // how far functions that call themselves may go on the stack, like a size
    Map slots;           // place in the workspace -> CSlot
    Map pointers;        // Sym -> its LOOP_POINTER
    bool mixed_pointers; // what they lead to may be memory of another type at other times
    Map mixed_bools;     // arrays whose type is adze_any_bool -> not NULL
    Node *complement;    // an operand of a comparison that gcc would warn of, or NULL
    Map saturating;      // sizes that stop at INT64_MAX -> not NULL (overflow.c)
    bool measuring;      // whether a refusal is the answer 0, not a status, and sizes saturate
    bool returns;        // whether results are returned where they are stored
    Frame *frame;
    const CLoop *loop;
    Map needs; // support section name -> not NULL
    VEC(const char *) need_order;
    Map vectors; // interned C name of a type or function of vectors -> not NULL
    Text vector_types, vector_functions;
    bool intrinsics;          // whether some of them are those of a machine
    bool math;                // whether something of <math.h> is used
    bool is_static;           // what is spelled is a constant expression of C
    bool pragmas;             // whether there are pragmas of OpenMP
    Map structs;              // full name of a struct -> its name in C
    VEC(Node *) struct_order; // as they are declared
    bool workspaces;          // whether an entry has one
    bool explains;            // <stdio.h> is needed, for messages with sizes
};

// names.c: C names for Adze names.
void names_reset(Emitter *e);
const char *names_declare(Emitter *e, Sym name, bool fresh_number);
/// The same of a parameter, whose name C++ has to read in headers, too.
const char *names_parameter(Emitter *e, Sym name);
void names_forget(Emitter *e, Sym name);
const char *names_use(Emitter *e, Sym name);
const char *names_label(Emitter *e, const char *text); // of a label in this function

/// Names of functions: of an entry, and what the functions beside it are called after; of one that
/// an entry calls, not the same twice in a file; of one beside it, with its name to begin with.
/// Claiming says whether a function of C was not met before.
const char *names_entry(Emitter *e, Sym name);
const char *names_stem(Emitter *e, Sym name);
const char *names_function(Emitter *e, Sym name);
const char *names_beside(Emitter *e, const char *stem);
bool names_claim(Emitter *e, const char *name);

const char *declared_name(Emitter *e,
                          Node *decl); // a name for what is declared in the current block

// text.c: expressions and positions. `min` is the C precedence the place asks for.
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
/// The text of an expression, a size, the negation of a condition on its own.
const char *expr_text(Emitter *e, Node *x, int min);
const char *size_text(Emitter *e, Node *n, int min);
/// The position of an element.
const char *position_text(Emitter *e, Node *position);
const char *saturating_text(Emitter *e, Node *n);
const char *negated_text(Emitter *e, Node *condition);
/// An element of memory: a[i], *x for memory of one scalar, x for a result that is returned.
const char *place_text(Emitter *e, Sym name, Node *position);

// text.c: expressions, statements and places as text.
/// Writes a statement; `place` is where control goes from its end.
void emit_stmt(Emitter *e, Node *s, const Place *place);
/// The statements of a block, one level deeper (the braces are the caller's).
void emit_body(Emitter *e, Node *s, const Place *place);
/// The result of a function that gives one; whether a name is that of the current function.
const LoopParam *result_of(const CFunction *f);
bool emit_is_result(const Emitter *e, Sym name);

// size.c: sizes and positions.
void emit_size(Emitter *e, Node *n, int min);
void emit_saturating_size(Emitter *e, Node *n, int min); // stops at INT64_MAX: for sizes of memory
const char *emit_ctype(const Emitter *e, Scalar s);
Scalar emit_scalar_of(Node *type); // idx counts as i64

bool emit_open(Emitter *e, int own,
               int min); // writes ( when the place asks for a higher precedence
void emit_close(Emitter *e, bool opened);

// stride.c: sums as quotient*stride + rest.
void strides_add(Emitter *e, Node *size);
Node *strides_divide(Emitter *e, Node *sum, Node **quotient,
                     Node **rest); // the stride, NULL when none helps

// overflow.c: sizes that may leave the 64 bits. Whether an entry computes any; `condition`: that
// one does. Those that are only compared with numbers saturate instead.
bool emit_may_overflow(Emitter *e, const LoopEntry *entry, Text *condition);

// line.c: lines of C.
void emit_line(Emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit_pragma(Emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
enum { LINE_WIDTH = 100 };

// struct.c: structs of C for those that are declared with #[c_layout].
/// What the struct is called in C; from then on the header declares it.
const char *struct_name(Emitter *e, Node *type);
/// The declarations, and in the C file what they rely on.
void struct_write(Emitter *e, Text *header, Text *source);

/// A cast for a pointer into the array that is passed to a function, or "".
const char *memory_cast(const Emitter *e, Sym array);

// support.c: the functions of runtime/adze_support.h and adze_field.h that the file needs.
void support_need(Emitter *e, const char *section);
bool support_has(const char *name); // whether a support function or type is called adze_NAME
void support_write(Emitter *e, Text *out);

#endif
