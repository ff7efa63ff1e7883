#include "../mandelbrot/avx2.c"
