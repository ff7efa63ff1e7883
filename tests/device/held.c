// held.c SEED..: arrays of a workspace, used by the host and by kernels in turn. Each has its place
// while it is alive; later ones have the same memory, with other sizes and beginnings, and a kernel
// may write one over another that it reads. The host always finds the values that were stored.
#include "adze_device.h"

enum { WORDS = 512, MOST = 12, STEPS = 400 };

static const char *const lines[] = {
    "kernel void changed(long n, int by, global const long *in, global long *out)",
    "{",
    "    long i = get_global_id(0);",
    "    if (i < n) out[i] = in[i] * 3 + by;",
    "}",
};
static adze_device_program program = {lines, 5, 1, "held.c", NULL};

typedef struct {
    int at, count; // words of the workspace; no array if count is 0
    int64_t value[WORDS];
} Array;

static int64_t workspace[WORDS];
static Array arrays[MOST];
static uint32_t seed;

static int below(int n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (uint32_t)n);
}

static bool is_free(int at, int count)
{
    bool free = at + count <= WORDS;
    for (int k = 0; k < MOST; k++)
        free &= arrays[k].count == 0 || at + count <= arrays[k].at ||
                arrays[k].at + arrays[k].count <= at;
    return free;
}

static bool on_host(const Array *a, bool writes)
{
    return adze_device_part_on_host(workspace + a->at, a->count, sizeof *workspace, writes);
}

static bool host_stores(Array *a)
{
    if (!on_host(a, true)) return false;
    int from = below(a->count), to = from + 1 + below(a->count - from);
    for (int i = from; i < to; i++) a->value[i] = workspace[a->at + i] = below(1000000);
    return true;
}

static bool host_finds(const Array *a)
{
    if (!on_host(a, false)) return false;
    bool found = memcmp(a->value, workspace + a->at, (size_t)a->count * sizeof *workspace) == 0;
    if (!found) printf("other values in %d words at %d\n", a->count, a->at);
    return found;
}

// to = from * 3 + by, for as many elements as both have.
static bool kernel_changes(const Array *from, Array *to)
{
    int64_t n = from->count < to->count ? from->count : to->count;
    int32_t by = below(100);
    int64_t *in = workspace + from->at, *out = workspace + to->at;
    const adze_device_argument arguments[] = {
        ADZE_VALUE(n), ADZE_VALUE(by), ADZE_READ(in, from->count), ADZE_WRITTEN(out, to->count)};
    for (int i = 0; i < n; i++) to->value[i] = from->value[i] * 3 + by;
    return adze_device_launch(&program, "changed", n, arguments, 4, 0, false, false) == 0;
}

static void begin(Array *a, int at, int count)
{
    *a = (Array){.at = at, .count = count};
    adze_device_hold(workspace + at, count, sizeof *workspace, ADZE_NEITHER);
}

// A new array, whose elements the host or a kernel stores. If `over` is not NULL, it takes the
// place of this one, which the kernel reads, and which is dead afterwards.
static bool appears(Array *a, Array *over)
{
    if (over) {
        Array old = *over;
        over->count = 0;
        begin(a, old.at, 1 + below(old.count));
        return kernel_changes(&old, a);
    }
    int count = 1 + below(60), at = 8 * below(WORDS / 8);
    if (!is_free(at, count)) return true;
    begin(a, at, count);
    if (!on_host(a, true)) return false;
    for (int i = 0; i < count; i++) a->value[i] = workspace[at + i] = below(1000000);
    return true;
}

static bool step(void)
{
    Array *a = &arrays[below(MOST)], *b = &arrays[below(MOST)];
    if (a->count == 0) return appears(a, b->count > 0 && below(2) ? b : NULL);
    switch (below(5)) {
    case 0: return host_stores(a);
    case 1: return host_finds(a);
    case 2: a->count = 0; return true;
    default: return b->count == 0 || a == b || kernel_changes(a, b);
    }
}

int main(int argc, char **argv)
{
    bool good = true;
    for (int k = 1; k < argc && good; k++) {
        seed = (uint32_t)atoi(argv[k]);
        memset(arrays, 0, sizeof arrays);
        for (int s = 0; s < STEPS && good; s++) good = step();
        for (int i = 0; i < MOST && good; i++)
            good = arrays[i].count == 0 || host_finds(&arrays[i]);
        if (!good) printf("seed %s: %s\n", argv[k], adze_device.text);
        adze_device_drop_from(0);
    }
    return !good;
}
