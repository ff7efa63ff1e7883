// What can be proved and simplified: true statements that index expressions of views and loops lead
// to. Losing one of them is a regression. Statements known to be out of reach are at the end, so
// that gaining one is noticed.
#include "nat/sizes.h"

typedef struct {
    const char *facts, *from, *to;
} Case;

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const Case simplifications[] = {
    // split and join
    {"i in 0..n; j in 0..m", "(i*m + j)/m", "i"},
    {"i in 0..n; j in 0..m", "(i*m + j) % m", "j"},
    {"i in 0..n; j in 0..m; l in 0..k", "((i*m + j)*k + l)/(m*k)", "i"},
    {"i in 0..n; j in 0..m; l in 0..k", "((i*m + j)*k + l) % (m*k)", "j*k + l"},
    {"i in 0..n; j in 0..m; l in 0..k", "(((i*m + j)*k + l)/k) % m", "j"},
    {"i in 0..n; j in 0..m; l in 0..k", "((i*m + j)*k + l) % (m*k)/k", "j"},
    {"i in 0..n; j in 0..m; l in 0..k", "((i*m + j)*k + l) % k", "l"},
    {"i in 0..n; j in 0..32", "(i*32 + j)/32", "i"},
    {"i in 0..n; j in 0..32", "(i*32 + j) % 32", "j"},
    {"i in 0..n; j in 0..4", "(4*i + j)/8", "i/2"},
    {"i in 0..n; j in 0..4", "(4*i + j) % 8", "(4*i + j) % 8"},
    {"j in 0..m; l in 0..k", "(j*k + l)/k", "j"},
    {"l in 0..k; m >= 1", "(j*k + l)/(m*k)", "j/m"},
    {"i in 0..n; j in 0..m", "((j*n + i) % n)*m + (j*n + i)/n", "i*m + j"},
    {"i in 0..4; j in 0..8", "(i*8 + j)/8*8 + (i*8 + j) % 8", "i*8 + j"},
    {"k >= 1; m >= 1", "(i/m)/k", "i/(m*k)"},
    {"m >= 1; k >= 1", "(i % (m*k)) % m", "i % m"},
    {"m >= 1; k >= 1", "(i % (m*k))/m", "(i/m) % k"},
    {"m >= 1", "(i % m)/m", "0"},
    {"m >= 1", "(i/m)*m + i % m", "i"},
    {"m >= 1", "i - (i/m)*m", "i % m"},
    {"m >= 1", "i - i % m", "m*(i/m)"},
    {"m >= 1", "(i/m)*m*k + (i % m)*k", "i*k"},
    {"", "(i/32)*32 + i % 32", "i"},
    {"m >= 1", "n*m/m", "n"},
    {"", "(n*m + 2*n)/(2*m + 4)", "n/2"},
    {"m >= 1", "n*m % m", "0"},
    {"m >= 1; k >= 1", "n*m*k/(m*k)", "n"},
    {"m >= 1; k >= 1", "n*m/(m*k)", "n/k"},
    {"m >= 1; k >= 1", "n*m % (m*k)", "m*(n % k)"},
    {"j in 0..n + 1", "(i*(n + 1) + j)/(n + 1)", "i"},
    {"j in 0..n + 1", "(i*(n + 1) + j) % (n + 1)", "j"},
    {"j in 0..m + 2; l in 0..k", "((i*(m + 2) + j)*k + l)/((m + 2)*k)", "i"},
    {"i in 0..n; j in 0..m; l in 0..k; o in 0..p", "(((i*m + j)*k + l)*p + o)/(k*p) % m", "j"},
    {"i in 0..8; j in 0..16; l in 0..4", "((i*16 + j)*4 + l)/64", "i"},
    {"i in 0..8; j in 0..16; l in 0..4", "((i*16 + j)*4 + l)/4 % 16", "j"},
    // tiles
    {"i in 0..n/32; j in 0..32", "(i*32 + j)/32", "i"},
    {"n % 4 == 0", "(n/4)*4", "n"},
    {"n % 8 == 0", "(n/4)*4", "n"},
    {"n % 8 == 0", "n % 4", "0"},
    {"n % 4 == 0; i in 0..4", "(n + i)/4", "n/4"},
    {"n % 4 == 0", "(n + i) % 4", "i % 4"},
    {"n == 4*k", "n/4", "k"},
    {"n == m*k; m >= 1", "n/m", "k"},
    {"m >= 1; n % m == 0", "(n/m)*m", "n"},
    // slide
    {"", "(n - size + 1)/1", "n - size + 1"},
    {"i in 0..(n - size + step)/step; step >= 1; j in 0..step", "(i*step + j)/step", "i"},
    {"", "(n - 3 + 1)/1 + 3 - 1", "n"},
    // pad, rotate, concat
    {"i in 0..n", "min(max(i, 0), n - 1)", "i"},
    {"i in 0..n; l >= 0", "min(i, n + l)", "i"},
    {"i in 0..n", "(i + n) % n", "i"},
    {"i in 0..n", "(i - n) % n", "i"},
    {"i in n..n + m", "max(i - n, 0)", "i - n"},
    {"i in 0..n; n >= 1", "max(0, n - 1 - i)", "n - 1 - i"},
    {"a in 0..10; b in 10..20", "min(a, b)", "a"},
    {"a in 0..10; b in 10..20", "max(a, min(b, c + 20))", "b"},
    {"i in 0..1", "i*n + j", "j"},
    {"i in 3..4", "i", "3"},
    {"i in 0..3", "i/4", "0"},
    {"i in 4..8", "i/4", "1"},
    {"i in 4..8", "i % 4", "i - 4"},
    {"i in 0..n; n >= 1", "(n - 1 - i)/n", "0"},
    {"i in 0..n; j in 0..m", "(i*2*m + j)/m", "2*i"},
    {"i in 0..n; j in 0..m", "(i*2*m + j)/(2*m)", "i"},
    {"j in 0..2*m; m >= 1", "(i*2*m + j)/(2*m)", "i"},
    {"i in 0..n; j in 0..m; m >= 1", "(i*m + (m - 1 - j))/m", "i"},
    {"i in 0..n; j in 0..m; m >= 1", "((n - 1 - i)*m + j)/m", "n - 1 - i"},
    {"i in 0..n; j in 0..m", "(i + n*j) % n", "i"},
    {"i in 0..n*m; m >= 1", "(i/m)*m + i % m", "i"},
    {"i in 0..n*m; m >= 1", "(i/m*m + i % m)/m", "i/m"},
    {"i in 0..n*m; m >= 1", "((i % m)*n + i/m)/n", "i % m"},
    {"i in 0..n*m; m >= 1", "((i % m)*n + i/m) % n", "i/m"},
    {"i in 0..n; j in 0..m; l in 0..32", "((i*m + j)*32 + l)/32/m", "i"},
    {"i in 0..n; j in 0..4; l in 0..8", "((i*4 + j)*8 + l) % 32", "8*j + l"},
    {"i in 0..n; j in 0..4; l in 0..8", "((i*4 + j)*8 + l)/8 % 4", "j"},
    {"n % 4 == 0; i in 0..n/4; j in 0..4", "(i*4 + j)/4", "i"},
    {"n % 4 == 0; m >= 1", "(n*m)/4*4", "n*m"},
    {"i in 0..n/32; j in 0..32", "min(i*32 + j, n - 1)", "i*32 + j"},
    {"i in 0..n/32", "min(32, n - 32*i)", "32"},
    {"i in 0..n", "(i + n - 1) % n", "(i - 1) % n"},
    {"i in 1..n", "(i + n - 1) % n", "i - 1"},
    {"i in 0..n - 1", "(i + 1) % n", "i + 1"},
    {"i in n..2*n", "i/n", "1"},
    {"i in n..2*n", "i % n", "i - n"},
};

