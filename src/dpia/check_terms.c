// The checker of DPIA, terms: types, names, expressions and acceptors.
#include "dpia/check.h"

// --- types -------------------------------------------------------------------------------------

bool check_same_type(Checker *c, Node *a, Node *b)
{
    if (a == b) return true;
    if (kind_info[a->kind].levels & kind_info[b->kind].levels & LEVEL_NAT)
        return nat_eq(c->cx, c->facts, a, b) == TRUTH_YES;
    if (a->kind != b->kind || a->nops != b->nops || a->attr.i != b->attr.i) return false;
    for (uint32_t i = 0; i < a->nops; i++)
        if (!check_same_type(c, a->op[i], b->op[i])) return false;
    return true;
}

static void check_rule(Checker *c, Node *e)
{
    if (map_get(&c->typed, MAP_KEY(e))) return;
    map_put(&c->typed, MAP_KEY(e), c);
    NodeSpec s = {.kind = (Kind)e->kind,
                  .variant = (Variant)e->variant,
                  .attr = e->attr,
                  .type = e->type,
                  .nops = (int)e->nops,
                  .ops = e->op};
    const char *why = "not of this level";
    bool here = kind_info[e->kind].levels & LEVEL_DPIA;
    Node *type = here ? dpia_type_rule(c->cx, &s, &why) : NULL;
    if (!type || !e->type) check_fault(c, e, why);
    if (!check_same_type(c, type, e->type))
        check_fault(c, e,
                    arena_printf(c->cx->arena, "has type %s, should have %s",
                                 type_show(c->cx, e->type), type_show(c->cx, type)));
}

// --- scalars of memory -------------------------------------------------------------------------

static int scalars_of(Node *type)
{
    if (type_is_value(type)) return 1;
    if (type->kind == TYPE_ARRAY) return scalars_of(type->op[1]);
    int n = 0;
    for (uint32_t i = 0; i < type->nops; i++) n += scalars_of(type->op[i]);
    return n;
}

// New memory: nothing is assigned, but what has no elements need not be.
static void add_scalars(Checker *c, Node *type, bool empty)
{
    int64_t n;
    if (type->kind == TYPE_ARRAY) {
        add_scalars(c, type->op[1], empty || (nat_is_const(type->op[0], &n) && n == 0));
    } else if (type_is_value(type)) {
        vec_push(c->cx->arena, &c->assigned, empty);
    } else {
        for (uint32_t i = 0; i < type->nops; i++) add_scalars(c, type->op[i], empty);
    }
}

bool check_is_assigned(Checker *c, const Name *name)
{
    for (int i = 0; i < name->n; i++)
        if (!c->assigned.at[name->first + i]) return false;
    return true;
}

// --- names -------------------------------------------------------------------------------------

Name *check_find(Checker *c, Sym name)
{
    return map_get(&c->names, MAP_KEY(name));
}

Name *check_bind(Checker *c, Sym sym, Use use, Node *type, uint64_t loops)
{
    if (check_find(c, sym))
        check_fault(c, NULL, arena_printf(c->cx->arena, "%s is bound twice", sym->text));
    Name *name = ARENA_NEW(c->cx->arena, Name);
    *name = (Name){
        .use = use, .type = type, .loops = loops, .first = c->assigned.len, .depth = c->depth};
    if (use == NAME_OF_MEMORY) {
        name->n = scalars_of(type);
        add_scalars(c, type, false);
    }
    map_put(&c->names, MAP_KEY(sym), name);
    return name;
}

void check_unbind(Checker *c, Sym sym)
{
    map_put(&c->names, MAP_KEY(sym), NULL);
}

// The loops that a size depends on; its names are integers in scope.
uint64_t check_size(Checker *c, Node *size)
{
    uint64_t loops = 0;
    if (size->kind == NAT_VAR) {
        const Name *name = check_find(c, size->attr.sym);
        bool integer = name && (name->use == NAME_OF_SIZE ||
                                (name->use == NAME_OF_VALUE && type_is_atom(name->type)));
        if (!integer)
            check_fault(c, core_size(c->cx, size), "a size of what is no integer in scope");
        return name->loops;
    }
    if (!(kind_info[size->kind].levels & LEVEL_NAT) || size->kind == NAT_META)
        check_fault(c, size, "not a size");
    for (uint32_t i = 0; i < size->nops; i++) loops |= check_size(c, size->op[i]);
    return loops;
}

