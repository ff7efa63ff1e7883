// Elaboration: Core out of the syntax tree and the notes.
#ifndef ADZE_INFER_TERMS_TERMS_H
#define ADZE_INFER_TERMS_TERMS_H

#include "infer/finish/finish.h"

/// SIMD mode: the term is the program of one lane. The level of a variable is the number of
/// variables bound outside it. Variables of levels below `base` hold the values of all lanes; the
/// variable of level `index` is the number of the lane.
typedef struct {
    Node *length;
    int base, index;
} OneLane;

/// SIMD mode around `scalar { }`, where masks are kept (elaborate/masks.c). Places are identified
/// by their levels.
typedef struct {
    Local *jump; // break, continue or return
    int came;    // the lanes that have reached its target
    int value;   // the place of the values that they carry, of this type; -1 if there are none
    Node *type;
} MaskExit;

typedef struct {
    const Ast *body, *condition; // of a `while`, else NULL
    int came, next;              // lanes that leave; lanes that continue (-1 if none does)
    int leave;                   // the label of the loop
} MaskIteration;

typedef struct {
    Node *length;
    int live; // the active lanes
    VEC(MaskExit) exits;
    const MaskIteration *iteration; // of the `for` whose generator is called
} Masks;

/// A condition that holds at a term, or its opposite, under `depth` variables.
typedef struct Guard {
    Node *condition;
    bool holds;
    int depth;
    const struct Guard *up; // the enclosing guard, or NULL
} Guard;

/// The context of a term: the number of variables bound around it, and its enclosing constructs.
typedef struct {
    Body *b;
    Session *cx;
    int depth;
    bool unchecked;      // inside unchecked { }
    bool dead;           // unreachable for all inputs
    const Guard *guards; // NULL if none is known
    const OneLane *lane; // NULL in scalar mode
    Masks *masks;        // kept outside of the lane's program; or NULL
    const Ast *sides;    // a comparison whose operands are to be returned as a tuple; or NULL
} Elab;

/// Makes the Core of an expression: with its own type, or where masks are kept. The functions for
/// single kinds of expressions call one another through this table.
struct Elaborator {
    Node *(*plain)(Elab *x, const Ast *e);
    Node *(*masked)(Elab *x, const Ast *e);
};

// --- elaborate.c ---------------------------------------------------------------------------------

/// The Core of an expression, converted to its expected type.
Node *elab_expr(Elab *x, const Ast *e);
/// Like elab_expr, but allows type `!`, for branches, bodies and statements.
Node *elab_open(Elab *x, const Ast *e);
/// Like elab_open, without conversion to the expected type, and ignoring a held value.
Node *elab_plain(Elab *x, const Ast *e);
/// Converts a term to a type that inference has accepted for it.
Node *elab_as(Elab *x, Node *n, Node *as, Span span);
Node *elab_body(Body *b, int nparams);
/// Both operands of the comparison that is the value of the body, as a tuple, after the statements
/// before it; NULL if there are none.
Node *elab_sides(Body *b, const Ast *comparison);
Node *elab_closed(Body *b, const Ast *e, int nparams);

// --- lane_values.c -------------------------------------------------------------------------------

/// The variable of a local, or the place of a mutable one.
Node *elab_local(Elab *x, const Local *l);
/// Like elab_local, but in SIMD mode gives the variable of all lanes.
Node *elab_variable(Elab *x, const Local *l);
Node *elab_type(Elab *x, Node *t);
/// Sizes as a vector of i64.
Node *elab_extents(Elab *x, const Extents *v);
/// place = value in the active lanes, if masks are kept.
Node *elab_masked_set(Elab *x, Node *place, Node *value);
/// Broadcasts a value to this type, which has vectors in place of scalars.
Node *elab_splat_to(Elab *x, Node *e, Node *type);
/// The type of this lane's part of a value.
Node *elab_lane_type(Elab *x, Node *t);
/// In SIMD mode, this lane's part of a value or place of all lanes.
Node *elab_lane_of(Elab *x, Node *e);
/// place = value, where the place may contain the values of all lanes.
Node *elab_lane_set(Elab *x, Node *place, Node *value);
/// The number of this lane, as an index of vectors of this length.
Node *elab_lane_index(Elab *x, Node *length);
/// The name of the version of a function in SIMD mode for one lane; the name of its version with a
/// mask parameter, if it keeps masks.
Sym elab_lane_name(Elab *x, const Symbol *y);
Sym elab_masked_name(Elab *x, const Symbol *y);

