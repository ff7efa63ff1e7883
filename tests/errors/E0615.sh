# There is no driver.
export OCL_ICD_VENDORS=/nonexistent
cd "$2" || exit 3
cat >twice.adz <<'END'
entry fn twice[n: nat](xs: [n]f32) -> [n]f32 {
    map(|x| 2.0 * x, xs)
}
END
"$1" run --target opencl twice.adz 'twice(generate(100, |i| f32(i)))'
#! error E0615 1:1
