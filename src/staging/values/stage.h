// The shared definitions of staging/.
//
// evaluate.c computes what is known about the value of a term in an environment, and represents it
// as a Known. Evaluating a term with side effects also appends statements to the current Block, in
// order. The partial evaluator is online and polyvariant (OOPSLA paper, section 3; Leissa's thesis,
// 10.1), but in direct style: a jump ends the block instead of calling a continuation, so scopes
// never have to be reconstructed.
//
// Residual terms under construction use variables with unique names (PH_VAR), so that they can
// move under other binders unchanged. A binder in such a term is a CORE_LET, CORE_LAM or CORE_LABEL
// whose body is a CORE_TUPLE of the bound variables and the real body. finish.c converts names to
// de Bruijn indices and inlines or drops lets.
#ifndef ADZE_STAGING_INTERNAL_H
#define ADZE_STAGING_INTERNAL_H

#include "base/link.h"
#include "base/stack.h"
#include "staging/values/staging.h"

typedef struct Known Known;

/// An instance of a function: a function of the program with one choice of generic arguments.
typedef struct {
    const Function *function;
    Node *body, *result; // with the generic arguments substituted
    Node **filters;      // one per parameter, also substituted; NULL if it has none
    bool **varies; // per parameter, a flag set if recursive calls pass different arrays, or NULL
    NodeBinding *generics;
    const Known *constant; // if this is a constant, the atoms that it is bound to, once known
    bool entered;          // it has been called
} Special;

/// The calls that lead to a piece of source text, innermost first. Chains are lexical: a lambda
/// that is passed to a function keeps the chain of the text that contains it, so that `twice(|x|
/// twice(f, x), y)` does not count as recursion.
typedef struct Chain Chain;
struct Chain {
    const Special *special;
    Span call;
    const Chain *up;
    int depth, recursive; // number of calls, and of calls to recursive functions
};

typedef struct Env Env;
typedef struct Block Block;
typedef struct Cell Cell;
typedef struct Label Label;
typedef struct Region Region;

/// The context in which a term is evaluated: its variables, the calls that lead to its text, and
/// the block that receives its statements. `tail` and `last` are the region and the innermost label
/// whose result is the value of the term, each NULL if there is none.
typedef struct {
    const Env *env;
    const Chain *chain;
    Block *block;
    Region *tail;
    const Label *last;
    Sym hint; // the source name for a location that the term creates
} Scope;

typedef enum {
    KNOWN_ERROR,   // an error, already reported
    KNOWN_NEVER,   // no value, since the block has ended
    KNOWN_TERM,    // data, as a residual term
    KNOWN_TUPLE,   // each component (or element of an array) is known separately
    KNOWN_CLOSURE, // a lambda and its environment
    KNOWN_GLOBAL,  // a function of the program
    KNOWN_CHOICE,  // a function (or a tuple containing one) chosen by a run-time condition
    KNOWN_REF,     // a location
    KNOWN_CONST,   // a location that is never assigned; parts[0] is its contents
    KNOWN_LABEL    // the continuation of a label
} KnownKind;

// `node` is the term (TERM), the lambda (CLOSURE), the global (GLOBAL), the condition, which is an
// atom (CHOICE), the residual location (REF), the variable of the label (LABEL), or a node that
// merely carries the type and origin (TUPLE, CONST).
struct Known {
    KnownKind kind;
    Node *node;
    Node *branches[2];   // CHOICE: the two values, not evaluated yet
    const Known **parts; // TUPLE, CONST
    const Env *env;      // CLOSURE, CHOICE
    const Chain *chain;  // CLOSURE, CHOICE, GLOBAL
    Special *special;    // GLOBAL
    Cell *cell;          // REF
    int64_t element;     // REF: WHOLE, the index of an array element, or SOMEWHERE in the cell
    bool shared;         // REF: the location is only read through this reference
    bool
        of_all_lanes; // a part of a lane's location that all lanes share: assigning the whole leaves it unchanged
    Label *label; // LABEL
};
enum { WHOLE = -1, SOMEWHERE = -2 };