// --- terms.c -------------------------------------------------------------------------------------

Node *elab_i64(Elab *x);
/// The variable of this level; a place of this level, for a value of this type.
Node *elab_var(Elab *x, int level, Node *type);
Node *elab_cell(Elab *x, int level, Node *type);
Node *elab_prim(Elab *x, Prim op, Node *a, Node *b);
/// array[index]
Node *elab_at(Elab *x, Node *array, Node *index);
/// map(|name| body, xs), generate(n, |name| body).
Node *elab_map(Elab *x, const char *name, Node *body, Node *xs);
Node *elab_generate(Elab *x, Sym name, Node *n, Node *body);
/// Whether the term is a variable, literal or size; whether it is a variable or a component of a
/// variable. Both may be duplicated.
bool elab_is_atom(Node *e);
bool elab_is_path(Node *e);
/// A zero of any type of data.
Node *elab_zero(Elab *x, Node *t);
Node *elab_to_integer(Elab *x, Node *e);
/// Component k of a tuple or a struct, element k of an array.
Node *elab_part(Elab *x, Node *e, int k);

// --- lets.c --------------------------------------------------------------------------------------

/// Lets to put around a term, from the outermost; a statement has no name.
typedef struct {
    Sym name;
    Node *value;
} LetBinding;
typedef VEC(LetBinding) Lets;
void elab_push(Elab *x, Lets *lets, Sym name, Node *value);
Node *elab_wrap(Elab *x, const Lets *lets, Node *body);
/// if condition then otherwise, with the type of `e`, the whole: a branch may have other sizes, which
/// are equal to those where it is taken.
Node *elab_choice(Elab *x, const Ast *e, Node *condition, Node *then, Node *otherwise);
/// label k. make(e), or make(e) if k is not used.
Node *elab_label(Elab *x, Local *k, Node *type, Node *(*make)(Elab *x, const Ast *e), const Ast *e);
/// |x1, ..., xn| make(x1, ..., xn) of this type. `make` is called with the depth inside.
Node *elab_lambda_of(Elab *x, Node *fun_type,
                     Node *(*make)(Elab *x, Node *const *args, int n, void *env), void *env);

// --- bind.c --------------------------------------------------------------------------------------

/// Makes the variable of this level the value of a pattern.
void elab_set_level(Elab *x, const Ast *pattern, int level);
/// The name that the value of a pattern has, or one made for it.
Sym elab_pattern_name(Elab *x, const Ast *pattern);
/// Adds places for the mutable names of a pattern.
void elab_cells(Elab *x, Lets *lets, const Ast *pattern);
/// Adds a let for the value, whose parts the pattern names.
void elab_bind(Elab *x, Lets *lets, const Ast *pattern, Node *value);
/// Adds a let for a statement; gives its value if it never returns, so that nothing follows it,
/// else NULL.
Node *elab_statement(Elab *x, Lets *lets, const Ast *s);

// --- certain.c -----------------------------------------------------------------------------------

/// elab_open of code that is executed if the condition holds, or (`holds` is false) does not hold.
Node *elab_where(Elab *x, const Ast *e, Node *condition, bool holds);
/// Warns of an index that is always out of bounds, or a divisor that is always 0.
void elab_warn_index(Elab *x, Node *index, Node *n, Span span);
void elab_warn_division(Elab *x, Prim op, Node *divisor, Span span);

// --- wrapped.c -----------------------------------------------------------------------------------

/// Warns of arithmetic, term `n` of `e`, that may have wrapped before it is converted to the wider
/// type `as`.
void elab_warn_wrapped(Elab *x, const Ast *e, Node *n, Node *as);

// --- lane_programs.c -----------------------------------------------------------------------------

