// Compiled code by what it is made of: C text, compiler, version and flags. An entry of the cache
// is one file that appears complete under its name, so that programs running at the same time share
// it.
#include "driver/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

static void add_part(XXH3_state_t *state, const char *text, size_t len)
{
    uint64_t size = len; // lengths keep "ab" "c" apart from "a" "bc"
    XXH3_128bits_update(state, &size, sizeof size);
    XXH3_128bits_update(state, text, len);
}

// 32 hexadecimal digits.
static const char *cache_key(Session *cx, const HostOptions *h, const Compiler *cc,
                             const Text *source, const Text *header)
{
    XXH3_state_t *state = XXH3_createState();
    if (!state) return NULL;
    XXH3_128bits_reset(state);
    add_part(state, text_get(source), source->len);
    add_part(state, text_get(header), header->len);
    add_part(state, cc->version, strlen(cc->version));
    Strings flags = host_flags(cx, h, false);
    for (int i = 0; i < cc->command.len; i++)
        add_part(state, cc->command.at[i], strlen(cc->command.at[i]));
    for (int i = 0; i < flags.len; i++) add_part(state, flags.at[i], strlen(flags.at[i]));
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    return arena_printf(cx->arena, "%016llx%016llx", (unsigned long long)hash.high64,
                        (unsigned long long)hash.low64);
}

// The folder of the cache, NULL when the environment names none.
static const char *cache_dir(Session *cx, const HostOptions *h)
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (h->cache) return h->cache;
    if (xdg && *xdg == '/') return path_join(cx->arena, xdg, "adze");
    if (home && *home) return path_join(cx->arena, home, ".cache/adze");
    return NULL;
}

static const char *new_folder(Session *cx, const char *dir)
{
    char *path = arena_printf(cx->arena, "%s/tmp-XXXXXX", dir);
    return mkdtemp(path) ? path : NULL;
}

static const char *new_system_folder(Session *cx)
{
    const char *base = getenv("TMPDIR");
    char *path = arena_printf(cx->arena, "%s/adze-XXXXXX", base && *base ? base : "/tmp");
    if (mkdtemp(path)) return path;
    Diag *d = diag_error(cx, E0706, NO_SPAN, "no temporary folder can be made: %s: %s", path,
                         strerror(errno));
    diag_help(cx, d, "let the environment variable TMPDIR name a folder that can be written to");
    return NULL;
}

// A folder to compile in: inside the cache, so that the result can be renamed into it; *kept says
// whether that worked.
static const char *work_folder(Session *cx, const HostOptions *h, const char *cache, bool *kept)
{
    *kept = false;
    if (h->no_cache || !cache) return new_system_folder(cx);
    const char *folder = path_make_dirs(cache) ? new_folder(cx, cache) : NULL;
    if (folder) {
        *kept = true;
        return folder;
    }
    Diag *d =
        diag_warning(cx, E0720, NO_SPAN, "the cache %s cannot be used: %s", cache, strerror(errno));
    diag_help(cx, d, "name another folder with --cache, or say --no-cache");
    return new_system_folder(cx);
}

// Writes the C into `folder` and compiles it there. What a failed compiler was given stays.
static const char *compile_in(Session *cx, const HostOptions *h, const Compiler *cc,
                              const char *folder, const char *name, const Text *source,
                              const Text *header)
{
    FileText files[] = {
        {arena_printf(cx->arena, "%s/%s.h", folder, name), text_get(header), header->len},
        {arena_printf(cx->arena, "%s/%s.c", folder, name), text_get(source), source->len},
    };
    const char *library = arena_printf(cx->arena, "%s/%s.so", folder, name);
    cleanup_add(h->cleanup, folder);
    bool written = files_write(cx, h->cleanup, files, 2);
    bool good = written && host_compile(cx, h, cc, false, files[1].path, library);
    if (!written) remove_path(folder);
    if (!good) cleanup_drop(h->cleanup, folder);
    return good ? library : NULL;
}

const char *cache_library(Session *cx, const HostOptions *h, const char *name, const Text *source,
                          const Text *header, const char **temporary)
{
    *temporary = NULL;
    Compiler cc;
    if (!host_find(cx, h, &cc)) return NULL;
    const char *key = cache_key(cx, h, &cc, source, header), *cache = cache_dir(cx, h);
    const char *entry = key && cache ? arena_printf(cx->arena, "%s/%s.so", cache, key) : NULL;
    if (entry && !h->no_cache && access(entry, R_OK) == 0) return entry;
    bool kept;
    const char *folder = work_folder(cx, h, cache, &kept);
    if (!folder) return NULL;
    const char *library = compile_in(cx, h, &cc, folder, name, source, header);
    if (!library) return NULL;
    if (kept && entry && rename(library, entry) == 0) {
        remove_path(folder);
        cleanup_drop(h->cleanup, folder);
        return entry;
    }
    *temporary = folder;
    return library;
}
