// Words that cannot be identifiers in C or C++.
#ifndef ADZE_BASE_C_WORD_H
#define ADZE_BASE_C_WORD_H

#include <stdbool.h>

/// Whether the word is reserved in C.
bool c_word_is(const char *text);
/// Whether the word is reserved in C++ but not in C.
bool c_word_is_of_cpp(const char *text);

/// Whether a C library header may define the word as an object-like macro, such as INT32_MAX, NULL
/// or M_PI. Function-like macros such as isnan do not count, as they expand only before a
/// parenthesis.
bool c_word_is_macro(const char *text);

#endif
