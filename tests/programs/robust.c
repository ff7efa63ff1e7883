// Whatever the text, the compiler ends, soon, without a fault of its own, and what it reports has a
// place in a file: prefixes of programs, random bytes and tokens, programs with tokens exchanged,
// deep and long programs, sizes beyond all bounds. Texts that happen to be programs go through all
// stages.
#include "programs/pipeline.h"
#include "syntax/format/format.h"

#include <glob.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <cmocka.h>

enum { SECONDS = 120 }; // of a busy machine with sanitizers
// Rounds, and one of so many prefixes; more with ALL=1.
enum { WORDS = 30, CHANGES = 60, RULES = 25, STEP = 34, MORE = 8 };

static int rounds(int usual)
{
    return getenv("ALL") ? MORE * usual : usual;
}

// --- one text ----------------------------------------------------------------------------------

static struct {
    const char *text;
    size_t len;
} current; // what is being compiled, for reports

static void show_current(void)
{
    static const char head[] = "\n--- the text that was compiled:\n", foot[] = "\n---\n";
    size_t len = current.len < 20000 ? current.len : 20000;
    ssize_t done = write(2, head, sizeof head - 1);
    done += write(2, current.text, len);
    done += write(2, foot, sizeof foot - 1);
    (void)done;
}

static void too_slow(int signal)
{
    static const char text[] = "the compiler does not end\n";
    (void)signal;
    ssize_t done = write(2, text, sizeof text - 1);
    (void)done;
    show_current();
    _exit(1);
}

void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

// Faults found, each kept once.
static struct {
    int n;
    char text[20][160];
} faults;

static void add_fault(const char *text)
{
    for (int i = 0; i < faults.n; i++)
        if (strncmp(faults.text[i], text, sizeof faults.text[i] - 1) == 0) return;
    if (faults.n == 20) return;
    snprintf(faults.text[faults.n++], sizeof faults.text[0], "%s", text);
    fprintf(stderr, "%s\n", text);
    show_current();
}

static void check_places(const Session *cx)
{
    for (int i = 0; i < cx->diags.len; i++) {
        const Diag *d = cx->diags.at[i];
        uint32_t file = d->span.file;
        if (d->code == E0901)
            add_fault(d->text);
        else if (file == 0 || file > (uint32_t)cx->sources.len || d->span.lo > d->span.hi ||
                 d->span.hi > cx->sources.at[file - 1]->len)
            add_fault(arena_printf(cx->arena, "no place: %s: %s", diag_name(d->code), d->text));
    }
}

static void emit_body(void *env)
{
    Stages *s = env;
    s->cx->pass = "emit";
    emit_text(s->cx, &s->loops[LOOPS_DONE], 1, false, NULL, "entry.h");
}

static void all_stages(Session *cx, const Program *p)
{
    for (int i = 0; i < p->functions.len && cx->errors == 0; i++) {
        const Function *f = p->functions.at[i];
        bool concrete = f->entry;
        for (int k = 0; k < f->generics.len; k++)
            concrete &= strcmp(f->generics.at[k].kind->text, "nat") == 0;
        Stages s = {.cx = cx, .program = p, .core = f};
        if (concrete && guarded(cx, stages_body, &s) && s.done) guarded(cx, emit_body, &s);
    }
}

typedef struct {
    Session *cx;
    const RewriteRule *rule;
} Trial;

static void trial_body(void *env)
{
    Trial *t = env;
    t->cx->pass = "check-rules";
    (void)schedule_check_rule(t->cx, t->rule, 1);
}

// Some of the text's own rules. Those of long texts, files of the library, are tried by
// schedule/test_library.
static void try_rules(Session *cx, const Program *p)
{
    enum { MOST = 3, LONG = 5000 };
    if (current.len > LONG) return;
    for (int i = 0, n = 0; i < p->rules.len && n < MOST; i++) {
        Trial t = {cx, p->rules.at[i]};
        if (t.rule->span.file != 1) continue;
        guarded(cx, trial_body, &t);
        n++;
    }
}

