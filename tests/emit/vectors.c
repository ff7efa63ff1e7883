// Vectors in C: every operator, cast and selection on vectors of every scalar has in each lane the
// value of the interpreter, by the compiler of the test, for machines that have such vectors and
// for those that do not; with floats as IEEE numbers and as field elements. Functions such as exp
// may be so many ULP off as the library says, and one more, since the interpreter's values are
// rounded too.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/target/cpu.h"
#include "emit/text/emit.h"
#include "loops/read.h"
#include "this_cc.h"

enum { LANES = 8, MOST_LANES = 32, CALLS = 2, OFF = 5 };

static const char *const algebra_text[] = {[ALGEBRA_IEEE] = "ieee", [ALGEBRA_FIELD] = "exact"};

typedef enum {
    ALL,
    FUNCTIONS, // such as exp
    MOVED,     // lanes that a mask moves
    BITS,      // masks that are bits of a register
    RESIZED    // integers that become wider or narrower
} What;

typedef struct {
    Session *cx;
    Algebra algebra;
    VEC(LoopEntry *) entries;
    Text main; // statements of C that call them
    unsigned seed;
    bool functions; // only these, such as exp
    int lanes;      // of the next entries
    int off;        // ULP that the results of the next entry may be off
} Vectors;

// --- values -------------------------------------------------------------------------------------

static uint64_t random_bits(Vectors *t, Scalar s)
{
    static const double floats[] = {0.0,     1.0,      -2.5,         3.25,          100.0,
                                    -0.0,    0.5,      -7.0,         300.0,         -1000.0,
                                    40000.0, -40000.0, 2147483648.0, -2147483648.0, 4e9,
                                    -4e9,    -0.5,     2147483520.0, 9.3e18,        -9.23e18,
                                    1e30,    -1e30,    INFINITY,     -INFINITY,     NAN};
    unsigned any = (unsigned)rand_r(&t->seed);
    if (scalar_info[s].class == CLASS_FLOAT) {
        bool small = t->algebra == ALGEBRA_FIELD || s == SCALAR_F16;
        double x = scalar_round(s, floats[any % (small ? 10 : sizeof floats / sizeof *floats)]);
        return t->algebra == ALGEBRA_FIELD ? field_from_double(x) : float_bits(x);
    }
    uint64_t wide = (uint64_t)any << 33 ^ (uint64_t)rand_r(&t->seed) << 5 ^ any;
    if (s == SCALAR_BOOL) return any % 2;
    return scalar_wrap(s, any % 3 ? wide : any % 7 - 3);
}

static const char *float_text(Arena *arena, double x)
{
    if (isnan(x)) return "NAN";
    return isinf(x) ? x < 0 ? "-INFINITY" : "INFINITY" : arena_printf(arena, "%a", x);
}

// A number that is one of half precision, as its bits.
static unsigned half_of(double x)
{
    int e;
    unsigned sign = signbit(x) ? 0x8000 : 0;
    if (isnan(x)) return 0x7e00;
    if (isinf(x)) return sign | 0x7c00;
    double m = frexp(fabs(x), &e); // 0 or 1/2 <= m < 1
    if (m == 0) return sign;
    if (e < -13) return sign | (unsigned)ldexp(m, e + 24);
    return sign | (unsigned)(e + 14) << 10 | ((unsigned)ldexp(m, 11) & 0x3ff);
}

static void put_bits(Vectors *t, Text *out, Scalar s, uint64_t bits)
{
    bool is_float = scalar_info[s].class == CLASS_FLOAT && t->algebra == ALGEBRA_IEEE;
    if (is_float && s == SCALAR_F16)
        text_printf(out, "%u, ", half_of(float_value(bits)));
    else if (is_float)
        text_printf(out, "%s, ", float_text(t->cx->arena, float_value(bits)));
    else if (scalar_info[s].class == CLASS_INT)
        text_printf(out, "(int64_t)UINT64_C(%llu), ", (unsigned long long)bits);
    else
        text_printf(out, "UINT64_C(%llu), ", (unsigned long long)bits);
}

