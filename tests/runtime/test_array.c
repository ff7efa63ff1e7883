// Array values: the table of types, allocation and its limits, and their texts.
#include "support.h"

static void types_have_names_and_sizes(void **state)
{
    (void)state;
    AdzeType type;
    for (int t = 0; t < ADZE_TYPE_COUNT; t++) {
        assert_true(adze_type_find(adze_type_name((AdzeType)t), &type));
        assert_int_equal(type, t);
    }
    assert_int_equal(adze_type_size(ADZE_BOOL), sizeof(bool));
    assert_int_equal(adze_type_size(ADZE_F16), 2);
    assert_int_equal(adze_type_size(ADZE_F32), sizeof(float));
    assert_int_equal(adze_type_size(ADZE_U64), sizeof(uint64_t));
    assert_false(adze_type_find("f33", &type));
    assert_false(adze_type_find("", &type));
}

static void allocation_is_aligned_and_zeroed(void **state)
{
    (void)state;
    const int64_t shape[] = {3, 0, 5};
    for (int t = 0; t < ADZE_TYPE_COUNT; t++) {
        for (int rank = 0; rank <= 3; rank++) {
            AdzeArray a;
            assert_true(adze_array_alloc(&a, (AdzeType)t, rank, shape, NULL));
            assert_non_null(a.data);
            assert_int_equal((uintptr_t)a.data % 64, 0);
            assert_int_equal(adze_array_count(&a), rank == 0 ? 1 : rank == 1 ? 3 : 0);
            const uint8_t *bytes = a.data;
            for (size_t i = 0; i < adze_array_bytes(&a); i++) assert_int_equal(bytes[i], 0);
            adze_array_free(&a);
            assert_null(a.data);
            adze_array_free(&a);
        }
    }
    adze_array_free(NULL);
}

static void allocation_refuses(void **state)
{
    (void)state;
    AdzeArray a;
    AdzeError err;
    int64_t shape[ADZE_MAX_RANK + 1];
    for (int d = 0; d <= ADZE_MAX_RANK; d++) shape[d] = 1;
    assert_true(adze_array_alloc(&a, ADZE_F64, ADZE_MAX_RANK, shape, &err));
    adze_array_free(&a);
    assert_false(adze_array_alloc(&a, ADZE_F64, ADZE_MAX_RANK + 1, shape, &err));
    assert_says(&err, "rank 33 is outside 0..32");
    assert_false(adze_array_alloc(&a, ADZE_F64, -1, shape, &err));
    assert_says(&err, "rank -1");
    assert_false(adze_array_alloc(&a, ADZE_TYPE_COUNT, 0, shape, &err));
    assert_says(&err, "unknown element type");

    assert_false(adze_array_alloc(&a, ADZE_F32, 2, (int64_t[]){4, -2}, &err));
    assert_says(&err, "size -2 of dimension 1 is negative");
    const int64_t large[][2] = {
        {INT64_MAX, INT64_MAX}, {INT64_C(1) << 32, INT64_C(1) << 31}, {INT64_MAX / 4, 1}};
    for (int i = 0; i < 3; i++) {
        assert_false(adze_array_alloc(&a, ADZE_F32, 2, large[i], &err));
        assert_null(a.data);
        assert_says(&err, "too large to address");
    }
    // Index arithmetic over the other sizes would overflow, although there are no elements.
    const int64_t empty[] = {0, INT64_C(1) << 40, INT64_C(1) << 40};
    assert_false(adze_array_alloc(&a, ADZE_U8, 3, empty, &err));
    assert_says(&err, "[0][1099511627776][1099511627776]u8 is too large");
}

static void type_texts(void **state)
{
    (void)state;
    AdzeArray a = {.type = ADZE_F32, .rank = 2, .shape = {3, 4}};
    char text[1024];
    adze_array_type_text(&a, text, sizeof text);
    assert_string_equal(text, "[3][4]f32");
    adze_array_type_text(&a, text, 5);
    assert_string_equal(text, "[3][");
    adze_array_type_text(&a, text, 1);
    assert_string_equal(text, "");
    a.rank = 0;
    adze_array_type_text(&a, text, sizeof text);
    assert_string_equal(text, "f32");
    a.rank = ADZE_MAX_RANK;
    for (int d = 0; d < a.rank; d++) a.shape[d] = INT64_MAX;
    adze_array_type_text(&a, text, sizeof text);
    assert_string_equal(text + strlen(text) - 4, "]f32");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_have_names_and_sizes),
        cmocka_unit_test(allocation_is_aligned_and_zeroed),
        cmocka_unit_test(allocation_refuses),
        cmocka_unit_test(type_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
