// The checker of DPIA (dpia.h says what holds). Breaks are faults of the compiler.
#include "dpia/dpia.h"

typedef enum { NAME_OF_SIZE, NAME_OF_VALUE, NAME_OF_MEMORY } Use;

typedef struct {
    Use use;
    Node *type;
    uint64_t loops; // what the value depends on: bit k for the k-th enclosing loop
    int first, n;   // memory: its scalars in `assigned`
} Name;

typedef VEC(bool) Flags;

typedef struct {
    Session *cx;
    const Phrase *p;
    Facts *facts;
    Map names;      // Sym -> Name, NULL when out of scope
    Map typed;      // nodes with the type of their rule
    Flags assigned; // scalars of memory
    const Name *out;
    int depth;         // of loops
    uint64_t distinct; // loops that check at run time that each iteration has a place of its own
} Checker;

// Of the loops around a command the outermost 64 are told apart; each has a bit.
enum { MAX_LOOPS = 64 };

static uint64_t bit_of_loop(int depth)
{
    return depth < MAX_LOOPS ? UINT64_C(1) << depth : 0;
}

static _Noreturn void fault(Checker *c, Node *e, const char *why)
{
    const char *text = e ? term_show(c->cx, e, NULL, 0) : "";
    session_ice(c->cx, __FILE__, __LINE__, "%s: %s: %.400s", c->p->name->text, why, text);
}

// --- types -------------------------------------------------------------------------------------

static bool same_type(Checker *c, Node *a, Node *b)
{
    if (a == b) return true;
    if (kind_info[a->kind].levels & kind_info[b->kind].levels & LEVEL_NAT)
        return nat_eq(c->cx, c->facts, a, b) == TRUTH_YES;
    if (a->kind != b->kind || a->nops != b->nops || a->attr.i != b->attr.i) return false;
    for (uint32_t i = 0; i < a->nops; i++)
        if (!same_type(c, a->op[i], b->op[i])) return false;
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
    if (!type || !e->type) fault(c, e, why);
    if (!same_type(c, type, e->type))
        fault(c, e,
              arena_printf(c->cx->arena, "has type %s, should have %s", type_show(c->cx, e->type),
                           type_show(c->cx, type)));
}

// --- scalars of memory -------------------------------------------------------------------------

static int scalars_of(Node *type)
{
    if (type_is_atom(type)) return 1;
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
    } else if (type_is_atom(type)) {
        vec_push(c->cx->arena, &c->assigned, empty);
    } else {
        for (uint32_t i = 0; i < type->nops; i++) add_scalars(c, type->op[i], empty);
    }
}

static Flags copy_flags(Checker *c, const Flags *flags)
{
    Flags copy = {0};
    for (int i = 0; i < flags->len; i++) vec_push(c->cx->arena, &copy, flags->at[i]);
    return copy;
}

static bool is_assigned(Checker *c, const Name *name)
{
    for (int i = 0; i < name->n; i++)
        if (!c->assigned.at[name->first + i]) return false;
    return true;
}

// --- names -------------------------------------------------------------------------------------

static Name *find(Checker *c, Sym name)
{
    return map_get(&c->names, MAP_KEY(name));
}

static Name *bind(Checker *c, Sym sym, Use use, Node *type, uint64_t loops)
{
    if (find(c, sym)) fault(c, NULL, arena_printf(c->cx->arena, "%s is bound twice", sym->text));
    Name *name = ARENA_NEW(c->cx->arena, Name);
    *name = (Name){.use = use, .type = type, .loops = loops, .first = c->assigned.len};
    if (use == NAME_OF_MEMORY) {
        name->n = scalars_of(type);
        add_scalars(c, type, false);
    }
    map_put(&c->names, MAP_KEY(sym), name);
    return name;
}

static void unbind(Checker *c, Sym sym)
{
    map_put(&c->names, MAP_KEY(sym), NULL);
}

// The loops that a size depends on; its names are integers in scope.
static uint64_t check_size(Checker *c, Node *size)
{
    uint64_t loops = 0;
    if (size->kind == NAT_VAR) {
        const Name *name = find(c, size->attr.sym);
        bool integer = name && (name->use == NAME_OF_SIZE ||
                                (name->use == NAME_OF_VALUE && type_is_atom(name->type)));
        if (!integer) fault(c, core_size(c->cx, size), "a size of what is no integer in scope");
        return name->loops;
    }
    if (!(kind_info[size->kind].levels & LEVEL_NAT) || size->kind == NAT_META)
        fault(c, size, "not a size");
    for (uint32_t i = 0; i < size->nops; i++) loops |= check_size(c, size->op[i]);
    return loops;
}

// --- expressions and acceptors -----------------------------------------------------------------