// from >= 0 (to NULL) or from == to.
static const Case theorems[] = {
    {"i in 0..n; j in 0..m", "n*m - (i*m + j) - 1", NULL},
    {"i in 0..n; j in 0..m; l in 0..k", "n*m*k - ((i*m + j)*k + l) - 1", NULL},
    {"i in 0..n; j in 0..m; l in 0..k; o in 0..p", "n*m*k*p - (((i*m + j)*k + l)*p + o) - 1", NULL},
    {"i in 0..n", "n - 1", NULL},
    {"i in 0..n; j in 0..m", "n*m - 1", NULL},
    {"i in 0..n; j in 0..i", "n - j - 2", NULL},
    {"i in 0..n - 2", "n - (i + 2) - 1", NULL},
    {"i in 1..n - 1", "i - 1", NULL},
    {"i in 1..n - 1", "n - (i + 1) - 1", NULL},
    {"i in 0..(n - s + t)/t; j in 0..s; t >= 1", "n - (i*t + j) - 1", NULL},
    {"i in 0..(n - s + 1)/1; j in 0..s", "n - (i + j) - 1", NULL},
    {"i in 0..(n - 3 + 2)/2; j in 0..3", "n - (i*2 + j) - 1", NULL},
    {"k in 0..n*m; m >= 1", "n - k/m - 1", NULL},
    {"k in 0..n*m; m >= 1", "m - k % m - 1", NULL},
    {"k in 0..n*m; m >= 1", "k/m", NULL},
    {"k in 0..n*32", "n - k/32 - 1", NULL},
    {"i in 0..n/32; j in 0..32", "n - (i*32 + j) - 1", NULL},
    {"i in 0..n/m; j in 0..m", "n - (i*m + j) - 1", NULL},
    {"i in 0..(n + 31)/32", "n - i*32 - 1", NULL},
    {"i in 0..(n + m - 1)/m; m >= 1", "n - i*m - 1", NULL},
    {"i in 0..n; n % 4 == 0", "(n/4)*4 - i - 1", NULL},
    {"m >= 1", "n - n/m", NULL},
    {"m >= 1", "n - (n/m)*m", NULL},
    {"m >= 1", "(n/m)*m + m - 1 - n", NULL},
    {"n >= m; m >= 1", "n/m - 1", NULL},
    {"n >= 4", "n/4 - 1", NULL},
    {"m >= 1", "n - n % m", NULL},
    {"i in 0..min(n, m)", "n - i - 1", NULL},
    {"i in 0..min(n, m)", "m - i - 1", NULL},
    {"", "min(n, m)", NULL},
    {"", "n + m - max(n, m)", NULL},
    {"", "max(n, m) - min(n, m)", NULL},
    {"n >= a; m >= a", "min(n, m) - a", NULL},
    {"", "n*n", NULL},
    {"n in -5..6", "n*n", NULL},
    {"i in 0..l + n + r; l >= 0; n >= 1", "n - 1 - min(max(i - l, 0), n - 1)", NULL},
    {"i in 0..l + n + r; l >= 0; n >= 1", "min(max(i - l, 0), n - 1)", NULL},
    {"n >= m; m >= k", "n - k", NULL},
    {"n >= 2*m; m >= 3", "n - 6", NULL},
    {"n == 4*k; k >= 1", "n - 4", NULL},
    {"n*m == k; i in 0..n; j in 0..m", "k - (i*m + j) - 1", NULL},
    {"i in 0..n; j in 0..m", "n*m - j*n - i - 1", NULL},
    {"i in 0..n; k in 0..8; n >= 1", "pow(2, k) - 1", NULL},
    {"", "pow(2, k) - k - 1", NULL},
    {"", "pow(2, k + 1) - pow(2, k)", NULL},
    {"i in 0..n", "n*m - i*m", NULL},
    {"2*i + 1 >= n; n >= 2*k", "i - k", NULL},
    {"n >= i*m + m; m >= 1", "n/m - i - 1", NULL},
    // flattened tiles, stencils, tails
    {"a in 0..n/32; b in 0..32; j in 0..m", "n*m - ((a*32 + b)*m + j) - 1", NULL},
    {"i in 0..n - 2; j in 0..m - 2; d in 0..3; e in 0..3", "n*m - ((i + d)*m + j + e) - 1", NULL},
    {"i in 0..n + 2; j in 0..m; n >= 1", "n*m - min(max(i - 1, 0), n - 1)*m - j - 1", NULL},
    {"i in 0..n + 2; j in 0..m; n >= 1", "min(max(i - 1, 0), n - 1)*m + j", NULL},
    {"i in 0..n", "n - (i - 1) % n - 1", NULL},
    {"i in 0..n", "(i - 1) % n", NULL},
    {"i in n..n + m", "m - (i - n) - 1", NULL},
    {"i in 0..(n + 31)/32; j in 0..min(32, n - 32*i)", "n - (i*32 + j) - 1", NULL},
    {"i in 0..(n + t - 1)/t; j in 0..min(t, n - t*i); t >= 1", "n - (i*t + j) - 1", NULL},
    {"i in 0..n/4", "n - (4*i + 3) - 1", NULL},
    {"i in (n/4)*4..n", "i", NULL},
    {"i in (n/m)*m..n; m >= 1", "i", NULL},
    {"i in 0..n*m; m >= 1", "n*m - ((i % m)*n + i/m) - 1", NULL},
    {"i in 0..n*m*k; m >= 1; k >= 1", "n - i/(m*k) - 1", NULL},
    {"i in 0..n*m*k; m >= 1; k >= 1", "m - (i/k) % m - 1", NULL},
    {"i in 0..n*m*k; m >= 1; k >= 1", "n*m - i/k - 1", NULL},
    {"i in 0..n; m >= 1", "n*m - i*m - m", NULL},
    {"i in 0..(hi - lo + st - 1)/st; lo >= 0; st >= 1", "hi - (lo + i*st) - 1", NULL},
    {"n % 32 == 0; i in 0..n/32; j in 0..32", "n - (32*i + j) - 1", NULL},
    {"n % t == 0; t >= 1; i in 0..n/t; j in 0..t", "n - (t*i + j) - 1", NULL},
    {"k in 0..n + 1; i in 0..k", "n - i - 1", NULL},
    {"i in 0..n; j in i..n", "n*n - (i*n + j) - 1", NULL},
    {"i in 0..n; j in 0..i + 1", "n*(n + 1) - 2*(i*(i + 1)/2 + j) - 1", NULL},
    {"i in 0..n; j in 0..i + 1", "n*(n + 1)/2 - i*(i + 1)/2 - j - 1", NULL},
    {"n >= k", "n*(n + 1)/2 - k*(k - 1)/2 - k", NULL},
    {"n >= 1; m >= 1", "n*m - n - m + 1", NULL},
    {"i in 0..n; j in 0..m", "(n - 1)*(m - 1) - i*j", NULL},
    {"i in 0..n; j in 0..m", "(n - i)*(m - j) - 1", NULL},
    // equalities
    {"m >= 1", "(n*m)/m", "n"},
    {"n % 4 == 0", "n/4*4", "n"},
    {"k == n*m; m >= 1", "k/m", "n"},
    {"", "(n - s + t)/t", "(n - s)/t + 1"},
    {"", "2*pow(2, k)", "pow(2, k + 1)"},
    {"", "pow(2, k)*pow(2, j)", "pow(2, j + k)"},
    {"", "pow(n, 2*k)", "pow(n, k)*pow(n, k)"},
    {"", "pow(6*n*m, k)", "pow(m, k)*pow(n, k)*pow(6, k)"},
    {"", "pow(pow(n, 2), k)", "pow(n, 2*k)"},
    {"", "pow(pow(n, j), k)", "pow(n, j*k)"},
    {"", "min(n, m) + max(n, m)", "n + m"},
    {"", "min(n + k, m + k)", "min(n, m) + k"},
    {"n >= m", "min(n, m)", "m"},
    {"a >= b; b >= a", "a", "b"},
    {"m >= 1; k >= 1", "(n/m)/k", "(n/k)/m"},
    {"a == b + 1; c == b + 1", "a", "c"},
};

