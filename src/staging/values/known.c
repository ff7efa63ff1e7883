// Known values, environments, and blocks of residual terms.
#include "staging/values/stage.h"

const Known *known_error(Stage *s)
{
    Known *k = ARENA_NEW(s->arena, Known);
    k->kind = KNOWN_ERROR;
    return k;
}

static const Known *known_never(Stage *s)
{
    Known *k = ARENA_NEW(s->arena, Known);
    k->kind = KNOWN_NEVER;
    return k;
}

const Known *known_term(Stage *s, Node *term)
{
    Known *k = ARENA_NEW(s->arena, Known);
    *k = (Known){.kind = KNOWN_TERM, .node = term};
    return k;
}

const Known *known_tuple(Stage *s, Node *type, Span origin, const Known *const *parts)
{
    Known *k = ARENA_NEW(s->arena, Known);
    Node *like = node_make(s->cx, &(NodeSpec){.kind = CORE_TUPLE, .type = type, .origin = origin});
    *k = (Known){.kind = KNOWN_TUPLE, .node = like};
    int n = known_count(k);
    k->parts = ARENA_ARRAY(s->arena, const Known *, n + 1);
    for (int i = 0; i < n; i++) k->parts[i] = parts[i];
    return k;
}

int known_count(const Known *v)
{
    Node *t = v->node->type;
    int64_t n = 0;
    if (t->kind == TYPE_REF) t = t->op[0];
    if (t->kind != TYPE_ARRAY) return (int)t->nops;
    nat_is_const(t->op[0], &n);
    return (int)n;
}

const Known *known_unit(Stage *s)
{
    return known_tuple(s, type_tuple(s->cx, 0, NULL), NO_SPAN, NULL);
}

bool known_is_atom(Node *e)
{
    if (e->kind == CORE_TUPLE) {
        for (uint32_t i = 0; i < e->nops; i++)
            if (!known_is_atom(e->op[i])) return false;
        return true;
    }
    while (e->kind == CORE_PROJ) e = e->op[0];
    return e->kind == PH_VAR || e->kind == CORE_LIT || e->kind == CORE_NAT;
}

const Env *stage_env_push(Stage *s, const Env *env, const Known *value)
{
    Env *e = ARENA_NEW(s->arena, Env);
    *e = (Env){
        .link = link_before(env ? &env->link : NULL), .value = value, .id = ++s->environments};
    return e;
}

const Env *stage_env_at(const Env *env, int64_t index)
{
    return (const Env *)link_at(env ? &env->link : NULL, index);
}

const Known *stage_variable_value(Stage *s, const Env *env, int64_t index)
{
    env = stage_env_at(env, index);
    CHECK(s->cx, env, "variable %d is not in scope", (int)index);
    return env->value;
}

Node *stage_root(Node *place)
{
    while (place->kind == CORE_REF_AT || place->kind == CORE_REF_PROJ ||
           place->kind == CORE_REF_SLICE || place->kind == CORE_REF_LANE ||
           place->kind == CORE_BORROW)
        place = place->op[place->kind == CORE_REF_SLICE ? 2 : 0];
    return place;
}

Node *stage_variable(Stage *s, Node *type, Sym hint)
{
    Sym name = sym_fresh(s->cx->syms, hint ? hint->text : "x");
    map_put(&s->hints, MAP_KEY(name), (void *)(uintptr_t)hint);
    return node_make(s->cx, &(NodeSpec){.kind = PH_VAR, .attr.sym = name, .type = type});
}

Block *stage_block(Stage *s, Block *up)
{
    Block *b = ARENA_NEW(s->arena, Block);
    *b = (Block){.up = up, .memo = map_new(s->arena), .guard = up ? up->guard : NULL};
    return b;
}

Node *stage_term(Stage *s, Kind kind, Node *type, Span origin, int n, Node *const *ops)
{
    return node_make(
        s->cx, &(NodeSpec){.kind = kind, .type = type, .nops = n, .ops = ops, .origin = origin});
}

