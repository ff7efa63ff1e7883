// Texts of three sequences as `fasta` makes them, with other random letters: 2n, 3n and 5n letters in
// lines of 60, each sequence under a header.
#ifndef ADZE_BENCH_DNA_H
#define ADZE_BENCH_DNA_H

#include <stdint.h>
#include <string.h>

enum { DNA_LINE = 60, DNA_PARTS = 3 };

static const char *const dna_heads[DNA_PARTS] = {">ONE\n", ">TWO\n", ">THREE\n"};
static const int64_t dna_shares[DNA_PARTS] = {2, 3, 5};

static inline int64_t dna_size(int64_t n)
{
    int64_t size = 0;
    for (int p = 0; p < DNA_PARTS; p++) {
        int64_t letters = dna_shares[p] * n;
        size += (int64_t)strlen(dna_heads[p]) + letters + (letters + DNA_LINE - 1) / DNA_LINE;
    }
    return size;
}

// Letters of `alphabet`, which has 16.
static inline void dna_fill(int64_t n, const char *alphabet, uint8_t *out)
{
    uint64_t x = 0x9e3779b97f4a7c15u;
    for (int p = 0; p < DNA_PARTS; p++) {
        size_t head = strlen(dna_heads[p]);
        memcpy(out, dna_heads[p], head);
        out += head;
        for (int64_t left = dna_shares[p] * n; left > 0; left -= DNA_LINE) {
            for (int64_t i = 0; i < left && i < DNA_LINE; i++) {
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
                *out++ = (uint8_t)alphabet[x >> 60];
            }
            *out++ = '\n';
        }
    }
}

#endif
