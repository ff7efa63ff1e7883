#!/bin/sh
# explain.sh ADZE: what `adze explain` and `--stats` say.
# shellcheck disable=SC2016 # backquotes in messages
. "$(dirname "$0")/support.sh"
t_adz

# --- explain --------------------------------------------------------------------------------------

gives 0 '^pick (t.adz:' '' explain t.adz
# Entries whose result is never stored, because they always fail: behind two checks, and in two
# versions.
cat >fails_always.adz <<'END'
entry fn always_fails[n: nat](xs: [n]i8) -> [n][n]u16 {
    generate(n, |i| generate(n, |j| {
        let y: i8 = if j > i * 4 + -3 { 0 } else { xs[4] } | xs[n];
        u16(y)
    }))
}

entry fn fails_in_two_versions[n: nat](xs: [n]i8 strided) -> [n][n]u16 strided where n >= 2 {
    generate(n, |i| generate(n, |j| {
        let y: i8 = if j > i * 4 + -3 { 0 } else { xs[4] } | xs[n];
        u16(y)
    }))
}
END
gives 0 'fails_always.h$' 'this always fails' build fails_always.adz --check-passes

# Entries without a schedule have a default one, also those that call such entries. There are no
# warnings about lanes that only the default has.
cat >auto.adz <<'END'
entry fn softmax[n, m: nat](a: [n][m]f32) -> [n][m]f32 {
    a |> map(|row| {
        let total = reduce(+, 0.0, row);
        row |> map(|x| exp(x) / total)
    })
}
entry fn twice[n, m: nat](a: [n][m]f32) -> [n][m]f32 { softmax(softmax(a)) }
entry fn columns[n, m: nat](a: [n][m]f32) -> [m]f32 { generate(m, |j| map(|row| row[j], a) |> reduce(+, 0.0)) }
schedule columns { id; }
END
gives 0 'lanes += ' '' explain auto.adz softmax --cpu x86-64-v3 --stage c
gives 0 'lanes[0-9]* += ' '' explain auto.adz twice --cpu x86-64-v3 --stage c
gives 0 '3:21 *reduce.vec *as the default schedule says' '' explain auto.adz softmax --cpu x86-64-v3
gives 0 '^[1-9][0-9]* steps' '' explain auto.adz softmax --trace
gives 0 '^0 steps' '' explain auto.adz columns --trace
gives 0 'because: Several vectors of partial results' '' explain auto.adz softmax --trace
gives 0 '^    arg(2, arg(0, arg(0, sum_in_lanes(16))));$' '' explain auto.adz softmax --cpu x86-64-v3 --schedule
gives 0 '^    // Several vectors of partial results: .* (m\*n operations)\.$' '' explain auto.adz softmax --schedule
# Nor are there any about lanes of the library's sums.
cat >apart.adz <<'END'
import std.arrays (sum)
entry fn apart[n, m, d: nat](x: [n][d]f32, y: [m][d]f32) -> [n][m]f32 {
    x |> map(|p| y |> map(|q| sum((p - q) * (p - q))))
}
END
gives 0 'apart.h$' '' build apart.adz --cpu v3
same "no warning of lanes that the program has not" 0 "$(grep -c warning "$scratch/err")"
# On threads: both passes of a separable filter, the loop in each step, and what a let stores.
cat >stages.adz <<'END'
import std.stencil
entry fn filter[n, m: nat](a: [n][m]f32) -> [n][m]f32 {
    convolve_separable[1]([0.25, 0.5, 0.25], [0.25, 0.5, 0.25], clamp, a)
}
entry fn zeros[n, m: nat](a: [n][m]f32) -> [n][m]f32 {
    convolve_separable[1]([0.25, 0.5, 0.25], [0.25, 0.5, 0.25], const(0.0), a)
}
entry fn two_stages[n, m: nat](a: [n][m]f32) -> [n][m]f32 {
    iterate[9](|g| stencil2d[1](|w| w[0, 1] + w[2, 1], clamp, to_mem(stencil2d[1](|w| w[1, 0] * w[1, 2], clamp, g))), a)
}
entry fn steps[n, m: nat](a: [n][m]f32) -> [n][m]f32 { iterate[9](|g| stencil2d[1](|w| w[0, 1] + w[2, 1], clamp, g), a) }
entry fn folded[n, m, k: nat](a: [n][m]f32, x: [k]f32) -> [n][m]f32 {
    fold(|g, c| stencil2d[1](|w| c * w[0, 1] + w[2, 1], clamp, g), a, x)
}
entry fn stored[n, m: nat](a: [n][m]f32) -> [n][m]f32 {
    let b = convolve2d[1]([[0.5, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.5]], clamp, a);
    convolve2d[1]([[0.5, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.5]], clamp, zip2d(a, b) |> map2d(|(x, y)| x * y))
}
END
on_threads() { # COUNT ENTRY: so many loops of the entry are on threads
    check "$2 has $1 loops on threads" sh -c "test \"\$('$adze' explain stages.adz $2 --schedule | grep -c '_in_parallel')\" = $1"
}
cat >components.adz <<'END'
entry fn moments[n: nat](x: [n]f32) -> (f32, f32) { x |> map(|v| (v, v * v)) |> reduce(|(a, b), (c, d)| (a + c, b + d), (0.0, 0.0)) }
entry fn merged[n: nat](x: [n]f32) -> (f32, f32) { x |> map(|v| (v, v * v)) |> reduce(|(a, b), (c, d)| (a * c, b * c + d), (1.0, 0.0)) }
schedule merged allow reassociate { components_in_lanes(8); }
END
gives 0 '    components_in_lanes(32);' '' explain components.adz moments --schedule --cpu x86-64-v4
check "sums of floats stay in order" sh -c "! '$adze' explain components.adz moments --schedule --in-order | grep -q lanes"
gives 1 '' '`components_in_lanes` needs a reduction, without a variant, of which each component is a sum' explain components.adz merged
on_threads 2 filter
on_threads 2 zeros
on_threads 2 two_stages
on_threads 1 steps
# How much work there is may be more than 64 bits can count, but the arrays are not.
cat >wide.adz <<'END'
entry fn ranges[n, m: nat](a: [n][m]f32) -> [m](f32, f32) {
    transpose(a) |> map(|c| (reduce(min, 1.0e9, c), reduce(+, 0.0, c)))
}
END
gives 0 'adze_sat_mul' '' explain wide.adz ranges --stage c
"$adze" explain wide.adz ranges --stage c >wide.c
check "an estimate of work refuses no sizes" sh -c '! grep -q "INT64_MAX) return" wide.c'
# The two passes are one, in strips of rows with three rows of the first one.
gives 0 'stages fused  *t[0-9]* keeps 3 rows at a time' '' explain stages.adz filter
gives 0 'for (int64_t strip = 0; strip < (n + 31)/32; strip++)' '' explain stages.adz filter --stage c
gives 0 'm\*min(n, 3) elements of f32, 4\*m\*min(n, 3) bytes' '' explain stages.adz filter --target c
on_threads 1 folded
on_threads 2 stored
cat >halves.adz <<'END'
entry fn halves[n: nat](a: [n]i32) -> [n]i32 { a |> map(|x| { let mut k = x; while k > 9 { k = k / 2; } k }) }
entry fn rows[n, m: nat](a: [n][m]i32) -> [n][m]i32 { a |> map(|r| r |> map(|x| { let mut k = x; while k > 9 { k = k / 2; } k })) }
END
gives 0 'n < 1024' '' explain halves.adz halves --stage c
gives 0 'n < 8)' '' explain halves.adz rows --stage c
gives 0 '`columns` has a schedule' '' explain auto.adz columns --schedule
gives 0 'for c {$' '' explain auto.adz softmax --schedule --in-order --target c
gives 0 'default schedule of `softmax` changes nothing' '' explain auto.adz softmax --schedule --plain
# what follows a filter is a function of its own
cat > filtered.adz <<'END'
import std.arrays (filter)

