// The host side of kernels: what generated C calls for a target with a device, in sections like
// those of adze_support.h. `opencl` and `cuda`, in files of their own, are two ways to a device;
// `device` is the same for both. Errors are texts in adze_device.text, and false or NULL as the
// result. The whole file can also be included: it is that for CUDA if ADZE_WITH_CUDA is defined,
// and for OpenCL otherwise. If ADZE_NO_FMA is defined, kernels contract no `a*b + c`.
#ifndef ADZE_DEVICE_H
#define ADZE_DEVICE_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

//= device_types
// Where kernels run: a device, and commands for it.
typedef struct {
    void *device, *context, *queue;
    void *program; // the compiled kernels of the entry
    void *current; // CUDA: the context of the caller
    bool lent;     // by the caller
} adze_device_use;
static struct {
    int lock, found, state; // 1: there are drivers, and a device is open; -1: there are none
    adze_device_use own;    // of entries that get no queue
    const char *place;      // of the entry that runs a kernel
    char text[1024];        // why the last call failed
} adze_device;
static _Thread_local adze_device_use adze_device_now;

// The kernels of an entry, compiled when it is first called, for each context, with indices of 32
// and of 64 bits.
typedef struct adze_device_built {
    void *context, *program;
    bool narrow;
    struct adze_device_built *next;
} adze_device_built;
typedef struct {
    const char *const *lines;
    uint32_t count;
    int failed; // the status of an entry whose device fails
    const char *place;
    adze_device_built *built;
} adze_device_program;

// An argument of a kernel: a value, or memory that the kernel reads or writes.
typedef struct {
    const void *at;
    int64_t count;
    size_t size;
    enum { ADZE_IS_VALUE, ADZE_IS_INDEX, ADZE_IS_READ, ADZE_IS_WRITTEN } how;
} adze_device_argument;
#define ADZE_VALUE(x)                                                                              \
    {                                                                                              \
        &(x), 1, sizeof(x), ADZE_IS_VALUE                                                          \
    }
#define ADZE_INDEX(x)                                                                              \
    {                                                                                              \
        &(x), 1, sizeof(x), ADZE_IS_INDEX                                                          \
    }
#define ADZE_READ(x, count)                                                                        \
    {                                                                                              \
        x, count, sizeof *(x), ADZE_IS_READ                                                        \
    }
#define ADZE_WRITTEN(x, count)                                                                     \
    {                                                                                              \
        x, count, sizeof *(x), ADZE_IS_WRITTEN                                                     \
    }

static inline void adze_device_name(void *device, char *name, size_t room);

static inline bool adze_device_fails(const char *what, int error)
{
    char name[128] = "the queue";
    if (adze_device_now.device) adze_device_name(adze_device_now.device, name, sizeof name);
    snprintf(adze_device.text, sizeof adze_device.text, "%s: error E0615: %s: %s (%d)",
             adze_device.place, name, what, error);
    return false;
}

// Whether the environment variable ADZE_DEVICE, a part of a name, allows the device.
static inline bool adze_device_is_wanted(const char *name)
{
    const char *wanted = getenv("ADZE_DEVICE");
    return !wanted || strstr(name, wanted);
}

// Makes it the device that runs kernels, if it is wanted.
static inline bool adze_device_choose(void *env, void *device, const char *name, bool gpu)
{
    (void)env, (void)gpu;
    if (!adze_device_is_wanted(name)) return false;
    adze_device.own.device = device;
    return true;
}

static inline void *adze_device_library(const char *const *files, int n)
{
    void *library = NULL;
    for (int i = 0; i < n && !library; i++) library = dlopen(files[i], RTLD_NOW | RTLD_GLOBAL);
    return library;
}
//= device_cache needs device_types
// Compiled kernels are kept in files: in the folder ADZE_CACHE, unless it is empty, or in the cache
// of adze. A name is a hash of what the kernels are compiled from; a file begins with this head.
typedef struct {
    uint64_t bytes, check; // of the kernels behind it; another hash of the same and of the kernels
} adze_device_kept;
typedef struct {
    char path[512]; // empty if kernels are not kept
    uint64_t check;
} adze_device_key;

