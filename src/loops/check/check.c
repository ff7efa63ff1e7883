// The Loop IR checker. loops_check in loops.h lists the invariants. A violation is an internal
// compiler error.
#include "loops/check/check_stores.h"
#include "loops/simplify/simplify.h"

typedef enum { NAME_OF_INTEGER, NAME_OF_LOCAL, NAME_OF_INPUT, NAME_OF_OUTPUT, NAME_OF_MEMORY } Use;

typedef struct {
    Use use; // INTEGER is a size or loop index, LOCAL a local or scalar input
    Node *type;
    int lockstep; // the number of enclosing loops whose iterations run in any order
    bool stored;
} Name;

typedef struct {
    Session *cx;
    const LoopEntry *e,
        *entry;   // the function being checked, and the entry, whose callees it may call
    Map names;    // Sym -> Name, or NULL when out of scope
    Map labels;   // Sym -> Name
    Map pointers; // set of names of pointers
    Map set;      // set of locals that change
    Map typed;    // set of nodes whose type was checked
    int lockstep;
    int parallel, repeated; // number of enclosing parallel loops, and of the loops around these
    int loops;              // number of enclosing loops inside the innermost parallel loop or task
    VEC(Sym) scope;
} Checker;

static _Noreturn void fault(Checker *c, Node *n, const char *why)
{
    const char *text = n ? term_show(c->cx, n, NULL, 0) : "";
    session_ice(c->cx, __FILE__, __LINE__, "%s: %s: %.400s", c->e->name->text, why, text);
}

static Name *name_of(Checker *c, Sym name)
{
    return map_get(&c->names, MAP_KEY(name));
}

static Name *bind(Checker *c, Sym sym, Use use, Node *type)
{
    if (name_of(c, sym)) fault(c, NULL, arena_printf(c->cx->arena, "%s is bound twice", sym->text));
    Name *name = ARENA_NEW(c->cx->arena, Name);
    *name = (Name){.use = use, .type = type, .lockstep = c->lockstep};
    map_put(&c->names, MAP_KEY(sym), name);
    vec_push(c->cx->arena, &c->scope, sym);
    return name;
}

static void leave(Checker *c, int scope)
{
    while (c->scope.len > scope) map_put(&c->names, MAP_KEY(c->scope.at[--c->scope.len]), NULL);
}

static bool is_i64(Node *type)
{
    Scalar s;
    return type_is_scalar(type, &s) && s == SCALAR_I64;
}

// --- expressions --------------------------------------------------------------------------------

// Checks a size. The names in it must be integers that never change, until copy_propagate has run.
static void check_size(Checker *c, Node *size)
{
    if (size->kind == NAT_VAR) {
        const Name *name = name_of(c, size->attr.sym);
        bool integer = name && (name->use == NAME_OF_INTEGER ||
                                (name->use == NAME_OF_LOCAL && is_i64(name->type)));
        if (!integer) fault(c, core_size(c->cx, size), "a size over no integer in scope");
        if (map_get(&c->set, MAP_KEY(size->attr.sym)) && !c->e->folded)
            fault(c, core_size(c->cx, size), "a size over a local that changes");
        return;
    }
    if (!(kind_info[size->kind].levels & LEVEL_NAT) || size->kind == NAT_META)
        fault(c, size, "not a size");
    for (uint32_t i = 0; i < size->nops; i++) check_size(c, size->op[i]);
}

// Whether the type is a scalar, or a vector type that C supports, with a power of two as its lane
// count.
static bool is_value_type(Node *type)
{
    int64_t lanes;
    if (type_is_vec(type, &lanes))
        return lanes >= 2 && lanes <= LOOPS_MAX_LANES && (lanes & (lanes - 1)) == 0 &&
               type_is_scalar(type_lane(type), NULL);
    return type_is_scalar(type, NULL);
}

static void check_rule(Checker *c, Node *n)
{
    if (map_get(&c->typed, MAP_KEY(n))) return;
    map_put(&c->typed, MAP_KEY(n), c);
    NodeSpec s = {.kind = (Kind)n->kind,
                  .variant = (Variant)n->variant,
                  .attr = n->attr,
                  .type = n->type,
                  .nops = (int)n->nops,
                  .ops = n->op};
    const char *why = "not an expression of this level";
    bool here =
        (kind_info[n->kind].levels & LEVEL_LOOP) && n->kind != CORE_TUPLE && n->kind != CORE_PROJ;
    Node *type = here ? loops_type_rule(c->cx, &s, &why) : NULL;
    if (!type || !n->type) fault(c, n, why);
    if (type != n->type || !is_value_type(type)) fault(c, n, "not of the scalar type of its rule");
}

