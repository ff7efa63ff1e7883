// Divergence analysis: which values vary by lane, and which parts of the body run with some lanes
// inactive (Karrenberg & Hack, Whole-Function Vectorization, CGO 2011; Moll & Hack, Partial
// Control-Flow Linearization, PLDI 2018).
//
// The analysis computes a fixpoint. A name varies if a varying value is assigned to it, or if it is
// assigned in a region and read outside it. A branch on a varying condition creates two regions. A
// jump out of a region makes its label divergent: lanes leave the label at different times, and its
// block becomes a region. A local that a divergent loop sets to uniform values stays uniform if
// only the loop reads it, because the lanes still in the loop agree.
#include "loops/vector/vectors.h"

bool shape_is_uniform(Shape s)
{
    return !s.varies && s.step == 0;
}

bool shape_is_backwards(Shape s)
{
    return !s.varies && s.step == -1;
}

bool shape_is_contiguous(Shape s)
{
    return !s.varies && (s.step == 1 || s.step == -1);
}

bool divergence_varies(const Divergence *d, Sym name)
{
    return map_get(&d->varying, MAP_KEY(name)) != NULL;
}

static void mark(Divergence *d, Map *marked, Sym name)
{
    if (map_get(marked, MAP_KEY(name))) return;
    map_put(marked, MAP_KEY(name), d);
    d->grown = true;
}

// --- shapes -------------------------------------------------------------------------------------

static const Shape same = {false, 0}, varying = {true, 0};

static Shape shape_of_name(const Divergence *d, Sym name)
{
    const LaneName *n = map_get(&d->names, MAP_KEY(name));
    if (divergence_varies(d, name)) return varying;
    return name == d->index ? (Shape){false, 1} : n ? n->shape : same;
}

typedef struct {
    const Divergence *d;
    Node *lane;
    VEC(NodeBinding) next; // linear name -> its value in the lane
    bool varies;
} SizeInLane;

static void visit_atom(Node *atom, void *env)
{
    SizeInLane *s = env;
    Session *cx = s->d->cx;
    if (atom->kind != NAT_VAR) return;
    Shape shape = shape_of_name(s->d, atom->attr.sym);
    s->varies |= shape.varies;
    if (shape_is_uniform(shape)) return;
    Node *steps = nat_mul(cx, nat_const(cx, shape.step), s->lane);
    Node *next = nat_add(cx, atom, steps);
    vec_push(cx->arena, &s->next, ((NodeBinding){atom->attr.sym, next}));
}

Node *divergence_size_in_lane(const Divergence *d, Node *size, Node *lane)
{
    SizeInLane s = {.d = d, .lane = lane};
    nat_atoms(d->cx, size, visit_atom, &s);
    if (s.varies) return NULL;
    return s.next.len ? node_replace_names(d->cx, size, s.next.at, s.next.len) : size;
}

static Shape shape_of_size(const Divergence *d, Node *size)
{
    int64_t step;
    Node *next = divergence_size_in_lane(d, size, nat_const(d->cx, 1));
    if (!next) return varying;
    if (next == size) return same;
    return nat_is_const(nat_sub(d->cx, next, size), &step) ? (Shape){false, step} : varying;
}

static Shape shape_of_load(Divergence *d, Node *e)
{
    if (divergence_varies(d, e->attr.sym)) return varying;
    return shape_is_uniform(divergence_of(d, e->op[0])) ? same : varying;
}

// Sums and differences of linear i64 values are linear.
static Shape shape_of_sum(Divergence *d, Node *e)
{
    Scalar s;
    bool sum = e->attr.i == PRIM_ADD || e->attr.i == PRIM_SUB;
    if (!sum || !type_is_scalar(e->type, &s) || s != SCALAR_I64) return varying;
    Shape a = divergence_of(d, e->op[0]), b = divergence_of(d, e->op[1]);
    if (a.varies || b.varies) return varying;
    return (Shape){false, e->attr.i == PRIM_ADD ? a.step + b.step : a.step - b.step};
}

static Shape shape_of(Divergence *d, Node *e)
{
    bool together = true;
    if (kind_info[e->kind].levels & LEVEL_NAT) return shape_of_size(d, e);
    if (e->type && e->type->kind == TYPE_VEC) return varying;
    switch ((Kind)e->kind) {
    case CORE_NAT: return divergence_of(d, e->op[0]);
    case LOOP_VAR: return shape_of_name(d, e->attr.sym);
    case LOOP_LOAD: return shape_of_load(d, e);
    default:
        for (uint32_t i = 0; i < e->nops; i++)
            together = together && shape_is_uniform(divergence_of(d, e->op[i]));
        if (together) return same;
        return e->kind == CORE_PRIM && e->nops == 2 ? shape_of_sum(d, e) : varying;
    }
}

