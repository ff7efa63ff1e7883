// Plots of results: lines over a size, by the plots of arrays, or bars.
#include "driver/bench/bench.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 720, LEFT = 220, RIGHT = 110, ROW = 34, BAR = 16, MARGIN = 20 };

// --- lines --------------------------------------------------------------------------------------

// Whether all cases have one size, of one name.
static bool over_a_size(const BenchCases *cases)
{
    int different = 0;
    for (int i = 0; i < cases->len; i++) {
        const GivenSizes *g = &cases->at[i]->given;
        if (g->len != 1 || g->at[0].name != cases->at[0]->given.at[0].name) return false;
        different += g->at[0].value != cases->at[0]->given.at[0].value;
    }
    return different > 0;
}

// Adds the number unless it is there.
static void add_size(int64_t *sizes, int *n, int64_t size)
{
    for (int i = 0; i < *n; i++)
        if (sizes[i] == size) return;
    int at = (*n)++;
    while (at > 0 && sizes[at - 1] > size) sizes[at] = sizes[at - 1], at--;
    sizes[at] = size;
}

// The columns of the plot: the sizes, then the medians of each bench in microseconds.
typedef struct {
    int n, ntitles;
    int64_t *sizes;
    const char **titles;
    AdzeArray *columns;
} Curves;

static int title_index(Curves *l, const char *title)
{
    for (int i = 0; i < l->ntitles; i++)
        if (strcmp(l->titles[i], title) == 0) return i;
    l->titles[l->ntitles] = title;
    return l->ntitles++;
}

static AdzeArray column(Session *cx, int n)
{
    AdzeArray a = {.type = ADZE_F64, .rank = 1, .shape = {n}};
    double *data = ARENA_ARRAY(cx->arena, double, n);
    for (int i = 0; i < n; i++) data[i] = 0.0 / 0.0;
    a.data = data;
    return a;
}

static Curves curves_of(Session *cx, const BenchCases *cases)
{
    Curves l = {.sizes = ARENA_ARRAY(cx->arena, int64_t, cases->len),
                .titles = ARENA_ARRAY(cx->arena, const char *, cases->len),
                .columns = ARENA_ARRAY(cx->arena, AdzeArray, cases->len + 1)};
    for (int i = 0; i < cases->len; i++) {
        add_size(l.sizes, &l.n, cases->at[i]->given.at[0].value);
        (void)title_index(&l, cases->at[i]->title);
    }
    for (int k = 0; k <= l.ntitles; k++) l.columns[k] = column(cx, l.n);
    for (int i = 0; i < l.n; i++) ((double *)l.columns[0].data)[i] = (double)l.sizes[i];
    for (int i = 0; i < cases->len; i++) {
        const BenchCase *c = cases->at[i];
        int at = 0;
        while (l.sizes[at] != c->given.at[0].value) at++;
        ((double *)l.columns[1 + title_index(&l, c->title)].data)[at] = c->time.median * 1e6;
    }
    return l;
}

static bool plot_lines(Driver *d, const char *path, const BenchCases *cases)
{
    Session *cx = d->cx;
    Curves l = curves_of(cx, cases);
    AdzeTable *tables = ARENA_ARRAY(cx->arena, AdzeTable, l.ntitles + 1);
    const AdzeTable **list = ARENA_ARRAY(cx->arena, const AdzeTable *, l.ntitles + 1);
    const char **names = ARENA_ARRAY(cx->arena, const char *, l.ntitles + 1);
    for (int k = 0; k <= l.ntitles; k++) {
        tables[k] = (AdzeTable){.dtype = {.kind = ADZE_NUMBER, .type = ADZE_F64},
                                .rank = 1,
                                .shape = {l.n},
                                .ncolumns = 1,
                                .columns = &l.columns[k]};
        list[k] = &tables[k];
        names[k] = k ? arena_printf(cx->arena, "%s (us)", l.titles[k - 1])
                     : cases->at[0]->given.at[0].name->text;
    }
    AdzeSave save = {path, l.ntitles + 1, list, names, NULL, ADZE_PLOT_LINES};
    AdzeError error;
    if (adze_files_save(&save, 1, &error)) return true;
    diag_error(cx, E0706, NO_SPAN, "%s", error.text);
    return false;
}

// --- bars ---------------------------------------------------------------------------------------

static void put_escaped(Text *out, const char *text)
{
    for (; *text; text++) switch (*text) {
        case '<': text_put(out, "&lt;"); break;
        case '&': text_put(out, "&amp;"); break;
        default: text_char(out, *text);
        }
}

// A bar as long as the median, and a line from the low to the high end of its interval.
static void put_bar(Text *out, Arena *arena, const BenchCase *c, int y, double scale)
{
    double low = LEFT + c->time.low * scale, high = LEFT + c->time.high * scale;
    text_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 8, y + BAR - 4);
    put_escaped(out, c->label);
    text_printf(out,
                "</text><rect x=\"%d\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"#0072b2\"/>"
                "<path d=\"M%.2f %dH%.2f\" stroke=\"#000\" stroke-width=\"2\"/>",
                LEFT, y, c->time.median * scale, BAR, low, y + BAR / 2, high);
    text_printf(out, "<text x=\"%.2f\" y=\"%d\">%s</text>\n", high + 8, y + BAR - 4,
                bench_time_text(arena, c->time.median));
}

static bool plot_bars(Driver *d, const char *path, const BenchCases *cases)
{
    Session *cx = d->cx;
    Text out = text_new(cx->arena);
    int height = 2 * MARGIN + ROW * cases->len;
    double longest = 0;
    for (int i = 0; i < cases->len; i++)
        if (cases->at[i]->time.high > longest) longest = cases->at[i]->time.high;
    text_printf(&out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\" "
                "fill=\"#333\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                WIDTH, height, WIDTH, height);
    for (int i = 0; i < cases->len; i++)
        put_bar(&out, cx->arena, cases->at[i], MARGIN + ROW * i, (WIDTH - LEFT - RIGHT) / longest);
    text_put(&out, "</svg>\n");
    FileText file = {path, text_get(&out), out.len};
    return files_write(cx, d->cleanup, &file, 1);
}

bool bench_plot(Driver *d, const char *path, const BenchCases *cases)
{
    return (over_a_size(cases) ? plot_lines : plot_bars)(d, path, cases);
}
