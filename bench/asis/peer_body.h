// The kernels in C; PEER(f) gives them their names. With FAST they are compiled with -Ofast. With
// THREADS their outer loops run on several threads where their iterations are independent, or add
// to one result.
#ifdef FAST
#ifdef __clang__
#pragma float_control(precise, off)
#else
#pragma GCC optimize("Ofast")
#endif
#endif
#include "peer.h"

#include <math.h>
#include <string.h>

// Before loops: PARALLEL, with SIMD where the body is simple, with IF where it is worth a team only
// on a condition; ADD, ADD_ARRAY and GREATEST where it computes sums or a maximum. IN_TEAM each
// thread has the same SHARE of all loops, so that none waits for another.
#ifdef THREADS
#include <omp.h>
// gcc moves the loop into a function where pointers are no longer `restrict`, and vectorises it only
// with `simd`; clang needs no `simd`, and warns where it does not vectorise.
#ifdef __clang__
#define VECTORS
#else
#define VECTORS simd
#endif
#define PRAGMA(...)    PRAGMA_OF(__VA_ARGS__)
#define PRAGMA_OF(...) _Pragma(#__VA_ARGS__)
#define PARALLEL PRAGMA(omp parallel for)
#define PARALLEL_IF(CONDITION) PRAGMA(omp parallel for if (CONDITION))
#define PARALLEL_SIMD PRAGMA(omp parallel for VECTORS)
#define ADD(SUM) PRAGMA(omp parallel for VECTORS reduction(+ : SUM))
#define ADD_ARRAY(SUMS) PRAGMA(omp parallel for reduction(+ : SUMS))
#define GREATEST(X) PRAGMA(omp parallel for VECTORS reduction(max : X))
#define IN_TEAM PRAGMA(omp parallel)
#define SHARE PRAGMA(omp for VECTORS schedule(static) nowait)
#define THREAD omp_get_thread_num()
#else
#define PARALLEL
#define PARALLEL_IF(CONDITION)
#define PARALLEL_SIMD
#define ADD(SUM)
#define ADD_ARRAY(SUMS)
#define GREATEST(X)
#define IN_TEAM
#define SHARE
#define THREAD 0
#endif

static inline float inner(int64_t n, In x, In y)
{
    float sum = 0;
    for (int64_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

void PEER(dot)(int64_t n, In x, In y, Out out)
{
    float sum = 0;
    ADD(sum)
    for (int64_t i = 0; i < n; i++) sum += x[i] * y[i];
    *out = sum;
}

void PEER(gemv)(int64_t n, int64_t m, In a, In x, Out out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++) out[i] = inner(m, &a[i * m], x);
}

void PEER(softmax)(int64_t n, int64_t m, In a, Out out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++) {
        const float *row = &a[i * m];
        float most = -3.0e38f, sum = 0;
        for (int64_t j = 0; j < m; j++) most = row[j] > most ? row[j] : most;
        for (int64_t j = 0; j < m; j++) {
            out[i * m + j] = expf(row[j] - most);
            sum += out[i * m + j];
        }
        for (int64_t j = 0; j < m; j++) out[i * m + j] /= sum;
    }
}

void PEER(layer_norm)(int64_t n, int64_t m, In a, Out out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++) {
        const float *row = &a[i * m];
        float sum = 0, squares = 0;
        for (int64_t j = 0; j < m; j++) sum += row[j];
        float mean = sum / (float)m;
        for (int64_t j = 0; j < m; j++) squares += (row[j] - mean) * (row[j] - mean);
        float scale = 1 / sqrtf(squares / (float)m + 1e-5f);
        for (int64_t j = 0; j < m; j++) out[i * m + j] = (row[j] - mean) * scale;
    }
}

static inline float apart(int64_t d, In p, In q)
{
    float sum = 0;
    for (int64_t i = 0; i < d; i++) sum += (p[i] - q[i]) * (p[i] - q[i]);
    return sum;
}

void PEER(distances)(int64_t n, int64_t m, int64_t d, In a, In b, Out out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) out[i * m + j] = sqrtf(apart(d, &a[i * d], &b[j * d]));
}

void PEER(product)(int64_t n, int64_t m, int64_t k, In a, In b, Out out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < m; j++) out[i * m + j] = 0;
        for (int64_t l = 0; l < k; l++)
            for (int64_t j = 0; j < m; j++) out[i * m + j] += a[i * k + l] * b[l * m + j];
    }
}

