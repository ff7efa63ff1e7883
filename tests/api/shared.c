// The compiler as a library under load: processes that share a cache, threads that share a module,
// and signals that interrupt its system calls.

// cmocka.h needs these before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/adze_compiler.h"
#include "api/support.h"

static const char program[] =
    "entry fn sums[n, m: nat](a: [n][m]i32) -> [n]i32 { map(|row| reduce(+, 0, row), a) }\n"
    "entry fn pick[n: nat](x: [n]i32, i: i64) -> i32 { assert(i != 1, \"no \", i); x[i] }\n";

// Returns the program in a module, or NULL after an error.
static AdzeModule *open_module(void)
{
    const char *options[] = {cache, "--cflags=-O0", "--plain", "--target=c", NULL};
    AdzeModule *m = adze_module_new("lib", options);
    if (m && adze_module_open(m, "test.adz", program)) return m;
    fprintf(stderr, "%s\n", m ? adze_module_report(m) : "no module");
    adze_module_free(m);
    return NULL;
}

static bool compile(AdzeModule *m, const char *entry, AdzeCode *code)
{
    if (m && adze_module_compile(m, entry, NULL, code)) return true;
    if (m) fprintf(stderr, "%s\n", adze_module_report(m));
    return false;
}

// Whether a call of sums on a matrix of `k` gives what it should.
static bool sums_right(const AdzeCode *code, int k)
{
    int32_t a[2][3] = {{k, k, k}, {k, k, 1}}, out[2] = {0};
    return code->call((const int64_t[]){2, 3}, (void *[]){a, out}) == 0 && out[0] == 3 * k &&
           out[1] == 2 * k + 1;
}

// Whether calls of pick fail as they should, each with its own message.
static bool pick_right(const AdzeCode *code, int64_t i)
{
    int32_t x[1] = {5}, out;
    int status = code->call((const int64_t[]){1}, (void *[]){x, &i, &out});
    if (i == 0) return status == 0 && out == 5;
    char *text = status ? adze_code_message(code, status) : NULL;
    bool good = text && strstr(text, i == 1 ? "E0614" : "E0601");
    free(text);
    return good;
}

// --- processes ----------------------------------------------------------------------------------

static void test_processes_share_a_cache(void **state)
{
    (void)state;
    enum { PROCESSES = 20 };
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] > 0) continue;
        AdzeModule *m = open_module();
        AdzeCode code;
        bool good = compile(m, "sums", &code) && sums_right(&code, i);
        adze_module_free(m);
        _exit(good ? 0 : 1);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = -1;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
}

// --- threads ------------------------------------------------------------------------------------

typedef struct {
    AdzeModule *m;
    pthread_mutex_t *lock; // held while the compiler is used
    AdzeCode *codes;       // of sums and of pick
    int number;
    bool good;
} Caller;

// Compiles an entry again now and then, while the other threads call what was compiled.
static void *call_all(void *env)
{
    Caller *c = env;
    c->good = true;
    for (int i = 0; i < 400; i++) {
        c->good &= sums_right(&c->codes[0], i + c->number) && pick_right(&c->codes[1], i % 3);
        if (i % 100 != c->number) continue;
        AdzeCode again;
        pthread_mutex_lock(c->lock);
        c->good &= compile(c->m, "sums", &again);
        adze_module_failure(c->m, "error E0601: index out of bounds", NULL);
        pthread_mutex_unlock(c->lock);
        c->good &= sums_right(&again, i);
    }
    return NULL;
}

static void test_threads_share_a_module(void **state)
{
    (void)state;
    enum { THREADS = 8 };
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    AdzeModule *m = open_module();
    AdzeCode codes[2];
    assert_true(compile(m, "sums", &codes[0]) && compile(m, "pick", &codes[1]));
    pthread_t threads[THREADS];
    Caller callers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        callers[i] = (Caller){m, &lock, codes, i, false};
        assert_int_equal(pthread_create(&threads[i], NULL, call_all, &callers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(callers[i].good);
    }
    adze_module_free(m);
}

// --- signals ------------------------------------------------------------------------------------

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
    (void)number;
    signals++;
}

// System calls are not started again by the system after these signals.
static void set_timer(int microseconds)
{
    struct sigaction action = {.sa_handler = count_signal};
    struct itimerval often = {{0, microseconds}, {0, microseconds}};
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
}

static void test_signals_interrupt_calls(void **state)
{
    (void)state;
    signals = 0;
    set_timer(700);
    AdzeModule *m = open_module();
    AdzeCode sums, pick;
    bool good = compile(m, "sums", &sums) && compile(m, "pick", &pick);
    good = good && sums_right(&sums, 4) && pick_right(&pick, 1);
    set_timer(0);
    assert_true(good);
    assert_true(signals > 10);
    adze_module_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_processes_share_a_cache, make_cache, remove_cache),
        cmocka_unit_test_setup_teardown(test_threads_share_a_module, make_cache, remove_cache),
        cmocka_unit_test_setup_teardown(test_signals_interrupt_calls, make_cache, remove_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
