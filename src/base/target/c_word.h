// Words that cannot be identifiers in C or C++.
#ifndef ADZE_BASE_C_WORD_H
#define ADZE_BASE_C_WORD_H

#include <stdbool.h>

/// Whether the word is reserved in C; whether it is reserved in C++ only.
bool c_word_is(const char *text);
bool c_word_is_of_cpp(const char *text);

/// Whether a header of C's library may define the word as an object-like macro: INT32_MAX, NULL,
/// M_PI. Function-like macros, such as isnan, do not count, as they expand only before parentheses.
bool c_word_is_macro(const char *text);

#endif
