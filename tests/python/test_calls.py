"""Calls that succeed: all element types, ranks, layouts and results."""

import array

import adze
import numpy as np
import pytest

TYPES = "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64".split()
DTYPES = dict(zip(TYPES, "?bhilBHILefd"))


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("n", [0, 1, 7, 64])
def test_every_element_type(m, name, n):
    x = (np.arange(n) % 2).astype(DTYPES[name])
    y = getattr(m, f"same_{name}")(x)
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, ~x if name == "bool" else x)


def test_scalars_of_every_type(m):
    least = (False, -(2**7), -(2**15), -(2**31), -(2**63), 0, 0, 0, 0, 0.5, 0.25, 0.125)
    most = (True, 2**7 - 1, 2**15 - 1, 2**31 - 1, 2**63 - 1, 2**8 - 1, 2**16 - 1, 2**32 - 1, 2**64 - 1, 1.5, -2.0, 1e300)
    for values in least, most:
        result = m.each(*values)
        assert result == values
        assert [type(r) for r in result] == [type(v) for v in values]


def test_scalars_of_numpy(m):
    assert m.pick(np.array([4, 5], np.int32), np.uint8(1)) == 5
    assert m.filled(np.float32(2.5), n=2).tolist() == [2.5, 2.5]
    assert m.filled(np.array(2.5), n=np.int16(2)).tolist() == [2.5, 2.5]
    assert m.filled(3, n=1).tolist() == [3.0]


@pytest.mark.parametrize("shape", [(2, 3), (0, 3), (3, 0), (0, 0), (1, 1)])
def test_sizes_from_arrays(m, shape):
    a = np.random.default_rng(1).random(shape, np.float32)
    np.testing.assert_allclose(m.sums(a), a.sum(axis=1), rtol=1e-5)


def test_sizes_shared_by_arrays(m):
    a, b = np.random.default_rng(2).random((2, 5, 5))
    np.testing.assert_allclose(m.product(a[:3], b[:, :4]), a[:3] @ b[:, :4])
    np.testing.assert_array_equal(m.product(np.ones((2, 0)), np.ones((0, 3))), np.zeros((2, 3)))


def test_sizes_that_are_solved(m):
    np.testing.assert_allclose(m.smooth(np.arange(6, dtype="f4")), [1, 2, 3, 4])
    assert m.smooth(np.zeros(2, "f4")).shape == (0,)
    assert m.columns(np.ones(6), np.zeros(3)).tolist() == [3, 3]


def test_sizes_by_name(m):
    assert m.iota(4).tolist() == m.iota(n=4).tolist() == [0, 1, 2, 3]
    assert m.filled(1.0, n=3).tolist() == [1, 1, 1]
    assert m.sums(np.ones((2, 3), "f4"), n=2, m=3).tolist() == [3, 3]


def test_three_dimensions(m):
    x = np.arange(24, dtype="i4").reshape(2, 3, 4)
    np.testing.assert_array_equal(m.rank3(x), x.transpose(2, 0, 1))


def test_arguments_by_name(m):
    x = np.array([5, 6], "i4")
    assert m.pick(x, i=1) == m.pick(i=1, x=x) == 6


def test_names_that_python_reserves(m):
    assert m.keywords(from_=5, out=2).tolist() == [3]
    out = np.zeros(1, "i4")
    assert m.keywords(5, 3, out_=out) is out and out[0] == 2


def test_several_results(m):
    y, total, z = m.both(np.array([1, 2], "f4"), 7)
    assert (y.tolist(), total, z.tolist()) == ([2, 3], 3.0, [7, 7])


def test_results_of_fewer_elements(m):
    assert m.positive(np.array([1, -2, 3, 4], "i4")).tolist() == [1, 3, 4]
    assert m.positive(np.array([-1, -2, 3, -4], "i4")).tolist() == [3]
    assert m.positive(np.zeros(0, "i4")).tolist() == []


def test_memory_of_any_layout(m):
    base = np.random.default_rng(3).random((8, 9)).astype("f4")
    odd = np.frombuffer(b"x" + base.tobytes(), "f4", offset=1).reshape(8, 9)  # not aligned
    frozen = base.copy()
    frozen.flags.writeable = False
    for a in [base.T, base[::2, ::-3], np.asfortranarray(base), odd, frozen, np.broadcast_to(base[0], (4, 9)), base[:, 3:4]]:
        np.testing.assert_allclose(m.sums(a), a.sum(axis=1), rtol=1e-5)
        np.testing.assert_array_equal(m.turned(a), a.T)


def test_arguments_are_not_changed_and_not_copied(m):
    x = np.arange(5, dtype="i4")
    before = x.copy()
    assert m.same_i32(x) is not x
    np.testing.assert_array_equal(x, before)


