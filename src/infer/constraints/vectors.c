// Vectors of numbers as indices and arguments: arrays of a known length, and tuples.
#include "infer/constraints/constraints.h"

Node *infer_vector_component(Node *t, int k)
{
    return t->kind == TYPE_TUPLE ? t->op[k] : t->kind == TYPE_ARRAY ? t->op[1] : t;
}

int infer_vector_length(Node *t)
{
    int64_t n;
    if (t->kind == TYPE_TUPLE) return (int)t->nops;
    if (t->kind != TYPE_ARRAY) return 1;
    return nat_is_const(t->op[0], &n) && n <= MOST_RANK ? (int)n : -1;
}

bool infer_is_vector_for(Body *b, Node *want, Node *found)
{
    int64_t n;
    if (want->kind != TYPE_ARRAY || found->kind != TYPE_TUPLE) return false;
    // The tuple () is accepted only for an array of length 0.
    if (found->nops == 0 && !(nat_is_const(want->op[0], &n) && n == 0)) return false;
    for (uint32_t k = 0; k < found->nops; k++) {
        Node *t = infer_resolve(b, found->op[k]);
        if (t->kind != TYPE_IDX && !infer_is_number(b, t)) return false;
    }
    return true;
}

bool infer_unify_vector(Body *b, Node *want, Node *found, Span span, Why why)
{
    bool good =
        infer_unify_sizes(b, want->op[0], nat_const(b->cx, found->nops), want, found, span, why);
    for (uint32_t k = 0; good && k < found->nops; k++) {
        Node *t = infer_resolve(b, found->op[k]);
        good = infer_unify(b, want->op[1], t->kind == TYPE_IDX ? infer_i64(b) : t, span, why);
    }
    return good;
}
