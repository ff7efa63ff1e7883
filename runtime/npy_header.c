// The text of a .npy header: a Python dict literal, as NumPy writes it.
//
//     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
//
// The descr of complex numbers is '<c8' or '<c16'; that of records is a list of their fields,
//
//     [('x', '<f4'), ('tag', '|u1'), ('', '|V3'), ('p', [('re', '<f8'), ('im', '<f8')], (2, 3))]
//
// in which void fields without a name are padding.
#include "array_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC_LEN = sizeof ADZE_NPY_MAGIC - 1, HEADER_ALIGNMENT = 64, SHORT_HEADER = UINT16_MAX };

// The kinds of elements, by NumPy's descr without its byte order.
static const struct {
    const char *descr;
    AdzeKind kind;
    AdzeType type;
} dtypes[] = {
#define X(id, name, size, descr) {descr, ADZE_NUMBER, ADZE_##id},
    ADZE_TYPES(X)
#undef X
        {"c8", ADZE_COMPLEX, ADZE_F32},
    {"c16", ADZE_COMPLEX, ADZE_F64},
};

// --- reading ---------------------------------------------------------------------------------

typedef struct Text {
    const char *at, *end;
    const char *path;
    AdzeError *err;
    const char *field; // the enclosing field, or NULL
    int nfields;       // number of fields so far, in all records
} Text;

static bool malformed(Text *t, const char *wanted)
{
    return adze_fail(t->err, t->path,
                     "malformed .npy header: expected %s; the file is damaged or not from NumPy",
                     wanted);
}

static void skip_spaces(Text *t)
{
    while (t->at < t->end && strchr(" \t\r\n", *t->at) && *t->at) t->at++;
}

static bool take(Text *t, char c)
{
    skip_spaces(t);
    if (t->at == t->end || *t->at != c) return false;
    t->at++;
    return true;
}

static bool take_word(Text *t, const char *word)
{
    size_t len = strlen(word);
    skip_spaces(t);
    if ((size_t)(t->end - t->at) < len || memcmp(t->at, word, len) != 0) return false;
    t->at += len;
    return true;
}

// Whether `c` may appear in an error message as it is.
static bool is_plain(char c)
{
    return c >= ' ' && c <= '~' && c != '\\';
}

// Parses a string without escapes (in either kind of quotes) into `out` of `size` bytes. The result
// is NUL-terminated.
static bool parse_string(Text *t, char *out, size_t size)
{
    skip_spaces(t);
    if (t->at == t->end || (*t->at != '\'' && *t->at != '"'))
        return malformed(t, "a string in quotes");
    char quote = *t->at++;
    size_t len = 0;
    while (t->at < t->end && *t->at != quote && is_plain(*t->at) && len + 1 < size)
        out[len++] = *t->at++;
    out[len] = '\0';
    if (t->at == t->end || *t->at != quote) return malformed(t, "the end of a short string");
    t->at++;
    return true;
}

static bool parse_size(Text *t, int64_t *size)
{
    skip_spaces(t);
    if (t->at == t->end || *t->at < '0' || *t->at > '9')
        return malformed(t, "a size (a whole number) in a shape");
    *size = 0;
    for (; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++)
        if (__builtin_mul_overflow(*size, 10, size) ||
            __builtin_add_overflow(*size, *t->at - '0', size))
            return adze_fail(t->err, t->path, "a size in a shape exceeds 63 bits");
    take(t, 'L'); // written by Python 2
    return true;
}

// Parses a Python tuple: `()`, `(3,)`, `(3, 4)`, `(3, 4,)`.
static bool parse_shape(Text *t, int *rank, int64_t *shape)
{
    if (!take(t, '(')) return malformed(t, "'(' before the sizes of a shape");
    bool comma = true;
    *rank = 0;
    while (!take(t, ')')) {
        if (!comma) return malformed(t, "',' or ')' in a shape");
        if (*rank == ADZE_MAX_RANK)
            return adze_fail(t->err, t->path, "has more than %d dimensions", ADZE_MAX_RANK);
        if (!parse_size(t, &shape[(*rank)++])) return false;
        comma = take(t, ',');
    }
    return *rank != 1 || comma || malformed(t, "',' after the only size of a shape");
}

