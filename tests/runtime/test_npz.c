// Archives of arrays: what is written is read again, and a damaged archive is refused.
#include "support.h"

#include "array_internal.h"

#include <zlib.h>

static bool read_only(const char *path, AdzeArray *out, AdzeError *err)
{
    AdzeTable t;
    memset(out, 0, sizeof *out);
    return adze_npz_read(path, NULL, &t, err) && adze_table_numbers(path, &t, out, err);
}

// Saves arrays in an archive; with names if there are any.
static void save(const char *path, int n, AdzeArray *arrays, const char *const *names)
{
    AdzeTable tables[4];
    const AdzeTable *list[4];
    AdzeError err;
    for (int i = 0; i < n; i++) {
        tables[i] = adze_table_of(&arrays[i]);
        list[i] = &tables[i];
    }
    const AdzeSave file = {.path = path, .n = n, .tables = list, .names = names};
    if (!adze_files_save(&file, 1, &err)) fail_msg("%s", err.text);
}

static void expect(const char *path, const char *name, const AdzeArray *wanted)
{
    AdzeTable t;
    AdzeError err;
    if (!adze_npz_read(path, name, &t, &err)) fail_msg("%s", err.text);
    assert_same_array(t.columns, wanted);
    adze_table_free(&t);
}

static void round_trip(void **state)
{
    (void)state;
    uint64_t seed = 8;
    const char *path = in_dir("a.npz");
    AdzeArray arrays[] = {
        random_array(ADZE_F32, 2, (int64_t[]){30, 7}, &seed),
        random_array(ADZE_U8, 1, (int64_t[]){0}, &seed),
        random_array(ADZE_BOOL, 3, (int64_t[]){2, 3, 4}, &seed),
        random_array(ADZE_I64, 0, NULL, &seed),
    };
    save(path, 4, arrays, (const char *const[]){"weights", "none", "seen", "count"});
    expect(path, "weights", &arrays[0]);
    expect(path, "none", &arrays[1]);
    expect(path, "seen", &arrays[2]);
    expect(path, "count", &arrays[3]);
    save(path, 2, arrays, NULL);
    expect(path, "arr_0", &arrays[0]);
    expect(path, "arr_1", &arrays[1]);
    AdzeTable t;
    AdzeError err;
    assert_false(adze_npz_read(path, "arr_2", &t, &err));
    assert_says(&err, "a.npz: holds no array arr_2, only: arr_0, arr_1");
    assert_false(adze_npz_read(path, NULL, &t, &err));
    assert_says(&err, "a.npz: holds 2 arrays; name one of them, as in FILE.npz:arr_0");
    save(path, 1, arrays, NULL);
    expect(path, NULL, &arrays[0]);
    AdzeArray only;
    assert_true(adze_array_load(path, &only, &err));
    assert_same_array(&only, &arrays[0]);
    adze_array_free(&only);
    for (int i = 0; i < 4; i++) adze_array_free(&arrays[i]);
}

static uint8_t *put_number(uint8_t *at, int bytes, uint64_t x)
{
    for (int i = 0; i < bytes; i++) at[i] = i < 8 ? (uint8_t)(x >> 8 * i) : 0;
    return at + bytes;
}

// An archive with a deflated entry, as numpy.savez_compressed writes it: with 64-bit sizes before
// the entry and, with `large`, also in the directory. Returns its length.
static size_t compressed(uint8_t *to, const uint8_t *npy, size_t len, bool large)
{
    z_stream z = {0};
    uint8_t *at = to, packed[4096];
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (uint8_t *)(uintptr_t)npy;
    z.avail_in = (uInt)len;
    z.next_out = packed;
    z.avail_out = sizeof packed;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t size = z.total_out;
    deflateEnd(&z);
    uint64_t sum = crc32(0, npy, (uInt)len), ones = 0xffffffff;
    at = put_number(put_number(put_number(at, 4, 0x04034b50), 4, 45), 2, 8);
    at = put_number(put_number(put_number(at, 4, 0), 4, sum), 8, (uint64_t)-1);
    at = put_number(put_number(at, 2, 5), 2, 20);
    memcpy(at, "x.npy", 5);
    at = put_number(put_number(at + 5, 4, 0x100001), 8, len);
    at = put_number(at, 8, size);
    memcpy(at, packed, size);
    uint8_t *directory = at += size;
    at = put_number(put_number(put_number(at, 4, 0x02014b50), 6, 45), 2, 8);
    at = put_number(put_number(put_number(at, 4, 0), 4, sum), 4, large ? ones : size);
    at = put_number(put_number(at, 4, large ? ones : len), 2, 5);
    at = put_number(put_number(at, 2, large ? 28 : 0), 10, 0);
    at = put_number(at, 4, large ? ones : 0);
    memcpy(at, "x.npy", 5);
    at += 5;
    if (large)
        at = put_number(put_number(put_number(put_number(at, 4, 0x180001), 8, len), 8, size), 8, 0);
    uint8_t *end = at;
    uint64_t directory_size = (uint64_t)(end - directory), offset = (uint64_t)(directory - to);
    if (large) {
        at = put_number(put_number(put_number(at, 4, 0x06064b50), 8, 44), 12, 45);
        at = put_number(put_number(at, 8, 1), 8, 1);
        at = put_number(put_number(at, 8, directory_size), 8, offset);
        at =
            put_number(put_number(put_number(at, 8, 0x07064b50), 8, offset + directory_size), 4, 1);
    }
    at = put_number(put_number(put_number(at, 8, 0x06054b50), 2, 1), 2, 1);
    at = put_number(put_number(at, 4, directory_size), 4, large ? ones : offset);
    return (size_t)(put_number(at, 2, 0) - to);
}

