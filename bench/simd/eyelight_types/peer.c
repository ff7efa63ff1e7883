#include "../eyelight/peer.c"
