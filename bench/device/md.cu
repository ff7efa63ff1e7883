// Molecular dynamics: the Lennard-Jones forces of k neighbours on each of n particles, as far as
// they are nearer than the root of `cutoff`. Column i of `neighbours` has those of particle i.
// Particles and forces have all x first, then all y, then all z.
//
// Neighbours are anywhere in memory, where the load of each takes a sector. So md_pack first stores
// the three numbers of a particle side by side, and md gathers them at once, from one sector
// instead of three. A thread for each particle, so that loads of `neighbours` are coalesced.
__global__ void md_pack(const float *__restrict__ particles, float4 *__restrict__ packed, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) packed[i] = float4{particles[i], particles[n + i], particles[2 * n + i], 0.0f};
}

__global__ void md(float cutoff, float lj1, float lj2, const float4 *__restrict__ packed,
                   const int *__restrict__ neighbours, float *__restrict__ forces, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 p = packed[i];
    float fx = 0.0f, fy = 0.0f, fz = 0.0f;
    for (int j = 0; j < k; j++) {
        float4 q = packed[neighbours[j * n + i]];
        float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
        float r2 = dx * dx + dy * dy + dz * dz;
        float near2 = 1.0f / r2, near6 = near2 * near2 * near2;
        float strength = r2 < cutoff ? near2 * near6 * (lj1 * near6 - lj2) : 0.0f;
        fx += strength * dx;
        fy += strength * dy;
        fz += strength * dz;
    }
    forces[i] = fx, forces[n + i] = fy, forces[2 * n + i] = fz;
}
