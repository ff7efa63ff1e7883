# It holds for numbers, and not for NaN, which is neither below another number nor above it.
cd "$2" || exit 3
cat >order.adz <<'END'
rule not_less[t: num](a: t, b: t) {
    !(a < b) => a >= b
}
END
"$1" check-rules order.adz
#! error E0818 1:6
