// The devices that OpenCL finds.
#include "driver/host/devices.h"

#include "adze_device.h"

bool devices_of_opencl(DeviceFound *found, void *env)
{
    if (!adze_device_find_functions()) return false;
    adze_device_each(found, env);
    return true;
}
