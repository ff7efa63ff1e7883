// Reading: memory is read by DPIA expressions, and an element of a delayed array is computed where
// it is read (Shine's mapRead and generateCont, resolved during the translation).
#include "dpia/translate/from_core.h"

Readable *readable_new(Tr *t, const struct Readable *r)
{
    struct Readable *copy = ARENA_NEW(t->arena, struct Readable);
    *copy = *r;
    return copy;
}

Readable *readable_phrase(Tr *t, Node *phrase)
{
    return readable_new(
        t, &(struct Readable){.kind = READ_PHRASE, .type = phrase->type, .phrase = phrase});
}

Readable *readable_tuple(Tr *t, Node *type, int n, Readable **parts)
{
    return readable_new(
        t, &(struct Readable){.kind = READ_TUPLE, .type = type, .nparts = n, .parts = parts});
}

// Computes a vector of delayed elements into memory of its own.
static Node *gathered(Tr *t, Readable *r)
{
    Loop l;
    int64_t lanes;
    Memory m = emit_new(t, "v", r->type, VARIANT_STACK);
    loop_open(t, &l, r->type->op[0]);
    if (nat_is_const(r->type->op[0], &lanes)) loop_in_lanes(t, &l, r->type->op[0]);
    emit_assign(t, acceptor_at(t, m.d, l.index), scalar_of(t, read_at(t, r, l.index)));
    loop_close(t, &l);
    return m.value->phrase;
}

Node *scalar_of(Tr *t, Readable *r)
{
    if (r->type->kind == TYPE_VEC && r->kind == READ_VIEW) return gathered(t, r);
    TR_CHECK(t, r->kind == READ_PHRASE && type_is_value(r->type),
             "a scalar of type %s is not readable", type_show(t->cx, r->type));
    return r->phrase;
}

static Readable *settle_view(Tr *t, Readable *r);
static Readable *settle_choice(Tr *t, Readable *r);

// The type that one more step of a path leads to.
static Node *type_below(Tr *t, Node *type, const PathStep *step)
{
    if (step->is_component) return type->op[step->component];
    TR_CHECK(t, type_has_elements(type), "an index into %s", type_show(t->cx, type));
    return type->op[1];
}

// The view or choice with one more step added to its path.
static Readable *deeper(Tr *t, Readable *r, Path *step)
{
    struct Readable next = *r;
    next.shared = 0;
    next.type = type_below(t, r->type, &step->step);
    next.path = path_append(t->arena, r->path, step);
    if (r->kind == READ_VIEW) return settle_view(t, readable_new(t, &next));
    next.other = path_append(t->arena, r->other, step);
    return settle_choice(t, readable_new(t, &next));
}

Readable *readable_shared(Tr *t, Readable *r)
{
    bool computed = r->kind >= READ_MAP && r->kind <= READ_CHOICE;
    if (!computed || r->shared) return r;
    struct Readable shared = *r;
    shared.shared = ++t->nshared;
    return readable_new(t, &shared);
}

// Computes the element at `index` of a delayed array or, if `index` is NULL, component k of a
// delayed value.
static Readable *compute_step(Tr *t, Readable *r, Node *index, int k);

// Like compute_step, but if the element belongs to a shared value and this or an enclosing block
// has already computed it, returns the locals that hold it.
static Readable *read_step(Tr *t, Readable *r, Node *index, int k)
{
    if (!r->shared) return compute_step(t, r, index, k);
    uint64_t step = index ? index->id : UINT32_MAX - (uint32_t)k;
    uint64_t key = (uint64_t)r->shared << 32 | step;
    for (const Block *b = t->block; b; b = b->outer) {
        Readable *known = map_get(&b->elements, key);
        if (known) return known;
    }
    Readable *part = bind_scalars(t, compute_step(t, r, index, k), "x", NULL, 0, 2);
    map_put(&t->block->elements, key, (void *)(uintptr_t)part);
    return part;
}

static Readable *read_ring(Tr *t, Readable *r, Node *index)
{
    int64_t j;
    if (nat_is_const(index, &j) && j < r->nparts) return r->parts[j];
    Node *k = r->phrase->type->op[0], *at = nat_add(t->cx, r->shift, index);
    if (nat_lt(t->cx, t->block->facts, at, k) != TRUTH_YES) { // at < 2k, so no division is needed
        Node *sides[2] = {index_phrase(t, at, k), index_phrase(t, nat_sub(t->cx, at, k), k)};
        Node *slot = select_scalar(t, less(t, at, k), sides[0], sides[1]);
        at = nat_var(t->cx, emit_let(t, "r", slot)->attr.sym);
    }
    return read_at(t, readable_phrase(t, r->phrase), at);
}