// FNV-1a.
static inline uint64_t adze_device_hash(uint64_t hash, const char *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ (unsigned char)at[i]) * 0x100000001B3;
    return hash;
}

// The key of a program which is compiled for `device`, a text with its versions and the options.
static inline adze_device_key adze_device_key_of(const adze_device_program *p, const char *device)
{
    const char *own = getenv("ADZE_CACHE"), *caches = getenv("XDG_CACHE_HOME");
    if (caches && *caches != '/') caches = NULL;
    const char *folder = own ? own : caches ? caches : getenv("HOME");
    const char *below = own ? "" : caches ? "/adze" : "/.cache/adze";
    adze_device_key key = {.check = 1};
    uint64_t name = 0xCBF29CE484222325;
    for (uint32_t i = 0; i <= p->count; i++) {
        const char *part = i < p->count ? p->lines[i] : device;
        name = adze_device_hash(name, part, strlen(part) + 1);
        key.check = adze_device_hash(key.check, part, strlen(part) + 1);
    }
    int n = snprintf(key.path, sizeof key.path, "%s%s/%016llx.kernels", folder ? folder : "", below,
                     (unsigned long long)name);
    if (!folder || !*folder || n >= (int)sizeof key.path) key.path[0] = 0;
    return key;
}

// Returns the compiled kernels of the key, or NULL. The caller frees them.
static inline char *adze_device_recall(const adze_device_key *key, size_t *bytes)
{
    adze_device_kept head;
    char *at = NULL;
    FILE *f = *key->path ? fopen(key->path, "rb") : NULL;
    bool good = f && fread(&head, sizeof head, 1, f) == 1 && head.bytes < INT32_MAX &&
                (at = calloc(head.bytes + 1, 1)) && fread(at, 1, head.bytes, f) == head.bytes &&
                adze_device_hash(key->check, at, head.bytes) == head.check;
    if (f) fclose(f);
    if (good) return *bytes = head.bytes, at;
    free(at);
    return NULL;
}

// Keeps compiled kernels, if it can: in a file of another name, which it then renames.
static inline void adze_device_keep(adze_device_key *key, const char *at, size_t bytes)
{
    char path[sizeof key->path + 40];
    adze_device_kept head = {bytes, adze_device_hash(key->check, at, bytes)};
    if (!*key->path) return;
    for (char *end = key->path; (end = strchr(end + 1, '/')); *end = '/') {
        *end = 0;
        mkdir(key->path, 0777);
    }
    snprintf(path, sizeof path, "%s.%ld.%p", key->path, (long)getpid(), (void *)&adze_device);
    FILE *f = fopen(path, "wbx");
    if (!f) return;
    bool good = fwrite(&head, sizeof head, 1, f) == 1 && fwrite(at, 1, bytes, f) == bytes;
    good = fclose(f) == 0 && good;
    if (!good || rename(path, key->path) != 0) remove(path);
}
//= if_device_profile
#ifdef ADZE_WITH_PROFILE
//= device_profile needs device_types
// What a device does, measured by its events and printed at the end: a row for each kernel, and one
// for each direction of copies. Each command is waited for.
enum { ADZE_PROFILE_ROWS = 64 };
static struct {
    char name[128];
    int64_t times;
    double seconds, bytes;
} adze_device_profile[ADZE_PROFILE_ROWS]; // the others are in the last one
static int adze_device_profile_lock;

static inline void adze_device_profile_add(const char *name, double bytes, double seconds)
{
    int i = 0;
    while (__atomic_exchange_n(&adze_device_profile_lock, 1, __ATOMIC_ACQUIRE)) continue;
    while (i < ADZE_PROFILE_ROWS - 1 && adze_device_profile[i].times &&
           strcmp(adze_device_profile[i].name, name))
        i++;
    if (!adze_device_profile[i].times)
        snprintf(adze_device_profile[i].name, sizeof adze_device_profile[i].name, "%s", name);
    adze_device_profile[i].times++;
    adze_device_profile[i].seconds += seconds;
    adze_device_profile[i].bytes += bytes;
    __atomic_store_n(&adze_device_profile_lock, 0, __ATOMIC_RELEASE);
}

