// .npy: round trips, every variant NumPy writes, and files that are not what they claim.
#include "support.h"

#define NORMAL "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }"

// A .npy file of this version, header text and data in `to`; its length.
static size_t make_npy(uint8_t *to, int version, const char *header, const void *data, size_t len)
{
    size_t text = strlen(header), width = version == 1 ? 2 : 4, at = 0;
    memcpy(to, "\x93NUMPY", 6);
    to[6] = (uint8_t)version;
    to[7] = 0;
    for (at = 8; at < 8 + width; at++) to[at] = (uint8_t)(text >> 8 * (at - 8));
    memcpy(to + at, header, text);
    if (len) memcpy(to + at + text, data, len);
    return at + text + len;
}

// Reads such a file, which must be good.
static AdzeArray read_npy(int version, const char *header, const void *data, size_t len)
{
    uint8_t bytes[4096];
    const char *path = in_dir("made.npy");
    put_file(path, bytes, make_npy(bytes, version, header, data, len));
    AdzeArray array;
    AdzeError err;
    if (!adze_npy_read(path, &array, &err)) fail_msg("%s", err.text);
    return array;
}

// Expects the error to contain `part`.
static void refuse_npy(const char *header, size_t data, const char *part)
{
    uint8_t bytes[4096], zeros[1024] = {0};
    size_t len = make_npy(bytes, 1, header, zeros, data);
    refuse(adze_npy_read, bytes, len, part);
}

// A Reader of whatever a .npy file holds; of a table it gives the first column.
static bool read_any(const char *path, AdzeArray *out, AdzeError *err)
{
    AdzeTable t;
    memset(out, 0, sizeof *out);
    if (!adze_table_load(path, &t, err)) {
        assert_null(t.columns);
        assert_null(t.dtype.fields);
        return false;
    }
    assert_int_equal(t.ncolumns, adze_dtype_columns(&t.dtype));
    *out = t.columns[0];
    memset(&t.columns[0], 0, sizeof *t.columns);
    adze_table_free(&t);
    return true;
}

// Expects the same of a file of any elements.
static void refuse_table(const char *header, size_t data, const char *part)
{
    uint8_t bytes[8192], zeros[1024] = {0};
    size_t len = make_npy(bytes, 1, header, zeros, data);
    refuse(read_any, bytes, len, part);
}

// Of elements of this descr.
static void refuse_dtype(const char *descr, size_t data, const char *part)
{
    char header[4096];
    snprintf(header, sizeof header, "{'descr': %s, 'fortran_order': False, 'shape': (1,)}", descr);
    refuse_table(header, data, part);
}

static AdzeTable read_table(const char *header, const void *data, size_t len)
{
    uint8_t bytes[4096];
    const char *path = in_dir("made.npy");
    put_file(path, bytes, make_npy(bytes, 1, header, data, len));
    AdzeTable table;
    AdzeError err;
    if (!adze_table_load(path, &table, &err)) fail_msg("%s", err.text);
    return table;
}

static void round_trips(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int t = 0; t < ADZE_TYPE_COUNT; t++) {
        for (int rank = 0; rank <= ADZE_MAX_RANK; rank += rank < 5 ? 1 : 9) {
            for (int zero = -1; zero < rank && zero < 3; zero++) {
                int64_t shape[ADZE_MAX_RANK];
                for (int d = 0; d < rank; d++)
                    shape[d] = d == zero ? 0 : rank > 5 ? 1 + (d % 11 == 3) : 1 + (d + t) % 4;
                AdzeArray array = random_array((AdzeType)t, rank, shape, &seed), back;
                AdzeError err;
                if (!adze_array_save(in_dir("a.npy"), &array, &err)) fail_msg("%s", err.text);
                if (!adze_array_load(in_dir("a.npy"), &back, &err)) fail_msg("%s", err.text);
                assert_same_array(&array, &back);
                adze_array_free(&array);
                adze_array_free(&back);
            }
        }
    }
}

static void writes_what_numpy_writes(void **state)
{
    (void)state;
    AdzeArray array;
    assert_true(adze_array_alloc(&array, ADZE_U8, 1, (int64_t[]){3}, NULL));
    memcpy(array.data, "abc", 3);
    assert_true(adze_npy_write(in_dir("a.npy"), &array, NULL));
    adze_array_free(&array);
    size_t len;
    uint8_t *bytes = get_file(in_dir("a.npy"), &len);
    assert_int_equal(len, 128 + 3);
    const char *start = "\x93NUMPY\x01\x00v\x00{'descr': '|u1', 'fortran_order': False, "
                        "'shape': (3,), } ";
    assert_memory_equal(bytes, "\x93NUMPY\x01\x00v\x00", 10);
    assert_memory_equal(bytes + 10, start + 10, strlen(start + 10));
    assert_memory_equal(bytes + 127, "\nabc", 4);
    free(bytes);
}

