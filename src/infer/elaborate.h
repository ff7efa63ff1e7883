// The second walk: what the files elaborate*.c share. They make Core out of the syntax tree and the notes of
// the first walk, and decide and report nothing.
#ifndef ADZE_INFER_ELABORATE_H
#define ADZE_INFER_ELABORATE_H

#include "infer/internal.h"

/// SIMD mode: the term is the program of one lane. Variables with fewer than `base` bound outside them hold the values of all lanes;
/// that with `index` outside says which lane it is.
typedef struct {
    Node *length;
    int base, index;
} OneLane;

/// SIMD mode around `scalar { }`, where masks are kept (elaborate_masks.c). A place is told by how many variables are bound outside it.
typedef struct {
    Local *jump; // break, continue or return
    int came;    // the lanes that have come to what it leaves
    int value;   // what they came with, of this type; -1: nothing
    Node *type;
} MaskExit;

typedef struct {
    const Ast *body, *condition; // of a `while`, else NULL
    int came, next;              // lanes that leave, that continue (-1: none does)
    int leave;                   // the label of the loop
} MaskRound;

typedef struct {
    Node *length;
    int live; // the lanes that are here
    VEC(MaskExit) exits;
    const MaskRound *round; // of the `for` whose generator is called
} Masks;

/// What holds where a term is made: a condition, or its opposite, under so many variables.
typedef struct Guard {
    Node *condition;
    bool holds;
    int depth;
    const struct Guard *up; // around it, or NULL
} Guard;

/// How many variables are bound around the term that is made, and in what it stands.
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

// elaborate.c
/// The Core of an expression, of the type that its place takes.
Node *elab_expr(Elab *x, const Ast *e);
/// The same where `!` is welcome: branches, bodies, statements.
Node *elab_open(Elab *x, const Ast *e);
/// The same, of its own type and always made anew.
Node *elab_plain(Elab *x, const Ast *e);
/// A term as its place takes it: converted to a type that its own suits.
Node *elab_as(Elab *x, Node *n, Node *as, Span span);
Node *elab_body(Body *b, int nparams);
/// Of a body whose value is this comparison: both operands as a tuple, with all that stands before;
/// NULL where there are none.
Node *elab_sides(Body *b, const Ast *comparison);
Node *elab_closed(Body *b, const Ast *e, int nparams);
Node *elab_local(Elab *x, const Local *l);
/// The same, but in SIMD mode as all lanes have it.
Node *elab_variable(Elab *x, const Local *l);
Node *elab_type(Elab *x, Node *t);
Node *elab_i64(Elab *x);
/// Whether the term is a variable, literal or size; a variable or a component of one. Both may stand several times.
bool elab_is_atom(Node *e);
bool elab_is_path(Node *e);
/// Sizes as a vector of i64.
Node *elab_extents(Elab *x, const Extents *v);

// elaborate_bind.c
/// Lets to put around a term, from the outermost; a statement has no name.
typedef struct {
    Sym name;
    Node *value;
} LetBinding;
typedef VEC(LetBinding) Lets;
void elab_push(Elab *x, Lets *lets, Sym name, Node *value);
Node *elab_wrap(Elab *x, const Lets *lets, Node *body);
/// Says that the value a pattern takes apart is the variable with this many bound outside it.
void elab_set_level(Elab *x, const Ast *pattern, int level);
/// Places for the mutable names of a pattern.
void elab_cells(Elab *x, Lets *lets, const Ast *pattern);
/// A let for the value, whose parts the pattern names.
void elab_bind(Elab *x, Lets *lets, const Ast *pattern, Node *value);
/// A statement becomes a let; the value of one that does not come back is given, else NULL.
Node *elab_statement(Elab *x, Lets *lets, const Ast *s);
Node *elab_block(Elab *x, const Ast *e);
Node *elab_lambda(Elab *x, const Ast *e);
/// label k. make(e), or make(e) when nothing mentions k.
Node *elab_label(Elab *x, Local *k, Node *type, Node *(*make)(Elab *x, const Ast *e), const Ast *e);

