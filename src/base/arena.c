// Arena: blocks of doubling size in release builds, one malloc per object in debug builds.
#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct Block Block;
struct Block {
    Block *next;
    size_t used, size;
    void *mapping; // of a large block; NULL: from calloc
    size_t mapped;
    _Alignas(16) char bytes[];
};

struct Arena {
    Block *blocks;
    size_t bytes; // that were asked for
};

#ifdef ADZE_DEBUG
enum { FIRST_BLOCK = 0 };
#else
enum { FIRST_BLOCK = 1 << 12 };
#endif
static const size_t LARGEST_BLOCK = (size_t)1 << 22, HUGE_PAGE = (size_t)1 << 21;

static void *must(void *p)
{
    if (!p) {
        fputs("adze: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

Arena *arena_new(void)
{
    return must(calloc(1, sizeof(Arena)));
}

void arena_delete(Arena *a)
{
    if (!a) return;
    for (Block *b = a->blocks, *next; b; b = next) {
        next = b->next;
        if (b->mapping)
            munmap(b->mapping, b->mapped);
        else
            free(b);
    }
    free(a);
}

// Large blocks ask for huge pages: most of the time of a short compilation would go into faults on
// small ones.
static Block *map_block(size_t size)
{
    size_t mapped = (sizeof(Block) + size + 2 * HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    char *p = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) must(NULL);
    size_t skip = (HUGE_PAGE - (uintptr_t)p % HUGE_PAGE) % HUGE_PAGE;
    (void)madvise(p + skip, mapped - HUGE_PAGE, MADV_HUGEPAGE); // a hint: failing costs only time
    Block *b = (Block *)(void *)(p + skip);
    b->mapping = p;
    b->mapped = mapped;
    b->size = mapped - skip - sizeof(Block);
    return b;
}

static Block *add_block(Arena *a, size_t need)
{
    size_t size = a->blocks ? a->blocks->size * 2 : FIRST_BLOCK;
    if (size > LARGEST_BLOCK) size = LARGEST_BLOCK;
    if (FIRST_BLOCK == 0 || size < need) size = need;
    bool large = FIRST_BLOCK > 0 && size >= HUGE_PAGE;
    Block *b = large ? map_block(size) : must(calloc(1, sizeof(Block) + size));
    if (!large) b->size = size;
    b->next = a->blocks;
    a->blocks = b;
    return b;
}

void *arena_alloc(Arena *a, size_t size)
{
    if (size > SIZE_MAX / 4) must(NULL);
    size_t rounded = (size + 15) & ~(size_t)15;
    Block *b = a->blocks;
    a->bytes += size;
    // A debug block is exactly as large as its object: reading past it is then an ASan report.
    if (FIRST_BLOCK == 0) return add_block(a, size ? size : 1)->bytes;
    if (!b || b->size - b->used < rounded) b = add_block(a, rounded);
    void *p = b->bytes + b->used;
    b->used += rounded;
    return p;
}

size_t arena_bytes(const Arena *a)
{
    return a->bytes;
}

char *arena_strndup(Arena *a, const char *text, size_t len)
{
    char *copy = arena_alloc(a, len + 1);
    if (len) memcpy(copy, text, len);
    return copy;
}

char *arena_vprintf(Arena *a, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    char *text = arena_alloc(a, (size_t)(len < 0 ? 0 : len) + 1);
    if (len > 0) vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(Arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(a, format, args);
    va_end(args);
    return text;
}
