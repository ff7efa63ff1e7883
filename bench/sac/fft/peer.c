#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int Transform(int64_t n, const double *roots, const double *x, double *out);

Transform peer_fft_recursive, peer_fft_stockham;

typedef struct {
    int64_t n; // of the whole transform
    const double *roots, *x;
    double *out;
} Fft;

// The transform of the n numbers of x from `from` on, `stride` apart, to out from `to` on.
static void recurse(const Fft *f, int64_t n, int64_t from, int64_t stride, int64_t to)
{
    double *restrict re = f->out + to, *restrict im = f->out + f->n + to;
    if (n == 1) {
        re[0] = f->x[from];
        im[0] = f->x[f->n + from];
        return;
    }
    int64_t half = n / 2;
    recurse(f, half, from, 2 * stride, to);
    recurse(f, half, from + stride, 2 * stride, to + half);
    const double *restrict c = f->roots, *restrict s = f->roots + f->n / 2;
    for (int64_t k = 0; k < half; k++) {
        double x = re[half + k] * c[k * stride] - im[half + k] * s[k * stride];
        double y = re[half + k] * s[k * stride] + im[half + k] * c[k * stride];
        re[half + k] = re[k] - x;
        im[half + k] = im[k] - y;
        re[k] += x;
        im[k] += y;
    }
}

int peer_fft_recursive(int64_t n, const double *roots, const double *x, double *out)
{
    Fft f = {n, roots, x, out};
    recurse(&f, n, 0, 1, 0);
    return 0;
}

static void pass(int64_t n, int64_t width, const double *restrict roots, const double *restrict x,
                 double *restrict y)
{
    int64_t half = n / 2;
    for (int64_t j = 0; j < half; j += width) {
        double c = roots[j], s = roots[half + j];
        const double *restrict re = x + j, *restrict im = x + n + j;
        double *restrict to_re = y + 2 * j, *restrict to_im = y + n + 2 * j;
        for (int64_t k = 0; k < width; k++) {
            double a = re[k] - re[k + half], b = im[k] - im[k + half];
            to_re[k] = re[k] + re[k + half];
            to_im[k] = im[k] + im[k + half];
            to_re[k + width] = c * a - s * b;
            to_im[k + width] = s * a + c * b;
        }
    }
}

int peer_fft_stockham(int64_t n, const double *roots, const double *x, double *out)
{
    size_t bytes = 2 * (size_t)n * sizeof *out;
    double *other = malloc(bytes), *to = out;
    if (!other) return 1;
    for (int64_t w = 1; w < n; w *= 2)
        to = to == out ? other : out; // where the last pass ends, if it began in out
    to = to == out ? other : out;
    for (int64_t w = 1; w < n; w *= 2) {
        double *next = to == out ? other : out;
        pass(n, w, roots, w == 1 ? x : to, next);
        to = next;
    }
    if (to != out) memcpy(out, to, bytes);
    free(other);
    return 0;
}
