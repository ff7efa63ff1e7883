#include "base/target/target.h"

#include <string.h>

static const Target targets[] = {
#define TARGET(name, serial, device, purpose) {name, serial, device, purpose},
#include "base/target/target.def"
#undef TARGET
};
enum { TARGETS = sizeof targets / sizeof *targets };

const Target *target_all(int *n)
{
    *n = TARGETS;
    return targets;
}

const Target *target_named(const char *name)
{
    for (int i = 0; i < TARGETS; i++)
        if (strcmp(targets[i].name, name) == 0) return &targets[i];
    return NULL;
}
