// SIMD mode: which parts of a body the lanes of a vector run for themselves, some of them or all. A branch or loop on a condition that
// differs by lane switches to it, and so does a construct that lanes leave at different times; then it holds from the first statement
// that may leave on. The number of lanes is known at every point, and inside these rules hold (VecImp: Leissa's thesis, 4.2.2):
//
//   * no vector has another number of lanes (the lattice 1 < L < error);
//   * a place with one value for all lanes is not assigned, unless all lanes that have it come there (no store of a varying into a uniform);
//   * what lanes choose or leave with is a vector;
//   * nothing looks at other lanes: what is called is a function of one lane.
#include "infer/internal.h"

#include <string.h>

/// A part of the body that some lanes may come to while others do not; lanes NULL: scalar mode.
typedef struct Region Region;
struct Region {
    Node *lanes;
    const Region *scalar; // of the innermost scalar { } around it that stands in SIMD mode, or NULL
};

typedef struct {
    Body *b;
    Session *cx;
    Map regions; // Local -> the region of its declaration; of a continuation, that of what it leaves
    Map divergent; // continuation -> its lanes, which call it at different times
    Map plain;     // Local -> that it is a function that has nothing to do with lanes
    bool grown;    // something was added to `divergent`
    bool report;   // the last round: what is wrong is told
    bool settled;  // the last round of infer_masks
    bool masks;    // masks are kept for what is walked (masks.c)
    const Ast *
        part; // beside masks: what is walked is in this part, which each lane does for itself; or NULL
    const Region *program; // that of the part
    bool told;             // in this statement
} Modes;

static Region *begin(Modes *m, Node *lanes, const Region *scalar)
{
    Region *r = ARENA_NEW(m->b->arena, Region);
    *r = (Region){lanes, scalar};
    return r;
}

static Diag *refuse(Modes *m, DiagCode code, Span span, const char *text)
{
    m->b->failed = m->told = true;
    return diag_error(m->cx, code, span, "%s", text);
}

static const char *show(Modes *m, Node *t)
{
    return infer_show(m->b, t);
}

static const char *show_size(Modes *m, Node *n)
{
    Text t = text_new(m->cx->arena);
    nat_print(&t, n, 0);
    return text_get(&t);
}

// --- types -------------------------------------------------------------------------------------

// A vector inside of the type whose length is not `lanes` (NULL: any vector), or NULL.
static Node *vector_in(Modes *m, Node *t, Node *lanes)
{
    bool size = t->kind == TYPE_ARRAY || t->kind == TYPE_IDX;
    if (t->kind == TYPE_VEC) {
        bool same = lanes && nat_eq(m->cx, m->b->facts, t->op[0], lanes) == TRUTH_YES;
        return same ? NULL : t;
    }
    Node *found = NULL;
    for (uint32_t i = size; i < t->nops && !found; i++)
        if (!(kind_info[t->op[i]->kind].levels & LEVEL_NAT)) found = vector_in(m, t->op[i], lanes);
    return found;
}

// Whether a value has a part that is one for all lanes.
bool infer_has_uniform(Node *t)
{
    if (t->kind == TYPE_VEC || t->kind == TYPE_NEVER) return false;
    if (t->kind == TYPE_ARRAY) return infer_has_uniform(t->op[1]);
    if (t->kind != TYPE_TUPLE && t->kind != TYPE_STRUCT) return true;
    for (uint32_t i = 0; i < t->nops; i++)
        if (infer_has_uniform(t->op[i])) return true;
    return false;
}

// What of a type that has a uniform part is one value for all lanes.
static const char *show_uniform(Modes *m, Node *t)
{
    const char *what = infer_has_vector(t) ? "a part of `%s`" : "`%s`";
    return arena_printf(m->cx->arena, what, show(m, t));
}

static Node *type_of(Modes *m, const Ast *e)
{
    Node *t = infer_note(m->b, e)->type;
    return t ? infer_resolve(m->b, t) : NULL;
}

