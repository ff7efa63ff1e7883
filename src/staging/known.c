// What is known of values while staging, and the blocks that residual terms are put into.
#include "staging/internal.h"

const Known *known_error(Stage *s)
{
    Known *k = ARENA_NEW(s->arena, Known);
    k->kind = KNOWN_ERROR;
    return k;
}

const Known *known_term(Stage *s, Node *term)
{
    Known *k = ARENA_NEW(s->arena, Known);
    *k = (Known){.kind = KNOWN_TERM, .node = term};
    return k;
}

const Known *known_tuple(Stage *s, Node *like, int n, const Known *const *parts)
{
    Known *k = ARENA_NEW(s->arena, Known);
    *k = (Known){.kind = KNOWN_TUPLE, .node = like};
    k->parts = ARENA_ARRAY(s->arena, const Known *, n + 1);
    for (int i = 0; i < n; i++) k->parts[i] = parts[i];
    return k;
}

bool known_is_atom(Node *e)
{
    while (e->kind == CORE_PROJ) e = e->op[0];
    return e->kind == PH_VAR || e->kind == CORE_LIT || e->kind == CORE_NAT ||
           (e->kind == CORE_TUPLE && e->nops == 0);
}

const Env *stage_env_push(Stage *s, const Env *env, const Known *value)
{
    Env *e = ARENA_NEW(s->arena, Env);
    *e = (Env){.value = value, .up = env, .id = ++s->environments};
    return e;
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
    *b = (Block){.up = up, .memo = map_new(s->arena)};
    return b;
}

static Node *bind_term(Stage *s, Node *term, Sym hint, Block *block)
{
    if (known_is_atom(term)) return term;
    Binding b = {.var = stage_variable(s, term->type, hint), .value = term};
    vec_push(s->arena, &block->lets, b);
    s->lets++;
    return b.var;
}

const Known *stage_bind(Stage *s, const Known *v, Sym hint, Block *block)
{
    if (v->kind == KNOWN_TERM) {
        Node *atom = bind_term(s, v->node, hint, block);
        return atom == v->node ? v : known_term(s, atom);
    }
    if (v->kind != KNOWN_TUPLE) return v;
    int n = (int)v->node->type->nops;
    const Known **parts = ARENA_ARRAY(s->arena, const Known *, n + 1);
    for (int i = 0; i < n; i++) parts[i] = stage_bind(s, v->parts[i], hint, block);
    return known_tuple(s, v->node, n, parts);
}

Node *stage_block_close(Stage *s, const Block *block, Node *body)
{
    for (int i = block->lets.len - 1; i >= 0; i--) {
        Binding b = block->lets.at[i];
        Node *under = node_make(s->cx, &(NodeSpec){.kind = CORE_TUPLE,
                                                   .type = body->type,
                                                   .nops = 2,
                                                   .ops = (Node *[]){b.var, body}});
        body = node_make(s->cx, &(NodeSpec){.kind = CORE_LET,
                                            .type = body->type,
                                            .origin = b.value->origin,
                                            .nops = 2,
                                            .ops = (Node *[]){b.value, under}});
    }
    return body;
}

static const char *describe(const Known *v)
{
    switch (v->kind) {
    case KNOWN_GLOBAL: return v->special->function->name->text;
    case KNOWN_CHOICE: return "a choice between functions";
    case KNOWN_CLOSURE: return "a function";
    case KNOWN_ERROR:
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
    int n = (int)v->node->type->nops;
    Node **ops = ARENA_ARRAY(s->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) ops[i] = stage_data(s, v->parts[i], origin);
    return node_make(s->cx, &(NodeSpec){.kind = CORE_TUPLE,
                                        .type = v->node->type,
                                        .nops = n,
                                        .ops = ops,
                                        .origin = v->node->origin});
}

Node *stage_data(Stage *s, const Known *v, Span origin)
{
    if (v->kind == KNOWN_TERM) return v->node;
    if (v->kind == KNOWN_TUPLE) return data_of_tuple(s, v, origin);
    if (v->kind != KNOWN_ERROR && !s->failed) {
        Diag *d = diag_error(s->cx, E0502, origin, "%s is left where a value must be stored",
                             describe(v));
        Span made = v->kind == KNOWN_CLOSURE ? v->node->origin : NO_SPAN;
        if (made.file) diag_note(s->cx, d, made, "the function is made here");
        diag_help(
            s->cx, d,
            "functions can be passed to functions and called, but not kept in arrays or results");
    }
    s->failed = true;
    return error_term(s);
}

const Known *stage_fail(Stage *s, DiagCode code, Span span, const Chain *chain, const char *text)
{
    if (!s->failed) {
        enum { SHOWN = 12 };
        if (!span.file) span = s->entry->span;
        Diag *d = diag_error(s->cx, code, span, "%s", text);
        int shown = 0;
        for (const Chain *c = chain; c && shown < SHOWN; c = c->up, shown++)
            diag_note(s->cx, d, c->call, "in `%s`, called here", c->special->function->name->text);
        if (chain && chain->depth > SHOWN)
            diag_note(s->cx, d, NO_SPAN, "%d more calls", chain->depth - SHOWN);
    }
    s->failed = true;
    return known_error(s);
}
