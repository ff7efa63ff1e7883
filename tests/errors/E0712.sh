# The picture is grey, [h][w], and the function takes one in colour, [h][w][3].
cd "$2" || exit 3
echo 'entry fn red[h, w: nat](a: [h][w][3]f32) -> f32 { a[0, 0, 0] }' >red.adz
printf 'P2 2 1 255 0 255\n' >grey.pgm
"$1" run red.adz 'red(load("grey.pgm"))'
#! error E0712 1:5
