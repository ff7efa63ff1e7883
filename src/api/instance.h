// Entries for arrays of any rank, as entries for arrays of certain ranks.
#ifndef ADZE_API_INSTANCE_H
#define ADZE_API_INSTANCE_H

#include "driver/pipeline/pipeline.h"

/// Returns the function that the entry is for arguments of these ranks, such as "2 2 0", or NULL
/// after an error. Its sizes are named after the parameters: a_0, a_1.
Function *instance_make(const Work *w, const Item *item, const char *ranks);

#endif
