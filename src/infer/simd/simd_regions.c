// SIMD mode covers the parts of a body that each lane of a vector executes by itself, possibly
// while other lanes are inactive. A branch or loop on a varying condition enters SIMD mode. So does
// a construct that lanes leave at different times, starting at the first statement that may leave
// it. The number of lanes is known at every point, and these rules hold (VecImp: Leissa's thesis,
// 4.2.2):
//
//   * every vector has this number of lanes (the lattice 1 < L < error);
//   * a uniform location is not assigned to, unless all lanes that share it are active (no store
//     of a varying value into a uniform location);
//   * a value that lanes choose, or with which they leave a construct, is a vector;
//   * nothing depends on other lanes: every callee is a function of one lane.
#include "infer/simd/regions.h"

static Region *begin(SimdWalk *m, Node *lanes, const Region *scalar)
{
    Region *r = ARENA_NEW(m->b->arena, Region);
    *r = (Region){lanes, scalar};
    return r;
}

// --- the walk ----------------------------------------------------------------------------------

static void walk(SimdWalk *m, const Ast *e, const Region *r);

static void walk_all(SimdWalk *m, const Ast *e, int from, const Region *r)
{
    for (int i = from; i < e->kids.len; i++)
        if (e->kids.at[i] && e->kids.at[i]->kind < AST_TYPE_NAME) walk(m, e->kids.at[i], r);
}

// Walks the expression from which a location, component or element is taken.
static void walk_base(SimdWalk *m, const Ast *e, const Region *r)
{
    bool member = e->kind == AST_PROJ || (e->kind == AST_FIELD && !infer_note(m->b, e)->symbol);
    if (e->kind == AST_NAME)
        simd_mention(m, e, r, true);
    else if (member)
        walk_base(m, e->kids.at[0], r);
    else
        walk(m, e, r);
}

// The region inside a construct: a new one if lanes diverge there.
static const Region *inside(SimdWalk *m, const Ast *e, const Region *r)
{
    Node *lanes = infer_note(m->b, e)->simd;
    return lanes ? begin(m, infer_resolve(m->b, lanes), r->scalar) : r;
}

static void walk_if(SimdWalk *m, const Ast *e, const Region *r)
{
    const Note *note = infer_note(m->b, e);
    if (note->option) { // decided at compile time
        if (e->kids.at[note->option]) walk(m, e->kids.at[note->option], r);
        return;
    }
    walk(m, e->kids.at[0], r);
    for (int k = 1; k <= 2; k++)
        if (e->kids.at[k]) walk(m, e->kids.at[k], inside(m, e, r));
    if (note->simd && e->kids.at[2])
        simd_check_chosen(m, simd_type_of(m, e), e->span, "lanes diverge here");
}

static void walk_match(SimdWalk *m, const Ast *e, const Region *r)
{
    walk(m, e->kids.at[0], r);
    if (infer_note(m->b, e)->simd) simd_check_length(m, e->kids.at[0], inside(m, e, r));
    for (int i = 1; i < e->kids.len; i++) {
        const Ast *arm = e->kids.at[i];
        const Region *own = inside(m, e, r);
        simd_bind(m, arm->kids.at[0], own);
        for (int k = 1; k <= 2; k++)
            if (arm->kids.at[k]) walk(m, arm->kids.at[k], own);
    }
    if (infer_note(m->b, e)->simd)
        simd_check_chosen(m, simd_type_of(m, e), e->span, "lanes diverge here");
}

// Declares the labels of a construct and returns its region. The whole construct is in SIMD mode if
// lanes leave it at different times.
static const Region *labelled(SimdWalk *m, const Ast *e, const Local *exit, const Local *next,
                              const Region *r)
{
    Note *note = infer_note(m->b, e);
    Node *lanes = exit ? map_get(&m->divergent, MAP_KEY(exit)) : NULL;
    if (!lanes && next) lanes = map_get(&m->divergent, MAP_KEY(next));
    if (lanes && !note->simd) note->simd = lanes;
    const Region *own = inside(m, e, r);
    simd_declare(m, exit, own);
    simd_declare(m, next, own);
    return own;
}

static void walk_loop(SimdWalk *m, const Ast *e, const Region *r)
{
    const Note *note = infer_note(m->b, e);
    const Region *own = labelled(m, e, note->exit, note->next, r);
    walk_all(m, e, 0, own);
    if (note->simd)
        simd_check_chosen(m, simd_type_of(m, e), e->span, "lanes leave here at different times");
}