void PEER(covariance)(int64_t n, int64_t m, In a, Out room, Out out)
{
    PARALLEL
    for (int64_t j = 0; j < m; j++) {
        float sum = 0;
        for (int64_t i = 0; i < n; i++) sum += a[i * m + j];
        for (int64_t i = 0; i < n; i++) room[i * m + j] = a[i * m + j] - sum / (float)n;
    }
    for (int64_t p = 0; p < m; p++)
        for (int64_t q = 0; q < m; q++) out[p * m + q] = 0;
    ADD_ARRAY(out[:m * m])
    for (int64_t i = 0; i < n; i++)
        for (int64_t p = 0; p < m; p++)
            for (int64_t q = 0; q < m; q++) out[p * m + q] += room[i * m + p] * room[i * m + q];
    for (int64_t p = 0; p < m * m; p++) out[p] /= (float)n;
}

void PEER(nearest)(int64_t n, int64_t k, int64_t d, In points, In centres, int32_t *restrict out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++) {
        float least = 3.0e38f;
        int32_t best = 0;
        for (int64_t j = 0; j < k; j++) {
            float square = apart(d, &points[i * d], &centres[j * d]);
            if (square < least) least = square, best = (int32_t)j;
        }
        out[i] = best;
    }
}

void PEER(dense)(int64_t n, int64_t m, int64_t k, In x, In w, In bias, Out out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) {
            float y = inner(k, &x[i * k], &w[j * k]) + bias[j];
            out[i * m + j] = y > 0 ? y : 0;
        }
}

void PEER(attention)(int64_t n, int64_t m, int64_t d, In q, In k, In v, Out rooms, Out out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++) {
        float most = -3.0e38f, total = 0;
        Out room = &rooms[THREAD * m];
        for (int64_t j = 0; j < m; j++) {
            room[j] = inner(d, &q[i * d], &k[j * d]) / sqrtf((float)d);
            most = room[j] > most ? room[j] : most;
        }
        for (int64_t j = 0; j < m; j++) {
            room[j] = expf(room[j] - most);
            total += room[j];
        }
        for (int64_t e = 0; e < d; e++) out[i * d + e] = 0;
        for (int64_t j = 0; j < m; j++)
            for (int64_t e = 0; e < d; e++) out[i * d + e] += room[j] * v[j * d + e];
        for (int64_t e = 0; e < d; e++) out[i * d + e] /= total;
    }
}

void PEER(gemv_t)(int64_t n, int64_t m, In a, In x, Out out)
{
    for (int64_t j = 0; j < m; j++) out[j] = 0;
    ADD_ARRAY(out[:m])
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) out[j] += a[i * m + j] * x[i];
}

void PEER(column_sums)(int64_t n, int64_t m, In a, Out out)
{
    for (int64_t j = 0; j < m; j++) out[j] = 0;
    ADD_ARRAY(out[:m])
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) out[j] += a[i * m + j];
}

void PEER(saxpy)(int64_t n, float a, In x, In y, Out out)
{
    PARALLEL_SIMD
    for (int64_t i = 0; i < n; i++) out[i] = a * x[i] + y[i];
}

void PEER(total)(int64_t n, In x, Out out)
{
    float sum = 0;
    ADD(sum)
    for (int64_t i = 0; i < n; i++) sum += x[i];
    *out = sum;
}

void PEER(most)(int64_t n, In x, Out out)
{
    float most = -3.0e38f;
    GREATEST(most)
    for (int64_t i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
    *out = most;
}

void PEER(variance)(int64_t n, In x, Out out)
{
    float sum = 0, squares = 0;
    ADD(sum)
    for (int64_t i = 0; i < n; i++) sum += x[i];
    float mean = sum / (float)n;
    ADD(squares)
    for (int64_t i = 0; i < n; i++) squares += (x[i] - mean) * (x[i] - mean);
    *out = squares / (float)n;
}

void PEER(running)(int64_t n, int64_t m, In a, Out out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++) {
        float sum = 0;
        for (int64_t j = 0; j < m; j++) out[i * m + j] = sum += a[i * m + j];
    }
}

void PEER(histogram)(int64_t n, In x, int64_t *restrict out)
{
    memset(out, 0, 256 * sizeof *out);
    ADD_ARRAY(out[:256])
    for (int64_t i = 0; i < n; i++) {
        int32_t bin = (int32_t)(x[i] * 256);
        out[bin < 0 ? 0 : bin > 255 ? 255 : bin]++;
    }
}

