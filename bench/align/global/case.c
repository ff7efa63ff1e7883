#define KIND   global
#define FAMILY nw

#include "global.h"

#include "../long.h"
