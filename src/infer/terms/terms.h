// Elaboration: Core out of the syntax tree and the notes.
#ifndef ADZE_INFER_TERMS_TERMS_H
#define ADZE_INFER_TERMS_TERMS_H

#include "infer/finish/finish.h"

/// SIMD mode: the term is the program of one lane. Variables with fewer than `base` bound outside
/// them hold the values of all lanes; the one with `index` outside is the number of the lane.
typedef struct {
    Node *length;
    int base, index;
} OneLane;

/// SIMD mode around `scalar { }`, where masks are kept (elaborate/masks.c). A place is identified
/// by its level: how many variables are bound outside it.
typedef struct {
    Local *jump; // break, continue or return
    int came;    // the lanes that have reached its target
    int value;   // what they came with, of this type; -1: nothing
    Node *type;
} MaskExit;

typedef struct {
    const Ast *body, *condition; // of a `while`, else NULL
    int came, next;              // lanes that leave, that continue (-1: none does)
    int leave;                   // the label of the loop
} MaskIteration;

typedef struct {
    Node *length;
    int live; // the active lanes
    VEC(MaskExit) exits;
    const MaskIteration *iteration; // the `for` whose generator is called
} Masks;

/// A condition that holds where a term is made, or its opposite, under `depth` variables.
typedef struct Guard {
    Node *condition;
    bool holds;
    int depth;
    const struct Guard *up; // around it, or NULL
} Guard;

/// The context of the term that is made: the number of variables bound around it, and its enclosing
/// constructs.
typedef struct {
    Body *b;
    Session *cx;
    int depth;
    bool unchecked;      // inside unchecked { }
    bool dead;           // where control does not come, whatever the program is given
    const Guard *guards; // NULL: none is known
    const OneLane *lane; // NULL: scalar mode
    Masks *masks;        // kept outside of the lane; or NULL
    const Ast *sides;    // a comparison of which both operands are wanted, as a tuple; or NULL
} Elab;

/// Makes Core of an expression: of its own type, and where masks are kept. The functions for single
/// kinds of expressions call one another through this table.
struct Elaborator {
    Node *(*plain)(Elab *x, const Ast *e);
    Node *(*masked)(Elab *x, const Ast *e);
};

// --- elaborate.c ---------------------------------------------------------------------------------

/// The Core of an expression, of the type that its place takes.
Node *elab_expr(Elab *x, const Ast *e);
/// The same where type `!` is allowed: branches, bodies, statements.
Node *elab_open(Elab *x, const Ast *e);
/// The same, without conversion to the expected type, and ignoring a held value.
Node *elab_plain(Elab *x, const Ast *e);
/// A term as its place takes it: converted to a type that its own suits.
Node *elab_as(Elab *x, Node *n, Node *as, Span span);
Node *elab_body(Body *b, int nparams);
/// For a body whose value is this comparison: both operands as a tuple, after everything that is
/// evaluated before; NULL: there are none.
Node *elab_sides(Body *b, const Ast *comparison);
Node *elab_closed(Body *b, const Ast *e, int nparams);

// --- lane_values.c -------------------------------------------------------------------------------

Node *elab_local(Elab *x, const Local *l);
/// The same, but in SIMD mode the variable of all lanes.
Node *elab_variable(Elab *x, const Local *l);
Node *elab_type(Elab *x, Node *t);
/// Sizes as a vector of i64.
Node *elab_extents(Elab *x, const Extents *v);
/// place = value in the lanes that are there, where masks are kept.
Node *elab_masked_set(Elab *x, Node *place, Node *value);
/// Broadcasts a value to this type, which has vectors in place of scalars.
Node *elab_splat_to(Elab *x, Node *e, Node *type);
/// A type in SIMD mode: a vector is what one lane has of it.
Node *elab_lane_type(Elab *x, Node *t);
/// In SIMD mode, this lane's part of a value or place of all lanes.
Node *elab_lane_of(Elab *x, Node *e);
/// place = value, where the place may be one with the values of all lanes.
Node *elab_lane_set(Elab *x, Node *place, Node *value);
/// Which lane this is, as an index of vectors of this length.
Node *elab_lane_index(Elab *x, Node *length);
/// The version of a function in SIMD mode for one lane: its name; its body and a condition, under
/// its parameters.
Sym elab_lane_name(Elab *x, const Symbol *y);
/// The same for a function that keeps masks: the version with a mask parameter.
Sym elab_masked_name(Elab *x, const Symbol *y);

// --- terms.c -------------------------------------------------------------------------------------

Node *elab_i64(Elab *x);
/// Whether the term is a variable, literal or size; a variable or a component of one. Both may be
/// duplicated.
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
/// label k. make(e), or make(e) when nothing mentions k.
Node *elab_label(Elab *x, Local *k, Node *type, Node *(*make)(Elab *x, const Ast *e), const Ast *e);
Node *elab_lambda_of(Elab *x, Node *fun_type,
                     Node *(*make)(Elab *x, Node *const *args, int n, void *env), void *env);

// --- bind.c --------------------------------------------------------------------------------------

