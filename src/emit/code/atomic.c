// Atomic updates (std.atomics), written with the __atomic_ builtins of gcc and clang, and in
// kernels with compare-and-swap (runtime/adze_kernel.cl). An update without a machine instruction
// of its own is a loop around a compare-and-swap.
#include "emit/code/code.h"
#include "loops/ir/statements.h"

typedef struct {
    const char *place, *value;
    Node *old, *given, *expected; // `expected` is NULL unless this is a compare-and-swap
} Update;

// Returns the name of the type in runtime/adze_kernel.cl, and notes that its functions are used.
static const char *kernel_type(Emitter *e, Scalar k)
{
    if (e->options->field && scalar_info[k].class == CLASS_FLOAT) k = SCALAR_U64;
    support_need(e, arena_printf(e->arena, "replace_%s", scalar_info[k].text));
    return scalar_info[k].text;
}

static void load_old(Emitter *e, const Update *u, Scalar k)
{
    const char *old = names_use(e, u->old->attr.sym);
    if (e->kernel) {
        emit_line(e, "%s %s = adze_load_%s(%s);", emit_ctype(e, k), old, kernel_type(e, k),
                  u->place);
        return;
    }
    emit_line(e, "%s %s;", emit_ctype(e, k), old);
    emit_line(e, "__atomic_load(%s, &%s, __ATOMIC_SEQ_CST);", u->place, old);
}

// Returns the C expression for a compare-and-swap, which stores `next` if the memory equals `old`,
// and otherwise loads the memory into `old`.
static const char *replaced(Emitter *e, const Update *u, const char *next)
{
    if (e->kernel)
        return arena_printf(e->arena, "adze_replace_%s(%s, &%s, %s)",
                            kernel_type(e, emit_scalar_of(u->old->type)), u->place,
                            names_use(e, u->old->attr.sym), next);
    return arena_printf(e->arena,
                        "__atomic_compare_exchange(%s, &%s, &%s, 0, __ATOMIC_SEQ_CST, "
                        "__ATOMIC_SEQ_CST)",
                        u->place, names_use(e, u->old->attr.sym), next);
}

static void combined(Emitter *e, const Update *u, Prim op, Scalar k)
{
    Sym next = sym_fresh(e->cx->syms, "next");
    load_old(e, u, k);
    emit_line(e, "%s %s;", emit_ctype(e, k), names_declare(e, next, true));
    Node *made = core_prim(e->cx, op, 2, (Node *[]){u->old, u->given});
    emit_line(e, "do {");
    emit_line(e, "    %s = %s;", names_use(e, next), expr_text(e, made, PREC_ANY));
    emit_line(e, "} while (!%s);", replaced(e, u, names_use(e, next)));
}

static void compared(Emitter *e, const Update *u, Scalar k)
{
    load_old(e, u, k);
    Node *equal = core_prim(e->cx, PRIM_EQ, 2, (Node *[]){u->old, u->expected});
    emit_line(e, "while (%s", expr_text(e, equal, PREC_AND));
    emit_line(e, "       && !%s)", replaced(e, u, u->value));
    emit_line(e, "    continue;");
}

void emit_atomic_body(Emitter *e, const LoopEntry *f, Atomic a)
{
    int last = atomic_info[a].arity - 1;
    Scalar k = f->params.at[0].scalar;
    Node *type = type_scalar(e->cx, k);
    Sym old = sym_fresh(e->cx->syms, "old");
    Update u = {.place = names_use(e, f->params.at[0].name),
                .value = names_use(e, f->params.at[last].name),
                .old = loops_local(e->cx, old, type),
                .given = loops_local(e->cx, f->params.at[last].name, type),
                .expected =
                    a == ATOMIC_CAS ? loops_local(e->cx, f->params.at[1].name, type) : NULL};
    if (a == ATOMIC_ADD && e->kernel && (k == SCALAR_I32 || k == SCALAR_U32)) {
        emit_line(e, "return atomic_add(%s, %s);", u.place, u.value);
        return;
    }
    if (a == ATOMIC_ADD && scalar_info[k].class != CLASS_FLOAT && !e->kernel) {
        emit_line(e, "return __atomic_fetch_add(%s, %s, __ATOMIC_SEQ_CST);", u.place, u.value);
        return;
    }
    names_declare(e, old, true);
    if (a == ATOMIC_EXCHANGE && e->kernel) {
        load_old(e, &u, k);
        emit_line(e, "while (!%s) continue;", replaced(e, &u, u.value));
    } else if (a == ATOMIC_EXCHANGE) {
        emit_line(e, "%s %s;", emit_ctype(e, k), names_use(e, old));
        emit_line(e, "__atomic_exchange(%s, &%s, &%s, __ATOMIC_SEQ_CST);", u.place, u.value,
                  names_use(e, old));
    } else if (a == ATOMIC_CAS) {
        compared(e, &u, k);
    } else {
        combined(e, &u, atomic_info[a].op, k);
    }
    emit_line(e, "return %s;", names_use(e, old));
}
