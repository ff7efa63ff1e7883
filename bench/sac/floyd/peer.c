#include <stdint.h>
#include <string.h>

void peer_floyd(int64_t n, const float *restrict roads, float *restrict d);

// In place: row and column k stay what they are in step k. The row is copied so that the compiler knows.
void peer_floyd(int64_t n, const float *restrict roads, float *restrict d)
{
    memcpy(d, roads, (size_t)(n * n) * sizeof *d);
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = 0; i < n; i++) {
            if (i == k) continue;
            const float *restrict through = d + k * n;
            float *restrict row = d + i * n, to = row[k];
            for (int64_t j = 0; j < n; j++) {
                float sum = to + through[j];
                row[j] = sum < row[j] ? sum : row[j];
            }
        }
}
