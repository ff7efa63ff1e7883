#define PCRE2_CODE_UNIT_WIDTH 8
#include "pattern.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *pattern, *replacement;
} table[PATTERNS] = {
    {"agggtaaa|tttaccct", NULL},
    {"[cgt]gggtaaa|tttaccc[acg]", NULL},
    {"a[act]ggtaaa|tttacc[agt]t", NULL},
    {"ag[act]gtaaa|tttac[agt]ct", NULL},
    {"agg[act]taaa|ttta[agt]cct", NULL},
    {"aggg[acg]aaa|ttt[cgt]ccct", NULL},
    {"agggt[cgt]aa|tt[acg]accct", NULL},
    {"agggta[cgt]a|t[acg]taccct", NULL},
    {"agggtaa[cgt]|[acg]ttaccct", NULL},
    {">.*\\n|\\n", ""},
    {"tHa[Nt]", "<4>"},
    {"aND|caN|Ha[DS]|WaS", "<3>"},
    {"a[NSt]|BY", "<2>"},
    {"<[^>]*>", "|"},
    {"\\|[^|][^|]*\\|", "-"},
};

typedef struct {
    pcre2_code *code;
    pcre2_match_data *match;
    const uint8_t *text;
    size_t size, at; // the search goes on at `at`
} Finder;

static Finder finder(int32_t pattern, const uint8_t *text, int64_t size)
{
    int error;
    PCRE2_SIZE offset;
    Finder f = {.text = text, .size = (size_t)size};
    f.code = pcre2_compile((PCRE2_SPTR)table[pattern].pattern, PCRE2_ZERO_TERMINATED, 0, &error,
                           &offset, NULL);
    if (!f.code || pcre2_jit_compile(f.code, PCRE2_JIT_COMPLETE)) abort();
    f.match = pcre2_match_data_create_from_pattern(f.code, NULL);
    return f;
}

// The next match, or NULL; none of the patterns matches the empty text.
static const PCRE2_SIZE *find(Finder *f)
{
    if (pcre2_jit_match(f->code, f->text, f->size, f->at, 0, f->match, NULL) < 0) return NULL;
    const PCRE2_SIZE *place = pcre2_get_ovector_pointer(f->match);
    f->at = place[1];
    return place;
}

static void finish(Finder *f)
{
    pcre2_match_data_free(f->match);
    pcre2_code_free(f->code);
}

int64_t pattern_count(int64_t m, int32_t pattern, const uint8_t *text, int64_t size)
{
    (void)m;
    Finder f = finder(pattern, text, size);
    int64_t count = 0;
    while (find(&f)) count++;
    finish(&f);
    return count;
}

int64_t pattern_replace(int64_t m, int32_t pattern, const uint8_t *text, int64_t size, uint8_t *out)
{
    (void)m;
    Finder f = finder(pattern, text, size);
    const char *replacement = table[pattern].replacement;
    size_t length = strlen(replacement), done = 0;
    uint8_t *to = out;
    for (const PCRE2_SIZE *place; (place = find(&f)); done = place[1]) {
        memcpy(to, text + done, place[0] - done);
        to += place[0] - done;
        memcpy(to, replacement, length);
        to += length;
    }
    memcpy(to, text + done, f.size - done);
    finish(&f);
    return to + (f.size - done) - out;
}
