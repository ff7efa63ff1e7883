// Output replaces its target when it is complete, and otherwise leaves no trace.
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

typedef bool Writer(const char *path, const AdzeArray *array, AdzeError *err);

static Writer *const writers[] = {adze_npy_write, adze_png_write, adze_pnm_write};
enum { WRITERS = sizeof writers / sizeof *writers };

static int empty_dir(void **state)
{
    (void)state;
    dir_entries(true);
    return 0;
}

static AdzeArray make_image(int64_t side)
{
    uint64_t seed = 9;
    return random_array(ADZE_U8, 2, (int64_t[]){side, side}, &seed);
}

static void assert_holds(const char *path, const char *text)
{
    size_t len;
    uint8_t *bytes = get_file(path, &len);
    assert_int_equal(len, strlen(text));
    assert_memory_equal(bytes, text, len);
    free(bytes);
}

static void replaces_the_target(void **state)
{
    (void)state;
    AdzeArray image = make_image(8), back;
    const char *path = in_dir("a.npy");
    put_file(path, "old", 3);
    assert_int_equal(chmod(path, 0640), 0);
    assert_true(adze_npy_write(path, &image, NULL));
    assert_true(adze_npy_read(path, &back, NULL));
    assert_same_array(&image, &back);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(dir_entries(false), 1);
    adze_array_free(&image);
    adze_array_free(&back);
}

