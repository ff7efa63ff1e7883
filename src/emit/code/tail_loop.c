// The loop around the body of a function that repeats it (tail_call.c), and the calls in it.
#include "emit/code/code.h"

#include <string.h>

bool is_tail_call(const Emitter *e, Node *s, const Place *place)
{
    const CFunction *f = e->function;
    return f->tails.len > 0 && s->kind == LOOP_CALL && places_end(place) &&
           map_get(&f->tails, MAP_KEY(s));
}

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
