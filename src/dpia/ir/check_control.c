// Checks DPIA control flow: labels, loops that are not patterns, and calls.
#include "dpia/ir/check.h"
#include "views/views.h"

// In unreachable code every scalar counts as definitely assigned.
static void set_unreachable(Checker *c)
{
    for (int i = 0; i < c->assigned.len; i++) c->assigned.at[i] = true;
}

static Label *find_label(Checker *c, Sym name)
{
    Label *l = c->labels;
    while (l && l->name != name) l = l->outer;
    return l;
}

// Checks a label. After it, the scalars that every path to its end assigns count as assigned.
void check_label(Checker *c, Node *k)
{
    if (find_label(c, k->attr.sym)) check_fault(c, k, "a label with the name of an enclosing one");
    Label l = {.name = k->attr.sym, .fence = c->fence, .n = c->assigned.len, .outer = c->labels};
    c->labels = &l;
    check_command(c, k->op[0]);
    c->labels = l.outer;
    for (int i = 0; l.left && i < l.n; i++)
        c->assigned.at[i] = c->assigned.at[i] && l.assigned.at[i];
}

void check_jump(Checker *c, Node *k)
{
    Label *l = find_label(c, k->attr.sym);
    if (!l) check_fault(c, k, "a jump without a label around it");
    if (l->fence != c->fence) check_fault(c, k, "a jump out of a loop that runs to its end");
    Flags now = check_save(c);
    for (int i = 0; l->left && i < l->n; i++) now.at[i] = now.at[i] && l->assigned.at[i];
    l->left = true;
    l->assigned = now;
    set_unreachable(c);
}

void check_forever(Checker *c, Node *k)
{
    check_command(c, k->op[0]);
    set_unreachable(c);
}

// Checks a loop whose body may run zero times. Only the iterations of COM_RANGE run in order, so
// jumps may leave only this kind of loop.
void check_range(Checker *c, Node *k)
{
    uint64_t loops = 0;
    int body = (int)k->nops - 1, fence = c->fence;
    for (int i = 0; i < body; i++)
        loops |= kind_sort((Kind)k->kind, i) == SORT_SIZE ? check_size(c, k->op[i])
                                                          : check_expression(c, k->op[i]);
    Flags before = check_save(c);
    check_bind(c, k->attr.sym, NAME_OF_VALUE, type_scalar(c->cx, SCALAR_I64), loops);
    if (k->kind != COM_RANGE) c->fence = ++c->fences;
    Facts *outer = c->facts;
    if (k->kind == COM_RANGE) {
        SizeCheck some = {.relation = SIZE_LE,
                          .left = nat_add(c->cx, k->op[0], nat_const(c->cx, 1)),
                          .right = k->op[1]};
        c->facts = facts_new(c->cx, c->cx->arena, outer);
        size_check_assume(c->cx, c->facts, &some);
    }
    check_command(c, k->op[body]);
    c->facts = outer;
    c->fence = fence;
    c->assigned = before;
    check_unbind(c, k->attr.sym);
}

// Checks a task, which no jump may leave. Its assignments count as done, since the assigned memory
// may be read only after a wait.
void check_spawn(Checker *c, Node *k)
{
    int fence = c->fence;
    c->fence = ++c->fences;
    check_command(c, k->op[0]);
    c->fence = fence;
}

// --- calls -------------------------------------------------------------------------------------

// Whether the expression is memory that can be passed to a function: a dense part of memory, or a
// tuple of such parts.
static bool is_memory(Node *e)
{
    for (Node *array; (array = view_dense_array(e));) e = array;
    if (e->kind != CORE_TUPLE) return e->kind == PH_VAR || e->kind == ACC_VAR;
    for (uint32_t i = 0; i < e->nops; i++)
        if (type_has_array(e->op[i]->type) && !is_memory(e->op[i])) return false;
    return true;
}

static void check_reference(Checker *c, Node *k, Node *arg, Node *type)
{
    Target t = check_acceptor(c, arg);
    if (!t.memory || !is_memory(arg) || !check_same_type(c, arg->type, type->op[0]))
        check_fault(c, k, "a reference to no memory of the parameter's type");
    for (int i = 0; i < t.n; i++)
        if (!c->assigned.at[t.scalar + i])
            check_fault(c, k, "a reference to memory that is not assigned");
    if (type_ref_mutable(type)) check_write(c, k, arg);
}

static void check_argument(Checker *c, Node *k, Node *arg, Node *type)
{
    if (type->kind == TYPE_REF) {
        check_reference(c, k, arg, type);
        return;
    }
    check_expression(c, arg);
    if (!check_same_type(c, arg->type, type)) check_fault(c, k, "an argument of another type");
    if (type_has_array(type) && !is_memory(arg))
        check_fault(c, k, "an array argument that is not in memory");
}

// Finds the values of a callee's own sizes, which are passed as arguments, and returns how many it
// found. Leaves out sizes that the caller merely passes on, since they have the same name in the
// callee, and sizes that the caller computes, since no type here mentions them.
static int find_sizes(Checker *c, Node *k, const Phrase *f, NodeBinding *sizes)
{
    int n = 0;
    for (int i = 0; i < f->params.len; i++) {
        Node *arg = k->op[i + 1];
        Sym name = dpia_own_size(c->cx, f, i);
        if (!name || (arg->kind != CORE_NAT && arg->kind != CORE_LIT)) continue;
        bool size = arg->kind == CORE_NAT;
        sizes[n++] = (NodeBinding){name, size ? arg->op[0] : nat_const(c->cx, arg->attr.i)};
    }
    return n;
}

// Checks a call. Its result is written to an acceptor, unless it is () or !.
void check_call(Checker *c, Node *k)
{
    const Phrase *f = dpia_callee(c->entry, k->attr.sym);
    if (!f) check_fault(c, k, "a call of no function");
    if ((int)k->nops != f->params.len + 1) check_fault(c, k, "a wrong number of arguments");
    NodeBinding *sizes = ARENA_ARRAY(c->cx->arena, NodeBinding, f->params.len + 1);
    int n = find_sizes(c, k, f, sizes);
    for (int i = 0; i < f->params.len; i++) {
        Node *type = node_replace_names(c->cx, f->params.at[i].type, sizes, n);
        check_argument(c, k, k->op[i + 1], type);
    }
    Node *to = k->op[0], *result = node_replace_names(c->cx, f->out.type, sizes, n);
    if (to->kind == COM_SKIP) {
        if (!type_is_unit(result) && result->kind != TYPE_NEVER)
            check_fault(c, k, "a result that is not written");
        return;
    }
    if (!is_memory(to) || !check_same_type(c, to->type, result))
        check_fault(c, k, "a result that is not written to memory of its type");
    check_write(c, k, to);
}