// --- ways ---------------------------------------------------------------------------------------

// The components of the way to a scalar; indices are left out, as they do not say which scalar of
// the type it is.
typedef const struct Way Way;
struct Way {
    int component; // -1: an index
    Way *rest;
};

static int scalar_at(Node *type, Way *way)
{
    int k = 0;
    for (; way; way = way->rest) {
        if (way->component < 0) {
            type = type->op[1];
            continue;
        }
        for (int i = 0; i < way->component; i++) k += scalars_of(type->op[i]);
        type = type->op[way->component];
    }
    return k;
}

// The type of what is there.
static Node *type_at(Node *type, Way *way)
{
    for (; way; way = way->rest) type = type->op[way->component < 0 ? 1 : way->component];
    return type;
}

// --- expressions --------------------------------------------------------------------------------

// Of memory those scalars are read that the way leads to.
static uint64_t check_variable(Checker *c, Node *e, Way *way)
{
    const Name *name = check_find(c, e->attr.sym);
    if (!name || name->use == NAME_OF_SIZE) check_fault(c, e, "not in scope");
    if (!check_same_type(c, name->type, e->type))
        check_fault(c, e, "not of the type it was bound with");
    if (name->use != NAME_OF_MEMORY) return name->loops;
    int first = name->first + scalar_at(name->type, way), n = scalars_of(type_at(name->type, way));
    for (int i = 0; i < n; i++)
        if (!c->assigned.at[first + i]) check_fault(c, e, "mentioned before it is written");
    return name->loops;
}

static uint64_t check_read(Checker *c, Node *e, Way *way);

// All operands: those that are arrays are read the same way, sizes and scalars as a whole.
static uint64_t check_operands(Checker *c, Node *e, Way *way)
{
    uint64_t loops = 0;
    for (uint32_t i = 0; i < e->nops; i++) {
        bool size = kind_sort((Kind)e->kind, (int)i) == SORT_SIZE;
        bool array = !size && e->op[i]->type->kind == TYPE_ARRAY;
        loops |= size ? check_size(c, e->op[i]) : check_read(c, e->op[i], array ? way : NULL);
    }
    return loops;
}

// The operands of a tuple or zip, of which the way may lead into one only.
static uint64_t check_component(Checker *c, Node *e, int k, Way *way)
{
    uint64_t loops = 0;
    for (int i = 0; i < (int)e->nops; i++)
        if (k < 0 || i == k) loops |= check_read(c, e->op[i], k < 0 ? NULL : way);
    return loops;
}

// Way by way as the column get of views.h.
static uint64_t check_read(Checker *c, Node *e, Way *way)
{
    Way index = {-1, way}, component = {(int)e->attr.i, way};
    Way *rest = way ? way->rest : NULL;
    if (e->kind >= ACC_VAR && e->kind <= COM_CALL) check_fault(c, e, "not an expression");
    check_rule(c, e);
    switch ((Kind)e->kind) {
    case PH_VAR: return check_variable(c, e, way);
    case PH_SELECT:
        return check_read(c, e->op[0], NULL) | check_read(c, e->op[1], way) |
               check_read(c, e->op[2], way);
    case CORE_INDEX: return check_read(c, e->op[0], &index) | check_read(c, e->op[1], NULL);
    case CORE_PROJ: return check_read(c, e->op[0], &component);
    case CORE_TUPLE: return check_component(c, e, way ? way->component : -1, rest);
    case CORE_ARRAY: return check_operands(c, e, rest);
    case VIEW_ZIP: {
        Way inner = {-1, rest ? rest->rest : NULL};
        return check_component(c, e, rest ? rest->component : -1, &inner);
    }
    case VIEW_UNZIP: {
        Way inner = {way ? way->component : -1, rest ? rest->rest : NULL};
        return check_read(c, e->op[0], way ? &(Way){-1, &inner} : NULL);
    }
    case VIEW_SPLIT:
    case VIEW_SLIDE: return check_operands(c, e, rest);
    case VIEW_REPEAT: return check_size(c, e->op[0]) | check_read(c, e->op[1], rest);
    case VIEW_JOIN: return check_read(c, e->op[0], &index);
    case VIEW_GATHER: return check_read(c, e->op[0], NULL) | check_read(c, e->op[1], way);
    default: return check_operands(c, e, way);
    }
}

