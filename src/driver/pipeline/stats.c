// --stats: the time and memory that each pass takes, the nodes that it creates and the strategies
// that it applies, summed over the entries that it compiles.
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/session.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

typedef struct {
    double seconds;
    size_t bytes;   // allocated from the session's arena
    uint32_t nodes; // created
    int64_t strategies;
    int runs;
} PassCost;

struct Stats {
    PassCost passes[PASS_COUNT], start;
};

static double seconds_of_thread(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static PassCost cost_now(const Session *cx)
{
    return (PassCost){seconds_of_thread(), arena_bytes(cx->arena), node_count(cx), cx->strategies,
                      0};
}

struct Stats *stats_new(Arena *arena)
{
    return ARENA_NEW(arena, struct Stats);
}

void stats_begin(Session *cx, Pass pass)
{
    cx->pass = pass_info[pass].name;
    if (cx->stats) cx->stats->start = cost_now(cx);
}

void stats_end(Session *cx, Pass pass)
{
    if (!cx->stats) return;
    PassCost *c = &cx->stats->passes[pass], now = cost_now(cx), start = cx->stats->start;
    c->seconds += now.seconds - start.seconds;
    c->bytes += now.bytes - start.bytes;
    c->nodes += now.nodes - start.nodes;
    c->strategies += now.strategies - start.strategies;
    c->runs++;
}

// Returns the peak memory use in MB of 10^6 bytes. Linux reports it in KiB.
static double peak_megabytes(void)
{
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return (double)r.ru_maxrss * 1024e-6;
}

static PassCost total_of(const struct Stats *s)
{
    PassCost all = {0};
    for (int i = 0; i < PASS_COUNT; i++) {
        all.seconds += s->passes[i].seconds;
        all.bytes += s->passes[i].bytes;
        all.nodes += s->passes[i].nodes;
        all.strategies += s->passes[i].strategies;
    }
    return all;
}

static json_t *json_cost(const PassCost *c)
{
    json_t *j = json_object();
    json_put(j, "seconds", json_real(c->seconds));
    json_put(j, "bytes", json_integer((json_int_t)c->bytes));
    json_put(j, "nodes", json_integer(c->nodes));
    json_put(j, "strategies", json_integer(c->strategies));
    return j;
}

static void print_json(const struct Stats *s, json_t *report)
{
    json_t *j = json_object(), *passes = json_object();
    PassCost all = total_of(s);
    for (int i = 0; i < PASS_COUNT; i++)
        if (s->passes[i].runs) json_put(passes, pass_info[i].name, json_cost(&s->passes[i]));
    json_put(j, "passes", passes);
    json_put(j, "total", json_cost(&all));
    json_put(j, "peak_bytes", json_integer((json_int_t)(peak_megabytes() * 1e6)));
    json_put(report, "stats", j);
}

static void print_row(const char *name, const PassCost *c)
{
    fprintf(stderr, "%-10s %9.3f s %10.2f MB %10u nodes\n", name, c->seconds,
            (double)c->bytes * 1e-6, c->nodes);
}

void stats_report(const struct Stats *s, json_t *report)
{
    PassCost all = total_of(s);
    if (report) {
        print_json(s, report);
        return;
    }
    for (int i = 0; i < PASS_COUNT; i++)
        if (s->passes[i].runs) print_row(pass_info[i].name, &s->passes[i]);
    print_row("all passes", &all);
    fprintf(stderr, "at most %.1f MB of memory\n", peak_megabytes());
}