// Compiles the text; gives the number of errors, and in *code the first one.
static int compile(const char *text, size_t len, DiagCode *code)
{
    char *copy = malloc(len + 1); // of exact size: reading beyond it is found
    memcpy(copy, text, len);
    current.text = copy;
    current.len = len;
    alarm(SECONDS);
    File file = {.cx = session_new(), .path = "test.adz"};
    Session *cx = file.cx;
    nat_init(cx);
    Reading r = {&file, copy, len, false};
    if (guarded(cx, read_body, &r)) {
        all_stages(cx, file.program);
        try_rules(cx, file.program);
    }
    Text out = text_new(cx->arena);
    diag_print_all(cx, &out, false);
    alarm(0);
    check_places(cx);
    int errors = cx->errors;
    if (code) *code = errors ? cx->diags.at[0]->code : DIAG_COUNT;
    session_delete(cx);
    free(copy);
    current.len = 0;
    return errors;
}

static int survive(const char *text, size_t len)
{
    return compile(text, len, NULL);
}

// --- texts -------------------------------------------------------------------------------------

// A small fixed generator, so that every run tests the same.
static uint32_t below(uint64_t *state, uint32_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % n;
}

typedef struct {
    Arena *arena;
    VEC(char *) text;
    VEC(size_t) len;
} Corpus;

static Corpus corpus;

static int no_faults(void **state)
{
    (void)state;
    int n = faults.n;
    faults.n = 0;
    return n;
}

static int load_corpus(void **state)
{
    (void)state;
    static const char *const patterns[] = {"examples/*.adz", "lib/*.adz", "lib/std/*.adz",
                                           "tests/programs/*.adz", "tests/errors/*.adz"};
    corpus.arena = arena_new();
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t found;
        if (glob(patterns[i], 0, NULL, &found) != 0) continue;
        for (size_t k = 0; k < found.gl_pathc; k++) {
            size_t len;
            char *text = read_file(corpus.arena, found.gl_pathv[k], &len);
            if (!text) continue;
            vec_push(corpus.arena, &corpus.text, text);
            vec_push(corpus.arena, &corpus.len, len);
        }
        globfree(&found);
    }
    signal(SIGALRM, too_slow);
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(show_current);
    return corpus.text.len < 10; // not started in the project's folder
}

static int free_corpus(void **state)
{
    (void)state;
    arena_delete(corpus.arena);
    return 0;
}

// Long files in longer steps: they hold much that shorter ones do, too. Each begins elsewhere.
static void test_prefixes(void **state)
{
    (void)state;
    for (int i = 0; i < corpus.text.len; i++) {
        size_t len = corpus.len.at[i],
               step = (getenv("ALL") ? STEP / MORE : STEP) * (len < 120   ? 1
                                                              : len < 400 ? 7
                                                                          : 7 + len / 60);
        for (size_t n = (size_t)i % step; n <= len; n += step) survive(corpus.text.at[i], n);
    }
}

static void test_bytes(void **state)
{
    (void)state;
    static const char likely[] = "(){}[]|,;:=+-*.<>&\"/\n 019aenflt_\\\xc3\xa9\xff";
    uint64_t random = 1;
    for (int round = 0; round < 300; round++) {
        char text[300];
        uint32_t len = below(&random, sizeof text);
        for (uint32_t i = 0; i < len; i++)
            text[i] = below(&random, 3) ? likely[below(&random, sizeof likely)]
                                        : (char)below(&random, 256);
        survive(text, len);
    }
}

