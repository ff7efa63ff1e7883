// The kinds of devices that run kernels.
#ifndef ADZE_BASE_DEVICE_H
#define ADZE_BASE_DEVICE_H

/// How a program gets at the device that runs its parallel loops as kernels.
typedef enum { DEVICE_NONE, DEVICE_OPENCL, DEVICE_CUDA } Device;

#endif
