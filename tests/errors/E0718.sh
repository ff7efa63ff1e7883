# The function is compiled for a type only where it is called.
cd "$2" || exit 3
cat >twice.adz <<'END'
fn twice[t: num](x: t) -> t {
    x + x
}
END
"$1" explain --stage c twice.adz twice
#! error E0718 1:4
