#define PEER(f) c_##f
#include "peer_body.h"
