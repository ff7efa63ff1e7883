#!/bin/sh
# program.sh SHAPE N: prints a program of a shape whose length grows with N.
n=$2

# lines FORMAT: N lines, with the number of each for every %d.
lines() {
    awk -v n="$n" -v format="$1" 'BEGIN { for (i = 0; i < n; i++) { line = format; gsub(/%d/, i, line); print line } }'
}

# list FORMAT: the same on one line, with commas.
list() {
    lines "$1" | paste -sd, -
}

# fourth A B C D: N lines of these formats in turn.
fourth() {
    awk -v n="$n" -v a="$1" -v b="$2" -v c="$3" -v d="$4" 'BEGIN {
        formats[0] = a; formats[1] = b; formats[2] = c; formats[3] = d
        for (i = 0; i < n; i++) { line = formats[i % 4]; gsub(/%d/, i, line); print line }
    }'
}

case $1 in
chains) # each statement needs the one before
    echo 'entry fn f(x: i32) -> i32 {'
    echo '    let mut a = x;'
    lines '    a += a * 3;'
    echo '    a'
    echo '}'
    ;;
lets) # each immutable value needs the one before
    echo 'entry fn f(x: i32, y: i32) -> i32 {'
    echo '    let a = x;'
    lines '    let a = a * (a + y);'
    echo '    a'
    echo '}'
    ;;
nests) # loops with conditions in one another, one nest after the other
    echo 'entry fn f[n, m: nat](xs: [n][m]f32, x: f32) -> f32 {'
    echo '    let mut a = 0.0;'
    lines '    for i in range(0, n) { for j in range(0, m) { if xs[i][j] > x { a += xs[i][j] * %d.0; } } }'
    echo '    a'
    echo '}'
    ;;
branches) # conditions in one another
    echo 'entry fn f(x: i32) -> i32 {'
    lines '    if x == %d { %d * 7 % 11 } else {'
    echo '    0'
    lines '    }'
    echo '}'
    ;;
unrolled) # a loop that staging writes out
    echo 'entry fn f[n: nat](xs: [n]f32) -> f32 {'
    echo '    let mut a = 1.0;'
    echo "    for i in unroll(0, $n) { a = a * xs[i] + 1.0; }"
    echo '    a'
    echo '}'
    ;;
entries)
    lines 'entry fn e%d[n: nat](xs: [n]f32, x: f32) -> [n]f32 { xs |> map(|y| x * y + %d.0) }'
    ;;
tables) # constant data
    echo "fn t() -> [$n]f32 {"
    echo "    [$(list '%d.5')]"
    echo '}'
    echo 'entry fn f(i: i64) -> f32 { t()[i] }'
    ;;
sizes) # each array has a length of its own
    echo "entry fn f[$(list 'n%d'): nat]($(list 'a%d: [n%d]f32')) -> f32 {"
    echo '    let mut s = 0.0;'
    lines '    s += reduce(+, 0.0, a%d);'
    echo '    s'
    echo '}'
    ;;
functions) # each calls the one before
    echo 'fn g(x: f32) -> f32 { x }'
    awk -v n="$n" 'BEGIN { for (i = 0; i < n; i++) printf "fn g%d(x: f32) -> f32 { g%s(x * 0.5) + 1.0 }\n", i, i ? i - 1 : "" }'
    echo "entry fn f(x: f32) -> f32 { g$((n - 1))(x) }"
    ;;
structs) # one with many fields
    echo 'struct S {'
    lines '    x%d: f32,'
    echo '}'
    echo 'entry fn f(x: f32) -> f32 {'
    echo "    let mut s = S { $(list 'x%d: x + %d.0') };"
    lines '    s.x%d = s.x%d * x;'
    echo "    $(list 's.x%d' | sed 's/,/ + /g')"
    echo '}'
    ;;
matches) # many arms, and many matches
    echo 'enum E { A, B(i32), C(i32, i32) }'
    echo 'fn make(k: i32) -> E {'
    echo '    match k {'
    lines '        %d => E.B(k * %d),'
    echo '        -1 => E.A,'
    echo '        _ => E.C(k, 7),'
    echo '    }'
    echo '}'
    echo 'entry fn f(k: i32) -> i32 {'
    echo '    let e = make(k);'
    echo '    let mut s = 0;'
    lines '    s += match e { E.A => %d, E.B(x) => x * %d, E.C(x, y) => x - y * %d };'
    echo '    s'
    echo '}'
    ;;
