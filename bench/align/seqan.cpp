// SeqAn's functions for scores, in vectors (SEQAN_SIMD_ENABLED follows from -march). Sequences are
// converted to its strings once, and not in the measured calls.
#include "seqan.h"

#include <seqan/align_parallel.h>

#include <cstdint>

using namespace seqan;

namespace {

using Sequence = String<Dna>;
using Costs = Score<int16_t, Simple>;

const Costs costs(2, -1, -1, -5);

struct Pairs {
    const void *a = nullptr, *b = nullptr;
    int64_t count = 0;
    StringSet<Sequence> first, second;
};

void append(StringSet<Sequence> &to, const char *from, int64_t count, int64_t length)
{
    clear(to);
    for (int64_t k = 0; k < count; k++) {
        Sequence s;
        resize(s, length);
        for (int64_t i = 0; i < length; i++) s[i] = from[k * length + i];
        appendValue(to, s);
    }
}

const Pairs &pairs_of(int64_t count, int64_t n, int64_t m, const char *a, const char *b)
{
    static Pairs pairs;
    if (pairs.a != a || pairs.b != b || pairs.count != count) {
        append(pairs.first, a, count, n);
        append(pairs.second, b, count, m);
        pairs.a = a;
        pairs.b = b;
        pairs.count = count;
    }
    return pairs;
}

template <typename Scores> int written(const Scores &scores, int32_t *out)
{
    int64_t k = 0;
    for (auto score : scores) out[k++] = score;
    return 0;
}

} // namespace

extern "C" int seqan_local_pairs(int threads, int64_t count, int64_t n, int64_t m, const char *a,
                                 const char *b, int32_t *out)
{
    const Pairs &p = pairs_of(count, n, m, a, b);
    ExecutionPolicy<Parallel, Vectorial> policy;
    setNumThreads(policy, threads);
    return written(localAlignmentScore(policy, p.first, p.second, costs), out);
}

extern "C" int seqan_global_pairs(int threads, int64_t count, int64_t n, int64_t m, const char *a,
                                  const char *b, int32_t *out)
{
    const Pairs &p = pairs_of(count, n, m, a, b);
    ExecutionPolicy<Parallel, Vectorial> policy;
    setNumThreads(policy, threads);
    return written(globalAlignmentScore(policy, p.first, p.second, costs), out);
}

extern "C" int seqan_band_pairs(int threads, int half, int64_t count, int64_t n, int64_t m,
                                const char *a, const char *b, int32_t *out)
{
    const Pairs &p = pairs_of(count, n, m, a, b);
    ExecutionPolicy<Parallel, Vectorial> policy;
    setNumThreads(policy, threads);
    return written(globalAlignmentScore(policy, p.first, p.second, costs, -half, half), out);
}

// A long pair: blocks along a diagonal are filled by several threads, and on each side by side in lanes.
namespace {

using LongCosts = Score<int32_t, Simple>;
using Wave = ExecutionPolicy<WavefrontAlignment<BlockOffsetOptimization>, Vectorial>;

Wave wave(int threads, int64_t n)
{
    Wave policy;
    setNumThreads(policy, threads);
    setParallelAlignments(policy, 2);
    setBlockSize(policy, n < 4000 ? 30 : 100); // the best ones of 30, 100, 200, 1000 and 2000
    return policy;
}

const LongCosts long_costs(2, -1, -1, -5);

} // namespace

extern "C" int seqan_local_long(int threads, int64_t n, int64_t m, const char *a, const char *b, int32_t *out)
{
    const Pairs &p = pairs_of(1, n, m, a, b);
    return written(localAlignmentScore(wave(threads, n), p.first, p.second, long_costs), out);
}

extern "C" int seqan_global_long(int threads, int64_t n, int64_t m, const char *a, const char *b, int32_t *out)
{
    const Pairs &p = pairs_of(1, n, m, a, b);
    return written(globalAlignmentScore(wave(threads, n), p.first, p.second, long_costs), out);
}
