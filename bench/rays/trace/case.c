// Embree traces the same rays: one by one, in packets of eight, through a compact tree, and as
// streams.
#include "trace.h"

#include "bench.h"
#include "../scenes.h"

#include <embree3/rtcore.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { TERRAIN, BOXES, SPHERES };
enum { PRIMARY, OCCLUSION, DIFFUSE, SHUFFLED }; // the last: diffuse ones in random order
enum { LANES = 8, STREAM = 1024 };

typedef struct {
    float origin[3], near, direction[3], far;
} RayOfBench;

// What is made from the corners once, before times are taken: the trees of both sides.
typedef struct {
    int64_t scene;
    RTCScene theirs, theirs_compact;
    int64_t nodes_count, blocks_count, small_nodes_count, small_blocks_count;
    adze_Node8 *nodes;
    adze_Quantised8 *small_nodes;
    adze_Block4 *blocks, *small_blocks;
} Trees;

static Scene scene_of_bench(int64_t scene)
{
    return scene == TERRAIN ? terrain(512) : scene == BOXES ? boxes(20000) : spheres(500, 24);
}

static int64_t triangles(int64_t scene)
{
    return scene == TERRAIN ? 2 * 512 * 512 : scene == BOXES ? 12 * 20000 : 500 * 2 * 24 * 24;
}

static int64_t corner_numbers(const int64_t *n)
{
    return 9 * triangles(n[0]);
}

static int64_t ray_numbers(const int64_t *n)
{
    return 8 * n[2] * n[2];
}

static int64_t rays(const int64_t *n)
{
    return n[2] * n[2];
}

static RTCScene embree(int64_t count, const float *corners, enum RTCSceneFlags flags)
{
    static RTCDevice device;
    if (!device) device = rtcNewDevice(NULL);
    RTCScene scene = rtcNewScene(device);
    rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_HIGH); // with spatial splits, as ours
    rtcSetSceneFlags(scene, flags);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *at = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                        3 * sizeof(float), (size_t)(3 * count));
    uint32_t *index = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                              3 * sizeof(uint32_t), (size_t)count);
    memcpy(at, corners, (size_t)(9 * count) * sizeof(float));
    for (int64_t i = 0; i < 3 * count; i++) index[i] = (uint32_t)i;
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    return scene;
}

// In huge pages, as Embree's trees: rays visit nodes all over the memory, and each page costs an
// entry of the TLB.
static void *room(int64_t count, size_t size)
{
    enum { HUGE = 1 << 21 };
    size_t bytes = ((size_t)count * size + HUGE - 1) / HUGE * HUGE;
    void *p = aligned_alloc(HUGE, bytes);
    if (!p) exit(1);
    madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

static Trees *trees(const int64_t *n, const float *corners)
{
    static Trees t = {.scene = -1};
    if (t.scene == n[0]) return &t;
    if (t.scene >= 0) {
        rtcReleaseScene(t.theirs);
        rtcReleaseScene(t.theirs_compact);
        free(t.nodes);
        free(t.blocks);
        free(t.small_nodes);
        free(t.small_blocks);
    }
    int64_t count = triangles(n[0]);
    t = (Trees){.scene = n[0],
                .theirs = embree(count, corners, RTC_SCENE_FLAG_NONE),
                .theirs_compact = embree(count, corners, RTC_SCENE_FLAG_COMPACT)};
#ifndef BENCH_PEERS_ONLY
    t.nodes = room(2 * count, sizeof *t.nodes);
    t.blocks = room(2 * count, sizeof *t.blocks);
    t.small_nodes = room(2 * count, sizeof *t.small_nodes);
    t.small_blocks = room(2 * count, sizeof *t.small_blocks);
    if (adze_trace_tree(count, corners, &t.nodes_count, t.nodes, &t.blocks_count, t.blocks) ||
        adze_trace_tree_quantised(count, corners, &t.small_nodes_count, t.small_nodes,
                                  &t.small_blocks_count, t.small_blocks))
        exit(1);
#endif
    return &t;
}

static void one_of(const RayOfBench *ray, struct RTCRay *to)
{
    *to = (struct RTCRay){.org_x = ray->origin[0],
                          .org_y = ray->origin[1],
                          .org_z = ray->origin[2],
                          .tnear = ray->near,
                          .dir_x = ray->direction[0],
                          .dir_y = ray->direction[1],
                          .dir_z = ray->direction[2],
                          .tfar = ray->far,
                          .mask = UINT32_MAX};
}

static float closest(RTCScene scene, struct RTCIntersectContext *context, const RayOfBench *ray,
                     uint32_t *id)
{
    struct RTCRayHit hit = {
        .hit = {.geomID = RTC_INVALID_GEOMETRY_ID, .primID = RTC_INVALID_GEOMETRY_ID}};
    one_of(ray, &hit.ray);
    rtcIntersect1(scene, context, &hit);
    if (id) *id = hit.hit.primID;
    return hit.hit.geomID == RTC_INVALID_GEOMETRY_ID ? -1 : hit.ray.tfar;
}

static int through(RTCScene scene, const int64_t *n, const RayOfBench *ray, float *to)
{
    int64_t count = rays(n);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < count; i++) {
        struct RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        if (n[1] == OCCLUSION) {
            struct RTCRay one;
            one_of(&ray[i], &one);
            rtcOccluded1(scene, &context, &one);
            to[i] = one.tfar < 0;
        } else {
            to[i] = closest(scene, &context, &ray[i], NULL);
        }
    }
    return 0;
}

