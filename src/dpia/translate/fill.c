// Memory that no value is computed for: zeros, and elements without a value.
#include "dpia/translate/from_core.h"

void fill_zero(Tr *t, Node *d)
{
    Node *type = d->type;
    if (type->kind == TYPE_ARRAY) {
        Loop l;
        loop_open(t, &l, type->op[0]);
        fill_zero(t, acceptor_at(t, d, l.index));
        loop_close(t, &l);
    } else if (type->kind == TYPE_IDX) {
        emit_assign(t, d, index_phrase(t, nat_const(t->cx, 0), type->op[0]));
    } else if (type_is_value(type)) {
        emit_assign(t, d, zero_of(t, type));
    } else {
        for (uint32_t k = 0; k < type->nops; k++) fill_zero(t, acceptor_part(t, d, (int)k));
    }
}

static bool has_bool(Node *type)
{
    Scalar s;
    type = type_elements(type);
    if (type_is_scalar(type, &s)) return s == SCALAR_BOOL;
    for (uint32_t i = 0; i < type->nops && !type_is_atom(type); i++)
        if (has_bool(type->op[i])) return true;
    return false;
}

void leave_undefined(Tr *t, Node *d)
{
    enum { SMALL = 128 }; // bytes: C compilers unroll loops over so few elements, and find the copy
    if (has_bool(d->type) || fits_bytes(d->type, SMALL))
        fill_zero(t, d);
    else
        emit(t, node_make(t->cx, &(NodeSpec){.kind = COM_UNDEFINED, .nops = 1, .ops = &d}));
}