static void versions_and_spellings(void **state)
{
    (void)state;
    const int16_t data[] = {1, 2, 3, 4, 5, 6};
    const char *headers[] = {
        NORMAL,
        NORMAL "                 \n",
        "{\"shape\":(2,3),\"fortran_order\":False,\"descr\":\"=i2\"}",
        " { 'fortran_order' : False , 'shape' : ( 2L , 3L , ) , 'descr' : 'i2' } ",
    };
    for (int version = 1; version <= 3; version++) {
        for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
            AdzeArray a = read_npy(version, headers[i], data, sizeof data);
            assert_int_equal(a.type, ADZE_I16);
            assert_int_equal(a.rank, 2);
            assert_int_equal(a.shape[1], 3);
            assert_memory_equal(a.data, data, sizeof data);
            adze_array_free(&a);
        }
    }
}

static void byte_orders(void **state)
{
    (void)state;
    const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const struct {
        const char *header;
        uint64_t value;
    } cases[] = {
        {"{'descr': '>u2', 'fortran_order': False, 'shape': ()}", 0x0102},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': ()}", 0x0201},
        {"{'descr': '>u4', 'fortran_order': False, 'shape': ()}", 0x01020304},
        {"{'descr': '>u8', 'fortran_order': False, 'shape': ()}", 0x0102030405060708},
        {"{'descr': '<u8', 'fortran_order': False, 'shape': ()}", 0x0807060504030201},
        {"{'descr': '>u1', 'fortran_order': False, 'shape': ()}", 0x01},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = (size_t)(cases[i].header[13] - '0');
        AdzeArray a = read_npy(1, cases[i].header, bytes, size);
        uint64_t value = size == 1   ? *(uint8_t *)a.data
                         : size == 2 ? *(uint16_t *)a.data
                         : size == 4 ? *(uint32_t *)a.data
                                     : *(uint64_t *)a.data;
        assert_int_equal(value, cases[i].value);
        adze_array_free(&a);
    }
}

static void fortran_order(void **state)
{
    (void)state;
    // For each width, a[i][j][k] = 12 i + 4 j + k, stored with i fastest.
    for (size_t size = 1; size <= 8; size *= 2) {
        uint8_t data[24 * 8] = {0};
        for (int k = 0; k < 4; k++)
            for (int j = 0; j < 3; j++)
                for (int i = 0; i < 2; i++)
                    data[(size_t)(i + 2 * j + 6 * k) * size] = (uint8_t)(12 * i + 4 * j + k);
        char header[128];
        snprintf(header, sizeof header,
                 "{'descr': '<u%zu', 'fortran_order': True, 'shape': (2, 3, 4)}", size);
        AdzeArray a = read_npy(1, header, data, 24 * size);
        for (size_t i = 0; i < 24; i++) assert_int_equal(((uint8_t *)a.data)[i * size], i);
        adze_array_free(&a);
    }
    const float line[] = {1, 2, 3};
    AdzeArray a =
        read_npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (3,)}", line, sizeof line);
    assert_memory_equal(a.data, line, sizeof line);
    adze_array_free(&a);
    a = read_npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 0, 2)}", NULL, 0);
    assert_int_equal(adze_array_count(&a), 0);
    adze_array_free(&a);
    const uint8_t square[] = {0, 1, 2, 3, 4, 5};
    a = read_npy(1, "{'descr': '>u1', 'fortran_order': True, 'shape': (3, 2)}", square, 6);
    assert_memory_equal(a.data, ((uint8_t[]){0, 3, 1, 4, 2, 5}), 6);
    adze_array_free(&a);
}

static void bools_become_0_or_1(void **state)
{
    (void)state;
    AdzeArray a =
        read_npy(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (4,)}", "\0\1\2\xff", 4);
    assert_memory_equal(a.data, "\0\1\1\1", 4);
    adze_array_free(&a);
}

