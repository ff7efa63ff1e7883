// Writes vectors in GNU C: types (vec_type.c), expressions (vec.c), masks (vec_mask.c, vec_bits.c)
// and masked memory accesses (masked.c). Some operations become functions: operators that are
// computed lane by lane (vec_each.c), by a vector math library (vec_math.c) or by intrinsics
// (vec_machine.c), and casts (vec_convert.c, vec_cast.c).
#ifndef ADZE_EMIT_VEC_H
#define ADZE_EMIT_VEC_H

#include "emit/text/text.h"

// --- used by emit/code ---------------------------------------------------------------------------

void vec_expr(Emitter *e, Node *x, int min);
const char *vec_place(Emitter *e, Node *store); // the location that a vector store assigns
const char *vec_value(Emitter *e, Node *x);     // the value of a vector store
/// Writes the vector types and functions that the file uses.
void vec_write(Emitter *e, Text *out);
/// Finds the arrays accessed by vector loads or stores.
void vec_find_arrays(Emitter *e, Node *body);
/// Chooses the representation of mask locals: lanes as wide as the compared elements, or bit masks.
void vec_find_masks(Emitter *e, Node *body);
const char *vec_local_ctype(Emitter *e, Sym local, Node *type); // the C type of a vector local
const char *vec_local_value(Emitter *e, Sym local, Node *x);    // a value assigned to it
const char *vec_local_zero(const Emitter *e, Sym local);        // its zero initialiser
/// Whether all bits of the vector are 0.
bool vec_is_zero(Node *x);

void emit_masked_store(Emitter *e, Node *s);
void emit_of_mask(Emitter *e, Node *x, int min); // LOOP_ANY, LOOP_COUNT and LOOP_MASK_BITS
void emit_lane(Emitter *e, Node *x, int min);    // one lane of a vector
/// If the negation of LOOP_ANY has its own spelling, as for bit masks, writes it and returns true.
bool emit_of_no_lane(Emitter *e, Node *any, int min);

// vec_kernel.c: vectors in kernels, which are only loaded, stored, taken apart and put together.
/// The type of a vector.
const char *vec_kernel_type(Emitter *e, Node *type);
/// Writes a vector: a local, a load, or one of scalars.
void vec_kernel(Emitter *e, Node *x);
/// Writes a lane of a local, whose number is a constant.
void vec_kernel_lane(Emitter *e, Node *x);
void vec_kernel_store(Emitter *e, Node *store);

// Begins the definition of a function on vectors. C compilers must inline it, because otherwise
// they warn, in spite of the pragma, that the calling convention of vectors depends on the
// processor.
#define VECTOR_FUNCTION "static inline __attribute__((always_inline))\n"
/// Begins the definition of one that may be unused if the processor has suitable instructions.
#define VECTOR_FUNCTION_IF_USED "static inline __attribute__((always_inline, unused))\n"

// --- vec_type.c ---------------------------------------------------------------------------------

enum { MASK_SIZE = 1 }; // bytes per lane of a mask that is not the result of a comparison

int64_t vec_lanes(Node *type);
Scalar vec_element(Node *type);
bool vec_is_mask(Node *type);
bool vec_is_field(const Emitter *e, Scalar s); // whether it is a field element, in field mode
bool vec_is_half(const Emitter *e, Scalar s);  // whether it has half precision
int vec_size_of(const Emitter *e, Scalar s);   // the size of a scalar in bytes
int vec_lane_size(Emitter *e, Node *type);     // the size of the vector type's lanes in bytes

// Each of these functions returns the C name of a vector type, and declares it at first use.
const char *vec_ctype(Emitter *e, Node *type);                   // a vector in an expression
const char *vec_type_named(Emitter *e, Scalar s, int64_t lanes); // a vector of scalars `s`
const char *vec_mask_ctype(Emitter *e, int size, int64_t lanes); // a mask
Scalar vec_mask_lane(int size); // the integers in a mask with lanes of this size
const char *vec_memory_ctype(Emitter *e, Node *type); // a vector in memory
/// Registers the name of a type or function. Returns false if the file already has it.
bool vec_is_new(Emitter *e, const char *name);

// --- vec_each.c ---------------------------------------------------------------------------------

/// Returns a call to the function that computes an operator or cast lane by lane.
const char *vec_each_text(Emitter *e, Node *x);
/// The same for an operator on vectors of this type that are written as `a` and `b`; `b` is NULL if
/// the operator takes one.
const char *vec_each_named(Emitter *e, Prim op, Node *type, const char *a, const char *b);

// --- vec_integer.c ------------------------------------------------------------------------------

