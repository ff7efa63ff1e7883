# Programs end in .adz.
cd "$2" || exit 3
echo 'fn one() -> i32 { 1 }' >one.txt
"$1" check one.txt
#! error E0705
