#include "peer.h"

#include <math.h>

static float below(float x)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(x));
    float tail = 0.31938153f +
                 k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)));
    float above = 0.39894228f * expf(-0.5f * x * x) * k * tail;
    return x > 0.0f ? 1.0f - above : above;
}

static float value(float price, float strike, float years, float rate, float volatility)
{
    float spread = volatility * sqrtf(years);
    float d = (logf(price / strike) + (rate + 0.5f * volatility * volatility) * years) / spread;
    return price * below(d) - strike * expf(-rate * years) * below(d - spread);
}

int PEER(int64_t n, const float *restrict price, const float *restrict strike,
         const float *restrict years, const float *restrict rate, const float *restrict volatility,
         float *restrict out)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = value(price[i], strike[i], years[i], rate[i], volatility[i]);
    return 0;
}
