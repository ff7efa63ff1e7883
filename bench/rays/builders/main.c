// Times builders of trees, and computes what the trees cost. main.c CONFIG: for Embree, "verbose=3"
// lets it print what its own trees cost.
#include "builders.h"
#include "../scenes.h"

#include <embree3/rtcore.h>
#include <omp.h>
#include <stdio.h>
#include <time.h>

enum { TIMES = 5 };

// With one thread the time of the processor, which others that share it do not change as much.
static double seconds(void)
{
    struct timespec t;
    clock_gettime(omp_get_max_threads() == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef int Builder(int64_t m, int64_t n, const float *corners, const int32_t *triangles,
                    int64_t *out_nodes_count, adze_Node8 *out_nodes, int64_t *out_blocks_count,
                    adze_Block4 *out_blocks);

static double embree(RTCDevice device, const Scene *s, enum RTCBuildQuality quality)
{
    RTCScene scene = rtcNewScene(device);
    rtcSetSceneBuildQuality(scene, quality);
    RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, s->corner, 0, 12,
                               (size_t)s->corners);
    rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, s->triangle, 0, 12,
                               (size_t)s->triangles);
    rtcSetGeometryBuildQuality(g, quality);
    rtcCommitGeometry(g);
    rtcAttachGeometry(scene, g);
    rtcReleaseGeometry(g);
    double t = seconds();
    rtcCommitScene(scene);
    t = seconds() - t;
    rtcReleaseScene(scene);
    return t;
}

// A number for bytes (FNV-1a), by which trees are compared.
static uint64_t hash(uint64_t h, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        h = (h ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return h;
}

typedef struct {
    double cost;
    uint64_t hash;
} Built;

// Seconds; with `built` not NULL also what was built.
static double ours(const Scene *s, Builder *build, Built *built)
{
    size_t n = 2 * (size_t)s->triangles;
    adze_Node8 *nodes = malloc(n * sizeof *nodes);
    adze_Block4 *blocks = malloc(n * sizeof *blocks);
    int64_t nnodes, nblocks;
    double t = seconds();
    int status =
        build(s->corners, s->triangles, *s->corner, *s->triangle, &nnodes, nodes, &nblocks, blocks);
    t = seconds() - t;
    if (status) fprintf(stderr, "%s\n", adze_binned8_message(status)), exit(1);
    if (built) {
        if (adze_cost8(nnodes, nblocks, nodes, blocks, &built->cost)) exit(1);
        built->hash = hash(hash(0, nodes, (size_t)nnodes * sizeof *nodes), blocks,
                           (size_t)nblocks * sizeof *blocks);
    }
    free(nodes);
    free(blocks);
    return t;
}

static const struct {
    const char *name;
    Builder *build;
} builders[] = {{"binned", adze_binned8}, {"swept", adze_swept8}, {"split", adze_split8}};
enum { BUILDERS = sizeof builders / sizeof *builders };

static double least(double a, double b)
{
    return a < b ? a : b;
}

static int compare(const Scene *s, RTCDevice device, int threads, Built before[BUILDERS])
{
    double mine[BUILDERS], medium = 1e30, high = 1e30;
    Built now[BUILDERS];
    for (int b = 0; b < BUILDERS; b++) mine[b] = 1e30;
    for (int i = 0; i < TIMES; i++) {
        for (int b = 0; b < BUILDERS; b++)
            mine[b] = least(mine[b], ours(s, builders[b].build, i ? NULL : &now[b]));
        medium = least(medium, embree(device, s, RTC_BUILD_QUALITY_MEDIUM));
        high = least(high, embree(device, s, RTC_BUILD_QUALITY_HIGH));
    }
    printf("%-8s %7ld triangles, %d threads: Embree %6.1f and %6.1f ms\n", s->name,
           (long)s->triangles, threads, 1e3 * medium, 1e3 * high);
    for (int b = 0; b < BUILDERS; b++) {
        printf("    %-8s %6.1f ms, cost %.3f\n", builders[b].name, 1e3 * mine[b], now[b].cost);
        if (threads == 1) before[b] = now[b];
        if (before[b].hash != now[b].hash) {
            fprintf(stderr, "build: other threads build another tree\n");
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    Scene scenes[] = {terrain(512), boxes(20000), spheres(200, 40)};
    enum { SCENES = sizeof scenes / sizeof *scenes };
    Built before[SCENES][BUILDERS];
    int most = omp_get_num_procs() > 1 ? 2 : 1;
    for (int threads = 1; threads <= most; threads++) {
        char config[64];
        snprintf(config, sizeof config, "threads=%d,%s", threads, argc > 1 ? argv[1] : "");
        RTCDevice device = rtcNewDevice(config);
        omp_set_num_threads(threads);
        for (int k = 0; k < SCENES; k++)
            if (compare(&scenes[k], device, threads, before[k])) return 1;
        rtcReleaseDevice(device);
    }
    return 0;
}