static Name *check_buffer(Checker *c, Node *n)
{
    Name *name = name_of(c, n->attr.sym);
    if (!name || name->use == NAME_OF_INTEGER || name->use == NAME_OF_LOCAL)
        fault(c, n, "no buffer in scope");
    if (kind_sort((Kind)n->kind, 0) == SORT_SIZE) check_size(c, n->op[0]);
    return name;
}

static void check_local(Checker *c, Node *n)
{
    const Name *name = name_of(c, n->attr.sym);
    if (!name || (name->use != NAME_OF_LOCAL && name->use != NAME_OF_INTEGER))
        fault(c, n, "no local in scope");
    if (name->type != n->type) fault(c, n, "not of the type it was declared with");
}

// Checks the address of memory that may be written, and returns the memory.
static const Name *check_pointed(Checker *c, Node *s, Node *a)
{
    const Name *name = a->kind == LOOP_ADDRESS ? name_of(c, a->attr.sym) : NULL;
    if (!name || (name->use != NAME_OF_MEMORY && name->use != NAME_OF_OUTPUT))
        fault(c, s, "no memory in scope");
    check_size(c, a->op[0]);
    return name;
}

static void check_expr(Checker *c, Node *n)
{
    check_rule(c, n);
    if (n->kind == LOOP_VAR) {
        check_local(c, n);
    } else if (n->kind == LOOP_APART) {
        for (int i = 0; i < 2; i++) (void)check_pointed(c, n, n->op[i]);
    } else if (loops_is_load(n)) {
        if (check_buffer(c, n)->type != type_lane(n->type))
            fault(c, n, "not of the type of the buffer");
        for (uint32_t i = !loops_is_gather(n); i < n->nops; i++)
            if (kind_sort((Kind)n->kind, (int)i) == SORT_TERM) check_expr(c, n->op[i]);
    } else {
        for (uint32_t i = 0; i < n->nops; i++) {
            if (kind_sort((Kind)n->kind, (int)i) == SORT_SIZE)
                check_size(c, n->op[i]);
            else
                check_expr(c, n->op[i]);
        }
    }
}

static void check_value(Checker *c, Node *s, Node *value, Node *type)
{
    check_expr(c, value);
    if (value->type != type) fault(c, s, "a value of another type than its destination");
}

static void check_condition(Checker *c, Node *s, Node *condition)
{
    check_value(c, s, condition, type_scalar(c->cx, SCALAR_BOOL));
}

// --- statements ---------------------------------------------------------------------------------

static void check_stmt(Checker *c, Node *s);

static void check_block(Checker *c, Node *s)
{
    int outer = c->scope.len;
    for (uint32_t i = 0; i < s->nops; i++) check_stmt(c, s->op[i]);
    leave(c, outer);
}

// Checks the body of a loop or branch, which is a block or a single statement.
static void check_body(Checker *c, Node *s, Node *body)
{
    if (loops_is_declaration(body)) fault(c, s, "a declaration outside of a block");
    check_stmt(c, body);
}

static void check_loop(Checker *c, Node *s)
{
    int outer = c->scope.len, lockstep = c->lockstep, loops = c->loops;
    int64_t lanes;
    if (s->kind == LOOP_PARALLEL) check_value(c, s, s->op[0], type_scalar(c->cx, SCALAR_I32));
    if (s->kind == LOOP_VECTORIZE && (!nat_is_const(s->op[0], &lanes) || lanes < 1))
        fault(c, s, "not a number of lanes");
    if (s->kind == LOOP_STRIDED) {
        check_size(c, s->op[0]);
        if (nat_is_const(s->op[0], &lanes) && lanes < 1) fault(c, s, "not a step");
    }
    check_size(c, loops_from(s));
    check_size(c, loops_to(s));
    c->lockstep += loops_is_lockstep(s);
    c->loops = s->kind == LOOP_PARALLEL ? 0 : loops + 1;
    c->parallel += s->kind == LOOP_PARALLEL;
    if (s->kind == LOOP_PARALLEL) c->repeated += loops;
    bind(c, s->attr.sym, NAME_OF_INTEGER, type_scalar(c->cx, SCALAR_I64));
    check_body(c, s, loops_body(s));
    leave(c, outer);
    c->lockstep = lockstep;
    c->loops = loops;
    c->parallel -= s->kind == LOOP_PARALLEL;
    if (s->kind == LOOP_PARALLEL) c->repeated -= loops;
}