entry fn logs[n: nat](x: [n]f32) -> f32 {
    let (k, positive) = filter(|a| a > 0.0, x);
    positive |> map(log) |> reduce(+, 0.0)
}

entry fn large[n: nat](x: [n]f32) -> [n]f32 {
    x |> map(|a| { let mut s = a; for i in unroll(0, 9000) { s = s * 1.5 + a; } s })
}
END
gives 0 '5:5 *reduce.vec *as the default schedule says' '' explain filtered.adz logs --target c
gives 0 'cannot be written for `logs` (E0816)' '' explain filtered.adz logs --schedule
gives 0 'no default schedule: the function is too large' '' explain filtered.adz large
gives 0 '`large` has no default schedule: the function is too large' '' explain filtered.adz large --schedule
gives 0 'auto.h$' '' build auto.adz --cpu x86-64-v3
check "and warns of nothing" sh -c "test -z \"\$('$adze' build auto.adz --cpu x86-64-v3 2>&1 >/dev/null)\""
check "without vectors, it has none" sh -c "! '$adze' explain auto.adz softmax --vector-bytes 0 --stage c | grep -q lanes"
(echo '#![in_order]'; cat auto.adz) >in_order.adz
(echo '#![explicit_memory]'; cat auto.adz) >explicit_auto.adz
for f in 'auto.adz --in-order' in_order.adz; do
    gives 0 'omp parallel for' '' explain $f softmax --stage c
    check "$f keeps the order" sh -c "! '$adze' explain $f softmax --stage c | grep -q 'lanes += '"
done
for f in 'auto.adz --plain' explicit_auto.adz 'explicit_auto.adz --lower'; do
    check "$f has no default" sh -c "! '$adze' explain $f softmax | grep -q default"
done

cat >kept.adz <<'END'
entry fn left_open[n, m: nat](a: [n][m]f32) -> [m]f32 { transpose(a) |> map(|c| c |> reduce(+, 0.0)) }
entry fn said[n, m: nat](a: [n][m]f32) -> [m]f32 { transpose(a) |> map.seq(|c| c |> reduce(+, 0.0)) }
END
gives 0 'loops swapped' '' explain kept.adz left_open
gives 0 'order of loops  *the program fixes it' '' explain kept.adz said
gives 0 '^        for (int64_t j = 0; j < n; j++) {' '' explain kept.adz said --stage c
cat >by_schedule.adz <<'END'
import std.strategies

entry fn sums[n, m: nat](a: [n][m]f32) -> [m]f32 {
    transpose(a) |> map(|c| c |> map.src(|x| x + 1.0) |> reduce(+, 0.0))
}

entry fn twice[n, m: nat](a: [n][m]f32) -> [m]f32 { sums(a) |> map.seq(|x| 2.0 * x) }

entry fn swapped[n, m: nat](a: [n][m]f32) -> [m][n]f32 { transpose(a) |> map(|c| c |> map(|x| x + 1.0)) }

schedule sums { lower }

