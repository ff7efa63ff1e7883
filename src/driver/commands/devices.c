// adze devices: lists the devices that can run kernels. The option --device chooses one of them.
#include "driver/commands/commands.h"
#include "driver/host/devices.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/// The targets with devices, the preferred one first.
static const struct {
    const char *target;
    bool (*each)(DeviceFound *found, void *env);
} kinds[] = {{"opencl", devices_of_opencl}, {"cuda", devices_of_cuda}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const char install[] =
    "install a driver for OpenCL or CUDA; with PoCL (the Debian package pocl-opencl-icd) the "
    "processor is a device";

// --- adze devices -------------------------------------------------------------------------------

typedef struct {
    const char *target, *wanted; // a part of the name of the device that programs use, or NULL
    int found;
    bool chosen; // a device before this one is the one that they use
} List;

static bool put(void *env, void *device, const char *name, bool gpu)
{
    List *l = env;
    (void)device;
    bool first = !l->chosen && (!l->wanted || strstr(name, l->wanted));
    printf("%-8s%-5s%s%s\n", l->target, gpu ? "GPU" : "", name, first ? "  (default)" : "");
    l->found++;
    l->chosen |= first;
    return false;
}

static int no_device(Driver *d, void *env)
{
    (void)env;
    Diag *x = diag_error(d->cx, E0615, NO_SPAN, "no device that can run kernels");
    diag_help(d->cx, x, "%s", install);
    return 1;
}

int cmd_devices(Driver *d)
{
    const char *wanted = getenv("ADZE_DEVICE");
    int found = 0;
    bool chosen = false;
    for (int k = 0; k < KINDS; k++) {
        List list = {.target = kinds[k].target, .wanted = wanted};
        kinds[k].each(put, &list);
        found += list.found;
        chosen |= list.chosen;
    }
    if (found == 0) return driver_session(d, no_device, NULL);
    if (!chosen)
        fprintf(stderr, "adze devices: no device has `%s` in its name, as ADZE_DEVICE says\n",
                wanted);
    return 0;
}

// --- the option --device ------------------------------------------------------------------------

typedef struct {
    const char *wanted; // a part of its name
    bool found;
} Search;

static bool is_wanted(void *env, void *device, const char *name, bool gpu)
{
    Search *s = env;
    (void)device, (void)gpu;
    s->found = strstr(name, s->wanted) != NULL;
    return s->found;
}

typedef struct {
    Session *cx;
    Diag *diag;
    const char *target;
    int listed;
} Notes;

static bool note(void *env, void *device, const char *name, bool gpu)
{
    Notes *n = env;
    (void)device, (void)gpu;
    diag_note(n->cx, n->diag, NO_SPAN, "for the target %s there is: %s", n->target, name);
    n->listed++;
    return false;
}

static int no_such_device(Driver *d, void *env)
{
    (void)env;
    const char *target = option_value(&d->options, OPT_TARGET);
    Diag *x = diag_error(d->cx, E0615, NO_SPAN, "there is no device%s%s with `%s` in its name",
                         target ? " for the target " : "", target ? target : "",
                         option_value(&d->options, OPT_DEVICE));
    Notes notes = {.cx = d->cx, .diag = x};
    for (int k = 0; k < KINDS; k++) {
        notes.target = kinds[k].target;
        kinds[k].each(note, &notes);
    }
    if (notes.listed == 0) diag_help(d->cx, x, "%s", install);
    return 1;
}

// Whether there is a device of this kind with the name. Asks in another process: drivers start
// threads, without which they hang in the processes that `adze test` forks.
static bool is_there(int kind, const char *wanted)
{
    Search s = {.wanted = wanted};
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child <= 0) kinds[kind].each(is_wanted, &s);
    if (child < 0) return s.found;
    if (child == 0) _exit(s.found ? EXIT_SUCCESS : EXIT_FAILURE);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

int device_choose(Driver *d)
{
    Options *o = &d->options;
    const char *wanted = option_value(o, OPT_DEVICE), *target = option_value(o, OPT_TARGET);
    if (!wanted) return 0;
    if (target && (!target_exists(o) || !target_has_kernels(o))) return 2;
    for (int k = 0; k < KINDS; k++) {
        if (target && strcmp(target, kinds[k].target) != 0) continue;
        if (!is_there(k, wanted)) continue;
        if (!target) vec_push(d->arena, &o->values[OPT_TARGET], kinds[k].target);
        return 0;
    }
    return driver_session(d, no_such_device, NULL);
}
