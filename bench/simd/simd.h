// What the programs of bench/simd have in common. PROGRAM is its name. A case.c includes this and defines `call`,
// which hands data to any side: each has the C type of the entry. The sides are: the entry with LANES lanes; that with one; the C of peer.c, compiled
// without and with the vectorisation of C compilers; and vectors by hand, where there is an avx2.c and an avx512.c (run.sh defines
// INTRINSICS).
#include "bench.h"

#define SIMD_JOIN_(a, b)    a##b
#define SIMD_JOIN(a, b)     SIMD_JOIN_(a, b)
#define SIMD_TEXT_(a)       #a
#define SIMD_TEXT(a)        SIMD_TEXT_(a)
#define SIMD_ENTRY(lanes)   SIMD_JOIN(SIMD_JOIN(SIMD_JOIN(adze_, PROGRAM), _), lanes)
#define SIMD_MESSAGE(lanes) SIMD_JOIN(SIMD_ENTRY(lanes), _message)

#include SIMD_TEXT(PROGRAM.h)

typedef __typeof__(SIMD_ENTRY(1)) Side;

/// The peers.
extern Side scalar, automatic, intrinsics;
/// The entry with one lane, compiled without the vectorisation of C compilers.
#define SIMD_SINGLE SIMD_JOIN(SIMD_JOIN(single_, PROGRAM), _1)
extern Side SIMD_SINGLE;

/// Given by case.c: one side on these data.
static int call(Side *side, const int64_t *n, void *const *in, void *out);

#define SIMD_RUN(name, side)                                                                       \
    static inline int name(const int64_t *n, void *const *in, void *out)                           \
    {                                                                                              \
        return call(side, n, in, out);                                                             \
    }
SIMD_RUN(run_lanes, SIMD_ENTRY(LANES))
SIMD_RUN(run_single, SIMD_SINGLE)
SIMD_RUN(run_scalar, scalar)
SIMD_RUN(run_automatic, automatic)
SIMD_RUN(run_intrinsics, intrinsics)

#ifdef INTRINSICS
#define SIMD_BY_HAND {"intrinsics", 1, run_lanes, run_intrinsics, SIMD_MESSAGE(LANES)},
#else
#define SIMD_BY_HAND
#endif

/// A number from `low` to `high`, and the next state of the random numbers.
static inline float simd_random(uint64_t *state, double low, double high)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (float)(low + (high - low) * (double)(*state >> 11) * 0x1p-53);
}

/// The pairs of every case.
#define SIMD_PAIRS                                                                                 \
    {                                                                                              \
        {"scalar C", 1, run_lanes, run_scalar, SIMD_MESSAGE(LANES)},                               \
            {"vectorised C", 1, run_lanes, run_automatic, SIMD_MESSAGE(LANES)},                    \
            SIMD_BY_HAND{"scalar, 1 lane", 1, run_single, run_scalar, SIMD_MESSAGE(1)},            \
    }
#define SIMD_NAME "simd/" SIMD_TEXT(PROGRAM) " " SIMD_TEXT(LANES)
