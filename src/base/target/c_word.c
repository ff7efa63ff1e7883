#include "base/target/c_word.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const char *const words[] = {
#define C_WORD(text) text,
#define CPP_WORD(text)
#include "base/target/c_word.def"
#undef C_WORD
#undef CPP_WORD
};

static const char *const cpp_words[] = {
#define C_WORD(text)
#define CPP_WORD(text) text,
#include "base/target/c_word.def"
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
    static const char *const whole[] = {
        "BIG_ENDIAN", "BUFSIZ",  "BYTE_ORDER", "EOF",   "FD_SETSIZE", "INFINITY",  "LITTLE_ENDIAN",
        "NAN",        "NFDBITS", "NULL",       "SNAN",  "PDP_ENDIAN", "P_tmpdir",  "WCONTINUED",
        "WEXITED",    "WNOHANG", "WNOWAIT",    "errno", "WSTOPPED",   "WUNTRACED", "linux",
        "stderr",     "stdin",   "stdout",     "unix"};
    static const char *const starts[] = {
        "INT_",   "INT8_",   "INT16_",   "INT32_",  "INT64_",   "INTMAX_",  "INTPTR_", "UINT_",
        "UINT8_", "UINT16_", "UINT32_",  "UINT64_", "UINTMAX_", "UINTPTR_", "SIZE_",   "PTRDIFF_",
        "WCHAR_", "WINT_",   "SIG_",     "FLT_",    "DBL_",     "LDBL_",    "HUGE_",   "M_",
        "FP_",    "MATH_",   "math_err", "EXIT_",   "RAND_",    "MB_",      "SEEK_",   "FILENAME_",
        "FOPEN_", "TMP_",    "L_tmp",    "L_cter",  "PRId",     "PRIi",     "PRIo",    "PRIu",
        "PRIx",   "PRIX",    "SCNd",     "SCNi",    "SCNo",     "SCNu",     "SCNx"};
    if (text[0] == '_' && (text[1] == '_' || isupper((unsigned char)text[1]))) return true;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(text, starts[i], strlen(starts[i])) == 0) return true;
    return is_among(whole, sizeof whole / sizeof *whole, text);
}
