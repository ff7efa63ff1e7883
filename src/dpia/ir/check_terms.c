// Checks DPIA terms: types, names, expressions and acceptors.
#include "dpia/ir/check.h"
#include "views/views.h"

// --- types -------------------------------------------------------------------------------------

bool check_same_type(Checker *c, Node *a, Node *b)
{
    if (a == b) return true;
    if (kind_info[a->kind].levels & kind_info[b->kind].levels & LEVEL_NAT)
        return size_agree(c->cx, c->facts, a, b);
    if (a->kind != b->kind || a->nops != b->nops || a->attr.i != b->attr.i) return false;
    for (uint32_t i = 0; i < a->nops; i++)
        if (!check_same_type(c, a->op[i], b->op[i])) return false;
    return true;
}

static void check_rule(Checker *c, Node *e)
{
    if (map_get(&c->typed, MAP_KEY(e))) return;
    map_put(&c->typed, MAP_KEY(e), c);
    NodeSpec s = node_spec(e);
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

// Adds the scalars of new memory. They start out unassigned, except that those of empty arrays
// count as assigned.
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

// Checks that every name in the size is an integer in scope. Returns the loops that the size
// depends on.
uint64_t check_size(Checker *c, Node *size)
{
    uint64_t loops = 0;
    if (size->kind == NAT_VAR) {
        const Name *name = check_find(c, size->attr.sym);
        bool integer = name && (name->use == NAME_OF_SIZE ||
                                (name->use == NAME_OF_VALUE && type_is_atom(name->type)));
        if (!integer)
            check_fault(c, core_size(c->cx, size),
                        "a size of something that is not an integer in scope");
        return name->loops;
    }
    if (!(kind_info[size->kind].levels & LEVEL_NAT) || size->kind == NAT_META)
        check_fault(c, size, "not a size");
    for (uint32_t i = 0; i < size->nops; i++) loops |= check_size(c, size->op[i]);
    return loops;
}

// --- paths --------------------------------------------------------------------------------------

// Returns which scalar of the type the path leads to, counting from 0. Array indices in the path do
// not matter.
static int scalar_at(Node *type, Path *path)
{
    int k = 0;
    for (; path; path = path->rest) {
        if (!path->step.is_component) {
            type = type->op[1];
            continue;
        }
        for (int i = 0; i < path->step.component; i++) k += scalars_of(type->op[i]);
        type = type->op[path->step.component];
    }
    return k;
}

// The type found at a path.
static Node *type_at(Node *type, Path *path)
{
    for (; path; path = path->rest)
        type = type->op[path->step.is_component ? path->step.component : 1];
    return type;
}

static bool any_size(void *env, Node *size, int64_t *n)
{
    (void)env, (void)size;
    *n = 1;
    return true;
}

// --- expressions --------------------------------------------------------------------------------

// Checks a variable. If it is memory, the scalars at the path must be assigned.
static uint64_t check_variable(Checker *c, Node *e, Path *path)
{
    const Name *name = check_find(c, e->attr.sym);
    if (!name || name->use == NAME_OF_SIZE) check_fault(c, e, "not in scope");
    if (!check_same_type(c, name->type, e->type))
        check_fault(c, e, "not of the type it was bound with");
    if (name->use != NAME_OF_MEMORY) return name->loops;
    int first = name->first + scalar_at(name->type, path),
        n = scalars_of(type_at(name->type, path));
    for (int i = 0; i < n; i++)
        if (!c->assigned.at[first + i]) check_fault(c, e, "mentioned before it is written");
    return name->loops;
}

static uint64_t check_read(Checker *c, Node *e, Path *path);

// Checks all operands: arrays at the path, sizes and scalars as a whole.
static uint64_t check_operands(Checker *c, Node *e, Path *path)
{
    uint64_t loops = 0;
    for (uint32_t i = 0; i < e->nops; i++) {
        bool size = kind_sort((Kind)e->kind, (int)i) == SORT_SIZE;
        bool array = !size && e->op[i]->type->kind == TYPE_ARRAY;
        loops |= size ? check_size(c, e->op[i]) : check_read(c, e->op[i], array ? path : NULL);
    }
    return loops;
}

// Checks the tuple operand that the path selects, or all operands if there is no path.
static uint64_t check_components(Checker *c, Node *e, Path *path)
{
    uint64_t loops = 0;
    for (int i = 0; i < (int)e->nops; i++)
        if (!path || i == path->step.component)
            loops |= check_read(c, e->op[i], path ? path->rest : NULL);
    return loops;
}

// Checks a view at a path: data operands only at the path that view_get returns, and all other
// operands as a whole. If the path is too short for view_get, checks every operand as a whole.
static uint64_t check_view(Checker *c, Node *e, Path *path)
{
    ViewNumbers n = {.size = any_size};
    ViewContext v = {.cx = c->cx, .numbers = &n};
    ViewStep s = view_get(&v, e, path);
    uint64_t loops = 0;
    for (int i = 0; i < (int)e->nops; i++) {
        ViewRole role = view_role(e, i);
        if (role == ROLE_SIZE)
            loops |= check_size(c, e->op[i]);
        else if (s.kind == STEP_SHORT || (role != ROLE_DATA && role != ROLE_VALUE))
            loops |= check_read(c, e->op[i], NULL);
        else if (i == s.inside.operand)
            loops |= check_read(c, e->op[i], s.inside.path);
        else if (s.kind == STEP_WINDOW && i == s.outside.operand)
            loops |= check_read(c, e->op[i], s.outside.path);
    }
    return loops;
}

static uint64_t check_read(Checker *c, Node *e, Path *path)
{
    struct Path index = {.rest = path};
    struct Path component = {.step = {.is_component = true, .component = (int)e->attr.i},
                             .rest = path};
    if (e->kind >= ACC_VAR && e->kind <= COM_CALL) check_fault(c, e, "not an expression");
    check_rule(c, e);
    if (kind_is_view((Kind)e->kind)) return check_view(c, e, path);
    switch ((Kind)e->kind) {
    case PH_VAR: return check_variable(c, e, path);
    case PH_HOLE: return 0;
    case PH_SELECT:
        return check_read(c, e->op[0], NULL) | check_read(c, e->op[1], path) |
               check_read(c, e->op[2], path);
    case CORE_INDEX: return check_read(c, e->op[0], &index) | check_read(c, e->op[1], NULL);
    case CORE_PROJ: return check_read(c, e->op[0], &component);
    case CORE_TUPLE: return check_components(c, e, path);
    case CORE_ARRAY: return check_operands(c, e, path ? path->rest : NULL);
    default: return check_operands(c, e, path);
    }
}

uint64_t check_expression(Checker *c, Node *e)
{
    return check_read(c, e, NULL);
}

// --- acceptors ----------------------------------------------------------------------------------

static Target check_path(Checker *c, Node *a, Path *path);

static Target check_memory(Checker *c, Node *a, Path *path)
{
    const Name *name = check_find(c, a->attr.sym);
    if (!name || name->use != NAME_OF_MEMORY)
        check_fault(c, a, "written, but is not memory in scope");
    if (!check_same_type(c, name->type, a->type))
        check_fault(c, a, "not of the type it was made with");
    return (Target){.memory = name, .scalar = name->first + scalar_at(name->type, path)};
}

// Returns the target of a write to the element of `a` at `path`. view_put says which operand of `a`
// is written, and where.
static Target check_inner(Checker *c, Node *a, Path *path)
{
    ViewNumbers n = {.size = any_size};
    ViewContext v = {.cx = c->cx, .numbers = &n};
    ViewStep s = view_put(&v, a, path);
    if (a->kind == ACC_PART && !path) s = (ViewStep){.kind = STEP_PLACE, .inside = {2, NULL}};
    if (s.kind == STEP_SHORT || s.kind == STEP_NONE)
        check_fault(c, a, "not written to its elements");
    if (s.inside.operand < 0) return (Target){0};
    if (s.bound) check_bind(c, s.bound, NAME_OF_VALUE, type_idx(c->cx, a->op[0]), 0);
    Target t = check_path(c, a->op[s.inside.operand], s.inside.path);
    if (s.bound) check_unbind(c, s.bound);
    return t;
}

static Target check_path(Checker *c, Node *a, Path *path)
{
    if (a->kind < ACC_VAR || a->kind > ACC_MAP) check_fault(c, a, "not an acceptor");
    check_rule(c, a);
    if (a->kind == ACC_VAR) return check_memory(c, a, path);
    if (a->kind == ACC_PUT && !check_same_type(c, a->op[0]->type, a->op[1]->type))
        check_fault(c, a, "the destination is not of the view's type");
    Target t = check_inner(c, a, path);
    for (uint32_t i = 0; i < a->nops; i++) {
        Sort sort = kind_sort((Kind)a->kind, (int)i);
        if (sort == SORT_SIZE) t.loops |= check_size(c, a->op[i]);
        if (sort == SORT_TERM) t.loops |= check_expression(c, a->op[i]);
    }
    return t;
}

Target check_acceptor(Checker *c, Node *a)
{
    struct Path lane = {0};
    Target t = check_path(c, a, a->type->kind == TYPE_VEC ? &lane : NULL);
    t.n = scalars_of(a->type);
    return t;
}

void check_destination(Checker *c, Node *a)
{
    enum { MAX_STEPS = 32 };
    struct Path steps[MAX_STEPS];
    int n = 0;
    Node *type = a->type;
    while (!type_is_value(type) && n < MAX_STEPS) {
        bool array = type->kind == TYPE_ARRAY;
        if (!array && type->nops == 0) break;
        steps[n++] = (struct Path){.step.is_component = !array};
        type = type->op[array ? 1 : 0];
    }
    if (type->kind == TYPE_VEC && n < MAX_STEPS) steps[n++] = (struct Path){0};
    for (int i = 0; i + 1 < n; i++) steps[i].rest = &steps[i + 1];
    check_path(c, a, n ? steps : NULL);
}