static void malformed_headers(void **state)
{
    (void)state;
    const char *const headers[] = {
        "",
        "{",
        "{}",
        "[]",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'shape': (1,)}",
        "{'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,,1)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1.0,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,) 'x': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr' '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': <f4, 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4",
        "{'descr': '<\\x66', 'fortran_order': False, 'shape': (1,)}",
        "{'a key that is very much too long': '<f4'}",
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        refuse_npy(headers[i], 4, "malformed .npy header: expected ");
}

static void unsupported_types(void **state)
{
    (void)state;
    const char *const descrs[] = {"<c32",    "|O",  "<U5", "|S3", "<f16", "|c8",
                                  "<M8[ns]", "|V8", "|f4", "f",   ""};
    for (size_t i = 0; i < sizeof descrs / sizeof *descrs; i++) {
        char header[128], part[64];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (1,)}",
                 descrs[i]);
        snprintf(part, sizeof part, "element type '%s' is not supported", descrs[i]);
        refuse_npy(header, 8, part);
    }
    refuse_npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", 4,
               "holds {x: f32}, which is no array of numbers");
    refuse_npy("{'descr': '<c16', 'fortran_order': False, 'shape': (1,)}", 16,
               "holds complex128, which is no array of numbers");
}

static void sizes_that_do_not_fit(void **state)
{
    (void)state;
    const struct {
        const char *shape, *part;
    } cases[] = {
        {"(3,)", "too short: its elements need 12 bytes, it has 8"},
        {"(1,)", "has 4 bytes after the array"},
        {"()", "has 4 bytes after the array"},
        {"(0,)", "has 8 bytes after the array"},
        {"(1000000000000,)", "too short"},
        {"(9223372036854775807,)", "exceeds 63 bits"},
        {"(9223372036854775808,)", "a size in a shape exceeds 63 bits"},
        {"(99999999999999999999999999,)", "a size in a shape exceeds 63 bits"},
        {"(4294967296, 4294967296, 4294967296)", "exceeds 63 bits"},
        {"(0, 4294967296, 4294967296)", "exceeds 63 bits"},
        {"(2305843009213693952, 4)", "exceeds 63 bits"},
        {"(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)",
         "more than 32 dimensions"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char header[256];
        snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': False, 'shape': %s}",
                 cases[i].shape);
        refuse_npy(header, 8, cases[i].part);
    }
}

static void wrong_starts(void **state)
{
    (void)state;
    uint8_t bytes[256];
    size_t len = make_npy(bytes, 4, NORMAL, "abcdefghijkl", 12);
    refuse(adze_npy_read, bytes, len, ".npy version 4 is unknown; 1, 2 and 3 are read");
    bytes[6] = 0;
    refuse(adze_npy_read, bytes, len, ".npy version 0");
    bytes[1] = 'n';
    refuse(adze_npy_read, bytes, len, "is not a .npy file");
    len = make_npy(bytes, 2, NORMAL, "abcdefghijkl", 12);
    memset(bytes + 8, 255, 4);
    refuse(adze_npy_read, bytes, len, "the file ends inside the .npy header");
}

static void every_prefix(void **state)
{
    (void)state;
    for (int version = 1; version <= 3; version++) {
        uint8_t bytes[256];
        size_t len = make_npy(bytes, version, NORMAL, "abcdefghijkl", 12);
        for (size_t i = 0; i < len; i++) refuse(adze_npy_read, bytes, i, "");
        bytes[len] = 0;
        refuse(adze_npy_read, bytes, len + 1, "has 1 bytes after the array");
    }
}

static void damage(void **state)
{
    (void)state;
    uint8_t bytes[512];
    size_t len = make_npy(bytes, 1, NORMAL, "abcdefghijkl", 12);
    survive_damage(adze_npy_read, bytes, len);
    uint64_t seed = 3;
    for (int round = 0; round < 1000; round++) {
        len = random_bits(&seed) % sizeof bytes;
        for (size_t i = 0; i < len; i++) bytes[i] = (uint8_t)(random_bits(&seed) >> 56);
        if (round % 2 && len > 10) memcpy(bytes, "\x93NUMPY\1\0\x20\0", 10);
        survive(adze_npy_read, bytes, len);
    }
}

// --- complex numbers and records ---------------------------------------------------------------

