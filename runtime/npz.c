// NumPy's .npz: a ZIP archive in which each array is an entry NAME.npy, stored or deflated.
//
// An archive ends with a directory of its entries and a record with the position of the directory.
// Sizes and positions of 32 bits that are all ones stand for 64-bit numbers elsewhere (ZIP64).
#include "array_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    LOCAL_SIZE = 30,     // the record before the bytes of an entry, without its name
    ENTRY_SIZE = 46,     // an entry of the directory, without its name
    END_SIZE = 22,       // the record at the end, without its comment
    LOCATOR_SIZE = 20,   // the record before it that locates the 64-bit one
    END64_SIZE = 56,     // the end record with 64-bit numbers
    COMMENT_SIZE = 65535 // the longest comment
};
enum { STORED = 0, DEFLATED = 8, ENCRYPTED = 1, CHUNK = 1 << 20, MOST_EXPANSION = 1032 };

static const uint32_t local_mark = 0x04034b50, entry_mark = 0x02014b50, end_mark = 0x06054b50,
                      locator_mark = 0x07064b50, end64_mark = 0x06064b50;
static const uint32_t all_ones = 0xffffffff; // the number is elsewhere, in 64 bits

typedef struct Entry {
    char *name; // without .npy
    int method, flags;
    uint32_t sum; // CRC-32 of its bytes
    int64_t packed, size, offset;
} Entry;

typedef struct Archive {
    const char *path;
    AdzeError *err;
    FILE *file;
    int64_t size;
    int n;
    Entry *entries;
} Archive;

// --- numbers of the format --------------------------------------------------------------------

static uint64_t get(const uint8_t *at, int bytes)
{
    uint64_t x = 0;
    for (int i = bytes; i-- > 0;) x = x << 8 | at[i];
    return x;
}

static uint8_t *put(uint8_t *at, int bytes, uint64_t x)
{
    for (int i = 0; i < bytes; i++) at[i] = (uint8_t)(x >> 8 * i);
    return at + bytes;
}

// --- the directory ----------------------------------------------------------------------------

static bool damaged(const Archive *a, int64_t offset, const char *what)
{
    return adze_fail(a->err, a->path, "the .npz archive is damaged at byte %" PRId64 ": %s", offset,
                     what);
}

static bool read_at(const Archive *a, int64_t offset, void *to, int64_t len)
{
    if (offset < 0 || len > a->size || offset > a->size - len)
        return damaged(a, a->size, "the file ends too early");
    if (fseeko(a->file, (off_t)offset, SEEK_SET) != 0)
        return adze_fail(a->err, a->path, "cannot read: %s", strerror(errno));
    return adze_input_read(a->file, a->path, to, (size_t)len, a->err);
}

// Finds the record at the end, behind which there may be a comment. Returns its position, or -1
// after an error.
static int64_t find_end(const Archive *a)
{
    int64_t len = a->size < END_SIZE + COMMENT_SIZE ? a->size : END_SIZE + COMMENT_SIZE, found = -1;
    uint8_t *tail = malloc((size_t)len + 1);
    if (!tail) {
        adze_fail(a->err, a->path, "no memory");
        return -1;
    }
    bool good = read_at(a, a->size - len, tail, len);
    for (int64_t i = len - END_SIZE; good && found < 0 && i >= 0; i--)
        if (get(tail + i, 4) == end_mark && (int64_t)get(tail + i + 20, 2) == len - i - END_SIZE)
            found = a->size - len + i;
    free(tail);
    if (good && found < 0)
        adze_fail(a->err, a->path, "is not a .npz file: it does not end as a ZIP archive");
    return found;
}

// Sets the position and size of the directory, and the number of entries.
static bool locate(const Archive *a, int64_t end, uint64_t *offset, uint64_t *size, uint64_t *n)
{
    uint8_t record[END_SIZE], locator[LOCATOR_SIZE], end64[END64_SIZE];
    if (!read_at(a, end, record, END_SIZE)) return false;
    *n = get(record + 10, 2);
    *size = get(record + 12, 4);
    *offset = get(record + 16, 4);
    if (*n != 0xffff && *size != all_ones && *offset != all_ones) return true;
    if (end < LOCATOR_SIZE || !read_at(a, end - LOCATOR_SIZE, locator, LOCATOR_SIZE) ||
        get(locator, 4) != locator_mark)
        return damaged(a, end, "the 64-bit end record is missing");
    uint64_t at = get(locator + 8, 8);
    if (at > (uint64_t)a->size || !read_at(a, (int64_t)at, end64, END64_SIZE) ||
        get(end64, 4) != end64_mark)
        return damaged(a, end - LOCATOR_SIZE, "it points to no 64-bit end record");
    *n = get(end64 + 32, 8);
    *size = get(end64 + 40, 8);
    *offset = get(end64 + 48, 8);
    return true;
}

