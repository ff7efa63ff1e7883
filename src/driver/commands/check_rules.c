// adze check-rules [FILE]...: whether the sides of rewrite rules agree on random instances.
#include "driver/commands/commands.h"

#include <stdlib.h>

typedef struct {
    const char *path; // of a file, or the name of a module of the library
    bool is_module;
    int rules, instances;
} RuleFile;

static const char *const library[] = {"std.map_rules",    "std.reduce_rules", "std.pair_rules",
                                      "std.window_rules", "std.part_rules",   "std.movement_rules",
                                      "std.memory_rules", "std.strategies",   "std.vector_rules"};

static bool open_rules(Driver *d, const RuleFile *f, Work *w)
{
    Session *cx = d->cx;
    *w = (Work){.cx = cx, .path = f->path};
    w->file = f->is_module ? modules_find(cx, f->path, 0, NULL) : source_open(cx, f->path, NO_SPAN);
    if (!w->file && cx->errors == 0)
        diag_error(cx, E0701, NO_SPAN, "there is no module `%s`", f->path);
    return w->file && pipeline_run(w, PASS_parse, PASS_infer);
}

static int check_file(Driver *d, void *env)
{
    RuleFile *f = env;
    Work w;
    if (!open_rules(d, f, &w)) return 1;
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
    bool own = paths->len > 0;
    int n = own ? paths->len : (int)(sizeof library / sizeof *library);
    int status = 0, rules = 0, instances = 0;
    if (!option_is_count(&d->options, OPT_SEED)) return 2;
    for (int i = 0; i < n; i++) {
        RuleFile f = {.path = own ? paths->at[i] : library[i], .is_module = !own};
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
