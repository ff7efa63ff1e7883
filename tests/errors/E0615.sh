# No driver has a device of this name.
cd "$2" || exit 3
cat >twice.adz <<'END'
entry fn twice[n: nat](xs: [n]f32) -> [n]f32 {
    map(|x| 2.0 * x, xs)
}
END
"$1" run --device 'no such device' twice.adz 'twice([1.0, 2.0])'
#! error E0615 1:1
