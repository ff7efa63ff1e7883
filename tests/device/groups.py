"""groups.py SEED COUNT: random kernels of groups, as a program whose entry `sums` runs them all.

An iteration has a few arrays of 64 numbers, which loops over work-items and statements between them
read and write, at positions that sometimes are those of the same work-item and sometimes are not.
Within a loop each work-item writes elements of its own, so that only a missing barrier is a race.
"""

import random
import sys

SIZE = 64
ARRAYS = ("a", "b", "c")


class Kernel:
    def __init__(self, r):
        self.r = r
        self.fresh = 0

    def name(self, letter):
        self.fresh += 1
        return f"{letter}{self.fresh}"

    def place(self, item):
        """A position of which each work-item has its own."""
        return self.r.choice((
            item,
            item,
            f"({SIZE - 1} - {item})",
            f"(({item} + {self.r.randrange(SIZE)}) % {SIZE})",
            f"({item} % 8 * 8 + {item} / 8)",
            f"(({self.r.randrange(1, SIZE, 2)} * {item}) & {SIZE - 1})",
        ))

    def anywhere(self, indices):
        """Any position; often the first, which is that of the work-item that stores for all."""
        at = ["0", str(self.r.randrange(SIZE))]
        for i in indices:
            at += [f"(({i} + {self.r.randrange(SIZE)}) % {SIZE})", f"({i} / 2)", f"({i} & 7)"]
        return self.r.choice(at)

    def value(self, written, place, indices):
        """What a loop may compute: of the array that it writes, only the element at that place."""
        terms = [str(self.r.randrange(9))]
        for array in self.r.sample(ARRAYS, 2):
            terms.append(f"{array}[{place if array == written else self.anywhere(indices)}]")
        return f" {self.r.choice('+-')} ".join(terms)

    def local(self, indices, indent):
        """A loop over work-items."""
        item, written = self.name("i"), self.r.choice(ARRAYS)
        place = self.place(item)
        n = self.r.choice((SIZE, SIZE, SIZE, 16))
        assign = f"{written}[{place}] = {self.value(written, place, indices + [item])};"
        if self.r.random() < 0.3:
            place = f"(({item} & 15) * 4 + {self.name('e')})"
            index = f"e{self.fresh}"
            value = self.value(written, place, indices + [item])
            n, assign = 16, f"for {index} in range(0, 4) {{ {written}[{place}] = {value}; }}"
        elif self.r.random() < 0.3:
            assign = f"if {item} % 3 != {self.r.randrange(3)} {{ {assign} }}"
        elif self.r.random() < 0.2:
            # an array of the work-item's own, in its registers or not
            t, e, size = self.name("t"), self.name("e"), self.r.choice(("3", "n + 2", "700"))
            last = f"i64({size}) - 1"
            filled = f"for {e} in range(0, i64({size})) {{ {t}[{e}] = {self.value(written, place, indices + [item])} + i32({e}); }}"
            assign = f"let mut {t}: [{size}]i32 = undefined(); {filled} {written}[{place}] = {t}[0] - {t}[{last}];"
        elif self.r.random() < 0.3:
            at = self.name("k")
            assign = f"let {at} = {place}; {written}[{at}] = {self.value(written, at, indices + [item])};"
        if self.r.random() < 0.7:
            assign = f"unchecked {{ {assign} }}"  # otherwise a work-item may leave its iteration, as far as the compiler sees
        return [f"{indent}for {item} in parallel(0, 0, {n}) {{ {assign} }}"]

    def between(self, indices, indent):
        """A statement that all work-items execute alike, or one of them."""
        array, at = self.r.choice(ARRAYS), self.r.choice((0, self.r.randrange(SIZE)))
        own = [f"own[{self.r.choice((str(self.r.randrange(8)), 'i64(sum & 7)'))}]" for _ in range(2)]
        other = f"{self.r.choice(ARRAYS)}[{self.anywhere(indices)}]"
        return [indent + "unchecked { %s }" % self.r.choice((
            f"sum += {array}[{at}] % 100;",
            f"{array}[{at}] = {other} + sum % 100;",
            f"{own[0]} = {other};",
            f"{own[0]} = {own[1]} + {other} % 100;",
            f"{array}[{at}] = {own[0]};",
        ))]

    def statements(self, depth, indices, indent):
        lines = []
        for _ in range(self.r.randrange(2, 5)):
            kind = self.r.random()
            if depth > 0 and kind < 0.15:
                index = self.name("s")
                lines += [f"{indent}for {index} in range(0, {self.r.choice((2, 3))}) {{"]
                lines += self.statements(depth - 1, indices + [index], indent + "    ") + [indent + "}"]
            elif depth > 0 and kind < 0.25:
                lines += [f"{indent}if {self.r.choice(('g % 2 == 0', 'sum % 2 == 0'))} {{"]
                lines += self.statements(depth - 1, indices, indent + "    ") + [indent + "}"]
            elif kind < 0.75:
                lines += self.local(indices, indent)
            else:
                lines += self.between(indices, indent)
        return lines

    def entry(self, name):
        lines = [f"entry fn {name}[n: nat](xs: [n][{SIZE}]i32) -> [n][{SIZE}]i32 {{"]
        lines += [f"    let mut out: [n][{SIZE}]i32 = undefined();", "    for g in parallel(0, 0, i64(n)) {"]
        lines += [f"        let mut {a}: [{SIZE}]i32 = undefined();" for a in ARRAYS]
        lines += ["        let mut own: [8]i32 = undefined();", "        let mut sum = i32(n) + 1;"]
        lines += [f"        own[{k}] = {self.r.randrange(9)};" for k in range(8)]
        for a in ARRAYS:
            lines += [f"        for i in parallel(0, 0, {SIZE}) {{ {a}[i] = xs[g][(i * {self.r.randrange(1, 9, 2)}) & {SIZE - 1}]; }}"]
        lines += self.statements(2, [], "        ")
        own = self.r.choice(("own[i & 7]", "sum"))  # in the first case the group shares the array
        lines += ["        sum += own[3] + own[5];"]
        lines += [f"        for i in parallel(0, 0, {SIZE}) {{ out[g][i] = a[i] + b[{SIZE - 1} - i] + c[i] + {own}; }}"]
        return lines + ["    }", "    out", "}", ""]


def main():
    r, count = random.Random(int(sys.argv[1])), int(sys.argv[2])
    for k in range(count):
        print("\n".join(Kernel(r).entry(f"kernel_{k}")))
    print(f"fn numbers() -> [5][{SIZE}]i32 {{\n    generate(5, |i| generate({SIZE}, |j| i32((i64(i) * 7 + i64(j) * 5) % 31)))\n}}\n")
    print(f"fn check(xs: [5][{SIZE}]i32) -> i32 {{\n    fold(|sum, x| 31 * sum + x, 7, join(xs))\n}}\n")
    calls = ", ".join(f"check(kernel_{k}(xs))" for k in range(count))
    print(f"entry fn sums() -> [{count}]i32 {{\n    let xs = numbers();\n    [{calls}]\n}}")


main()
