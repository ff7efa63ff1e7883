// The host side of kernels: what generated C calls for a target with a device, in sections like
// those of adze_support.h. `opencl` and `cuda` are two ways to a device; `device` is the same for
// both. Errors are texts in adze_device.text, and false or NULL as the result. The whole file can
// also be included: it is that for CUDA if ADZE_WITH_CUDA is defined, and for OpenCL otherwise.
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

// The kernels of an entry, compiled when it is first called, for each context.
typedef struct adze_device_built {
    void *context, *program;
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
    enum { ADZE_IS_VALUE, ADZE_IS_READ, ADZE_IS_WRITTEN } how;
} adze_device_argument;
#define ADZE_VALUE(x)                                                                              \
    {                                                                                              \
        &(x), 1, sizeof(x), ADZE_IS_VALUE                                                          \
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
//= if_opencl
#ifndef ADZE_WITH_CUDA
//= opencl needs device_types device_cache
// OpenCL, which is found at run time.
#define ADZE_CL(F)                                                                                 \
    F(int32_t, GetPlatformIDs, (uint32_t, void **, uint32_t *))                                    \
    F(int32_t, GetDeviceIDs, (void *, uint64_t, uint32_t, void **, uint32_t *))                    \
    F(int32_t, GetDeviceInfo, (void *, uint32_t, size_t, void *, size_t *))                        \
    F(void *, CreateContext, (const void *, uint32_t, void **, void *, void *, int32_t *))         \
    F(void *, CreateCommandQueue, (void *, void *, uint64_t, int32_t *))                           \
    F(int32_t, GetCommandQueueInfo, (void *, uint32_t, size_t, void *, size_t *))                  \
    F(void *, CreateProgramWithSource,                                                             \
      (void *, uint32_t, const char *const *, const size_t *, int32_t *))                          \
    F(void *, CreateProgramWithBinary,                                                             \
      (void *, uint32_t, void **, const size_t *, char **, int32_t *, int32_t *))                  \
    F(int32_t, GetProgramInfo, (void *, uint32_t, size_t, void *, size_t *))                       \
    F(int32_t, BuildProgram, (void *, uint32_t, void **, const char *, void *, void *))            \
    F(int32_t, GetProgramBuildInfo, (void *, void *, uint32_t, size_t, void *, size_t *))          \
    F(void *, CreateKernel, (void *, const char *, int32_t *))                                     \
    F(int32_t, ReleaseKernel, (void *))                                                            \
    F(int32_t, SetKernelArg, (void *, uint32_t, size_t, const void *))                             \
    F(void *, CreateBuffer, (void *, uint64_t, size_t, void *, int32_t *))                         \
    F(int32_t, ReleaseMemObject, (void *))                                                         \
    F(int32_t, EnqueueReadBuffer,                                                                  \
      (void *, void *, uint32_t, size_t, size_t, void *, uint32_t, const void *, void *))          \
    F(int32_t, EnqueueWriteBuffer,                                                                 \
      (void *, void *, uint32_t, size_t, size_t, const void *, uint32_t, const void *, void *))    \
    F(int32_t, EnqueueNDRangeKernel,                                                               \
      (void *, void *, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t,         \
       const void *, void *))
#define ADZE_CL_POINTER(T, name, parameters) T(*name) parameters;
static struct {
    ADZE_CL(ADZE_CL_POINTER)
} adze_cl;

static inline bool adze_device_find_functions(void)
{
    static const char *const files[] = {"libOpenCL.so.1", "libOpenCL.so"};
    void *library = adze_device_library(files, 2);
    if (!library) return false;
#define ADZE_CL_FIND(T, name, parameters)                                                          \
    if (!(*(void **)&adze_cl.name = dlsym(library, "cl" #name))) return false;
    ADZE_CL(ADZE_CL_FIND)
    return true;
}

static inline void adze_device_name(void *device, char *name, size_t room)
{
    enum { NAME = 0x102B };
    *name = 0;
    adze_cl.GetDeviceInfo(device, NAME, room, name, NULL);
}

// Calls `visit` for each device until it returns true: GPUs first.
static inline bool
adze_device_each(bool (*visit)(void *env, void *device, const char *name, bool gpu), void *env)
{
    enum { MOST = 16, GPU = 4 };
    static const uint64_t kinds[] = {GPU, 0xFFFFFFFF ^ GPU};
    void *platforms[MOST], *devices[MOST];
    uint32_t np = 0, nd = 0;
    if (adze_cl.GetPlatformIDs(MOST, platforms, &np) != 0) return false;
    for (int kind = 0; kind < 2; kind++)
        for (uint32_t p = 0; p < np && p < MOST; p++) {
            if (adze_cl.GetDeviceIDs(platforms[p], kinds[kind], MOST, devices, &nd)) continue;
            for (uint32_t d = 0; d < nd && d < MOST; d++) {
                char name[128];
                adze_device_name(devices[d], name, sizeof name);
                if (visit(env, devices[d], name, kind == 0)) return true;
            }
        }
    return false;
}

static inline bool adze_device_open(void)
{
    adze_device_use *own = &adze_device.own;
    int32_t error = 0;
    if (!adze_device_each(adze_device_choose, NULL)) return false;
    own->context = adze_cl.CreateContext(NULL, 1, &own->device, NULL, NULL, &error);
    if (!own->context) return false;
    own->queue = adze_cl.CreateCommandQueue(own->context, own->device, 0, &error);
    return own->queue != NULL;
}

// From here on this thread uses the queue of the caller.
static inline bool adze_device_enter(void *queue)
{
    enum { CONTEXT = 0x1090, DEVICE = 0x1091, PROPERTIES = 0x1093, OUT_OF_ORDER = 1 };
    adze_device_use use = {.queue = queue, .lent = true};
    uint64_t properties = 0;
    adze_device_now = use;
    int32_t error =
        adze_cl.GetCommandQueueInfo(queue, CONTEXT, sizeof use.context, &use.context, NULL);
    if (!error)
        error = adze_cl.GetCommandQueueInfo(queue, DEVICE, sizeof use.device, &use.device, NULL);
    if (!error)
        error =
            adze_cl.GetCommandQueueInfo(queue, PROPERTIES, sizeof properties, &properties, NULL);
    if (error) return adze_device_fails("it is no queue of OpenCL", error);
    adze_device_now = use;
    return properties & OUT_OF_ORDER ? adze_device_fails("the queue is out of order", 0) : true;
}

static inline void adze_device_leave(const adze_device_use *outer)
{
    adze_device_now = *outer;
}

// Returns the program that is kept for the key, or NULL.
static inline void *adze_device_recalled(const adze_device_key *key, const char *options)
{
    size_t bytes = 0;
    int32_t error = 0, own = 0;
    char *kernels = adze_device_recall(key, &bytes);
    void *program = kernels ? adze_cl.CreateProgramWithBinary(adze_device_now.context, 1,
                                                              &adze_device_now.device, &bytes,
                                                              &kernels, &own, &error)
                            : NULL;
    free(kernels);
    if (!program || error || own) return NULL;
    error = adze_cl.BuildProgram(program, 1, &adze_device_now.device, options, NULL, NULL);
    return error ? NULL : program;
}

static inline void adze_device_keep_program(adze_device_key *key, void *program)
{
    enum { SIZES = 0x1165, BINARIES = 0x1166 };
    size_t bytes = 0;
    adze_cl.GetProgramInfo(program, SIZES, sizeof bytes, &bytes, NULL);
    char *kernels = bytes && *key->path ? malloc(bytes) : NULL;
    if (kernels && !adze_cl.GetProgramInfo(program, BINARIES, sizeof kernels, &kernels, NULL))
        adze_device_keep(key, kernels, bytes);
    free(kernels);
}

static inline void *adze_device_compile(const adze_device_program *p)
{
    enum { LOG = 0x1183, FLOATS = 0x101B, ROUNDS_DIVISION = 1 << 7 };
    enum { DEVICE_VERSION = 0x102F, DRIVER_VERSION = 0x102D };
    uint64_t floats = 0;
    adze_cl.GetDeviceInfo(adze_device_now.device, FLOATS, sizeof floats, &floats, NULL);
    const char *options = floats & ROUNDS_DIVISION
                              ? "-cl-std=CL1.2 -w -cl-fp32-correctly-rounded-divide-sqrt"
                              : "-cl-std=CL1.2 -w";
    char log[600] = "it does not compile the kernels", all[800];
    char name[128], device[200] = "", driver[200] = "";
    int32_t error = 0;
    adze_cl.GetDeviceInfo(adze_device_now.device, DEVICE_VERSION, sizeof device - 1, device, NULL);
    adze_cl.GetDeviceInfo(adze_device_now.device, DRIVER_VERSION, sizeof driver - 1, driver, NULL);
    adze_device_name(adze_device_now.device, name, sizeof name);
    snprintf(all, sizeof all, "%s %s %s %s", name, device, driver, options);
    adze_device_key key = adze_device_key_of(p, all);
    void *program = adze_device_recalled(&key, options);
    if (program) return program;
    program =
        adze_cl.CreateProgramWithSource(adze_device_now.context, p->count, p->lines, NULL, &error);
    if (program)
        error = adze_cl.BuildProgram(program, 1, &adze_device_now.device, options, NULL, NULL);
    if (program && !error) {
        adze_device_keep_program(&key, program);
        return program;
    }
    adze_cl.GetProgramBuildInfo(program, adze_device_now.device, LOG, sizeof log - 1, log, NULL);
    adze_device_fails(log, error);
    return NULL;
}

static inline void *adze_device_new(size_t bytes)
{
    enum { READ_WRITE = 1 };
    int32_t error = 0;
    void *memory = adze_cl.CreateBuffer(adze_device_now.context, READ_WRITE, bytes, NULL, &error);
    if (!memory) adze_device_fails("not enough memory", error);
    return memory;
}

static inline void adze_device_delete(void *memory)
{
    if (memory) adze_cl.ReleaseMemObject(memory);
}

static inline bool adze_device_write(void *memory, const void *from, size_t bytes)
{
    int32_t error =
        adze_cl.EnqueueWriteBuffer(adze_device_now.queue, memory, 1, 0, bytes, from, 0, NULL, NULL);
    return error ? adze_device_fails("memory cannot be written", error) : true;
}

static inline bool adze_device_read(void *memory, void *to, size_t bytes)
{
    int32_t error =
        adze_cl.EnqueueReadBuffer(adze_device_now.queue, memory, 1, 0, bytes, to, 0, NULL, NULL);
    return error ? adze_device_fails("memory cannot be read", error) : true;
}

static inline bool adze_device_start(const char *name, size_t groups, size_t group,
                                     const void **values, const size_t *sizes, uint32_t n)
{
    int32_t error = 0;
    size_t all = groups * group;
    void *kernel = adze_cl.CreateKernel(adze_device_now.program, name, &error);
    for (uint32_t i = 0; i < n && !error; i++)
        error = adze_cl.SetKernelArg(kernel, i, sizes[i], values[i]);
    if (!error)
        error = adze_cl.EnqueueNDRangeKernel(adze_device_now.queue, kernel, 1, NULL, &all, &group,
                                             0, NULL, NULL);
    if (kernel) adze_cl.ReleaseKernel(kernel);
    return error ? adze_device_fails(name, error) : true;
}
//= if_opencl_profile
#ifdef ADZE_WITH_PROFILE
//= opencl_profile needs device_profile opencl
#define ADZE_CL_OF_EVENTS(F)                                                                       \
    F(int32_t, WaitForEvents, (uint32_t, void *const *))                                           \
    F(int32_t, GetEventProfilingInfo, (void *, uint32_t, size_t, void *, size_t *))                \
    F(int32_t, ReleaseEvent, (void *))                                                             \
    F(int32_t, GetKernelInfo, (void *, uint32_t, size_t, void *, size_t *))
static struct {
    ADZE_CL_OF_EVENTS(ADZE_CL_POINTER)
} adze_cl_events;
static __typeof__(adze_cl) adze_cl_plain; // without profile

static inline void adze_device_profile_event(const char *name, size_t bytes, void *event)
{
    enum { START = 0x1282, END = 0x1283 };
    uint64_t from = 0, to = 0;
    adze_cl_events.WaitForEvents(1, &event);
    adze_cl_events.GetEventProfilingInfo(event, START, sizeof from, &from, NULL);
    adze_cl_events.GetEventProfilingInfo(event, END, sizeof to, &to, NULL);
    adze_cl_events.ReleaseEvent(event);
    adze_device_profile_add(name, (double)bytes, (double)(to - from) * 1e-9);
}

static inline int32_t adze_device_profile_launch(void *queue, void *kernel, uint32_t dimensions,
                                                 const size_t *from, const size_t *all,
                                                 const size_t *group, uint32_t n, const void *wait,
                                                 void *event)
{
    enum { NAME = 0x1190 };
    char name[128] = "a kernel";
    int32_t error = adze_cl_plain.EnqueueNDRangeKernel(queue, kernel, dimensions, from, all, group,
                                                       n, wait, &event);
    if (error) return error;
    adze_cl_events.GetKernelInfo(kernel, NAME, sizeof name - 1, name, NULL);
    adze_device_profile_event(name, 0, event);
    return 0;
}

static inline int32_t adze_device_profile_read(void *queue, void *memory, uint32_t blocks,
                                               size_t from, size_t bytes, void *to, uint32_t n,
                                               const void *wait, void *event)
{
    int32_t error =
        adze_cl_plain.EnqueueReadBuffer(queue, memory, blocks, from, bytes, to, n, wait, &event);
    if (!error) adze_device_profile_event("copies from the device", bytes, event);
    return error;
}

static inline int32_t adze_device_profile_write(void *queue, void *memory, uint32_t blocks,
                                                size_t at, size_t bytes, const void *from,
                                                uint32_t n, const void *wait, void *event)
{
    int32_t error =
        adze_cl_plain.EnqueueWriteBuffer(queue, memory, blocks, at, bytes, from, n, wait, &event);
    if (!error) adze_device_profile_event("copies to the device", bytes, event);
    return error;
}

static inline void *adze_device_profile_queue(void *context, void *device, uint64_t properties,
                                              int32_t *error)
{
    enum { PROFILING = 2 };
    return adze_cl_plain.CreateCommandQueue(context, device, properties | PROFILING, error);
}

// Finds functions, and replaces those that are measured.
static inline bool adze_device_profile_find_functions(void)
{
    void *library = dlopen(NULL, RTLD_NOW);
    if (!adze_device_find_functions()) return false;
#define ADZE_CL_FIND_OF_EVENTS(T, name, parameters)                                                \
    if (!(*(void **)&adze_cl_events.name = dlsym(library, "cl" #name))) return false;
    ADZE_CL_OF_EVENTS(ADZE_CL_FIND_OF_EVENTS)
    adze_cl_plain = adze_cl;
    adze_cl.CreateCommandQueue = adze_device_profile_queue;
    adze_cl.EnqueueNDRangeKernel = adze_device_profile_launch;
    adze_cl.EnqueueReadBuffer = adze_device_profile_read;
    adze_cl.EnqueueWriteBuffer = adze_device_profile_write;
    return true;
}
#define adze_device_find_functions adze_device_profile_find_functions
//= end_opencl_profile
#endif
//= if_cuda
#else
//= cuda needs device_types device_cache
// CUDA, which is found at run time: its driver, and the library that compiles kernels.
#define ADZE_CU(F)                                                                                 \
    F(cuInit, (uint32_t))                                                                          \
    F(cuDeviceGetCount, (int *))                                                                   \
    F(cuDeviceGet, (int *, int))                                                                   \
    F(cuDeviceGetName, (char *, int, int))                                                         \
    F(cuDeviceGetAttribute, (int *, int, int))                                                     \
    F(cuDevicePrimaryCtxRetain, (void **, int))                                                    \
    F(cuCtxSetCurrent, (void *))                                                                   \
    F(cuCtxGetCurrent, (void **))                                                                  \
    F(cuCtxGetDevice, (int *))                                                                     \
    F(cuModuleLoadData, (void **, const void *))                                                   \
    F(cuModuleGetFunction, (void **, void *, const char *))                                        \
    F(cuMemAlloc_v2, (void **, size_t))                                                            \
    F(cuMemFree_v2, (void *))                                                                      \
    F(cuMemcpyHtoDAsync_v2, (void *, const void *, size_t, void *))                                \
    F(cuMemcpyDtoHAsync_v2, (void *, void *, size_t, void *))                                      \
    F(cuStreamSynchronize, (void *))                                                               \
    F(cuStreamGetCtx, (void *, void **))                                                           \
    F(cuLaunchKernel, (void *, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,         \
                       uint32_t, void *, void **, void **))
#define ADZE_NVRTC(F)                                                                              \
    F(nvrtcVersion, (int *, int *))                                                                \
    F(nvrtcCreateProgram,                                                                          \
      (void **, const char *, const char *, int, const char *const *, const char *const *))        \
    F(nvrtcCompileProgram, (void *, int, const char *const *))                                     \
    F(nvrtcGetPTXSize, (void *, size_t *))                                                         \
    F(nvrtcGetPTX, (void *, char *))                                                               \
    F(nvrtcGetProgramLogSize, (void *, size_t *))                                                  \
    F(nvrtcGetProgramLog, (void *, char *))                                                        \
    F(nvrtcDestroyProgram, (void **))
#define ADZE_CU_POINTER(name, parameters) int(*name) parameters;
static struct {
    ADZE_CU(ADZE_CU_POINTER)
    ADZE_NVRTC(ADZE_CU_POINTER)
} adze_cu;

static inline bool adze_device_find_functions(void)
{
    static const char *const drivers[] = {"libcuda.so.1", "libcuda.so"};
    static const char *const compilers[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                            "libnvrtc.so.11.2"};
    void *library = adze_device_library(drivers, 2);
    if (!library) return false;
#define ADZE_CU_FIND(name, parameters)                                                             \
    if (!(*(void **)&adze_cu.name = dlsym(library, #name))) return false;
    ADZE_CU(ADZE_CU_FIND)
    if (!(library = adze_device_library(compilers, 4))) return false;
    ADZE_NVRTC(ADZE_CU_FIND)
    return adze_cu.cuInit(0) == 0;
}

static inline void adze_device_name(void *device, char *name, size_t room)
{
    *name = 0;
    adze_cu.cuDeviceGetName(name, (int)room, (int)(intptr_t)device);
}

// Calls `visit` for each device until it returns true.
static inline bool
adze_device_each(bool (*visit)(void *env, void *device, const char *name, bool gpu), void *env)
{
    int n = 0, device = 0;
    char name[128];
    if (adze_cu.cuDeviceGetCount(&n)) return false;
    for (int i = 0; i < n; i++) {
        if (adze_cu.cuDeviceGet(&device, i)) continue;
        adze_device_name((void *)(intptr_t)device, name, sizeof name);
        if (visit(env, (void *)(intptr_t)device, name, true)) return true;
    }
    return false;
}

static inline bool adze_device_open(void)
{
    adze_device_use *own = &adze_device.own;
    return adze_device_each(adze_device_choose, NULL) &&
           adze_cu.cuDevicePrimaryCtxRetain(&own->context, (int)(intptr_t)own->device) == 0;
}

// From here on this thread uses the stream of the caller, and its context.
static inline bool adze_device_enter(void *stream)
{
    adze_device_use use = {.queue = stream, .lent = true};
    int device = 0;
    adze_device_now = use;
    int error = adze_cu.cuCtxGetCurrent(&use.current);
    use.context = use.current;
    if (!error && stream) error = adze_cu.cuStreamGetCtx(stream, &use.context);
    if (error) return adze_device_fails("it is no stream of CUDA", error);
    if (!use.context) return adze_device_fails("no context is current", 0);
    adze_device_now.current = use.current;
    error = adze_cu.cuCtxSetCurrent(use.context);
    if (!error) error = adze_cu.cuCtxGetDevice(&device);
    if (error) return adze_device_fails("its context cannot be used", error);
    use.device = (void *)(intptr_t)device;
    adze_device_now = use;
    return true;
}

static inline void adze_device_leave(const adze_device_use *outer)
{
    if (adze_device_now.lent) adze_cu.cuCtxSetCurrent(adze_device_now.current);
    adze_device_now = *outer;
}

// Returns all lines of a program as one text, which the caller frees.
static inline char *adze_device_text(const adze_device_program *p)
{
    size_t bytes = 0, length = 0;
    for (uint32_t i = 0; i < p->count; i++) bytes += strlen(p->lines[i]);
    char *text = calloc(bytes + 1, 1);
    for (uint32_t i = 0; text && i < p->count; length += strlen(p->lines[i++]))
        memcpy(text + length, p->lines[i], strlen(p->lines[i]));
    return text;
}

// Returns the PTX of a program, which the caller frees.
static inline char *adze_device_ptx(const adze_device_program *p, const char *const *options, int n)
{
    char *text = adze_device_text(p), *ptx = NULL;
    size_t bytes = 0;
    void *program = NULL;
    if (!text) return NULL;
    int error = adze_cu.nvrtcCreateProgram(&program, text, p->place, 0, NULL, NULL);
    if (!error) error = adze_cu.nvrtcCompileProgram(program, n, options);
    if (error) {
        adze_cu.nvrtcGetProgramLogSize(program, &bytes);
        char *log = calloc(bytes + 1, 1);
        if (log) adze_cu.nvrtcGetProgramLog(program, log);
        adze_device_fails(log && *log ? log : "it does not compile the kernels", error);
        free(log);
    } else if (!adze_cu.nvrtcGetPTXSize(program, &bytes) && (ptx = calloc(bytes + 1, 1))) {
        adze_cu.nvrtcGetPTX(program, ptx);
    }
    adze_cu.nvrtcDestroyProgram(&program);
    free(text);
    return ptx;
}

static inline void *adze_device_compile(const adze_device_program *p)
{
    enum { MAJOR = 75, MINOR = 76, OPTIONS = 3 };
    int major = 0, minor = 0, device = (int)(intptr_t)adze_device_now.device, of_nvrtc[2] = {0};
    char arch[40], all[160];
    size_t bytes = 0;
    void *module = NULL;
    adze_cu.cuDeviceGetAttribute(&major, MAJOR, device);
    adze_cu.cuDeviceGetAttribute(&minor, MINOR, device);
    adze_cu.nvrtcVersion(&of_nvrtc[0], &of_nvrtc[1]);
    snprintf(arch, sizeof arch, "--gpu-architecture=compute_%d%d", major, minor);
    const char *const options[OPTIONS] = {arch, "--fmad=false",
                                          "--device-as-default-execution-space"};
    snprintf(all, sizeof all, "NVRTC %d.%d %s %s %s", of_nvrtc[0], of_nvrtc[1], options[0],
             options[1], options[2]);
    adze_device_key key = adze_device_key_of(p, all);
    int error = adze_cu.cuCtxSetCurrent(adze_device_now.context);
    char *ptx = error ? NULL : adze_device_recall(&key, &bytes);
    if (!ptx || adze_cu.cuModuleLoadData(&module, ptx)) {
        free(ptx);
        ptx = error ? NULL : adze_device_ptx(p, options, OPTIONS);
        if (ptx) error = adze_cu.cuModuleLoadData(&module, ptx);
        if (ptx && !error) adze_device_keep(&key, ptx, strlen(ptx));
    }
    if (error) adze_device_fails("it does not load the kernels", error);
    free(ptx);
    return error ? NULL : module;
}

static inline void *adze_device_new(size_t bytes)
{
    void *memory = NULL;
    adze_cu.cuCtxSetCurrent(adze_device_now.context); // of this thread
    int error = adze_cu.cuMemAlloc_v2(&memory, bytes);
    if (error) adze_device_fails("not enough memory", error);
    return error ? NULL : memory;
}

static inline void adze_device_delete(void *memory)
{
    if (memory) adze_cu.cuMemFree_v2(memory);
}

static inline bool adze_device_write(void *memory, const void *from, size_t bytes)
{
    int error = adze_cu.cuMemcpyHtoDAsync_v2(memory, from, bytes, adze_device_now.queue);
    if (!error) error = adze_cu.cuStreamSynchronize(adze_device_now.queue);
    return error ? adze_device_fails("memory cannot be written", error) : true;
}

static inline bool adze_device_read(void *memory, void *to, size_t bytes)
{
    int error = adze_cu.cuMemcpyDtoHAsync_v2(to, memory, bytes, adze_device_now.queue);
    if (!error) error = adze_cu.cuStreamSynchronize(adze_device_now.queue);
    return error ? adze_device_fails("memory cannot be read", error) : true;
}

static inline bool adze_device_start(const char *name, size_t groups, size_t group,
                                     const void **values, const size_t *sizes, uint32_t n)
{
    void *kernel = NULL;
    (void)sizes, (void)n;
    if (groups > INT32_MAX) groups = INT32_MAX; // the loops of the kernel go on
    int error = adze_cu.cuModuleGetFunction(&kernel, adze_device_now.program, name);
    if (!error)
        error = adze_cu.cuLaunchKernel(kernel, (uint32_t)groups, 1, 1, (uint32_t)group, 1, 1, 0,
                                       adze_device_now.queue, (void **)(uintptr_t)values, NULL);
    return error ? adze_device_fails(name, error) : true;
}
//= if_cuda_profile
#ifdef ADZE_WITH_PROFILE
//= cuda_profile needs device_profile cuda
#define ADZE_CU_OF_EVENTS(F)                                                                       \
    F(cuEventCreate, (void **, uint32_t))                                                          \
    F(cuEventRecord, (void *, void *))                                                             \
    F(cuEventSynchronize, (void *))                                                                \
    F(cuEventElapsedTime, (float *, void *, void *))                                               \
    F(cuEventDestroy_v2, (void *))
static struct {
    ADZE_CU_OF_EVENTS(ADZE_CU_POINTER)
} adze_cu_events;
static __typeof__(adze_cu) adze_cu_plain; // without profile
static _Thread_local struct {
    const char *kernel;
    void *from, *to; // events around a command
} adze_device_profile_now;

static inline void adze_device_profile_begin(void *stream)
{
    adze_cu_events.cuEventCreate(&adze_device_profile_now.from, 0);
    adze_cu_events.cuEventCreate(&adze_device_profile_now.to, 0);
    adze_cu_events.cuEventRecord(adze_device_profile_now.from, stream);
}

static inline int adze_device_profile_end(const char *name, size_t bytes, void *stream, int error)
{
    float milliseconds = 0.0f;
    adze_cu_events.cuEventRecord(adze_device_profile_now.to, stream);
    adze_cu_events.cuEventSynchronize(adze_device_profile_now.to);
    adze_cu_events.cuEventElapsedTime(&milliseconds, adze_device_profile_now.from,
                                      adze_device_profile_now.to);
    adze_cu_events.cuEventDestroy_v2(adze_device_profile_now.from);
    adze_cu_events.cuEventDestroy_v2(adze_device_profile_now.to);
    if (!error) adze_device_profile_add(name, (double)bytes, (double)milliseconds * 1e-3);
    return error;
}

static inline int adze_device_profile_find(void **kernel, void *module, const char *name)
{
    adze_device_profile_now.kernel = name;
    return adze_cu_plain.cuModuleGetFunction(kernel, module, name);
}

static inline int adze_device_profile_launch(void *kernel, uint32_t gx, uint32_t gy, uint32_t gz,
                                             uint32_t bx, uint32_t by, uint32_t bz, uint32_t shared,
                                             void *stream, void **values, void **more)
{
    adze_device_profile_begin(stream);
    int error =
        adze_cu_plain.cuLaunchKernel(kernel, gx, gy, gz, bx, by, bz, shared, stream, values, more);
    return adze_device_profile_end(adze_device_profile_now.kernel, 0, stream, error);
}

static inline int adze_device_profile_read(void *to, void *from, size_t bytes, void *stream)
{
    adze_device_profile_begin(stream);
    int error = adze_cu_plain.cuMemcpyDtoHAsync_v2(to, from, bytes, stream);
    return adze_device_profile_end("copies from the device", bytes, stream, error);
}

static inline int adze_device_profile_write(void *to, const void *from, size_t bytes, void *stream)
{
    adze_device_profile_begin(stream);
    int error = adze_cu_plain.cuMemcpyHtoDAsync_v2(to, from, bytes, stream);
    return adze_device_profile_end("copies to the device", bytes, stream, error);
}

// Finds functions, and replaces those that are measured.
static inline bool adze_device_profile_find_functions(void)
{
    void *library = dlopen(NULL, RTLD_NOW);
    if (!adze_device_find_functions()) return false;
#define ADZE_CU_FIND_OF_EVENTS(name, parameters)                                                   \
    if (!(*(void **)&adze_cu_events.name = dlsym(library, #name))) return false;
    ADZE_CU_OF_EVENTS(ADZE_CU_FIND_OF_EVENTS)
    adze_cu_plain = adze_cu;
    adze_cu.cuModuleGetFunction = adze_device_profile_find;
    adze_cu.cuLaunchKernel = adze_device_profile_launch;
    adze_cu.cuMemcpyDtoHAsync_v2 = adze_device_profile_read;
    adze_cu.cuMemcpyHtoDAsync_v2 = adze_device_profile_write;
    return true;
}
#define adze_device_find_functions adze_device_profile_find_functions
//= end_cuda_profile
#endif
//= end_cuda
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
static inline void *adze_device_program_of(adze_device_program *p, void *context)
{
    adze_device_built *b = p->built;
    while (b && b->context != context) b = b->next;
    if (b) return b->program;
    void *program = adze_device_compile(p);
    if (program && (b = malloc(sizeof *b))) {
        *b = (adze_device_built){context, program, p->built};
        p->built = b;
    }
    return program;
}

// Makes the device and the program ready for a kernel.
static inline bool adze_device_build(adze_device_program *p)
{
    bool lent = adze_device_now.lent;
    adze_device_lock(p);
    if (!lent && adze_device.state == 0)
        adze_device.state = adze_device.found > 0 && adze_device_open() ? 1 : -1;
    bool done = lent || adze_device.state > 0 || adze_device_is_missing();
    if (done && !lent) adze_device_now = adze_device.own;
    if (done) adze_device_now.program = adze_device_program_of(p, adze_device_now.context);
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

// From here on the memory may be passed to kernels. `current` says whether it has values yet.
// Arrays may begin at one address, and use its memory one after another.
static inline void adze_device_hold(const void *host, int64_t count, size_t size, int current)
{
    size_t bytes = count > 0 ? (size_t)count * size : 0;
    adze_device_held *h = adze_device_add(host);
    if (!h || h->lent) return; // adze_device_launch reports NULL
    if (bytes > h->bytes) h->bytes = bytes;
    h->current = current;
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

// At the end of a function, which began with `count` arrays: drops its own. Frees the list after the
// last one.
static inline void adze_device_drop_from(int count)
{
    while (adze_device_memory.count > count)
        adze_device_free(&adze_device_memory.at[--adze_device_memory.count]);
    if (count > 0) return;
    free(adze_device_memory.at);
    adze_device_memory.at = NULL;
    adze_device_memory.room = 0;
}

// Before the host reads an array, or writes some of it.
static inline bool adze_device_on_host(const void *host, bool writes)
{
    adze_device_held *h = adze_device_find(host);
    if (!h) return true;
    if (h->current == ADZE_DEVICE) {
        if (h->bytes && !adze_device_read(h->buffer, (void *)(uintptr_t)host, h->bytes))
            return false;
        h->current = ADZE_HOST | ADZE_DEVICE;
    }
    if (writes) h->current = ADZE_HOST;
    return true;
}

// At the end of an entry: a result is in the memory of the caller, which may be on the device.
static inline bool adze_device_result(const void *host)
{
    adze_device_held *h = adze_device_find(host);
    return !h || h->lent || adze_device_on_host(host, false);
}

// Before a kernel reads an array, or writes some of it.
static inline bool adze_device_on_device(adze_device_held *h, bool writes)
{
    if (h->room < h->bytes || !h->buffer) {
        adze_device_delete(h->buffer);
        h->room = h->bytes ? h->bytes : 1;
        if (!(h->buffer = adze_device_new(h->room))) return false;
    }
    if (h->current == ADZE_HOST && h->bytes) {
        if (!adze_device_write(h->buffer, h->host, h->bytes)) return false;
        h->current |= ADZE_DEVICE;
    }
    if (writes) h->current = ADZE_DEVICE;
    return true;
}

// Memory that the functions around the kernel do not hold is held during the launch.
static inline bool adze_device_borrow(const adze_device_argument *a)
{
    bool borrowed = a->how != ADZE_IS_VALUE && !adze_device_find(a->at);
    if (borrowed) adze_device_hold(a->at, a->count, a->size, ADZE_HOST);
    return borrowed;
}

static inline bool adze_device_give_back(const adze_device_argument *a)
{
    bool done = adze_device_on_host(a->at, false);
    adze_device_drop(a->at);
    return done;
}

enum { ADZE_MOST_ARGUMENTS = 64, ADZE_GROUP = 64 }; // work-items of a group that share nothing

// Passes the arguments and, if the kernel may fail, the memory for its status.
static inline bool adze_device_run(const char *name, int64_t groups, size_t group,
                                   const adze_device_argument *arguments, uint32_t n, void *fault)
{
    const void *values[ADZE_MOST_ARGUMENTS + 1];
    size_t sizes[ADZE_MOST_ARGUMENTS + 1];
    for (uint32_t i = 0; i < n; i++) {
        const adze_device_argument *a = &arguments[i];
        adze_device_held *h = a->how == ADZE_IS_VALUE ? NULL : adze_device_find(a->at);
        if (a->how != ADZE_IS_VALUE && !h) return adze_device_fails("not enough memory", 0);
        if (h && !adze_device_on_device(h, a->how == ADZE_IS_WRITTEN)) return false;
        values[i] = h ? (const void *)&h->buffer : a->at;
        sizes[i] = h ? sizeof h->buffer : a->size;
    }
    values[n] = &fault;
    sizes[n] = sizeof fault;
    return adze_device_start(name, (size_t)groups, group, values, sizes, n + (fault != NULL));
}

// Runs a kernel with a number of work-items or, if `group` is not 0, of groups of that many
// work-items. Returns its status.
static inline int adze_device_launch(adze_device_program *p, const char *name, int64_t items,
                                     const adze_device_argument *arguments, uint32_t n,
                                     uint32_t group, bool may_fail)
{
    int32_t status = 0;
    uint64_t borrowed = 0; // a bit for each argument
    void *fault = NULL;
    if (items <= 0) return 0;
    if (group == 0) items = (items - 1) / ADZE_GROUP + 1;
    if (!adze_device_build(p)) return p->failed;
    if (may_fail && !(fault = adze_device_new(sizeof status))) return p->failed;
    for (uint32_t i = 0; i < n; i++)
        if (adze_device_borrow(&arguments[i])) borrowed |= UINT64_C(1) << i;
    bool done = (!fault || adze_device_write(fault, &status, sizeof status)) &&
                adze_device_run(name, items, group > 0 ? group : ADZE_GROUP, arguments, n, fault) &&
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
