// What the files of staging/ share.
//
// evaluate.c walks a term in an environment and gives what is Known of its value; what has an
// effect leaves a statement in the Block it is evaluated for, in order. The partial evaluator is
// online and polyvariant (OOPSLA paper, section 3; thesis of Leissa, 10.1), but in direct style: a
// jump ends the block instead of calling a continuation, so no scope has to be found again.
//
// Residual terms use variables with unique names (PH_VAR) while they are being put together, so
// that they can move under other binders as they are; a binder of such a term is a CORE_LET or
// CORE_LAM whose body is a CORE_TUPLE of the bound variables and the real body. finish.c turns
// names into de Bruijn indices and decides which lets stay.
#ifndef ADZE_STAGING_INTERNAL_H
#define ADZE_STAGING_INTERNAL_H

#include "base/link.h"
#include "base/stack.h"
#include "staging/values/staging.h"

/// A function of the program for one choice of its generic arguments.
typedef struct {
    const Function *function;
    Node *body, *result; // with the generic arguments put in
    Node **filters;      // of the parameters, likewise; NULL where there is none
    bool **varies;       // specialise_calls.c
    NodeBinding *generics;
    Node *constant; // of a constant: the atom it was bound to, once known
    bool entered;   // it was called
} Special;

/// The calls that lead to a piece of source text, innermost first: of the text, not of the
/// evaluation. A function passed to another keeps the chain of its own place, so `twice(|x|
/// twice(f, x), y)` is no recursion.
typedef struct Chain Chain;
struct Chain {
    const Special *special;
    Span call;
    const Chain *up;
    int depth, recursive; // calls in it; those of functions that can call themselves
};

typedef struct Known Known;
typedef struct Env Env;
typedef struct Block Block;
typedef struct Cell Cell;
typedef struct Label Label;
typedef struct Region Region;

/// Where a term is evaluated: what its variables are, how the evaluation got to its text, where its
/// statements go, and the function specialised there whose result its value is (or NULL).
typedef struct {
    const Env *env;
    const Chain *chain;
    Block *block;
    Region *tail;
    Sym hint; // the name that a place made here gets
} Scope;

typedef enum {
    KNOWN_ERROR,   // was reported
    KNOWN_NEVER,   // there is no value: the block has ended
    KNOWN_TERM,    // data: a residual term
    KNOWN_TUPLE,   // the components (elements of an array) are known each by itself
    KNOWN_CLOSURE, // a lambda and its variables
    KNOWN_GLOBAL,  // a function of the program
    KNOWN_CHOICE,  // a function (or a tuple with one) chosen by a run-time condition
    KNOWN_REF,     // a place in a cell
    KNOWN_CONST,   // a place that is never assigned: parts[0] is what it holds
    KNOWN_LABEL    // the continuation of a label
} KnownKind;

// `node` is the term (TERM), the lambda (CLOSURE), a node of its type and origin (TUPLE), the
// condition, which is an atom (CHOICE), the residual place (REF).
struct Known {
    KnownKind kind;
    Node *node;
    Node *branches[2];   // CHOICE: not evaluated yet
    const Known **parts; // TUPLE
    const Env *env;      // CLOSURE, CHOICE
    const Chain *chain;  // CLOSURE, CHOICE, GLOBAL
    Special *special;    // GLOBAL
    Cell *cell;          // REF
    int64_t element;     // REF: WHOLE, a known element of the cell's array, or SOMEWHERE in it
    Label *label;        // LABEL
};
enum { WHOLE = -1, SOMEWHERE = -2 };

/// A mutable variable, or an address taken. Every write goes to the memory of the program (`var`);
/// what is known of the contents is tracked beside it, which is functional SSA for whatever does
/// not leave the evaluator's sight. A cell of a phrase type has no memory.
struct Cell {
    Sym hint;
    Node *var;          // its residual variable, of type &mut t
    const Known *value; // NULL: what the memory holds
    int number;         // cells are numbered as they are made
    bool loops;         // scratch of the check of loops
};

/// A continuation that leaves a CORE_LABEL.
struct Label {
    Node *var; // fn(t) -> !
    Node *type;
    Block *block; // the body's; NULL when it is left
    Region *tail, *function;
    int jumps;
    int number;
};

/// Variables by de Bruijn index, innermost first. Ids tell environments apart (0 = NULL).
struct Env {
    Link link;
    const Known *value;
    uint32_t id;
};

