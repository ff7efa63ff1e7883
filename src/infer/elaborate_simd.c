// Core of SIMD mode. A construct whose lanes go different ways becomes a loop over the lanes around the program of one lane, in which a
// vector is what that lane has of it:
//
//   if v > 0.0 { x = x + v; }      becomes      vectorize(8, 0, 8, |l| { let xl = x@l; if v@l > 0.0 { xl = xl + v@l }; x@l = xl })
//
// So there is one lineariser, and masks are made where they are for bodies of `vectorize` (loops/vector/if_convert.c). That lanes one after the other
// mean what lanes in lockstep do is what the rules of SIMD mode are for (mode.c): no lane sees what another does.
//
// Variables that the construct mentions are variables of the lane inside of it. Arrays of vectors stay where they are.
#include "infer/elaborate.h"

// --- types -------------------------------------------------------------------------------------

Node *elab_lane_type(Elab *x, Node *t)
{
    if (!infer_has_vector(t)) return t;
    if (t->kind == TYPE_VEC) return t->op[1];
    for (uint32_t i = 0; i < t->nops; i++)
        if (infer_has_vector(t->op[i]))
            t = node_with_op(x->cx, t, (int)i, elab_lane_type(x, t->op[i]));
    return t;
}

// --- lanes of values and places ----------------------------------------------------------------

// Which lane this is, as an index of vectors of this length.
Node *elab_lane_index(Elab *x, Node *length)
{
    Node *type = type_idx(x->cx, x->lane->length);
    Node *at = core_var(x->cx, x->depth - 1 - x->lane->index, type);
    return length == x->lane->length ? at : core_cast(x->cx, at, type_idx(x->cx, length));
}

// The components of a value, each what this lane has.
static Node *components_of(Elab *x, Node *e)
{
    Node *type = e->type, **parts = ARENA_ARRAY(x->b->arena, Node *, type->nops + 1);
    Lets lets = {0};
    if (!elab_is_path(e)) {
        elab_push(x, &lets, NULL, e);
        e = core_var(x->cx, 0, type);
    }
    for (uint32_t i = 0; i < type->nops; i++)
        parts[i] = elab_lane_of(x, core_proj(x->cx, e, (int)i));
    return elab_wrap(x, &lets, core_tuple(x->cx, (int)type->nops, parts, elab_lane_type(x, type)));
}

static Node *elements_of(Elab *x, Node *e)
{
    Node *element = e->type->op[1];
    Sym name = session_sym(x->cx, "v");
    x->depth++;
    Node *one = elab_lane_of(x, core_var(x->cx, 0, element));
    x->depth--;
    return core_pattern(x->cx, CORE_MAP, 0, 2,
                        (Node *[]){core_lam(x->cx, 1, &element, &name, one), e});
}

// A reference to more than one vector stays: what it refers to is looked at part by part.
Node *elab_lane_of(Elab *x, Node *e)
{
    Node *t = e->type;
    if (!x->lane || !infer_has_vector(t)) return e;
    switch ((Kind)t->kind) {
    case TYPE_VEC:
        return core_pattern(x->cx, CORE_EXTRACT, 0, 2, (Node *[]){e, elab_lane_index(x, t->op[0])});
    case TYPE_REF:
        return t->op[0]->kind == TYPE_VEC
                   ? core_ref_at(x->cx, e, elab_lane_index(x, t->op[0]->op[0]))
                   : e;
    case TYPE_ARRAY: return elements_of(x, e);
    case TYPE_TUPLE:
    case TYPE_STRUCT: return components_of(x, e);
    default: return e;
    }
}

static Node *set_parts(Elab *x, Node *place, Node *value);