static const char *ctype(const Vectors *t, Scalar s)
{
    bool is_float = scalar_info[s].class == CLASS_FLOAT;
    return is_float && t->algebra == ALGEBRA_FIELD ? "adze_field" : scalar_info[s].ctype;
}

// Elements for a parameter, and what C has for them.
static Value array_of(Vectors *t, Text *out, const char *name, Scalar s, bool nonzero)
{
    Value v = {.count = t->lanes, .parts = ARENA_ARRAY(t->cx->arena, Value, t->lanes)};
    text_printf(out, "        %s %s[] = {", ctype(t, s), name);
    for (int i = 0; i < t->lanes; i++) {
        v.parts[i].bits = random_bits(t, s);
        if (nonzero && v.parts[i].bits == 0) v.parts[i].bits = 1;
        put_bits(t, out, s, v.parts[i].bits);
    }
    text_put(out, "};\n");
    return v;
}

// --- entries ------------------------------------------------------------------------------------

// An entry (a: [L]A, b: [L]A, c: [L]bool) -> [L]R whose value is the expression; calls of it with
// what the interpreter gives.
static void add(Vectors *t, Scalar a, Scalar r, bool nonzero, const char *value)
{
    Session *cx = t->cx;
    const char *at = scalar_info[a].text, *rt = scalar_info[r].text;
    const char *name = arena_printf(cx->arena, "run%d", t->entries.len);
    const char *text = arena_printf(
        cx->arena,
        "(loops %1$s (a: [%5$d]%2$s, b: [%5$d]%2$s, c: [%5$d]bool) : [%5$d]%3$s (buffers"
        " (in a %2$s [%5$d]) (in b %2$s [%5$d]) (in c bool [%5$d]) (out out %3$s [%5$d]))"
        " (block (decl v vec[%5$d]%3$s %4$s) (store out 0 v)))",
        name, at, rt, value, t->lanes);
    LoopEntry *e = read_loops(cx, text);
    Text again = text_new(cx->arena);
    loops_print(cx, &again, e);
    LoopEntry *same = read_loops(cx, text_get(&again));
    assert_ptr_equal(same->body, e->body);
    vec_push(cx->arena, &t->entries, e);
    for (int k = 0; k < CALLS; k++) {
        Value args[3], result;
        text_put(&t->main, "    {\n");
        args[0] = array_of(t, &t->main, "a", a, nonzero);
        args[1] = array_of(t, &t->main, "b", a, nonzero);
        args[2] = array_of(t, &t->main, "c", SCALAR_BOOL, false);
        Outcome o = loops_eval(cx, cx->arena, e, NULL, args, t->algebra, 100000, &result);
        if (!o.ok) fail_msg("%s: %s", value, o.text);
        text_printf(&t->main, "        %s want[] = {", ctype(t, r));
        for (int i = 0; i < t->lanes; i++) put_bits(t, &t->main, r, result.parts[i].bits);
        text_printf(&t->main, "}, got[%d];\n        adze_%s(a, b, c, got);\n", t->lanes, name);
        bool floats = scalar_info[r].class == CLASS_FLOAT && t->algebra == ALGEBRA_IEEE;
        text_printf(
            &t->main,
            "        if (differ(got, want, %d, sizeof got / %d, %d, %d)) bad |= told(\"%s %s\");\n"
            "    }\n",
            t->lanes, t->lanes, floats, floats ? t->off : 0, at, value);
    }
}

static void add_prims(Vectors *t, Scalar s)
{
    Arena *arena = t->cx->arena;
    const char *name = scalar_info[s].text;
    for (int op = 0; op < PRIM_COUNT; op++) {
        const PrimInfo *p = &prim_info[op];
        if (!prim_takes((Prim)op, s)) continue;
        if (t->functions && !prim_is_function((Prim)op)) continue;
        t->off = prim_is_function((Prim)op) ? OFF : 0;
        bool divides = op == PRIM_DIV || op == PRIM_REM;
        const char *a = arena_printf(arena, "(load a 0 : vec[8]%s)", name);
        const char *b = arena_printf(arena, " (load b 0 : vec[8]%s)", name);
        Scalar r = prim_result((Prim)op, s);
        add(t, s, r, divides,
            arena_printf(arena, "(%s %s%s%s)", p->text, a, p->arity > 1 ? b : "",
                         p->arity > 2 ? a : ""));
        if (op != PRIM_SUB && op != PRIM_SHL && op != PRIM_LT && op != PRIM_MIN) continue;
        const char *scalar = arena_printf(arena, " (splat (load b 3) : vec[8]%s)", name);
        add(t, s, r, divides, arena_printf(arena, "(%s %s%s)", p->text, a, scalar));
        add(t, s, r, divides, arena_printf(arena, "(%s %s %s)", p->text, scalar, a));
    }
    t->off = 0;
}

