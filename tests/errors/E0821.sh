# A loop that must be a kernel calls a function that is not inlined.
cat >"$2/deep.adz" <<'END'
import std.gpu (groups)

fn fib(n: i64) -> i64 {
    if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
}

entry fn fibs[n: nat](at: [n]i64) -> [n]i64 {
    let mut out: [n]i64 = undefined();
    for i in groups(n) {
        out[i] = fib(at[i]);
    }
    out
}
END
"$1" build "$2/deep.adz" -o "$2" --target opencl
#! error E0821 9:14
