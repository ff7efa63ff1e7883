// The rules of SIMD mode for types, names and places in regions where lanes diverge.
#include "infer/simd/regions.h"

Diag *simd_refuse(SimdWalk *m, DiagCode code, Span span, const char *text)
{
    m->b->failed = m->reported = true;
    return diag_error(m->cx, code, span, "%s", text);
}

const char *simd_show(SimdWalk *m, Node *t)
{
    return infer_show(m->b, t);
}

const char *simd_show_size(SimdWalk *m, Node *n)
{
    Text t = text_new(m->cx->arena);
    nat_print(&t, n, 0);
    return text_get(&t);
}

// --- types -------------------------------------------------------------------------------------

// A vector inside of the type whose length is not `lanes` (NULL: any vector), or NULL.
Node *simd_vector_in(SimdWalk *m, Node *t, Node *lanes)
{
    bool size = t->kind == TYPE_ARRAY || t->kind == TYPE_IDX;
    if (t->kind == TYPE_VEC) {
        bool same = lanes && nat_eq(m->cx, m->b->facts, t->op[0], lanes) == TRUTH_YES;
        return same ? NULL : t;
    }
    Node *found = NULL;
    for (uint32_t i = size; i < t->nops && !found; i++)
        if (!(kind_info[t->op[i]->kind].levels & LEVEL_NAT))
            found = simd_vector_in(m, t->op[i], lanes);
    return found;
}

// The uniform part of a type, as text.
static const char *show_uniform(SimdWalk *m, Node *t)
{
    const char *what = infer_has_vector(t) ? "a part of `%s`" : "`%s`";
    return arena_printf(m->cx->arena, what, simd_show(m, t));
}

Node *simd_type_of(SimdWalk *m, const Ast *e)
{
    Node *t = infer_note(m->b, e)->type;
    return t ? infer_resolve(m->b, t) : NULL;
}

void simd_check_chosen(SimdWalk *m, Node *t, Span span, const char *what)
{
    if (!m->report || m->reported || !t || !infer_has_uniform(t)) return;
    Diag *d = simd_refuse(
        m, E0328, span,
        arena_printf(m->cx->arena, "%s, and %s is one value for all", what, show_uniform(m, t)));
    diag_help(m->cx, d, "what differs by lane is of a type such as varying[8] f32");
}

void simd_check_length(SimdWalk *m, const Ast *e, const Region *r)
{
    Node *t = simd_type_of(m, e), *other;
    if (!m->report || m->reported || !t || !(other = simd_vector_in(m, t, r->lanes))) return;
    simd_refuse(m, E0330, e->span,
                arena_printf(m->cx->arena, "`%s` stands where %s lanes go different ways",
                             simd_show(m, other), simd_show_size(m, r->lanes)));
}

// --- names -------------------------------------------------------------------------------------

void simd_declare(SimdWalk *m, const Local *l, const Region *r)
{
    if (l) map_put(&m->regions, MAP_KEY(l), (void *)(uintptr_t)r);
}

void simd_bind(SimdWalk *m, const Ast *pattern, const Region *r)
{
    simd_declare(m, infer_note(m->b, pattern)->local, r);
    for (int i = 0; i < pattern->kids.len; i++)
        if (pattern->kids.at[i] && pattern->kids.at[i]->kind < AST_TYPE_NAME)
            simd_bind(m, pattern->kids.at[i], r);
}

static bool is_parameter(const SimdWalk *m, const Local *l)
{
    for (int i = 0; i < m->b->params.len; i++)
        if (m->b->params.at[i] == l) return true;
    return false;
}

void simd_looks_across(SimdWalk *m, Span span, const char *name)
{
    if (!m->report || m->reported) return;
    Diag *d =
        simd_refuse(m, E0329, span,
                    arena_printf(m->cx->arena,
                                 "`%s` looks at all lanes, and here each goes its own way", name));
    diag_help(m->cx, d, "do it where all lanes are together: before, or in scalar { ... }");
}

static void leaves_scalar(SimdWalk *m, const Ast *e)
{
    if (!m->report || m->reported) return;
    Diag *d = simd_refuse(m, E0331, e->span,
                          arena_printf(m->cx->arena,
                                       "`%s` leaves `scalar`, and only some lanes come there",
                                       e->name->text));
    diag_help(m->cx, d,
              "lanes leave where they go their own ways: behind it, as in if m { %s(...) }",
              e->name->text);
}

