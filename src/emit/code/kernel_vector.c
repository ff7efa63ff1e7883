// Vectors in kernels: elements of global memory that are accessed together.
#include "emit/code/code.h"

const char *kernel_vector_type(Emitter *e, Node *type)
{
    Scalar s;
    int64_t lanes;
    bool known = type_is_vec(type, &lanes) && type_is_scalar(type_lane(type), &s);
    CHECK(e->cx, known, "a vector without a type");
    const char *name = arena_printf(e->arena, "%sx%lld", scalar_info[s].text, (long long)lanes);
    support_need(e, name);
    return name;
}

static void built(Emitter *e, Node *x)
{
    text_printf(e->out, "adze_%s(", kernel_vector_type(e, x->type));
    for (uint32_t i = 0; i < x->nops; i++)
        text_printf(e->out, "%s%s", i ? ", " : "", expr_text(e, x->op[i], PREC_TERNARY));
    text_put(e->out, ")");
}

void kernel_vector(Emitter *e, Node *x)
{
    switch ((int)x->kind) {
    case LOOP_VAR: text_put(e->out, names_use(e, x->attr.sym)); return;
    case LOOP_LOAD:
        text_printf(e->out, "adze_load_%s(&%s)", kernel_vector_type(e, x->type),
                    place_text(e, x->attr.sym, x->op[0]));
        return;
    case LOOP_BUILD_VECTOR: built(e, x); return;
    default: CHECK(e->cx, false, "%s is not a vector of a kernel", kind_info[x->kind].text);
    }
}

void kernel_lane(Emitter *e, Node *x)
{
    int64_t lane;
    bool known = x->op[0]->kind == LOOP_VAR && nat_is_const(x->op[1], &lane) && lane < 4;
    CHECK(e->cx, known, "a lane of a kernel's vector that is not known");
    text_printf(e->out, "%s.%c", names_use(e, x->op[0]->attr.sym), "xyzw"[lane]);
}

void kernel_vector_store(Emitter *e, Node *store)
{
    Node *x = store->op[1];
    emit_line(e, "adze_store_%s(&%s, %s);", kernel_vector_type(e, x->type),
              place_text(e, store->attr.sym, store->op[0]), expr_text(e, x, PREC_TERNARY));
}
