// Scopes, names, signatures, and the types and sizes that the source spells out.
#ifndef ADZE_INFER_NAMES_NAMES_H
#define ADZE_INFER_NAMES_NAMES_H

#include "infer/names/symbols.h"

// --- scope.c -------------------------------------------------------------------------------------

Scope infer_scope_new(Infer *in, Arena *arena, Unit *unit, Solver *solver);
Local *infer_local_push(Scope *s, LocalKind kind, Sym name, Span span, Node *type);
/// Brings an existing local into scope.
void infer_local_enter(Scope *s, Local *l);
int infer_scope_mark(const Scope *s);
void infer_scope_release(Scope *s, int mark);
Local *infer_find_local(const Scope *s, Sym name);
Symbol *infer_find_symbol(const Scope *s, Sym name);
void infer_add_builtins(Infer *in);
/// Whether `y` is imported from two modules (SYMBOL_AMBIGUOUS). Reports an error if it is.
bool infer_is_ambiguous(const Scope *s, const Symbol *y, Span span);
bool infer_is_continuation_name(Sym name);

// --- uses.c --------------------------------------------------------------------------------------

/// Looks up the name of `e`, as infer_find_local and infer_find_symbol do, and records what it
/// means, if that is wanted (Modules.uses).
Local *infer_local_named(const Scope *s, const Ast *e);
Symbol *infer_symbol_named(const Scope *s, const Ast *e);
/// Records the meaning of the name at `at`: a symbol, or what is defined at `definition`.
void infer_record_symbol(const Infer *in, Span at, const Symbol *y);
void infer_record_place(const Infer *in, Span at, Span definition);
/// Records the type of an expression or a pattern.
void infer_record_type(const Infer *in, const Ast *e, Node *type);

// --- suggest.c -----------------------------------------------------------------------------------

/// Reports that nothing is called `name`, and suggests a similar name. `what` is a note that a type
/// is expected, or NULL. Returns the error, to which the caller may add help, or NULL if nothing
/// was reported because the error follows from another one.
Diag *infer_unknown_name(const Scope *s, Sym name, Span span, const char *what);
/// Adds a hint to `d` that names the library module from which to import `name`. Returns false if
/// no library module declares the name.
bool infer_suggest_import(const Scope *s, Diag *d, Sym name);
/// The library module whose name, with or without `std.`, is most similar to `name`, or NULL if
/// there is none.
Sym infer_near_module(Session *cx, Sym name);
/// Adds a hint that lists the library modules.
void infer_list_modules(Session *cx, Diag *d);
/// Adds a hint with the target whose name is most similar to `name`, if any, and with all targets.
void infer_suggest_target(Session *cx, Diag *d, Sym name);
/// Adds a hint for a name that the module `from` does not export: a similar name or, if there is
/// none, a list of all exports.
void infer_suggest_export(Infer *in, Diag *d, const Unit *from, Sym name);
/// Adds a hint with a similar name to an error ("did you mean").
void infer_suggest(const Scope *s, Diag *d, Sym name);
/// The same for a name in a schedule: a rule, a strategy, or one of `more`.
void infer_suggest_strategy(const Scope *s, Diag *d, Sym name, const Sym *more, int nmore);

// --- show_item.c ---------------------------------------------------------------------------------

/// Whether a diagnostic with this code has already been reported at this span. This prevents
/// repeated warnings about bodies that are inferred several times.
bool infer_is_reported(const Session *cx, DiagCode code, Span span);
const char *infer_show_item(Session *cx, const Item *item);

// --- signature.c ---------------------------------------------------------------------------------

Signature *infer_signature(Infer *in, const Symbol *y);
bool infer_declared_type(Infer *in, const Symbol *y);
Node *infer_const_size(Infer *in, const Symbol *y);
void infer_push_generics(Scope *s, const SigGeneric *generics, int n);
void infer_push_shapes(Scope *s, const Signature *sig);
/// What the generic stands for inside its function: a size or type variable, or SigGeneric.number.
Node *infer_generic_self(Session *cx, const SigGeneric *g);
bool infer_is_nat_type(Scope *s, const Ast *type);
void infer_check_entry(Infer *in, const Symbol *y);
void infer_check_extern(Infer *in, const Symbol *y);
/// Checks that a pattern with a body takes data and functions of data, and returns data.
void infer_check_pattern(Infer *in, const Symbol *y);

// --- types_of_syntax.c ---------------------------------------------------------------------------

bool infer_is_mode_type(const Ast *type); // whether the type is mode[t]
Node *infer_type(Scope *s, const Ast *e);
/// The address space of this name; "" is any.
Space infer_space(Scope *s, Sym name);
Node *infer_result_type(Scope *s, const Ast *e); // also accepts the type !
Node *infer_size(Scope *s, const Ast *e);        // NULL after an error
bool infer_where(Scope *s, const Ast *e, SizeChecks *out);
Node *infer_fresh(Scope *s, GenericKind kind);
Node *infer_replace(Session *cx, Node *e, const SigGeneric *generics, Node *const *with, int n);
/// Returns the generic arguments for these parameters: those in `given`, and unknowns for the
/// others. Returns NULL after an error.
Node **infer_generics(Scope *s, const Symbol *y, const SigGeneric *generics, int n, int nbracket,
                      const AstVec *given, Span span);

// --- shape.c -------------------------------------------------------------------------------------

