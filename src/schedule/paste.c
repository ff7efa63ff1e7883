// The text of strategies and places, as a user writes them.
#include "schedule/run.h"

/// A text that is being written, and the files whose rules and strategies it names.
typedef struct {
    Text text;
    Pasted *done;
} Writer;

static void put_strategy(Run *r, Writer *out, const Strategy *s, const Env *env);

static void put_list(Writer *out, const Argument *a)
{
    text_char(&out->text, '[');
    for (int i = 0; i < a->list.len; i++)
        text_printf(&out->text, "%s%lld", i ? ", " : "", (long long)a->list.at[i]);
    text_char(&out->text, ']');
}

static void put_argument(Run *r, Writer *out, ArgKind kind, const Strategy *s, const Env *env)
{
    Argument a = run_argument(r, kind, s, env);
    switch (kind) {
    case ARG_STRATEGY: put_strategy(r, out, a.strategy, a.env); return;
    case ARG_NUMBER: text_printf(&out->text, "%lld", (long long)a.number); return;
    case ARG_LIST: put_list(out, &a); return;
    case ARG_TEXT: text_printf(&out->text, "\"%s\"", a.text); return;
    }
}

static ArgKind kind_of(const Strategy *s, int k)
{
    if (s->form == STRATEGY_RULE) return ARG_NUMBER;
    if (s->form == STRATEGY_CALL) return s->item->params.at[k].kind;
    char letter = primitive_info[s->primitive].args[k];
    return letter == 'n' ? ARG_NUMBER : letter == 't' ? ARG_TEXT : ARG_STRATEGY;
}

// Names are imported from the file that defines them.
static void note_file(Run *r, Writer *out, const Strategy *s)
{
    uint32_t file = s->form == STRATEGY_RULE   ? s->rule->span.file
                    : s->form == STRATEGY_CALL ? s->item->span.file
                                               : 0;
    if (file) vec_push(r->cx->arena, &out->done->files, file);
}

// Writes name(arguments), with the values of numbers.
static void put_applied(Run *r, Writer *out, const Strategy *s, const Env *env)
{
    note_file(r, out, s);
    text_put(&out->text, s->form == STRATEGY_RULE   ? s->rule->name->text
                         : s->form == STRATEGY_CALL ? s->item->name->text
                                                    : primitive_info[s->primitive].name);
    for (int i = 0; i < s->kids.len; i++) {
        text_put(&out->text, i ? ", " : "(");
        put_argument(r, out, kind_of(s, i), s->kids.at[i], env);
    }
    if (s->kids.len) text_char(&out->text, ')');
}

static void put_sequence(Run *r, Writer *out, const Strategy *s, const Env *env)
{
    text_put(&out->text, "{ ");
    for (int i = 0; i < s->kids.len; i++) {
        put_strategy(r, out, s->kids.at[i], env);
        text_put(&out->text, "; ");
    }
    text_char(&out->text, '}');
}

static void put_strategy(Run *r, Writer *out, const Strategy *s, const Env *env)
{
    switch (s->form) {
    case STRATEGY_SEQUENCE: put_sequence(r, out, s, env); return;
    case STRATEGY_ELSE:
        text_put(&out->text, "{ ");
        put_strategy(r, out, s->kids.at[0], env);
        text_put(&out->text, " <+ ");
        put_strategy(r, out, s->kids.at[1], env);
        text_put(&out->text, "; }");
        return;
    case STRATEGY_IF:
        put_strategy(r, out, s->kids.at[run_number(r, s->kids.at[0], env) ? 1 : 2], env);
        return;
    case STRATEGY_PARAM: put_argument(r, out, ARG_STRATEGY, s, env); return;
    default: put_applied(r, out, s, env); return;
    }
}

bool run_is_child(Node *e, int k)
{
    Sort sort = kind_sort((Kind)e->kind, k);
    return (sort == SORT_TERM || sort == SORT_FUN) && e->op[k]->kind != CORE_GLOBAL;
}

// The number of the operand among the children of the term.
static int child_number(Node *e, int operand)
{
    int k = 0;
    for (int i = 0; i < operand; i++) k += run_is_child(e, i);
    return k;
}

static int put_place(Text *out, const Way *way)
{
    if (!way) return 0;
    int depth = put_place(out, way->outer);
    if (way->child < 0) return depth; // `arg` enters the body of a function
    text_printf(out, "arg(%d, ", child_number(way->node, way->child));
    return depth + 1;
}

Pasted run_pasted(Run *r, const Strategy *s, const Env *env, const Way *way)
{
    Pasted done = {0};
    Writer out = {text_new(r->cx->arena), &done};
    int depth = put_place(&out.text, way);
    put_strategy(r, &out, s, env);
    while (depth-- > 0) text_char(&out.text, ')');
    done.text = text_get(&out.text);
    return done;
}
