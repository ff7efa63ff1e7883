"""Functions of vectors along each axis of an array, against NumPy."""

import numpy as np

from field import Call, rng


def softmax(a, axis):
    e = np.exp(a - a.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def calls():
    r = rng("along_axes")
    for shape in ((1, 1, 1), (2, 3, 5), (17, 4, 1), (3, 33, 9)):
        a = r.normal(size=shape).astype("f4")
        b = a.astype(float)
        yield Call("sums", (a,), tuple(b.sum(axis=k).astype("f4") for k in range(3)), rtol=1e-5, atol=1e-5)
        yield Call("largest", (a,), tuple(a.argmax(axis=k) for k in range(3)))
        yield Call("softmaxes", (a,), tuple(softmax(b, k).astype("f4") for k in range(3)), rtol=1e-5, atol=1e-6)
        c = b[0]
        units = tuple((c / np.sqrt((c * c).sum(axis=k, keepdims=True))).astype("f4") for k in range(2))
        yield Call("units", (a[0],), units, rtol=1e-5, atol=1e-6)
    nan = np.array([[[1, np.nan, 2]]], dtype="f4")
    yield Call("largest", (nan,), (np.zeros((1, 3), "i8"), np.zeros((1, 3), "i8"), np.array([[1]])))
