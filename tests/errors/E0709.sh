# `false` is a program that always fails.
cd "$2" || exit 3
echo 'entry fn one() -> i32 { 1 }' >one.adz
"$1" run --cc false one.adz 'one()'
#! error E0709
