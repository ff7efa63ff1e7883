#define NUMBER double
#include "../transposed_peer.h"
