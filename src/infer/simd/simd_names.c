// The rules of SIMD mode for types, names and locations in regions where lanes diverge.
#include "infer/simd/regions.h"

#include <stdarg.h>

void simd_refuse(SimdWalk *m, DiagCode code, Span span, const char *help, const char *format, ...)
{
    va_list args;
    if (!m->report || m->reported) return;
    m->b->failed = m->reported = true;
    va_start(args, format);
    Diag *d = diag_error(m->cx, code, span, "%s", arena_vprintf(m->cx->arena, format, args));
    va_end(args);
    if (help) diag_help(m->cx, d, "%s", help);
}

const char *simd_show_size(SimdWalk *m, Node *n)
{
    Text t = text_new(m->cx->arena);
    nat_print(&t, n, 0);
    return text_get(&t);
}

// --- types -------------------------------------------------------------------------------------

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

// Shows what is uniform in a type, for messages.
static const char *show_uniform(SimdWalk *m, Node *t)
{
    const char *what = type_has_vector(t) ? "a part of `%s`" : "`%s`";
    return arena_printf(m->cx->arena, what, infer_show(m->b, t));
}

Node *simd_type_of(SimdWalk *m, const Ast *e)
{
    Node *t = infer_note(m->b, e)->type;
    return t ? infer_resolve(m->b, t) : NULL;
}

void simd_check_chosen(SimdWalk *m, Node *t, Span span, const char *what)
{
    if (t && t->kind == TYPE_REF)
        simd_refuse(m, E0328, span, "assign through the references inside the branches",
                    "%s, and no lane can choose a reference", what);
    else if (t && infer_has_uniform(t))
        simd_refuse(m, E0328, span, "a value for each lane has a type such as varying[8] f32",
                    "%s, and %s is one value for all lanes", what, show_uniform(m, t));
}

void simd_check_length(SimdWalk *m, const Ast *e, const Region *r)
{
    Node *t = m->report && !m->reported ? simd_type_of(m, e) : NULL;
    Node *other = t ? simd_vector_in(m, t, r->lanes) : NULL;
    if (other)
        simd_refuse(m, E0330, e->span, NULL, "`%s` is used where %s lanes diverge",
                    infer_show(m->b, other), simd_show_size(m, r->lanes));
}

// --- names -------------------------------------------------------------------------------------

void simd_declare(SimdWalk *m, const Local *l, const Region *r)
{
    if (l) map_put(&m->regions, MAP_KEY(l), (void *)(uintptr_t)r);
}

void simd_own_reference(SimdWalk *m, const Ast *pattern, OwnReference own)
{
    const Local *l = infer_note(m->b, pattern)->local;
    Node *t = l ? infer_resolve(m->b, l->type) : NULL;
    if (t && t->kind == TYPE_REF) map_put(&m->own, MAP_KEY(l), (void *)(uintptr_t)own);
}

void simd_bind(SimdWalk *m, const Ast *pattern, const Region *r)
{
    simd_declare(m, infer_note(m->b, pattern)->local, r);
    simd_own_reference(m, pattern, OWN_OF_REGION);
    for (int i = 0; i < pattern->kids.len; i++)
        if (pattern->kids.at[i] && pattern->kids.at[i]->kind < AST_TYPE_NAME)
            simd_bind(m, pattern->kids.at[i], r);
}

void simd_refuse_across(SimdWalk *m, Span span, const char *name)
{
    simd_refuse(m, E0329, span,
                "move it to where all lanes are active: before, or into scalar { ... }",
                "`%s` works across lanes, and the lanes diverge here", name);
}

