// The options of a module.
#ifndef ADZE_API_SETTINGS_H
#define ADZE_API_SETTINGS_H

#include "driver/pipeline/session.h"

/// Adds the options, "--NAME" or "--NAME=VALUE" up to a NULL, to d->options, as for `adze run`.
void settings_add(Driver *d, const char *const *options);
/// Whether all options given to settings_add exist, with values that they may have. If so, sets
/// d->cpus. If not, reports E0727 in d->cx, whose own settings do not matter.
bool settings_check(Driver *d, const char *const *options);

#endif
