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
    void *mapping; // the start of a large block's mapping; NULL if the block is from calloc
    size_t mapped; // the size of the mapping
    _Alignas(16) char bytes[];
};

// A memory account shared by related arenas.
typedef struct {
    Arena *beside; // list of the other arenas that share the account
    size_t taken;  // bytes that the arenas have taken from the system
    size_t limit;  // 0 if there is no limit
    ArenaFull *full;
    void *env;
} Account;

struct Arena {
    Block *blocks;
    size_t bytes;           // bytes requested
    Account own, *account;  // account is &own, or that of the arena this one was created beside
    Arena *previous, *next; // neighbours in account->beside
};

#ifdef ADZE_DEBUG
enum { FIRST_BLOCK = 0 };
#else
enum { FIRST_BLOCK = 1 << 9 }; // scratch arenas are often smaller still
#endif
static const size_t LARGEST_BLOCK = (size_t)1 << 22, HUGE_PAGE = (size_t)1 << 21;

// Reports that memory is exhausted or that the limit has been reached. The report itself needs some
// memory; if that allocation fails too, only a single line is printed.
_Noreturn static void exhausted(Account *account, size_t bytes)
{
    ArenaFull *full = account->full;
    account->full = NULL;
    account->limit = 0;
    if (full) full(account->env, bytes);
    fputs("adze: out of memory\n", stderr);
    exit(1);
}

static void take(Account *account, size_t bytes)
{
    size_t limit = account->limit;
    if (limit && (account->taken > limit || bytes > limit - account->taken))
        exhausted(account, limit);
    account->taken += bytes;
}

Arena *arena_new(void)
{
    Arena *a = calloc(1, sizeof *a);
    if (!a) exhausted(&(Account){0}, 0);
    a->account = &a->own;
    return a;
}

Arena *arena_new_beside(Arena *beside)
{
    Account *account = beside->account;
    Arena *a = calloc(1, sizeof *a);
    if (!a) exhausted(account, account->taken);
    a->account = account;
    a->next = account->beside;
    if (a->next) a->next->previous = a;
    account->beside = a;
    return a;
}

void arena_limit(Arena *a, size_t bytes, ArenaFull *full, void *env)
{
    Account *account = a->account;
    account->limit = bytes;
    account->full = full;
    account->env = env;
}

static void leave(Arena *a)
{
    if (a->previous)
        a->previous->next = a->next;
    else
        a->account->beside = a->next;
    if (a->next) a->next->previous = a->previous;
}

// Frees the blocks that were added after `last`.
static void free_blocks(Arena *a, Block *last)
{
    while (a->blocks != last) {
        Block *b = a->blocks;
        a->blocks = b->next;
        a->account->taken -= sizeof(Block) + b->size;
        if (b->mapping)
            munmap(b->mapping, b->mapped);
        else
            free(b);
    }
}

void arena_delete(Arena *a)
{
    if (!a) return;
    while (a->own.beside) arena_delete(a->own.beside);
    if (a->account != &a->own) leave(a);
    free_blocks(a, NULL);
    free(a);
}

// Requests huge pages for large blocks, because page faults on small pages would dominate short
// compilations.
static Block *map_block(size_t size)
{
    size_t mapped = (sizeof(Block) + size + 2 * HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    char *p = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return NULL;
    size_t skip = (HUGE_PAGE - (uintptr_t)p % HUGE_PAGE) % HUGE_PAGE;
#ifdef MADV_HUGEPAGE
    (void)madvise(p + skip, mapped - HUGE_PAGE, MADV_HUGEPAGE); // a hint; failure costs only time
#endif
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
    take(a->account, sizeof(Block) + size);
    Block *b = large ? map_block(size) : calloc(1, sizeof(Block) + size);
    if (!b) exhausted(a->account, a->account->taken);
    if (large)
        a->account->taken += b->size - size; // the mapping may be a few pages larger
    else
        b->size = size;
    b->next = a->blocks;
    a->blocks = b;
    return b;
}

void *arena_alloc(Arena *a, size_t size)
{
    if (size > SIZE_MAX / 4) exhausted(a->account, a->account->taken);
    size_t rounded = (size + 15) & ~(size_t)15;
    Block *b = a->blocks;
    a->bytes += size;
    // A debug block is exactly as large as its object, so that ASan reports reads past its end.
    if (FIRST_BLOCK == 0) {
        b = add_block(a, size ? size : 1);
        b->used = b->size;
        return b->bytes;
    }
    if (!b || b->size - b->used < rounded) b = add_block(a, rounded);
    void *p = b->bytes + b->used;
    b->used += rounded;
    return p;
}

// The copies of the blocks' used bytes follow one another, in the order of the list.
struct ArenaMark {
    Arena arena;
    size_t used; // of the first block; the others are full
    char bytes[];
};

ArenaMark *arena_mark(const Arena *a)
{
    size_t size = 0;
    for (const Block *b = a->blocks; b; b = b->next) size += b->used;
    ArenaMark *mark = malloc(sizeof *mark + size);
    if (!mark) exhausted(a->account, a->account->taken);
    mark->arena = *a;
    mark->used = a->blocks ? a->blocks->used : 0;
    char *to = mark->bytes;
    for (const Block *b = a->blocks; b; b = b->next) {
        memcpy(to, b->bytes, b->used);
        to += b->used;
    }
    return mark;
}

void arena_return(Arena *a, const ArenaMark *mark)
{
    while (a->own.beside) arena_delete(a->own.beside);
    free_blocks(a, mark->arena.blocks);
    Block *first = a->blocks;
    if (first) {
        memset(first->bytes + mark->used, 0, first->used - mark->used);
        first->used = mark->used;
    }
    const char *from = mark->bytes;
    for (Block *b = first; b; b = b->next) {
        memcpy(b->bytes, from, b->used);
        from += b->used;
    }
    *a = mark->arena;
}

void arena_mark_delete(ArenaMark *mark)
{
    free(mark);
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