// A value that lanes choose, or leave with.
static void check_chosen(Modes *m, Node *t, Span span, const char *what)
{
    if (!m->report || m->told || !t || !infer_has_uniform(t)) return;
    Diag *d = refuse(
        m, E0328, span,
        arena_printf(m->cx->arena, "%s, and %s is one value for all", what, show_uniform(m, t)));
    diag_help(m->cx, d, "what differs by lane is of a type such as varying[8] f32");
}

static void check_length(Modes *m, const Ast *e, const Region *r)
{
    Node *t = type_of(m, e), *other;
    if (!m->report || m->told || !t || !(other = vector_in(m, t, r->lanes))) return;
    refuse(m, E0330, e->span,
           arena_printf(m->cx->arena, "`%s` stands where %s lanes go different ways",
                        show(m, other), show_size(m, r->lanes)));
}

// --- names -------------------------------------------------------------------------------------

static void declare(Modes *m, const Local *l, const Region *r)
{
    if (l) map_put(&m->regions, MAP_KEY(l), (void *)(uintptr_t)r);
}

static void bind(Modes *m, const Ast *pattern, const Region *r)
{
    declare(m, infer_note(m->b, pattern)->local, r);
    for (int i = 0; i < pattern->kids.len; i++)
        if (pattern->kids.at[i] && pattern->kids.at[i]->kind < AST_TYPE_NAME)
            bind(m, pattern->kids.at[i], r);
}

static bool is_parameter(const Modes *m, const Local *l)
{
    for (int i = 0; i < m->b->params.len; i++)
        if (m->b->params.at[i] == l) return true;
    return false;
}

static void looks_across(Modes *m, Span span, const char *name)
{
    if (!m->report || m->told) return;
    Diag *d = refuse(m, E0329, span,
                     arena_printf(m->cx->arena,
                                  "`%s` looks at all lanes, and here each goes its own way", name));
    diag_help(m->cx, d, "do it where all lanes are together: before, or in scalar { ... }");
}

static void leaves_scalar(Modes *m, const Ast *e)
{
    if (!m->report || m->told) return;
    Diag *d =
        refuse(m, E0331, e->span,
               arena_printf(m->cx->arena, "`%s` leaves `scalar`, and only some lanes come there",
                            e->name->text));
    diag_help(m->cx, d,
              "lanes leave where they go their own ways: behind it, as in if m { %s(...) }",
              e->name->text);
}

// A jump: when some lanes may do it while others go on, what it leaves is left at different times.
static void mention_continuation(Modes *m, const Ast *e, const Local *l, const Region *r)
{
    const Region *of = map_get(&m->regions, MAP_KEY(l));
    if (of && of->scalar != r->scalar) {
        leaves_scalar(m, e);
        return;
    }
    if (!r->lanes || of == r) return;
    Node *t = infer_resolve(m->b, l->type);
    if (type_nparams(t) > 0)
        check_chosen(m, type_param(t, 0), e->span, "lanes leave here at different times");
    if (map_get(&m->divergent, MAP_KEY(l))) return;
    map_put(&m->divergent, MAP_KEY(l), (void *)(uintptr_t)r->lanes);
    m->grown = true;
}

static bool is_within(Span part, Span whole)
{
    return part.file == whole.file && part.lo >= whole.lo && part.hi <= whole.hi;
}

// Whether a function that is given by `e` does the same wherever it is called: what it has from outside are values without vectors.
static bool is_plain(Modes *m, const Ast *e, Span whole)
{
    const Local *l = e->kind == AST_NAME ? infer_note(m->b, e)->local : NULL;
    Node *t = l && l->kind == LOCAL_VALUE ? infer_resolve(m->b, l->type) : NULL;
    if (e->kind == AST_SCALAR || (t && vector_in(m, t, NULL))) return false;
    bool outside = t && !is_within(l->span, whole), place = t && t->kind == TYPE_REF;
    if (outside && (l->mutable || place)) return false;
    if (outside && t->kind == TYPE_FUN && !is_parameter(m, l) && !map_get(&m->plain, MAP_KEY(l)))
        return false;
    for (int i = 0; i < e->kids.len; i++)
        if (e->kids.at[i] && e->kids.at[i]->kind < AST_TYPE_NAME &&
            !is_plain(m, e->kids.at[i], whole))
            return false;
    return true;
}

