// A CUDA driver for tests, whose device is the CPU: the functions of libcuda and libnvrtc that
// runtime/adze_device.h calls. Kernels are compiled by clang with device.h before them, and run as
// that header describes, so that races and wrong accesses end the program.
#include "device.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <list>
#include <map>
#include <mutex>
#include <regex>
#include <string>
#include <unistd.h>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace
{

// The number that an environment variable says, or `otherwise`.
long number(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

// The text without its barrier number k, counted from 1.
std::string without_barrier(std::string text, long k)
{
    size_t at = 0;
    while ((at = text.find(" barrier(CLK", at)) != std::string::npos && --k > 0) at++;
    if (at != std::string::npos) text.replace(at, 1, " //");
    return text;
}

// Adds a function call_NAME(void **) for each kernel NAME of the text.
std::string with_calls(const std::string &text)
{
    std::string all = "#include \"kernels.h\"\n" + text + R"(
#undef kernel
#undef restrict
#undef local
extern "C" {
extern char __start_device_shared[] __attribute__((weak));
extern char __stop_device_shared[] __attribute__((weak));
void set_shared() { device_set_shared(__start_device_shared, __stop_device_shared); }
}
template <typename... A, size_t... I>
__attribute__((no_sanitize("thread"))) void device_call(void (*f)(A...), void **values, std::index_sequence<I...>)
{
    f(*(A *)values[I]...);
}
template <typename... A>
__attribute__((no_sanitize("thread"))) void device_call(void (*f)(A...), void **values)
{
    device_call(f, values, std::index_sequence_for<A...>());
}
)";
    static const std::regex head("\nkernel (?:work_group\\(\\d+\\) )?void (\\w+)");
    for (std::sregex_iterator k(text.begin(), text.end(), head), end; k != end; ++k) {
        std::string s = (*k)[1];
        all +=
            "extern \"C\" void call_" + s + "(void *v) { device_call(" + s + ", (void **)v); }\n";
    }
    return all;
}

struct Program {
    std::string text;
};

struct Context {
};

struct Stream {
    Context *context;
};

struct Module {
    Context *context;
    void *library;
};

struct Function {
    Context *context;
    void (*call)(void *);
};

enum { WRONG_CONTEXT = 201, WRONG_STREAM = 400 };
Context primary;
thread_local Context *current;           // of this thread
std::map<const void *, Context *> owner; // of memory
std::recursive_mutex lock;               // of what runs on the device

std::string last_kernel; // the name of the one that is launched next

} // namespace

EXPORT int nvrtcCreateProgram(Program **program, const char *text, const char *, int,
                              const char *const *, const char *const *)
{
    *program = new Program{text};
    return 0;
}

EXPORT int nvrtcVersion(int *major, int *minor)
{
    *major = (int)number("DEVICE_NVRTC", 9);
    *minor = 0;
    return 0;
}

EXPORT int nvrtcCompileProgram(Program *program, int n, const char *const *options)
{
    for (int i = 0; i < n; i++)
        if (strcmp(options[i], "-DADZE_NO_FMA") == 0)
            program->text.insert(0, "#define ADZE_NO_FMA\n");
        else if (strncmp(options[i], "-DADZE_INDEX=", 13) == 0)
            program->text.insert(0, std::string("#define ADZE_INDEX ") + (options[i] + 13) + "\n");
    if (!getenv("DEVICE_SAYS_COMPILED")) return 0;
    fprintf(stderr, "compiled");
    for (int i = 0; i < n; i++) fprintf(stderr, " %s", options[i]);
    fprintf(stderr, "\n");
    return 0;
}

EXPORT int nvrtcGetPTXSize(Program *program, size_t *bytes)
{
    *bytes = program->text.size() + 1;
    return 0;
}

EXPORT int nvrtcGetPTX(Program *program, char *to)
{
    strcpy(to, program->text.c_str());
    return 0;
}

EXPORT int nvrtcGetProgramLogSize(Program *, size_t *bytes)
{
    *bytes = 0;
    return 0;
}

EXPORT int nvrtcGetProgramLog(Program *, char *)
{
    return 0;
}

EXPORT int nvrtcDestroyProgram(Program **program)
{
    delete *program;
    return 0;
}

EXPORT int cuInit(unsigned)
{
    return 0;
}

EXPORT int cuDeviceGetCount(int *n)
{
    *n = 1;
    return 0;
}

EXPORT int cuDeviceGet(int *device, int i)
{
    *device = i;
    return 0;
}

EXPORT int cuDeviceGetName(char *name, int room, int)
{
    snprintf(name, (size_t)room, "the CPU, for tests");
    return 0;
}

EXPORT int cuDeviceGetAttribute(int *value, int, int)
{
    *value = 9;
    return 0;
}

EXPORT int cuDevicePrimaryCtxRetain(Context **context, int)
{
    *context = &primary;
    device_begin(1, false);
    return 0;
}

EXPORT int cuCtxCreate_v2(Context **context, unsigned, int)
{
    *context = current = new Context;
    return 0;
}

EXPORT int cuCtxSetCurrent(Context *context)
{
    current = context;
    return 0;
}

EXPORT int cuCtxGetCurrent(Context **context)
{
    *context = current;
    return 0;
}

EXPORT int cuCtxGetDevice(int *device)
{
    *device = 0;
    return current ? 0 : WRONG_CONTEXT;
}