/// A mutable variable, or a value whose address is taken. Every write goes to the program's memory
/// (`var`); the evaluator also tracks what is known about the contents (functional SSA). A cell of
/// a phrase type has no memory.
struct Cell {
    Sym hint;
    Node *var;          // its residual variable, of type &mut t
    const Known *value; // its contents, or NULL if unknown
    int number;         // in order of creation
    bool loops;         // scratch flag of check_written (control.c)
};

/// A continuation that leaves a CORE_LABEL.
struct Label {
    Node *var; // fn(t) -> !
    Node *type;
    Block *block; // the block of its body; NULL once that is complete
    Region *tail, *function;
    const Label *last; // the enclosing label whose result this one provides, or NULL
    int jumps;
    int number;
};

/// The values of variables by de Bruijn index, innermost first. `id` is unique; 0 stands for NULL.
struct Env {
    Link link;
    const Known *value;
    uint32_t id;
};

/// An item of straight-line residual code: a statement, a let or a guard. The body of a lambda and
/// each branch of an `if` are blocks of their own. A guard is an `if` of which one branch ends with
/// a jump; the items after the guard make up the other branch.
typedef struct {
    Node *var, *value; // if `var` is NULL, a guard with the condition `value`
    Node *leaving;     // in a guard, the branch that leaves
    bool sense;        // in a guard, the value of the condition for which `leaving` runs
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
    Node *end;    // a term of type ! if the block has ended, or NULL
    bool effects; // some statement reads or writes a location, or may jump
    Map memo;     // (node, environment) -> residual term that uses lets of this block
    // Jumps must not cross the barrier that encloses the block, and code in the block must not
    // assign to cells numbered below `cells` (with exceptions: see may_write in store.c).
    Barrier barrier;
    int cells;
    Span span;
    SizeGuard *guard; // what is known about sizes where the next statement is added
};

/// A function specialised to one choice of known arguments, as a block of a control-flow graph. The
/// other arguments are the parameters of the block.
typedef struct {
    Sym key, name;
    const struct Call *call; // the first call (specialise_calls.c)
    const Chain *chain;      // the chain of the first call
    Span span;
    Span back;   // the source position of the first jump to the block
    Label label; // a call becomes a jump to this label
    int nvars;
    Node **vars;        // the variables of its parameters
    Block *block;       // its code
    const Known *value; // its value, if control reaches the end of the block
    Node *code;         // the whole code, of type !
} Config;

typedef struct {
    int from, to;
} Edge;

/// A specialised call (specialise_calls.c). It is a residual function, or a control-flow graph of
/// the called function and the functions that it reaches by tail calls. The graph has one block for
/// each choice of their known arguments.
struct Region {
    bool is_function;
    Region *outer;         // the enclosing region
    Region *tail;          // the enclosing region whose result this one provides, or NULL
    Region *function;      // the innermost enclosing residual function (NULL in the entry)
    const Label *last;     // for an opened size (open.c): the label whose value is the result
    VEC(Config *) configs; // the called function is the first; a residual function has no others
    VEC(Config *) loops;   // configs that became loops
    Map by_key;            // key -> 1 + index of a config
    int current;           // index of the config under evaluation
    VEC(Edge) edges;       // calls between configs
    Node **values;         // the unknown (dynamic) arguments of the call
    Block *block;          // the parent of the blocks of the configs
    const Chain *chain;    // the chain of the called function
    int cells, labels;     // how many cells and labels there were before the call
    Label *leave;          // the label around the region, whose value is the result
    struct Residual *residual;
};

