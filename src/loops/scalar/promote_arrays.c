// Promotes stack arrays of vectors to locals. All stores to such an array are whole vectors of the
// same length at constant positions; loads are vectors or single elements.
//
//   alloc t f32 8                                v : vec[8]f32
//   t[0 ..] = x[0 ..] * s                        v = x[0 ..] * s
//   y = t[k]                        becomes      y = lane k of v
#include "loops/scalar/scalar.h"
#include "loops/simplify/simplify.h"

enum { MOST = 8 }; // maximum number of vectors in an array

typedef struct {
    Session *cx;
    Node *alloc;
    int64_t count, lanes; // elements of the array, and lanes of its vectors (0 if not yet known)
    bool fits, stored;
    Map seen;
    Sym locals[MOST];
} Promoted;

// --- accesses -----------------------------------------------------------------------------------

static void note_vector(Promoted *v, Node *type, Node *position)
{
    int64_t lanes = 0, at;
    bool whole =
        type && type_is_vec(type, &lanes) && nat_is_const(position, &at) && at % lanes == 0;
    if (v->lanes == 0) v->lanes = lanes;
    v->fits &= whole && lanes == v->lanes && at >= 0 && at + lanes <= v->count;
}

static void note(Promoted *v, Node *n)
{
    int64_t lanes;
    if (n->nops == 0 || node_is_size_or_type(n)) return;
    if (map_get(&v->seen, MAP_KEY(n))) return;
    map_put(&v->seen, MAP_KEY(n), v);
    for (uint32_t i = 0; i < n->nops; i++) note(v, n->op[i]);
    if (kind_info[n->kind].attr != ATTR_SYM || n->attr.sym != v->alloc->attr.sym) return;
    switch ((Kind)n->kind) {
    case LOOP_LOAD:
        if (type_is_vec(n->type, &lanes)) note_vector(v, n->type, n->op[0]);
        return;
    case LOOP_LOAD_WHERE: note_vector(v, n->type, n->op[0]); return;
    case LOOP_STORE:
    case LOOP_STORE_WHERE:
        note_vector(v, n->op[1]->type, n->op[0]);
        v->stored = true;
        return;
    default: v->fits = false; return;
    }
}

// Checks that elements at variable positions are loaded only from an array of a single vector, and
// only outside loops.
static void note_elements(Promoted *v, Node *n, bool in_loop)
{
    int64_t at;
    if (n->nops == 0 || node_is_size_or_type(n)) return;
    if (kind_info[n->kind].attr == ATTR_SYM && n->attr.sym == v->alloc->attr.sym) {
        bool element = n->kind == LOOP_LOAD && n->type->kind != TYPE_VEC;
        if (element && !nat_is_const(n->op[0], &at)) v->fits &= v->count == v->lanes && !in_loop;
    }
    in_loop |= loops_is_counted(n);
    for (uint32_t i = 0; i < n->nops && v->fits; i++) note_elements(v, n->op[i], in_loop);
}

// Whether a lockstep loop or task uses the array. Neither can set locals declared outside it.
static bool is_shared(Node *n, Sym name)
{
    bool apart = n->kind == LOOP_PARALLEL || n->kind == LOOP_VECTORIZE || n->kind == LOOP_SPAWN;
    if (apart) return loops_mentions(n, name);
    for (uint32_t i = 0; i < n->nops; i++)
        if (loops_is_stmt(n->op[i]) && is_shared(n->op[i], name)) return true;
    return false;
}

static bool can_be_locals(Promoted *v, Node *const *after, uint32_t n)
{
    Node *alloc = v->alloc;
    if (alloc->kind != LOOP_ALLOC || alloc->variant != VARIANT_STACK || alloc->nops != 2)
        return false;
    if (!nat_is_const(alloc->op[1], &v->count)) return false;
    for (uint32_t i = 0; i < n && v->fits; i++) {
        if (!loops_mentions(after[i], alloc->attr.sym)) continue;
        note(v, after[i]);
        v->fits &= !is_shared(after[i], alloc->attr.sym);
    }
    if (!v->fits || !v->stored || v->lanes == 0 || v->count % v->lanes ||
        v->count / v->lanes > MOST)
        return false;
    for (uint32_t i = 0; i < n; i++) note_elements(v, after[i], false);
    return v->fits;
}

// --- as locals ----------------------------------------------------------------------------------

static Node *type_of(const Promoted *v)
{
    return type_vec(v->cx, v->lanes, v->alloc->op[0]);
}

static Sym name_at(const Promoted *v, Node *position)
{
    int64_t at = 0;
    (void)nat_is_const(position, &at);
    return v->locals[at / v->lanes];
}

static Node *local_at(const Promoted *v, Node *position)
{
    return loops_local(v->cx, name_at(v, position), type_of(v));
}