static void declare_function(Modes *m, const Ast *let)
{
    const Local *l = infer_note(m->b, let->kids.at[0])->local;
    Node *t = l ? infer_resolve(m->b, l->type) : NULL;
    if (!t || t->kind != TYPE_FUN || type_is_continuation(t) || l->mutable) return;
    if (vector_in(m, t, NULL) || !is_plain(m, let->kids.at[2], let->kids.at[2]->span)) return;
    map_put(&m->plain, MAP_KEY(l), (void *)(uintptr_t)l);
}

// A function from outside of SIMD mode may look at places of all lanes, or change them.
static void mention_function(Modes *m, const Ast *e, const Local *l, Node *t, const Region *r)
{
    const Region *of = map_get(&m->regions, MAP_KEY(l));
    if (!r->lanes || (of && of->lanes) || map_get(&m->plain, MAP_KEY(l))) return;
    if ((is_parameter(m, l) && !vector_in(m, t, NULL)) || !m->report || m->told) return;
    Diag *d = refuse(m, E0329, e->span,
                     arena_printf(m->cx->arena,
                                  "`%s` has to do with vectors or variables around it, and here "
                                  "each lane goes its own way",
                                  l->name->text));
    diag_help(m->cx, d, "what takes all it needs as parameters may be called for each lane");
}

static bool is_across(const Symbol *y)
{
    if (y->kind == SYMBOL_PATTERN) switch (infer_patterns[y->row].kind) {
        case CORE_ANY:
        case CORE_ALL:
        case CORE_EXTRACT:
        case CORE_SHUFFLE:
        case CORE_COUNT:
        case CORE_COMPRESS:
        case CORE_EXPAND:
        case VIEW_AS_VECTOR:
        case VIEW_AS_SCALAR: return true;
        default: return false;
        }
    return false;
}

static const char *const where_scalar =
    "it stands in blocks, branches and loops, and beside operators and calls, but not in a "
    "function that is passed on";

static void needs_masks(Modes *m, Span span, const char *name)
{
    if (!m->report || m->told) return;
    Diag *d =
        refuse(m, E0331, span,
               arena_printf(m->cx->arena,
                            "`%s` has a `scalar` inside, and the lanes do this one by one", name));
    diag_help(m->cx, d, "%s", where_scalar);
}

// A function in SIMD mode has as many lanes as there are where it is called.
static void mention_simd(Modes *m, Span span, const Symbol *y, Node *const *generics,
                         const Region *r, bool masked)
{
    const Signature *sig = y->signature;
    int n = sig->generics.len;
    Node **with = ARENA_ARRAY(m->b->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) with[i] = infer_resolve(m->b, generics[i]);
    Node *lanes = infer_replace(m->cx, sig->simd, sig->generics.at, with, n);
    if (!masked && infer_keeps_masks(m->b->in, y)) {
        needs_masks(m, span, y->name->text);
        return;
    }
    bool same = nat_eq(m->cx, m->b->facts, lanes, r->lanes) == TRUTH_YES;
    if (same || !m->report || m->told) return;
    refuse(m, E0330, span,
           arena_printf(m->cx->arena, "`%s` is of %s lanes and called where %s go different ways",
                        y->name->text, show_size(m, lanes), show_size(m, r->lanes)));
}

