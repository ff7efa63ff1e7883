// print and assert. All operands are evaluated before the line is written, so that nothing that
// they print ends up inside the line. Before staging, a failed assertion evaluates its message;
// after staging, the print steps before it have already produced the message.
#include "core/eval/eval.h"

// Appends the operands starting at index `first`, which are strings and data.
static bool add_parts(Eval *ev, Node *e, uint32_t first, const Value *mask, Scope s, Text *out)
{
    Value *values = ARENA_ARRAY(ev->arena, Value, e->nops + 1);
    for (uint32_t i = first; i < e->nops; i++)
        if (!eval_term(ev, e->op[i], s, &values[i])) return false;
    for (uint32_t i = first; i < e->nops; i++) {
        if (e->op[i]->kind == CORE_TEXT)
            text_put(out, e->op[i]->attr.sym->text);
        else
            value_print_lanes(ev->cx, out, &values[i], scope_type(ev, s, e->op[i]->type), mask,
                              ev->algebra);
    }
    return eval_charge(ev, (int64_t)out->len, e->origin);
}

bool eval_print(Eval *ev, Node *e, Scope s, Value *out)
{
    Session *cx = ev->cx;
    Value mask;
    Text line = text_new(ev->arena);
    *out = (Value){0};
    if (!cx->keeps_prints || ev->way.silent) return true;
    if (!eval_term(ev, e->op[0], s, &mask)) return false;
    if (!add_parts(ev, e, 1, mask.count ? &mask : NULL, s, &line)) return false;
    text_add(&cx->line, text_get(&line), line.len);
    session_print_line(cx);
    return true;
}

bool eval_assert(Eval *ev, Node *e, Scope s, Value *out)
{
    Session *cx = ev->cx;
    Value c;
    Text message = text_new(ev->arena);
    *out = (Value){0};
    if (cx->drops_asserts) return true;
    if (!eval_term(ev, e->op[0], s, &c)) return false;
    if (c.bits) return true;
    if (e->nops == 1 || !cx->keeps_prints)
        return eval_fail(ev, E0614, e->origin, "%s", session_take_failure(cx, e->origin));
    text_put(&message, "assertion failed: ");
    if (!add_parts(ev, e, 1, NULL, s, &message)) return false;
    return eval_fail(ev, E0614, e->origin, "%s", text_get(&message));
}