// certain.c
/// elab_open of what is done if the condition holds, or if it does not.
Node *elab_where(Elab *x, const Ast *e, Node *condition, bool holds);
/// Warns of an index that is outside of its size, or a divisor that is 0, for certain.
void elab_warn_index(Elab *x, Node *index, Node *n, Span span);
void elab_warn_division(Elab *x, Prim op, Node *divisor, Span span);

// wrapped.c
/// Warns of arithmetic, the term `n` of `e`, that may have wrapped before it is converted to `as`,
/// which has more bits.
void elab_warn_wrapped(Elab *x, const Ast *e, Node *n, Node *as);

// elaborate_place.c
Node *elab_place(Elab *x, const Ast *e);
Node *elab_component(Elab *x, const Ast *e);
Node *elab_index(Elab *x, const Ast *e);
Node *elab_slice(Elab *x, const Ast *e);
Node *elab_assign(Elab *x, const Ast *e);
Node *elab_reference(Elab *x, const Ast *e);

// elaborate_control.c
Node *elab_while(Elab *x, const Ast *e);
Node *elab_loop(Elab *x, const Ast *e);
Node *elab_for(Elab *x, const Ast *e);

// elaborate_simd.c
/// The construct, which switches to SIMD mode; and what of the body is in it, as a block of the last statements.
Node *elab_simd(Elab *x, const Ast *e);
Node *elab_simd_rest(Elab *x, const Ast *rest);
/// A part of a program that each lane does: `make`s `e`; its value goes to the place with this many variables outside, which has it for all
/// lanes and is of type `type` (NULL: there is none).
typedef Node *ElabMake(Elab *x, const Ast *e);
typedef struct {
    const Ast *e;
    ElabMake *make;
    Node *type;
    int result;
} LanePart;
Node *elab_lane_part(Elab *x, const LanePart *part);
Node *elab_in_lanes(Elab *x, const Ast *e, Node *length, ElabMake *make, Node *type);
/// place = value in the lanes that are there, where masks are kept.
Node *elab_masked_set(Elab *x, Node *place, Node *value);
/// A value that is one for all lanes as one of this type, which has vectors in the place of scalars.
Node *elab_splat_to(Elab *x, Node *e, Node *type);
/// A type in SIMD mode: a vector is what one lane has of it.
Node *elab_lane_type(Elab *x, Node *t);
/// Of a value or place from outside, that in SIMD mode has the values of all lanes, what this lane has.
Node *elab_lane_of(Elab *x, Node *e);
/// place = value, where the place may be one with the values of all lanes.
Node *elab_lane_set(Elab *x, Node *place, Node *value);
/// Which lane this is, as an index of vectors of this length.
Node *elab_lane_index(Elab *x, Node *length);
/// Of a function in SIMD mode the version for one lane: its name; its body and a condition, under its parameters.
Sym elab_lane_name(Elab *x, const Symbol *y);
Node *elab_lane_closed(Body *b, const Ast *e, int nparams);
Node *elab_lane_body(Body *b, int nparams);
/// The same of a function that keeps masks: the version that is told which lanes come.
Sym elab_masked_name(Elab *x, const Symbol *y);
Node *elab_masked_body(Body *b, int nparams);
/// A pattern on lanes (lanes, select, insert) in SIMD mode.
Node *elab_lane_pattern(Elab *x, Kind kind, Node *const *ops, Span span);

// print.c
Node *elab_print(Elab *x, const Ast *e, const Call *c);

// elaborate_lanes.c
/// Whether a call of a pattern is extract or insert of what has vectors as parts; what it gives.
bool elab_is_of_parts(Elab *x, const Call *c);
Node *elab_lane_of_parts(Elab *x, const Ast *e, const Call *c);
/// f(args). In one lane, a reference to vectors that are parts of something is given as one to a
/// new place with what the lane has, which goes back behind the call.
Node *elab_lane_app(Elab *x, Node *f, int n, Node *const *args, Span span);

