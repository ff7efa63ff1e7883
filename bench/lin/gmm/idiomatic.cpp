#include "lin.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using Vector = std::vector<double>;

static Vector operator-(const Vector &a, const Vector &b)
{
    Vector r(a.size());
    for (std::size_t i = 0; i < a.size(); i++) r[i] = a[i] - b[i];
    return r;
}

static Vector operator-(const Vector &a, double s)
{
    Vector r(a.size());
    for (std::size_t i = 0; i < a.size(); i++) r[i] = a[i] - s;
    return r;
}

static Vector exp(const Vector &a)
{
    Vector r(a.size());
    for (std::size_t i = 0; i < a.size(); i++) r[i] = std::exp(a[i]);
    return r;
}

static double sum(const Vector &a)
{
    return std::accumulate(a.begin(), a.end(), 0.0);
}

static double sq_norm(const Vector &a)
{
    return std::inner_product(a.begin(), a.end(), a.begin(), 0.0);
}

static double log_sum_exp(const Vector &a)
{
    const double top = *std::max_element(a.begin(), a.end());
    return std::log(sum(exp(a - top))) + top;
}

static Vector q_times(const Vector &q, const Vector &l, const Vector &v)
{
    Vector r(v.size());
    std::size_t used = 0;
    for (std::size_t i = 0; i < v.size(); i++) {
        r[i] = std::exp(q[i]) * v[i];
        for (std::size_t j = 0; j < i; j++) r[i] += l[used++] * v[j];
    }
    return r;
}

LIN_CALL static double gmm(const std::vector<Vector> &xs, const Vector &alphas,
                           const std::vector<Vector> &means, const std::vector<Vector> &qs,
                           const std::vector<Vector> &ls)
{
    double seen = 0, prior = 0;
    Vector terms(alphas.size());
    for (const Vector &x : xs) {
        for (std::size_t k = 0; k < alphas.size(); k++)
            terms[k] = alphas[k] + sum(qs[k]) - sq_norm(q_times(qs[k], ls[k], x - means[k])) / 2;
        seen += log_sum_exp(terms);
    }
    for (std::size_t k = 0; k < alphas.size(); k++) prior += sq_norm(exp(qs[k])) + sq_norm(ls[k]);
    return seen - static_cast<double>(xs.size()) * log_sum_exp(alphas) + prior / 2;
}

static constexpr int calls = 2000, n = 100, d = 3, k = 5, t = d * (d - 1) / 2;
static std::vector<Vector> xs(n, Vector(d)), means(k, Vector(d)), qs(k, Vector(d)),
    ls(k, Vector(t));
static Vector alphas(k);
static double total;

template <class F> static void fill(std::vector<Vector> &rows, int sequence, F from_noise)
{
    uint64_t i = 0;
    for (Vector &row : rows)
        for (double &x : row) x = from_noise(lin_noise(sequence, i++));
}

void lin_setup()
{
    fill(xs, 0, [](double x) { return x; });
    fill(means, 2, [](double x) { return x - 0.5; });
    fill(qs, 3, [](double x) { return 10 * x - 5; });
    fill(ls, 4, [](double x) { return x - 0.5; });
}

void lin_run(bool)
{
    for (int i = 0; i < k; i++) alphas[i] = lin_noise(1, i);
    total = 0;
    for (int call = 0; call < calls; call++) {
        alphas[0] += 0.01;
        total += gmm(xs, alphas, means, qs, ls);
    }
}

LinResult lin_result()
{
    return {&total, 1};
}
