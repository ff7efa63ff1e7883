// Draws arrays as SVG: vectors as lines or points, matrices also as heat maps.
#include "array_internal.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 720, HEIGHT = 440, LEFT = 70, RIGHT = 20, TOP = 20, BOTTOM = 44 };
enum { MOST_ROWS = 8, LEAST_RATIO = 4 }; // a matrix with few long rows is drawn as lines
enum { MOST_LINES = 100, TICKS = 6, BAR = 16, BAR_STEPS = 32 };

static const char *const line_colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                           "#e69f00", "#56b4e9", "#000000", "#8a6d3b"};
enum { LINE_COLOURS = sizeof line_colours / sizeof *line_colours };

static const char default_map[] = "viridis";

// An axis maps the numbers `low` to `high` to the coordinates `from` to `to`.
typedef struct Axis {
    double low, high, from, to;
} Axis;

// A line: element i is element first + i of `y`, over element i of `x`, or over i.
typedef struct Line {
    const AdzeArray *x, *y;
    int64_t first, n;
    const char *name; // or NULL
} Line;

typedef struct Drawing {
    AdzeOutput *out;
    AdzeError *err;
    bool good;
    Axis x, y;
} Drawing;

// --- text ------------------------------------------------------------------------------------

static void emit(Drawing *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void emit(Drawing *d, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    d->good = d->good && adze_output_write(d->out, text, (size_t)len);
}

// Writes a name, in which characters with a meaning in XML are escaped.
static void emit_name(Drawing *d, const char *name)
{
    for (; *name; name++) {
        switch (*name) {
        case '<': emit(d, "&lt;"); break;
        case '&': emit(d, "&amp;"); break;
        default: emit(d, "%c", *name);
        }
    }
}

static void emit_base64(Drawing *d, const uint8_t *bytes, size_t len)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; d->good && i < len; i += 3) {
        char text[4];
        uint32_t x = (uint32_t)bytes[i] << 16;
        if (i + 1 < len) x |= (uint32_t)bytes[i + 1] << 8;
        if (i + 2 < len) x |= bytes[i + 2];
        for (int k = 0; k < 4; k++) text[k] = digits[x >> (18 - 6 * k) & 63];
        if (i + 1 >= len) text[2] = '=';
        if (i + 2 >= len) text[3] = '=';
        d->good = adze_output_write(d->out, text, 4);
    }
}