static void complex_numbers(void **state)
{
    (void)state;
    const float parts[] = {1, -2, 3, -4, 5, -6, 7, -8};
    AdzeTable t =
        read_table("{'descr': '<c8', 'fortran_order': True, 'shape': (2, 2)}", parts, sizeof parts);
    char text[64];
    adze_table_type_text(&t, text, sizeof text);
    assert_string_equal(text, "[2][2]complex64");
    assert_int_equal(t.dtype.kind, ADZE_COMPLEX);
    assert_int_equal(t.ncolumns, 2);
    assert_memory_equal(t.columns[0].data, ((float[]){1, 5, 3, 7}), 16);
    assert_memory_equal(t.columns[1].data, ((float[]){-2, -6, -4, -8}), 16);
    adze_table_free(&t);
    const uint8_t swapped[] = {0x40, 0, 0, 0, 0, 0, 0, 0, 0xc0, 8, 0, 0, 0, 0, 0, 0};
    t = read_table("{'descr': '>c16', 'fortran_order': False, 'shape': ()}", swapped, 16);
    assert_memory_equal(t.columns[0].data, &(double){2}, 8);
    assert_memory_equal(t.columns[1].data, &(double){-3}, 8);
    adze_table_free(&t);
}

// What NumPy writes for an aligned dtype: padding stands in fields without a name.
static void records_of_numpy(void **state)
{
    (void)state;
    const char *header =
        "{'descr': [('t', '|u1'), ('', '|V3'), ('p', [('x', '<f4'), ('', '|V4'), ('y', '>f8')]), "
        "('q', [('b', '|b1'), ('y', '>i2')], (2, 2)), ('', '|V4')], 'fortran_order': False, "
        "'shape': (2,), }";
    uint8_t data[2 * 36];
    for (int i = 0; i < 2; i++) {
        uint8_t *at = data + 36 * i;
        memset(at, 0xee, 36);
        at[0] = (uint8_t)(7 + i);
        memcpy(at + 4, &(float){1.5f + (float)i}, 4);
        memcpy(at + 12, "\x40\0\0\0\0\0\0\0", 8);
        for (int k = 0; k < 4; k++)
            memcpy(at + 20 + 3 * k, ((uint8_t[]){(uint8_t)(k * i * 2), (uint8_t)i, (uint8_t)k}), 3);
    }
    AdzeTable t = read_table(header, data, sizeof data);
    char text[128];
    adze_table_type_text(&t, text, sizeof text);
    assert_string_equal(text, "[2]{t: u8, p: {x: f32, y: f64}, q: [2][2]{b: bool, y: i16}}");
    adze_table_type_text(&t, text, 10);
    assert_string_equal(text, "[2]{t: u8");
    assert_int_equal(t.ncolumns, 5);
    assert_memory_equal(t.columns[0].data, "\7\10", 2);
    assert_memory_equal(t.columns[1].data, ((float[]){1.5, 2.5}), 8);
    assert_memory_equal(t.columns[2].data, ((double[]){2, 2}), 16);
    assert_int_equal(t.columns[3].rank, 3);
    assert_memory_equal(t.columns[3].data, "\0\0\0\0\0\1\1\1", 8);
    assert_memory_equal(t.columns[4].data, ((int16_t[]){0, 1, 2, 3, 256, 257, 258, 259}), 16);
    adze_table_free(&t);
}

static void records_in_fortran_order(void **state)
{
    (void)state;
    // a[i][j] = {10 i + j, [i, j]}
    uint8_t data[2 * 3 * 3], *at = data;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 2; i++, at += 3)
            memcpy(at, ((uint8_t[]){(uint8_t)(10 * i + j), (uint8_t)i, (uint8_t)j}), 3);
    AdzeTable t = read_table("{'descr': [('n', '|u1'), ('at', '|u1', (2,))], 'fortran_order': "
                             "True, 'shape': (2, 3)}",
                             data, sizeof data);
    assert_memory_equal(t.columns[0].data, ((uint8_t[]){0, 1, 2, 10, 11, 12}), 6);
    assert_memory_equal(t.columns[1].data, ((uint8_t[]){0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2}), 12);
    adze_table_free(&t);
}

