// Turns a function's tail calls to itself into iterations of a loop around its body:
//
//   static int f(int64_t n, const float *next_xs, float *restrict out)
//   {
//       float *kept = NULL, *half = NULL;
//       // Calls of this function to itself are iterations.
//       for (;;) {
//           const float *restrict xs = next_xs;
//           ..
//           if (n > 1) {
//               ..                       // computes half, the argument of f(n / 2, half, out)
//               n = n / 2;
//               free(kept);
//               next_xs = kept = half;
//               half = NULL;
//               continue;
//           }
//           ..
//           break;
//       }
//       ..
//   }
//
// So an array that one call passes to the next is freed as soon as another replaces it, and at most
// two such arrays exist at a time.
#include "emit/code/code.h"

static bool is_address(Node *arg, Sym name)
{
    int64_t zero;
    return arg->kind == LOOP_ADDRESS && arg->attr.sym == name && nat_is_const(arg->op[0], &zero) &&
           zero == 0;
}

static Node *heap_allocation(Node *n, Sym name)
{
    if (loops_is_heap(n) && n->attr.sym == name) return n;
    for (uint32_t i = 0; i < n->nops; i++) {
        Node *found = loops_is_stmt(n->op[i]) ? heap_allocation(n->op[i], name) : NULL;
        if (found) return found;
    }
    return NULL;
}

static bool is_passed_before(Node *call, int arg)
{
    for (int i = 0; i < arg; i++)
        if (call->op[i]->kind == LOOP_ADDRESS && call->op[i]->attr.sym == call->op[arg]->attr.sym)
            return true;
    return false;
}

// Whether the next iteration can take argument `i` of the call: a scalar, the parameter itself, or
// a whole heap array that the call does not pass to an earlier parameter as well.
static bool can_pass(const CFunction *f, Node *call, int i)
{
    const LoopParam *p = &f->entry->params.at[i];
    Node *arg = call->op[i];
    if (arg->kind != LOOP_ADDRESS) return p->rank == 0;
    if (is_address(arg, p->name)) return true;
    if (p->output || p->both || p->rank == 0 || !is_address(arg, arg->attr.sym)) return false;
    return heap_allocation(f->entry->body, arg->attr.sym) && !is_passed_before(call, i);
}

static bool can_repeat(const CFunction *f, Node *call)
{
    if ((int)call->nops != f->entry->params.len) return false;
    for (uint32_t i = 0; i < call->nops; i++)
        if (!can_pass(f, call, (int)i)) return false;
    return true;
}

// Finds the function's tail calls to itself that can become iterations. Returns whether it has no
// other calls to itself. `last` says whether `s` is in tail position.
static bool find_tails(Emitter *e, CFunction *f, Node *s, bool last)
{
    if (s->kind == LOOP_CALL && s->attr.sym == f->entry->name) {
        if (!last || !can_repeat(f, s)) return false;
        map_put(&f->tails, MAP_KEY(s), (void *)(uintptr_t)s);
        return true;
    }
    bool branches = s->kind == LOOP_IF || s->kind == LOOP_LABEL, all = true;
    for (uint32_t i = 0; i < s->nops; i++) {
        bool end = branches || (s->kind == LOOP_BLOCK && i + 1 == s->nops);
        if (loops_is_stmt(s->op[i])) all &= find_tails(e, f, s->op[i], last && end);
    }
    return all;
}

// Adds the parameter to f->kept if some tail calls pass another array for it.
static void keep_param(Emitter *e, CFunction *f, int i)
{
    const LoopParam *p = &f->entry->params.at[i];
    Session *cx = e->cx;
    for (int k = 0; k < f->tails.len; k++) {
        Node *call = f->tails.entries[k].value;
        if (!call || p->rank == 0 || is_address(call->op[i], p->name)) continue;
        KeptParam kept = {p, sym_fresh(cx->syms, arena_printf(e->arena, "next_%s", p->name->text)),
                          sym_fresh(cx->syms, "kept")};
        vec_push(e->arena, &f->kept, kept);
        return;
    }
}

void tail_calls_find(Emitter *e, CFunction *f)
{
    const LoopEntry *entry = f->entry;
    f->tails = map_new(e->arena);
    if (!entry->body || entry->workspace || f->tasks) return;
    f->repeats_only = find_tails(e, f, entry->body, true) && f->tails.len > 0;
    for (int i = 0; f->tails.len > 0 && i < entry->params.len; i++) keep_param(e, f, i);
}

const KeptParam *tail_kept(const CFunction *f, const LoopParam *p)
{
    for (int i = 0; i < f->kept.len; i++)
        if (f->kept.at[i].param == p) return &f->kept.at[i];
    return NULL;
}