static void new_files_obey_the_umask(void **state)
{
    (void)state;
    AdzeArray image = make_image(8);
    mode_t old = umask(027);
    assert_true(adze_npy_write(in_dir("a.npy"), &image, NULL));
    umask(old);
    struct stat info;
    assert_int_equal(stat(in_dir("a.npy"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    adze_array_free(&image);
}

static void follows_links(void **state)
{
    (void)state;
    AdzeArray image = make_image(8), back;
    put_file(in_dir("real.npy"), "old", 3);
    assert_int_equal(symlink("real.npy", in_dir("link.npy")), 0);
    assert_true(adze_npy_write(in_dir("link.npy"), &image, NULL));
    struct stat info;
    assert_int_equal(lstat(in_dir("link.npy"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_true(adze_npy_read(in_dir("real.npy"), &back, NULL));
    assert_same_array(&image, &back);
    adze_array_free(&image);
    adze_array_free(&back);
}

static void longest_name(void **state)
{
    (void)state;
    AdzeArray image = make_image(8);
    char name[256];
    memset(name, 'n', 255);
    memcpy(name + 251, ".npy", 5);
    AdzeError err;
    if (!adze_array_save(in_dir(name), &image, &err)) fail_msg("%s", err.text);
    char longer[257];
    memset(longer, 'n', 256);
    memcpy(longer + 252, ".npy", 5);
    assert_false(adze_array_save(in_dir(longer), &image, &err));
    assert_says(&err, "cannot write: File name too long");
    assert_says(&err, "...nnnn");
    assert_int_equal(dir_entries(false), 1);
    adze_array_free(&image);
}

// Runs `write` in a process whose files may not exceed 4096 bytes; true when it failed and said so.
static bool fails_at_file_limit(Writer *write, const char *path, const AdzeArray *image)
{
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = (struct rlimit){4096, old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    AdzeError err = {""};
    bool good = write(path, image, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_DFL);
    return !good && strstr(err.text, "cannot write: File too large");
}

static void failed_write_leaves_the_old_file(void **state)
{
    (void)state;
    AdzeArray image = make_image(300);
    const char *path = in_dir("a.image");
    for (int w = 0; w < WRITERS; w++) {
        assert_true(fails_at_file_limit(writers[w], path, &image));
        assert_int_equal(dir_entries(false), 0);
        put_file(path, "old", 3);
        assert_true(fails_at_file_limit(writers[w], path, &image));
        assert_int_equal(dir_entries(false), 1);
        assert_holds(path, "old");
        dir_entries(true);
    }
    adze_array_free(&image);
}

static void full_device(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0) skip();
    // Large enough to fail in a write, and small enough to fail only when the buffer is flushed.
    for (int64_t side = 10; side <= 300; side += 290) {
        AdzeArray image = make_image(side);
        for (int w = 0; w < WRITERS; w++) {
            AdzeError err;
            assert_false(writers[w]("/dev/full", &image, &err));
            assert_says(&err, "/dev/full: cannot write: No space left");
        }
        adze_array_free(&image);
    }
    struct stat info;
    assert_int_equal(stat("/dev/full", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void unwritable_places(void **state)
{
    (void)state;
    AdzeArray image = make_image(8);
    AdzeError err;
    put_file(in_dir("file"), "old", 3);
    assert_int_equal(mkdir(in_dir("dir.npy"), 0755), 0);
    for (int w = 0; w < WRITERS; w++) {
        assert_false(writers[w](in_dir("none/a.npy"), &image, &err));
        assert_says(&err, "none/a.npy: cannot write: No such file or directory");
        assert_false(writers[w](in_dir("file/a.npy"), &image, &err));
        assert_says(&err, "file/a.npy: cannot write: Not a directory");
        assert_false(writers[w](in_dir("dir.npy"), &image, &err));
        assert_says(&err, "dir.npy: cannot write: is a directory");
        assert_false(writers[w]("", &image, &err));
        assert_says(&err, "cannot write: ");
        assert_false(writers[w](in_dir("none/a.npy"), &image, NULL));
    }
    assert_int_equal(dir_entries(false), 2);
    adze_array_free(&image);
}

// Only for users whom permissions bind.
static void permissions(void **state)
{
    (void)state;
    if (geteuid() == 0) skip();
    AdzeArray image = make_image(8);
    AdzeError err;
    const char *path = in_dir("a.npy");
    put_file(path, "old", 3);
    assert_int_equal(chmod(path, 0444), 0);
    assert_false(adze_npy_write(path, &image, &err));
    assert_says(&err, "cannot write: Permission denied");
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(chmod(test_dir, 0555), 0);
    bool good = adze_npy_write(path, &image, &err);
    assert_int_equal(chmod(test_dir, 0755), 0);
    assert_false(good);
    assert_says(&err, "cannot write: Permission denied");
    assert_holds(path, "old");
    assert_int_equal(dir_entries(false), 1);
    adze_array_free(&image);
}

static void what_cannot_be_read(void **state)
{
    (void)state;
    AdzeArray array;
    AdzeError err;
    assert_int_equal(mkdir(in_dir("dir.npy"), 0755), 0);
    assert_int_equal(mkfifo(in_dir("pipe.png"), 0644), 0);
    assert_false(adze_array_load(in_dir("dir.npy"), &array, &err));
    assert_says(&err, "dir.npy: is a directory; name a file");
    assert_false(adze_array_load(in_dir("pipe.png"), &array, &err));
    assert_says(&err, "pipe.png: is not a regular file");
    assert_false(adze_array_load(in_dir("none.ppm"), &array, &err));
    assert_says(&err, "none.ppm: cannot open: No such file");
}

// A file without an extension that is known is its bytes, whatever they are.
static void bytes_come_back(void **state)
{
    (void)state;
    static const int64_t lengths[] = {0, 1, 255, 4096, 1000003};
    static const char *const names[] = {"a.txt", "noext", "b.NPZ", ".npy.bak"};
    uint64_t seed = 5;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        AdzeError err;
        const char *path = in_dir(names[i % 4]);
        AdzeArray bytes = random_array(ADZE_U8, 1, &lengths[i], &seed), back;
        assert_true(adze_array_save(path, &bytes, &err));
        assert_true(adze_array_load(path, &back, &err));
        assert_int_equal(back.type, ADZE_U8);
        assert_int_equal(back.rank, 1);
        assert_int_equal(back.shape[0], lengths[i]);
        assert_memory_equal(back.data, bytes.data, (size_t)lengths[i]);
        adze_array_free(&bytes);
        adze_array_free(&back);
    }
}

static void bytes_are_refused(void **state)
{
    (void)state;
    AdzeArray array;
    AdzeError err;
    assert_false(adze_array_load(in_dir("."), &array, &err));
    assert_says(&err, "is a directory; name a file");
    assert_false(adze_array_load("/dev/null", &array, &err));
    assert_says(&err, "is not a regular file");
    assert_null(array.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(replaces_the_target, empty_dir),
        cmocka_unit_test_teardown(new_files_obey_the_umask, empty_dir),
        cmocka_unit_test_teardown(follows_links, empty_dir),
        cmocka_unit_test_teardown(longest_name, empty_dir),
        cmocka_unit_test_teardown(failed_write_leaves_the_old_file, empty_dir),
        cmocka_unit_test_teardown(full_device, empty_dir),
        cmocka_unit_test_teardown(unwritable_places, empty_dir),
        cmocka_unit_test_teardown(permissions, empty_dir),
        cmocka_unit_test_teardown(what_cannot_be_read, empty_dir),
        cmocka_unit_test_teardown(bytes_come_back, empty_dir),
        cmocka_unit_test_teardown(bytes_are_refused, empty_dir),
    };
    return cmocka_run_group_tests(tests, make_test_dir, remove_test_dir);
}
