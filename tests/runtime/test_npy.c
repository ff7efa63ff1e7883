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
    const char *const descrs[] = {"<c8",     "|O",  "<U5", "|S3", "<f16",
                                  "<M8[ns]", "|V8", "|f4", "f",   ""};
    for (size_t i = 0; i < sizeof descrs / sizeof *descrs; i++) {
        char header[128], part[64];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (1,)}",
                 descrs[i]);
        snprintf(part, sizeof part, "element type '%s' is not supported", descrs[i]);
        refuse_npy(header, 8, part);
    }
    refuse_npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", 4,
               "structured element type");
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
        {"(9223372036854775808,)", "a size in 'shape' exceeds 63 bits"},
        {"(99999999999999999999999999,)", "a size in 'shape' exceeds 63 bits"},
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
    };
    return cmocka_run_group_tests(tests, make_test_dir, remove_test_dir);
}
