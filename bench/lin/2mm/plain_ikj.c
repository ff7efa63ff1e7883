// plain.c with the other order of loops.
#define MUL   mul_ikj
#define plain plain_ikj
#include "plain.c"