static void add_casts(Vectors *t, Scalar s)
{
    for (int to = 0; to < SCALAR_COUNT; to++)
        add(t, s, (Scalar)to, false,
            arena_printf(t->cx->arena, "(cast (load a 0 : vec[8]%s) : vec[8]%s)",
                         scalar_info[s].text, scalar_info[to].text));
}

// Integers that become wider or narrower, or floats, in as many lanes as there are in vectors of
// all sizes of machines.
static void add_resized(Vectors *t, Scalar s)
{
    if (scalar_info[s].class != CLASS_INT && scalar_info[s].class != CLASS_UINT) return;
    for (t->lanes = 2; t->lanes <= MOST_LANES; t->lanes *= 2)
        for (int to = 0; to < SCALAR_COUNT; to++) {
            const char *from = scalar_info[s].text, *text = scalar_info[to].text;
            bool same_size = scalar_info[to].size == scalar_info[s].size;
            if (to == SCALAR_BOOL || to == SCALAR_F16 || same_size) continue;
            add(t, s, (Scalar)to, false,
                arena_printf(t->cx->arena, "(cast (load a 0 : vec[%d]%s) : vec[%d]%s)", t->lanes,
                             from, t->lanes, text));
        }
    t->lanes = LANES;
}

// Of what is in range.
static void add_known_casts(Vectors *t, Scalar s)
{
    static const Scalar to[] = {SCALAR_I8,  SCALAR_U8,  SCALAR_I16,
                                SCALAR_U16, SCALAR_I32, SCALAR_I64};
    const char *name = scalar_info[s].text;
    for (size_t i = 0; i < sizeof to / sizeof *to; i++)
        add(t, s, to[i], false,
            arena_printf(t->cx->arena,
                         "(cast.unchecked (min (max (load a 0 : vec[8]%s) (splat 0.0%s : vec[8]%s))"
                         " (splat 99.5%s : vec[8]%s)) : vec[8]%s)",
                         name, name, name, name, name, scalar_info[to[i]].text));
}

// By conditions on other types, and on lanes together.
static void add_selects(Vectors *t, Scalar s)
{
    Arena *arena = t->cx->arena;
    const char *name = scalar_info[s].text;
#define A "(load a 0 : vec[8]%s)"
#define B "(load b 0 : vec[8]%s)"
#define C "(load c 0 : vec[8]bool)"
    add(t, s, s, false, arena_printf(arena, "(? " C " " A " " B ")", name, name));
    add(t, s, s, false,
        arena_printf(arena, "(? (< " A " " B ") " A " " B ")", name, name, name, name));
    add(t, s, s, false, arena_printf(arena, "(? (load c 2) " A " " B ")", name, name));
    add(t, s, s, false,
        arena_printf(arena, "(? (| (! " C ") (== " A " " B ")) " A " " B ")", name, name, name,
                     name));
    add(t, s, s, false,
        arena_printf(arena,
                     "(? (! (& " C " (splat (load c 1) : vec[8]bool))) " A " (splat (load b 2)"
                     " : vec[8]%s))",
                     name, name));
    add(t, s, SCALAR_BOOL, false,
        arena_printf(arena, "(? " C " (> " A " " B ") (^ " C " (<= " A " " B ")))", name, name,
                     name, name));
    const char *op = s == SCALAR_BOOL ? "^" : "+";
    add(t, s, s, false,
        arena_printf(arena, "(? (load c 2) (%s " A " " B ") " A ")", op, name, name, name));
    add(t, s, s, false,
        arena_printf(arena, "(? (load c 3) (splat (load b 2) : vec[8]%s) (? " C " " A " " B "))",
                     name, name, name));
    add(t, s, SCALAR_BOOL, false,
        arena_printf(arena, "(? (load c 2) (!= " A " " B ") " C ")", name, name));
}

