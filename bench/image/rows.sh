#!/bin/sh
# rows.sh NAME OUT: compiles examples/schedules/NAME.adz into OUT for the target omp, and into OUT/serial for c, where its functions get names
# with `serial_` instead of `adze_`. Prints the flags that make case.c use both.
build/adze build $BENCH_ADZE_FLAGS --target omp "examples/schedules/$1.adz" -o "$2" >&2 || exit
mkdir -p "$2/serial"
build/adze build $BENCH_ADZE_FLAGS --target c "examples/schedules/$1.adz" -o "$2/serial" >&2 || exit
entry='adze_[a-z]*_\(rows\|windows\)'
sed -e "s/$entry/serial_&/g" -e "s/$1\.h/serial_$1.h/" "$2/serial/$1.c" > "$2/serial_$1.c"
sed -e "s/$entry/serial_&/g" -e "s/_H$/_SERIAL_H/" "$2/serial/$1.h" > "$2/serial_$1.h"
echo "-DBENCH_ROWS $2/$1.c $2/serial_$1.c"
