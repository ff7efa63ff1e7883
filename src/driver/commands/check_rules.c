// adze check-rules [FILE]...: tests on random instances whether the two sides of each rewrite rule
// agree.
#include "driver/commands/commands.h"

#include <stdlib.h>

typedef struct {
    const char *path;
    int rules, instances;
} RuleFile;

static int check_file(Driver *d, void *env)
{
    RuleFile *f = env;
    Work w = {.cx = d->cx, .path = f->path, .file = source_open(d->cx, f->path, NO_SPAN)};
    if (!w.file || !pipeline_run(&w, PASS_parse, PASS_infer)) return 1;
    const char *seed = option_value(&d->options, OPT_SEED);
    Progress *p = progress_start(!d->json, "testing the rules of %s", w.path);
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
    Strings paths = d->options.arguments;
    int status = 0, rules = 0, instances = 0;
    if (!option_is_count(&d->options, OPT_SEED)) return 2;
    if (paths.len == 0) paths = modules_of_library(d->arena, "std");
    for (int i = 0; i < paths.len; i++) {
        RuleFile f = {.path = paths.at[i]};
        status |= driver_session(d, check_file, &f);
        rules += f.rules;
        instances += f.instances;
    }
    if (d->json) {
        json_put(d->json, "rules", json_integer(rules));
        json_put(d->json, "instances", json_integer(instances));
    } else if (rules > 0 || status == 0) {
        printf("%d rule%s on %d instances\n", rules, rules == 1 ? " agrees" : "s agree", instances);
    }
    return status;
}