// A continuation that a parameter or a choice gives: what some lanes leave by it is not known here.
static void leaves_unknown(SimdWalk *m, const Ast *e, const Local *l)
{
    if (!m->report || m->reported) return;
    Diag *d =
        simd_refuse(m, E0329, e->span,
                    arena_printf(m->cx->arena,
                                 "what `%s` leaves is not known here, and only some lanes leave it",
                                 l->name->text));
    diag_help(m->cx, d,
              "call break, continue or return, or a name that `let` gives to one of them");
}

// A jump: if some lanes may jump while others do not, they leave its target at different times.
static void mention_continuation(SimdWalk *m, const Ast *e, const Local *l, const Region *r)
{
    const Region *of = map_get(&m->regions, MAP_KEY(l));
    if (!infer_is_continuation_name(l->name)) { // other names of these are the same local
        if (r->lanes && of != r) leaves_unknown(m, e, l);
        return;
    }
    if (of && of->scalar != r->scalar) {
        leaves_scalar(m, e);
        return;
    }
    if (!r->lanes || of == r) return;
    Node *t = infer_resolve(m->b, l->type);
    if (type_nparams(t) > 0)
        simd_check_chosen(m, type_param(t, 0), e->span, "lanes leave here at different times");
    if (map_get(&m->divergent, MAP_KEY(l))) return;
    map_put(&m->divergent, MAP_KEY(l), (void *)(uintptr_t)r->lanes);
    m->grown = true;
}

static bool is_within(Span part, Span whole)
{
    return part.file == whole.file && part.lo >= whole.lo && part.hi <= whole.hi;
}

