// Reads a destination back through the inverse of put (ViewRow.back), so that a pattern can keep
// its accumulator in the destination.
#include "dpia/translate/from_core.h"
#include "ir/walk.h"

// --- the inverse of put -------------------------------------------------------------------------

// Builds the inverse view over `of`, a value that is not memory.
static Readable *back_delayed(Tr *t, const ViewBack *back, Node **ops, Readable *of, Node *d)
{
    int n = back->nops;
    Readable **parts = ARENA_ARRAY(t->arena, Readable *, n);
    for (int k = 0; k + 1 < n; k++)
        parts[k] = kind_sort(back->kind, k) == SORT_TERM ? readable_phrase(t, ops[k]) : NULL;
    parts[n - 1] = of;
    ops[n - 1] = acceptor_inner(d); // only its type matters
    Node *view =
        node_make(t->cx, &(NodeSpec){.kind = back->kind, .type = d->type, .nops = n, .ops = ops});
    int number = view_number(view);
    return read_view(t, view, NULL, parts, number < 0 ? NULL : size_of_phrase(t, ops[number]));
}

// Builds the inverse view over memory. Returns NULL if its type is not known to be the type that
// was written.
static Readable *back_phrase(Tr *t, const ViewBack *back, Node *const *ops, Node *d)
{
    Node *view = core_pattern(t->cx, back->kind, 0, back->nops, ops);
    bool same = !back->is_divided ||
                nat_eq(t->cx, t->block->facts, view->type->op[0], d->type->op[0]) == TRUTH_YES;
    if (!same) return NULL;
    if (back->component >= 0) view = core_proj(t->cx, view, back->component);
    return readable_phrase(t, view);
}

// Reads the acceptor back through the view that inverts its put, where `of` reads the destination
// inside the acceptor. The result has the type of the acceptor, since the type of a split does not
// always follow from its operands.
static Readable *back_put(Tr *t, Node *d, Readable *of)
{
    Node *view = d->op[0], *number = acceptor_number(d);
    Node *shift = number ? size_of_phrase(t, number) : NULL;
    ViewBack back = view_back(t->cx, view, (int)d->attr.i, shift);
    if (back.kind == KIND_NONE) return NULL; // some elements were discarded
    int n = back.nops;
    Node **ops = ARENA_ARRAY(t->arena, Node *, n + 2);
    bool memory = of->kind == READ_PHRASE;
    if (back.parts && (n < 2 || !memory)) return NULL;
    for (int k = 0; k < n && back.parts; k++) ops[k] = core_proj(t->cx, of->phrase, k);
    for (int k = 0; k + 1 < n && !back.parts; k++) ops[k] = back.ops[k];
    if (!back.parts && memory) ops[n - 1] = of->phrase;
    Readable *r = memory ? back_phrase(t, &back, ops, d) : NULL;
    return r || back.component >= 0 ? r : back_delayed(t, &back, ops, of, d);
}

static Readable *back_part(Tr *t, Node *d, Readable *of)
{
    ViewBack back = {.kind = VIEW_SLICE, .nops = 3, .component = -1};
    Node *ops[3] = {d->op[0], d->op[1], of->kind == READ_PHRASE ? of->phrase : NULL};
    return ops[2] ? back_phrase(t, &back, ops, d) : back_delayed(t, &back, ops, of, d);
}

static Readable *back_step(Tr *t, Node *d, Readable *of)
{
    switch ((Kind)d->kind) {
    case ACC_AT: {
        Node *index = size_of_phrase(t, d->op[1]);
        return index ? read_at(t, of, index) : NULL;
    }
    case ACC_PROJ: return read_component(t, of, (int)d->attr.i);
    case ACC_PART: return back_part(t, d, of);
    case ACC_PUT: return back_put(t, d, of);
    default: return NULL; // discarded elements cannot be read back, and an ACC_MAP has no memory
    }
}

Readable *read_back(Tr *t, Node *d)
{
    if (d->kind == ACC_VAR) {
        bool memory = map_get(&t->memory, MAP_KEY(d->attr.sym));
        return memory ? readable_phrase(t, phrase_var(t, d->attr.sym, d->type)) : NULL;
    }
    Node *inner = acceptor_inner(d);
    Readable *of = inner ? read_back(t, inner) : NULL;
    return of ? back_step(t, d, of) : NULL;
}