// Memory of some lanes: in a row, and at places that are only good in these; whether there is a
// lane.
static void add_memory(Vectors *t, Scalar s)
{
    if (s != SCALAR_BOOL && s != SCALAR_U8 && s != SCALAR_F32 && s != SCALAR_I64) return;
    static const char *const masks[] = {"(load c 0 : vec[8]bool)",
                                        "(! (== (load a 0 : vec[8]%1$s) (load b 0 : vec[8]%1$s)))",
                                        "(splat true : vec[8]bool)", "(splat false : vec[8]bool)"};
    Arena *arena = t->cx->arena;
    const char *name = scalar_info[s].text;
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        const char *mask = arena_printf(arena, masks[i], name);
        const char *at = arena_printf(
            arena,
            "(? %s (- (splat 7i64 : vec[8]i64) (iota : vec[8]i64)) (splat -99i64 : vec[8]i64))",
            mask);
        const char *near = arena_printf(arena, "(cast (cast %s : vec[8]i32) : vec[8]i64)", at);
        const char *beside = arena_printf( // 4 elements at each position
            arena,
            "(? %s (%% (+ (iota : vec[8]i64) (splat 3i64 : vec[8]i64)) (splat 5i64 : vec[8]i64)) "
            "(splat -99i64 : vec[8]i64))",
            mask);
        const char *near_beside =
            arena_printf(arena, "(cast (cast %s : vec[8]i32) : vec[8]i64)", beside);
        add(t, s, s, false, arena_printf(arena, "(load_where a 0 %s : vec[8]%s)", mask, name));
        add(t, s, s, false,
            arena_printf(arena, "(gather_where a %s %s : vec[8]%s)", at, mask, name));
        add(t, s, s, false,
            arena_printf(arena, "(gather_where a %s %s : vec[8]%s)", near, mask, name));
        add(t, s, SCALAR_BOOL, false,
            arena_printf(arena, "(splat (any_lane %s) : vec[8]bool)", mask));
        for (int part = 0; part < 6 && scalar_info[s].size == 4; part++)
            add(t, s, s, false,
                arena_printf(arena, "(gather_runs a %s %s %d %d : vec[8]%s)",
                             part % 2 ? near_beside : beside, mask, part < 2 ? 2 : 4,
                             part < 2 ? part : part - 2, name));
    }
}

static void add_shuffles(Vectors *t, Scalar s)
{
    if (s != SCALAR_BOOL && s != SCALAR_U8 && s != SCALAR_F32 && s != SCALAR_I64) return;
    Arena *arena = t->cx->arena;
    const char *name = scalar_info[s].text, *from = "7 3 3 15 8 0 1 12";
    const char *sides =
        arena_printf(arena, "(load a 0 : vec[8]%s) (load b 0 : vec[8]%s)", name, name);
    const char *masks = arena_printf(arena, "(== %s) (splat true : vec[8]bool)", sides);
    add(t, s, s, false, arena_printf(arena, "(shuffled %s %s)", sides, from));
    add(t, s, SCALAR_BOOL, false, arena_printf(arena, "(shuffled %s %s)", masks, from));
}

static void add_moved(Vectors *t, Scalar s)
{
    if (s == SCALAR_U16 || s == SCALAR_U32 || s == SCALAR_U64) return;
    Arena *arena = t->cx->arena;
    const char *name = scalar_info[s].text;
    const char *v = arena_printf(arena, "(load a 0 : vec[8]%s)", name),
               *m = "(load c 0 : vec[8]bool)";
    const char *mask = arena_printf(arena, "(== %s (load b 0 : vec[8]%s))", v, name);
    add(t, s, s, false, arena_printf(arena, "(packed %s %s)", v, m));
    add(t, s, s, false, arena_printf(arena, "(unpacked %s %s)", v, m));
    add(t, s, s, false, arena_printf(arena, "(unpacked (packed %s (! %s)) %s)", v, mask, m));
    add(t, s, SCALAR_BOOL, false, arena_printf(arena, "(packed %s %s)", mask, m));
    add(t, s, SCALAR_I64, false, arena_printf(arena, "(splat (count_lanes %s) : vec[8]i64)", m));
    add(t, s, SCALAR_I64, false,
        arena_printf(arena, "(splat (count_lanes (! %s)) : vec[8]i64)", mask));
    add(t, s, SCALAR_U64, false, arena_printf(arena, "(splat (bits_of_lanes %s) : vec[8]u64)", m));
    add(t, s, SCALAR_U64, false,
        arena_printf(arena, "(splat (bits_of_lanes (! %s)) : vec[8]u64)", mask));
}

