#include "../mandelbrot/peer.c"
