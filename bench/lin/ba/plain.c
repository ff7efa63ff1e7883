#include <math.h>

int plain(const double *restrict cam, const double *restrict x, double *restrict out)
{
    double p[3], seen[3];
    for (int i = 0; i < 3; i++) p[i] = x[i] - cam[3 + i];
    double sq_theta = cam[0] * cam[0] + cam[1] * cam[1] + cam[2] * cam[2];
    if (sq_theta != 0) {
        double theta = sqrt(sq_theta), inverse = 1 / theta;
        double c = cos(theta), s = sin(theta);
        double w[3] = {cam[0] * inverse, cam[1] * inverse, cam[2] * inverse};
        double cross[3] = {w[1] * p[2] - w[2] * p[1], w[2] * p[0] - w[0] * p[2],
                           w[0] * p[1] - w[1] * p[0]};
        double along = (w[0] * p[0] + w[1] * p[1] + w[2] * p[2]) * (1 - c);
        for (int i = 0; i < 3; i++) seen[i] = p[i] * c + cross[i] * s + w[i] * along;
    } else {
        seen[0] = p[0] + cam[1] * p[2] - cam[2] * p[1];
        seen[1] = p[1] + cam[2] * p[0] - cam[0] * p[2];
        seen[2] = p[2] + cam[0] * p[1] - cam[1] * p[0];
    }
    double inverse = 1 / seen[2], u = seen[0] * inverse, v = seen[1] * inverse;
    double sq = u * u + v * v;
    double factor = 1 + cam[9] * sq + cam[10] * sq * sq;
    out[0] = cam[7] + u * factor * cam[6];
    out[1] = cam[8] + v * factor * cam[6];
    return 0;
}
