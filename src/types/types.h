// Types as nodes: builders, predicates, printing, and unification for inference.
//
// Values of data types can be stored. Data types are scalars, idx[n], vectors of scalars, tuples,
// structs, and arrays of data. The types of functions, border modes and references are phrase
// types: their values cannot be stored. In memory, an array of tuples is a tuple of arrays (one
// flat buffer per scalar leaf), so zip, unzip and projections never move data.
#ifndef ADZE_TYPES_TYPES_H
#define ADZE_TYPES_TYPES_H

#include "ir/node.h"
#include "nat/nat.h"

Node *type_scalar(Session *cx, Scalar s);
Node *type_idx(Session *cx, Node *n);
/// The type of a parameter that holds one of its function's own sizes: idx[2^62], whose bound no
/// size reaches.
Node *type_own_size(Session *cx);
Node *type_array(Session *cx, Node *n, Node *element);
/// The type vec[L]t of vectors of a scalar type; in programs it is written `varying[L] t`.
Node *type_vec(Session *cx, int64_t lanes, Node *element);
/// Like type_vec, but the number of lanes may be any size, as is possible before staging.
Node *type_varying(Session *cx, Node *lanes, Node *element);
/// Whether t is a vector of constant length; sets *lanes to the length unless `lanes` is NULL.
bool type_is_vec(Node *t, int64_t *lanes);
Node *type_tuple(Session *cx, int n, Node *const *parts);
Node *type_struct(Session *cx, Sym name, int n, Node *const *fields, const Sym *field_names);
Node *type_fun(Session *cx, int nparams, Node *const *params, Node *result);
Node *type_mode(Session *cx, Node *element);
/// The address space of a reference.
typedef enum { SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED, SPACE_PRIVATE, SPACE_COUNT } Space;
extern const char *const space_text[SPACE_COUNT]; // "" for the generic space
/// &t or &mut t: a reference to a data type, in an address space.
Node *type_ref(Session *cx, Node *t, bool mutable, Space space);
bool type_ref_mutable(Node *ref);
Space type_ref_space(Node *ref);
/// The type, whose references are to any address space.
Node *type_without_spaces(Session *cx, Node *t);
/// `!`, the type of a call that never returns. The type of a continuation is fn(t) -> !.
Node *type_never(Session *cx);
/// The type of a continuation that takes a t: fn(t) -> !, or fn() -> ! if t is ().
Node *type_continuation(Session *cx, Node *t);
bool type_is_continuation(Node *t);
Node *type_var(Session *cx, Sym name);
Node *type_meta(Session *cx, int64_t number);
Node *type_error(Session *cx);

/// Whether the type is an array or a vector: it has a length and contiguous elements.
bool type_has_elements(Node *t);

/// The element of a vector type; any other type is returned unchanged.
Node *type_lane(Node *t);

/// Whether the type is a TYPE_SCALAR; sets *s to the scalar unless `s` is NULL.
bool type_is_scalar(Node *t, Scalar *s);
bool type_is_number(Node *t); // an integer or float scalar
bool type_is_float(Node *t);
bool type_is_integer(Node *t); // i8..u64, not idx
/// Whether the type contains no function, mode, reference, `!` or error. Variables and unknowns
/// count as data.
bool type_is_data(Node *t);
bool type_has_array(Node *t);
/// Whether the type is or contains a vector.
bool type_has_vector(Node *t);
/// The type of one lane's part of data of this type: t in place of each vec[L]t.
Node *type_of_lane(Session *cx, Node *t);
bool type_is_unit(Node *t); // ()
/// Whether the type is an enum: a struct whose first field is `#`, the number of the option,
/// followed by a tuple for each option.
bool type_is_enum(Node *t);
/// Whether the type is `[?n]t`, at most n elements: the struct UpTo of the prelude.
bool type_is_up_to(Node *t);
/// Whether the type is an atom: a scalar or an idx, which fits in a C variable.
bool type_is_atom(Node *t);
/// Whether a single assignment stores a value of the type: it is an atom or a vector.
bool type_is_value(Node *t);

/// If values of the type have too many dimensions, lanes or parts to be compiled, returns a phrase
/// that says so; otherwise returns NULL. There is a limit on parts since each scalar is a separate
/// array in memory, and walks over a type take time proportional to its parts.
const char *type_excess(Node *t);

/// The result of a function type.
Node *type_result(Node *fun);
/// The k-th parameter of a function type.
Node *type_param(Node *fun, int k);
/// The number of parameters of a function type.
int type_nparams(Node *fun);

/// Returns the type of the elements below all arrays. Stores the first `max` extents in `dims`, and
/// the number of dimensions in *rank unless `rank` is NULL.
Node *type_strip_arrays(Node *t, Node **dims, int max, int *rank);
/// The type of the elements below all arrays.
Node *type_elements(Node *t);
/// The number of dimensions of nested arrays.
int type_rank(Node *t);