static void check_forever(Checker *c, Node *s)
{
    c->loops++;
    check_body(c, s, s->op[0]);
    c->loops--;
}

// Checks a task. Like an iteration that runs in any order, a task must not set locals declared
// outside it, and no jump may leave it.
static void check_spawn(Checker *c, Node *s)
{
    int loops = c->loops;
    c->lockstep++;
    c->loops = 0;
    check_body(c, s, s->op[0]);
    c->lockstep--;
    c->loops = loops;
}

static void check_label(Checker *c, Node *s)
{
    Name *label = ARENA_NEW(c->cx->arena, Name);
    *label = (Name){.lockstep = c->lockstep};
    if (map_get(&c->labels, MAP_KEY(s->attr.sym))) fault(c, s, "a label in a label of its name");
    map_put(&c->labels, MAP_KEY(s->attr.sym), label);
    check_body(c, s, s->op[0]);
    map_put(&c->labels, MAP_KEY(s->attr.sym), NULL);
}

static void check_jump(Checker *c, Node *s)
{
    const Name *label = map_get(&c->labels, MAP_KEY(s->attr.sym));
    if (!label) fault(c, s, "a jump to no label around it");
    if (label->lockstep != c->lockstep) fault(c, s, "a jump out of iterations in any order");
}

static void check_decl(Checker *c, Node *s)
{
    bool has_value = s->op[1]->kind != CORE_TUPLE;
    if (!is_value_type(s->op[0])) fault(c, s, "a local that is not a scalar");
    if (!has_value && s->op[1]->nops) fault(c, s, "a tuple as a value");
    if (has_value) check_value(c, s, s->op[1], s->op[0]);
    bind(c, s->attr.sym, NAME_OF_LOCAL, s->op[0]);
}

static void check_set(Checker *c, Node *s)
{
    const Name *name = name_of(c, s->attr.sym);
    if (!name || name->use != NAME_OF_LOCAL) fault(c, s, "no local in scope");
    if (name->lockstep != c->lockstep) fault(c, s, "iterations in any order set one local");
    check_value(c, s, s->op[0], name->type);
}

static void check_store(Checker *c, Node *s)
{
    Name *name = check_buffer(c, s);
    if (name->use == NAME_OF_INPUT) fault(c, s, "a store to an input");
    check_expr(c, s->op[1]);
    if (type_lane(s->op[1]->type) != name->type)
        fault(c, s, "a value of another type than its destination");
    name->stored = true;
}

static void check_masked_store(Checker *c, Node *s)
{
    int64_t lanes;
    check_store(c, s);
    if (!type_is_vec(s->op[1]->type, &lanes)) fault(c, s, "a mask on a scalar");
    check_value(c, s, s->op[2], type_vec(c->cx, lanes, type_scalar(c->cx, SCALAR_BOOL)));
    if (s->kind == LOOP_SCATTER)
        check_value(c, s, s->op[0], type_vec(c->cx, lanes, type_scalar(c->cx, SCALAR_I64)));
}

static Node *position_of_thread(Checker *c, Node *at, int64_t thread)
{
    return loops_at(c->cx, at, c->entry->thread, nat_const(c->cx, thread));
}

// Checks that a slot in the workspace begins at a line that depends only on the entry's sizes and,
// in a parallel loop, on the thread index.
static void check_slot(Checker *c, Node *s, Node *at)
{
    Sym thread = c->e == c->entry ? c->entry->thread : NULL;
    bool own = thread && nat_occurs(at, nat_var(c->cx, thread));
    if (c->parallel && !own) fault(c, s, "a slot that threads share");
    if (!c->parallel && own) fault(c, s, "a slot of a thread outside of parallel loops");
    Node *first = own ? position_of_thread(c, at, 0) : at;
    Node *size = own ? nat_sub(c->cx, position_of_thread(c, at, 1), first) : first;
    if (!loops_is_static(c->cx, c->entry, first) || !loops_is_static(c->cx, c->entry, size))
        fault(c, s, "a slot that moves");
}

