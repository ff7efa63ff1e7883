// How kernels run by OpenCL, for adze_device.h, of which this is a part.
#ifndef ADZE_DEVICE_OPENCL_H
#define ADZE_DEVICE_OPENCL_H

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
    enum { MOST = 16, CPU = 2, GPU = 4, ACCELERATOR = 8 };
    static const uint64_t kinds[] = {GPU, CPU | ACCELERATOR};
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

static inline void *adze_device_compile(const adze_device_program *p, bool narrow)
{
    enum { LOG = 0x1183, FLOATS = 0x101B, ROUNDS_DIVISION = 1 << 7 };
    enum { DEVICE_VERSION = 0x102F, DRIVER_VERSION = 0x102D };
    uint64_t floats = 0;
    adze_cl.GetDeviceInfo(adze_device_now.device, FLOATS, sizeof floats, &floats, NULL);
#ifdef ADZE_NO_FMA
    const char *fused = " -DADZE_NO_FMA";
#else
    const char *fused = "";
#endif
    const char *rounded = floats & ROUNDS_DIVISION ? " -cl-fp32-correctly-rounded-divide-sqrt" : "";
    char options[100], log[600] = "it does not compile the kernels", all[800];
    snprintf(options, sizeof options, "-cl-std=CL1.2 -w -DADZE_INDEX=%s%s%s",
             narrow ? "int" : "long", rounded, fused);
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
//= end_opencl
#endif
