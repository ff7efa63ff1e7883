# The interpreter gives up after a number of steps; compiled, this is quick.
cd "$2" || exit 3
echo 'entry fn count(n: nat) -> i64 { iterate[n](|x| x + 1, 0) }' >count.adz
"$1" run --interpret count.adz 'count(1000000000000)'
#! error E0722
