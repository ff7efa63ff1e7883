#include "peer.h"

#include <math.h>

enum { STEPS = 64 };

static float put(float price, float strike, float years, float rate, float volatility)
{
    float dt = years / STEPS, up = expf(volatility * sqrtf(dt)), growth = expf(rate * dt);
    float down = 1.0f / up, p_up = (growth - down) / (up - down);
    float a = (1.0f - p_up) / growth, b = p_up / growth;
    float worth[STEPS + 1], last = price * powf(down, STEPS);
    for (int k = 0; k <= STEPS; k++) {
        worth[k] = strike > last ? strike - last : 0.0f;
        last *= up * up;
    }
    for (int left = STEPS; left > 0; left--)
        for (int k = 0; k < left; k++) worth[k] = a * worth[k] + b * worth[k + 1];
    return worth[0];
}

int PEER(int64_t n, const float *restrict price, const float *restrict strike,
         const float *restrict years, const float *restrict rate, const float *restrict volatility,
         float *restrict out)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = put(price[i], strike[i], years[i], rate[i], volatility[i]);
    return 0;
}
