// Types as nodes: builders, predicates, printing, and unification for inference.
//
// Data types can be stored: scalars, idx[n], vectors of scalars, tuples, structs, arrays of data.
// TYPE_FUN and TYPE_MODE are phrase types, which never reach generated code. In memory an array of
// tuples is a tuple of arrays (one flat buffer per scalar leaf), so zip, unzip and projections
// never move data.
#ifndef ADZE_TYPES_TYPES_H
#define ADZE_TYPES_TYPES_H

#include "ir/node.h"
#include "nat/nat.h"

Node *type_scalar(Session *cx, Scalar s);
Node *type_idx(Session *cx, Node *n);
Node *type_array(Session *cx, Node *n, Node *element);
/// The type vec[L]t of a scalar type, in programs `varying[L] t`; before staging L may be any size.
Node *type_vec(Session *cx, int64_t lanes, Node *element);
Node *type_varying(Session *cx, Node *lanes, Node *element);
bool type_is_vec(Node *t, int64_t *lanes); // lanes may be NULL
Node *type_tuple(Session *cx, int n, Node *const *parts);
Node *type_struct(Session *cx, Sym name, int n, Node *const *fields, const Sym *field_names);
Node *type_fun(Session *cx, int nparams, Node *const *params, Node *result);
Node *type_mode(Session *cx, Node *element);
/// &t or &mut t: a reference to a data type, in an address space.
typedef enum { SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED, SPACE_PRIVATE, SPACE_COUNT } Space;
extern const char *const space_text[SPACE_COUNT]; // "" for the generic one
Node *type_ref(Session *cx, Node *t, bool mutable, Space space);
bool type_ref_mutable(Node *ref);
Space type_ref_space(Node *ref);
/// `!`, the type of a call that never returns; fn(t) -> ! is the type of a continuation.
Node *type_never(Session *cx);
/// The continuation that takes a t: fn(t) -> !, and fn() -> ! if t is ().
Node *type_continuation(Session *cx, Node *t);
bool type_is_continuation(Node *t);
Node *type_var(Session *cx, Sym name);
Node *type_meta(Session *cx, int64_t number);
Node *type_error(Session *cx);

/// Arrays and vectors: types with a length and contiguous elements.
bool type_has_elements(Node *t);

/// The element of a vector type; any other type is returned unchanged.
Node *type_lane(Node *t);

bool type_is_scalar(Node *t, Scalar *s); // TYPE_SCALAR; s may be NULL
bool type_is_number(Node *t);            // integer or float scalar
bool type_is_float(Node *t);
bool type_is_integer(Node *t); // i8..u64, not idx
/// Whether the type contains no function, mode, reference or error (variables and unknowns may be
/// data).
bool type_is_data(Node *t);
bool type_has_array(Node *t);
bool type_is_unit(Node *t); // ()
/// An enum is a struct whose first field is `#`, the number of the option, followed by a tuple for
/// each option.
bool type_is_enum(Node *t);
/// Atoms are scalars and idx, which fit in a C variable. One assignment stores an atom or a vector
/// of them.
bool type_is_atom(Node *t);
bool type_is_value(Node *t);

/// Whether values of the type have too many parts (each scalar is an array of its own in memory) or
/// dimensions to be compiled: returns a phrase that says so, else NULL. Walks over types take time
/// in proportion to their parts.
const char *type_excess(Node *t);

/// The result of a function type; its k-th parameter; the number of its parameters.
Node *type_result(Node *fun);
Node *type_param(Node *fun, int k);
int type_nparams(Node *fun);

/// The type of the elements below all arrays; `dims` gets the first `max` extents, `rank` (which
/// may be NULL) the number of dimensions. Then functions that return only one of these results.
Node *type_strip_arrays(Node *t, Node **dims, int max, int *rank);
Node *type_elements(Node *t);
int type_rank(Node *t);

