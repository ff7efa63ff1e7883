// A step of n bodies under the gravity of all others: places and speeds after the time dt, where
// distances are softened by eps. Places and speeds have all x first, then all y, then all z.
//
// Blocks of NBODY_BODIES x NBODY_PARTS threads move NBODY_BODIES bodies. They load tiles with a
// body for each thread into shared memory, from where the four numbers of a body are broadcast to a
// warp in one load. NBODY_PARTS threads share the work for a body, so that some thousands of bodies
// keep a device busy; in the end their sums are added. rsqrtf is exact to 2 units in the last
// place.
enum { NBODY_BODIES = 64, NBODY_PARTS = 4, NBODY_TILE = NBODY_BODIES * NBODY_PARTS };

__global__ void nbody(float dt, float eps, const float *__restrict__ places,
                      const float *__restrict__ speeds, const float *__restrict__ masses,
                      float *__restrict__ new_places, float *__restrict__ new_speeds, int n)
{
    __shared__ float4 tile[NBODY_TILE]; // a place and its mass
    __shared__ float parts[3][NBODY_PARTS][NBODY_BODIES];
    int body = threadIdx.x, part = threadIdx.y, i = blockIdx.x * NBODY_BODIES + body;
    int thread = part * NBODY_BODIES + body;
    float x = 0.0f, y = 0.0f, z = 0.0f, ax = 0.0f, ay = 0.0f, az = 0.0f;
    if (i < n) x = places[i], y = places[n + i], z = places[2 * n + i];
    for (int j0 = 0; j0 < n; j0 += NBODY_TILE) {
        int j = j0 + thread;
        if (j < n) tile[thread] = float4{places[j], places[n + j], places[2 * n + j], masses[j]};
        __syncthreads();
        int from = part * NBODY_BODIES, left = n - j0 - from;
        for (int l = 0; l < NBODY_BODIES && l < left; l++) {
            float4 other = tile[from + l];
            float dx = other.x - x, dy = other.y - y, dz = other.z - z;
            float near = rsqrtf(dx * dx + dy * dy + dz * dz + eps * eps);
            float pull = other.w * near * near * near;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        __syncthreads();
    }
    parts[0][part][body] = ax, parts[1][part][body] = ay, parts[2][part][body] = az;
    __syncthreads();
    if (part > 2 || i >= n) return;
    float a = 0.0f; // along the axis `part`
    for (int k = 0; k < NBODY_PARTS; k++) a += parts[part][k][body];
    int at = part * n + i;
    new_places[at] = places[at] + dt * speeds[at] + 0.5f * dt * dt * a;
    new_speeds[at] = speeds[at] + dt * a;
}
