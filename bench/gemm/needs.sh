#!/bin/sh
# needs.sh: flags that tell case.c which libraries there are.
there() {
    echo 'int main(void){return 0;}' | ${CC:-gcc} -x c - -o /dev/null -l:"$2" 2> /dev/null && printf -- '-DBENCH_%s="%s" ' "$1" "$2" && return
    echo "bench: gemm runs without $2, which is missing ($3)" >&2
}
there OPENBLAS libopenblas.so.0 libopenblas-dev
there BLIS libblis.so.4 libblis-dev
echo -ldl
