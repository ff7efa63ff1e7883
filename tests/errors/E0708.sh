# The compiler that --cc names does not exist.
cd "$2" || exit 3
echo 'entry fn one() -> i32 { 1 }' >one.adz
"$1" run --cc no-such-compiler one.adz 'one()'
#! error E0708