// `place` and `value` are variables, or ways to parts of variables. What is one for all lanes stays, but where masks are kept: there all lanes
// that come have the same of it.
static Node *set_part(Elab *x, Node *place, Node *value)
{
    if (!infer_has_vector(place->type))
        return x->masks && !x->lane ? core_set(x->cx, place, value) : core_unit(x->cx);
    if (!x->lane && value->type->kind == TYPE_VEC) {
        Node *ops[3] = {elab_live(x), value, core_get(x->cx, place)};
        return core_set(x->cx, place, core_pattern(x->cx, CORE_BLEND, 0, 3, ops));
    }
    if (!x->lane) return set_parts(x, place, value);
    place = elab_lane_of(x, place);
    bool all = infer_has_vector(place->type);
    return all ? set_parts(x, place, value) : core_set(x->cx, place, value);
}

static Node *set_components(Elab *x, Node *place, Node *value)
{
    Node *done = NULL;
    for (int i = (int)place->type->op[0]->nops - 1; i >= 0; i--) {
        Node *one = set_part(x, core_ref_proj(x->cx, place, i), core_proj(x->cx, value, i));
        done = done ? core_seq(x->cx, one, done) : one;
    }
    return done ? done : core_unit(x->cx);
}

static Node *set_elements(Elab *x, Node *place, Node *value)
{
    Session *cx = x->cx;
    Node *n = value->type->op[0], *i64 = elab_i64(x);
    Sym name = session_sym(cx, "i");
    x->depth++;
    Node *at = core_to_idx(cx, core_var(cx, 0, i64), n, NO_SPAN);
    Node *ops[2] = {node_shift(cx, value, 1, 0), at};
    Node *one = set_part(x, core_ref_at(cx, node_shift(cx, place, 1, 0), at),
                         core_pattern(cx, CORE_INDEX, 0, 2, ops));
    x->depth--;
    return core_range(cx, core_int(cx, i64, 0), core_size(cx, n),
                      core_lam(cx, 1, &i64, &name, one));
}

static Node *set_parts(Elab *x, Node *place, Node *value)
{
    return place->type->op[0]->kind == TYPE_ARRAY ? set_elements(x, place, value)
                                                  : set_components(x, place, value);
}

static Node *set_named(Elab *x, Node *place, Node *value)
{
    Lets lets = {0};
    Node *to = place->type, *of = value->type;
    elab_push(x, &lets, session_sym(x->cx, "place"), place);
    elab_push(x, &lets, NULL, node_shift(x->cx, value, 1, 0));
    return elab_wrap(x, &lets, set_part(x, core_var(x->cx, 1, to), core_var(x->cx, 0, of)));
}

Node *elab_lane_set(Elab *x, Node *place, Node *value)
{
    if (!x->lane || !infer_has_vector(place->type)) return core_set(x->cx, place, value);
    return set_named(x, place, value);
}

Node *elab_masked_set(Elab *x, Node *place, Node *value)
{
    return set_named(x, place, value);
}

// --- values for all lanes ----------------------------------------------------------------------

Node *elab_splat_to(Elab *x, Node *e, Node *type)
{
    Session *cx = x->cx;
    if (e->type == type || !infer_has_vector(type)) return e;
    if (type->kind == TYPE_VEC) return core_cast(cx, e, type);
    if (type->kind == TYPE_ARRAY) {
        Node *element = e->type->op[1];
        Sym name = session_sym(cx, "x");
        Node *one = elab_splat_to(x, core_var(cx, 0, element), type->op[1]);
        return core_pattern(cx, CORE_MAP, 0, 2,
                            (Node *[]){core_lam(cx, 1, &element, &name, one), e});
    }
    Node **parts = ARENA_ARRAY(x->b->arena, Node *, type->nops + 1);
    Lets lets = {0};
    if (!elab_is_path(e)) {
        Node *t = e->type;
        elab_push(x, &lets, NULL, e);
        e = core_var(cx, 0, t);
    }
    for (uint32_t i = 0; i < type->nops; i++)
        parts[i] = elab_splat_to(x, core_proj(cx, e, (int)i), type->op[i]);
    return elab_wrap(x, &lets, core_tuple(cx, (int)type->nops, parts, type));
}

