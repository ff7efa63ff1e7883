"""programs.py FOLDER: programs in which all operators of all scalar types meet literals, the ends of their ranges among them."""

import pathlib
import sys

BITS = {f"{kind}{bits}": (kind, bits) for kind in "iu" for bits in (8, 16, 32, 64)}
FLOATS = ["f16", "f32", "f64"]
ARITHMETIC = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>>"]
COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]
FUNCTIONS = "abs sqrt exp exp2 log log2 log10 sin cos tan asin acos atan sinh cosh tanh erf floor ceil round trunc".split()


class Program:
    def __init__(self):
        self.lines = []

    def entry(self, parameters, result, body):
        self.lines.append(f"entry fn e{len(self.lines)}({parameters}) -> {result} {{ {body} }}")


def ends(scalar):
    kind, bits = BITS[scalar]
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if kind == "i" else (0, (1 << bits) - 1)


def literal(scalar, value):
    return f"{value}{scalar}" if value >= 0 else f"(-{-value}{scalar})"


def interesting(scalar):
    low, high = ends(scalar)
    return sorted({low, low + 1, -1 if low else 0, 0, 1, 2, 10, high // 2, high - 1, high})


def integers_and_literals(p, t):
    for value in interesting(t):
        c, one, two = literal(t, value), f"x: {t}", f"x: {t}, y: {t}"
        for op in ARITHMETIC:
            p.entry(one, t, f"x {op} {c}")
            p.entry(one, t, f"{c} {op} x")
        for f in ("min", "max"):
            p.entry(one, t, f"{f}(x, {c})")
            p.entry(one, t, f"{f}({c}, x)")
        for op in COMPARISONS:
            left = ["x", "!x", "-x", "abs(x)", "min(x, 3)", "(x & 6)", "(x | 9)", "(x ^ 5)", "(x + 1)", "(x << 1)", "(x >>> 1)", "(x / 3)", "(x % 5)"]
            for e in left:
                p.entry(one, "bool", f"{e} {op} {c}")
            p.entry(one, "bool", f"{c} {op} x")
            p.entry(two, "bool", f"(x ^ {c}) {op} y")
            p.entry(two, "bool", f"{t}(x < y) {op} {c}")
        p.entry("", t, c)
        for u in BITS:
            p.entry(one, u, f"{u}(x + {c}) & 7")
            p.entry(one, "bool", f"{u}(x) < {literal(u, min(max(value, ends(u)[0]), ends(u)[1]))}")


def integers(p, t):
    two = f"x: {t}, y: {t}"
    same = ["!x {} y", "!x {} !y", "x {} x", "(x - x) {} y", "(x ^ x) {} y", "(x + y) {} (y + x)", "(x & 3) {} (y & 12)", "!(x {} y)"]
    for op in COMPARISONS:
        for e in same:
            p.entry(two, "bool", e.format(op))
        for other in COMPARISONS:
            for both in ("&&", "||", "&", "|"):
                for c in (3, 5):
                    p.entry(two, "bool", f"(x {op} 3) {both} (x {other} {c})")
                    p.entry(two, "bool", f"x {op} 3 {'&&' if both[0] == '&' else '||'} ((x {other} {c}) {both} (y {op} 1))")
    for op in ("/", "%"):
        for e in ("x {} 0", "x {} x", "0 {} y", "if y == 0 { 1 } else { x {} y }"):
            p.entry(two, t, e.replace("{}", op))
    for u in BITS:
        two = f"x: {t}, y: {u}"
        for op in ("<", "==", ">="):
            for e in ("{u}(x) {op} y", "{u}(!x) {op} y", "{u}(x) {op} -y", "{u}(x) + 1 {op} y", "{u}(x & 7) {op} 9", "{u}({t}({u}(x))) {op} y", "{u}(x) {op} 0"):
                p.entry(two, "bool", e.format(u=u, t=t, op=op))


def floats(p, t):
    one, two = f"x: {t}", f"x: {t}, y: {t}"
    for c in ("0.0", "(-0.0)", "1.0", "(-1.0)", "0.5", "(1.0 / 0.0)", "(0.0 / 0.0)", "65504.0", "1e-7"):
        c = f"{t}({c})"
        for op in ("+", "-", "*", "/", "%"):
            p.entry(one, t, f"x {op} {c}")
            p.entry(one, t, f"{c} {op} x")
        for op in COMPARISONS:
            for e in ("x {op} {c}", "{c} {op} x", "{c} {op} {c}", "abs(x) {op} {c}", "floor(x) {op} {c}", "(x < 1.0) == (x {op} {c})", "(x < {c}) && (x {op} {c})"):
                p.entry(one, "bool", e.format(op=op, c=c))
        for f in ("min", "max", "pow", "atan2"):
            for e in (f"{f}(x, {c})", f"{f}({c}, x)", f"{f}({c}, {c})"):
                p.entry(one, t, e)
        for f in FUNCTIONS:
            p.entry("", t, f"{f}({c})")
        for u in BITS:
            p.entry("", u, f"{u}({c})")
        p.entry(one, t, f"fma(x, {c}, {c})")
        p.entry(two, t, f"if x == {c} {{ -{c} }} else {{ y }}")


def bools(p):
    two = "x: bool, y: bool"
    for op in ("==", "!=", "&", "|", "^", "&&", "||"):
        for c in ("true", "false"):
            for e in (f"x {op} {c}", f"{c} {op} x", f"(x {op} y) {op} {c}", f"!x {op} {c}"):
                p.entry(two, "bool", e)


def sizes(p):
    for e in ("n + m", "n * m", "2 ^ n", "n ^ 10", "n & 1", "n >>> 70", "n << 63", "n % 3", "n / 1", "n - m", "-n", "min(n, 3)", "n * 9223372036854775807", "-9223372036854775808 + n"):
        p.entry("n: nat, m: nat", "i64", e)
    for op in COMPARISONS:
        for e in ("n {} 1", "n {} -1", "(n * m | 0) {} 4", "n - 1 {} 0", "n {} 9223372036854775806", "u64(n) {} 5", "u32(n) {} u32(m)", "u8(n) {} 255", "u32(n) {} x", "u64(x) {} u64(n)", "i64(x) {} n"):
            p.entry("n: nat, m: nat, x: u32", "bool", e.format(op))


def arrays(p, t):
    n = f"n: nat, xs: [8]{t}, k: "
    for k in ("u8", "i32", "u64"):
        p.entry(n + k, t, "xs[k]")
        p.entry(n + k, t, "xs[k & 3]")
    p.entry(n + "i64", t, "if n < 8 { xs[n] } else { xs[7] }")
    p.entry(n + "i64", t, "xs[9223372036854775807]")
    p.entry(n + "i64", f"[8]{t}", "map(|x| if x == xs[0] { x } else { xs[1] }, xs)")
    p.entry(n + "i64", f"[8]{t}", "map.vec[4](|x| if x == xs[0] { x } else { xs[1] }, xs)")


def main(folder):
    programs = {"bools": [bools], "sizes": [sizes]}
    for t in BITS:
        programs[t] = [lambda p, t=t: integers_and_literals(p, t), lambda p, t=t: integers(p, t), lambda p, t=t: arrays(p, t)]
    for t in FLOATS:
        programs[t] = [lambda p, t=t: floats(p, t), lambda p, t=t: arrays(p, t)]
    for name, parts in programs.items():
        p = Program()
        for part in parts:
            part(p)
        (folder / f"{name}.adz").write_text("\n".join(p.lines) + "\n")


main(pathlib.Path(sys.argv[1]))
