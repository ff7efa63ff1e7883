// Converts values and arrays to and from the flat buffers of compiled code: one row-major buffer
// for each scalar leaf of a type.
#include "driver/values/values.h"

#include <string.h>

#include "adze_support.h"

_Static_assert(SCALAR_COUNT == (int)ADZE_TYPE_COUNT, "scalar.def and ADZE_TYPES differ");
_Static_assert(SCALAR_BOOL == (int)ADZE_BOOL && SCALAR_I8 == (int)ADZE_I8 &&
                   SCALAR_I64 == (int)ADZE_I64 && SCALAR_U8 == (int)ADZE_U8 &&
                   SCALAR_F16 == (int)ADZE_F16 && SCALAR_F64 == (int)ADZE_F64,
               "scalar.def and ADZE_TYPES differ in order");

Scalar array_scalar(const AdzeArray *a)
{
    return (Scalar)a->type;
}

// --- scalars ------------------------------------------------------------------------------------

/// One element as C stores it.
typedef union {
    int8_t i8;
    int16_t i16;
    int32_t i32;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    adze_f16 f16;
    float f32;
    double f64;
} Cell;

static void store(const AdzeArray *leaf, int64_t at, uint64_t bits)
{
    Scalar s = array_scalar(leaf);
    size_t size = (size_t)scalar_info[s].size;
    Cell c = {.u64 = 0};
    switch (s) {
    case SCALAR_BOOL:
    case SCALAR_I8:
    case SCALAR_U8: c.u8 = (uint8_t)bits; break;
    case SCALAR_I16:
    case SCALAR_U16: c.u16 = (uint16_t)bits; break;
    case SCALAR_I32:
    case SCALAR_U32: c.u32 = (uint32_t)bits; break;
    case SCALAR_I64:
    case SCALAR_U64: c.u64 = bits; break;
    case SCALAR_F16: c.u16 = (uint16_t)float_to_bits(s, bits); break;
    case SCALAR_F32: c.u32 = (uint32_t)float_to_bits(s, bits); break;
    case SCALAR_F64: c.u64 = bits; break;
    case SCALAR_COUNT: break;
    }
    memcpy((char *)leaf->data + (size_t)at * size, &c, size);
}

static uint64_t fetch(const AdzeArray *leaf, int64_t at)
{
    Scalar s = array_scalar(leaf);
    size_t size = (size_t)scalar_info[s].size;
    Cell c = {.u64 = 0};
    memcpy(&c, (const char *)leaf->data + (size_t)at * size, size);
    switch (s) {
    case SCALAR_BOOL: return c.u8 != 0;
    case SCALAR_I8: return (uint64_t)c.i8;
    case SCALAR_U8: return c.u8;
    case SCALAR_I16: return (uint64_t)c.i16;
    case SCALAR_U16: return c.u16;
    case SCALAR_I32: return (uint64_t)c.i32;
    case SCALAR_U32: return c.u32;
    case SCALAR_I64:
    case SCALAR_U64: return c.u64;
    case SCALAR_F16: return float_from_bits(s, c.u16);
    case SCALAR_F32: return float_from_bits(s, c.u32);
    case SCALAR_F64: return c.u64;
    case SCALAR_COUNT: break;
    }
    return 0;
}

// --- values -------------------------------------------------------------------------------------

int type_leaves(Node *type)
{
    if (type->kind == TYPE_SCALAR || type->kind == TYPE_IDX) return 1;
    if (type_has_elements(type)) return type_leaves(type->op[1]);
    int n = 0;
    for (uint32_t i = 0; i < type->nops; i++) n += type_leaves(type->op[i]);
    return n;
}

// Stores `v`, which is the element of the enclosing arrays at the row-major position `at`, in the
// leaves starting at `leaf`.
static void pack(const Value *v, Node *type, AdzeArray *leaf, int64_t at)
{
    if (type->kind == TYPE_SCALAR || type->kind == TYPE_IDX) {
        store(leaf, at, v->bits);
        return;
    }
    for (int64_t i = 0; i < v->count; i++) {
        if (type_has_elements(type)) {
            pack(&v->parts[i], type->op[1], leaf, at * v->count + i);
        } else {
            pack(&v->parts[i], type->op[i], leaf, at);
            leaf += type_leaves(type->op[i]);
        }
    }
}

const char *array_text(Session *cx, const AdzeArray *a)
{
    char text[ADZE_MAX_RANK * 22 + 8];
    adze_array_type_text(a, text, sizeof text);
    return arena_printf(cx->arena, "%s", text);
}

void leaves_pack(const Value *v, Node *type, AdzeArray *leaves)
{
    pack(v, type, leaves, 0);
}

static Value unpack(Arena *arena, Node *type, const AdzeArray *leaf, int64_t at, int64_t limit)
{
    if (type->kind == TYPE_SCALAR || type->kind == TYPE_IDX)
        return (Value){.bits = fetch(leaf, at)};
    bool array = type_has_elements(type);
    Value v = {.count = type->nops};
    if (array && (!nat_is_const(type->op[0], &v.count) || v.count < 0)) v.count = 0;
    int64_t n = array && limit >= 0 && limit < v.count ? limit : v.count;
    v.parts = ARENA_ARRAY(arena, Value, n + 1);
    for (int64_t i = 0; i < n; i++) {
        if (array) {
            v.parts[i] = unpack(arena, type->op[1], leaf, at * v.count + i, limit);
        } else {
            v.parts[i] = unpack(arena, type->op[i], leaf, at, limit);
            leaf += type_leaves(type->op[i]);
        }
    }
    return v;
}

