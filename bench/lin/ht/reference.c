// Cosine times the identity, the axis times itself, and the cross product with it.
#include <math.h>

int reference(const double *axis, double *out)
{
    double angle = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int sign = (i + 1) % 3 == j ? -1 : 1;
            double u = axis[i] / angle, v = axis[j] / angle;
            double turn = i == j ? cos(angle) : sign * sin(angle) * axis[3 - i - j] / angle;
            out[3 * i + j] = angle < 0.0001 ? i == j : (1 - cos(angle)) * u * v + turn;
        }
    }
    return 0;
}