schedule swapped { lower }
END
gives 0 '4:5  *map.seq  *as the schedule says' '' explain by_schedule.adz sums
gives 0 'order of loops  *the schedule fixes it, and the loops in it go down' '' explain by_schedule.adz sums
gives 0 'order of loops  *the schedule fixes it, and a is read down' '' explain by_schedule.adz swapped
gives 0 '4:5  *map.seq  *as the schedule says' '' explain by_schedule.adz twice
gives 0 '7:53  *map.seq  *as the program says' '' explain by_schedule.adz twice
gives 0 'temporary arrays' '' explain t.adz squares
cat >memory.adz <<'END'
entry fn sums[n: nat](xs: [n]f32) -> f32 {
    let s = xs |> scan(+, 0.0);
    reverse(s) |> scan(+, 0.0) |> reduce(+, 0.0)
}
END
gives 0 'workspace: 128\*(n/16) + 128 bytes' '' explain memory.adz
gives 0 'workspace: 128\*(n/16) + 128 = 896 bytes' '' explain memory.adz sums --size n=100
gives 0 '"bytes": 896' '' explain --json memory.adz sums --size n=100
gives 1 '' E0715 explain memory.adz sums --size n
echo 'entry fn total[n: nat](xs: [n]f32) -> f32 { reduce.par(+, 0.0, xs) }' >chunks.adz
gives 0 'workspace: .* = 320 bytes' '' explain chunks.adz total --plain --size helpers1=3
gives 1 '*' 'E0715: --size m: sums has no size parameter m' explain memory.adz sums --size m=3
gives 0 '^int adze_sums_in(' '' explain memory.adz sums --stage c
# equal terms of two entries have places of their own
printf '%s\n' 'entry fn one(xs: [3]f32, i: i64) -> f32 { xs[i] + 1.0 }' \
    'entry fn two(xs: [3]f32, i: i64) -> f32 { 2.0 * (xs[i] + 1.0) }' >places.adz
gives 1 '' 'places.adz:2:53: error E0601' run places.adz 'two([1.0, 2.0, 3.0], 7)'
gives 1 '' 'places.adz:2:53: error E0601' run --interpret places.adz 'two([1.0, 2.0, 3.0], 7)'
# what is chosen, and by whom
printf '%s\n' 'entry fn ends[n: nat](xs: [n]f32) -> [n + n]f32 {' '    let sums = scan(+, 0.0, xs);' \
    '    concat(reverse.src(sums), sums)' '}' >chosen.adz
gives 0 '2:16 *to_mem *each element depends on the one before' '' explain chosen.adz
gives 0 '3:5 *concat.dst *each argument is written to its part of the result' '' explain chosen.adz
gives 0 '3:12 *reverse.src *as the program says' '' explain chosen.adz
gives 0 '' '' check chosen.adz
gives 1 '' 'chosen.adz:2:16: error E0411: expected rd, found wr: `scan` is read from memory but not stored' check --explicit-memory chosen.adz
gives 1 '' 'error E0412: expected wr, found rd: `sums` is already in memory' check --explicit-memory chosen.adz
gives 1 '' 'error E0412: expected wr, found rd: `reverse` is already in memory' check --explicit-memory chosen.adz
gives 1 '' 'chosen.adz:2:16: error E0417: nothing chooses the loop of this `scan`' check --explicit-loops chosen.adz
gives 1 '' 'its variants are seq, unroll, vec, par' check --explicit-loops chosen.adz
gives 1 '' 'its variants are seq, unroll, vec$' explain --explicit-loops --target c chosen.adz ends
# how values differ by lane
printf '%s\n' 'entry fn fall[n: nat](xs: [n]f32, by: f32) -> [n]f32 {' '    let mut out = repeat[n](0.0);' '    for i in vectorize(8, 0, n) {' \
    '        let mut y = 2.0 * xs[i];' '        while y > by { y = y * 0.5; }' '        out[i] = y;' '    }' '    out' '}' \
    'entry fn plain(x: f32) -> f32 { x }' >lanes.adz
gives 0 '^     3  .*8 lanes, in vectors of 8$' '' explain lanes.adz fall --lanes --vector-bytes 32
gives 0 '^     3  .*8 lanes, in vectors of 4$' '' explain lanes.adz fall --lanes --vector-bytes 16
gives 0 '^     3  .* | 8 lanes, one at a time$' '' explain lanes.adz fall --lanes --vector-bytes 0
gives 0 '^     5  .* | varying: y; uniform: by; until the last lane has left; some lanes leave$' '' explain lanes.adz fall --lanes
gives 0 '^     6  .* | contiguous: out; linear by 1: i; varying: y$' '' explain lanes.adz fall --lanes
# a page; after an error there is none, and an old one stays
gives 0 '<title>lanes.adz: adze explain</title>' '' explain lanes.adz --html
gives 0 '' '' explain lanes.adz fall --html -o page.html --size n=100 --check-passes
cp page.html old.html
gives 1 '' 'error E0717: lanes.adz has no function fal' explain lanes.adz fal --html -o page.html
gives 1 '' 'error E0715: --size m: fall has no size parameter m' explain lanes.adz fall --html -o page.html --size m=1
printf '%s\n' 'entry fn f(x: f32) -> i32 { x }' >wrong_page.adz
gives 1 '' 'error E0301' explain wrong_page.adz --html -o page.html
check "a page stays after an error" cmp page.html old.html
gives 1 '' 'error E0706' explain lanes.adz --html -o missing/page.html
gives 2 '' '--output needs --html' explain lanes.adz -o page.html
gives 2 '*' '--html and --json exclude each other' explain lanes.adz --html --json
gives 2 '' '--lanes and --html exclude each other' explain lanes.adz --html --lanes
"$adze" explain lanes.adz fall --stage loop >page.loop
gives 2 '' '--html needs a program' explain page.loop --html
printf '%s\n' 'entry fn moved[n: nat](xs: [n]f32, ys: [n]f32) -> ([n]f32, [n]f32, i64) {' '    let mut out = xs;' \
    '    let mut back = xs;' '    let mut k = 0i64;' '    for block in range(0, n / 8) {' '        for lane in range(0, 8) {' \
    '            if xs[block * 8 + lane] > 0.0 {' '                back[block * 8 + lane] = unchecked { ys[k] };' '                unchecked { out[k] = 2.0; }' \
    '                k += 1;' '            }' '        }' '    }' '    (out, back, k)' '}' >moved.adz