static uint64_t check_variable(Checker *c, Node *e)
{
    const Name *name = find(c, e->attr.sym);
    if (!name || name->use == NAME_OF_SIZE) fault(c, e, "not in scope");
    if (!same_type(c, name->type, e->type)) fault(c, e, "not of the type it was bound with");
    if (name->use == NAME_OF_MEMORY && !is_assigned(c, name))
        fault(c, e, "mentioned before it is written");
    return name->loops;
}

// The loops that the value of an expression depends on, other than through memory.
static uint64_t check_expression(Checker *c, Node *e)
{
    uint64_t loops = 0;
    if (e->kind >= ACC_VAR && e->kind <= COM_CHECK_SIZE) fault(c, e, "not an expression");
    check_rule(c, e);
    if (e->kind == PH_VAR) return check_variable(c, e);
    for (uint32_t i = 0; i < e->nops; i++)
        loops |= kind_sort((Kind)e->kind, (int)i) == SORT_SIZE ? check_size(c, e->op[i])
                                                               : check_expression(c, e->op[i]);
    return loops;
}

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

typedef struct {
    const Name *memory;
    int scalar;
    uint64_t loops; // that the place depends on
} Target;

static Target check_acceptor(Checker *c, Node *a, Way *way);

static Target check_memory(Checker *c, Node *a, Way *way)
{
    const Name *name = find(c, a->attr.sym);
    if (!name || name->use != NAME_OF_MEMORY) fault(c, a, "written, but is no memory in scope");
    if (!same_type(c, name->type, a->type)) fault(c, a, "not of the type it was made with");
    return (Target){name, name->first + scalar_at(name->type, way), 0};
}

// The way in the operand, from the way in the acceptor (see ir/dpia.def).
static Target check_operand(Checker *c, Node *a, Way *way)
{
    Node *d = a->kind == ACC_AT ? a->op[0] : a->op[a->nops - 1];
    Way index = {-1, way}, component = {(int)a->attr.i, way};
    switch ((Kind)a->kind) {
    case ACC_AT: return check_acceptor(c, d, &index);
    case ACC_PROJ: return check_acceptor(c, d, &component);
    case ACC_ZIP: {
        Way inner = {(int)a->attr.i, way->rest};
        return check_acceptor(c, d, &(Way){-1, &inner});
    }
    case ACC_UNZIP: {
        Way inner = {-1, way->rest->rest};
        return check_acceptor(c, d, &(Way){way->rest->component, &inner});
    }
    case ACC_SPLIT: return check_acceptor(c, d, &index);
    case ACC_JOIN: return check_acceptor(c, d, way->rest);
    default: return check_acceptor(c, d, way);
    }
}

static Target check_acceptor(Checker *c, Node *a, Way *way)
{
    if (a->kind < ACC_VAR || a->kind > ACC_SCATTER) fault(c, a, "not an acceptor");
    check_rule(c, a);
    if (a->kind == ACC_VAR) return check_memory(c, a, way);
    bool two = a->kind == ACC_UNZIP || a->kind == ACC_JOIN || a->kind == ACC_TRANSPOSE;
    if (a->kind != ACC_AT && a->kind != ACC_PROJ && (!way || (two && !way->rest)))
        fault(c, a, "not written to its elements");
    Target t = check_operand(c, a, way);
    for (uint32_t i = 0; i < a->nops; i++) {
        Sort sort = kind_sort((Kind)a->kind, (int)i);
        if (sort == SORT_SIZE) t.loops |= check_size(c, a->op[i]);
        if (sort == SORT_TERM) t.loops |= check_expression(c, a->op[i]);
    }
    return t;
}

// --- commands ----------------------------------------------------------------------------------

static void check_command(Checker *c, Node *k);

static void check_assign(Checker *c, Node *k)
{
    check_expression(c, k->op[1]);
    Target t = check_acceptor(c, k->op[0], NULL);
    if (!type_is_atom(k->op[0]->type) || !same_type(c, k->op[0]->type, k->op[1]->type))
        fault(c, k, "an assignment of other than one scalar type");
    uint64_t all = c->depth >= MAX_LOOPS ? UINT64_MAX : (UINT64_C(1) << c->depth) - 1;
    if (t.memory == c->out && (t.loops | c->distinct) != all)
        fault(c, k, "every iteration writes the same element of the result");
    c->assigned.at[t.scalar] = true;
}

static void check_condition(Checker *c, Node *k, Node *e)
{
    Scalar s;
    check_expression(c, e);
    if (!type_is_scalar(e->type, &s) || s != SCALAR_BOOL)
        fault(c, k, "a condition that is no bool");
}

