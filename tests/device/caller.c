// A caller in C of buffers.adz: its arrays are in the memory of a device, of OpenCL or, with
// ADZE_WITH_CUDA, of CUDA. Each entry gives what it gives for arrays of the host, at several sizes.
// With an argument it only calls the entry of that name, for a profile.
#include "buffers.h"

#include "adze_device.h"

#include <pthread.h>

enum { MOST = 1009 };
static const int64_t sizes[] = {0, 1, 2, 3, 17, 64, 97, MOST};
static int failures;

static void fail(const char *what, int64_t n)
{
    fprintf(stderr, "%s, n = %lld\n", what, (long long)n);
    failures++;
}

// --- the device ---------------------------------------------------------------------------------

static void use(void *context, void *queue)
{
    adze_device_now.context = context;
    adze_device_now.queue = queue;
#ifdef ADZE_WITH_CUDA
    adze_cu.cuCtxSetCurrent(context);
#endif
}

#ifdef ADZE_WITH_CUDA
static void *function(const char *name)
{
    return dlsym(dlopen(NULL, RTLD_NOW), name);
}
#endif

static void *new_context(void)
{
#ifdef ADZE_WITH_CUDA
    int (*create)(void **, unsigned, int);
    void *context = NULL;
    *(void **)&create = function("cuCtxCreate_v2");
    return create(&context, 0, 0) == 0 ? context : NULL;
#else
    int32_t error;
    return adze_cl.CreateContext(NULL, 1, &adze_device.own.device, NULL, NULL, &error);
#endif
}

static void *new_queue(void *context, uint64_t properties)
{
#ifdef ADZE_WITH_CUDA
    int (*create)(void **, unsigned);
    void *stream = NULL;
    (void)properties;
    *(void **)&create = function("cuStreamCreate");
    adze_cu.cuCtxSetCurrent(context);
    return create(&stream, 1) == 0 ? stream : NULL;
#else
    int32_t error;
    return adze_cl.CreateCommandQueue(context, adze_device.own.device, properties, &error);
#endif
}

static void *buffer(const void *values, size_t bytes)
{
    static const char none[MOST * sizeof(adze_Item)] = "none";
    void *memory = adze_device_new(bytes ? bytes : 1);
    if (bytes && !adze_device_write(memory, values ? values : none, bytes)) exit(2);
    return memory;
}

// Whether a buffer has the same bytes as an array of the host. Deletes it.
static void compare(const char *what, int64_t n, const void *want, void *memory, size_t bytes)
{
    char got[MOST * sizeof(adze_Item)];
    use(adze_device_now.context, adze_device_now.queue); // entries for arrays of the host change it
    if (bytes && !adze_device_read(memory, got, bytes)) exit(2);
    if (bytes && memcmp(got, want, bytes) != 0) fail(what, n);
    adze_device_delete(memory);
}

// --- calls --------------------------------------------------------------------------------------

static float x[MOST], y[MOST], out[MOST];
static double z[MOST], sums[MOST];
static int64_t at[MOST];
static uint8_t bytes[MOST];
static bool flags[MOST];

static void fill(int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        x[i] = (float)(i * 7 % 23) - 5.0f;
        y[i] = (float)(i % 11) * 0.5f;
        z[i] = (double)(i % 13) - 6.0;
        at[i] = i * 5 % n;
        bytes[i] = (uint8_t)(i * 3);
    }
}

static void expect(const char *what, int64_t n, int want, int got, const char *message)
{
    if (want == got) return;
    fail(what, n);
    fprintf(stderr, "status %d, not %d: %s\n", got, want, message);
}

