// Calls at the end of a function to itself, which become iterations of a loop around its body:
//
//   static int f(int64_t n, const float *next_xs, float *restrict out)
//   {
//       float *kept = NULL, *half = NULL;
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
// So an array that one call passes to the next lives no longer than that, and two of them at most
// exist at a time.
#include "emit/code/code.h"

#include <string.h>

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

// Whether the next iteration can have this argument for the parameter: a scalar, the parameter
// itself, or a whole array on the heap that no other parameter gets.
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

// Finds the calls of the function to itself at the end of its body, and returns whether all of its
// calls to itself are such.
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

// If some iterations pass an array of their own for the parameter, names what the next one gets.
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

bool is_tail_call(const Emitter *e, Node *s, const Place *place)
{
    const CFunction *f = e->function;
    return f->tails.len > 0 && s->kind == LOOP_CALL && places_end(place) &&
           map_get(&f->tails, MAP_KEY(s));
}

// --- emission -----------------------------------------------------------------------------------

void tail_loop_open(Emitter *e)
{
    const CFunction *f = e->function;
    for (int i = 0; i < f->kept.len; i++)
        emit_line(e, "%s *%s = NULL;", emit_ctype(e, f->kept.at[i].param->scalar),
                  names_declare(e, f->kept.at[i].memory, true));
    emit_line(e, "for (;;) {");
    e->indent++;
    for (int i = 0; i < f->kept.len; i++)
        emit_line(e, "const %s *restrict %s = %s;", emit_ctype(e, f->kept.at[i].param->scalar),
                  names_use(e, f->kept.at[i].param->name), names_use(e, f->kept.at[i].next));
    e->indent--;
}

// Whether control reaches the end of the statement by such a call alone. (A jump from before the
// end of the function to its end is a `return` or leads behind the loop.)
static bool ends_in_call(const CFunction *f, Node *s)
{
    if (s->kind == LOOP_BLOCK) return s->nops > 0 && ends_in_call(f, s->op[s->nops - 1]);
    if (s->kind == LOOP_LABEL) return ends_in_call(f, s->op[0]);
    return s->kind == LOOP_CALL && map_get(&f->tails, MAP_KEY(s));
}

void tail_loop_close(Emitter *e)
{
    Node *body = e->function->entry->body;
    e->indent++;
    if (!loops_leaves(body) && !ends_in_call(e->function, body)) emit_line(e, "break;");
    e->indent--;
    emit_line(e, "}");
}

void tail_loop_free(Emitter *e)
{
    const CFunction *f = e->function;
    for (int i = f->kept.len; i-- > 0;)
        emit_line(e, "free(%s);", names_use(e, f->kept.at[i].memory));
}

typedef struct {
    const LoopParam *param;
    const char *value;
    Sym local;
} NewValue;

// Assigns the scalar arguments to the parameters. If there are several, all are computed before the
// first is assigned.
static void assign_scalars(Emitter *e, Node *call)
{
    const CFunction *f = e->function;
    VEC(NewValue) new = {0};
    for (int i = 0; i < f->entry->params.len; i++) {
        const LoopParam *p = &f->entry->params.at[i];
        if (call->op[i]->kind == LOOP_ADDRESS) continue;
        const char *value = expr_text(e, call->op[i], PREC_ANY);
        if (strcmp(value, names_use(e, p->name)) == 0) continue;
        const char *next = arena_printf(e->arena, "next_%s", p->name->text);
        vec_push(e->arena, &new, ((NewValue){p, value, sym_fresh(e->cx->syms, next)}));
    }
    for (int i = 0; i<new.len &&new.len> 1; i++) {
        const char *type = emit_ctype(e, new.at[i].param->scalar);
        const char *local = names_declare(e, new.at[i].local, true);
        emit_line(e, "const %s %s = %s;", type, local, new.at[i].value);
    }
    for (int i = 0; i < new.len; i++)
        emit_line(e, "%s = %s;", names_use(e, new.at[i].param->name),
                  new.len > 1 ? names_use(e, new.at[i].local) : new.at[i].value);
    for (int i = 0; i<new.len &&new.len> 1; i++) names_forget(e, new.at[i].local);
}

static bool passes(Node *call, Sym memory)
{
    for (uint32_t i = 0; i < call->nops; i++)
        if (call->op[i]->kind == LOOP_ADDRESS && call->op[i]->attr.sym == memory) return true;
    return false;
}

// Frees the memory of this iteration, except what it passes to the next.
static void free_memory(Emitter *e, Node *call)
{
    for (int i = e->open.len; i-- > 0;)
        if (!passes(call, e->open.at[i]->attr.sym)) emit_free(e, e->open.at[i]);
    for (int i = e->frame->heap.len; i-- > 0;) {
        Node *alloc = e->frame->heap.at[i];
        if (memory_is_of_frame(e, alloc) && !passes(call, alloc->attr.sym)) emit_free(e, alloc);
    }
}

void emit_tail_call(Emitter *e, Node *call)
{
    const CFunction *f = e->function;
    assign_scalars(e, call);
    free_memory(e, call);
    for (int i = 0; i < f->kept.len; i++) {
        const KeptParam *k = &f->kept.at[i];
        Sym memory = call->op[k->param - f->entry->params.at]->attr.sym;
        if (memory == k->param->name) continue;
        const char *name = names_use(e, memory), *kept = names_use(e, k->memory);
        emit_line(e, "free(%s);", kept);
        emit_line(e, "%s = %s = %s;", names_use(e, k->next), kept, name);
        emit_line(e, "%s = NULL;", name);
    }
    if (!ends_in_call(f, f->entry->body)) emit_line(e, "continue;");
}
