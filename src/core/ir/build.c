// Builders for Core terms. The type of a term comes from the typing rule of its kind. Sizes that
// must agree may still differ, because inference records such differences as checks.
#include "core/ir/core.h"

static Node *make(Session *cx, NodeSpec *s)
{
    const char *why = NULL;
    s->type = core_type_rule(cx, s, false, &why);
    CHECK(cx, s->type, "%s", why);
    return node_make(cx, s);
}

Node *core_var(Session *cx, int index, Node *type)
{
    return make(cx, &(NodeSpec){.kind = CORE_VAR, .attr.i = index, .type = type});
}

Node *core_lam(Session *cx, int nparams, Node *const *param_types, const Sym *names, Node *body)
{
    return make(cx,
                &(NodeSpec){.kind = CORE_LAM,
                            .attr.i = nparams,
                            .nops = 1,
                            .ops = &body,
                            .names = names && nparams > 0 ? node_names(cx, names, nparams) : NULL,
                            .type = type_fun(cx, nparams, param_types, body->type)});
}

Node *core_app(Session *cx, Node *fun, int nargs, Node *const *args)
{
    Node **ops = ARENA_ARRAY(cx->arena, Node *, nargs + 1);
    ops[0] = fun;
    for (int i = 0; i < nargs; i++) ops[i + 1] = args[i];
    return core_pattern(cx, CORE_APP, 0, nargs + 1, ops);
}

Node *core_global(Session *cx, Sym name, int ngenerics, Node *const *generics, Node *type)
{
    return make(cx, &(NodeSpec){.kind = CORE_GLOBAL,
                                .attr.sym = name,
                                .type = type,
                                .nops = ngenerics,
                                .ops = generics});
}

// A list with the name of one variable, or NULL if the variable has no name.
static const Sym *name_hint(Session *cx, Sym name)
{
    return name ? node_names(cx, &name, 1) : NULL;
}

Node *core_let(Session *cx, Sym name, Node *value, Node *body)
{
    return make(cx, &(NodeSpec){.kind = CORE_LET,
                                .nops = 2,
                                .ops = (Node *[]){value, body},
                                .names = name_hint(cx, name)});
}

Node *core_int(Session *cx, Node *scalar_type, int64_t value)
{
    Scalar s;
    if (type_is_float(scalar_type)) return core_float(cx, scalar_type, (double)value);
    uint64_t bits =
        type_is_scalar(scalar_type, &s) ? scalar_wrap(s, (uint64_t)value) : (uint64_t)value;
    return make(cx, &(NodeSpec){.kind = CORE_LIT, .attr.bits = bits, .type = scalar_type});
}

Node *core_float(Session *cx, Node *scalar_type, double value)
{
    CHECK(cx, type_is_float(scalar_type), "a float literal of type %s", type_show(cx, scalar_type));
    double rounded = scalar_round((Scalar)scalar_type->attr.i, value);
    Attr attr;
    memcpy(&attr.bits, &rounded, sizeof rounded);
    return make(cx, &(NodeSpec){.kind = CORE_LIT, .attr = attr, .type = scalar_type});
}

Node *core_bool(Session *cx, bool value)
{
    return core_int(cx, type_scalar(cx, SCALAR_BOOL), value);
}

bool core_is_bool(Node *e, bool value)
{
    Scalar s;
    return e->kind == CORE_LIT && (e->attr.i != 0) == value && type_is_scalar(e->type, &s) &&
           s == SCALAR_BOOL;
}

Node *core_size(Session *cx, Node *nat)
{
    return core_pattern(cx, CORE_NAT, 0, 1, &nat);
}

Node *core_prim(Session *cx, Prim op, int n, Node *const *args)
{
    return core_pattern(cx, CORE_PRIM, op, n, args);
}

Node *core_cast(Session *cx, Node *e, Node *scalar_type)
{
    if (e->type == scalar_type) return e;
    return make(cx, &(NodeSpec){.kind = CORE_CAST, .nops = 1, .ops = &e, .type = scalar_type});
}

Node *core_to_idx(Session *cx, Node *e, Node *n, Span origin)
{
    return make(
        cx,
        &(NodeSpec){
            .kind = CORE_TO_IDX, .nops = 1, .ops = &e, .type = type_idx(cx, n), .origin = origin});
}

Node *core_if(Session *cx, Node *c, Node *a, Node *b)
{
    return core_pattern(cx, CORE_IF, 0, 3, (Node *[]){c, a, b});
}

Node *core_tuple(Session *cx, int n, Node *const *parts, Node *struct_type)
{
    return make(cx, &(NodeSpec){.kind = CORE_TUPLE, .nops = n, .ops = parts, .type = struct_type});
}

Node *core_proj(Session *cx, Node *e, int k)
{
    return core_pattern(cx, CORE_PROJ, k, 1, &e);
}

Node *core_array(Session *cx, Node *element_type, int n, Node *const *items)
{
    Node *type = type_array(cx, nat_const(cx, n), element_type);
    return make(cx, &(NodeSpec){.kind = CORE_ARRAY, .nops = n, .ops = items, .type = type});
}

