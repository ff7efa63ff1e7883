// Inside vectors of C: types (vec_type.c), expressions (vec.c), masks (vec_mask.c, vec_bits.c),
// memory of some lanes (masked.c), and what is a function: operators lane by lane (vec_each.c),
// those of a library (vec_math.c) and of machines (vec_machine.c), casts (vec_cast.c).
#ifndef ADZE_EMIT_VEC_H
#define ADZE_EMIT_VEC_H

#include "emit/text/text.h"

// --- what other folders use ----------------------------------------------------------------------

// Vectors, as others see them (vec.h has what is inside). The type of a local; a vector as an
// expression; what a store of one assigns to, and what; types and functions of the file.
const char *vec_ctype(Emitter *e, Node *type);
void vec_expr(Emitter *e, Node *x, int min);
const char *vec_place(Emitter *e, Node *store);
const char *vec_value(Emitter *e, Node *x);
void vec_write(Emitter *e, Text *out);
void vec_find_arrays(Emitter *e, Node *body); // those that vectors are loaded from and stored to
/// How wide the lanes of masks are in locals: as wide as what is compared; which locals are bits.
void vec_find_masks(Emitter *e, Node *body);
const char *vec_local_ctype(Emitter *e, Sym local, Node *type);
const char *vec_local_value(Emitter *e, Sym local, Node *x);
const char *vec_local_zero(const Emitter *e, Sym local); // of a declaration
bool vec_is_zero(Node *x);                               // whether all its bits are 0

// What lanes do with masks: memory of some of them, whether there is one, a single lane.
void emit_masked_store(Emitter *e, Node *s);
void emit_of_mask(Emitter *e, Node *x, int min); // whether a lane has it, how many do
/// Whether no lane has it, where that has a spelling of its own: if so, it is written.
bool emit_of_no_lane(Emitter *e, Node *any, int min);
void emit_lane(Emitter *e, Node *x, int min);

// How a function on vectors begins. C compilers have no choice whether to inline it: they would
// tell, in spite of the pragma, how they pass vectors that the machine does not have.
#define VECTOR_FUNCTION "static inline __attribute__((always_inline))\n"
/// Of masks: others may call it only where the machine has no instruction for what they do.
#define MASK_FUNCTION "static inline __attribute__((always_inline, unused))\n"

// --- vec_type.c ---------------------------------------------------------------------------------

enum { MASK_SIZE = 1 }; // bytes of a lane of a mask where nothing was compared

int64_t vec_lanes(Node *type);
Scalar vec_element(Node *type);
bool vec_is_mask(Node *type);
bool vec_is_field(const Emitter *e, Scalar s); // whether such numbers are elements of a field
bool vec_is_half(const Emitter *e, Scalar s);
/// Bytes of such a number; of a lane of a vector of this type.
int vec_size_of(const Emitter *e, Scalar s);
int vec_lane_size(Emitter *e, Node *type);

/// Types by their name in C, declared when they are first asked for: of numbers; of masks whose
/// lanes have so many bytes; of what is in memory.
const char *vec_type_named(Emitter *e, Scalar s, int64_t lanes);
const char *vec_mask_ctype(Emitter *e, int size, int64_t lanes);
const char *vec_memory_ctype(Emitter *e, Node *type);
/// Whether the file has no such type or function yet; now it has.
bool vec_is_new(Emitter *e, const char *name);

// --- vec_each.c ---------------------------------------------------------------------------------

/// A call of the function that does this operator or cast lane by lane.
void vec_each_lane(Emitter *e, Node *x);

// --- vec_mask.c ---------------------------------------------------------------------------------

/// Truth values of lanes as integers of so many bytes.
void vec_mask(Emitter *e, Node *x, int size, int min);
const char *vec_mask_text(Emitter *e, Node *x, int size, int min);
/// Bytes of a lane where the mask is made, 0: any.
int vec_mask_size(Emitter *e, Node *x);
/// The function that selects vectors of a type by masks of a type.
const char *vec_selector(Emitter *e, const char *type, const char *mask);

// --- vec_bits.c ---------------------------------------------------------------------------------

/// Finds the locals that are masks of bits, a bit for each lane in a register of the machine.
void bits_find(Emitter *e, Node *body);
bool bits_is_local(const Emitter *e, Sym local);
/// Whether a mask is one of bits; and what it is for is vectors of a type that take these.
bool bits_has(Emitter *e, Node *mask);
bool bits_takes(Emitter *e, Node *mask, Node *type);
/// Such a mask, its type, the function that selects vectors of a type by one, and that which makes
/// of one a mask whose lanes have so many bytes.
const char *bits_text(Emitter *e, Node *mask, int min);
void bits_any(Emitter *e, Node *mask, bool some, int min); // whether some lane has it, or none
void bits_lane(Emitter *e, Node *mask, const char *lane, int min); // of this number, a text
const char *bits_ctype(Emitter *e, int64_t lanes);
const char *bits_selector(Emitter *e, Node *type);
const char *bits_lanes(Emitter *e, int size, int64_t lanes);

// --- vec.c --------------------------------------------------------------------------------------

/// A shuffle of two vectors that are spelled so.
void vec_shuffle(Emitter *e, Node *x, const char *a, const char *b);

// --- masked.c -----------------------------------------------------------------------------------

const char *masked_load_text(Emitter *e, Node *x);
/// Lanes that a mask moves; of masks whose lanes have so many bytes.
const char *masked_move_text(Emitter *e, Node *x, int size);

// --- vec_math.c ---------------------------------------------------------------------------------

/// The body of a function of vectors a, b as far as a library does it, up to #else; false: there is
/// none that does.
bool vec_math_begin(Emitter *e, Node *x, Text *body);

// --- vec_machine.c ------------------------------------------------------------------------------

/// The same by an instruction of the machine.
bool vec_machine_begin(Emitter *e, Node *x, Text *body);

// --- vec_cast.c ---------------------------------------------------------------------------------

/// Casts of vectors of floats to integers: whether all lanes are done at once, and the function
/// that does it.
bool vec_cast_is_at_once(const Emitter *e, Scalar from, Scalar to);
void vec_cast_write(Emitter *e, const char *name, Node *x);
/// Emits a cast whose operand is known to be in range of the target type.
void vec_cast_in_range(Emitter *e, Node *x);
/// A cast of numbers of 64 bits that are one more from lane to lane to floats: whether it is one,
/// and a call of the function that does it, which is written where there is none yet.
bool vec_cast_is_row(Node *x);
void vec_cast_row(Emitter *e, Node *x);

#endif
