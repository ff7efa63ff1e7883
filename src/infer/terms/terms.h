// Elaboration builds Core from the syntax tree and its notes.
#ifndef ADZE_INFER_TERMS_TERMS_H
#define ADZE_INFER_TERMS_TERMS_H

#include "infer/finish/finish.h"

/// The variables that separate the program of one lane from the code around it, in SIMD mode.
/// Variables at levels below `base` hold the values of all lanes; the variable at level `index`
/// holds the lane number. The level of a variable is the number of variables bound outside it.
typedef struct {
    Node *length;
    int base, index;
} OneLane;

/// A jump in SIMD code that contains `scalar { }` and so keeps a mask of the active lanes
/// (elaborate/masks.c). Cells are identified by their levels.
typedef struct {
    Local *jump; // break, continue or return
    int came;    // the lanes that have reached the target of the jump
    int value;   // the cell for the values that these lanes carry, or -1 if there are none
    Node *type;  // the type of these values
} MaskExit;

typedef struct {
    const Ast *body, *condition; // the body of a loop, and the condition of a `while` or NULL
    int came, next;              // the lanes that leave, and those that continue (-1 if none do)
    int leave;                   // the label of the loop
} MaskIteration;

typedef struct {
    Node *length;
    int live; // the active lanes
    VEC(MaskExit) exits;
    const MaskIteration *iteration; // the `for` whose generator is being called
} Masks;

/// A condition known to be true where a term is evaluated or, if `holds` is false, known to be
/// false there. The condition was built with `depth` variables in scope.
typedef struct Guard {
    Node *condition;
    bool holds;
    int depth;
    const struct Guard *up; // the enclosing guard, or NULL
} Guard;

/// The context of a term: the number of variables in scope, and its enclosing constructs.
typedef struct {
    Body *b;
    Session *cx;
    int depth;
    bool unchecked;      // inside unchecked { }
    bool dead;           // unreachable for all inputs
    const Guard *guards; // NULL if none is known
    const OneLane *lane; // NULL in scalar mode
    Masks *masks;        // NULL unless the code keeps masks of active lanes
    const Ast *sides;    // a comparison whose operands are to be returned as a tuple, or NULL
} Elab;

/// Builds the Core for an expression, without converting it to its expected type: `masked` in code
/// that keeps a mask of the active lanes, `plain` elsewhere. The functions for the individual kinds
/// of expression call one another through this table.
struct Elaborator {
    Node *(*plain)(Elab *x, const Ast *e);
    Node *(*masked)(Elab *x, const Ast *e);
};

// --- elaborate.c ---------------------------------------------------------------------------------

/// Elaborates an expression and converts it to its expected type.
Node *elab_expr(Elab *x, const Ast *e);
/// Like elab_expr, but allows type `!`, for branches, bodies and statements.
Node *elab_open(Elab *x, const Ast *e);
/// Like elab_open, but ignores a held value and does not convert to the expected type.
Node *elab_plain(Elab *x, const Ast *e);
/// Builds a value of this type [?n]t from an array or from a value of another type [?m]t. The
/// remaining elements are undefined.
Node *elab_up_to(Elab *x, Node *array, Node *type);
/// Converts a term to the type `as`. Inference has already accepted this conversion.
Node *elab_as(Elab *x, Node *n, Node *as, Span span);
Node *elab_body(Body *b, int nparams);
/// Elaborates a body whose value is `comparison`, with a tuple of both operands in place of the
/// comparison. Returns NULL if there are no such operands.
Node *elab_sides(Body *b, const Ast *comparison);
Node *elab_closed(Body *b, const Ast *e, int nparams);

// --- lane_values.c -------------------------------------------------------------------------------

/// The variable that holds the value of a local or, if the local is mutable, its cell.
Node *elab_local(Elab *x, const Local *l);
/// Like elab_local, but in SIMD mode, returns the variable that may hold the values of all lanes.
Node *elab_variable(Elab *x, const Local *l);
/// The type in Core, which has no address spaces; in SIMD mode, that of one lane's part.
Node *elab_type(Elab *x, Node *t);
/// The type in Core of a value that holds those of all lanes.
Node *elab_whole_type(Elab *x, Node *t);
/// Builds an array of i64 with the values of the sizes.
Node *elab_extents(Elab *x, const Extents *v);
/// Assigns a value to a location in code that keeps a mask: only in the active lanes.
Node *elab_masked_set(Elab *x, Node *place, Node *value);
/// Broadcasts a value to `type`, which has vectors where the value has scalars.
Node *elab_splat_to(Elab *x, Node *e, Node *type);
/// In SIMD mode, this lane's part of a value or location that spans all lanes.
Node *elab_lane_of(Elab *x, Node *e);
/// The number of this lane, as an index into vectors of this length.
Node *elab_lane_index(Elab *x, Node *length);
/// The name of the one-lane version of a function in SIMD mode.
Sym elab_lane_name(Elab *x, const Symbol *y);
/// The name of the version with a mask parameter, for a function that keeps masks.
Sym elab_masked_name(Elab *x, const Symbol *y);

