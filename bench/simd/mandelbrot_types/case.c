#include "../mandelbrot/case.c"