gives 0 '^     8  .* | unpacked: ys$' '' explain moved.adz moved --lanes
gives 0 '^     9  .* | packed: out$' '' explain moved.adz moved --lanes
gives 0 'no loops over lanes' '' explain lanes.adz plain --lanes
gives 0 '"text": "plain .*no loops over lanes' '' explain lanes.adz plain --lanes --json
# lanes that are no vectors
cat >lost.adz <<'END'
extern fn noise(x: f32) -> f32;

fn in_lanes[n: nat](f: fn(f32) -> f32, xs: [n]f32) -> [n]f32 {
    xs |> map.vec[8](|x| f(x) + 1.0)
}

entry fn once[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> in_lanes(|x| noise(noise(x) + 2.0))
}

entry fn twice[n: nat](xs: [n]f32) -> [n]f32 {
    in_lanes(|x| x * x, xs) |> in_lanes(|x| 2.0 * x)
}

entry fn usual[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map(|x| noise(x))
}
END
gives 0 '^lost.c$' 'lost.adz:8:30: warning E0510: the loop over 8 lanes is not vectorised: `noise` is a C function' build lost.adz
same "one warning for a loop" 1 "$(grep -c warning "$scratch/err")"
gives 0 '^lost.c$' '' build --no-remarks lost.adz
gives 0 '^lost.c$' '' build --vector-bytes 0 lost.adz
gives 0 '"code": "E0510"' '' build --json lost.adz
same "one warning for several processors" 1 "$("$adze" build --cpu v2,v3,v4 lost.adz 2>&1 | grep -c warning)"
gives 0 '^    8:30 .* the loop over 8 lanes is not vectorised: `noise` is a C function' '' explain lost.adz once
gives 0 '"lanes_not_in_vectors": \[\]' '' explain lost.adz twice --json
gives 0 '"why": "`noise` is a C function' '' explain lost.adz once --json
check "nothing is said where no lanes are asked for" sh -c '! "$0" explain lost.adz usual | grep lanes' "$adze"
# one part of lanes that are vectors
cat >part.adz <<'END'
extern fn noise(x: f32) -> f32;

entry fn grain[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map.vec[8](|x| {
        let y = noise(x * x);
        y * y + x * y - 3.0 * x + 1.0
    })
}
END
gives 0 '^part.c$' 'part.adz:5:17: warning E0511: a part of the loop over 8 lanes is not vectorised: `noise` is a C function' build part.adz
gives 0 '"lanes": 8' '' explain part.adz grain --json --vector-bytes 32
gives 0 '^     5 .* called lane by lane' '' explain part.adz grain --lanes
"$adze" explain part.adz grain --stage loop >"$scratch/out"
same "a loop over lanes calls" 1 "$(grep -c '(loop.seq lane.* (call_function noise' "$scratch/out")"
check "the rest is vectorised" sh -c '! grep loop_vector "$0"' "$scratch/out"
check "causes of slow loops says nothing of it" sh -c '! "$0" explain part.adz grain | grep "so the loop is not vectorised"' "$adze"
# checks at places near one another compute what they have in common once
"$adze" explain "$root/tests/programs/near_checks.adz" row --stage c >"$scratch/out"
same "what checks have in common is there once" 1 "$(grep -o '(int64_t)k \* (uint64_t)(int64_t)c' "$scratch/out" | wc -l | tr -d ' ')"
# causes of slow loops
cat >slow.adz <<'END'
extern fn noise(x: f32) -> f32;

entry fn down[n: nat, m: nat](xs: [m, n]i64) -> i64 {
    let mut s = 0i64;
    for i in range(0, n) {
        for j in range(0, m) {
            s += xs[j, i] & (s + 1);
        }
    }
    s
}

entry fn search[n: nat](xs: [n]f32, x: f32) -> i64 {
    let mut at = n;
    for i in range(0, n) {
        if noise(xs[i]) == x {
            at = i;
            break();
        }
    }
    at
}

entry fn until[n: nat](xs: [n]f32, x: f32) -> i64 {
    let mut at = 0i64;
    while at < n && xs[at] != x {
        at += 1;
    }
    at
}

entry fn again[n: nat](xs: [n]f32, times: i64) -> [n]f32 {
    let mut now = xs;
    for r in range(0, times) {
        let before = now;
        for i in range(1, n) {
            now[i] = before[i - 1] * 0.5;
        }
    }
    now
}

entry fn rows[n: nat](xs: [n, 3]f32) -> [n]f32 {
    xs |> map(|p| p[0] * p[1] + p[2])
}

entry fn ends[n: nat](xs: [n, 3]f32) -> [n]f32 {
    xs |> map(|p| p[0] * p[2])
}

entry fn decay[n: nat](xs: [n]f32) -> [n]f32 {
    let mut out = xs;
    for i in range(1, n) {
        out[i] = out[i - 1] * 0.5 + xs[i];
    }
    out
}

entry fn summed[n: nat](xs: [n]f32) -> f32 {
    xs |> reduce.vec[8](+, 0.0)
}

