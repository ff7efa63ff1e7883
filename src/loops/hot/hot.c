// Remarks on slow loops for `adze explain`, made after all passes. They report strided accesses,
// obstacles to vectorisation, and checks in the innermost loops of the deepest nests, and copies of
// whole arrays in any loop.
#include "base/target/cpu.h"
#include "loops/hot/hot.h"
#include "loops/simplify/simplify.h"

// A load or store.
typedef struct {
    Node *node;
    // `stride` is the number of elements from one iteration to the next; NULL if `position` is not
    // linear.
    Node *position, *stride;
    int64_t lanes;
    Scalar type;
    Span at;
} Access;

typedef struct {
    Session *cx;
    const LoopEntry *entry;
    HotLoops *out;
    int deepest;
    Map in_vectors; // its keys are the spans of loops of which some version is vectorised
    // the state of the current loop
    Node *loop;
    Sym index;
    int64_t step;
    Map declared; // local of the body -> its declaration
    Map changed;  // locals that are set or passed by address
    Map labels;   // labels in the body
    Span here;
    bool vectors; // it has vector operations
    VEC(Access) accesses;
} Hot;

// Whether the statement is a loop. Loops over lanes that vectorisation inserted for scalar work do
// not count.
static bool is_loop(Node *s)
{
    bool lanes = s->kind == LOOP_FOR && s->variant == VARIANT_SEQ;
    return (loops_is_counted(s) && !lanes) || s->kind == LOOP_FOREVER;
}

static uint64_t key_of(Span s)
{
    return ((uint64_t)s.file << 32 | s.lo) + 1;
}

static void report(Hot *h, HotKind kind, Span at, const char *name, Node *size, Node *bytes)
{
    HotLoop one = {.loop = h->loop->origin,
                   .at = at.file ? at : h->loop->origin,
                   .kind = kind,
                   .name = name,
                   .elements = size,
                   .bytes = bytes};
    for (int i = 0; i < h->out->len; i++) {
        const HotLoop *x = &h->out->at[i];
        if (x->kind == kind && x->elements == size && key_of(x->loop) == key_of(one.loop) &&
            (x->name == name || key_of(x->at) == key_of(one.at)))
            return;
    }
    if (one.loop.file) vec_push(h->cx->arena, h->out, one);
}

// --- positions ----------------------------------------------------------------------------------

// The value of an integer expression as a size, or NULL.
static Node *size_of(Hot *h, Node *e, int depth);

// Replaces the locals of the body with their values. Returns NULL if one of them is reassigned or
// has no value that is a size.
static Node *resolved(Hot *h, Node *size, int depth)
{
    enum { DEEPEST = 8 };
    Node *decl = size->kind == NAT_VAR ? map_get(&h->declared, MAP_KEY(size->attr.sym)) : NULL;
    if (size->kind == NAT_VAR && map_get(&h->changed, MAP_KEY(size->attr.sym))) return NULL;
    if (decl) return depth < DEEPEST ? size_of(h, decl->op[1], depth + 1) : NULL;
    Node *ops[2];
    if (size->nops == 0) return size;
    if (size->kind == NAT_SUM || size->kind == NAT_PRODUCT) {
        Node *all = nat_const(h->cx, size->kind == NAT_SUM ? 0 : size->attr.i);
        for (uint32_t i = 0; i < size->nops; i++) {
            Node *part = resolved(h, size->op[i], depth);
            if (!part) return NULL;
            all = size->kind == NAT_SUM ? nat_add(h->cx, all, part) : nat_mul(h->cx, all, part);
        }
        return all;
    }
    if (size->nops != 2) return NULL;
    for (int i = 0; i < 2; i++)
        if (!(ops[i] = resolved(h, size->op[i], depth))) return NULL;
    return nat_apply(h->cx, (Kind)size->kind, ops[0], ops[1]);
}