def test_objects_that_are_no_arrays_of_numpy(m):
    assert m.same_i32(array.array("i", [1, 2])).tolist() == [1, 2]
    assert m.same_u8(b"ab").tolist() == [97, 98]
    assert m.same_u8(bytearray(b"ab")).tolist() == [97, 98]
    assert m.same_f32(memoryview(np.ones(2, "f4"))).tolist() == [1, 1]
    assert m.same_f32([1, 2.5]).tolist() == [1, 2.5]
    assert m.same_i8([]).tolist() == []


class WithDlpack:
    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class WithInterface:
    def __init__(self, array):
        self.array = array
        self.__array_interface__ = array.__array_interface__


@pytest.mark.parametrize("wrap", [WithDlpack, WithInterface])
def test_protocols(m, wrap):
    assert m.same_f64(wrap(np.arange(3.0))).tolist() == [0, 1, 2]
    assert m.sums(wrap(np.ones((2, 2), "f4").T)).tolist() == [2, 2]


def test_conversion_only_if_permitted(m):
    assert m.same_f32(np.array([1.5, 2.5]), convert=True).tolist() == [1.5, 2.5]
    assert m.same_f32(np.array([1, 2]), convert=True).tolist() == [1, 2]
    assert m.same_f32(np.array([1.5], ">f4"), convert=True).tolist() == [1.5]


# --- out= -----------------------------------------------------------------------------------------


def test_out(m):
    a, out = np.ones((3, 4), "f4"), np.zeros(3, "f4")
    assert m.sums(a, out=out) is out
    assert out.tolist() == [4, 4, 4]
    assert m.sums(a.astype("f8"), out=out, convert=True) is out
    assert m.sums(a, out=None).tolist() == [4, 4, 4]


def test_out_of_several_results(m):
    y = np.zeros(2, "f4")
    result = m.both(np.array([1, 2], "f4"), 7, out=(y, None, None))
    assert result[0] is y and y.tolist() == [2, 3] and result[2].tolist() == [7, 7]


@pytest.mark.parametrize("view", [np.s_[::2], np.s_[::-1], np.s_[1:4]])
def test_out_is_a_view(m, view):
    whole = np.zeros((9, 5), "f4")
    out = whole[:, 2][view]
    a = np.arange(len(out) * 2, dtype="f4").reshape(-1, 2)
    assert m.sums(a, out=out) is out
    np.testing.assert_array_equal(out, a.sum(axis=1))
    assert np.count_nonzero(whole[:, [0, 1, 3, 4]]) == 0


def test_out_with_strides(m):
    a = np.arange(6, dtype="f4").reshape(2, 3)
    for out in [np.zeros((6, 4), "f4")[::2, ::2], np.zeros((2, 3), "f4").T, np.zeros((3, 2), "f4")[::-1]]:
        assert m.turned(a, out=out) is out
        np.testing.assert_array_equal(out, a.T)


def test_out_overlaps_an_argument(m):
    x = np.arange(6, dtype="f4")
    assert m.smooth(x, out=x[1:5]).tolist() == [1, 2, 3, 4]
    assert x.tolist() == [0, 1, 2, 3, 4, 5]
    a = np.arange(9, dtype="f4").reshape(3, 3)
    want = a.T.copy()
    assert m.turned(a, out=a) is a
    np.testing.assert_array_equal(a, want)


def test_out_without_elements(m):
    out = np.zeros((0,), "f4")
    assert m.sums(np.zeros((0, 3), "f4"), out=out) is out


# --- structs, enums, tuples -----------------------------------------------------------------------


def test_structs_in_c_layout(m):
    p = np.zeros(3, np.dtype([("x", "f4"), ("n", "i2")], align=True))
    p["x"], p["n"] = [1, 2, 3], 7
    q, one = m.points(p, m.Point(1.5, 2))
    assert q.dtype == p.dtype and q.tolist() == p.tolist()
    assert one == (1.5, 2) and one.n == 2 and type(one) is m.Point
    packed = p.astype([("x", "f4"), ("n", "i2")])
    assert m.points(packed, {"x": 1, "n": 2})[0].tolist() == p.tolist()
    assert m.points(p[::2], p[1])[0]["x"].tolist() == [1, 3]
    assert m.points([m.Point(1, 7), {"x": 2, "n": 7}, (3, 7)], p[1])[0].tolist() == p.tolist()
    assert m.points([], p[1])[0].dtype == p.dtype and m.points(list(p), p[1])[0].tolist() == p.tolist()
    with pytest.raises(TypeError, match="argument `p` of points does not fit"):
        m.points([(1, 2, 3)], p[1])
    with pytest.raises(TypeError, match="argument `p.n` of points"):
        m.points([(1, 2**15)], p[1])
    out = np.zeros_like(p)
    assert m.points(p, (0, 0), out=(out, None))[0] is out and out["n"].tolist() == [7, 7, 7]