// After `if` only that is certainly assigned what both branches assign.
static void check_if(Checker *c, Node *k)
{
    check_condition(c, k, k->op[0]);
    Flags before = copy_flags(c, &c->assigned);
    check_command(c, k->op[1]);
    Flags then = c->assigned;
    c->assigned = before;
    check_command(c, k->op[2]);
    for (int i = 0; i < before.len; i++) c->assigned.at[i] = c->assigned.at[i] && then.at[i];
}

static void check_for(Checker *c, Node *k)
{
    check_size(c, k->op[0]);
    bind(c, k->attr.sym, NAME_OF_VALUE, type_idx(c->cx, k->op[0]), bit_of_loop(c->depth));
    uint64_t outer = c->distinct;
    c->depth++;
    check_command(c, k->op[1]);
    c->depth--;
    c->distinct = outer;
    unbind(c, k->attr.sym);
}

static void check_new(Checker *c, Node *k)
{
    if (!type_is_data(k->op[0]) || (k->variant != VARIANT_HEAP && k->variant != VARIANT_STACK))
        fault(c, k, "memory without a data type or a space");
    bind(c, k->attr.sym, NAME_OF_MEMORY, k->op[0], 0);
    check_command(c, k->op[1]);
    unbind(c, k->attr.sym);
}

// A local that is read from memory in a loop may be another value in each iteration.
static bool reads_memory(Checker *c, Node *e)
{
    if (e->kind == PH_VAR) {
        const Name *name = find(c, e->attr.sym);
        return name && (name->use == NAME_OF_MEMORY || !type_is_atom(name->type));
    }
    for (uint32_t i = 0; i < e->nops; i++)
        if (reads_memory(c, e->op[i])) return true;
    return false;
}

static void check_let(Checker *c, Node *k)
{
    uint64_t loops = check_expression(c, k->op[0]);
    if (!type_is_atom(k->op[0]->type)) fault(c, k, "a local that is no scalar");
    if (c->depth && reads_memory(c, k->op[0])) loops |= bit_of_loop(c->depth - 1);
    bind(c, k->attr.sym, NAME_OF_VALUE, k->op[0]->type, loops);
    check_command(c, k->op[1]);
    unbind(c, k->attr.sym);
}

static void check_command(Checker *c, Node *k)
{
    switch ((Kind)k->kind) {
    case COM_SKIP: return;
    case COM_SEQ:
        for (uint32_t i = 0; i < k->nops; i++) check_command(c, k->op[i]);
        return;
    case COM_ASSIGN: check_assign(c, k); return;
    case COM_FOR: check_for(c, k); return;
    case COM_NEW: check_new(c, k); return;
    case COM_LET: check_let(c, k); return;
    case COM_IF: check_if(c, k); return;
    case COM_CHECK:
        check_condition(c, k, k->op[0]);
        if (k->attr.i < E0601 || k->attr.i > E0607) fault(c, k, "not the code of a run-time error");
        if (k->attr.i == E0603 && c->depth) c->distinct |= bit_of_loop(c->depth - 1);
        return;
    case COM_CHECK_SIZE:
        if (k->attr.i < 0 || k->attr.i >= c->p->checks.len) fault(c, k, "not one of the checks");
        return;
    default: fault(c, k, "not a command");
    }
}

// --- the entry ---------------------------------------------------------------------------------

static void assume(Checker *c, const SizeChecks *checks)
{
    for (int i = 0; i < checks->len; i++) {
        Node *difference = nat_sub(c->cx, checks->at[i].right, checks->at[i].left);
        check_size(c, difference);
        switch (checks->at[i].relation) {
        case SIZE_EQ: facts_eq0(c->facts, difference); break;
        case SIZE_LE: facts_ge0(c->facts, difference); break;
        case SIZE_NE: break;
        }
    }
}

void dpia_check(Session *cx, const Phrase *p)
{
    Arena *arena = cx->arena; // a fault leaves by a jump, so nothing here may need to be freed
    Checker c = {.cx = cx,
                 .p = p,
                 .facts = facts_new(cx, arena, NULL),
                 .names = map_new(arena),
                 .typed = map_new(arena)};
    for (int i = 0; i < p->sizes.len; i++) bind(&c, p->sizes.at[i], NAME_OF_SIZE, NULL, 0);
    for (int i = 0; i < p->params.len; i++)
        bind(&c, p->params.at[i].name, NAME_OF_VALUE, p->params.at[i].type, 0);
    assume(&c, &p->checks);
    c.out = bind(&c, p->out.name, NAME_OF_MEMORY, p->out.type, 0);
    check_command(&c, p->body);
    if (!is_assigned(&c, c.out)) fault(&c, NULL, "a scalar of the result is not assigned");
}
