// The state of a C file being written, and the text functions that all of emit/ uses: names, lines,
// sizes, structs, and sections of the runtime headers.
#ifndef ADZE_EMIT_TEXT_H
#define ADZE_EMIT_TEXT_H

#include "emit/text/emit.h"
#include "loops/device/device.h"

/// A cause of failure. The status that the entry returns is its index in Emitter.faults plus 1.
typedef struct {
    DiagCode code;
    Span span;
    const char *text;           // the message, one or more lines
    const SizeCheck *condition; // the condition on sizes that failed, or NULL
} Fault;

/// An array parameter of a function whose tail calls to itself became a loop (tail_call.c). An
/// iteration may pass the next one an array that it allocated itself.
typedef struct {
    const LoopParam *param;
    Sym next;   // the pointer that is passed to the next iteration
    Sym memory; // the array to free once another one is passed; NULL at run time if there is none
} KeptParam;

/// A function in the C file: an entry, a function that an entry calls, or an external C function.
typedef struct {
    const LoopEntry *entry;
    Atomic atomic;    // ATOMIC_COUNT if it is not atomic
    const char *name; // its name in C
    bool fails;       // it returns a status (entries always do)
    bool gives;       // it returns its one scalar result
    bool is_entry;
    bool recursive;         // it may call itself, and checks the depth of the stack
    bool tasks;             // it, or a function that it calls, starts tasks
    bool launches;          // it, or a function that it calls, runs kernels on a device
    bool opened;            // the body of an entry that launches kernels, which the entry calls
    bool team;              // the body of an entry with tasks, which the entry calls
    bool visited;           // its C code is being written
    bool known;             // it has been declared in C
    bool given;             // its last parameter is the workspace
    bool on;                // its arrays are buffers of a device, whose queue is its last parameter
    bool allocates;         // some calls need the variant that allocates its workspace
    const char *given_name; // the name of the variant with a workspace parameter
    VEC(Sym) sizes;         // its size parameters
    VEC(Sym) callees;       // functions that it calls, each once
    Map tails;              // tail calls to itself that become iterations -> not NULL (tail_call.c)
    bool repeats_only;      // it has such calls, and no other calls to itself
    VEC(KeptParam) kept;
} CFunction;

/// A slot of the workspace: a line at which one or more arrays begin.
typedef struct {
    int arrays;
    Node *type;
    bool mixed;       // the arrays differ in type, or one belongs to another function
    const char *name; // the C name of the first array in scope
} CSlot;

/// Where control goes at the end of a statement.
typedef enum {
    PLACE_NEXT,      // to the statement that follows
    PLACE_LABEL,     // to the end of a label, and then to its `outer` place
    PLACE_ITERATION, // to the next iteration of a loop
    PLACE_END        // to the end of the function
} PlaceKind;
typedef struct Place Place;
struct Place {
    PlaceKind kind;
    const Place *outer; // the place after the label
    Sym label;
    int heap;         // the length of Emitter.open at the beginning of the label or loop
    const char *name; // the C name of the label, once a goto needs it
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
    VEC(Node *) heap;  // its heap allocations, in order of appearance
    bool inner;        // it is an iteration or a task
    const char *fault; // the fault variable of an iteration or task that may fail, or NULL
    const char *exit;  // the label at its end, where memory is freed, once a goto needs it
    const CLoop *loop; // the loop of an iteration
    bool tasks;        // it starts tasks, and waits for them at its end
    const char *noted; // in a function, the fault variable of tasks that may fail, or NULL
};

