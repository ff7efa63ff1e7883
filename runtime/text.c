// Reads tables of numbers from text: CSV, tab-separated values, and columns separated by blanks.
//
// A row is a line. Empty lines and lines that begin with '#' are skipped. The separator is the
// first of ';', ',' and tab that the first row contains outside of quotes, and otherwise any number
// of blanks; in a .tsv file it is always a tab, and in a .txt file a tab is a blank. A first row
// without numbers is the heading, which names the columns. A cell may be in double quotes, within
// which "" is a quote.
#include "array_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "adze_support.h"

enum { LONGEST_NUMBER = 400, SHOWN = 40 };

typedef struct Cell {
    const char *at; // without quotes and surrounding blanks
    size_t len;
    bool quoted;
} Cell;

// The lines of a text, and the cells of the current line.
typedef struct Scan {
    const char *path;
    AdzeError *err;
    char separator;
    const char *at, *end; // the rest of the text
    int64_t line;         // the number of the current line, from 1
    const char *cell, *line_end;
    int64_t column; // the number of the last cell that was read, from 1
    bool more;      // whether another cell follows in this line
    bool heading;   // whether the text has a heading
} Scan;

static Scan scan_of(const AdzeText *t, AdzeError *err)
{
    const char *text = (const char *)t->bytes.at;
    return (Scan){.path = t->path,
                  .err = err,
                  .separator = t->separator,
                  .at = text + t->start,
                  .end = text + t->bytes.len,
                  .line = t->start_line,
                  .heading = t->names != NULL};
}

// --- lines and cells -------------------------------------------------------------------------

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char *skip_blanks(const Scan *s, const char *at)
{
    while (at < s->line_end && is_blank(*at) && (*at == ' ' || s->separator != '\t')) at++;
    return at;
}

// Moves to the next line that has cells. Returns false at the end of the text.
static bool next_row(Scan *s)
{
    while (s->at < s->end) {
        const char *start = s->at, *newline = memchr(start, '\n', (size_t)(s->end - start));
        s->line_end = newline ? newline : s->end;
        s->at = newline ? newline + 1 : s->end;
        s->line++;
        if (s->line_end > start && s->line_end[-1] == '\r') s->line_end--;
        const char *text = start;
        while (text < s->line_end && is_blank(*text)) text++;
        if (text == s->line_end || *text == '#') continue;
        s->cell = s->separator == ' ' ? text : start;
        s->column = 0;
        s->more = true;
        return true;
    }
    return false;
}

static bool cell_fails(Scan *s, const char *problem)
{
    return adze_fail(s->err, s->path, "line %" PRId64 ", column %" PRId64 ": %s", s->line,
                     s->column, problem);
}

// Returns the end of a quoted cell, which is its closing quote, or NULL if there is none.
static const char *closing_quote(const Scan *s, const char *at)
{
    for (; at < s->line_end; at++) {
        if (*at != '"') continue;
        if (at + 1 == s->line_end || at[1] != '"') return at;
        at++;
    }
    return NULL;
}

// Moves behind the separator that follows a cell. Returns false if something else follows.
static bool pass_separator(Scan *s, const char *at)
{
    const char *after = skip_blanks(s, at);
    s->more = after < s->line_end;
    if (s->separator == ' ') {
        s->cell = after;
        return !s->more || after > at;
    }
    if (s->more && *after != s->separator) return false;
    s->cell = after + s->more;
    return true;
}

static bool next_cell(Scan *s, Cell *c)
{
    s->column++;
    const char *at = skip_blanks(s, s->cell), *end = at;
    c->quoted = at < s->line_end && *at == '"';
    if (c->quoted) {
        end = closing_quote(s, ++at);
        if (!end) return cell_fails(s, "the closing quote is missing in this line");
        *c = (Cell){at, (size_t)(end - at), true};
        return pass_separator(s, end + 1) ||
               cell_fails(s, "text follows the closing quote; write a quote in a cell as \"\"");
    }
    while (end < s->line_end && (s->separator == ' ' ? !is_blank(*end) : *end != s->separator))
        end++;
    const char *after = end;
    while (end > at && is_blank(end[-1])) end--;
    *c = (Cell){at, (size_t)(end - at), false};
    return pass_separator(s, after);
}

// --- numbers ---------------------------------------------------------------------------------

static bool is_word(const char *text, const char *word, const char *digit)
{
    return strcasecmp(text, word) == 0 || strcmp(text, digit) == 0;
}

static bool parse_bool(const char *text, bool *out)
{
    *out = is_word(text, "true", "1");
    return *out || is_word(text, "false", "0");
}

