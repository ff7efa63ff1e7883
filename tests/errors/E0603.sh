# 10 and 20 are both sent to index 1.
cd "$2" || exit 3
cat >send.adz <<'END'
entry fn send[n: nat](targets: [n]i32, xs: [n]i32) -> [4]i32 {
    scatter(map(|t| t as idx[4], targets), xs)
}
END
"$1" run send.adz 'send([1, 1], [10, 20])'
#! error E0603 2:5
