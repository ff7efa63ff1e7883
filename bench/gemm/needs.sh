#!/bin/sh
# needs.sh: flags that tell case.c which libraries there are. OpenBLAS and MKL are the newest on PyPI, in build/bench/blas (remove it to get newer
# ones); BLIS is the system's.
found=build/bench/blas
libraries() {
    find "$found" -name libscipy_openblas.so -o -name 'libmkl_rt.so*'
}
if [ -z "$(libraries 2> /dev/null)" ]; then
    { python3 -m venv "$found" && "$found/bin/pip" install -q scipy-openblas32 mkl; } 1>&2 ||
        echo "bench: gemm runs without OpenBLAS and MKL, which need python3 with venv, and scipy-openblas32 and mkl from PyPI" >&2
fi
for library in $(libraries 2> /dev/null); do
    case $library in
    *openblas*) printf -- '-DBENCH_OPENBLAS="%s" ' "$library" ;;
    *) printf -- '-DBENCH_MKL="%s" ' "$library" ;;
    esac
done
if echo 'int main(void){return 0;}' | ${CC:-gcc} -x c - -o /dev/null -l:libblis.so.4 2> /dev/null; then
    printf -- '-DBENCH_BLIS="libblis.so.4" '
else
    echo "bench: gemm runs without libblis.so.4, which is missing (libblis-dev)" >&2
fi
echo -ldl
