// adze check FILE...: everything that can be wrong with a program short of running it.
#include "driver/commands/commands.h"

static int check_file(Driver *d, void *env)
{
    Work w;
    d->cx->remarks = true;
    if (!pipeline_open(d, env, &w)) return 1;
    for (int i = 0; i < w.program->functions.len; i++) {
        const Function *f = w.program->functions.at[i];
        if (f->entry && function_is_own(&w, f)) pipeline_stage(&w, f);
    }
    return 0;
}

int cmd_check(Driver *d)
{
    int status = 0;
    for (int i = 0; i < d->options.arguments.len; i++) {
        char *path = arena_printf(d->arena, "%s", d->options.arguments.at[i]);
        if (driver_session(d, check_file, path) != 0) status = 1;
    }
    return status;
}
