# The interpreter has nothing but a name of a function of C.
cd "$2" || exit 3
cat >sine.adz <<'END'
extern fn sinf(x: f32) -> f32;

fn twice(x: f32) -> f32 {
    2.0 * sinf(x)
}
END
"$1" run --interpret sine.adz 'twice(1.0)'
#! error E0608 4:11