// The first character of a descr is the byte order, which may be missing.
static bool dtype_of_descr(const char *descr, AdzeDtype *d)
{
    bool has_order = descr[0] && strchr("<>|=", descr[0]);
    char order = has_order ? descr[0] : '=';
    const char *rest = descr + has_order;
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        if (strcmp(rest, dtypes[i].descr) != 0) continue;
        size_t size = adze_type_size(dtypes[i].type);
        if (order == '|' && size > 1) return false;
        d->kind = dtypes[i].kind;
        d->type = dtypes[i].type;
        d->swapped = size > 1 && order != '=' && (order == '<') != adze_host_is_little();
        return true;
    }
    return false;
}

static bool unsupported(Text *t, const char *descr)
{
    static const char known[] = "b1, i1 to i8, u1 to u8, f2, f4, f8, c8 and c16";
    if (t->field)
        return adze_fail(t->err, t->path,
                         "element type '%s' of the field '%.60s' is not supported (%s are); leave "
                         "it out in NumPy: a[['x', 'y']] has these fields alone",
                         descr, t->field, known);
    return adze_fail(t->err, t->path,
                     "element type '%s' is not supported (%s are, and records of them); convert it "
                     "in NumPy: numpy.save(path, a.astype('f4'))",
                     descr, known);
}

static bool parse_fields(Text *t, AdzeDtype *d, int depth);

// Parses a descr: a list of fields, or a string. `depth` is the number of enclosing records.
static bool parse_descr(Text *t, AdzeDtype *d, int depth)
{
    char descr[32];
    if (take(t, '[')) return parse_fields(t, d, depth);
    if (take(t, '{'))
        return adze_fail(t->err, t->path,
                         "the fields stand in a dictionary, with offsets; NumPy writes a list: "
                         "numpy.save(path, a)");
    if (!parse_string(t, descr, sizeof descr)) return false;
    return dtype_of_descr(descr, d) || unsupported(t, descr);
}

// Whether the next string has a character that parse_string rejects.
static bool has_other_characters(const Text *t)
{
    if (t->at == t->end || (*t->at != '\'' && *t->at != '"')) return false;
    const char *c = t->at + 1;
    while (c < t->end && *c != *t->at && is_plain(*c)) c++;
    return c < t->end && *c != *t->at;
}

// Parses the name of field `number` into a malloc'ed string, which is "" for padding.
static bool parse_name(Text *t, int number, char **name)
{
    skip_spaces(t);
    if (t->at < t->end && *t->at == '(')
        return adze_fail(t->err, t->path,
                         "a field has a title; leave it out in NumPy: a.astype([('x', '<f4')])");
    if (has_other_characters(t))
        return adze_fail(t->err, t->path,
                         "the name of field %d of a record has characters other than those of "
                         "ASCII, or a backslash; rename the fields in NumPy: a.dtype.names = "
                         "['x', 'y']",
                         number);
    size_t size = (size_t)(t->end - t->at) + 1;
    if (!(*name = malloc(size))) return adze_fail(t->err, t->path, "no memory");
    if (!parse_string(t, *name, size)) return false;
    char *shorter = realloc(*name, strlen(*name) + 1);
    if (shorter) *name = shorter;
    return true;
}

// Adds an empty field to `d`.
static AdzeField *new_field(Text *t, AdzeDtype *d, int *room)
{
    if (t->nfields++ == ADZE_MAX_FIELDS) {
        adze_fail(t->err, t->path, "has more than %d fields", ADZE_MAX_FIELDS);
        return NULL;
    }
    if (d->nfields == *room) {
        int more = *room ? 2 * *room : 4;
        AdzeField *fields = realloc(d->fields, (size_t)more * sizeof *fields);
        if (!fields) {
            adze_fail(t->err, t->path, "no memory");
            return NULL;
        }
        d->fields = fields;
        *room = more;
    }
    memset(&d->fields[d->nfields], 0, sizeof *d->fields);
    return &d->fields[d->nfields++];
}

