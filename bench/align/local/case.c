#define KIND   local
#define FAMILY sw

#include "local.h"

#include "../long.h"
