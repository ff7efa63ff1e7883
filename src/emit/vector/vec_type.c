// Vectors as GNU C vector types: adze_f32x8 has 8 lanes of float. The types are aligned like their
// elements, as arrays in memory are. C compilers split vectors that are wider than the processor's.
#include "emit/vector/vec.h"

#include "base/target/cpu.h"

int64_t vec_lanes(Node *type)
{
    int64_t lanes = 0;
    type_is_vec(type, &lanes);
    return lanes;
}

Scalar vec_element(Node *type)
{
    return emit_scalar_of(type_lane(type));
}

bool vec_is_field(const Emitter *e, Scalar s)
{
    return e->options->field && scalar_info[s].class == CLASS_FLOAT;
}

int vec_size_of(const Emitter *e, Scalar s)
{
    return vec_is_field(e, s) ? 8 : scalar_info[s].size;
}

bool vec_is_mask(Node *type)
{
    return vec_element(type) == SCALAR_BOOL;
}

bool vec_is_half(const Emitter *e, Scalar s)
{
    return s == SCALAR_F16 && !vec_is_field(e, s);
}

// --- types --------------------------------------------------------------------------------------

bool vec_is_new(Emitter *e, const char *name)
{
    Sym sym = session_sym(e->cx, name);
    if (map_get(&e->vectors, MAP_KEY(sym))) return false;
    map_put(&e->vectors, MAP_KEY(sym), e);
    return true;
}

const char *vec_type_named(Emitter *e, Scalar s, int64_t lanes)
{
    const char *name =
        arena_printf(e->arena, "adze_%sx%lld", scalar_info[s].text, (long long)lanes);
    if (!vec_is_new(e, name)) return name;
    int size = vec_size_of(e, s);
    if (vec_is_field(e, s)) support_need(e, "field");
    text_printf(&e->vector_types,
                "typedef %s %s __attribute__((vector_size(%lld), aligned(%d), may_alias));\n",
                emit_ctype(e, s), name, (long long)size * lanes, size);
    return name;
}

Scalar vec_mask_lane(int size)
{
    static const Scalar by_size[] = {
        [1] = SCALAR_I8, [2] = SCALAR_I16, [4] = SCALAR_I32, [8] = SCALAR_I64};
    return by_size[size];
}

const char *vec_mask_ctype(Emitter *e, int size, int64_t lanes)
{
    return vec_type_named(e, vec_mask_lane(size), lanes);
}

const char *vec_ctype(Emitter *e, Node *type)
{
    return vec_is_mask(type) ? vec_mask_ctype(e, MASK_SIZE, vec_lanes(type))
                             : vec_type_named(e, vec_element(type), vec_lanes(type));
}

const char *vec_memory_ctype(Emitter *e, Node *type)
{
    return vec_is_mask(type) ? vec_type_named(e, SCALAR_U8, vec_lanes(type)) : vec_ctype(e, type);
}

int vec_lane_size(Emitter *e, Node *type)
{
    return vec_size_of(e, vec_element(type));
}

// --- arrays -------------------------------------------------------------------------------------

static Walk find_array(Node *n, void *env)
{
    Emitter *e = env;
    if (kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return WALK_OVER;
    Node *type = loops_is_load(n) ? n->type : loops_is_store(n) ? n->op[1]->type : NULL;
    if (type && type->kind == TYPE_VEC) map_put(&e->in_vectors, MAP_KEY(n->attr.sym), e);
    return WALK_INTO;
}

void vec_find_arrays(Emitter *e, Node *body)
{
    Map seen = map_new(e->arena);
    e->in_vectors = map_new(e->arena);
    node_walk_once(&seen, body, find_array, e);
}

// --- the file ------------------------------------------------------------------------------------

void vec_write(Emitter *e, Text *out)
{
    if (e->vectors.len == 0) return;
    text_printf(
        out,
        "\n// Vectors of up to %d bytes, for %s: processors with shorter vectors are slow with "
        "these;\n// compile for them with adze build --cpu. The pragma disables a warning of C "
        "compilers about the\n// calling convention of vectors, which functions that are inlined "
        "do not depend on.\n#pragma GCC diagnostic ignored \"-Wpsabi\"\n",
        (int)e->cx->vector_bytes, e->cx->cpu->name);
    if (e->intrinsics) text_put(out, "#if defined __SSE2__\n#include <immintrin.h>\n#endif\n");
    text_put(out, text_get(&e->vector_types));
    text_put(out, text_get(&e->vector_functions));
}