// Checks a jump. If only some lanes may jump, lanes leave the target of the jump at different
// times. The target of a continuation that is a parameter, or is chosen at run time, is not known.
static void mention_continuation(SimdWalk *m, const Ast *e, const Local *l, const Region *r)
{
    const Region *of = map_get(&m->regions, MAP_KEY(l));
    if (!infer_is_continuation_name(l->name)) { // not a jump, even under another name
        if (r->lanes && of != r)
            simd_refuse(m, E0329, e->span,
                        "call break, continue or return, or a name that `let` gives to one of them",
                        "the target of `%s` is not known here, and only some lanes leave it",
                        l->name->text);
        return;
    }
    if (of && of->scalar != r->scalar) {
        const char *name = e->name->text;
        simd_refuse(m, E0331, e->span,
                    arena_printf(m->cx->arena,
                                 "let lanes leave where they diverge: after `scalar`, as in "
                                 "if m { %s(...) }",
                                 name),
                    "`%s` leaves `scalar`, and only some lanes are active there", name);
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

// Whether this is a function without vectors in a parameter, such as p.f: like a parameter that is
// a function, it may be called for each lane, whatever else is in p.
static bool is_function_of_parameter(SimdWalk *m, const Ast *e)
{
    Node *t = e->kind == AST_FIELD ? infer_note(m->b, e)->type : NULL;
    t = t ? infer_resolve(m->b, t) : NULL;
    if (!t || t->kind != TYPE_FUN || simd_vector_in(m, t, NULL)) return false;
    const Ast *of = e->kids.at[0];
    const Local *l = of->kind == AST_NAME ? infer_note(m->b, of)->local : NULL;
    return l && infer_is_parameter(m->b, l);
}

// Whether a lambda is independent of lanes, that is, all its free variables are values without
// vectors.
static bool is_plain(SimdWalk *m, const Ast *e, Span whole)
{
    if (is_function_of_parameter(m, e)) return true;
    const Local *l = e->kind == AST_NAME ? infer_note(m->b, e)->local : NULL;
    Node *t = l && l->kind == LOCAL_VALUE ? infer_resolve(m->b, l->type) : NULL;
    if (e->kind == AST_SCALAR || (t && simd_vector_in(m, t, NULL))) return false;
    bool outside = t && !span_is_within(l->span, whole), place = t && t->kind == TYPE_REF;
    if (outside && (l->mutable || place)) return false;
    if (outside && t->kind == TYPE_FUN && !infer_is_parameter(m->b, l) &&
        !map_get(&m->plain, MAP_KEY(l)))
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

// Checks the use of a function declared outside SIMD mode, which may therefore read or change
// locations that span all lanes.
static void mention_function(SimdWalk *m, const Ast *e, const Local *l, Node *t, const Region *r)
{
    const Region *of = map_get(&m->regions, MAP_KEY(l));
    if (!r->lanes || (of && of->lanes) || map_get(&m->plain, MAP_KEY(l))) return;
    if (infer_is_parameter(m->b, l) && !simd_vector_in(m, t, NULL)) return;
    simd_refuse(m, E0329, e->span,
                "pass the function all that it uses as parameters; then each lane may call it",
                "`%s` uses vectors or variables around it, and the lanes diverge here",
                l->name->text);
}

static bool is_across(const Symbol *y)
{
    if (y->kind == SYMBOL_PATTERN) switch (infer_patterns[y->row].kind) {
        case CORE_ANY:
        case CORE_ALL:
        case CORE_EXTRACT:
        case CORE_SHUFFLE:
        case CORE_COUNT:
        case CORE_MASK_BITS:
        case CORE_COMPRESS:
        case CORE_EXPAND:
        case VIEW_AS_VECTOR:
        case VIEW_AS_SCALAR: return true;
        default: return false;
        }
    return false;
}

const char simd_where_scalar[] =
    "it can be used in blocks, branches and loops, and beside operators and calls, but not in a "
    "function that is passed on";

// Checks a call to a function in SIMD mode, which must have as many lanes as the region.
static void mention_simd(SimdWalk *m, Span span, const Symbol *y, Node *const *generics,
                         const Region *r, bool masked)
{
    const Signature *sig = y->signature;
    int n = sig->generics.len;
    Node **with = ARENA_ARRAY(m->b->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) with[i] = infer_resolve(m->b, generics[i]);
    Node *lanes = infer_replace(m->cx, sig->simd, sig->generics.at, with, n);
    if (!masked && infer_keeps_masks(m->b->in, y))
        simd_refuse(m, E0331, span, simd_where_scalar,
                    "`%s` contains a `scalar` or `print`, and each lane executes this by itself",
                    y->name->text);
    else if (nat_eq(m->cx, m->b->facts, lanes, r->lanes) != TRUTH_YES)
        simd_refuse(m, E0330, span, NULL, "`%s` has %s lanes and is called where %s diverge",
                    y->name->text, simd_show_size(m, lanes), simd_show_size(m, r->lanes));
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
    if (across) simd_refuse_across(m, span, y->name->text);
}

// Checks the references in a value that is named by `l`: where lanes diverge, what all of them
// share must not be written.
static void check_references(SimdWalk *m, Node *t, Span span, const Local *l, const Region *r)
{
    if (!r->lanes || map_get(&m->regions, MAP_KEY(l)) == r) return;
    if (t->kind == TYPE_REF && type_ref_mutable(t))
        simd_check_chosen(m, t->op[0], span, "only some lanes are active here");
    bool members = t->kind == TYPE_TUPLE || t->kind == TYPE_STRUCT;
    for (uint32_t i = 0; members && i < t->nops; i++) check_references(m, t->op[i], span, l, r);
}

// Checks a reference passed to a callee, which may write to its target.
static void mention_reference(SimdWalk *m, const Ast *e, const Local *l, Node *t, const Region *r)
{
    const Region *of = map_get(&m->regions, MAP_KEY(l));
    if (type_ref_mutable(t) && of != r)
        simd_check_chosen(m, t->op[0], e->span, "only some lanes are active here");
    bool all = !(of && of->lanes) && t->op[0]->kind != TYPE_VEC;
    if (all && simd_vector_in(m, t->op[0], NULL)) simd_refuse_across(m, e->span, l->name->text);
}

void simd_lend(SimdWalk *m, const Ast *e, const Region *r)
{
    const Local *l = infer_note(m->b, e)->local;
    Node *t = simd_type_of(m, e);
    simd_mention(m, e, r, true);
    if (l && type_ref_mutable(t) && map_get(&m->regions, MAP_KEY(l)) != r)
        simd_check_chosen(m, t->op[0], e->span, "only some lanes are active here");
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
    if (t->kind == TYPE_REF && !base && r->lanes)
        mention_reference(m, e, l, t, r);
    else if (t->kind != TYPE_REF && !base)
        check_references(m, t, e->span, l, r);
}

// --- assignment --------------------------------------------------------------------------------

void simd_refuse_once(SimdWalk *m, const Ast *place, Node *t)
{
    simd_refuse(m, E0331, place->span, "make it a statement of its own",
                "`%s` is one value for all lanes, and each lane executes this by itself",
                infer_show(m->b, t));
}

// The name at the beginning of a path.
static const Local *base_of(SimdWalk *m, const Ast *e)
{
    while (e->kind == AST_PROJ || e->kind == AST_FIELD || e->kind == AST_INDEX ||
           e->kind == AST_SLICE || e->kind == AST_PAREN || e->kind == AST_DEREF)
        e = e->kids.at[0];
    return e->kind == AST_NAME ? infer_note(m->b, e)->local : NULL;
}

void simd_check_member(SimdWalk *m, const Ast *e, const Region *r)
{
    const Local *l = base_of(m, e);
    Node *t = simd_type_of(m, e);
    if (l && t) check_references(m, t, e->span, l, r);
}

void simd_check_write(SimdWalk *m, const Ast *place, const Region *r)
{
    Node *t = simd_type_of(m, place);
    Place p = infer_place(m->b, place);
    if (!m->report || m->reported || !r->lanes || !t || !infer_has_uniform(t)) return;
    const Local *behind = p.root ? NULL : base_of(m, place);
    const Region *of = behind ? map_get(&m->regions, MAP_KEY(behind)) : NULL;
    uintptr_t own = behind ? (uintptr_t)map_get(&m->own, MAP_KEY(behind)) : 0;
    if (own == OWN_OF_LANE && of && of->lanes && of->scalar == r->scalar) return;
    bool here = p.root ? map_get(&m->regions, MAP_KEY(p.root)) == r : own && of == r;
    if (here) {
        bool whole = m->part && m->part->kind == AST_ASSIGN && m->part->kids.at[0] == place;
        if (m->part && m->program == r && !whole) simd_refuse_once(m, place, t);
        return;
    }
    if (infer_raise(m->b, p.root, r->lanes, place->span)) return;
    bool variable = p.root && place->kind == AST_NAME && !type_has_vector(t);
    const char *help =
        variable
            ? arena_printf(m->cx->arena,
                           "declare a variable for each lane: let mut %s: varying[%s] %s = ...",
                           p.root->name->text, simd_show_size(m, r->lanes), infer_show(m->b, t))
            : NULL;
    simd_refuse(m, E0328, place->span, help,
                "only some lanes are active here, and %s is one value for all lanes",
                show_uniform(m, t));
}