__attribute__((destructor)) static void adze_device_profile_print(void)
{
    if (!adze_device_profile[0].times) {
        fprintf(stderr, "profile: no kernel was launched\n");
        return;
    }
    char name[128] = "device";
    if (adze_device.own.device) adze_device_name(adze_device.own.device, name, sizeof name);
    fprintf(stderr, "%-36s %9s %12s %12s %14s\n", name, "times", "total ms", "mean us", "bytes");
    for (int i = 0; i < ADZE_PROFILE_ROWS && adze_device_profile[i].times; i++) {
        double total = adze_device_profile[i].seconds,
               mean = total / (double)adze_device_profile[i].times;
        fprintf(stderr, "%-36s %9lld %12.3f %12.3f", adze_device_profile[i].name,
                (long long)adze_device_profile[i].times, total * 1e3, mean * 1e6);
        fprintf(stderr, adze_device_profile[i].bytes > 0 ? " %14.0f\n" : "\n",
                adze_device_profile[i].bytes);
    }
}
//= end_device_profile
#endif
//= if_driver
#ifdef ADZE_WITH_CUDA
#include "adze_device_cuda.h"
#else
#include "adze_device_opencl.h"
#endif
//= device needs device_types
// Memory of the host that the device may have a copy of, and which of the two are up to date.
enum { ADZE_NEITHER, ADZE_HOST = 1, ADZE_DEVICE = 2 };
typedef struct {
    const char *host;
    size_t bytes, room; // of the largest array that begins here, and of the buffer
    void *buffer;
    int current;
    bool lent; // the buffer is the caller's
} adze_device_held;
static _Thread_local struct {
    adze_device_held *at;
    int count, room;
} adze_device_memory;

static inline void adze_device_lock(const adze_device_program *p)
{
    while (__atomic_exchange_n(&adze_device.lock, 1, __ATOMIC_ACQUIRE)) continue;
    adze_device.place = p->place;
    if (!adze_device.found) adze_device.found = adze_device_find_functions() ? 1 : -1;
}

static inline void adze_device_unlock(void)
{
    __atomic_store_n(&adze_device.lock, 0, __ATOMIC_RELEASE);
}

static inline bool adze_device_is_missing(void)
{
    const char *wanted = getenv("ADZE_DEVICE");
    snprintf(adze_device.text, sizeof adze_device.text,
             "%s: error E0615: there is no device%s%s; `adze devices` lists what there is",
             adze_device.place, wanted ? " with this in its name: " : "", wanted ? wanted : "");
    return false;
}

// Returns the program of a context, which it compiles the first time. The programs are shared by
// all threads.
static inline void *adze_device_program_of(adze_device_program *p, void *context, bool narrow)
{
    adze_device_built *b = p->built;
    while (b && (b->context != context || b->narrow != narrow)) b = b->next;
    if (b) return b->program;
    void *program = adze_device_compile(p, narrow);
    if (program && (b = malloc(sizeof *b))) {
        *b = (adze_device_built){context, program, narrow, p->built};
        p->built = b;
    }
    return program;
}

// Makes the device and the program ready for a kernel.
static inline bool adze_device_build(adze_device_program *p, bool narrow)
{
    bool lent = adze_device_now.lent;
    adze_device_lock(p);
    if (!lent && adze_device.state == 0)
        adze_device.state = adze_device.found > 0 && adze_device_open() ? 1 : -1;
    bool done = lent || adze_device.state > 0 || adze_device_is_missing();
    if (done && !lent) adze_device_now = adze_device.own;
    if (done) adze_device_now.program = adze_device_program_of(p, adze_device_now.context, narrow);
    adze_device_unlock();
    return done && adze_device_now.program;
}

