# The operator of a reduction need not commute.
cd "$2" || exit 3
cat >backwards.adz <<'END'
reassociate rule backwards[n: nat, t: data](op: fn(t, t) -> t, z: t, xs: [n]t) {
    reduce(op, z, xs) => reduce(op, z, reverse(xs))
}
END
"$1" check-rules backwards.adz
#! error E0818 1:18
