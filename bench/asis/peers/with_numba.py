"""The kernels of asis.adz in Numba: loops as one writes them, the outer one in `prange` where its iterations are
independent or its sum may be divided. The same text is compiled for one thread and for several."""
import functools
import math
import time

import numba
import numpy as np
from numba import get_num_threads, prange

f32 = np.float32
ZERO, ONE, HALF, LEAST = f32(0), f32(1), f32(0.5), f32(-3.0e38)


def dot(x, y, out):
    s = ZERO
    for i in prange(len(x)):
        s += x[i] * y[i]
    out[()] = s


def gemv(a, x, out):
    for i in prange(a.shape[0]):
        s = ZERO
        for j in range(a.shape[1]):
            s += a[i, j] * x[j]
        out[i] = s


def softmax(a, out):
    n, m = a.shape
    for i in prange(n):
        top = LEAST
        for j in range(m):
            top = max(top, a[i, j])
        s = ZERO
        for j in range(m):
            out[i, j] = math.exp(a[i, j] - top)
            s += out[i, j]
        for j in range(m):
            out[i, j] /= s


def layer_norm(a, out):
    n, m = a.shape
    for i in prange(n):
        s = ZERO
        for j in range(m):
            s += a[i, j]
        mean = s / f32(m)
        s = ZERO
        for j in range(m):
            s += (a[i, j] - mean) * (a[i, j] - mean)
        scale = ONE / math.sqrt(s / f32(m) + f32(1e-5))
        for j in range(m):
            out[i, j] = (a[i, j] - mean) * scale


def distances(a, b, out):
    for i in prange(a.shape[0]):
        for j in range(b.shape[0]):
            s = ZERO
            for l in range(a.shape[1]):
                s += (a[i, l] - b[j, l]) * (a[i, l] - b[j, l])
            out[i, j] = math.sqrt(s)


def product(a, b, out):
    n, k = a.shape
    m = b.shape[1]
    for i in prange(n):
        for j in range(m):
            out[i, j] = ZERO
        for l in range(k):
            for j in range(m):
                out[i, j] += a[i, l] * b[l, j]


product_at = product


def covariance(a, out):
    n, m = a.shape
    means = np.zeros(m, np.float32)
    for i in range(n):
        for j in range(m):
            means[j] += a[i, j]
    centred = np.empty_like(a)
    for i in prange(n):
        for j in range(m):
            centred[i, j] = a[i, j] - means[j] / f32(n)
    for p in prange(m):
        for q in range(m):
            out[p, q] = ZERO
        for i in range(n):
            for q in range(m):
                out[p, q] += centred[i, p] * centred[i, q]
        for q in range(m):
            out[p, q] /= f32(n)


def nearest(points, centres, out):
    for i in prange(points.shape[0]):
        least = f32(3.0e38)
        best = 0
        for j in range(centres.shape[0]):
            s = ZERO
            for l in range(points.shape[1]):
                s += (points[i, l] - centres[j, l]) * (points[i, l] - centres[j, l])
            if s < least:
                least = s
                best = j
        out[i] = best


def dense(x, w, bias, out):
    for i in prange(x.shape[0]):
        for j in range(w.shape[0]):
            s = ZERO
            for l in range(x.shape[1]):
                s += x[i, l] * w[j, l]
            out[i, j] = max(s + bias[j], ZERO)


def attention(q, k, v, out):
    n, d = q.shape
    m = k.shape[0]
    for i in prange(n):
        scores = np.empty(m, np.float32)
        top = LEAST
        for j in range(m):
            s = ZERO
            for e in range(d):
                s += q[i, e] * k[j, e]
            scores[j] = s / math.sqrt(f32(d))
            top = max(top, scores[j])
        s = ZERO
        for j in range(m):
            scores[j] = math.exp(scores[j] - top)
            s += scores[j]
        for e in range(d):
            out[i, e] = ZERO
        for j in range(m):
            for e in range(d):
                out[i, e] += scores[j] * v[j, e]
        for e in range(d):
            out[i, e] /= s


