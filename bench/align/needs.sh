#!/bin/sh
# needs.sh OUT: flags for Parasail, if there is one, and for SeqAn, which is compiled into the folder OUT.
echo '#include <parasail.h>' | ${CC:-gcc} -E -x c - >/dev/null 2>&1 || {
    echo "bench: align runs only with Parasail: apt-get install libparasail-dev" >&2
    exit 77
}
if echo '#include <seqan/align_parallel.h>' | g++ -std=c++17 -E -x c++ - >/dev/null 2>&1; then
    seqan=$(dirname "$1")/seqan.o
    [ "$seqan" -nt bench/align/seqan.cpp ] ||
        g++ -std=c++17 -O3 -march=native -fopenmp -c bench/align/seqan.cpp -o "$seqan" || exit 1
    echo "-DBENCH_SEQAN $seqan -lstdc++"
else
    echo "bench: without SeqAn: apt-get install libseqan2-dev" >&2
fi
echo -lparasail