// --- patterns on lanes -------------------------------------------------------------------------

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
    return chosen(x, core_prim(cx, PRIM_EQ, 2, (Node *[]){here, at}), ops[2], ops[0]);
}

// --- variables of the lane ---------------------------------------------------------------------

typedef struct {
    Local *local;
    int level; // outside
    bool assigned;
} Mine;

typedef struct {
    Elab *x;
    VEC(Mine) mine;
    VEC(const Local *) inside; // declared in the construct
    bool aliases;              // a reference to vectors is mentioned: it may lead to any variable
} Mentioned;

static void find_declared(Mentioned *m, const Ast *e)
{
    const Local *l =
        e->kind >= AST_BIND && e->kind < AST_TYPE_NAME ? infer_note(m->x->b, e)->local : NULL;
    if (l) vec_push(m->x->b->arena, &m->inside, l);
    for (int i = 0; i < e->kids.len; i++)
        if (e->kids.at[i]) find_declared(m, e->kids.at[i]);
}

static bool is_inside(const Mentioned *m, const Local *l)
{
    for (int i = 0; i < m->inside.len; i++)
        if (m->inside.at[i] == l) return true;
    return false;
}

static void find(Mentioned *m, Local *l, bool assigned)
{
    Body *b = m->x->b;
    if (!l || l->kind != LOCAL_VALUE || is_inside(m, l)) return;
    Node *t = infer_resolve(b, l->type);
    if (!infer_has_vector(t)) return;
    m->aliases |= t->kind == TYPE_REF;
    if (!l->mutable || type_has_array(t) || !type_is_data(t)) return;
    if (m->x->masks && t->kind != TYPE_VEC) return; // it may have parts that are one for all lanes
    for (int i = 0; i < m->mine.len; i++)
        if (m->mine.at[i].local == l) {
            m->mine.at[i].assigned |= assigned;
            return;
        }
    vec_push(b->arena, &m->mine, ((Mine){l, l->level, assigned}));
}

static void find_mentioned(Mentioned *m, const Ast *e)
{
    Body *b = m->x->b;
    bool written = e->kind == AST_ASSIGN || (e->kind == AST_REF && e->value.integer);
    if (written) find(m, (Local *)(uintptr_t)infer_place(b, e->kids.at[0]).root, true);
    if (e->kind == AST_NAME) find(m, infer_note(b, e)->local, false);
    for (int i = 0; i < e->kids.len; i++)
        if (e->kids.at[i] && e->kids.at[i]->kind < AST_TYPE_NAME) find_mentioned(m, e->kids.at[i]);
}

// From here on the variables are those of the lane.
static void take(Mentioned *m, Lets *lets)
{
    Elab *x = m->x;
    for (int i = 0; i < m->mine.len && !m->aliases; i++) {
        Local *l = m->mine.at[i].local;
        Node *value = elab_lane_of(x, core_get(x->cx, elab_local(x, l)));
        int level = x->depth;
        elab_push(x, lets, l->name, core_new(x->cx, value));
        l->level = level;
    }
}

// The value of a variable of the lane goes to where all lanes have theirs, unless the program of the lane `ends` otherwise.
static void give_back(Mentioned *m, Lets *lets, bool ends)
{
    Elab *x = m->x;
    for (int i = 0; i < m->mine.len && !m->aliases; i++) {
        const Mine *mine = &m->mine.at[i];
        Node *value = core_get(x->cx, elab_local(x, mine->local));
        mine->local->level = mine->level;
        if (!mine->assigned || ends) continue;
        Node *set = elab_lane_set(x, elab_local(x, mine->local), value);
        elab_push(x, lets, NULL, set);
    }
}

// --- the loop over lanes -----------------------------------------------------------------------

