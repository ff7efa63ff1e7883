// Libraries that multiply matrices. They give their functions the same names, so each is opened by itself. needs.sh says which are there:
// BENCH_OPENBLAS and BENCH_BLIS are what to open.
#ifndef ADZE_BENCH_BLAS_H
#define ADZE_BENCH_BLAS_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLAS_ROW_MAJOR = 101, BLAS_NO_TRANS = 111 };

typedef void BlasSgemm(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a,
                       int lda, const float *b, int ldb, float beta, float *c, int ldc);
typedef void BlasDgemm(int order, int ta, int tb, int m, int n, int k, double alpha,
                       const double *a, int lda, const double *b, int ldb, double beta, double *c,
                       int ldc);
typedef void BlasSgemv(int order, int ta, int m, int n, float alpha, const float *a, int lda,
                       const float *x, int dx, float beta, float *y, int dy);

typedef struct {
    const char *file, *function, *set_threads;
    int threads;    // that it uses
    void (*call)(); // the function; NULL before the first use
} Blas;

/// The function, which will use so many threads.
static inline void (*blas_with(Blas *b, int threads))()
{
    void *library = b->threads == threads ? NULL : dlopen(b->file, RTLD_NOW | RTLD_LOCAL);
    if (b->threads != threads) {
        void (*set)(int64_t) = library ? (void (*)(int64_t))dlsym(library, b->set_threads) : NULL;
        b->call = library ? (void (*)())dlsym(library, b->function) : NULL;
        if (!set || !b->call) {
            fprintf(stderr, "bench: %s: %s\n", b->file, dlerror());
            exit(1);
        }
        set(threads);
        b->threads = threads;
    }
    return b->call;
}

#endif