// Lanes by numbers, which are any integers: elements, or those of some lanes moved by three.
static void add_permuted(Vectors *t, Scalar s)
{
    static const char *const by_size[] = {[1] = "i8", [2] = "i16", [4] = "i32", [8] = "i64"};
    static const char *const three[] = {[4] = "3", [8] = "3i64"};
    if (s == SCALAR_BOOL || s == SCALAR_F16) return;
    Arena *arena = t->cx->arena;
    int size = scalar_info[s].size;
    const char *name = scalar_info[s].text, *to = arena_printf(arena, ": vec[8]%s", by_size[size]),
               *at = arena_printf(arena, "(load b 0 : vec[8]%s)", name);
    if (scalar_info[s].class == CLASS_FLOAT)
        at = arena_printf(
            arena,
            "(- (cast (iota : vec[8]i64) %s) (* (splat %s %s) (cast (load c 0 : vec[8]bool) %s)))",
            to, three[size], to, to);
    else if (strcmp(name, by_size[size]) != 0)
        at = arena_printf(arena, "(cast %s %s)", at, to);
    add(t, s, s, false, arena_printf(arena, "(permuted (load a 0 : vec[8]%s) %s)", name, at));
}

// Comparisons of vectors as long as the machine's, and all that takes the masks they give.
static void add_bits(Vectors *t, Scalar s)
{
    static const char *const operators[] = {"==", "!=", "<", "<=", ">", ">="};
    if (scalar_info[s].size * LANES != 64) return;
    Arena *arena = t->cx->arena;
    const char *name = scalar_info[s].text;
    const char *a = arena_printf(arena, "(load a 0 : vec[8]%s)", name),
               *b = arena_printf(arena, "(load b 0 : vec[8]%s)", name);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        const char *m = arena_printf(arena, "(%s %s %s)", operators[i], a, b);
        add(t, s, s, false, arena_printf(arena, "(? %s %s %s)", m, a, b));
        const char *other = arena_printf(arena, "(%s %s %s)", operators[5 - i], b, a);
        const char *masks[] = {
            arena_printf(arena, "(& %s (! %s))", m, other),
            arena_printf(arena, "(| %s %s)", m, other),
            arena_printf(arena, "(^ %s (& %s (splat true : vec[8]bool)))", m, other),
            arena_printf(arena, "(& %s (splat (< (load a 1) (load b 1)) : vec[8]bool))", m)};
        for (size_t k = 0; k < sizeof masks / sizeof *masks; k++) {
            add(t, s, SCALAR_I64, false,
                arena_printf(arena, "(splat (count_lanes %s) : vec[8]i64)", masks[k]));
            add(t, s, SCALAR_U64, false,
                arena_printf(arena, "(splat (bits_of_lanes %s) : vec[8]u64)", masks[k]));
            add(t, s, SCALAR_BOOL, false,
                arena_printf(arena, "(splat (any_lane %s) : vec[8]bool)", masks[k]));
            add(t, s, SCALAR_BOOL, false, masks[k]);
        }
        add(t, s, s, false, arena_printf(arena, "(packed %s %s)", a, masks[0]));
        add(t, s, s, false, arena_printf(arena, "(unpacked %s %s)", a, masks[1]));
        add(t, s, s, false, arena_printf(arena, "(load_where a 0 %s : vec[8]%s)", m, name));
    }
}

