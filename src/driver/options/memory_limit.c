// Computes the memory limit of a session. Without a limit, the system would kill a process that
// runs out of memory, without any message.
#include "driver/options/options.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

// A file that states a limit: the first number after `key`, in units of `unit` bytes.
typedef struct {
    const char *path, *key;
    size_t unit;
} Place;

static const Place places[] = {
    {"/proc/meminfo", "MemAvailable:", 1024},
    {"/sys/fs/cgroup/memory.max", "", 1}, // the limit of a container
    {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "", 1},
};

// Returns the limit in bytes, or SIZE_MAX if the file is missing or contains no number, as when the
// limit is `max`.
static size_t bytes_at(const Place *p)
{
    FILE *f = fopen(p->path, "r");
    if (!f) return SIZE_MAX;
    char line[256];
    size_t bytes = SIZE_MAX, length = strlen(p->key);
    while (bytes == SIZE_MAX && fgets(line, sizeof line, f)) {
        unsigned long long n;
        if (strncmp(line, p->key, length) != 0 || sscanf(line + length, "%llu", &n) != 1) continue;
        if (n < SIZE_MAX / p->unit) bytes = (size_t)n * p->unit;
    }
    fclose(f);
    return bytes;
}

static size_t available(void)
{
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t bytes = bytes_at(&places[i]);
        if (bytes < least) least = bytes;
    }
    for (size_t i = 0; i < 2; i++) {
        struct rlimit r;
        if (getrlimit(i ? RLIMIT_DATA : RLIMIT_AS, &r) != 0 || r.rlim_cur == RLIM_INFINITY)
            continue;
        if (r.rlim_cur < least) least = (size_t)r.rlim_cur;
    }
    return least;
}

size_t memory_limit(const Options *o)
{
    const char *given = option_value(o, OPT_MEMORY);
    if (given) {
        unsigned long long mb = strtoull(given, NULL, 10); // ULLONG_MAX on overflow
        return mb < SIZE_MAX >> 20 ? (size_t)mb << 20 : 0;
    }
    size_t bytes = available();
    return bytes == SIZE_MAX ? 0 : bytes / 4 * 3;
}