/// A part of a program that each lane executes: `make` makes the Core of `e`, whose value is stored
/// to the place of all lanes with level `result`, of type `type` (NULL if there is no value).
typedef Node *ElabMake(Elab *x, const Ast *e);
typedef struct {
    const Ast *e;
    ElabMake *make;
    Node *type;
    int result;
} LanePart;
/// The loop over lanes around the program of one lane; its value, of this type.
Node *elab_in_lanes(Elab *x, const Ast *e, Node *length, ElabMake *make, Node *type);
/// The type that inference has found.
Node *mask_note_type(Elab *x, const Ast *e);
/// Stores the value to the place (-1 if there is none) in the active lanes. The type of the value
/// may have other sizes than that of the place; a check has compared them.
Node *mask_keep(Elab *x, int place, Node *type, Node *value);

// --- mask_cells.c --------------------------------------------------------------------------------

/// The term, followed by a zero of this type if the term has no value.
Node *elab_fit(Elab *x, Node *n, Node *type);
/// The active lanes.
Node *elab_live(Elab *x);
Node *mask_type(Elab *x);
/// The mask in the place of this level; assigns to that mask.
Node *mask_at(Elab *x, int level);
Node *mask_set(Elab *x, int level, Node *value);
/// Adds a new place with zeros; gives its level.
int mask_push_cell(Elab *x, Lets *lets, const char *name, Node *type);
/// Add a let: assigns to a mask; adds lanes to a mask; executes a statement if any lane is active.
void mask_push_set(Elab *x, Lets *lets, int level, Node *value);
void mask_push_or(Elab *x, Lets *lets, int level, Node *lanes);
void mask_push_if_live(Elab *x, Lets *lets, Node *statement);
/// The value in the place of this level; () if the level is -1.
Node *mask_result(Elab *x, int level, Node *type);
/// The lanes of a that are not in b; whether any lane is active.
Node *mask_but(Elab *x, Node *a, Node *b);
Node *mask_any_live(Elab *x);
/// A condition as a mask.
Node *mask_to_lanes(Elab *x, Node *condition);
/// Whether values have the type: it is neither () nor `!`.
bool mask_is_value(Node *type);
/// Whether a lane may jump out of the expression; a jump of all lanes to a label.
bool mask_may_leave(Elab *x, const Ast *e);
Node *mask_jump_to(Elab *x, int label);

// --- operator.c ----------------------------------------------------------------------------------

Node *elab_operate(Elab *x, Prim op, int n, Node *const *args, Span span);
/// && and ||, as `if`s.
Node *elab_logical(Elab *x, const Ast *e, Node *const *args);
/// An index below n, checked at run time, except in compiled code inside `unchecked`.
Node *elab_to_index(Elab *x, Node *e, Node *n, Span span);
Node *elab_convert(Elab *x, Node *e, Node *to, Span span);
Node *elab_literal(Elab *x, const Ast *e, bool negative);
Node *elab_operator_function(Elab *x, const Ast *e);

// --- elementwise.c -------------------------------------------------------------------------------

/// NULL if no operand is an array or a tuple.
Node *elab_elementwise(Elab *x, Prim op, int n, Node *const *args, Span span);
Node *elab_convert_elements(Elab *x, Node *e, Node *to, Span span);
/// [a, ..v, b] of this type.
Node *elab_array(Elab *x, const Ast *e, Node *type);

// --- vectors.c -----------------------------------------------------------------------------------

/// Whether the term is an array or a tuple; whether it may be duplicated; whether its components
/// may be taken without a let (those of a literal are taken directly) or, if it is a scalar, it may
/// be duplicated.
bool elab_is_many(Node *e);
bool elab_is_cheap(Node *e);
bool elab_is_ready(Node *e);
/// Binds by lets each of the n terms for which `cheap` does not hold, and all terms that are
/// evaluated before such a term.
void elab_name_all(Elab *x, Lets *lets, Node **e, int n, bool (*cheap)(Node *e));
/// Binds by lets the vectors (arrays and tuples; scalars count as one component) whose components
/// can only be taken from a variable, and the terms before them. Component k of such a vector.
void elab_name_vectors(Elab *x, Lets *lets, Node **e, int n);
Node *elab_vector_component(Elab *x, Node *e, int k);
/// A tuple of numbers as an array of this type.
Node *elab_to_vector(Elab *x, Node *e, Node *type);

// --- hold.c --------------------------------------------------------------------------------------

/// Evaluates `e` now, by a let, because the enclosing lambda that is being made would evaluate it
/// at each call.
void elab_hold(Elab *x, Lets *lets, const Ast *e);

#endif