/// A residual function. `exits` are the labels outside it that it jumps to. If there are any, it
/// returns a tuple of a status, its result, and the value of each exit.
typedef struct Residual {
    Sym key;
    Function *function;
    VEC(Label *) exits;
    Node *body;         // with unique names
    VEC(Node *) params; // the variables of its parameters
    VEC(Node *) sizes;  // extra parameters before `params`: the callers' sizes that it uses
    // Extra parameters after `params`: first the variables of the `nplaces` locations that calls
    // pass, then the free variables of the body, which are bound in the callers.
    VEC(Node *) captured;
    VEC(Node *) taken; // parameters for `captured`; read-only locations become shared references
    Map written;       // the variables that it may assign to
    int nplaces;
    bool done;
} Residual;

/// A change to what is known about a cell. It is undone before the next branch is evaluated.
typedef struct {
    Cell *cell;
    const Known *value;
    bool written;
} Change;
typedef VEC(Change) Changes;

/// The cost, in this run, of the calls that one residual function could serve (price.c).
typedef struct {
    bool generic; // literals are parameters of the residual function
    bool plain;   // arguments and result are scalars or tuples of them
    int64_t calls, terms, steps;
    bool numbers; // the result is of scalars
    bool kept;    // calls are no longer unfolded, but call the residual function
    bool large;   // unfolding a call has made many terms, without those of other large functions
    bool shared;  // kept because it is large and was called again
    bool single;  // was shared, but then had only one call: it is unfolded
} Price;

/// Which functions are kept once they are large and called again.
typedef enum { SHARE_NONE, SHARE_PLAIN, SHARE_ALL } Sharing;

typedef struct Stage Stage;
typedef const Known *Evaluator(Stage *s, Node *e, Scope scope);
struct Stage {
    Session *cx;
    Arena *arena; // lives as long as this run
    Evaluator *evaluate;
    const Program *program;
    const Function *entry;
    Keep keep;           // which calls of patterns with a body remain
    bool calls_patterns; // there was a call of such a pattern
    Residues *residues;  // receives the calls that were not unfolded; may be NULL
    Block *root;
    Block *constants;  // the constants of the program, which come before all other code
    Map specials;      // CORE_GLOBAL -> Special
    Map counts, calls; // counts: Function -> number of its called Specials; calls: the spans seen
    Map memo;          // (node, environment) -> residual term without lets
    Map arrays;        // variable -> the array literal that it is bound to
    Map hints;         // unique name -> name in the source
    Map conditions;    // variable of type bool -> the term that it is bound to
    Map failing;       // term -> whether it may fail
    Map leaving;       // source term -> whether evaluating it may jump
    Map literals;      // tuple of literals -> its value (enums with many options repeat them)
    Facts *facts;      // facts that hold in the entry
    SizeChecks checks;
    uint32_t environments;
    int64_t budget, steps, lets; // steps and lets so far, and the limit on steps
    int64_t terms;               // estimated number of residual lets, operators and patterns so far
    int64_t apart;               // the terms of residual functions, or of large ones
    int64_t recalled;            // values taken from the memo of a block so far: they use its lets
    int64_t effects;             // side effects so far; an evaluation without any may be memoised
    int64_t guarded;             // the number of conditions on sizes decided under guards so far
    int cells, labels;           // the numbers of cells and labels so far
    Changes trail;               // the changes so far that may still be undone
    VEC(Cell *) written;         // written cells, in the order of the writes
    Region *regions;             // innermost first
    Region *function;            // the innermost region that is a residual function
    Map residuals;               // key -> Residual, for calls that cannot be loops
    VEC(Residual *) functions;
    Map residual_of;           // name -> Residual (capture.c)
    VEC(Function *) externals; // the C functions called
    int nfunctions;
    Region *restart;        // the region to evaluate again, or NULL
    Map free;               // term -> its free variables
    Map recursive;          // Function -> Visit (recursion.c)
    Map *sized;             // Function -> which of its sizes it gets as arguments (sized.c)
    const Special *resized; // the last function that called itself at other sizes, or NULL
    Map own_sizes;          // name of a residual function's size -> its variable
    Map *prices;            // stage_shared_key of a call -> Price; lives across runs
    int64_t limit;          // number of terms beyond which costly plain functions are kept
    int64_t limit_all;      // number of terms beyond which any costly function is kept
    Sharing sharing;        // grows from run to run
    bool again;             // staging starts again, to keep more functions or pass more sizes
    bool failed;            // an error was reported, or `restart` or `again` is set
    uintptr_t stack_limit;  // evaluator recursion beyond it is reported as an error
};