typedef struct Emitter Emitter;
struct Emitter {
    Session *cx;
    Arena *arena;
    const EmitOptions *options;
    // Write an expression or a statement of any kind.
    void (*expr)(Emitter *e, Node *x, int min);
    void (*stmt)(Emitter *e, Node *s, const Place *place);
    Text *out;
    int indent;
    int loop_depth;
    Facts *facts;    // ranges of the indices in scope
    Map spelling;    // Sym -> its C name in scope
    Map taken;       // interned C name -> not NULL while it is in scope
    Map series;      // stem of numbered names -> Series (names.c)
    Map used;        // Sym -> not NULL once its name has been written
    Map params;      // Sym -> LoopParam of the function
    Map changed;     // Sym -> not NULL for locals that are set after their declaration
    Map addressed;   // Sym -> not NULL for what calls get the address of
    Map naturals;    // Sym -> not NULL for changed locals that are never negative
    Map small;       // Sym -> not NULL for i64 locals and indices that fit in 32 bits
    Map narrow;      // Sym -> not NULL for indices that are int32_t in C
    Map scalars;     // Sym -> not NULL for locals
    Map arrays;      // Sym -> not NULL for arrays on the stack
    Map lengths;     // Sym -> number of elements, for stack arrays and constant tables
    Map masks;       // Sym -> bytes per lane of a mask local
    Map bits;        // Sym -> not NULL for mask locals that are bit masks
    Map in_vectors;  // Sym -> not NULL for buffers accessed by vector loads or stores
    Map ignored;     // Sym -> not NULL for dead locals and memory, which only receive call results
    Map labels;      // Sym -> Place of the label
    Map label_names; // interned C name -> not NULL for labels of the function
    VEC(Fault) faults;   // causes of failure in the entry and in the functions it calls
    VEC(Node *) strides; // row lengths in scope
    VEC(Sym) bound;      // names declared in the blocks in scope
    VEC(Node *) open;    // heap allocations of the blocks in scope, except those of frames
    CFunction *function; // the function being written
    Map functions;       // Sym -> CFunction, for functions that the entry calls
    Map function_names;  // interned C name -> not NULL for functions of the file
    Sym workspace;       // the workspace parameter
    Sym queue;           // the parameter for the queue of a device
    Sym stack;           // the end of the stack, passed to recursive functions among the sizes
    Map slots;           // workspace line -> CSlot
    Map pointers;        // Sym -> its LOOP_POINTER
    bool mixed_pointers; // the memory that pointers refer to may hold other types at other times
    Map mixed_bools;     // arrays of type adze_any_bool -> not NULL
    Node *complement;    // a comparison operand that gcc would warn about, or NULL
    Map saturating;      // sizes that saturate at INT64_MAX -> not NULL (overflow.c)
    bool measuring;      // the function being written returns a workspace size, and 0 on failure
    bool returns;        // the statements that store the result return it instead
    Frame *frame;
    const CLoop *loop;
    Device kernel; // this is the text of kernels for a device
    Map shared;    // Sym -> not NULL for arrays that the work-items of a group share
    Map mma;       // Sym of a loop -> DeviceMma, if it is an instruction for matrices
    // In a kernel, the integers that have 32 bits where all of them fit (device_positions); NULL if
    // all have 64. A term that also has others is computed in 64 bits.
    const DevicePositions *positions;
    bool in_size, wide_size; // whether a size is being written, and one in 64 bits
    Sym fault;               // in a kernel that may fail, the memory of its status
    Text kernel_text;        // the functions of the kernels written so far
    bool of_group;           // the current function of a kernel gets memory that a group shares
    const char *program;     // the C name of the entry's kernels
    Emitter *kernels;        // writes the kernels of the entry; NULL if its target has no device
    Map passed;              // Sym -> not NULL for arrays of the function that kernels access
    Map record_of;           // Sym of a leaf -> that of the array of records that contains it
    Map held;        // Sym -> not NULL for those in scope that the device may have a copy of
    Map held_counts; // how many elements those among them have that are not parameters
    Map fresh;    // Sym -> not NULL for arrays updated in this block: e, or &e->fresh for a write
    Span from;    // where the statement being written comes from
    bool current; // the host's copies of the arrays in the statement are up to date
    Map needs;    // name of a support section -> not NULL
    VEC(const char *) need_order;
    Map vectors; // interned C name of a vector type or function -> not NULL
    Text vector_types, vector_functions;
    bool intrinsics;          // the vector functions use <immintrin.h>
    bool math;                // the file uses <math.h>
    bool is_static;           // the expression must be a C constant expression
    bool pragmas;             // the file has pragmas
    Map structs;              // full name of a struct -> its C name
    VEC(Node *) struct_order; // the structs in order of declaration
    bool workspaces;          // an entry has a workspace
    bool explains;            // messages with sizes use <stdio.h>
    Device device;            // functions take buffers of it
};

// names.c: C names for Adze names.
void names_reset(Emitter *e);
const char *names_declare(Emitter *e, Sym name, bool fresh_number);
/// Declares a parameter. Its C name is not a C++ keyword, so that headers can be used from C++.
const char *names_parameter(Emitter *e, Sym name);
/// Declares a name in the current block, and returns its spelling.
const char *declared_name(Emitter *e, Node *decl);
void names_forget(Emitter *e, Sym name);
/// Returns the C name of a declared name.
const char *names_spelled(const Emitter *e, Sym name);
const char *names_use(Emitter *e, Sym name);           // also marks it as used
const char *names_label(Emitter *e, const char *text); // the name of a new label in this function