/// A straight piece of the result: statements and lets in order. The body of a lambda and a branch
/// of an `if` are blocks of their own. A guard says that what follows is run only where the other
/// branch, which ends by a jump, is not taken.
typedef struct {
    Node *var, *value; // var NULL: a guard with this condition
    Node *leaving;     // guard: the branch that leaves
    bool sense;        // guard: the value of the condition for which it does
} Item;
typedef enum {
    BARRIER_NONE,
    BARRIER_PATTERN,
    BARRIER_PARALLEL,
    BARRIER_VECTORIZE,
    BARRIER_SPAWN
} Barrier;
struct Block {
    Block *up;
    VEC(Item) items;
    Node *end;    // a term of type ! when the block has ended
    bool effects; // some statement reads or writes a place, or may leave
    Map memo;     // (node, environment) -> residual term that uses lets of this block
    // What stands around: jumps do not go out, cells below this number are not assigned.
    Barrier barrier;
    int cells;
    Span span;
};

/// A function for one choice of its known arguments, as a block of a control-flow graph: the other
/// arguments are its parameters.
typedef struct {
    Sym key, name;
    const struct Call *call; // the first one (specialise_calls.c)
    const Chain *chain;      // of that
    Span span;
    Span back;   // of the first call from the region itself
    Label label; // jumps to it are calls of the block
    int nvars;
    Node **vars;  // its parameters
    Block *block; // its code, and its value where that does not leave
    const Known *value;
    Node *code; // all of it, of type !
} Config;

typedef struct {
    int from, to;
} Edge;

/// A call that is specialised: the functions that it and calls in tail position lead to, each once
/// for each choice of its known arguments (specialise_calls.c); or a residual function, when a call
/// of one turns up elsewhere.
struct Region {
    bool is_function;
    Region *outer;         // specialised around this one
    Region *tail;          // whose result this one's is
    Region *function;      // the innermost residual function around (NULL: the entry)
    VEC(Config *) configs; // what is called comes first; of a function that is all
    VEC(Config *) loops;   // those that became loops
    Map by_key;            // -> 1 + number
    int current;           // that is evaluated
    VEC(Edge) edges;       // calls that go from one to another
    Node **values;         // that the call gives its parameters
    Block *block;          // around their blocks
    const Chain *chain;    // of the call
    int cells, labels;     // that were made before the call
    Label *leave;          // its end
    struct Residual *residual;
};

/// A residual function. `exits` are the labels outside that it jumps to: then it gives a tuple
/// of a status, its result, and what each exit carries.
typedef struct Residual {
    Sym key;
    Function *function;
    VEC(Label *) exits;
    Node *body;         // with unique names
    VEC(Node *) params; // its variables
    // More parameters: its own variables for `nplaces` places that are passed, then the variables
    // of its callers that it mentions.
    VEC(Node *) captured;
    VEC(Node *) taken; // ... as which it has them: what it only reads by shared references
    Map written;       // the variables that it may assign
    int nplaces;
    bool done;
} Residual;

/// A change of what is known of a cell: so that branches begin with the same knowledge.
typedef struct {
    Cell *cell;
    const Known *value;
    bool written;
} Change;
typedef VEC(Change) Changes;

/// What calls of a function that cannot call itself have cost so far, unfolded: those that could
/// be calls of one residual function (price.c).
typedef struct {
    bool generic; // that takes literals as parameters
    bool plain;   // of scalars
    int64_t calls, terms, steps;
    bool kept; // it is a residual function from now on
} Price;

typedef struct Stage Stage;
typedef const Known *Evaluator(Stage *s, Node *e, Scope scope);
struct Stage {
    Session *cx;
    Arena *arena; // of this run
    Evaluator *evaluate;
    const Program *program;
    const Function *entry;
    Residues *residues; // to be told, or NULL
    Block *root;
    Block *constants;  // of the program, before everything
    Map specials;      // CORE_GLOBAL -> Special
    Map counts, calls; // Function -> number of its Specials that are called; places of calls
    Map memo;          // (node, environment) -> residual term that needed no let
    Map arrays;        // variable -> the short array literal it was bound to
    Map hints;         // unique name -> Sym as in the source
    Map failing;       // term -> whether it may fail
    Map leaving;       // term of the program -> whether its evaluation may leave
    Map literals;      // tuple of literals -> its value, which an enum with N options has N times
    Facts *facts;      // what holds in the entry
    SizeChecks checks;
    uint32_t environments;
    int64_t budget, steps, lets; // most steps; so far
    int64_t terms;     // so far: lets, operators and patterns that are left, as far as one can tell
    int64_t effects;   // so far: a term whose evaluation had none may be remembered
    int cells, labels; // so far
    Changes trail;     // since the beginning of the branch
    VEC(Cell *) written; // in order
    Region *regions;     // innermost first
    Region *function;    // innermost that is one
    Map residuals;       // key -> Residual, of keys that cannot be loops
    VEC(Residual *) functions;
    Map residual_of;           // name -> Residual (capture.c)
    VEC(Function *) externals; // functions of C that are called
    int nfunctions;
    Region *restart;       // the evaluation goes back to the beginning of this one
    Map free;              // term -> its free variables
    Map recursive;         // Function -> Visit (recursion.c)
    Map *prices;           // what calls could share -> Price, of all runs
    int64_t limit;         // of terms: beyond, prices are looked at
    int64_t limit_all;     // beyond, also of functions that are not plain
    bool again;            // some function is kept that was unfolded: all begins anew
    bool failed;           // an error was reported, or `restart`
    uintptr_t stack_limit; // deeper recursion of the evaluator is an error of the program
};

