// NumPy's .npy: magic, version, header length, a Python dict literal in text, then the
// elements.
//
//     \x93NUMPY 1 0 <u16 length> {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } <data>
//
// Versions 2 and 3 have a u32 length; 3 allows UTF-8 in the header, which only field names of
// structured types would use. Nothing is allocated before the shape has been compared with the
// size of the file.
#include "array_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC_LEN = 6, HEADER_ALIGNMENT = 64, HEADER_LIMIT = 1 << 20 };

static const char magic[] = "\x93NUMPY";

typedef struct Header {
    AdzeType type;
    bool swap; // the elements are in the other byte order
    bool fortran;
    int rank;
    int64_t shape[ADZE_MAX_RANK];
    int64_t offset; // of the first element in the file
} Header;

typedef struct Reader {
    const char *path;
    FILE *file;
    int64_t size;
    AdzeError *err;
} Reader;

// --- the header's text -----------------------------------------------------------------------

typedef struct Text {
    const char *at, *end;
    const char *path;
    AdzeError *err;
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

// A string without escapes, in either kind of quotes, NUL terminated in `out`.
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
        return malformed(t, "a size (a whole number) in 'shape'");
    *size = 0;
    for (; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++)
        if (__builtin_mul_overflow(*size, 10, size) ||
            __builtin_add_overflow(*size, *t->at - '0', size))
            return adze_fail(t->err, t->path, "a size in 'shape' exceeds 63 bits");
    take(t, 'L'); // written by Python 2
    return true;
}

// A Python tuple: `()`, `(3,)`, `(3, 4)`, `(3, 4,)`.
static bool parse_shape(Text *t, Header *h)
{
    if (!take(t, '(')) return malformed(t, "'(' after 'shape'");
    bool comma = true;
    h->rank = 0;
    while (!take(t, ')')) {
        if (!comma) return malformed(t, "',' or ')' in 'shape'");
        if (h->rank == ADZE_MAX_RANK)
            return adze_fail(t->err, t->path, "has more than %d dimensions", ADZE_MAX_RANK);
        if (!parse_size(t, &h->shape[h->rank++])) return false;
        comma = take(t, ',');
    }
    if (h->rank == 1 && !comma) return malformed(t, "',' after the only size in 'shape'");
    return true;
}

static bool host_is_little(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 1;
}

// The descr's first character is the byte order, or is missing.
static bool type_of_descr(const char *descr, Header *h)
{
    bool has_order = descr[0] && strchr("<>|=", descr[0]);
    char order = has_order ? descr[0] : '=';
    const char *rest = descr + has_order;
    for (int type = 0; type < ADZE_TYPE_COUNT; type++) {
        if (strcmp(rest, adze_type_descr((AdzeType)type)) != 0) continue;
        size_t size = adze_type_size((AdzeType)type);
        if (order == '|' && size > 1) return false;
        h->type = (AdzeType)type;
        h->swap = size > 1 && (order == '<' || order == '>') && (order == '<') != host_is_little();
        return true;
    }
    return false;
}

static bool parse_descr(Text *t, Header *h)
{
    char descr[32];
    if (take(t, '['))
        return adze_fail(
            t->err, t->path,
            "has a structured element type, which Adze does not read; save one field at a time");
    if (!parse_string(t, descr, sizeof descr)) return false;
    if (type_of_descr(descr, h)) return true;
    return adze_fail(
        t->err, t->path,
        "element type '%s' is not supported (b1, i1 to i8, u1 to u8, f2, f4 and f8 are); convert "
        "it in NumPy: numpy.save(path, a.astype('f4'))",
        descr);
}

static bool parse_bool(Text *t, bool *out)
{
    *out = take_word(t, "True");
    return *out || take_word(t, "False") || malformed(t, "True or False after 'fortran_order'");
}

// Each of the three keys exactly once, in any order.
static bool parse_dict(Text *t, Header *h)
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
        if (!(bit == DESCR     ? parse_descr(t, h)
              : bit == FORTRAN ? parse_bool(t, &h->fortran)
                               : parse_shape(t, h)))
            return false;
        comma = take(t, ',');
    }
    skip_spaces(t);
    if (seen != ALL) return malformed(t, "the keys 'descr', 'fortran_order' and 'shape'");
    return t->at == t->end || malformed(t, "nothing after '}'");
}

// --- reading ---------------------------------------------------------------------------------

