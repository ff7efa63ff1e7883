// Runs CUDA kernels on the CPU (device.h): fibres, races, counters.
#include "device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum { THREADS = 1024, STACK = 64 * 1024, ALIGNMENT = 256, MEMORIES = 64, BANKS = 32, SECTOR = 32 };
enum { FAULT = 3 }; // the exit status

DeviceIndex threadIdx, blockIdx, blockDim, gridDim;

// --- memory --------------------------------------------------------------------------------------

// One access to a byte. Two accesses of a block are ordered if there is a barrier of the block
// between them, or one of their warp.
typedef struct {
    const void *at; // the instruction, NULL if there was no access
    uint32_t launch, block, thread;
    uint32_t barriers, warp_barriers; // how many its thread had reached
    bool atomic;
} Access;

// The last accesses to a byte. Of two reads, a write can come from the thread of at most one.
typedef struct {
    Access write, read[2];
    bool defined;
} Byte;

typedef struct {
    const char *name;
    char *from, *to;
    Byte *bytes;
    bool shared;
} Memory;

static Memory memories[MEMORIES];
static int memory_count;

extern char __start_device_shared[] __attribute__((weak)),
    __stop_device_shared[] __attribute__((weak));
static char *shared_from = __start_device_shared;

static void *checked(void *p)
{
    if (p) return p;
    fprintf(stderr, "no memory\n");
    exit(2);
}

static Memory *add_memory(const char *name, char *from, size_t bytes)
{
    if (memory_count == MEMORIES) {
        fprintf(stderr, "more than %d arrays\n", MEMORIES);
        exit(2);
    }
    Memory *m = &memories[memory_count++];
    *m = (Memory){.name = name, .from = from, .to = from + bytes};
    m->bytes = checked(calloc(bytes + 1, sizeof *m->bytes));
    return m;
}

static Memory *memory_of(const char *at)
{
    for (int i = 0; i < memory_count; i++)
        if (at >= memories[i].from && at < memories[i].to) return &memories[i];
    return NULL;
}

// Memory that no thread may access lies on both sides of each array.
void *device_memory(const char *name, const void *values, size_t count, size_t size)
{
    size_t bytes = count * size, room = (bytes / ALIGNMENT + 3) * ALIGNMENT;
    char *block = checked(aligned_alloc(ALIGNMENT, room));
    Memory *m = add_memory(name, block + ALIGNMENT, bytes);
    memset(block, 0xff, room);
    if (values) memcpy(m->from, values, bytes);
    for (size_t i = 0; i < bytes; i++) m->bytes[i].defined = values;
    return m->from;
}

void device_free(void *memory)
{
    for (int i = 0; i < memory_count; i++) {
        if (memories[i].from != memory) continue;
        free(memories[i].from - ALIGNMENT);
        free(memories[i].bytes);
        memories[i] = memories[--memory_count];
        return;
    }
}

void device_write(void *memory, const void *values, size_t bytes)
{
    Memory *m = memory_of(memory);
    memcpy(memory, values, bytes);
    for (size_t i = 0; m && i < bytes; i++) m->bytes[(char *)memory - m->from + i].defined = true;
}

// --- threads -------------------------------------------------------------------------------------

typedef enum { RUNNING, AT_BARRIER, AT_WARP_BARRIER, FINISHED } State;

// It begins in `start`, and goes on in `context`: jumps make no system calls, as swapcontext does.
typedef struct {
    ucontext_t start;
    jmp_buf context;
    bool started;
    State state;
    int line; // of the barrier
    DeviceIndex index;
    uint32_t number, barriers, warp_barriers;
    uint32_t waits; // for other threads, of any kind
    uint64_t shown; // to the other lanes of its warp
} Fibre;

static Fibre fibres[THREADS];
static char *stacks;
static uint32_t fibre_count, launches, block_number;
static Fibre *now;   // NULL outside of kernels
static int left_out; // the line of a barrier
static jmp_buf scheduler;
static void (*kernel)(void *);
static void *kernel_arguments;
static uint64_t random_state = 1;

// xorshift64*, by Marsaglia and Vigna
static uint32_t random_below(uint32_t n)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (uint32_t)((random_state * UINT64_C(2685821657736338717) >> 33) % n);
}

static uint32_t warp_of(uint32_t thread)
{
    return thread / DEVICE_WARP;
}

// --- faults --------------------------------------------------------------------------------------

