// Reading back what was written to a destination: the inverse of put, acceptor by acceptor, so that
// a pattern can keep what it carries where the result is wanted.
#include "dpia/from_core.h"

// --- the inverse of put -------------------------------------------------------------------------

// The view of what is behind an acceptor. Its type is the acceptor's: that of a split does not
// always follow from its operands.
static Readable *back_view(Tr *t, Kind kind, int n, Node **ops, Readable *of, Node *d)
{
    if (of->kind == READ_PHRASE) {
        ops[n - 1] = of->phrase;
        Node *view = core_pattern(t->cx, kind, 0, n, ops);
        bool same = (kind != VIEW_SPLIT && kind != VIEW_AS_VECTOR) ||
                    nat_eq(t->cx, t->block->facts, view->type->op[0], d->type->op[0]) == TRUTH_YES;
        if (same) return readable_phrase(t, view);
    }
    Readable **parts = ARENA_ARRAY(t->arena, Readable *, n);
    for (int k = 0; k + 1 < n; k++)
        parts[k] = kind_sort(kind, k) == SORT_TERM ? readable_phrase(t, ops[k]) : NULL;
    parts[n - 1] = of;
    ops[n - 1] = d->op[d->nops - 1]; // for its type
    Node *view =
        node_make(t->cx, &(NodeSpec){.kind = kind, .type = d->type, .nops = n, .ops = ops});
    Node *shift = kind == VIEW_ROTATE ? size_of_phrase(t, ops[0]) : NULL;
    return read_view(t, view, NULL, parts, shift);
}

// d : ([n]s, [n]t), seen as [n](s, t)
static Readable *back_unzip(Tr *t, Node *d, Readable *of)
{
    int n = (int)d->type->op[1]->nops;
    Node **ops = ARENA_ARRAY(t->arena, Node *, n + 1);
    if (n < 2 || of->kind != READ_PHRASE) return NULL;
    for (int k = 0; k < n; k++) ops[k] = core_proj(t->cx, of->phrase, k);
    return readable_phrase(t, core_pattern(t->cx, VIEW_ZIP, 0, n, ops));
}

// d : [n](s, t), seen as its component
static Readable *back_zip(Tr *t, Node *d, Readable *of)
{
    if (of->kind != READ_PHRASE) return NULL;
    Node *parts = core_pattern(t->cx, VIEW_UNZIP, 0, 1, &of->phrase);
    return readable_phrase(t, core_proj(t->cx, parts, (int)d->attr.i));
}

// Element i is at (i + k) mod n, where rotation by -k reads it.
static Readable *back_rotate(Tr *t, Node *d, Readable *of)
{
    Node *k = size_of_phrase(t, d->op[0]);
    if (!k) return NULL;
    Node *ops[2] = {size_phrase(t, nat_sub(t->cx, nat_const(t->cx, 0), k))};
    return back_view(t, VIEW_ROTATE, 2, ops, of, d);
}

static Readable *back_step(Tr *t, Node *d, Readable *of)
{
    Node *ops[3] = {0};
    switch ((Kind)d->kind) {
    case ACC_AT: {
        Node *index = size_of_phrase(t, d->op[1]);
        return index ? read_at(t, of, index) : NULL;
    }
    case ACC_PROJ: return read_component(t, of, (int)d->attr.i);
    case ACC_ZIP: return back_zip(t, d, of);
    case ACC_UNZIP: return back_unzip(t, d, of);
    case ACC_SPLIT: return back_view(t, VIEW_JOIN, 1, ops, of, d);
    case ACC_AS_VECTOR: return back_view(t, VIEW_AS_SCALAR, 1, ops, of, d);
    case ACC_AS_SCALAR:
        ops[0] = d->type->op[1]->op[0];
        return back_view(t, VIEW_AS_VECTOR, 2, ops, of, d);
    case ACC_JOIN: ops[0] = d->type->op[1]->op[0]; return back_view(t, VIEW_SPLIT, 2, ops, of, d);
    case ACC_TRANSPOSE: return back_view(t, VIEW_TRANSPOSE, 1, ops, of, d);
    case ACC_PART:
        ops[0] = d->op[0], ops[1] = d->op[1];
        return back_view(t, VIEW_SLICE, 3, ops, of, d);
    case ACC_REVERSE: return back_view(t, VIEW_REVERSE, 1, ops, of, d);
    case ACC_ROTATE: return back_rotate(t, d, of);
    case ACC_SCATTER: ops[0] = d->op[0]; return back_view(t, VIEW_GATHER, 2, ops, of, d);
    default: return NULL; // ACC_SLICE: what went nowhere is lost
    }
}

Readable *read_back(Tr *t, Node *d)
{
    if (d->kind == ACC_VAR) {
        bool memory = map_get(&t->memory, MAP_KEY(d->attr.sym));
        return memory ? readable_phrase(t, phrase_var(t, d->attr.sym, d->type)) : NULL;
    }
    if (d->nops == 0) return NULL;
    Readable *of = read_back(t, d->op[d->kind == ACC_AT ? 0 : d->nops - 1]);
    return of ? back_step(t, d, of) : NULL;
}

// --- who else reads the destination -------------------------------------------------------------

typedef struct {
    Tr *t;
    Sym memory;
    bool reference;
    Map seen; // readables, and terms under their environment
} Mentions;

static bool phrase_mentions(Mentions *m, Node *e)
{
    if (e->kind == PH_VAR || e->kind == ACC_VAR)
        return e->attr.sym == m->memory ||
               (m->reference && map_get(&m->t->references, MAP_KEY(e->attr.sym)));
    for (uint32_t i = 0; i < e->nops; i++)
        if (phrase_mentions(m, e->op[i])) return true;
    return false;
}

static bool readable_mentions(Mentions *m, Readable *r);

// The free variables of e, which stands under `bound` binders of its own.
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
    if (r->phrase && phrase_mentions(m, r->phrase)) return true;
    if (r->acceptor && phrase_mentions(m, r->acceptor)) return true;
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
