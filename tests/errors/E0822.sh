# Shared arrays without a group: in code of the host, and in a loop over work-items.
cat >"$2/tiles.adz" <<'END'
import std.gpu (groups, work_items)

entry fn on_host[n: nat](xs: [n]f32) -> [n]f32 {
    let mut table: shared [16]f32 = undefined();
    for i in range(0, 16) {
        table[i] = sqrt(f32(i));
    }
    map(|x| x + table[3], xs)
}

entry fn of_items[n: nat](xs: [n][256]f32) -> [n][256]f32 {
    let mut out: [n][256]f32 = undefined();
    for g in groups(n) {
        let first = to_mem(xs[g]);
        for i in work_items(256) {
            let mut tile: shared [8]f32 = undefined();
            for k in range(0, 8) {
                tile[k] = first[i] * f32(k);
            }
            out[g][i] = first[255 - i64(i)] + tile[i64(i) % 8];
        }
    }
    out
}
END
"$1" build "$2/tiles.adz" -o "$2" --target opencl
#! error E0822 4:13
#! error E0822 16:21
