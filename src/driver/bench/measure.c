// Takes the samples: one of each case in turn, so that all cases meet the same state of the
// machine.
#include "driver/bench/bench.h"

#include <math.h>
#include <stdlib.h>

static const double SAMPLE = 2e-4;  // calls are repeated until a sample takes so many seconds
static const double WARM_UP = 0.05; // the least time before the first sample of a case
static const double BUDGET = 0.5;   // of the samples of a case
enum { LEAST_SAMPLES = 10, MOST_SAMPLES = 1000, MOST_CALLS = 1000000 };

static bool failed(Session *cx, const BenchCase *c, int status)
{
    char *text = entry_code_message(&c->code, status);
    Outcome o = outcome_of_message(cx, text ? text : c->code.message(status));
    outcome_report(cx, &o, c->loop, c->sizes);
    free(text);
    return false;
}

// Calls the code so many times. Sets *seconds to the time of one call, and returns the status of
// the first call that failed, or 0.
static int sample(const BenchCase *c, int64_t calls, double *seconds)
{
    double start = timing_now();
    for (int64_t i = 0; i < calls; i++) {
        int status = c->code.call(c->sizes, c->buffers);
        if (status) return status;
    }
    *seconds = (timing_now() - start) / (double)calls;
    return 0;
}

// Runs the case until caches and branch predictors know it, and decides how many calls a sample
// has.
static int warm_up(BenchCase *c)
{
    double start = timing_now(), seconds = 0;
    int64_t calls = 1;
    do {
        int status = sample(c, calls, &seconds);
        if (status) return status;
        if (seconds * (double)calls < SAMPLE && calls < MOST_CALLS) calls *= 2;
    } while (timing_now() - start < WARM_UP);
    c->calls = (int64_t)fmin(fmax(ceil(SAMPLE / fmax(seconds, 1e-9)), 1), MOST_CALLS);
    c->time.median = seconds;
    return 0;
}

// How many samples of each case the budget allows.
static int samples_in_budget(const BenchCases *cases)
{
    double round = 0;
    for (int i = 0; i < cases->len; i++)
        round += cases->at[i]->time.median * (double)cases->at[i]->calls;
    return (int)fmin(fmax(BUDGET * cases->len / fmax(round, 1e-9), LEAST_SAMPLES), MOST_SAMPLES);
}

// Takes a sample of each case; every other time in reverse order.
static bool take_round(Session *cx, const BenchCases *cases, int round)
{
    for (int i = 0; i < cases->len; i++) {
        BenchCase *c = cases->at[round % 2 ? cases->len - 1 - i : i];
        int status = sample(c, c->calls, &c->seconds[c->nsamples++]);
        if (status) return failed(cx, c, status);
    }
    return true;
}

static bool take_samples(Session *cx, const BenchCases *cases, int samples, Progress *p)
{
    double start = timing_now();
    for (int i = 0; i < cases->len; i++)
        cases->at[i]->seconds = ARENA_ARRAY(cx->arena, double, samples);
    for (int k = 0; k < samples; k++) {
        if (!take_round(cx, cases, k)) return false;
        progress_expect(p, (timing_now() - start) / (k + 1) * samples);
    }
    return true;
}

bool bench_measure(Driver *d, const BenchCases *cases, int samples)
{
    Session *cx = d->cx;
    Progress *p = progress_start(true, "timing %d cases", cases->len);
    bool good = true;
    for (int i = 0; good && i < cases->len; i++) {
        int status = warm_up(cases->at[i]);
        if (status) good = failed(cx, cases->at[i], status);
    }
    good = good && take_samples(cx, cases, samples ? samples : samples_in_budget(cases), p);
    progress_stop(p);
    for (int i = 0; good && i < cases->len; i++) {
        BenchCase *c = cases->at[i];
        bool drifts = bench_drifts(cx->arena, c->seconds, c->nsamples);
        c->time = bench_statistics(c->seconds, c->nsamples);
        c->time.noisy |= drifts;
    }
    return good;
}
