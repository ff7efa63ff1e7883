// adze devices: lists the devices that can run kernels.
#include "driver/commands/commands.h"
#include "driver/host/devices.h"

typedef struct {
    const char *target;
    int found, wanted;
} List;

static void put(void *env, const char *name, bool gpu, bool wanted)
{
    List *l = env;
    bool first = wanted && l->wanted == 0;
    printf("%-8s%-5s%s%s\n", l->target, gpu ? "GPU" : "", name, first ? "  (default)" : "");
    l->found++;
    l->wanted += wanted;
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
    List opencl = {.target = "opencl"}, cuda = {.target = "cuda"};
    devices_of_opencl(put, &opencl);
    devices_of_cuda(put, &cuda);
    return opencl.found + cuda.found > 0 ? 0 : driver_session(d, no_device, NULL);
}
