// Caches compiled code. The key of an entry is a hash of the C source, the compiler with its
// version, and the flags. An entry is a single file that is renamed into place, so that several
// processes can share the cache.
#include "driver/host/host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "array_internal.h"

static void add_part(XXH3_state_t *state, const char *text, size_t len)
{
    uint64_t size = len; // distinguishes "ab" "c" from "a" "bc"
    XXH3_128bits_update(state, &size, sizeof size);
    XXH3_128bits_update(state, text, len);
}

static XXH3_state_t *hash_new(void)
{
    XXH3_state_t *state = XXH3_createState();
    if (state) XXH3_128bits_reset(state);
    return state;
}

// Returns the hash as 32 hexadecimal digits, and frees the state.
static const char *hash_finish(Session *cx, XXH3_state_t *state)
{
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    return arena_printf(cx->arena, "%016llx%016llx", (unsigned long long)hash.high64,
                        (unsigned long long)hash.low64);
}

static const char *cache_key(Session *cx, const HostOptions *h, const Compiler *cc,
                             const Text *source, const Text *header)
{
    XXH3_state_t *state = hash_new();
    if (!state) return NULL;
    add_part(state, text_get(source), source->len);
    add_part(state, text_get(header), header->len);
    add_part(state, cc->version, strlen(cc->version));
    Strings flags = host_flags(cx, h, false);
    for (int i = 0; i < cc->command.len; i++)
        add_part(state, cc->command.at[i], strlen(cc->command.at[i]));
    for (int i = 0; i < flags.len; i++) add_part(state, flags.at[i], strlen(flags.at[i]));
    return hash_finish(cx, state);
}

// --- entries -----------------------------------------------------------------------------------

static bool append_checksum(const char *path)
{
    AdzeBytes bytes;
    if (!adze_input_read_all(path, &bytes, NULL)) return false;
    XXH128_canonical_t sum;
    XXH128_canonicalFromHash(&sum, XXH3_128bits(bytes.at, bytes.len));
    free(bytes.at);
    FILE *f = fopen(path, "ab");
    if (!f) return false;
    bool good = fwrite(&sum, sizeof sum, 1, f) == 1;
    return fclose(f) == 0 && good;
}

static bool is_whole(const char *path)
{
    AdzeBytes bytes;
    if (access(path, R_OK) != 0 || !adze_input_read_all(path, &bytes, NULL)) return false;
    XXH128_canonical_t sum;
    bool whole = bytes.len > sizeof sum;
    if (whole) {
        size_t len = bytes.len - sizeof sum;
        XXH128_canonicalFromHash(&sum, XXH3_128bits(bytes.at, len));
        whole = memcmp(&sum, bytes.at + len, sizeof sum) == 0;
    }
    free(bytes.at);
    return whole;
}

// --- folders -----------------------------------------------------------------------------------

