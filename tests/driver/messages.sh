#!/bin/sh
# messages.sh ADZE: what programs say while they run: prints, assertions, errors of the library's
# readers of files, and how long it takes.
# shellcheck disable=SC2016 # backquotes in messages
. "$(dirname "$0")/support.sh"
t_adz

# --- debugging ------------------------------------------------------------------------------------

cat >prints.adz <<'END'
/// Prints every sum.
entry fn sums[n: nat](xs: [n]i64, limit: i64) -> i64 {
    let mut s = 0;
    for i in range(0, n) {
        s += xs[i];
        print("i = ", i, ", s = ", s);
        assert(s < limit, "the sum is ", s);
    }
    s
}

entry fn spread[n: nat](xs: [n]i64) -> [n]i64 {
    let mut ys = xs;
    for i in parallel(0, 0, n) {
        print("[", xs, "]");
        ys[i] = 2 * xs[i];
    }
    ys
}

test "sums" { sums([1, 2], 10) == 3 }
test "spread" { spread([1, 2]) == [2, 4] }
END
for way in '' --interpret --json; do
    gives 0 '3' '^i = 1, s = 3$' run prints.adz 'sums([1, 2], 10)' $way
done
gives 1 '' 'E0614: assertion failed: the sum is 3$' run prints.adz 'sums([1, 2], 3)'
gives 1 '' 'E0614: assertion failed: the sum is 3$' run prints.adz 'sums([1, 2], 3)' --interpret
# --- readers of files ------------------------------------------------------------------------------

# Files that are no meshes: the message has the line, and the place is that of the assertion that
# failed.
cat >mesh.adz <<'END'
import rays.obj (obj)

fn triangles[n: nat](file: [n]u8) -> [?n / 2][3]i32 {
    obj(file).triangles
}
END
for way in '' --interpret; do
    gives 0 '^\[\[0, 1, 2\]\]$' '*' run mesh.adz 'triangles("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1 -2//3 3")' $way
    gives 1 '' 'E0614: assertion failed: line 2: a corner has three numbers, not 2$' run mesh.adz 'triangles("\nv 1 2")' $way
    gives 1 '' 'E0614: assertion failed: line 1: word 3 is no number$' run mesh.adz 'triangles("v 1 x 2")' $way
    gives 1 '' 'E0614: assertion failed: line 1: word 4 is no number$' run mesh.adz 'triangles("v 1 2 1e999")' $way
    gives 1 '' 'E0614: assertion failed: line 1: word 2 is none of 0 corners$' run mesh.adz 'triangles("f 1 2 3")' $way
    gives 1 '' 'E0614: assertion failed: line 2: word 3 is none of 1 corners$' run mesh.adz 'triangles("v 0 0 0\nf 1 0 1")' $way
    gives 1 '' 'E0614: assertion failed: line 2: a polygon has 2 corners$' run mesh.adz 'triangles("v 0 0 0\nf 1 1")' $way
done
# Likewise for PLY. What is wrong in binary rows has the number of the byte.
cat >ply.adz <<'END'
import rays.ply (ply)

fn triangles[n: nat](file: [n]u8) -> [?n / 2][3]i32 {
    ply(file).triangles
}
END
ascii='ply\nformat ascii 1.0\n'
corner='element vertex 1\nproperty float x\nproperty float y\nproperty float z\n'
polygon='element face 1\nproperty list uchar int vertex_index\n'
both="$ascii$corner${polygon}end_header\n0 0 0\n"
# ply_error MESSAGE TEXT: as the interpreter has it; messages of C are those of the same assertions.
ply_error() { gives 1 '' "E0614: assertion failed: $1\$" run ply.adz "triangles(\"$2\")" --interpret; }
ply_error 'line 1: a PLY file begins with `ply`' ''
ply_error 'line 1: a PLY file begins with `ply`' 'v 0 0 0'
ply_error 'line 2: the header has no `end_header`' "$ascii"
ply_error 'line 2: the header has no `format`' 'ply\nend_header\n'
ply_error 'line 2: word 2 is no format' 'ply\nformat text 1.0\n'
ply_error 'line 2: the version is not 1.0' 'ply\nformat ascii 2.0\n'
ply_error 'line 3: word 1 is none of a header' "${ascii}elements"
ply_error 'line 3: word 3 is no number of rows' "${ascii}element vertex -1\n"
ply_error 'line 3: more than 2147483647 corners' "${ascii}element vertex 2147483648\n"
ply_error 'line 7: this element is there already' "$ascii${corner}element vertex 2\n"
ply_error 'line 19: more than 16 elements' "$ascii$(yes 'element a 1\n' | head -17 | tr -d '\n')"
ply_error 'line 260: more than 256 properties' \
    "${ascii}element a 1\n$(yes 'property int x\n' | head -257 | tr -d '\n')"