// Checks an array in the workspace. A VARIANT_PART array is emitted as a restrict pointer, so its
// declaration may run only once per call, in a function that owns its workspace.
static void check_workspace_array(Checker *c, Node *s)
{
    if (!c->e->workspace) fault(c, s, "an array in no workspace");
    check_slot(c, s, s->op[2]);
    bool again = c->loops || c->repeated || c->lockstep > c->parallel;
    if (s->variant == VARIANT_PART && (again || !loops_owns_workspace(c->cx, c->entry, c->e)))
        fault(c, s, "a part that may be another's");
}

// Checks the size of a workspace. In the entry, a condition on sizes may select one of several.
static void check_workspace(Checker *c, Node *workspace)
{
    Node *lines = loops_workspace_lines(workspace);
    if (lines) {
        if (!loops_is_static(c->cx, c->entry, lines)) fault(c, workspace, "memory that changes");
        return;
    }
    if (c->e != c->entry) fault(c, workspace, "a choice of workspaces of a function");
    if (!loops_is_known_at_entry(c->cx, c->entry, workspace->op[0]))
        fault(c, workspace, "a workspace that does not depend on sizes alone");
    check_workspace(c, workspace->op[1]);
    check_workspace(c, workspace->op[2]);
}

static void check_alloc(Checker *c, Node *s)
{
    int64_t n;
    bool stack = s->variant == VARIANT_STACK, is_placed = loops_is_placed(s);
    bool shared = s->variant == VARIANT_SHARED && c->entry->device;
    if (!stack && !shared && !is_placed && !loops_is_heap(s)) fault(c, s, "memory without a space");
    if (s->nops != (is_placed ? 3 : 2)) fault(c, s, "a slot in the workspace, or none");
    if (is_placed) check_workspace_array(c, s);
    bool heap = c->e->planned && loops_is_heap(s);
    bool size = loops_is_static(c->cx, c->entry, s->op[1]), own = c->e != c->entry && !size;
    if (heap && size && !c->lockstep) fault(c, s, "memory that is not planned");
    if (heap && c->loops && !own) fault(c, s, "memory is allocated in a loop");
    if (!type_is_scalar(s->op[0], NULL)) fault(c, s, "a buffer whose elements are not scalars");
    if ((stack || shared) && !nat_is_const(s->op[1], &n))
        fault(c, s, "an array on the stack or in shared memory without a fixed length");
    check_size(c, s->op[1]);
    bind(c, s->attr.sym, NAME_OF_MEMORY, s->op[0]);
}

static void check_table(Checker *c, Node *s)
{
    if (!type_is_scalar(s->op[0], NULL)) fault(c, s, "a table whose elements are not scalars");
    if (s->op[1]->kind != CORE_ARRAY) fault(c, s, "a table without its elements");
    for (uint32_t i = 0; i < s->op[1]->nops; i++)
        if (s->op[1]->op[i]->kind != CORE_LIT || s->op[1]->op[i]->type != s->op[0])
            fault(c, s, "an element of a table that is not a literal of its type");
    bind(c, s->attr.sym, NAME_OF_INPUT, s->op[0]);
}

static void check_pointer(Checker *c, Node *s)
{
    if (check_pointed(c, s, s->op[1])->type != s->op[0]) fault(c, s, "memory of another type");
    bind(c, s->attr.sym, NAME_OF_MEMORY, s->op[0]);
    map_put(&c->pointers, MAP_KEY(s->attr.sym), c);
}

static void check_rotate(Checker *c, Node *s)
{
    if (s->nops < 2) fault(c, s, "nothing to rotate");
    for (uint32_t i = 0; i < s->nops; i++) {
        const Name *name = check_pointed(c, s, s->op[i]);
        if (!map_get(&c->pointers, MAP_KEY(s->op[i]->attr.sym))) fault(c, s, "not a pointer");
        if (name->lockstep != c->lockstep) fault(c, s, "iterations in any order set one pointer");
        if (name->type != name_of(c, s->op[0]->attr.sym)->type)
            fault(c, s, "memory of another type");
        if (s->op[i]->op[0] != nat_const(c->cx, 0)) fault(c, s, "a part of a pointer");
    }
}

typedef struct {
    const LoopEntry *entry;
    Sym name;   // the memory
    Map *calls; // parameters that stand for the memory and whose functions were searched
} Writing;

static bool writes_plainly(const LoopEntry *entry, const LoopEntry *f, Sym name, Map *calls);

