// Strides of positions with respect to loop indices.
#include "loops/ir/statements.h"

Node *loops_stride(Session *cx, Node *position, Sym index)
{
    Node *i = nat_var(cx, index);
    Node *next = loops_at(cx, position, index, nat_add(cx, i, nat_const(cx, 1)));
    Node *step = nat_sub(cx, next, position);
    return nat_occurs(step, i) ? NULL : step;
}

static bool mentions_index(Session *cx, Node *size, Node *const *loops, int n)
{
    for (int i = 0; i < n; i++)
        if (nat_occurs(size, nat_var(cx, loops[i]->attr.sym))) return true;
    return false;
}

bool loops_are_apart(Session *cx, const Facts *facts, Node *position, Node *const *loops, int n)
{
    VEC(Node *) steps = {0}, counts = {0};
    for (int i = 0; i < n; i++) {
        Node *step = loops_stride(cx, position, loops[i]->attr.sym);
        Node *count = nat_sub(cx, loops_to(loops[i]), loops_from(loops[i]));
        if (!step || mentions_index(cx, step, loops, n) || mentions_index(cx, count, loops, n))
            return false;
        vec_push(cx->arena, &steps, step);
        vec_push(cx->arena, &counts, count);
    }
    Node *least = nat_const(cx, 1);
    for (int left = n; left > 0; left--) {
        int next = -1;
        for (int i = n; i-- > 0;) {
            Node *step = steps.at[i];
            if (!step || nat_le(cx, facts, least, step) != TRUTH_YES) continue;
            if (next < 0 || nat_le(cx, facts, steps.at[next], step) != TRUTH_YES) next = i;
        }
        if (next < 0) return false;
        least = nat_mul(cx, steps.at[next], counts.at[next]);
        steps.at[next] = NULL;
    }
    return true;
}