// --- other reads of the destination -------------------------------------------------------------

typedef struct {
    Tr *t;
    Sym memory;
    bool reference;
    Map seen; // the readables visited so far
} Mentions;

static bool is_mention(Node *e, void *env)
{
    const Mentions *m = env;
    if (e->kind != PH_VAR && e->kind != ACC_VAR) return false;
    return e->attr.sym == m->memory ||
           (m->reference && map_get(&m->t->references, MAP_KEY(e->attr.sym)));
}

static bool readable_mentions(Mentions *m, Readable *r);

// Whether a free variable of e mentions the memory. The innermost `bound` variables are not free.
static bool term_mentions(Mentions *m, Node *e, Env *env, int bound)
{
    if (e->loose <= (uint32_t)bound) return false;
    if (e->kind == CORE_VAR) {
        Env *at = env_at(env, e->attr.i - bound);
        return at && readable_mentions(m, at->value);
    }
    for (uint32_t i = 0; i < e->nops; i++)
        if (term_mentions(m, e->op[i], env, bound + node_binds(e, (int)i))) return true;
    return false;
}

static bool readable_mentions(Mentions *m, Readable *r)
{
    if (!r || map_get(&m->seen, MAP_KEY(r))) return false;
    map_put(&m->seen, MAP_KEY(r), m);
    if (r->phrase && node_any(r->phrase, is_mention, m)) return true;
    if (r->acceptor && node_any(r->acceptor, is_mention, m)) return true;
    if (r->core && term_mentions(m, r->core, r->env, 0)) return true;
    for (int i = 0; i < r->nparts; i++)
        if (readable_mentions(m, r->parts[i])) return true;
    return false;
}

static bool may_be_read(Tr *t, Node *d, Readable *r, Node *e, Env *env)
{
    if (d->kind == ACC_VAR) {
        Sym name = d->attr.sym;
        bool reference = map_get(&t->references, MAP_KEY(name)) != NULL;
        if (!reference && !map_get(&t->cells, MAP_KEY(name))) return false;
        Mentions m = {.t = t, .memory = name, .reference = reference, .seen = map_new(t->arena)};
        return readable_mentions(&m, r) || (e && term_mentions(&m, e, env, 0));
    }
    for (uint32_t i = 0; i < d->nops; i++)
        if (kind_sort((Kind)d->kind, (int)i) == SORT_ACCEPTOR &&
            may_be_read(t, d->op[i], r, e, env))
            return true;
    return false;
}

bool is_read_by(Tr *t, Node *d, Readable *r)
{
    return may_be_read(t, d, r, NULL, NULL);
}

bool is_read_in(Tr *t, Node *d, Node *e, Env *env)
{
    return may_be_read(t, d, NULL, e, env);
}

void mark_cells(Tr *t, Node *d)
{
    if (d->kind == ACC_VAR) {
        void *type = map_get(&t->memory, MAP_KEY(d->attr.sym));
        map_put(&t->cells, MAP_KEY(d->attr.sym), type);
    }
    for (uint32_t i = 0; i < d->nops; i++)
        if (kind_sort((Kind)d->kind, (int)i) == SORT_ACCEPTOR) mark_cells(t, d->op[i]);
}

// --- accumulating in a destination ---------------------------------------------------------------

static bool is_result(Tr *t, Node *d)
{
    if (d->kind == ACC_VAR) return d->attr.sym == t->out;
    for (uint32_t i = 0; i < d->nops; i++)
        if (kind_sort((Kind)d->kind, (int)i) == SORT_ACCEPTOR && is_result(t, d->op[i]))
            return true;
    return false;
}

void accumulate_open(Tr *t, Accumulate *a, Node *d)
{
    a->d = d;
    block_open(t, &a->block);
}

void accumulate_close(Tr *t, Accumulate *a)
{
    if (!is_result(t, a->d)) {
        emit_block(t, &a->block);
        return;
    }
    Node *ops[2] = {a->d, block_close(t, &a->block)};
    if (ops[1]->kind == COM_SKIP) return;
    emit(t,
         node_make(t->cx, &(NodeSpec){
                              .kind = COM_ACCUMULATE, .nops = 2, .ops = ops, .origin = t->origin}));
}