static inline adze_device_held *adze_device_find(const void *host)
{
    for (int i = 0; i < adze_device_memory.count; i++)
        if (adze_device_memory.at[i].host == host) return &adze_device_memory.at[i];
    return NULL;
}

static inline adze_device_held *adze_device_add(const void *host)
{
    adze_device_held *h = adze_device_find(host);
    if (!h && adze_device_memory.count == adze_device_memory.room) {
        int room = 2 * adze_device_memory.room + 8;
        adze_device_held *more = realloc(adze_device_memory.at, (size_t)room * sizeof *more);
        if (!more) return NULL;
        adze_device_memory.at = more;
        adze_device_memory.room = room;
    }
    if (!h) {
        h = &adze_device_memory.at[adze_device_memory.count++];
        *h = (adze_device_held){.host = host};
    }
    return h;
}

static inline size_t adze_device_bytes(int64_t count, size_t size)
{
    return count > 0 ? (size_t)count * size : 0;
}

// From here on the memory may be passed to kernels. `current` says whether it has values yet.
// Arrays of different sizes may begin at one address: they use its memory one after another, or a
// kernel reads one and writes the other over it. So the values of an address are those of before
// until an array is written, and each access says how many there are.
static inline void adze_device_hold(const void *host, int64_t count, size_t size, int current)
{
    size_t bytes = adze_device_bytes(count, size);
    adze_device_held *h = adze_device_add(host);
    if (!h || h->lent) return; // adze_device_launch reports NULL
    if (bytes > h->bytes) h->bytes = bytes;
    if (current != ADZE_NEITHER) h->current = current;
}

static inline void adze_device_free(adze_device_held *h)
{
    if (!h->lent) adze_device_delete(h->buffer);
}

static inline void adze_device_drop(const void *host)
{
    adze_device_held *h = adze_device_find(host);
    if (!h) return;
    adze_device_free(h);
    for (int last = --adze_device_memory.count; h < adze_device_memory.at + last; h++) h[0] = h[1];
}

// At the end of a function, which began with `count` arrays: drops its own. Frees the list after
// the last one.
static inline void adze_device_drop_from(int count)
{
    while (adze_device_memory.count > count)
        adze_device_free(&adze_device_memory.at[--adze_device_memory.count]);
    if (count > 0) return;
    free(adze_device_memory.at);
    adze_device_memory.at = NULL;
    adze_device_memory.room = 0;
}

static inline bool adze_device_bytes_on_host(const void *host, size_t bytes, bool writes)
{
    adze_device_held *h = adze_device_find(host);
    if (!h) return true;
    if (bytes > h->bytes) bytes = h->bytes;
    if (bytes > h->room) bytes = h->room; // the device has no more
    if (h->current == ADZE_DEVICE) {
        if (bytes && !adze_device_read(h->buffer, (void *)(uintptr_t)host, bytes)) return false;
        h->current = ADZE_HOST | ADZE_DEVICE;
    }
    if (writes) h->current = ADZE_HOST;
    return true;
}

// Before the host reads an array, or writes some of it: all that begins at this address.
static inline bool adze_device_on_host(const void *host, bool writes)
{
    return adze_device_bytes_on_host(host, SIZE_MAX, writes);
}

// The same for an array at whose address others may begin.
__attribute__((unused)) static inline bool adze_device_part_on_host(const void *host, int64_t count,
                                                                    size_t size, bool writes)
{
    return adze_device_bytes_on_host(host, adze_device_bytes(count, size), writes);
}

// At the end of an entry: a result is in the memory of the caller, which may be on the device.
// Not all entries have one.
__attribute__((unused)) static inline bool adze_device_result(const void *host)
{
    adze_device_held *h = adze_device_find(host);
    return !h || h->lent || adze_device_on_host(host, false);
}

