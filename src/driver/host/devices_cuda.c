// The devices that CUDA finds.
#include "driver/host/devices.h"

#define ADZE_WITH_CUDA
#include "adze_device.h"

bool devices_of_cuda(DeviceFound *found, void *env)
{
    if (!adze_device_find_functions()) return false;
    adze_device_each(found, env);
    return true;
}
