# The sizes of files take part: these pictures differ in width.
cd "$2" || exit 3
cat >sum.adz <<'END'
entry fn sum[h, w: nat](a: [h][w]f32, b: [h][w]f32) -> [h][w]f32 {
    zip(a, b) |> map(|(r, s)| zip(r, s) |> map(+))
}
END
printf 'P2 2 1 255 0 255\n' >a.pgm
printf 'P2 3 1 255 0 255 0\n' >b.pgm
"$1" run sum.adz 'sum(load("a.pgm"), load("b.pgm"))'
#! error E0401 1:20