/// Says that the value a pattern takes apart is the variable with this many bound outside it.
void elab_set_level(Elab *x, const Ast *pattern, int level);
/// The name that the value of a pattern has, or one made for it.
Sym elab_pattern_name(Elab *x, const Ast *pattern);
/// Places for the mutable names of a pattern.
void elab_cells(Elab *x, Lets *lets, const Ast *pattern);
/// A let for the value, whose parts the pattern names.
void elab_bind(Elab *x, Lets *lets, const Ast *pattern, Node *value);
/// A statement becomes a let; the value of one that does not come back is given, else NULL.
Node *elab_statement(Elab *x, Lets *lets, const Ast *s);

// --- certain.c -----------------------------------------------------------------------------------

/// elab_open of code that is executed if the condition holds, or if it does not.
Node *elab_where(Elab *x, const Ast *e, Node *condition, bool holds);
/// Warns of an index that is outside of its size, or a divisor that is 0, for certain.
void elab_warn_index(Elab *x, Node *index, Node *n, Span span);
void elab_warn_division(Elab *x, Prim op, Node *divisor, Span span);

// --- wrapped.c -----------------------------------------------------------------------------------

/// Warns of arithmetic, the term `n` of `e`, that may have wrapped before it is converted to `as`,
/// which has more bits.
void elab_warn_wrapped(Elab *x, const Ast *e, Node *n, Node *as);

// --- lane_programs.c -----------------------------------------------------------------------------

/// A part of a program that each lane executes: `make` makes `e`; its value is stored to the place
/// of all lanes with level `result`, of type `type` (NULL: there is no value).
typedef Node *ElabMake(Elab *x, const Ast *e);
typedef struct {
    const Ast *e;
    ElabMake *make;
    Node *type;
    int result;
} LanePart;
Node *elab_lane_part(Elab *x, const LanePart *part);
Node *elab_in_lanes(Elab *x, const Ast *e, Node *length, ElabMake *make, Node *type);
/// A part in one lane: only if that is there, and the jumps that leave it.
Node *elab_masked_lane(Elab *x, const LanePart *part);
/// The type that infer has found, and whether it is one of values.
Node *mask_note_type(Elab *x, const Ast *e);
/// Stores the value to the place (-1: there is none) in the active lanes.
Node *mask_keep(Elab *x, int place, Node *type, Node *value);

// --- mask_cells.c --------------------------------------------------------------------------------

/// The term, with a value of this type for lanes that have left, where it has none.
Node *elab_fit(Elab *x, Node *n, Node *type);
/// The lanes that are there.
Node *elab_live(Elab *x);
Node *mask_type(Elab *x);
/// The place with this level; its contents as a mask; an assignment to it.
Node *mask_cell(Elab *x, int level, Node *type);
Node *mask_at(Elab *x, int level);
Node *mask_set(Elab *x, int level, Node *value);
/// A new place with zeros; gives its level.
int mask_push_cell(Elab *x, Lets *lets, const char *name, Node *type);
/// Masks combined; those of a that are not of b; whether a lane is there.
Node *mask_both(Elab *x, Prim op, Node *a, Node *b);
Node *mask_but(Elab *x, Node *a, Node *b);
Node *mask_any_live(Elab *x);
/// A condition as one of lanes.
Node *mask_to_lanes(Elab *x, Node *condition);
bool mask_is_value(Node *type);
/// Whether a lane may jump out of the expression; a jump of all lanes.
bool mask_may_leave(Elab *x, const Ast *e);
Node *mask_jump_to(Elab *x, int label);

// --- operator.c ----------------------------------------------------------------------------------

Node *elab_operate(Elab *x, Prim op, int n, Node *const *args, Span span);
Node *elab_logical(Elab *x, Sym name, Node *const *args);
Node *elab_equal(Elab *x, Node *a, Node *b);
Node *elab_to_index(Elab *x, Node *e, Node *n, Span span);
Node *elab_convert(Elab *x, Node *e, Node *to, Span span);
Node *elab_literal(Elab *x, const Ast *e, bool negative);
Node *elab_operator_function(Elab *x, const Ast *e);

// --- elementwise.c -------------------------------------------------------------------------------

/// NULL when no operand is an array or a tuple.
Node *elab_elementwise(Elab *x, Prim op, int n, Node *const *args, Span span);
Node *elab_convert_elements(Elab *x, Node *e, Node *to, Span span);
/// [a, ..v, b] of this type.
Node *elab_array(Elab *x, const Ast *e, Node *type);

// --- vectors.c -----------------------------------------------------------------------------------

/// Whether the term is an array or a tuple; may be duplicated; needs no name before its components
/// are taken.
bool elab_is_many(Node *e);
bool elab_is_cheap(Node *e);
bool elab_is_ready(Node *e);
/// Binds each of the n terms for which `cheap` does not hold by a let, and all terms that are
/// evaluated before one.
void elab_name_all(Elab *x, Lets *lets, Node **e, int n, bool (*cheap)(Node *e));
/// Vectors (arrays and tuples; scalars count as one component): binds those whose components need a
/// name, and the terms beside them; then component k.
void elab_name_vectors(Elab *x, Lets *lets, Node **e, int n);
Node *elab_vector_component(Elab *x, Node *e, int k);
/// A tuple of numbers as an array of this type.
Node *elab_to_vector(Elab *x, Node *e, Node *type);

// --- hold.c --------------------------------------------------------------------------------------

/// Evaluates `e` now, by a let, because the lambda that is made around it would evaluate it at each
/// call.
void elab_hold(Elab *x, Lets *lets, const Ast *e);

#endif
