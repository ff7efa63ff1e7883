// Vectors of GNU C: types (vec_type.c), expressions (vec.c), masks (vec_mask.c, vec_bits.c), masked
// memory (masked.c), and operations that are functions: operators lane by lane (vec_each.c), of a
// vector math library (vec_math.c), of intrinsics (vec_machine.c), and casts (vec_cast.c).
#ifndef ADZE_EMIT_VEC_H
#define ADZE_EMIT_VEC_H

#include "emit/text/text.h"

// --- used by emit/code ---------------------------------------------------------------------------

/// Writes a vector as an expression; the location that a vector store assigns, and its value.
void vec_expr(Emitter *e, Node *x, int min);
const char *vec_place(Emitter *e, Node *store);
const char *vec_value(Emitter *e, Node *x);
/// Writes the vector types and functions that the file uses.
void vec_write(Emitter *e, Text *out);
/// Finds the arrays with vector loads or stores.
void vec_find_arrays(Emitter *e, Node *body);
/// Chooses the representation of mask locals: lanes as wide as the compared elements, or bit masks.
void vec_find_masks(Emitter *e, Node *body);
/// The C type, an assigned value, and the zero initialiser of a vector local.
const char *vec_local_ctype(Emitter *e, Sym local, Node *type);
const char *vec_local_value(Emitter *e, Sym local, Node *x);
const char *vec_local_zero(const Emitter *e, Sym local);
/// Whether all bits of the vector are 0.
bool vec_is_zero(Node *x);

/// Emits a masked store; whether any lane of a mask is active, or the number of active lanes; one
/// lane of a vector.
void emit_masked_store(Emitter *e, Node *s);
void emit_of_mask(Emitter *e, Node *x, int min);
void emit_lane(Emitter *e, Node *x, int min);
/// Writes the negation of LOOP_ANY and returns true if it has a spelling of its own, as for bit
/// masks.
bool emit_of_no_lane(Emitter *e, Node *any, int min);

// The head of a function on vectors. C compilers must inline it, because otherwise they warn, in
// spite of the pragma, that the calling convention of vectors depends on the processor.
#define VECTOR_FUNCTION "static inline __attribute__((always_inline))\n"
/// The same for functions of masks, which may be unused on processors with suitable instructions.
#define MASK_FUNCTION "static inline __attribute__((always_inline, unused))\n"

// --- vec_type.c ---------------------------------------------------------------------------------

enum { MASK_SIZE = 1 }; // bytes per lane of a mask that is not the result of a comparison

int64_t vec_lanes(Node *type);
Scalar vec_element(Node *type);
bool vec_is_mask(Node *type);
/// Whether a scalar type is a field element (of exact tests); half precision.
bool vec_is_field(const Emitter *e, Scalar s);
bool vec_is_half(const Emitter *e, Scalar s);
/// Bytes of a scalar; of a lane of the vector type.
int vec_size_of(const Emitter *e, Scalar s);
int vec_lane_size(Emitter *e, Node *type);

/// Names of types in C, which are declared at first use: of a vector in an expression; of scalars
/// `s`; of a mask with `size` bytes per lane; of a vector in memory.
const char *vec_ctype(Emitter *e, Node *type);
const char *vec_type_named(Emitter *e, Scalar s, int64_t lanes);
const char *vec_mask_ctype(Emitter *e, int size, int64_t lanes);
const char *vec_memory_ctype(Emitter *e, Node *type);
/// Registers the name of a type or function; false if the file already has it.
bool vec_is_new(Emitter *e, const char *name);

// --- vec_each.c ---------------------------------------------------------------------------------

/// A call of the function that computes an operator or cast lane by lane.
const char *vec_each_text(Emitter *e, Node *x);

// --- vec_mask.c ---------------------------------------------------------------------------------

/// A mask whose lanes are integers of `size` bytes.
void vec_mask(Emitter *e, Node *x, int size, int min);
const char *vec_mask_text(Emitter *e, Node *x, int size, int min);
/// Bytes per lane with which the mask is computed.
int vec_mask_size(Emitter *e, Node *x);
/// The mask that a declaration or assignment gives a local, or NULL.
Node *vec_assigned_mask(Node *stmt);
/// The function that selects between vectors of a type by masks of a type.
const char *vec_selector(Emitter *e, const char *type, const char *mask);

// --- vec_bits.c ---------------------------------------------------------------------------------

/// Finds the mask locals that are bit masks, one bit per lane in a mask register.
void bits_find(Emitter *e, Node *body);
bool bits_is_local(const Emitter *e, Sym local);
/// Whether the mask is a bit mask; whether it is one and vectors of this type take bit masks.
bool bits_has(Emitter *e, Node *mask);
bool bits_takes(Emitter *e, Node *mask, Node *type);
/// A bit mask; whether some lane is active, or, if `some` is false, whether none is; the lane of
/// this number.
const char *bits_text(Emitter *e, Node *mask, int min);
void bits_any(Emitter *e, Node *mask, bool some, int min);
void bits_lane(Emitter *e, Node *mask, const char *lane, int min);
/// The type of bit masks; the function that selects between vectors of a type by a bit mask; the
/// function that converts a bit mask to a mask of `size` bytes per lane.
const char *bits_ctype(Emitter *e, int64_t lanes);
const char *bits_selector(Emitter *e, Node *type);
const char *bits_lanes(Emitter *e, int size, int64_t lanes);

// --- vec.c --------------------------------------------------------------------------------------

/// A shuffle of two vectors, given as texts.
void vec_shuffle(Emitter *e, Node *x, const char *a, const char *b);
/// A load of a whole vector, an operand of `*`.
const char *vec_load_text(Emitter *e, Node *x);

// --- masked.c -----------------------------------------------------------------------------------

/// A masked load or a gather.
const char *masked_load_text(Emitter *e, Node *x);
/// A compressed or expanded vector; of masks with `size` bytes per lane.
const char *masked_move_text(Emitter *e, Node *x, int size);

// --- vec_math.c, vec_machine.c -------------------------------------------------------------------

/// Writes the body of a function of vectors a, b by a call of a vector math library, or by an
/// intrinsic, up to #else; false if the operator has none.
bool vec_math_begin(Emitter *e, Node *x, Text *body);
bool vec_machine_begin(Emitter *e, Node *x, Text *body);

// --- vec_cast.c ---------------------------------------------------------------------------------

/// Whether casts from floats to integers convert all lanes at once; writes the function.
bool vec_cast_is_at_once(const Emitter *e, Scalar from, Scalar to);
void vec_cast_write(Emitter *e, const char *name, Node *x);
/// Emits a cast whose operand is known to be in range of the target type.
void vec_cast_in_range(Emitter *e, Node *x);
/// Whether the node casts consecutive 64-bit integers to floats; writes such a cast as a call of
/// its conversion function.
bool vec_cast_is_row(Node *x);
void vec_cast_row(Emitter *e, Node *x);

#endif