options) # of one enum, each with data of its own, through functions, branches and an array
    echo 'enum E {'
    fourth '    O%d(f32),' '    O%d(f32, i32),' '    O%d,' '    O%d(f64, i64, bool),'
    echo '}'
    echo 'fn make(k: i32, x: f32) -> E {'
    echo '    match k {'
    fourth '%d => E.O%d(x),' '%d => E.O%d(x, k + %d),' '%d => E.O%d,' '%d => E.O%d(f64(x), 7, x > %d.0),'
    echo '        _ => E.O2,'
    echo '    }'
    echo '}'
    echo 'fn value(e: E) -> f32 {'
    echo '    match e {'
    fourth 'E.O%d(x) => x,' 'E.O%d(x, y) => x + f32(y),' 'E.O%d => %d.0,' 'E.O%d(x, y, z) => if z { f32(x) } else { f32(y) },'
    echo '    }'
    echo '}'
    echo 'entry fn f[n: nat](k: i32, x: f32, ks: [n]i32) -> (f32, [n]f32) {'
    echo '    let e = make(k, x);'
    echo '    let d = if x > 1.0 { e } else { make(k + 1, x) };'
    echo '    let es = ks |> map(|k| make(k, x));'
    echo '    (value(d) + value(e), es |> map(value))'
    echo '}'
    ;;
generators) # loops of the program's own
    echo 'fn every(from: i64, to: i64, step: i64, body: fn(i64) -> ()) {'
    echo '    let mut i = from;'
    echo '    while i < to { body(i); i += step; }'
    echo '}'
    echo 'entry fn f[n: nat](xs: [n]f32) -> f32 {'
    echo '    let mut s = 0.0;'
    lines '    for i in every(0, n, %d + 1) { if xs[i] < 0.0 { break() } s += xs[i]; }'
    echo '    s'
    echo '}'
    ;;
stencils) # computed where they are read
    echo 'entry fn f[n: nat](s: [n]f32) -> [n]f32 {'
    lines '    let s = s |> pad[1, 1](clamp) |> slide[3, 1] |> map.src(|w| w[0] + w[1] + w[2]);'
    echo '    s'
    echo '}'
    ;;
patterns) # arrays that are stored, one made of the other
    echo 'entry fn f[n: nat](s: [n]f32) -> [n]f32 {'
    lines '    let s = scan(+, 0.0, map(|x| x * 0.5, s));'
    echo '    s'
    echo '}'
    ;;
helpers) # each calls the one before twice, on arrays
    echo 'fn g(xs: [4]f32) -> [4]f32 { scan(+, 0.0, map(|x| x * 0.5, xs)) }'
    awk -v n="$n" 'BEGIN { for (i = 0; i < n; i++) printf "fn g%d(xs: [4]f32) -> [4]f32 { let a = g%s(xs); g%s(a) }\n", i, i ? i - 1 : "", i ? i - 1 : "" }'
    echo "entry fn f(xs: [4]f32) -> [4]f32 { g$((n - 1))(xs) }"
    ;;
literals) # the same, with a number that is another one in each call
    echo 'fn g(xs: [4]f32, k: i64) -> [4]f32 { scan(+, 0.0, map(|x| x * f32(k), xs)) }'
    awk -v n="$n" 'BEGIN { for (i = 0; i < n; i++) { g = "g" (i ? i - 1 : ""); printf "fn g%d(xs: [4]f32, k: i64) -> [4]f32 { let a = %s(xs, k * 2 + 1); %s(a, k * 2) }\n", i, g, g } }'
    echo "entry fn f(xs: [4]f32) -> [4]f32 { g$((n - 1))(xs, 1) }"
    ;;
numbers) # helpers of numbers
    echo 'fn g(x: f32) -> f32 { x * 0.5 + sqrt(x) }'
    awk -v n="$n" 'BEGIN { for (i = 0; i < n; i++) { g = "g" (i ? i - 1 : ""); printf "fn g%d(x: f32) -> f32 { %s(%s(x)) }\n", i, g, g } }'
    echo "entry fn f(x: f32) -> f32 { g$((n - 1))(x) }"
    ;;
places) # functions of a variable, each of which calls the one before on it and on one of its own
    echo 'fn g(s: &mut f32) -> () { *s = *s * 2.0 + 1.0; }'
    awk -v n="$n" 'BEGIN { for (i = 0; i < n; i++) { g = "g" (i ? i - 1 : ""); printf "fn g%d(s: &mut f32) -> () { let mut t = *s; %s(s); %s(&mut t); *s = *s + t; }\n", i, g, g } }'
    echo "entry fn f(x: f32) -> f32 { let mut s = x; g$((n - 1))(&mut s); s }"
    ;;