// Compares a call on buffers with one on arrays: NAME(n, x) -> out.
#define ONE_ARRAY(NAME)                                                                            \
    static void NAME(int64_t n, void *queue)                                                       \
    {                                                                                              \
        size_t room = (size_t)n * sizeof *x;                                                       \
        void *x_on = buffer(x, room), *out_on = buffer(NULL, room);                                \
        int want = adze_##NAME(n, x, out), got = adze_##NAME##_on(n, x_on, out_on, queue);         \
        expect(#NAME, n, want, got, adze_##NAME##_message(got));                                   \
        compare(#NAME, n, out, out_on, room);                                                      \
        compare(#NAME ": argument", n, x, x_on, room);                                             \
    }
ONE_ARRAY(scaled)
ONE_ARRAY(twice)
ONE_ARRAY(running)
ONE_ARRAY(patched)

static void mixed(int64_t n, void *queue)
{
    size_t room = (size_t)n * sizeof *x, wide = (size_t)n * sizeof *z;
    void *x_on = buffer(x, room), *z_on = buffer(z, wide);
    void *squares = buffer(NULL, room), *sums_on = buffer(NULL, wide);
    double last, last_on;
    int want = adze_mixed(n, x, z, out, sums, &last),
        got = adze_mixed_on(n, x_on, z_on, squares, sums_on, &last_on, queue);
    expect("mixed", n, want, got, adze_mixed_message(got));
    if (last != last_on) fail("mixed: number", n);
    compare("mixed: squares", n, out, squares, room);
    compare("mixed: sums", n, sums, sums_on, wide);
    adze_device_delete(x_on);
    adze_device_delete(z_on);
}

static void chosen(int64_t n, void *queue)
{
    size_t room = (size_t)n * sizeof *x;
    for (int turn = 0; turn < 2; turn++) {
        if (n > 0) x[n - 1] = turn ? 4.0f : 2.0f;
        void *x_on = buffer(x, room), *y_on = buffer(y, room), *out_on = buffer(NULL, room);
        int want = adze_chosen(n, x, y, out), got = adze_chosen_on(n, x_on, y_on, out_on, queue);
        expect("chosen", n, want, got, adze_chosen_message(got));
        compare("chosen", n, out, out_on, room);
        adze_device_delete(x_on);
        adze_device_delete(y_on);
    }
}

static void grown(int64_t n, void *queue)
{
    size_t room = (size_t)n * sizeof *y;
    void *y_on = buffer(y, room), *out_on = buffer(NULL, room);
    int64_t steps, steps_on;
    int want = adze_grown(n, y, &steps, out),
        got = adze_grown_on(n, y_on, &steps_on, out_on, queue);
    expect("grown", n, want, got, adze_grown_message(got));
    if (steps != steps_on) fail("grown: steps", n);
    compare("grown", n, out, out_on, room);
    compare("grown: argument", n, y, y_on, room);
}

// Indices that are right, and one that is wrong.
static void indices(int64_t n, void *queue)
{
    size_t room = (size_t)n * sizeof *x, wide = (size_t)n * sizeof *at;
    for (int turn = 0; turn < 2; turn++) {
        if (n > 0 && turn) at[n / 2] = n;
        void *at_on = buffer(at, wide), *x_on = buffer(x, room);
        void *taken_on = buffer(NULL, room), *picked_on = buffer(NULL, room);
        int want = adze_taken(n, n, at, x, out),
            got = adze_taken_on(n, n, at_on, x_on, taken_on, queue);
        expect("taken", n, want, got, adze_taken_message(got));
        if (!want) compare("taken", n, out, taken_on, room);
        want = adze_picked(n, n, at, x, out);
        got = adze_picked_on(n, n, at_on, x_on, picked_on, queue);
        if (turn && n > 0 && !want) fail("picked: no error", n);
        expect("picked", n, want, got, adze_picked_message(got));
        if (!want) compare("picked", n, out, picked_on, room);
        adze_device_delete(at_on);
        adze_device_delete(x_on);
        if (want) adze_device_delete(taken_on);
        if (want) adze_device_delete(picked_on);
    }
}

static void others(int64_t n, void *queue)
{
    size_t room = (size_t)n * sizeof *x;
    void *bytes_on = buffer(bytes, (size_t)n), *flags_on = buffer(NULL, (size_t)n);
    int want = adze_larger(n, bytes, 100, flags),
        got = adze_larger_on(n, bytes_on, 100, flags_on, queue);
    expect("larger", n, want, got, adze_larger_message(got));
    compare("larger", n, flags, flags_on, (size_t)n);
    adze_device_delete(bytes_on);

    void *ramp = buffer(NULL, room), *x_on = buffer(x, room), *y_on = buffer(y, room);
    expect("ramp", n, adze_ramp(n, out), adze_ramp_on(n, ramp, queue), "");
    compare("ramp", n, out, ramp, room);
    float sum, sum_on;
    expect("total", n, adze_total(n, x, &sum), adze_total_on(n, x_on, &sum_on, queue), "");
    if (sum != sum_on) fail("total", n);
    int64_t squares, squares_on;
    expect("squares", n, adze_squares(n, &squares), adze_squares_on(n, &squares_on, queue), "");
    if (squares != squares_on) fail("squares", n);

    int64_t count, count_on;
    void *some = buffer(NULL, room);
    want = adze_positive(n, x, &count, out);
    got = adze_positive_on(n, x_on, &count_on, some, queue);
    expect("positive", n, want, got, adze_positive_message(got));
    if (count != count_on) fail("positive: count", n);
    compare("positive", n, out, some, (size_t)count * sizeof *out);

    void *strided = buffer(NULL, room);
    want = adze_strided_sum(n, x, 1, y, out);
    got = adze_strided_sum_on(n, x, 1, y_on, strided, queue);
    expect("strided_sum", n, want, got, adze_strided_sum_message(got));
    compare("strided_sum", n, out, strided, room);

    adze_Point points[MOST], moved[MOST];
    for (int64_t i = 0; i < n; i++) points[i] = (adze_Point){x[i], y[i]};
    want = adze_moved(n, points, y, moved);
    void *points_on = buffer(points, (size_t)n * sizeof *points);
    void *moved_on = buffer(NULL, (size_t)n * sizeof *points);
    got = adze_moved_on(n, points_on, y_on, moved_on, queue);
    expect("moved", n, want, got, adze_moved_message(got));
    compare("moved", n, moved, moved_on, (size_t)n * sizeof *moved);
    adze_device_delete(points_on);
    adze_device_delete(x_on);
    adze_device_delete(y_on);
}

// Records, whose padding has the bytes that it had before.
static void items(int64_t n, void *queue)
{
    static adze_Item xs[MOST], want[MOST];
    size_t room = (size_t)n * sizeof *xs;
    memset(xs, 0x55, sizeof xs);
    for (int64_t i = 0; i < n; i++) {
        xs[i].tag = bytes[i];
        xs[i].place = (adze_Point){x[i], y[i]};
        xs[i].on = i % 3 == 0;
        xs[i].weights[0] = z[i];
        xs[i].weights[1] = (double)i;
        xs[i].last = (uint16_t)(i * 77);
    }
    void *xs_on = buffer(xs, room), *out_on = buffer(NULL, room);
    memset(want, 0x66, sizeof want);
    if (room && !adze_device_write(out_on, want, room)) exit(2);
    expect("items", n, adze_items(n, xs, want), adze_items_on(n, xs_on, out_on, queue), "");
    for (int64_t i = 0; i < n; i++) {
        if (want[i].last != (uint16_t)(xs[i].last * 3) || want[i].on == xs[i].on ||
            want[i].place.x != xs[i].place.y || want[i].weights[1] != xs[i].weights[0] + 1.0 ||
            ((unsigned char *)&want[i])[1] != 0x66)
            fail("items of the host", n);
    }
    compare("items", n, want, out_on, room);

    use(adze_device_now.context, queue);
    out_on = buffer(NULL, room);
    memset(want, 0x66, sizeof want);
    if (room && !adze_device_write(out_on, want, room)) exit(2);
    expect("items_running", n, adze_items_running(n, xs, want),
           adze_items_running_on(n, xs_on, out_on, queue), "");
    compare("items_running", n, want, out_on, room);

    double sum, sum_on;
    void *at_on = buffer(at, (size_t)n * sizeof *at);
    void *picked = buffer(NULL, (size_t)n * sizeof *out);
    expect("items_at", n, adze_items_at(n, n, xs, at, out, &sum),
           adze_items_at_on(n, n, xs_on, at_on, picked, &sum_on, queue), "");
    if (sum != sum_on) fail("items_at: sum", n);
    compare("items_at", n, out, picked, (size_t)n * sizeof *out);
    adze_device_delete(xs_on);
    adze_device_delete(at_on);
}

// Calls on the results of calls, in one queue, with nothing between them.
static void chain(int64_t n, void *queue)
{
    size_t room = (size_t)n * sizeof *x;
    void *first = buffer(x, room), *second = buffer(NULL, room), *third = buffer(NULL, room);
    float middle[MOST];
    int status = adze_scaled_on(n, first, second, queue);
    if (!status && n > 0) status = adze_twice_on(n, second, third, queue);
    if (!status) status = adze_running_on(n, n > 0 ? third : second, first, queue);
    if (status) fail("chain", n);
    adze_scaled(n, x, middle);
    if (n > 0) adze_twice(n, middle, y);
    adze_running(n, n > 0 ? y : middle, out);
    compare("chain", n, out, first, room);
    adze_device_delete(second);
    adze_device_delete(third);
}

static void all(void *context, void *queue)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        void (*const calls[])(int64_t, void *) = {scaled, twice,   running, patched, mixed, chosen,
                                                  grown,  indices, others,  items,   chain};
        for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
            if (calls[k] == twice && sizes[i] == 0) continue; // % 0
            fill(sizes[i]);
            use(context, queue);
            calls[k](sizes[i], queue);
        }
    }
}