Node *elab_lane_part(Elab *x, const LanePart *part)
{
    Node *value = part->make(x, part->e), *type = part->type;
    if (!type || value->type->kind == TYPE_NEVER) return value;
    Node *place =
        core_var(x->cx, x->depth - 1 - part->result, type_ref(x->cx, type, true, SPACE_GENERIC));
    return elab_lane_set(x, elab_lane_of(x, place), value);
}

// The body of a loop whose index, the lane, is the variable bound last.
static Node *program_of_lane(Elab *x, const LanePart *part)
{
    Mentioned m = {.x = x};
    Lets lets = {0};
    Node *length = x->lane->length;
    elab_push(x, &lets, session_sym(x->cx, "lane"),
              core_to_idx(x->cx, core_var(x->cx, 0, elab_i64(x)), length, part->e->span));
    find_declared(&m, part->e);
    find_mentioned(&m, part->e);
    take(&m, &lets);
    Node *value = x->masks ? elab_masked_lane(x, part) : elab_lane_part(x, part);
    bool ends = value->type->kind == TYPE_NEVER;
    if (!ends) {
        elab_push(x, &lets, NULL, value);
        value = core_unit(x->cx);
    }
    give_back(&m, &lets, ends);
    return elab_wrap(x, &lets, value);
}

static Node *loop_over_lanes(Elab *x, Node *length, const LanePart *part)
{
    Session *cx = x->cx;
    Node *i64 = elab_i64(x), *i32 = type_scalar(cx, SCALAR_I32);
    OneLane lane = {length, x->depth, x->depth + 1};
    Sym name = session_sym(cx, "l");
    x->lane = &lane;
    x->depth++;
    Node *body = program_of_lane(x, part);
    x->depth--;
    x->lane = NULL;
    Node *size = core_size(cx, length), *f = core_lam(cx, 1, &i64, &name, body);
    return core_at(cx, core_vectorize(cx, core_cast(cx, size, i32), core_int(cx, i64, 0), size, f),
                   part->e->span);
}

// What the construct gives, of this type.
Node *elab_in_lanes(Elab *x, const Ast *e, Node *length, ElabMake *make, Node *type)
{
    Lets lets = {0};
    LanePart part = {e, make, type, x->depth};
    if (type->kind == TYPE_NEVER || type_is_unit(type)) {
        part.type = NULL;
        return loop_over_lanes(x, length, &part);
    }
    elab_push(x, &lets, session_sym(x->cx, "r"), core_new(x->cx, elab_zero(x, type)));
    elab_push(x, &lets, NULL, loop_over_lanes(x, length, &part));
    Node *place =
        core_var(x->cx, x->depth - 1 - part.result, type_ref(x->cx, type, true, SPACE_GENERIC));
    return elab_wrap(x, &lets, core_get(x->cx, place));
}

// Whether an expression is made of operators and functions of scalars, so that a lane can compute it for itself.
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

// Conditions, operands and arguments that need all lanes together are computed before.
static void hold(Elab *x, Lets *lets, const Ast *e)
{
    if (is_lanewise(x, e) || e->kind == AST_REF)
        infer_note(x->b, e)->held = 0;
    else
        elab_hold(x, lets, e);
}

// Another version of the function computes it again.
static void release(Elab *x, const Ast *e)
{
    infer_note(x->b, e)->held = 0;
}

static bool is_part(const Ast *e)
{
    return e->kind == AST_INDEX || e->kind == AST_SLICE || e->kind == AST_FIELD ||
           e->kind == AST_PROJ || e->kind == AST_PAREN;
}

