# Loops over work-items that a single one runs: an update is outside of them.
cd "$2" || exit 3
cat >alone.adz <<'END'
import std.atomics (atomic_add)
import std.gpu (groups, work_items)

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
#! warning E0823 7:14
#! status 0
