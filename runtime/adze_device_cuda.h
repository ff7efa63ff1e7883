// How kernels run by CUDA, for adze_device.h, of which this is a part.
#ifndef ADZE_DEVICE_CUDA_H
#define ADZE_DEVICE_CUDA_H

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

static inline void *adze_device_compile(const adze_device_program *p, bool narrow)
{
    enum { MAJOR = 75, MINOR = 76, OPTIONS = 5 };
    int major = 0, minor = 0, device = (int)(intptr_t)adze_device_now.device, of_nvrtc[2] = {0};
    char arch[40], all[160];
    size_t bytes = 0;
    void *module = NULL;
    adze_cu.cuDeviceGetAttribute(&major, MAJOR, device);
    adze_cu.cuDeviceGetAttribute(&minor, MINOR, device);
    adze_cu.nvrtcVersion(&of_nvrtc[0], &of_nvrtc[1]);
    snprintf(arch, sizeof arch, "--gpu-architecture=compute_%d%d", major, minor);
#ifdef ADZE_NO_FMA
    const char *fused = "--fmad=false", *defined = "-DADZE_NO_FMA";
#else
    const char *fused = "--fmad=true", *defined = "-UADZE_NO_FMA";
#endif
    const char *index = narrow ? "-DADZE_INDEX=int" : "-DADZE_INDEX=long";
    const char *const options[OPTIONS] = {arch, fused, defined, index,
                                          "--device-as-default-execution-space"};
    snprintf(all, sizeof all, "NVRTC %d.%d %s %s %s %s %s", of_nvrtc[0], of_nvrtc[1], options[0],
             options[1], options[2], options[3], options[4]);
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