/// Evaluation of a term (evaluate.c). The other files of staging call it by `s->evaluate`, so that
/// only staging.c depends on all of them.
Evaluator stage_evaluator;
static inline const Known *stage_evaluate(Stage *s, Node *e, Scope scope)
{
    return s->evaluate(s, e, scope);
}
/// The same for a term whose value is not the result of the function around.
static inline const Known *stage_operand(Stage *s, Node *e, Scope scope)
{
    scope.tail = NULL;
    return s->evaluate(s, e, scope);
}

/// Application of a function value (apply.c), whose statements go where `at` says.
const Known *stage_apply(Stage *s, const Known *f, int n, const Known *const *args, Span call,
                         Scope at);
/// `run`: inlined whatever the filters say.
const Known *stage_apply_as(Stage *s, const Known *f, int n, const Known *const *args, Span call,
                            Scope at, bool run);
/// A function of C is part of the result.
void stage_use_external(Stage *s, const Function *f);
/// An element of an array.
const Known *stage_element(Stage *s, const Known *xs, Node *index, Node *type, Span origin);

/// One of two ways, by a condition that is not known (branch.c): `arm` evaluates way 0 (true) or 1.
typedef const Known *Arm(Stage *s, int way, Scope scope, void *env);
const Known *stage_choose(Stage *s, Node *condition, Node *type, Span origin, Scope scope, Arm *arm,
                          void *env);

/// CORE_FOREVER, the ranges, tasks (control.c).
const Known *stage_forever(Stage *s, Node *e, Scope scope);
const Known *stage_range(Stage *s, Node *e, Scope scope);
const Known *stage_spawn(Stage *s, Node *e, Scope scope);
const Known *stage_sync(Stage *s, Node *e, Scope scope);
/// print, a step of it, assert (print.c).
const Known *stage_print(Stage *s, Node *e, Scope scope);
const Known *stage_print_step(Stage *s, Node *e, Scope scope);
const Known *stage_assert(Stage *s, Node *e, Scope scope);
/// CORE_LABEL, a jump (labels.c).
const Known *stage_label(Stage *s, Node *e, Scope scope);
const Known *stage_jump(Stage *s, Label *label, const Known *value, Span origin, Block *block);
/// A label around its body, unless all jumps to it are last in the body.
Node *stage_label_around(Stage *s, Label *l, Node *body, Span origin);
/// Out of a residual function (specialise_calls.c).
const Known *stage_exit(Stage *s, Label *label, const Known *value, Span origin, Block *block);
Label *stage_label_new(Stage *s, Node *type, Scope scope, Block *block);

/// Places (store.c): made, read, written, components and elements of them.
/// The place of a value for those that only read it.
const Known *stage_constant(Stage *s, const Known *value, Node *type, Block *block);
const Known *stage_new(Stage *s, const Known *value, Node *type, Sym hint, Block *block);
const Known *stage_get(Stage *s, const Known *place, Span origin, Block *block);
const Known *stage_set(Stage *s, const Known *place, const Known *value, Span origin, Block *block);
const Known *stage_place(Stage *s, Node *e, Scope scope); // CORE_REF_AT, _PROJ, _SLICE
/// A place as an argument of a residual function.
Node *stage_place_term(Stage *s, const Known *place, Node *type, Block *block);
/// What is known of the contents of a cell (cells.c); `written`: by an assignment.
void stage_learn(Stage *s, Cell *cell, const Known *value, bool written);
/// The changes since `mark` taken back and given; made again; forgotten.
Changes stage_take_back(Stage *s, int mark);
void stage_redo(Stage *s, const Changes *changes);
void stage_forget(Stage *s, Cell *cell);
/// After two ways: what is known on both.
/// `condition` of way a; NULL when functions assigned on the ways do not outlive them.
void stage_merge(Stage *s, const Changes *a, const Changes *b, Node *condition);
/// What is known at a point; from there a block is made that is not spliced into the one around.
typedef struct {
    int trail, written, cells;
} Before;
Before stage_before(const Stage *s);
/// What was learned in that block is taken back, and the cells written in it are not known any
/// more.
void stage_forget_since(Stage *s, Before before);

