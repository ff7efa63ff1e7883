// Views become positions. Each view of an expression or acceptor transforms the access path, as its
// row in views/ says, until memory is reached (Shine's code generation with paths; Lin's 5.16-5.48
// in one step).
#include "loops/lower/from_dpia.h"

// Whether a Loop IR expression is a load from an input, which has the same value wherever it is
// evaluated.
static bool is_constant_load(Flat *f, Node *value)
{
    if (value->kind != LOOP_LOAD) return false;
    return map_get(&f->inputs, MAP_KEY(value->attr.sym)) != NULL;
}

Node *flat_size(Flat *f, Node *e)
{
    Node *size = flat_size_of(f, e);
    if (size) return size;
    Node *value = flat_expr(f, e);
    if (value->kind == CORE_NAT) return value->op[0];
    Node *local = is_constant_load(f, value) ? flat_find_shared(f, value) : NULL;
    if (local) return local;
    Sym name = flat_fresh(f, "k");
    flat_declare(f, name, e->type, value);
    flat_learn(f, name, e->type, NULL);
    local = nat_var(f->cx, name);
    if (is_constant_load(f, value)) map_put(&f->block->shared, value->id, (void *)(uintptr_t)local);
    return local;
}

ViewContext flat_view_context(Flat *f)
{
    return (ViewContext){
        .cx = f->cx, .arena = f->arena, .facts = f->block->facts, .share = flat_share, .env = f};
}

// Returns whether lo <= index < hi. If this is unknown, sets *condition to the comparisons that are
// not known to hold.
static Truth window(Flat *f, const ViewStep *s, Node **condition)
{
    const Facts *facts = f->block->facts;
    Node *lo = s->lo.size, *hi = s->hi.size, *at = s->index.size;
    Truth above = s->has_lo ? nat_le(f->cx, facts, lo, at) : TRUTH_YES;
    Truth below = s->has_hi ? nat_lt(f->cx, facts, at, hi) : TRUTH_YES;
    if (above == TRUTH_NO || below == TRUTH_NO) return TRUTH_NO;
    Node *sides[2], *index = flat_size_value(f, at);
    int n = 0;
    if (above != TRUTH_YES)
        sides[n++] = core_prim(f->cx, PRIM_LE, 2, (Node *[]){flat_size_value(f, lo), index});
    if (below != TRUTH_YES)
        sides[n++] = core_prim(f->cx, PRIM_LT, 2, (Node *[]){index, flat_size_value(f, hi)});
    if (n == 0) return TRUTH_YES;
    *condition = n == 1 ? sides[0] : core_prim(f->cx, PRIM_AND, 2, sides);
    return TRUTH_UNKNOWN;
}

// --- reading ------------------------------------------------------------------------------------

// Reads condition ? a at pa : b at pb, where only the selected operand is evaluated.
static Node *read_either(Flat *f, Node *condition, Node *a, Path *pa, Node *b, Path *pb)
{
    Block yes, no;
    flat_open(f, &yes);
    flat_learn_condition(f, condition, true);
    Node *va = flat_read(f, a, pa);
    f->block = yes.outer;
    flat_open(f, &no);
    flat_learn_condition(f, condition, false);
    Node *vb = flat_read(f, b, pb);
    f->block = no.outer;
    return flat_join(f, condition, &yes, va, &no, vb);
}

// Reads element `index` of the index array `holder`, which has length `n` and belongs to a view
// such as gather.
static Node *index_through(Flat *f, Node *holder, Node *n, Node *index)
{
    Node *ops[] = {holder, flat_index(f, index, n)};
    return flat_size(f, core_pattern(f->cx, CORE_INDEX, 0, 2, ops));
}

static Node *read_view(Flat *f, Node *view, Path *path)
{
    int number = view_number(view);
    Node *shift = number < 0 ? NULL : flat_size(f, view->op[number]), *condition = NULL;
    ViewContext v = flat_view_context(f);
    v.shift.size = shift;
    ViewStep s = view_get(&v, view, path);
    const ViewPlace *in = &s.inside, *out = &s.outside;
    switch (s.kind) {
    case STEP_PLACE: return flat_read(f, view->op[in->operand], in->path);
    case STEP_THROUGH: {
        Node *at = index_through(f, view->op[s.through], view->type->op[0], s.index.size);
        return flat_read(f, view->op[in->operand], path_index(f->arena, at, in->path->rest));
    }
    case STEP_WINDOW:
        switch (window(f, &s, &condition)) {
        case TRUTH_YES: return flat_read(f, view->op[in->operand], in->path);
        case TRUTH_NO: return flat_read(f, view->op[out->operand], out->path);
        case TRUTH_UNKNOWN:
            return read_either(f, condition, view->op[in->operand], in->path,
                               view->op[out->operand], out->path);
        }
        break;
    case STEP_SHORT:
    case STEP_NONE: break;
    }
    session_ice(f->cx, __FILE__, __LINE__, "%s is not read to its elements",
                kind_info[view->kind].text);
}

