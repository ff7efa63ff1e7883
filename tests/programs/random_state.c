// Random programs of the imperative half: what they mean against every level below, down to compiled C, exactly.
//
//   SEEDS=1000-2999     other seeds; ONLY=:e1234 of those only this entry
//   PROGRAM=FILE        a file instead, such as one that was made smaller
//   SHOW=1              prints the programs and checks nothing
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "programs/jobs.h"
#include "programs/random_programs.h"

enum { FIRST = 1, LAST = 80, EACH = 20 }; // seeds, and how many share a C file

static const char *programs_text(Arena *arena, uint64_t from, uint64_t to)
{
    Text out = text_new(arena);
    text_put(&out, random_declarations);
    for (uint64_t seed = from; seed <= to; seed++) random_program(&out, seed);
    return text_get(&out);
}

int main(void)
{
    const char *program = getenv("PROGRAM"), *seeds = getenv("SEEDS");
    uint64_t from = FIRST, to = LAST;
    if (seeds && sscanf(seeds, "%" SCNu64 "-%" SCNu64, &from, &to) != 2) return 2;
    Arena *arena = arena_new();
    Job *jobs = ARENA_ARRAY(arena, Job, (int)((to - from) / EACH) + 2);
    int n = 0;
    for (uint64_t seed = from; seed <= to && !program; seed += EACH) {
        uint64_t last = seed + EACH - 1 < to ? seed + EACH - 1 : to;
        const char *path = arena_printf(arena, "seeds_%" PRIu64 "-%" PRIu64, seed, last);
        jobs[n++] = (Job){.path = path, .text = programs_text(arena, seed, last)};
    }
    size_t len;
    if (program) jobs[n++] = (Job){.path = program, .text = read_file(arena, program, &len)};
    if (getenv("SHOW")) fputs(programs_text(arena, from, to), stdout);
    int failed = getenv("SHOW") ? 0 : test_jobs(arena, "random programs", jobs, n);
    arena_delete(arena);
    return failed;
}