/// What a term in an environment, or a value, may assign when it is run (reach.c).
typedef VEC(Cell *) Cells;
void stage_reach_term(Stage *s, Node *e, const Env *env, Cells *out);
/// As a value of this type: what a & refers to is not assigned. `all`: also what is only read.
void stage_reach(Stage *s, const Known *v, Node *type, bool all, Cells *out);
void stage_forget_all(Stage *s, const Cells *cells);
/// That the iterations of parallel or vectorize with this body write places of their own (lanes.c);
/// E0507.
void stage_check_lanes(Stage *s, Node *lam, bool parallel);
/// That no two iterations of a `parallel` access one element that one of them writes (races.c):
/// E0509 where some surely do.
void stage_check_races(Stage *s, Node *loop);
/// The root of a place: the variable it is a part of.
Node *stage_root(Node *place);
/// The free variables of a term, ascending; `reads`: it is only read, as a place.
typedef struct {
    int index;
    bool reads;
} FreeVar;
typedef struct {
    int len;
    const FreeVar *at;
} FreeVars;
FreeVars stage_free(Stage *s, Node *e);
const Known *stage_variable_value(Stage *s, const Env *env, int64_t index);

/// Calls of functions of the program (apply.c, filter.c, specialise_calls.c).
const Known *stage_specialise(Stage *s, const Known *f, int n, const Known *const *args,
                              const bool *known, Span call, Scope at);
/// Reports a recursion that specialisation does not end (E0503): each call is at other sizes or
/// types (`grows`; what one of these has too much of, or NULL), or has other known arguments.
void stage_never_ends(Stage *s, const Special *special, const Chain *chain, Span call, bool grows,
                      const char *excess);
/// The prices of a call of a function that cannot call itself (price.c); false when no residual
/// function could serve it. `special`: with the same literals; `generic`: with any. NULL: the
/// arguments have too many parts.
typedef struct {
    Price *special, *generic;
} Prices;
bool stage_find_prices(Stage *s, const Known *f, int n, const Known *const *args, Scope at,
                       Prices *out);
/// Adds what such a call has cost, unfolded: where all of them make too much code, the costly ones
/// are kept, and the evaluation begins anew.
void stage_add_cost(Stage *s, const Prices *of, int64_t terms, int64_t steps);
/// The call of one that is to be a residual function (specialise_calls.c), which has its literal
/// arguments as parameters if it is `generic`.
const Known *stage_keep(Stage *s, const Known *f, int n, const Known *const *args, bool generic,
                        Span call, Scope at);
/// The arguments of such a call, taken apart (take.c).
typedef struct {
    const Known **inside;              // the arguments as the function has them, on `params`
    VEC(Node *) params;                // its variables
    VEC(Node *) passed;                // their values
    VEC(Node *) places, passed_places; // likewise: its variables that are places of the caller
    Sym key;                           // the function and what it is specialised to
} Taken;
/// `known`: which arguments have nothing that is passed.
const Taken *stage_take(Stage *s, const Known *f, int n, const Known *const *args, bool generic,
                        bool *known);
/// The same for all calls that one residual function could serve, in all runs; 0 for arguments
/// of too many parts.
uint64_t stage_shared_key(Stage *s, const Known *f, int n, const Known *const *args, bool generic);
const Chain *stage_enter(Stage *s, Special *special, const Chain *chain, Span call);
/// Which arguments the filters want known; whether that is all, so that the call is unfolded
/// (filter.c): functions and references are known in any case, and do not alone unfold what is
/// given nothing else.
bool stage_filter(Stage *s, const Known *f, int n, const Known *const *args, Scope at, bool *known);
/// Whether the function can call itself, also through others (recursion.c).
bool stage_is_recursive(Stage *s, const Function *f);
/// Whether the value can be stored.
bool known_is_data(const Known *v);
/// Why the filter of a parameter said no, for these arguments.
const char *stage_why_kept(Stage *s, const Special *special, int i, const Known *const *args);
/// Whether ? says yes.
bool known_is_known(const Known *v);

