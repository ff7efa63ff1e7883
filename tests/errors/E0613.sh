# Two iterations write the element whose number stands twice in `at`.
cd "$2" || exit 3
cat >placed.adz <<'END'
fn placed[n, m: nat](at: [n]i32, xs: [m]i32) -> [m]i32 {
    let mut y = xs;
    for i in parallel(0, 0, n) {
        y[at[i]] = i32(i);
    }
    y
}

test "placed" { placed([1, 0, 1], [5, 5, 5]) == [1, 2, 5] }
END
"$1" test --races placed.adz
#! error E0613 4:9
