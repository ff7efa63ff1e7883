// Core of SIMD mode around `scalar { }`. What stands there is done once, for all lanes that have come there, so that the construct around it
// is no program of one lane. It is done statement by statement, and a place `live` has which lanes are there:
//
//   if c { A; scalar |m| { S } B }   becomes   let t = live & c; let e = live & !c; live = t;
//                                              if any(live) { vectorize lanes { if live@l { A } } S vectorize lanes { if live@l { B } } }
//                                              live = live | e
//
// A lane that jumps leaves `live`, and is noted among those that came to what it leaves (Leissa's thesis, 5.1-5.3, with the check that some
// lane is left wherever one may have gone). What lanes do for themselves stays the program of one lane (elaborate_simd.c).
#include "infer/elaborate_masks.h"

// --- places ------------------------------------------------------------------------------------

Node *mask_type(Elab *x)
{
    return type_varying(x->cx, x->masks->length, type_scalar(x->cx, SCALAR_BOOL));
}

// The place that was bound with this many variables outside it.
Node *mask_cell(Elab *x, int level, Node *type)
{
    return core_var(x->cx, x->depth - 1 - level, type_ref(x->cx, type, true, SPACE_GENERIC));
}

Node *mask_at(Elab *x, int level)
{
    return core_get(x->cx, mask_cell(x, level, mask_type(x)));
}

Node *mask_set(Elab *x, int level, Node *value)
{
    return core_set(x->cx, mask_cell(x, level, mask_type(x)), value);
}

Node *mask_both(Elab *x, Prim op, Node *a, Node *b)
{
    return core_prim(x->cx, op, 2, (Node *[]){a, b});
}

Node *mask_but(Elab *x, Node *a, Node *b)
{
    return mask_both(x, PRIM_AND, a, core_prim(x->cx, PRIM_NOT, 1, &b));
}

Node *mask_any_live(Elab *x)
{
    Node *live = mask_at(x, x->masks->live);
    return core_pattern(x->cx, CORE_ANY, 0, 1, &live);
}

// A new place with zeros; gives its level.
int mask_push_cell(Elab *x, Lets *lets, const char *name, Node *type)
{
    elab_push(x, lets, session_sym(x->cx, name), core_new(x->cx, elab_zero(x, type)));
    return x->depth - 1;
}

Node *mask_note_type(Elab *x, const Ast *e)
{
    return elab_type(x, infer_note(x->b, e)->type);
}

bool mask_is_value(Node *t)
{
    return t->kind != TYPE_NEVER && !type_is_unit(t);
}

// --- jumps -------------------------------------------------------------------------------------

bool mask_may_leave(Elab *x, const Ast *e)
{
    for (int i = 0; i < x->masks->exits.len; i++)
        if (infer_mentions_jump(x->b, e, x->masks->exits.at[i].jump)) return true;
    return false;
}

Node *mask_jump_to(Elab *x, int label)
{
    Node *type = type_continuation(x->cx, core_unit(x->cx)->type);
    return core_app(x->cx, core_var(x->cx, x->depth - 1 - label, type), 0, NULL);
}

// The lane goes from those that are there to those that came to what it leaves.
static Node *leave(Elab *x, const MaskExit *to, Node *value)
{
    Session *cx = x->cx;
    Node *came = elab_lane_of(x, mask_cell(x, to->came, mask_type(x)));
    Node *live = elab_lane_of(x, mask_cell(x, x->masks->live, mask_type(x)));
    Node *left = core_seq(cx, core_set(cx, came, core_bool(cx, true)),
                          core_set(cx, live, core_bool(cx, false)));
    if (!mask_is_value(to->type)) return left;
    Node *place = elab_lane_of(x, mask_cell(x, to->value, to->type));
    return core_seq(cx, elab_lane_set(x, place, value), left);
}

// The program of a lane inside of labels for the first n exits that it mentions; in the end it jumps to `done`.
static Node *inside_exits(Elab *x, const LanePart *part, int n, int done)
{
    if (n == 0) {
        Node *value = elab_lane_part(x, part);
        return value->type->kind == TYPE_NEVER ? value
                                               : core_seq(x->cx, value, mask_jump_to(x, done));
    }
    const MaskExit *to = &x->masks->exits.at[n - 1];
    if (!infer_mentions_jump(x->b, part->e, to->jump)) return inside_exits(x, part, n - 1, done);
    Lets lets = {0};
    Node *type = elab_lane_type(x, to->type);
    to->jump->level = x->depth++;
    Node *inside = inside_exits(x, part, n - 1, done);
    x->depth--;
    elab_push(x, &lets, mask_is_value(type) ? session_sym(x->cx, "value") : NULL,
              core_label(x->cx, to->jump->name, type, inside));
    Node *left = leave(x, to, core_var(x->cx, 0, type));
    return elab_wrap(x, &lets, core_seq(x->cx, left, mask_jump_to(x, done)));
}

