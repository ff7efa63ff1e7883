#include "../mandelbrot/avx512.c"
