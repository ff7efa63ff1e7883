// The --target option.
#include "driver/options/options.h"

#include <stdio.h>

const Target *target_wanted(const Options *o)
{
    const char *name = option_value(o, OPT_TARGET);
    int n;
    return name ? target_named(name) : &target_all(&n)[0];
}

static void list(bool with_device)
{
    int n;
    const Target *all = target_all(&n);
    for (int i = 0; i < n; i++)
        if (all[i].device || !with_device)
            fprintf(stderr, "  %-6s %s\n", all[i].name, all[i].purpose);
}

bool target_exists(const Options *o)
{
    const Target *target = target_wanted(o);
    if (target && option_given(o, OPT_PROFILE) && !target->device) {
        fprintf(stderr, "adze %s: --profile needs a target with a device: opencl or cuda\n",
                command_info[o->command].name);
        return false;
    }
    if (target) return true;
    fprintf(stderr, "adze %s: there is no target `%s`; the targets are:\n",
            command_info[o->command].name, option_value(o, OPT_TARGET));
    list(false);
    return false;
}

bool target_has_kernels(const Options *o)
{
    const Target *target = target_wanted(o);
    if (target->device) return true;
    fprintf(stderr,
            "adze %s: the target %s has no device, and so no kernels; these targets have one:\n",
            command_info[o->command].name, target->name);
    list(true);
    return false;
}
