"""Sizes: expressions of size names, such as `n + 2`, and what the arrays of a call say of them."""

from .errors import ShapeError

_OPERATORS = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "min": min,
    "max": max,
    "pow": lambda a, b: a**b,
}


class Size:
    """A size as the compiler describes it: its text, and its postfix form."""

    def __init__(self, described):
        self.text = described["text"]
        self.code = described["code"]
        self.names = {x for x in self.code if isinstance(x, str)}
        self.is_name = self.code == [self.text] and bool(self.names)

    def value(self, known):
        """Its value, or None if `known` lacks one of its names or it has no value."""
        stack = []
        for step in self.code:
            if isinstance(step, str):
                if step not in known:
                    return None
                stack.append(known[step])
            elif isinstance(step, list):
                (operator,) = step
                b = stack.pop()
                a = stack.pop()
                if (operator in "/%" and b == 0) or (operator == "pow" and b < 0):
                    return None
                stack.append(_OPERATORS[operator](a, b))
            else:
                stack.append(step)
        return stack[0]

    def solve(self, known, value):
        """The only name that `known` lacks, and its value for this size; or None.

        A size that is linear in the name has at most one solution. Others are tried, too, if they
        behave as if they were linear.
        """
        unknown = self.names - known.keys()
        if len(unknown) != 1:
            return None
        (name,) = unknown
        base = self.value({**known, name: 0})
        step = self.value({**known, name: 1})
        if base is None or step is None or step == base or (value - base) % (step - base):
            return None
        found = (value - base) // (step - base)
        if found < 0 or self.value({**known, name: found}) != value:
            return None
        return name, found


class Solver:
    """The sizes of a call: from arguments that are sizes, and from the shapes of arrays."""

    def __init__(self, entry):
        self.entry = entry  # its name
        self.known = {}
        self.where = {}  # name -> what says so
        self.pending = []

    def set(self, name, value, where):
        """Notes the value of a name, and compares it with what is known."""
        if name in self.known:
            self._compare(name, name, value, where)
        self.known[name] = value
        self.where.setdefault(name, where)

    def add(self, size, value, where, argument):
        """Notes that an array says that `size` is `value`."""
        if size.is_name:
            self.set(size.text, value, (where, argument))
        else:
            self.pending.append((size, value, (where, argument)))

    def _compare(self, text, name, value, where):
        expected = self.known[name]
        if expected == value:
            return
        raise ShapeError(
            f"{self.entry}: size {text} is {expected} {self.where[name][0]}, "
            f"but {value} {where[0]}",
            where[1],
            text,
            expected,
            value,
        )

    def finish(self):
        """Solves what is pending, and compares it with what is known."""
        progress = True
        while progress:
            progress = False
            for size, value, where in self.pending:
                found = size.solve(self.known, value)
                if found:
                    self.set(found[0], found[1], (f"since {size.text} is {value} {where[0]}", where[1]))
                    progress = True
        for size, value, where in self.pending:
            expected = size.value(self.known)
            if expected == value:
                continue
            if expected is None:
                text = f"{self.entry}: {size.text} cannot be {value}, as it is {where[0]}"
                raise ShapeError(text, where[1], size.text, None, value)
            names = ", ".join(f"{n} = {self.known[n]}" for n in size.names if n in self.known)
            name = f"size {size.text} is {expected} ({names})" if names else f"a size is {expected}"
            raise ShapeError(
                f"{self.entry}: {name}, but {value} {where[0]}",
                where[1],
                size.text,
                expected,
                value,
            )

    def values(self, names):
        """The values of the names, as a tuple."""
        for name in names:
            if name not in self.known:
                raise ShapeError(
                    f"{self.entry}: no argument determines the size {name}; "
                    f"give it by name: {name}=..",
                    size=name,
                )
        return tuple(self.known[n] for n in names)