Node *elab_masked_lane(Elab *x, const LanePart *part)
{
    Session *cx = x->cx;
    Node *here = core_get(cx, elab_lane_of(x, mask_cell(x, x->masks->live, mask_type(x)))), *work;
    if (mask_may_leave(x, part->e)) {
        int done = x->depth++;
        work = inside_exits(x, part, x->masks->exits.len, done);
        x->depth--;
        work = core_label(cx, session_sym(cx, "done"), core_unit(cx)->type, work);
    } else {
        work = elab_lane_part(x, part);
    }
    return core_if(cx, here, work, core_unit(cx));
}

// --- values ------------------------------------------------------------------------------------

Node *elab_fit(Elab *x, Node *n, Node *type)
{
    bool none = type_is_unit(n->type) && mask_is_value(type);
    return none ? core_seq(x->cx, n, elab_zero(x, type)) : n;
}

// The value goes to the place in the lanes that are there. Its type may have other sizes than that
// of the place, which a check says are equal.
Node *mask_keep(Elab *x, int place, Node *type, Node *value)
{
    Lets lets = {0};
    if (place < 0 || !mask_is_value(value->type)) return value;
    elab_push(x, &lets, NULL, value);
    Node *kept = elab_masked_set(x, mask_cell(x, place, type), core_var(x->cx, 0, value->type));
    return elab_wrap(x, &lets, kept);
}

Node *elab_live(Elab *x)
{
    return mask_at(x, x->masks->live);
}

// A condition as one of lanes.
Node *mask_to_lanes(Elab *x, Node *condition)
{
    bool lanes = condition->type->kind == TYPE_VEC;
    return lanes ? condition : core_cast(x->cx, condition, mask_type(x));
}

// --- blocks ------------------------------------------------------------------------------------

// Behind a statement that lanes may leave in, the rest is for those that are left.
Node *elab_masked_block(Elab *x, const Ast *e, int from)
{
    Lets lets = {0};
    Node *value = NULL;
    int last = e->kids.len - 1;
    for (int i = from; i < last && !value; i++) {
        bool leaves = mask_may_leave(x, e->kids.at[i]);
        value = elab_statement(x, &lets, e->kids.at[i]);
        if (!leaves || value || (i + 1 == last && !e->kids.at[last])) continue;
        Node *rest = elab_masked_block(x, e, i + 1);
        Node *none = mask_is_value(rest->type) ? elab_zero(x, rest->type) : core_unit(x->cx);
        return elab_wrap(x, &lets, core_if(x->cx, mask_any_live(x), rest, none));
    }
    if (!value && last >= 0 && e->kids.at[last]) value = elab_open(x, e->kids.at[last]);
    return elab_wrap(x, &lets, value ? value : core_unit(x->cx));
}

// An assignment of what is not a value of one lane: it has `scalar` inside, or parts that are one for all.
static Node *masked_assign(Elab *x, const Ast *e)
{
    Lets lets = {0};
    Note *note = infer_note(x->b, e->kids.at[1]);
    bool operated = e->name && e->name->len > 0,
         vector = infer_has_vector(mask_note_type(x, e->kids.at[0]));
    if (!vector) return elab_plain(x, e);
    if (operated) {
        elab_hold(x, &lets, e->kids.at[1]);
        Node *set = elab_open(x, e);
        note->held = 0;
        return elab_wrap(x, &lets, set);
    }
    Node *value = elab_expr(x, e->kids.at[1]), *type = value->type;
    elab_push(x, &lets, NULL, value);
    Node *set = elab_masked_set(x, elab_place(x, e->kids.at[0]), core_var(x->cx, 0, type));
    return elab_wrap(x, &lets, set);
}

// --- operations --------------------------------------------------------------------------------

static Node *without_masks(Elab *x, const Ast *e)
{
    Masks *masks = x->masks;
    x->masks = NULL;
    Node *n = elab_plain(x, e);
    x->masks = masks;
    return n;
}

static Node *lanes_part(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    Node *type = infer_resolve(x->b, note->type);
    bool never = type->kind == TYPE_NEVER;
    return elab_in_lanes(x, e, x->masks->length, elab_open,
                         note->as && !never ? infer_resolve(x->b, note->as) : type);
}

