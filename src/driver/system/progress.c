// Shows long operations on the terminal: a line that appears after a second, is updated every
// second, and is erased at the end. It is on standard error, so that it never mixes with results.
#include "driver/system/system.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct Progress {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    pthread_t thread;
    bool done, shown; // `shown` is true while the line is on the terminal
    double expected;  // the total number of seconds, or 0 if it is not known
    char text[160];
};

static void show(Progress *p, int seconds)
{
    p->shown = true;
    fprintf(stderr, "\r\033[K%s (%d s", p->text, seconds);
    if (p->expected > seconds) fprintf(stderr, " of about %.0f s", p->expected);
    fputc(')', stderr);
    fflush(stderr);
}

static void erase(Progress *p)
{
    if (p->shown) fputs("\r\033[K", stderr);
    p->shown = false;
}

// The clock that pthread_cond_timedwait measures by. macOS has no choice.
#ifdef __APPLE__
static const clockid_t wait_clock = CLOCK_REALTIME;
#else
static const clockid_t wait_clock = CLOCK_MONOTONIC;
#endif

static void *progress_main(void *env)
{
    Progress *p = env;
    struct timespec next;
    clock_gettime(wait_clock, &next);
    int seconds = 0;
    pthread_mutex_lock(&p->mutex);
    while (!p->done) {
        next.tv_sec++;
        int error = 0;
        while (!p->done && error != ETIMEDOUT)
            error = pthread_cond_timedwait(&p->changed, &p->mutex, &next);
        seconds++;
        if (!p->done) show(p, seconds);
    }
    erase(p);
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

static void init_condition(pthread_cond_t *c)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
#ifndef __APPLE__
    pthread_condattr_setclock(&attributes, wait_clock);
#endif
    pthread_cond_init(c, &attributes);
    pthread_condattr_destroy(&attributes);
}

Progress *progress_start(bool wanted, const char *format, ...)
{
    if (!wanted || !isatty(STDERR_FILENO)) return NULL;
    Progress *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    va_list args;
    va_start(args, format);
    vsnprintf(p->text, sizeof p->text, format, args);
    va_end(args);
    pthread_mutex_init(&p->mutex, NULL);
    init_condition(&p->changed);
    if (pthread_create(&p->thread, NULL, progress_main, p) == 0) return p;
    free(p);
    return NULL;
}

void progress_expect(Progress *p, double seconds)
{
    if (!p) return;
    pthread_mutex_lock(&p->mutex);
    p->expected = seconds;
    pthread_mutex_unlock(&p->mutex);
}

void progress_stop(Progress *p)
{
    if (!p) return;
    pthread_mutex_lock(&p->mutex);
    p->done = true;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->mutex);
    pthread_join(p->thread, NULL);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->mutex);
    free(p);
}

void progress_write(void *progress, const char *line, size_t len)
{
    Progress *p = progress;
    if (p) pthread_mutex_lock(&p->mutex);
    if (p) erase(p);
    fwrite(line, 1, len, stderr);
    if (p) pthread_mutex_unlock(&p->mutex);
}