/// Evaluates a term (evaluate.c). The other files in staging/ call it through `s->evaluate`, so
/// that only staging.c depends on all of them.
Evaluator stage_evaluator;
static inline const Known *stage_evaluate(Stage *s, Node *e, Scope scope)
{
    return s->evaluate(s, e, scope);
}
/// Evaluates a term whose value is not the result of the enclosing function.
static inline const Known *stage_operand(Stage *s, Node *e, Scope scope)
{
    scope.tail = NULL;
    scope.last = NULL;
    return s->evaluate(s, e, scope);
}

/// Applies a function value (apply.c). Statements are appended to the block of `at`.
const Known *stage_apply(Stage *s, const Known *f, int n, const Known *const *args, Span call,
                         Scope at);
/// Like stage_apply, but if `run` is set, inlines the call whatever the filters say.
const Known *stage_apply_as(Stage *s, const Known *f, int n, const Known *const *args, Span call,
                            Scope at, bool run);
/// Keeps a call of a pattern with a body, as a statement if its functions have variables of their
/// own or read others. Returns NULL if they have effects elsewhere: the order of evaluation in the
/// body determines these (keep_pattern.c).
const Known *stage_keep_pattern(Stage *s, const Known *f, int n, const Known *const *args,
                                Span call, Scope at);
/// The position of the innermost call from outside of the module; `call` if `chain` begins there.
Span stage_outside(const Chain *chain, const char *module, Span call);
/// Adds a C function to the result.
void stage_use_external(Stage *s, const Function *f);
/// Returns the element of an array or vector at `index`. `type` is the type of the element.
const Known *stage_element(Stage *s, const Known *xs, Node *index, Node *type, Span origin);

/// Evaluates one side of a branch: side 0 if the condition is true, side 1 if it is false.
typedef const Known *Arm(Stage *s, int side, Scope scope, void *env);
/// Evaluates a branch on an unknown condition (branch.c). Passes `env` to `arm`.
const Known *stage_choose(Stage *s, Node *condition, Node *type, Span origin, Scope scope, Arm *arm,
                          void *env);

/// The evaluators of loops and tasks: CORE_FOREVER, ranges, CORE_SPAWN, CORE_SYNC, CORE_PREFETCH
/// (control.c).
const Known *stage_forever(Stage *s, Node *e, Scope scope);
const Known *stage_range(Stage *s, Node *e, Scope scope);
const Known *stage_spawn(Stage *s, Node *e, Scope scope);
const Known *stage_prefetch(Stage *s, Node *e, Scope scope);
const Known *stage_sync(Stage *s, Node *e, Scope scope);
/// The evaluators of print, of a single step of a print, and of assert (print.c).
const Known *stage_print(Stage *s, Node *e, Scope scope);
const Known *stage_print_step(Stage *s, Node *e, Scope scope);
/// Emits a call of a function that an earlier staging has not inlined, in the result of a schedule.
const Known *stage_call_again(Stage *s, Node *e, Scope scope);
const Known *stage_assert(Stage *s, Node *e, Scope scope);
/// The evaluators of CORE_LABEL and of jumps (labels.c).
const Known *stage_label(Stage *s, Node *e, Scope scope);
const Known *stage_jump(Stage *s, Label *label, const Known *value, Span origin, Block *block);
/// Replaces jumps to the label in tail position with their values, and wraps the body in the label
/// if there are other jumps to it.
Node *stage_label_around(Stage *s, Label *l, Node *body, Span origin);
/// Emits a jump out of a residual function (specialise_calls.c).
const Known *stage_exit(Stage *s, Label *label, const Known *value, Span origin, Block *block);
Label *stage_label_new(Stage *s, Node *type, Scope scope, Block *block);