// Replaces the numbers of an entry that are all ones by those of its extra fields.
static bool read_extra(const uint8_t *at, const uint8_t *end, uint64_t *numbers[3])
{
    while (end - at >= 4) {
        uint64_t id = get(at, 2), len = get(at + 2, 2);
        at += 4;
        if (len > (uint64_t)(end - at)) return false;
        const uint8_t *field = at, *field_end = at + len;
        at = field_end;
        for (int i = 0; id == 1 && i < 3; i++) {
            if (*numbers[i] != all_ones) continue;
            if (field_end - field < 8) return false;
            *numbers[i] = get(field, 8);
            field += 8;
        }
    }
    return true;
}

static char *name_of(const uint8_t *at, size_t len)
{
    char *name = malloc(len + 1);
    if (!name) return NULL;
    memcpy(name, at, len);
    name[len] = '\0';
    if (len > 4 && strcmp(name + len - 4, ".npy") == 0) name[len - 4] = '\0';
    return name;
}

// Reads the entry of the directory at `at`, and sets *next to the one after it.
static bool read_entry(const Archive *a, const uint8_t *at, const uint8_t *end, Entry *e,
                       const uint8_t **next)
{
    if (end - at < ENTRY_SIZE || get(at, 4) != entry_mark) return false;
    uint64_t packed = get(at + 20, 4), size = get(at + 24, 4), offset = get(at + 42, 4);
    size_t name = (size_t)get(at + 28, 2), extra = (size_t)get(at + 30, 2);
    size_t whole = ENTRY_SIZE + name + extra + (size_t)get(at + 32, 2);
    if (whole > (size_t)(end - at)) return false;
    const uint8_t *extra_at = at + ENTRY_SIZE + name;
    uint64_t *numbers[] = {&size, &packed, &offset};
    if (!read_extra(extra_at, extra_at + extra, numbers)) return false;
    if (packed > (uint64_t)a->size || offset > (uint64_t)a->size || size > INT64_MAX) return false;
    *e = (Entry){.name = name_of(at + ENTRY_SIZE, name),
                 .flags = (int)get(at + 8, 2),
                 .method = (int)get(at + 10, 2),
                 .sum = (uint32_t)get(at + 16, 4),
                 .packed = (int64_t)packed,
                 .size = (int64_t)size,
                 .offset = (int64_t)offset};
    *next = at + whole;
    return e->name != NULL;
}

static bool read_directory(Archive *a)
{
    int64_t end = find_end(a);
    uint64_t offset, size, n;
    if (end < 0 || !locate(a, end, &offset, &size, &n)) return false;
    if (offset > (uint64_t)end || size > (uint64_t)end - offset || n > size / ENTRY_SIZE)
        return damaged(a, end, "the directory of its entries is not inside the file");
    uint8_t *bytes = malloc((size_t)size + 1);
    a->entries = calloc((size_t)n + 1, sizeof *a->entries);
    bool good = bytes && a->entries ? read_at(a, (int64_t)offset, bytes, (int64_t)size)
                                    : adze_fail(a->err, a->path, "no memory");
    const uint8_t *at = bytes, *stop = bytes + size;
    for (; good && a->n < (int)n; a->n += good)
        if (!read_entry(a, at, stop, &a->entries[a->n], &at))
            good = damaged(a, (int64_t)offset + (at - bytes), "an entry of the directory is wrong");
    free(bytes);
    return good;
}

// --- reading an entry -------------------------------------------------------------------------

// Reads the table at the position of the file, which has `size` bytes there.
static bool read_stream(const Archive *a, const Entry *e, FILE *file, int64_t size, AdzeTable *out)
{
    size_t len = strlen(a->path) + strlen(e->name) + 2;
    char *label = malloc(len);
    if (!label) return adze_fail(a->err, a->path, "no memory");
    snprintf(label, len, "%s:%s", a->path, e->name);
    bool good = adze_npy_read_stream(label, file, size, out, a->err);
    free(label);
    return good;
}