// A token that has a chance to make sense.
static void add_word(Text *out, uint64_t *random)
{
    static const char *const words[] = {
        "xs",
        "xs",
        "n",
        "n",
        "f",
        "k",
        "0",
        "1",
        "2",
        "3",
        "1.5",
        "-",
        "+",
        "*",
        "/",
        "%",
        "==",
        "<",
        "(",
        ")",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ",",
        "|>",
        ">>",
        "|x|",
        "|a, b|",
        "x",
        "a",
        "b",
        ".0",
        ".1",
        "let y =",
        ";",
        "y",
        "if",
        "else",
        "as",
        "f32",
        "i32",
        "idx[n]",
        "true",
        "map(",
        "zip(",
        "xs)",
        "reduce(+, 0.0, ",
        "fold(",
        "scan(",
        "generate(",
        "split[2]",
        "join",
        "transpose",
        "slide[3, 1]",
        "pad[1, 1](clamp)",
        "pad[1, 1](const(0.0))",
        "repeat[n](",
        "take[1]",
        "drop[1]",
        "[..2]",
        "iterate[2](",
        "reverse",
        "rotate(0, 1, xs)",
        "gather(",
        "scatter(",
        "unzip",
        "++",
        "&&",
        "!",
        "nat",
        "fn",
        "where",
        "const",
        "let mut m = 1;",
        "let mut ys = xs;",
        "m",
        "m =",
        "m +=",
        "ys[0] =",
        "while",
        "loop {",
        "for i in range(0, n) {",
        "with",
        "match k {",
        "_ =>",
        "0 =>",
        "&",
        "&mut m",
        "*",
        "?",
        "$",
        "@@",
        "unchecked {",
        "break()",
        "break",
        "continue()",
        "return(",
        "}",
        "};",
    };
    text_put(out, words[below(random, sizeof words / sizeof *words)]);
    text_char(out, ' ');
}

static void test_words(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int round = 0; round < rounds(WORDS); round++) {
        Arena *arena = arena_new();
        Text out = text_new(arena);
        if (round % 4) text_put(&out, "entry fn f[n: nat](k: nat, xs: [n]f32) -> [n]f32 { ");
        for (uint32_t n = below(&random, round % 2 ? 8 : 40); n > 0; n--) add_word(&out, &random);
        if (round % 4) text_put(&out, " }");
        survive(text_get(&out), out.len);
        arena_delete(arena);
    }
}

// --- rules and schedules -----------------------------------------------------------------------

static const char *one_of(uint64_t *random, const char *const *words, size_t n)
{
    return words[below(random, (uint32_t)n)];
}

#define ONE_OF(random, words) one_of(random, words, sizeof(words) / sizeof *(words))

static const char *const arrays[] = {
    "reverse(",
    "map(f, ",
    "map(|x| f(x), ",
    "join(split[m](",
    "take[n](",
    "drop[0](",
    "copy(",
    "map(|x| f(f(x)), ",
    "take[m](",
    "map.seq(f, ",
    "to_mem(",
    "map.vec[m](f, ",
    "rotate(0, 1, ",
    "circular[m](",
    "map.src(f, ",
    "map(|p| p.0, zip(xs, ",
    "xs ++ (",
    "generate(n, |i| xs[i]) ++ (",
    "join(map(reverse, split[2](",
};
static const char *const lefts[] = {
    "map(f, xs)",
    "map(|x| f(f(x)), xs)",
    "reverse(map(f, xs))",
    "map(f, map(f, xs))",
    "map(f, reverse(xs))",
    "generate(n, |i| f(xs[i]))",
    "fold(|a, x| f(a), f(xs[0]), xs)",
};

static void add_side(Text *out, uint64_t *random)
{
    Text close = text_new(out->arena);
    for (uint32_t n = below(random, 4); n > 0; n--) {
        const char *word = ONE_OF(random, arrays);
        text_put(out, word);
        for (const char *c = word; *c; c++)
            if (*c == '(') text_char(&close, ')');
        for (const char *c = word; *c; c++)
            if (*c == ')') close.at[--close.len] = 0;
    }
    text_put(out, "xs");
    text_put(out, text_get(&close));
}