static size_t compressed_example(uint8_t *to, AdzeArray *a, bool large)
{
    size_t len;
    assert_true(adze_npy_write(in_dir("x.npy"), a, NULL));
    uint8_t *npy = get_file(in_dir("x.npy"), &len);
    size_t size = compressed(to, npy, len, large);
    free(npy);
    return size;
}

static void deflated(void **state)
{
    (void)state;
    uint64_t seed = 2;
    uint8_t bytes[8192];
    AdzeArray a = random_array(ADZE_I16, 2, (int64_t[]){9, 11}, &seed);
    for (int large = 0; large < 2; large++) {
        put_file(in_dir("c.npz"), bytes, compressed_example(bytes, &a, large));
        expect(in_dir("c.npz"), "x", &a);
    }
    adze_array_free(&a);
}

static void damaged(void **state)
{
    (void)state;
    uint64_t seed = 6;
    uint8_t bytes[8192];
    AdzeArray a = random_array(ADZE_U8, 1, (int64_t[]){20}, &seed);
    for (int kind = 0; kind < 3; kind++) {
        size_t len = compressed_example(bytes, &a, kind == 1);
        if (kind == 2) {
            save(in_dir("s.npz"), 1, &a, NULL);
            uint8_t *stored = get_file(in_dir("s.npz"), &len);
            memcpy(bytes, stored, len);
            free(stored);
        }
        for (size_t i = 0; i < len; i++) refuse(read_only, bytes, i, "");
        survive_damage(read_only, bytes, len);
    }
    adze_array_free(&a);
}

// Each change of one number, and what is said about it. Positions are from the start of the file.
static void refuses(void **state)
{
    (void)state;
    uint8_t bytes[8192];
    uint64_t seed = 6;
    AdzeArray a = random_array(ADZE_U8, 1, (int64_t[]){20}, &seed);
    save(in_dir("s.npz"), 1, &a, NULL);
    adze_array_free(&a);
    size_t len;
    uint8_t *stored = get_file(in_dir("s.npz"), &len);
    const size_t directory = len - 22 - 46 - 9;
    const struct {
        size_t at;
        uint8_t value;
        const char *part;
    } cases[] = {
        {0, 'x', "damaged at byte 0: no entry begins here"},
        {directory - 1, 0xee, "its checksum is not that of its bytes"},
        {directory, 'x', "an entry of the directory is wrong"},
        {directory + 8, 1, "the entry arr_0 is encrypted"},
        {directory + 10, 12, "is compressed by method 12; only deflate is read"},
        {directory + 10, 8, "the entry arr_0 is damaged: it does not decompress to"},
        {directory + 20, 16, "a stored entry has two sizes"},
        {directory + 44, 0xff, "an entry of the directory is wrong"},
        {len - 22, 'x', "is not a .npz file"},
        {len - 4, 1, "the directory of its entries is not inside the file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy(bytes, stored, len);
        bytes[cases[i].at] = cases[i].value;
        refuse(read_only, bytes, len, cases[i].part);
    }
    free(stored);
    refuse(read_only, "PK", 2, "is not a .npz file: it does not end as a ZIP archive");
    static const char empty[22] = "PK\5\6";
    refuse(read_only, empty, sizeof empty, "holds no arrays");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(deflated),
        cmocka_unit_test(damaged),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, make_test_dir, remove_test_dir);
}
