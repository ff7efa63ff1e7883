// Reads expressions, and loads the files that they name.
#include "driver/evaluate/evaluate.h"

#include <string.h>

uint32_t expression_source(Session *cx, const char *text)
{
    size_t bad;
    if (text_is_utf8(text, strlen(text), &bad))
        return session_add_source(cx, "expression", text, strlen(text));
    diag_error(cx, E0704, NO_SPAN, "the expression is not UTF-8 text");
    return 0;
}

bool expression_infer(const Work *w, Ast *e, Loads *loads, Expression *x)
{
    Session *cx = w->cx;
    int n;
    cx->pass = "infer";
    *x = (Expression){.ast = e, .loads = loads};
    x->function = infer_expression(cx, w->program, w->module, e, loads_type, loads, &x->paths, &n);
    if (cx->errors || !x->function) return false;
    x->leaves = ARENA_ARRAY(cx->arena, const AdzeArray *, n + 1);
    for (int i = 0; i < n; i++) {
        x->leaves[i] = loads_get(cx, loads, x->paths[i], x->function->params.at[i].type);
        if (!x->leaves[i]) return false;
    }
    return true;
}

void evaluation_free(Evaluation *r)
{
    leaves_free(r->leaves, r->nleaves);
    library_close(r->library);
    loads_free(&r->loads);
}

bool evaluation_find_level(const Options *o, Stage *level)
{
    static const Stage with[] = {STAGE_CORE, STAGE_DPIA, STAGE_LOOP};
    const char *name = option_value(o, OPT_INTERPRET);
    *level = STAGE_CORE;
    if (!name || !*name) return true;
    for (int i = 0; i < 3; i++)
        if (strcmp(name, stage_name[with[i]]) == 0) return *level = with[i], true;
    fprintf(stderr,
            "adze %s: there is no interpreter of the level `%s`, only of core, dpia and loop\n",
            command_info[o->command].name, name);
    return false;
}