// An operation with a `scalar` among its operands: these are done before, one after the other.
static Node *masked_operation(Elab *x, const Ast *e)
{
    Lets lets = {0};
    int n;
    const Ast *const *operand = infer_operands(x->b, e, &n);
    if (!operand || infer_masked_callee(x->b, e)) return elab_plain(x, e);
    for (int i = 0; i < n; i++)
        if (infer_strip(operand[i])->kind != AST_REF) elab_hold(x, &lets, operand[i]);
    const Call *c = infer_note(x->b, e)->call;
    bool prints = c && c->symbol && infer_prints(x->b, c->symbol);
    Node *done = prints                      ? elab_plain(x, e)
                 : infer_is_uniform(x->b, e) ? without_masks(x, e)
                                             : lanes_part(x, e);
    for (int i = 0; i < n; i++) infer_note(x->b, operand[i])->held = 0;
    return elab_wrap(x, &lets, done);
}

// --- the walk ----------------------------------------------------------------------------------

static Node *held_part(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    switch (e->kind) {
    case AST_BLOCK: return elab_masked_block(x, e, 0);
    case AST_IF:
        if (note->option) return elab_plain(x, e);
        return note->simd ? masked_if(x, e) : uniform_if(x, e);
    case AST_MATCH: return note->simd ? masked_match(x, e) : elab_plain(x, e);
    case AST_ASSIGN: return masked_assign(x, e);
    case AST_BINARY:
        if (note->simd && infer_is_logical(e)) return masked_logical(x, e);
        return masked_operation(x, e);
    case AST_CALL:
    case AST_PIPE:
    case AST_UNARY:
    case AST_CAST:
    case AST_FIELD:
    case AST_PROJ:
    case AST_INDEX: return masked_operation(x, e);
    case AST_WHILE:
    case AST_LOOP:
    case AST_FOR:
    case AST_WITH:
        if (note->simd || infer_mentions_jump(x->b, e, NULL)) return masked_loop(x, e);
        return elab_plain(x, e);
    default: return elab_plain(x, e);
    }
}

Node *elab_masked(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    const MaskRound *round = x->masks->round;
    Node *n, *as = note->as ? elab_type(x, note->as) : NULL;
    if (round && e == round->body) {
        x->masks->round = NULL;
        n = masked_round(x, round);
        x->masks->round = round;
        return n;
    }
    switch (infer_part(x->b, e)) {
    case PART_UNIFORM: n = without_masks(x, e); break;
    case PART_LANES: n = lanes_part(x, e); break;
    default: n = held_part(x, e);
    }
    bool left = note->type && infer_resolve(x->b, note->type)->kind == TYPE_NEVER;
    return left && as ? elab_fit(x, n, as) : n;
}

Node *elab_scalar(Elab *x, const Ast *e)
{
    const Ast *block = vec_last(&e->kids);
    Lets lets = {0};
    Masks *masks = x->masks;
    if (!masks || x->lane) return elab_open(x, block);
    if (e->kids.len > 1) elab_bind(x, &lets, e->kids.at[0], elab_live(x));
    x->masks = NULL;
    Node *n = elab_open(x, block);
    x->masks = masks;
    return elab_wrap(x, &lets, n);
}

// --- from scalar mode --------------------------------------------------------------------------

// `come`: those that are there; NULL: all.
static Masks first_live(Elab *x, Lets *lets, Node *length, Node *come)
{
    Node *type = type_varying(x->cx, length, type_scalar(x->cx, SCALAR_BOOL));
    if (!come) come = core_cast(x->cx, core_bool(x->cx, true), type);
    elab_push(x, lets, session_sym(x->cx, "live"), core_new(x->cx, come));
    return (Masks){.length = length, .live = x->depth - 1};
}

Node *elab_with_masks(Elab *x, const Ast *e, Node *length)
{
    Lets lets = {0};
    Masks masks = first_live(x, &lets, length, NULL);
    x->masks = &masks;
    Node *value = elab_masked(x, e);
    x->masks = NULL;
    return elab_wrap(x, &lets, value);
}

Node *elab_rest_with_masks(Elab *x, const Ast *block, Node *length, Node *type, Node *come)
{
    Lets lets = {0};
    Masks masks = first_live(x, &lets, length, come);
    x->masks = &masks;
    MaskExit exit = {.jump = x->b->exit, .value = -1, .type = type};
    if (mask_is_value(type)) exit.value = mask_push_cell(x, &lets, "r", type);
    exit.came = mask_push_cell(x, &lets, "came", mask_type(x));
    if (x->b->exit) vec_push(x->b->arena, &masks.exits, exit);
    Node *value = elab_masked_block(x, block, 0);
    if (mask_is_value(value->type)) value = elab_as(x, value, type, block->span);
    value = mask_keep(x, exit.value, type, value);
    if (value->type->kind != TYPE_NEVER) {
        elab_push(x, &lets, NULL, value);
        value = mask_is_value(type) ? core_get(x->cx, mask_cell(x, exit.value, type))
                                    : core_unit(x->cx);
    }
    x->masks = NULL;
    return elab_wrap(x, &lets, value);
}