def test_padding_of_records(m):
    good = np.dtype([("x", "f4"), ("n", "i2")], align=True)
    for n in 0, 1, 2, 1009:
        p = np.full(8 * n, 0x55, np.uint8).view(good)
        p["x"], p["n"] = np.arange(n), 7
        padding = m.points(p, m.Point(0, 0))[0].view(np.uint8).reshape(n, 8)[:, 6:]
        assert not padding.any()
        out = np.full(8 * n, 0x66, np.uint8).view(good)
        assert m.points(p, m.Point(0, 0), out=(out, None))[0] is out
        assert (out.view(np.uint8).reshape(n, 8)[:, 6:] == 0x66).all()
        assert out.tolist() == p.tolist()


def test_members_of_one_type(m):
    point = np.dtype([("x", "f4"), ("n", "i2")], align=True)
    edges = np.zeros(3, np.dtype([("a", "i4"), ("b", "i4"), ("ends", point, 2), ("weight", "f8")], align=True))
    edges["a"], edges["b"], edges["weight"] = [1, 2, 3], [4, 5, 6], [0.5, 1.5, 2.5]
    edges["ends"]["x"] = [[1, 2], [3, 4], [5, 6]]
    heavy, one = m.edges(edges, 1.0, edges[0])
    np.testing.assert_array_equal(heavy, edges[1:])
    assert (one.a, one.b, one.weight) == (1, 4, 0.5) and one.ends["x"].tolist() == [1, 2]
    assert m.edges(edges, 9.0, one)[1].ends["x"].tolist() == [1, 2]


def test_structs_of_arrays(m):
    b = np.array([[1, 2], [3, 4]], "i1")
    p, one = m.pairs((np.array([1.0, 2.0]), b), m.Pair(0.5, [5, 6]))
    assert p.a.tolist() == [1, 2] and p.b.tolist() == [[1, 2], [3, 4]] and one.b.tolist() == [5, 6]
    assert m.pairs(p, one)[0].a.tolist() == [1, 2]
    assert m.pairs([(1, [2, 3]), m.Pair(4, [5, 6])], one)[0].b.tolist() == [[2, 3], [5, 6]]
    s = np.zeros(2, [("a", "f8"), ("b", "i1", 2)])
    assert m.pairs(s, s[0])[0].b.shape == (2, 2)


def test_enums(m):
    assert m.area(m.Shape.Circle(2.0)) == 12
    assert m.area(m.Shape.Rect(2.0, 3.0)) == 6
    assert m.area(m.Shape.Nothing) == 0
    results = [m.shape_of(k) for k in range(3)]
    assert results == [m.Shape.Circle(1.0), m.Shape.Rect(2.0, 3.0), m.Shape.Nothing]
    assert [m.area(r) for r in results] == [3, 6, 0]


def test_arrays_of_tuples(m):
    y, x = m.swap((np.ones(2, "f4"), np.array([1, 2], "i4")))
    assert (y.tolist(), x.tolist()) == ([1, 2], [1, 1])


# --- any rank -------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0, 3), (1, 2, 3, 4)])
def test_any_rank(m, shape):
    x = np.random.default_rng(4).random(shape).astype("f4")
    y = m.ranks(x, y=x, k=2)
    np.testing.assert_allclose(y, 3 * x, rtol=1e-6)
    if shape:
        out = np.empty_like(x)
        assert m.ranks(x, x, 2.0, out=out) is out


def test_any_rank_as_an_object(m):
    two = m.ranks.of_ranks(2, 2, 0)
    assert two is m.ranks.of_ranks(2, 2, 0) and "adze_main(" in two.explain()
    assert two.__doc__.startswith("Any rank.") and m.ranks.__doc__.startswith("Any rank.")
    for call, error in [
        (lambda: m.ranks(np.ones((2, 3), "f4"), np.ones((3, 3), "f4"), 1.0), adze.ShapeError),
        (lambda: m.ranks(np.ones(2, "f4"), np.ones((3, 3), "f4"), 1.0), adze.CompileError),
        (lambda: m.ranks(np.ones(2), np.ones(2), 1.0), adze.DtypeError),
        (lambda: m.ranks(np.ones(2, "f4")), adze.ArgumentError),
        (lambda: m.ranks.of_ranks(1), adze.ArgumentError),
    ]:
        with pytest.raises(error):
            call()


# --- fixed sizes ----------------------------------------------------------------------------------


def test_fixed_sizes(m):
    three = m.product.fix(m=3)
    assert three(np.ones((2, 3)), np.ones((3, 2))).tolist() == [[3, 3], [3, 3]]
    with pytest.raises(adze.ShapeError, match="m is 3 by fix.*but 4 in axis 1 of argument `a`"):
        three(np.ones((2, 4)), np.ones((4, 2)))
    assert m.iota.fix(n=3)().tolist() == [0, 1, 2]
    with pytest.raises(adze.ArgumentError, match="no size q"):
        three.fix(q=1)
    with pytest.raises(adze.ArgumentError, match="no size m"):
        three.fix(m=1)
