"""Rays against NumPy in f64; pixels at an edge are left out by choosing scenes whose rays are not near one."""

import numpy as np

from field import Call, Option, Struct

FAR = 1e30


def hit(shape, o, d):
    if shape[0] == "floor":
        with np.errstate(all="ignore"):
            t = (shape[1] - o[1]) / d[1]
        return t if t > 1e-3 else FAR
    to = shape[1] - o
    middle = to @ d
    inside = shape[2] ** 2 - (to @ to - middle**2)
    if inside < 0 or middle - np.sqrt(inside) <= 1e-3:
        return FAR
    return middle - np.sqrt(inside)


def picture(shapes, h, w):
    light = np.array([1, 2, -1]) / np.sqrt(6)
    eye = np.array([0.0, 1.0, -4.0])
    out = np.zeros((h, w), dtype="f4")
    for i in range(h):
        for j in range(w):
            d = np.array([(j + 0.5) / w * 2 - 1, 1 - (i + 0.5) / h * 2, 1.5])
            d /= np.sqrt(d @ d)
            ts = [hit(s, eye, d) for s in shapes]
            k = int(np.argmin(ts))
            if ts[k] < FAR:
                at = eye + ts[k] * d
                n = np.array([0.0, 1.0, 0.0]) if shapes[k][0] == "floor" else (at - shapes[k][1]) / shapes[k][2]
                if min(hit(s, at, light) for s in shapes) >= FAR:
                    out[i, j] = max(0.0, n @ light)
    return out


VECTOR = (np.float32,) * 3
DATA = [(*VECTOR, np.float32), (np.float32,)]


def sphere(x, y, z, r):
    return Option("Shape.Sphere", 0, (vector(x, y, z), np.float32(r)), DATA)


def vector(x, y, z):
    return Struct("Vec3", x=np.float32(x), y=np.float32(y), z=np.float32(z))


def calls():
    floor = Option("Shape.Floor", 1, (np.float32(-1),), DATA)
    for balls, h, w in (([], 3, 4), ([(0.0, 0.0, 0.0, 1.0)], 6, 5), ([(0.0, 0.0, 1.0, 1.0), (-1.5, 0.25, 0.0, 0.5), (1.0, -0.5, -1.0, 0.5)], 11, 14)):
        data = np.array(balls, dtype="f4").reshape(-1, 4)
        shapes = [("ball", np.array(b[:3]), b[3]) for b in balls] + [("floor", -1.0)]
        centres = np.ascontiguousarray(data[:, :3])
        yield Call("spheres", (centres, np.ascontiguousarray(data[:, 3]), h, w), picture(shapes, h, w), rtol=1e-2, atol=2e-3)
    yield Call("first", (sphere(0, 0, 5, 1), sphere(0, 0, 3, 1), vector(0, 0, 0)), np.int32(1))
    yield Call("first", (sphere(0, 0, 5, 1), floor, vector(0, 0, 0)), np.int32(0))
    yield Call("first", (sphere(9, 0, 5, 1), floor, vector(0, 0, 0)), np.int32(-1))
