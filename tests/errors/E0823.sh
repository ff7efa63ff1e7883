# Loops over work-items that a single one runs: their arrays are too long, and an update is outside of the loops.
cd "$2" || exit 3
cat >alone.adz <<'END'
import std.atomics (atomic_add)
import std.gpu (groups, work_items)

entry fn reversed[n, m: nat](xs: [n][m]f32) -> [n][m]f32 {
    let mut out: [n][m]f32 = undefined();
    for g in groups(n) {
        let mut row: [m]f32 = undefined();
        for i in work_items(m) {
            row[i] = xs[g][i];
        }
        for i in work_items(m) {
            out[g][i] = row[m - 1 - i];
        }
    }
    out
}

entry fn counted[n: nat](xs: [n][256]f32) -> ([n][256]f32, [1]i32) {
    let mut out: [n][256]f32 = undefined();
    let mut count: [1]i32 = [0];
    for g in groups(n) {
        let first = xs[g, 0];
        let mut row: [256]f32 = undefined();
        for i in work_items(256) {
            row[i] = xs[g][i] * first;
        }
        atomic_add(&mut count[0], 1);
        for i in work_items(256) {
            out[g][i] = row[255 - i64(i)];
        }
    }
    (out, count)
}
END
"$1" build alone.adz --target opencl
#! warning E0823 6:14
#! warning E0823 21:14
#! status 0
