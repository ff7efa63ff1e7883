#!/bin/sh
# install.sh: an installed Adze works away from its source tree.
set -e
cd "$(dirname "$0")/.."
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
make --no-print-directory install PREFIX="$prefix" >/dev/null
for f in bin/adze lib/libadze.a lib/libadze-compiler.so lib/pkgconfig/adze.pc include/adze/adze_array.h include/adze/adze_compiler.h share/man/man1/adze.1 share/adze/lib/std/linalg.adz; do
    test -f "$prefix/$f" || { echo "install: $f is missing"; exit 1; }
done
printf 'import std.linalg (dot)\nentry fn f(a: [3]f32) -> f32 {\n    dot(a, a)\n}\n' > "$prefix/f.adz"
got=$(cd "$prefix" && bin/adze run f.adz 'f([1.0, 2.0, 3.0])')
[ "$got" = 14.0 ] || { echo "install: got $got, wanted 14.0"; exit 1; }
cat > "$prefix/call.c" <<'END'
#include <adze/adze_compiler.h>
#include <stdio.h>

int main(void)
{
    AdzeModule *m = adze_module_new(NULL, (const char *[]){"--target=c", "--no-cache", NULL});
    AdzeCode code;
    float a[] = {1, 2, 3}, out = 0;
    if (m && adze_module_open(m, "f.adz", NULL) && adze_module_compile(m, "f", NULL, &code) &&
        code.call(NULL, (void *[]){a, &out}) == 0)
        printf("%g\n", out);
    else
        puts(adze_module_report(m));
    adze_module_free(m);
    return 0;
}
END
gcc -I"$prefix/include" "$prefix/call.c" -o "$prefix/bin/call" -L"$prefix/lib" -ladze-compiler -Wl,-rpath,"$prefix/lib"
got=$(cd "$prefix" && bin/call)
[ "$got" = 14 ] || { echo "install: the library gives $got, wanted 14"; exit 1; }
echo "2 passed, 0 failed"
