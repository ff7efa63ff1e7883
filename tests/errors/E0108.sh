# 600 parentheses in one another.
cd "$2" || exit 3
awk 'BEGIN {
    printf "fn deep() -> i32 { "
    for (i = 0; i < 600; i++) printf "("
    printf "1"
    for (i = 0; i < 600; i++) printf ")"
    print " }"
}' > deep.adz
"$1" check deep.adz
#! error E0108 1:520
