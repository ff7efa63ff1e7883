// Elaboration of SIMD mode. A construct whose lanes diverge becomes a loop over the lanes. The loop
// body is the program of one lane, in which a vector stands for the value of that lane:
//
//   if v > 0.0 { x = x + v; }
//
// becomes
//
//   vectorize(8, 0, 8, |l| { let xl = x@l; if v@l > 0.0 { xl = xl + v@l }; x@l = xl })
//
// The if-conversion of `vectorize` (loops/vector/if_convert.c) thus handles all constructs.
// Executing lanes one after another is equivalent to lockstep because of the rules of SIMD mode
// (simd_regions.c): no lane sees the effects of another.
//
// Variables that the construct uses are copied to variables for the lane, except arrays of vectors.
#include "infer/elaborate/masks.h"

// --- the loop over lanes -----------------------------------------------------------------------

// Whether an expression consists of scalar operators and functions, so that each lane can compute
// it by itself.
static bool is_lanewise(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    const Call *c = note->call;
    switch (e->kind) {
    case AST_INT:
    case AST_FLOAT:
    case AST_BOOL:
    case AST_NAME: return true;
    case AST_BINARY:
        if (c) return false;
        if (note->simd) return is_lanewise(x, e->kids.at[0]);
        break;
    case AST_INDEX:
    case AST_FIELD:
        if (note->symbol) return false;
        break;
    case AST_CALL:
        if (!c || !c->symbol || c->partial) return false;
        if (c->symbol->kind != SYMBOL_PRIM && c->symbol->kind != SYMBOL_SCALAR && !note->simd)
            return false;
        for (int i = 0; i < c->nargs; i++)
            if (!is_lanewise(x, c->args[i])) return false;
        return true;
    case AST_UNARY:
    case AST_PAREN:
    case AST_PROJ: break;
    default: return false;
    }
    bool part = e->kind == AST_INDEX || e->kind == AST_FIELD || e->kind == AST_PROJ;
    for (int i = 0; i < e->kids.len; i++) {
        Node *t = infer_note(x->b, e->kids.at[i])->type;
        bool whole = t && type_has_array(infer_resolve(x->b, t)) && !(part && i == 0);
        if (!t || whole || !is_lanewise(x, e->kids.at[i])) return false;
    }
    return true;
}

static Walk find_change(const Ast *e, void *env)
{
    (void)env;
    bool changes = e->kind == AST_ASSIGN || (e->kind == AST_REF && e->value.integer);
    return changes ? WALK_STOP : WALK_INTO;
}

// Whether computing an operand may change a variable. What is read before it must then be computed
// before it, too.
static bool may_change(const Ast *e)
{
    const Ast *lent = ast_strip(e);
    return ast_walk(lent->kind == AST_REF ? lent->kids.at[0] : e, find_change, NULL);
}

static void hold_path(Elab *x, Lets *lets, const Ast *e, bool all);

// Computes a condition, operand or argument before the loop over lanes, unless each lane can
// compute it by itself and `all` is not set. A reference to a location is made by each lane, but
// the indices of the location are computed before.
static void hold(Elab *x, Lets *lets, const Ast *e, bool all)
{
    const Ast *lent = ast_strip(e);
    bool apart = lent->kind == AST_REF || (!all && is_lanewise(x, e));
    if (lent->kind == AST_REF) hold_path(x, lets, lent->kids.at[0], all);
    if (apart)
        infer_note(x->b, e)->held = 0;
    else
        elab_hold(x, lets, e);
}

static bool is_part(const Ast *e)
{
    return e->kind == AST_INDEX || e->kind == AST_SLICE || e->kind == AST_FIELD ||
           e->kind == AST_PROJ || e->kind == AST_PAREN;
}

// Holds the indices of a path, and its base unless that is a location.
static void hold_path(Elab *x, Lets *lets, const Ast *e, bool all)
{
    if (!is_part(e)) return;
    hold_path(x, lets, e->kids.at[0], all);
    bool value = !is_part(e->kids.at[0]) && !infer_place(x->b, e->kids.at[0]).exists;
    if (value) hold(x, lets, e->kids.at[0], all);
    for (int i = 1; e->kind == AST_INDEX && i < e->kids.len; i++) hold(x, lets, e->kids.at[i], all);
}