/// Prints a type in Adze syntax.
void type_print(Text *out, Node *t);
const char *type_show(Session *cx, Node *t);
/// A hook that may print a struct or enum in its own way. Returns false if it printed nothing.
typedef bool (*TypeShow)(Text *out, Node *t, void *env);
/// Like type_show, but calls `show` for each struct and enum.
const char *type_show_by(Session *cx, Node *t, TypeShow show, void *env);
/// The name of a struct or an enum without its module, as programs write it.
const char *type_own_name(Node *t);
/// Prints a type with the fields of structs and the options of enums, for readers who do not have
/// the declarations.
const char *type_show_fields(Session *cx, Node *t);
/// Prints a type with everything that determines it: structs with their fields, unknowns with
/// their numbers (`?3`).
void type_print_full(Text *out, Node *t);
/// Prints a name of the textual form. It is in backquotes unless it consists only of letters,
/// digits, `_` and `.`.
void type_print_name(Text *out, Sym name);
bool type_is_name_char(char c, bool first);

/// Sets *size to the size of the type in C, in bytes. Returns false if the type has no C layout.
/// The types with a C layout are scalars, structs with #[c_layout] (their names are in
/// cx->c_layouts) whose members all have one, and arrays of such types with constant length.
bool type_c_size(Session *cx, Node *t, int64_t *size);
/// Whether a value of a type with a C layout has bytes that no member has.
bool type_c_is_padded(Session *cx, Node *t);
/// Whether the type is a struct with a C layout.
bool type_is_c_struct(Session *cx, Node *t);
/// The offset of member k of such a struct, in bytes.
int64_t type_c_offset(Session *cx, Node *t, int k);
/// The name of member k in C. It is the name in the program, but with underscores appended if C or
/// C++ reserves that name.
const char *type_c_member(Session *cx, Node *t, int k);

/// Unification. A Solver holds the unknowns of the function being inferred: solutions of TYPE_META
/// and NAT_META, and deferred size equations with more than one unknown.
typedef struct Solver Solver;

typedef struct {
    Node *left, *right;
    Node *whole, *part; // if not NULL, the equation says that `part` divides `whole`
    Span span;
} SizeEquation;

Solver *solver_new(Session *cx, Arena *arena);

/// The solutions that an unknown may have: all data, numbers, integers, floats, or scalars (numbers
/// and bool, the elements of vectors). META_ANY allows phrase types as well as data.
typedef enum { META_DATA, META_NUM, META_INT, META_FLOAT, META_SCALAR, META_ANY } MetaKind;

Node *solver_new_type(Solver *s, MetaKind kind);
Node *solver_new_size(Solver *s);

/// Sets the kind of a generic type parameter. The default is META_DATA.
void solver_declare(Solver *s, Sym type_var, MetaKind kind);

/// `e`, a size, type or term, with all solved unknowns replaced recursively.
Node *solver_resolve(Solver *s, Node *e);

/// Unifies two types by solving unknowns. If that is impossible, returns false and sets *why to a
/// phrase such as "f32 is not i32", or to NULL; it is up to the caller to report this. TYPE_ERROR
/// agrees with all types.
///
/// Sizes never make unification fail. Sizes with equal normal forms agree. An equation with one
/// unknown is solved (nat_solve; a condition on divisibility becomes an equation rem == 0). One
/// with several unknowns is deferred. One without unknowns is recorded for solver_take_equations,
/// whose caller has to prove it, refute it, or check it at run time.
bool solver_unify(Solver *s, Node *a, Node *b, Span span, const char **why);

/// Restricts an unknown to the kind, or tests whether a known type is of the kind. Returns false if
/// the unknown or the type cannot be of that kind.
bool solver_require(Solver *s, Node *t, MetaKind kind);

/// Retries the deferred equations until nothing changes.
void solver_retry(Solver *s);
/// Solves a deferred equation with one unknown by nat_guess. Returns false if there is none that
/// can be solved so. Called when nothing else can determine the unknowns.
bool solver_guess(Solver *s);

/// Whether the type is an unsolved unknown; if it is, sets *kind to its kind.
bool solver_is_open(Solver *s, Node *t, MetaKind *kind);
/// Watches an open unknown: from then on, solving it or narrowing its kind counts as a change.
void solver_watch(Solver *s, Node *t);
/// The number of changes to watched unknowns so far.
int solver_watched_changes(const Solver *s);
/// Whether a type is an unknown that can only become a number.
bool solver_is_number(Solver *s, Node *t);
/// Whether a type is an unknown that can only become a number or bool.
bool solver_is_scalar(Solver *s, Node *t);

/// Solves unknown number types with their defaults, f32 and i32. Reports no errors.
void solver_default_numbers(Solver *s);

/// Sets *equations to the equations without unknowns found so far, and forgets them. Returns their
/// number.
int solver_take_equations(Solver *s, SizeEquation **equations);
/// Sets *equations to the equations that are still deferred, and returns their number.
int solver_pending(Solver *s, SizeEquation **equations);

#endif