// Parses the descr of padding after its empty name: '|V3' for three bytes.
static bool parse_padding(Text *t, int64_t *padding)
{
    char descr[32], *end;
    if (!parse_string(t, descr, sizeof descr)) return false;
    bool is_void = (descr[0] == '|' && descr[1] == 'V') && descr[2] >= '0' && descr[2] <= '9';
    long long bytes = is_void ? strtoll(descr + 2, &end, 10) : -1;
    if (bytes < 0 || bytes >= INT64_MAX / 2 || *end)
        return malformed(t, "the name of a field, or padding such as '|V3'");
    if (__builtin_add_overflow(*padding, bytes, padding))
        return adze_fail(t->err, t->path, "the padding of a record exceeds 63 bits");
    return true;
}

static bool is_new_name(const AdzeDtype *d, const char *name)
{
    for (int i = 0; i < d->nfields; i++)
        if (d->fields[i].name && strcmp(d->fields[i].name, name) == 0) return false;
    return true;
}

// Parses `'<f4'` or `'<f4', (3,)`, after the comma that follows the name. Takes over the name.
static bool parse_field(Text *t, AdzeDtype *d, int *room, char *name, int depth)
{
    bool is_new = is_new_name(d, name);
    AdzeField *f = new_field(t, d, room);
    if (!f) {
        free(name);
        return false;
    }
    f->name = name;
    f->padding = d->padding;
    d->padding = 0;
    if (!is_new)
        return adze_fail(t->err, t->path, "two fields of a record are called '%.60s'", name);
    const char *around = t->field;
    t->field = name;
    bool good = parse_descr(t, &f->dtype, depth + 1);
    t->field = around;
    if (!good || !take(t, ',')) return good;
    skip_spaces(t);
    if (t->at < t->end && *t->at == ')') return true;
    if (!parse_shape(t, &f->rank, f->shape)) return false;
    take(t, ',');
    return true;
}

// Parses a tuple of the list. It is a field, or padding, which belongs to the next field or, after
// the last field, to the record.
static bool parse_entry(Text *t, AdzeDtype *d, int *room, int depth)
{
    char *name = NULL;
    bool good = take(t, '(') || malformed(t, "'(' before a field");
    good = good && parse_name(t, d->nfields + 1, &name) &&
           (take(t, ',') || malformed(t, "',' after a name"));
    bool is_padding = good && !*name;
    if (!good || is_padding) {
        free(name);
        good = good && parse_padding(t, &d->padding);
    } else {
        good = parse_field(t, d, room, name, depth);
    }
    return good && (take(t, ')') || malformed(t, "')' after a field"));
}

// Parses a list of fields after its opening bracket.
static bool parse_fields(Text *t, AdzeDtype *d, int depth)
{
    int room = 0;
    bool comma = true;
    if (depth == ADZE_MAX_DEPTH)
        return adze_fail(t->err, t->path, "has records more than %d deep", ADZE_MAX_DEPTH);
    d->kind = ADZE_RECORD;
    while (!take(t, ']')) {
        if (!comma) return malformed(t, "',' or ']' in the list of fields");
        if (!parse_entry(t, d, &room, depth)) return false;
        comma = take(t, ',');
    }
    return d->nfields || adze_fail(t->err, t->path, "has records without fields");
}

static bool parse_bool(Text *t, bool *out)
{
    *out = take_word(t, "True");
    return *out || take_word(t, "False") || malformed(t, "True or False after 'fortran_order'");
}

// Parses the three keys, each exactly once, in any order.
static bool parse_dict(Text *t, AdzeNpyHeader *h)
{
    enum { DESCR = 1, FORTRAN = 2, SHAPE = 4, ALL = 7 };
    int seen = 0;
    bool comma = true;
    if (!take(t, '{')) return malformed(t, "'{'");
    while (!take(t, '}')) {
        char key[16];
        if (!comma) return malformed(t, "',' or '}'");
        if (!parse_string(t, key, sizeof key)) return false;
        int bit = strcmp(key, "descr") == 0           ? DESCR
                  : strcmp(key, "fortran_order") == 0 ? FORTRAN
                  : strcmp(key, "shape") == 0         ? SHAPE
                                                      : 0;
        if (!bit || seen & bit)
            return malformed(t, "the keys 'descr', 'fortran_order' and 'shape', once each");
        seen |= bit;
        if (!take(t, ':')) return malformed(t, "':'");
        if (!(bit == DESCR     ? parse_descr(t, &h->dtype, 0)
              : bit == FORTRAN ? parse_bool(t, &h->fortran)
                               : parse_shape(t, &h->rank, h->shape)))
            return false;
        comma = take(t, ',');
    }
    skip_spaces(t);
    if (seen != ALL) return malformed(t, "the keys 'descr', 'fortran_order' and 'shape'");
    return t->at == t->end || malformed(t, "nothing after '}'");
}