static bool is_plain_write(Node *s, void *env)
{
    Writing *w = env;
    if (s->kind == LOOP_STORE || s->kind == LOOP_SET) return s->attr.sym == w->name;
    if (s->kind != LOOP_CALL || core_atomic_of(s->attr.sym) != ATOMIC_COUNT) return false;
    const LoopEntry *f = loops_callee(w->entry, s->attr.sym);
    for (int i = 0; f && i < f->params.len && i < (int)s->nops; i++)
        if (s->op[i]->kind == LOOP_ADDRESS && s->op[i]->attr.sym == w->name &&
            writes_plainly(w->entry, f, f->params.at[i].name, w->calls))
            return true;
    return false;
}

// Whether a function, or one that it calls, writes to its memory `name` other than by atomic
// updates.
static bool writes_plainly(const LoopEntry *entry, const LoopEntry *f, Sym name, Map *calls)
{
    if (!f->body) return true;
    if (map_get(calls, MAP_KEY(name))) return false;
    map_put(calls, MAP_KEY(name), calls);
    Writing w = {entry, name, calls};
    return loops_any(f->body, is_plain_write, &w);
}

// Checks the argument for a parameter that is passed in memory: a buffer or, for a scalar, a local.
static void check_address(Checker *c, Node *call, Node *arg, const LoopParam *p)
{
    Name *name = name_of(c, arg->attr.sym);
    bool writes = p->output || p->both;
    if (!name || name->use == NAME_OF_INTEGER) fault(c, arg, "no memory in scope");
    if (name->type != type_scalar(c->cx, p->scalar)) fault(c, call, "memory of another type");
    if (name->use == NAME_OF_INPUT && writes) fault(c, call, "an input to be written");
    if (name->use == NAME_OF_LOCAL && p->rank) fault(c, call, "a local for an array");
    bool local = name->use == NAME_OF_LOCAL && name->lockstep != c->lockstep;
    Map calls = map_new(c->cx->arena);
    if (local && core_atomic_of(call->attr.sym) == ATOMIC_COUNT &&
        writes_plainly(c->entry, loops_callee(c->entry, call->attr.sym), p->name, &calls))
        fault(c, call, "iterations in any order set one local");
    check_size(c, arg->op[0]);
    name->stored |= writes;
}

static void check_call(Checker *c, Node *s)
{
    const LoopEntry *f = loops_callee(c->entry, s->attr.sym);
    if (!f) fault(c, s, "a call of no function of the entry");
    if (loops_passes_workspace(f, s)) {
        Node *at = s->op[f->params.len];
        if (!f->workspace || !c->e->workspace || at->kind != CORE_NAT || c->entry == f)
            fault(c, s, "memory for a call that cannot have it");
        check_slot(c, s, at->op[0]);
    } else if ((int)s->nops != f->params.len) {
        fault(c, s, "not as many arguments as parameters");
    }
    for (int i = 0; i < f->params.len; i++) {
        const LoopParam *p = &f->params.at[i];
        bool memory = p->rank || p->output || p->both;
        if (memory != (s->op[i]->kind == LOOP_ADDRESS))
            fault(c, s, memory ? "a value for memory" : "memory for a value");
        if (memory)
            check_address(c, s, s->op[i], p);
        else
            check_value(c, s, s->op[i], type_scalar(c->cx, p->scalar));
    }
}

static void check_prefetch(Checker *c, Node *s)
{
    Name *name = s->op[0]->kind == LOOP_ADDRESS ? name_of(c, s->op[0]->attr.sym) : NULL;
    if (!name || name->use == NAME_OF_INTEGER || name->use == NAME_OF_LOCAL)
        fault(c, s, "a hint about no memory");
    check_size(c, s->op[0]->op[0]);
}

