// Indices that are converted from narrow integers. Their i64 exists only as a scalar: gathers,
// scatters and bounds checks take vectors of the narrow integer, so it gets a name of its own:
//
//   k : i64 = i64(at[i])       becomes       k1 : i32 = at[i]
//                                            k : i64 = i64(k1)
#include "loops/vector/vectors.h"

bool is_widened(Node *e)
{
    Scalar from, to;
    return e->kind == CORE_CAST && type_is_scalar(e->type, &to) && to == SCALAR_I64 &&
           type_is_scalar(e->op[0]->type, &from) && type_is_integer(e->op[0]->type) &&
           scalar_info[from].size <= 4;
}

bool fits_i32(Node *type)
{
    Scalar s;
    return type_is_scalar(type, &s) && s != SCALAR_U32 && scalar_info[s].size <= 4;
}

Node *lane_declaration(const Divergence *d, Sym name)
{
    const LaneName *n = map_get(&d->names, MAP_KEY(name));
    if (n && (n->stmt->kind != LOOP_DECL || map_get(&d->changed, MAP_KEY(name)))) return NULL;
    Node *decl = n ? n->stmt : d->outer ? map_get(d->outer, MAP_KEY(name)) : NULL;
    return decl && !loops_is_nothing(decl->op[1]) ? decl : NULL;
}

Node *narrow_value(const Divergence *d, Node *size)
{
    Node *decl = size->kind == NAT_VAR ? lane_declaration(d, size->attr.sym) : NULL;
    return decl && is_widened(decl->op[1]) ? decl->op[1]->op[0] : NULL;
}

// --- names --------------------------------------------------------------------------------------

typedef struct {
    const Divergence *d;
    Map constants; // local of the body that is never reassigned -> its declaration
} Names;

// Whether the value is a local that is never reassigned.
static bool is_named(const Names *n, Node *value)
{
    if (value->kind != LOOP_VAR) return false;
    return map_get(&n->constants, MAP_KEY(value->attr.sym)) ||
           (n->d->outer && map_get(n->d->outer, MAP_KEY(value->attr.sym)));
}

static Node *named(void *env, Node *s)
{
    const Names *n = env;
    Session *cx = n->d->cx;
    Node *both[2];
    s = loops_map(cx, s, named, env);
    if (s->kind != LOOP_DECL || !is_widened(s->op[1]) || is_named(n, s->op[1]->op[0])) return s;
    Node *local = loops_name(cx, s->attr.sym->text, s->op[1]->op[0], &both[0], s->origin);
    both[1] = node_with_op(cx, s, 1, core_cast(cx, local, s->op[0]));
    return loops_block(cx, 2, both);
}

Node *name_narrow_integers(const Divergence *d, Node *body)
{
    Names n = {d, loops_constants(d->cx, body)};
    return named(&n, body);
}
