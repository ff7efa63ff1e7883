#!/bin/sh
# install.sh: an installed Adze works away from its source tree.
set -e
cd "$(dirname "$0")/.."
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
make --no-print-directory install PREFIX="$prefix" >/dev/null
for f in bin/adze lib/libadze.a lib/pkgconfig/adze.pc include/adze/adze_array.h share/man/man1/adze.1 share/adze/lib/std/linalg.adz; do
    test -f "$prefix/$f" || { echo "install: $f is missing"; exit 1; }
done
printf 'import std.linalg (dot)\nentry fn f(a: [3]f32) -> f32 {\n    dot(a, a)\n}\n' > "$prefix/f.adz"
got=$(cd "$prefix" && bin/adze run f.adz 'f([1.0, 2.0, 3.0])')
[ "$got" = 14.0 ] || { echo "install: got $got, wanted 14.0"; exit 1; }
echo "1 passed, 0 failed"