static Node *read_memory(Flat *f, const Memory *m, Path *path)
{
    Node **indices;
    const Leaf *leaf = memory_leaf(f, m, path, &indices);
    return leaf_load(f, m, leaf, indices);
}

// Reads an element of an array literal. If the index is not a constant, the result is a chain of
// selections.
static Node *read_literal(Flat *f, Node *array, Path *path)
{
    int64_t k, n = array->nops;
    Node *index = flat_simplify(f, path->step.index);
    // An index out of bounds comes after a check that fails, so any element will do.
    if (nat_is_const(index, &k))
        return flat_read(f, array->op[k < 0 || k >= n ? 0 : k], path->rest);
    index = flat_share(f, index);
    Node *value = flat_read(f, array->op[n - 1], path->rest);
    for (k = n - 2; k >= 0; k--) {
        Node *sides[2] = {core_size(f->cx, index), core_size(f->cx, nat_const(f->cx, k))};
        Node *is_k = core_prim(f->cx, PRIM_EQ, 2, sides);
        value = loops_select(f->cx, is_k, flat_read(f, array->op[k], path->rest), value);
    }
    return value;
}

static Node *read_array(Flat *f, Node *array, Path *path)
{
    Node *index = flat_simplify(f, path->step.index);
    const Memory *m = index->kind == NAT_CONST ? NULL : memory_of_table(f, array);
    return m ? read_memory(f, m, path) : read_literal(f, array, path);
}

Node *flat_read(Flat *f, Node *e, Path *path)
{
    switch ((Kind)e->kind) {
    case CORE_EXTRACT:
    case CORE_INDEX:
        if (e->kind == CORE_EXTRACT && !path) return flat_extract(f, e);
        return flat_read(f, e->op[0], path_index(f->arena, flat_size(f, e->op[1]), path));
    case CORE_PROJ: return flat_read(f, e->op[0], path_component(f->arena, (int)e->attr.i, path));
    case CORE_TUPLE: return flat_read(f, e->op[path->step.component], path->rest);
    case CORE_ARRAY: return read_array(f, e, path);
    case PH_SELECT: return read_either(f, flat_expr(f, e->op[0]), e->op[1], path, e->op[2], path);
    case PH_VAR: {
        const Memory *m = memory_find(f, e->attr.sym);
        return m ? read_memory(f, m, path) : flat_expr(f, e);
    }
    default: break;
    }
    if (kind_is_view((Kind)e->kind)) return read_view(f, e, path);
    if (e->type->kind == TYPE_VEC) return flat_lane(f, e, path);
    CHECK(f->cx, !path, "an access into %s", kind_info[e->kind].text);
    return flat_expr(f, e);
}

// --- writing ------------------------------------------------------------------------------------

static void write_guarded(Flat *f, Node *condition, Node *acceptor, Path *path, Node *e)
{
    Block yes, no;
    flat_open(f, &yes);
    flat_learn_condition(f, condition, true);
    flat_write(f, acceptor, path, e);
    Node *then = flat_close(f, &yes);
    flat_open(f, &no);
    flat_add_if(f, condition, then, flat_close(f, &no));
}

static void write_place(Flat *f, Node *acceptor, Path *path, Node *e)
{
    Node **indices;
    const Memory *m = memory_find(f, acceptor->attr.sym);
    CHECK(f->cx, m, "%s is written, but is not memory", acceptor->attr.sym->text);
    const Leaf *leaf = memory_leaf(f, m, path, &indices);
    leaf_store(f, m, leaf, indices, flat_expr(f, e));
}

void flat_write(Flat *f, Node *acceptor, Path *path, Node *e)
{
    Node *condition = NULL;
    if (acceptor->kind == ACC_VAR) {
        write_place(f, acceptor, path, e);
        return;
    }
    Node *number = acceptor_number(acceptor), *shift = number ? flat_size(f, number) : NULL;
    ViewContext v = flat_view_context(f);
    v.shift.size = shift;
    ViewStep s = view_put(&v, acceptor, path);
    Node *to = s.inside.operand >= 0 ? acceptor->op[s.inside.operand] : NULL;
    if (s.bound) to = loops_at(f->cx, to, s.bound, s.index.size);
    switch (s.kind) {
    case STEP_PLACE:
        if (to) flat_write(f, to, s.inside.path, e);
        return;
    case STEP_THROUGH: {
        Node *holder = acceptor->op[0]->op[s.through];
        Node *at = index_through(f, holder, acceptor->type->op[0], s.index.size);
        flat_write(f, to, path_index(f->arena, at, s.inside.path->rest), e);
        return;
    }
    case STEP_WINDOW:
        switch (window(f, &s, &condition)) {
        case TRUTH_YES: flat_write(f, to, s.inside.path, e); return;
        case TRUTH_NO: return;
        case TRUTH_UNKNOWN: write_guarded(f, condition, to, s.inside.path, e); return;
        }
        break;
    case STEP_SHORT:
    case STEP_NONE: break;
    }
    session_ice(f->cx, __FILE__, __LINE__, "%s is not written to its elements",
                kind_info[acceptor->kind].text);
}
