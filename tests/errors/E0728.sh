# The file is no JSON.
cd "$2" || exit 3
echo 'entry fn one() -> i32 { 1 }' >one.adz
echo 'no results' >before.json
"$1" bench one.adz --samples 1 --against before.json
#! error E0728
