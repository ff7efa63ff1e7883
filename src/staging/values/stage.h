// The shared definitions of staging/.
//
// evaluate.c computes what is Known of the value of a term in an environment; a term with a side
// effect emits a statement to the current Block, in order. The partial evaluator is online and
// polyvariant (OOPSLA paper, section 3; thesis of Leissa, 10.1), but in direct style: a jump ends
// the block instead of calling a continuation, so that scopes need no reconstruction.
//
// Residual terms under construction use variables with unique names (PH_VAR), so that they can
// move under other binders unchanged; a binder of such a term is a CORE_LET or CORE_LAM whose body
// is a CORE_TUPLE of the bound variables and the real body. finish.c converts names to de Bruijn
// indices and inlines or drops lets.
#ifndef ADZE_STAGING_INTERNAL_H
#define ADZE_STAGING_INTERNAL_H

#include "base/link.h"
#include "base/stack.h"
#include "staging/values/staging.h"

/// A function of the program for one choice of its generic arguments.
typedef struct {
    const Function *function;
    Node *body, *result; // with the generic arguments substituted
    Node **filters;      // of the parameters, likewise; NULL for a parameter without one
    bool **varies;       // specialise_calls.c
    NodeBinding *generics;
    Node *constant; // of a constant: the atom it was bound to, once known
    bool entered;   // it was called
} Special;

/// The calls that lead to a piece of source text, innermost first: along the text, not along the
/// evaluation. A function passed to another keeps the chain of its own place, so `twice(|x|
/// twice(f, x), y)` is not a recursion.
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

/// Where a term is evaluated: its variables, the calls that lead to its text, the block that gets
/// its statements, and the specialised function whose result its value is (or NULL).
typedef struct {
    const Env *env;
    const Chain *chain;
    Block *block;
    Region *tail;
    Sym hint; // the name of a place that is made here
} Scope;

