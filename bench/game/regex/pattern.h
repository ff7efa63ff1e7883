// Regular expressions by number, as both sides use them.
#ifndef ADZE_BENCH_PATTERN_H
#define ADZE_BENCH_PATTERN_H

#include <stdint.h>

enum { PATTERN_VARIANTS = 9, PATTERN_STRIP = 9, PATTERN_CODES = 10, PATTERNS = 15 };

/// How often pattern number `pattern` is found in the first `size` bytes of a text that has room for m.
int64_t pattern_count(int64_t m, int32_t pattern, const uint8_t *text, int64_t size);

/// Writes the text with what is found replaced by what belongs to the pattern, and gives its size.
int64_t pattern_replace(int64_t m, int32_t pattern, const uint8_t *text, int64_t size,
                        uint8_t *out);

#endif
