// Fills memory for which no value is computed: sets it to zero, or marks it as undefined.
#include "dpia/translate/from_core.h"

// Applies the function to the elements of an array (in a loop) or to the parts of a struct.
static void each_part(Tr *t, Node *d, void (*fill)(Tr *t, Node *d))
{
    Node *type = d->type;
    if (type->kind == TYPE_ARRAY) {
        Loop l;
        loop_open(t, &l, type->op[0]);
        fill(t, acceptor_at(t, d, l.index));
        loop_close(t, &l);
    } else {
        for (uint32_t k = 0; k < type->nops; k++) fill(t, acceptor_part(t, d, (int)k));
    }
}

void fill_zero(Tr *t, Node *d)
{
    if (d->type->kind == TYPE_IDX)
        emit_assign(t, d, index_phrase(t, nat_const(t->cx, 0), d->type->op[0]));
    else if (type_is_value(d->type))
        emit_assign(t, d, zero_of(t, d->type));
    else
        each_part(t, d, fill_zero);
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

// Whether the acceptor is memory or a part of it, and not written through a view.
static bool is_part_of_memory(Node *d)
{
    while (d->kind == ACC_PROJ || d->kind == ACC_AT || d->kind == ACC_PART)
        d = d->op[d->kind == ACC_PART ? 2 : 0];
    return d->kind == ACC_VAR;
}

static void mark_undefined(Tr *t, Node *d)
{
    if (is_part_of_memory(d) || type_is_value(d->type))
        emit(t, node_make(t->cx, &(NodeSpec){.kind = COM_UNDEFINED, .nops = 1, .ops = &d}));
    else
        each_part(t, d, mark_undefined);
}

void leave_undefined(Tr *t, Node *d)
{
    enum { SMALL = 128 }; // bytes; C compilers unroll so short a copy and then warn about it
    bool zero = has_bool(d->type) || fits_bytes(d->type, SMALL);
    zero &=
        !t->cx->device || t->lockstep == 0; // in kernels each work-item would wait for the zeros
    (zero ? fill_zero : mark_undefined)(t, d);
}