typedef enum {
    KNOWN_ERROR,   // was reported
    KNOWN_NEVER,   // no value, since the block has ended
    KNOWN_TERM,    // data: a residual term
    KNOWN_TUPLE,   // each component (or element of an array) is known separately
    KNOWN_CLOSURE, // a lambda and its variables
    KNOWN_GLOBAL,  // a function of the program
    KNOWN_CHOICE,  // a function (or a tuple with one) chosen by a run-time condition
    KNOWN_REF,     // a place in a cell
    KNOWN_CONST,   // a place that is never assigned: parts[0] is its contents
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
/// the evaluator also tracks what is known of the contents (functional SSA). A cell of a phrase
/// type has no memory.
struct Cell {
    Sym hint;
    Node *var;          // its residual variable, of type &mut t
    const Known *value; // its contents; NULL if not known
    int number;         // cells are numbered as they are made
    bool loops;         // scratch of check_written (control.c)
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

/// Straight-line code of the result: statements and lets in order. The body of a lambda and a
/// branch of an `if` are blocks of their own. The items after a guard run only if the other branch,
/// which ends by a jump, is not taken.
typedef struct {
    Node *var, *value; // a guard with the condition `value` if var is NULL
    Node *leaving;     // guard: the branch that leaves
    bool sense;        // guard: the value of the condition for which that branch runs
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
    Node *end;    // a term of type ! if the block has ended
    bool effects; // some statement reads or writes a place, or may leave
    Map memo;     // (node, environment) -> residual term that uses lets of this block
    // Jumps do not cross the barrier around the block; code in it assigns no cell below `cells`.
    Barrier barrier;
    int cells;
    Span span;
    SizeGuard *guard; // what holds of sizes where its next statement is added
};

/// A function for one choice of its known arguments, as a block of a control-flow graph: the other
/// arguments are its parameters.
typedef struct {
    Sym key, name;
    const struct Call *call; // the first call (specialise_calls.c)
    const Chain *chain;      // of the first call
    Span span;
    Span back;   // of the first back edge
    Label label; // of the block: a call is a jump to it
    int nvars;
    Node **vars;  // its parameters
    Block *block; // its code, and its value if control reaches the end
    const Known *value;
    Node *code; // the whole code, of type !
} Config;

typedef struct {
    int from, to;
} Edge;

/// A specialised call: the functions reached by it and by calls in tail position, each once for
/// each choice of its known arguments (specialise_calls.c); or a residual function, if one of them
/// is also called elsewhere.
struct Region {
    bool is_function;
    Region *outer;         // the enclosing region
    Region *tail;          // the region whose result is the result of this one
    Region *function;      // the innermost residual function around (NULL for the entry)
    VEC(Config *) configs; // the called function first; of a residual function the only one
    VEC(Config *) loops;   // configs that became loops
    Map by_key;            // key -> 1 + number of a config
    int current;           // the config under evaluation
    VEC(Edge) edges;       // calls between configs
    Node **values;         // the arguments of the call
    Block *block;          // around the blocks of the configs
    const Chain *chain;    // of the call
    int cells, labels;     // numbers of cells and labels before the call
    Label *leave;          // the label at its end
    struct Residual *residual;
};

/// A residual function. `exits` are the labels outside that it jumps to; with exits it returns a
/// tuple of a status, its result, and the value of each exit.
typedef struct Residual {
    Sym key;
    Function *function;
    VEC(Label *) exits;
    Node *body;         // with unique names
    VEC(Node *) params; // its variables
    // More parameters: variables for `nplaces` places that are passed, then the free variables,
    // which belong to its callers.
    VEC(Node *) captured;
    VEC(Node *) taken; // `captured` as parameters: by shared reference if only read
    Map written;       // the variables that it may assign
    int nplaces;
    bool done;
} Residual;

/// A change of what is known of a cell, which is undone before the next branch.
typedef struct {
    Cell *cell;
    const Known *value;
    bool written;
} Change;
typedef VEC(Change) Changes;

/// The cost so far of the unfolded calls that one residual function could replace (price.c).
typedef struct {
    bool generic; // literals are parameters of the residual function
    bool plain;   // arguments and result are scalars
    int64_t calls, terms, steps;
    bool kept; // calls become calls of the residual function
} Price;

typedef struct Stage Stage;
typedef const Known *Evaluator(Stage *s, Node *e, Scope scope);
struct Stage {
    Session *cx;
    Arena *arena; // of this run
    Evaluator *evaluate;
    const Program *program;
    const Function *entry;
    Residues *residues; // gets the calls that remain, or NULL
    Block *root;
    Block *constants;  // of the program, before everything
    Map specials;      // CORE_GLOBAL -> Special
    Map counts, calls; // Function -> number of its Specials that are called; spans of calls
    Map memo;          // (node, environment) -> residual term without lets
    Map arrays;        // variable -> the short array literal it was bound to
    Map hints;         // unique name -> Sym as in the source
    Map conditions;    // variable of type bool -> the term it was bound to
    Map failing;       // term -> whether it may fail
    Map leaving;       // term of the program -> whether its evaluation may leave
    Map literals;      // tuple of literals -> its value, which an enum with N options has N times
    Facts *facts;      // facts that hold in the entry
    SizeChecks checks;
    uint32_t environments;
    int64_t budget, steps, lets; // most steps; so far
    int64_t terms;               // estimated number of residual lets, operators and patterns so far
    int64_t effects;             // side effects so far, as evaluation without one may be memoised
    int64_t guarded;             // conditions so far that were decided under guards
    int cells, labels;           // numbers of cells and labels so far
    Changes trail;               // since the beginning of the branch
    VEC(Cell *) written;         // in order
    Region *regions;             // innermost first
    Region *function;            // the innermost one that is a residual function
    Map residuals;               // key -> Residual, of calls that cannot be loops
    VEC(Residual *) functions;
    Map residual_of;           // name -> Residual (capture.c)
    VEC(Function *) externals; // functions of C that are called
    int nfunctions;
    Region *restart;       // the region whose evaluation starts again, or NULL
    Map free;              // term -> its free variables
    Map recursive;         // Function -> Visit (recursion.c)
    Map *prices;           // shared key of calls -> Price, of all runs
    int64_t limit;         // number of terms beyond which costly plain functions are kept
    int64_t limit_all;     // number of terms beyond which any costly function is kept
    bool again;            // more functions are kept: staging starts again
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
/// The same for a term whose value is not the result of the enclosing function.
static inline const Known *stage_operand(Stage *s, Node *e, Scope scope)
{
    scope.tail = NULL;
    return s->evaluate(s, e, scope);
}

/// Applies a function value (apply.c); its statements go where `at` says.
const Known *stage_apply(Stage *s, const Known *f, int n, const Known *const *args, Span call,
                         Scope at);
/// `run`: the call is inlined whatever the filters say.
const Known *stage_apply_as(Stage *s, const Known *f, int n, const Known *const *args, Span call,
                            Scope at, bool run);
/// Makes a function of C part of the result.
void stage_use_external(Stage *s, const Function *f);
/// An element of an array.
const Known *stage_element(Stage *s, const Known *xs, Node *index, Node *type, Span origin);

/// A branch on a condition that is not known (branch.c): `arm` evaluates side 0 (true) or 1.
typedef const Known *Arm(Stage *s, int side, Scope scope, void *env);
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
/// A jump out of a residual function (specialise_calls.c).
const Known *stage_exit(Stage *s, Label *label, const Known *value, Span origin, Block *block);
Label *stage_label_new(Stage *s, Node *type, Scope scope, Block *block);

/// Places (store.c): making, reading and writing them, and their components and elements.
/// The place of a value that is only read.
const Known *stage_constant(Stage *s, const Known *value, Node *type, Block *block);
const Known *stage_new(Stage *s, const Known *value, Node *type, Span origin, Sym hint,
                       Block *block);
const Known *stage_get(Stage *s, const Known *place, Span origin, Block *block);
const Known *stage_set(Stage *s, const Known *place, const Known *value, Span origin, Block *block);
const Known *stage_place(Stage *s, Node *e, Scope scope); // CORE_REF_AT, _PROJ, _SLICE
/// A place as an argument of a residual function.
Node *stage_place_term(Stage *s, const Known *place, Node *type, Block *block);
/// Records the known contents of a cell (cells.c); `written`: whether an assignment wrote them.
void stage_learn(Stage *s, Cell *cell, const Known *value, bool written);
/// Undoes and returns the changes since `mark`; redoes them; forgets the contents of a cell.
Changes stage_take_back(Stage *s, int mark);
void stage_redo(Stage *s, const Changes *changes);
void stage_forget(Stage *s, Cell *cell);
/// After a branch: merges the knowledge of its two sides. `condition`: of side a; NULL if functions
/// that the sides assign do not outlive them.
void stage_merge(Stage *s, const Changes *a, const Changes *b, Node *condition);
/// The state of knowledge before a block that is not spliced into the enclosing one.
typedef struct {
    int trail, written, cells;
} Before;
Before stage_before(const Stage *s);
/// Undoes what was learned in that block, and forgets the cells that it has written.
void stage_forget_since(Stage *s, Before before);

/// The cells that a term in an environment, or a value, may assign at run time (reach.c).
typedef VEC(Cell *) Cells;
void stage_reach_term(Stage *s, Node *e, const Env *env, Cells *out);
/// The cells that a value of this type may assign: not the referent of a &. `all`: also cells that
/// are only read.
void stage_reach(Stage *s, const Known *v, Node *type, bool all, Cells *out);
void stage_forget_all(Stage *s, const Cells *cells);
/// Checks that the iterations of parallel or vectorize with this body write distinct elements
/// (lanes.c); E0507.
void stage_check_lanes(Stage *s, Node *lam, bool parallel);
/// Checks that no two iterations of a `parallel` access one element that one of them writes
/// (races.c); E0509.
void stage_check_races(Stage *s, Node *loop);
/// The root of a place: the variable it is a part of.
Node *stage_root(Node *place);
/// The free variables of a term, ascending; `reads`: whether the term only reads the place.
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
/// Reports a recursion that specialisation does not end (E0503): each call has other sizes or types
/// (`grows`; `excess`: the limit that a type exceeds, or NULL), or other known arguments.
void stage_never_ends(Stage *s, const Special *special, const Chain *chain, Span call, bool grows,
                      const char *excess);
/// The prices of a call of a function that cannot call itself (price.c); false if no residual
/// function could serve it. `special`: with the same literals; `generic`: with any. NULL if the
/// arguments have too many parts.
typedef struct {
    Price *special, *generic;
} Prices;
bool stage_find_prices(Stage *s, const Known *f, int n, const Known *const *args, Scope at,
                       Prices *out);
/// Adds the cost of such a call, unfolded. If the result is too large, the costly functions are
/// kept, and staging starts again.
void stage_add_cost(Stage *s, const Prices *of, int64_t terms, int64_t steps);
/// Calls a kept function (specialise_calls.c), whose literal arguments are parameters if it is
/// `generic`.
const Known *stage_keep(Stage *s, const Known *f, int n, const Known *const *args, bool generic,
                        Span call, Scope at);
/// The arguments of such a call, split into known and passed parts (take.c).
typedef struct {
    const Known **inside;              // the arguments inside of the function, over `params`
    VEC(Node *) params;                // its variables
    VEC(Node *) passed;                // their values
    VEC(Node *) places, passed_places; // the same for places of the caller
    Sym key;                           // the function and its known parts
} Taken;
/// `known`: which arguments have no passed part.
const Taken *stage_take(Stage *s, const Known *f, int n, const Known *const *args, bool generic,
                        bool *known);
/// A hash of the known parts, equal for all calls that one residual function could serve, in all
/// runs; 0 for arguments with too many parts.
uint64_t stage_shared_key(Stage *s, const Known *f, int n, const Known *const *args, bool generic);
/// The chain with one more call; NULL after an error (chain.c).
const Chain *stage_enter(Stage *s, Special *special, const Chain *chain, Span call);
/// Which arguments the filters make known; whether all are, so that the call is unfolded
/// (filter.c). Functions and references are always known; a call that has only such arguments is
/// not unfolded for this reason.
bool stage_filter(Stage *s, const Known *f, int n, const Known *const *args, Scope at, bool *known);
/// Whether the function can call itself, also through others (recursion.c).
bool stage_is_recursive(Stage *s, const Function *f);
/// Whether the value can be stored.
bool known_is_data(const Known *v);
/// Why the filter of a parameter is false for these arguments.
const char *stage_why_kept(Stage *s, const Special *special, int i, const Known *const *args);
/// The value of the operator `?`.
bool known_is_known(const Known *v);

/// Zero, of a type of data (blocks.c).
Node *stage_zero(Stage *s, Node *type);
/// The type of the value that jumps to a block with these parameters carry.
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

/// Known values, environments and blocks (known.c).
const Known *known_error(Stage *s);
const Known *known_term(Stage *s, Node *term);
/// A tuple, struct or array of this type, or a place of one, with known_count parts.
const Known *known_tuple(Stage *s, Node *type, Span origin, const Known *const *parts);
int known_count(const Known *v);
/// Whether the term is a variable, a literal, a size, or a component of a variable, which costs
/// nothing to duplicate.
bool known_is_atom(Node *e);
const Env *stage_env_push(Stage *s, const Env *env, const Known *value);
const Env *stage_env_at(const Env *env, int64_t index); // NULL if out of range
Node *stage_variable(Stage *s, Node *type, Sym hint);
/// A data value as a term; E0502 if it contains a function.
Node *stage_data(Stage *s, const Known *v, Span origin);
/// The same value, with every term that is not an atom bound by a let of the block.
const Known *stage_bind(Stage *s, const Known *v, Sym hint, Block *block);
/// An array literal with elements that are atoms, each of which is then known separately; other
/// values unchanged.
const Known *stage_array_atoms(Stage *s, const Known *v, Block *block);
/// The array literal that the term is or is bound to, or NULL.
Node *stage_elements(Stage *s, Node *e);
Block *stage_block(Stage *s, Block *up);
/// Appends a statement to the block; returns its variable.
Node *stage_emit(Stage *s, Block *block, Node *value, Sym hint);
/// The same for a term that reads or writes places, or may leave.
Node *stage_emit_effect(Stage *s, Block *block, Node *value, Sym hint);
/// Ends the block with this term of type !.
const Known *stage_end(Stage *s, Block *block, Node *term);
/// Appends the statements of `inner`, a block that was opened in `block`.
void stage_splice(Stage *s, Block *block, const Block *inner);
/// The statements of the block around `body` (ignored if the block has ended).
Node *stage_block_close(Stage *s, const Block *block, Node *body);
/// The value ().
const Known *known_unit(Stage *s);
/// Whether there is no value, so that evaluation stops.
static inline bool known_stops(const Known *v)
{
    return v->kind <= KNOWN_NEVER;
}
Node *stage_term(Stage *s, Kind kind, Node *type, Span origin, int n, Node *const *ops);
/// Reports an error and stops evaluation; NULL after an earlier error.
Diag *stage_report(Stage *s, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/// Counts a step; false (and E0503) if the budget is exhausted (price.c).
bool stage_step(Stage *s);
/// Reports E0501 or E0503, with the calls that lead there as notes.
const Known *stage_fail(Stage *s, DiagCode code, Span span, const Chain *chain, const char *text);
/// The same; returns the diagnostic, for a hint, or NULL after an earlier error.
Diag *stage_fail_diag(Stage *s, DiagCode code, Span span, const Chain *chain, const char *text);

/// `e`, an operator applied to literals or sizes, folded if that is exact, or `e` itself (fold.c).
Node *stage_fold(Stage *s, Node *e);

/// Conditions on sizes (checks.c): those of the entry, and those of a function called.
void stage_entry_checks(Stage *s);
void stage_call_checks(Stage *s, const Special *special, const Chain *chain, SizeGuard *guard);
/// Drops the conditions that follow from the others.
void stage_drop_implied(Stage *s);

/// Whether evaluation of a residual term can end in a run-time error (fold.c).
bool stage_may_fail(Stage *s, Node *term);

/// Converts names to de Bruijn indices and inlines lets that are used only once (finish.c).
/// `params`: the variables of the entry.
Node *stage_finish(Stage *s, Node *term, int nparams, Node *const *params);

/// Reports a size of the result that overflows 64 bits for the sizes of a call, a type that becomes
/// too large, or a vector of a length that is not known (checks.c).
void stage_check_sizes(Stage *s, Node *body);

#endif
