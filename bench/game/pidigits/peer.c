#include <gmp.h>
#include <stdint.h>

void peer_pidigits(int64_t n, uint8_t *digits);

typedef struct {
    mpz_t num, acc, den, t;
} State;

// (num * k + acc) / den
static unsigned long extract(State *s, unsigned long k)
{
    mpz_mul_ui(s->t, s->num, k);
    mpz_add(s->t, s->t, s->acc);
    mpz_tdiv_q(s->t, s->t, s->den);
    return mpz_get_ui(s->t);
}

static void next_term(State *s, unsigned long k)
{
    mpz_addmul_ui(s->acc, s->num, 2);
    mpz_mul_ui(s->acc, s->acc, 2 * k + 1);
    mpz_mul_ui(s->den, s->den, 2 * k + 1);
    mpz_mul_ui(s->num, s->num, k);
}

static void eliminate(State *s, unsigned long digit)
{
    mpz_submul_ui(s->acc, s->den, digit);
    mpz_mul_ui(s->acc, s->acc, 10);
    mpz_mul_ui(s->num, s->num, 10);
}

// The spigot of Rabinowitz and Wagon, without bound, as Gibbons has it.
void peer_pidigits(int64_t n, uint8_t *digits)
{
    State s;
    mpz_init_set_ui(s.num, 1);
    mpz_init_set_ui(s.acc, 0);
    mpz_init_set_ui(s.den, 1);
    mpz_init(s.t);
    int64_t at = 0;
    for (unsigned long k = 1; at < n; k++) {
        next_term(&s, k);
        if (mpz_cmp(s.num, s.acc) > 0) continue;
        unsigned long digit = extract(&s, 3);
        if (digit != extract(&s, 4)) continue;
        digits[at++] = (uint8_t)digit;
        eliminate(&s, digit);
    }
    mpz_clears(s.num, s.acc, s.den, s.t, NULL);
}
