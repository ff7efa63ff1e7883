// Constructors for Loop IR nodes.
#include "loops/ir/statements.h"

static void add_flat(Session *cx, Stmts *out, Node *s)
{
    if (s->kind == LOOP_BLOCK && !loops_declares(s))
        for (uint32_t i = 0; i < s->nops; i++) add_flat(cx, out, s->op[i]);
    else
        vec_push(cx->arena, out, s);
}

Node *loops_block(Session *cx, int n, Node *const *stmts)
{
    Stmts flat = {0};
    for (int i = 0; i < n; i++) add_flat(cx, &flat, stmts[i]);
    if (flat.len == 1 && !loops_is_declaration(flat.at[0])) return flat.at[0];
    NodeSpec spec = {.kind = LOOP_BLOCK, .nops = flat.len, .ops = flat.at};
    return node_make(cx, &spec);
}

Node *loops_if(Session *cx, Node *condition, Node *then, Node *otherwise, Span origin)
{
    Node *ops[3] = {condition, then, otherwise};
    return node_make(cx, &(NodeSpec){.kind = LOOP_IF, .nops = 3, .ops = ops, .origin = origin});
}

Node *loops_compare(Session *cx, Prim op, Node *a, Node *b)
{
    return core_prim(cx, op, 2, (Node *[]){core_size(cx, a), core_size(cx, b)});
}

Node *loops_select(Session *cx, Node *condition, Node *a, Node *b)
{
    Node *ops[3] = {condition, a, b};
    return node_make(cx, &(NodeSpec){.kind = LOOP_SELECT, .type = a->type, .nops = 3, .ops = ops});
}

Node *loops_local(Session *cx, Sym name, Node *type)
{
    return node_make(cx, &(NodeSpec){.kind = LOOP_VAR, .attr.sym = name, .type = type});
}

Node *loops_load(Session *cx, Sym name, Node *type, Node *position)
{
    NodeSpec spec = {
        .kind = LOOP_LOAD, .attr.sym = name, .type = type, .nops = 1, .ops = &position};
    return node_make(cx, &spec);
}

Node *loops_stmt(Session *cx, Kind kind, Sym name, int n, Node *const *ops, Span origin)
{
    NodeSpec spec = {.kind = kind, .attr.sym = name, .nops = n, .ops = ops, .origin = origin};
    return node_make(cx, &spec);
}

Node *loops_store(Session *cx, Sym name, Node *position, Node *value, Span origin)
{
    return loops_stmt(cx, LOOP_STORE, name, 2, (Node *[]){position, value}, origin);
}

Node *loops_set(Session *cx, Sym name, Node *value, Span origin)
{
    return loops_stmt(cx, LOOP_SET, name, 1, &value, origin);
}

Node *loops_decl(Session *cx, Sym name, Node *type, Node *value, Span origin)
{
    return loops_stmt(cx, LOOP_DECL, name, 2, (Node *[]){type, value}, origin);
}

Node *loops_name(Session *cx, const char *name, Node *value, Node **decl, Span origin)
{
    Sym fresh = sym_fresh(cx->syms, name);
    *decl = loops_decl(cx, fresh, value->type, value, origin);
    return loops_local(cx, fresh, value->type);
}

Node *loops_stack(Session *cx, Sym name, Node *type, Node *count, Span origin)
{
    NodeSpec spec = {.kind = LOOP_ALLOC,
                     .variant = VARIANT_STACK,
                     .attr.sym = name,
                     .nops = 2,
                     .ops = (Node *[]){type, count},
                     .origin = origin};
    return node_make(cx, &spec);
}

Node *loops_zeros(Session *cx, Node *type)
{
    Node *zero = node_make(cx, &(NodeSpec){.kind = CORE_LIT, .type = type_lane(type)});
    return node_make(cx, &(NodeSpec){.kind = LOOP_SPLAT, .type = type, .nops = 1, .ops = &zero});
}

Node *loops_address(Session *cx, Sym name, Node *position)
{
    NodeSpec spec = {.kind = LOOP_ADDRESS, .attr.sym = name, .nops = 1, .ops = &position};
    return node_make(cx, &spec);
}

Node *loops_integer(Session *cx, const char *name, Node *size, Node **decl)
{
    Sym fresh = sym_fresh(cx->syms, name);
    *decl = loops_decl(cx, fresh, type_scalar(cx, SCALAR_I64), core_size(cx, size), NO_SPAN);
    return nat_var(cx, fresh);
}

Node *loops_unchanging(Session *cx, Sym name, Node *type)
{
    bool size = type == type_scalar(cx, SCALAR_I64);
    return size ? core_size(cx, nat_var(cx, name)) : loops_local(cx, name, type);
}

Node *loops_counted(Session *cx, Sym index, Node *from, Node *to, Node *body, Span origin)
{
    return loops_stmt(cx, LOOP_FOR, index, 3, (Node *[]){from, to, body}, origin);
}

Node *loops_loop(Session *cx, Kind kind, Sym index, Node *by, Node *from, Node *to, Node *body,
                 Span origin)
{
    return loops_stmt(cx, kind, index, 4, (Node *[]){by, from, to, body}, origin);
}

Node *loops_for(Session *cx, Node *like, Node *from, Node *to, Node *body)
{
    Node *ops[4] = {like->op[0]};
    uint32_t first = like->nops - 3;
    ops[first] = from;
    ops[first + 1] = to;
    ops[first + 2] = body;
    return node_with_ops(cx, like, ops);
}

Node *loops_sequential(Session *cx, Node *loop)
{
    return loops_counted(cx, loop->attr.sym, loops_from(loop), loops_to(loop), loops_body(loop),
                         loop->origin);
}
