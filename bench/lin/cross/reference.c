// By the signs of permutations.
int reference(const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = 0;
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) out[i] += (i - j) * (j - k) * (k - i) / 2 * a[j] * b[k];
    }
    return 0;
}
