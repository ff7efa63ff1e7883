#!/bin/sh
# run.sh ADZE: tests of `adze bench`: which cases there are, and how results are kept and compared. No test depends on how long
# anything takes: earlier results are written with times that no machine reaches.
. "$(dirname "$0")/../common.sh"

labels() { # FILE: of results, one a line, with the entry
    python3 -c '
import json, sys
for b in json.load(open(sys.argv[1]))["benches"]:
    assert 0 < b["low"] <= b["median"] <= b["high"] and b["samples"] == 3 and b["calls"] > 0, b
    assert ("ratio" in b) == ("before_median" in b), b
    print(b["label"], b["entry"], json.dumps(b["sizes"]), "compared" if "ratio" in b else "")
' "$1"
}

expect() { # WHAT FILE: results have the labels on standard input
    labels "$2" >"$scratch/labels" 2>"$scratch/log"
    diff - "$scratch/labels" >>"$scratch/log" && pass || fail "$1"
}

earlier() { # SECONDS FILE: the results say that each call took so long
    python3 -c '
import json, sys
results = json.load(open(sys.argv[2]))
for b in results["benches"]:
    b["low"] = b["median"] = b["high"] = float(sys.argv[1])
json.dump(results, open(sys.argv[2], "w"))
' "$1" "$2"
}

cp "$here/program.adz" "$scratch" && cd "$scratch" || exit 2
bench() {
    "$adze" bench program.adz --samples 3 "$@"
}

check "all cases" bench -o a.json -o a.svg
expect "all cases" a.json <<'END'
scale scale {} 
points widths {} 
whole None {} 
constant constant {} 
END
check "the plot has a bar for each case" test "$(grep -c '<rect x' a.svg)" = 4
check "the plot is well formed" python3 -c 'import xml.dom.minidom as x; x.parse("a.svg")'
check "a second run" bench scale --size n=10,1000 -o b.json -o b.svg
expect "sizes" b.json <<'END'
scale, n = 10 scale {"n": 10} 
scale, n = 1000 scale {"n": 1000} 
END
check "lines over a size" grep -q 'scale (us)' b.svg
check "the last results are kept" bench -o c.json
expect "compared with the last results" c.json <<'END'
scale scale {} compared
points widths {} compared
whole None {} compared
constant constant {} compared
END
check "by the name of an entry, and a title" bench widths whole --json
bench --no-cache constant >table 2>/dev/null
check "without a cache there is nothing to compare with" grep -q '95 % interval  *to fastest$' table

check "save" bench --save before.json
earlier 1e-15 before.json
fails "more than 2" 1 bench --against before.json --fail-above 2x scale
check "below the ratio" bench --against before.json --fail-above 1e8 constant --json
earlier 1000 before.json
bench --against before.json --fail-above 1.1x >table 2>/dev/null && pass || fail "faster than before"
check "all are faster" test "$(grep -c '0.00x faster$' table)" = 4
earlier 1e-15 "$(ls "$XDG_CACHE_HOME"/adze/bench/program-*.json)"
fails "as long as before" 1 bench --fail-above 2 scale
fails "as long as before" 1 bench --fail-above 2 scale # the results that failed were not kept

git init -q . && git add program.adz && git -c user.name=x -c user.email=x@x commit -q -m x
sed -i 's/bench "points"/bench "more points"/' program.adz
check "against a revision" bench --against HEAD -o d.json
expect "against a revision" d.json <<'END'
scale scale {} compared
more points widths {} 
whole None {} compared
constant constant {} compared
END

mkdir parts && cat >parts/scales.adz <<'END'
fn factor() -> f64 { 2.0 }
END
cat >imports.adz <<'END'
import parts.scales
import std.linalg
entry fn scaled(x: f64) -> f64 { x * factor() }
bench "scaled" { scaled(dot([3.0], [1.0])) }
END
git add imports.adz parts && git -c user.name=x -c user.email=x@x commit -q -m y
sed -i 's/factor/its_factor/' imports.adz parts/scales.adz
check "against a revision with its modules" "$adze" bench imports.adz --samples 3 --against HEAD
printf 'fn' >parts/scales.adz && git -c user.name=x -c user.email=x@x commit -qam z && printf 'fn its_factor() -> f64 { 3.0 }' >parts/scales.adz
fails "scales.adz@HEAD:1:3: error" 1 "$adze" bench imports.adz --samples 3 --against HEAD

fails "E0701" 1 bench --against nothing
fails "E0717" 1 bench nothing
fails "E0715" 1 bench --size m=3
fails "E0715" 1 bench --size n=3,
fails "--size n is given twice" 1 bench --size n=3 --size n=4
fails "takes a ratio such as 1.1x" 2 bench --fail-above fast
fails "--samples takes a number" 2 "$adze" bench program.adz --samples 0
fails "-o writes .svg and .json files" 2 bench -o a.png
cat >same.adz <<'END'
bench "same" { 1 }
bench "same" { 2 }
END
check "benches of the same title" "$adze" bench same.adz --samples 3 -o same.json
check "their names" grep -q '"same (2)"' same.json
check "a cache that cannot be written" "$adze" bench same.adz --samples 3 --cache /dev/null/cache
cat >wrong.adz <<'END'
entry fn at(x: [3]i32, i: i64) -> i32 { x[i] }
bench "outside" { at([1, 2, 3], 3) }
END
fails "E0601" 1 "$adze" bench wrong.adz --samples 3 -o wrong.json
check "nothing is written after an error" test ! -e wrong.json
echo 'fn f(x: i32) -> i32 { x }' >none.adz
fails "has nothing to time" 1 "$adze" bench none.adz
check "other options" bench constant --plain -o plain.json
expect "results of other options are kept apart" plain.json <<'END'
constant constant {} 
END
report bench
