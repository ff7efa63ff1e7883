#include <stdbool.h>
#include <stdint.h>

enum { MAX = 16 };

void peer_fannkuch(int n, int32_t *checksum, int32_t *most);

// How often the first k+1 elements are reversed, k the first element, until it is 0. The first
// element stays in a register.
static int flips(const int *p, int n)
{
    int q[MAX], count = 0, k = p[0];
    for (int i = 1; i < n; i++) q[i] = p[i];
    while (k) {
        int next = q[k];
        q[k] = k;
        for (int i = 1, j = k - 1; i < j; i++, j--) {
            int t = q[i];
            q[i] = q[j];
            q[j] = t;
        }
        k = next;
        count++;
    }
    return count;
}

// The next permutation: prefixes are rotated, the one of r+1 elements r+1 times each.
static bool next(int *p, int *left, int n)
{
    for (int r = 1; r < n; r++) {
        int first = p[0];
        for (int i = 0; i < r; i++) p[i] = p[i + 1];
        p[r] = first;
        if (--left[r] > 0) return true;
        left[r] = r + 1;
    }
    return false;
}

void peer_fannkuch(int n, int32_t *checksum, int32_t *most)
{
    int p[MAX], left[MAX], sign = 1;
    for (int i = 0; i < n; i++) {
        p[i] = i;
        left[i] = i + 1;
    }
    *checksum = *most = 0;
    do {
        int count = flips(p, n);
        if (count > *most) *most = count;
        *checksum += sign * count;
        sign = -sign;
    } while (next(p, left, n));
}
