// adze devices: lists the devices that can run kernels.
#include "driver/commands/commands.h"
#include "driver/host/devices.h"

#include <stdlib.h>
#include <string.h>

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
    diag_help(d->cx, x,
              "install a driver for OpenCL or CUDA; with PoCL (the Debian package "
              "pocl-opencl-icd) the processor is a device");
    return 1;
}

int cmd_devices(Driver *d)
{
    const char *wanted = getenv("ADZE_DEVICE");
    List opencl = {.target = "opencl", .wanted = wanted},
         cuda = {.target = "cuda", .wanted = wanted};
    devices_of_opencl(put, &opencl);
    devices_of_cuda(put, &cuda);
    return opencl.found + cuda.found > 0 ? 0 : driver_session(d, no_device, NULL);
}
