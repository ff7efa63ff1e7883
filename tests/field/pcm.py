"""Sound with NumPy's integers of 32 bits, clipped."""

import numpy as np

from field import Call, Rows, rng


def clip(x):
    return np.clip(x, -32768, 32767).astype("i2")


def sizes():
    step, steps = 7, []
    for _ in range(89):
        steps.append(min(step, 32767))
        step += max(1, step // 10)
    return steps


def decoded(data, x):
    steps, index, out = sizes(), 0, []
    for byte in data:
        for code in (byte & 15, byte >> 4):
            step = steps[index]
            change = (step >> 3) + sum(step >> (2 - k) for k in range(3) if code >> k & 1)
            change = min(change, 32767)
            x = max(x - change, -32768) if code & 8 else min(x + change, 32767)
            index = min(max(index + [-1, -1, -1, -1, 2, 4, 6, 8][code & 7], 0), 88)
            out.append(x)
    return np.array(out, "i2").reshape(-1, 2)


def calls():
    r = rng("pcm")
    for n in (0, 1, 2, 17, 128, 509):
        a, b = r.integers(-32768, 32768, (2, n), dtype="i2")
        a[:1], b[:1] = -32768, -32768
        yield Call("mix", (a, b), clip(a.astype("i4") + b), slow=n > 200)
        tracks = r.integers(-32768, 32768, (3, n), dtype="i2")
        want = np.zeros(n, "i2")
        for track in tracks:
            want = clip(want.astype("i4") + track)
        yield Call("mix_all", (tracks,), want, slow=n > 100)
        for gain in (-32768, 32767, 1, 12345):
            half = a.astype("i4") * gain >> 16
            yield Call("scaled", (a, np.int16(gain)), clip(2 * half), slow=n > 100)
        pairs = r.integers(-32768, 32768, 2 * n, dtype="i2")
        pairs[:2] = 32767
        yield Call("halved", (pairs,), (pairs[::2].astype("i4") + pairs[1::2] + 1 >> 1).astype("i2"), sizes={"n": n}, slow=n > 100)
        wide = a.astype("i4")
        step = np.abs(np.diff(wide)).max(initial=0)
        yield Call("steps", (a,), (np.uint16(step), np.uint16(np.abs(wide).max(initial=0))), slow=n > 100)
        for quiet in (a, a >> 9, a * 0):
            top = min([15, *(15 - (int(x) if x >= 0 else ~int(x)).bit_length() for x in quiet)])
            yield Call("headroom", (quiet,), np.int16(top), slow=n > 100)
        octets = r.integers(0, 256, (n, 3), dtype="u1")
        numbers = np.array([int.from_bytes(row.tobytes(), "little", signed=True) for row in octets], "i4")
        yield Call("unpacked", (octets,), Rows((numbers, (numbers / 2**23).astype("f4"))), slow=n > 100)
        codes = r.integers(0, 256, n, dtype="u1")
        codes[n // 2 :] |= 0x77
        yield Call("decoded", (codes, np.int16(-5)), decoded(codes.tolist(), -5), slow=n > 40)
        p, q = r.integers(0, 256, (2, n), dtype="u1")
        mixed = np.clip(p.astype("i4") - 128 + q - 128, -128, 127) + 128
        yield Call("mix8", (p, q), mixed.astype("u1"), slow=n > 100)
        samples = r.integers(-32768, 32768, 8 * n, dtype="i2")
        gains = np.arange(8 * n) * 32767 // max(8 * n, 1)
        yield Call("faded", (samples,), clip(2 * (samples.astype("i4") * gains >> 16)), sizes={"n": n}, slow=n > 100)
