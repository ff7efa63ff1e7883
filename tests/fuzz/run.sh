#!/bin/sh
# run.sh ADZE: whatever the input, adze ends soon, with status 0, 1 or 2, without a fault of its own, and leaves nothing
# half-written. tests/programs/robust.c does the same in one process for many more texts.
. "$(dirname "$0")/../common.sh"
# A sanitizer's report is no status of adze's own.
ASAN_OPTIONS="$ASAN_OPTIONS:exitcode=99"
UBSAN_OPTIONS="${UBSAN_OPTIONS:+$UBSAN_OPTIONS:}exitcode=99"
# Nothing is read from or left in the user's folders.
HOME=$scratch/home
export ASAN_OPTIONS UBSAN_OPTIONS HOME
mkdir -p "$HOME" "$XDG_CACHE_HOME" "$scratch/in" "$scratch/work"
cd "$scratch/work" || exit 2
seconds=5
timeout=$(command -v timeout) || exit 2
adze_path=$PATH # what adze sees

fail() { # NAME REASON: the output is shown
    failed=$((failed + 1))
    echo "FAILED: $1: $2"
    head -c 3000 "$scratch/out"
    echo
}

# sound STATUS: whether a run ended as it should, whatever it was given; says in $reason why not.
sound() {
    reason=
    case $1 in
    0 | 1 | 2) ;;
    124 | 137) reason="it does not end" ;;
    *) reason="status $1" ;;
    esac
    if grep -q -a -e 'error E0901' -e 'ERROR: [A-Za-z]*Sanitizer' -e 'runtime error:' "$scratch/out"; then
        reason="${reason:+$reason, }a fault of adze"
    fi
    [ -z "$reason" ]
}

adze() { # ARGUMENTS: runs it with a limit of time; its output is in $scratch/out, its status in $status
    PATH=$adze_path "$timeout" -k 1 $seconds "$adze" "$@" >"$scratch/out" 2>&1 </dev/null
    status=$?
}

# survives NAME ARGUMENTS...: adze ends soundly, with any status.
survives() {
    name=$1
    shift
    adze "$@"
    if sound $status; then passed=$((passed + 1)); else fail "$name" "$reason"; fi
}

# gives NAME STATUS CODE ARGUMENTS...: adze ends with this status, and its output has this text ('' for any).
gives() {
    name=$1 want=$2 code=$3
    shift 3
    adze "$@"
    if ! sound $status; then
        fail "$name" "$reason"
    elif [ $status != "$want" ]; then
        fail "$name" "status $status, wanted $want"
    elif [ -n "$code" ] && ! grep -q -a -e "$code" "$scratch/out"; then
        fail "$name" "no $code in the output"
    else
        passed=$((passed + 1))
    fi
}

expect() { # NAME CONDITION...: a test(1) condition
    name=$1
    shift
    if test "$@"; then passed=$((passed + 1)); else fail "$name" "not so: $*"; fi
}