// Makes room for the largest array at this address; what is there stays.
static inline bool adze_device_make_room(adze_device_held *h)
{
    void *buffer = adze_device_new(h->bytes ? h->bytes : 1), *old = h->buffer;
    bool keeps = old && h->current == ADZE_DEVICE;
    void *kept = keeps ? malloc(h->room) : NULL;
    bool done = buffer && (!keeps || (kept && adze_device_read(old, kept, h->room) &&
                                      adze_device_write(buffer, kept, h->room)));
    free(kept);
    adze_device_delete(old);
    h->buffer = buffer;
    h->room = h->bytes ? h->bytes : 1;
    return done;
}

// Before a kernel reads an array, or writes some of it.
static inline bool adze_device_on_device(adze_device_held *h, size_t bytes, bool writes)
{
    if ((h->room < h->bytes || !h->buffer) && !adze_device_make_room(h)) return false;
    if (h->current == ADZE_HOST && bytes) {
        if (!adze_device_write(h->buffer, h->host, bytes)) return false;
        h->current |= ADZE_DEVICE;
    }
    if (writes) h->current = ADZE_DEVICE;
    return true;
}

static inline bool adze_device_is_memory(const adze_device_argument *a)
{
    return a->how == ADZE_IS_READ || a->how == ADZE_IS_WRITTEN;
}

// Memory that the functions around the kernel do not hold is held during the launch.
static inline bool adze_device_borrow(const adze_device_argument *a)
{
    bool borrowed = adze_device_is_memory(a) && !adze_device_find(a->at);
    if (borrowed) adze_device_hold(a->at, a->count, a->size, ADZE_HOST);
    return borrowed;
}

static inline bool adze_device_give_back(const adze_device_argument *a)
{
    bool done = adze_device_on_host(a->at, false);
    adze_device_drop(a->at);
    return done;
}

// Whether the indices of a kernel, none of which exceeds `most`, fit in 32 bits, also after the
// last step of a loop. ADZE_MOST_INDEX is a lower limit, for tests.
static inline bool adze_device_fits(int64_t most)
{
    const char *limit = getenv("ADZE_MOST_INDEX");
    return most <= INT64_C(1) << 30 && (!limit || most <= strtoll(limit, NULL, 10));
}

enum { ADZE_MOST_ARGUMENTS = 64, ADZE_GROUP = 64 }; // work-items of a group that share nothing

// Brings the arrays that a kernel reads, or those that it writes, to the device: first the former,
// over which it may write the latter.
static inline bool adze_device_bring(const adze_device_argument *arguments, uint32_t n,
                                     bool written)
{
    for (uint32_t i = 0; i < n; i++) {
        const adze_device_argument *a = &arguments[i];
        if (a->how != (written ? ADZE_IS_WRITTEN : ADZE_IS_READ)) continue;
        adze_device_held *h = adze_device_find(a->at);
        if (!h) return adze_device_fails("not enough memory", 0);
        size_t bytes = adze_device_bytes(a->count, a->size);
        if (!adze_device_on_device(h, bytes, written)) return false;
    }
    return true;
}

// Passes the arguments and, if the kernel may fail, the memory for its status.
static inline bool adze_device_run(const char *name, int64_t groups, size_t group,
                                   const adze_device_argument *arguments, uint32_t n, void *fault,
                                   bool narrow)
{
    int32_t indices[ADZE_MOST_ARGUMENTS];
    const void *values[ADZE_MOST_ARGUMENTS + 1];
    size_t sizes[ADZE_MOST_ARGUMENTS + 1];
    if (!adze_device_bring(arguments, n, false)) return false;
    if (!adze_device_bring(arguments, n, true)) return false;
    for (uint32_t i = 0; i < n; i++) {
        const adze_device_argument *a = &arguments[i];
        adze_device_held *h = adze_device_is_memory(a) ? adze_device_find(a->at) : NULL;
        values[i] = h ? (const void *)&h->buffer : a->at;
        sizes[i] = h ? sizeof h->buffer : a->size;
        if (!narrow || a->how != ADZE_IS_INDEX) continue;
        indices[i] = (int32_t) * (const int64_t *)a->at;
        values[i] = &indices[i];
        sizes[i] = sizeof indices[i];
    }
    values[n] = &fault;
    sizes[n] = sizeof fault;
    return adze_device_start(name, (size_t)groups, group, values, sizes, n + (fault != NULL));
}