Readable *read_at(Tr *t, Readable *array, Node *index)
{
    bool lane = array->type->kind == TYPE_VEC;
    TR_CHECK(t, lane || array->type->kind == TYPE_ARRAY, "an index into %s",
             type_show(t->cx, array->type));
    switch (array->kind) {
    case READ_PHRASE: {
        Node *i = index_phrase(t, index, array->type->op[0]);
        Node *ops[2] = {array->phrase, i};
        return readable_phrase(t, core_pattern(t->cx, lane ? CORE_EXTRACT : CORE_INDEX, 0, 2, ops));
    }
    case READ_MAP:
    case READ_GENERATE:
    case READ_VIEW:
    case READ_CHOICE: return read_step(t, array, index, 0);
    case READ_RING: return read_ring(t, array, index);
    case READ_TUPLE:
    case READ_PLACE:
    case READ_LABEL: break;
    }
    session_ice(t->cx, __FILE__, __LINE__, "an index into something that is not an array");
}

Readable *read_component(Tr *t, Readable *r, int k)
{
    switch (r->kind) {
    case READ_PHRASE:
        if (r->phrase->kind == CORE_TUPLE) return readable_phrase(t, r->phrase->op[k]);
        return readable_phrase(t, core_proj(t->cx, r->phrase, k));
    case READ_TUPLE: return r->parts[k];
    case READ_VIEW:
    case READ_CHOICE: return read_step(t, r, NULL, k);
    case READ_MAP:
    case READ_GENERATE:
    case READ_RING:
    case READ_PLACE:
    case READ_LABEL: break;
    }
    session_ice(t->cx, __FILE__, __LINE__, "a component of something that is not a tuple");
}

static Readable *compute_step(Tr *t, Readable *r, Node *index, int k)
{
    if (r->kind == READ_MAP) {
        Readable *element = read_at(t, r->parts[0], index);
        return con_lambda(t, r->core->op[0], r->env, &element, 1);
    }
    if (r->kind == READ_GENERATE) {
        Readable *i = readable_phrase(t, index_phrase(t, index, r->type->op[0]));
        return con_lambda(t, r->core->op[1], r->env, &i, 1);
    }
    return deeper(t, r,
                  index ? path_index(t->arena, index, NULL) : path_component(t->arena, k, NULL));
}

Readable *read_path(Tr *t, Readable *r, Path *path)
{
    for (; path; path = path->rest)
        r = path->step.is_component ? read_component(t, r, path->step.component)
                                    : read_at(t, r, path->step.index);
    return r;
}

// --- views --------------------------------------------------------------------------------------

Readable *read_view(Tr *t, Node *view, Env *env, Readable **parts, Node *shift)
{
    struct Readable r = {.kind = READ_VIEW,
                         .type = view->type,
                         .core = view,
                         .env = env,
                         .nparts = (int)view->nops,
                         .parts = parts,
                         .shift = shift};
    return readable_new(t, &r);
}

// The checks inside the function are dropped if its value is proved correct.
void require_inverse(Tr *t, Node *lam, Env *env, Node *index, Node *back, Node *n)
{
    Block b;
    block_open(t, &b);
    Readable *i = readable_phrase(t, index_phrase(t, index, n));
    Node *to = size_of(t, con_lambda(t, lam, env, &i, 1));
    block_leave(t, &b);
    if (nat_eq(t->cx, t->block->facts, to, back) == TRUTH_YES) return;
    emit_items(t, &b);
    Node *sides[2] = {size_phrase(t, to), size_phrase(t, back)};
    emit_check(t, E0611, core_prim(t->cx, PRIM_EQ, 2, sides));
}

// permute(p, q, xs) at i is xs at p(i), where q(p(i)) must be i.
static Node *permuted(Tr *t, Readable *r, const ViewStep *step)
{
    Node *n = r->core->type->op[0], *index = step->index.size;
    Readable *i = readable_phrase(t, index_phrase(t, index, n));
    Node *at = size_of(t, con_lambda(t, r->core->op[step->through], r->env, &i, 1));
    require_inverse(t, r->core->op[step->inverse], r->env, at, index, n);
    return at;
}

