// Emits the loop around the body of a function whose tail calls to itself become iterations
// (tail_call.c), and emits those calls.
#include "emit/code/code.h"

#include <string.h>

bool is_tail_call(const Emitter *e, Node *s, const Place *place)
{
    const CFunction *f = e->function;
    return f->tails.len > 0 && s->kind == LOOP_CALL && places_end(place) &&
           map_get(&f->tails, MAP_KEY(s));
}

// Writes the loop around the emitted body. A kept parameter that the body does not use is not
// declared; a cast of its next value to void keeps C compilers from warning that it is only set.
static void write_loop(Emitter *e, const Text *body, bool reached)
{
    const CFunction *f = e->function;
    emit_line(e, "// Calls of this function to itself are iterations.");
    emit_line(e, "for (;;) {");
    e->indent++;
    for (int i = 0; i < f->kept.len; i++) {
        const KeptParam *k = &f->kept.at[i];
        if (map_get(&e->used, MAP_KEY(k->param->name)))
            emit_line(e, "const %s *restrict %s = %s;", emit_ctype(e, k->param->scalar),
                      names_use(e, k->param->name), names_use(e, k->next));
        else
            emit_line(e, "(void)%s;", names_use(e, k->next));
    }
    text_put(e->out, text_get(body));
    if (reached) emit_line(e, "break;");
    e->indent--;
    emit_line(e, "}");
}

// Whether control reaches the end of the statement only through a tail call that became an
// iteration. (A jump to the end of the function from elsewhere is a `return`, or leaves the loop.)
static bool ends_in_call(const CFunction *f, Node *s)
{
    if (s->kind == LOOP_BLOCK) return s->nops > 0 && ends_in_call(f, s->op[s->nops - 1]);
    if (s->kind == LOOP_LABEL) return ends_in_call(f, s->op[0]);
    return s->kind == LOOP_CALL && map_get(&f->tails, MAP_KEY(s));
}

void emit_tail_loop(Emitter *e, Node *body, const Place *end)
{
    const CFunction *f = e->function;
    Text text = text_new(e->arena), *out = e->out;
    for (int i = 0; i < f->kept.len; i++)
        emit_line(e, "%s *%s = NULL;", emit_ctype(e, f->kept.at[i].param->scalar),
                  names_declare(e, f->kept.at[i].memory, true));
    e->out = &text;
    emit_body(e, body, end);
    e->out = out;
    write_loop(e, &text, !loops_leaves(body) && !ends_in_call(f, body));
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
// first is assigned. That alone is no use of a parameter: compilers warn if it has no other.
static void assign_scalars(Emitter *e, Node *call)
{
    const CFunction *f = e->function;
    VEC(NewValue) values = {0};
    for (int i = 0; i < f->entry->params.len; i++) {
        const LoopParam *p = &f->entry->params.at[i];
        if (call->op[i]->kind == LOOP_ADDRESS) continue;
        const char *value = expr_text(e, call->op[i], PREC_ANY);
        if (strcmp(value, names_spelled(e, p->name)) == 0) continue;
        const char *next = arena_printf(e->arena, "next_%s", p->name->text);
        vec_push(e->arena, &values, ((NewValue){p, value, sym_fresh(e->cx->syms, next)}));
    }
    int locals = values.len > 1 ? values.len : 0;
    for (int i = 0; i < locals; i++) {
        const NewValue *v = &values.at[i];
        const char *name = names_declare(e, v->local, true);
        emit_line(e, "const %s %s = %s;", emit_ctype(e, v->param->scalar), name, v->value);
    }
    for (int i = 0; i < values.len; i++) {
        const NewValue *v = &values.at[i];
        emit_line(e, "%s = %s;", names_spelled(e, v->param->name),
                  locals ? names_use(e, v->local) : v->value);
    }
    for (int i = 0; i < locals; i++) names_forget(e, values.at[i].local);
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