static void add_strategy(Text *out, uint64_t *random, int depth)
{
    static const char *const leaves[] = {
        "r(2)", "r(4)", "r(1)", "r(3)", "id", "fail", "inline", "is_map", "is(\"map.\")",
    };
    static const char *const around[] = {
        // none that goes on: that takes its time to be stopped
        "try",  "all",      "one",      "some", "not",      "check",   "body",
        "bind", "split_at", "top_down", "g",    "one_last", "arg(0, ", "every(is_map, ",
    };
    if (depth == 0 || below(random, 3) == 0) {
        text_put(out, ONE_OF(random, leaves));
        return;
    }
    if (below(random, 3) == 0) {
        text_put(out, "{ ");
        add_strategy(out, random, depth - 1);
        text_put(out, below(random, 2) ? " <+ " : "; ");
        add_strategy(out, random, depth - 1);
        text_put(out, " }");
        return;
    }
    const char *word = ONE_OF(random, around);
    text_put(out, word);
    if (!strchr(word, '(')) text_char(out, '(');
    add_strategy(out, random, depth - 1);
    text_char(out, ')');
}

static void test_rules(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int round = 0; round < rounds(RULES); round++) {
        Arena *arena = arena_new();
        Text out = text_new(arena);
        text_put(&out, "rule r(m: nat)[n: nat, t: data](f: fn(t) -> t, xs: [n]t)");
        text_put(&out, below(&random, 2) ? " where n % m == 0, m > 0 { " : " { ");
        if (below(&random, 4))
            text_put(&out, ONE_OF(&random, lefts));
        else
            add_side(&out, &random);
        text_put(&out, " => ");
        add_side(&out, &random);
        text_put(&out, " }\nstrategy g(s: strategy) { s; ");
        add_strategy(&out, &random, 0);
        text_put(&out, " }\nentry fn f[n: nat](v: [n]i32) -> [n]i32 where n % 4 == 0 { "
                       "reverse(map(|x| x * x, map(|x| x + 1, v))) }\nschedule f { ");
        add_strategy(&out, &random, 4);
        text_put(&out, " }\n");
        survive(text_get(&out), out.len);
        arena_delete(arena);
    }
}

// --- programs with tokens exchanged ------------------------------------------------------------

// A token of the file to stand for another: preferably of the same kind.
static const Token *other_token(const TokenStream *ts, const Token *t, uint64_t *random)
{
    const Token *best = t;
    for (int tries = 0; tries < 20; tries++) {
        const Token *o = &ts->tokens.at[below(random, (uint32_t)ts->tokens.len - 1)];
        best = o;
        if (o->kind == t->kind && o->name != t->name) return o;
    }
    return best;
}

// One token left out, doubled, exchanged with its neighbour, or replaced by another of the file.
static void change_one(const char *program, size_t len, uint64_t *random)
{
    Session *cx = session_new();
    TokenStream ts = lex_source(cx, session_add_source(cx, "t", program, len));
    if (ts.tokens.len > 2) {
        uint32_t k = below(random, (uint32_t)ts.tokens.len - 2);
        const Token *t = &ts.tokens.at[k], *next = t + 1, *o = other_token(&ts, t, random);
        uint32_t how = below(random, 8), end = how == 2 ? next->hi : t->hi;
        Text out = text_new(cx->arena);
        text_add(&out, program, t->lo);
        if (how == 2) text_add(&out, program + next->lo, next->hi - next->lo);
        if (how == 2) text_char(&out, ' ');
        if (how == 1 || how == 2) text_add(&out, program + t->lo, t->hi - t->lo);
        text_char(&out, ' ');
        if (how == 1) text_add(&out, program + t->lo, t->hi - t->lo);
        if (how > 2) text_add(&out, program + o->lo, o->hi - o->lo);
        text_char(&out, ' ');
        text_add(&out, program + end, len - end);
        survive(text_get(&out), out.len);
    }
    session_delete(cx);
}

static void test_changes(void **state)
{
    (void)state;
    const char *given = getenv("ADZE_ROBUST_ROUNDS"), *seed = getenv("ADZE_ROBUST_SEED");
    uint64_t random = seed ? strtoul(seed, NULL, 10) : 3;
    int n = given ? atoi(given) : rounds(CHANGES);
    for (int round = 0; round < n; round++) {
        int i = round % corpus.text.len;
        change_one(corpus.text.at[i], corpus.len.at[i], &random);
    }
}

// --- deep and long programs --------------------------------------------------------------------

