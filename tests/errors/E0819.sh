# No size is less than itself.
cd "$2" || exit 3
cat >never.adz <<'END'
rule never[n: nat, t: data](xs: [n]t) where n < n {
    reverse(xs) => xs
}
END
"$1" check-rules never.adz
#! error E0819 1:6
