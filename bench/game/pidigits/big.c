#include "big.h"

#include <gmp.h>

static mpz_t variables[BIG_VARIABLES];

__attribute__((constructor)) static void init(void)
{
    for (int i = 0; i < BIG_VARIABLES; i++) mpz_init(variables[i]);
}

void big_set(int32_t r, uint64_t k)
{
    mpz_set_ui(variables[r], k);
}

void big_add(int32_t r, int32_t a, int32_t b)
{
    mpz_add(variables[r], variables[a], variables[b]);
}

void big_mul(int32_t r, int32_t a, uint64_t k)
{
    mpz_mul_ui(variables[r], variables[a], k);
}

void big_add_mul(int32_t r, int32_t a, uint64_t k)
{
    mpz_addmul_ui(variables[r], variables[a], k);
}

void big_sub_mul(int32_t r, int32_t a, uint64_t k)
{
    mpz_submul_ui(variables[r], variables[a], k);
}

void big_div(int32_t r, int32_t a, int32_t b)
{
    mpz_tdiv_q(variables[r], variables[a], variables[b]);
}

int32_t big_compare(int32_t a, int32_t b)
{
    return mpz_cmp(variables[a], variables[b]);
}

uint64_t big_low(int32_t a)
{
    return mpz_get_ui(variables[a]);
}