// Reads through a gather, which looks up the first index of the path in an array, or through a
// permute, which computes it.
static Readable *read_through(Tr *t, Readable *r, const ViewStep *step)
{
    Node *at = step->inverse ? permuted(t, r, step)
                             : size_of(t, read_at(t, r->parts[step->through], step->index.size));
    Path *path = path_index(t->arena, at, step->inside.path->rest);
    return read_path(t, r->parts[step->inside.operand], path);
}

// Whether lo <= index < hi. If the facts do not decide it, sets *condition to what remains to be
// tested.
static Truth window(Tr *t, const ViewStep *s, Node **condition)
{
    const Facts *f = t->block->facts;
    Node *lo = s->lo.size, *hi = s->hi.size, *index = s->index.size;
    Truth above = s->has_lo ? nat_le(t->cx, f, lo, index) : TRUTH_YES;
    Truth below = s->has_hi ? nat_lt(t->cx, f, index, hi) : TRUTH_YES;
    if (above == TRUTH_NO || below == TRUTH_NO) return TRUTH_NO;
    if (above == TRUTH_YES && below == TRUTH_YES) return TRUTH_YES;
    Node *from = NULL, *to = NULL;
    if (above != TRUTH_YES)
        from = core_prim(t->cx, PRIM_LE, 2, (Node *[]){size_phrase(t, lo), size_phrase(t, index)});
    if (below != TRUTH_YES) to = less(t, index, hi);
    *condition = !to ? from : !from ? to : core_prim(t->cx, PRIM_AND, 2, (Node *[]){from, to});
    return TRUTH_UNKNOWN;
}

static Readable *read_window(Tr *t, Readable *r, const ViewStep *step)
{
    Node *condition = NULL;
    const ViewPlace *a = &step->inside, *b = &step->outside;
    switch (window(t, step, &condition)) {
    case TRUTH_YES: return read_path(t, r->parts[a->operand], a->path);
    case TRUTH_NO: return read_path(t, r->parts[b->operand], b->path);
    case TRUTH_UNKNOWN: break;
    }
    return read_choice(t, condition, r->parts[a->operand], a->path, r->parts[b->operand], b->path);
}

// Replaces a view with the operand that view_get selects, read at the path that view_get returns.
// The view stays as it is while its path is too short for view_get.
static Readable *settle_view(Tr *t, Readable *r)
{
    ViewContext v = view_context(t);
    v.shift.size = r->shift;
    ViewStep step = view_get(&v, r->core, r->path);
    switch (step.kind) {
    case STEP_SHORT: return r;
    case STEP_PLACE: return read_path(t, r->parts[step.inside.operand], step.inside.path);
    case STEP_WINDOW: return read_window(t, r, &step);
    case STEP_THROUGH: return read_through(t, r, &step);
    case STEP_NONE: break;
    }
    session_ice(t->cx, __FILE__, __LINE__, "%s cannot be read", kind_info[r->core->kind].text);
}

// --- conditional reads --------------------------------------------------------------------------

// The type at `path` in a value of type `type`.
static Node *type_at(Tr *t, Node *type, Path *path)
{
    for (; path; path = path->rest) type = type_below(t, type, &path->step);
    return type;
}

Readable *read_choice(Tr *t, Node *condition, Readable *a, Path *pa, Readable *b, Path *pb)
{
    Readable **parts = ARENA_ARRAY(t->arena, Readable *, 2);
    parts[0] = a;
    parts[1] = b;
    if (!is_cheap(condition) && type_has_array(type_at(t, a->type, pa)))
        condition = emit_let(t, "inside", condition);
    struct Readable r = {.kind = READ_CHOICE,
                         .type = type_at(t, a->type, pa),
                         .phrase = condition,
                         .nparts = 2,
                         .parts = parts,
                         .path = pa,
                         .other = pb};
    return settle_choice(t, readable_new(t, &r));
}

// Once the choice is no longer an array, computes both alternatives, each under its condition.
static Readable *settle_choice(Tr *t, Readable *r)
{
    if (type_has_array(r->type)) return r;
    Block a, b;
    block_open(t, &a);
    Readable *va = read_path(t, r->parts[0], r->path);
    block_leave(t, &a);
    block_open(t, &b);
    Readable *vb = read_path(t, r->parts[1], r->other);
    block_leave(t, &b);
    return join_blocks(t, r->phrase, &a, va, &b, vb);
}