// A dtype of random fields, padding and arrays; not too large.
static AdzeDtype random_dtype(uint64_t *seed, int depth)
{
    int kind = (int)(random_bits(seed) % 4);
    if (depth > 0 && (depth == 3 || kind == 0)) kind = 1;
    if (kind == 1) return (AdzeDtype){.type = (AdzeType)(random_bits(seed) % ADZE_TYPE_COUNT)};
    if (kind == 2 && depth > 0)
        return (AdzeDtype){.kind = ADZE_COMPLEX,
                           .type = random_bits(seed) % 2 ? ADZE_F32 : ADZE_F64};
    AdzeDtype d = {.kind = ADZE_RECORD, .nfields = 1 + (int)(random_bits(seed) % 4)};
    d.fields = calloc((size_t)d.nfields, sizeof *d.fields);
    assert_non_null(d.fields);
    for (int i = 0; i < d.nfields; i++) {
        AdzeField *f = &d.fields[i];
        f->name = malloc(16);
        assert_non_null(f->name);
        snprintf(f->name, 16, "field%d", i);
        f->rank = (int)(random_bits(seed) % 3);
        for (int k = 0; k < f->rank; k++) f->shape[k] = (int64_t)(random_bits(seed) % 4);
        f->padding = (int64_t)(random_bits(seed) % 4);
        f->dtype = random_dtype(seed, depth + 1);
    }
    d.padding = (int64_t)(random_bits(seed) % 3);
    return d;
}

typedef struct Shape {
    int rank;
    int64_t at[ADZE_MAX_RANK];
} Shape;

// Random columns of a dtype, in arrays of this shape.
static void add_columns(AdzeTable *t, const AdzeDtype *d, Shape shape, uint64_t *seed)
{
    if (d->kind == ADZE_RECORD) {
        for (int i = 0; i < d->nfields; i++) {
            const AdzeField *f = &d->fields[i];
            Shape inner = shape;
            for (int k = 0; k < f->rank; k++) inner.at[inner.rank++] = f->shape[k];
            add_columns(t, &f->dtype, inner, seed);
        }
        return;
    }
    for (int i = 0; i <= (d->kind == ADZE_COMPLEX); i++)
        t->columns[t->ncolumns++] = random_array(d->type, shape.rank, shape.at, seed);
}

static AdzeTable random_table(uint64_t *seed)
{
    AdzeTable t = {.dtype = random_dtype(seed, 0), .rank = (int)(random_bits(seed) % 3)};
    for (int k = 0; k < t.rank; k++) t.shape[k] = (int64_t)(random_bits(seed) % 6);
    Shape shape = {.rank = t.rank};
    memcpy(shape.at, t.shape, sizeof shape.at);
    t.columns = calloc((size_t)adze_dtype_columns(&t.dtype), sizeof *t.columns);
    assert_non_null(t.columns);
    add_columns(&t, &t.dtype, shape, seed);
    return t;
}

static void assert_same_dtype(const AdzeDtype *a, const AdzeDtype *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->nfields, b->nfields);
    assert_int_equal(a->padding, b->padding);
    if (a->kind != ADZE_RECORD) assert_int_equal(a->type, b->type);
    for (int i = 0; i < a->nfields; i++) {
        assert_string_equal(a->fields[i].name, b->fields[i].name);
        assert_int_equal(a->fields[i].padding, b->fields[i].padding);
        assert_int_equal(a->fields[i].rank, b->fields[i].rank);
        assert_same_dtype(&a->fields[i].dtype, &b->fields[i].dtype);
    }
}

static void tables_come_back(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < 300; round++) {
        AdzeTable table = random_table(&seed), back;
        AdzeError err;
        const char *path = in_dir("t.npy");
        if (!adze_tables_save(&path, &(const AdzeTable *){&table}, 1, &err))
            fail_msg("%s", err.text);
        if (!adze_table_load(path, &back, &err)) fail_msg("%s", err.text);
        assert_same_dtype(&table.dtype, &back.dtype);
        assert_int_equal(table.ncolumns, back.ncolumns);
        for (int i = 0; i < table.ncolumns; i++)
            assert_same_array(&table.columns[i], &back.columns[i]);
        adze_table_free(&table);
        adze_table_free(&back);
    }
}