// --- terms.c -------------------------------------------------------------------------------------

Node *elab_i64(Elab *x);
/// The variable at this level.
Node *elab_var(Elab *x, int level, Node *type);
/// The cell at this level, which holds a value of this type.
Node *elab_cell(Elab *x, int level, Node *type);
Node *elab_prim(Elab *x, Prim op, Node *a, Node *b);
/// Builds array[index].
Node *elab_at(Elab *x, Node *array, Node *index);
/// Builds map(|name| body, xs).
Node *elab_map(Elab *x, const char *name, Node *body, Node *xs);
/// Builds generate(n, |name| body).
Node *elab_generate(Elab *x, Sym name, Node *n, Node *body);
/// Whether the term is a variable, a literal or a size. Such a term may be duplicated.
bool elab_is_atom(Node *e);
/// Whether the term is a variable or a component of one. Such a term may be duplicated, too.
bool elab_is_path(Node *e);
/// Builds a zero of type `t`, which may be any data type.
Node *elab_zero(Elab *x, Node *t);
Node *elab_to_integer(Elab *x, Node *e);
/// Component k of a tuple or struct, or element k of an array.
Node *elab_part(Elab *x, Node *e, int k);

// --- lets.c --------------------------------------------------------------------------------------

/// A let to wrap around a term. `name` is NULL for a statement. In Lets, the outermost comes first.
typedef struct {
    Sym name;
    Node *value;
} LetBinding;
typedef VEC(LetBinding) Lets;
void elab_push(Elab *x, Lets *lets, Sym name, Node *value);
Node *elab_wrap(Elab *x, const Lets *lets, Node *body);
/// Builds if condition { then } else { otherwise }, with the type of the whole expression `e`. The
/// sizes in the type of a branch may be written differently, but equal those of `e` wherever the
/// branch is taken.
Node *elab_choice(Elab *x, const Ast *e, Node *condition, Node *then, Node *otherwise);
/// Builds label k { make(e) }, or just make(e) if k is not used.
Node *elab_label(Elab *x, Local *k, Node *type, Node *(*make)(Elab *x, const Ast *e), const Ast *e);
/// Builds the lambda |x1, ..., xn| make(x1, ..., xn) of this type. `make` is called with the depth
/// inside the lambda.
Node *elab_lambda_of(Elab *x, Node *fun_type,
                     Node *(*make)(Elab *x, Node *const *args, int n, void *env), void *env);

// --- bind.c --------------------------------------------------------------------------------------

/// Records that the variable at this level holds the value of a pattern.
void elab_set_level(Elab *x, const Ast *pattern, int level);
/// The name that a pattern gives to its value, or one made up for it.
Sym elab_pattern_name(Elab *x, const Ast *pattern);
/// Adds cells for the mutable names of a pattern.
void elab_cells(Elab *x, Lets *lets, const Ast *pattern);
/// Adds a let for a value, and binds the names in the pattern to the value or to its parts.
void elab_bind(Elab *x, Lets *lets, const Ast *pattern, Node *value);
/// Adds a let for a statement and returns NULL. If the statement never returns, nothing can follow
/// it: no let is added, and its value is returned.
Node *elab_statement(Elab *x, Lets *lets, const Ast *s);

// --- certain.c -----------------------------------------------------------------------------------

/// Like elab_open, but for code that is executed only if the condition holds or, if `holds` is
/// false, only if it does not.
Node *elab_where(Elab *x, const Ast *e, Node *condition, bool holds);
/// Warns about an index that is always out of bounds.
void elab_warn_index(Elab *x, Node *index, Node *n, Span span);
/// Warns about a divisor that is always 0.
void elab_warn_division(Elab *x, Prim op, Node *divisor, Span span);

// --- wrapped.c -----------------------------------------------------------------------------------

/// Warns if `n`, the term for `e`, is arithmetic that may have wrapped before it is converted to
/// the wider type `as`.
void elab_warn_wrapped(Elab *x, const Ast *e, Node *n, Node *as);

// --- rounded.c -----------------------------------------------------------------------------------

/// Warns if `e`, whose term is `n`, is a constant rounded to f32 that is converted to f64.
void elab_warn_rounded(Elab *x, const Ast *e, Node *n, Node *as);

// --- lane_programs.c -----------------------------------------------------------------------------

