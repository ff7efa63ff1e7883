"""Bills with NumPy's sums."""

import numpy as np

from field import Call, Option, Record, Records, Table, rng

F, I = np.float64, np.int32
OF = [(F,), (I, I, F, F), (F, F, F), ()]


def option(name, *data):
    names = ["Flat", "TimeOfUse", "Tiered", "Free"]
    return Option(f"Tariff.{name}", names.index(name), data, OF)


def price(tariff, energy):
    name, data = tariff.name.split(".")[1], tariff.data
    if name == "Flat":
        return data[0] * energy.sum()
    if name == "TimeOfUse":
        (start, end), day, night = data
        hours = np.arange(len(energy)) // 4 % 24
        return (energy * np.where((start <= hours) & (hours < end), day, night)).sum()
    if name == "Tiered":
        limit, low, high = data
        return min(energy.sum(), limit) * low + max(energy.sum() - limit, 0) * high
    return 0.0


def bill(number, base, solar, tariff, energy):
    cents = price(tariff, energy) + (len(energy) + 95) // 96 * float(base)
    return np.uint64(number), float(energy.sum()), float(0.9 * cents if solar else cents)


def calls():
    r = rng("tariffs")
    tariffs = [option("Flat", 31.5), option("TimeOfUse", (I(6), I(22)), 40.25, 19.5), option("Tiered", 10.0, 20.0, 35.0), option("Free")]
    for n in (0, 1, 2, 95, 96, 97, 1009):
        readings = r.integers(0, 2**32, n + 1, dtype="u4")
        readings[-1] = 2**32 - 1
        yield Call("used", (readings,), np.diff(readings).astype("f8") / 1000, slow=n > 1000)
        energy = r.integers(0, 64, n) / 8
        for k, tariff in enumerate(tariffs):
            number, base = 2**64 - 1 - n, np.float32(k * 2.5)
            customer = Record("Customer", number=np.uint64(number), base=base, solar=np.bool_(k % 2 == 0))
            yield Call("bill", (customer, tariff, energy), bill(number, base, k % 2 == 0, tariff, energy), rtol=1e-12, slow=n > 1000)
        a, b = tariffs[0], tariffs[1]
        x, y = price(a, energy), price(b, energy)
        best = a if x <= y else b
        yield Call("cheapest", (energy, 31.5, 40.25, 19.5), (best, float(min(x, y))), rtol=1e-12, slow=n > 1000)
        for c in (0, 1, 7):
            all_energy = r.integers(0, 64, (c, n)) / 8
            customers = Records("Customer", number=r.integers(0, 2**64, c, dtype="u8"), base=r.integers(0, 40, c).astype("f4"), solar=r.random(c) < 0.5)
            rows = [bill(*who, tariffs[1], e) for who, e in zip(zip(*customers.fields.values()), all_energy)]
            columns = [np.array([row[i] for row in rows], t) for i, t in enumerate(("u8", "f8", "f8"))]
            want = Table("Bill", number=columns[0], energy=columns[1], cents=columns[2])
            yield Call("bills", (customers, tariffs[1], all_energy), want, rtol=1e-12, slow=c * n > 1000)
            sums = all_energy.sum(0)
            if n:
                yield Call("peak", (all_energy,), (int(sums.argmax()), float(sums.max())), slow=c * n > 1000)