// `head`, then `before` n times, `middle`, `after` n times, `tail`; the code of the first error.
static DiagCode nested(const char *head, int n, const char *before, const char *middle,
                       const char *after, const char *tail)
{
    Arena *arena = arena_new();
    Text out = text_new(arena);
    text_put(&out, head);
    for (int i = 0; i < n; i++) text_put(&out, before);
    text_put(&out, middle);
    for (int i = 0; i < n; i++) text_put(&out, after);
    text_put(&out, tail);
    DiagCode code;
    compile(text_get(&out), out.len, &code);
    arena_delete(arena);
    return code;
}

#define VALUE "entry fn f(a: i32) -> i32 { "
#define ARRAY "entry fn f[n: nat](xs: [n]i32) -> [n]i32 { "

static const struct {
    const char *head, *before, *middle, *after, *tail;
    int fits; // as many are a program
} shapes[] = {
    {VALUE, "(", "1", ")", " }", 480},
    {VALUE, "{ ", "1", " }", " }", 480},
    {VALUE, "-", "a", "", " }", 480},
    {VALUE, "-(", "a", ")", " }", 240},
    {VALUE, "if a < 3 { ", "1", " } else { 2 }", " }", 200},
    {VALUE, "if a < 3 { 1 } else ", "{ 2 }", "", " }", 480},
    {VALUE, "{ let x = ", "1", "; x }", " }", 240},
    {VALUE, "let a = a + 1; ", "a", "", " }", 3000},
    {VALUE, "a + ", "a", "", " }", 3500},
    {VALUE, "(a * ", "a", ")", " }", 240},
    {VALUE, "", "a", " as i32", " }", 3500},
    {VALUE, "[", "a", "][0]", " }", 200},
    {VALUE, "(", "a", ", 1).0", " }", 240},
    {VALUE, "", "a", " |> f64 |> i32", " }", 1500},
    {VALUE, "abs(", "a", ")", " }", 480},
    {VALUE, "", "a", " |> abs", " }", 3500},
    {VALUE "a |> ", "(abs >> ", "abs", ")", " }", 200},
    {"fn g(h: ", "fn(i32) -> ", "i32", "", ") -> i32 { 1 }", 480},
    {"entry fn f(a: ", "[1]", "i32", "", ") -> i32 { 1 }", 60},
    {"entry fn f(a: ", "(", "i32", ",)", ") -> i32 { 1 }", 480},
    {ARRAY, "", "xs", " |> reverse", " }", 400},
    {ARRAY, "", "xs", " |> map(|x| x + 1)", " }", 200},
    {ARRAY, "reverse(", "xs", ")", " }", 200},
    {"entry fn f[n: nat](xs: [n]i32) -> i32 { 1 } entry fn g[n: nat](xs: [", "n + ", "n", "",
     "]i32) -> i32 { 1 }", 3500},
    {"entry fn g[n: nat](xs: [", "(n * ", "n", ")", "]i32) -> i32 { 1 }", 60},
};

static void test_nested(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        DiagCode code = nested(shapes[i].head, shapes[i].fits, shapes[i].before, shapes[i].middle,
                               shapes[i].after, shapes[i].tail);
        if (code != DIAG_COUNT)
            fail_msg("%d times %s ... %s: %s", shapes[i].fits, shapes[i].before, shapes[i].after,
                     diag_name(code));
        code = nested(shapes[i].head, 100000, shapes[i].before, shapes[i].middle, shapes[i].after,
                      shapes[i].tail);
        if (code == DIAG_COUNT) fail_msg("100000 times %s is no error", shapes[i].before);
    }
}

static void test_long(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Text out = text_new(arena);
    for (int i = 0; i < 1250; i++)
        text_printf(
            &out,
            "/// Function %d.\nfn step%d[n: nat](xs: [n]f32) -> [n]f32 {\n    xs |> map(|x| x * "
            "%d.0)\n}\n",
            i, i, i);
    text_put(&out, "entry fn main[n: nat](xs: [n]f32) -> [n]f32 {\n    xs");
    for (int i = 0; i < 40; i++) text_printf(&out, " |> step%d", i * 31);
    text_put(&out, "\n}\n");
    assert_int_equal(survive(text_get(&out), out.len), 0);
    arena_delete(arena);
}

