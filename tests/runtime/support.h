// What the tests of runtime/ share: a directory of their own, whole files, and random bytes.
#ifndef ADZE_TESTS_RUNTIME_SUPPORT_H
#define ADZE_TESTS_RUNTIME_SUPPORT_H

// cmocka.h needs these before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adze_array.h"

static char test_dir[128];

// Group set-up and tear-down: an empty directory.
static inline int make_test_dir(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(test_dir, sizeof test_dir, "%.80s/adze-test-XXXXXX", base ? base : "/tmp");
    return mkdtemp(test_dir) ? 0 : -1;
}

// The path of a file in the directory; each of the last eight answers stays valid.
static inline const char *in_dir(const char *name)
{
    static char paths[8][512];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", test_dir, name);
    return path;
}

// The number of entries of the directory; with `remove`, they are removed.
static inline int dir_entries(bool remove)
{
    DIR *dir = opendir(test_dir);
    assert_non_null(dir);
    int count = 0;
    for (struct dirent *e; (e = readdir(dir));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        count++;
        const char *path = in_dir(e->d_name);
        if (remove && unlink(path) != 0) rmdir(path);
    }
    closedir(dir);
    return count;
}

static inline int remove_test_dir(void **state)
{
    (void)state;
    dir_entries(true);
    return rmdir(test_dir);
}

static inline void put_file(const char *path, const void *bytes, size_t len)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

// The whole file; the caller frees it.
static inline uint8_t *get_file(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = 1 << 20;
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    *len = fread(bytes, 1, size, file);
    assert_true(*len < size);
    fclose(file);
    return bytes;
}

// xorshift64*: the same numbers in every run.
static inline uint64_t random_bits(uint64_t *seed)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return *seed * 2685821657736338717u;
}

// A new array of random bytes that are valid elements.
static inline AdzeArray random_array(AdzeType type, int rank, const int64_t *shape, uint64_t *seed)
{
    AdzeArray array;
    AdzeError err;
    if (!adze_array_alloc(&array, type, rank, shape, &err)) fail_msg("%s", err.text);
    uint8_t *bytes = array.data;
    for (size_t i = 0; i < adze_array_bytes(&array); i++)
        bytes[i] = (uint8_t)(random_bits(seed) >> 56) & (type == ADZE_BOOL ? 1 : 255);
    return array;
}

static inline void assert_same_array(const AdzeArray *a, const AdzeArray *b)
{
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->rank, b->rank);
    for (int d = 0; d < a->rank; d++) assert_int_equal(a->shape[d], b->shape[d]);
    assert_memory_equal(a->data, b->data, adze_array_bytes(a));
}

// `err` must contain `part`.
static inline void assert_says(const AdzeError *err, const char *part)
{
    if (!strstr(err->text, part)) fail_msg("\"%s\" does not say \"%s\"", err->text, part);
}

typedef bool Reader(const char *path, AdzeArray *out, AdzeError *err);

// The file is called .npy for readers that go by the name.
//
// Writes the bytes to a file and expects `read` to refuse it, leaving no array, with `part` said.
static inline void refuse(Reader *read, const void *bytes, size_t len, const char *part)
{
    const char *path = in_dir("refused.npy");
    put_file(path, bytes, len);
    AdzeArray array;
    AdzeError err = {""};
    if (read(path, &array, &err)) fail_msg("%zu bytes were read that should say %s", len, part);
    assert_null(array.data);
    assert_says(&err, part);
    assert_says(&err, "refused.npy: ");
    assert_false(read(path, &array, NULL));
}

// Writes the bytes to a file and lets `read` do what it likes with it short of crashing.
static inline void survive(Reader *read, const void *bytes, size_t len)
{
    const char *path = in_dir("survived.npy");
    put_file(path, bytes, len);
    AdzeArray array;
    AdzeError err = {""};
    if (read(path, &array, &err))
        assert_non_null(array.data);
    else
        assert_true(strlen(err.text) > 0);
    adze_array_free(&array);
}

// Every way to damage one byte of a valid file a little, and many random ones.
static inline void survive_damage(Reader *read, const uint8_t *valid, size_t len)
{
    uint8_t *bytes = malloc(len);
    assert_non_null(bytes);
    uint64_t seed = 7;
    for (size_t i = 0; i < len; i++) {
        memcpy(bytes, valid, len);
        bytes[i] ^= (uint8_t)(1u << (random_bits(&seed) >> 61));
        survive(read, bytes, len);
    }
    for (int round = 0; round < 500; round++) {
        memcpy(bytes, valid, len);
        for (int n = 0; n < 4; n++)
            bytes[random_bits(&seed) % len] = (uint8_t)(random_bits(&seed) >> 56);
        survive(read, bytes, len);
    }
    free(bytes);
}

#endif