entry fn counted[n: nat](xs: [n]i32) -> i32 {
    xs |> reduce(+, 0)
}
END
gives 0 '^    6:18  *at 7:13: `xs` is accessed with a stride of n elements (8\*n bytes)' '' explain slow.adz down
gives 0 '^    6:18  *at 7:13: `s` depends on its value in the iteration before' '' explain slow.adz down
gives 0 '^    15:14  *at 16:12: each iteration calls `noise`' '' explain slow.adz search
gives 0 '^    15:14  *at [0-9:]*: a condition leaves the loop before its end' '' explain slow.adz search
gives 0 '^    26:5  *the number of iterations is not known' '' explain slow.adz until
gives 0 '^    26:5  *at 26:24: a check remains in the loop (index out of bounds)' '' explain slow.adz until
gives 0 '^    34:14  *at 35:22: n elements (4\*n bytes) are copied to `t1` in each iteration' '' explain slow.adz again
gives 0 '^    48:5  .*`xs` is accessed with a stride of 3 elements (12 bytes)' '' explain slow.adz ends
gives 0 '^    53:14  *at 54:18: an element of `out` depends on one' '' explain slow.adz decay
gives 0 '"remark": "`xs` is accessed with a stride of n elements' '' explain slow.adz down --json
for entry in rows summed counted; do gives 0 '"loops": \[\]' '' explain slow.adz $entry --json; done
# What keeps a loop on one thread.
cat >ordered.adz <<'END'
extern fn noise(x: f32) -> f32

entry fn calls[n: nat](xs: [n]f32) -> [n]f32 {
    let mut ys = xs;
    for i in range(0, n) { ys[i] = noise(xs[i]); }
    ys
}

entry fn leaves[n: nat](xs: [n]f32) -> [n]f32 {
    let mut ys = xs;
    for i in range(0, n) {
        if xs[i] > 1.0 { break() }
        ys[i] = 2.0 * xs[i];
    }
    ys
}

entry fn fails[n: nat](xs: [n]f32, at: [n]i64) -> [n]f32 {
    let mut ys = xs;
    for i in range(0, n) { ys[i] = xs[at[i]]; }
    ys
}

entry fn halves[n: nat](xs: [n]f32) -> [n]f32 {
    let mut ys = xs;
    for i in range(0, n) {
        let mut y = xs[i];
        while y > 1.0 { y = y / 2.0; }
        ys[i] = y;
    }
    ys
}

entry fn shows[n: nat](xs: [n]f32) -> [n]f32 {
    let mut ys = xs;
    for i in range(0, n) {
        print("element", i);
        ys[i] = 2.0 * xs[i];
    }
    ys
}
END
gives 0 '^    5:14  *one thread  *each iteration calls noise$' '' explain ordered.adz calls
gives 0 '^    11:14  *one thread  *a jump leaves it, or a part of its body$' '' explain ordered.adz leaves
gives 0 '^    20:14  *one thread  *an iteration may fail: index out of bounds$' '' explain ordered.adz fails
gives 0 '^    26:14  *one thread  *a loop in it has an unknown number of iterations$' '' explain ordered.adz halves
gives 0 '^    36:14  *one thread  *each iteration calls print$' '' explain ordered.adz shows --keep-prints
gives 0 '^    36:14  *each iteration calls `print`, so' '' explain ordered.adz shows --keep-prints
echo 'entry fn twice[n: nat](xs: [n]f32) -> [n]f32 { map.par(|x| 2.0 * x, xs) }' >twice.adz
gives 0 '^    1:48  *one thread  *the target has no other$' '' explain twice.adz twice --target c
for stage in core flat low; do gives 0 '^(entry squares' '' explain t.adz squares --stage $stage; done
gives 0 '^(phrase squares' '' explain t.adz squares --stage dpia
gives 0 '^(loops squares' '' explain t.adz squares --stage loop
gives 0 '^int adze_squares' '' explain t.adz squares --stage c
for pass in $(sed -n 's/^[A-Z_]*PASS(\([a-z_]*\),.*/\1/p' "$root/src/pipeline.def"); do
    case $pass in kernels) target=opencl ;; *) target=omp ;; esac
    gives 0 squares '' explain t.adz --print-after $pass --target $target
done
gives 2 '' 'the pass tile is for processors, and left out for the target cuda' explain t.adz squares --print-after tile --target cuda
# Devices: here no driver is found; tests/device/run.sh has some.
export OCL_ICD_VENDORS=/nonexistent
gives 1 '' 'E0615: no device' devices
gives 1 '' 'E0615: there is no device with `GPU` in its name' run t.adz 'squares[3]()' --device GPU
gives 1 '' 'E0615: there is no device for the target cuda with `GPU`' test t.adz --device GPU --target cuda
gives 2 '' 'the target omp has no device' run t.adz 'squares[3]()' --device GPU --target omp
gives 2 '' 'there is no target `metal`' run t.adz 'squares[3]()' --device GPU --target metal
unset OCL_ICD_VENDORS
gives 2 '' 'too many arguments' devices pocl
gives 0 '^kernel void adze_squares_kernel1(' '' explain t.adz squares --target opencl --stage kernels
gives 0 'ADZE_READ(' '' explain t.adz squares --target cuda --stage c
gives 2 '' 'the target omp has no device, and so no kernels' explain t.adz squares --stage kernels
gives 2 '' '^  cuda   C with CUDA' explain t.adz squares --print-after kernels --target c
echo 'entry fn halved(x: f32) -> f32 { let mut y = x; while y > 1.0 { y = y / 2.0; } y }' >halved.adz
gives 0 '^// no kernels: all loops run on the host' '' explain halved.adz halved --target cuda --stage kernels
gives 2 '' 'there is no target `metal`' run --target metal t.adz 1
# Why a loop stays on the host.
cat >host.adz <<'END'
import std.atomics (atomic_add)

