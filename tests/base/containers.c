// Arenas, vectors, maps, names, texts.
#include "base/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

static void arena_objects_are_zeroed_and_apart(void **state)
{
    (void)state;
    Arena *a = arena_new();
    char *last = NULL;
    for (size_t size = 1; size < 5000000; size = size * 3 + 1) {
        char *p = arena_alloc(a, size);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < size; i += 1 + size / 100) assert_int_equal(p[i], 0);
        memset(p, 7, size);
        if (last) assert_int_equal(*last, 7);
        last = p;
    }
    assert_string_equal(arena_printf(a, "%d-%s", 42, "x"), "42-x");
    assert_string_equal(arena_strndup(a, "abcdef", 3), "abc");
    size_t bytes = arena_bytes(a);
    arena_alloc(a, 100);
    assert_int_equal(arena_bytes(a), bytes + 100);
    arena_delete(a);
    arena_delete(NULL);
}

typedef struct {
    jmp_buf back;
    size_t limit;
} Full;

static void note_full(void *env, size_t bytes)
{
    Full *f = env;
    f->limit = bytes;
    longjmp(f->back, 1);
}

static void arenas_beside_share_a_limit(void **state)
{
    (void)state;
    enum { LIMIT = 1 << 20, PIECE = 1000 };
    Arena *a = arena_new();
    Full full;
    arena_limit(a, LIMIT, note_full, &full);
    for (int i = 0; i < LIMIT / PIECE * 4; i++) { // what is freed does not count
        Arena *b = arena_new_beside(a);
        arena_alloc(b, PIECE);
        arena_delete(b);
    }
    volatile int made = 0;
    if (setjmp(full.back) == 0)
        for (;; made++) arena_alloc(arena_new_beside(made % 2 ? a : arena_new_beside(a)), PIECE);
    assert_int_equal(full.limit, LIMIT);
    assert_in_range(made, 1, LIMIT / PIECE);
    arena_alloc(a, 2 * LIMIT); // no limit any more
    arena_limit(a, 0, note_full, &full);
    full.limit = 0;
    if (setjmp(full.back) == 0) arena_alloc(a, SIZE_MAX / 2);
    assert_true(full.limit > 2 * LIMIT);
    arena_delete(a); // with all those beside it
}

static void arenas_return_to_marks(void **state)
{
    (void)state;
    enum { OBJECTS = 3000, SIZE = 100 };
    Arena *a = arena_new();
    char *kept[OBJECTS];
    for (int i = 0; i < OBJECTS; i++) memset(kept[i] = arena_alloc(a, SIZE), i % 100, SIZE);
    size_t bytes = arena_bytes(a);
    ArenaMark *mark = arena_mark(a);
    for (int again = 0; again < 3; again++) {
        for (int i = 0; i < OBJECTS; i++) memset(kept[i], 101, SIZE);
        for (int i = 0; i < again * OBJECTS; i++) {
            char *p = arena_alloc(a, SIZE);
            for (int k = 0; k < SIZE; k++) assert_int_equal(p[k], 0);
            memset(p, 102, SIZE);
        }
        (void)arena_alloc(arena_new_beside(a), SIZE);
        arena_return(a, mark);
        assert_int_equal(arena_bytes(a), bytes);
        for (int i = 0; i < OBJECTS; i++)
            for (int k = 0; k < SIZE; k++) assert_int_equal(kept[i][k], i % 100);
    }
    arena_delete(a);
    arena_mark_delete(mark);
    arena_mark_delete(NULL);
}

static void arenas_forget_the_limit_reached_after_a_mark(void **state)
{
    (void)state;
    enum { LIMIT = 1 << 20 };
    Arena *a = arena_new();
    Full full;
    arena_limit(a, LIMIT, note_full, &full);
    ArenaMark *mark = arena_mark(a);
    for (volatile int i = 0; i < 3; i++) {
        full.limit = 0;
        if (setjmp(full.back) == 0)
            for (;;) arena_alloc(a, LIMIT / 8);
        assert_int_equal(full.limit, LIMIT);
        arena_return(a, mark);
    }
    arena_mark_delete(mark);
    arena_delete(a);
}

static void vectors_grow(void **state)
{
    (void)state;
    Arena *a = arena_new();
    VEC(int) v = {0};
    for (int i = 0; i < 1000; i++) vec_push(a, &v, i * i);
    assert_int_equal(v.len, 1000);
    for (int i = 0; i < 1000; i++) assert_int_equal(v.at[i], i * i);
    assert_int_equal(vec_last(&v), 999 * 999);
    arena_delete(a);
}

typedef VEC(int) Ints;

// Appends numbers and returns how many there were.
static int count_down(Arena *a, Ints *v, int n)
{
    int len = v->len;
    if (n > 0) vec_push(a, v, count_down(a, v, n - 1));
    return len;
}

static void items_may_append_to_their_vector(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Ints v = {0};
    count_down(a, &v, 100);
    assert_int_equal(v.len, 100);
    for (int i = 0; i < 100; i++) assert_int_equal(v.at[i], 0);
    arena_delete(a);
}

static void maps_keep_the_order_of_insertion(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Map m = map_new(a);
    assert_null(map_get(&m, 5));
    for (uint64_t k = 0; k < 2000; k++) map_put(&m, k * 977, (void *)(uintptr_t)(k + 1));
    for (uint64_t k = 0; k < 2000; k++) assert_int_equal((uintptr_t)map_get(&m, k * 977), k + 1);
    assert_null(map_get(&m, 1));
    map_put(&m, 977, NULL);
    assert_null(map_get(&m, 977));
    assert_int_equal(m.len, 2000);
    for (int i = 0; i < m.len; i++) assert_int_equal(m.entries[i].key, (uint64_t)i * 977);
    arena_delete(a);
}

static void equal_names_are_one(void **state)
{
    (void)state;
    Session *cx = session_new();
    Sym x = session_sym(cx, "x");
    assert_ptr_equal(x, sym_intern(cx->syms, "xyz", 1));
    assert_ptr_not_equal(x, session_sym(cx, "xy"));
    session_sym(cx, "i1");
    Sym first = sym_fresh(cx->syms, "i"), second = sym_fresh(cx->syms, "i");
    assert_string_equal(first->text, "i2"); // i1 is taken
    assert_string_equal(second->text, "i3");
    session_delete(cx);
}

static void texts_grow(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Text t = text_new(a);
    assert_string_equal(text_get(&t), "");
    for (int i = 0; i < 300; i++) text_printf(&t, "%d,", i % 10);
    assert_int_equal(t.len, 600);
    text_char(&t, '!');
    assert_int_equal(text_get(&t)[600], '!');
    char *big = arena_alloc(a, 2001);
    memset(big, 'b', 2000);
    text_printf(&t, "%s", big);
    assert_int_equal(t.len, 2601);
    arena_delete(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_objects_are_zeroed_and_apart),
        cmocka_unit_test(arenas_beside_share_a_limit),
        cmocka_unit_test(arenas_return_to_marks),
        cmocka_unit_test(arenas_forget_the_limit_reached_after_a_mark),
        cmocka_unit_test(vectors_grow),
        cmocka_unit_test(items_may_append_to_their_vector),
        cmocka_unit_test(maps_keep_the_order_of_insertion),
        cmocka_unit_test(equal_names_are_one),
        cmocka_unit_test(texts_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
