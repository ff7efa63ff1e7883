// The host side of kernels: what generated C calls for a target with a device, in sections like
// those of adze_support.h.
#ifndef ADZE_DEVICE_H
#define ADZE_DEVICE_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//= opencl
// OpenCL, which is found at run time. The device is the first GPU or, if there is none, the first
// device; the environment variable ADZE_DEVICE names another by a part of its name.
#define ADZE_CL(F)                                                                                 \
    F(int32_t, GetPlatformIDs, (uint32_t, void **, uint32_t *))                                    \
    F(int32_t, GetDeviceIDs, (void *, uint64_t, uint32_t, void **, uint32_t *))                    \
    F(int32_t, GetDeviceInfo, (void *, uint32_t, size_t, void *, size_t *))                        \
    F(void *, CreateContext, (const void *, uint32_t, void **, void *, void *, int32_t *))         \
    F(void *, CreateCommandQueue, (void *, void *, uint64_t, int32_t *))                           \
    F(void *, CreateProgramWithSource,                                                             \
      (void *, uint32_t, const char *const *, const size_t *, int32_t *))                          \
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
       const void *, void *))                                                                      \
    F(int32_t, Finish, (void *))
#define ADZE_CL_POINTER(T, name, parameters) T(*name) parameters;
static struct {
    ADZE_CL(ADZE_CL_POINTER)
} adze_cl;
static struct {
    int lock, state; // 1: open, -1: there is none
    void *device, *context, *queue;
    char name[128];
} adze_device;
static char adze_device_message[1024] = "no device"; // why the last call failed

// The kernels of an entry, compiled when it is first called.
typedef struct {
    const char *const *lines;
    uint32_t count;
    int failed; // the status of an entry whose device fails
    void *built;
} adze_program;

// Memory of the host that the device may have a copy of, and which of the two are up to date.
enum { ADZE_NEITHER, ADZE_HOST = 1, ADZE_DEVICE = 2 };
typedef struct {
    const char *host;
    size_t bytes, room;
    void *buffer;
    int current;
} adze_held;
static _Thread_local struct {
    adze_held *at;
    int count, room;
    void *fault; // where kernels store the status of a failure
} adze_memory;

// An argument of a kernel: a value, or memory that the kernel reads or writes.
typedef struct {
    const void *at;
    int64_t count;
    size_t size;
    enum { ADZE_IS_VALUE, ADZE_IS_READ, ADZE_IS_WRITTEN } how;
} adze_argument;
#define ADZE_VALUE(x)          {&(x), 1, sizeof(x), ADZE_IS_VALUE}
#define ADZE_READ(x, count)    {x, count, sizeof *(x), ADZE_IS_READ}
#define ADZE_WRITTEN(x, count) {x, count, sizeof *(x), ADZE_IS_WRITTEN}

static inline bool adze_device_fails(const char *what, int32_t error)
{
    snprintf(adze_device_message, sizeof adze_device_message,
             "error E0615: the device failed: %s: %s (OpenCL error %d)", adze_device.name, what,
             (int)error);
    return false;
}