/// Prints a type in the syntax of the language.
void type_print(Text *out, Node *t);
const char *type_show(Session *cx, Node *t);
/// A hook that prints a struct or enum in its own way; false if it printed nothing.
typedef bool (*TypeShow)(Text *out, Node *t, void *env);
/// Prints a type to a string, but calls `show` for each struct and enum.
const char *type_show_by(Session *cx, Node *t, TypeShow show, void *env);
/// The name of a struct or an enum without its module, as programs write it.
const char *type_own_name(Node *t);
/// Prints a type with the fields of structs and the options of enums, for a reader who does not
/// have their declarations.
const char *type_show_fields(Session *cx, Node *t);
/// Prints a type with everything that determines it: structs with their fields, unknowns with
/// their numbers (`?3`).
void type_print_full(Text *out, Node *t);
/// A name in the textual form: in backquotes unless it consists of letters, digits, `_` and `.`
/// only.
void type_print_name(Text *out, Sym name);
bool type_is_name_char(char c, bool first);

/// For structs with #[c_layout], whose names are in cx->c_layouts: the size in bytes of a value in
/// C; false if C has no such type. Members are numbers, bool, these structs, and arrays of constant
/// length.
bool type_c_size(Session *cx, Node *t, int64_t *size);
bool type_is_c_struct(Session *cx, Node *t);
/// The offset of member k of such a struct, in bytes.
int64_t type_c_offset(Session *cx, Node *t, int k);
/// The name of member k in C: as in the program, with underscores after a reserved word of C or
/// C++.
const char *type_c_member(Session *cx, Node *t, int k);

/// Unification. A Solver contains the unknowns of one function being inferred: solutions of
/// TYPE_META and NAT_META, and deferred size equations with more than one unknown.
typedef struct Solver Solver;

typedef struct {
    Node *left, *right;
    Node *whole, *part; // left == right means that `part` divides `whole`; or NULL
    Span span;
} SizeEquation;

Solver *solver_new(Session *cx, Arena *arena);

/// The solutions that an unknown may have: all data, or only numbers / integers / floats / numbers
/// and bool (the elements of vectors). META_ANY also allows phrase types.
typedef enum { META_DATA, META_NUM, META_INT, META_FLOAT, META_SCALAR, META_ANY } MetaKind;

Node *solver_new_type(Solver *s, MetaKind kind);
Node *solver_new_size(Solver *s);

/// Sets the kind of a generic parameter that is a type (META_DATA if not set).
void solver_declare(Solver *s, Sym type_var, MetaKind kind);

/// `e` (a size, a type or a term) with all solved unknowns replaced, recursively.
Node *solver_resolve(Solver *s, Node *e);

/// Makes the two types equal by solving unknowns; false if that is impossible (the caller reports;
/// `*why` gets a phrase such as "f32 is not i32", or NULL). TYPE_ERROR agrees with all types. Sizes
/// with equal normal forms agree. An equation with one unknown is solved (nat_solve; a condition on
/// divisibility becomes an equation rem == 0), with several unknowns deferred, and without unknowns
/// recorded in solver_equations, for the caller to prove, refute or check at run time.
bool solver_unify(Solver *s, Node *a, Node *b, Span span, const char **why);

/// Restricts an unknown, or tests whether a known type is of the kind.
bool solver_require(Solver *s, Node *t, MetaKind kind);

/// Retries the deferred equations until nothing changes.
void solver_retry(Solver *s);

/// Whether the type is an unsolved unknown; *kind: its kind.
bool solver_is_open(Solver *s, Node *t, MetaKind *kind);
/// Watches an open unknown: solving it or narrowing its kind counts as a change.
void solver_watch(Solver *s, Node *t);
/// The number of changes of watched unknowns so far.
int solver_watched_changes(const Solver *s);
/// Whether a type is an unknown that can only become a number; whether it is a number or a bool.
bool solver_is_number(Solver *s, Node *t);
bool solver_is_scalar(Solver *s, Node *t);

/// Gives unknown number types their default (f32, i32), without an error.
void solver_default_numbers(Solver *s);

/// The equations without unknowns found so far (cleared by the call), and those still deferred.
int solver_take_equations(Solver *s, SizeEquation **equations);
int solver_pending(Solver *s, SizeEquation **equations);

#endif
