// The table of results.
#include "driver/bench/bench.h"

#include <stdio.h>
#include <string.h>

double bench_ratio(const BenchCase *c)
{
    return c->compared ? c->time.median / c->before.median : 0;
}

const char *bench_time_text(Arena *arena, double seconds)
{
    if (seconds >= 1e-6) return timing_text(arena, seconds);
    return arena_printf(arena, "%.3g ns", seconds * 1e9);
}

// The cells of a row: the label, the median, its interval, the ratio to the fastest case, and the
// ratio to the earlier result.
enum { COLUMNS = 5 };
typedef struct {
    const char *cells[COLUMNS];
} Row;

static bool same_sizes(const BenchCase *a, const BenchCase *b)
{
    if (a->given.len != b->given.len) return false;
    for (int i = 0; i < a->given.len; i++)
        if (a->given.at[i].name != b->given.at[i].name ||
            a->given.at[i].value != b->given.at[i].value)
            return false;
    return true;
}

// The least median of the cases of the same sizes.
static double fastest(const BenchCases *cases, const BenchCase *c)
{
    double least = c->time.median;
    for (int i = 0; i < cases->len; i++)
        if (same_sizes(c, cases->at[i]) && cases->at[i]->time.median < least)
            least = cases->at[i]->time.median;
    return least;
}

// Says whether the time changed: the intervals have no number in common, and the medians differ by
// more than two processes that run the same code.
static const char *change(const BenchCase *c)
{
    static const double SAME = 0.03;
    bool meet = c->time.low <= c->before.high && c->before.low <= c->time.high;
    double ratio = bench_ratio(c);
    if (meet || (ratio < 1 + SAME && ratio > 1 / (1 + SAME))) return "";
    return ratio > 1 ? " slower" : " faster";
}

static const char *change_text(Arena *arena, const BenchCase *c)
{
    return c->compared ? arena_printf(arena, "%.2fx%s", bench_ratio(c), change(c)) : "";
}

static Row row_of(Arena *arena, const BenchCases *cases, const BenchCase *c)
{
    return (Row){{c->label, bench_time_text(arena, c->time.median),
                  arena_printf(arena, "%s to %s", bench_time_text(arena, c->time.low),
                               bench_time_text(arena, c->time.high)),
                  arena_printf(arena, "%.2fx", c->time.median / fastest(cases, c)),
                  change_text(arena, c)}};
}

static void print_row(const Row *row, const int *widths)
{
    for (int k = 0; k < COLUMNS && widths[k]; k++) {
        bool last = k + 1 == COLUMNS || !widths[k + 1];
        bool right = k == 1 || k == 3;
        if (last && !right)
            printf("%s", row->cells[k]);
        else
            printf(right ? "%*s" : "%-*s", widths[k], row->cells[k]);
        printf("%s", last ? "\n" : "  ");
    }
}

void bench_print(Arena *arena, const BenchCases *cases)
{
    Row head = {{"bench", "median", "95 % interval", "to fastest", "to before"}};
    Row *rows = ARENA_ARRAY(arena, Row, cases->len);
    int widths[COLUMNS];
    bool compared = false;
    for (int i = 0; i < cases->len; i++) {
        rows[i] = row_of(arena, cases, cases->at[i]);
        compared |= cases->at[i]->compared;
    }
    for (int k = 0; k < COLUMNS; k++) {
        widths[k] = (int)strlen(head.cells[k]);
        for (int i = 0; i < cases->len; i++)
            if ((int)strlen(rows[i].cells[k]) > widths[k])
                widths[k] = (int)strlen(rows[i].cells[k]);
    }
    if (!compared) widths[COLUMNS - 1] = 0;
    print_row(&head, widths);
    for (int i = 0; i < cases->len; i++) print_row(&rows[i], widths);
}