fn fib(n: i64) -> i64 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }
#[c_layout]
struct Point { x: f32, y: i32 }

entry fn calls[n: nat](xs: [n]i64) -> [n]i64 { map.par(|x| fib(x), xs) }
entry fn shows[n: nat](xs: [n]f32) -> [n]f32 { map.par(|x| { print(x); x }, xs) }
entry fn sums[n: nat](xs: [n]f32) -> f32 { let mut s = 0.0; for i in range(0, n) { s = s * xs[i] + 1.0; } s }
entry fn lanes[n: nat](xs: [n]f32) -> [n]f32 { map.vec[8](|x| 2.0 * x, xs) }
entry fn strides[n: nat](xs: [n]f32 strided) -> [n]f32 { map(|x| 2.0 * x, xs) }
entry fn records[n: nat](ps: [n]Point) -> [n]f32 { map(|p| p.x, ps) }
entry fn chosen[n: nat](xs: [n]f32) -> [n]f32 { map.seq(|x| 2.0 * x, xs) }
entry fn few[n: nat](xs: [n]f32) -> [n]f32 where n >= 9 {
    let mut ys = xs;
    for i in range(0, 9) { ys[i] = 2.0 * xs[i]; }
    ys
}
entry fn bytes[n: nat](xs: [n]u8) -> [256]u8 {
    let mut h: [256]u8 = repeat[256](0);
    for i in parallel(0, 0, n) { atomic_add(&mut h[xs[i]], 1); }
    h
}
entry fn halves(x: f32) -> f32 {
    let mut y = x;
    while y > 1.0 { y = y / 2.0; }
    y
}
entry fn tasks[n: nat](xs: [n]f32) -> [n]f32 where n > 0 {
    let mut ys = xs;
    let first = spawn(|| { ys[0] = 1.0; });
    sync(first);
    map(|y| y + 1.0, ys)
}
entry fn sized[n: nat](xs: [n]i64) -> [n]i64 {
    map.par(|x| { let k: nat = x; reduce(+, 0, to_mem(generate(k, |i| i64(i) * x))) }, xs)
}
entry fn rows[h, w: nat](a: [h][w]f32) -> [h]f32 { map(|row| reduce(+, 0.0, row), a) }
END
explains() { # ENTRY PATTERN
    gives 0 "^    $2\$" '' explain host.adz "$1" --target cuda --keep-prints
}
explains calls '7:48  *on the host  *each iteration calls fib'
explains shows '8:48  *on the host  *each iteration calls print'
explains sums '9:70  *on the host  *all iterations change s.*'
explains lanes '10:48  *kernel  *lanes_kernel1: an iteration is run by one work-item'
explains strides '11:58  *on the host  *xs is an array with strides (2 times)'
explains records '12:52  *kernel  *records_kernel1: an iteration is run by one work-item'
explains chosen '13:49  *on the host  *the program chooses the order of its iterations'
explains few '16:14  *on the host  *it has fewer than 16 iterations'
explains bytes '20:26  *kernel  *bytes_kernel1: an iteration is run by one work-item'
explains bytes '21:14  *on the host  *a device cannot update out, of type u8, atomically'
explains halves '26:5  *on the host  *the number of iterations is not known before the loop'
explains tasks '33:5  *on the host  *tasks may run beside it'
explains sized '36:5  *on the host  *each iteration calls with_k_1'
explains sized '36:35  *on the host  *several threads may run the function that it is in'
explains rows '38:52  *kernel  *rows_kernel2: an iteration is run by a group of 64 work-items'
# What is slow on a processor is not said of kernels, and of loops that launch them.
cat >steps.adz <<'END'
entry fn steps[n: nat](x: [n]f32, t: i64) -> [n]f32 {
    let mut u = x;
    for _ in range(0, t) { u = map(|v| v * v, u); }
    u
}
END
gives 0 'steps_kernel1' '' explain steps.adz --target cuda
gives 0 '"loops": \[\]' '' explain steps.adz --target cuda --json
gives 0 '"loops": \[\]' '' explain host.adz rows --target cuda --json

# Loops of a file are for the target: they become kernels, and kernels among them keep their groups.
for entry in rows bytes; do
    for level in dpia loop; do
        "$adze" explain host.adz $entry --target cuda --stage $level >$entry.$level
        "$adze" explain host.adz $entry --target cuda --stage kernels | grep -v '^ *//' >kernels.wanted
        "$adze" explain $entry.$level --target cuda --stage kernels >kernels.found
        check "kernels of $entry.$level" cmp kernels.wanted kernels.found
    done
done
echo '(loops f [n] (x: [n]f32) : [n]f32 (buffers (in x f32 [n]) (out out f32 [n])) (loop i 0 n (store out i (load x i))))' >copies.loop
gives 0 '^kernel void adze_f_kernel1' '' explain copies.loop --target opencl --stage kernels
gives 1 '' 'E0726: these loops have kernels, but the target omp has no device' explain rows.loop --stage c
sed 's/(group 64)/(group 0)/' rows.loop >none.loop
gives 1 '' 'a group has 1 to 1024 work-items' explain none.loop --target cuda --stage c
# The text of a level, as explain prints it, goes on from there; and each level has an interpreter.
for level in dpia loop; do
    "$adze" explain t.adz squares --stage $level >squares.$level 2>/dev/null
    gives 0 '^int adze_squares' '' explain squares.$level --stage c
    gives 0 '^(loops squares' '' explain squares.$level
    gives 0 '"text": "(loops squares' '' explain squares.$level --stage loop --json --check-passes
    gives 0 '^(loops squares' '' explain squares.$level squares
    gives 1 '' 'E0717.*has no entry cubes; it has squares' explain squares.$level cubes
    gives 2 '' 'contains the level' explain squares.$level --stage core
