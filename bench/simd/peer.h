// A peer: it is compiled under the name PEER and has the type of the entry of the program.
#define PEER_JOIN_(a, b, c) a##b##c
#define PEER_JOIN(a, b, c)  PEER_JOIN_(a, b, c)
#define PEER_TEXT_(a)       #a
#define PEER_TEXT(a)        PEER_TEXT_(a)
#include PEER_TEXT(PROGRAM.h)

extern __typeof__(PEER_JOIN(adze_, PROGRAM, _1)) PEER;
