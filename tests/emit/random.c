// Random programs have as C the values that the interpreter gives them, and no undefined behaviour.
#include <sys/wait.h>
#include <unistd.h>

#include "emit/text/emit.h"
#include "loops/random_program.h"
#include "this_cc.h"

enum { COUNT = 60, STEPS = 3000, CALLS = 6 };

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0) fail_msg("cannot write %s", path);
}

static bool run(const char *const *argv)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[0], (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// The statements of one call and of the comparison with what the interpreter gives; whether it ends.
static bool compare_call(Session *cx, Text *out, const LoopEntry *e, unsigned seed)
{
    unsigned state = seed;
    int64_t n = rand_r(&state) % 7, k = rand_r(&state) % 9 - 2;
    Value items[8], v = {0};
    for (int i = 0; i < 8; i++) items[i] = (Value){.bits = (uint64_t)(rand_r(&state) % 5)};
    Value args[] = {{.count = n, .parts = items}, {.bits = (uint64_t)k}};
    Outcome o = loops_eval(cx, cx->arena, e, &n, args, ALGEBRA_IEEE, STEPS, &v);
    if (!o.ok && o.code == E0605) return false;
    if (!o.ok && o.code == E0901) fail_msg("%s: %s", e->name->text, o.text);
    const char *name = e->name->text;
    text_printf(out, "    status = adze_%s(%d, (int32_t[]){", name, (int)n);
    for (int i = 0; i < 8; i++) text_printf(out, "%d, ", (int)items[i].bits);
    text_printf(out, "0}, %d, &o0, &o1, &o2, &o3, &o4);\n", (int)k);
    if (!o.ok) {
        text_printf(out, "    if (!strstr(adze_%s_message(status), \"%s\")) return bad(\"%s\");\n",
                    name, diag_name(o.code), name);
        return true;
    }
    text_put(out, "    if (status");
    for (int i = 0; i < 5; i++) {
        text_printf(out, " || o%d != ", i);
        if ((int64_t)v.parts[i].bits == INT64_MIN)
            text_put(out, "INT64_MIN");
        else
            text_printf(out, "INT64_C(%lld)", (long long)(int64_t)v.parts[i].bits);
    }
    text_printf(out, ") return bad(\"%s\");\n", name);
    return true;
}

static void compile_and_run(Arena *arena, const char *dir)
{
    const char *program = arena_printf(arena, "%s/random", dir);
    const char *const compile[] = {THIS_CC,
                                   "-std=c17",
                                   "-O1",
                                   "-Wall",
                                   "-Wextra",
                                   "-Werror",
                                   "-Wno-tautological-compare", // they are random
                                   "-Wno-tautological-overlap-compare",
                                   "-fsanitize=address,undefined",
                                   "-fno-sanitize-recover=all",
                                   "-o",
                                   program,
                                   arena_printf(arena, "%s/random.c", dir),
                                   arena_printf(arena, "%s/main.c", dir),
                                   "-lm",
                                   NULL};
    if (!run(compile)) fail_msg("%s does not compile %s/random.c", THIS_CC, dir);
    if (!run((const char *const[]){program, NULL})) fail_msg("%s fails", program);
}

static void the_c_has_the_same_values(void **state)
{
    (void)state;
    char dir[] = "/tmp/adze-random-XXXXXX";
    assert_non_null(mkdtemp(dir));
    Session *cx = session_new();
    nat_init(cx);
    unsigned first = getenv("SEED") ? (unsigned)atoi(getenv("SEED")) : 0;
    LoopEntry *entries[COUNT];
    Text source = text_new(cx->arena), header = text_new(cx->arena), test = text_new(cx->arena);
    text_put(&test, "#include \"random.h\"\n#include <stdio.h>\n#include <string.h>\n"
                    "static int bad(const char *name)\n{\n    printf(\"%s differs\\n\", name);\n"
                    "    return 1;\n}\n"
                    "int main(void)\n{\n    int status;\n    int64_t o0, o1, o2;\n"
                    "    int32_t o3, o4;\n");
    int ended = 0;
    for (int i = 0; i < COUNT; i++) {
        const char *name = arena_printf(cx->arena, "run%d", i);
        const char *text = random_program(cx->arena, name, first + (unsigned)i);
        LoopEntry *e = loops_read(cx, session_add_source(cx, "random", text, strlen(text)));
        assert_non_null(e);
        for (unsigned k = 0; k < CALLS; k++) ended += compare_call(cx, &test, e, 1000 * k + 7);
        for (int s = 1; s < LOOP_STAGES; s++) e = loop_passes[s].run(cx, e);
        entries[i] = e;
    }
    text_put(&test, "    return 0;\n}\n");
    EmitOptions options = {.prefix = "adze_"};
    emit_c(cx, &source, &header, "random.h", entries, COUNT, &options);
    write_file(arena_printf(cx->arena, "%s/random.c", dir), text_get(&source));
    write_file(arena_printf(cx->arena, "%s/random.h", dir), text_get(&header));
    write_file(arena_printf(cx->arena, "%s/main.c", dir), text_get(&test));
    compile_and_run(cx->arena, dir);
    if (ended < 2 * COUNT) fail_msg("only %d calls end", ended);
    run((const char *const[]){"rm", "-rf", dir, NULL});
    session_delete(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_c_has_the_same_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
