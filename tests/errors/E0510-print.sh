# Lanes whose body prints.
cd "$2" || exit 3
cat >prints.adz <<'END'
entry fn shown[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map.vec[8](|x| {
        print("x = ", x);
        x + 1.0
    })
}
END
"$1" build prints.adz -o vectors || exit 3
"$1" build prints.adz -o printing --keep-prints
#! warning E0510 2:5
#! status 0
