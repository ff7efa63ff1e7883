// adze check FILE...: reports all errors that can be found without running the programs.
#include "driver/commands/commands.h"

static int check_file(Driver *d, void *env)
{
    Work w;
    d->cx->remarks = true;
    if (!pipeline_open(d, env, &w)) return 1;
    int n;
    const Function **entries = pipeline_functions(&w, NULL, &n);
    for (int i = 0; i < n; i++) pipeline_stage(&w, entries[i]);
    return 0;
}

int cmd_check(Driver *d)
{
    return driver_each_argument(d, check_file);
}