/// Create, read and write locations (store.c).
/// stage_constant creates a location for a read-only value. `made` is the CORE_NEW of a location.
const Known *stage_constant(Stage *s, const Known *value, Node *type, Block *block);
const Known *stage_new(Stage *s, const Known *value, const Node *made, Sym hint, Block *block);
const Known *stage_get(Stage *s, const Known *place, Span origin, Block *block);
const Known *stage_set(Stage *s, const Known *place, const Known *value, Span origin, Block *block);
/// The type of what a location holds.
Node *stage_contents(const Known *place);
bool stage_is_tuple(Node *type); // a tuple or a struct
/// Component or element k of a value that is an atom or consists of atoms.
const Known *stage_component(Stage *s, const Known *v, int k, Node *type);
/// A location in a cell: WHOLE, the element of this number, or SOMEWHERE.
const Known *stage_place_in(Stage *s, Cell *cell, Node *node, int64_t element);

/// Locations inside locations (places.c).
const Known *stage_place(Stage *s, Node *e, Scope scope); // CORE_REF_AT, _PROJ, _SLICE, _LANE
/// Whether the location is the part of one lane of arrays or tuples; its contents are read and
/// written by the other two.
bool stage_is_lane(const Known *place);
const Known *stage_get_lane(Stage *s, const Known *place, Span origin, Block *block);
const Known *stage_set_lane(Stage *s, const Known *place, const Known *value, Span origin,
                            Block *block);
/// Returns the location, or the locations that it consists of, as shared references.
const Known *stage_shared(Stage *s, const Known *place);
/// Whether the location is one address in memory: not that of a constant, of a tuple, which has a
/// cell for each component, or of one lane of arrays or tuples.
bool stage_is_address(const Known *place);
/// Whether two locations are known to be the same.
bool stage_is_same_place(const Known *a, const Known *b);
/// Returns a location as the argument for a parameter of the given type. What stage_is_address says
/// is none is copied to a new cell first.
Node *stage_place_term(Stage *s, const Known *place, Node *type, Block *block);
/// Records the known contents of a cell (cells.c). `written` is true if they were assigned.
void stage_learn(Stage *s, Cell *cell, const Known *value, bool written);
/// Undoes and returns the changes since `mark`.
Changes stage_take_back(Stage *s, int mark);
/// Redoes changes that were undone.
void stage_redo(Stage *s, const Changes *changes);
/// Forgets the contents of a cell.
void stage_forget(Stage *s, Cell *cell);
/// Merges what is known after the two sides of a branch. `condition` holds on side a; it is NULL if
/// functions that a side assigns may be valid only on that side.
void stage_merge(Stage *s, const Changes *a, const Changes *b, Node *condition);
/// The state of knowledge before a block that is not spliced into the enclosing one.
typedef struct {
    int trail, written, cells;
} Before;
Before stage_before(const Stage *s);
/// Undoes what has been learned since `before`, and forgets the cells written since then.
void stage_forget_since(Stage *s, Before before);