static bool sum_differs(const Archive *a, const Entry *e)
{
    return adze_fail(a->err, a->path,
                     "the entry %s is damaged: its checksum is not that of its bytes", e->name);
}

// Reads an entry that is not compressed. `at` is the position of its bytes.
static bool read_stored(const Archive *a, const Entry *e, int64_t at, AdzeTable *out)
{
    if (e->packed != e->size) return damaged(a, at, "a stored entry has two sizes");
    uint8_t *chunk = malloc(CHUNK);
    if (!chunk) return adze_fail(a->err, a->path, "no memory");
    uint32_t sum = 0;
    bool good = true;
    for (int64_t done = 0, n; good && done < e->size; done += n) {
        n = e->size - done < CHUNK ? e->size - done : CHUNK;
        good = read_at(a, at + done, chunk, n);
        if (good) sum = (uint32_t)crc32_z(sum, chunk, (size_t)n);
    }
    free(chunk);
    if (good && sum != e->sum) return sum_differs(a, e);
    if (good && fseeko(a->file, (off_t)at, SEEK_SET) != 0)
        return adze_fail(a->err, a->path, "cannot read: %s", strerror(errno));
    return good && read_stream(a, e, a->file, e->size, out);
}

// Decompresses the bytes of an entry to `to`, which has room for e->size bytes.
static bool inflate_entry(const Archive *a, const Entry *e, int64_t at, uint8_t *to)
{
    z_stream z = {0};
    uint8_t *chunk = malloc(CHUNK);
    if (!chunk || inflateInit2(&z, -MAX_WBITS) != Z_OK) {
        free(chunk);
        return adze_fail(a->err, a->path, "no memory");
    }
    int64_t used = 0, made = 0;
    int state = Z_OK;
    while (state == Z_OK) {
        if (z.avail_in == 0 && used < e->packed) {
            int64_t n = e->packed - used < CHUNK ? e->packed - used : CHUNK;
            if (!read_at(a, at + used, chunk, n)) break;
            z.next_in = chunk;
            z.avail_in = (uInt)n;
            used += n;
        }
        int64_t room = e->size - made < CHUNK ? e->size - made : CHUNK;
        z.next_out = to + made;
        z.avail_out = (uInt)room;
        state = inflate(&z, Z_NO_FLUSH);
        made += room - (int64_t)z.avail_out;
    }
    bool whole = state == Z_STREAM_END && made == e->size && used == e->packed && z.avail_in == 0;
    inflateEnd(&z);
    free(chunk);
    return whole ||
           adze_fail(a->err, a->path,
                     "the entry %s is damaged: it does not decompress to %" PRId64 " bytes",
                     e->name, e->size);
}

static bool read_deflated(const Archive *a, const Entry *e, int64_t at, AdzeTable *out)
{
    if (e->size / MOST_EXPANSION > e->packed)
        return damaged(a, at, "an entry is larger than its compressed bytes allow");
    uint8_t *bytes = malloc((size_t)e->size + 1);
    if (!bytes) return adze_fail(a->err, a->path, "no memory for the entry %s", e->name);
    bool good = inflate_entry(a, e, at, bytes);
    if (good && (uint32_t)crc32_z(0, bytes, (size_t)e->size) != e->sum) good = sum_differs(a, e);
    // a stream of no bytes cannot be opened
    FILE *file = good ? fmemopen(bytes, (size_t)e->size + 1, "rb") : NULL;
    if (good && !file) good = adze_fail(a->err, a->path, "no memory");
    good = good && read_stream(a, e, file, e->size, out);
    if (file) fclose(file);
    free(bytes);
    return good;
}

