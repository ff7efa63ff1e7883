// The interpreter of Loop IR: flat buffers, every load and store looked at. To leave a buffer, to
// read what was not written, and to leave an element of the result out are faults of the compiler
// (E0901).
#include "loops/loops.h"

typedef struct {
    int64_t count;
    uint64_t *bits;
    bool *written;
    bool input;
} Buffer;

typedef struct {
    uint64_t bits;
    bool set;
} Local;

typedef struct {
    Session *cx;
    Arena *arena;
    const LoopEntry *e;
    const int64_t *sizes;
    Algebra algebra;
    int64_t fuel;
    Map locals;  // Sym -> Local: declared locals, loop indices, scalar inputs
    Map buffers; // Sym -> Buffer
    Outcome outcome;
} Run;

// All functions that give a bool give false when the run failed; then r->outcome says why.

static bool fail(Run *r, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static bool fail(Run *r, DiagCode code, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(r->arena, format, args);
    va_end(args);
    r->outcome = (Outcome){.code = code, .span = span, .text = text};
    return false;
}

static bool fault(Run *r, Node *at, const char *what)
{
    return fail(r, E0901, at->origin, "%s: %.300s", what, term_show(r->cx, at, NULL, 0));
}

static bool charge(Run *r, int64_t steps, Span span)
{
    if (steps >= r->fuel) return fail(r, E0605, span, "the evaluation takes too many steps");
    r->fuel -= steps;
    return true;
}

// --- sizes --------------------------------------------------------------------------------------

static bool lookup_size(Node *atom, int64_t *value, void *env)
{
    const Run *r = env;
    if (atom->kind != NAT_VAR) return false;
    for (int i = 0; i < r->e->sizes.len; i++) {
        if (r->e->sizes.at[i] != atom->attr.sym) continue;
        *value = r->sizes[i];
        return true;
    }
    const Local *l = map_get(&r->locals, MAP_KEY(atom->attr.sym));
    if (!l || !l->set) return false;
    *value = (int64_t)l->bits;
    return true;
}

static bool size_of(Run *r, Node *size, Span span, int64_t *value)
{
    if (nat_eval(size, lookup_size, r, value)) return true;
    Text text = text_new(r->arena);
    nat_print(&text, size, 0);
    return fail(r, E0607, span, "the size %s cannot be computed", text_get(&text));
}

// --- names --------------------------------------------------------------------------------------

// The same name may be declared again: in the next iteration, or in another block.
static Local *declare(Run *r, Sym name)
{
    Local *l = map_get(&r->locals, MAP_KEY(name));
    if (!l) {
        l = ARENA_NEW(r->arena, Local);
        map_put(&r->locals, MAP_KEY(name), l);
    }
    *l = (Local){0};
    return l;
}

static bool new_buffer(Run *r, Sym name, int64_t count, bool input, Span span)
{
    if (count < 0)
        return fail(r, E0604, span, "%s would have %lld elements", name->text, (long long)count);
    if (!charge(r, count, span)) return false;
    Buffer *b = ARENA_NEW(r->arena, Buffer);
    *b = (Buffer){.count = count, .input = input};
    b->bits = ARENA_ARRAY(r->arena, uint64_t, count);
    b->written = ARENA_ARRAY(r->arena, bool, count);
    map_put(&r->buffers, MAP_KEY(name), b);
    return true;
}

// --- expressions --------------------------------------------------------------------------------

static bool expr(Run *r, Node *e, uint64_t *bits);

// The element of the buffer that a load or store names.
static bool element(Run *r, Node *e, Buffer **buffer, int64_t *at)
{
    *buffer = map_get(&r->buffers, MAP_KEY(e->attr.sym));
    if (!*buffer) return fault(r, e, "no such buffer");
    if (!size_of(r, e->op[0], e->origin, at)) return false;
    if (*at >= 0 && *at < (*buffer)->count) return true;
    return fault(r, e,
                 arena_printf(r->arena, "position %lld of %lld elements", (long long)*at,
                              (long long)(*buffer)->count));
}

static bool load(Run *r, Node *e, uint64_t *bits)
{
    Buffer *b;
    int64_t at;
    if (!element(r, e, &b, &at)) return false;
    if (!b->written[at]) return fault(r, e, "loaded before it was stored");
    *bits = b->bits[at];
    return true;
}

static bool local(Run *r, Node *e, uint64_t *bits)
{
    const Local *l = map_get(&r->locals, MAP_KEY(e->attr.sym));
    if (!l || !l->set) return fault(r, e, "a local that is not set");
    *bits = l->bits;
    return true;
}

static bool literal(Run *r, Node *e, uint64_t *bits)
{
    *bits = e->attr.bits;
    if (!type_is_float(e->type)) return true;
    double x = float_value(e->attr.bits);
    *bits = r->algebra == ALGEBRA_FIELD ? field_from_double(x) : float_bits(x);
    return true;
}

static bool scalar_of(Run *r, Node *e, Scalar *s)
{
    return e->type && type_is_scalar(e->type, s) ? true : fault(r, e, "not a scalar");
}

static bool prim(Run *r, Node *e, uint64_t *bits)
{
    uint64_t args[2] = {0, 0};
    DiagCode code;
    Scalar s;
    if (e->nops > 2 || !scalar_of(r, e->op[0], &s))
        return fault(r, e, "not an operator on scalars");
    for (uint32_t i = 0; i < e->nops; i++)
        if (!expr(r, e->op[i], &args[i])) return false;
    if (eval_prim((Prim)e->attr.i, s, r->algebra, args, bits, &code)) return true;
    return fault(r, e, "a division by zero that no check caught");
}

static bool expr(Run *r, Node *e, uint64_t *bits)
{
    Scalar from, to;
    int64_t n;
    uint64_t c;
    if (!charge(r, 1, e->origin)) return false;
    switch ((Kind)e->kind) {
    case CORE_LIT: return literal(r, e, bits);
    case CORE_NAT:
        if (!size_of(r, e->op[0], e->origin, &n)) return false;
        *bits = (uint64_t)n;
        return true;
    case CORE_PRIM: return prim(r, e, bits);
    case CORE_CAST:
        if (!scalar_of(r, e->op[0], &from) || !scalar_of(r, e, &to) || !expr(r, e->op[0], bits))
            return false;
        *bits = eval_cast(from, to, r->algebra, *bits);
        return true;
    case LOOP_VAR: return local(r, e, bits);
    case LOOP_LOAD: return load(r, e, bits);
    case LOOP_SELECT: return expr(r, e->op[0], &c) && expr(r, e->op[c ? 1 : 2], bits);
    default: return fault(r, e, "not an expression of this level");
    }
}

// --- statements ---------------------------------------------------------------------------------

static bool stmt(Run *r, Node *s);

static bool run_for(Run *r, Node *s)
{
    int64_t from, to;
    if (!size_of(r, s->op[0], s->origin, &from) || !size_of(r, s->op[1], s->origin, &to))
        return false;
    for (int64_t i = from; i < to; i++) {
        *declare(r, s->attr.sym) = (Local){.bits = (uint64_t)i, .set = true};
        if (!stmt(r, s->op[2])) return false;
    }
    return true;
}

static bool run_decl(Run *r, Node *s)
{
    uint64_t bits = 0;
    bool has_value = s->op[1]->kind != CORE_TUPLE;
    if (has_value && !expr(r, s->op[1], &bits)) return false;
    *declare(r, s->attr.sym) = (Local){bits, has_value};
    return true;
}

static bool run_set(Run *r, Node *s)
{
    uint64_t bits;
    Local *l = map_get(&r->locals, MAP_KEY(s->attr.sym));
    if (!l) return fault(r, s, "no such local");
    if (!expr(r, s->op[0], &bits)) return false;
    *l = (Local){bits, true};
    return true;
}

static bool run_store(Run *r, Node *s)
{
    uint64_t bits;
    Buffer *b;
    int64_t at;
    if (!expr(r, s->op[1], &bits) || !element(r, s, &b, &at)) return false;
    if (b->input) return fault(r, s, "a store to an input");
    b->bits[at] = bits;
    b->written[at] = true;
    return true;
}

static bool stmt(Run *r, Node *s)
{
    uint64_t c;
    int64_t n;
    if (!charge(r, 1, s->origin)) return false;
    switch ((Kind)s->kind) {
    case LOOP_BLOCK:
        for (uint32_t i = 0; i < s->nops; i++)
            if (!stmt(r, s->op[i])) return false;
        return true;
    case LOOP_FOR: return run_for(r, s);
    case LOOP_DECL: return run_decl(r, s);
    case LOOP_SET: return run_set(r, s);
    case LOOP_STORE: return run_store(r, s);
    case LOOP_ALLOC:
        return size_of(r, s->op[1], s->origin, &n) &&
               new_buffer(r, s->attr.sym, n, false, s->origin);
    case LOOP_IF: return expr(r, s->op[0], &c) && stmt(r, s->op[c ? 1 : 2]);
    case LOOP_CHECK:
        if (!expr(r, s->op[0], &c)) return false;
        if (c) return true;
        return fail(r, (DiagCode)s->attr.i, s->origin, "%s", diag_title((DiagCode)s->attr.i));
    default: return fault(r, s, "not a statement");
    }
}

// --- values and leaves --------------------------------------------------------------------------

static int leaves_of(Node *type)
{
    if (type_is_atom(type)) return 1;
    if (type->kind == TYPE_ARRAY) return leaves_of(type->op[1]);
    int n = 0;
    for (uint32_t i = 0; i < type->nops; i++) n += leaves_of(type->op[i]);
    return n;
}

// Appends the scalars of a value to the buffers of its leaves, which are filled up to used[leaf].
static void flatten(const Value *v, Node *type, Buffer **leaf, int64_t *used)
{
    if (type_is_atom(type)) {
        (*leaf)->bits[*used] = v->bits;
        (*leaf)->written[(*used)++] = true;
        return;
    }
    for (int64_t i = 0; i < v->count; i++) {
        Node *part = type->op[type->kind == TYPE_ARRAY ? 1 : i];
        flatten(&v->parts[i], part, leaf, used);
        if (type->kind == TYPE_ARRAY) continue;
        leaf += leaves_of(part);
        used += leaves_of(part);
    }
}

// The value of a type whose leaves lie in these buffers from position used[leaf] on.
static bool unflatten(Run *r, Node *type, Buffer **leaf, int64_t *used, Value *v)
{
    *v = (Value){0};
    if (type_is_atom(type)) {
        int64_t at = (*used)++;
        if (at >= (*leaf)->count || !(*leaf)->written[at])
            return fail(r, E0901, r->e->span, "an element of the result was not written");
        v->bits = (*leaf)->bits[at];
        return true;
    }
    v->count = type->nops;
    if (type->kind == TYPE_ARRAY && !size_of(r, type->op[0], r->e->span, &v->count)) return false;
    if (v->count) v->parts = ARENA_ARRAY(r->arena, Value, v->count);
    for (int64_t i = 0; i < v->count; i++) {
        Node *part = type->op[type->kind == TYPE_ARRAY ? 1 : i];
        if (!unflatten(r, part, leaf, used, &v->parts[i])) return false;
        if (type->kind == TYPE_ARRAY) continue;
        leaf += leaves_of(part);
        used += leaves_of(part);
    }
    return true;
}

// --- the entry ----------------------------------------------------------------------------------

// A type with the sizes of this run.
static Node *closed_type(Run *r, Node *type)
{
    const LoopEntry *e = r->e;
    NodeBinding *with = ARENA_ARRAY(r->arena, NodeBinding, e->sizes.len);
    for (int i = 0; i < e->sizes.len; i++)
        with[i] = (NodeBinding){e->sizes.at[i], nat_const(r->cx, r->sizes[i])};
    return node_replace_names(r->cx, type, with, e->sizes.len);
}

// The buffers of the parameters; scalar inputs have one of a single element here.
static bool make_buffers(Run *r, Buffer **leaves)
{
    const LoopEntry *e = r->e;
    for (int i = 0; i < e->params.len; i++) {
        const LoopParam *p = &e->params.at[i];
        int64_t n;
        if (!size_of(r, p->count, e->span, &n) || !new_buffer(r, p->name, n, !p->output, e->span))
            return false;
        leaves[i] = map_get(&r->buffers, MAP_KEY(p->name));
    }
    return true;
}

static bool bind_inputs(Run *r, Buffer **leaves, const Value *args)
{
    const LoopEntry *e = r->e;
    int leaf = 0;
    for (int i = 0; i < e->nsource; i++) {
        Node *type = e->source[i].type;
        r->outcome =
            value_check(r->cx, r->arena, &args[i], closed_type(r, type), e->source[i].name);
        if (!r->outcome.ok) return false;
        int n = leaves_of(type);
        int64_t *used = ARENA_ARRAY(r->arena, int64_t, n);
        flatten(&args[i], type, leaves + leaf, used);
        leaf += n;
    }
    for (int i = 0; i < leaf; i++) {
        const LoopParam *p = &e->params.at[i];
        if (p->rank) continue;
        *declare(r, p->name) = (Local){leaves[i]->bits[0], true};
        map_put(&r->buffers, MAP_KEY(p->name), NULL);
    }
    return true;
}

static bool check_sizes(Run *r)
{
    const LoopEntry *e = r->e;
    for (int i = 0; i < e->sizes.len; i++)
        if (r->sizes[i] < 0)
            return fail(r, E0604, e->span, "the size %s is negative", e->sizes.at[i]->text);
    r->outcome = size_checks_eval(r->arena, &e->checks, e->span, lookup_size, r);
    return r->outcome.ok;
}

static int outputs_of(const LoopEntry *e)
{
    int n = 0;
    for (int i = 0; i < e->params.len; i++) n += e->params.at[i].output;
    return n;
}

Outcome loops_eval(Session *cx, Arena *arena, const LoopEntry *e, const int64_t *sizes,
                   const Value *args, Algebra algebra, int64_t fuel, Value *result)
{
    Run r = {.cx = cx,
             .arena = arena,
             .e = e,
             .sizes = sizes,
             .algebra = algebra,
             .fuel = fuel,
             .locals = map_new(arena),
             .buffers = map_new(arena),
             .outcome = {.ok = true}};
    Buffer **leaves = ARENA_ARRAY(arena, Buffer *, e->params.len);
    if (!check_sizes(&r) || !make_buffers(&r, leaves) || !bind_inputs(&r, leaves, args))
        return r.outcome;
    if (!stmt(&r, e->body)) return r.outcome;
    int noutputs = outputs_of(e);
    int64_t *used = ARENA_ARRAY(arena, int64_t, noutputs);
    unflatten(&r, e->result, leaves + e->params.len - noutputs, used, result);
    return r.outcome;
}