static void walk_for(SimdWalk *m, const Ast *e, const Region *r)
{
    const Ast *call = ast_strip(e->kids.at[e->kids.len - 2]);
    const Call *c = infer_note(m->b, call)->call;
    const Ast *body = c->args[c->nargs - 1];
    const Local *next = body->kind == AST_LAMBDA ? infer_note(m->b, body)->next : NULL;
    const Region *own = labelled(m, e, infer_note(m->b, e)->exit, next, r);
    walk(m, call, own);
    if (infer_note(m->b, e)->simd)
        simd_check_chosen(m, simd_type_of(m, e), e->span, "lanes leave here at different times");
}

// Whether a reference has an element of its own as its target in each lane.
static bool is_of_lanes(SimdWalk *m, const Ast *reference)
{
    const Ast *to = reference->kids.at[0];
    return infer_lanes_of_place(m->b, to) && infer_place(m->b, to).exists;
}

// Walks over the path to a location in region `own`, whose indices are computed in region `r`.
static void walk_path(SimdWalk *m, const Ast *e, const Region *own, const Region *r)
{
    bool part = e->kind == AST_INDEX || e->kind == AST_SLICE || e->kind == AST_FIELD ||
                e->kind == AST_PROJ || e->kind == AST_PAREN || e->kind == AST_DEREF;
    if (!part || infer_note(m->b, e)->symbol) {
        walk_base(m, e, own);
        return;
    }
    walk_path(m, e->kids.at[0], own, r);
    walk_all(m, e, 1, r);
}

// Walks over &e or &mut e, which is made in region `own`. If each lane has an element of its own,
// only the program of one lane can refer to it.
static void walk_reference(SimdWalk *m, const Ast *e, const Region *own, const Region *r)
{
    const Ast *to = e->kids.at[0];
    walk_path(m, to, own, r);
    if (e->value.integer) simd_check_write(m, to, own);
    if ((!own->lanes || m->masks) && is_of_lanes(m, e))
        simd_refuse(m, E0320, to->span,
                    m->masks ? "beside `scalar` or `print`, it can only be an argument of a "
                               "function of one lane, such as fn f(x: &mut i32)"
                             : "pass it to a function of one lane, such as fn f(x: &mut i32), or "
                               "copy the element with `let x = a[i];`, and write it back with "
                               "`a[i] = x;`",
                    "each lane has its own element here, and no reference has several targets");
}

// Walks over an argument of a call that each lane makes. References are made, and functions run,
// inside the region `own` of the call; other arguments are computed before it.
static void walk_argument(SimdWalk *m, const Ast *arg, const Region *own, const Region *r)
{
    Node *t = simd_type_of(m, arg);
    const Ast *e = ast_strip(arg);
    bool reference = t && t->kind == TYPE_REF, member = e->kind == AST_PROJ || e->kind == AST_FIELD;
    if (reference && e->kind == AST_NAME)
        simd_lend(m, e, own);
    else if (e->kind == AST_REF)
        walk_reference(m, e, own, r);
    else
        walk(m, arg, (t && t->kind == TYPE_FUN) || (reference && member) ? own : r);
    if (own->lanes) simd_check_length(m, arg, own);
}

static void walk_call(SimdWalk *m, const Ast *e, const Region *r)
{
    const Call *c = infer_note(m->b, e)->call;
    if (!c) {
        walk_all(m, e, 0, r);
        return;
    }
    bool masked = m->masks && r->lanes && infer_masked_callee(m->b, e);
    simd_mention_symbol(m, e->span, c->symbol, c->partial ? NULL : c->generics, r, masked);
    const Region *own = inside(m, e, r); // a new region if each lane calls the function
    if (c->callee) walk(m, c->callee, own);
    if (masked) own = begin(m, NULL, r->scalar); // the callee's `scalar` runs once for all lanes
    for (int i = 0; i < c->nargs; i++)
        if (own != r && !masked)
            walk_argument(m, c->args[i], own, r);
        else
            walk(m, c->args[i], own);
}

static void walk_lambda(SimdWalk *m, const Ast *e, const Region *r)
{
    for (int i = 0; i + 1 < e->kids.len; i++) {
        simd_bind(m, e->kids.at[i], r);
        if (r->lanes && !m->masks) simd_own_reference(m, e->kids.at[i], OWN_OF_LANE);
    }
    walk(m, vec_last(&e->kids), r);
}

static void walk_binary(SimdWalk *m, const Ast *e, const Region *r)
{
    if (infer_note(m->b, e)->call) {
        walk_call(m, e, r);
        return;
    }
    walk(m, e->kids.at[0], r);
    walk(m, e->kids.at[1], inside(m, e, r));
    bool equality = ast_is_named(e, "==") || ast_is_named(e, "!=");
    Node *t = simd_type_of(m, e->kids.at[0]);
    if (equality && r->lanes && t && t->kind != TYPE_VEC && simd_vector_in(m, t, NULL))
        simd_refuse_across(m, e->span, e->name->text);
}