static void add_others(Vectors *t)
{
    add(t, SCALAR_I64, SCALAR_I64, false,
        "(+ (* (iota : vec[8]i64) (splat 3i64 : vec[8]i64)) (load a 0 : vec[8]i64))");
    add(t, SCALAR_I16, SCALAR_I16, false, "(splat 0i16 : vec[8]i16)");
    add(t, SCALAR_U8, SCALAR_U8, false, "(splat 200u8 : vec[8]u8)");
    add(t, SCALAR_I64, SCALAR_F32, false, "(cast (iota : vec[8]i64) : vec[8]f32)");
    add(t, SCALAR_F32, SCALAR_F32, false,
        "(+ (load a 0 : vec[8]f32) (splat (lit -0.0 : f32) : vec[8]f32))");
    add(t, SCALAR_F32, SCALAR_F32, false, "(splat (lit -0.0 : f32) : vec[8]f32)");
    add(t, SCALAR_I32, SCALAR_BOOL, false, "(splat (< (load a 1) (load b 1)) : vec[8]bool)");
    add(t, SCALAR_BOOL, SCALAR_BOOL, false, "(load a 0 : vec[8]bool)");
}

// --- C ------------------------------------------------------------------------------------------

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

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0) fail_msg("cannot write %s", path);
}

// Floats are compared as such: a NaN is a NaN. `off` counts the numbers between them.
static const char before_main[] =
    "#include \"vectors.h\"\n#include <stdio.h>\n#include <string.h>\n#include <math.h>\n"
    "static int told(const char *what)\n{\n    printf(\"%s differs\\n\", what);\n    return 1;\n}\n"
    "static long long place(const char *at, size_t size)\n{\n"
    "    unsigned char bytes[8] = {0};\n    long long bits;\n    memcpy(bytes, at, size);\n"
    "    memcpy(&bits, bytes, 8);\n    bits = (long long)((unsigned long long)bits << (64 - 8 * "
    "size));\n"
    "    long long magnitude = (bits & 0x7fffffffffffffff) >> (64 - 8 * size);\n"
    "    return bits < 0 ? -magnitude : magnitude;\n}\n"
    "static int differ(const void *got, const void *want, int lanes, size_t size, int floats, int "
    "off)\n{\n"
    "    for (int i = 0; i < lanes; i++) {\n"
    "        const char *g = (const char *)got + i * size, *w = (const char *)want + i * size;\n"
    "        float gf = 0, wf = 0;\n        double gd = 0, wd = 0;\n"
    "        if (floats && size == 4) { memcpy(&gf, g, 4); memcpy(&wf, w, 4); }\n"
    "        if (floats && size == 8) { memcpy(&gd, g, 8); memcpy(&wd, w, 8); }\n"
    "        if ((isnan(gf) && isnan(wf)) || (isnan(gd) && isnan(wd))) continue;\n"
    "        if (floats && size == 2 && (g[1] & 0x7c) == 0x7c && (w[1] & 0x7c) == 0x7c) continue;\n"
    "        long long apart = off ? place(g, size) - place(w, size) : 0;\n"
    "        if (off && apart <= off && -apart <= off) continue;\n"
    "        if (memcmp(g, w, size)) return 1;\n    }\n    return 0;\n}\n";

// Which compiler makes it, and what runs that (NULL: this machine).
typedef struct {
    const char *cc, *runner;
} Target;

static const Target this_machine = {THIS_CC, NULL}, arm = {"aarch64-linux-gnu-gcc", "qemu-aarch64"};

static bool run_on(const Target *on, const char *program)
{
    return run(on->runner ? (const char *const[]){on->runner, program, NULL}
                          : (const char *const[]){program, NULL});
}