Node *stage_emit(Stage *s, Block *block, Node *value, Sym hint)
{
    Item item = {.var = stage_variable(s, value->type, hint), .value = value};
    if (value->type == type_scalar(s->cx, SCALAR_BOOL))
        map_put(&s->conditions, MAP_KEY(item.var), (void *)(uintptr_t)value);
    if (!block->end) vec_push(s->arena, &block->items, item);
    s->lets++;
    s->terms++;
    return item.var;
}

Node *stage_emit_effect(Stage *s, Block *block, Node *value, Sym hint)
{
    block->effects = true;
    s->effects++;
    return stage_emit(s, block, value, hint);
}

const Known *stage_end(Stage *s, Block *block, Node *term)
{
    if (!block->end) block->end = term;
    block->effects = true;
    s->effects++;
    return known_never(s);
}

void stage_splice(Stage *s, Block *block, const Block *inner)
{
    for (int i = 0; i < inner->items.len; i++)
        vec_push(s->arena, &block->items, inner->items.at[i]);
    block->effects |= inner->effects;
    block->end = inner->end;
}

Node *stage_elements(Stage *s, Node *e)
{
    if (e->kind == CORE_ARRAY) return e;
    return e->kind == PH_VAR ? map_get(&s->arrays, MAP_KEY(e)) : NULL;
}

const Known *stage_array_atoms(Stage *s, const Known *v, Block *block)
{
    if (v->kind != KNOWN_TERM || v->node->kind != CORE_ARRAY) return v;
    Node **ops = ARENA_ARRAY(s->arena, Node *, v->node->nops + 1);
    for (uint32_t i = 0; i < v->node->nops; i++)
        ops[i] = stage_data(s, stage_bind(s, known_term(s, v->node->op[i]), NULL, block), NO_SPAN);
    return known_term(s, node_with_ops(s->cx, v->node, ops));
}

static Node *bind_term(Stage *s, Node *term, Sym hint, Block *block)
{
    if (known_is_atom(term)) return term;
    term = stage_array_atoms(s, known_term(s, term), block)->node;
    Node *var = stage_emit(s, block, term, hint);
    if (term->kind == CORE_ARRAY) map_put(&s->arrays, MAP_KEY(var), (void *)(uintptr_t)term);
    return var;
}

// Converts a tuple term to a KNOWN_TUPLE.
static const Known *parts_of(Stage *s, Node *tuple)
{
    const Known **parts = ARENA_ARRAY(s->arena, const Known *, tuple->nops + 1);
    for (uint32_t i = 0; i < tuple->nops; i++) parts[i] = known_term(s, tuple->op[i]);
    return known_tuple(s, tuple->type, tuple->origin, parts);
}

const Known *stage_bind(Stage *s, const Known *v, Sym hint, Block *block)
{
    if (v->kind == KNOWN_TERM && v->node->kind == CORE_TUPLE && v->node->nops)
        v = parts_of(s, v->node);
    if (v->kind == KNOWN_TERM) {
        Node *atom = bind_term(s, v->node, hint, block);
        return atom == v->node ? v : known_term(s, atom);
    }
    if (v->kind != KNOWN_TUPLE) return v;
    int n = known_count(v);
    const Known **parts = ARENA_ARRAY(s->arena, const Known *, n + 1);
    for (int i = 0; i < n; i++) parts[i] = stage_bind(s, v->parts[i], hint, block);
    return known_tuple(s, v->node->type, v->node->origin, parts);
}

// Builds `let var = value in body`.
static Node *close_let(Stage *s, const Item *item, Node *body)
{
    Node *under = stage_term(s, CORE_TUPLE, body->type, NO_SPAN, 2, (Node *[]){item->var, body});
    return stage_term(s, CORE_LET, body->type, item->value->origin, 2,
                      (Node *[]){item->value, under});
}

// Builds `if condition { leaving } else { body }`, or the same with the branches swapped.
static Node *close_guard(Stage *s, const Item *item, Node *body)
{
    Node *ops[3] = {item->value, item->sense ? item->leaving : body,
                    item->sense ? body : item->leaving};
    return stage_term(s, CORE_IF, body->type, item->value->origin, 3, ops);
}

