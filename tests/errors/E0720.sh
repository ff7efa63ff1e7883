# The folder for compiled code is a file.
cd "$2" || exit 3
echo 'entry fn one() -> i32 { 1 }' >one.adz
touch cache
"$1" run --cache cache one.adz 'one()'
#! warning E0720
#! status 0