// Runs a kernel with a number of work-items or, if `group` is not 0, of groups of that many
// work-items. With `narrow`, its indices have 32 bits. Returns its status.
static inline int adze_device_launch(adze_device_program *p, const char *name, int64_t items,
                                     const adze_device_argument *arguments, uint32_t n,
                                     uint32_t group, bool may_fail, bool narrow)
{
    int32_t status = 0;
    uint64_t borrowed = 0; // a bit for each argument
    void *fault = NULL;
    if (items <= 0) return 0;
    if (group == 0) items = (items - 1) / ADZE_GROUP + 1;
    if (!adze_device_build(p, narrow)) return p->failed;
    if (may_fail && !(fault = adze_device_new(sizeof status))) return p->failed;
    for (uint32_t i = 0; i < n; i++)
        if (adze_device_borrow(&arguments[i])) borrowed |= UINT64_C(1) << i;
    bool done =
        (!fault || adze_device_write(fault, &status, sizeof status)) &&
        adze_device_run(name, items, group > 0 ? group : ADZE_GROUP, arguments, n, fault, narrow) &&
        (!fault || adze_device_read(fault, &status, sizeof status));
    for (uint32_t i = 0; i < n; i++)
        if (borrowed >> i & 1) done = adze_device_give_back(&arguments[i]) && done;
    adze_device_delete(fault);
    return done ? status : p->failed;
}
//= device_lent needs device
// An array of the caller on the device. The entry knows it by an address of the host, whose memory
// is touched only if code of the host accesses the array.
typedef struct {
    const void *buffer;
    int64_t count;
    size_t size;
    int current; // ADZE_DEVICE for an argument, ADZE_NEITHER for a result
    void *host;
} adze_device_lent;
typedef struct {
    adze_device_lent *arrays;
    int count;
    bool on_host; // the entry has no kernels
    adze_device_use outer;
    int held;
} adze_device_loan;

static inline bool adze_device_lend(adze_device_lent *a, bool on_host)
{
    size_t bytes = a->count > 0 ? (size_t)a->count * a->size : 0;
    if (bytes && !a->buffer) return adze_device_fails("a buffer is NULL", 0);
    a->host = malloc(bytes ? bytes : 1);
    adze_device_held *h = a->host ? adze_device_add(a->host) : NULL;
    if (!h) return adze_device_fails("not enough memory", 0);
    *h = (adze_device_held){.host = a->host,
                            .bytes = bytes,
                            .room = bytes,
                            .buffer = (void *)(uintptr_t)a->buffer,
                            .current = a->current,
                            .lent = a->buffer != NULL};
    return !on_host || adze_device_on_host(a->host, a->current == ADZE_NEITHER);
}

// Before the call of an entry on buffers of the caller. Returns its status.
static inline int adze_device_begin(const adze_device_program *p, adze_device_loan *loan,
                                    void *queue)
{
    loan->outer = adze_device_now;
    loan->held = adze_device_memory.count;
    adze_device_lock(p);
    bool done = adze_device.found > 0 ? adze_device_enter(queue) : adze_device_is_missing();
    adze_device_unlock();
    for (int i = 0; done && i < loan->count; i++)
        done = adze_device_lend(&loan->arrays[i], loan->on_host);
    return done ? 0 : p->failed;
}

// After the call: what the host has computed goes to the device.
static inline int adze_device_end(const adze_device_program *p, adze_device_loan *loan, int status)
{
    for (int i = 0; !status && i < loan->count; i++) {
        adze_device_held *h = adze_device_find(loan->arrays[i].host);
        bool newer = h->lent && h->bytes && h->current == ADZE_HOST;
        if (newer && !adze_device_write(h->buffer, h->host, h->bytes)) status = p->failed;
    }
    adze_device_drop_from(loan->held);
    for (int i = 0; i < loan->count; i++) free(loan->arrays[i].host);
    adze_device_leave(&loan->outer);
    return status;
}
//= end
#endif