// Parses an integer of at most `size` bytes. Returns false for other text and larger numbers.
static bool parse_integer(const char *text, bool is_signed, size_t size, uint64_t *out)
{
    const char *digits = text + (*text == '-' || *text == '+');
    if (!*digits || strspn(digits, "0123456789") != strlen(digits)) return false;
    unsigned bits = 8 * (unsigned)size;
    errno = 0;
    if (is_signed) {
        int64_t x = strtoll(text, NULL, 10), most = INT64_MAX >> (64 - bits);
        *out = (uint64_t)x;
        return errno == 0 && x >= -most - 1 && x <= most;
    }
    *out = strtoull(text, NULL, 10);
    return errno == 0 && *out <= UINT64_MAX >> (64 - bits) && (*text != '-' || *out == 0);
}

// An element of any type in its representation in memory.
typedef union Element {
    bool truth;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    adze_f16 f16;
    float f32;
    double f64;
} Element;

static bool parse_float(const char *text, AdzeType type, Element *out)
{
    char *end;
    if (type == ADZE_F32)
        out->f32 = strtof(text, &end);
    else if (type == ADZE_F64)
        out->f64 = strtod(text, &end);
    else
        out->f16 = adze_f16_from(strtod(text, &end));
    return end > text && *end == '\0';
}

static bool parse_number(const char *text, AdzeType type, Element *out)
{
    size_t size = adze_type_size(type);
    uint64_t bits = 0;
    if (type == ADZE_BOOL) return parse_bool(text, &out->truth);
    if (type >= ADZE_F16) return parse_float(text, type, out);
    if (!parse_integer(text, type <= ADZE_I64, size, &bits)) return false;
    if (size == 1) out->u8 = (uint8_t)bits;
    if (size == 2) out->u16 = (uint16_t)bits;
    if (size == 4) out->u32 = (uint32_t)bits;
    if (size == 8) out->u64 = bits;
    return true;
}

// Copies the text of a cell, which is cut if it is too long for a number. Returns whether it fits.
static bool cell_text(const Cell *c, char text[LONGEST_NUMBER])
{
    size_t len = c->len < LONGEST_NUMBER ? c->len : LONGEST_NUMBER - 1;
    memcpy(text, c->at, len);
    text[len] = '\0';
    return len == c->len && strlen(text) == len;
}

static bool is_number(const Cell *c)
{
    char text[LONGEST_NUMBER];
    Element e;
    bool truth;
    return cell_text(c, text) && (parse_float(text, ADZE_F64, &e) || parse_bool(text, &truth));
}

// Reports a cell of a row that is not an element of the type.
static bool not_a_number(Scan *s, const Cell *c, AdzeType type, int64_t row)
{
    char text[LONGEST_NUMBER], shown[SHOWN + 1];
    (void)cell_text(c, text);
    int n = 0; // control characters would spoil the message
    for (; text[n] && n < SHOWN; n++) shown[n] = (unsigned char)text[n] < ' ' ? '?' : text[n];
    shown[n] = '\0';
    const char *hint = "";
    if (is_number(c))
        hint = type >= ADZE_F16 ? "; truth values are loaded as bool" : "; load the file as f64";
    else if (strchr(text, ','))
        hint = "; the decimal separator is a point";
    else if (*text && row == 0 && !s->heading)
        hint = "; a heading contains no numbers";
    else if (!*text)
        hint = "; only columns of floats may have empty cells, which are NaN";
    return adze_fail(s->err, s->path,
                     "line %" PRId64 ", column %" PRId64 ": `%s%s` is not a value of type %s%s",
                     s->line, s->column, shown, text[n] ? ".." : "", adze_type_name(type), hint);
}

static bool store_cell(Scan *s, const Cell *c, const AdzeTextColumn *to, int64_t row)
{
    char text[LONGEST_NUMBER];
    AdzeType type = to->array->type;
    size_t size = adze_type_size(type);
    Element e;
    bool good = cell_text(c, text) &&
                parse_number(!*text && type >= ADZE_F16 && !c->quoted ? "nan" : text, type, &e);
    if (!good) return not_a_number(s, c, type, row);
    memcpy((char *)to->array->data + (size_t)(to->first + row * to->step) * size, &e, size);
    return true;
}

// --- the whole text --------------------------------------------------------------------------

static bool wrong_count(Scan *s, int64_t found, int64_t wanted)
{
    return adze_fail(s->err, s->path,
                     "line %" PRId64 " has %" PRId64 " columns, the lines before it have %" PRId64
                     "; rows of a table are equally long",
                     s->line, found, wanted);
}

// Chooses the separator by the first row.
static char find_separator(const AdzeText *t)
{
    const char *dot = strrchr(t->path, '.');
    const char *candidates = dot && strcasecmp(dot, ".txt") == 0 ? ";," : ";,\t";
    Scan s = scan_of(t, NULL);
    if (dot && strcasecmp(dot, ".tsv") == 0) return '\t';
    if (!next_row(&s)) return ' ';
    int best = (int)strlen(candidates);
    bool quoted = false;
    for (const char *at = s.cell; at < s.line_end; at++) {
        const char *found = *at ? strchr(candidates, *at) : NULL;
        quoted ^= *at == '"';
        if (!quoted && found && found - candidates < best) best = (int)(found - candidates);
    }
    return candidates[best] ? candidates[best] : ' ';
}