// Whether a lambda does the same wherever it is called: its free variables are values without
// vectors.
static bool is_plain(SimdWalk *m, const Ast *e, Span whole)
{
    const Local *l = e->kind == AST_NAME ? infer_note(m->b, e)->local : NULL;
    Node *t = l && l->kind == LOCAL_VALUE ? infer_resolve(m->b, l->type) : NULL;
    if (e->kind == AST_SCALAR || (t && simd_vector_in(m, t, NULL))) return false;
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

void simd_declare_function(SimdWalk *m, const Ast *let)
{
    const Local *l = infer_note(m->b, let->kids.at[0])->local;
    Node *t = l ? infer_resolve(m->b, l->type) : NULL;
    if (!t || t->kind != TYPE_FUN || type_is_continuation(t) || l->mutable) return;
    if (simd_vector_in(m, t, NULL) || !is_plain(m, let->kids.at[2], let->kids.at[2]->span)) return;
    map_put(&m->plain, MAP_KEY(l), (void *)(uintptr_t)l);
}

// A function from outside of SIMD mode may read or change places of all lanes.
static void mention_function(SimdWalk *m, const Ast *e, const Local *l, Node *t, const Region *r)
{
    const Region *of = map_get(&m->regions, MAP_KEY(l));
    if (!r->lanes || (of && of->lanes) || map_get(&m->plain, MAP_KEY(l))) return;
    if ((is_parameter(m, l) && !simd_vector_in(m, t, NULL)) || !m->report || m->reported) return;
    Diag *d =
        simd_refuse(m, E0329, e->span,
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

const char simd_where_scalar[] =
    "it stands in blocks, branches and loops, and beside operators and calls, but not in a "
    "function that is passed on";

static void needs_masks(SimdWalk *m, Span span, const char *name)
{
    if (!m->report || m->reported) return;
    Diag *d = simd_refuse(
        m, E0331, span,
        arena_printf(m->cx->arena,
                     "`%s` has a `scalar` or `print` inside, and the lanes do this one by one",
                     name));
    diag_help(m->cx, d, "%s", simd_where_scalar);
}

// A function in SIMD mode has as many lanes as there are where it is called.
static void mention_simd(SimdWalk *m, Span span, const Symbol *y, Node *const *generics,
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
    if (same || !m->report || m->reported) return;
    simd_refuse(m, E0330, span,
                arena_printf(m->cx->arena,
                             "`%s` is of %s lanes and called where %s go different ways",
                             y->name->text, simd_show_size(m, lanes), simd_show_size(m, r->lanes)));
}

void simd_mention_symbol(SimdWalk *m, Span span, const Symbol *y, Node *const *generics,
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
            across |= t && simd_vector_in(m, t, NULL);
        }
        across |= simd_vector_in(m, y->signature->result, NULL) != NULL;
    }
    if (across) simd_looks_across(m, span, y->name->text);
}

// A reference that is passed on: its target may be written by the callee.
static void mention_reference(SimdWalk *m, const Ast *e, const Local *l, Node *t, const Region *r)
{
    const Region *of = map_get(&m->regions, MAP_KEY(l));
    if (type_ref_mutable(t) && of != r)
        simd_check_chosen(m, t->op[0], e->span, "only some lanes come here");
    bool all = !(of && of->lanes) && t->op[0]->kind != TYPE_VEC;
    if (all && simd_vector_in(m, t->op[0], NULL)) simd_looks_across(m, e->span, l->name->text);
}

void simd_refuse_lent(SimdWalk *m, const Ast *arg, const Local *l)
{
    if (!m->report || m->reported) return;
    Diag *d = simd_refuse(
        m, E0329, arg->span,
        arena_printf(m->cx->arena,
                     "this leads to `%s`, of which each lane lends the function what it has",
                     l->name->text));
    diag_help(m->cx, d, "pass it once, or call the function with a copy: let mut other = %s;",
              l->name->text);
}

void simd_lend(SimdWalk *m, const Ast *e, const Region *r)
{
    const Local *l = infer_note(m->b, e)->local;
    Node *t = simd_type_of(m, e);
    simd_mention(m, e, r, true);
    if (l && type_ref_mutable(t) && map_get(&m->regions, MAP_KEY(l)) != r)
        simd_check_chosen(m, t->op[0], e->span, "only some lanes come here");
}

void simd_mention(SimdWalk *m, const Ast *e, const Region *r, bool base)
{
    const Note *note = infer_note(m->b, e);
    const Local *l = note->local;
    Node *t = simd_type_of(m, e);
    simd_mention_symbol(m, e->span, note->symbol, NULL, r, false);
    if (!l || l->kind != LOCAL_VALUE || !t) return;
    if (type_is_continuation(t))
        mention_continuation(m, e, l, r);
    else if (t->kind == TYPE_FUN)
        mention_function(m, e, l, t, r);
    if (t->kind == TYPE_REF && !base && r->lanes) mention_reference(m, e, l, t, r);
}

// --- assignment --------------------------------------------------------------------------------

// A part that lanes do one by one, beside `scalar`, cannot also do something once.
void simd_refuse_once(SimdWalk *m, const Ast *place, Node *t)
{
    Diag *d = simd_refuse(
        m, E0331, place->span,
        arena_printf(m->cx->arena, "`%s` is one value for all, and the lanes do this one by one",
                     simd_show(m, t)));
    diag_help(m->cx, d, "make it a statement of its own");
}

void simd_check_write(SimdWalk *m, const Ast *place, const Region *r)
{
    Node *t = simd_type_of(m, place);
    Place p = infer_place(m->b, place);
    if (!m->report || m->reported || !r->lanes || !t || !infer_has_uniform(t)) return;
    if (p.root && map_get(&m->regions, MAP_KEY(p.root)) == r) {
        bool whole = m->part && m->part->kind == AST_ASSIGN && m->part->kids.at[0] == place;
        if (m->part && m->program == r && !whole) simd_refuse_once(m, place, t);
        return;
    }
    if (infer_raise(m->b, p.root, r->lanes, place->span)) return;
    Diag *d = simd_refuse(m, E0328, place->span,
                          arena_printf(m->cx->arena,
                                       "only some lanes come here, and %s is one value for all",
                                       show_uniform(m, t)));
    if (p.root && place->kind == AST_NAME && !infer_has_vector(t))
        diag_help(m->cx, d, "give each lane one of its own: let mut %s: varying[%s] %s = ...",
                  p.root->name->text, simd_show_size(m, r->lanes), simd_show(m, t));
}
