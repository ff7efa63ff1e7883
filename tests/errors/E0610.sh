# A number that spawn has not given out.
cd "$2" || exit 3
cat >early.adz <<'END'
fn early() -> i32 {
    let mut xs = [1, 2];
    let id = spawn(|| { xs[0] = 3; });
    sync(id + 1);
    xs[0]
}
END
"$1" run --interpret early.adz 'early()'
#! error E0610 4:5