done
gives 0 '^(loops squares' '' explain squares.loop --print-after licm
gives 0 '^(loops squares' '' explain squares.dpia --print-after simplify
gives 2 '' 'contains the level' explain squares.loop --print-after lower_to_loops
# What all passes have left goes no further than to C: with memory in a workspace, and without
# snapshots.
cat >levels.adz <<'END'
entry fn stored[n: nat](xs: [n]f32) -> [n]f32 {
    to_mem.global(scan(+, 0.0, xs)) |> reverse |> map.seq(|x| x * 2.0)
}

entry fn counted[n: nat](xs: [n]i64) -> i64 {
    let mut a = 0i64;
    for i in range(0, n) {
        a += xs[i];
    }
    a
}

fn fib(n: i64) -> i64 {
    if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
}

entry fn recursive(n: i64) -> i64 {
    fib(n)
}
END
for entry in stored counted recursive; do
    for level in dpia loop; do
        "$adze" explain levels.adz $entry --stage $level >$entry.$level 2>/dev/null
        gives 0 "^(loops $entry" '' explain $entry.$level
        gives 0 "adze_$entry(" '' explain $entry.$level --stage c
    done
    gives 1 '' 'E0726: these loops are the result of all passes' explain $entry.loop --print-after simplify
done
"$adze" explain levels.adz --stage loop >all.loop 2>/dev/null
gives 1 '' 'E0726: stored does not call `counted`' explain all.loop
printf '(phrase f [n] (x: [n]f32) (out: [seq]f32)\n  (for i n (:= (acc_at out i) (at x i))))\n' >scope.dpia
gives 1 '' 'E0726: lower_to_loops: f: a size over no integer in scope' explain scope.dpia
gives 0 '^(phrase squares' '' explain squares.dpia --stage dpia
echo '(phrase squares' >half.loop
gives 1 '' 'half.loop:1:2: error E0119' explain half.loop
gives 1 '' 'E0701: there is no file none.dpia' explain none.dpia
for level in '' =core =dpia =loop; do gives 0 '^\[0, 1, 4\]$' '' run t.adz 'squares[3]()' --interpret$level; done
gives 2 '' 'only of core, dpia and loop' run t.adz 'squares[1]()' --interpret=flat
cat >power.adz <<'END'
fn power(x: i32, @(?n) n: i32) -> i32 {
    if n == 0 { 1 } else { x * power(x, n - 1) }
}

fn @(?n) unfolded(x: i32, n: i32) -> i32 {
    if n == 0 { 1 } else { x * unfolded(x, n - 1) }
}

entry fn f(x: i32, n: i32) -> i32 { power(x, n) + unfolded(x, 3) }
END
gives 0 'a call of power_1' '' explain power.adz f --why-residual power
gives 0 'x is a run-time argument: it has no filter' '' explain power.adz f --why-residual power
gives 0 'n is a run-time argument: its filter is false: `n` is not known' '' explain power.adz --why-residual power
gives 0 'no call of it remains' '' explain power.adz f --why-residual unfolded
gives 1 '' 'E0717: power.adz has no function powr' explain power.adz f --why-residual powr
gives 1 '' 'did you mean power?' explain power.adz f --why-residual powr
cat >any_rank.adz <<'END'
fn again[s: shape](xs: [..s]f32, k: i64) -> [..s]f32 { if k == 0 { xs } else { again(2.0 * xs, k - 1) } }
fn unused[s: shape](xs: [..s]f32) -> [..s]f32 { xs }
entry fn f[n: nat](xs: [n]f32, k: i64) -> [n]f32 { again(xs, k) }
END
gives 0 'k is a run-time argument' '' explain any_rank.adz f --why-residual again
gives 0 'no call of it remains' '' explain any_rank.adz f --why-residual unused
gives 2 '' '--interpret and --device exclude each other' run power.adz 'f(1)' --interpret --device GPU
gives 2 '' '--interpret and --profile exclude each other' run power.adz 'f(1)' --interpret --target opencl --profile
gives 2 '' '--races and --device exclude each other' test power.adz --races --device GPU
gives 2 '' '--trace and --lanes exclude each other' explain power.adz f --lanes --trace
gives 2 '' '--stage and --print-after exclude each other' explain power.adz f --print-after licm --stage c
gives 1 '' E0503 explain power.adz f --stage flat --stage-budget 5
gives 2 '' 'takes a number' explain power.adz f --stage-budget many
gives 2 '' 'takes a number' explain power.adz f --memory-limit much

