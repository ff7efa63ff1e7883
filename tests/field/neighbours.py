"""Nearest neighbours against argsort and bincount of NumPy."""

import numpy as np

from field import Call, rng


def classes_of(k, classes, points, labels, queries):
    found = []
    for query in queries:
        near = np.argsort(((points - query) ** 2).sum(axis=1), kind="stable")[:k]
        found.append(np.argmax(np.bincount(labels[near], minlength=classes)))
    return np.array(found, dtype=np.int32)


def calls():
    r = rng("neighbours")
    for n, m, d, k, classes in ((1, 1, 1, 1, 1), (5, 0, 2, 1, 2), (7, 3, 2, 3, 2), (101, 53, 3, 5, 4), (3, 4, 0, 2, 2), (4, 3, 2, 0, 2)):
        points = r.normal(size=(n, d)).astype(np.float32)
        labels = r.integers(0, classes, n).astype(np.int32)
        queries = r.normal(size=(m, d)).astype(np.float32)
        yield Call("knn", (k, classes, points, labels, queries), classes_of(k, classes, points, labels, queries))
    points = np.array([[np.nan], [np.inf], [0.0], [1.0]], dtype=np.float32)
    labels = np.array([0, 1, 1, 0], dtype=np.int32)
    query = np.array([[0.9]], dtype=np.float32)
    yield Call("knn", (1, 2, points, labels, query), np.array([0], dtype=np.int32))
    yield Call("knn", (5, 2, points, labels, query), np.array([0], dtype=np.int32), fails="E0404")
    yield Call("knn", (4, 2, points, np.array([0, 1, 1, 7], dtype=np.int32), query), np.array([0], dtype=np.int32), fails="E0601")
    for n in (1, 2, 100):
        got, wanted = r.integers(0, 3, size=(2, n)).astype(np.int32)
        yield Call("accuracy", (got, wanted), np.float32(np.count_nonzero(got == wanted)) / np.float32(n))
    none = np.zeros(0, dtype=np.int32)
    yield Call("accuracy", (none, none), np.float32(0), fails="E0404")