static void begin(Drawing *d, double width, double height)
{
    emit(d,
         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
         "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n",
         width, height, width, height);
    emit(d, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
}

// --- axes ------------------------------------------------------------------------------------

static double place(const Axis *a, double x)
{
    // the difference of two large numbers may be infinite, that of their halves is not
    double width = a->high / 2 - a->low / 2;
    return a->from + (a->to - a->from) * ((x / 2 - a->low / 2) / width);
}

// Makes the range of an axis one that has a width.
static void widen(Axis *a)
{
    if (a->high / 2 - a->low / 2 > fabs(a->high) * 1e-12) return;
    double margin = fmax(fabs(a->high) * 0.1, 0.5);
    a->low = fmax(a->low - margin, -DBL_MAX);
    a->high = fmin(a->high + margin, DBL_MAX);
}

// Returns the distance of ticks: 1, 2 or 5 times a power of ten.
static double tick_step(const Axis *a)
{
    double rough = (a->high / 2 - a->low / 2) / TICKS * 2, power = pow(10, floor(log10(rough)));
    double factor = rough / power;
    return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
}

static void draw_tick(Drawing *d, const Axis *a, double x, double other, double grid_to)
{
    double at = place(a, x);
    bool across = a == &d->x;
    double x1 = across ? at : other, y1 = across ? other : at;
    double x2 = across ? at : grid_to, y2 = across ? grid_to : at;
    emit(d, "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"#ddd\"/>", x1, y1, x2, y2);
    emit(d, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\">%.6g</text>\n", across ? at : other - 6,
         across ? other + 17 : at + 4, across ? "middle" : "end", x);
}

// Draws the ticks of an axis, which is at the coordinate `other`, and lines from there to grid_to.
static void draw_axis(Drawing *d, const Axis *a, bool whole, double other, double grid_to)
{
    double step = tick_step(a);
    if (whole && step < 1) step = 1;
    if (!isfinite(step) || step <= 0) return;
    double first = ceil(a->low / step - 1e-9);
    for (int k = 0; k <= 2 * TICKS; k++) {
        double x = (first + k) * step;
        if (!isfinite(x) || !(x <= a->high + step * 1e-9)) break;
        draw_tick(d, a, x == 0 ? 0 : x, other, grid_to);
    }
}

// --- lines -----------------------------------------------------------------------------------

static double x_of(const Line *l, int64_t i)
{
    return l->x ? adze_number_at(l->x, i) : (double)i;
}

static double y_of(const Line *l, int64_t i)
{
    return adze_number_at(l->y, l->first + i);
}

static void include(Axis *a, double x)
{
    if (!isfinite(x)) return;
    a->low = fmin(a->low, x);
    a->high = fmax(a->high, x);
}

static void find_ranges(Drawing *d, const Line *lines, int n)
{
    d->x = (Axis){INFINITY, -INFINITY, LEFT, WIDTH - RIGHT};
    d->y = (Axis){INFINITY, -INFINITY, HEIGHT - BOTTOM, TOP};
    for (int k = 0; k < n; k++)
        for (int64_t i = 0; i < lines[k].n; i++) {
            include(&d->x, x_of(&lines[k], i));
            include(&d->y, y_of(&lines[k], i));
        }
    Axis *both[] = {&d->x, &d->y};
    for (int i = 0; i < 2; i++) {
        if (both[i]->low > both[i]->high) both[i]->low = 0, both[i]->high = 1;
        widen(both[i]);
    }
}

// Adds a point to a path. `drawn` says whether the line is drawn from the point before it. A line
// of no length has round ends, so that a single point is visible.
static void add_point(Drawing *d, double x, double y, bool drawn)
{
    double px = place(&d->x, x), py = place(&d->y, y);
    if (drawn)
        emit(d, "L%.2f %.2f", px, py);
    else
        emit(d, "M%.2f %.2fh0", px, py);
}

static void add_points(Drawing *d, const Line *l, bool joined)
{
    bool before = false;
    for (int64_t i = 0; d->good && i < l->n; i++) {
        double x = x_of(l, i), y = y_of(l, i);
        bool visible = isfinite(x) && isfinite(y);
        if (visible) add_point(d, x, y, joined && before);
        before = visible;
    }
}

// Adds the smallest and largest element of each of many parts of a long line, which look the same.
static void add_extremes(Drawing *d, const Line *l, int64_t parts)
{
    bool before = false;
    for (int64_t p = 0; d->good && p < parts; p++) {
        int64_t from = (int64_t)((double)l->n * (double)p / (double)parts);
        int64_t to =
            p + 1 < parts ? (int64_t)((double)l->n * (double)(p + 1) / (double)parts) : l->n;
        int64_t low = -1, high = -1;
        for (int64_t i = from; i < to; i++) {
            double y = y_of(l, i);
            if (!isfinite(y)) continue;
            if (low < 0 || y < y_of(l, low)) low = i;
            if (high < 0 || y > y_of(l, high)) high = i;
        }
        bool visible = low >= 0;
        int64_t first = low < high ? low : high, second = low < high ? high : low;
        if (visible) add_point(d, (double)first, y_of(l, first), before);
        if (visible) add_point(d, (double)second, y_of(l, second), true);
        before = visible;
    }
}

static void draw_line(Drawing *d, const Line *l, int k, bool points)
{
    enum { PARTS = 2 * WIDTH };
    emit(d,
         "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-linecap=\"round\" "
         "stroke-linejoin=\"round\" d=\"",
         line_colours[k % LINE_COLOURS], points ? "4" : "1.5");
    if (!l->x && !points && l->n > 4 * PARTS)
        add_extremes(d, l, PARTS);
    else
        add_points(d, l, !points);
    emit(d, "\"/>\n");
}

static void draw_names(Drawing *d, const Line *lines, int n)
{
    for (int k = 0; k < n && n <= MOST_ROWS; k++) {
        double y = TOP + 16 + 16 * k;
        if (!lines[k].name && n == 1) continue;
        emit(d, "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\" fill=\"%s\">", WIDTH - RIGHT - 8, y,
             line_colours[k % LINE_COLOURS]);
        if (lines[k].name)
            emit_name(d, lines[k].name);
        else
            emit(d, "%d", k);
        emit(d, "</text>\n");
    }
}

static void draw_lines(Drawing *d, const Line *lines, int n, const char *x_name, bool points)
{
    find_ranges(d, lines, n);
    begin(d, WIDTH, HEIGHT);
    draw_axis(d, &d->x, !lines[0].x, HEIGHT - BOTTOM, TOP);
    draw_axis(d, &d->y, false, LEFT, WIDTH - RIGHT);
    for (int k = 0; k < n; k++) draw_line(d, &lines[k], k, points);
    draw_names(d, lines, n);
    if (x_name) {
        emit(d, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
             HEIGHT - 8);
        emit_name(d, x_name);
        emit(d, "</text>\n");
    }
    emit(d, "</svg>\n");
}

// --- heat maps -------------------------------------------------------------------------------

// Writes a matrix in colours as a PNG file within the text.
static void emit_image(Drawing *d, const AdzeArray *matrix, const char *map)
{
    AdzeArray rgb;
    char *bytes = NULL;
    size_t len = 0;
    if (!adze_colours_apply(d->out->path, matrix, map, &rgb, d->err)) {
        d->good = false;
        return;
    }
    AdzeOutput png = {.path = d->out->path, .err = d->err, .file = open_memstream(&bytes, &len)};
    d->good = d->good && (png.file || adze_fail(d->err, d->out->path, "no memory")) &&
              adze_png_put(&png, &rgb, d->err);
    if (png.file && fclose(png.file) != 0 && d->good)
        d->good = adze_fail(d->err, d->out->path, "no memory");
    if (d->good) emit_base64(d, (uint8_t *)bytes, len);
    free(bytes);
    adze_array_free(&rgb);
}

// Draws the colours beside a heat map, with the numbers that they stand for.
static void draw_bar(Drawing *d, const AdzeArray *matrix, const char *map, double x)
{
    Axis a = {.from = d->y.to, .to = d->y.from};
    adze_colours_range(matrix, map, &a.low, &a.high);
    double height = (a.from - a.to) / BAR_STEPS;
    for (int k = 0; k < BAR_STEPS; k++) {
        uint8_t rgb[3];
        adze_colours_at(map, (k + 0.5) / BAR_STEPS, rgb);
        emit(d, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%d\" height=\"%.2f\" fill=\"#%02x%02x%02x\"/>",
             x, a.from - height * (k + 1), BAR, height + 0.5, rgb[0], rgb[1], rgb[2]);
    }
    for (int k = 0; k <= 4; k++) {
        double value = a.low * (1 - k / 4.0) + a.high * (k / 4.0);
        emit(d, "<text x=\"%.2f\" y=\"%.2f\">%.4g</text>\n", x + BAR + 6,
             a.from + (a.to - a.from) * k / 4 + 4, value);
    }
}

// Row 0 is at the top, as in a picture.
static void draw_heat(Drawing *d, const AdzeArray *matrix, const char *map)
{
    enum { ROOM_X = 540, ROOM_Y = 400, LEAST = 60, BAR_ROOM = 100 };
    double rows = (double)matrix->shape[0], columns = (double)matrix->shape[1];
    double scale = fmin(ROOM_X / columns, ROOM_Y / rows);
    double width = fmax(columns * scale, LEAST), height = fmax(rows * scale, LEAST);
    d->x = (Axis){-0.5, columns - 0.5, LEFT, LEFT + width};
    d->y = (Axis){-0.5, rows - 0.5, TOP, TOP + height};
    begin(d, LEFT + width + BAR_ROOM, TOP + height + BOTTOM);
    draw_axis(d, &d->x, true, TOP + height, TOP + height + 4);
    draw_axis(d, &d->y, true, LEFT, LEFT - 4);
    emit(d,
         "<image x=\"%d\" y=\"%d\" width=\"%.2f\" height=\"%.2f\" preserveAspectRatio=\"none\" "
         "style=\"image-rendering:pixelated\" href=\"data:image/png;base64,",
         LEFT, TOP, width, height);
    emit_image(d, matrix, map);
    emit(d, "\"/>\n");
    draw_bar(d, matrix, map, LEFT + width + 16);
    emit(d, "</svg>\n");
}

// --- what is drawn ---------------------------------------------------------------------------

static bool is_numbers(const AdzeTable *t, int rank)
{
    return t->dtype.kind == ADZE_NUMBER && t->rank == rank;
}

// Whether the tables are columns of numbers: vectors of one length, or a vector of structs.
static bool are_columns(const AdzeSave *save)
{
    const AdzeTable *first = save->tables[0];
    if (save->n == 1 && first->dtype.kind == ADZE_RECORD)
        return first->rank == 1 && adze_text_fits(first);
    for (int i = 0; i < save->n; i++)
        if (!is_numbers(save->tables[i], 1) || save->tables[i]->shape[0] != first->shape[0])
            return false;
    return true;
}

bool adze_plot_fits(const AdzeSave *save)
{
    bool matrix = save->n == 1 && is_numbers(save->tables[0], 2);
    return matrix || (save->plot != ADZE_PLOT_HEAT && are_columns(save));
}

bool adze_plot_is_heat(const AdzeSave *save)
{
    const AdzeTable *t = save->tables[0];
    if (save->n > 1 || !is_numbers(t, 2)) return false;
    if (save->plot != ADZE_PLOT_AUTO) return save->plot == ADZE_PLOT_HEAT;
    return save->colours || t->shape[0] > MOST_ROWS || t->shape[1] / LEAST_RATIO < t->shape[0];
}

// Sets the lines for the columns: the first of several is x. Returns their number.
static int lines_of_columns(const AdzeSave *save, Line *lines, const char **x_name)
{
    const AdzeTable *t = save->tables[0];
    bool record = t->dtype.kind == ADZE_RECORD;
    int columns = record ? t->ncolumns : save->n, n = 0;
    const AdzeArray *x = NULL;
    for (int k = 0; k < columns; k++) {
        const AdzeArray *a = record ? &t->columns[k] : save->tables[k]->columns;
        const char *name = record ? t->dtype.fields[k].name : save->names ? save->names[k] : NULL;
        if (k == 0 && columns > 1) {
            x = a;
            *x_name = name;
        } else {
            lines[n++] = (Line){x, a, 0, t->shape[0], name};
        }
    }
    return n;
}

static int lines_of_rows(const AdzeTable *t, Line *lines)
{
    for (int64_t k = 0; k < t->shape[0]; k++)
        lines[k] = (Line){NULL, t->columns, k * t->shape[1], t->shape[1], NULL};
    return (int)t->shape[0];
}

static int64_t count_lines(const AdzeSave *save)
{
    const AdzeTable *t = save->tables[0];
    if (is_numbers(t, 2)) return t->shape[0];
    return t->dtype.kind == ADZE_RECORD ? t->ncolumns : save->n;
}

bool adze_plot_put(AdzeOutput *out, const AdzeSave *save, AdzeError *err)
{
    char type[ADZE_TYPE_TEXT_SIZE];
    const AdzeTable *t = save->tables[0];
    Drawing d = {.out = out, .err = err, .good = true};
    adze_table_type_text(t, type, sizeof type);
    if (!adze_plot_fits(save))
        return adze_fail(err, out->path,
                         "cannot draw %.120s; [n] and [n][m] of numbers and [n] of structs of "
                         "numbers can be",
                         type);
    if (count_lines(save) == 0 || t->shape[0] == 0 || (t->rank == 2 && t->shape[1] == 0))
        return adze_fail(err, out->path, "cannot draw %.120s: it has no elements", type);
    bool heat = adze_plot_is_heat(save);
    if (!heat && count_lines(save) > MOST_LINES)
        return adze_fail(err, out->path,
                         "cannot draw the rows of %.120s as lines: at most %d can "
                         "be; transpose it, or draw it as a heat map",
                         type, MOST_LINES);
    locale_t before = adze_locale_enter();
    if (heat) {
        draw_heat(&d, t->columns, save->colours ? save->colours : default_map);
    } else {
        Line lines[MOST_LINES + 1];
        const char *x_name = NULL;
        int n = is_numbers(t, 2) ? lines_of_rows(t, lines) : lines_of_columns(save, lines, &x_name);
        draw_lines(&d, lines, n, x_name, save->plot == ADZE_PLOT_POINTS);
    }
    adze_locale_leave(before);
    return d.good;
}
