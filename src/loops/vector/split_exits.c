// Splits exit conditions `c && x` in which `c` is uniform. The exit on `c` is then uniform and
// needs no mask.
//
//   decl e                                                if c { } else { goto end }
//   if c { e = x } else { e = false }        becomes      if !x { goto end }
//   if !e { goto end }
//
// The code on the left is how a loop `while c && x` begins.
#include "loops/vector/vectors.h"

typedef struct {
    Divergence *d;
    bool found;
} Exits;

static Node *only_statement(Node *s)
{
    while (s->kind == LOOP_BLOCK && s->nops == 1) s = s->op[0];
    return s;
}

static bool sets(Node *s, Sym local)
{
    return s->kind == LOOP_SET && s->attr.sym == local;
}

static bool sets_false(Node *s, Sym local)
{
    s = only_statement(s);
    return sets(s, local) && s->op[0]->kind == CORE_LIT && s->op[0]->attr.i == 0;
}

// The assignment to the local at the end of one side of a branch, if only declarations precede it,
// or NULL.
static Node *last_set(Node *side, Sym local)
{
    Node *last = side->kind == LOOP_BLOCK && side->nops ? side->op[side->nops - 1] : side;
    for (uint32_t i = 0; side->kind == LOOP_BLOCK && i + 1 < side->nops; i++)
        if (side->op[i]->kind != LOOP_DECL) return NULL;
    return sets(last, local) ? last : NULL;
}

// The jump of `if !local { jump }`, or NULL.
static Node *jump_if_false(Node *s, Sym local)
{
    bool tests = s->kind == LOOP_IF && s->op[0]->kind == CORE_PRIM &&
                 s->op[0]->attr.i == PRIM_NOT && s->op[0]->op[0]->kind == LOOP_VAR &&
                 s->op[0]->op[0]->attr.sym == local;
    if (!tests || !loops_is_empty(s->op[2])) return NULL;
    Node *jump = only_statement(s->op[1]);
    return jump->kind == LOOP_JUMP ? jump : NULL;
}

static bool is_used(Session *cx, Node *const *stmts, uint32_t n, Sym local)
{
    for (uint32_t i = 0; i < n; i++)
        if (loops_uses(cx, stmts[i], local)) return true;
    return false;
}

// Splits the exit in statements i to i + 2, and appends the new statements to `out`. Returns false
// if they do not have this form.
static bool split_exit(const Exits *x, Node *const *stmts, uint32_t i, uint32_t n, Stmts *out)
{
    Session *cx = x->d->cx;
    if (i + 2 >= n || stmts[i]->kind != LOOP_DECL || !loops_is_nothing(stmts[i]->op[1]))
        return false;
    Node *choice = stmts[i + 1], *leave = stmts[i + 2], *nothing = loops_block(cx, 0, NULL);
    Sym local = stmts[i]->attr.sym;
    if (choice->kind != LOOP_IF || !sets_false(choice->op[2], local)) return false;
    Node *set = last_set(choice->op[1], local), *jump = jump_if_false(leave, local);
    if (!set || !jump || !shape_is_uniform(divergence_of(x->d, choice->op[0]))) return false;
    if (is_used(cx, stmts + i + 3, n - i - 3, local)) return false;
    vec_push(cx->arena, out, node_with_ops(cx, choice, (Node *[]){choice->op[0], nothing, jump}));
    for (uint32_t k = 0; set != choice->op[1] && k + 1 < choice->op[1]->nops; k++)
        vec_push(cx->arena, out, choice->op[1]->op[k]);
    Node *left = core_prim(cx, PRIM_NOT, 1, set->op);
    vec_push(cx->arena, out, node_with_ops(cx, leave, (Node *[]){left, jump, nothing}));
    return true;
}

static Node *in_blocks(void *env, Node *s)
{
    Exits *x = env;
    Session *cx = x->d->cx;
    s = loops_map(cx, s, in_blocks, x);
    if (s->kind != LOOP_BLOCK) return s;
    Stmts out = {0};
    bool found = false;
    for (uint32_t i = 0; i < s->nops; i++) {
        if (split_exit(x, s->op, i, s->nops, &out)) {
            found = true;
            i += 2;
        } else {
            vec_push(cx->arena, &out, s->op[i]);
        }
    }
    x->found |= found;
    return found ? loops_block(cx, out.len, out.at) : s;
}

Node *split_uniform_exits(Divergence *d, Node *body)
{
    Exits x = {.d = d};
    body = in_blocks(&x, body);
    if (x.found) divergence_analyse(d, body);
    return body;
}
