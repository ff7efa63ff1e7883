// Libraries that multiply matrices. They give their functions the same names, so each is opened by itself. needs.sh says which are there:
// BENCH_OPENBLAS, BENCH_MKL and BENCH_BLIS are what to open.
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

// The functions of each library, for the file that needs.sh found.
#define BLAS_OPENBLAS(file, function)                                                              \
    {                                                                                              \
        file, "scipy_" function, "scipy_openblas_set_num_threads", 0, NULL                         \
    }
#define BLAS_MKL(file, function)                                                                   \
    {                                                                                              \
        file, function, "MKL_Set_Num_Threads", 0, NULL                                             \
    }
#define BLAS_BLIS(file, function)                                                                  \
    {                                                                                              \
        file, function, "bli_thread_set_num_threads", 0, NULL                                      \
    }

// Says once which kernels OpenBLAS uses, or which version of MKL this is. MKL shares the threads of
// ours, gcc's: its own wait for 200 ms after a call and would take a core from the other side.
static inline void blas_describe(const Blas *b, void *library)
{
    const char *(*core)(void) =
        (const char *(*)(void))dlsym(library, "scipy_openblas_get_corename");
    void (*version)(char *, int) = (void (*)(char *, int))dlsym(library, "MKL_Get_Version_String");
    int (*layer)(int) = (int (*)(int))dlsym(library, "MKL_Set_Threading_Layer");
    char text[200] = "";
    enum { GNU_THREADS = 3 };
    if (layer) layer(GNU_THREADS);
    if (version) version(text, sizeof text);
    if (core || version) fprintf(stderr, "bench: %s: %s\n", b->file, core ? core() : text);
}

/// The function, which will use so many threads.
static inline void (*blas_with(Blas *b, int threads))()
{
    void *library = b->threads == threads ? NULL : dlopen(b->file, RTLD_NOW | RTLD_LOCAL);
    if (b->threads != threads) {
        void (*set)(int64_t) = library ? (void (*)(int64_t))dlsym(library, b->set_threads) : NULL;
        void (*call)() = library ? (void (*)())dlsym(library, b->function) : NULL;
        if (!set || !call) {
            fprintf(stderr, "bench: %s: %s\n", b->file, dlerror());
            exit(1);
        }
        if (!b->call) blas_describe(b, library);
        b->call = call;
        set(threads);
        b->threads = threads;
    }
    return b->call;
}

#endif