Shape divergence_of(Divergence *d, Node *e)
{
    const Shape *known = map_get(&d->shapes, MAP_KEY(e));
    if (known) return *known;
    Shape *s = ARENA_NEW(d->cx->arena, Shape);
    *s = shape_of(d, e);
    map_put(&d->shapes, MAP_KEY(e), s);
    return *s;
}

// --- regions ------------------------------------------------------------------------------------

static Region *begin(Divergence *d, Region *outer, const EnclosingLoop *loop)
{
    Region *r = ARENA_NEW(d->cx->arena, Region);
    *r = (Region){.outer = outer, .depth = outer ? outer->depth + 1 : 0, .loop = loop};
    vec_push(d->cx->arena, &d->regions, r);
    return r;
}

static Region *common(Region *a, Region *b)
{
    while (a != b) {
        if (a->depth >= b->depth)
            a = a->outer;
        else
            b = b->outer;
    }
    return a;
}

bool divergence_is_loop(const Divergence *d, Node *s)
{
    return s->kind == LOOP_LABEL && map_get(&d->divergent, MAP_KEY(s->attr.sym)) &&
           loops_is(s->op[0], IS_LOOP);
}

const LaneLabel *label_around(const LaneLabel *label, Sym name)
{
    while (label && label->stmt->attr.sym != name) label = label->outer;
    return label;
}

bool jump_is_uniform(const LaneLabel *target, const Region *from)
{
    return from == (target->own ? target->own : target->around);
}

Node *divergence_array(const Divergence *d, Sym name)
{
    const LaneName *n = map_get(&d->names, MAP_KEY(name));
    return n && n->stmt->kind == LOOP_ALLOC ? n->stmt : NULL;
}

bool divergence_own(const Divergence *d, Sym name)
{
    return divergence_array(d, name) && divergence_varies(d, name);
}

const Region *divergence_unmasked(const Divergence *d, Sym array)
{
    const LaneName *n = map_get(&d->names, MAP_KEY(array));
    return n && n->stmt->kind == LOOP_ALLOC && !n->parts_differ ? n->declared : NULL;
}

Region *divergence_home(const Divergence *d, Sym local)
{
    const LaneName *n = map_get(&d->names, MAP_KEY(local));
    Region *r = n->used ? n->used : n->declared;
    while (r != n->declared && r->loop != n->loop) r = r->outer;
    return r;
}

// --- names --------------------------------------------------------------------------------------

typedef struct {
    Divergence *d;
    Region *region;
} Use;

static void use(Sym name, void *env)
{
    const Use *u = env;
    LaneName *n = map_get(&u->d->names, MAP_KEY(name));
    if (n) n->used = n->used ? common(n->used, u->region) : u->region;
}

static void use_value(Sym name, void *env)
{
    const Use *u = env;
    LaneName *n = map_get(&u->d->names, MAP_KEY(name));
    if (n) n->read = true;
    use(name, env);
}

static void read(Divergence *d, Node *e, Region *r)
{
    Map seen = map_new(d->cx->arena);
    Use u = {d, r};
    loops_reads(d->cx, e, &seen, use_value, &u);
}

static LaneName *declare(Divergence *d, Node *s, Region *r, const EnclosingLoop *loop)
{
    LaneName *n = ARENA_NEW(d->cx->arena, LaneName);
    *n = (LaneName){.stmt = s, .declared = r, .loop = loop};
    map_put(&d->names, MAP_KEY(s->attr.sym), n);
    return n;
}

static void assign(Divergence *d, Node *s, Region *r, bool same_value)
{
    Use u = {d, r};
    LaneName *n = map_get(&d->names, MAP_KEY(s->attr.sym));
    bool one = s->kind == LOOP_STORE && shape_is_uniform(divergence_of(d, s->op[0]));
    if (n) n->parts_differ |= !one || r != n->declared;
    use(s->attr.sym, &u);
    vec_push(d->cx->arena, &d->assigned, ((Assignment){s->attr.sym, r, same_value}));
}

// --- statements ---------------------------------------------------------------------------------

static void visit(Divergence *d, Node *s, Region *r, const EnclosingLoop *loop);

static void visit_decl(Divergence *d, Node *s, Region *r, const EnclosingLoop *loop)
{
    LaneName *n = declare(d, s, r, loop);
    if (loops_is_nothing(s->op[1])) return;
    read(d, s->op[1], r);
    n->shape = divergence_of(d, s->op[1]);
    bool changes = map_get(&d->changed, MAP_KEY(s->attr.sym)) != NULL;
    if (n->shape.varies || (changes && n->shape.step)) mark(d, &d->varying, s->attr.sym);
}

static void visit_store(Divergence *d, Node *s, Region *r)
{
    bool one = shape_is_uniform(divergence_of(d, s->op[0]));
    read(d, s->op[0], r);
    read(d, s->op[1], r);
    if (divergence_array(d, s->attr.sym))
        assign(d, s, r, one && shape_is_uniform(divergence_of(d, s->op[1])));
}

