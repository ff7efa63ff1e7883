# An image with samples of 16 bits, where bytes are needed.
cd "$2" || exit 3
echo 'entry fn f[h, w: nat](a: [h][w]u8) -> u8 { a[0][0] }' >f.adz
"$1" run f.adz '[[65535u16, 0]]' -o wide.png
"$1" run f.adz 'f(load("wide.png"))'
#! warning E0713 1:3
#! status 0