// PH_SELECT evaluates only the selected operand, so loads in its operands need no guard.
Node *select_scalar(Tr *t, Node *condition, Node *a, Node *b)
{
    return node_make(t->cx, &(NodeSpec){.kind = PH_SELECT,
                                        .type = a->type,
                                        .nops = 3,
                                        .ops = (Node *[]){condition, a, b}});
}

// Builds `condition ? a : b` for every scalar of the two values.
static Readable *select_leaves(Tr *t, Node *condition, Readable *a, Readable *b)
{
    Node *type = a->type;
    if (type_is_value(type)) {
        Node *va = scalar_of(t, a), *vb = scalar_of(t, b);
        return va == vb ? a : readable_phrase(t, select_scalar(t, condition, va, vb));
    }
    int n = (int)type->nops;
    Readable **parts = ARENA_ARRAY(t->arena, Readable *, n + 1);
    for (int k = 0; k < n; k++)
        parts[k] = select_leaves(t, condition, read_component(t, a, k), read_component(t, b, k));
    return readable_tuple(t, type, n, parts);
}

// join_blocks for blocks without values. If one block never reaches its end, only that block is
// conditional, and the other one follows the `if`.
static Readable *join_commands(Tr *t, Node *condition, Block *a, Readable *va, Block *b,
                               Readable *vb)
{
    Node *skip = node_make(t->cx, &(NodeSpec){.kind = COM_SKIP});
    if (va->type->kind == TYPE_NEVER) {
        emit_if(t, condition, block_command(t, a), skip);
        emit_items(t, b);
        return vb;
    }
    if (vb->type->kind == TYPE_NEVER) {
        emit_if(t, core_prim(t->cx, PRIM_NOT, 1, &condition), block_command(t, b), skip);
        emit_items(t, a);
        return va;
    }
    emit_if(t, condition, block_command(t, a), block_command(t, b));
    return va;
}

Readable *join_blocks(Tr *t, Node *condition, Block *a, Readable *va, Block *b, Readable *vb)
{
    if (is_nothing(va->type) || is_nothing(vb->type))
        return join_commands(t, condition, a, va, b, vb);
    Node *type = va->type;
    if (type_is_value(type)) {
        Node *x = lets_propagated(t, a, scalar_of(t, va));
        Node *y = x ? lets_propagated(t, b, scalar_of(t, vb)) : NULL;
        if (y) return readable_phrase(t, x == y ? x : select_scalar(t, condition, x, y));
    }
    if (a->items.len == 0 && b->items.len == 0) {
        if (!type_is_value(type) && !is_cheap(condition))
            condition = emit_let(t, "inside", condition);
        return select_leaves(t, condition, va, vb);
    }
    Memory m = emit_new(t, "either", type, VARIANT_STACK);
    t->block = a;
    copy_into(t, va, m.d);
    block_leave(t, a);
    t->block = b;
    copy_into(t, vb, m.d);
    block_leave(t, b);
    emit_if(t, condition, block_command(t, a), block_command(t, b));
    return m.value;
}

// --- () and ! -----------------------------------------------------------------------------------

bool is_nothing(Node *type)
{
    return type->kind == TYPE_NEVER || (type->kind == TYPE_TUPLE && type->nops == 0);
}

Readable *readable_nothing(Tr *t, Node *type)
{
    return readable_tuple(t, type, 0, NULL);
}

// --- copies -------------------------------------------------------------------------------------

void copy_into(Tr *t, Readable *from, Node *d)
{
    Node *type = d->type;
    if (d->kind == ACC_NONE) return;
    if (type_is_value(type)) {
        emit_assign(t, d, scalar_of(t, from));
    } else if (type->kind == TYPE_ARRAY) {
        Loop l;
        loop_open(t, &l, type->op[0]);
        copy_into(t, read_at(t, from, l.index), acceptor_at(t, d, l.index));
        loop_close(t, &l);
    } else {
        for (uint32_t k = 0; k < type->nops; k++)
            copy_into(t, read_component(t, from, (int)k), acceptor_part(t, d, (int)k));
    }
}