cat >much.adz <<'END'
fn sums(n: nat) -> i64 { generate(n, |i| i64(i) * 3) |> scan(+, 0) |> reduce(max, 0) }
test "many" { sums(5000000) > 0 }
entry fn few() -> i64 { sums(3) }
END
gives 1 '"E0725"' '' run --json --interpret much.adz 'sums(5000000)' --memory-limit 64
gives 0 3 '' run --interpret much.adz 'sums(2)' --memory-limit 0
gives 1 '0 passed, 1 failed' 'much.adz:2:1: error E0725' test much.adz --memory-limit 64
gives 1 '' 'error E0725: `[a-z_]*` needs more than 1 MB' build much.adz -o much --memory-limit 1
check "without memory nothing is written" test ! -e much
gives 2 '' 'takes a number' explain power.adz f --vector-bytes wide
gives 0 '^sum (t.adz:' '' explain t.adz sum
cat >vectors.adz <<'END'
entry fn curve[n: nat](xs: [n]f32) -> [n]f32 { xs |> map.vec[16](|x| exp(-x) * sin(floor(x))) }
END
gives 0 'vectors of up to 64 bytes, for x86-64-v4' '' explain vectors.adz --cpu v4
gives 0 'exp, sin: by libmvec where glibc is available, within 4 ULP' '' explain vectors.adz --cpu v3
gives 0 'exp, sin: lane by lane' '' explain vectors.adz --cpu v3 --vector-math exact
gives 0 'exp, sin: lane by lane' '' explain vectors.adz --cpu portable
gives 0 'exp, sin: lane by lane' '' explain vectors.adz --cpu neon
gives 0 '"bytes": 32' '' explain vectors.adz --cpu x86-64-v3 --json
gives 0 '_ZGVeN16v_expf(a)' '' explain vectors.adz --stage c --cpu v4
gives 0 '_ZGVdN8v_expf(' '' explain vectors.adz --stage c --cpu v3
gives 0 'k < 2; k++) to.k. = _ZGVdN8v_expf(x.k.)' '' explain vectors.adz --stage c --cpu v3 --vector-bytes 64
gives 0 'Vectors of up to 16 bytes, for portable' '' explain vectors.adz --stage c --cpu portable
gives 0 '^.1.0, 1.3095' '' run vectors.adz 'map(|y| y + 1.0, curve([0.0, 1.0]))' --cpu portable
gives 1 '' E0718 explain t.adz twice
gives 0 'twice' '' explain t.adz twice --stage core
gives 1 '' 'did you mean squares' explain t.adz square
gives 0 'twice' '' explain t.adz --stage core --check-passes

# --- costs of processors --------------------------------------------------------------------------

cat >costs.adz <<'END'
import std.vectors (filter)

fn halves_of[n: nat](xs: [n]f32) -> [n]f32 {
    let mut ys = xs;
    for i in vectorize(8, 0, n) {
        if xs[i] > 1.0 { ys[i] = xs[i] * 0.5; }
    }
    ys
}

fn kept_of[n: nat](xs: [n]i32) -> i64 {
    let mut out: [n]i32 = undefined();
    let k = filter[16](|x| x > 0, xs, &mut out);
    let mut sum = k;
    for i in range(0, k) { sum = 3 * sum + i64(out[i]); }
    sum
}

entry fn halves[n: nat](xs: [n]f32) -> [n]f32 { halves_of(xs) }
entry fn kept[n: nat](xs: [n]i32) -> i64 { kept_of(xs) }
entry fn taken[n, m: nat](xs: [n]f32, at: [m]i32) -> [m]f32 { at |> map.vec[8](|i| xs[i] * 0.5) }

entry fn all(n: nat) -> ([n]f32, i64, [n]f32, f32) {
    let xs = generate(n, |i| f32(i % 7) / 3.0);
    let at = generate(n, |i| i32(i * i % n));
    (halves_of(xs), kept_of(map(|i| i - 9, at)), at |> map.vec[8](|i| xs[i] * 0.5), xs |> reduce(+, 0.0))
}
END
uses() { # ENTRY CPU TEXT: how many lines of its C have the text
    "$adze" explain costs.adz "$1" --cpu "$2" --stage c | grep -c -- "$3"
}
same "gathers, where they are fast" '0 1 0 0' \
    "$(uses taken v4 gather_epi32) $(uses taken spr gather_epi32) $(uses taken icx gather_epi32) $(uses taken zen5 gather_epi32)"
same "packed stores, where they are fast" '0 1 0' \
    "$(uses kept v4 compressstoreu) $(uses kept icx compressstoreu) $(uses kept zen4 compressstoreu)"
same "pext, where it is fast" '2 2 0 2' "$(uses kept v3 _pext) $(uses kept haswell _pext) $(uses kept zen2 _pext) $(uses kept zen3 _pext)"
for cpu in zen3 haswell; do
    "$adze" explain costs.adz halves --cpu $cpu --stage c |
        sed -n '/^void adze_store_where_f32x8/,/^}/ { /if (!adze_any/p; /maskstore/p; }' | sed 's/(.*//'
done | paste -sd' ' - >order
same "a branch around masked stores, where they are slow" '    if      _mm256_maskstore_epi32     _mm256_maskstore_epi32     if ' "$(cat order)"
# the flags for the C compiler
cat >noted <<'END'
#!/bin/sh
echo "$@" >>noted.flags
exec gcc "$@"
END
chmod +x noted
if [ "$(uname -m)" = x86_64 ]; then
    gives 0 '*' '' build costs.adz --cpu zen5 -o costs --cc=./noted
    check "Zen 5 is tuned for as old compilers can" grep -q -e '-march=x86-64-v4 -mtune=icelake-server' noted.flags
    gives 0 '*' '' build costs.adz --cpu v4 -o costs --cc=./noted
    check "levels are not tuned for" sh -c 'tail -n 1 noted.flags | grep -e -march=x86-64-v4 | grep -v -q -e -mtune'
    # all processors of a level have the same results
    for level in "v3 hsw zen2 zen3" "v4 skx icx spr zen4 zen5"; do
        wanted=
        for cpu in $level; do
            "$adze" run costs.adz 'all(75)' --cpu "$cpu" >result 2>"$scratch/err" || grep -q 'does not run on this machine' "$scratch/err" || fail "$cpu"
            [ -n "$wanted" ] || wanted=$(cat result)
            same "$cpu computes what its level does" "$wanted" "$(cat result)"
        done
    done
fi

# --- stats ----------------------------------------------------------------------------------------

gives 0 'adze_plain' '^all passes .* nodes$' explain lanes.adz plain --stage c --stats
gives 0 '*' '^emit ' build t.adz -o out --stats

report explain