typedef VEC(Cell *) Cells;
/// Adds to `out` the cells that a term may assign to at run time (reach.c).
void stage_reach_term(Stage *s, Node *e, const Env *env, Cells *out);
/// Adds to `out` the cells that may be assigned to through a value of this type. The referent of a
/// shared reference is not one of them. If `all` is set, also adds cells that are only read.
void stage_reach(Stage *s, const Known *v, Node *type, bool all, Cells *out);
void stage_forget_all(Stage *s, const Cells *cells);
/// Checks that the iterations of a `parallel` or `vectorize` with this body do not all write the
/// same element (lanes.c). Reports E0507.
void stage_check_lanes(Stage *s, Node *lam, bool parallel);
/// Checks that no two iterations of a `parallel` access the same element if one of them writes it
/// (races.c). Reports E0509.
void stage_check_races(Stage *s, Node *loop);
/// The root of a location: the variable it is a part of.
Node *stage_root(Node *place);
/// A free variable of a term, by de Bruijn index. `reads` is true if the term only reads the
/// location that the variable holds.
typedef struct {
    int index;
    bool reads;
} FreeVar;
/// The free variables of a term, in ascending order of their indices.
typedef struct {
    int len;
    const FreeVar *at;
} FreeVars;
FreeVars stage_free(Stage *s, Node *e);
const Known *stage_variable_value(Stage *s, const Env *env, int64_t index);

/// The function instance that a CORE_GLOBAL with its generic arguments denotes (special.c).
Special *stage_special(Stage *s, Node *global);
/// Calls a recursive function as a residual function that takes sizes as arguments (sized_calls.c).
/// Returns NULL if the function takes no sizes as arguments (Stage.sized).
const Known *stage_call_sized(Stage *s, const Known *f, int n, const Known *const *args, Span span,
                              Scope at);
/// The evaluator of CORE_OPEN (open.c).
const Known *stage_open(Stage *s, Node *e, Scope scope);
/// Makes a variable, named after `like`, for a size that a residual function takes as an argument.
Node *stage_own_size(Stage *s, Sym like);
/// Whether generic argument `i` is a size that the function takes as an argument (sized.c).
bool stage_passes_size(const Stage *s, const Special *special, int i);
/// The number of recursive calls after which the function is no longer specialised to other
/// non-constant sizes, since each call would make the size expressions longer.
enum { MAX_OPEN = 16 };
/// Whether a size among the generic arguments is not constant.
bool stage_has_open_size(const Special *special);
/// The parameter whose type prevents the function from taking its sizes as arguments, or NULL.
const Param *stage_not_passable(const Function *f);
/// Makes staging start again with more of the function's sizes passed as arguments. Returns false
/// if that is impossible.
bool stage_make_sized(Stage *s, const Special *special);
/// Calls a function that is not unfolded (specialise_calls.c). known[i] is true if the function is
/// specialised to argument i.
const Known *stage_specialise(Stage *s, const Known *f, int n, const Known *const *args,
                              const bool *known, Span call, Scope at);
/// Reports a recursion that does not end during specialisation (E0503): each call has different
/// sizes or types if `grows` is set, and different known arguments otherwise. `excess` names the
/// limit that a type exceeds; it may be NULL.
void stage_never_ends(Stage *s, const Special *special, const Chain *chain, Span call, bool grows,
                      const char *excess);
/// The prices of a call (price.c): `special` covers calls with the same literals, `generic` those
/// with any literals. A price is NULL if the arguments have too many parts.
typedef struct {
    Price *special, *generic;
} Prices;
/// Finds the prices of a call to a non-recursive function. Returns false if no residual function
/// could serve it.
bool stage_find_prices(Stage *s, const Known *f, int n, const Known *const *args, Scope at,
                       Prices *out);
/// What had been spent when a call began.
typedef struct {
    int64_t terms, steps, apart;
} Spent;
Spent stage_spent(const Stage *s);
/// The price by which the call is kept, or NULL if it is unfolded.
const Price *stage_kept_by(Stage *s, const Prices *of);
/// Adds a call of a kept function, whose body may have been evaluated for the first time.
void stage_add_kept(Stage *s, const Prices *of, Spent before);
/// Adds the cost of a call that was unfolded. If the residual code has become too large, marks
/// costly functions as kept and starts staging again.
void stage_add_cost(Stage *s, const Prices *of, Spent before);
/// Begins a run: no call has been made yet.
void stage_begin_prices(Stage *s);
/// Ends a run: decides that shared functions with only one call are unfolded, and sets `s->again`
/// if there is one.
void stage_end_prices(Stage *s);
/// Builds a call of a kept function (specialise_calls.c). If `generic` is set, literals are passed
/// as arguments, too, so that the function is not specialised to them.
const Known *stage_keep(Stage *s, const Known *f, int n, const Known *const *args, bool generic,
                        Span call, Scope at);