static void visit_branch(Divergence *d, Node *s, Region *r, const EnclosingLoop *loop)
{
    bool together = shape_is_uniform(divergence_of(d, s->op[0]));
    read(d, s->op[0], r);
    for (int side = 1; side <= 2; side++)
        visit(d, s->op[side], together ? r : begin(d, r, loop), loop);
}

static void visit_label(Divergence *d, Node *s, Region *r, const EnclosingLoop *loop)
{
    LaneLabel here = {.outer = d->label, .stmt = s, .around = r};
    if (map_get(&d->divergent, MAP_KEY(s->attr.sym))) here.own = begin(d, r, loop);
    d->label = &here;
    visit(d, s->op[0], here.own ? here.own : r, loop);
    d->label = here.outer;
}

static void visit_call(Divergence *d, Node *s, Region *r)
{
    const LoopEntry *f = lane_callee(d, s);
    bool shared = lane_call_is_uniform(d, s);
    for (uint32_t i = 0; i < s->nops; i++) {
        Node *arg = s->op[i];
        bool memory = arg->kind == LOOP_ADDRESS, gives = memory && f && f->params.at[i].output;
        read(d, gives ? arg->op[0] : arg, r);
        if (memory && (!f || lane_call_writes(f, (int)i))) assign(d, arg, r, shared);
    }
}

static bool is_loop(Node *s)
{
    return loops_is(s, IS_LOOP);
}

// Visits a jump. If it is divergent, lanes leave the target, and all loops inside it, at different
// times.
static void visit_jump(Divergence *d, Node *s, Region *r)
{
    const LaneLabel *target = label_around(d->label, s->attr.sym);
    CHECK(d->cx, target, "a jump out of lanes");
    if (jump_is_uniform(target, r)) return;
    for (const LaneLabel *l = d->label; l != target; l = l->outer)
        if (is_loop(l->stmt->op[0])) mark(d, &d->divergent, l->stmt->attr.sym);
    mark(d, &d->divergent, s->attr.sym);
    for (Region *q = r->outer; target->own && q != target->around; q = q->outer)
        q->loses_lanes = true;
}

static void visit_loop(Divergence *d, Node *s, Region *r, const EnclosingLoop *loop)
{
    EnclosingLoop *inner = ARENA_NEW(d->cx->arena, EnclosingLoop);
    *inner = (EnclosingLoop){loop};
    for (uint32_t i = 0; i + 1 < s->nops; i++) {
        read(d, s->op[i], r);
        if (!shape_is_uniform(divergence_of(d, s->op[i])))
            mark(d, &d->divergent_loops, s->attr.sym);
    }
    if (loops_is_counted(s)) declare(d, s, r, inner);
    visit(d, loops_body(s), r, inner);
}

static void visit(Divergence *d, Node *s, Region *r, const EnclosingLoop *loop)
{
    switch ((Kind)s->kind) {
    case LOOP_DECL: visit_decl(d, s, r, loop); return;
    case LOOP_ALLOC: declare(d, s, r, loop); return;
    case LOOP_SET:
        read(d, s->op[0], r);
        assign(d, s, r, shape_is_uniform(divergence_of(d, s->op[0])));
        return;
    case LOOP_STORE: visit_store(d, s, r); return;
    case LOOP_CALL: visit_call(d, s, r); return;
    case LOOP_IF: visit_branch(d, s, r, loop); return;
    case LOOP_LABEL: visit_label(d, s, r, loop); return;
    case LOOP_JUMP: visit_jump(d, s, r); return;
    case LOOP_FOR:
    case LOOP_STRIDED:
    case LOOP_VECTORIZE:
    case LOOP_PARALLEL:
    case LOOP_FOREVER: visit_loop(d, s, r, loop); return;
    default:
        for (uint32_t i = 0; i < s->nops; i++) {
            if (loops_is_stmt(s->op[i]))
                visit(d, s->op[i], r, loop);
            else
                read(d, s->op[i], r);
        }
    }
}

// Marks assigned names as varying. A name stays uniform only if each value assigned to it is
// uniform and only lanes of the region of the assignment read it.
static void visit_assigned(Divergence *d)
{
    for (int i = 0; i < d->assigned.len; i++) {
        const Assignment *a = &d->assigned.at[i];
        bool known = map_get(&d->names, MAP_KEY(a->name)) != NULL;
        if (!a->same || !known || a->region != divergence_home(d, a->name))
            mark(d, &d->varying, a->name);
    }
}

void divergence_analyse(Divergence *d, Node *body)
{
    Arena *a = d->cx->arena;
    d->varying = map_new(a);
    d->divergent = map_new(a);
    d->divergent_loops = map_new(a);
    d->changed = map_new(a);
    loops_changed(body, &d->changed);
    do {
        d->grown = false;
        d->names = map_new(a);
        d->shapes = map_new(a);
        d->regions.len = d->assigned.len = 0;
        visit(d, body, begin(d, NULL, NULL), NULL);
        visit_assigned(d);
    } while (d->grown);
}