static bool read_table(const Archive *a, const Entry *e, AdzeTable *out)
{
    uint8_t local[LOCAL_SIZE];
    if (e->flags & ENCRYPTED)
        return adze_fail(a->err, a->path, "the entry %s is encrypted; unpack it", e->name);
    if (!read_at(a, e->offset, local, LOCAL_SIZE)) return false;
    if (get(local, 4) != local_mark) return damaged(a, e->offset, "no entry begins here");
    int64_t at = e->offset + LOCAL_SIZE + (int64_t)get(local + 26, 2) + (int64_t)get(local + 28, 2);
    if (at > a->size || e->packed > a->size - at)
        return damaged(a, e->offset, "the bytes of an entry are not inside the file");
    if (e->method == STORED) return read_stored(a, e, at, out);
    if (e->method == DEFLATED) return read_deflated(a, e, at, out);
    return adze_fail(a->err, a->path,
                     "the entry %s is compressed by method %d; only deflate is read, as written by "
                     "numpy.savez_compressed",
                     e->name, e->method);
}

// Lists the names of the entries, as far as they have room.
static void list_names(const Archive *a, char *text, size_t size)
{
    size_t len = 0;
    for (int i = 0; i < a->n && len < size; i++)
        len += (size_t)snprintf(text + len, size - len, "%s%s", i ? ", " : "", a->entries[i].name);
    if (len >= size) memcpy(text + size - 3, "..", 3);
}

// Returns the entry called `name`, or the only one if `name` is NULL.
static const Entry *choose(const Archive *a, const char *name)
{
    char names[200] = "";
    const Entry *found = !name && a->n == 1 ? &a->entries[0] : NULL;
    for (int i = 0; name && i < a->n; i++) {
        if (strcmp(a->entries[i].name, name) != 0) continue;
        if (found) {
            adze_fail(a->err, a->path, "holds more than one array %.60s", name);
            return NULL;
        }
        found = &a->entries[i];
    }
    if (found) return found;
    list_names(a, names, sizeof names);
    if (a->n == 0)
        adze_fail(a->err, a->path, "holds no arrays");
    else if (name)
        adze_fail(a->err, a->path, "holds no array %.60s, only: %s", name, names);
    else
        adze_fail(a->err, a->path, "holds %d arrays; name one of them, as in FILE.npz:%.40s: %s",
                  a->n, a->entries[0].name, names);
    return NULL;
}

// Opens an archive and reads its directory. close_archive must follow.
static bool open_archive(Archive *a)
{
    return adze_input_open(a->path, &a->file, &a->size, a->err) && read_directory(a);
}

static void close_archive(Archive *a)
{
    if (a->file) fclose(a->file);
    for (int i = 0; i < a->n; i++) free(a->entries[i].name);
    free(a->entries);
}

bool adze_npz_read(const char *path, const char *name, AdzeTable *out, AdzeError *err)
{
    memset(out, 0, sizeof *out);
    Archive a = {.path = path, .err = err};
    bool good = open_archive(&a);
    const Entry *e = good ? choose(&a, name) : NULL;
    good = e && read_table(&a, e, out);
    close_archive(&a);
    return good;
}

bool adze_npz_names(const char *path, AdzeNames *out, AdzeError *err)
{
    Archive a = {.path = path, .err = err};
    bool good = open_archive(&a);
    *out = (AdzeNames){good ? calloc((size_t)a.n + 1, sizeof *out->at) : NULL, 0};
    if (good && !out->at) good = adze_fail(err, path, "no memory");
    for (; good && out->n < a.n; out->n++) {
        out->at[out->n] = a.entries[out->n].name;
        a.entries[out->n].name = NULL; // moved
    }
    close_archive(&a);
    return good;
}

void adze_names_free(AdzeNames *names)
{
    for (int i = 0; i < names->n; i++) free(names->at[i]);
    free(names->at);
}

// --- writing ----------------------------------------------------------------------------------

// What is written about an entry: all but its bytes.
typedef struct Written {
    const char *name;
    uint32_t sum;
    uint64_t size, offset;
} Written;

static uint32_t in_32_bits(uint64_t x)
{
    return x < all_ones ? (uint32_t)x : all_ones;
}

// Writes what the record before an entry and its entry of the directory have in common: version
// needed, flags, method, time and date (1980-01-01), checksum, sizes, length of the name.
static uint8_t *put_common(uint8_t *at, const Written *w)
{
    at = put(at, 2, w->size < all_ones && w->offset < all_ones ? 20 : 45);
    at = put(at, 2, 0);
    at = put(at, 2, STORED);
    at = put(at, 4, 0x210000);
    at = put(at, 4, w->sum);
    at = put(at, 4, in_32_bits(w->size));
    at = put(at, 4, in_32_bits(w->size));
    return put(at, 2, strlen(w->name) + 4);
}