static int one_by_one(const int64_t *n, void *const *in, void *out)
{
    return through(trees(n, in[0])->theirs, n, in[1], out);
}

static int compact(const int64_t *n, void *const *in, void *out)
{
    return through(trees(n, in[0])->theirs_compact, n, in[1], out);
}

static void eight_of(const RayOfBench *ray, struct RTCRay8 *to)
{
    for (int k = 0; k < LANES; k++) {
        to->org_x[k] = ray[k].origin[0], to->org_y[k] = ray[k].origin[1];
        to->org_z[k] = ray[k].origin[2], to->tnear[k] = ray[k].near;
        to->dir_x[k] = ray[k].direction[0], to->dir_y[k] = ray[k].direction[1];
        to->dir_z[k] = ray[k].direction[2], to->tfar[k] = ray[k].far;
        to->mask[k] = UINT32_MAX, to->time[k] = 0, to->flags[k] = 0, to->id[k] = 0;
    }
}

// For rays in all directions the other kind of context is faster.
static struct RTCIntersectContext context_of(const int64_t *n)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    if (n[1] == PRIMARY) context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    return context;
}

static int in_packets(const int64_t *n, void *const *in, void *out)
{
    static const int all[LANES] __attribute__((aligned(32))) = {-1, -1, -1, -1, -1, -1, -1, -1};
    RTCScene scene = trees(n, in[0])->theirs;
    const RayOfBench *ray = in[1];
    float *to = out;
    int64_t count = rays(n) / LANES;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < count; i++) {
        struct RTCIntersectContext context = context_of(n);
        struct RTCRayHit8 hit;
        eight_of(&ray[i * LANES], &hit.ray);
        if (n[1] == OCCLUSION) {
            rtcOccluded8(all, scene, &context, &hit.ray);
            for (int k = 0; k < LANES; k++) to[i * LANES + k] = hit.ray.tfar[k] < 0;
            continue;
        }
        for (int k = 0; k < LANES; k++) hit.hit.geomID[k] = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect8(all, scene, &context, &hit);
        for (int k = 0; k < LANES; k++)
            to[i * LANES + k] = hit.hit.geomID[k] == RTC_INVALID_GEOMETRY_ID ? -1 : hit.ray.tfar[k];
    }
    return 0;
}

static int as_streams(const int64_t *n, void *const *in, void *out)
{
    RTCScene scene = trees(n, in[0])->theirs;
    const RayOfBench *ray = in[1];
    float *to = out;
    int64_t count = rays(n) / STREAM;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < count; i++) {
        static _Thread_local struct RTCRayHit hit[STREAM];
        struct RTCIntersectContext context = context_of(n);
        for (int k = 0; k < STREAM; k++) {
            one_of(&ray[i * STREAM + k], &hit[k].ray);
            hit[k].hit.geomID = RTC_INVALID_GEOMETRY_ID;
        }
        if (n[1] == OCCLUSION)
            rtcOccluded1M(scene, &context, &hit[0].ray, STREAM, sizeof *hit);
        else
            rtcIntersect1M(scene, &context, hit, STREAM, sizeof *hit);
        for (int k = 0; k < STREAM; k++)
            to[i * STREAM + k] = n[1] == OCCLUSION ? hit[k].ray.tfar < 0
                                 : hit[k].hit.geomID == RTC_INVALID_GEOMETRY_ID ? -1
                                                                                : hit[k].ray.tfar;
    }
    return 0;
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    const Trees *t = trees(n, in[0]);
    return (n[1] == OCCLUSION ? adze_trace_any : adze_trace_closest)(
        t->nodes_count, t->blocks_count, rays(n), t->nodes, t->blocks, in[1], out);
}

