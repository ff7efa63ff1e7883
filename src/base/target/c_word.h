// Words that are no names in C, or in C++.
#ifndef ADZE_BASE_C_WORD_H
#define ADZE_BASE_C_WORD_H

#include <stdbool.h>

/// Whether C has a meaning for the word; whether C++ has one that C does not know.
bool c_word_is(const char *text);
bool c_word_is_of_cpp(const char *text);

/// Whether a header of C's library may replace the word: INT32_MAX, NULL, M_PI. Others, like isnan,
/// are replaced before parentheses only.
bool c_word_is_macro(const char *text);

#endif
