# An entry for any type of number has no C function.
cd "$2" || exit 3
echo 'entry fn twice[t: num](x: t) -> t { x + x }' >twice.adz
"$1" build twice.adz
#! error E0718 1:10
