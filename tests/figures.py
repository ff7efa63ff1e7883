"""figures.py A.svg B.svg: whether two plots are the same, but for numbers that differ by at most a tenth of a pixel."""

import re
import sys

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
texts = [open(name).read() for name in sys.argv[1:3]]
numbers = [[float(n) for n in NUMBER.findall(text)] for text in texts]
same = NUMBER.sub("#", texts[0]) == NUMBER.sub("#", texts[1])
sys.exit(not (same and all(abs(a - b) <= 0.1 for a, b in zip(*numbers))))