concatenations) # arrays, each one element longer than the one before
    echo "entry fn f[n: nat](s: [n]f32) -> [n + $n]f32 {"
    lines '    let s = s ++ [%d.0];'
    echo '    s'
    echo '}'
    ;;
arms) # one match with many arms
    echo 'entry fn f(k: i32) -> i32 {'
    echo '    match k {'
    lines '        %d => %d * 7,'
    echo '        _ => 0,'
    echo '    }'
    echo '}'
    ;;
squares) # arrays, each of the one before
    echo 'entry fn f[n: nat](a: [n]f32) -> [n]f32 {'
    echo '    let x = a;'
    lines '    let x = x * x + a;'
    echo '    x'
    echo '}'
    ;;
conditions) # on a number whose type is known in the end
    echo 'entry fn f(k: i32) -> i32 {'
    echo '    let mut s = 0;'
    lines '    if k > %d { s += %d * 7; };'
    echo '    s'
    echo '}'
    ;;
sums) # of one array, in loops that become one
    echo "entry fn f[n: nat](a: [n]f32) -> ($(list f32)) {"
    echo "    ($(list 'reduce(+, 0.0, map(|x| x * %d.0, a))'))"
    echo '}'
    ;;
arrays) # added up in one expression
    echo "entry fn f[n: nat]($(list 'a%d: [n]f32')) -> [n]f32 {"
    lines '    + a%d' | sed '1s/+//'
    echo '}'
    ;;
modified) # arrays, of each of which two branches read the one before
    echo 'entry fn f[n: nat](a: [n]f32) -> [n]f32 {'
    lines '    let a = with (. < iv < .) { a[iv] * 0.5 + %d.0 } modarray a;'
    echo '    a'
    echo '}'
    ;;
updates) # elements of a variable, one after the other
    echo 'entry fn f[n: nat](a: [n]f32) -> [n]f32 {'
    echo '    let mut b = a;'
    lines '    b[%d] = b[%d + 1] * 2.0;'
    echo '    b'
    echo '}'
    ;;
sweeps) # over copies of an array
    echo 'entry fn f[n: nat](a: [n + 1]f32) -> f32 {'
    echo '    let mut s = 0.0f32;'
    lines '    let mut b = a; for i in range(0, n) { b[i + 1] = b[i] * %d.0 + b[i + 1]; } s += b[n];'
    echo '    s'
    echo '}'
    ;;
stages) # stencils on rows, each of the rows of the one before
    echo 'entry fn f[n, m: nat](s: [n][m]f32) -> [n][m]f32 where n > 0 {'
    lines '    let s = s |> pad[1, 1](clamp) |> slide[3, 1] |> map(|w| generate(m, |j| sqrt(w[0, j]) - w[2, j] / (w[1, j] + %d.0)));'
    echo '    s'
    echo '}'
    ;;
guards) # conditions on sizes after many comparisons of sizes, of which some have to be checked
    echo 'entry fn f[n, m: nat](xs: [n]i32, ys: [m]i32) -> i32 {'
    lines '    if n == %d + 3 { return(reduce(+, 0, take[%d + 3](xs)) + %d); }'
    lines '    if n < m + %d { return(reduce(+, 0, take[%d + 2](xs)) * %d); }'
    echo '    0'
    echo '}'
    ;;
named) # names of conditions on sizes, each twice the one before
    echo 'entry fn f[n, m: nat](xs: [n]i32, ys: [m]i32) -> i32 {'
    echo '    let c = n > m;'
    lines '    let c = c && (c || n > %d);'
    echo '    if c { reduce(+, 0, take[1](xs)) } else { 0 }'
    echo '}'
    ;;
opened) # sizes of the run, each in the rest of the block of the one before
    echo 'import std.arrays (filter)'
    echo 'entry fn f[n: nat](xs: [n]i32) -> i32 {'
    echo '    let ys = xs;'
    lines '    let (k, ys) = filter(|x| x > %d, ys);'
    echo '    reduce(+, 0, ys)'
    echo '}'
    ;;
returns) # early returns with loops, each nested in the one before
    echo 'entry fn f[n: nat](xs: [n]i32) -> [n]i32 {'
    lines '    if xs[%d] == %d { return(map(|x| x + %d, xs)); }'
    echo '    xs'
    echo '}'
    ;;
esac