// More than one chunk of records, and a header that version 1 cannot hold.
static void large_tables(void **state)
{
    (void)state;
    enum { FIELDS = 3000 };
    uint64_t seed = 13;
    for (int wide = 0; wide < 2; wide++) {
        AdzeTable table = {.rank = 1, .shape = {wide ? 2 : 700001}}, back;
        table.dtype = (AdzeDtype){.kind = ADZE_RECORD, .nfields = wide ? FIELDS : 2};
        table.dtype.fields = calloc(FIELDS, sizeof *table.dtype.fields);
        table.columns = calloc(FIELDS, sizeof *table.columns);
        assert_true(table.dtype.fields && table.columns);
        for (int i = 0; i < table.dtype.nfields; i++) {
            AdzeField *f = &table.dtype.fields[i];
            f->name = malloc(40);
            assert_non_null(f->name);
            snprintf(f->name, 40, "a_field_with_a_long_name_%d", i);
            f->dtype.type = i % 2 ? ADZE_U8 : ADZE_I16;
        }
        add_columns(&table, &table.dtype, (Shape){1, {table.shape[0]}}, &seed);
        AdzeError err;
        const char *path = in_dir("large.npy");
        assert_true(adze_tables_save(&path, &(const AdzeTable *){&table}, 1, &err));
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        assert_int_equal(fseek(file, 6, SEEK_SET), 0);
        assert_int_equal(fgetc(file), wide ? 2 : 1);
        fclose(file);
        if (!adze_table_load(path, &back, &err)) fail_msg("%s", err.text);
        for (int i = 0; i < table.ncolumns; i++)
            assert_same_array(&table.columns[i], &back.columns[i]);
        adze_table_free(&table);
        adze_table_free(&back);
    }
}

static void pictures_hold_no_records(void **state)
{
    (void)state;
    uint64_t seed = 17;
    AdzeTable table = random_table(&seed);
    while (table.dtype.kind != ADZE_RECORD) {
        adze_table_free(&table);
        table = random_table(&seed);
    }
    for (const char *const *name = (const char *const[]){"t.png", "t.pgm", NULL}; *name; name++) {
        AdzeError err;
        const char *path = in_dir(*name);
        assert_false(adze_tables_save(&path, &(const AdzeTable *){&table}, 1, &err));
        assert_says(&err, "cannot hold {field0: ");
    }
    adze_table_free(&table);
}

static void assert_refuses_records(const char *path, const AdzeDtype *dtype, int rank,
                                   const int64_t *shape, const char *message)
{
    AdzeError err;
    int64_t count;
    assert_false(adze_records_count(path, dtype, rank, shape, &count, &err));
    assert_says(&err, message);
}

// Records without a header: whatever is written is read back, and only whole records are.
static void records_without_header(void **state)
{
    (void)state;
    uint64_t seed = 23;
    AdzeError err;
    for (int i = 0; i < 300; i++) {
        const char *path = in_dir("r.bin");
        AdzeTable table = random_table(&seed);
        int64_t count, size = 1;
        for (int k = 0; k < table.rank; k++) size *= table.shape[k];
        assert_true(adze_tables_save(&path, &(const AdzeTable *){&table}, 1, &err));
        AdzeArray *back = calloc((size_t)table.ncolumns + 1, sizeof *back);
        // random dtypes may have no bytes
        if (adze_records_count(path, &table.dtype, 0, NULL, &count, &err))
            assert_int_equal(count, size);
        else
            assert_says(&err, "r.bin: records without bytes cannot be counted");
        assert_true(adze_records_read(path, &table.dtype, table.rank, table.shape, back, &err));
        for (int k = 0; k < table.ncolumns; k++) {
            assert_same_array(&table.columns[k], &back[k]);
            adze_array_free(&back[k]);
        }
        free(back);
        adze_table_free(&table);
    }
}

static void damaged_files_of_records(void **state)
{
    (void)state;
    AdzeError err;
    AdzeField fields[] = {{.name = "tag", .dtype = {.type = ADZE_U8}},
                          {.name = "x", .dtype = {.type = ADZE_F32}, .padding = 3},
                          {.name = "on", .dtype = {.type = ADZE_BOOL}}};
    AdzeDtype dtype = {.kind = ADZE_RECORD, .nfields = 3, .fields = fields, .padding = 3};
    const char *path = in_dir("d.bin");
    uint8_t bytes[25] = {1, 9, 9, 9, 0, 0, 128, 63, 7, 9, 9, 9, 2};
    AdzeArray columns[3];
    put_file(path, bytes, 25);
    assert_refuses_records(path, &dtype, 0, NULL,
                           "d.bin: has 25 bytes, which is no multiple of the 12 bytes of a record: "
                           "1 byte is left over");
    assert_refuses_records(path, &dtype, 1, (int64_t[]){3}, "the 36 bytes of a record: 25 bytes");
    assert_refuses_records(path, &dtype, 1, (int64_t[]){INT64_MAX / 2}, "more bytes than 63 bits");
    assert_refuses_records(path, &dtype, 1, (int64_t[]){0}, "records without bytes");
    assert_refuses_records(in_dir("none.bin"), &dtype, 0, NULL, "cannot open");
    assert_false(adze_records_read(path, &dtype, 1, (int64_t[]){2}, columns, &err));
    assert_says(&err, "d.bin: has 25 bytes; the records have 24");
    put_file(path, bytes, 24);
    assert_true(adze_records_read(path, &dtype, 1, (int64_t[]){2}, columns, &err));
    assert_int_equal(((uint8_t *)columns[0].data)[1], 2);
    assert_true(((float *)columns[1].data)[0] == 1.0f);
    assert_int_equal(((uint8_t *)columns[2].data)[0], 1); // 7 is no bool
    for (int k = 0; k < 3; k++) adze_array_free(&columns[k]);
    put_file(path, bytes, 0);
    int64_t count = -1;
    assert_true(adze_records_count(path, &dtype, 0, NULL, &count, &err));
    assert_int_equal(count, 0);
}