// Of a part at an index in lanes: the indices, what it is a part of if that has no name, and what is assigned to it.
static void hold_indices(Elab *x, Lets *lets, const Ast *e)
{
    if (e->kind == AST_ASSIGN) hold(x, lets, e->kids.at[1]);
    if (e->kind == AST_ASSIGN) e = e->kids.at[0];
    if (!is_part(e)) return;
    hold_indices(x, lets, e->kids.at[0]);
    bool value = !is_part(e->kids.at[0]) && !infer_place(x->b, e->kids.at[0]).exists;
    if (value) hold(x, lets, e->kids.at[0]);
    for (int i = 1; e->kind == AST_INDEX && i < e->kids.len; i++) hold(x, lets, e->kids.at[i]);
}

static void release_indices(Elab *x, const Ast *e)
{
    if (e->kind == AST_ASSIGN) release(x, e->kids.at[1]);
    if (e->kind == AST_ASSIGN) e = e->kids.at[0];
    if (!is_part(e)) return;
    release_indices(x, e->kids.at[0]);
    for (int i = 0; i < e->kids.len && e->kind != AST_SLICE; i++) release(x, e->kids.at[i]);
}

Node *elab_simd(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    Lets lets = {0};
    Node *lanes = infer_resolve(x->b, note->simd), *done;
    bool first = e->kind == AST_IF || e->kind == AST_MATCH || e->kind == AST_BINARY;
    if (first) hold(x, &lets, e->kids.at[0]);
    hold_indices(x, &lets, e);
    for (int i = 0; note->call && i < note->call->nargs; i++) hold(x, &lets, note->call->args[i]);
    if (x->b->has_scalar && infer_has_scalar(x->b, e))
        done = elab_with_masks(x, e, lanes);
    else
        done = elab_in_lanes(x, e, lanes, elab_open, infer_resolve(x->b, note->type));
    bool ends = note->call && infer_resolve(x->b, note->type)->kind == TYPE_NEVER;
    if (ends) // no lane comes back from the call
        done = core_seq(x->cx, done, core_forever(x->cx, core_unit(x->cx)));
    if (first) release(x, e->kids.at[0]);
    release_indices(x, e);
    for (int i = 0; note->call && i < note->call->nargs; i++) release(x, note->call->args[i]);
    return elab_wrap(x, &lets, done);
}

// The last statements of a body, whose value is that of the body.
static Node *rest_block(Elab *x, const Ast *e)
{
    return elab_as(x, elab_block(x, e), elab_type(x, x->b->type), e->span);
}

static Node *rest(Elab *x, const Ast *e)
{
    return elab_label(x, x->b->exit, elab_type(x, x->b->type), rest_block, e);
}

Node *elab_simd_rest(Elab *x, const Ast *e)
{
    Local *exit = x->b->exit;
    int level = exit->level;
    infer_note(x->b, e)->type = x->b->type;
    if (x->b->has_scalar && infer_has_scalar(x->b, e))
        return elab_rest_with_masks(x, e, infer_resolve(x->b, x->b->simd),
                                    infer_resolve(x->b, x->b->type), NULL);
    Node *done =
        elab_in_lanes(x, e, infer_resolve(x->b, x->b->simd), rest, infer_resolve(x->b, x->b->type));
    exit->level = level;
    return done;
}

// --- functions in SIMD mode --------------------------------------------------------------------

Sym elab_lane_name(Elab *x, const Symbol *y)
{
    return session_sym(x->cx, arena_printf(x->b->arena, "%s(lane)", y->full->text));
}

Sym elab_masked_name(Elab *x, const Symbol *y)
{
    return session_sym(x->cx, arena_printf(x->b->arena, "%s(lanes)", y->full->text));
}

// The last parameter is which lanes come.
Node *elab_masked_body(Body *b, int nparams)
{
    Node *length = b->symbol->signature->simd, *truth = type_scalar(b->cx, SCALAR_BOOL);
    Elab x = {.b = b, .cx = b->cx, .depth = nparams};
    Node *come = core_var(b->cx, 0, type_varying(b->cx, length, truth));
    return elab_rest_with_masks(&x, b->value, length, infer_resolve(b, b->type), come);
}

// The last parameter is which lane it is, the others are what that lane has of them.
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
