#define FAST
#define PEER(f) fast_##f
#include "peer_body.h"