// --- errors -------------------------------------------------------------------------------------

static void says(const char *what, const char *text)
{
    if (strstr(text, what)) return;
    fprintf(stderr, "\"%s\" does not say \"%s\"\n", text, what);
    failures++;
}

static void errors(void *context, void *queue)
{
    use(context, queue);
    void *one = buffer(x, sizeof *x), *two = buffer(x, sizeof *x);
    expect("a negative size", -1, adze_scaled(-1, x, out), adze_scaled_on(-1, one, two, queue), "");
    says("a buffer is NULL", adze_scaled_message(adze_scaled_on(1, NULL, two, queue)));
    says("a buffer is NULL", adze_running_message(adze_running_on(1, one, NULL, queue)));
    if (adze_scaled_on(0, NULL, NULL, queue)) fail("no elements, no buffers", 0);
#ifdef ADZE_WITH_CUDA
    if (adze_scaled_on(1, one, two, NULL)) fail("the default stream", 1);
    adze_cu.cuCtxSetCurrent(NULL);
    says("no context is current", adze_scaled_message(adze_scaled_on(1, one, two, NULL)));
    void *current = queue;
    if (adze_scaled_on(1, one, two, queue)) fail("the context of the queue", 1);
    if (adze_cu.cuCtxGetCurrent(&current) || current) fail("the current context changes", 1);
    use(context, queue);
#else
    says("it is no queue of OpenCL", adze_scaled_message(adze_scaled_on(1, one, two, NULL)));
    void *any_order = new_queue(context, 1);
    if (any_order)
        says("the queue is out of order",
             adze_scaled_message(adze_scaled_on(1, one, two, any_order)));
#endif
    compare("scaled, again", 1, x, one, sizeof *x);
    adze_device_delete(two);
}

