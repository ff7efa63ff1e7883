// Evaluates inputs, in the child process.
#include "driver/repl/repl.h"

#include <string.h>

// --- expressions --------------------------------------------------------------------------------

typedef struct {
    const KeptValues *kept;
    bool *used; // for each kept value, whether the expression may mention it
} Mentions;

static Walk note_mention(const Ast *e, void *env)
{
    Mentions *m = env;
    for (int i = 0; e->kind == AST_NAME && e->name && i < m->kept->len; i++)
        m->used[i] |= strcmp(m->kept->at[i].name, e->name->text) == 0;
    return WALK_INTO;
}

// Returns { let x = load("x"); ...; e } with the kept values that the expression mentions.
static Ast *with_values(Session *cx, const KeptValues *kept, Ast *e, int next_id)
{
    Mentions m = {kept, ARENA_ARRAY(cx->arena, bool, kept->len + 1)};
    memset(m.used, 0, (size_t)kept->len + 1);
    ast_walk(e, note_mention, &m);
    Text text = text_new(cx->arena);
    text_char(&text, '{');
    for (int i = 0; i < kept->len; i++) {
        const char *name = kept->at[i].name;
        if (m.used[i]) text_printf(&text, " let %s = load(\"\\n%s\");", name, name);
    }
    if (text.len == 1) return e;
    text_put(&text, " 0 }");
    uint32_t file = session_add_source(cx, "values", text_get(&text), text.len);
    Ast *block = parse_expression(cx, file, next_id, &next_id);
    vec_last(&block->kids) = e;
    return block;
}

// Evaluates the expression. The interpreter is tried first; when it gives up, nothing is reported,
// and the expression is to be compiled.
static bool evaluate(Driver *d, InputRequest *q, const Work *w, const Expression *x)
{
    Evaluation *v = &q->evaluation;
    if (option_given(&d->options, OPT_INTERPRET)) return evaluate_interpreted(d, w, x, v);
    if (q->compiles) return evaluate_compiled(d, w, x, v);
    Brief brief = evaluate_briefly(d, w, x, v);
    q->compiles = brief == BRIEF_GIVEN_UP;
    if (q->compiles) d->cx->diags.len = 0;
    return brief == BRIEF_DONE;
}

// Reports the values that a `let` gives names.
static bool report_values(Session *cx, const InputRequest *q, const Syms *names, Node *type,
                          const AdzeArray *leaves)
{
    for (int i = 0; i < names->len; i++) {
        Node *part = names->len == 1 ? type : type->op[i];
        if (names->len > 1 && type_is_up_to(type) && i == 1)
            return process_report_value(cx, q->to, names->at[i]->text, type, leaves - 1);
        if (!process_report_value(cx, q->to, names->at[i]->text, part, leaves)) return false;
        leaves += type_leaves(part);
    }
    return true;
}

static bool use_value(Driver *d, const InputRequest *q, const Input *in, const Outputs *o,
                      Node *type, AdzeArray *leaves)
{
    if (in->kind == INPUT_LET) return report_values(d->cx, q, &in->names, type, leaves);
    leaves_trim(type, leaves);
    if (q->want == WANT_PICTURE) return picture_show(d, leaves);
    if (q->want == WANT_FILE) return outputs_write(d->cx, o, type, leaves);
    return result_print(d, type, leaves, type_leaves(type));
}

// If a `let` gives names to the number and the elements of an array of type [?n]t, which has these
// names only in a block, replaces the block by the array.
static bool is_up_to(const Work *w, Input *in, Evaluation *v)
{
    Expression x;
    Ast *block = in->value, *let = block->kind == AST_BLOCK ? block->kids.at[0] : NULL;
    if (in->kind != INPUT_LET || in->names.len != 2 || let->kids.at[0]->kids.len != 2) return false;
    DiagMark mark = diag_mark(w->cx);
    in->value = with_values(w->cx, v->loads.kept, let->kids.at[2], in->next_id);
    bool found = expression_infer(w, in->value, &v->loads, &x) && type_is_up_to(x.function->result);
    if (found) return true;
    diag_withdraw(w->cx, mark);
    in->value = block;
    return false;
}

static bool write_outputs(Driver *d, const InputRequest *q, Node *type, Outputs *o)
{
    if (!option_given(&d->options, OPT_WRITE_TO))
        vec_push(d->arena, &d->options.values[OPT_WRITE_TO], q->output);
    return outputs_choose(&d->options, o) && outputs_check(d->cx, o, type);
}

static bool evaluate_input(Driver *d, InputRequest *q, const Work *w, Input *in)
{
    Expression x;
    Outputs o = {0};
    Evaluation *v = &q->evaluation;
    if (!is_up_to(w, in, v)) in->value = with_values(d->cx, d->kept, in->value, in->next_id);
    if (!expression_infer(w, in->value, &v->loads, &x)) return false;
    Node *type = x.function->result;
    if (q->want == WANT_TYPE) {
        printf("%s\n", type_show(d->cx, type));
        return true;
    }
    if (q->want == WANT_FILE && !write_outputs(d, q, type, &o)) return false;
    if (q->want == WANT_PICTURE && !picture_check(d, type)) return false;
    if (!evaluate(d, q, w, &x)) return false;
    return use_value(d, q, in, &o, type, v->leaves + (v->nleaves - type_leaves(type)));
}

// --- inputs -------------------------------------------------------------------------------------