// Returns the cache folder, or NULL if neither the options nor the environment names one. Compiled
// code keeps its kernels there, too (adze_device_key_of in runtime/adze_device.h).
static const char *cache_dir(Session *cx, const HostOptions *h)
{
    const char *own = getenv("ADZE_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (h->cache) return h->cache;
    if (own) return *own ? own : NULL;
    if (xdg && *xdg == '/') return path_join(cx->arena, xdg, "adze");
    if (home && *home) return path_join(cx->arena, home, ".cache/adze");
    return NULL;
}

const char *cache_path(Session *cx, const HostOptions *h, const char *name)
{
    const char *dir = cache_dir(cx, h);
    return dir ? path_join(cx->arena, dir, name) : NULL;
}

static const char *lock_of(Session *cx, const char *folder)
{
    return arena_printf(cx->arena, "%s/lock", folder);
}

// Whether `folder` is left over and can be removed. A process that compiles in a folder holds the
// lock on a file in it, which it unlinks before releasing the lock. A folder without this file
// contains a C file that a compiler rejected, or belongs to a process that was killed before it
// held the lock. Such a folder is kept for a day.
static bool is_stale(Session *cx, const char *folder)
{
    enum { DAY = 24 * 60 * 60 };
    struct stat info;
    int fd = open(lock_of(cx, folder), O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT && stat(folder, &info) == 0 && S_ISDIR(info.st_mode) &&
               time(NULL) - info.st_mtime > DAY;
    bool stale = flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &info) == 0 && info.st_nlink != 0;
    close(fd);
    return stale;
}

// Removes the folders of processes that were killed.
static void remove_stale(Session *cx, const char *dir)
{
    DIR *entries = opendir(dir);
    if (!entries) return;
    for (struct dirent *e; (e = readdir(entries));) {
        if (strncmp(e->d_name, "tmp-", 4) != 0) continue;
        const char *folder = path_join(cx->arena, dir, e->d_name);
        if (is_stale(cx, folder)) remove_path(folder);
    }
    closedir(entries);
}

// Creates the file that locks `folder`. Returns its descriptor, or -1 on failure. The file gets its
// final name only once it is locked, since other processes remove a folder whose lock file is not
// locked.
static int lock_folder(Session *cx, const char *folder)
{
    const char *unnamed = path_join(cx->arena, folder, "lock.new");
    int lock = open(unnamed, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0) return -1;
    if (flock(lock, LOCK_EX | LOCK_NB) == 0 && rename(unnamed, lock_of(cx, folder)) == 0)
        return lock;
    unlink(unnamed);
    close(lock);
    return -1;
}

// Creates a new folder in the cache. Sets *lock to the descriptor that locks it, or to -1 if
// locking failed.
static const char *new_folder(Session *cx, const HostOptions *h, const char *dir, int *lock)
{
    char *path = arena_printf(cx->arena, "%s/tmp-XXXXXX", dir);
    remove_stale(cx, dir);
    if (!cleanup_make_folder(h->cleanup, path)) return NULL;
    *lock = lock_folder(cx, path);
    return path;
}

static void unlock(Session *cx, const char *folder, int *lock)
{
    if (*lock < 0) return;
    unlink(lock_of(cx, folder));
    close(*lock);
    *lock = -1;
}

static const char *new_system_folder(Session *cx, const HostOptions *h)
{
    const char *base = getenv("TMPDIR");
    char *path = arena_printf(cx->arena, "%s/adze-XXXXXX", base && *base ? base : "/tmp");
    if (cleanup_make_folder(h->cleanup, path)) return path;
    Diag *d = diag_error(cx, E0706, NO_SPAN, "cannot create a temporary folder: %s: %s", path,
                         strerror(errno));
    diag_help(cx, d, "set the environment variable TMPDIR to a folder with write permission");
    return NULL;
}

// Whether the disk of `folder` has room for `source` bytes of C and the library built from them. If
// not, sets errno to ENOSPC. Returns true for file systems that do not count their blocks.
static bool has_room(const char *folder, size_t source)
{
    enum { SMALL_LIBRARY = 64 << 10, LIBRARY_PER_SOURCE = 4 };
    struct statvfs disk;
    if (statvfs(folder, &disk) != 0 || disk.f_blocks == 0) return true;
    errno = ENOSPC;
    return (double)disk.f_bavail * (double)disk.f_frsize >=
           (double)source * LIBRARY_PER_SOURCE + SMALL_LIBRARY;
}

static const char *folder_elsewhere(Session *cx, const HostOptions *h, const char *cache)
{
    Diag *d =
        diag_warning(cx, E0720, NO_SPAN, "the cache %s cannot be used: %s", cache, strerror(errno));
    diag_help(cx, d, "choose another folder with --cache, or write --no-cache");
    return new_system_folder(cx, h);
}

// Creates a folder to compile in. Sets *kept if it is inside the cache, so that the library can be
// renamed into the cache.
static const char *work_folder(Session *cx, const HostOptions *h, const char *cache, size_t source,
                               bool *kept, int *lock)
{
    *kept = false;
    if (h->no_cache || !cache) return new_system_folder(cx, h);
    const char *folder =
        path_make_dirs(cache) && has_room(cache, source) ? new_folder(cx, h, cache, lock) : NULL;
    *kept = folder != NULL;
    return folder ? folder : folder_elsewhere(cx, h, cache);
}

// --- known sizes ---------------------------------------------------------------------------------

// Returns the path of a file in the cache that is named after the hash of the C source and the
// sizes, or NULL if there is no cache.
static const char *note_path(Session *cx, const HostOptions *h, const Text *source,
                             const Text *sizes, const char *extension)
{
    const char *dir = h->no_cache ? NULL : cache_dir(cx, h);
    XXH3_state_t *state = dir && path_make_dirs(dir) ? hash_new() : NULL;
    if (!state) return NULL;
    add_part(state, text_get(source), source->len);
    add_part(state, text_get(sizes), sizes->len);
    return arena_printf(cx->arena, "%s/%s.%s", dir, hash_finish(cx, state), extension);
}

// Creates an empty file.
bool cache_first(Session *cx, const HostOptions *h, const Text *source, const Text *sizes)
{
    const char *note = note_path(cx, h, source, sizes, "met");
    int fd = note ? open(note, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    if (fd >= 0) close(fd);
    return fd >= 0;
}

double cache_duration(Session *cx, const HostOptions *h, const Text *source, const Text *sizes)
{
    const char *note = note_path(cx, h, source, sizes, "took");
    FILE *f = note ? fopen(note, "r") : NULL;
    double seconds = 0;
    if (f && (fscanf(f, "%lf", &seconds) != 1 || !(seconds > 0))) seconds = 0;
    if (f) fclose(f);
    return seconds;
}

void cache_record(Session *cx, const HostOptions *h, const Text *source, const Text *sizes,
                  double seconds)
{
    const char *note = note_path(cx, h, source, sizes, "took");
    AdzeOutput out;
    char text[40];
    if (!note || !adze_output_open(&out, note, NULL)) return;
    int len = snprintf(text, sizeof text, "%.3f\n", seconds);
    adze_output_close(&out, adze_output_write(&out, text, (size_t)len));
}

// --- compiling ---------------------------------------------------------------------------------

// Writes the C into `folder` and compiles it there. A C file that the compiler rejects is kept.
static HostResult compile_in(Session *cx, const HostOptions *h, const Compiler *cc,
                             const char *folder, const char *name, const Text *source,
                             const Text *header)
{
    FileText files[] = {
        {arena_printf(cx->arena, "%s/%s.h", folder, name), text_get(header), header->len},
        {arena_printf(cx->arena, "%s/%s.c", folder, name), text_get(source), source->len},
    };
    const char *library = arena_printf(cx->arena, "%s/%s.so", folder, name);
    HostResult result = HOST_STOPPED;
    if (files_write(cx, h->cleanup, files, 2))
        result = host_compile(cx, h, cc, false, files[1].path, library);
    if (result == HOST_STOPPED) remove_path(folder);
    if (result != HOST_COMPILED) cleanup_drop(h->cleanup, folder);
    return result;
}

// Compiles again outside the cache if the disk of the cache is full.
static HostResult compile_elsewhere(Session *cx, const HostOptions *h, const Compiler *cc,
                                    const char *cache, DiagMark before, const char **folder,
                                    const char *name, const Text *source, const Text *header)
{
    if (has_room(cache, source->len)) return HOST_STOPPED;
    (void)diag_withdraw(cx, before);
    *folder = folder_elsewhere(cx, h, cache);
    return *folder ? compile_in(cx, h, cc, *folder, name, source, header) : HOST_STOPPED;
}

const char *cache_library(Session *cx, const HostOptions *h, const char *name, const Text *source,
                          const Text *header, const char **temporary)
{
    *temporary = NULL;
    Compiler cc;
    if (!host_find(cx, h, &cc)) return NULL;
    const char *key = cache_key(cx, h, &cc, source, header), *cache = cache_dir(cx, h);
    const char *entry = key && cache ? arena_printf(cx->arena, "%s/%s.so", cache, key) : NULL;
    if (entry && !h->no_cache && is_whole(entry)) return entry;
    bool kept;
    int lock = -1;
    const char *folder = work_folder(cx, h, cache, source->len, &kept, &lock);
    if (!folder) return NULL;
    DiagMark before = diag_mark(cx);
    HostResult result = compile_in(cx, h, &cc, folder, name, source, header);
    unlock(cx, folder, &lock);
    if (result == HOST_STOPPED && kept) {
        kept = false;
        result = compile_elsewhere(cx, h, &cc, cache, before, &folder, name, source, header);
    }
    if (result != HOST_COMPILED) return NULL;
    const char *library = arena_printf(cx->arena, "%s/%s.so", folder, name);
    if (kept && entry && append_checksum(library) && rename(library, entry) == 0) {
        remove_path(folder);
        cleanup_drop(h->cleanup, folder);
        return entry;
    }
    *temporary = folder;
    return library;
}
