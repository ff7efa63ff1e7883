// The devices that CUDA finds.
#include "driver/host/devices.h"

#define ADZE_WITH_CUDA
#include "adze_device.h"

typedef struct {
    DeviceFound *found;
    void *env;
} Visit;

static bool visit(void *env, void *device, const char *name, bool gpu)
{
    const Visit *v = env;
    (void)device;
    v->found(v->env, name, gpu, adze_device_is_wanted(name));
    return false;
}

bool devices_of_cuda(DeviceFound *found, void *env)
{
    Visit v = {found, env};
    if (!adze_device_find_functions()) return false;
    adze_device_each(visit, &v);
    return true;
}
