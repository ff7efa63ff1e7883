// The C of the programs in tests/loops/control: as the golden files have it (BLESS=1 writes
// them), without warnings, and with the values of the interpreter, under sanitizers.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emit/text/emit.h"
#include "loops/programs.h"
#include "this_cc.h"

#define GOLDEN "tests/emit/control"

static const char *emitted(Session *cx, const Control *c, const char *header_name, Text *header)
{
    Text source = text_new(cx->arena);
    EmitOptions options = {.prefix = "adze_"};
    LoopEntry *e = c->stages[LOOP_STAGES - 1];
    emit_c(cx, &source, header, header_name, &e, 1, &options);
    return text_get(&source);
}

typedef void EachProgram(Session *cx, const Control *c, void *env);

static void each_program(EachProgram *visit, void *env)
{
    Arena *arena = arena_new();
    const char **names;
    int n = files_with(arena, CONTROL, ".dpia", &names);
    for (int i = 0; i < n; i++) {
        Session *cx = session_new();
        nat_init(cx);
        Control c = read_control(cx, names[i]);
        visit(cx, &c, env);
        session_delete(cx);
    }
    arena_delete(arena);
}

static void is_golden(Session *cx, const Control *c, void *env)
{
    (void)env;
    Text header = text_new(cx->arena);
    const char *file = arena_printf(cx->arena, "%s.h", c->name);
    assert_golden(cx, arena_printf(cx->arena, GOLDEN "/%s.golden", c->name),
                  emitted(cx, c, file, &header));
}

static void the_c_is_golden(void **state)
{
    (void)state;
    each_program(is_golden, NULL);
}

static void no_line_is_long(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const char **names;
    int n = files_with(arena, GOLDEN, ".golden", &names);
    for (int i = 0; i < n; i++) {
        size_t len;
        const char *path = arena_printf(arena, GOLDEN "/%s.golden", names[i]);
        const char *text = read_file(arena, path, &len);
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
            if (strcspn(line, "\n") > 100 && !strchr(line, '"'))
                fail_msg("%s: %.*s", names[i], (int)strcspn(line, "\n"), line);
    }
    arena_delete(arena);
}

// --- compiling and running ----------------------------------------------------------------------

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

// Numbers as C has them, to the last bit.
static void put_scalar(Text *out, Scalar s, uint64_t bits)
{
    if (scalar_info[s].class == CLASS_FLOAT)
        text_printf(out, "%a%s, ", float_value(bits), s == SCALAR_F64 ? "" : "f");
    else if (scalar_info[s].class == CLASS_UINT)
        text_printf(out, "UINT64_C(%llu), ", (unsigned long long)bits);
    else
        text_printf(out, "INT64_C(%lld), ", (long long)bits);
}

static void put_values(Text *out, const Value *v, Node *type, int leaf);

static int leaves_in(Node *type)
{
    if (type_is_atom(type)) return 1;
    if (type_has_elements(type)) return leaves_in(type->op[1]);
    int n = 0;
    for (uint32_t i = 0; i < type->nops; i++) n += leaves_in(type->op[i]);
    return n;
}

// The scalars of one leaf of a value, in order.
static void put_values(Text *out, const Value *v, Node *type, int leaf)
{
    Scalar s = SCALAR_I64;
    if (type_is_atom(type)) {
        type_is_scalar(type, &s);
        put_scalar(out, s, v->bits);
    } else if (type_has_elements(type)) {
        for (int64_t i = 0; i < v->count; i++) put_values(out, &v->parts[i], type->op[1], leaf);
    } else {
        uint32_t k = 0;
        for (; leaf >= leaves_in(type->op[k]); k++) leaf -= leaves_in(type->op[k]);
        put_values(out, &v->parts[k], type->op[k], leaf);
    }
}

// One leaf as an array `NAME` of the test function, with something in it when it has no elements.
static void put_array(Text *out, const char *name, Scalar s, const Value *v, Node *type, int leaf)
{
    text_printf(out, "    static %s %s[] = {", scalar_info[s].ctype, name);
    if (v) put_values(out, v, type, leaf);
    text_put(out, "0};\n");
}

// A function that makes one call and compares what it gives.
static void put_call(Session *cx, Text *out, const Control *c, int number, const Call *call,
                     Outcome o, const Value *result)
{
    const LoopEntry *e = c->stages[0];
    Text args = text_new(cx->arena), tests = text_new(cx->arena);
    int k = 0, outputs = 0;
    text_printf(out, "static int test_%d(void)\n{\n", number);
    for (int i = 0; i < call->nsizes; i++)
        text_printf(&args, "%s%lld", i ? ", " : "", (long long)call->sizes[i]);
    for (int i = 0; i < e->nsource; i++)
        for (int leaf = 0; leaf < leaves_in(e->source[i].type); leaf++, k++) {
            const LoopParam *p = &e->params.at[k];
            put_array(out, arena_printf(cx->arena, "in%d", k), p->scalar, &call->args[i],
                      e->source[i].type, leaf);
            text_printf(&args, "%sin%d%s", args.len ? ", " : "", k, p->rank ? "" : "[0]");
        }
    for (; k < e->params.len; k++, outputs++) {
        const LoopParam *p = &e->params.at[k];
        const char *want = arena_printf(cx->arena, "want%d", k);
        put_array(out, want, p->scalar, o.ok ? result : NULL, e->result, outputs);
        text_printf(out, "    static %s out%d[1000];\n", scalar_info[p->scalar].ctype, k);
        text_printf(&args, "%sout%d", args.len ? ", " : "", k);
        text_printf(&tests,
                    "    for (size_t i = 0; i + 1 < sizeof %s / sizeof *%s; i++)\n"
                    "        if (out%d[i] != %s[i]) return 1;\n",
                    want, want, k, want);
    }
    text_printf(out, "    int status = adze_%s(%s);\n", e->name->text, text_get(&args));
    bool any = loops_any_parallel((LoopEntry *const[]){c->stages[0]}, 1); // of several errors
    if (o.ok)
        text_printf(out, "    if (status) return 1;\n%s    return 0;\n}\n", text_get(&tests));
    else if (any)
        text_put(out, "    return status == 0;\n}\n");
    else
        text_printf(out, "    return !strstr(adze_%s_message(status), \"%s\");\n}\n", e->name->text,
                    diag_name(o.code));
}

