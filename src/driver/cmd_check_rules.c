// adze check-rules [FILE]...: whether the sides of rewrite rules agree on random instances.
#include "driver/internal.h"

#include <stdlib.h>

typedef struct {
    const char *path; // NULL: the rules of the library
    int rules, instances;
} RuleFile;

static const char library_rules[] = "std.rules";

static bool open_rules(Driver *d, const char *path, Work *w)
{
    Session *cx = d->cx;
    *w = (Work){.cx = cx, .path = path ? path : library_rules};
    w->file = path ? source_open(cx, path, NO_SPAN) : modules_find(cx, library_rules, 0, NULL);
    if (!w->file && cx->errors == 0)
        diag_error(cx, E0701, NO_SPAN, "there is no module `%s`", library_rules);
    return w->file && pipeline_run(w, PASS_parse, PASS_infer);
}

static int check_file(Driver *d, void *env)
{
    RuleFile *f = env;
    Work w;
    if (!open_rules(d, f->path, &w)) return 1;
    const char *seed = option_value(&d->options, OPT_SEED);
    Progress *p = progress_start(!d->json, "trying the rules of %s", w.path);
    d->cx->pass = "check-rules";
    for (int i = 0; i < w.program->rules.len; i++) {
        const RewriteRule *rule = w.program->rules.at[i];
        if (rule->span.file != w.file) continue;
        int n = schedule_check_rule(d->cx, rule, seed ? strtoull(seed, NULL, 10) : 1);
        f->rules += n > 0;
        f->instances += n;
    }
    progress_stop(p);
    return d->cx->errors > 0;
}

int cmd_check_rules(Driver *d)
{
    const Strings *paths = &d->options.arguments;
    int status = 0, rules = 0, instances = 0;
    if (!option_is_count(&d->options, OPT_SEED)) return 2;
    for (int i = 0; i < paths->len || (i == 0 && paths->len == 0); i++) {
        RuleFile f = {.path = paths->len ? paths->at[i] : NULL};
        status |= driver_session(d, check_file, &f);
        rules += f.rules;
        instances += f.instances;
    }
    if (d->json) {
        json_put(d->json, "rules", json_integer(rules));
        json_put(d->json, "instances", json_integer(instances));
    } else {
        printf("%d rules agree on %d instances\n", rules, instances);
    }
    return status;
}