static Node *size_of(Hot *h, Node *e, int depth)
{
    Session *cx = h->cx;
    Scalar s;
    if (e->kind == CORE_NAT) return resolved(h, e->op[0], depth);
    if (!type_is_scalar(e->type, &s) || s != SCALAR_I64) return NULL;
    if (e->kind == CORE_LIT) return nat_const(cx, e->attr.i);
    if (e->kind != CORE_PRIM || e->nops != 2) return NULL;
    Prim op = (Prim)e->attr.i;
    if (op != PRIM_ADD && op != PRIM_SUB && op != PRIM_MUL) return NULL;
    Node *a = size_of(h, e->op[0], depth), *b = size_of(h, e->op[1], depth);
    if (!a || !b) return NULL;
    return op == PRIM_ADD   ? nat_add(cx, a, b)
           : op == PRIM_SUB ? nat_sub(cx, a, b)
                            : nat_mul(cx, a, b);
}

static void note_access(Hot *h, Node *n, Node *type)
{
    int64_t lanes = 1;
    Scalar s;
    (void)type_is_vec(type, &lanes);
    if (!type_is_scalar(type_lane(type), &s)) return;
    bool scattered = loops_is_gather(n) || n->kind == LOOP_SCATTER;
    Node *position = scattered ? NULL : resolved(h, n->op[0], 0);
    Node *stride = position ? loops_stride(h->cx, position, h->index) : NULL;
    if (stride) stride = nat_mul(h->cx, stride, nat_const(h->cx, h->step));
    Access a = {n, position, stride, lanes, s, h->here};
    vec_push(h->cx->arena, &h->accesses, a);
}

// --- strides ------------------------------------------------------------------------------------

// Whether the accesses of the loop together use all elements, that is, whether there is one for
// each residue modulo the stride.
static bool uses_all_between(const Hot *h, const Access *a, int64_t stride)
{
    enum { FEW = 64 };
    uint64_t met = 0;
    int64_t apart;
    if (stride < -FEW || stride > FEW) return false;
    if (stride < 0) stride = -stride;
    uint64_t all = stride == FEW ? UINT64_MAX : (1ull << stride) - 1;
    for (int i = 0; i < h->accesses.len && met != all; i++) {
        const Access *b = &h->accesses.at[i];
        if (b->node->attr.sym != a->node->attr.sym || b->stride != a->stride) continue;
        if (!nat_is_const(nat_sub(h->cx, b->position, a->position), &apart)) continue;
        for (int64_t k = 0; k < b->lanes; k++)
            met |= 1ull << (((apart + k) % stride + stride) % stride);
    }
    return met == all;
}

static void report_strides(Hot *h)
{
    for (int i = 0; i < h->accesses.len; i++) {
        const Access *a = &h->accesses.at[i];
        const char *name = a->node->attr.sym->text;
        int64_t by;
        bool known = a->stride && nat_is_const(a->stride, &by);
        if (known && (by == 0 || uses_all_between(h, a, by))) continue;
        Node *bytes = a->stride
                          ? nat_mul(h->cx, a->stride, nat_const(h->cx, scalar_info[a->type].size))
                          : NULL;
        report(h, a->stride ? HOT_JUMPS : HOT_COMPUTED, a->at, name, a->stride, bytes);
    }
}

// --- obstacles to vectorisation -----------------------------------------------------------------

static bool is_store(const Access *a)
{
    return !a->node->type;
}

// Whether a later iteration loads the stored element: a loop-carried dependence.
static bool carries(Hot *h, const Access *store, const Access *load)
{
    int64_t apart, by;
    if (store->node->attr.sym != load->node->attr.sym || !store->stride || !load->stride)
        return false;
    if (store->stride != load->stride) return false;
    Node *difference = nat_sub(h->cx, store->position, load->position);
    if (difference == store->stride) return !nat_is_const(difference, &apart) || apart != 0;
    return nat_is_const(difference, &apart) && nat_is_const(store->stride, &by) && by != 0 &&
           apart != 0 && apart % by == 0 && apart / by > 0;
}

// Reports one dependence per array. Stops after comparing MOST_PAIRS pairs of accesses.
static void report_dependences(Hot *h)
{
    enum { MOST_PAIRS = 1 << 18 };
    Map reported = map_new(h->cx->arena);
    int64_t pairs = 0;
    for (int i = 0; i < h->accesses.len && pairs < MOST_PAIRS; i++) {
        const Access *a = &h->accesses.at[i];
        if (!is_store(a)) continue;
        for (int k = 0; k < h->accesses.len && !map_get(&reported, MAP_KEY(a->node->attr.sym));
             k++) {
            const Access *b = &h->accesses.at[k];
            pairs++;
            if (is_store(b) || !carries(h, a, b)) continue;
            report(h, HOT_CARRIES, a->at, a->node->attr.sym->text, NULL, NULL);
            map_put(&reported, MAP_KEY(a->node->attr.sym), h);
        }
    }
}

