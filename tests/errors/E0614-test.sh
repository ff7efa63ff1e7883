# Where lanes go different ways each lane that comes there asserts.
cd "$2" || exit 3
cat >lanes.adz <<'E'
entry fn roots(xs: [4]f32) -> [4]f32 {
    let x = as_vector[4](xs)[0];
    let mut y = x;
    if x < 100.0 {
        assert(x >= 0.0, "negative: ", x);
        y = sqrt(x);
    }
    as_scalar([y])
}

test "of what is not negative" { roots([1.0, 4.0, 900.0, -9.0])[0] == 1.0 }
E
"$1" test lanes.adz
#! error E0614 5:9