ply_error 'line 3: a property before the first element' "${ascii}property int x\n"
ply_error 'line 4: a property has a type and a name' "${ascii}element a 1\nproperty int\n"
ply_error 'line 4: word 2 is no type' "${ascii}element a 1\nproperty real x\n"
ply_error 'line 4: word 3 is no type of integers' "${ascii}element a 1\nproperty list float int x\n"
ply_error 'line 4: word 4 is no type of integers' \
    "${ascii}element face 1\nproperty list int float vertex_index\n"
ply_error 'line 3: corners need one property x, one y and one z' \
    "${ascii}element vertex 1\nproperty int x\nproperty int y\nproperty list int int z\nend_header\n"
ply_error 'line 3: polygons need one list vertex_indices' \
    "${ascii}element face 1\nproperty int vertex_indices\nend_header\n"
ply_error 'line 8: word 3 is missing' "$ascii${corner}end_header\n0 1\n2\n"
ply_error 'line 8: word 3 is no number' "$ascii${corner}end_header\n0 1 nan\n"
ply_error 'line 8: more than 3 words' "$ascii${corner}end_header\n0 1 2 3\n"
ply_error 'line 9: more rows than the header has' "$ascii${corner}end_header\n0 1 2\n0 1 2\n"
ply_error 'line 11: word 1 is missing' "$both"
ply_error 'line 11: word 4 is none of 1 corners' "${both}3 0 0 1"
ply_error 'line 11: word 2 is none of 1 corners' "${both}3 -1 0 0"
ply_error 'line 11: word 3 is none of 1 corners' "${both}3 0 0.5 0"
ply_error 'line 11: word 1 is no number of items' "${both}-3 0 0 0"
ply_error 'line 11: a polygon has 2 corners' "${both}2 0 0"
# binary ROWS FILE: a header of 162 bytes, with so many polygons, and rows from standard input
binary() {
    { printf 'ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty char x\nproperty char y\n'
      printf 'property char z\nelement face %s\nproperty list char uchar vertex_index\nend_header\n' "$1"
      cat; } >"$2"
}
printf '\0\0\0\3\0\0' | binary 1 cut.ply
printf '\0\0\0\3\0\0\1' | binary 1 beyond.ply
printf '\0\0\0\377' | binary 1 negative.ply
printf '\0\0\0\2\0\0' | binary 1 thin.ply
{ printf '\0\0\0'; for _ in 1 2 3 4; do printf '\177'; head -c 127 /dev/zero; done; } | binary 4 many.ply
gives 0 '^\[\[0, 0, 0\]\]$' '*' run ply.adz "triangles(\"${both}3 0 0 0\")"
gives 1 '' 'E0614: assertion failed: line 11: word 1 is missing$' run ply.adz "triangles(\"$both\")"
for way in '' --interpret; do
    gives 1 '' 'E0614: assertion failed: byte 168: the file ends in row 1 of the element of line 7$' \
        run ply.adz 'triangles(load("cut.ply"))' $way
    gives 1 '' 'E0614: assertion failed: byte 168: 1 is none of 1 corners$' \
        run ply.adz 'triangles(load("beyond.ply"))' $way
    gives 1 '' 'E0614: assertion failed: byte 165: a list has -1 items$' \
        run ply.adz 'triangles(load("negative.ply"))' $way
    gives 1 '' 'E0614: assertion failed: byte 165: a polygon has 2 corners$' \
        run ply.adz 'triangles(load("thin.ply"))' $way
    gives 1 '' 'E0614: assertion failed: line 7: row 3 of this element has more than the 338 triangles that fit$' \
        run ply.adz 'triangles(load("many.ply"))' $way