static bool put_name(AdzeOutput *out, const char *name)
{
    return adze_output_write(out, name, strlen(name)) && adze_output_write(out, ".npy", 4);
}

static bool put_local(AdzeOutput *out, const Written *w)
{
    uint8_t record[LOCAL_SIZE], extra[20];
    bool large = w->size >= all_ones;
    put(put_common(put(record, 4, local_mark), w), 2, large ? sizeof extra : 0);
    put(put(put(put(extra, 2, 1), 2, 16), 8, w->size), 8, w->size);
    return adze_output_write(out, record, sizeof record) && put_name(out, w->name) &&
           (!large || adze_output_write(out, extra, sizeof extra));
}

static bool put_directory_entry(AdzeOutput *out, const Written *w)
{
    uint8_t record[ENTRY_SIZE], extra[28], *at = extra + 4;
    if (w->size >= all_ones) at = put(put(at, 8, w->size), 8, w->size);
    if (w->offset >= all_ones) at = put(at, 8, w->offset);
    size_t extra_size = at > extra + 4 ? (size_t)(at - extra) : 0;
    put(put(extra, 2, 1), 2, extra_size ? extra_size - 4 : 0);
    at = put(put(record, 4, entry_mark), 2, 45);
    at = put(put_common(at, w), 2, extra_size);
    at = put(at, 2, 0); // comment
    at = put(at, 8, 0); // disk and attributes
    put(at, 4, in_32_bits(w->offset));
    return adze_output_write(out, record, sizeof record) && put_name(out, w->name) &&
           adze_output_write(out, extra, extra_size);
}

static bool put_end(AdzeOutput *out, int n, uint64_t offset, uint64_t size)
{
    uint8_t end64[END64_SIZE], locator[LOCATOR_SIZE], end[END_SIZE];
    bool large = offset >= all_ones || size >= all_ones;
    uint8_t *at = put(put(end64, 4, end64_mark), 8, END64_SIZE - 12);
    at = put(put(put(put(at, 2, 45), 2, 45), 4, 0), 4, 0);
    at = put(put(at, 8, (uint64_t)n), 8, (uint64_t)n);
    put(put(at, 8, size), 8, offset);
    at = put(put(put(locator, 4, locator_mark), 4, 0), 8, offset + size);
    put(at, 4, 1);
    at = put(put(put(end, 4, end_mark), 4, 0), 2, (uint64_t)n);
    at = put(put(at, 2, (uint64_t)n), 4, in_32_bits(size));
    put(put(at, 4, in_32_bits(offset)), 2, 0);
    if (large && !(adze_output_write(out, end64, sizeof end64) &&
                   adze_output_write(out, locator, sizeof locator)))
        return false;
    return adze_output_write(out, end, sizeof end);
}

// Writes an entry. Its checksum precedes it, so a first pass only measures.
static bool put_entry(AdzeOutput *out, const AdzeTable *table, Written *w, AdzeError *err)
{
    AdzeOutput measured = {.path = out->path, .err = err, .measures = true};
    if (!adze_npy_put_table(&measured, table, err)) return false;
    w->sum = measured.sum;
    w->size = (uint64_t)measured.written;
    w->offset = (uint64_t)out->written;
    return put_local(out, w) && adze_npy_put_table(out, table, err);
}

bool adze_npz_put(AdzeOutput *out, int n, const AdzeTable *const *tables, const char *const *names,
                  AdzeError *err)
{
    typedef char Unnamed[24];
    Written *all = calloc((size_t)n + 1, sizeof *all);
    Unnamed *unnamed = calloc((size_t)n + 1, sizeof *unnamed);
    bool good = (all && unnamed) || adze_fail(err, out->path, "no memory");
    for (int i = 0; good && i < n; i++) {
        snprintf(unnamed[i], sizeof unnamed[i], "arr_%d", i);
        all[i].name = names ? names[i] : unnamed[i];
        good = put_entry(out, tables[i], &all[i], err);
    }
    uint64_t offset = (uint64_t)out->written;
    for (int i = 0; good && i < n; i++) good = put_directory_entry(out, &all[i]);
    good = good && put_end(out, n, offset, (uint64_t)out->written - offset);
    free(all);
    free(unnamed);
    return good;
}
