// Vectors in kernels: elements of memory that are accessed together.
#include "emit/vector/vec.h"

// The vectors of OpenCL and CUDA, without their numbers of lanes.
static const char *const vectors[SCALAR_COUNT] = {
    [SCALAR_I8] = "char",    [SCALAR_U8] = "uchar",   [SCALAR_I16] = "short",
    [SCALAR_U16] = "ushort", [SCALAR_F16] = "ushort", [SCALAR_I32] = "int",
    [SCALAR_U32] = "uint",   [SCALAR_F32] = "float",  [SCALAR_I64] = "long",
    [SCALAR_U64] = "ulong",  [SCALAR_F64] = "double",
};

const char *vec_kernel_type(Emitter *e, Node *type)
{
    Scalar s;
    int64_t lanes;
    bool known = type_is_vec(type, &lanes) && type_is_scalar(type_lane(type), &s);
    CHECK(e->cx, known && vectors[s], "a vector that kernels do not have");
    const char *element = emit_ctype(e, s);
    if (e->options->field && type_is_float(type_lane(type))) s = SCALAR_U64; // field elements
    const char *name = arena_printf(e->arena, "%sx%lld", scalar_info[s].text, (long long)lanes);
    bool wide = scalar_info[s].size * lanes > 16 && e->kernel == DEVICE_CUDA;
    support_need(e, "vectors");
    if (vec_is_new(e, name))
        text_printf(&e->vector_types, "ADZE_VECTOR_%lld(%s, %s, %s%s%lld)\n", (long long)lanes,
                    name, element, wide ? "adze_" : "", vectors[s], (long long)lanes);
    return name;
}

// A vector in the memory of a group, where it is aligned.
static const char *shared_text(Emitter *e, Sym name, const char *type, Node *position)
{
    return arena_printf(e->arena, "*(local_space %s *)&%s", type, place_text(e, name, position));
}

static bool is_shared(const Emitter *e, Sym name)
{
    return map_get(&e->shared, MAP_KEY(name)) != NULL;
}

static void load(Emitter *e, Node *x)
{
    const char *type = vec_kernel_type(e, x->type);
    if (is_shared(e, x->attr.sym))
        text_put(e->out, shared_text(e, x->attr.sym, type, x->op[0]));
    else
        text_printf(e->out, "adze_load_%s(&%s)", type, place_text(e, x->attr.sym, x->op[0]));
}

static void built(Emitter *e, Node *x)
{
    text_printf(e->out, "adze_%s(", vec_kernel_type(e, x->type));
    for (uint32_t i = 0; i < x->nops; i++)
        text_printf(e->out, "%s%s", i ? ", " : "", expr_text(e, x->op[i], PREC_TERNARY));
    text_put(e->out, ")");
}

void vec_kernel(Emitter *e, Node *x)
{
    switch ((int)x->kind) {
    case LOOP_VAR: text_put(e->out, names_use(e, x->attr.sym)); return;
    case LOOP_LOAD: load(e, x); return;
    case LOOP_BUILD_VECTOR: built(e, x); return;
    default: CHECK(e->cx, false, "%s is not a vector of a kernel", kind_info[x->kind].text);
    }
}

void vec_kernel_lane(Emitter *e, Node *x)
{
    int64_t lane;
    bool known = x->op[0]->kind == LOOP_VAR && nat_is_const(x->op[1], &lane) && lane < 4;
    CHECK(e->cx, known, "a lane of a kernel's vector that is not known");
    text_printf(e->out, "%s.%c", names_use(e, x->op[0]->attr.sym), "xyzw"[lane]);
}

void vec_kernel_store(Emitter *e, Node *store)
{
    Node *x = store->op[1];
    const char *type = vec_kernel_type(e, x->type), *value = expr_text(e, x, PREC_TERNARY);
    if (is_shared(e, store->attr.sym))
        emit_line(e, "%s = %s;", shared_text(e, store->attr.sym, type, store->op[0]), value);
    else
        emit_line(e, "adze_store_%s(&%s, %s);", type, place_text(e, store->attr.sym, store->op[0]),
                  value);
}
