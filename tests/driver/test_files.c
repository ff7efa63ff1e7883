// Files: reading with clear errors, writing all or nothing, paths, UTF-8.
#include "driver/support.h"

#include <dirent.h>
#include <sys/stat.h>

static void put_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static const char *get_file(Session *cx, const char *path)
{
    static char text[256];
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return arena_printf(cx->arena, "%s", text);
}

static int count_files(void)
{
    int n = 0;
    DIR *dir = opendir(test_dir);
    assert_non_null(dir);
    while (readdir(dir)) n++;
    closedir(dir);
    return n - 2;
}

static void utf8(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int bad; // -1: good
    } rows[] = {
        {"plain", -1},
        {"gr\303\266\303\237e", -1},
        {"\342\202\254 \360\237\230\200", -1},
        {"a\377", 1},
        {"a\303", 1},
        {"\300\200", 0},
        {"ab\355\240\200", 2},
        {"\364\220\200\200", 0},
        {"\340\200\200", 0},
        {"\200", 0},
        {"", -1},
        {"\360\200\200\200", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t bad = 999;
        bool good = text_is_utf8(rows[i].text, strlen(rows[i].text), &bad);
        assert_int_equal(good, rows[i].bad < 0);
        if (!good) assert_int_equal(bad, rows[i].bad);
    }
}

static void paths(void **state)
{
    (void)state;
    Arena *a = arena_new();
    assert_string_equal(path_stem(a, "x/y.z.adz"), "y.z");
    assert_string_equal(path_stem(a, ".adz"), ".adz");
    assert_string_equal(path_stem(a, "x/-q\"\n\\?.adz"), "_q____");
    assert_string_equal(path_base("x/y"), "y");
    assert_string_equal(path_dir(a, "x//y"), "x");
    assert_string_equal(path_dir(a, "/y"), "/");
    assert_string_equal(path_dir(a, "y"), ".");
    assert_string_equal(path_join(a, ".", "y"), "y");
    assert_string_equal(path_join(a, "x/", "y"), "x/y");
    assert_true(path_has_extension("A.PNG", ".png"));
    assert_false(path_has_extension(".png", ".png"));
    arena_delete(a);
}

static void reading(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *code; // text NULL: no such file
    } rows[] = {
        {"missing.adz", NULL, "E0701"},
        {".", NULL, "E0702"},
        {"a.txt", "fn", "E0705"},
        {"b.adz", "fn \377", "E0704"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Session *cx = new_session();
        const char *path = in_dir(cx, rows[i].name);
        if (rows[i].text) put_file(path, rows[i].text);
        assert_int_equal(source_open(cx, path, NO_SPAN), 0);
        assert_string_equal(only_error(cx), rows[i].code);
        if (rows[i].text) unlink(path);
        session_delete(cx);
    }
    Session *cx = new_session();
    const char *path = in_dir(cx, "good.adz");
    put_file(path, "// ok\n");
    assert_int_equal(source_open(cx, path, NO_SPAN), 1);
    assert_string_equal(cx->sources.at[0]->text, "// ok\n");
    unlink(path);
    session_delete(cx);
}

static void writing_is_all_or_nothing(void **state)
{
    (void)state;
    Session *cx = new_session();
    const char *a = in_dir(cx, "a"), *b = in_dir(cx, "b"), *lost = in_dir(cx, "nix/c");
    put_file(a, "old");
    FileText bad[] = {{a, "new", 3}, {lost, "new", 3}};
    assert_false(files_write(cx, NULL, bad, 2));
    assert_string_equal(only_error(cx), "E0706");
    assert_string_equal(get_file(cx, a), "old");
    assert_int_equal(count_files(), 1);
    FileText good[] = {{a, "new", 3}, {b, "two", 3}};
    assert_true(files_write(cx, NULL, good, 2));
    assert_string_equal(get_file(cx, a), "new");
    assert_string_equal(get_file(cx, b), "two");
    assert_int_equal(count_files(), 2);
    unlink(a);
    unlink(b);
    session_delete(cx);
}

static void a_full_disk_changes_nothing(void **state)
{
    (void)state;
    Session *cx = new_session();
    const char *a = in_dir(cx, "a"), *full = in_dir(cx, "full");
    put_file(a, "old");
    if (symlink("/dev/full", full) != 0 || access("/dev/full", W_OK) != 0) skip();
    FileText files[] = {{a, "new", 3}, {full, "new", 3}};
    assert_false(files_write(cx, NULL, files, 2));
    assert_string_equal(only_error(cx), "E0706");
    assert_string_equal(get_file(cx, a), "old");
    assert_int_equal(count_files(), 2);
    unlink(a);
    unlink(full);
    session_delete(cx);
}

static void folders(void **state)
{
    (void)state;
    Session *cx = new_session();
    assert_true(path_make_dirs(in_dir(cx, "x/y/z")));
    assert_true(path_make_dirs(in_dir(cx, "x/y/z")));
    assert_true(path_is_dir(in_dir(cx, "x/y/z")));
    put_file(in_dir(cx, "x/f"), "");
    assert_false(path_make_dirs(in_dir(cx, "x/f/g")));
    assert_false(file_writable(cx, in_dir(cx, "nix/a")));
    assert_true(file_writable(cx, in_dir(cx, "x/a")));
    assert_int_not_equal(access(in_dir(cx, "x/a"), F_OK), 0);
    remove_path(in_dir(cx, "x/y/z"));
    remove_path(in_dir(cx, "x/y"));
    remove_path(in_dir(cx, "x"));
    assert_int_equal(count_files(), 0);
    session_delete(cx);
}

static void what_is_registered_is_removed(void **state)
{
    (void)state;
    Session *cx = new_session();
    Cleanup *c = cleanup_new();
    const char *kept = in_dir(cx, "kept"), *lost = in_dir(cx, "lost"), *dir = in_dir(cx, "d");
    put_file(kept, "");
    put_file(lost, "");
    assert_true(path_make_dirs(dir));
    put_file(in_dir(cx, "d/f"), "");
    cleanup_add(c, kept);
    cleanup_add(c, lost);
    cleanup_add(c, dir);
    cleanup_drop(c, kept);
    cleanup_delete(c);
    assert_int_equal(count_files(), 1);
    unlink(kept);
    session_delete(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8),
        cmocka_unit_test(paths),
        cmocka_unit_test(reading),
        cmocka_unit_test(writing_is_all_or_nothing),
        cmocka_unit_test(a_full_disk_changes_nothing),
        cmocka_unit_test(folders),
        cmocka_unit_test(what_is_registered_is_removed),
    };
    return cmocka_run_group_tests(tests, make_test_dir, remove_test_dir);
}