// `generics`: of a call, else NULL. `masked`: of a call that is told which lanes come.
static void mention_symbol(Modes *m, Span span, const Symbol *y, Node *const *generics,
                           const Region *r, bool masked)
{
    if (!y || !r->lanes) return;
    bool across = is_across(y);
    if (generics && y->kind == SYMBOL_FN && y->signature && y->signature->simd &&
        !y->signature->has_mode) {
        mention_simd(m, span, y, generics, r, masked);
        return;
    }
    if (y->kind == SYMBOL_FN && y->signature) {
        for (int i = 0; i < y->signature->params.len; i++) {
            Node *t = y->signature->params.at[i].type;
            across |= t && vector_in(m, t, NULL);
        }
        across |= vector_in(m, y->signature->result, NULL) != NULL;
    }
    if (across) looks_across(m, span, y->name->text);
}

// A reference that is passed on: what is behind it is written by whoever has it.
static void mention_reference(Modes *m, const Ast *e, const Local *l, Node *t, const Region *r)
{
    const Region *of = map_get(&m->regions, MAP_KEY(l));
    if (type_ref_mutable(t) && of != r)
        check_chosen(m, t->op[0], e->span, "only some lanes come here");
    bool all = !(of && of->lanes) && t->op[0]->kind != TYPE_VEC;
    if (all && vector_in(m, t->op[0], NULL)) looks_across(m, e->span, l->name->text);
}

// `base`: it is only the way to a part.
static void mention(Modes *m, const Ast *e, const Region *r, bool base)
{
    const Note *note = infer_note(m->b, e);
    const Local *l = note->local;
    Node *t = type_of(m, e);
    mention_symbol(m, e->span, note->symbol, NULL, r, false);
    if (!l || l->kind != LOCAL_VALUE || !t) return;
    if (type_is_continuation(t))
        mention_continuation(m, e, l, r);
    else if (t->kind == TYPE_FUN)
        mention_function(m, e, l, t, r);
    if (t->kind == TYPE_REF && !base && r->lanes) mention_reference(m, e, l, t, r);
}

// --- assignment --------------------------------------------------------------------------------

// A part that lanes do one by one, beside `scalar`, cannot also do something once.
static void refuse_once(Modes *m, const Ast *place, Node *t)
{
    Diag *d = refuse(m, E0331, place->span,
                     arena_printf(m->cx->arena,
                                  "`%s` is one value for all, and the lanes do this one by one",
                                  show(m, t)));
    diag_help(m->cx, d, "make it a statement of its own");
}

// A variable that is `assigned` may become a vector (lengths.c); what a reference leads to may not.
static void check_write(Modes *m, const Ast *place, const Region *r, bool assigned)
{
    Node *t = type_of(m, place);
    Place p = infer_place(m->b, place);
    if (!m->report || m->told || !r->lanes || !t || !infer_has_uniform(t)) return;
    if (p.root && map_get(&m->regions, MAP_KEY(p.root)) == r) {
        bool whole = m->part && m->part->kind == AST_ASSIGN && m->part->kids.at[0] == place;
        if (m->part && m->program == r && !whole) refuse_once(m, place, t);
        return;
    }
    if (assigned && infer_raise(m->b, p.root, r->lanes, place->span)) return;
    Diag *d =
        refuse(m, E0328, place->span,
               arena_printf(m->cx->arena, "only some lanes come here, and %s is one value for all",
                            show_uniform(m, t)));
    if (p.root && place->kind == AST_NAME && !infer_has_vector(t))
        diag_help(m->cx, d, "give each lane one of its own: let mut %s: varying[%s] %s = ...",
                  p.root->name->text, show_size(m, r->lanes), show(m, t));
}

// --- the walk ----------------------------------------------------------------------------------

static void walk(Modes *m, const Ast *e, const Region *r);

static void walk_all(Modes *m, const Ast *e, int from, const Region *r)
{
    for (int i = from; i < e->kids.len; i++)
        if (e->kids.at[i] && e->kids.at[i]->kind < AST_TYPE_NAME) walk(m, e->kids.at[i], r);
}

// The part around a place or a component.
static void walk_base(Modes *m, const Ast *e, const Region *r)
{
    if (e->kind == AST_NAME)
        mention(m, e, r, true);
    else
        walk(m, e, r);
}