// elaborate_masks.c
Node *elab_scalar(Elab *x, const Ast *e);
/// An expression where masks are kept.
Node *elab_masked(Elab *x, const Ast *e);
Node *elab_masked_block(Elab *x, const Ast *e, int from);
/// A part in one lane: only if that is there, and the jumps that leave it.
Node *elab_masked_lane(Elab *x, const LanePart *part);
/// The term, with a value of this type for lanes that have left, where it has none.
Node *elab_fit(Elab *x, Node *n, Node *type);
/// The lanes that are there.
Node *elab_live(Elab *x);
/// elab_simd, elab_simd_rest of what has a `scalar`. `come`: the lanes that are there in the beginning; NULL: all.
Node *elab_with_masks(Elab *x, const Ast *e, Node *length);
Node *elab_rest_with_masks(Elab *x, const Ast *block, Node *length, Node *type, Node *come);

// elaborate_with.c
Node *elab_with_loop(Elab *x, const Ast *e);

// elaborate_match.c
Node *elab_match(Elab *x, const Ast *e);
Node *elab_option(Elab *x, const Ast *e);
Node *elab_apply_option(Elab *x, const Ast *e, const Call *c);
/// The condition that a value matches the pattern, of lanes if the value is so; NULL: always.
Node *elab_matches(Elab *x, const Ast *pattern, Node *value);
/// A zero of any type of data.
Node *elab_zero(Elab *x, Node *t);

// elaborate_function.c
Function *elab_function(Infer *in, const Symbol *y, const int *modes);
void elab_extern(Infer *in, const Symbol *y);
/// The version of a function in SIMD mode, whose own has been made, for one lane, or for those lanes that come.
void elab_simd_version(Infer *in, const Symbol *y);
void elab_demanded(Infer *in);

// elaborate_operator.c
Node *elab_operate(Elab *x, Prim op, int n, Node *const *args, Span span);
Node *elab_logical(Elab *x, Sym name, Node *const *args);
Node *elab_equal(Elab *x, Node *a, Node *b);
Node *elab_to_integer(Elab *x, Node *e);
Node *elab_to_index(Elab *x, Node *e, Node *n, Span span);
Node *elab_convert(Elab *x, Node *e, Node *to, Span span);
Node *elab_literal(Elab *x, const Ast *e, bool negative);
Node *elab_operator_function(Elab *x, const Ast *e);

// elaborate_elementwise.c
/// NULL when no operand is an array or a tuple.
Node *elab_elementwise(Elab *x, Prim op, int n, Node *const *args, Span span);
Node *elab_convert_elements(Elab *x, Node *e, Node *to, Span span);
/// Vectors (arrays and tuples; scalars count as one component): gives those names whose components cannot be taken
/// otherwise, and the terms beside them; then component k.
void elab_name_vectors(Elab *x, Lets *lets, Node **e, int n);
Node *elab_vector_component(Elab *x, Node *e, int k);
/// Component k of a tuple or a struct, element k of an array.
Node *elab_part(Elab *x, Node *e, int k);
/// [a, ..v, b] of this type.
Node *elab_array(Elab *x, const Ast *e, Node *type);
/// A tuple of numbers as an array of this type.
Node *elab_to_vector(Elab *x, Node *e, Node *type);

// elaborate_call.c
Node *elab_call(Elab *x, const Ast *e, const Call *c);
/// Evaluates now, by a let, what a lambda that is about to be made around `e` would evaluate each time it is called.
void elab_hold(Elab *x, Lets *lets, const Ast *e);
Node *elab_function_name(Elab *x, const Ast *e, const Symbol *y, Node *const *generics);
Node *elab_apply(Elab *x, Node *f, int n, Node *const *args);
Node *elab_lambda_of(Elab *x, Node *fun_type,
                     Node *(*make)(Elab *x, Node *const *args, int n, void *env), void *env);

#endif