static void malformed_records(void **state)
{
    (void)state;
    const char *const descrs[] = {
        "[",
        "[(",
        "[('x'}",
        "[('x',]",
        "[('x', '<f4'",
        "[('x', '<f4')",
        "['x']",
        "[('x')]",
        "[('x',)]",
        "[('x' '<f4')]",
        "[('x', '<f4']",
        "[('x', '<f4'))]",
        "('x', '<f4')",
        "[['x', '<f4']]",
        "[('x', '<f4') ('y', '<f4')]",
        "[('x', '<f4'),,]",
        "[,]",
        "[('x', '<f4', 3)]",
        "[('x', '<f4', (3))]",
        "[('x', '<f4', (-1,))]",
        "[('x', '<f4', (3,), 1)]",
        "[('x', '<f4', (3,) 1)]",
        "[('', '<f4')]",
        "[('', '|V')]",
        "[('', '|V-3'), ('x', '<f4')]",
        "[('', '<V3'), ('x', '<f4')]",
        "[('', '|V3x'), ('x', '<f4')]",
        "[('', '|V99999999999999999999'), ('x', '<f4')]",
        "[('', [('x', '<f4')])]",
        "[('x', ('<f4', (3,)))]",
        "[(1, '<f4')]",
        "[('x', 4)]",
        "[('x', None)]",
        "('<f4', (3,))",
        "[('x', '<f4', [3])]",
        "[('x', '<f4', (3.0,))]",
        "[None]",
    };
    for (size_t i = 0; i < sizeof descrs / sizeof *descrs; i++)
        refuse_dtype(descrs[i], 4, "malformed .npy header: expected ");
    const struct {
        const char *descr, *part;
    } cases[] = {
        {"[('\\x78', '<f4')]", "the name of field 1 of a record has characters other than"},
        {"[('a\\'b', '<f4')]", "the name of field 1 of a record has characters other than"},
        {"[('x', '<f4'), ('\xe9', '<f4')]", "the name of field 2 of a record has characters other"},
        {"[('x', '<f4'), ('\xc3\xa9', '<f4')]", "rename the fields in NumPy: a.dtype.names ="},
        {"[]", "has records without fields"},
        {"[('', '|V8')]", "has records without fields"},
        {"[('p', [])]", "has records without fields"},
        {"{'names': ['x'], 'formats': ['<f4'], 'offsets': [-4], 'itemsize': 4}", "a dictionary"},
        {"{'names': ['x', 'y'], 'formats': ['<f4', '<f4'], 'offsets': [0, 2]}", "a dictionary"},
        {"[('p', {'names': ['x'], 'formats': ['<f4']})]", "a dictionary"},
        {"[(('title', 'x'), '<f4')]", "a field has a title"},
        {"[('x', '<f4'), ('x', '<f4')]", "two fields of a record are called 'x'"},
        {"[('x', '|O')]", "element type '|O' of the field 'x' is not supported"},
        {"[('x', '<f4'), ('s', '|S3')]", "element type '|S3' of the field 's' is not supported"},
        {"[('p', [('u', '<U5')])]", "element type '<U5' of the field 'u' is not supported"},
        {"[('p', [('u', '<f4')]), ('v', '|V4')]", "element type '|V4' of the field 'v'"},
        {"[('t', '<M8[ns]')]", "element type '<M8[ns]' of the field 't'"},
        {"[('x', '|f4')]", "element type '|f4' of the field 'x'"},
        {"[('x', '<f8')]", "too short: its elements need 8 bytes, it has 4"},
        {"[('x', '|u1')]", "has 3 bytes after the array"},
        {"[('x', '<f4', (0,))]", "has 4 bytes after the array"},
        {"[('x', '<f4', (4611686018427387904, 2))]", "more bytes than 62 bits count"},
        {"[('x', [('y', '<f4', (2147483648,))], (2147483648, 2))]", "more bytes than 62 bits"},
        {"[('', '|V4611686018427387900'), ('x', '<f4')]", "more bytes than 62 bits count"},
        {"[('', '|V4611686018427387900'), ('', '|V4611686018427387900'), ('', "
         "'|V4611686018427387900'), ('x', '<f4')]",
         "the padding of a record exceeds 63 bits"},
        {"[('x', '<f4', (1000000000000,))]", "too short"},
        {"[('x', '<f4', (9223372036854775808,))]", "a size in a shape exceeds 63 bits"},
        {"[('x', '|u1', "
         "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,4))]",
         "more than 32 dimensions"}, // with that of the array
        {"[('x', [('y', '|u1', (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1))], "
         "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,4))]",
         "more than 32 dimensions"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_dtype(cases[i].descr, 4, cases[i].part);
}

// No elements, but more of them than memory has.
static void records_of_nothing(void **state)
{
    (void)state;
    AdzeTable t = read_table("{'descr': [('x', '<f4', (0,)), ('p', [('y', '<f8', (0, 3))], "
                             "(1000000,))], 'fortran_order': True, 'shape': (1000000000, 5)}",
                             NULL, 0);
    assert_int_equal(t.ncolumns, 2);
    assert_int_equal(t.columns[1].rank, 5);
    assert_int_equal(adze_array_count(&t.columns[1]), 0);
    adze_table_free(&t);
}

static void many_and_deep_fields(void **state)
{
    (void)state;
    static char header[1 << 20];
    size_t len = (size_t)sprintf(header, "{'fortran_order': False, 'shape': (1,), 'descr': ");
    char *at = header + len;
    for (int i = 0; i < 300000; i++) at += sprintf(at, "[(");
    static uint8_t bytes[2 << 20];
    size_t size = make_npy(bytes, 2, header, NULL, 0);
    refuse(read_any, bytes, size, "malformed .npy header: expected a string in quotes");
    at = header + len;
    for (int i = 0; i < 65; i++) at += sprintf(at, "[('x', ");
    size = make_npy(bytes, 2, header, NULL, 0);
    refuse(read_any, bytes, size, "has records more than 64 deep");
    at = header + len;
    *at++ = '[';
    for (int i = 0; i < 40000; i++) at += sprintf(at, "('x%d', '|u1'), ", i);
    sprintf(at, "]}");
    size = make_npy(bytes, 2, header, NULL, 0);
    refuse(read_any, bytes, size, "has more than 4096 fields");
}

static void damaged_records(void **state)
{
    (void)state;
    static const char header[] = "{'descr':[('a','<c8'),('',  '|V1'),('b',[('c','>i2'),('d','|b1'"
                                 ",(2,))],(2,))],'fortran_order':True,'shape':(2,1)}";
    uint8_t bytes[512], data[2 * 17] = {1, 2, 3};
    size_t len = make_npy(bytes, 1, header, data, sizeof data);
    AdzeTable t = read_table(header, data, sizeof data);
    adze_table_free(&t);
    for (size_t i = 0; i < len; i++) refuse(read_any, bytes, i, "");
    survive_damage(read_any, bytes, len);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(writes_what_numpy_writes),
        cmocka_unit_test(versions_and_spellings),
        cmocka_unit_test(byte_orders),
        cmocka_unit_test(fortran_order),
        cmocka_unit_test(bools_become_0_or_1),
        cmocka_unit_test(malformed_headers),
        cmocka_unit_test(unsupported_types),
        cmocka_unit_test(sizes_that_do_not_fit),
        cmocka_unit_test(wrong_starts),
        cmocka_unit_test(every_prefix),
        cmocka_unit_test(damage),
        cmocka_unit_test(complex_numbers),
        cmocka_unit_test(records_of_numpy),
        cmocka_unit_test(records_in_fortran_order),
        cmocka_unit_test(tables_come_back),
        cmocka_unit_test(large_tables),
        cmocka_unit_test(pictures_hold_no_records),
        cmocka_unit_test(records_without_header),
        cmocka_unit_test(damaged_files_of_records),
        cmocka_unit_test(malformed_records),
        cmocka_unit_test(records_of_nothing),
        cmocka_unit_test(many_and_deep_fields),
        cmocka_unit_test(damaged_records),
    };
    return cmocka_run_group_tests(tests, make_test_dir, remove_test_dir);
}
