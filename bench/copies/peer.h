// The programs of copies.adz as one writes them in C.
#include <stdint.h>

void peer_updates(int64_t n, const double *restrict xs, double *restrict out);
void peer_swaps(int64_t n, const double *xs, const double *ys, int64_t steps, double *out);
void peer_converges(int64_t n, const double *xs, double limit, int64_t most, double *out);
void peer_wave(int64_t n, const double *u0, const double *u1, double c, int64_t steps, double *out);
void peer_fdtd(int64_t n, int64_t m, const double *ex0, const double *ey0, const double *hz0,
               int64_t steps, double *restrict hz);