// True, and not proved.
static const Case out_of_reach[] = {
    {"", "n*n - 2*n*m + m*m", NULL},
    {"", "n*n - n", NULL},
    {"", "(n/2)*2 + (n/3)*3 - n", NULL},
};

static bool holds(Session *cx, const Case *c)
{
    Facts *f = facts(cx, c->facts);
    Node *e = size(cx, c->from);
    return c->to ? nat_eq(cx, f, e, size(cx, c->to)) == TRUTH_YES : nat_ge0(cx, f, e) == TRUTH_YES;
}

static void test_simplifications(void **state)
{
    Session *cx = *state;
    int failed = 0;
    for (size_t i = 0; i < COUNT(simplifications); i++) {
        const Case *c = &simplifications[i];
        Node *e = nat_simplify(cx, facts(cx, c->facts), size(cx, c->from));
        if (e == size(cx, c->to)) continue;
        print_error("%s with %s: %s, expected %s\n", c->from, c->facts, shown(cx, e), c->to);
        failed++;
    }
    assert_int_equal(failed, 0);
}

static void test_theorems(void **state)
{
    Session *cx = *state;
    int failed = 0;
    for (size_t i = 0; i < COUNT(theorems); i++) {
        const Case *c = &theorems[i];
        if (holds(cx, c)) continue;
        print_error("not proved: %s %s %s with %s\n", c->from,
                    c->to ? "==" : ">=", c->to ? c->to : "0", c->facts);
        failed++;
    }
    assert_int_equal(failed, 0);
}

static void test_out_of_reach(void **state)
{
    Session *cx = *state;
    for (size_t i = 0; i < COUNT(out_of_reach); i++)
        if (holds(cx, &out_of_reach[i])) fail_msg("%s is proved by now", out_of_reach[i].from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {SIZE_TEST(test_simplifications), SIZE_TEST(test_theorems),
                                       SIZE_TEST(test_out_of_reach)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