static const Region *side(Modes *m, const Ast *e, const Region *r)
{
    Node *lanes = infer_note(m->b, e)->simd;
    return lanes ? begin(m, infer_resolve(m->b, lanes), r->scalar) : r;
}

static void walk_if(Modes *m, const Ast *e, const Region *r)
{
    const Note *note = infer_note(m->b, e);
    if (note->option) { // decided by ranks
        if (e->kids.at[note->option]) walk(m, e->kids.at[note->option], r);
        return;
    }
    walk(m, e->kids.at[0], r);
    for (int k = 1; k <= 2; k++)
        if (e->kids.at[k]) walk(m, e->kids.at[k], side(m, e, r));
    if (note->simd && e->kids.at[2])
        check_chosen(m, type_of(m, e), e->span, "lanes go different ways here");
}

static void walk_match(Modes *m, const Ast *e, const Region *r)
{
    walk(m, e->kids.at[0], r);
    if (infer_note(m->b, e)->simd) check_length(m, e->kids.at[0], side(m, e, r));
    for (int i = 1; i < e->kids.len; i++) {
        const Ast *arm = e->kids.at[i];
        const Region *own = side(m, e, r);
        bind(m, arm->kids.at[0], own);
        for (int k = 1; k <= 2; k++)
            if (arm->kids.at[k]) walk(m, arm->kids.at[k], own);
    }
    if (infer_note(m->b, e)->simd)
        check_chosen(m, type_of(m, e), e->span, "lanes go different ways here");
}

// A construct with labels: in SIMD mode as a whole when lanes leave one of them at different times.
static const Region *labelled(Modes *m, const Ast *e, const Local *exit, const Local *next,
                              const Region *r)
{
    Note *note = infer_note(m->b, e);
    Node *lanes = exit ? map_get(&m->divergent, MAP_KEY(exit)) : NULL;
    if (!lanes && next) lanes = map_get(&m->divergent, MAP_KEY(next));
    if (lanes && !note->simd) note->simd = lanes;
    const Region *own = side(m, e, r);
    declare(m, exit, own);
    declare(m, next, own);
    return own;
}

static void walk_loop(Modes *m, const Ast *e, const Region *r)
{
    const Note *note = infer_note(m->b, e);
    const Region *own = labelled(m, e, note->exit, note->next, r);
    walk_all(m, e, 0, own);
    if (note->simd) check_chosen(m, type_of(m, e), e->span, "lanes leave here at different times");
}

static void walk_for(Modes *m, const Ast *e, const Region *r)
{
    const Ast *call = infer_strip(e->kids.at[e->kids.len - 2]);
    const Call *c = infer_note(m->b, call)->call;
    const Ast *body = c->args[c->nargs - 1];
    const Local *next = body->kind == AST_LAMBDA ? infer_note(m->b, body)->next : NULL;
    const Region *own = labelled(m, e, infer_note(m->b, e)->exit, next, r);
    walk(m, call, own);
    if (infer_note(m->b, e)->simd)
        check_chosen(m, type_of(m, e), e->span, "lanes leave here at different times");
}

static void walk_call(Modes *m, const Ast *e, const Region *r)
{
    const Call *c = infer_note(m->b, e)->call;
    if (!c) {
        walk_all(m, e, 0, r);
        return;
    }
    bool masked = m->masks && r->lanes && infer_masked_callee(m->b, e);
    mention_symbol(m, e->span, c->symbol, c->partial ? NULL : c->generics, r, masked);
    const Region *own = side(m, e, r); // of a function that is called for each lane
    if (c->callee) walk(m, c->callee, own);
    if (masked)
        own = begin(m, NULL, r->scalar); // it does for all lanes what it does in its `scalar`
    for (int i = 0; i < c->nargs; i++) {
        Node *t = type_of(m, c->args[i]);
        walk(m, c->args[i], t && t->kind == TYPE_REF ? own : r);
    }
}

static void walk_lambda(Modes *m, const Ast *e, const Region *r)
{
    for (int i = 0; i + 1 < e->kids.len; i++) bind(m, e->kids.at[i], r);
    walk(m, vec_last(&e->kids), r);
}

