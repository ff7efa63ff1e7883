"""What the tests share."""

import adze
import pytest

PROGRAM = """
import std.arrays (filter)

#[c_layout]
struct Point { x: f32, n: i16 }
#[c_layout]
struct Edge { a: i32, b: i32, ends: [2]Point, weight: f64 }
struct Pair { a: f64, b: [2]i8 }
enum Shape { Circle(f64), Rect(f64, f64), Nothing }

/// Sums of the rows.
///
/// Each from left to right.
entry fn sums[n, m: nat](a: [n][m]f32) -> [n]f32 { map(|row| reduce(+, 0.0, row), a) }
entry fn product[n, m, k: nat](a: [n][m]f64, b: [m][k]f64) -> [n][k]f64 {
    map(|r| map(|c| reduce(+, 0.0, map(|(p, q)| p * q, zip(r, c))), transpose(b)), a)
}
entry fn turned[n, m: nat](a: [n][m]f32 strided) -> [m][n]f32 strided { transpose(a) }
entry fn smooth[n: nat](xs: [n + 2]f32) -> [n]f32 {
    xs |> slide[3, 1] |> map(|w| (w[0] + w[1] + w[2]) / 3.0)
}
entry fn columns[n, m: nat](x: [n * m]f64, y: [n]f64) -> [m]f64 {
    map(|r| reduce(+, y[0], r), split[n](x))
}
entry fn iota(n: nat) -> [n]i64 { generate(n, |i| i64(i)) }
entry fn filled[n: nat](x: f64) -> [n]f64 { generate(n, |i| x) }
entry fn each(a: bool, b: i8, c: i16, d: i32, e: i64, f: u8, g: u16, h: u32, i: u64, j: f16, k: f32, l: f64)
    -> (bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64) { (a, b, c, d, e, f, g, h, i, j, k, l) }
entry fn same_bool[n: nat](x: [n]bool) -> [n]bool { map(|v| !v, x) }
entry fn same_i8[n: nat](x: [n]i8) -> [n]i8 { map(|v| v, x) }
entry fn same_i16[n: nat](x: [n]i16) -> [n]i16 { map(|v| v, x) }
entry fn same_i32[n: nat](x: [n]i32) -> [n]i32 { map(|v| v, x) }
entry fn same_i64[n: nat](x: [n]i64) -> [n]i64 { map(|v| v, x) }
entry fn same_u8[n: nat](x: [n]u8) -> [n]u8 { map(|v| v, x) }
entry fn same_u16[n: nat](x: [n]u16) -> [n]u16 { map(|v| v, x) }
entry fn same_u32[n: nat](x: [n]u32) -> [n]u32 { map(|v| v, x) }
entry fn same_u64[n: nat](x: [n]u64) -> [n]u64 { map(|v| v, x) }
entry fn same_f16[n: nat](x: [n]f16) -> [n]f16 { map(|v| v, x) }
entry fn same_f32[n: nat](x: [n]f32) -> [n]f32 { map(|v| v, x) }
entry fn same_f64[n: nat](x: [n]f64) -> [n]f64 { map(|v| v, x) }
entry fn rank3[a, b, c: nat](x: [a][b][c]i32) -> [c][a][b]i32 {
    generate(c, |k| generate(a, |i| generate(b, |j| x[i, j, k])))
}
entry fn both[n: nat](x: [n]f32, k: i32) -> ([n]f32, f32, [n]i32) {
    (map(|v| v + 1.0, x), reduce(+, 0.0, x), map(|v| k, x))
}
entry fn positive[n: nat](x: [n]i32) -> [?n]i32 { filter(|v| v > 0, x) }
entry fn pick[n: nat](x: [n]i32, i: i64) -> i32 { x[i] }
entry fn tail[n: nat](x: [n]i32) -> [n - 3]i32 where n >= 3 { drop[3](x) }
entry fn checked(k: i32) -> i32 { assert(k > 3, "k is ", k); k }
entry fn points[n: nat](p: [n]Point, q: Point) -> ([n]Point, Point) { (map(|v| v, p), q) }
entry fn edges[n: nat](es: [n]Edge, least: f64, e: Edge) -> ([?n]Edge, Edge) {
    (filter(|e| e.weight > least, es), e)
}
entry fn pairs[n: nat](p: [n]Pair, q: Pair) -> ([n]Pair, Pair) { (map(|v| v, p), q) }
entry fn area(s: Shape) -> f64 { match s { Shape.Circle(r) => 3.0 * r * r, Shape.Rect(a, b) => a * b, Shape.Nothing => 0.0 } }
entry fn shape_of(k: i32) -> Shape { if k == 0 { Shape.Circle(1.0) } else if k == 1 { Shape.Rect(2.0, 3.0) } else { Shape.Nothing } }
entry fn swap[n: nat](p: [n](f32, i32)) -> [n](i32, f32) { map(|(x, y)| (y, x), p) }
entry fn keywords(from: i32, out: i32) -> [1]i32 { [from - out] }
entry fn entries[min, max: nat](x: [min + max]i32, y: [min]i32) -> [max]i32 { generate(max, |i| x[i64(i)]) }
entry fn _lock(x: i32) -> i32 { x }
entry fn work(n: i64) -> f64 {
    let mut x = 1.0;
    for i in range(0, n) { x = x * 1.0000001 + 0.5; }
    x
}
/// Any rank.
entry fn ranks[s: shape](x: [..s]f32, y: [..s]f32, k: f32) -> [..s]f32 { x + y * k }
"""


@pytest.fixture(scope="session")
def m():
    return adze.compile(PROGRAM, name="test.adz", target="c", cflags="-O1")
