// What the files of staging/ share.
//
// evaluate.c walks a term in an environment and gives what is Known of its value. Residual terms
// use variables with unique names (PH_VAR) while they are being put together, so that they can move
// under other binders as they are; a binder of such a term is a CORE_LET or CORE_LAM whose body is
// a CORE_TUPLE of the bound variables and the real body. finish.c turns names into de Bruijn
// indices and decides which lets stay.
#ifndef ADZE_STAGING_INTERNAL_H
#define ADZE_STAGING_INTERNAL_H

#include "staging/staging.h"

/// A function of the program for one choice of its generic arguments.
typedef struct {
    const Function *function;
    Node *body, *result; // with the generic arguments put in
    NodeBinding *generics;
    Node *constant; // of a constant: the atom it was bound to, once known
} Special;

/// The calls that lead to a piece of source text, innermost first: of the text, not of the
/// evaluation. A function passed to another keeps the chain of its own place, so `twice(|x|
/// twice(f, x), y)` is no recursion.
typedef struct Chain Chain;
struct Chain {
    const Special *special;
    Span call;
    const Chain *up;
    int depth;
};

typedef struct Known Known;
typedef struct Env Env;
typedef struct Block Block;

/// Where a term is evaluated: what its variables are, how the evaluation got to its text, where its
/// lets go.
typedef struct {
    const Env *env;
    const Chain *chain;
    Block *block;
} Scope;

typedef enum {
    KNOWN_ERROR,   // was reported
    KNOWN_TERM,    // data: a residual term
    KNOWN_TUPLE,   // the components are known each by itself
    KNOWN_CLOSURE, // a lambda and its variables
    KNOWN_GLOBAL,  // a function of the program
    KNOWN_CHOICE   // a function (or a tuple with one) chosen by a run-time condition
} KnownKind;

// `node` is the term (TERM), the lambda (CLOSURE), a node of its type and origin (TUPLE), the
// condition, which is an atom (CHOICE).
struct Known {
    KnownKind kind;
    Node *node;
    Node *branches[2];   // CHOICE: not evaluated yet
    const Known **parts; // TUPLE
    const Env *env;      // CLOSURE, CHOICE
    const Chain *chain;  // CLOSURE, CHOICE, GLOBAL
    Special *special;    // GLOBAL
};

/// Variables by de Bruijn index, innermost first. Ids tell environments apart (0 = NULL).
struct Env {
    const Known *value;
    const Env *up;
    uint32_t id;
};

/// A straight piece of the result: lets in order. The body of a lambda and a branch of an `if` are
/// blocks of their own.
typedef struct {
    Node *var, *value;
} Binding;
struct Block {
    Block *up;
    VEC(Binding) lets;
    Map memo; // (node, environment) -> residual term that uses lets of this block
};

typedef struct {
    Session *cx;
    Arena *arena; // of this run
    const Program *program;
    const Function *entry;
    Block *root;
    Map specials; // CORE_GLOBAL -> Special
    Map memo;     // (node, environment) -> residual term that needed no let
    Map hints;    // unique name -> Sym as in the source
    Map failing;  // term -> whether it may fail
    Facts *facts; // what holds in the entry
    SizeChecks checks;
    uint32_t environments;
    int64_t steps, lets; // so far
    bool failed;
} Stage;

/// Evaluation (evaluate.c) of a term; application of a function value (apply.c).
const Known *stage_evaluate(Stage *s, Node *e, Scope scope);
const Known *stage_apply(Stage *s, const Known *f, int n, const Known *const *args, Span call,
                         Block *block);

/// The value of a global: a function, or a constant's value (apply.c).
const Known *stage_global(Stage *s, Node *global, Scope scope);

/// A function value as a literal lambda, for an operand of function type (apply.c).
Node *stage_lambda(Stage *s, const Known *f, Node *type, Span origin, Block *block);

/// The pieces of evaluation (known.c).
const Known *known_error(Stage *s);
const Known *known_term(Stage *s, Node *term);
const Known *known_tuple(Stage *s, Node *like, int n, const Known *const *parts);
bool known_is_atom(
    Node *e); // a variable, a literal, a size, a component of a variable: free to repeat
const Env *stage_env_push(Stage *s, const Env *env, const Known *value);
Node *stage_variable(Stage *s, Node *type, Sym hint);
/// A data value as a term; E0502 when there is a function in it.
Node *stage_data(Stage *s, const Known *v, Span origin);
/// The same value with every term in it that is no atom bound by a let of the block.
const Known *stage_bind(Stage *s, const Known *v, Sym hint, Block *block);
Block *stage_block(Stage *s, Block *up);
/// The lets of the block around `body`.
Node *stage_block_close(Stage *s, const Block *block, Node *body);
/// E0501 and E0503: with the calls that led there as notes.
const Known *stage_fail(Stage *s, DiagCode code, Span span, const Chain *chain, const char *text);

/// `e`, an operator applied to literals or sizes, folded where that is exact, or `e` itself
/// (fold.c).
Node *stage_fold(Stage *s, Node *e);

/// Conditions on sizes (checks.c): those of the entry, and those of a function called.
void stage_entry_checks(Stage *s);
void stage_call_checks(Stage *s, const Special *special, const Chain *chain);

/// Whether evaluation of a residual term can end in a run-time error (finish.c).
bool stage_may_fail(Stage *s, Node *term);

/// Names to indices, lets used once put in place (finish.c). `params` are the variables of the
/// entry.
Node *stage_finish(Stage *s, Node *term, int nparams, Node *const *params);

/// Reports a size of the result that left the 64 bits when the sizes of a call were put in, or a
/// type that became too large (checks.c).
void stage_check_sizes(Stage *s, Node *body);

#endif