static const char *test_program(Session *cx, const Control *c)
{
    Text out = text_new(cx->arena), main_body = text_new(cx->arena);
    text_printf(&out, "#include \"%s.h\"\n#include <stdio.h>\n#include <string.h>\n", c->name);
    if (calls_c(c->phrase)) // the one function of C that programs call
        text_put(&out, "float norm(float x, const float *xs);\nfloat norm(float x, const float *xs)"
                       "\n{\n    (void)xs;\n    return 2 * x;\n}\n");
    for (int k = 0; k < 20 && !calls_c(c->phrase); k++) {
        Random r = {.cx = cx, .seed = (unsigned)k, .algebra = ALGEBRA_IEEE};
        Call call;
        Value v = {0};
        if (!random_arguments(&r, c->phrase, &call)) continue;
        Outcome o = loops_eval(cx, cx->arena, c->stages[0], call.sizes, call.args, ALGEBRA_IEEE,
                               MUCH_FUEL, &v);
        if (!o.ok && o.code == E0605) continue; // C has no such limit
        put_call(cx, &out, c, k, &call, o, &v);
        text_printf(&main_body, "    if (test_%d()) { printf(\"call %d differs\\n\"); bad = 1; }\n",
                    k, k);
    }
    text_printf(&out, "int main(void)\n{\n    int bad = 0;\n%s    return bad;\n}\n",
                text_get(&main_body));
    return text_get(&out);
}

typedef struct {
    const char *openmp, *dir;
} Compiling;

static void compiles_and_runs(Session *cx, const Control *c, void *env)
{
    const Compiling *with = env;
    Text header = text_new(cx->arena);
    const char *stem = arena_printf(cx->arena, "%s/%s", with->dir, c->name);
    const char *source = arena_printf(cx->arena, "%s.c", stem);
    const char *test = arena_printf(cx->arena, "%s_test.c", stem);
    write_file(source, emitted(cx, c, arena_printf(cx->arena, "%s.h", c->name), &header));
    write_file(arena_printf(cx->arena, "%s.h", stem), text_get(&header));
    write_file(test, test_program(cx, c));
    const char *object = arena_printf(cx->arena, "%s.o", stem);
    const char *const compile[] = {THIS_CC,
                                   "-std=c17",
                                   "-O2",
                                   "-Wall",
                                   "-Wextra",
                                   "-Werror",
                                   "-ffp-contract=off",
                                   "-fsanitize=address,undefined",
                                   "-fno-sanitize-recover=all",
                                   with->openmp,
                                   "-c",
                                   "-o",
                                   object,
                                   source,
                                   NULL};
    if (!run(compile)) fail_msg("%s does not compile %s", THIS_CC, source);
    const char *const link[] = {THIS_CC,      "-fsanitize=address,undefined",
                                with->openmp, "-I",
                                with->dir,    "-o",
                                stem,         test,
                                object,       "-lm",
                                NULL};
    if (!run(link)) fail_msg("%s does not link %s", THIS_CC, test);
    if (!run((const char *const[]){stem, NULL})) fail_msg("%s with %s fails", c->name, THIS_CC);
}

static void remove_dir(const char *dir)
{
    run((const char *const[]){"rm", "-rf", dir, NULL});
}

static void each_runs(const char *openmp)
{
    char dir[] = "/tmp/adze-control-XXXXXX";
    assert_non_null(mkdtemp(dir));
    Compiling with = {openmp, dir};
    each_program(compiles_and_runs, &with);
    remove_dir(dir);
}

static void it_runs_in_order(void **state)
{
    (void)state;
    each_runs("-fopenmp-simd");
}

static void it_runs_without_openmp(void **state)
{
    (void)state;
    each_runs("-g");
}

static void it_runs_in_parallel(void **state)
{
    (void)state;
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1); // clang's runtime keeps its threads
    each_runs("-fopenmp");
    unsetenv("ASAN_OPTIONS");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_c_is_golden),     cmocka_unit_test(no_line_is_long),
        cmocka_unit_test(it_runs_in_order),    cmocka_unit_test(it_runs_without_openmp),
        cmocka_unit_test(it_runs_in_parallel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