done
# Texts that are no CIGARs.
cat >cigars.adz <<'END'
import align.cigar

fn steps[k: nat](text: [k]u8) -> [?13]u8 {
    steps_of_runs(runs_of_cigar(text), (0, 0), &"GATTACA", &"GATACA")
}
END
is_wrong() { # MESSAGE FILE EXPR: with one of all ways to run it
    gives 1 '' "E0614: assertion failed: $1\$" run "$2" "$3" $way
}
for way in '' --interpret; do
    is_wrong 'letter 4 of the CIGAR is none of MIDNSHP=X' cigars.adz 'steps("3M1Q3M")'
    is_wrong 'letter 3 of the CIGAR: a number must come before each step' cigars.adz 'steps("3MM")'
    is_wrong 'the CIGAR ends in a number, without a step' cigars.adz 'steps("3M12")'
    is_wrong 'letter 3 of the CIGAR: no run has this length' cigars.adz 'steps("3M0I")'
    is_wrong 'letter 1 of the CIGAR: no run has this length' cigars.adz 'steps("9223372036854775808M")'
    is_wrong 'run 2 goes beyond the end of a sequence' cigars.adz 'steps("6M1D")'
    is_wrong 'run 1 goes beyond the end of a sequence' cigars.adz 'steps("9223372036854775807I")'
    is_wrong 'run 2 is none of M, =, X, I and D' cigars.adz 'steps("3M4N")'
done
cat >band.adz <<'END'
import align.band
import align.batch (Sequences, scores_of_pairs_in_band)
import align.scoring

fn of_pairs(lowest: i64, highest: i64) -> [2]i32 {
    let a = Sequences { letters: "ACACG", starts: [0i64, 2, 5] };
    let b = Sequences { letters: "ACACACG", starts: [0i64, 4, 7] };
    let band = Band { lowest: lowest, highest: highest };
    scores_of_pairs_in_band(GLOBAL, linear[4](letters(1, -1), 1), band, &a, &b)
}

fn score(lowest: i64, highest: i64) -> i32 {
    let band = Band { lowest: lowest, highest: highest };
    score_in_band(GLOBAL, linear[4](letters(1, -1), 1), band, &"AC", &"ACAC")
}
END
for way in '' --interpret; do
    gives 0 '^0$' '' run band.adz 'score(0, 2)' $way
    for band in '0, 1' '1, 2' '1, 0' '3, 9'; do
        is_wrong 'no alignment is in the band' band.adz "score($band)"
    done
    gives 0 '^\[0, 3\]$' '' run band.adz 'of_pairs(0, 2)' $way
    is_wrong 'no alignment is in the band, of pair 0' band.adz 'of_pairs(0, 1)'
done
cat >blocks.adz <<'END'
import align.blocks
import align.scoring

fn score(workers: i32, memory: i64, cost: i32) -> i32 {
    let scheme = affine[4](letters(1, -1), cost, 1);
    alignment_in_blocks(threads(workers), memory, GLOBAL, scheme, &"AC", &"ACAC").score
}
END
for way in '' --interpret; do
    gives 0 '^-1$' '' run blocks.adz 'score(2, 0, 2)' $way
    is_wrong 'there must be at least 1 thread, not 0' blocks.adz 'score(0, 0, 2)'
    is_wrong 'there cannot be -1 bytes of memory' blocks.adz 'score(1, -1, 2)'
    is_wrong 'gaps cost too much for 16 bits: use `alignment`' blocks.adz 'score(1, 0, 1001)'
done
# Files that are not FASTA or FASTQ.
cat >reads.adz <<'END'
import align.alphabet
import align.fasta
import align.fastq

fn starts[k, n: nat](file: [n]u8) -> [k + 1]i64 {
    let reads: Reads[k, n] = fasta(DNA, file);
    reads.sequences.starts
}