static void compile(const Vectors *t, const char *dir, const char *level, const char *machine,
                    const Target *on)
{
    Arena *arena = t->cx->arena;
    const char *program = arena_printf(arena, "%s/vectors", dir),
               *object = arena_printf(arena, "%s/v.o", dir);
    const char *sanitized =
        strcmp(level, "-O1") ? "-fno-sanitize=all" : "-fsanitize=address,undefined";
    const char *const make[] = {on->cc,
                                "-std=c17",
                                level,
                                machine,
                                "-Wall",
                                "-Wextra",
                                "-Werror",
                                "-Wno-tautological-compare",
                                t->algebra == ALGEBRA_FIELD ? "-Wno-unused-function"
                                                            : "-Wunused-function",
                                "-ffp-contract=off",
                                sanitized,
                                "-fno-sanitize-recover=all",
                                "-c",
                                "-o",
                                object,
                                arena_printf(arena, "%s/vectors.c", dir),
                                NULL};
    if (!run(make)) fail_msg("%s %s does not compile %s/vectors.c", on->cc, machine, dir);
    // the test itself is long, and looked at for places alone
    const char *main = arena_printf(arena, "%s/main.o", dir);
    const char *const test[] = {on->cc, "-w", sanitized, "-fno-sanitize=undefined",
                                "-c",   "-o", main,      arena_printf(arena, "%s/main.c", dir),
                                NULL};
    const char *const link[] = {on->cc, sanitized, on->runner ? "-static" : "-g0",
                                "-o",   program,   main,
                                object, "-lm",     NULL};
    if (!run(test)) fail_msg("%s does not compile %s/main.c", on->cc, dir);
    if (!run(link)) fail_msg("%s does not link %s", on->cc, dir);
    if (!run_on(on, program))
        fail_msg("%s %s %s %s", algebra_text[t->algebra], on->cc, level, machine);
}

// With the instructions of each level that this machine has.
static void compile_resized(const Vectors *t, const char *dir, const Target *on)
{
    if (__builtin_cpu_supports("ssse3")) compile(t, dir, "-O1", "-mssse3", on);
    if (__builtin_cpu_supports("sse4.1")) compile(t, dir, "-O2", "-msse4.1", on);
    if (__builtin_cpu_supports("avx2")) compile(t, dir, "-O1", "-mavx2", on);
    if (__builtin_cpu_supports("avx512f")) compile(t, dir, "-O1", "-mavx512f", on);
    if (__builtin_cpu_supports("avx512vl")) compile(t, dir, "-O1", "-march=skylake-avx512", on);
}

// C compilers take minutes for all: with ALL=1 they compile for every processor, and gcc with
// sanitizers.
static bool all(void)
{
    return getenv("ALL");
}

// By the compiler of the test itself, by gcc for what all machines have and by clang for this one;
// with the vectors and the library of a processor.
static void each_lane_has_its_value(Algebra algebra, const char *cpu, What what, const Target *on)
{
    char dir[] = "/tmp/adze-vectors-XXXXXX";
    assert_non_null(mkdtemp(dir));
    Session *cx = session_new();
    nat_init(cx);
    cx->exact_math = !cpu;
    Cpu gathers = *cx->cpu;
    gathers.costs.gather = 16; // of all vectors by instructions
    cx->cpu = cpu ? cpu_named(cpu) : &gathers;
    Vectors t = {.cx = cx,
                 .algebra = algebra,
                 .main = text_new(cx->arena),
                 .functions = what == FUNCTIONS,
                 .lanes = LANES,
                 .seed = 5};
    text_put(&t.main, before_main);
    text_put(&t.main, "int main(void)\n{\n    int bad = 0;\n");
    for (int s = 0; s < SCALAR_COUNT; s++) {
        if (what == BITS) add_bits(&t, (Scalar)s);
        if (what == RESIZED) add_resized(&t, (Scalar)s);
        if (what == RESIZED) continue;
        if (what != FUNCTIONS) add_moved(&t, (Scalar)s);
        if (what != FUNCTIONS) add_permuted(&t, (Scalar)s);
        if (what == MOVED || what == BITS) continue;
        add_prims(&t, (Scalar)s);
        if (what == FUNCTIONS) continue;
        add_casts(&t, (Scalar)s);
        if (s == SCALAR_F32 || s == SCALAR_F64) add_known_casts(&t, (Scalar)s);
        add_selects(&t, (Scalar)s);
        add_memory(&t, (Scalar)s);
        add_shuffles(&t, (Scalar)s);
    }
    if (what == ALL) add_others(&t);
    text_put(&t.main, "    return bad;\n}\n");
    Text source = text_new(cx->arena), header = text_new(cx->arena);
    EmitOptions options = {.prefix = "adze_", .field = algebra == ALGEBRA_FIELD};
    emit_c(cx, &source, &header, "vectors.h", t.entries.at, t.entries.len, &options);
    write_file(arena_printf(cx->arena, "%s/vectors.c", dir), text_get(&source));
    write_file(arena_printf(cx->arena, "%s/vectors.h", dir), text_get(&header));
    write_file(arena_printf(cx->arena, "%s/main.c", dir), text_get(&t.main));
    bool clang = strcmp(THIS_CC, "clang") == 0;
    if (what == MOVED)
        compile(&t, dir, "-O2", "-march=haswell", on);
    else if (what == RESIZED && cpu)
        compile_resized(&t, dir, on);
    else if (what == BITS && __builtin_cpu_supports("avx512vl"))
        compile(&t, dir, "-O2", "-march=skylake-avx512", on);
    else if (on->runner || !clang)
        compile(&t, dir, on->runner || !all() ? "-O2" : "-O1", "-mtune=generic", on);
    else
        compile(&t, dir, "-O2", "-march=native", on);
    run((const char *const[]){"rm", "-rf", dir, NULL});
    session_delete(cx);
}

