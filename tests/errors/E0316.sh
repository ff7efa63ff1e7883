# Each type has twice the parts of the one before: the last one has 2^20.
cd "$2" || exit 3
awk 'BEGIN {
    print "type T0 = f32"
    for (i = 1; i <= 20; i++) print "type T" i " = (T" i - 1 ", T" i - 1 ")"
}' >types.adz
"$1" check types.adz
#! error E0316 12:12