// Says which definitions stay as they were because the change of the program has errors.
static int keep_earlier(const Work *w)
{
    Session *cx = w->cx;
    for (int i = 0; i < w->replaced.len && cx->diags.len; i++) {
        const Item *item = w->replaced.at[i].before;
        if (item->name)
            diag_help(cx, vec_last(&cx->diags), "%s keeps its earlier definition",
                      item->name->text);
    }
    return 1;
}

static int define(Driver *d, InputRequest *q, uint32_t end)
{
    Work w;
    Addition more = {q->label, arena_strndup(d->arena, q->text, end), NULL};
    vec_push(d->arena, &q->additions, more);
    d->additions = &q->additions;
    if (!pipeline_open(d, q->r->path, &w)) return keep_earlier(&w);
    define_report(&w, q);
    return 0;
}

// Whether the name of a function or another item is the whole expression. If so, prints it.
static bool shows_item(const Work *w, const InputRequest *q, const Ast *e)
{
    if (q->want != WANT_TYPE || e->kind != AST_NAME) return false;
    const Item *item = item_find(w, e->name->text, NULL);
    if (!item) return false;
    printf("%s\n", define_show(w->cx, item));
    return true;
}

static int evaluate_body(Driver *d, void *request)
{
    InputRequest *q = request;
    Session *cx = d->cx;
    uint32_t file = session_add_source(cx, "input", q->text, strlen(q->text));
    DiagMark mark = diag_mark(cx);
    Input in = parse_input(cx, file, 0);
    Diags errors = diag_withdraw(cx, mark);
    if (!q->compiles) process_report(q->to, "end", "%u", in.end);
    if (in.kind == INPUT_NOTHING && errors.len == 0) return 0;
    if (in.kind == INPUT_ITEMS && q->want == WANT_VALUE) return define(d, q, in.end);
    diag_report(cx, &errors);
    if (cx->errors) return 1;
    Work w;
    if (!pipeline_open(d, q->r->path, &w)) return 1;
    in = parse_input(cx, file, w.module->ast_count);
    if (cx->errors || !in.value) return 1;
    bool kept =
        in.value->kind == AST_NAME && in.value->name && store_find(q->r, in.value->name->text);
    if (!kept && shows_item(&w, q, in.value)) return 0;
    return evaluate_input(d, q, &w, &in) ? 0 : 1;
}

int input_session(Driver *d, int (*body)(Driver *d, void *request), void *request)
{
    Driver plain = *d;
    vec_push(d->arena, &plain.options.values[OPT_PLAIN], "");
    return driver_session(&plain, body, request);
}

int input_evaluate(Driver *d, void *request)
{
    InputRequest *q = request;
    q->evaluation = (Evaluation){.level = q->r->level,
                                 .loads = {.arena = d->arena, .kept = d->kept},
                                 .started = timing_now()};
    q->compiles = q->want == WANT_TIME;
    if (q->compiles) vec_push(d->arena, &d->options.values[OPT_TIME], "");
    int status = q->compiles ? 1 : input_session(d, evaluate_body, q);
    if (q->compiles) status = driver_session(d, evaluate_body, q);
    evaluation_free(&q->evaluation);
    return status;
}

static int open_body(Driver *d, void *request)
{
    InputRequest *q = request;
    Work w;
    if (!pipeline_open(d, q->r->path, &w)) return keep_earlier(&w);
    define_report(&w, q);
    return 0;
}

int input_open(Driver *d, void *request)
{
    return input_session(d, open_body, request);
}

static int readable_body(Driver *d, void *request)
{
    const InputRequest *q = request;
    return source_open(d->cx, q->label, NO_SPAN) ? 0 : 1;
}

int input_readable(Driver *d, void *request)
{
    return input_session(d, readable_body, request);
}

// Returns the text of an item with its documentation.
static const char *item_text(Session *cx, const Item *item)
{
    Text out = text_new(cx->arena);
    for (const char *doc = item->doc; doc;) {
        int n = (int)strcspn(doc, "\n");
        text_printf(&out, "///%s%.*s\n", n ? " " : "", n, doc);
        doc = doc[n] ? doc + n + 1 : NULL;
    }
    text_put(&out, source_text(cx, item->span));
    return text_get(&out);
}

static int save_body(Driver *d, void *request)
{
    const InputRequest *q = request;
    Work w;
    if (!pipeline_open(d, q->r->path, &w)) return 1;
    Text out = text_new(d->cx->arena);
    for (int i = 0; i < w.module->items.len; i++) {
        const Item *item = w.module->items.at[i];
        bool joined = i > 0 && item->kind == ITEM_IMPORT;
        text_printf(&out, "%s%s\n", i == 0 || joined ? "" : "\n", item_text(d->cx, item));
    }
    FileText file = {q->output, text_get(&out), out.len};
    return files_write(d->cx, d->cleanup, &file, 1) ? 0 : 1;
}

int input_save(Driver *d, void *request)
{
    return input_session(d, save_body, request);
}

int input_explain(Driver *d, void *request)
{
    const InputRequest *q = request;
    Strings arguments = {0};
    vec_push(d->arena, &arguments, q->r->path);
    vec_push(d->arena, &arguments, q->text);
    d->options.arguments = arguments;
    d->options.command = COMMAND_EXPLAIN;
    if (*q->output) vec_push(d->arena, &d->options.values[OPT_STAGE], q->output);
    return cmd_explain(d);
}