/// A vector with room for n sizes.
Extents *infer_new_extents(Arena *arena, int n);
/// A vector of n copies of `size`, or NULL if `size` is NULL.
Extents *infer_repeated(Arena *arena, Node *size, int n);
/// Whether `e` can be read as a vector of sizes.
bool infer_is_extents(Scope *s, const Ast *e);
/// Whether `e` can be read as a size.
bool infer_is_size(Scope *s, const Ast *e);
/// Reads `e` as a vector of sizes. Returns NULL after an error.
Extents *infer_extents(Scope *s, const Ast *e);
/// The sizes listed by the kids of `e` from index `from` up to but excluding `to`. A kid ..v
/// contributes all sizes of v. Returns NULL after an error.
Extents *infer_listed_extents(Scope *s, const Ast *e, int from, int to);
/// Whether the expression consists of sizes, so that `let k: nat = ...` reads it as a size.
bool infer_consists_of_sizes(Scope *s, const Ast *e);
/// A size or a shape. Both members are NULL after an error.
typedef struct {
    Node *size;
    Extents *extents;
} Measure;
/// Whether the item is a function from sizes and shapes to a size or a shape (size_functions.c).
bool infer_is_size_function(const Item *item);
void infer_check_size_function(Infer *in, const Symbol *y);
/// Whether the expression calls such a function with arguments that can be read as sizes and
/// shapes. The function must return a shape if `shape` is true, and a size otherwise.
bool infer_is_size_call(Scope *s, const Ast *e, bool shape);
/// Evaluates such a call.
Measure infer_measure_call(Scope *s, const Ast *e);
/// Reads an `if` with two branches as a size. Returns NULL after an error.
Node *infer_size_of_if(Scope *s, const Ast *e);
/// The type [?n]t.
Node *infer_up_to(Infer *in, Node *n, Node *element);
/// Whether `e` is a size computed from a vector: v[0], rank(a), prod(v).
bool infer_is_size_of_vector(Scope *s, const Ast *e);
/// The value of a size that infer_is_size_of_vector accepts, or NULL after an error.
Node *infer_size_of_vector(Scope *s, const Ast *e);
/// The number of elements of an array of this shape.
Node *infer_product(Session *cx, const Extents *v);
/// Whether `e` compares a number with a rank, or with a parameter whose numbers are fixed in this
/// instance of a rank-polymorphic function because its types depend on them (Symbol.numbers). Such
/// a comparison is decided at compile time, and *holds is set to its result.
bool infer_is_decided(Scope *s, const Ast *e, bool *holds);
/// Records in `l`, an immutable local, the size or vector of sizes that its value is known to
/// equal, if any.
void infer_know(Scope *s, Local *l, const Ast *value);
Node *infer_extents_type(Session *cx, const Extents *v);
/// The lengths of an array type along its dimensions.
Extents *infer_dims(Scope *s, Node *type);
/// If the item has a condition `rank(s) == size`, where `s` is a shape in scope, returns the rank
/// of `s`, which is then the value of the size parameter. Returns NULL otherwise.
Node *infer_rank_of_size(Scope *s, const Item *item, Sym size);
/// The argument s if `e` is rank(s), or NULL.
const Ast *infer_asked_rank(const Ast *e);

// --- masked_functions.c --------------------------------------------------------------------------

/// Whether a call to the symbol prints in the compiled program.
bool infer_prints(const Session *cx, const Symbol *y);
/// Whether a function in SIMD mode contains scalar { }, prints, or calls a function that does. Its
/// masked version then has the mask of active lanes as a parameter.
bool infer_keeps_masks(Infer *in, const Symbol *y);

// --- parameters.c --------------------------------------------------------------------------------

/// The number of shape parameters of the item.
int infer_count_shapes(const Item *item);
bool infer_is_shape_kind(Sym kind);
bool infer_is_shape_type(const Ast *type); // whether it is `shape`, as in the parameter `v: shape`

// --- nested.c ------------------------------------------------------------------------------------

/// Declares the functions nested in the blocks of a body. The body belongs to `outer`, which is
/// NULL outside functions.
void infer_declare_nested(Infer *in, Unit *unit, const Symbol *outer, const Ast *body);
/// Brings the functions of a block into scope.
void infer_enter_nested(Scope *s, const Ast *block);
/// Brings into scope the functions that the nested function `y` can call.
void infer_enter_visible(Scope *s, const Symbol *y);
/// Records which names in the nested function `e` refer to variables of the enclosing body. A
/// nested function cannot use these, and the message about such a use says so.
void infer_capture(const Scope *s, const Ast *e);
/// Declares the generics of the enclosing function before those of `y` itself.
void infer_inherit(Scope *s, Signature *sig, const Symbol *y);
/// The argument for inherited generic k in a call to `y`, or NULL after an error.
Node *infer_inherited(Scope *s, const Symbol *y, int k, Span span);
/// Returns a copy of the unit in which the syntax of an item has notes of its own. The members of a
/// family (the instances of a rank-polymorphic function), and the functions nested in them, need
/// this, because the same syntax has different types in each.
Unit *infer_own_notes(Infer *in, const Unit *unit, const Item *item);

// --- lane_types.c --------------------------------------------------------------------------------

/// Returns `t` with each component that `is_lane` accepts replaced with a vector of `lanes` lanes,
/// except in members declared uniform. Returns NULL if some component cannot become a vector; if
/// `rest` is set, such components remain unchanged instead.
Node *infer_in_lanes(Infer *in, Node *t, Node *lanes, bool rest,
                     bool (*is_lane)(void *env, Node *t), void *env);
/// Whether `y` is an enum in which value number `part` of option number `option` is declared
/// uniform.
bool infer_part_stays(const Symbol *y, int option, int part);
/// The symbol of a struct or an enum, or NULL if the type is neither.
const Symbol *infer_struct_symbol(Infer *in, const Node *t);
/// Whether the type is a tuple, a struct or an array.
bool infer_is_compound(const Node *t);
/// Whether the type has a component that is not a vector, so that all lanes share its value.
bool infer_has_uniform(Node *t);

#endif