/// The arguments of a call to a kept function, split into known and passed parts (take.c).
typedef struct {
    const Known **inside;              // the arguments as the function sees them, using `params`
    VEC(Node *) params;                // the variables of its parameters
    VEC(Node *) passed;                // the values of `params`
    VEC(Node *) places, passed_places; // the same for locations of the caller
    Sym key;                           // identifies the function and the known parts
} Taken;
/// Splits the arguments. Sets known[i] to true if no data of argument i is passed.
const Taken *stage_take(Stage *s, const Known *f, int n, const Known *const *args, bool generic,
                        bool *known);
/// Returns a hash of the known parts, or 0 if the arguments have too many parts. Calls that could
/// share one residual function have the same hash, which stays the same when staging restarts.
uint64_t stage_shared_key(Stage *s, const Known *f, int n, const Known *const *args, bool generic);
/// Returns the chain with one more call, or NULL after an error (chain.c).
const Chain *stage_enter(Stage *s, Special *special, const Chain *chain, Span call);
/// Sets known[i] to whether the call is specialised to argument i: the parameter's filter is true,
/// or the argument is a function or a reference (filter.c). Returns whether to unfold the call. To
/// be unfolded, it needs a true filter for each data argument or, if no argument is data, for each
/// argument.
bool stage_filter(Stage *s, const Known *f, int n, const Known *const *args, Scope at, bool *known);
/// Whether the function can call itself, possibly through others (recursion.c).
bool stage_is_recursive(Stage *s, const Function *f);
/// Whether the value can be stored.
bool known_is_data(const Known *v);
/// Says why parameter i is passed at run time in a call with these arguments.
const char *stage_why_kept(Stage *s, const Special *special, int i, const Known *const *args);
/// Whether the value is known, which is the result of the operator `?`.
bool known_is_known(const Known *v);

/// Returns the zero of a data type (blocks.c).
Node *stage_zero(Stage *s, Node *type);
/// The type of the value carried by jumps to a block with these parameters.
Node *stage_carried_type(Stage *s, int n, Node *const *vars);
/// Arranges the blocks of a region as labels and loops. Returns a term of type !, or NULL after an
/// error. Adds the blocks that became loops to `r->loops`.
Node *stage_structure(Stage *s, Region *r);

/// Turns captured variables of the residual functions into parameters (capture.c). Returns `body`,
/// the code of the entry, with the additional arguments.
Node *stage_lift(Stage *s, Node *body);

/// The value of a global, which is a function or a constant (apply.c).
const Known *stage_global(Stage *s, Node *global, Scope scope);

/// Converts a function value to a literal lambda, for an operand of function type (apply.c).
Node *stage_lambda(Stage *s, const Known *f, Node *type, Span origin, Scope at, Barrier barrier);

