# The right side computes elements that the left side does not, and fails where they do.
cd "$2" || exit 3
cat >later.adz <<'END'
rule later[n, k: nat, s, t: data](f: fn(s) -> t, xs: [n]s) {
    map(f, take[k](xs)) => take[k](map(f, xs))
}
END
"$1" check-rules later.adz
#! error E0818 1:6