static bool read_bytes(Reader *r, void *to, size_t len)
{
    if (fread(to, 1, len, r->file) == len) return true;
    if (ferror(r->file)) return adze_fail(r->err, r->path, "cannot read: %s", strerror(errno));
    return adze_fail(r->err, r->path, "the file ends inside the .npy header");
}

// Reads what precedes the header's text; gives its length and position.
static bool read_preamble(Reader *r, int64_t *text_len, int64_t *text_offset)
{
    uint8_t start[MAGIC_LEN + 2], len[4] = {0};
    if (r->size < MAGIC_LEN + 2)
        return adze_fail(r->err, r->path, "is not a .npy file: it has %" PRId64 " bytes", r->size);
    if (!read_bytes(r, start, sizeof start)) return false;
    if (memcmp(start, magic, MAGIC_LEN) != 0)
        return adze_fail(r->err, r->path, "is not a .npy file: it does not start with \\x93NUMPY");
    int version = start[MAGIC_LEN];
    if (version < 1 || version > 3)
        return adze_fail(r->err, r->path, ".npy version %d is unknown; 1, 2 and 3 are read",
                         version);
    size_t width = version == 1 ? 2 : 4;
    if (!read_bytes(r, len, width)) return false;
    *text_len =
        (int64_t)len[0] | (int64_t)len[1] << 8 | (int64_t)len[2] << 16 | (int64_t)len[3] << 24;
    *text_offset = (int64_t)(sizeof start + width);
    return true;
}

static bool read_header(Reader *r, Header *h)
{
    int64_t len = 0, offset = 0;
    if (!read_preamble(r, &len, &offset)) return false;
    if (len > r->size - offset)
        return adze_fail(r->err, r->path, "the file ends inside the .npy header");
    if (len > HEADER_LIMIT)
        return adze_fail(r->err, r->path,
                         "the .npy header has %" PRId64 " bytes, more than any plain array's", len);
    char *text = malloc((size_t)len + 1);
    if (!text) return adze_fail(r->err, r->path, "no memory");
    Text t = {text, text + len, r->path, r->err};
    bool good = read_bytes(r, text, (size_t)len) && parse_dict(&t, h);
    free(text);
    h->offset = offset + len;
    return good;
}

// Compares the shape with the number of bytes there are, before memory is asked for.
static bool check_size(Reader *r, const Header *h)
{
    int64_t have = r->size - h->offset, want = (int64_t)adze_type_size(h->type);
    bool fits = true, empty = false;
    for (int d = 0; d < h->rank; d++) {
        if (h->shape[d] == 0)
            empty = true;
        else
            fits = fits && !__builtin_mul_overflow(want, h->shape[d], &want);
    }
    if (!fits)
        return adze_fail(r->err, r->path, "the product of the sizes in 'shape' exceeds 63 bits");
    if (empty) want = 0;
    if (have < want)
        return adze_fail(r->err, r->path,
                         "is too short: its elements need %" PRId64 " bytes, it has %" PRId64, want,
                         have);
    if (have > want)
        return adze_fail(r->err, r->path,
                         "has %" PRId64
                         " bytes after the array; save each array to a file of its own",
                         have - want);
    return true;
}

static void swap_bytes(void *data, int64_t count, size_t size)
{
    uint8_t *p = data;
    for (int64_t i = 0; i < count; i++, p += size) {
        for (size_t lo = 0, hi = size - 1; lo < hi; lo++, hi--) {
            uint8_t byte = p[lo];
            p[lo] = p[hi];
            p[hi] = byte;
        }
    }
}

// to[i] = from[i * stride], for elements of `size` bytes.
static void gather(uint8_t *to, const uint8_t *from, int64_t count, int64_t stride, size_t size)
{
    int64_t step = stride * (int64_t)size;
    // Constant sizes, so that each copy is one move.
    switch (size) {
    case 1:
        for (int64_t i = 0; i < count; i++) to[i] = from[i * step];
        break;
    case 2:
        for (int64_t i = 0; i < count; i++) memcpy(to + i * 2, from + i * step, 2);
        break;
    case 4:
        for (int64_t i = 0; i < count; i++) memcpy(to + i * 4, from + i * step, 4);
        break;
    default:
        for (int64_t i = 0; i < count; i++) memcpy(to + i * 8, from + i * step, 8);
        break;
    }
}

