# The array would have 2^62 elements of 8 bytes: more than 64 bits can count.
cd "$2" || exit 3
cat >huge.adz <<'END'
entry fn huge(k: i64) -> i64 {
    let xs = to_mem(generate(4611686018427387904, |i| i64(i)));
    xs[0] + k
}
END
"$1" run huge.adz 'huge(3)'
#! error E0606 1:1
