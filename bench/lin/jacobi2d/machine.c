#include "grid_machine.h"