static inline bool adze_device_find_functions(void)
{
    static const char *const files[] = {"libOpenCL.so.1", "libOpenCL.so"};
    void *library = NULL;
    for (int i = 0; i < 2 && !library; i++) library = dlopen(files[i], RTLD_NOW);
    if (!library) return false;
#define ADZE_CL_FIND(T, name, parameters)                                                          \
    if (!(*(void **)&adze_cl.name = dlsym(library, "cl" #name))) return false;
    ADZE_CL(ADZE_CL_FIND)
    return true;
}

// Chooses the device: a GPU rather than others.
static inline bool adze_device_find_device(void)
{
    enum { MOST = 16, GPU = 4, ANY = -1, NAME = 0x102B };
    void *platforms[MOST], *devices[MOST];
    uint32_t np = 0, nd = 0;
    const char *wanted = getenv("ADZE_DEVICE");
    if (adze_cl.GetPlatformIDs(MOST, platforms, &np) != 0) return false;
    for (int kind = GPU; kind == GPU || kind == ANY; kind = kind == GPU ? ANY : 0)
        for (uint32_t p = 0; p < np && p < MOST; p++) {
            uint64_t type = kind == ANY ? 0xFFFFFFFF : (uint64_t)kind;
            if (adze_cl.GetDeviceIDs(platforms[p], type, MOST, devices, &nd) != 0) continue;
            for (uint32_t d = 0; d < nd && d < MOST; d++) {
                char name[128] = "";
                adze_cl.GetDeviceInfo(devices[d], NAME, sizeof name - 1, name, NULL);
                if (wanted && !strstr(name, wanted)) continue;
                adze_device.device = devices[d];
                memcpy(adze_device.name, name, sizeof name);
                return true;
            }
        }
    return false;
}

static inline int adze_device_open(void)
{
    int32_t error = 0;
    if (!adze_device_find_functions() || !adze_device_find_device()) return -1;
    adze_device.context =
        adze_cl.CreateContext(NULL, 1, &adze_device.device, NULL, NULL, &error);
    if (!adze_device.context) return -1;
    adze_device.queue =
        adze_cl.CreateCommandQueue(adze_device.context, adze_device.device, 0, &error);
    return adze_device.queue ? 1 : -1;
}

// Compiles the program, unless it has been. The device and the programs are shared by all threads.
static inline bool adze_device_build(adze_program *p)
{
    static const char *const options = "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -w";
    enum { LOG = 0x1183 };
    int32_t error = 0;
    while (__atomic_exchange_n(&adze_device.lock, 1, __ATOMIC_ACQUIRE)) continue;
    if (adze_device.state == 0) adze_device.state = adze_device_open();
    if (adze_device.state < 0) {
        const char *wanted = getenv("ADZE_DEVICE");
        snprintf(adze_device_message, sizeof adze_device_message,
                 "error E0615: no OpenCL device%s%s%s; clinfo lists what there is",
                 wanted ? " named `" : "", wanted ? wanted : "", wanted ? "`" : "");
    } else if (!p->built) {
        void *program =
            adze_cl.CreateProgramWithSource(adze_device.context, p->count, p->lines, NULL, &error);
        if (program)
            error = adze_cl.BuildProgram(program, 1, &adze_device.device, options, NULL, NULL);
        if (error) {
            char log[600] = "";
            adze_cl.GetProgramBuildInfo(program, adze_device.device, LOG, sizeof log - 1, log,
                                        NULL);
            adze_device_fails(*log ? log : "it does not compile the kernels", error);
        } else {
            p->built = program;
        }
    }
    bool done = p->built != NULL;
    __atomic_store_n(&adze_device.lock, 0, __ATOMIC_RELEASE);
    return done;
}

static inline adze_held *adze_device_find(const void *host)
{
    for (int i = 0; i < adze_memory.count; i++)
        if (adze_memory.at[i].host == host) return &adze_memory.at[i];
    return NULL;
}

// From here on the memory may be passed to kernels. `current` says whether it has values yet.
static inline void adze_device_hold(const void *host, int64_t count, size_t size, int current)
{
    size_t bytes = count > 0 ? (size_t)count * size : 0;
    adze_held *h = adze_device_find(host);
    if (!h && adze_memory.count == adze_memory.room) {
        int room = 2 * adze_memory.room + 8;
        adze_held *more = realloc(adze_memory.at, (size_t)room * sizeof *more);
        if (!more) return; // adze_device_launch reports it
        adze_memory.at = more;
        adze_memory.room = room;
    }
    if (!h) {
        h = &adze_memory.at[adze_memory.count++];
        *h = (adze_held){.host = host};
    }
    if (bytes > h->bytes) h->bytes = bytes;
    h->current = current;
}

static inline void adze_device_drop(const void *host)
{
    adze_held *h = adze_device_find(host);
    if (!h) return;
    if (h->buffer) adze_cl.ReleaseMemObject(h->buffer);
    *h = adze_memory.at[--adze_memory.count];
}

static inline void adze_device_drop_all(void)
{
    for (int i = adze_memory.count; i-- > 0;)
        if (adze_memory.at[i].buffer) adze_cl.ReleaseMemObject(adze_memory.at[i].buffer);
    free(adze_memory.at);
    adze_memory.at = NULL;
    adze_memory.count = adze_memory.room = 0;
}

// Before the host reads memory, or writes some of it.
static inline bool adze_device_on_host(const void *host, bool writes)
{
    adze_held *h = adze_device_find(host);
    if (!h) return true;
    if (h->current == ADZE_DEVICE) {
        int32_t error = adze_cl.EnqueueReadBuffer(adze_device.queue, h->buffer, 1, 0, h->bytes,
                                                  (void *)(uintptr_t)host, 0, NULL, NULL);
        if (error) return adze_device_fails("results cannot be read", error);
        h->current = ADZE_HOST | ADZE_DEVICE;
    }
    if (writes) h->current = ADZE_HOST;
    return true;
}

// Gives the device its copy of the memory.
static inline bool adze_device_on_device(adze_held *h, bool writes)
{
    enum { READ_WRITE = 1 };
    int32_t error = 0;
    if (h->room < h->bytes || !h->buffer) {
        if (h->buffer) adze_cl.ReleaseMemObject(h->buffer);
        h->room = h->bytes ? h->bytes : 1;
        h->buffer =
            adze_cl.CreateBuffer(adze_device.context, READ_WRITE, h->room, NULL, &error);
        if (!h->buffer) return adze_device_fails("not enough memory", error);
    }
    if (h->current == ADZE_HOST && h->bytes) {
        error = adze_cl.EnqueueWriteBuffer(adze_device.queue, h->buffer, 1, 0, h->bytes, h->host,
                                           0, NULL, NULL);
        if (error) return adze_device_fails("arguments cannot be written", error);
        h->current |= ADZE_DEVICE;
    }
    if (writes) h->current = ADZE_DEVICE;
    return true;
}

static inline bool adze_device_pass(void *kernel, uint32_t i, const adze_argument *a)
{
    adze_held *h = a->how == ADZE_IS_VALUE ? NULL : adze_device_find(a->at);
    if (a->how != ADZE_IS_VALUE && !h) return adze_device_fails("not enough memory", 0);
    if (h && !adze_device_on_device(h, a->how == ADZE_IS_WRITTEN)) return false;
    int32_t error = adze_cl.SetKernelArg(kernel, i, h ? sizeof h->buffer : a->size,
                                         h ? (const void *)&h->buffer : a->at);
    return error ? adze_device_fails("an argument is refused", error) : true;
}

static inline bool adze_device_pass_fault(void *kernel, uint32_t i, int32_t *status)
{
    enum { READ_WRITE_COPY = 1 | 32 };
    int32_t error = 0;
    adze_memory.fault = adze_cl.CreateBuffer(adze_device.context, READ_WRITE_COPY, sizeof *status,
                                             status, &error);
    if (!error) error = adze_cl.SetKernelArg(kernel, i, sizeof(void *), &adze_memory.fault);
    return error ? adze_device_fails("not enough memory", error) : true;
}

static inline bool adze_device_run(void *kernel, int64_t items, const adze_argument *arguments, uint32_t n,
                     bool may_fail, int32_t *status)
{
    enum { GROUP = 64 };
    size_t group = GROUP, all = ((size_t)items + GROUP - 1) / GROUP * GROUP;
    for (uint32_t i = 0; i < n; i++)
        if (!adze_device_pass(kernel, i, &arguments[i])) return false;
    if (may_fail && !adze_device_pass_fault(kernel, n, status)) return false;
    int32_t error = adze_cl.EnqueueNDRangeKernel(adze_device.queue, kernel, 1, NULL, &all, &group,
                                                 0, NULL, NULL);
    if (!error && may_fail)
        error = adze_cl.EnqueueReadBuffer(adze_device.queue, adze_memory.fault, 1, 0,
                                          sizeof *status, status, 0, NULL, NULL);
    return error ? adze_device_fails("a kernel does not run", error) : true;
}

// Memory that the functions around the kernel do not hold is held during the launch.
static inline bool adze_device_borrow(const adze_argument *a)
{
    bool borrowed = a->how != ADZE_IS_VALUE && !adze_device_find(a->at);
    if (borrowed) adze_device_hold(a->at, a->count, a->size, ADZE_HOST);
    return borrowed;
}

static inline bool adze_device_give_back(const adze_argument *a)
{
    bool done = adze_device_on_host(a->at, false);
    adze_device_drop(a->at);
    return done;
}

// Runs a kernel with a number of work-items. Returns its status.
static inline int adze_device_launch(adze_program *p, const char *name, int64_t items,
                       const adze_argument *arguments, uint32_t n, bool may_fail)
{
    int32_t error = 0, status = 0;
    if (items <= 0) return 0;
    if (!adze_device_build(p)) return p->failed;
    void *kernel = adze_cl.CreateKernel(p->built, name, &error);
    if (!kernel) return adze_device_fails(name, error), p->failed;
    uint64_t borrowed = 0; // a bit for each argument
    for (uint32_t i = 0; i < n && i < 64; i++)
        if (adze_device_borrow(&arguments[i])) borrowed |= UINT64_C(1) << i;
    bool done = adze_device_run(kernel, items, arguments, n, may_fail, &status);
    for (uint32_t i = 0; i < n && i < 64; i++)
        if (borrowed >> i & 1) done = adze_device_give_back(&arguments[i]) && done;
    if (may_fail && adze_memory.fault) adze_cl.ReleaseMemObject(adze_memory.fault);
    adze_memory.fault = NULL;
    adze_cl.ReleaseKernel(kernel);
    return done ? status : p->failed;
}
//= end
#endif