static void walk_binary(Modes *m, const Ast *e, const Region *r)
{
    if (infer_note(m->b, e)->call) {
        walk_call(m, e, r);
        return;
    }
    walk(m, e->kids.at[0], r);
    walk(m, e->kids.at[1], side(m, e, r));
    bool equality = strcmp(e->name->text, "==") == 0 || strcmp(e->name->text, "!=") == 0;
    Node *t = type_of(m, e->kids.at[0]);
    if (equality && r->lanes && t && t->kind != TYPE_VEC && vector_in(m, t, NULL))
        looks_across(m, e->span, e->name->text);
}

static void walk_assign(Modes *m, const Ast *e, const Region *r)
{
    walk_base(m, e->kids.at[0], r);
    walk(m, e->kids.at[1], r);
    check_write(m, e->kids.at[0], r, true);
}

// Beside masks a function would have to be one for all lanes and for each of them.
static void check_data(Modes *m, const Ast *let)
{
    const Ast *value = infer_strip(let->kids.at[2]);
    Node *t = type_of(m, value);
    bool good = !t || type_is_data(t) || t->kind == TYPE_NEVER || value->kind == AST_REF;
    if (good || !m->report || m->told || !infer_has_vector(t)) return;
    Diag *d = refuse(m, E0331, value->span, "a function of vectors is not named beside `scalar`");
    diag_help(m->cx, d, "name it before, or make it a function of the module");
}

static void walk_let(Modes *m, const Ast *e, const Region *r)
{
    if (!infer_note(m->b, e->kids.at[2])->type) return; // a size
    walk(m, e->kids.at[2], r);
    bind(m, e->kids.at[0], r);
    declare_function(m, e);
    if (m->masks) check_data(m, e);
    if (r->lanes) check_length(m, e->kids.at[0], r);
}

// A mask of other lanes is told by check_length.
static void give_lanes(Modes *m, const Ast *mask, Node *lanes, Node *around)
{
    Node *truth = type_scalar(m->cx, SCALAR_BOOL);
    if (infer_resolve(m->b, lanes)->kind != NAT_META) return;
    solver_unify(m->b->scope.solver, type_varying(m->cx, around, truth),
                 type_varying(m->cx, lanes, truth), mask->span, &(const char *){NULL});
}

// In SIMD mode what stands there is done once. Its mask says which lanes come.
static void walk_scalar(Modes *m, const Ast *e, const Region *r)
{
    const Ast *mask = e->kids.len > 1 ? e->kids.at[0] : NULL;
    Node *lanes = infer_note(m->b, e)->lanes;
    if (!r->lanes && mask && m->settled) {
        Diag *d = refuse(m, E0331, mask->span, "all lanes are together here");
        diag_help(m->cx, d, "a mask is where a branch or loop on a vector is around");
        give_lanes(m, mask, lanes, nat_const(m->cx, 1));
    }
    if (!r->lanes) {
        walk(m, vec_last(&e->kids), r);
        return;
    }
    if (m->report && !m->told && !m->masks) {
        Diag *d = refuse(m, E0331, e->span, "`scalar` stands inside of what lanes do one by one");
        diag_help(m->cx, d, "%s", where_scalar);
    }
    if (mask) give_lanes(m, mask, lanes, r->lanes);
    if (mask) check_length(m, mask, r);
    Region *own = begin(m, NULL, NULL);
    own->scalar = own;
    bool masks = m->masks;
    m->masks = false;
    if (mask) bind(m, mask, own);
    walk(m, vec_last(&e->kids), own);
    m->masks = masks;
}

static void walk_statement(Modes *m, const Ast *e, const Region *r)
{
    bool before = m->told;
    m->told = false;
    if (e->kind == AST_LET)
        walk_let(m, e, r);
    else
        walk(m, e, r);
    m->told |= before;
}