static void check_stmt(Checker *c, Node *s)
{
    switch ((Kind)s->kind) {
    case LOOP_BLOCK: check_block(c, s); return;
    case LOOP_FOR:
    case LOOP_PARALLEL:
    case LOOP_VECTORIZE:
    case LOOP_STRIDED: check_loop(c, s); return;
    case LOOP_FOREVER: check_forever(c, s); return;
    case LOOP_LABEL: check_label(c, s); return;
    case LOOP_JUMP: check_jump(c, s); return;
    case LOOP_SPAWN: check_spawn(c, s); return;
    case LOOP_SYNC: return;
    case LOOP_PREFETCH: check_prefetch(c, s); return;
    case LOOP_CALL: check_call(c, s); return;
    case LOOP_DECL: check_decl(c, s); return;
    case LOOP_SET: check_set(c, s); return;
    case LOOP_STORE: check_store(c, s); return;
    case LOOP_STORE_WHERE:
    case LOOP_STORE_PACKED:
    case LOOP_SCATTER: check_masked_store(c, s); return;
    case LOOP_ALLOC: check_alloc(c, s); return;
    case LOOP_TABLE: check_table(c, s); return;
    case LOOP_POINTER: check_pointer(c, s); return;
    case LOOP_ROTATE: check_rotate(c, s); return;
    case LOOP_IF:
        check_condition(c, s, s->op[0]);
        check_body(c, s, s->op[1]);
        check_body(c, s, s->op[2]);
        return;
    case LOOP_CHECK:
        check_condition(c, s, s->op[0]);
        if (s->nops > 1) check_body(c, s, s->op[1]);
        if (!diag_is_of_run((DiagCode)s->attr.i)) fault(c, s, "not the code of a run-time error");
        return;
#include "loops/ir/no_statement.def"
        fault(c, s, "not a statement");
    }
}

// --- the entry ----------------------------------------------------------------------------------

static void bind_params(Checker *c)
{
    for (int i = 0; i < c->e->sizes.len; i++)
        bind(c, c->e->sizes.at[i], NAME_OF_INTEGER, type_scalar(c->cx, SCALAR_I64));
    if (c->e->helpers) bind(c, c->e->helpers, NAME_OF_INTEGER, type_scalar(c->cx, SCALAR_I64));
    if (c->e->thread) bind(c, c->e->thread, NAME_OF_INTEGER, type_scalar(c->cx, SCALAR_I64));
    for (int i = 0; i < c->e->params.len; i++) {
        const LoopParam *p = &c->e->params.at[i];
        bool written = p->output || p->both;
        Use use = written ? NAME_OF_OUTPUT : p->rank ? NAME_OF_INPUT : NAME_OF_LOCAL;
        bind(c, p->name, use, type_scalar(c->cx, p->scalar));
        check_size(c, p->count);
        if (use == NAME_OF_LOCAL && map_get(&c->set, MAP_KEY(p->name)))
            fault(c, NULL, arena_printf(c->cx->arena, "the input %s is set", p->name->text));
    }
}

static const Facts *facts_of_checks(Checker *c)
{
    Facts *f = facts_new(c->cx, c->cx->arena, NULL);
    for (int i = 0; i < c->e->checks.len; i++) {
        const SizeCheck *k = &c->e->checks.at[i];
        check_size(c, nat_sub(c->cx, k->right, k->left));
        size_check_assume(c->cx, f, k);
    }
    return f;
}

static void check_entry(Session *cx, const LoopEntry *e, const LoopEntry *entry)
{
    Arena *arena = cx->arena; // a fault is a longjmp, so nothing here may need to be freed
    Checker c = {.cx = cx,
                 .e = e,
                 .entry = entry,
                 .names = map_new(arena),
                 .labels = map_new(arena),
                 .pointers = map_new(arena),
                 .set = map_new(arena),
                 .typed = map_new(arena)};
    if (e->body) loops_changed(e->body, &c.set);
    bind_params(&c);
    const Facts *facts = facts_of_checks(&c);
    if (!e->body) return;
    if (e->workspace) check_workspace(&c, e->workspace);
    check_body(&c, e->body, e->body);
    if (loops_leaves(e->body) || e->undefined) return;
    for (int i = 0; i < e->params.len; i++) {
        const LoopParam *p = &e->params.at[i];
        bool missing = p->output && !name_of(&c, p->name)->stored;
        bool empty = missing && nat_eq(cx, facts, p->count, nat_const(cx, 0)) == TRUTH_YES;
        if (missing && !empty && !loops_ends_only_if_empty(cx, e, p->count))
            fault(&c, NULL, arena_printf(arena, "%s is not stored to", p->name->text));
    }
}

void loops_check(Session *cx, const LoopEntry *e)
{
    check_entry(cx, e, e);
    for (int i = 0; i < e->callees.len; i++) {
        const LoopEntry *f = e->callees.at[i];
        if (f->external == (f->body != NULL))
            session_ice(cx, __FILE__, __LINE__, "%s: a body for a C function, or none",
                        f->name->text);
        check_entry(cx, f, e);
    }
}