Value leaves_unpack(Arena *arena, Node *type, const AdzeArray *leaves, int64_t limit)
{
    return unpack(arena, type, leaves, 0, limit);
}

void leaves_trim(Node *type, AdzeArray *leaves)
{
    if (type_is_up_to(type)) {
        const int64_t *count = leaves[0].data;
        for (int i = 1; i < type_leaves(type); i++) leaves[i].shape[0] = *count;
        return;
    }
    for (uint32_t i = 0; type->kind == TYPE_TUPLE && i < type->nops; i++) {
        leaves_trim(type->op[i], leaves);
        leaves += type_leaves(type->op[i]);
    }
}

Node *array_type(Session *cx, const AdzeArray *a)
{
    Node *t = type_scalar(cx, array_scalar(a));
    for (int k = a->rank; k-- > 0;) t = type_array(cx, nat_const(cx, a->shape[k]), t);
    return t;
}

// --- buffers ------------------------------------------------------------------------------------

typedef struct {
    const LoopEntry *entry;
    const int64_t *sizes;
} SizeEnv;

static bool size_of_name(Node *atom, int64_t *value, void *env)
{
    const SizeEnv *s = env;
    for (int i = 0; i < s->entry->sizes.len; i++) {
        if (atom->kind != NAT_VAR || atom->attr.sym != s->entry->sizes.at[i]) continue;
        *value = s->sizes[i];
        return true;
    }
    return false;
}

// Computes the shape of a leaf. A negative size counts as 0, since the entry rejects it. Returns
// false on overflow.
static bool leaf_shape(const LoopParam *p, SizeEnv *env, int *rank, int64_t *shape)
{
    *rank = p->rank <= ADZE_MAX_RANK ? p->rank : 1;
    for (int k = 0; k < *rank; k++) {
        Node *size = p->rank <= ADZE_MAX_RANK ? p->dims[k] : p->count;
        if (!nat_eval(size, size_of_name, env, &shape[k])) return false;
        if (shape[k] < 0) shape[k] = 0;
    }
    return true;
}

bool leaves_alloc(Session *cx, const LoopEntry *e, const int64_t *sizes, bool outputs,
                  AdzeArray *leaves, Outcome *o)
{
    SizeEnv env = {e, sizes};
    *o = (Outcome){.ok = true};
    for (int i = 0; i < e->params.len; i++) {
        const LoopParam *p = &e->params.at[i];
        int64_t shape[ADZE_MAX_RANK], count;
        int rank;
        AdzeError error;
        if (p->output != outputs) continue;
        if (!leaf_shape(p, &env, &rank, shape) ||
            (p->rank && !nat_eval(p->count, size_of_name, &env, &count)))
            *o = (Outcome){.code = E0607,
                           .span = e->span,
                           .text = arena_printf(cx->arena,
                                                "%s has more elements than 64 bits can count",
                                                p->name->text)};
        else if (!adze_array_alloc(&leaves[i], (AdzeType)p->scalar, rank, shape, &error))
            *o = (Outcome){.code = E0606,
                           .span = e->span,
                           .text = arena_printf(cx->arena, "%s: %s", p->name->text, error.text)};
        if (!o->ok) return false;
    }
    return true;
}

void leaves_free(AdzeArray *leaves, int n)
{
    for (int i = 0; i < n; i++) adze_array_free(&leaves[i]);
}

// Allocates the leaves of `type`, and advances *leaf past them. `dims` are the `rank` dimensions of
// the enclosing arrays.
static bool alloc_leaves(Session *cx, Node *type, int64_t *dims, int rank, AdzeArray **leaf)
{
    AdzeError error;
    if (type_has_elements(type)) {
        // dimensions beyond ADZE_MAX_RANK are multiplied into the last one
        int64_t n = 0, last = rank < ADZE_MAX_RANK ? 1 : dims[--rank];
        nat_is_const(type->op[0], &n);
        dims[rank] = __builtin_mul_overflow(n, last, &n) ? INT64_MAX : n;
        return alloc_leaves(cx, type->op[1], dims, rank + 1, leaf);
    }
    bool good = true;
    if (type->kind == TYPE_TUPLE || type->kind == TYPE_STRUCT) {
        for (uint32_t i = 0; good && i < type->nops; i++)
            good = alloc_leaves(cx, type->op[i], dims, rank, leaf);
        return good;
    }
    Scalar s = SCALAR_I64;
    type_is_scalar(type, &s);
    good = adze_array_alloc((*leaf)++, (AdzeType)s, rank, dims, &error);
    if (!good) diag_error(cx, E0606, NO_SPAN, "the result: %s", error.text);
    return good;
}

bool type_alloc_leaves(Session *cx, Node *type, AdzeArray *leaves)
{
    int64_t dims[ADZE_MAX_RANK];
    return alloc_leaves(cx, type, dims, 0, &leaves);
}