static void walk_assign(SimdWalk *m, const Ast *e, const Region *r)
{
    walk_base(m, e->kids.at[0], r);
    walk(m, e->kids.at[1], r);
    simd_check_write(m, e->kids.at[0], r);
}

// Reports a `let` that binds a function of vectors in code that keeps masks. The function would
// need one version for all lanes and another for a single lane.
static void check_data(SimdWalk *m, const Ast *let)
{
    const Ast *value = ast_strip(let->kids.at[2]);
    Node *t = simd_type_of(m, value);
    bool good = !t || type_is_data(t) || t->kind == TYPE_NEVER || value->kind == AST_REF;
    if (!good && type_has_vector(t))
        simd_refuse(m, E0331, value->span, "name it before, or make it a function of the module",
                    "a function of vectors cannot be named beside `scalar` or `print`");
}

static void walk_let(SimdWalk *m, const Ast *e, const Region *r)
{
    if (!infer_note(m->b, e->kids.at[2])->type) return; // a static size has no code
    walk(m, e->kids.at[2], r);
    simd_bind(m, e->kids.at[0], r);
    simd_declare_function(m, e);
    if (m->masks) check_data(m, e);
    if (r->lanes) simd_check_length(m, e->kids.at[0], r);
}

// Sets the number of lanes of a mask if it is unknown; simd_check_length reports a wrong one.
static void give_lanes(SimdWalk *m, const Ast *mask, Node *lanes, Node *around)
{
    if (infer_resolve(m->b, lanes)->kind == NAT_META)
        solver_unify(m->b->scope.solver, type_idx(m->cx, around), type_idx(m->cx, lanes),
                     mask->span, NULL);
}

// Walks over scalar { } or scalar |m| { }. In SIMD mode, the code inside is executed once, and the
// mask m holds the active lanes.
static void walk_scalar(SimdWalk *m, const Ast *e, const Region *r)
{
    const Ast *mask = e->kids.len > 1 ? e->kids.at[0] : NULL;
    Node *lanes = infer_note(m->b, e)->lanes;
    if (!r->lanes && mask && m->settled) {
        Diag *d = diag_error(m->cx, E0331, mask->span, "all lanes are active here");
        diag_help(m->cx, d, "masks exist only in a branch or loop on a vector");
        m->b->failed = m->reported = true;
        give_lanes(m, mask, lanes, nat_const(m->cx, 1));
    }
    if (!r->lanes) {
        walk(m, vec_last(&e->kids), r);
        return;
    }
    if (!m->masks)
        simd_refuse(m, E0331, e->span, simd_where_scalar,
                    "`scalar` can only be used in code that each lane executes by itself");
    if (mask) give_lanes(m, mask, lanes, r->lanes);
    if (mask) simd_check_length(m, mask, r);
    Region *own = begin(m, NULL, NULL);
    own->scalar = own;
    bool masks = m->masks;
    m->masks = false;
    if (mask) simd_bind(m, mask, own);
    walk(m, vec_last(&e->kids), own);
    m->masks = masks;
}

static void walk_statement(SimdWalk *m, const Ast *e, const Region *r)
{
    bool before = m->reported;
    m->reported = false;
    if (e->kind == AST_LET)
        walk_let(m, e, r);
    else
        walk(m, e, r);
    m->reported |= before;
}

static void walk_kind(SimdWalk *m, const Ast *e, const Region *r)
{
    switch (e->kind) {
    case AST_NAME: simd_mention(m, e, r, false); return;
    case AST_IF: walk_if(m, e, r); return;
    case AST_MATCH: walk_match(m, e, r); return;
    case AST_WHILE:
    case AST_LOOP: walk_loop(m, e, r); return;
    case AST_FOR:
    case AST_WITH: walk_for(m, e, r); return;
    case AST_CALL:
    case AST_PIPE: walk_call(m, e, r); return;
    case AST_LAMBDA: walk_lambda(m, e, r); return;
    case AST_BINARY: walk_binary(m, e, r); return;
    case AST_ASSIGN: walk_assign(m, e, r); return;
    case AST_SCALAR: walk_scalar(m, e, r); return;
    case AST_BLOCK:
        for (int i = 0; i < e->kids.len; i++)
            if (e->kids.at[i]) walk_statement(m, e->kids.at[i], r);
        return;
    case AST_REF: walk_reference(m, e, r, r); return;
    case AST_INDEX:
    case AST_FIELD:
        if (infer_note(m->b, e)->symbol) { // a function or an enum option
            simd_mention_symbol(m, e->span, infer_note(m->b, e)->symbol, NULL, r, false);
            return;
        }
        walk_base(m, e->kids.at[0], r);
        walk_all(m, e, 1, r);
        if (e->kind == AST_FIELD) simd_check_member(m, e, r);
        return;
    case AST_PROJ:
        walk_base(m, e, r);
        simd_check_member(m, e, r);
        return;
    case AST_SLICE:
    case AST_DEREF:
        walk_base(m, e->kids.at[0], r);
        walk_all(m, e, 1, r);
        return;
    default: walk_all(m, e, 0, r);
    }
}