/// Known values, environments and blocks (known.c).
const Known *known_error(Stage *s);
const Known *known_term(Stage *s, Node *term);
/// A tuple, struct or array of this type, or a reference to one, with known_count parts.
const Known *known_tuple(Stage *s, Node *type, Span origin, const Known *const *parts);
int known_count(const Known *v);
/// Whether the term costs nothing to duplicate: it is a variable, a literal, a size, a component of
/// one of these, or a tuple of such terms.
bool known_is_atom(Node *e);
const Env *stage_env_push(Stage *s, const Env *env, const Known *value);
const Env *stage_env_at(const Env *env, int64_t index); // NULL if out of range
Node *stage_variable(Stage *s, Node *type, Sym hint);
/// Returns a data value as a term. Reports E0502 if it contains a function.
Node *stage_data(Stage *s, const Known *v, Span origin);
/// Returns the value with every non-atomic term let-bound in the block.
const Known *stage_bind(Stage *s, const Known *v, Sym hint, Block *block);
/// Let-binds the elements of an array literal, so that each is known separately. Returns other
/// values unchanged.
const Known *stage_array_atoms(Stage *s, const Known *v, Block *block);
/// The array literal that the term is, or is bound to, or NULL if there is none.
Node *stage_elements(Stage *s, Node *e);
Block *stage_block(Stage *s, Block *up);
/// Appends a statement to the block and returns its variable.
Node *stage_emit(Stage *s, Block *block, Node *value, Sym hint);
/// Like stage_emit, but for a term that reads or writes locations, or may jump.
Node *stage_emit_effect(Stage *s, Block *block, Node *value, Sym hint);
/// Ends the block with this term of type !.
const Known *stage_end(Stage *s, Block *block, Node *term);
/// Appends the statements of `inner`, a block that was opened in `block`.
void stage_splice(Stage *s, Block *block, const Block *inner);
/// Returns `body` wrapped in the statements of the block. If the block has ended, `body` is
/// ignored.
Node *stage_block_close(Stage *s, const Block *block, Node *body);
/// The value ().
const Known *known_unit(Stage *s);
/// Whether there is no value, so that evaluation stops.
static inline bool known_stops(const Known *v)
{
    return v->kind <= KNOWN_NEVER;
}
Node *stage_term(Stage *s, Kind kind, Node *type, Span origin, int n, Node *const *ops);
/// Reports an error and stops evaluation. Returns NULL after an earlier error.
Diag *stage_report(Stage *s, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/// Counts a step (price.c). Returns false if evaluation has to stop; if the budget is exhausted,
/// reports E0503 unless staging can start again with more functions kept.
bool stage_step(Stage *s);
/// Reports an error, with the calls that lead to it as notes.
const Known *stage_fail(Stage *s, DiagCode code, Span span, const Chain *chain, const char *text);
/// Like stage_fail, but returns the diagnostic, to which the caller may add help, or NULL after an
/// earlier error.
Diag *stage_fail_diag(Stage *s, DiagCode code, Span span, const Chain *chain, const char *text);

/// Folds an operator applied to literals or sizes if that is exact (fold.c). Returns `e` otherwise.
Node *stage_fold(Stage *s, Node *e);

/// Adds the entry's size conditions (checks.c).
void stage_entry_checks(Stage *s);
/// Adds the size conditions of a function that takes its sizes as arguments. Returns those of its
/// `where`, which its callers have to satisfy.
SizeChecks stage_own_checks(Stage *s, const Special *special, const Chain *chain);
/// Adds the size conditions of a called function, which have to hold under the guard.
void stage_call_checks(Stage *s, const Special *special, const Chain *chain, SizeGuard *guard);
/// Drops the conditions that follow from the others.
void stage_drop_implied(Stage *s);

/// Whether evaluation of a residual term can end in a run-time error (fold.c).
bool stage_may_fail(Stage *s, Node *term);

/// The source names of the variables of a let, lambda or label (finish.c).
const Sym *stage_hints(Stage *s, Node *binder);

/// Maps variables of lets to variables of earlier ones, in scope there, that have the same value: a
/// number, or a tuple of numbers, that takes a loop to compute (share.c).
Map stage_shared_lets(Stage *s, Node *term);

/// Converts names to de Bruijn indices and inlines lets that are used only once (finish.c).
/// `params` are the variables of the parameters.
Node *stage_finish(Stage *s, Node *term, int nparams, Node *const *params);

/// Reports a size in the result that exceeds 64 bits, a type that is too large, or a vector of
/// unknown length (checks.c).
void stage_check_sizes(Stage *s, Node *body);

#endif