static bool is_sum_of(Node *set, Node *value)
{
    if (value->kind != CORE_PRIM || value->nops != 2) return false;
    for (int i = 0; i < 2; i++)
        if (value->op[i]->kind == LOOP_VAR && value->op[i]->attr.sym == set->attr.sym) return true;
    return false;
}

static void report_local(Hot *h, Node *set)
{
    if (map_get(&h->declared, MAP_KEY(set->attr.sym)) || !loops_uses(h->cx, h->loop, set->attr.sym))
        return;
    bool sum = is_sum_of(set, set->op[0]), floats = type_is_float(set->op[0]->type);
    if (sum && !floats) return; // C compilers reassociate integers
    report(h, sum ? HOT_COMBINES : HOT_NEEDS, h->here, set->attr.sym->text, NULL, NULL);
}

static void visit_value(Hot *h, Node *e)
{
    int64_t lanes;
    if (node_is_size_or_type(e)) return;
    if (e->type && type_is_vec(e->type, &lanes)) h->vectors = true;
    if (loops_is_load(e)) note_access(h, e, e->type);
    for (uint32_t i = 0; i < e->nops; i++) visit_value(h, e->op[i]);
}

// Collects accesses, and notes vector operations.
static void visit_memory(Hot *h, Node *s)
{
    Span around = h->here;
    if (s->origin.file) h->here = s->origin;
    if (loops_is_store(s)) note_access(h, s, s->op[1]->type);
    for (uint32_t i = 0; i < s->nops; i++) {
        if (loops_is_stmt(s->op[i]))
            visit_memory(h, s->op[i]);
        else
            visit_value(h, s->op[i]);
    }
    h->here = around;
}

static void visit_control(Hot *h, Node *s)
{
    Span around = h->here;
    if (s->origin.file) h->here = s->origin;
    bool counted = h->loop->kind != LOOP_FOREVER;
    if (s->kind == LOOP_SET && counted) report_local(h, s);
    if (s->kind == LOOP_CALL)
        report(h, HOT_CALLS, h->here, loops_shown_callee(h->cx, h->entry, s->attr.sym), NULL, NULL);
    if (s->kind == LOOP_CHECK)
        report(h, HOT_CHECKS, h->here, diag_title((DiagCode)s->attr.i), NULL, NULL);
    if (s->kind == LOOP_JUMP && counted && !map_get(&h->labels, MAP_KEY(s->attr.sym)))
        report(h, HOT_LEAVES, h->here, NULL, NULL, NULL);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) visit_control(h, s->op[i]);
    h->here = around;
}

static void find_names(Hot *h, Node *s)
{
    Stmts decls = loops_all(h->cx, s, IS_DECL);
    for (int i = 0; i < decls.len; i++) {
        Node *d = decls.at[i];
        if (d->kind == LOOP_DECL) map_put(&h->declared, MAP_KEY(d->attr.sym), (void *)(uintptr_t)d);
    }
    loops_names(s, IS_LABEL, &h->labels);
}

// --- loops --------------------------------------------------------------------------------------

static void enter(Hot *h, Node *loop)
{
    Arena *a = h->cx->arena;
    h->loop = loop;
    h->index = loop->attr.sym;
    h->here = loop->origin;
    h->step = 1;
    if (loop->kind == LOOP_STRIDED) (void)nat_is_const(loop->op[0], &h->step);
    h->declared = map_new(a);
    h->changed = map_new(a);
    h->labels = map_new(a);
    h->accesses.len = 0;
    h->vectors = false;
    loops_changed(loops_body(loop), &h->changed);
    find_names(h, loops_body(loop));
    visit_memory(h, loops_body(loop));
}

static bool has_loop(Node *s)
{
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && (is_loop(s->op[i]) || has_loop(s->op[i]))) return true;
    return false;
}

static int depth_of(Node *s)
{
    int most = 0;
    for (uint32_t i = 0; i < s->nops; i++) {
        int depth = loops_is_stmt(s->op[i]) ? depth_of(s->op[i]) : 0;
        if (depth > most) most = depth;
    }
    return most + is_loop(s);
}