/// Zero, of a type of data (blocks.c).
Node *stage_zero(Stage *s, Node *type);
/// What jumps to a block with these parameters carry.
Node *stage_carried_type(Stage *s, int n, Node *const *vars);
/// The blocks of a region as labels and loops, a term of type !; NULL after an error.
/// `r->loops` gets the blocks that became loops.
Node *stage_structure(Stage *s, Region *r);

/// Captured variables of the residual functions become parameters (capture.c).
Node *stage_lift(Stage *s, Node *body);

/// The value of a global: a function, or a constant's value (apply.c).
const Known *stage_global(Stage *s, Node *global, Scope scope);

/// A function value as a literal lambda, for an operand of function type (apply.c).
Node *stage_lambda(Stage *s, const Known *f, Node *type, Span origin, Scope at, Barrier barrier);

/// The pieces of evaluation (known.c).
const Known *known_error(Stage *s);
const Known *known_term(Stage *s, Node *term);
/// A tuple, struct, array, or place of one, of this type, with as many parts as that has.
const Known *known_tuple(Stage *s, Node *type, Span origin, const Known *const *parts);
int known_count(const Known *v);
bool known_is_atom(
    Node *e); // a variable, a literal, a size, a component of a variable: free to repeat
const Env *stage_env_push(Stage *s, const Env *env, const Known *value);
const Env *stage_env_at(const Env *env, int64_t index); // NULL: there are not as many
Node *stage_variable(Stage *s, Node *type, Sym hint);
/// A data value as a term; E0502 when there is a function in it.
Node *stage_data(Stage *s, const Known *v, Span origin);
/// The same value with every term in it that is no atom bound by a let of the block.
const Known *stage_bind(Stage *s, const Known *v, Sym hint, Block *block);
/// An array literal with elements that are atoms; other values as they are. The elements of such
/// arrays are known one by one.
const Known *stage_array_atoms(Stage *s, const Known *v, Block *block);
/// The literal that a term is, or was bound to; or NULL.
Node *stage_elements(Stage *s, Node *e);
Block *stage_block(Stage *s, Block *up);
/// A statement of the block: its variable.
Node *stage_emit(Stage *s, Block *block, Node *value, Sym hint);
/// What reads or writes places, or leaves.
Node *stage_emit_effect(Stage *s, Block *block, Node *value, Sym hint);
/// The block ends with this term of type !.
const Known *stage_end(Stage *s, Block *block, Node *term);
/// The statements of `inner`, a block that was opened in `block`, go on here.
void stage_splice(Stage *s, Block *block, const Block *inner);
/// The statements of the block around `body` (which is not looked at when the block has ended).
Node *stage_block_close(Stage *s, const Block *block, Node *body);
/// The value ().
const Known *known_unit(Stage *s);
/// Whether there is no value to go on with.
static inline bool known_stops(const Known *v)
{
    return v->kind <= KNOWN_NEVER;
}
Node *stage_term(Stage *s, Kind kind, Node *type, Span origin, int n, Node *const *ops);
/// An error, unless there was one; NULL then. Evaluation stops.
Diag *stage_report(Stage *s, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/// Counts work against the budget; false (and E0503) when there is none left (price.c).
bool stage_step(Stage *s);
/// E0501 and E0503: with the calls that led there as notes.
const Known *stage_fail(Stage *s, DiagCode code, Span span, const Chain *chain, const char *text);
/// The same; gives the diagnostic, for a hint, or NULL when there was an error before.
Diag *stage_fail_diag(Stage *s, DiagCode code, Span span, const Chain *chain, const char *text);

/// `e`, an operator applied to literals or sizes, folded where that is exact, or `e` itself
/// (fold.c).
Node *stage_fold(Stage *s, Node *e);

/// Conditions on sizes (checks.c): those of the entry, and those of a function called.
void stage_entry_checks(Stage *s);
void stage_call_checks(Stage *s, const Special *special, const Chain *chain);
/// The conditions that are left do not follow from one another.
void stage_drop_implied(Stage *s);

/// Whether evaluation of a residual term can end in a run-time error (fold.c).
bool stage_may_fail(Stage *s, Node *term);

/// Converts names to de Bruijn indices and inlines lets that are used only once (finish.c).
/// `params`: the variables of the entry.
Node *stage_finish(Stage *s, Node *term, int nparams, Node *const *params);

/// Reports a size of the result that left the 64 bits when the sizes of a call were put in, or a
/// type that became too large, or a vector of a length that is not known (checks.c).
void stage_check_sizes(Stage *s, Node *body);

#endif
