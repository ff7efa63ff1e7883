// Tuples, structs, enums and arrays that contain vectors: lane patterns applied to every vector
// inside them.
#include "infer/elaborate/elaborate.h"

// Builds if c { a } else { b } with both a and b evaluated first.
static Node *chosen(Elab *x, Node *c, Node *a, Node *b)
{
    Lets lets = {0};
    Node *parts[3] = {c, a, b};
    for (int i = 0; i < 3; i++) elab_push(x, &lets, NULL, node_shift(x->cx, parts[i], i, 0));
    return elab_wrap(x, &lets,
                     core_if(x->cx, core_var(x->cx, 2, c->type), core_var(x->cx, 1, a->type),
                             core_var(x->cx, 0, b->type)));
}

Node *elab_lane_pattern(Elab *x, Kind kind, Node *const *ops, Span span)
{
    Session *cx = x->cx;
    Node *length = x->lane->length, *here = core_cast(cx, elab_lane_index(x, length), elab_i64(x));
    if (kind == CORE_LANES) return here;
    if (kind == CORE_BLEND) return chosen(x, ops[0], ops[1], ops[2]);
    CHECK(cx, kind == CORE_INSERT, "%s in one lane", kind_info[kind].text);
    Node *at = core_cast(cx, elab_to_index(x, ops[1], length, span), elab_i64(x));
    return chosen(x, elab_prim(x, PRIM_EQ, here, at), ops[2], ops[0]);
}

static Node *inserted(Elab *x, Node *of, Node *at, Node *value);

static Node *inserted_elements(Elab *x, Node *of, Node *at, Node *value)
{
    Session *cx = x->cx;
    Node *n = of->type->op[0], *i = core_var(cx, 0, type_idx(cx, n));
    x->depth++;
    Node *one = inserted(x, elab_at(x, node_shift(cx, of, 1, 0), i), node_shift(cx, at, 1, 0),
                         elab_at(x, node_shift(cx, value, 1, 0), i));
    x->depth--;
    return elab_generate(x, session_sym(cx, "i"), n, one);
}

// Replaces lane `at` of every vector inside `of` with the corresponding component of `value`, and
// leaves uniform components unchanged. All three operands are paths to components of variables, so
// they may be duplicated.
static Node *inserted(Elab *x, Node *of, Node *at, Node *value)
{
    Session *cx = x->cx;
    Node *t = of->type, **parts;
    if (!type_has_vector(t)) return of;
    switch ((Kind)t->kind) {
    case TYPE_VEC: return core_pattern(cx, CORE_INSERT, 0, 3, (Node *[]){of, at, value});
    case TYPE_ARRAY: return inserted_elements(x, of, at, value);
    default:
        parts = ARENA_ARRAY(x->b->arena, Node *, t->nops + 1);
        for (int i = 0; i < (int)t->nops; i++)
            parts[i] = inserted(x, core_proj(cx, of, i), at, core_proj(cx, value, i));
        return core_tuple(cx, (int)t->nops, parts, t);
    }
}

static Node *extracted(Elab *x, Node *of, Node *length, int index)
{
    OneLane lane = {length, x->depth, index};
    x->lane = &lane;
    Node *n = elab_lane_of(x, of);
    x->lane = NULL;
    return n;
}

// --- all lanes ---------------------------------------------------------------------------------

static Node *moved(Elab *x, Kind kind, int n, Node *const *ops);

static Node *moved_elements(Elab *x, Kind kind, int n, Node *const *ops, const Node *like)
{
    Session *cx = x->cx;
    Node *length = like->op[0], *i = core_var(cx, 0, type_idx(cx, length)), *inside[3];
    x->depth++;
    for (int k = 0; k < n; k++) {
        Node *op = node_shift(cx, ops[k], 1, 0);
        inside[k] = op->type->kind == TYPE_ARRAY ? elab_at(x, op, i) : op;
    }
    Node *one = moved(x, kind, n, inside);
    x->depth--;
    return elab_generate(x, session_sym(cx, "i"), length, one);
}

// Builds applications of the pattern to every vector inside the operands. A mask or vector of
// positions among the operands applies to each of these vectors. Operands are paths to components
// of variables.
static Node *moved(Elab *x, Kind kind, int n, Node *const *ops)
{
    Node *t = ops[kind == CORE_BLEND]->type, *inside[3];
    if (!type_has_vector(t)) return ops[kind == CORE_BLEND];
    if (t->kind == TYPE_VEC) return core_pattern(x->cx, kind, 0, n, ops);
    if (t->kind == TYPE_ARRAY) return moved_elements(x, kind, n, ops, t);
    Node **parts = ARENA_ARRAY(x->b->arena, Node *, t->nops + 1);
    for (int i = 0; i < (int)t->nops; i++) {
        for (int k = 0; k < n; k++)
            inside[k] = ops[k]->type == t ? core_proj(x->cx, ops[k], i) : ops[k];
        parts[i] = moved(x, kind, n, inside);
    }
    return core_tuple(x->cx, (int)t->nops, parts, t);
}

static Node *moved_parts(Elab *x, Kind kind, int n, Node *const *args)
{
    Lets lets = {0};
    Node *ops[3];
    for (int i = 0; i < n; i++) elab_push(x, &lets, NULL, node_shift(x->cx, args[i], i, 0));
    for (int i = 0; i < n; i++) ops[i] = core_var(x->cx, n - 1 - i, args[i]->type);
    return elab_wrap(x, &lets, moved(x, kind, n, ops));
}

bool elab_is_of_parts(Elab *x, const Call *c)
{
    PatternForm form = infer_patterns[c->symbol->row].form;
    Node *found[3];
    if (c->nargs < 2 || c->partial) return false;
    for (int i = 0; i < c->nargs && form == FORM_LANES; i++)
        found[i] = infer_note(x->b, c->args[i])->type;
    if (form == FORM_LANES) return infer_is_for_parts(x->b, c->symbol, found);
    return form == FORM_LANE && infer_is_of_parts(x->b, infer_note(x->b, c->args[0])->type);
}

Node *elab_lane_of_parts(Elab *x, const Ast *e, const Call *c)
{
    Session *cx = x->cx;
    Node *type = infer_resolve(x->b, infer_note(x->b, c->args[0])->type);
    Node *length = infer_lanes_inside(x->b, type), *args[3];
    Lets lets = {0};
    const PatternRow *row = &infer_patterns[c->symbol->row];
    for (int i = 0; i < c->nargs && (x->lane || row->form == FORM_LANES); i++)
        args[i] = elab_expr(x, c->args[i]);
    if (x->lane) return elab_lane_pattern(x, row->kind, args, e->span);
    if (row->form == FORM_LANES) return moved_parts(x, row->kind, c->nargs, args);
    int level = x->depth;
    elab_push(x, &lets, NULL, elab_expr(x, c->args[0]));
    elab_push(x, &lets, session_sym(cx, "lane"),
              elab_to_index(x, elab_expr(x, c->args[1]), length, e->span));
    if (c->nargs > 2) elab_push(x, &lets, NULL, elab_expr(x, c->args[2]));
    Node *of = elab_var(x, level, type);
    if (c->nargs == 2) return elab_wrap(x, &lets, extracted(x, of, length, level + 1));
    Node *one = core_var(cx, 0, lets.at[2].value->type);
    return elab_wrap(x, &lets, inserted(x, of, core_var(cx, 1, type_idx(cx, length)), one));
}
