#!/bin/sh
# run.sh ADZE: pages of `adze explain --html` are well-formed, small, refer to nothing outside, and show what `adze explain` prints. Where there is
# a Chromium, it opens one (browser.py); the package is too large to be needed for the tests.
. "$(dirname "$0")/../common.sh"
cd "$root" || exit 2

page() {
    name=$1 program=$2
    shift 2
    check "$name is written" "$adze" explain "$program" --html -o "$scratch/$name.html" "$@"
    check "$name is right" python3 "$here/check.py" "$adze" "$scratch/$name.html" "$program" "$@"
}
page escapes tests/page/escapes.adz --cpu x86-64-v3
page heat examples/heat.adz --target c --vector-bytes 0
page kernels examples/histogram.adz --target cuda

# As much as fits is kept of a large program.
check "matrix is written" "$adze" explain examples/matrix.adz matmul --html -o "$scratch/large.html" --vector-bytes 64
check "a large page leaves texts out, and says which" python3 - "$here" "$scratch/large.html" <<'PYTHON'
import os, sys
sys.path.insert(0, sys.argv[1])
import page
text = open(sys.argv[2], encoding="utf-8").read()
data = page.data_of(text)
assert os.path.getsize(sys.argv[2]) <= page.MOST
assert page.text_of(data, data["entries"][0]["stages"]["c"]) and page.text_of(data, data["source"])
out = data["left_out"]
missing = [p for p in data["entries"][0]["passes"] if "text" in p and p["text"] is None]
assert missing and data["left_out_count"] >= len(out) > 0
assert {"matmul: the pass " + p["name"] for p in missing} == {x for x in out if "the pass" in x}
PYTHON

# The same page each time, on standard output as in a file.
check "to standard output" sh -c '"$1" explain tests/page/escapes.adz --html --cpu x86-64-v3 | cmp - "$2"' sh "$adze" "$scratch/escapes.html"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -n "$browser" ]; then
    check "escapes in a browser" timeout 300 python3 "$here/browser.py" "$browser" "$scratch/escapes.html"
else
    echo "no chromium: the page is not opened in a browser"
fi
report "page"
