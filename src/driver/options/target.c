// The compilation targets.
#include "driver/options/options.h"

#include <stdio.h>
#include <string.h>

static const Target targets[] = {
#define TARGET(name, serial, device, purpose) {name, serial, device, purpose},
#include "driver/options/targets.def"
#undef TARGET
};
enum { TARGETS = sizeof targets / sizeof *targets };

const Target *target_wanted(const Options *o)
{
    const char *name = option_value(o, OPT_TARGET);
    if (!name && option_given(o, OPT_DEVICE)) name = "opencl";
    if (!name) return &targets[0];
    for (int i = 0; i < TARGETS; i++)
        if (strcmp(targets[i].name, name) == 0) return &targets[i];
    return NULL;
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
    for (int i = 0; i < TARGETS; i++)
        fprintf(stderr, "  %-6s %s\n", targets[i].name, targets[i].purpose);
    return false;
}
