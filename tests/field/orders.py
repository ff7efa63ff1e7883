"""Filters against NumPy's masks."""

import numpy as np

from field import Call, Rows, Table, UpTo, rng


def calls():
    r = rng("orders")
    for n in (0, 1, 61, 4099, 20011):
        slow = n > 100
        customer = r.integers(-(2**31), 2**31, n, dtype="i4")
        price = r.integers(-300, 300, n) / 4 + np.arange(n) / 2**40
        price[::5] = np.nan
        price[1::17] = np.inf if n < 100 else -np.inf
        count = r.integers(-(2**15), 2**15, n, dtype="i2")
        orders = Table("Order", customer=customer, price=price, count=count)
        paid = price > 0
        with np.errstate(all="ignore"):
            values = (price * count)[paid]
            want = (len(values), float(values.sum()), float(values.max(initial=-np.inf)), int(count[paid].astype("i8").sum()))
        yield Call("totals", (orders,), want, rtol=1e-9, slow=slow)
        by = np.argsort(-price[paid], kind="stable")
        rows = Rows((customer[paid][by], np.cumsum(count[paid][by].astype("i8"))))
        yield Call("ranking", (orders,), UpTo(rows, n), slow=slow)
        yield Call("groups", (orders,), np.bincount(customer[paid] & 63, minlength=64), slow=slow)
        xs = r.integers(-(2**40), 2**40, n, dtype="i8")
        halves = xs[xs % 2 == 0] // 2
        odd = np.sort(halves[halves % 2 != 0])
        yield Call("changes", (xs,), (len(halves), len(odd), int(np.diff(odd).max(initial=0))), slow=slow)
        noisy = r.normal(size=n)
        noisy[::3] = np.nan
        good = noisy[~np.isnan(noisy)]
        yield Call("cleaned", (noisy,), (len(good), np.concatenate((good * good, np.zeros(n - len(good))))), slow=slow)
        small = r.integers(-(2**20), 2**20, n, dtype="i4")
        yield Call("peaks", (small,), UpTo(np.flatnonzero(small.astype("i8") * n > small.astype("i8").sum())[::-1].copy(), n), slow=slow)
        m = n // 100
        a, b = r.integers(-9, 10, (m, 17)).astype("f4"), r.integers(-9, 10, (17, 65)).astype("f4")
        yield Call("scored", (a, b), (a[a[:, 0] > 0] @ b).sum(axis=0, dtype="f4"), slow=slow)
