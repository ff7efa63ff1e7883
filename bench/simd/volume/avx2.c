#include "peer.h"

#include <immintrin.h>

enum { LANES = 8 };

typedef __m256 F;
typedef __m256i I;
typedef __m256 Mask;

typedef struct {
    F x, y, z;
} Vec;

typedef struct {
    const float *cells;
    int n;
} Volume;

// Of glibc's libmvec.
extern F _ZGVdN8v_expf(F x);
extern F _ZGVdN8vv_powf(F x, F y);

static inline F all(float x)
{
    return _mm256_set1_ps(x);
}

static inline F times(F a, F b)
{
    return _mm256_mul_ps(a, b);
}

static inline F dot(Vec a, Vec b)
{
    return _mm256_fmadd_ps(a.z, b.z, _mm256_fmadd_ps(a.y, b.y, times(a.x, b.x)));
}

static inline Vec along(Vec a, F t, Vec b) // a + t b
{
    return (Vec){_mm256_fmadd_ps(t, b.x, a.x), _mm256_fmadd_ps(t, b.y, a.y),
                 _mm256_fmadd_ps(t, b.z, a.z)};
}

static inline Vec scaled(F t, Vec a)
{
    return (Vec){times(t, a.x), times(t, a.y), times(t, a.z)};
}

static inline void slab(F org, F dir, F *near, F *far)
{
    F a = _mm256_div_ps(_mm256_sub_ps(_mm256_setzero_ps(), org), dir);
    F b = _mm256_div_ps(_mm256_sub_ps(all(1.0f), org), dir);
    *near = _mm256_max_ps(*near, _mm256_min_ps(a, b));
    *far = _mm256_min_ps(*far, _mm256_max_ps(a, b));
}

static inline void inside(Vec org, Vec dir, F *near, F *far)
{
    *near = _mm256_setzero_ps();
    *far = all(1e30f);
    slab(org.x, dir.x, near, far);
    slab(org.y, dir.y, near, far);
    slab(org.z, dir.z, near, far);
}

static inline F mix(F t, F a, F b)
{
    return _mm256_fmadd_ps(t, _mm256_sub_ps(b, a), a);
}

// Lane by lane, which is twice as fast as the gather of the machine this was tried on. A lane that is not active reads a cell as well: place() is
// always inside.
static inline F cell(const float *cells, I at)
{
    __m128i low = _mm256_castsi256_si128(at), high = _mm256_extracti128_si256(at, 1);
    return _mm256_setr_ps(cells[_mm_cvtsi128_si32(low)], cells[_mm_extract_epi32(low, 1)],
                          cells[_mm_extract_epi32(low, 2)], cells[_mm_extract_epi32(low, 3)],
                          cells[_mm_cvtsi128_si32(high)], cells[_mm_extract_epi32(high, 1)],
                          cells[_mm_extract_epi32(high, 2)], cells[_mm_extract_epi32(high, 3)]);
}

static inline F row(F t, const float *cells, I at)
{
    return mix(t, cell(cells, at), cell(cells + 1, at));
}

// Where x is among cells: the number of one, and how far it is from there to the next.
static inline I place(F x, float last, F *rest)
{
    F at = _mm256_min_ps(_mm256_max_ps(times(x, all(last)), _mm256_setzero_ps()), all(last));
    I number = _mm256_cvttps_epi32(_mm256_min_ps(at, all(last - 1)));
    *rest = _mm256_sub_ps(at, _mm256_cvtepi32_ps(number));
    return number;
}

static inline F density(Volume v, Vec p)
{
    int n = v.n;
    float last = (float)(n - 1);
    F x, y, z;
    I i = place(p.x, last, &x), j = place(p.y, last, &y), k = place(p.z, last, &z);
    I side = _mm256_set1_epi32(n);
    I at = _mm256_add_epi32(
        _mm256_mullo_epi32(_mm256_add_epi32(_mm256_mullo_epi32(k, side), j), side), i);
    const float *next = v.cells + n * n;
    return mix(z, mix(y, row(x, v.cells, at), row(x, v.cells + n, at)),
               mix(y, row(x, next, at), row(x, next + n, at)));
}

static inline F transmittance(Volume v, Vec org, Vec dir, F distance, Mask active)
{
    F near, far, thickness = _mm256_setzero_ps();
    inside(org, dir, &near, &far);
    F end = _mm256_min_ps(far, distance);
    // All lanes have the same t.
    for (float t = 0.0375f;; t += 0.075f) {
        Mask on = _mm256_and_ps(active, _mm256_cmp_ps(all(t), end, _CMP_LT_OQ));
        if (_mm256_testz_ps(on, on)) break;
        F here = density(v, along(org, all(t), dir));
        thickness = _mm256_add_ps(thickness, _mm256_and_ps(on, here));
    }
    return _ZGVdN8v_expf(times(all(-0.075f), thickness));
}

static inline F march(Volume v, Vec light, float thick, Vec org, Vec dir)
{
    F near, far, result = _mm256_setzero_ps(), clear = all(1.0f);
    inside(org, dir, &near, &far);
    F t = near;
    Mask active = _mm256_cmp_ps(near, far, _CMP_LT_OQ);
    while (!_mm256_testz_ps(active, active)) {
        Vec p = along(org, t, dir);
        F here = times(all(thick), density(v, p));
        clear = times(clear, _ZGVdN8v_expf(times(all(-0.025f), here)));
        active = _mm256_and_ps(active, _mm256_cmp_ps(clear, all(0.005f), _CMP_GE_OQ));
        if (_mm256_testz_ps(active, active)) break;
        Vec to_light = {_mm256_sub_ps(light.x, p.x), _mm256_sub_ps(light.y, p.y),
                        _mm256_sub_ps(light.z, p.z)};
        F square = dot(to_light, to_light), distance = _mm256_sqrt_ps(square);
        Vec toward = scaled(_mm256_div_ps(all(1.0f), distance), to_light);
        F bright = _mm256_div_ps(transmittance(v, p, toward, distance, active), square);
        F more = times(times(times(all(0.025f), here), clear), bright);
        result = _mm256_add_ps(result, _mm256_and_ps(active, more));
        t = _mm256_add_ps(t, all(0.025f));
        active = _mm256_and_ps(active, _mm256_cmp_ps(t, far, _CMP_LT_OQ));
    }
    return _ZGVdN8vv_powf(_mm256_min_ps(result, all(1.0f)), all(1.0f / 2.2f));
}

int PEER(int64_t n, int64_t w, int64_t h, const float *restrict volume, float *restrict out)
{
    const Vec eye = {all(0.4f), all(0.6f), all(-1.5f)};
    const Vec light = {all(-0.5f), all(1.5f), all(-0.7f)};
    const I lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    Volume v = {volume, (int)n};
    for (int64_t y = 0; y < h; y++)
        for (int64_t x = 0; x < w; x += LANES) {
            I column = _mm256_add_epi32(_mm256_set1_epi32((int)x), lane);
            F u = _mm256_div_ps(_mm256_cvtepi32_ps(column), all((float)w));
            Vec dir = {_mm256_sub_ps(u, all(0.4f)), all(0.5f - (float)y / (float)h), all(1.5f)};
            dir = scaled(_mm256_div_ps(all(1.0f), _mm256_sqrt_ps(dot(dir, dir))), dir);
            F bright = march(v, light, 8.0f, eye, dir);
            I there = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)w), column);
            _mm256_maskstore_ps(out + y * w + x, there, bright);
        }
    return 0;
}
