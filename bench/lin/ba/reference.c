// By a rotation matrix.
#include <math.h>

int reference(const double *cam, const double *x, double *out)
{
    double angle = sqrt(cam[0] * cam[0] + cam[1] * cam[1] + cam[2] * cam[2]), w[3], seen[3];
    for (int i = 0; i < 3; i++) w[i] = angle == 0 ? cam[i] : cam[i] / angle;
    double m[3][3] = {{0, -w[2], w[1]}, {w[2], 0, -w[0]}, {-w[1], w[0], 0}};
    for (int i = 0; i < 3; i++) {
        seen[i] = 0;
        for (int j = 0; j < 3; j++) {
            double r = angle == 0 ? m[i][j] + (i == j)
                                  : sin(angle) * m[i][j] + (i == j) * cos(angle) +
                                        (1 - cos(angle)) * w[i] * w[j];
            seen[i] += r * (x[j] - cam[3 + j]);
        }
    }
    double u = seen[0] / seen[2], v = seen[1] / seen[2], sq = u * u + v * v;
    double factor = cam[6] * (1 + sq * (cam[9] + sq * cam[10]));
    out[0] = cam[7] + factor * u;
    out[1] = cam[8] + factor * v;
    return 0;
}
