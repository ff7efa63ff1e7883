// adze run FILE EXPR: evaluates an expression in the scope of a file, compiled or interpreted, and
// prints or writes its value.
#include "driver/commands/commands.h"
#include "driver/evaluate/evaluate.h"

/// A run of the command.
typedef struct {
    Evaluation evaluation;
    Outputs outputs;
} Run;

static bool read_expression(Driver *d, const Work *w, Run *r, Expression *x)
{
    Session *cx = d->cx;
    cx->pass = "parse";
    uint32_t file = expression_source(cx, d->options.arguments.at[1]);
    int next;
    Ast *e = file ? parse_expression(cx, file, w->module->ast_count, &next) : NULL;
    if (cx->errors || !expression_set_sizes(cx, e, &d->options.values[OPT_SIZE])) return false;
    return expression_infer(w, e, &r->evaluation.loads, x);
}

static bool write_result(Driver *d, const Outputs *o, Node *type, const AdzeArray *leaves)
{
    if (!outputs_write(d->cx, o, type, leaves)) return false;
    if (!d->json) return true;
    json_t *list = json_array();
    for (int i = 0; i < o->paths->len; i++) json_array_append_new(list, json_text(o->paths->at[i]));
    json_put(d->json, "written", list);
    return true;
}

static int run_body(Driver *d, void *env)
{
    Run *r = env;
    Work w;
    Expression x = {0};
    const Outputs *o = &r->outputs;
    bool interpret = option_given(&d->options, OPT_INTERPRET);
    if (!pipeline_open(d, d->options.arguments.at[0], &w) || !read_expression(d, &w, r, &x))
        return 1;
    Node *type = x.function->result;
    if (o->paths->len && !outputs_check(d->cx, o, type)) return 1;
    if (option_given(&d->options, OPT_TEXT) && !outputs_check_text(d->cx, type)) return 1;
    Evaluation *v = &r->evaluation;
    if (!(interpret ? evaluate_interpreted : evaluate_compiled)(d, &w, &x, v)) return 1;
    int results = type_leaves(type);
    AdzeArray *leaves = v->leaves + (v->nleaves - results);
    leaves_trim(type, leaves);
    if (o->paths->len) return write_result(d, o, type, leaves) ? 0 : 1;
    return result_print(d, type, leaves, results) ? 0 : 1;
}

int cmd_run(Driver *d)
{
    if (!option_is_count(&d->options, OPT_LIMIT) || !target_exists(&d->options)) return 2;
    if (!timing_is_count(&d->options)) return 2;
    Run r = {.evaluation = {.loads.arena = d->arena, .started = timing_now()}};
    if (!evaluation_find_level(&d->options, &r.evaluation.level) ||
        !outputs_choose(&d->options, &r.outputs))
        return 2;
    int status = driver_session(d, run_body, &r);
    for (int i = 0; i < r.evaluation.loads.files.len; i++)
        driver_reads(d, r.evaluation.loads.files.at[i]->path);
    evaluation_free(&r.evaluation);
    return status;
}
