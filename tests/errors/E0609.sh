# The break of a loop that has ended.
cd "$2" || exit 3
cat >late.adz <<'END'
fn late() -> i32 {
    let mut k: fn() -> ! = || loop {};
    loop {
        k = break;
        break()
    }
    k()
}
END
"$1" run --interpret late.adz 'late()'
#! error E0609 7:5