static int ours_in_packets(const int64_t *n, void *const *in, void *out)
{
    const Trees *t = trees(n, in[0]);
    return (n[1] == OCCLUSION ? adze_trace_any_packets : adze_trace_closest_packets)(
        t->nodes_count, t->blocks_count, rays(n), t->nodes, t->blocks, in[1], out);
}

static int ours_compact(const int64_t *n, void *const *in, void *out)
{
    const Trees *t = trees(n, in[0]);
    return (n[1] == OCCLUSION ? adze_trace_any_quantised : adze_trace_closest_quantised)(
        t->small_nodes_count, t->small_blocks_count, rays(n), t->small_nodes, t->small_blocks,
        in[1], out);
}

static int ours_as_streams(const int64_t *n, void *const *in, void *out)
{
    const Trees *t = trees(n, in[0]);
    return (n[1] == OCCLUSION ? adze_trace_any_stream : adze_trace_closest_stream)(
        t->nodes_count, t->blocks_count, rays(n), t->nodes, t->blocks, in[1], out);
}

// --- rays ---------------------------------------------------------------------------------------

static void unit(float v[3])
{
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; a++) v[a] /= length;
}

static void cross(const float a[3], const float b[3], float to[3])
{
    for (int i = 0; i < 3; i++)
        to[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static float extent(int64_t count, const float *corners, float middle[3])
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t i = 0; i < 9 * count; i++) {
        low[i % 3] = fminf(low[i % 3], corners[i]);
        high[i % 3] = fmaxf(high[i % 3], corners[i]);
    }
    float square = 0;
    for (int a = 0; a < 3; a++) {
        middle[a] = (low[a] + high[a]) / 2;
        square += (high[a] - low[a]) * (high[a] - low[a]);
    }
    return sqrtf(square);
}

// A picture of the scene: rays in patches of four by two points, one after the other.
static void primary(const int64_t *n, const float *corners, RayOfBench *out)
{
    float middle[3], size = extent(triangles(n[0]), corners, middle);
    float eye[3] = {middle[0] + 0.05f * size, middle[1] + 0.3f * size, middle[2] - 0.6f * size};
    float forward[3] = {middle[0] - eye[0], middle[1] - eye[1], middle[2] - eye[2]};
    float right[3], up[3];
    unit(forward);
    cross((float[3]){0, 1, 0}, forward, right);
    unit(right);
    cross(forward, right, up);
    int64_t side = n[2];
    for (int64_t i = 0; i < side * side; i++) {
        int64_t patch = i / LANES, in = i % LANES;
        float x = ((float)(patch % (side / 4) * 4 + in % 4) + 0.5f) / (float)side - 0.5f;
        float y = ((float)(patch / (side / 4) * 2 + in / 4) + 0.5f) / (float)side - 0.5f;
        out[i] = (RayOfBench){.near = 0, .far = INFINITY};
        for (int a = 0; a < 3; a++) {
            out[i].origin[a] = eye[a];
            out[i].direction[a] = forward[a] + x * right[a] - y * up[a];
        }
        unit(out[i].direction);
    }
}

// A direction of the hemisphere above a surface, more often near its normal.
static void above(const float normal[3], uint64_t k, float to[3])
{
    float z = 2 * chance(2 * k) - 1, a = 6.2831853f * chance(2 * k + 1), r = sqrtf(1 - z * z);
    to[0] = normal[0] + 0.999f * r * cosf(a);
    to[1] = normal[1] + 0.999f * r * sinf(a);
    to[2] = normal[2] + 0.999f * z;
    unit(to);
}