// Copies elements stored with the first index fastest into `to`, which has them in C order. The
// walk is over the rows of `to`; `at` is the row's index, `from_row` its first element's place.
static void from_fortran_order(const AdzeArray *to, const uint8_t *from)
{
    int last = to->rank - 1;
    int64_t stride[ADZE_MAX_RANK], at[ADZE_MAX_RANK] = {0};
    int64_t count = adze_array_count(to), row = to->shape[last], from_row = 0;
    size_t size = adze_type_size(to->type);
    stride[0] = 1;
    for (int d = 1; d <= last; d++) stride[d] = stride[d - 1] * to->shape[d - 1];
    for (int64_t done = 0; done < count; done += row) {
        gather((uint8_t *)to->data + done * (int64_t)size, from + from_row * (int64_t)size, row,
               stride[last], size);
        for (int d = last - 1; d >= 0; d--) {
            from_row += stride[d];
            if (++at[d] < to->shape[d]) break;
            from_row -= stride[d] * to->shape[d];
            at[d] = 0;
        }
    }
}

static bool to_c_order(const char *path, AdzeArray *array, AdzeError *err)
{
    AdzeArray ordered;
    if (!adze_array_alloc_for(path, &ordered, array->type, array->rank, array->shape, err))
        return false;
    from_fortran_order(&ordered, array->data);
    adze_array_free(array);
    *array = ordered;
    return true;
}

static bool read_array(Reader *r, AdzeArray *out)
{
    Header h = {0};
    if (!read_header(r, &h) || !check_size(r, &h)) return false;
    if (!adze_array_alloc_for(r->path, out, h.type, h.rank, h.shape, r->err)) return false;
    size_t bytes = adze_array_bytes(out);
    if (fread(out->data, 1, bytes, r->file) != bytes)
        return adze_fail(r->err, r->path, "cannot read: %s",
                         ferror(r->file) ? strerror(errno)
                                         : "the file became shorter while it was read");
    int64_t count = adze_array_count(out);
    if (h.swap) swap_bytes(out->data, count, adze_type_size(h.type));
    if (h.type == ADZE_BOOL) {
        // Any other byte in a C bool would be undefined behaviour for whoever uses the array.
        uint8_t *p = out->data;
        for (int64_t i = 0; i < count; i++) p[i] = p[i] != 0;
    }
    bool reorder = h.fortran && h.rank > 1 && count > 0;
    return !reorder || to_c_order(r->path, out, r->err);
}

bool adze_npy_read(const char *path, AdzeArray *out, AdzeError *err)
{
    memset(out, 0, sizeof *out);
    Reader r = {.path = path, .err = err};
    if (!adze_input_open(path, &r.file, &r.size, err)) return false;
    bool good = read_array(&r, out);
    fclose(r.file);
    if (!good) adze_array_free(out);
    return good;
}

// --- writing ---------------------------------------------------------------------------------

// The whole header, magic included, padded with spaces to the alignment NumPy promises to
// readers that map the file. Gives its length.
static size_t format_header(const AdzeArray *array, char *to, size_t size)
{
    char order = adze_type_size(array->type) == 1 ? '|' : host_is_little() ? '<' : '>';
    size_t text = MAGIC_LEN + 4;
    size_t len = text + (size_t)snprintf(to + text, size - text,
                                         "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                                         order, adze_type_descr(array->type));
    for (int d = 0; d < array->rank; d++)
        len += (size_t)snprintf(to + len, size - len, "%s%" PRId64, d ? ", " : "", array->shape[d]);
    len += (size_t)snprintf(to + len, size - len, "%s), }", array->rank == 1 ? "," : "");
    while ((len + 1) % HEADER_ALIGNMENT != 0) to[len++] = ' ';
    to[len++] = '\n';

    memcpy(to, magic, MAGIC_LEN);
    to[MAGIC_LEN] = 1;
    to[MAGIC_LEN + 1] = 0;
    to[MAGIC_LEN + 2] = (char)((len - text) & 0xff);
    to[MAGIC_LEN + 3] = (char)((len - text) >> 8);
    return len;
}

bool adze_npy_put(AdzeOutput *out, const AdzeArray *array, AdzeError *err)
{
    (void)err; // that of the output
    char header[ADZE_TYPE_TEXT_SIZE + 256];
    size_t len = format_header(array, header, sizeof header);
    return adze_output_write(out, header, len) &&
           adze_output_write(out, array->data, adze_array_bytes(array));
}

bool adze_npy_write(const char *path, const AdzeArray *array, AdzeError *err)
{
    return adze_output_whole(path, array, adze_npy_put, err);
}
