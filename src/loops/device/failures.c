// Checks in the parallel loops of a group. A work-item whose check fails leaves its iteration, but
// not the kernel, since the others wait for it at the next barrier. It sets a flag that the group
// shares, for which all look after the loop:
//
//   parallel i < 256 {                        parallel i < 256 {
//       check at[i] < n                           check at[i] < n, or else set failed[0]
//       tile[i] = xs[at[i]]                       tile[i] = xs[at[i]]
//   }                                         }
//                                             check failed[0] == 0
//
// Each of these loops has its own flag, so that none sets one while others still look. The last
// loop of an iteration needs none.
#include "loops/device/device.h"

typedef struct {
    Session *cx;
    Stmts flags; // their declarations and first values
    Node *set;   // the store that sets the one of the current loop
    Node *last;  // the last statement of the iteration
} Failures;

// The first check in the statement, or NULL.
static Node *check_in(Node *s)
{
    Node *found = s->kind == LOOP_CHECK ? s : NULL;
    for (uint32_t i = 0; i < s->nops && !found; i++)
        if (loops_is_stmt(s->op[i])) found = check_in(s->op[i]);
    return found;
}

// A check, which runs a statement if it fails.
static Node *check_like(Session *cx, Node *check, Node *condition, Node *failing)
{
    return node_make(cx, &(NodeSpec){.kind = LOOP_CHECK,
                                     .attr = check->attr,
                                     .nops = failing ? 2 : 1,
                                     .ops = (Node *[]){condition, failing},
                                     .origin = check->origin});
}

static Node *that_set(void *env, Node *s)
{
    const Failures *f = env;
    return s->kind == LOOP_CHECK ? check_like(f->cx, s, s->op[0], f->set)
                                 : loops_map(f->cx, s, that_set, env);
}

// The loop, whose checks set a new flag, and a check of the flag. That reports nothing, since the
// one of the work-item has.
static Node *watched(void *env, Node *s)
{
    Failures *f = env;
    Session *cx = f->cx;
    Node *check = s->kind == LOOP_PARALLEL && s != f->last ? check_in(s) : NULL;
    if (!check) return s->kind == LOOP_PARALLEL ? s : loops_map(cx, s, watched, env);
    Sym flag = sym_fresh(cx->syms, "failed");
    Node *type = type_scalar(cx, SCALAR_I32), *at = nat_const(cx, 0), *zero = core_int(cx, type, 0),
         *is = loops_load(cx, flag, type, at),
         *unset = core_prim(cx, PRIM_EQ, 2, (Node *[]){is, zero}),
         *decl = loops_stack(cx, flag, type, nat_const(cx, 1), s->origin);
    vec_push(cx->arena, &f->flags, node_with_variant(cx, decl, VARIANT_SHARED));
    vec_push(cx->arena, &f->flags, loops_store(cx, flag, at, zero, s->origin));
    f->set = loops_store(cx, flag, at, core_int(cx, type, 1), s->origin);
    return loops_block(cx, 2, (Node *[]){that_set(f, s), check_like(cx, check, unset, NULL)});
}

Node *device_with_failures(Session *cx, Node *body)
{
    Failures f = {.cx = cx, .last = device_loop_of(body)};
    body = watched(&f, body);
    if (f.flags.len == 0) return body;
    vec_push(cx->arena, &f.flags, body);
    return loops_block(cx, f.flags.len, f.flags.at);
}

int device_failing_loops(Node *s)
{
    int n = 0;
    if (s->kind == LOOP_PARALLEL) return check_in(s) != NULL;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) n += device_failing_loops(s->op[i]);
    return n;
}
