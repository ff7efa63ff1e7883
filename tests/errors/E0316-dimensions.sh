# An array with 61 dimensions.
cd "$2" || exit 3
awk 'BEGIN {
    printf "entry fn first(x: "
    for (i = 0; i <= 60; i++) printf "[2]"
    print "f32) -> f32 { 1.0 }"
}' >deep.adz
"$1" check deep.adz
#! error E0316 1:19
