#define NUMBER float
#include "../transposed_peer.h"
