// extract and insert of tuples, structs, enums and arrays in lanes: lane by number of each vector that is a part.
#include "infer/elaborate.h"

static Node *inserted(Elab *x, Node *of, Node *at, Node *value);

static Node *inserted_elements(Elab *x, Node *of, Node *at, Node *value)
{
    Session *cx = x->cx;
    Node *n = of->type->op[0], *index = type_idx(cx, n), *i = core_var(cx, 0, index);
    Sym name = session_sym(cx, "i");
    x->depth++;
    Node *one =
        inserted(x, core_pattern(cx, CORE_INDEX, 0, 2, (Node *[]){node_shift(cx, of, 1, 0), i}),
                 node_shift(cx, at, 1, 0),
                 core_pattern(cx, CORE_INDEX, 0, 2, (Node *[]){node_shift(cx, value, 1, 0), i}));
    x->depth--;
    return core_pattern(cx, CORE_GENERATE, 0, 2,
                        (Node *[]){n, core_lam(cx, 1, &index, &name, one)});
}

// What is one for all lanes stays. All three are ways to parts of variables, which may stand several times.
static Node *inserted(Elab *x, Node *of, Node *at, Node *value)
{
    Session *cx = x->cx;
    Node *t = of->type, **parts;
    if (!infer_has_vector(t)) return of;
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

bool elab_is_of_parts(Elab *x, const Call *c)
{
    bool lane = infer_patterns[c->symbol->row].form == FORM_LANE && c->nargs > 1;
    return lane && infer_is_of_parts(x->b, infer_note(x->b, c->args[0])->type);
}

Node *elab_lane_of_parts(Elab *x, const Ast *e, const Call *c)
{
    Session *cx = x->cx;
    Node *type = infer_resolve(x->b, infer_note(x->b, c->args[0])->type);
    Node *length = infer_lanes_inside(x->b, type), *args[3];
    Lets lets = {0};
    if (x->lane) {
        for (int i = 0; i < c->nargs; i++) args[i] = elab_expr(x, c->args[i]);
        return elab_lane_pattern(x, infer_patterns[c->symbol->row].kind, args, e->span);
    }
    int level = x->depth;
    elab_push(x, &lets, NULL, elab_expr(x, c->args[0]));
    elab_push(x, &lets, session_sym(cx, "lane"),
              elab_to_index(x, elab_expr(x, c->args[1]), length, e->span));
    if (c->nargs > 2) elab_push(x, &lets, NULL, elab_expr(x, c->args[2]));
    Node *of = core_var(cx, x->depth - 1 - level, type);
    if (c->nargs == 2) return elab_wrap(x, &lets, extracted(x, of, length, level + 1));
    Node *one = core_var(cx, 0, lets.at[2].value->type);
    return elab_wrap(x, &lets, inserted(x, of, core_var(cx, 1, type_idx(cx, length)), one));
}