clean() { # NAME: no temporary files
    left=$(find "$TMPDIR" "$scratch/work" \( -name '*.tmp*' -o -name '.*' -o -path "$TMPDIR/*" \) ! -path "$scratch/work" -print | head -5)
    if [ -z "$left" ]; then passed=$((passed + 1)); else
        echo "$left" >"$scratch/out"
        fail "$1" "files are left over"
        rm -rf "${TMPDIR:?}"/*
    fi
}

# Checks all files of $scratch/in in runs of many files; when one of those is not sound, each file by itself.
check_all() { # NAME
    find "$scratch/in" -name '*.adz' | sort >"$scratch/list"
    while batch=$(head -n 40 "$scratch/list") && [ -n "$batch" ]; do
        sed -i 1,40d "$scratch/list"
        seconds=60
        # shellcheck disable=SC2086  # the names have no blanks
        adze check $batch
        seconds=5
        if sound $status && [ $status != 2 ]; then
            passed=$((passed + $(echo "$batch" | wc -l)))
            continue
        fi
        for f in $batch; do
            survives "$1: $(head -c 200 "$f" | tr -c '[:print:]\n' '?')" check "$f"
        done
    done
    rm -f "$scratch"/in/*
}

# --- texts -------------------------------------------------------------------------------------------

# Some prefixes of one program in four; robust.c takes more of them.
k=0
for f in "$root"/examples/*.adz "$root"/lib/*.adz "$root"/lib/std/*.adz "$root"/tests/programs/*.adz; do
    turn 4 || continue
    size=$(wc -c <"$f")
    at=$((k % 97))
    while [ $at -lt "$size" ]; do
        head -c $at "$f" >"$scratch/in/$k.adz"
        k=$((k + 1))
        at=$((at + size / 3 + 1))
    done
done
check_all "prefix"

# Random bytes, and random words of the language, by a fixed generator.
awk 'function below(n) { seed = (seed * 16807) % 2147483647; return int(seed / 7) % n }
BEGIN {
    seed = 11
    for (k = 0; k < 300; k++) {
        out = ""
        for (n = below(250); n > 0; n--) out = out sprintf("\\%03o", below(3) ? below(95) + 32 : below(256))
        print out
    }
}' >"$scratch/bytes"
k=0
while read -r line; do
    # shellcheck disable=SC2059  # the line is all escapes
    printf "$line" >"$scratch/in/$k.adz"
    k=$((k + 1))
done <"$scratch/bytes"
check_all "bytes"

awk -v dir="$scratch/in" 'function below(n) { seed = (seed * 16807) % 2147483647; return int(seed / 7) % n }
BEGIN {
    seed = 12
    words = "xs xs n k 0 1 2.5 - + * / % == < ( ) ( ) [ ] { } , , |> >> |x| |a,b| x a b .0 let y = ; y if else as f32" \
        " i32 idx[n] true map( zip( reduce(+,0.0, fold( generate( split[2] join transpose slide[3,1] pad[1,1](clamp)" \
        " repeat[n]( take[1] drop[1] [..2] iterate[2]( reverse ++ && ! nat fn where const entry struct P test \"t\" ->" \
        " mut m let mut m = 1 ; m = m += >>>= m ; ; while loop for i in range(0,n) with match k { 0 => _ => _ if enum" \
        " E E.A E.A( extern & &mut * ? $ @ @( @@ unchecked break() continue() return() break return ->! { { } } &mut"
    count = split(words, word, " ")
    for (k = 0; k < 300; k++) {
        file = dir "/" k ".adz"
        if (k % 3) printf "entry fn f[n: nat](k: nat, xs: [n]f32) -> [n]f32 { " >file
        for (n = below(40); n > 0; n--) printf "%s ", word[1 + below(count)] >file
        print (k % 3 ? "}" : "") >file
        close(file)
    }
}'
check_all "words"

# --- deep and long -----------------------------------------------------------------------------------

value='entry fn f(a: i32) -> i32 { '
end='}'
# nested BEFORE MIDDLE AFTER [HEAD [TAIL]]: HEAD, 100000 times BEFORE, MIDDLE, 100000 times AFTER, TAIL
nested() {
    awk -v before="$1" -v middle="$2" -v after="$3" -v head="${4-$value}" -v tail="${5- $end}" 'BEGIN {
        printf "%s", head
        for (i = 0; i < 100000; i++) printf "%s", before
        printf "%s", middle
        for (i = 0; i < 100000; i++) printf "%s", after
        print tail
    }' >deep.adz
    gives "100000 times $1 $2 $3" 1 E0108 check deep.adz
}
nested '(' a ')'
nested '[' a ']'
nested '{ ' a ' }'
nested '-' a ''
nested '|x| ' a ''
nested '*' a ''
nested '?' a ''
nested 'loop { ' '' ' }'
nested 'for i in range(0, 1) { ' '' ' }'
nested 'match a { x => ' a ' }'
nested 'a; ' a ''
nested '(' true ')' 'fn @' ' f(a: i32) -> i32 { a }'
nested 'if a < 1 { ' a ' } else { 2 }'
nested 'a + ' a ''
nested '' a ' |> abs'
nested 'let a = a + 1; ' a ''
nested '[1]' i32 '' 'entry fn f(a: ' ') -> i32 { 1 }'
nested 'fn(i32) -> ' i32 '' 'fn f(g: ' ') -> i32 { 1 }'
nested '(' i32 ',)' 'entry fn f(a: ' ') -> i32 { 1 }'
nested '(n * ' n ')' 'entry fn f[n: nat](a: [' ']i32) -> i32 { 1 }'
rm deep.adz

awk 'BEGIN {
    for (i = 0; i < 1250; i++)
        printf "/// Function %d.\nfn step%d[n: nat](xs: [n]f32) -> [n]f32 {\n    xs |> map(|x| x * %d.0)\n}\n", i, i, i
    print "entry fn all[n: nat](xs: [n]f32) -> [n]f32 { xs |> step0 |> step1249 }"
}' >long.adz
gives "a program of 5000 lines" 0 '' check long.adz
awk 'BEGIN { printf "const LONG = ["; for (i = 0; i < 100000; i++) printf "%d, ", i; print "0]" }' >long.adz
seconds=20
survives "an array of 100001 elements" check long.adz
seconds=5
awk 'BEGIN { printf "// "; for (i = 0; i < 1000000; i++) printf "long "; print ""; print "x" }' >long.adz
gives "a line of 5000000 characters" 1 E0111 check long.adz
rm long.adz

# --- files that are no programs ----------------------------------------------------------------------

gives "a missing file" 1 E0701 check missing.adz
mkdir folder.adz
gives "a folder" 1 E0702 check folder.adz
: >empty.adz
gives "an empty file" 0 '' check empty.adz
gives "an entry of an empty file" 1 E0 run empty.adz 'f(1)'
printf 'fn one() -> i32 { \0001 }\n' >nul.adz
gives "a NUL byte" 1 E0101 check nul.adz
printf '// \377\376\n' >bytes.adz
gives "bytes that are not UTF-8" 1 E0704 check bytes.adz
printf 'entry fn one() -> i32 {\r\n    1\r\n}\r\n' >crlf.adz
gives "lines that end in CR LF" 0 '' check crlf.adz
printf '\357\273\277entry fn one() -> i32 { 1 }\n' >bom.adz
survives "a byte order mark" check bom.adz
printf 'entry fn one() -> i32 { 1 }' >open.adz
gives "no line end" 0 '' check open.adz
mkfifo pipe.adz
survives "a named pipe" check pipe.adz
rm pipe.adz
printf 'fn secret() -> i32 { 1 }\n' >secret.adz
chmod 0 secret.adz
[ -r secret.adz ] || gives "a file that cannot be read" 1 E0703 check secret.adz
printf 'import self\nfn one() -> i32 { 1 }\n' >self.adz
survives "an import of itself" check self.adz
printf 'import b\nfn f() -> i32 { g() }\n' >a.adz
printf 'import a\nfn g() -> i32 { f() }\n' >b.adz
survives "two files that import each other" check a.adz
rm -rf ./*.adz

# --- expressions -------------------------------------------------------------------------------------

cat >f.adz <<'END'
entry fn total[n: nat](xs: [n]f32) -> f32 { reduce(+, 0.0, xs) }
entry fn grey[h, w: nat](a: [h][w]f32) -> [h][w]f32 { map(|r| map(|x| 1.0 - x, r), a) }
entry fn colour[h, w: nat](a: [h][w][3]f32) -> [h][w]f32 { map(|r| map(|p| p[0], r), a) }
entry fn bytes[h, w: nat](a: [h][w]u8) -> i64 { 1 }
entry fn zeros(n: nat) -> [n]f32 { repeat[n](0.0) }
END
for e in '' ' ' '(' ')' 'total' 'total(' 'total()' 'total(1)' 'total([1])' 'total([])' 'nothing(1)' '1 +' '"a"' '//' \
    'load()' 'load(1)' 'load("")' 'load("/")' 'total(load("f.adz"))' 'zeros(-1)' 'zeros(n)' '|x| x' 'total([1.0)' \
    'zeros(9223372036854775807)' 'zeros(18446744073709551615)' 'fn f() -> i32 { 1 }' '1; 2' '@' 'total([true])'; do
    for how in --interpret --no-cache; do
        adze run $how f.adz "$e"
        if sound $status; then passed=$((passed + 1)); else fail "run $how '$e'" "$reason"; fi
    done
done
seconds=30
gives "a value of all kinds" 0 '' run f.adz '(1, 2.5, true, [1, 2], ([3], 4u8))'
gives "an interpreted value" 0 6.0 run --interpret f.adz 'total([1.0, 2.0, 3.0])'
gives "a compiled value" 0 6.0 run f.adz 'total([1.0, 2.0, 3.0])'
seconds=5

# --- array files -------------------------------------------------------------------------------------

# npy HEADER BYTES: a .npy file of version 1 on standard output
npy() {
    printf '\223NUMPY\001\000'
    # shellcheck disable=SC2059  # two bytes of the length, lowest first
    printf "$(printf '\\%03o\\%03o' $((${#1} % 256)) $((${#1} / 256)))"
    printf '%s' "$1"
    # shellcheck disable=SC2059
    printf "$2"
}
one='\000\000\200\077' # 1.0 as an f32
read_all="total(load(\"x.npy\"))"
npy "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }
" "$one$one" >x.npy
seconds=30
gives "a good .npy file" 0 2.0 run --interpret f.adz "$read_all"
seconds=5
cp x.npy good.npy
size=$(wc -c <good.npy)
for n in 0 1 5 6 7 8 9 10 11 20 40 60 $((size - 9)) $((size - 8)) $((size - 5)) $((size - 1)); do
    head -c $n good.npy >x.npy
    gives "a .npy file cut to $n bytes" 1 E0711 run --interpret f.adz "$read_all"
done
damaged() { # HEADER
    npy "$1
" "$one$one" >x.npy
    adze run --interpret f.adz "$read_all"
    if ! sound $status; then
        fail "a .npy file with the header $1" "$reason"
    elif [ $status != 1 ] || ! grep -q 'E071[1-4]\|E0401\|E0301' "$scratch/out"; then
        fail "a .npy file with the header $1" "status $status, no E0711 to E0714"
    else
        passed=$((passed + 1))
    fi
}
damaged ""
damaged "{}"
damaged "{'descr': '<f4', 'fortran_order': False}"
damaged "{'descr': '<f4', 'fortran_order': False, 'shape': (2"
damaged "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"
damaged "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }"
damaged "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807,), }"
damaged "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }"
damaged "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }"
damaged "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }"
damaged "{'descr': '<f4', 'fortran_order': False, 'shape': (), }"
damaged "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2), }"
damaged "{'descr': '|O', 'fortran_order': False, 'shape': (2,), }"
damaged "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }"
damaged "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }"
damaged "{'descr': '<U2', 'fortran_order': False, 'shape': (1,), }"
damaged "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }"
damaged "{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }"
damaged "not a header at all"
npy "{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }
" "$one$one" >x.npy
survives "a .npy file in Fortran's order" run --interpret f.adz "$read_all"
npy "{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }
" "$one$one" >x.npy
survives "a .npy file with the bytes the other way round" run --interpret f.adz "$read_all"
npy "{'descr': '<f4', 'fortran_order': False, 'shape': (0,), }
" "" >x.npy
survives "a .npy file without elements" run --interpret f.adz "$read_all"

# reads_or_refuses NAME: x.npy is an array, or the error says what is wrong with it.
reads_or_refuses() {
    adze run --interpret f.adz 'load("x.npy")'
    if ! sound $status; then
        fail "$1" "$reason"
    elif [ $status != 0 ] && ! { [ $status = 1 ] && grep -q 'error E0711' "$scratch/out"; }; then
        fail "$1" "status $status, neither read nor refused with E0711"
    else
        passed=$((passed + 1))
    fi
}
# Some bytes of a header with other values, and what precedes the text of versions 2 and 3;
# tests/runtime/test_npy.c tries all bytes and more values.
header="{'descr':'<f4','fortran_order':False,'shape':(2,)}"
npy "$header" "$one$one" >good.npy
size=$((${#header} + 10))
for version in 1 2 3; do
    if [ $version != 1 ]; then
        # shellcheck disable=SC2059
        printf "$(printf '\\223NUMPY\\00%d\\000\\%03o\\000\\000\\000' $version ${#header})$header$one$one" >good.npy
        size=14
    fi
    cp good.npy x.npy
    gives "a .npy file of version $version" 0 '1.0, 1.0' run --interpret f.adz 'load("x.npy")'
    at=0
    while [ $at -lt $size ]; do
        case $((at % 3)) in
        0) byte='\377' ;;
        1) byte=9 ;;
        *) byte="'" ;;
        esac
        cp good.npy x.npy
        # shellcheck disable=SC2059
        printf "$byte" | dd of=x.npy bs=1 seek=$at conv=notrunc 2>/dev/null
        reads_or_refuses "a .npy file of version $version with $byte at byte $at"
        at=$((at + 2))
    done
done
# Shapes, kinds of elements and orders in every spelling.
for shape in '(2,)' '( 2 , )' '(2L,)' '(1,2)' '(2,1,)' '(2)' '2' '[2]' '(+2,)' '(2.0,)' '(2,,)' '(2 1)' '(,)' '(2_0,)' \
    '(0x2,)' '(True,)' '(2,' '(-2,)' '(0,-2)' '(0,9223372036854775807)' '(4294967296,4294967296,0)' \
    '(3037000500,3037000500)'; do
    npy "{'descr':'<f4','fortran_order':False,'shape':$shape}" "$one$one" >x.npy
    reads_or_refuses "a .npy file of the shape $shape"
done
for descr in "'<f2'" "'>f2'" "'<f4'" "'>f8'" "'=u8'" "'|i1'" "'>b1'" "'|i8'" "'<c32'" "'<f16'" "'<M8[ns]'" "'|S8'" "'|V8'" \
    "'?'" "'<'" "''" "None" "4" "[]" "'<f4" "'float64'" "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'"; do
    for shape in '(1,2)' '(8,)'; do
        npy "{'descr':$descr,'fortran_order':True,'shape':$shape}" "$one$one" >x.npy
        reads_or_refuses "a .npy file of $descr and shape $shape"
    done
done
# Complex numbers and records: files that are good, and each byte of their headers with other values.
cat >records.adz <<'END'
struct Inner { c: u8, d: [2]bool }
struct Outer { a: f32, b: [2]Inner }
struct Complex { re: f32, im: f32 }
fn outer[n: nat](xs: [n]Outer) -> [n]Outer { xs }
fn complex[n: nat](xs: [n]Complex) -> [n]Complex { xs }
END
# fits_or_refuses WHAT EXPRESSION: x.npy is read, or the error says why it is not.
fits_or_refuses() {
    adze run --interpret records.adz "$2"
    if ! sound $status; then
        fail "$1" "$reason"
    elif [ $status != 0 ] && ! { [ $status = 1 ] && grep -q 'error E071[12]' "$scratch/out"; }; then
        fail "$1" "status $status, neither read nor refused with E0711 or E0712"
    else
        passed=$((passed + 1))
    fi
}
outer='outer(load("x.npy"))' complex='complex(load("x.npy"))'
record="[('a','<f4'),('b',[('c','|u1'),('','|V1'),('d','|b1',(2,))],(2,))]"
for expression in "$outer" "$complex"; do
    case $expression in
    outer*) header="{'descr':$record,'fortran_order':True,'shape':(1,)}" data="$one"'\001\356\001\000\002\356\000\001' ;;
    *) header="{'descr':'<c8','fortran_order':False,'shape':(1,)}" data="$one$one" ;;
    esac
    npy "$header" "$data" >good.npy
    cp good.npy x.npy
    gives "$header" 0 '1.0' run --interpret records.adz "$expression"
    size=$((${#header} + 10))
    at=10
    while [ $at -lt $size ]; do
        if [ $((at % 2)) = 0 ]; then byte="'"; else byte='\377'; fi
        cp good.npy x.npy
        # shellcheck disable=SC2059
        printf "$byte" | dd of=x.npy bs=1 seek=$at conv=notrunc 2>/dev/null
        fits_or_refuses "$header with $byte at byte $at" "$expression"
        at=$((at + 5))
    done
    for n in 0 9 10 11 40 $((size - 1)) $size $((size + 1)) $((size + 7)); do
        head -c $n good.npy >x.npy
        gives "$header cut to $n bytes" 1 E0711 run --interpret records.adz "$expression"
    done
done
b="('b',[('c','|u1'),('d','|b1',(2,))],(2,))"
for descr in "'>c8'" "'|c8'" "'<c16'" "'<c32'" "'<c'" "[]" "[[]]" "[()]" "[('a')]" "[('a','<f4')]" "[('a','<f4'),$b,$b]" "[$b,('a','>f4')]" \
    "[('a','|O'),$b]" "[('a','<U1'),$b]" "[('a','<f4'),('b','|V6')]" "[(('title','a'),'<f4'),$b]" "[('a','<f4',(1,)),$b]" "[('a','<f4',()),$b]" \
    "[('a','<f4',(99999999999,99999999999)),$b]" "[('','|V9223372036854775807'),('a','<f4'),$b]" "[('a','<f4',(-1,)),$b]" \
    "{'names':['a','b'],'formats':['<f4','<f4'],'offsets':[0,2],'itemsize':6}" "{'names':['a'],'formats':['<f4'],'offsets':[-4]}" \
    "('<f4',(2,))" "[('a','<f4'),('b',[('c',[('c',[('c','|u1')])]),('d','|b1',(2,))],(2,))]" "[('a',[('a','<f4')]),$b]"; do
    for shape in '(1,)' '(9223372036854775807,)'; do
        npy "{'descr':$descr,'fortran_order':True,'shape':$shape}" "$one$one\000\000" >x.npy
        fits_or_refuses "a .npy file of $descr and shape $shape" "$outer"
    done
    fits_or_refuses "a .npy file of $descr and shape $shape" "$complex"
done
for descr in "'<c8'" "[('x','<f4'),('y','<f4')]"; do
    npy "{'descr':$descr,'fortran_order':False,'shape':(1,)}" "$one$one" >x.npy
    gives "a .npy file of $descr where no struct is said" 1 E0712 run --interpret f.adz 'load("x.npy")'
done
# No elements, but more rows than can be shown or kept.
interpreted=0:
for shape in '(0,1152921504606846975)' '(1152921504606846975,0)' \
    '(2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0)'; do
    npy "{'descr':'<f4','fortran_order':False,'shape':$shape}" '' >x.npy
    gives "rows without elements: $shape" 0 '^\[' run --no-cache f.adz 'load("x.npy")'
    gives "rows without elements, interpreted: $shape" "${interpreted%:*}" "${interpreted#*:}" run --interpret f.adz 'load("x.npy")'
    interpreted=1:E0606
done
rm x.npy good.npy
mkdir x.npy
gives "a folder for a .npy file" 1 E0702 run --interpret f.adz 'load("x.npy")'
rmdir x.npy
mkfifo x.npy
gives "a named pipe for a .npy file" 1 E0702 run --interpret f.adz 'load("x.npy")'
rm x.npy
: >x.npy
chmod 0 x.npy
gives "an empty .npy file, or one that cannot be read" 1 E0711 run --interpret f.adz 'load("x.npy")'
rm -f x.npy

photo=$root/examples/data/hopper.png
size=$(wc -c <"$photo")
for n in 0 7 8 20 32 33 60 $((size / 2)) $((size - 12)); do
    head -c $n "$photo" >x.png
    gives "a .png file cut to $n bytes" 1 E0711 run --interpret f.adz 'colour(load("x.png"))'
done
for at in 16 20 24 25 26 28 41 50 1000; do # one byte of the sizes, of the kind, of a check sum, of the data
    { head -c $at "$photo" && printf '\377' && tail -c +$((at + 2)) "$photo"; } >x.png
    survives "a .png file with byte $at changed" run --interpret f.adz 'load("x.png")[0, 0]'
done
image() { # TEXT
    # shellcheck disable=SC2059
    printf "$1" >x.ppm
    gives "the picture $1" 1 'E071[12]' run --interpret f.adz 'colour(load("x.ppm"))'
}
image ''
image 'P'
image 'P6'
image 'P6 1 1 255'
image 'P6 1 1 255 ab'
image 'P6 2 2 255\n123456'
image 'P6 -1 1 255\n123'
image 'P6 99999999999 99999999999 255\n123'
image 'P6 4294967297 4294967297 255\n123'
image 'P6 1 1 0\n123'
image 'P6 1 1 65536\n123456'
image 'P3 1 1 255 1 2'
image 'P3 1 1 255 1 2 x'
image 'P3 1 1 255 1 2 256'
image 'P3 1 1 255 1 2 99999999999999999999'
image 'P5 1 1 255\n1'
image 'P9 1 1 255\n123'
image '# only a comment'
image 'P6 # no end'
rm x.png x.ppm
survives "a picture for a vector" run --interpret f.adz "total(load(\"$photo\"))"
survives "a picture in colour for a grey one" run --interpret f.adz "grey(load(\"$photo\"))"
survives "a picture in colour for bytes" run --interpret f.adz "bytes(load(\"$photo\"))"

# --- what is written ---------------------------------------------------------------------------------

clean "after reading"
seconds=30
echo old >out.npy
gives "-o /dev/full" 1 'E070[56]' run --interpret f.adz '"abc"' -o /dev/full
ln -s /dev/full full.npy
gives "a full disk" 1 E0706 run --interpret f.adz 'zeros(3)' -o full.npy
rm full.npy
gives "-o into no folder" 1 E0706 run --interpret f.adz 'zeros(3)' -o none/out.npy
mkdir folder.npy
gives "-o onto a folder" 1 E0 run --interpret f.adz 'zeros(3)' -o folder.npy
gives "-o of a value that is no picture" 1 E0716 run --interpret f.adz 'zeros(3)' -o out.png
expect "nothing written for it" ! -e out.png
gives "-o of a value that fails" 1 E0 run --interpret f.adz 'grey(load("none.png"))' -o out.npy
gives "two -o for one value" 1 E0 run --interpret f.adz 'zeros(3)' -o out.npy -o out2.npy
expect "the old file unchanged" "$(cat out.npy)" = old
expect "no second file" ! -e out2.npy
gives "-o over the old file" 0 '' run --interpret f.adz 'zeros(3)' -o out.npy
expect "the new file" "$(wc -c <out.npy)" = 140
if ! (: >/proc/adze) 2>/dev/null; then
    gives "-o where nothing can be written" 1 E0706 run --interpret f.adz 'zeros(3)' -o /proc/out.npy
fi
gives "build into a file" 1 E0 build f.adz -o f.adz
survives "build onto a full disk" build f.adz -o /dev/full
gives "new in a missing folder" 1 E0 new none/project
"$adze" run --interpret f.adz 'zeros(3)' >/dev/full 2>"$scratch/out"
expect "standard output that is full" $? = 1
printf 'fn f() -> i32 { (1 }\n' >bad.adz
cp bad.adz before.adz
gives "fmt of a program with errors" 1 E01 fmt bad.adz
expect "the program with errors unchanged" "$(cat bad.adz)" = "$(cat before.adz)"
clean "after writing"
rm -rf bad.adz before.adz out.npy folder.npy

# --- the C compiler and the cache ----------------------------------------------------------------------

run_total() { # NAME STATUS CODE [OPTIONS]: compiles and runs
    name=$1 want=$2 code=$3
    shift 3
    gives "$name" "$want" "$code" run "$@" f.adz 'total([1.0, 2.0])'
}
CC=/nonexistent run_total "a CC that does not exist" 1 E0708 --no-cache
CC='' run_total "an empty CC" 0 3.0 --no-cache
run_total "a --cc that fails" 1 E0709 --no-cache --cc false
rm -rf "${TMPDIR:?}"/* # a C file that the compiler did not accept is kept
# compiler NAME COMMANDS: a program that stands in for the C compiler; $out is the output that it is to write.
# shellcheck disable=SC2016
compiler() {
    {
        printf '#!/bin/sh\ncase $* in *--version*) echo 1; exit ;; esac\nargs=$* out=\n'
        printf 'while [ $# -gt 0 ]; do [ "$1" != -o ] || out=$2; shift; done\n%s\n' "$2"
    } >"$1"
    chmod +x "$1"
}
compiler crash.sh 'kill -SEGV $$'
compiler killed.sh 'kill -TERM $$'
compiler loud.sh 'yes "a long line" | head -c 3000000; exit 3'
# shellcheck disable=SC2016
compiler empty.sh ': >"$out"'
# shellcheck disable=SC2016
compiler junk.sh 'echo junk >"$out"'
# shellcheck disable=SC2016
compiler other.sh 'exec cc -shared -o "$out" -x c /dev/null'
# shellcheck disable=SC2016
compiler warns.sh 'echo "f.c:1:1: warning: many" >&2; exec cc $args'
compiler full.sh 'echo "error writing /tmp/x.s: No space left on device" >&2; exit 1'
printf '#!/nonexistent\n' >start.sh
chmod +x start.sh
while read -r cc code kept; do
    for how in --no-cache --cache=own; do
        run_total "a compiler like $cc $how" 1 "$code" $how --cc "$cc"
        expect "what $cc leaves $how" "$(find own "$TMPDIR" -name '*.c' -o -name '*.so' 2>/dev/null | wc -l)" = "$kept"
        rm -rf own "${TMPDIR:?}"/*
    done
    [ "$code" = E0710 ] || gives "build --cc with $cc" 1 "$code" build f.adz -o built --cc="$cc"
    expect "no object of $cc" ! -e built/f.o
    rm -rf built
done <<'END'
true E0709.*has.not.written 0
./empty.sh E0709.*has.not.written 0
./crash.sh E0709.*signal.11 1
./killed.sh E0709.*signal.15 0
./loud.sh E0709.*status.3 1
./start.sh start.sh.cannot.be.started 0
./full.sh E0709.*out.of.disk.space 0
./junk.sh E0710 0
./other.sh E0710 0
. E0708 0
/dev/null E0708 0
./f.adz E0708 0
END
run_total "a compiler that warns" 0 '^3.0$' --no-cache --cc ./warns.sh
rm -rf ./*.sh
adze_path=$scratch/empty
run_total "no compiler on the PATH" 1 E0708 --no-cache
run_total "the interpreter without a compiler" 0 3.0 --interpret
adze_path=$PATH
rm -rf "${TMPDIR:?}"/* # a C file that the compiler did not accept is kept

run_total "a cache for the first time" 0 3.0
run_total "a cache for the second time" 0 3.0
find "$XDG_CACHE_HOME" -type f | while read -r f; do echo junk >"$f"; done
run_total "a cache full of junk" 0 3.0
find "$XDG_CACHE_HOME" -type f | while read -r f; do : >"$f"; done
run_total "a cache of empty files" 0 3.0
touch "$scratch/file"
run_total "a cache that is a file" 0 E0720 --cache "$scratch/file"
run_total "a cache in /proc" 0 E0720 --cache /proc/cache
XDG_CACHE_HOME=/dev/null run_total "XDG_CACHE_HOME that is no folder" 0 3.0
TMPDIR=/nonexistent run_total "no folder for temporary files" 0 3.0
(unset HOME XDG_CACHE_HOME && timeout 30 "$adze" run f.adz 'total([1.0, 2.0])' >"$scratch/out" 2>&1 </dev/null)
expect "neither HOME nor XDG_CACHE_HOME" $? = 0
cat >slow.sh <<'END'
#!/bin/sh
exec sleep 10
END
chmod +x slow.sh
timeout -s INT 1 "$adze" run --no-cache --cc ./slow.sh f.adz 'total([1.0, 2.0])' >"$scratch/out" 2>&1 </dev/null
expect "interrupted while compiling" $? -gt 1
clean "after an interruption"

# --- a disk that is full -------------------------------------------------------------------------------

# kept NAME LIST: what lies on the small disk, and that what was there has not changed.
kept() {
    expect "$1: the files" "$(cd "$small" && find . -type f ! -name fill | sort | tr '\n' ' ')" = "$2"
    expect "$1: the folders" "$(find "$small" -type d | wc -l)" = 1
    expect "$1: the old text" "$(cat "$small"/old.* | sort -u)" = "$(cat old.adz)"
}
small=$scratch/small
mkdir "$small"
printf 'entry fn  f(x: i32) -> i32 { x }\n' >old.adz
if mount -t tmpfs -o size=64k tmpfs "$small" 2>/dev/null; then
    trap 'umount "$small"; chmod -R u+rwX "$scratch" 2>/dev/null; rm -rf "$scratch"' EXIT
    for old in adz npy png c h o; do cp old.adz "$small/old.$old"; done
    before='./old.adz ./old.c ./old.h ./old.npy ./old.o ./old.png '
    head -c 100000 /dev/zero >"$small/fill" 2>/dev/null
    gives "fmt on a full disk" 1 E0706 fmt "$small/old.adz"
    gives "build on a full disk" 1 E0706 build old.adz -o "$small"
    gives "build --cc on a full disk" 1 E0706 build old.adz -o "$small" --cc
    gives "build into a new folder of a full disk" 1 E0706 build f.adz -o "$small/sub"
    gives "new on a full disk" 1 E0706 new "$small/project"
    for old in npy png; do
        gives "-o $old on a full disk" 1 E0706 run --interpret f.adz '[[1.0f32, 2.0], [3.0, 4.0]]' -o "$small/old.$old"
        gives "a new $old on a full disk" 1 E0706 run --interpret f.adz '[[1.0f32, 2.0], [3.0, 4.0]]' -o "$small/new.$old"
    done
    run_total "a cache on a full disk" 0 E0720 --cache "$small"
    run_total "the value all the same" 0 '^3.0$' --cache "$small"
    TMPDIR=$small run_total "temporary files on a full disk" 1 E0706 --no-cache
    kept "after a full disk" "$before"
    TMPDIR=$small run_total "the compiler's files on a full disk" 1 'E0709.*out of disk space' --cache own
    expect "nothing is left in the cache" "$(find own ! -type d)" = ''
    TMPDIR=$small gives "an object with a full disk" 1 'E0709.*out of disk space' build f.adz -o built --cc=gcc
    expect "the C without its object" "$(echo built/* built/.[!.]*)" = 'built/f.c built/f.h built/.[!.]*'
    # room for the C, but not for the object
    rm "$small/fill"
    cp old.adz "$small/old.o"
    awk 'BEGIN { for (i = 0; i < 40; i++) printf "entry fn part%d[n: nat](xs: [n]f32) -> f32 { reduce(+, %d.0, xs) }\n", i, i }' >f40.adz
    gives "a disk that is full soon" 1 'E0709.*out of disk space' build f40.adz --plain -o "$small" --cc
    expect "no half object" "$(cd "$small" && echo *.o .[!.]*)" = 'old.o .[!.]*'
    rm -rf own built f40.adz
    umount "$small"
    trap 'chmod -R u+rwX "$scratch" 2>/dev/null; rm -rf "$scratch"' EXIT
fi
rm -f old.adz
clean "after a full disk"

# --- many at once --------------------------------------------------------------------------------------

rm -rf "$XDG_CACHE_HOME"
mkdir "$scratch/ended" # the temporary files of C compilers whose adze was killed
k=0
while [ $k -lt 20 ]; do
    TMPDIR=$scratch/ended "$adze" run f.adz "total([1.0, $((k % 5)).0])" >"$scratch/many$k" 2>&1 </dev/null &
    eval "pid$k=\$!"
    k=$((k + 1))
done
sleep 0.2
for k in 3 7 11; do eval "kill -KILL \$pid$k"; done 2>/dev/null
for k in 4 8 12; do eval "kill -TERM \$pid$k"; done 2>/dev/null
k=0
while [ $k -lt 20 ]; do
    eval "wait \$pid$k" 2>/dev/null
    status=$?
    cp "$scratch/many$k" "$scratch/out"
    case $k:$status in
    [37]:137 | 11:137 | [48]:143 | 12:143) expect "run $k of 20 says nothing when it is ended" ! -s "$scratch/out" ;;
    *) expect "run $k of 20" "$status $(cat "$scratch/out")" = "0 $((k % 5 + 1)).0" ;;
    esac
    k=$((k + 1))
done
for k in 0 1 2 3 4; do
    gives "the cache after them" 0 "^$((k + 1)).0\$" run f.adz "total([1.0, $k.0])"
done
expect "a library for each expression" "$(find "$XDG_CACHE_HOME" -name '*.so' -path '*/adze/????????????????????????????????.so' | wc -l)" = 5
expect "folders of those that were killed" "$(find "$XDG_CACHE_HOME" -name 'tmp-*' | wc -l)" -le 3
seconds=5

# --- the command line --------------------------------------------------------------------------------

gives "no command" 2 ''
gives "an unknown command" 2 '' frobnicate
gives "an unknown option" 2 '' check --frobnicate f.adz
gives "no file" 2 '' check
gives "an option without its argument" 2 '' run f.adz 'zeros(3)' -o
gives "an empty command" 2 '' ''
gives "an unknown stage" 2 '' explain --stage none f.adz total
gives "an unknown target" 2 '' build --target none f.adz
gives "a --limit that is no number" 2 '' run --limit x f.adz 'zeros(3)'
gives "an unknown code" 1 E0719 errors E9999
gives "all codes" 0 E0101 errors
gives "help" 0 check --help
for size in n n= =3 n=x n=-1 n=99999999999999999999; do
    gives "--size $size" 1 E0715 run --interpret --size "$size" f.adz 'zeros(n)'
done

clean "at the end"
report robustness