static void walk(SimdWalk *m, const Ast *e, const Region *r)
{
    bool masks = m->masks;
    const Ast *part = m->part;
    const Region *program = m->program;
    if (!r->lanes && infer_note(m->b, e)->simd)
        m->masks = m->b->has_scalar && infer_has_scalar(m->b, e);
    if (m->masks && infer_part(m->b, e) == PART_LANES) {
        m->masks = false;
        m->part = e;
        m->program = r;
        Node *t = simd_type_of(m, e);
        bool once = t && infer_has_uniform(t) && !type_is_continuation(t);
        if (once && !infer_has_scalar(m->b, e)) simd_refuse_once(m, e, t); // else, reported inside
    }
    walk_kind(m, e, r);
    m->masks = masks;
    m->part = part;
    m->program = program;
    if (r->lanes) simd_check_length(m, e, r);
}

// --- the body ----------------------------------------------------------------------------------

// Walks the statements of a body. SIMD mode begins with the first statement in which lanes may
// return at different times.
static void walk_body(SimdWalk *m)
{
    Body *b = m->b;
    const Region *scalar = begin(m, NULL, NULL), *own = scalar;
    simd_declare(m, b->exit, scalar);
    m->masks = false;
    if (b->simd) own = begin(m, b->simd, NULL);
    if (b->value->kind != AST_BLOCK) {
        simd_declare(m, b->exit, own);
        walk(m, b->value, own);
        return;
    }
    for (int i = 0; i < b->value->kids.len; i++) {
        bool before = b->exit && map_get(&m->divergent, MAP_KEY(b->exit));
        if (b->simd && i == b->simd_from) {
            simd_declare(m, b->exit, own);
            m->masks = b->has_scalar && infer_has_scalar_from(b, b->value, i);
        }
        if (b->value->kids.at[i])
            walk_statement(m, b->value->kids.at[i], b->simd && i < b->simd_from ? scalar : own);
        bool after = b->exit && map_get(&m->divergent, MAP_KEY(b->exit));
        if (after && !before && !b->simd) {
            b->simd = map_get(&m->divergent, MAP_KEY(b->exit));
            b->simd_from = i;
            return;
        }
    }
}

// Checks that the vectors in the signature of a function in SIMD mode have its number of lanes.
static void check_signature(SimdWalk *m)
{
    const Symbol *y = m->b->symbol;
    const Signature *sig = y->signature;
    const Item *item = y->item;
    Node *other = simd_vector_in(m, sig->result, sig->simd);
    Span span = item->type ? item->type->span : item->name_span;
    m->report = true;
    simd_check_chosen(m, sig->result, span, "lanes return at different times");
    for (int i = 0; i < sig->params.len && !other; i++) {
        Node *t = sig->params.at[i].type;
        other = t ? simd_vector_in(m, t, sig->simd) : NULL;
        if (other) span = item->params.at[i].span;
    }
    if (other)
        simd_refuse(m, E0330, span, NULL, "`%s` in a function of %s lanes", infer_show(m->b, other),
                    simd_show_size(m, sig->simd));
    m->report = m->reported = false;
}

// Walks over the body until `divergent` has reached its fixed point.
static void walk_to_fixed_point(SimdWalk *m)
{
    do {
        m->grown = false;
        m->regions = map_new(m->b->arena);
        walk_body(m);
    } while (m->grown);
}

void infer_masks(Body *b)
{
    if (!b->value) return;
    SimdWalk m = {.b = b,
                  .cx = b->cx,
                  .divergent = map_new(b->arena),
                  .plain = map_new(b->arena),
                  .own = map_new(b->arena)};
    if (b->symbol && b->symbol->signature) b->simd = b->symbol->signature->simd;
    walk_to_fixed_point(&m);
    m.settled = true;
    walk_body(&m);
}

void infer_modes(Body *b)
{
    if (!b->value) return;
    SimdWalk m = {.b = b,
                  .cx = b->cx,
                  .divergent = map_new(b->arena),
                  .plain = map_new(b->arena),
                  .own = map_new(b->arena)};
    if (b->symbol && b->symbol->signature && b->symbol->signature->simd) {
        b->simd = b->symbol->signature->simd;
        b->simd_from = 0;
        check_signature(&m);
        if (b->failed) return;
    }
    walk_to_fixed_point(&m);
    m.report = true;
    walk_body(&m);
}