static Node *element(const Promoted *v, Node *load)
{
    int64_t at, whole = v->lanes;
    Node *position = load->op[0];
    if (nat_is_const(position, &at)) position = nat_const(v->cx, at % whole);
    Node *ops[] = {local_at(v, load->op[0]), position};
    return node_make(v->cx,
                     &(NodeSpec){.kind = LOOP_LANE, .type = load->type, .nops = 2, .ops = ops});
}

static Node *assigned(const Promoted *v, Node *store, Node *value)
{
    return loops_set(v->cx, name_at(v, store->op[0]), value, store->origin);
}

// Returns one operand of a selection. If that operand is itself a selection by the same mask or, if
// `negated`, by the negated mask, returns the first value of the inner selection.
static Node *without_mask(Node *select, int side, bool negated)
{
    Node *x = select->op[side], *mask = select->op[0];
    if (x->kind != LOOP_SELECT || x->op[0]->type->kind != TYPE_VEC) return x;
    Node *inner = x->op[0];
    if (negated) {
        if (inner->kind != CORE_PRIM || inner->attr.i != PRIM_NOT) return x;
        inner = inner->op[0];
    }
    return inner == mask ? x->op[1] : x;
}

static Node *on_locals(Session *cx, Node *n, int depth, void *env)
{
    const Promoted *v = env;
    int64_t lanes;
    if (node_is_size_or_type(n)) return n;
    n = node_map(cx, n, depth, on_locals, env);
    if (n->kind == LOOP_SELECT && n->op[0]->type->kind == TYPE_VEC)
        return loops_select(cx, n->op[0], without_mask(n, 1, false), without_mask(n, 2, true));
    if (kind_info[n->kind].attr != ATTR_SYM || n->attr.sym != v->alloc->attr.sym) return n;
    switch ((Kind)n->kind) {
    case LOOP_LOAD: return type_is_vec(n->type, &lanes) ? local_at(v, n->op[0]) : element(v, n);
    case LOOP_LOAD_WHERE:
        return loops_select(cx, n->op[1], local_at(v, n->op[0]), loops_zeros(cx, type_of(v)));
    case LOOP_STORE: return assigned(v, n, n->op[1]);
    case LOOP_STORE_WHERE:
        return assigned(v, n, loops_select(cx, n->op[2], n->op[1], local_at(v, n->op[0])));
    default: return n;
    }
}

// Names the locals. The first stores to the array will declare them; locals without such a store
// are declared here as zeros, which are never read. Returns the number of statements up to the last
// such store. The same store node may occur again after them, and becomes an assignment there.
static uint32_t declare(Promoted *v, Stmts *out, Node *const *after, uint32_t n)
{
    Session *cx = v->cx;
    Sym array = v->alloc->attr.sym;
    Node *type = type_of(v), *zero = loops_zeros(cx, type);
    bool given[MOST] = {false};
    uint32_t first = 0;
    for (; first < n; first++) {
        Node *s = after[first];
        int64_t at;
        if (!loops_mentions(s, array)) continue;
        if (s->kind != LOOP_STORE || loops_mentions(s->op[1], array)) break;
        if (!nat_is_const(s->op[0], &at) || given[at / v->lanes]) break;
        given[at / v->lanes] = true;
    }
    for (int64_t k = 0; k < v->count / v->lanes; k++) {
        v->locals[k] = sym_fresh(cx->syms, array->text);
        if (given[k]) continue;
        Node *decl = loops_decl(cx, v->locals[k], type, zero, v->alloc->origin);
        vec_push(cx->arena, out, decl);
    }
    return first;
}

static Node *with_locals(Promoted *v, Node *block, uint32_t at)
{
    Session *cx = v->cx;
    Stmts out = {0};
    Node *const *after = block->op + at + 1;
    uint32_t n = block->nops - at - 1;
    for (uint32_t i = 0; i < at; i++) vec_push(cx->arena, &out, block->op[i]);
    uint32_t first = declare(v, &out, after, n);
    for (uint32_t i = 0; i < n; i++) {
        Node *s = after[i];
        if (loops_mentions(s, v->alloc->attr.sym)) {
            s = on_locals(cx, s, 0, v);
            if (i < first) s = loops_decl(cx, s->attr.sym, type_of(v), s->op[0], s->origin);
        }
        vec_push(cx->arena, &out, s);
    }
    return node_make(cx, &(NodeSpec){.kind = LOOP_BLOCK, .nops = out.len, .ops = out.at});
}

static Node *promote(void *env, Node *s)
{
    Session *cx = env;
    s = loops_map(cx, s, promote, cx);
    for (uint32_t i = 0; s->kind == LOOP_BLOCK && i < s->nops;) {
        Promoted v = {.cx = cx, .alloc = s->op[i], .fits = true, .seen = map_new(cx->arena)};
        if (can_be_locals(&v, s->op + i + 1, s->nops - i - 1))
            s = with_locals(&v, s, i);
        else
            i++;
    }
    return s;
}

Node *loops_promote_vector_arrays(Session *cx, Node *body)
{
    return promote(cx, body);
}
