"""The journal of a web server against Python's split, int and float."""

import numpy as np

from field import Call, octets, rng


def read(line):
    """Status, size and seconds of a line, or None."""
    words = line.split()
    if len(words) != 6 or line[:1].isspace():
        return None
    try:
        status, size, seconds = int(words[3]), int(words[4]), float(words[5])
    except ValueError:
        return None
    return (status, size, seconds) if size >= 0 else None


def journal(r, n):
    """Lines of which every fifth or so is damaged."""
    lines = []
    for _ in range(n):
        status = r.choice([200, 204, 301, 404, 500, -1, 1200])
        words = [f"192.0.2.{r.integers(1, 255)}", "GET", "/index.html", str(status), str(r.integers(0, 10**7)), repr(round(float(r.exponential()), 4))]
        damage = r.integers(0, 10)
        if damage == 0:
            words[4] += "k"
        elif damage == 1:
            words.pop()
        elif damage == 2:
            words.append("again")
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


def calls():
    r = rng("journal")
    for n in (1, 3, 40):
        text = journal(r, n)
        found = [read(line) for line in text.splitlines()]
        good = [x for x in found if x]
        whole = sum(x[1] for x in good)
        yield Call("summary", (octets(text),), (n, n - len(good), whole, max([x[2] for x in good], default=0.0)))
        classes = np.zeros(10, dtype=np.int64)
        for status, _, _ in good:
            if 0 <= status < 1000:
                classes[status // 100] += 1
        yield Call("classes", (octets(text),), classes)
        out = f"lines: {n}\ndamaged: {n - len(good)}\nbytes: {whole}".ljust(80)
        yield Call("report", (octets(text),), octets(out))
        yield Call("loud", (octets(text),), (octets(text.upper()), len(text.split()), text.find("404")))
    yield Call("summary", (octets(""),), (0, 0, 0, 0.0))
    yield Call("report", (octets("no request"),), octets("lines: 1\ndamaged: 1\nbytes: 0".ljust(80)))
    yield from numbers(r)


def numbers(r):
    """Decimal numbers of all sizes, in the digits that are needed and in more or fewer, and halfway between two neighbours."""
    texts = ["0", "-0.0", "1e23", "8.5e-323", "5e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623158e308", "+.5", "5.", "9007199254740993"]
    for bits in r.integers(0, 2**63, 30, dtype=np.uint64):
        x = float(np.frombuffer(np.uint64(bits).tobytes(), dtype=np.float64)[0])
        if np.isfinite(x):
            texts += [repr(x), "%.3e" % x, "%.17e" % x]
    for x in r.uniform(size=10):
        texts += ["%.17g" % x, "%.60f" % x, "%.55f" % ((x + np.nextafter(x, 1)) / 2)]
    texts += ["1e309", "-1e309", "x", "1e", ""]
    want = []
    for text in texts:
        try:
            x = float(text)
        except ValueError:
            x = 0.0
        want.append(abs(x) if np.isinf(x) else x)
    yield Call("numbers", (octets("".join(t + "\n" for t in texts)), len(texts)), np.array(want), slow=True)
    few = texts[:6] + texts[11:14]
    yield Call("numbers", (octets("\n".join(few)), len(few)), np.array([float(t) for t in few]), slow=True)
    yield Call("numbers", (octets("1.5\n-2e3\n1e-7"), 3), np.array([1.5, -2e3, 1e-7]))