// Holds the operands of an access whose index differs by lane, or of a call.
static void hold_operands(Elab *x, Lets *lets, const Ast *e, const Call *c)
{
    bool assigns = e->kind == AST_ASSIGN, all = assigns && may_change(e->kids.at[1]);
    for (int i = 0; c && i < c->nargs; i++) all |= may_change(c->args[i]);
    hold_path(x, lets, assigns ? e->kids.at[0] : e, all);
    if (assigns) hold(x, lets, e->kids.at[1], all);
    for (int i = 0; c && i < c->nargs; i++) hold(x, lets, c->args[i], all);
}

static void release_path(Elab *x, const Ast *e);

// Forgets the held value, because another version of the function computes it itself.
static void release(Elab *x, const Ast *e)
{
    const Ast *lent = ast_strip(e);
    infer_note(x->b, e)->held = 0;
    if (lent->kind == AST_REF) release_path(x, lent->kids.at[0]);
}

static void release_path(Elab *x, const Ast *e)
{
    if (!is_part(e)) return;
    release_path(x, e->kids.at[0]);
    for (int i = 0; i < e->kids.len && e->kind != AST_SLICE; i++) release(x, e->kids.at[i]);
}

static void release_operands(Elab *x, const Ast *e, const Call *c)
{
    bool assigns = e->kind == AST_ASSIGN;
    if (assigns) release(x, e->kids.at[1]);
    release_path(x, assigns ? e->kids.at[0] : e);
    for (int i = 0; c && i < c->nargs; i++) release(x, c->args[i]);
}

Node *elab_simd(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    Lets lets = {0};
    Node *lanes = infer_resolve(x->b, note->simd), *done;
    bool first = e->kind == AST_IF || e->kind == AST_MATCH || e->kind == AST_BINARY;
    if (first) hold(x, &lets, e->kids.at[0], false);
    hold_operands(x, &lets, e, note->call);
    if (x->b->has_scalar && infer_has_scalar(x->b, e))
        done = elab_with_masks(x, e, lanes);
    else
        done = elab_in_lanes(x, e, lanes, elab_open, infer_resolve(x->b, note->type));
    bool ends = note->call && infer_resolve(x->b, note->type)->kind == TYPE_NEVER;
    if (ends) // the call never returns in any lane
        done = core_seq(x->cx, done, core_forever(x->cx, core_unit(x->cx)));
    if (first) release(x, e->kids.at[0]);
    release_operands(x, e, note->call);
    return elab_wrap(x, &lets, done);
}

// Elaborates the remaining statements of a body as a block, converted to the type of the body.
static Node *rest_block(Elab *x, const Ast *e)
{
    return elab_as(x, elab_plain(x, e), elab_type(x, x->b->type), e->span);
}

static Node *rest(Elab *x, const Ast *e)
{
    return elab_label(x, x->b->exit, elab_type(x, x->b->type), rest_block, e);
}

Node *elab_simd_rest(Elab *x, const Ast *e)
{
    Local *exit = x->b->exit;
    int level = exit->level;
    Node *lanes = infer_resolve(x->b, x->b->simd), *type = infer_resolve(x->b, x->b->type);
    infer_note(x->b, e)->type = x->b->type;
    if (x->b->has_scalar && infer_has_scalar(x->b, e))
        return elab_rest_with_masks(x, e, lanes, type, NULL);
    Node *done = elab_in_lanes(x, e, lanes, rest, type);
    exit->level = level;
    return done;
}

// --- functions in SIMD mode --------------------------------------------------------------------

// The last parameter of the masked version is the mask of active lanes.
Node *elab_masked_body(Body *b, int nparams)
{
    Node *length = b->symbol->signature->simd;
    Elab x = {.b = b, .cx = b->cx, .depth = nparams};
    Node *come = core_var(b->cx, 0, type_varying(b->cx, length, infer_boolean(b)));
    return elab_rest_with_masks(&x, b->value, length, infer_resolve(b, b->type), come);
}

// The lane of a one-lane version. Its last parameter is the lane number; the other parameters hold
// this lane's values.
static OneLane lane_of_parameter(const Body *b, int nparams)
{
    return (OneLane){b->symbol->signature->simd, 0, nparams - 1};
}

Node *elab_lane_closed(Body *b, const Ast *e, int nparams)
{
    OneLane lane = lane_of_parameter(b, nparams);
    Elab x = {.b = b, .cx = b->cx, .depth = nparams, .lane = &lane};
    return elab_expr(&x, e);
}

Node *elab_lane_body(Body *b, int nparams)
{
    OneLane lane = lane_of_parameter(b, nparams);
    Elab x = {.b = b, .cx = b->cx, .depth = nparams, .lane = &lane};
    return elab_label(&x, b->exit, elab_type(&x, b->type), elab_open, b->value);
}