// --- threads ------------------------------------------------------------------------------------

static void *in_thread(void *context)
{
    enum { TIMES = 20, N = 97 };
    float own[N], want[N];
    adze_device_now = adze_device.own;
    void *queue = new_queue(context, 0);
    use(context, queue);
    for (int i = 0; i < N; i++) own[i] = (float)i;
    for (int i = 0; i < N; i++) want[i] = own[i] + 1.0f + own[(i + 1) % N] + 1.0f;
    for (int k = 0; k < TIMES; k++) {
        void *in = buffer(own, sizeof own), *result = buffer(NULL, sizeof own);
        if (adze_twice_on(N, in, result, queue)) fail("a thread", N);
        compare("a thread", N, want, result, sizeof own);
        adze_device_delete(in);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static const adze_device_program none = {.place = "caller"};
    adze_device_lock(&none);
    if (adze_device.found < 0 || !adze_device_open()) return 2;
    adze_device_unlock();
    adze_device_now = adze_device.own;
    void *own = adze_device.own.context, *queue = new_queue(own, 0);
    if (argc > 1) {
        fill(MOST);
        use(own, queue);
        void *in = buffer(x, sizeof x), *result = buffer(NULL, sizeof x);
        bool two = strcmp(argv[1], "twice") == 0;
        return (two ? adze_twice_on : adze_patched_on)(MOST, in, result, queue);
    }
    void *other = new_context(), *second = new_queue(other, 0);
    all(own, queue);
    all(other, second);
    all(own, queue);
    errors(own, queue);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, in_thread, i < 2 ? own : other);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    printf("%d failures\n", failures);
    return failures > 0;
}
