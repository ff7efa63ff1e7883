// Long integers by number, for programs that cannot hold them: variables 0 to BIG_VARIABLES - 1.
#ifndef ADZE_BENCH_BIG_H
#define ADZE_BENCH_BIG_H

#include <stdint.h>

enum { BIG_VARIABLES = 4 };

/// r = k
void big_set(int32_t r, uint64_t k);
/// r = a + b
void big_add(int32_t r, int32_t a, int32_t b);
/// r = a * k
void big_mul(int32_t r, int32_t a, uint64_t k);
/// r += a * k
void big_add_mul(int32_t r, int32_t a, uint64_t k);
/// r -= a * k
void big_sub_mul(int32_t r, int32_t a, uint64_t k);
/// r = a / b, for numbers that are not negative
void big_div(int32_t r, int32_t a, int32_t b);
/// Below, at or above 0 as a is less than, equal to or greater than b.
int32_t big_compare(int32_t a, int32_t b);
/// The lowest 64 bits.
uint64_t big_low(int32_t a);

#endif
