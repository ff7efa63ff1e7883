#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { SPHERES = 3, SUBSAMPLES = 2, AO_SAMPLES = 8 };

typedef struct {
    double x, y, z;
} Vec;

typedef struct {
    double t;
    Vec p, n;
    bool hit;
} Isect;

typedef struct {
    Vec center;
    double radius;
} Sphere;

static const Sphere spheres[SPHERES] = {
    {{-2.0, 0, -3.5}, 0.5},
    {{-0.5, 0, -3.0}, 0.5},
    {{1.0, 0, -2.2}, 0.5},
};
static const Vec plane_p = {0, -0.5, 0}, plane_n = {0, 1, 0};

void peer_aobench(int64_t n, uint8_t *out);

static double dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vec along(Vec a, double t, Vec b) // a + t b
{
    return (Vec){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}

static Vec cross(Vec a, Vec b)
{
    return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static Vec normalize(Vec v)
{
    double length = sqrt(dot(v, v));
    return length > 1e-17 ? (Vec){v.x / length, v.y / length, v.z / length} : v;
}

// Uniform in [0, 1): the generator of drand48.
static double random_number(uint64_t *state)
{
    *state = (*state * 0x5deece66du + 0xb) & 0xffffffffffffu;
    return (double)*state * 0x1p-48;
}

static void hit_sphere(Isect *isect, Vec org, Vec dir, const Sphere *s)
{
    Vec rs = along(org, -1, s->center);
    double b = dot(rs, dir), c = dot(rs, rs) - s->radius * s->radius, d = b * b - c;
    if (d <= 0) return;
    double t = -b - sqrt(d);
    if (t <= 0 || t >= isect->t) return;
    isect->t = t;
    isect->hit = true;
    isect->p = along(org, t, dir);
    isect->n = normalize(along(isect->p, -1, s->center));
}

static void hit_plane(Isect *isect, Vec org, Vec dir)
{
    double v = dot(dir, plane_n);
    if (fabs(v) < 1e-17) return;
    double t = -(dot(org, plane_n) - dot(plane_p, plane_n)) / v;
    if (t <= 0 || t >= isect->t) return;
    isect->t = t;
    isect->hit = true;
    isect->p = along(org, t, dir);
    isect->n = plane_n;
}

static Isect trace(Vec org, Vec dir)
{
    Isect isect = {.t = 1e17};
    for (int i = 0; i < SPHERES; i++) hit_sphere(&isect, org, dir, &spheres[i]);
    hit_plane(&isect, org, dir);
    return isect;
}

static void ortho_basis(Vec basis[3], Vec n)
{
    basis[2] = n;
    if (n.x < 0.6 && n.x > -0.6)
        basis[1] = (Vec){1, 0, 0};
    else if (n.y < 0.6 && n.y > -0.6)
        basis[1] = (Vec){0, 1, 0};
    else if (n.z < 0.6 && n.z > -0.6)
        basis[1] = (Vec){0, 0, 1};
    else
        basis[1] = (Vec){1, 0, 0};
    basis[0] = normalize(cross(basis[1], basis[2]));
    basis[1] = normalize(cross(basis[2], basis[0]));
}

// The share of rays from the point that hit nothing.
static double ambient_occlusion(const Isect *isect, uint64_t *state)
{
    Vec basis[3], p = along(isect->p, 0.0001, isect->n);
    int free = 0;
    ortho_basis(basis, isect->n);
    for (int i = 0; i < AO_SAMPLES * AO_SAMPLES; i++) {
        double theta = sqrt(random_number(state)), phi = 2 * M_PI * random_number(state);
        double x = cos(phi) * theta, y = sin(phi) * theta, z = sqrt(1 - theta * theta);
        Vec dir = along(along((Vec){z * basis[2].x, z * basis[2].y, z * basis[2].z}, y, basis[1]),
                        x, basis[0]);
        if (!trace(p, dir).hit) free++;
    }
    return (double)free / (AO_SAMPLES * AO_SAMPLES);
}

static double pixel(int64_t n, int64_t x, int64_t y, uint64_t *state)
{
    double sum = 0, half = (double)n / 2;
    for (int v = 0; v < SUBSAMPLES; v++)
        for (int u = 0; u < SUBSAMPLES; u++) {
            double px = ((double)x + u / (double)SUBSAMPLES - half) / half;
            double py = -((double)y + v / (double)SUBSAMPLES - half) / half;
            Isect isect = trace((Vec){0, 0, 0}, normalize((Vec){px, py, -1}));
            if (isect.hit) sum += ambient_occlusion(&isect, state);
        }
    return sum / (SUBSAMPLES * SUBSAMPLES);
}

void peer_aobench(int64_t n, uint8_t *out)
{
    uint64_t state = 0;
    for (int64_t y = 0; y < n; y++)
        for (int64_t x = 0; x < n; x++) {
            double grey = pixel(n, x, y, &state) * 255.5;
            *out++ = (uint8_t)(grey > 255 ? 255 : grey);
        }
}
