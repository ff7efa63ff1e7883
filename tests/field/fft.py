"""Fourier transforms against numpy.fft."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("fft")
    for n in (1, 2, 4, 16, 128):
        x, y = r.normal(size=n), r.normal(size=n)
        f = np.fft.fft(x)
        yield Call("spectrum", (x,), (f.real, f.imag), rtol=1e-9, atol=1e-10)
        cyclic = np.array([sum(x[k] * y[(i - k) % n] for k in range(n)) for i in range(n)])
        yield Call("convolve", (x, y), cyclic, rtol=1e-9, atol=1e-10)
    yield Call("spectrum", (np.zeros(0),), (np.zeros(0), np.zeros(0)))
    yield Call("spectrum", (np.array([1.0, np.nan]),), (np.full(2, np.nan), np.full(2, np.nan)))