Node *core_pattern(Session *cx, Kind kind, int64_t attr, int nops, Node *const *ops)
{
    return make(cx, &(NodeSpec){.kind = kind, .attr.i = attr, .nops = nops, .ops = ops});
}

// --- state and control -------------------------------------------------------------------------

static Node *unary(Session *cx, Kind kind, Node *e)
{
    return core_pattern(cx, kind, 0, 1, &e);
}

Node *core_unit(Session *cx)
{
    return core_tuple(cx, 0, NULL, NULL);
}

Node *core_new(Session *cx, Node *value)
{
    return core_new_in(cx, value, VARIANT_ANY);
}

Node *core_new_in(Session *cx, Node *value, Variant space)
{
    return make(cx, &(NodeSpec){.kind = CORE_NEW, .variant = space, .nops = 1, .ops = &value});
}

Node *core_get(Session *cx, Node *place)
{
    return unary(cx, CORE_GET, place);
}

Node *core_set(Session *cx, Node *place, Node *value)
{
    return core_pattern(cx, CORE_SET, 0, 2, (Node *[]){place, value});
}

Node *core_borrow(Session *cx, Node *place)
{
    bool shared = place->type->kind == TYPE_REF && !type_ref_mutable(place->type);
    return shared ? place : unary(cx, CORE_BORROW, place);
}

Node *core_ref_at(Session *cx, Node *place, Node *index)
{
    if (place->kind == CORE_REF_LANE)
        return core_ref_lane(cx, core_ref_at(cx, place->op[0], index), place->op[1]);
    return core_pattern(cx, CORE_REF_AT, 0, 2, (Node *[]){place, index});
}

Node *core_ref_proj(Session *cx, Node *place, int k)
{
    if (place->kind == CORE_REF_LANE)
        return core_ref_lane(cx, core_ref_proj(cx, place->op[0], k), place->op[1]);
    return core_pattern(cx, CORE_REF_PROJ, k, 1, &place);
}

Node *core_ref_slice(Session *cx, Node *offset, Node *length, Node *place)
{
    if (place->kind == CORE_REF_LANE)
        return core_ref_lane(cx, core_ref_slice(cx, offset, length, place->op[0]), place->op[1]);
    return core_pattern(cx, CORE_REF_SLICE, 0, 3, (Node *[]){offset, length, place});
}

Node *core_seq(Session *cx, Node *first, Node *second)
{
    return core_let(cx, NULL, first, node_shift(cx, second, 1, 0));
}

Node *core_label(Session *cx, Sym name, Node *t, Node *body)
{
    return make(
        cx,
        &(NodeSpec){
            .kind = CORE_LABEL, .type = t, .nops = 1, .ops = &body, .names = name_hint(cx, name)});
}

SizeCheck core_open_bound(Session *cx, Node *size, Node *value)
{
    Node *next = nat_add(cx, size, nat_const(cx, 1));
    return (SizeCheck){.relation = SIZE_LE, .left = next, .right = value->type->op[0]};
}

Node *core_open(Session *cx, Sym name, Node *value, Node *body)
{
    return make(
        cx, &(NodeSpec){
                .kind = CORE_OPEN, .attr.sym = name, .nops = 2, .ops = (Node *[]){value, body}});
}

Node *core_forever(Session *cx, Node *body)
{
    return unary(cx, CORE_FOREVER, body);
}

Node *core_range(Session *cx, Node *from, Node *to, Node *body)
{
    return core_pattern(cx, CORE_RANGE, 0, 3, (Node *[]){from, to, body});
}

Node *core_vectorize(Session *cx, Node *lanes, Node *from, Node *to, Node *body)
{
    return core_pattern(cx, CORE_VECTORIZE, 0, 4, (Node *[]){lanes, from, to, body});
}

Node *core_call(Session *cx, Sym function, int nargs, Node *const *args, Node *result)
{
    return make(
        cx,
        &(NodeSpec){
            .kind = CORE_CALL, .attr.sym = function, .type = result, .nops = nargs, .ops = args});
}

Node *core_assert(Session *cx, int n, Node *const *ops, Span origin)
{
    return make(cx, &(NodeSpec){.kind = CORE_ASSERT, .nops = n, .ops = ops, .origin = origin});
}

Node *core_line(Session *cx, int n, Node *const *ops, Node *mask)
{
    Node **all = ARENA_ARRAY(cx->arena, Node *, n + 2);
    all[0] = mask ? mask : core_unit(cx);
    for (int i = 0; i < n; i++) all[i + 1] = ops[i];
    return core_pattern(cx, CORE_PRINT, 0, n + 1, all);
}

Node *core_text(Session *cx, const char *text)
{
    return make(cx, &(NodeSpec){.kind = CORE_TEXT, .attr.sym = session_sym(cx, text)});
}

Node *core_known(Session *cx, Node *e)
{
    return unary(cx, CORE_KNOWN, e);
}

Node *core_hide(Session *cx, Node *e)
{
    return unary(cx, CORE_HIDE, e);
}

Node *core_at(Session *cx, Node *e, Span origin)
{
    NodeSpec s = node_spec(e);
    s.origin = origin;
    return node_make(cx, &s);
}
