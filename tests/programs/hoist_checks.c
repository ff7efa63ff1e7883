// Nothing is checked in a loop that could stand outside: on the loops of all programs of the tests, the examples, the library and
// the benchmarks. What stays is told by its reason; LIST=1 prints each.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <glob.h>

#include "loops/simplify/simplify.h"
#include "programs/pipeline.h"

// Why a check stays in its loop.
typedef enum {
    OUTSIDE, // it could stand outside
    LOADED, // it is about what is loaded from memory, or changes, or about what such a value chooses
    JUMPED, // the loop may be left before its last round, calls functions, or has a loop that may never end
    CURVED, // the index does not go through its values in equal steps
    REASONS
} Reason;
static const char *const reason_text[] = {
    [OUTSIDE] = "could stand outside",
    [LOADED] = "is about data",
    [JUMPED] = "is not reached in every round",
    [CURVED] = "is not linear in the index",
};

typedef struct {
    Session *cx;
    const File *file;
    const LoopEntry *entry;
    Map defined;      // local -> its declaration
    Map changed;      // locals that are set
    VEC(Node *) path; // statements around, from the innermost loop on
    int loops;
    int *count;
    int outside;
} Visit;

static void find_declarations(Visit *w, Node *s)
{
    if (s->kind == LOOP_DECL) map_put(&w->defined, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s);
    for (uint32_t k = 0; k < s->nops; k++)
        if (loops_is_stmt(s->op[k])) find_declarations(w, s->op[k]);
}

static bool has_load(const Node *e)
{
    if (e->kind == LOOP_LOAD) return true;
    for (uint32_t k = 0; k < e->nops; k++)
        if (has_load(e->op[k])) return true;
    return false;
}

typedef struct {
    Visit *w;
    Map *seen;
    bool found;
} Search;

static bool is_data(Visit *w, Node *e, Map *seen);

static void look(Sym name, void *env)
{
    Search *s = env;
    Node *decl = map_get(&s->w->defined, MAP_KEY(name));
    s->found |= map_get(&s->w->changed, MAP_KEY(name)) != NULL;
    if (decl && !s->found)
        s->found = loops_is_nothing(decl->op[1]) || is_data(s->w, decl->op[1], s->seen);
}

// Whether the value comes from memory, or from what changes, by way of locals too.
static bool is_data(Visit *w, Node *e, Map *seen)
{
    Search s = {w, seen, has_load(e)};
    loops_reads(w->cx, e, seen, look, &s);
    return s.found;
}

static bool is_about_data(Visit *w, Node *e)
{
    Map seen = map_new(w->cx->arena);
    return is_data(w, e, &seen);
}

static bool leaves(Node *s, Map *labels)
{
    if (s->kind == LOOP_CALL || s->kind == LOOP_FOREVER || s->kind == LOOP_SPAWN) return true;
    if (s->kind == LOOP_SYNC) return true;
    if (s->kind == LOOP_JUMP) return !map_get(labels, MAP_KEY(s->attr.sym));
    if (s->kind == LOOP_LABEL) map_put(labels, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s);
    for (uint32_t k = 0; k < s->nops; k++)
        if (loops_is_stmt(s->op[k]) && leaves(s->op[k], labels)) return true;
    return false;
}

// Whether every size in the condition grows by the same in each round.
static bool is_linear(Visit *w, Node *e, Node *index)
{
    if (e->kind == CORE_NAT) {
        NodeBinding next = {index->attr.sym, nat_add(w->cx, index, nat_const(w->cx, 1))};
        Node *after = node_replace_names(w->cx, e->op[0], &next, 1);
        return !nat_occurs(nat_sub(w->cx, after, e->op[0]), index);
    }
    bool product = e->kind == CORE_PRIM && e->attr.i == PRIM_MUL;
    if (product || e->kind == CORE_CAST ||
        (e->kind == LOOP_VAR && map_get(&w->defined, MAP_KEY(e->attr.sym))))
        return false;
    for (uint32_t k = 0; k < e->nops; k++)
        if (!is_linear(w, e->op[k], index)) return false;
    return true;
}

static bool is_comparison(Node *e)
{
    if (e->kind != CORE_PRIM) return false;
    switch ((Prim)e->attr.i) {
    case PRIM_LT:
    case PRIM_LE:
    case PRIM_GT:
    case PRIM_GE: return true;
    case PRIM_AND: return is_comparison(e->op[0]) && is_comparison(e->op[1]);
    default: return false;
    }
}

// Whether the condition is about locals of the loop body, whose values are not looked at here.
static void look_for_local(Sym name, void *env)
{
    Search *s = env;
    s->found |= map_get(&s->w->defined, MAP_KEY(name)) != NULL;
}

static bool is_about_locals(Visit *w, Node *e)
{
    Map seen = map_new(w->cx->arena);
    Search s = {w, &seen, false};
    loops_reads(w->cx, e, &seen, look_for_local, &s);
    return s.found;
}

