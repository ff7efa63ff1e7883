// A step of a stencil with seven points on a p x n x m grid whose border is kept:
// centre * (the point) + around * (the sum of its six neighbours).
//
// 2.5D blocking: blocks of 32x8 threads go through up to JACOBI3D_PLANES planes. A thread has its
// points of three planes in registers. The middle plane is in shared memory, too, with its halo, of
// which 80 threads load a point each. All loads are one plane ahead, to hide their latency. Two
// tiles take turns, so that one barrier a plane is enough.
enum { JACOBI3D_WIDTH = 32, JACOBI3D_HEIGHT = 8, JACOBI3D_PLANES = 16 };

__global__ void jacobi3d(float centre, float around, const float *__restrict__ a,
                         float *__restrict__ out, int p, int n, int m)
{
    __shared__ float tiles[2][JACOBI3D_HEIGHT + 2][JACOBI3D_WIDTH + 2];
    int thread = threadIdx.y * JACOBI3D_WIDTH + threadIdx.x, y = threadIdx.y + 1,
        x = threadIdx.x + 1;
    int i0 = blockIdx.z * JACOBI3D_PLANES, i1 = i0 + JACOBI3D_PLANES < p ? i0 + JACOBI3D_PLANES : p;
    int j0 = blockIdx.y * JACOBI3D_HEIGHT - 1, k0 = blockIdx.x * JACOBI3D_WIDTH - 1;
    int j = j0 + y, k = k0 + x;
    bool inside = j < n && k < m, border = j == 0 || k == 0 || j == n - 1 || k == m - 1;

    // The point of the halo that this thread loads: in the row above, the row below, or a column.
    int side = thread - 2 * JACOBI3D_WIDTH;
    int edge_y = side >= 0 ? side / 2 + 1 : thread / JACOBI3D_WIDTH * (JACOBI3D_HEIGHT + 1);
    int edge_x = side >= 0 ? side % 2 * (JACOBI3D_WIDTH + 1) : thread % JACOBI3D_WIDTH + 1;
    bool has_edge = side < 2 * JACOBI3D_HEIGHT;
    int edge_j = j0 + edge_y, edge_k = k0 + edge_x;
    bool edge_inside = has_edge && edge_j >= 0 && edge_j < n && edge_k >= 0 && edge_k < m;

    int plane = n * m, at = i0 * plane + j * m + k, edge_at = i0 * plane + edge_j * m + edge_k;
    float below = inside && i0 > 0 ? a[at - plane] : 0.0f, here = inside ? a[at] : 0.0f;
    float edge = edge_inside ? a[edge_at] : 0.0f;
    for (int i = i0; i < i1; i++, at += plane, edge_at += plane) {
        float(*tile)[JACOBI3D_WIDTH + 2] = tiles[i % 2];
        tile[y][x] = here;
        if (has_edge) tile[edge_y][edge_x] = edge;
        float above = inside && i + 1 < p ? a[at + plane] : 0.0f;
        edge = edge_inside && i + 1 < i1 ? a[edge_at + plane] : 0.0f;
        __syncthreads();
        if (inside) {
            float sum =
                below + above + tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1];
            bool kept = border || i == 0 || i == p - 1;
            out[at] = kept ? here : centre * here + around * sum;
        }
        below = here;
        here = above;
    }
}
