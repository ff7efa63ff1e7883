#!/bin/sh
# residual.sh ADZE: nothing is left of abstraction in what the examples, the benchmarks and the library become (control-flow form): no
# function pointer, hence no closure and no indirect call, and no memory but for arrays. The C compiles without warnings. Every fourth
# program is looked at, with ALL=1 all.
. "$(dirname "$0")/common.sh"
cd "$root" || exit 2

for f in $(grep -l '^entry ' -r examples bench --include='*.adz' | sort); do
    turn 4 || continue
    c=$scratch/$(basename "$f" .adz).c
    # As in bench/run.sh, programs may import what is in the folder above.
    if ! ADZE_LIB=$(dirname "$f")/.. "$adze" build "$f" -o "$scratch" >"$scratch/log" 2>&1; then
        fail "$f does not build"
    elif grep -nE '\(\*[A-Za-z_][A-Za-z_0-9]*\) ?\(' "$c" >"$scratch/log"; then
        fail "$f has a pointer to a function"
    elif grep -nE '(malloc|calloc|alloca)\(' "$c" >"$scratch/log"; then
        fail "$f allocates other than arrays"
    elif ! ${CC:-cc} -std=gnu17 -Wall -Wextra -Werror -Wno-unknown-pragmas -fsyntax-only "$c" >"$scratch/log" 2>&1; then
        fail "$f becomes C with warnings"
    else
        pass
    fi
done

# The same text has the same loop, by whichever door it comes to lanes: the names of vectors apart.
loop_of() { # ENTRY: the innermost loop, names in order of occurrence
    sed -n "/^int adze_$1(/,/^}/p" "$scratch/lane_doors.c" | sed -n '/while (/,/^        }/p' |
        sed -e 's/\bcre\b/t/g' -e 's/\bcim\b/t1/g'
}
"$adze" build tests/programs/lane_doors.adz --cpu x86-64-v4 -o "$scratch" >"$scratch/log" 2>&1
loop_of by_map >"$scratch/map"
for entry in by_simd by_scalar; do
    if [ -s "$scratch/map" ] && loop_of $entry | diff "$scratch/map" - >"$scratch/log"; then
        pass
    else
        fail "lane_doors: $entry has another loop than by_map"
    fi
done

# Where the neighbours of an element are loaded, it needs no mask.
"$adze" build tests/programs/lanes_at_borders.adz --cpu x86-64-v3 -o "$scratch" >"$scratch/log" 2>&1
if sed -n '/^int adze_middle/,/^}/p' "$scratch/lanes_at_borders.c" | grep -q 'adze_load_where'; then
    fail "lanes_at_borders: masked loads in middle"
else
    pass
fi

# The stack of each lane is not copied when a function gets a reference to it, and its positions are numbers of 32 bits.
"$adze" build tests/programs/lane_references.adz --cpu x86-64-v3 -o "$scratch" >"$scratch/log" 2>&1
sed -n '/^int adze_halves/,/^}/p' "$scratch/lane_references.c" >"$scratch/halves"
if [ ! -s "$scratch/halves" ] || grep -qE 'for \(int64_t|own|i64x' "$scratch/halves"; then
    fail "lane_references: halves copies stacks, or computes with i64"
else
    pass
fi

# Vectors that one mask packs, and one that it unpacks, need no loop over lanes.
cat >"$scratch/packs.adz" <<'END'
entry fn packed(a: varying[8] i32, b: varying[8] f32, m: varying[8] i32) -> (varying[8] i32, varying[8] f32) { compress((a, b), m > 0) }
entry fn both(a: varying[16] u8, b: varying[16] u8, m: varying[16] u8) -> (varying[16] u8, varying[16] u8) { (compress(a, m > 3), expand(b, m > 3)) }
END
"$adze" build "$scratch/packs.adz" --cpu x86-64-v3 -o "$scratch" >"$scratch/log" 2>&1
if [ "$(sed -n '/^int adze/,/^}/p' "$scratch/packs.c" | grep -c 'packed_')" = 4 ]; then
    pass
else
    fail "packs: lanes are packed one by one"
fi

