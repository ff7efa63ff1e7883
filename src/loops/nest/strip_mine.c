// Strip-mining and unrolling of loops by a factor.
#include "loops/nest/nest.h"
#include "loops/simplify/simplify.h"

// The number of indices of the block that begins at `offset`. If the last block may be shorter,
// *decl is set to a declaration of that number, and otherwise to NULL.
static Node *count_of_block(Session *cx, Node *all, Node *size, Node *offset, Node **decl)
{
    *decl = NULL;
    if (nat_mod(cx, all, size) == nat_const(cx, 0)) return size;
    return loops_integer(cx, "count", nat_min(cx, size, nat_sub(cx, all, offset)), decl);
}

Node *loops_in_blocks(const Simplifier *known, Node *threads, Node *vectors)
{
    enum { BLOCK = 1024 };
    Session *cx = known->cx;
    Sym k = sym_fresh(cx->syms, "block");
    Node *from = loops_from(vectors), *to = loops_to(vectors), *body = loops_body(vectors);
    Node *size = nat_const(cx, BLOCK), *all = nat_sub(cx, to, from);
    if (nat_ge0(cx, known->facts, all) != TRUTH_YES) all = nat_max(cx, all, nat_const(cx, 0));
    Node *blocks = nat_div(cx, all, size);
    Node *first = nat_add(cx, from, nat_mul(cx, size, nat_var(cx, k)));
    Node *block = loops_for(cx, vectors, first, nat_add(cx, first, size), body);
    Node *behind = nat_add(cx, from, nat_mul(cx, size, blocks));
    Node *rest = loops_for(cx, vectors, behind, to, body);
    Node *both[] = {loops_loop(cx, LOOP_PARALLEL, k, threads->op[0], nat_const(cx, 0), blocks,
                               block, threads->origin),
                    loops_copy(cx, rest, NULL, NULL)};
    return loops_block(cx, 2, both);
}

Node *loops_lanes_on_device(const Simplifier *known, Node *vectors)
{
    Session *cx = known->cx;
    int64_t lanes = 1;
    (void)nat_is_const(vectors->op[0], &lanes);
    Node *from = loops_from(vectors), *to = loops_to(vectors), *zero = nat_const(cx, 0);
    Node *threads = core_int(cx, type_scalar(cx, SCALAR_I32), 0);
    Node *all = loops_extent(cx, known->facts, vectors), *decl = NULL;
    int64_t each = loops_has_loop(loops_body(vectors)) ? 1 : lanes % 4 == 0 ? 4 : lanes % 2 ? 1 : 2;
    if (each == 1)
        return loops_loop(cx, LOOP_PARALLEL, vectors->attr.sym, threads, from, to,
                          loops_body(vectors), vectors->origin);
    // by itself: in a sum with other sizes, bounds from data might overflow
    if (all != nat_sub(cx, to, from)) all = loops_integer(cx, "count", all, &decl);
    Sym k = sym_fresh(cx->syms, vectors->attr.sym->text);
    Node *some = nat_const(cx, each), *begin = nat_add(cx, from, nat_mul(cx, some, nat_var(cx, k)));
    Node *end = nat_add(cx, begin, some), *body = node_with_op(cx, vectors, 0, some);
    Node *rest = loops_copy(cx, loops_sequential(cx, vectors), NULL, NULL);
    body = loops_for(cx, body, begin, end, loops_body(body));
    rest = loops_for(cx, rest, begin, to, loops_body(rest));
    if (nat_mod(cx, all, some) != zero)
        body = loops_if(cx, loops_compare(cx, PRIM_LE, end, to), body, rest, vectors->origin);
    Node *up = nat_add(cx, all, nat_const(cx, each - 1));
    Node *loop = loops_loop(cx, LOOP_PARALLEL, k, threads, zero, nat_div(cx, up, some), body,
                            vectors->origin);
    return decl ? loops_block(cx, 2, (Node *[]){decl, loop}) : loop;
}

Node *loops_strip_mine(Session *cx, Node *loop, Node *size, StripBody *make, void *env)
{
    Node *from = loops_from(loop), *all = nat_sub(cx, loops_to(loop), from), *decl;
    int64_t known, most;
    if (nat_is_const(all, &known) && nat_is_const(size, &most) && known <= most)
        return make(env, from, all);
    Sym block = sym_fresh(cx->syms, "block");
    Node *offset = nat_mul(cx, nat_var(cx, block), size);
    Node *count = count_of_block(cx, all, size, offset, &decl);
    Node *body = make(env, nat_add(cx, from, offset), count);
    Node *up = nat_sub(cx, nat_add(cx, all, size), nat_const(cx, 1));
    if (decl) body = loops_block(cx, 2, (Node *[]){decl, body});
    Node *zero = nat_const(cx, 0), *blocks = nat_div(cx, up, size);
    if (loop->kind == LOOP_FOR) return loops_counted(cx, block, zero, blocks, body, loop->origin);
    return loops_loop(cx, (Kind)loop->kind, block, loop->op[0], zero, blocks, body, loop->origin);
}

Node *loops_unroll_by(Simplifier *known, Node *loop, int n, UnrolledBody *make, void *env)
{
    Session *cx = known->cx;
    Node *decl = NULL, *bounded = n > 1 ? simplifier_bounded(known, loop, &decl) : NULL;
    Stmts out = {0};
    if (bounded) loop = bounded;
    if (decl) vec_push(cx->arena, &out, decl);
    Node *from = loop->op[0], *zero = nat_const(cx, 0), *size = nat_const(cx, n);
    if (bounded) {
        Node *all = simplify_size(known, nat_max(cx, nat_sub(cx, loop->op[1], from), zero));
        Sym name = sym_fresh(cx->syms, loop->attr.sym->text);
        Node *times = nat_div(cx, all, size), *k = nat_mul(cx, nat_var(cx, name), size);
        Node *body = make(env, nat_add(cx, from, k), n);
        vec_push(cx->arena, &out, loops_counted(cx, name, zero, times, body, loop->origin));
        from = nat_add(cx, from, nat_mul(cx, times, size));
    }
    Node *k = nat_var(cx, loop->attr.sym), *ops[3] = {from, loop->op[1], make(env, k, 1)};
    if (from != loop->op[1]) vec_push(cx->arena, &out, node_with_ops(cx, loop, ops));
    return loops_block(cx, out.len, out.at);
}

Node *loops_inner_loop(Session *cx, Node *loop, Stmts *locals)
{
    Node *body = loops_body(loop);
    bool block = body->kind == LOOP_BLOCK && body->nops > 0;
    Node *last = block ? body->op[body->nops - 1] : body;
    if (last->kind != LOOP_FOR && last->kind != LOOP_PARALLEL) return NULL;
    for (uint32_t i = 0; block && i + 1 < body->nops; i++) {
        Node *s = body->op[i];
        if (s->kind != LOOP_DECL || loops_is_nothing(s->op[1])) return NULL;
        vec_push(cx->arena, locals, s);
    }
    return last;
}

Node *loops_with_total_range(const Simplifier *before, Node *loop)
{
    Session *cx = before->cx;
    uint32_t range = loop->nops - 3;
    for (uint32_t i = range; i < range + 2; i++)
        loop = node_with_op(cx, loop, (int)i, nat_total(cx, before->facts, loop->op[i]));
    return loop;
}