static inline int64_t nearest_in(int64_t i, int64_t n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

void PEER(jacobi)(int64_t n, int64_t m, In a, Out room, Out out)
{
    float *now = out, *next = room;
    memcpy(now, a, sizeof *a * (size_t)(n * m));
    for (int step = 0; step < 10; step++) {
        PARALLEL
        for (int64_t i = 0; i < n; i++) {
            const float *up = &now[nearest_in(i - 1, n) * m], *here = &now[i * m],
                        *down = &now[nearest_in(i + 1, n) * m];
            Out row = &next[i * m];
            int64_t last = m - 1;
            row[0] = 0.25f * (up[0] + here[0] + here[m > 1] + down[0]);
            for (int64_t j = 1; j < last; j++)
                row[j] = 0.25f * (up[j] + here[j - 1] + here[j + 1] + down[j]);
            if (m > 1) row[last] = 0.25f * (up[last] + here[last - 1] + here[last] + down[last]);
        }
        float *old = now;
        now = next;
        next = old;
    }
}

void PEER(conv2d)(int64_t c, int64_t o, int64_t h, int64_t w, In x, In k, Out out)
{
    memset(out, 0, sizeof *out * (size_t)(o * h * w));
    PARALLEL
    for (int64_t r = 0; r < o; r++)
        for (int64_t l = 0; l < c; l++)
            for (int64_t p = 0; p < 3; p++)
                for (int64_t q = 0; q < 3; q++)
                    for (int64_t i = 0; i < h; i++)
                        for (int64_t j = 0; j < w; j++)
                            out[(r * h + i) * w + j] += k[((r * c + l) * 3 + p) * 3 + q] *
                                                        x[(l * (h + 2) + i + p) * (w + 2) + j + q];
}

static const float across[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

static inline float at_border(int64_t m, int64_t j, In row)
{
    float sum = 0;
    for (int64_t k = 0; k < 5; k++) sum += across[k] * row[nearest_in(j + k - 2, m)];
    return sum;
}

void PEER(blur)(int64_t n, int64_t m, In a, Out room, Out out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++) {
        In from = &a[i * m];
        Out to = &room[i * m];
        for (int64_t j = 0; j < 2 && j < m; j++) to[j] = at_border(m, j, from);
        for (int64_t j = 2; j < m - 2; j++)
            to[j] = across[0] * from[j - 2] + across[1] * from[j - 1] + across[2] * from[j] +
                    across[3] * from[j + 1] + across[4] * from[j + 2];
        for (int64_t j = m < 4 ? 2 : m - 2; j < m; j++) to[j] = at_border(m, j, from);
    }
    PARALLEL
    for (int64_t i = 0; i < n; i++) {
        In r0 = &room[nearest_in(i - 2, n) * m], r1 = &room[nearest_in(i - 1, n) * m],
           r2 = &room[i * m], r3 = &room[nearest_in(i + 1, n) * m],
           r4 = &room[nearest_in(i + 2, n) * m];
        for (int64_t j = 0; j < m; j++)
            out[i * m + j] = across[0] * r0[j] + across[1] * r1[j] + across[2] * r2[j] +
                             across[3] * r3[j] + across[4] * r4[j];
    }
}

static inline float weighted(In up, In here, In down, int64_t l, int64_t j, int64_t r)
{
    return 0.0625f * up[l] + 0.125f * up[j] + 0.0625f * up[r] + 0.125f * here[l] + 0.25f * here[j] +
           0.125f * here[r] + 0.0625f * down[l] + 0.125f * down[j] + 0.0625f * down[r];
}

void PEER(gauss)(int64_t n, int64_t m, In a, Out out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++) {
        In up = &a[nearest_in(i - 1, n) * m], here = &a[i * m], down = &a[nearest_in(i + 1, n) * m];
        Out row = &out[i * m];
        row[0] = weighted(up, here, down, 0, 0, m > 1);
        for (int64_t j = 1; j < m - 1; j++) row[j] = weighted(up, here, down, j - 1, j, j + 1);
        if (m > 1) row[m - 1] = weighted(up, here, down, m - 2, m - 1, m - 1);
    }
}

void PEER(moving)(int64_t n, In x, Out out)
{
    PARALLEL_SIMD
    for (int64_t i = 0; i < n; i++) {
        float sum = 0;
        for (int64_t j = 0; j < 25; j++) sum += x[i + j];
        out[i] = sum * 0.04f;
    }
}