// Writes the source line of an instruction, or nothing if it is not known.
static void put_line(const void *at)
{
    char command[256], line[512] = "";
    snprintf(command, sizeof command, "addr2line -s -e /proc/%d/exe %p", (int)getpid(),
             (const void *)((const char *)at - 1));
    FILE *f = popen(command, "r");
    if (f && fgets(line, sizeof line, f)) line[strcspn(line, " \n")] = 0;
    if (f) pclose(f);
    fprintf(stderr, "%s", line);
}

static void put_thread(uint32_t block, uint32_t number)
{
    fprintf(stderr, "thread %u of block %u", number, block);
}

static void __attribute__((noreturn)) fault(void)
{
    fprintf(stderr, "\n");
    exit(FAULT);
}

static void __attribute__((noreturn))
access_fault(const char *what, const Memory *m, const void *at, const Access *before)
{
    fprintf(stderr, "%s", what);
    if (m) fprintf(stderr, " of %s", m->name);
    fprintf(stderr, ": ");
    put_thread(block_number, now->number);
    fprintf(stderr, " at ");
    put_line(at);
    if (before) {
        fprintf(stderr, ", and ");
        put_thread(before->block, before->thread);
        fprintf(stderr, " at ");
        put_line(before->at);
    }
    fault();
}

// --- races ---------------------------------------------------------------------------------------

static bool are_ordered(const Access *a, const Access *b, bool shared)
{
    if (a->launch != b->launch) return true;
    if (a->block != b->block) return shared; // each block has its own shared memory
    if (a->thread == b->thread || a->barriers != b->barriers) return true;
    return warp_of(a->thread) == warp_of(b->thread) && a->warp_barriers != b->warp_barriers;
}

static void check_race(const Memory *m, const Access *before, const Access *mine)
{
    if (!before->at || (before->atomic && mine->atomic)) return;
    if (!are_ordered(before, mine, m->shared)) access_fault("race", m, mine->at, before);
}

static void touch(const Memory *m, Byte *b, const Access *mine, bool write)
{
    if (!write && !b->defined) access_fault("undefined element", m, mine->at, NULL);
    check_race(m, &b->write, mine);
    for (int k = 0; write && k < 2; k++) check_race(m, &b->read[k], mine);
    b->defined |= write;
    if (write) {
        b->write = *mine;
    } else if (!b->read[0].at || are_ordered(&b->read[0], mine, m->shared)) {
        b->read[0] = *mine;
    } else {
        b->read[1] = *mine;
    }
}

// --- counters ------------------------------------------------------------------------------------

// What one lane of a request accesses. The k-th executions of an instruction by the lanes of a warp
// since they last waited for each other are taken for one request, also after control flow that
// diverged.
typedef struct {
    const void *at;
    const char *memory;
    uint32_t thread, waits, execution;
    uint8_t size;
    bool write, shared, atomic;
} Lane;

static bool counting;
static Lane *lanes; // of the current block
static size_t lane_count, lane_room;

typedef struct {
    uint64_t requests, parts; // sectors, or passes over the banks
} Counter;
static Counter counters[2][2]; // [shared][write]

static void record(const Lane *lane)
{
    if (!counting) return;
    if (lane_count == lane_room) {
        lane_room = lane_room * 2 + 1024;
        lanes = checked(realloc(lanes, lane_room * sizeof *lanes));
    }
    lanes[lane_count++] = *lane;
}

static int compare_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

// By instruction, warp, and thread; executions of a thread stay in order.
static int compare_threads(const void *x, const void *y)
{
    const Lane *a = x, *b = y;
    int c = compare_u64((uintptr_t)a->at, (uintptr_t)b->at);
    if (!c) c = compare_u64(a->thread, b->thread);
    return c ? c : compare_u64(a->execution, b->execution);
}

static int compare_requests(const void *x, const void *y)
{
    const Lane *a = x, *b = y;
    int c = compare_u64((uintptr_t)a->at, (uintptr_t)b->at);
    if (!c) c = compare_u64(warp_of(a->thread), warp_of(b->thread));
    if (!c) c = compare_u64(a->waits, b->waits);
    if (!c) c = compare_u64(a->execution, b->execution);
    return c ? c : compare_u64(a->thread, b->thread);
}

static int compare_numbers(const void *x, const void *y)
{
    return compare_u64(*(const uint64_t *)x, *(const uint64_t *)y);
}