static bool launches_kernel(Node *s, void *env)
{
    const Hot *h = env;
    const LoopEntry *f = s->kind == LOOP_CALL ? loops_callee(h->entry, s->attr.sym) : NULL;
    return f && f->kernel;
}

static void visit_loop(Hot *h, Node *loop)
{
    if (loops_any(loop, launches_kernel, h)) return;
    enter(h, loop);
    bool vectors = map_get(&h->in_vectors, key_of(loop->origin)) != NULL;
    if (loop->kind != LOOP_FOREVER) report_strides(h);
    if (vectors) return;
    if (loop->kind == LOOP_FOREVER) report(h, HOT_ENDLESS, NO_SPAN, NULL, NULL, NULL);
    report_dependences(h);
    visit_control(h, loops_body(loop));
}

// Visits the innermost loops of the deepest nests. If `first` is true, only notes which of them are
// vectorised.
static void visit_innermost(Hot *h, Node *s, int depth, bool first)
{
    bool loop = is_loop(s);
    depth += loop;
    if (loop && depth == h->deepest && !has_loop(loops_body(s))) {
        if (!first) {
            visit_loop(h, s);
        } else {
            enter(h, s);
            if (h->vectors) map_put(&h->in_vectors, key_of(s->origin), h);
        }
        return;
    }
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) visit_innermost(h, s->op[i], depth, first);
}

// --- copies -------------------------------------------------------------------------------------

// Returns the store in perfectly nested loops that copies one array to another, or NULL. Sets
// *count to the number of elements.
static Node *copied(Hot *h, Node *s, Node **count)
{
    *count = nat_const(h->cx, 1);
    for (; loops_is_counted(s); s = loops_body(s))
        *count = nat_mul(h->cx, *count, nat_sub(h->cx, loops_to(s), loops_from(s)));
    bool copies = s->kind == LOOP_STORE && s->op[1]->kind == LOOP_LOAD;
    return copies && s->attr.sym != s->op[1]->attr.sym ? s : NULL;
}

static void report_copy(Hot *h, Node *copy, Node *store, Node *count)
{
    Scalar scalar;
    if (!type_is_scalar(type_lane(store->op[1]->type), &scalar)) return;
    Node *bytes = nat_mul(h->cx, count, nat_const(h->cx, scalar_info[scalar].size));
    report(h, HOT_COPIES, copy->origin, store->attr.sym->text, count, bytes);
}

// Reports copies of whole arrays in loops. `around` is the innermost enclosing loop, or NULL.
static void find_copies(Hot *h, Node *s, Node *around, const Map *small)
{
    Node *count, *store = loops_is_counted(s) ? copied(h, s, &count) : NULL;
    if (store && !around) return; // the array is copied only once
    bool whole = store && !map_get(small, MAP_KEY(store->attr.sym)) &&
                 !map_get(small, MAP_KEY(store->op[1]->attr.sym));
    if (whole) {
        h->loop = around;
        report_copy(h, s, store, count);
        return;
    }
    if (is_loop(s)) around = s;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_copies(h, s->op[i], around, small);
}

// Finds the stack arrays, which are small buffers that passes have introduced.
static void find_small(Hot *h, Node *s, Map *small)
{
    Stmts decls = loops_all(h->cx, s, IS_DECL);
    for (int i = 0; i < decls.len; i++)
        if (decls.at[i]->kind == LOOP_ALLOC && decls.at[i]->variant == VARIANT_STACK)
            map_put(small, MAP_KEY(decls.at[i]->attr.sym), small);
}

void loops_find_hot(Session *cx, const LoopEntry *entry, const LoopEntry *f, HotLoops *out)
{
    if (!f->body || f->kernel) return;
    Hot h = {.cx = cx, .entry = entry, .out = out, .in_vectors = map_new(cx->arena)};
    Map small = map_new(cx->arena);
    h.deepest = depth_of(f->body);
    find_small(&h, f->body, &small);
    if (h.deepest > 0) visit_innermost(&h, f->body, 0, true);
    if (h.deepest > 0) visit_innermost(&h, f->body, 0, false);
    find_copies(&h, f->body, NULL, &small);
}