/// Returns the C name of an entry's function.
const char *names_entry(Emitter *e, Sym name);
/// Returns the common stem of the names of an entry's companion functions.
const char *names_stem(Emitter *e, Sym name);
/// Returns an unused function name, `stem` if possible, and marks it as used.
const char *names_beside(Emitter *e, const char *stem);
/// Marks a function name as used. Returns false if it already was.
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
const char *operands_text(Emitter *e, Node *x); // separated by commas
const char *size_text(Emitter *e, Node *n, int min);
const char *saturating_text(Emitter *e, Node *n);
const char *negated_text(Emitter *e, Node *condition);
/// Returns an element's position as it appears between brackets in C.
const char *position_text(Emitter *e, Node *position);
/// Returns an element of memory: a[i], *x if the memory is a single scalar, or x if it is a result
/// that the function returns.
const char *place_text(Emitter *e, Sym name, Node *position);

/// Writes a statement. At its end, control goes to `place`.
void emit_stmt(Emitter *e, Node *s, const Place *place);
/// Writes the statements of a block, indented one level deeper. The caller writes the braces.
void emit_body(Emitter *e, Node *s, const Place *place);
/// Forgets the names declared after the first `outer` ones.
void emit_forget(Emitter *e, int outer);
/// Returns the parameter that stands for the result of a function with a single result.
const LoopParam *result_of(const CFunction *f);
/// Whether a name is the result that the current function returns.
bool emit_is_result(const Emitter *e, Sym name);

const char *emit_ctype(const Emitter *e, Scalar s);

/// The C type of an integer parameter, index or local that never changes.
const char *emit_position_ctype(const Emitter *e, Sym name);
Scalar emit_scalar_of(Node *type); // i64 for idx

/// Writes "(" if the context requires a higher precedence than `own`. Returns whether it did.
bool emit_open(Emitter *e, int own, int min);
/// Writes the matching ")".
void emit_close(Emitter *e, bool opened);

// size.c: sizes. Memory sizes saturate at INT64_MAX.
void emit_size(Emitter *e, Node *n, int min);
void emit_saturating_size(Emitter *e, Node *n, int min);

// stride.c: writes sums as quotient*stride + rest.
void strides_add(Emitter *e, Node *size);
/// Divides a sum into quotient*stride + rest. Returns the stride, or NULL if none makes the sum
/// shorter.
Node *strides_divide(Emitter *e, Node *sum, Node **quotient, Node **rest);

// overflow.c: sizes that may exceed 64 bits.
/// Whether an entry computes sizes that may exceed 64 bits. If so, appends to `condition` the C
/// test for whether one of them does. Sizes that are only compared with constants saturate instead.
bool emit_may_overflow(Emitter *e, const LoopEntry *entry, Text *condition);
/// Returns the C test for whether a sum of products of sizes exceeds 64 bits.
const char *emit_overflow_test(Emitter *e, Node *sum);

// size_tests.c: size tests inside functions.
/// Returns the entry with tests for the sizes that its functions compute from their own size
/// parameters, and for divisors. Each test precedes the statement or loop that needs it. It is a
/// LOOP_CHECK with code E0607 whose condition is a negation: !(.. && sum >= INT64_MAX),
/// !(.. && divisor == 0) or !(.. && divisor <= 0).
const LoopEntry *emit_with_size_tests(Emitter *e, const LoopEntry *entry);
/// Returns the error message for a failed size test with this condition.
const char *size_test_message(Emitter *e, Node *condition);

// line.c: lines of C.
void emit_line(Emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit_pragma(Emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
enum { LINE_WIDTH = 100 };

// struct.c: C structs for structs with #[c_layout].
/// Returns the C name of the struct, and has the header declare it.
const char *struct_name(Emitter *e, Node *type);
/// Writes the declarations of the structs, and assertions about their layout, for the header.
void struct_write(Emitter *e, Text *header);

/// Returns the cast that a pointer into an array needs as a function argument, or "".
const char *memory_cast(const Emitter *e, Sym array);

// support.c: the functions of runtime/adze_support.h and adze_field.h that the file needs.
void support_need(Emitter *e, const char *section);
bool support_has(const char *name); // whether a support function or type is called adze_NAME
void support_write(Emitter *e, Text *out);

#endif