fn lengths[n: nat](file: [n]u8) -> [?n + 1]i64 {
    let k: nat = count_fastq(file) as idx[n + 1];
    let (reads, _) = fastq[k, n](DNA, file);
    generate(k, |i| length(&reads.sequences, i64(i)))
}
END
for way in '' --interpret; do
    gives 0 '^\[0, 2, 2\]$' '*' run reads.adz 'starts[2, 8](">a\nAc\n>b")' $way
    gives 0 '^\[2, 1\]$' '*' run reads.adz 'lengths("@\nAC\n+\n@@\n@b\nA\n+\n@")' $way
    is_wrong 'line 2: the first record begins with `>`' reads.adz 'starts[1, 8]("\nAC\n>a\nA")'
    is_wrong 'line 3: its byte 2 is 45, no letter of the alphabet' reads.adz 'starts[1, 9](">a\nAC\nA-C")'
    is_wrong 'the number of records is 1, not 3' reads.adz 'starts[3, 3](">a\n")'
    is_wrong 'there are more than 1 records' reads.adz 'starts[1, 6](">a\n>b\n")'
    is_wrong 'line 1: a record begins with `@`' reads.adz 'lengths(">a\nAC\n")'
    is_wrong 'line 3: no `+` in the record of line 1' reads.adz 'lengths("@a\nAC\n@b\nAC\n+\nII")'
    is_wrong 'line 2: its byte 3 is 46, no letter of the alphabet' reads.adz 'lengths("@a\nAC.\n+\nIII")'
    is_wrong 'line 3: line 1 has another title' reads.adz 'lengths("@a\nAC\n+b\nII")'
    is_wrong 'line 3: line 1 has another title' reads.adz 'lengths("@a\nAC\n+a b\nII")'
    is_wrong 'line 1: letters and qualities are not as many: 3, 2' reads.adz 'lengths("@a\nACG\n+\nII\n@b\nA\n+\nI\n")'
    is_wrong 'line 5: letters and qualities are not as many: 1, 0' reads.adz 'lengths("@a\nACG\n+\nIII\n@b\nA\n+\n")'
    is_wrong 'line 1: no `+` in its record' reads.adz 'lengths("@a\nAC")'
    is_wrong 'line 1: no `+` in its record' reads.adz 'lengths("@a")'
    is_wrong 'line 4: more qualities than the 2 letters of the record in line 1' reads.adz 'lengths("@a\nAC\n+\nIII")'
    is_wrong 'line 4: its byte 2 is 32, no quality' reads.adz 'lengths("@a\nAC\n+\nI ")'
done
for way in '' --interpret; do
    gives 0 '^3$' '*' run prints.adz 'sums([1, 2], 3)' --no-asserts $way
done
gives 0 '2000' '*' run prints.adz 'spread(repeat[2000](1000))'
same "lines of threads are whole" 2000 "$(grep -c '^\[\[1000, .*, 1000\]\]$' "$scratch/err")"
gives 0 '^2 passed' '*' test prints.adz
same "a test prints once" "i = 0, s = 1
i = 1, s = 3" "$(grep '^i =' "$scratch/err")"
gives 0 '^ok .*sums' '^i = 1' test prints.adz --races --only sums

