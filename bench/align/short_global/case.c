#define KIND   short_global
#define FAMILY nw
#define SEQAN  seqan_global_pairs

#include "short_global.h"

#include "../pairs.h"
