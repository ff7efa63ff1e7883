#include <stdint.h>
#include <string.h>

enum { LINE = 60, ALU = 287, LETTERS = 16, COARSE = 32 };
enum { MODULUS = 139968, FACTOR = 3877, OFFSET = 29573 };

// The pieces of `texts`: three headers, the alphabet of the second part, and the repeated text.
enum { HEADS = 3, ALPHABET = 77, ALU_AT = 92 };
static const int head_sizes[HEADS] = {22, 25, 30};

void peer_fasta(int64_t n, const uint8_t *texts, uint8_t *out);

// Which letter a random number stands for: `coarse` gives the first candidate.
typedef struct {
    const uint8_t *letters;
    uint32_t below[LETTERS];
    uint8_t coarse[MODULUS / COARSE + 1];
} Choice;

static void make_choice(Choice *c, int count, const double *chances, const uint8_t *letters)
{
    double sum = 0;
    c->letters = letters;
    for (int i = 0; i < count; i++) {
        sum += chances[i];
        c->below[i] = i == count - 1 ? MODULUS : (uint32_t)(sum * MODULUS) + 1;
    }
    uint8_t first = 0;
    for (uint32_t i = 0; i <= MODULUS / COARSE; i++) {
        while (c->below[first] <= COARSE * i && first < count - 1) first++;
        c->coarse[i] = first;
    }
}

static uint8_t *repeated(uint8_t *out, int64_t n, const uint8_t *alu)
{
    uint8_t text[ALU + LINE];
    memcpy(text, alu, ALU);
    memcpy(text + ALU, alu, LINE);
    for (int64_t at = 0; n > 0; n -= LINE, at = (at + LINE) % ALU) {
        int64_t size = n < LINE ? n : LINE;
        memcpy(out, text + at, (size_t)size);
        out += size;
        *out++ = '\n';
    }
    return out;
}

static uint8_t *chosen(uint8_t *out, int64_t n, const Choice *c, uint32_t *seed)
{
    uint32_t r = *seed;
    for (; n > 0; n -= LINE) {
        int64_t size = n < LINE ? n : LINE;
        for (int64_t i = 0; i < size; i++) {
            r = (r * FACTOR + OFFSET) % MODULUS;
            int k = c->coarse[r / COARSE];
            while (c->below[k] <= r) k++;
            *out++ = c->letters[k];
        }
        *out++ = '\n';
    }
    *seed = r;
    return out;
}

static uint8_t *header(uint8_t *out, const uint8_t **texts, int size)
{
    memcpy(out, *texts, (size_t)size);
    *texts += size;
    return out + size;
}

void peer_fasta(int64_t n, const uint8_t *texts, uint8_t *out)
{
    static const double iub[] = {0.27, 0.12, 0.12, 0.27, 0.02, 0.02, 0.02, 0.02,
                                 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02};
    static const double homo[] = {0.3029549426680, 0.1979883004921, 0.1975473066391,
                                  0.3015094502008};
    const uint8_t *alphabet = texts + ALPHABET, *alu = texts + ALU_AT;
    uint32_t seed = 42;
    Choice choice;
    out = header(out, &texts, head_sizes[0]);
    out = repeated(out, 2 * n, alu);
    out = header(out, &texts, head_sizes[1]);
    make_choice(&choice, 15, iub, alphabet);
    out = chosen(out, 3 * n, &choice, &seed);
    out = header(out, &texts, head_sizes[2]);
    make_choice(&choice, 4, homo, alphabet);
    chosen(out, 5 * n, &choice, &seed);
}