Node *stage_block_close(Stage *s, const Block *block, Node *body)
{
    if (block->end) body = block->end;
    for (int i = block->items.len - 1; i >= 0; i--) {
        const Item *item = &block->items.at[i];
        body = item->var ? close_let(s, item, body) : close_guard(s, item, body);
    }
    return body;
}

bool known_is_data(const Known *v)
{
    return v->kind == KNOWN_TERM || (v->kind == KNOWN_TUPLE && type_is_data(v->node->type));
}

static const char *describe(const Known *v)
{
    switch (v->kind) {
    case KNOWN_GLOBAL: return v->special->function->name->text;
    case KNOWN_CHOICE: return "a choice between functions";
    case KNOWN_CLOSURE: return "a function";
    case KNOWN_REF:
    case KNOWN_CONST: return "a reference";
    case KNOWN_LABEL: return "a continuation";
    case KNOWN_ERROR:
    case KNOWN_NEVER:
    case KNOWN_TERM:
    case KNOWN_TUPLE: break;
    }
    return "a value";
}

static Node *error_term(Stage *s)
{
    return node_make(s->cx, &(NodeSpec){.kind = CORE_TUPLE, .type = type_error(s->cx)});
}

static Node *data_of_tuple(Stage *s, const Known *v, Span origin)
{
    int n = known_count(v);
    Node **ops = ARENA_ARRAY(s->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) ops[i] = stage_data(s, v->parts[i], origin);
    Node *type = v->node->type;
    return stage_term(s, type->kind == TYPE_ARRAY ? CORE_ARRAY : CORE_TUPLE, type, v->node->origin,
                      n, ops);
}

Node *stage_data(Stage *s, const Known *v, Span origin)
{
    if (v->kind == KNOWN_TERM) return v->node;
    if (v->kind == KNOWN_TUPLE && v->node->type->kind != TYPE_REF)
        return data_of_tuple(s, v, origin);
    if (!known_stops(v) && !s->failed) {
        Diag *d = diag_error(s->cx, E0502, origin.file ? origin : s->entry->span,
                             "%s cannot be stored here", describe(v));
        Span made = v->kind == KNOWN_CLOSURE ? v->node->origin : NO_SPAN;
        if (made.file) diag_note(s->cx, d, made, "this function");
        diag_help(
            s->cx, d,
            "functions can be passed to functions and called, but not stored in arrays or results");
    }
    if (v->kind != KNOWN_NEVER) s->failed = true;
    return error_term(s);
}

Diag *stage_report(Stage *s, DiagCode code, Span span, const char *format, ...)
{
    if (s->failed) return NULL;
    va_list args;
    va_start(args, format);
    Diag *d = diag_error(s->cx, code, span.file ? span : s->entry->span, "%s",
                         arena_vprintf(s->arena, format, args));
    va_end(args);
    s->failed = true;
    return d;
}

static bool is_same_place(Span a, Span b)
{
    return a.file == b.file && a.lo == b.lo && a.hi == b.hi;
}

// Adds the calls as notes, innermost first. Consecutive calls at the same source position share a
// note.
static void note_chain(Stage *s, Diag *d, const Chain *chain)
{
    enum { SHOWN = 12 };
    const Chain *c = chain;
    for (int shown = 0; c && shown < SHOWN; shown++) {
        const Chain *first = c;
        while (c && is_same_place(c->call, first->call)) c = c->up;
        int times = first->depth - (c ? c->depth : 0);
        const char *name = first->special->function->name->text;
        if (times > 1)
            diag_note(s->cx, d, first->call, "in `%s`, called here, %d times", name, times);
        else
            diag_note(s->cx, d, first->call, "in `%s`, called here", name);
    }
    if (c) diag_note(s->cx, d, NO_SPAN, "%d more calls", c->depth);
}

Diag *stage_fail_diag(Stage *s, DiagCode code, Span span, const Chain *chain, const char *text)
{
    if (s->failed) return NULL;
    s->failed = true;
    Diag *d = diag_lines(s->cx, code, span.file ? span : s->entry->span, text);
    note_chain(s, d, chain);
    return d;
}

const Known *stage_fail(Stage *s, DiagCode code, Span span, const Chain *chain, const char *text)
{
    (void)stage_fail_diag(s, code, span, chain, text);
    return known_error(s);
}