// `line` `count` times, each time with the next number for N and the one before for M.
static int doubled(const char *head, int count, const char *line, const char *tail)
{
    Arena *arena = arena_new();
    Text out = text_new(arena);
    text_put(&out, head);
    for (int i = 1; i <= count; i++)
        for (const char *c = line; *c; c++)
            if (*c == 'N' || *c == 'M')
                text_printf(&out, "%d", *c == 'N' ? i : i - 1);
            else
                text_char(&out, *c);
    text_put(&out, tail);
    int errors = survive(text_get(&out), out.len);
    arena_delete(arena);
    return errors;
}

// Each line has twice what the one before has.
static void test_doubled(void **state)
{
    (void)state;
    static const struct {
        const char *head, *line, *tail;
        bool fits;
    } texts[] = {
        {"entry fn f(a0: i32) -> i32 { ", "let aN = aM + aM; ", "a40 }", true},
        {"entry fn f[n: nat](a0: [n]i32) -> [n]i32 { ",
         "let aN = zip(aM, aM) |> map(|(p, q)| p + q); ", "a40 }", true},
        {"entry fn f(a0: i32) -> i32 { ", "let aN = (aM, aM); ", "1 }", false},
        {"entry fn f[n: nat](a0: [n]i32) -> i32 { ", "let aN = zip(aM, aM); ", "1 }", false},
        {"entry fn f(a0: i32) -> i32 { ", "let aN = [aM, aM]; ", "1 }", true},
        {"type T0 = i32 ", "type TN = (TM, TM) ", "entry fn f(x: T40) -> i32 { 1 }", false},
        {"struct S0 { a: i32 } ", "struct SN { a: SM, b: SM } ", "fn f(x: S40) -> bool { x == x }",
         false},
        {"entry fn f(x: i32) -> i32 { let f0 = |y| y + 1; ", "let fN = fM >> fM; ", "f40(x) }",
         false},
        {"fn f0(x: i32) -> i32 { x + 1 } ", "fn fN(x: i32) -> i32 { fM(fM(x)) } ",
         "entry fn f(x: i32) -> i32 { f40(x) }", false},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int errors = doubled(texts[i].head, 40, texts[i].line, texts[i].tail);
        if ((errors == 0) != texts[i].fits) fail_msg("%d errors: %s", errors, texts[i].line);
    }
}

// --- sizes -------------------------------------------------------------------------------------