// The loops that the value of an expression depends on, other than through memory.
uint64_t check_expression(Checker *c, Node *e)
{
    return check_read(c, e, NULL);
}

// --- acceptors ----------------------------------------------------------------------------------

static Target check_way(Checker *c, Node *a, Way *way);

static Target check_memory(Checker *c, Node *a, Way *way)
{
    const Name *name = check_find(c, a->attr.sym);
    if (!name || name->use != NAME_OF_MEMORY)
        check_fault(c, a, "written, but is no memory in scope");
    if (!check_same_type(c, name->type, a->type))
        check_fault(c, a, "not of the type it was made with");
    return (Target){.memory = name, .scalar = name->first + scalar_at(name->type, way)};
}

// The way in the operand, from the way in the acceptor (see ir/dpia.def).
static Target check_operand(Checker *c, Node *a, Way *way)
{
    Node *d = a->nops == 0 ? NULL : a->kind == ACC_AT ? a->op[0] : a->op[a->nops - 1];
    Way index = {-1, way}, component = {(int)a->attr.i, way};
    switch ((Kind)a->kind) {
    case ACC_AT: return check_way(c, d, &index);
    case ACC_PROJ: return check_way(c, d, &component);
    case ACC_ZIP: {
        Way inner = {(int)a->attr.i, way->rest};
        return check_way(c, d, &(Way){-1, &inner});
    }
    case ACC_UNZIP: {
        Way inner = {-1, way->rest->rest};
        return check_way(c, d, &(Way){way->rest->component, &inner});
    }
    case ACC_TUPLE: return check_way(c, a->op[way->component], way->rest);
    case ACC_NONE: return (Target){0};
    case ACC_ELEMENT: return check_way(c, d, way->rest);
    case ACC_MAP: {
        check_bind(c, a->attr.sym, NAME_OF_VALUE, type_idx(c->cx, a->op[0]), 0);
        Target t = check_way(c, d, way->rest);
        check_unbind(c, a->attr.sym);
        return t;
    }
    case ACC_SPLIT: return check_way(c, d, &index);
    case ACC_JOIN: return check_way(c, d, way->rest);
    default: return check_way(c, d, way);
    }
}

static Target check_way(Checker *c, Node *a, Way *way)
{
    if (a->kind < ACC_VAR || a->kind > ACC_SCATTER) check_fault(c, a, "not an acceptor");
    check_rule(c, a);
    if (a->kind == ACC_VAR) return check_memory(c, a, way);
    bool whole =
        a->kind == ACC_AT || a->kind == ACC_PROJ || a->kind == ACC_PART || a->kind == ACC_NONE;
    bool two = a->kind == ACC_UNZIP || a->kind == ACC_JOIN || a->kind == ACC_TRANSPOSE;
    if (!whole && (!way || (two && !way->rest))) check_fault(c, a, "not written to its elements");
    Target t = check_operand(c, a, way);
    for (uint32_t i = 0; i < a->nops; i++) {
        Sort sort = kind_sort((Kind)a->kind, (int)i);
        if (sort == SORT_SIZE) t.loops |= check_size(c, a->op[i]);
        if (sort == SORT_TERM) t.loops |= check_expression(c, a->op[i]);
    }
    return t;
}

Target check_acceptor(Checker *c, Node *a)
{
    Target t = check_way(c, a, NULL);
    t.n = scalars_of(a->type);
    return t;
}

void check_destination(Checker *c, Node *a)
{
    enum { MAX_STEPS = 32 };
    struct Way steps[MAX_STEPS];
    int n = 0;
    Node *type = a->type;
    while (!type_is_value(type) && n < MAX_STEPS) {
        bool array = type->kind == TYPE_ARRAY;
        if (!array && type->nops == 0) break;
        steps[n++] = (struct Way){.component = array ? -1 : 0};
        type = type->op[array ? 1 : 0];
    }
    for (int i = 0; i + 1 < n; i++) steps[i].rest = &steps[i + 1];
    check_way(c, a, n ? steps : NULL);
}
