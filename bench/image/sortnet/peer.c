#include <stdint.h>

void peer_sortnet(int64_t n, const int32_t *restrict in, int32_t *restrict out);

static inline void compare(int32_t *a, int32_t *b)
{
    int32_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

// Batcher's network for eight elements, on every row of eight.
void peer_sortnet(int64_t n, const int32_t *restrict in, int32_t *restrict out)
{
    for (int64_t i = 0; i < n; i++, in += 8, out += 8) {
        int32_t a = in[0], b = in[1], c = in[2], d = in[3];
        int32_t e = in[4], f = in[5], g = in[6], h = in[7];
        compare(&a, &b), compare(&c, &d), compare(&e, &f), compare(&g, &h);
        compare(&a, &c), compare(&b, &d), compare(&e, &g), compare(&f, &h);
        compare(&b, &c), compare(&f, &g);
        compare(&a, &e), compare(&b, &f), compare(&c, &g), compare(&d, &h);
        compare(&c, &e), compare(&d, &f);
        compare(&b, &c), compare(&d, &e), compare(&f, &g);
        out[0] = a, out[1] = b, out[2] = c, out[3] = d;
        out[4] = e, out[5] = f, out[6] = g, out[7] = h;
    }
}