// A ray in any direction from what a primary ray meets, to `far`. Where that is nothing, from what
// an earlier one has met.
static void secondary(const float *triangle, float far, uint64_t k, float at, RayOfBench *ray)
{
    float first[3], second[3], normal[3], along = 0;
    for (int a = 0; a < 3; a++) {
        first[a] = triangle[3 + a] - triangle[a];
        second[a] = triangle[6 + a] - triangle[a];
    }
    cross(first, second, normal);
    unit(normal);
    if (isnan(normal[0])) memcpy(normal, ray->direction, sizeof normal); // it has no area
    for (int a = 0; a < 3; a++) along += normal[a] * ray->direction[a];
    for (int a = 0; a < 3; a++) {
        if (along > 0) normal[a] = -normal[a];
        ray->origin[a] += at * ray->direction[a] + 0.01f * normal[a];
    }
    above(normal, k, ray->direction);
    ray->far = far;
}

static void shuffle(int64_t count, RayOfBench *ray)
{
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t k = (int64_t)(chance((uint64_t)i) * (float)i);
        RayOfBench swapped = ray[i];
        ray[i] = ray[k];
        ray[k] = swapped;
    }
}

static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    static const float *corners;
    if (k == 0) {
        Scene s = scene_of_bench(n[0]);
        float(*to)[3] = in;
        for (int64_t i = 0; i < count / 3; i++)
            memcpy(to[i], s.corner[s.triangle[i / 3][i % 3]], sizeof to[i]);
        free(s.corner);
        free(s.triangle);
        corners = in;
        return;
    }
    RayOfBench *ray = in;
    primary(n, corners, ray);
    if (n[1] == PRIMARY) return;
    RTCScene scene = embree(triangles(n[0]), corners, RTC_SCENE_FLAG_NONE);
    float middle[3], size = extent(triangles(n[0]), corners, middle);
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RayOfBench met = ray[0];
    uint32_t number = 0;
    float distance = 0;
    for (int64_t i = 0; i < rays(n); i++) {
        uint32_t id;
        float at = closest(scene, &context, &ray[i], &id);
        if (at >= 0) met = ray[i], number = id, distance = at;
        ray[i] = met;
        secondary(corners + 9 * (int64_t)number, n[1] == OCCLUSION ? 0.1f * size : INFINITY,
                  (uint64_t)i, distance, &ray[i]);
    }
    rtcReleaseScene(scene);
    if (n[1] == SHUFFLED) shuffle(rays(n), ray);
}

const BenchCase bench_case = {
    .name = "rays/trace",
    .pairs =
        {
            {"Embree, single", 1, ours, one_by_one, adze_trace_closest_message},
            {"Embree, packets", 1, ours_in_packets, in_packets, adze_trace_closest_packets_message},
            {"Embree, single", 2, ours, one_by_one, adze_trace_closest_message},
            {"Embree, compact", 1, ours_compact, compact, adze_trace_closest_quantised_message},
            {"Embree, streams", 1, ours_as_streams, as_streams, adze_trace_closest_stream_message},
            {"Embree, streams", 2, ours_as_streams, as_streams, adze_trace_closest_stream_message},
        },
    .sizes =
        {
            {"terrain, primary", {TERRAIN, PRIMARY, 512}},
            {"terrain, occlusion", {TERRAIN, OCCLUSION, 512}},
            {"terrain, diffuse", {TERRAIN, DIFFUSE, 512}},
            {"terrain, diffuse in random order", {TERRAIN, SHUFFLED, 512}},
            {"boxes, primary", {BOXES, PRIMARY, 512}},
            {"boxes, occlusion", {BOXES, OCCLUSION, 512}},
            {"boxes, diffuse", {BOXES, DIFFUSE, 512}},
            {"boxes, diffuse in random order", {BOXES, SHUFFLED, 512}},
            {"spheres, primary", {SPHERES, PRIMARY, 512}},
            {"spheres, occlusion", {SPHERES, OCCLUSION, 512}},
            {"spheres, diffuse", {SPHERES, DIFFUSE, 512}},
            {"spheres, diffuse in random order", {SPHERES, SHUFFLED, 512}},
        },
    .inputs = {corner_numbers, ray_numbers},
    .input_type = BENCH_F32,
    .fill = fill,
    .output = rays,
    .output_type = BENCH_F32,
    .reference = one_by_one,
    // Rays between two triangles may meet either, or none.
    .tolerance = 1e-4,
    .mean = true,
    .rounds = 7,
};
