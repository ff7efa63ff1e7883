// The devices of this machine that can run kernels, found as compiled code finds them.
#ifndef ADZE_DRIVER_DEVICES_H
#define ADZE_DRIVER_DEVICES_H

#include <stdbool.h>

/// Called with each device, its name, and whether it is a GPU. Returns true to see no more.
typedef bool DeviceFound(void *env, void *device, const char *name, bool gpu);

/// Calls `found` for each device that OpenCL or CUDA offers, those first that compiled code
/// prefers. Returns false if the system does not have the library of the one or the other.
bool devices_of_opencl(DeviceFound *found, void *env);
bool devices_of_cuda(DeviceFound *found, void *env);

#endif
