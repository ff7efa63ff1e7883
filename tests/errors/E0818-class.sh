# It regroups sums, and does not say so.
cd "$2" || exit 3
cat >blocked.adz <<'END'
rule blocked(m: nat)[n: nat, t: data](op: fn(t, t) -> t, z: t, xs: [n]t) where n % m == 0, m > 0 {
    reduce(op, z, xs) => reduce(op, z, map(|ys| reduce(op, z, ys), split[m](xs)))
}
END
"$1" check-rules blocked.adz
#! error E0818 1:6