@numba.njit
def share(part, parts, m):
    """A thread's share of m columns. Slices of rows by them are vectorised; with indices from `first` on, which may be
    negative as far as Numba knows, nothing is."""
    return slice(part * m // parts, (part + 1) * m // parts)


def gemv_t(a, x, out):
    n, m = a.shape
    parts = get_num_threads()
    for part in prange(parts):
        some = share(part, parts, m)
        sums = out[some]
        sums[:] = ZERO
        for i in range(n):
            row = a[i, some]
            for j in range(len(row)):
                sums[j] += row[j] * x[i]


def column_sums(a, out):
    n, m = a.shape
    parts = get_num_threads()
    for part in prange(parts):
        some = share(part, parts, m)
        sums = out[some]
        sums[:] = ZERO
        for i in range(n):
            row = a[i, some]
            for j in range(len(row)):
                sums[j] += row[j]


def saxpy(a, x, y, out):
    for i in prange(len(x)):
        out[i] = a * x[i] + y[i]


def total(x, out):
    s = ZERO
    for i in prange(len(x)):
        s += x[i]
    out[()] = s


def most(x, out):
    top = LEAST
    for i in prange(len(x)):
        top = max(top, x[i])
    out[()] = top


def variance(x, out):
    s = ZERO
    for i in prange(len(x)):
        s += x[i]
    mean = s / f32(len(x))
    squares = ZERO
    for i in prange(len(x)):
        squares += (x[i] - mean) * (x[i] - mean)
    out[()] = squares / f32(len(x))


def running(a, out):
    for i in prange(a.shape[0]):
        s = ZERO
        for j in range(a.shape[1]):
            s += a[i, j]
            out[i, j] = s


def histogram(x, out):
    n = len(x)
    parts = get_num_threads()
    counts = np.zeros((parts, 256), np.int64)
    for part in prange(parts):
        for v in x[share(part, parts, n)]:
            counts[part, min(max(np.int32(v * f32(256)), 0), 255)] += 1
    out[:] = counts.sum(axis=0)


def jacobi(a, out):
    n, m = a.shape
    now, after = out, np.empty_like(a)
    now[:] = a
    for step in range(10):
        for i in prange(n):
            up, down = max(i - 1, 0), min(i + 1, n - 1)
            after[i, 0] = f32(0.25) * (now[up, 0] + now[i, 0] + now[i, 1] + now[down, 0])
            for j in range(1, m - 1):
                after[i, j] = f32(0.25) * (now[up, j] + now[i, j - 1] + now[i, j + 1] + now[down, j])
            last = m - 1
            after[i, last] = f32(0.25) * (now[up, last] + now[i, last - 1] + now[i, last] + now[down, last])
        now, after = after, now


def conv2d(x, weights, out):
    c = x.shape[0]
    o, h, w = out.shape
    for row in prange(o * h):
        r, i = row // h, row % h
        for j in range(w):
            out[r, i, j] = ZERO
        for l in range(c):
            for p in range(3):
                for q in range(3):
                    weight = weights[r, l, p, q]
                    for j in range(w):
                        out[r, i, j] += weight * x[l, i + p, j + q]


W0, W1, W2 = f32(0.0625), f32(0.25), f32(0.375)


def blur(a, out):
    n, m = a.shape
    room = np.empty_like(a)
    for i in prange(n):
        for j in range(m):
            if 2 <= j < m - 2:
                room[i, j] = W0 * (a[i, j - 2] + a[i, j + 2]) + W1 * (a[i, j - 1] + a[i, j + 1]) + W2 * a[i, j]
            else:
                l2, l1, r1, r2 = max(j - 2, 0), max(j - 1, 0), min(j + 1, m - 1), min(j + 2, m - 1)
                room[i, j] = W0 * (a[i, l2] + a[i, r2]) + W1 * (a[i, l1] + a[i, r1]) + W2 * a[i, j]
    for i in prange(n):
        u2, u1, d1, d2 = max(i - 2, 0), max(i - 1, 0), min(i + 1, n - 1), min(i + 2, n - 1)
        for j in range(m):
            sides = W0 * (room[u2, j] + room[d2, j]) + W1 * (room[u1, j] + room[d1, j])
            out[i, j] = sides + W2 * room[i, j]


def gauss(a, out):
    n, m = a.shape
    for i in prange(n):
        u, d = max(i - 1, 0), min(i + 1, n - 1)
        out[i, 0] = weighted(a, u, i, d, 0, 0, 1)
        for j in range(1, m - 1):
            out[i, j] = weighted(a, u, i, d, j - 1, j, j + 1)
        out[i, m - 1] = weighted(a, u, i, d, m - 2, m - 1, m - 1)


@numba.njit(fastmath=True)
def weighted(a, u, i, d, l, j, r):
    corners = a[u, l] + a[u, r] + a[d, l] + a[d, r]
    return f32(0.0625) * corners + f32(0.125) * (a[u, j] + a[i, l] + a[i, r] + a[d, j]) + f32(0.25) * a[i, j]


def moving(x, out):
    for i in prange(len(out)):
        s = ZERO
        for j in range(25):
            s += x[i + j]
        out[i] = s * f32(0.04)


def logsumexp(a, out):
    n, m = a.shape
    for i in prange(n):
        top = LEAST
        for j in range(m):
            top = max(top, a[i, j])
        s = ZERO
        for j in range(m):
            s += math.exp(a[i, j] - top)
        out[i] = top + math.log(s)


def normalise(a, out):
    n, m = a.shape
    for i in prange(n):
        s = ZERO
        for j in range(m):
            s += a[i, j] * a[i, j]
        scale = ONE / math.sqrt(s + f32(1e-12))
        for j in range(m):
            out[i, j] = a[i, j] * scale


def cross_entropy(a, b, out):
    n, m = a.shape
    for i in prange(n):
        s = ZERO
        for j in range(m):
            s -= b[i, j] * math.log(a[i, j] + f32(0.001))
        out[i] = s


def black_scholes(spot, out):
    for i in prange(len(spot)):
        s = spot[i] + HALF
        d1 = (math.log(s) + f32(0.065)) / f32(0.3)
        d2 = d1 - f32(0.3)
        up = s * HALF * (ONE + math.erf(d1 * f32(0.70710678)))
        out[i] = up - f32(0.98019867) * HALF * (ONE + math.erf(d2 * f32(0.70710678)))


def gelu(x, out):
    for i in prange(len(x)):
        v = x[i]
        out[i] = HALF * v * (ONE + math.tanh(f32(0.79788456) * (v + f32(0.044715) * v * v * v)))


def polynomial(x, out):
    for i in prange(len(x)):
        v = x[i]
        y = ((f32(0.1) * v + f32(0.2)) * v + f32(0.3)) * v + f32(0.4)
        out[i] = (y * v + f32(0.5)) * v + f32(0.6)


def forces(x, y, out):
    for i in prange(len(x)):
        s = ZERO
        for j in range(len(x)):
            dx = x[j] - x[i]
            dy = y[j] - y[i]
            square = dx * dx + dy * dy + f32(0.01)
            s += dx / (square * math.sqrt(square))
        out[i] = s


def outer(x, y, out):
    for i in prange(len(x)):
        for j in range(len(y)):
            out[i, j] = x[i] * y[j]


def transposed(a, out):
    n, m = a.shape
    for i in prange(n):
        for j in range(m):
            out[j, i] = a[i, j]


def floyd(d, out):
    n = len(d)
    out[:] = d
    for k in range(n):
        for i in prange(n):
            first = out[i, k]
            for j in range(n):
                out[i, j] = min(out[i, j], first + out[k, j])


def eliminate(d, out):
    n = len(d)
    out[:] = d
    for k in range(n):
        for i in prange(k + 1, n):
            factor = out[i, k] / (out[k, k] + f32(100))
            for j in range(k + 1, n):
                out[i, j] -= factor * out[k, j]
            out[i, k] = factor


def thomas(b, out):
    n, m = b.shape
    c = np.zeros_like(b)
    out[:] = b
    parts = get_num_threads()
    for part in prange(parts):
        some = share(part, parts, m)
        for i in range(1, n):
            before, w, above, x = c[i - 1, some], c[i, some], out[i - 1, some], out[i, some]
            for j in range(len(w)):
                w[j] = ONE / (f32(4) - before[j])
                x[j] = (x[j] + above[j]) * w[j]
        for i in range(n - 2, -1, -1):
            w, x, below = c[i, some], out[i, some], out[i + 1, some]
            for j in range(len(w)):
                x[j] += w[j] * below[j]


@functools.cache
def compiled(name, parallel):
    # With the error model of Python each division is checked, and no loop around one is vectorised.
    return numba.njit(fastmath=True, error_model="numpy", parallel=parallel)(globals()[name])


def seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def prepare(name, threads, inputs, out):
    """A call without arguments that fills `out`. With several threads it is the faster one of both ways to compile."""
    numba.set_num_threads(threads)

    def run(function):
        function(*inputs, out)
        return out

    calls = [functools.partial(run, compiled(name, parallel)) for parallel in (False, True)[:threads]]
    return min(calls, key=lambda call: min(seconds(call) for _ in range(5)))