static void *push_name(AdzeText *t, const Cell *c)
{
    char **names = realloc(t->names, (size_t)(t->columns + 1) * sizeof *names);
    if (!names) return NULL;
    t->names = names;
    char *name = names[t->columns] = malloc(c->len + 1);
    if (!name) return NULL;
    for (size_t i = 0; i < c->len; i++) {
        if (c->quoted && c->at[i] == '"') i++; // the first of two quotes
        *name++ = c->at[i];
    }
    *name = '\0';
    t->columns++;
    return t->names;
}

static void drop_names(AdzeText *t)
{
    for (int64_t i = 0; t->names && i < t->columns; i++) free(t->names[i]);
    free(t->names);
    t->names = NULL;
}

// Reads the first row, and finds out how many columns there are and whether it is a heading.
static bool read_heading(AdzeText *t, AdzeError *err)
{
    Scan s = scan_of(t, err);
    bool names = false, numbers = false;
    t->columns = 0;
    if (!next_row(&s)) return true;
    while (s.more) {
        Cell c;
        if (!next_cell(&s, &c)) return false;
        names = names || c.len > 0;
        numbers = numbers || is_number(&c);
        if (!push_name(t, &c)) return adze_fail(err, t->path, "no memory");
    }
    if (numbers || !names) {
        drop_names(t);
    } else {
        t->start = (size_t)(s.at - (const char *)t->bytes.at);
        t->start_line = s.line;
    }
    return true;
}

static bool count_rows(AdzeText *t, AdzeError *err)
{
    Scan s = scan_of(t, err);
    for (t->rows = 0; next_row(&s); t->rows++) {
        Cell c;
        while (s.more)
            if (!next_cell(&s, &c)) return false;
        if (s.column != t->columns) return wrong_count(&s, s.column, t->columns);
    }
    return true;
}

bool adze_text_open(const char *path, AdzeText *out, AdzeError *err)
{
    static const char mark[] = "\xef\xbb\xbf"; // the byte order mark of UTF-8
    *out = (AdzeText){.path = strdup(path)};
    if (!out->path) return adze_fail(err, path, "no memory");
    bool good = adze_input_read_all(path, &out->bytes, err);
    locale_t before = adze_locale_enter();
    if (good) {
        const uint8_t *at = out->bytes.at;
        if (out->bytes.len >= 3 && memcmp(at, mark, 3) == 0) out->start = 3;
        out->separator = find_separator(out);
        good = read_heading(out, err) && count_rows(out, err);
    }
    adze_locale_leave(before);
    if (!good) adze_text_close(out);
    return good;
}

void adze_text_close(AdzeText *t)
{
    drop_names(t);
    free(t->path);
    free(t->bytes.at);
    *t = (AdzeText){0};
}

bool adze_text_parse(const AdzeText *t, const AdzeTextColumn *columns, AdzeError *err)
{
    Scan s = scan_of(t, err);
    locale_t before = adze_locale_enter();
    bool good = true;
    for (int64_t row = 0; good && row < t->rows && next_row(&s); row++) {
        while (good && s.more) {
            Cell c;
            good = next_cell(&s, &c);
            const AdzeTextColumn *to = &columns[s.column - 1];
            if (good && to->array) good = store_cell(&s, &c, to, row);
        }
    }
    adze_locale_leave(before);
    return good;
}

bool adze_text_matrix(const AdzeText *t, AdzeType type, int rank, AdzeArray *out, AdzeError *err)
{
    int64_t shape[2] = {t->rows, t->columns};
    if (rank == 1 && t->rows == 1) shape[0] = t->columns;
    memset(out, 0, sizeof *out);
    if (!adze_array_alloc_for(t->path, out, type, rank, shape, err)) return false;
    AdzeTextColumn *columns = calloc((size_t)t->columns + 1, sizeof *columns);
    bool good = columns || adze_fail(err, t->path, "no memory");
    for (int64_t k = 0; good && k < t->columns; k++)
        columns[k] = (AdzeTextColumn){out, k, t->columns};
    good = good && adze_text_parse(t, columns, err);
    free(columns);
    if (!good) adze_array_free(out);
    return good;
}

bool adze_text_read(const char *path, AdzeType type, AdzeArray *out, AdzeError *err)
{
    AdzeText t;
    memset(out, 0, sizeof *out);
    if (!adze_text_open(path, &t, err)) return false;
    bool good = adze_text_matrix(&t, type, t.columns == 1 ? 1 : 2, out, err);
    adze_text_close(&t);
    return good;
}

bool adze_numbers_read(const char *path, AdzeArray *out, AdzeError *err)
{
    return adze_text_read(path, ADZE_F64, out, err);
}
