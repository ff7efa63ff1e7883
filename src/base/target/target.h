// The compilation targets.
#ifndef ADZE_BASE_TARGET_H
#define ADZE_BASE_TARGET_H

#include "base/target/device.h"

#include <stdbool.h>

/// A compilation target (target.def). Code for a `serial` target runs on one thread. Parallel loops
/// for a `device` target are kernels.
typedef struct {
    const char *name;
    bool serial;
    Device device;
    const char *purpose;
} Target;

/// All rows of target.def; sets *n to their number. The first is the default.
const Target *target_all(int *n);

/// The target with this name, or NULL.
const Target *target_named(const char *name);

#endif