/// Code that each lane executes. `make` elaborates `e`, whose value is stored in the cell at level
/// `result`, which holds the values of all lanes. That cell has type `type`, which is NULL if there
/// is no value.
typedef Node *ElabMake(Elab *x, const Ast *e);
typedef struct {
    const Ast *e;
    ElabMake *make;
    Node *type;
    int result;
} LanePart;
/// Builds a loop over lanes whose body is the program of one lane. Returns the resulting value for
/// all lanes, which has this type.
Node *elab_in_lanes(Elab *x, const Ast *e, Node *length, ElabMake *make, Node *type);
/// The inferred type of `e`.
Node *mask_note_type(Elab *x, const Ast *e);
/// Stores the value in the cell at level `place`, in the active lanes only. If `place` is -1 or
/// there is no value, returns the term unchanged. The sizes in the types of the value and the cell
/// may be written differently; a check has compared them.
Node *mask_keep(Elab *x, int place, Node *type, Node *value);

// --- mask_cells.c --------------------------------------------------------------------------------

/// Returns the term, followed by a zero of this type if the term has no value.
Node *elab_fit(Elab *x, Node *n, Node *type);
/// The mask of the active lanes.
Node *elab_live(Elab *x);
Node *mask_type(Elab *x);
/// The mask in the cell at this level.
Node *mask_at(Elab *x, int level);
/// Assigns to the mask in the cell at this level.
Node *mask_set(Elab *x, int level, Node *value);
/// Adds a new cell, initialised to zeros, and returns its level.
int mask_push_cell(Elab *x, Lets *lets, const char *name, Node *type);
/// Adds a let that assigns to a mask.
void mask_push_set(Elab *x, Lets *lets, int level, Node *value);
/// Adds a let that adds lanes to a mask.
void mask_push_or(Elab *x, Lets *lets, int level, Node *lanes);
/// Adds a let that executes a statement if any lane is active.
void mask_push_if_live(Elab *x, Lets *lets, Node *statement);
/// The value in the cell at this level, or () if the level is -1.
Node *mask_result(Elab *x, int level, Node *type);
/// The mask of the lanes set in `a` but not in `b`.
Node *mask_but(Elab *x, Node *a, Node *b);
/// Whether any lane is active.
Node *mask_any_live(Elab *x);
/// Converts a condition to a mask. A single bool is broadcast to all lanes.
Node *mask_to_lanes(Elab *x, Node *condition);
/// Whether terms of this type have a value: the type is neither () nor `!`.
bool mask_is_value(Node *type);
/// Whether a lane may jump out of the expression.
bool mask_may_leave(Elab *x, const Ast *e);
/// Builds a jump to the label at this level, without a value.
Node *mask_jump_to(Elab *x, int label);

// --- operator.c ----------------------------------------------------------------------------------

Node *elab_operate(Elab *x, Prim op, int n, Node *const *args, Span span);
/// Builds && or || as an `if`.
Node *elab_logical(Elab *x, const Ast *e, Node *const *args);
/// Converts `e` to an index below `n`. The bound is checked at run time, except in compiled code
/// inside `unchecked`.
Node *elab_to_index(Elab *x, Node *e, Node *n, Span span);
Node *elab_convert(Elab *x, Node *e, Node *to, Span span);
Node *elab_literal(Elab *x, const Ast *e, bool negative);
Node *elab_operator_function(Elab *x, const Ast *e);

// --- elementwise.c -------------------------------------------------------------------------------

/// Builds the application of an operator element by element. Returns NULL if no operand is an array
/// or a tuple.
Node *elab_elementwise(Elab *x, Prim op, int n, Node *const *args, Span span);
Node *elab_convert_elements(Elab *x, Node *e, Node *to, Span span);
/// Builds an array literal of this type, such as [a, ..v, b].
Node *elab_array(Elab *x, const Ast *e, Node *type);

// --- vectors.c -----------------------------------------------------------------------------------

/// Whether the term is an array or a tuple.
bool elab_is_many(Node *e);
/// Whether the term may be duplicated.
bool elab_is_cheap(Node *e);
/// For an array or a tuple, whether its components can be taken without a let, as those of a
/// variable or a literal can. For a scalar, whether it may be duplicated.
bool elab_is_ready(Node *e);
/// Let-binds each of the n terms for which `cheap` does not hold. Terms that are evaluated before
/// such a term are let-bound, too, unless they may be duplicated.
void elab_name_all(Elab *x, Lets *lets, Node **e, int n, bool (*cheap)(Node *e));
/// Let-binds the vectors whose components can only be taken from a variable, and the terms before
/// them. Vectors are arrays and tuples; a scalar counts as one component.
void elab_name_vectors(Elab *x, Lets *lets, Node **e, int n);
/// Component k of a vector for which elab_name_vectors was called.
Node *elab_vector_component(Elab *x, Node *e, int k);
/// Converts a tuple of numbers to an array of this type.
Node *elab_to_vector(Elab *x, Node *e, Node *type);

// --- hold.c --------------------------------------------------------------------------------------

/// Let-binds `e` now, because the lambda being built would otherwise evaluate it in each call.
void elab_hold(Elab *x, Lets *lets, const Ast *e);

#endif
