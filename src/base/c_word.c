#include "base/c_word.h"

#include <stddef.h>
#include <string.h>

static const char *const words[] = {
#define C_WORD(text) text,
#define CPP_WORD(text)
#include "base/c_word.def"
#undef C_WORD
#undef CPP_WORD
};

static const char *const cpp_words[] = {
#define C_WORD(text)
#define CPP_WORD(text) text,
#include "base/c_word.def"
#undef C_WORD
#undef CPP_WORD
};

static bool is_among(const char *const *list, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], text) == 0) return true;
    return false;
}

bool c_word_is(const char *text)
{
    return is_among(words, sizeof words / sizeof *words, text);
}

bool c_word_is_of_cpp(const char *text)
{
    return is_among(cpp_words, sizeof cpp_words / sizeof *cpp_words, text);
}

bool c_word_is_macro(const char *text)
{
    static const char *const whole[] = {"NAN", "INFINITY", "NULL", "EOF", "errno", "unix", "linux"};
    static const char *const starts[] = {"INT",   "UINT", "SIZE_", "PTRDIFF_", "WCHAR_",
                                         "WINT_", "FLT_", "DBL_",  "LDBL_",    "HUGE_",
                                         "M_",    "FP_",  "SIG"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(text, starts[i], strlen(starts[i])) == 0) return true;
    return is_among(whole, sizeof whole / sizeof *whole, text);
}
