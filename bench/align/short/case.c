#define KIND   short
#define FAMILY sw
#define SEQAN  seqan_local_pairs

#include "short.h"

#include "../pairs.h"