gives 0 'prints.c' '' build prints.adz -o quiet
check "build leaves prints out" sh -c '! grep -q -e print_ -e stdio quiet/prints.c'
check "and keeps assertions" grep -q 'E0614: assertion failed: the sum is \.\.\.' quiet/prints.c
gives 0 'prints.c' '' build prints.adz -o never --no-asserts
check "which may be left out" sh -c '! grep -q E0614 never/prints.c'
gives 0 'prints.c' '' build prints.adz -o loud --keep-prints
cat >loud/main.c <<'END'
#include "prints.h"
#include <stdio.h>
int main(void)
{
    int64_t xs[2] = {1, 2}, sum = 0;
    int good = adze_sums(2, xs, 10, &sum);
    int bad = adze_sums(2, xs, 3, &sum);
    printf("%d %s\n", good, adze_sums_message(bad));
    return 0;
}
END
for cc in gcc clang; do
    command -v $cc >/dev/null || continue
    check "$cc takes what prints" $cc -Wall -Wextra -Werror -fopenmp loud/*.c -o loud/main -lm
    check "it runs" loud/main
    same "what it prints" "i = 0, s = 1 i = 1, s = 3 i = 0, s = 1 i = 1, s = 3 assertion failed: the sum is 3 " \
        "$(tr '\n' ' ' <"$scratch/err")"
    same "and its status" 1 "$(grep -c '^0 prints.adz:7:9: error E0614' "$scratch/out")"
done
gives 0 'int adze_sums' '' explain prints.adz sums --stage c
same "explain leaves prints out" 0 "$(grep -c print_ "$scratch/out")"
gives 0 'adze_print_i64(i)' '' explain prints.adz sums --stage c --keep-prints
gives 2 '' 'there is no option .--keep-prints' run prints.adz 1 --keep-prints

gives 0 '^6$' 'running: .* (median of 3 runs, ' run t.adz '1 + 5' --time=3
same "how long compiling took" 1 "$(grep -c '^compiling: ' "$scratch/err")"
gives 0 '^6$' '^interpreting: ' run t.adz '1 + 5' --time --interpret
gives 0 '"runs": 1000' '' run t.adz '1 + 5' --time --json
echo 'fn sum[n: nat](xs: [n]i64) -> i64 { reduce(+, 0, xs) }' >sums.adz
printf '1\n2\n3' >column.txt
gives 0 '"reading": ' '' run sums.adz 'sum(load("column.txt"))' --time --json
gives 0 '^6$' '^reading: ' run sums.adz 'sum(load("column.txt"))' --time
printf 'test "first one" { true }\ntest "second" { false }\n' >titles.adz
gives 0 '^1 passed' 'titles.adz:1 "first one": interpreted .*, compiled ' test titles.adz --only first --time
gives 0 '"compiled"' '' test titles.adz --only first --time=2 --json
for count in 0 x -1; do
    gives 2 '' '--time takes the number of runs' run t.adz 1 --time=$count
done

# On a terminal, after a second; the line is gone in the end.
cat >terminal.py <<'END'
import os, pty, re, sys
out = b''
def read(fd):
    global out
    data = os.read(fd, 4096)
    out += data
    return data
pty.spawn(sys.argv[2:], read)
text = out.decode()
assert re.search(sys.argv[1], text), text
assert re.search('\r\x1b\\[K(?![^\n]*\\([0-9]+ s\\))', text), text
END
printf '#!/bin/sh\nsleep 2\nexec cc "$@"\n' >patient-cc
chmod +x patient-cc
check "compiling is told on a terminal" \
    python3 terminal.py 'compiling .* with .*patient-cc \(1 s\)' "$adze" run t.adz 98765 --cc ./patient-cc --no-cache
gives 0 '^98765$' '' run t.adz 98765 --cc ./patient-cc --no-cache
# with sanitizers, the interpreter takes ten times as long
case $adze in *-debug/*) rounds=4000000 ;; *) rounds=30000000 ;; esac
printf 'test "quick" { true }\ntest "long" { (range_sum('$rounds')) > 0 }\nfn range_sum(n: i64) -> i64 { let mut s = 0; for i in range(0, n) { s += i; } s }\n' >long.adz
check "the test that runs is told" python3 terminal.py 'running test 2 of 2, "long"' "$adze" test long.adz

# The second time, it is known how long it takes; the value alone is on standard output.
cat >slow.adz <<'END'
fn slow(n: i64) -> i64 {
    let mut x: i64 = 1;
    let mut i: i64 = 0;
    while i < n {
        x = x * 6364136223846793005 + 1442695040888963407;
        i += 1;
    }
    x
}
END
check "computing is told" python3 terminal.py 'computing \(1 s\)' "$adze" run slow.adz 'slow(1500000000)'
check "and how long it may take" python3 terminal.py 'computing \(1 s of about [0-9]+ s\)' \
    sh -c '"$1" run slow.adz "slow(1500000000)" >value' sh "$adze"
same "the value alone is on standard output" 1 "$(grep -c '^-*[0-9]*$' value)"

report messages
