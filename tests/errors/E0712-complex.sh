# Nothing says as which struct the complex numbers are loaded.
cd "$2" || exit 3
echo 'import std.complex (Complex)' >f.adz
"$1" run f.adz '[Complex { re: 1.0, im: 2.0 }]' -o z.npy
"$1" run f.adz 'load("z.npy")'
#! error E0712 1:1