# An array that is passed to a function of C by reference, or a dense part of one, is not copied. One that is computed is stored once, before the loop.
cat >"$scratch/outside.adz" <<'END'
extern fn weigh[n: nat](xs: &[n]f32, i: i64) -> f32;
entry fn given[n: nat](xs: [n]f32) -> [n]f32 {
    generate(n, |i| weigh(&xs, i64(i)))
}
entry fn computed[n: nat](xs: [n]f32) -> f32 {
    let ys = map(|x| x + 1.0, xs);
    let mut s = 0.0;
    for i in range(0, n) {
        s += weigh(&ys, i64(i));
    }
    s
}
entry fn viewed[n: nat](xs: [n]f32) -> [n]f32 {
    let ys = reverse(xs);
    generate(n, |i| weigh(&ys, i64(i)))
}
extern fn weigh_all[n, m: nat](a: &[n][m]f32) -> f32;
entry fn joined[n, m: nat](a: [n][m]f32) -> f32 { weigh(&join(a), 0) }
entry fn rows[n, m: nat](xs: [n * m]f32) -> [n]f32 { split[m](xs) |> map(|row| weigh(&row, 0)) }
entry fn as_rows[n, m: nat](xs: [n * m]f32) -> f32 { weigh_all(&split[m](xs)) }
entry fn windows[n: nat](xs: [n + 2]f32) -> [n]f32 { slide[3, 1](xs) |> map(|w| weigh(&w, 0)) }
entry fn twice[n, m: nat](a: [n][m]f32) -> f32 {
    let xs = join(a);
    weigh(&xs, 0) + weigh(&xs, 1)
}
entry fn column[n: nat](xs: [n](f32, i32)) -> f32 { weigh(&unzip(xs).0, 0) }
END
loops_of() { # ENTRY: the numbers of loops, and of loops in loops
    sed -n "/^int adze_$1\(_in\)\?(/,/^}/p" "$scratch/outside.c" >"$scratch/text"
    echo "$(grep -c ' for (' "$scratch/text"), $(grep -c '^        for (' "$scratch/text")"
}
"$adze" build "$scratch/outside.adz" --no-remarks -o "$scratch" >"$scratch/log" 2>&1 || fail "outside.adz does not build"
for what in "given 1, 0" "computed 2, 0" "viewed 2, 0" "joined 0, 0" "rows 1, 0" "as_rows 0, 0" "windows 1, 0" \
    "twice 0, 0" "column 0, 0"; do
    if [ "$(loops_of "${what%% *}")" = "${what#* }" ]; then pass; else fail "outside.adz: loops of $what: $(loops_of "${what%% *}")"; fi
done

# A mask of four lanes is reduced by an instruction, in loops, too.
"$adze" build tests/programs/reduced_lanes.adz --cpu x86-64-v3 -o "$scratch" >"$scratch/log" 2>&1
for what in some:any every:any counted:count bits:mask_bits; do
    sed -n "/^int adze_${what%%:*}(/,/^}/p" "$scratch/reduced_lanes.c" >"$scratch/text"
    if grep -q "adze_${what#*:}_i32x4(" "$scratch/text"; then pass; else fail "reduced_lanes.adz: ${what%%:*} is not reduced at once"; fi
done
# The innermost loops of the libraries of sequences and rays: how many there are that contain a text, and the loads, stores, branches and
# functions on vectors in each.
counts() { # FILE TEXT
    awk -v pattern="$2" '
        function column(line) { match(line, /[^ ]/); return RSTART }
        / (for|while) \(.*\{$/ { depth++; text[depth] = ""; inner[depth] = 1; at[depth] = column($0); next }
        depth && /^ *\}$/ && column($0) == at[depth] {
            t = text[depth--]
            if (inner[depth + 1] && t ~ pattern)
                print gsub(/\*\(const adze_/, "", t), gsub(/\n *\*\(adze_/, "", t), gsub(/ if \(/, "", t),
                    gsub(/adze_[a-z_]+_[iuf][0-9]+x[0-9]+\(/, "", t)
            inner[depth] = 0
            text[depth] = text[depth] "\n" t
        }
        depth { text[depth] = text[depth] "\n" $0 }' "$1" | sort | uniq -c | tr -s ' ' | paste -sd,
}
counted() { # NAME TEXT WANTED
    if [ "$(counts "$scratch/$1.c" "$2")" = "$3" ]; then pass; else fail "loops of $1 with $2: $(counts "$scratch/$1.c" "$2"), not $3"; fi
}
"$adze" build bench/align/short/short.adz --cpu x86-64-v3 -o "$scratch" >"$scratch/log" 2>&1 || fail "short.adz does not build"
ADZE_LIB=bench/rays "$adze" build bench/rays/trace/trace.adz --cpu x86-64-v3 -o "$scratch" >"$scratch/log" 2>&1 || fail "trace.adz does not build"
counted short add_sat_i8x32 " 1 12 4 0 52, 1 4 2 0 13, 1 6 2 0 26, 1 8 4 0 26"
counted short max_i16x16 " 3 4 2 0 7, 1 4 2 0 8, 3 9 6 0 13, 1 9 6 0 15"
counted trace f32x8 " 4 0 0 0 7, 2 0 0 1 15, 2 0 0 1 18, 2 0 0 1 5, 2 0 0 2 4, 2 14 0 0 32, 2 4 2 1 9, 2 48 6 0 36"
# Rays request each child that they will pass through, whether a node or a block, in four lines.
for what in any closest any_packets closest_packets; do
    n=$(sed -n "/^int adze_trace_${what}_in(/,/^}/p" "$scratch/trace.c" | grep -c __builtin_prefetch)
    if [ "$n" -ge 16 ] && [ $((n % 16)) = 0 ]; then pass; else fail "trace_$what has $n prefetches"; fi
done
report residual