bool adze_npy_header_parse(const char *path, const char *text, size_t len, AdzeNpyHeader *out,
                           AdzeError *err)
{
    *out = (AdzeNpyHeader){0};
    Text t = {.at = text, .end = text + len, .path = path, .err = err};
    return parse_dict(&t, out);
}

// --- writing ---------------------------------------------------------------------------------

static void put_descr(FILE *to, const AdzeDtype *d)
{
    size_t i = 0;
    while (dtypes[i].kind != d->kind || dtypes[i].type != d->type) i++;
    char order = adze_type_size(d->type) == 1 ? '|' : adze_host_is_little() ? '<' : '>';
    fprintf(to, "'%c%s'", order, dtypes[i].descr);
}

// Writes a shape as a Python tuple, which has a trailing comma if it has one element.
static void put_shape(FILE *to, int rank, const int64_t *shape)
{
    fputc('(', to);
    for (int d = 0; d < rank; d++) fprintf(to, "%s%" PRId64, d ? ", " : "", shape[d]);
    fputs(rank == 1 ? ",)" : ")", to);
}

static void put_padding(FILE *to, int64_t bytes, const char *before, const char *after)
{
    if (bytes > 0) fprintf(to, "%s('', '|V%" PRId64 "')%s", before, bytes, after);
}

static void put_dtype(FILE *to, const AdzeDtype *d)
{
    if (d->kind != ADZE_RECORD) {
        put_descr(to, d);
        return;
    }
    fputc('[', to);
    for (int i = 0; i < d->nfields; i++) {
        const AdzeField *f = &d->fields[i];
        if (i) fputs(", ", to);
        put_padding(to, f->padding, "", ", ");
        fprintf(to, "('%s', ", f->name);
        put_dtype(to, &f->dtype);
        if (f->rank) fputs(", ", to);
        if (f->rank) put_shape(to, f->rank, f->shape);
        fputc(')', to);
    }
    put_padding(to, d->padding, ", ", "");
    fputc(']', to);
}

static char *format_dict(const AdzeTable *table, size_t *len)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, len);
    if (!to) return NULL;
    fputs("{'descr': ", to);
    put_dtype(to, &table->dtype);
    fputs(", 'fortran_order': False, 'shape': ", to);
    put_shape(to, table->rank, table->shape);
    fputs(", }", to);
    if (fclose(to) == 0) return text;
    free(text);
    return NULL;
}

// Pads with spaces to the alignment that NumPy guarantees to readers that map the file. A header
// that is too long for version 1 becomes version 2.
char *adze_npy_header_format(const AdzeTable *table, size_t *len)
{
    size_t dict_len;
    char *dict = format_dict(table, &dict_len);
    if (!dict) return NULL;
    int version = dict_len + HEADER_ALIGNMENT > SHORT_HEADER ? 2 : 1;
    size_t text = MAGIC_LEN + (version == 1 ? 4 : 6);
    *len = (text + dict_len + HEADER_ALIGNMENT) / HEADER_ALIGNMENT * HEADER_ALIGNMENT;
    char *to = malloc(*len);
    if (to) {
        memcpy(to, ADZE_NPY_MAGIC, MAGIC_LEN);
        to[MAGIC_LEN] = (char)version;
        to[MAGIC_LEN + 1] = 0;
        for (size_t i = MAGIC_LEN + 2; i < text; i++)
            to[i] = (char)((*len - text) >> 8 * (i - MAGIC_LEN - 2) & 0xff);
        memcpy(to + text, dict, dict_len);
        memset(to + text + dict_len, ' ', *len - text - dict_len);
        to[*len - 1] = '\n';
    }
    free(dict);
    return to;
}