static void as_ieee_numbers(void **state)
{
    (void)state;
    each_lane_has_its_value(ALGEBRA_IEEE, NULL, ALL, &this_machine);
}

// Sanitizers see in numbers of IEEE all there is to see.
static void as_field_elements(void **state)
{
    (void)state;
    if (SANITIZED || !all()) return;
    each_lane_has_its_value(ALGEBRA_FIELD, "v4", ALL, &this_machine);
}

static bool is_there(const char *program)
{
    return run((const char *const[]){"sh", "-c", "command -v \"$0\" >/dev/null", program, NULL});
}

// NEON, where there is a compiler for it, and what runs that.
static void by_another_machine(void **state)
{
    (void)state;
    if (SANITIZED || !is_there(arm.cc) || !is_there(arm.runner)) skip();
    each_lane_has_its_value(ALGEBRA_IEEE, "aarch64", ALL, &arm);
    if (all()) each_lane_has_its_value(ALGEBRA_FIELD, "aarch64", ALL, &arm);
}

// 8 lanes of f32 and f64 are one vector or two of the library, or up to four.
static void by_the_library(void **state)
{
    (void)state;
    static const char *const cpus[] = {"v1", "v3", "v4", "portable"};
    for (size_t i = 0; i < sizeof cpus / sizeof *cpus; i++)
        if (all() || strcmp(cpus[i], SANITIZED ? "v3" : "v4") == 0)
            each_lane_has_its_value(ALGEBRA_IEEE, cpus[i], FUNCTIONS, &this_machine);
}

// By AVX2, which has no instruction for that, with and without pext.
static void lanes_are_moved(void **state)
{
    (void)state;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) skip();
    each_lane_has_its_value(ALGEBRA_IEEE, "v3", MOVED, &this_machine);
    if (all()) each_lane_has_its_value(ALGEBRA_IEEE, "zen2", MOVED, &this_machine);
}

// By the registers for masks of AVX-512, with packed stores in a register and to memory. Without
// such registers both are the same.
static void masks_are_bits(void **state)
{
    (void)state;
    each_lane_has_its_value(ALGEBRA_IEEE, "v4", BITS, &this_machine);
    if (!__builtin_cpu_supports("avx512vl") || !all()) return;
    each_lane_has_its_value(ALGEBRA_IEEE, "spr", BITS, &this_machine);
}

static void integers_change_size(void **state)
{
    (void)state;
    each_lane_has_its_value(ALGEBRA_IEEE, "v4", RESIZED, &this_machine);
    if (SANITIZED || !is_there(arm.cc) || !is_there(arm.runner)) return;
    each_lane_has_its_value(ALGEBRA_IEEE, NULL, RESIZED, &arm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_ieee_numbers),      cmocka_unit_test(as_field_elements),
        cmocka_unit_test(by_another_machine),   cmocka_unit_test(by_the_library),
        cmocka_unit_test(lanes_are_moved),      cmocka_unit_test(masks_are_bits),
        cmocka_unit_test(integers_change_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