/// Returns the body of the function that computes an operator on integers by a formula of GNU C, or
/// NULL if there is none.
const char *vec_integer_body(Emitter *e, Node *x);

// --- vec_mask.c ---------------------------------------------------------------------------------

/// Writes a mask whose lanes are integers of `size` bytes.
void vec_mask(Emitter *e, Node *x, int size, int min);
const char *vec_mask_text(Emitter *e, Node *x, int size, int min);
/// Returns the size in bytes of the lanes in which the mask is computed.
int vec_mask_size(Emitter *e, Node *x);
/// Returns the mask that a declaration or assignment assigns to a local, or NULL.
Node *vec_assigned_mask(Node *stmt);
/// Returns the name of the function that selects between vectors of type `type` by a mask of type
/// `mask`.
const char *vec_selector(Emitter *e, const char *type, const char *mask);

// --- vec_bits.c ---------------------------------------------------------------------------------

/// Finds the mask locals that are bit masks, one bit per lane in a mask register.
void bits_find(Emitter *e, Node *body);
bool bits_is_local(const Emitter *e, Sym local);
/// Whether the mask is a bit mask.
bool bits_has(Emitter *e, Node *mask);
/// Whether the mask is a bit mask, and operations on vectors of this type take bit masks.
bool bits_takes(Emitter *e, Node *mask, Node *type);
const char *bits_text(Emitter *e, Node *mask, int min);
/// Writes a test of whether some lane is active or, if `some` is false, whether none is.
void bits_any(Emitter *e, Node *mask, bool some, int min);
/// Writes the value of the given lane.
void bits_lane(Emitter *e, Node *mask, const char *lane, int min);
const char *bits_ctype(Emitter *e, int64_t lanes);
/// Returns the name of the function that selects between vectors of a type by a bit mask.
const char *bits_selector(Emitter *e, Node *type);
/// Returns the name of the function that converts a bit mask to a mask with `size` bytes per lane.
const char *bits_lanes(Emitter *e, int size, int64_t lanes);

// --- vec.c --------------------------------------------------------------------------------------

/// Writes a shuffle of two vectors, given as C expressions.
void vec_shuffle(Emitter *e, Node *x, const char *a, const char *b);
/// Returns the C expression that loads a whole vector. It is a unary expression.
const char *vec_load_text(Emitter *e, Node *x);

// --- masked.c -----------------------------------------------------------------------------------

/// Returns the C expression for a masked load or a gather.
const char *masked_load_text(Emitter *e, Node *x);
/// Returns the C expression for a compressed or expanded vector. If it is a mask, its lanes get
/// `size` bytes each.
const char *masked_move_text(Emitter *e, Node *x, int size);

// --- vec_permute.c ------------------------------------------------------------------------------

/// Returns a call to the function that permutes lanes by numbers that are not constants.
const char *vec_permute_text(Emitter *e, Node *x);

// --- vec_math.c, vec_machine.c -------------------------------------------------------------------

/// Writes the body of a function on vectors a and b up to #else: a call to the vector math library.
/// Returns false if the library does not have the function.
bool vec_math_begin(Emitter *e, Node *x, Text *body);
/// Like vec_math_begin, but with an intrinsic. Returns false if there is none.
bool vec_machine_begin(Emitter *e, Node *x, Text *body);

// --- vec_convert.c ------------------------------------------------------------------------------

/// A vector expression converted to lanes of another scalar type: from an integer to any type, or
/// from a float to another or to an integer in whose range it is.
const char *vec_converted(Emitter *e, const char *text, Scalar from, Scalar to, int64_t lanes);

// --- vec_cast.c ---------------------------------------------------------------------------------

/// Whether a cast between these types is from floats to integers, and converts all lanes at once.
bool vec_cast_is_at_once(const Emitter *e, Scalar from, Scalar to);
/// Writes the function for such a cast.
void vec_cast_write(Emitter *e, const char *name, Node *x);
/// Emits a cast whose operand is known to be in range of the target type.
void vec_cast_in_range(Emitter *e, Node *x);
/// Whether the node casts consecutive 64-bit integers to floats.
bool vec_cast_is_row(Node *x);
/// Writes such a cast as a call to its conversion function.
void vec_cast_row(Emitter *e, Node *x);
/// Whether the node casts consecutive 64-bit integers to 32-bit ones.
bool vec_cast_is_low_row(Node *x);
/// Emits such a cast, computed in 32 bits: arithmetic modulo a power of two gives the same bits.
void vec_cast_low_row(Emitter *e, Node *x, int min);

#endif