static uint64_t distinct(uint64_t *numbers, size_t n)
{
    uint64_t count = 0;
    qsort(numbers, n, sizeof *numbers, compare_numbers);
    for (size_t i = 0; i < n; i++) count += i == 0 || numbers[i] != numbers[i - 1];
    return count;
}

static uint64_t sectors_of(const Lane *request, size_t n)
{
    uint64_t touched[DEVICE_WARP * 2];
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        uintptr_t first = (uintptr_t)request[i].memory;
        touched[count++] = first / SECTOR;
        touched[count++] = (first + request[i].size - 1) / SECTOR;
    }
    return distinct(touched, count);
}

// How often the bank that most of the lanes need is accessed. Lanes that access one word share it,
// except by atomic updates, which are done one after another. Of words of 8 and 16 bytes, a half
// and a quarter of a warp are served at a time.
static uint64_t passes_of(const Lane *request, size_t n)
{
    size_t at_once = request->size > 4 ? DEVICE_WARP * 4 / request->size : DEVICE_WARP;
    uint64_t passes = 0;
    for (size_t from = 0; from < n; from += at_once) {
        uint64_t most = 0;
        for (unsigned bank = 0; bank < BANKS; bank++) {
            uint64_t words[DEVICE_WARP * 4];
            size_t count = 0;
            for (size_t i = from; i < n && i < from + at_once; i++) {
                uint64_t word = (uint64_t)(request[i].memory - shared_from) / 4;
                for (size_t k = 0; k < (request[i].size + 3u) / 4; k++)
                    if ((word + k) % BANKS == bank) words[count++] = word + k;
            }
            uint64_t needed = request->atomic ? count : distinct(words, count);
            most = needed > most ? needed : most;
        }
        passes += most;
    }
    return passes;
}

static bool is_same_request(const Lane *a, const Lane *b)
{
    return a->at == b->at && warp_of(a->thread) == warp_of(b->thread) && a->waits == b->waits &&
           a->execution == b->execution;
}

static void count_block(void)
{
    // Replaces the order of executions by their number in the thread.
    for (size_t i = 0; i < lane_count; i++) lanes[i].execution = (uint32_t)i;
    qsort(lanes, lane_count, sizeof *lanes, compare_threads);
    for (size_t i = 0; i < lane_count; i++) {
        bool same = i && lanes[i].at == lanes[i - 1].at && lanes[i].thread == lanes[i - 1].thread &&
                    lanes[i].waits == lanes[i - 1].waits;
        lanes[i].execution = same ? lanes[i - 1].execution + 1 : 0;
    }
    qsort(lanes, lane_count, sizeof *lanes, compare_requests);
    for (size_t i = 0, end; i < lane_count; i = end) {
        for (end = i + 1; end < lane_count && is_same_request(&lanes[i], &lanes[end]);) end++;
        Counter *c = &counters[lanes[i].shared][lanes[i].write];
        c->requests++;
        c->parts +=
            lanes[i].shared ? passes_of(&lanes[i], end - i) : sectors_of(&lanes[i], end - i);
    }
    lane_count = 0;
}

void device_begin(uint64_t seed, bool counts)
{
    counting = counts;
    memset(counters, 0, sizeof counters);
    random_state = seed * 2 + 1;
}

void device_report(const char *name)
{
    static const char *const what[2][2] = {{"global loads", "global stores"},
                                           {"shared loads", "shared stores"}};
    for (int shared = 0; shared < 2; shared++)
        for (int write = 0; write < 2; write++) {
            const Counter *c = &counters[shared][write];
            if (c->requests)
                printf("%s %s: %llu requests, %.2f %s a request\n", name, what[shared][write],
                       (unsigned long long)c->requests, (double)c->parts / (double)c->requests,
                       shared ? "passes" : "sectors");
        }
}

// --- accesses ------------------------------------------------------------------------------------

static bool is_on_stack(const char *at)
{
    return at >= stacks && at < stacks + (size_t)THREADS * STACK;
}

static bool is_index(const void *at)
{
    const DeviceIndex *const all[] = {&threadIdx, &blockIdx, &blockDim, &gridDim};
    for (int i = 0; i < 4; i++)
        if (at >= (const void *)all[i] && at < (const void *)(all[i] + 1)) return true;
    return false;
}

