# It holds for all integers but the greatest.
cd "$2" || exit 3
cat >above.adz <<'END'
rule above(x: i32) {
    x + 1 > x => true
}
END
"$1" check-rules above.adz
#! error E0818 1:6
