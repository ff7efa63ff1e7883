#include <stdint.h>
#include <string.h>

enum { LINE = 60 };

void peer_reverse_complement(int64_t n, const uint8_t *restrict in, uint8_t *restrict out);

static void fill_complements(uint8_t table[256])
{
    static const char from[] = "ACGTUMRWSYKVHDBN", to[] = "TGCAAKYWSRMBDHVN";
    for (int i = 0; i < 256; i++) table[i] = (uint8_t)i;
    for (int i = 0; from[i]; i++) table[(uint8_t)from[i]] = table[from[i] | 32] = (uint8_t)to[i];
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// `size` bytes of lines of LINE letters, the last perhaps shorter, each with its break. What is
// neither broken where it is read nor where it is written is reversed at a stretch.
static void reverse_lines(int64_t size, const uint8_t *table, const uint8_t *restrict in,
                          uint8_t *restrict out)
{
    int64_t left = size - (size + LINE) / (LINE + 1); // letters to be written
    int64_t here = (left - 1) % LINE + 1;             // letters to be read of a line
    const uint8_t *from = in + size - 1;
    while (left > 0) {
        int64_t there = least(left, LINE); // letters to be written of a line
        left -= there;
        while (there > 0) {
            int64_t run = least(here, there);
            for (int64_t i = 0; i < run; i++) *out++ = table[*--from];
            there -= run;
            here -= run;
            if (here == 0) {
                here = LINE;
                from--;
            }
        }
        *out++ = '\n';
    }
}

// Sequences, each under its header.
void peer_reverse_complement(int64_t n, const uint8_t *restrict in, uint8_t *restrict out)
{
    uint8_t table[256];
    fill_complements(table);
    for (int64_t at = 0; at < n;) {
        const uint8_t *line = memchr(in + at, '\n', (size_t)(n - at));
        int64_t begin = line + 1 - in;
        const uint8_t *next = memchr(in + begin, '>', (size_t)(n - begin));
        int64_t end = next ? next - in : n;
        memcpy(out + at, in + at, (size_t)(begin - at));
        reverse_lines(end - begin, table, in + begin, out + begin);
        at = end;
    }
}