static void access_memory(const void *memory, size_t size, bool write, bool atomic, const void *pc)
{
    const char *at = memory;
    if (!now || is_on_stack(at) || is_index(at)) return;
    Memory *m = memory_of(at);
    if (!m || at + size > m->to) {
        access_fault(write ? "store outside of memory" : "load outside of memory", m, pc, NULL);
    }
    if ((uintptr_t)at % size) access_fault("unaligned access", m, pc, NULL);
    Access mine = {pc,    launches, block_number, now->number, now->barriers, now->warp_barriers,
                   atomic};
    for (size_t i = 0; i < size; i++)
        touch(m, &m->bytes[at - m->from + (ptrdiff_t)i], &mine, write);
    record(&(Lane){.at = pc,
                   .memory = at,
                   .thread = now->number,
                   .waits = now->waits,
                   .size = (uint8_t)size,
                   .write = write,
                   .shared = m->shared,
                   .atomic = atomic});
}

void device_atomic(const void *memory, size_t size, const void *caller)
{
    access_memory(memory, size, true, true, caller);
}

void device_atomic_load(const void *memory, size_t size, const void *caller)
{
    access_memory(memory, size, false, true, caller);
}

// The calls of clang's -fsanitize=thread.
#define ACCESS(name, size, write)                                                                  \
    void name(void *at);                                                                           \
    void name(void *at)                                                                            \
    {                                                                                              \
        access_memory(at, size, write, false, __builtin_return_address(0));                        \
    }
ACCESS(__tsan_read1, 1, false)
ACCESS(__tsan_read2, 2, false)
ACCESS(__tsan_read4, 4, false)
ACCESS(__tsan_read8, 8, false)
ACCESS(__tsan_read16, 16, false)
ACCESS(__tsan_write1, 1, true)
ACCESS(__tsan_write2, 2, true)
ACCESS(__tsan_write4, 4, true)
ACCESS(__tsan_write8, 8, true)
ACCESS(__tsan_write16, 16, true)
ACCESS(__tsan_unaligned_read2, 2, false)
ACCESS(__tsan_unaligned_read4, 4, false)
ACCESS(__tsan_unaligned_read8, 8, false)
ACCESS(__tsan_unaligned_read16, 16, false)
ACCESS(__tsan_unaligned_write2, 2, true)
ACCESS(__tsan_unaligned_write4, 4, true)
ACCESS(__tsan_unaligned_write8, 8, true)
ACCESS(__tsan_unaligned_write16, 16, true)
#undef ACCESS
void __tsan_init(void);
void __tsan_init(void)
{
}
void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
    (void)caller;
}
void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

// --- blocks --------------------------------------------------------------------------------------

static void run_fibre(void)
{
    kernel(kernel_arguments);
    now->state = FINISHED;
    _longjmp(scheduler, 1);
}

// Runs a thread until it waits or ends.
static void resume(Fibre *f)
{
    now = f;
    threadIdx = f->index;
    if (_setjmp(scheduler)) return;
    if (f->started) _longjmp(f->context, 1);
    f->started = true;
    setcontext(&f->start);
}

static void wait_at(State state, int line)
{
    Fibre *f = now;
    f->state = state;
    f->line = line;
    f->waits++;
    if (!_setjmp(f->context)) _longjmp(scheduler, 1);
}

void device_leave_out(int line)
{
    left_out = line;
}

void device_barrier(int line)
{
    if (line != left_out) wait_at(AT_BARRIER, line);
}

void device_warp_barrier(int line)
{
    if (line != left_out) wait_at(AT_WARP_BARRIER, line);
}

uint64_t device_shuffle(uint64_t value, unsigned lane)
{
    now->shown = value;
    wait_at(AT_WARP_BARRIER, 0);
    uint32_t other = warp_of(now->number) * DEVICE_WARP + lane;
    uint64_t shown = fibres[other < fibre_count ? other : now->number].shown;
    wait_at(AT_WARP_BARRIER, 0);
    return shown;
}

unsigned device_ballot(bool value)
{
    now->shown = value;
    wait_at(AT_WARP_BARRIER, 0);
    unsigned all = 0;
    uint32_t first = warp_of(now->number) * DEVICE_WARP;
    for (uint32_t i = 0; i < DEVICE_WARP && first + i < fibre_count; i++)
        all |= (unsigned)fibres[first + i].shown << i;
    wait_at(AT_WARP_BARRIER, 0);
    return all;
}