EXPORT int cuStreamCreate(Stream **stream, unsigned)
{
    static auto &all = *new std::list<Stream>;
    std::lock_guard<std::recursive_mutex> held(lock);
    *stream = &all.emplace_back(Stream{current});
    return current ? 0 : WRONG_CONTEXT;
}

EXPORT int cuStreamGetCtx(Stream *stream, Context **context)
{
    *context = stream ? stream->context : current;
    return 0;
}

EXPORT int cuStreamSynchronize(Stream *stream)
{
    return stream && stream->context != current ? WRONG_STREAM : 0;
}

// Compiles the text, which nvrtcGetPTX has passed on, to a library.
EXPORT int cuModuleLoadData(Module **module, const void *text)
{
    std::lock_guard<std::recursive_mutex> held(lock);
    if (!current) return WRONG_CONTEXT;
    char folder[] = "/tmp/adze-device-XXXXXX";
    if (!mkdtemp(folder)) return 1;
    std::string base = folder, source = base + "/kernels.cpp", library = base + "/kernels.so";
    FILE *f = fopen(source.c_str(), "w");
    if (!f) return 1;
    long k = number("DEVICE_WITHOUT_BARRIER", 0);
    std::string kernels = (const char *)text;
    fputs(with_calls(k ? without_barrier(kernels, k) : kernels).c_str(), f);
    fclose(f);
    // The headers are compiled once, with optimisations.
    const char *level = number("DEVICE_OPTIMISED", 1) ? "-include-pch " DEVICE_HEADERS : "-O0";
    std::string command = std::string("clang -x c++ " DEVICE_OPTIONS " ") + level +
                          " -Wall -Wextra -Werror -Wno-macro-redefined -Wno-tautological-compare "
                          "-Wno-unused-function -Wno-unused-parameter -shared -o " +
                          library + " " + source;
    int status = system(command.c_str());
    void *opened = status ? nullptr : dlopen(library.c_str(), RTLD_NOW);
    if (!status && !opened) fprintf(stderr, "%s\n", dlerror());
    if (!opened) return 2;
    ((void (*)())dlsym(opened, "set_shared"))();
    (void)!system(("rm -rf " + base).c_str());
    *module = new Module{current, opened};
    return 0;
}

EXPORT int cuModuleGetFunction(Function **function, const Module *module, const char *name)
{
    std::lock_guard<std::recursive_mutex> held(lock);
    static auto &known = *new std::map<std::pair<const Module *, std::string>, Function *>;
    void *call = dlsym(module->library, (std::string("call_") + name).c_str());
    if (!call) return 3;
    last_kernel = name;
    Function *&one = known[{module, name}];
    if (!one) one = new Function{module->context, (void (*)(void *))call};
    *function = one;
    return 0;
}

EXPORT int cuEventCreate(timespec **event, unsigned)
{
    *event = new timespec;
    return 0;
}

EXPORT int cuEventRecord(timespec *event, void *)
{
    return clock_gettime(CLOCK_MONOTONIC, event);
}

EXPORT int cuEventSynchronize(timespec *)
{
    return 0;
}

EXPORT int cuEventElapsedTime(float *milliseconds, const timespec *from, const timespec *to)
{
    *milliseconds =
        (float)(to->tv_sec - from->tv_sec) * 1e3f + (float)(to->tv_nsec - from->tv_nsec) * 1e-6f;
    return 0;
}

EXPORT int cuEventDestroy_v2(timespec *event)
{
    delete event;
    return 0;
}

EXPORT int cuMemAlloc_v2(void **memory, size_t bytes)
{
    std::lock_guard<std::recursive_mutex> held(lock);
    if (!current) return WRONG_CONTEXT;
    *memory = device_memory("memory", nullptr, bytes, 1);
    if (*memory) owner[*memory] = current;
    return *memory ? 0 : 4;
}

EXPORT int cuMemFree_v2(void *memory)
{
    std::lock_guard<std::recursive_mutex> held(lock);
    owner.erase(memory);
    device_free(memory);
    return 0;
}

EXPORT int cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t bytes, const Stream *stream)
{
    std::lock_guard<std::recursive_mutex> held(lock);
    if (owner[to] != current) return WRONG_CONTEXT;
    if (stream && stream->context != current) return WRONG_STREAM;
    device_write(to, from, bytes);
    return 0;
}

EXPORT int cuMemcpyDtoHAsync_v2(void *to, void *from, size_t bytes, const Stream *stream)
{
    std::lock_guard<std::recursive_mutex> held(lock);
    if (owner[from] != current) return WRONG_CONTEXT;
    if (stream && stream->context != current) return WRONG_STREAM;
    memcpy(to, from, bytes);
    return 0;
}

EXPORT int cuLaunchKernel(const Function *function, unsigned gx, unsigned gy, unsigned gz,
                          unsigned bx, unsigned by, unsigned bz, unsigned, const Stream *stream,
                          void **values, void **)
{
    std::lock_guard<std::recursive_mutex> held(lock);
    if (function->context != current) return WRONG_CONTEXT;
    if (stream && stream->context != current) return WRONG_STREAM;
    bool counts = getenv("DEVICE_COUNTS") != nullptr; // what the kernel does with memory
    long most = number("DEVICE_MOST_GROUPS", gx);
    if (most < gx) gx = (unsigned)most; // each runs several iterations
    if (counts) device_begin(1, true);
    device_launch({gx, gy, gz}, {bx, by, bz}, function->call, values);
    if (counts) device_report(last_kernel.c_str());
    return 0;
}
