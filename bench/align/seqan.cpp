// SeqAn's functions for scores, in vectors (SEQAN_SIMD_ENABLED follows from -march). Sequences are
// converted to its strings once, and not in the measured calls.
#include "seqan.h"

#include <seqan/align_parallel.h>

#include <cstdint>

using namespace seqan;

namespace
{

using Sequence = String<Dna>;
using Costs = Score<int16_t, Simple>;

const Costs costs(2, -1, -1, -5);

struct Pairs {
    const void *a = nullptr, *b = nullptr;
    int64_t count = 0;
    StringSet<Sequence> first, second;
};

// Sequence k has the letters from starts(k) up to, but not including, starts(k + 1).
template <typename Starts>
void append(StringSet<Sequence> &to, const char *from, int64_t count, const Starts &starts)
{
    clear(to);
    for (int64_t k = 0; k < count; k++) {
        Sequence s;
        int64_t at = starts(k), length = starts(k + 1) - at;
        resize(s, length);
        for (int64_t i = 0; i < length; i++) s[i] = from[at + i];
        appendValue(to, s);
    }
}

template <typename Starts>
const Pairs &pairs_from(int64_t count, const char *a, const char *b, const Starts &first,
                        const Starts &second)
{
    static Pairs pairs;
    if (pairs.a != a || pairs.b != b || pairs.count != count) {
        append(pairs.first, a, count, first);
        append(pairs.second, b, count, second);
        pairs.a = a;
        pairs.b = b;
        pairs.count = count;
    }
    return pairs;
}

struct Multiples {
    int64_t length;
    int64_t operator()(int64_t k) const
    {
        return k * length;
    }
};

struct Listed {
    const int64_t *starts;
    int64_t operator()(int64_t k) const
    {
        return starts[k];
    }
};

const Pairs &pairs_of(int64_t count, int64_t n, int64_t m, const char *a, const char *b)
{
    return pairs_from(count, a, b, Multiples{n}, Multiples{m});
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

extern "C" int seqan_local_mixed(int threads, int64_t count, const int64_t *first,
                                 const int64_t *second, const char *a, const char *b, int32_t *out)
{
    const Pairs &p = pairs_from(count, a, b, Listed{first}, Listed{second});
    ExecutionPolicy<Parallel, Vectorial> policy;
    setNumThreads(policy, threads);
    return written(localAlignmentScore(policy, p.first, p.second, costs), out);
}

// A long pair: blocks along a diagonal are filled by several threads, and on each side by side in
// lanes.
namespace
{

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

extern "C" int seqan_local_long(int threads, int64_t n, int64_t m, const char *a, const char *b,
                                int32_t *out)
{
    const Pairs &p = pairs_of(1, n, m, a, b);
    return written(localAlignmentScore(wave(threads, n), p.first, p.second, long_costs), out);
}

extern "C" int seqan_global_long(int threads, int64_t n, int64_t m, const char *a, const char *b,
                                 int32_t *out)
{
    const Pairs &p = pairs_of(1, n, m, a, b);
    return written(globalAlignmentScore(wave(threads, n), p.first, p.second, long_costs), out);
}
