#include <math.h>
#include <stdint.h>

typedef struct {
    float x, y, z, w;
} Record;

int peer_in_order(int64_t n, const Record *restrict rs, float *restrict out);
int peer_at(int64_t n, const Record *restrict rs, const int32_t *restrict at, float *restrict out);
int peer_roots(int64_t n, const Record *restrict rs, const int32_t *restrict at,
               float *restrict out);

static float weight(Record r)
{
    return r.x * r.y + r.z * r.w;
}

int peer_in_order(int64_t n, const Record *restrict rs, float *restrict out)
{
    for (int64_t i = 0; i < n; i++) out[i] = weight(rs[i]);
    return 0;
}

int peer_at(int64_t n, const Record *restrict rs, const int32_t *restrict at, float *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        if (at[i] < 0 || at[i] >= n) return 1;
        out[i] = weight(rs[at[i]]);
    }
    return 0;
}

int peer_roots(int64_t n, const Record *restrict rs, const int32_t *restrict at,
               float *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        if (at[i] < 0 || at[i] >= n) return 1;
        out[i] = sqrtf(weight(rs[at[i]]));
    }
    return 0;
}