static Reason reason(Visit *w, Node *check)
{
    Node *loop = w->path.at[0];
    Map labels = map_new(w->cx->arena);
    if (is_about_data(w, check->op[0])) return LOADED;
    for (int k = 1; k < w->path.len; k++)
        if (w->path.at[k]->kind == LOOP_IF && is_about_data(w, w->path.at[k]->op[0])) return LOADED;
    if (loop->kind == LOOP_FOREVER || leaves(loops_body(loop), &labels)) return JUMPED;
    Node *index = nat_var(w->cx, loop->attr.sym);
    for (int k = 1; k <= w->path.len; k++) {
        bool last = k == w->path.len;
        Node *c = last ? check->op[0] : w->path.at[k]->op[0];
        if (!last && w->path.at[k]->kind != LOOP_IF) continue;
        if (!is_comparison(c) || !is_linear(w, c, index) || is_about_locals(w, c)) return CURVED;
    }
    return OUTSIDE;
}

static void tell(Visit *w, Node *check, Reason r)
{
    int row = 0, column = 0;
    w->count[r]++;
    w->outside += r == OUTSIDE;
    if (r != OUTSIDE && !getenv("LIST")) return;
    if (check->origin.file)
        session_position(w->cx, check->origin.file, check->origin.lo, &row, &column);
    Text t = text_new(w->cx->arena);
    term_print(w->cx, &t, check, NULL, 0, 0);
    fprintf(stderr, "%s, %s, %d:%d: %s %s\n", w->file->path, w->entry->name->text, row, column,
            text_get(&t), reason_text[r]);
}

static void walk(Visit *w, Node *s)
{
    int around = w->path.len;
    Node **outer = w->path.at;
    bool loop = loops_is_counted(s) || s->kind == LOOP_FOREVER;
    if (s->kind == LOOP_CHECK && w->loops) tell(w, s, reason(w, s));
    if (loop) {
        w->path.at = NULL;
        w->path.len = w->path.cap = 0;
        w->loops++;
    }
    if (w->loops) vec_push(w->cx->arena, &w->path, s);
    for (uint32_t k = 0; k < s->nops; k++)
        if (loops_is_stmt(s->op[k])) walk(w, s->op[k]);
    w->loops -= loop;
    if (loop) {
        w->path.at = outer;
        w->path.cap = around;
    }
    w->path.len = around;
}

static int look_through(const File *f, const LoopEntry *e, int *count)
{
    Visit w = {.cx = f->cx,
               .file = f,
               .entry = e,
               .defined = map_new(f->cx->arena),
               .changed = map_new(f->cx->arena),
               .count = count};
    if (e->external) return 0;
    find_declarations(&w, e->body);
    loops_changed(e->body, &w.changed);
    walk(&w, e->body);
    for (int k = 0; k < e->callees.len; k++) w.outside += look_through(f, e->callees.at[k], count);
    return w.outside;
}

// How many checks of the program could stand outside after the pass.
static int look_through_program(const char *path, const char *text, int stage, int *count)
{
    File f = read_program(path, text);
    int outside = f.program ? 0 : 1;
    for (int i = 0; f.program && i < f.program->functions.len; i++) {
        const Function *entry = f.program->functions.at[i];
        if (!entry->entry) continue;
        Stages s = run_stages(&f, entry);
        outside += s.done ? look_through(&f, s.loops[stage], count) : 1;
        if (s.done) emit_text(f.cx, &s.loops[LOOPS_DONE], 1, false, NULL, "entry.h");
    }
    session_delete(f.cx);
    return outside;
}

// Under sanitizers two programs take as long as all others.
static bool is_too_long(const char *path)
{
    return SANITIZED &&
           (strstr(path, "filters/poisson") || strstr(path, "filters/local_laplacian"));
}

static void nothing_could_stand_outside(void **state)
{
    (void)state;
    // The programs of the tests go through all stages in other tests as well.
    static const char *const places[] = {"examples/*.adz",  "examples/*/*.adz",
                                         "lib/std/*.adz",   "bench/*/*.adz",
                                         "bench/*/*/*.adz", "tests/programs/*.adz"};
    size_t last = sizeof places / sizeof *places - SANITIZED;
    glob_t found = {0};
    const char *only = getenv("ONLY");
    int count[REASONS] = {0}, outside = 0;
    for (size_t i = 0; i < last; i++) glob(places[i], i ? GLOB_APPEND : 0, NULL, &found);
    size_t step = only || getenv("ALL") ? 1 : 4;
    for (size_t i = 0; i < found.gl_pathc; i += step)
        if (only ? strstr(found.gl_pathv[i], only) != NULL : !is_too_long(found.gl_pathv[i]))
            outside += look_through_program(found.gl_pathv[i], NULL, LOOPS_DONE, count);
    globfree(&found);
    for (int r = 0; r < REASONS; r++)
        fprintf(stderr, "%d in a loop: %s\n", count[r], reason_text[r]);
    assert_int_equal(outside, 0);
}

// What is looked for is there before the pass.
static void it_is_seen(void **state)
{
    (void)state;
    static const char shift[] = "entry fn f[n, m, k: nat](ys: [m]i32, zs: [k]i32) -> [n]i32 { "
                                "generate(n, |i| ys[i64(i) + k]) }";
    int count[REASONS] = {0};
    assert_int_equal(look_through_program("shift", shift, AFTER_hoist_checks - 1, count), 1);
    assert_int_equal(look_through_program("shift", shift, AFTER_hoist_checks, count), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_seen),
        cmocka_unit_test(nothing_could_stand_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
