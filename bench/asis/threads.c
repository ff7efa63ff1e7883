#define FAST
#define THREADS
#define PEER(f) threads_##f
#include "peer_body.h"
