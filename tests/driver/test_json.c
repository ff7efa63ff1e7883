// The pieces of --json.
#include "driver/support.h"

#include <math.h>

static const char *dump(Session *cx, json_t *j)
{
    char *text = json_dumps(j, JSON_COMPACT | JSON_ENCODE_ANY);
    const char *copy = arena_printf(cx->arena, "%s", text);
    free(text);
    json_decref(j);
    return copy;
}

static void a_diagnostic(void **state)
{
    (void)state;
    Session *cx = new_session();
    uint32_t file = session_add_source(cx, "a.adz", "one\nt\303\266wo\n", 10);
    Diag *d = diag_error(cx, E0701, (Span){file, 4, 8}, "text \"%s\"", "x");
    diag_note(cx, d, NO_SPAN, "why");
    diag_help(cx, d, "what to do");
    assert_string_equal(
        dump(cx, json_diagnostic(cx, d)),
        "{\"code\":\"E0701\",\"severity\":\"error\",\"file\":\"a.adz\",\"line\":2,"
        "\"column\":1,\"end_line\":2,\"end_column\":4,\"message\":\"text \\\"x\\\"\","
        "\"notes\":[{\"kind\":\"note\",\"message\":\"why\"},"
        "{\"kind\":\"help\",\"message\":\"what to do\"}]}");
    Diag *w = diag_warning(cx, E0720, NO_SPAN, "w");
    assert_string_equal(
        dump(cx, json_diagnostic(cx, w)),
        "{\"code\":\"E0720\",\"severity\":\"warning\",\"file\":null,\"line\":null,"
        "\"column\":null,\"end_line\":null,\"end_column\":null,\"message\":\"w\",\"notes\":[]}");
    session_delete(cx);
}

static void values(void **state)
{
    (void)state;
    Session *cx = new_session();
    Arena *a = cx->arena;
    Node *f64 = type_scalar(cx, SCALAR_F64), *boolean = type_scalar(cx, SCALAR_BOOL);
    Node *array = type_array(cx, nat_const(cx, 3), f64);
    Value three = floats(a, 3, (double[]){1.5, -(double)INFINITY, (double)NAN});
    Node *fields[] = {array, boolean};
    Sym *names = ARENA_ARRAY(a, Sym, 2);
    names[0] = session_sym(cx, "xs");
    names[1] = session_sym(cx, "good");
    Node *record = type_struct(cx, session_sym(cx, "R"), 2, fields, names);
    Value v = list(a, 2, (Value[]){three, number(1)});
    assert_string_equal(dump(cx, json_value(&v, record)),
                        "{\"xs\":[1.5,\"-inf\",\"nan\"],\"good\":true}");
    Value minus = number((uint64_t)-3);
    assert_string_equal(dump(cx, json_value(&minus, type_scalar(cx, SCALAR_I8))), "-3");
    session_delete(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diagnostic),
        cmocka_unit_test(values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