static void walk_kind(Modes *m, const Ast *e, const Region *r)
{
    switch (e->kind) {
    case AST_NAME: mention(m, e, r, false); return;
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
    case AST_REF:
        walk_base(m, e->kids.at[0], r);
        if (e->value.integer) check_write(m, e->kids.at[0], r, false);
        return;
    case AST_INDEX:
    case AST_FIELD:
        if (infer_note(m->b, e)->symbol) { // a function, or an option of an enum
            mention_symbol(m, e->span, infer_note(m->b, e)->symbol, NULL, r, false);
            return;
        }
        walk_base(m, e->kids.at[0], r);
        walk_all(m, e, 1, r);
        return;
    case AST_PROJ:
    case AST_SLICE:
    case AST_DEREF:
        walk_base(m, e->kids.at[0], r);
        walk_all(m, e, 1, r);
        return;
    default: walk_all(m, e, 0, r);
    }
}

static void walk(Modes *m, const Ast *e, const Region *r)
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
        Node *t = type_of(m, e);
        bool once = t && infer_has_uniform(t) && !type_is_continuation(t);
        once = once && !infer_has_scalar(m->b, e); // that is told inside
        if (m->report && !m->told && once) refuse_once(m, e, t);
    }
    walk_kind(m, e, r);
    m->masks = masks;
    m->part = part;
    m->program = program;
    if (r->lanes) check_length(m, e, r);
}

// --- the body ----------------------------------------------------------------------------------

// The statements of a body; from the first one on in which a lane may return before others all is in SIMD mode.
static void walk_body(Modes *m)
{
    Body *b = m->b;
    const Region *scalar = begin(m, NULL, NULL), *own = scalar;
    declare(m, b->exit, scalar);
    m->masks = false;
    if (b->simd) own = begin(m, b->simd, NULL);
    if (b->value->kind != AST_BLOCK) {
        declare(m, b->exit, own);
        walk(m, b->value, own);
        return;
    }
    for (int i = 0; i < b->value->kids.len; i++) {
        bool before = b->exit && map_get(&m->divergent, MAP_KEY(b->exit));
        if (b->simd && i == b->simd_from) {
            declare(m, b->exit, own);
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

// A function in SIMD mode takes vectors of its number of lanes, and gives nothing else.
static void check_signature(Modes *m)
{
    const Symbol *y = m->b->symbol;
    const Signature *sig = y->signature;
    const Item *item = y->item;
    Node *other = vector_in(m, sig->result, sig->simd);
    Span span = item->type ? item->type->span : item->name_span;
    m->report = true;
    check_chosen(m, sig->result, span, "lanes return at different times");
    for (int i = 0; i < sig->params.len && !other; i++) {
        Node *t = sig->params.at[i].type;
        other = t ? vector_in(m, t, sig->simd) : NULL;
        if (other) span = item->params.at[i].span;
    }
    if (other && !m->told)
        refuse(m, E0330, span,
               arena_printf(m->cx->arena, "`%s` in a function of %s lanes", show(m, other),
                            show_size(m, sig->simd)));
    m->report = m->told = false;
}

void infer_masks(Body *b)
{
    if (!b->value) return;
    Modes m = {.b = b, .cx = b->cx, .divergent = map_new(b->arena), .plain = map_new(b->arena)};
    if (b->symbol && b->symbol->signature) b->simd = b->symbol->signature->simd;
    do {
        m.grown = false;
        m.regions = map_new(b->arena);
        walk_body(&m);
    } while (m.grown);
    m.settled = true;
    walk_body(&m);
}

void infer_modes(Body *b)
{
    if (!b->value) return;
    Modes m = {.b = b, .cx = b->cx, .divergent = map_new(b->arena), .plain = map_new(b->arena)};
    if (b->symbol && b->symbol->signature && b->symbol->signature->simd) {
        b->simd = b->symbol->signature->simd;
        b->simd_from = 0;
        check_signature(&m);
        if (b->failed) return;
    }
    do {
        m.grown = false;
        m.regions = map_new(b->arena);
        walk_body(&m);
    } while (m.grown);
    m.report = true;
    walk_body(&m);
}
