# The blanks around + are missing.
cd "$2" || exit 3
echo 'fn next(x: i32) -> i32 { x+1 }' >next.adz
"$1" fmt --check next.adz
#! error E0724