void PEER(logsumexp)(int64_t n, int64_t m, In a, Out out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++) {
        float top = -3.0e38f, sum = 0;
        for (int64_t j = 0; j < m; j++) top = a[i * m + j] > top ? a[i * m + j] : top;
        for (int64_t j = 0; j < m; j++) sum += expf(a[i * m + j] - top);
        out[i] = top + logf(sum);
    }
}

void PEER(normalise)(int64_t n, int64_t m, In a, Out out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++) {
        float scale = 1 / sqrtf(inner(m, &a[i * m], &a[i * m]) + 1e-12f);
        for (int64_t j = 0; j < m; j++) out[i * m + j] = a[i * m + j] * scale;
    }
}

void PEER(cross_entropy)(int64_t n, int64_t m, In a, In b, Out out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++) {
        float sum = 0;
        for (int64_t j = 0; j < m; j++) sum += -b[i * m + j] * logf(a[i * m + j] + 0.001f);
        out[i] = sum;
    }
}

void PEER(black_scholes)(int64_t n, In spot, Out out)
{
    PARALLEL_SIMD
    for (int64_t i = 0; i < n; i++) {
        float s = spot[i] + 0.5f, d1 = (logf(s) + 0.065f) / 0.3f, d2 = d1 - 0.3f;
        out[i] = s * 0.5f * (1 + erff(d1 * 0.70710678f)) -
                 0.98019867f * 0.5f * (1 + erff(d2 * 0.70710678f));
    }
}

void PEER(gelu)(int64_t n, In x, Out out)
{
    PARALLEL_SIMD
    for (int64_t i = 0; i < n; i++) {
        float v = x[i];
        out[i] = 0.5f * v * (1 + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
    }
}

void PEER(polynomial)(int64_t n, In x, Out out)
{
    PARALLEL_SIMD
    for (int64_t i = 0; i < n; i++) {
        float v = x[i];
        out[i] = ((((0.1f * v + 0.2f) * v + 0.3f) * v + 0.4f) * v + 0.5f) * v + 0.6f;
    }
}

void PEER(forces)(int64_t n, In x, In y, Out out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++) {
        float sum = 0;
        for (int64_t j = 0; j < n; j++) {
            float dx = x[j] - x[i], dy = y[j] - y[i], square = dx * dx + dy * dy + 0.01f;
            sum += dx / (square * sqrtf(square));
        }
        out[i] = sum;
    }
}

void PEER(outer)(int64_t n, int64_t m, In x, In y, Out out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) out[i * m + j] = x[i] * y[j];
}

void PEER(transposed)(int64_t n, int64_t m, In a, Out out)
{
    PARALLEL
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) out[j * n + i] = a[i * m + j];
}

void PEER(floyd)(int64_t n, In d, Out a)
{
    memcpy(a, d, sizeof *d * (size_t)(n * n));
    for (int64_t k = 0; k < n; k++) {
        PARALLEL_IF(n >= 64) // row k does not change
        for (int64_t i = 0; i < n; i++) {
            float first = a[i * n + k];
            for (int64_t j = 0; j < n; j++) {
                float through = first + a[k * n + j];
                a[i * n + j] = through < a[i * n + j] ? through : a[i * n + j];
            }
        }
    }
}

void PEER(eliminate)(int64_t n, In d, Out a)
{
    memcpy(a, d, sizeof *d * (size_t)(n * n));
    for (int64_t k = 0; k < n; k++) {
        PARALLEL_IF(n - k >= 64)
        for (int64_t i = k + 1; i < n; i++) {
            float factor = a[i * n + k] / (a[k * n + k] + 100);
            for (int64_t j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
            a[i * n + k] = factor;
        }
    }
}

void PEER(thomas)(int64_t n, int64_t m, In b, Out c, Out x)
{
    memcpy(x, b, sizeof *b * (size_t)(n * m));
    memset(c, 0, sizeof *c * (size_t)m);
    IN_TEAM
    {
        for (int64_t i = 1; i < n; i++) {
            SHARE
            for (int64_t j = 0; j < m; j++) {
                float w = 1 / (4 - c[(i - 1) * m + j]);
                c[i * m + j] = w;
                x[i * m + j] = (x[i * m + j] + x[(i - 1) * m + j]) * w;
            }
        }
        for (int64_t i = n - 2; i >= 0; i--) {
            SHARE
            for (int64_t j = 0; j < m; j++) x[i * m + j] += c[i * m + j] * x[(i + 1) * m + j];
        }
    }
}