// Programs whose sizes are beyond 64 bits, or nearly; most are errors, none is a fault.
static void test_sizes(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "entry fn f(a: [9223372036854775807 * 2]f32) -> f32 { 1.0 }",
        "entry fn f(a: [9223372036854775807]f32) -> f32 { a[0] }",
        "entry fn f(a: [9223372036854775807][9223372036854775807]f32) -> f32 { a[0][0] }",
        "entry fn f[n: nat](a: [n * 9223372036854775807]f32) -> [n]f32 { a[..n] }",
        "entry fn f[n: nat](a: [n * 9223372036854775807 + n]f32) -> f32 { 1.0 }",
        "entry fn f[n, m: nat](a: [n * m * n * m * n * m * n * m]f32) -> f32 { 1.0 }",
        "entry fn f[n: nat](a: [pow(n, 64)]f32) -> f32 { 1.0 }",
        "entry fn f(a: [pow(2, 64)]f32) -> f32 { 1.0 }",
        "entry fn f(a: [pow(2, 9223372036854775807)]f32) -> f32 { 1.0 }",
        "entry fn f[n: nat](a: [n]f32) -> f32 { reduce(+, 0.0, repeat[9223372036854775807](1.0)) }",
        "entry fn f[n: nat](a: [n]f32) -> [n + 9223372036854775807]f32 { a ++ "
        "repeat[9223372036854775807](1.0) }",
        "entry fn f[n: nat](a: [n]f32) -> f32 where n > 9223372036854775807 { 1.0 }",
        "entry fn f[n: nat](a: [n]f32) -> f32 where n * n * n > 9223372036854775806 { 1.0 }",
        "entry fn f[n: nat](a: [0 - 1]f32) -> f32 { 1.0 }",
        "entry fn f[n: nat](a: [n / 0]f32) -> f32 { 1.0 }",
        "entry fn f[n: nat](a: [n % 0]f32) -> f32 { 1.0 }",
        "entry fn f[n: nat](a: [n / (n - n)]f32) -> f32 { 1.0 }",
        "entry fn f[n: nat](a: [n]f32) -> [n / 0]f32 { a }",
        "const N: nat = 9223372036854775807 entry fn f(a: [N]f32) -> [N + 1]f32 { a ++ [1.0] }",
        "const N: nat = 18446744073709551615 entry fn f(a: [N]f32) -> f32 { 1.0 }",
        "const N: nat = 9223372036854775807 * 9223372036854775807",
        "entry fn f() -> [3]i64 { generate(18446744073709551615, |i| i64(i)) }",
        "entry fn f(a: [4]f32) -> f32 { a[9223372036854775807] }",
        "entry fn f(a: [4]f32) -> f32 { a[18446744073709551615] }",
        "entry fn f(a: [4]f32) -> f32 { a[-1] }",
        "entry fn f(a: [4]f32) -> [0]f32 { a[9223372036854775807..9223372036854775807] }",
        "entry fn f(a: [4]f32) -> f32 { a.9223372036854775807 }",
        "entry fn f[n: nat](a: [n]f32) -> [n]f32 { split[9223372036854775807](a) |> join }",
        "entry fn f[n: nat](a: [n]f32) -> [n]f32 { a |> slide[9223372036854775807, "
        "9223372036854775807] |> join }",
        "entry fn f[n: nat](a: [n]f32) -> [n + 2]f32 { pad[9223372036854775807, 1](clamp, a) }",
        "entry fn f(x: f32) -> f32 { iterate[9223372036854775807](|y| y, x) }",
        "entry fn f(a: [1]f32) -> [1]f32 { rotate(0, 9223372036854775807, a) }",
        "entry fn f(a: [1]f32) -> [1]f32 { rotate(9223372036854775807, 0, a) }",
        "entry fn f() -> i64 { 9223372036854775807 + 1 }",
        "entry fn f() -> i64 { -9223372036854775808 }",
        "entry fn f() -> i64 { (-9223372036854775807 - 1) / -1 }",
        "entry fn f() -> i64 { (-9223372036854775807 - 1) % -1 }",
        "entry fn f() -> i64 { 1 / 0 }",
        "entry fn f() -> i32 { 1 << 99 }",
        "entry fn f() -> i32 { 1 << -1 }",
        "entry fn f() -> u8 { u8(1.0e300) }",
        "entry fn f() -> i64 { i64(0.0 / 0.0) }",
        "entry fn f() -> f32 { 1.0e300 }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) survive(texts[i], strlen(texts[i]));
}

enum { DEEP = 96 << 20 };

int main(void)
{
    // as the thread in which adze compiles: chains recurse, and frames are larger with sanitizers
    struct rlimit stack;
    getrlimit(RLIMIT_STACK, &stack);
    stack.rlim_cur = stack.rlim_max < DEEP ? stack.rlim_max : DEEP;
    setrlimit(RLIMIT_STACK, &stack);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_prefixes, no_faults),
        cmocka_unit_test_teardown(test_bytes, no_faults),
        cmocka_unit_test_teardown(test_words, no_faults),
        cmocka_unit_test_teardown(test_rules, no_faults),
        cmocka_unit_test_teardown(test_changes, no_faults),
        cmocka_unit_test_teardown(test_nested, no_faults),
        cmocka_unit_test_teardown(test_long, no_faults),
        cmocka_unit_test_teardown(test_doubled, no_faults),
        cmocka_unit_test_teardown(test_sizes, no_faults),
    };
    return cmocka_run_group_tests(tests, load_corpus, free_corpus);
}