static void start_block(void)
{
    for (uint32_t i = 0; i < fibre_count; i++) {
        Fibre *f = &fibres[i];
        *f = (Fibre){
            .number = i,
            .index = {i % blockDim.x, i / blockDim.x % blockDim.y, i / (blockDim.x * blockDim.y)}};
        getcontext(&f->start);
        f->start.uc_stack.ss_sp = stacks + (size_t)i * STACK;
        f->start.uc_stack.ss_size = STACK;
        makecontext(&f->start, run_fibre, 0);
    }
    for (int i = 0; i < memory_count; i++) {
        Memory *m = &memories[i];
        if (!m->shared) continue;
        memset(m->from, 0xff, (size_t)(m->to - m->from));
        for (char *p = m->from; p < m->to; p++) m->bytes[p - m->from].defined = false;
    }
}

// Runs each running thread of the block until it waits or ends, in a random order.
static bool run_all(void)
{
    uint32_t order[THREADS], n = 0;
    for (uint32_t i = 0; i < fibre_count; i++) {
        if (fibres[i].state != RUNNING) continue;
        uint32_t at = random_below(n + 1);
        order[n] = order[at];
        order[at] = i;
        n++;
    }
    for (uint32_t k = 0; k < n; k++) resume(&fibres[order[k]]);
    return n > 0;
}

static void diverges(const Fibre *a, const Fibre *b)
{
    fprintf(stderr, "divergent barrier: ");
    put_thread(block_number, a->number);
    fprintf(stderr, " waits in line %d, ", a->line);
    put_thread(block_number, b->number);
    if (b->state == FINISHED)
        fprintf(stderr, " has ended");
    else
        fprintf(stderr, " in line %d", b->line);
    fault();
}

// Lets the threads from `from` to `to` go on if all that have not ended wait at one barrier of
// their warp. Those that have ended do not take part.
static bool release_warp(uint32_t from, uint32_t to)
{
    const Fibre *first = NULL;
    for (uint32_t i = from; i < to; i++) {
        const Fibre *f = &fibres[i];
        if (f->state == FINISHED) continue;
        if (f->state != AT_WARP_BARRIER) return false;
        if (first && first->line != f->line) diverges(first, f);
        first = f;
    }
    for (uint32_t i = from; i < to; i++)
        if (fibres[i].state == AT_WARP_BARRIER) {
            fibres[i].state = RUNNING;
            fibres[i].warp_barriers += fibres[i].line > 0; // votes and shuffles order no accesses
        }
    return first;
}

static bool release_warps(void)
{
    bool any = false;
    for (uint32_t i = 0; i < fibre_count; i += DEVICE_WARP)
        any |= release_warp(i, i + DEVICE_WARP < fibre_count ? i + DEVICE_WARP : fibre_count);
    return any;
}

// A barrier of the block, at which every thread must arrive.
static bool release_block(void)
{
    const Fibre *waiting = NULL;
    for (uint32_t i = 0; i < fibre_count; i++)
        if (fibres[i].state != FINISHED) waiting = &fibres[i];
    for (uint32_t i = 0; waiting && i < fibre_count; i++)
        if (fibres[i].state != waiting->state || fibres[i].line != waiting->line)
            diverges(waiting, &fibres[i]);
    for (uint32_t i = 0; waiting && i < fibre_count; i++) {
        fibres[i].state = RUNNING;
        fibres[i].barriers++;
    }
    return waiting;
}

static void run_block(void)
{
    start_block();
    while (run_all() || release_warps() || release_block()) continue;
    now = NULL;
    count_block();
}

void device_set_shared(char *from, char *to)
{
    if (from == to) return;
    Memory *m = add_memory("shared memory", from, (size_t)(to - from));
    m->shared = true;
    shared_from = from;
}

void device_launch(DeviceIndex grid, DeviceIndex block, void (*call)(void *), void *arguments)
{
    static Memory *shared;
    if (!shared) {
        size_t bytes = (size_t)(__stop_device_shared - __start_device_shared);
        shared = add_memory("shared memory", __start_device_shared, bytes);
        shared->shared = true;
        stacks = checked(malloc((size_t)THREADS * STACK));
    }
    gridDim = grid;
    blockDim = block;
    fibre_count = block.x * block.y * block.z;
    if (fibre_count < 1 || fibre_count > THREADS) {
        fprintf(stderr, "a block of %u threads", fibre_count);
        fault();
    }
    kernel = call;
    kernel_arguments = arguments;
    launches++;
    uint32_t blocks = grid.x * grid.y * grid.z;
    for (block_number = 0; block_number < blocks; block_number++) {
        blockIdx = (DeviceIndex){block_number % grid.x, block_number / grid.x % grid.y,
                                 block_number / (grid.x * grid.y)};
        run_block();
    }
}
