// Expressions and statements as text. The functions in emit/code and emit/vector that write the
// individual kinds are called through pointers in Emitter.
#include "emit/text/text.h"

void emit_expr(Emitter *e, Node *x, int min)
{
    e->expr(e, x, min);
}

void emit_stmt(Emitter *e, Node *s, const Place *place)
{
    e->stmt(e, s, place);
}

void emit_forget(Emitter *e, int outer)
{
    while (e->bound.len > outer) names_forget(e, e->bound.at[--e->bound.len]);
}

void emit_body(Emitter *e, Node *s, const Place *place)
{
    int outer = e->bound.len;
    Map fresh = e->fresh;
    e->fresh = map_new(e->arena); // the body may run again, or not at all
    e->indent++;
    emit_stmt(e, s, place);
    e->indent--;
    e->fresh = fresh;
    emit_forget(e, outer);
}

Scalar emit_scalar_of(Node *type)
{
    return type->kind == TYPE_SCALAR ? (Scalar)type->attr.i : SCALAR_I64;
}

const char *emit_ctype(const Emitter *e, Scalar s)
{
    if (e->options->field && scalar_info[s].class == CLASS_FLOAT) return "adze_field";
    return scalar_info[s].ctype;
}

const char *emit_position_ctype(const Emitter *e, Sym name)
{
    bool narrow = e->positions && map_get(&e->positions->names, MAP_KEY(name));
    return narrow ? "adze_index" : emit_ctype(e, SCALAR_I64);
}

bool emit_open(Emitter *e, int own, int min)
{
    if (own < min) text_char(e->out, '(');
    return own < min;
}

void emit_close(Emitter *e, bool opened)
{
    if (opened) text_char(e->out, ')');
}

// --- expressions as strings --------------------------------------------------------------------

const char *text_of(Emitter *e, Spell *spell, Node *x, int min)
{
    Text text = text_new(e->arena), *out = e->out;
    e->out = &text;
    spell(e, x, min);
    e->out = out;
    return text_get(&text);
}

const char *expr_text(Emitter *e, Node *x, int min)
{
    return text_of(e, e->expr, x, min);
}

const char *operands_text(Emitter *e, Node *x)
{
    Text text = text_new(e->arena);
    for (uint32_t i = 0; i < x->nops; i++)
        text_printf(&text, "%s%s", i ? ", " : "", expr_text(e, x->op[i], PREC_ANY));
    return text_get(&text);
}

const char *size_text(Emitter *e, Node *n, int min)
{
    return text_of(e, emit_size, n, min);
}

const char *saturating_text(Emitter *e, Node *n)
{
    return text_of(e, emit_saturating_size, n, PREC_ANY);
}

const char *negated_text(Emitter *e, Node *condition)
{
    return expr_text(e, loops_negated(e->cx, condition), PREC_ANY);
}

// --- places -------------------------------------------------------------------------------------

const LoopParam *result_of(const CFunction *f)
{
    return &vec_last(&f->entry->params);
}

bool emit_is_result(const Emitter *e, Sym name)
{
    return e->function->gives && result_of(e->function)->name == name;
}

// Spells a position. An index beyond any memory, which the preceding check rejects, becomes 0,
// since C compilers would warn about it.
const char *position_text(Emitter *e, Node *position)
{
    int64_t k;
    bool beyond = nat_is_const(position, &k) && k >= (int64_t)1 << 48;
    return beyond ? "0" : size_text(e, position, PREC_ANY);
}

const char *place_text(Emitter *e, Sym name, Node *position)
{
    const LoopParam *p = map_get(&e->params, MAP_KEY(name));
    const char *spelled = names_use(e, name);
    if (emit_is_result(e, name)) return spelled;
    if (p && p->rank == 0) return arena_printf(e->arena, "*%s", spelled);
    return arena_printf(e->arena, "%s[%s]", spelled, position_text(e, position));
}
