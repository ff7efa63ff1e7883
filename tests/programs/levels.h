// Runs entries on random arguments at all levels of the compiler, down to compiled C, and compares
// the results with those of the reference, the interpreter of Core.
#ifndef ADZE_TESTS_LEVELS_H
#define ADZE_TESTS_LEVELS_H

#include <stdarg.h>
#include <time.h>

#include "programs/pipeline.h"
#include "programs/values.h"

enum {
    FUEL = 400000, // steps of the interpreter for one case; cases that need more are left out
    FUEL_BELOW = 10000000, // the levels below count other steps
    ROOM = 4000,           // scalars in all arguments of a case
    GUARD = 64,            // bytes around outputs
    REPORTS = 3            // of failures, for one entry
};

/// The levels that are compared, from the reference down.
enum { AT_CORE, AT_FLAT, AT_LOW, AT_DPIA, AT_LOOPS, AT_C = AT_LOOPS + LOOP_STAGES, LEVELS };
static inline const char *level_text(int level)
{
    static const char *const above[] = {"core", "flat", "low", "dpia"};
    if (level < AT_LOOPS) return above[level];
    return level == AT_C ? "compiled C" : loop_passes[level - AT_LOOPS].name;
}
static const char *const algebra_text[] = {[ALGEBRA_IEEE] = "ieee", [ALGEBRA_FIELD] = "exact"};

typedef int Call(const int64_t *sizes, void *const *buffers);
typedef const char *Message(int status);

/// An entry at all levels.
typedef struct {
    const File *file;
    Stages stages;
    Call *call[2]; // by Algebra
    Message *message[2];
    int compared, failing, left_out, reports;
    clock_t slowest; // the longest that a level took for a case
} Entry;

/// One choice of sizes and arguments.
typedef struct {
    Entry *entry;
    Arena *arena;
    NodeBinding *generics;
    int64_t *sizes; // one for each generic of the entry
    Value *args[2]; // by Algebra
    bool bad_index; // some idx argument is out of range
    bool any_error; // if several errors occur, any of them may be reported
    Algebra algebra;
    int level;
    Outcome outcome;
    Value result;
    Text printed, expected; // by this level, by the reference
    int saved_stderr;
} Case;

static char *last_case; // shared with the parent: what ran when the process died
enum { LAST_CASE = 4096 };

// --- compiled code -----------------------------------------------------------------------------

static inline int64_t size_value(Session *cx, Node *size, const NodeBinding *generics, int n)
{
    int64_t value;
    return nat_is_const(node_replace_names(cx, size, generics, n), &value) ? value : -1;
}

static const Algebra *only_in; // the algebra in which programs for a device are compared

// Field elements take the same paths through the code as IEEE numbers, so that with sanitizers the
// latter suffice.
static inline bool is_compared(Algebra algebra)
{
    if (only_in) return algebra == *only_in;
    return !SANITIZED || algebra == ALGEBRA_IEEE;
}

// Outputs lie between guard bytes, except where AddressSanitizer finds writes outside of a block.
static inline char *buffer_new(size_t bytes, bool guarded)
{
    size_t guard = guarded ? GUARD : 0;
    char *block = malloc(bytes + 2 * guard);
    if (!block) abort();
    memset(block, 0xa5, bytes + 2 * guard);
    return block + guard;
}

static inline bool buffer_free(char *data, size_t bytes, bool guarded)
{
    size_t guard = guarded ? GUARD : 0;
    char *block = data - guard;
    bool whole = true;
    for (size_t i = 0; i < guard; i++)
        whole = whole && block[i] == (char)0xa5 && data[bytes + i] == (char)0xa5;
    free(block);
    return whole;
}

// The code in a message "file:line:column: error E0601: ...".
static inline DiagCode code_in(const char *message)
{
    const char *at = message ? strstr(message, "error E") : NULL;
    for (int code = 0; at && code < DIAG_COUNT; code++)
        if (strncmp(at + 6, diag_name((DiagCode)code), 5) == 0) return (DiagCode)code;
    return DIAG_COUNT;
}

// Finds the argument that a parameter is part of (number e->nsource: the result) and which leaf of
// it the parameter is. Returns the type of that argument.
static inline Node *leaf_owner(const LoopEntry *e, int param, int *source, int *leaf)
{
    *leaf = 0;
    for (*source = 0; *source <= e->nsource; ++*source) {
        Node *type = *source < e->nsource ? e->source[*source].type : e->result;
        int n = count_leaves(type);
        if (param < n) {
            *leaf = param;
            return type;
        }
        param -= n;
    }
    return NULL;
}

// --- what is printed ----------------------------------------------------------------------------

static inline bool prints(const LoopEntry *e)
{
    for (int i = 0; i < e->callees.len; i++)
        if (core_print_step_of(e->callees.at[i]->name) != PRINT_COUNT) return true;
    return false;
}

static inline void collect(void *env, const char *line, size_t len)
{
    Case *c = env;
    text_add(&c->printed, line, len);
}

// Redirects standard error, to which compiled code prints, to a file until printed_end.
static inline FILE *printed_begin(Case *c)
{
    FILE *file = tmpfile();
    if (!file) abort();
    fflush(stderr);
    c->saved_stderr = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    return file;
}

static inline void printed_end(Case *c, FILE *file)
{
    char buffer[4096];
    fflush(stderr);
    dup2(c->saved_stderr, STDERR_FILENO);
    close(c->saved_stderr);
    rewind(file);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
        text_add(&c->printed, buffer, n);
    fclose(file);
}

static inline int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static inline const char *sorted_lines(Arena *arena, const char *text)
{
    VEC(char *) lines = {0};
    Text out = text_new(arena);
    for (const char *end; (end = strchr(text, '\n')); text = end + 1)
        vec_push(arena, &lines, arena_strndup(arena, text, (size_t)(end - text)));
    if (lines.len) qsort(lines.at, (size_t)lines.len, sizeof *lines.at, by_text);
    for (int i = 0; i < lines.len; i++) text_printf(&out, "%s\n", lines.at[i]);
    return text_get(&out);
}

// Whether the level has printed the lines of the reference. Threads print in any order.
static inline bool same_lines(const Case *c, const char **want, const char **found)
{
    LoopEntry *loop = c->entry->stages.loops[LOOPS_DONE];
    *want = text_get(&c->expected);
    *found = text_get(&c->printed);
    if (strcmp(*want, *found) == 0) return true;
    if (c->level != AT_C || !loops_any_parallel(&loop, 1)) return false;
    *want = sorted_lines(c->arena, *want);
    *found = sorted_lines(c->arena, *found);
    return strcmp(*want, *found) == 0;
}

static inline bool run_compiled(Case *c)
{
    Entry *e = c->entry;
    const LoopEntry *loop = e->stages.loops[LOOPS_DONE];
    int np = loop->params.len, ng = e->stages.core->generics.len, source, leaf;
    char **buffers = ARENA_ARRAY(c->arena, char *, np + 1);
    size_t *bytes = ARENA_ARRAY(c->arena, size_t, np + 1);
    int64_t *sizes = ARENA_ARRAY(c->arena, int64_t, ng + 1), room = 1000000;
    for (int i = 0; i < loop->sizes.len; i++)
        for (int k = 0; k < ng; k++)
            if (e->stages.core->generics.at[k].name == loop->sizes.at[i]) sizes[i] = c->sizes[k];
    Node *result_type = node_replace_names(e->stages.cx, loop->result, c->generics, ng);
    bool shaped = blank_value(c->arena, result_type, &room, &c->result);
    for (int i = 0; i < np; i++) {
        const LoopParam *p = &loop->params.at[i];
        int64_t count = p->rank == 0 ? 1 : size_value(e->stages.cx, p->count, c->generics, ng);
        if (count < 0 || (p->output && !shaped)) count = 0; // sizes that the entry refuses
        bytes[i] = (size_t)(count * leaf_bytes(p->scalar, c->algebra));
        buffers[i] = buffer_new(bytes[i], p->output && !SANITIZED);
        if (p->output) continue;
        Node *type = leaf_owner(loop, i, &source, &leaf);
        char *at = buffers[i];
        move_leaf(type, leaf, c->algebra, &c->args[c->algebra][source], &at, false);
        assert_int_equal(at - buffers[i], bytes[i]);
    }
    FILE *printed = prints(loop) ? printed_begin(c) : NULL;
    int status = e->call[c->algebra](sizes, (void *const *)buffers);
    if (printed) printed_end(c, printed);
    c->outcome = (Outcome){.ok = status == 0};
    if (status) {
        c->outcome.text = e->message[c->algebra](status);
        c->outcome.code = code_in(c->outcome.text);
    }
    bool whole = true;
    for (int i = 0; i < np; i++) {
        const LoopParam *p = &loop->params.at[i];
        char *at = buffers[i];
        Node *type = leaf_owner(loop, i, &source, &leaf);
        if (p->output && shaped && status == 0)
            move_leaf(type, leaf, c->algebra, &c->result, &at, true);
        whole = buffer_free(buffers[i], bytes[i], p->output && !SANITIZED) && whole;
    }
    return whole;
}

// --- one level ---------------------------------------------------------------------------------

static inline bool same_outcome(const Case *c, const Outcome *a, const Outcome *b)
{
    if (a->ok || b->ok) return a->ok == b->ok;
    return a->code == b->code ||
           (c->any_error && diag_is_of_run(a->code) && diag_is_of_run(b->code));
}

static inline Value trimmed(const Case *c, const Value *result)
{
    const Stages *s = &c->entry->stages;
    Node *type = node_replace_names(s->cx, s->core->result, c->generics, s->core->generics.len);
    return value_trim(c->arena, result, type);
}

// Runs the same loops on arrays with other strides: with gaps, and backwards.
static inline void run_strided(Case *c, const Value *args, int64_t fuel)
{
    static const int64_t steps[] = {1, 2, -1, -3};
    Stages *s = &c->entry->stages;
    for (int i = 0; i < 4; i++) {
        Value result = {0};
        Outcome o = loops_eval_strided(s->cx, c->arena, s->strided[c->level - AT_LOOPS], c->sizes,
                                       args, steps[i], c->algebra, fuel, &result);
        Value here = o.ok ? trimmed(c, &result) : result,
              base = o.ok ? trimmed(c, &c->result) : here;
        if (same_outcome(c, &o, &c->outcome) && (!o.ok || value_equal(&here, &base))) continue;
        const char *text = arena_printf(c->arena, "with elements %d apart: %s", (int)steps[i],
                                        o.ok ? "another result" : o.text);
        c->outcome = (Outcome){.text = text, .code = DIAG_COUNT};
        return;
    }
}

static inline void run_level(void *env)
{
    Case *c = env;
    Stages *s = &c->entry->stages;
    const Value *args = c->args[c->algebra];
    int ng = s->core->generics.len;
    int64_t fuel = c->level == AT_CORE ? FUEL : FUEL_BELOW;
    const Function *f = c->level == AT_CORE ? s->core : c->level == AT_FLAT ? s->flat : s->low;
    c->result = (Value){0};
    c->printed = text_new(c->arena);
    s->cx->print = collect;
    s->cx->print_env = c;
    s->cx->line.len = 0;
    s->cx->message = NULL;
    s->cx->pass = level_text(c->level);
    switch (c->level) {
    case AT_CORE:
    case AT_FLAT:
    case AT_LOW:
        c->outcome = core_eval(s->cx, c->arena, c->level == AT_CORE ? s->program : NULL, f,
                               c->generics, ng, args, c->algebra, fuel, &c->result);
        break;
    case AT_DPIA:
        c->outcome =
            dpia_eval(s->cx, c->arena, s->phrase, c->sizes, args, c->algebra, fuel, &c->result);
        break;
    case AT_C:
        if (!run_compiled(c))
            c->outcome = (Outcome){.text = "it wrote outside of its output", .code = DIAG_COUNT};
        break;
    default:
        c->outcome = loops_eval(s->cx, c->arena, s->loops[c->level - AT_LOOPS], c->sizes, args,
                                c->algebra, fuel, &c->result);
        if (s->strided[0]) run_strided(c, args, fuel);
        break;
    }
    if (c->outcome.ok) c->result = trimmed(c, &c->result);
}

// Runs a level; false after a fault.
static inline bool level_ran(Case *c)
{
    clock_t start = clock();
    bool sound = guarded(c->entry->stages.cx, run_level, c);
    clock_t took = clock() - start;
    if (took > c->entry->slowest) c->entry->slowest = took;
    return sound;
}

static inline void describe_outcome(Text *out, const Outcome *o)
{
    if (o->ok)
        text_put(out, "succeeds");
    else
        text_printf(out, "fails with %s (%s)",
                    o->code < DIAG_COUNT ? diag_name(o->code) : "no known code",
                    o->text ? o->text : "");
}

// "pads.adz, entry mirror, n = 3, m = 2 (ieee)", and a line "  xs = [1.0, 2.0]" for each argument.
static inline void describe_case(Text *out, const Case *c)
{
    const Stages *s = &c->entry->stages;
    text_printf(out, "%s, entry %s", c->entry->file->path, s->core->name->text);
    for (int i = 0; i < s->core->generics.len; i++)
        text_printf(out, ", %s = %" PRId64, s->core->generics.at[i].name->text, c->sizes[i]);
    text_printf(out, " (%s)\n", algebra_text[c->algebra]);
    for (int i = 0; i < s->core->params.len; i++) {
        Node *type = node_replace_names(s->cx, s->core->params.at[i].type, c->generics,
                                        s->core->generics.len);
        text_printf(out, "  %s = ", s->core->params.at[i].name->text);
        value_print(s->cx, out, &c->args[ALGEBRA_IEEE][i], type, 40);
        text_char(out, '\n');
    }
}

static inline void report(Case *c, const char *format, ...)
{
    Entry *e = c->entry;
    if (e->reports++ >= REPORTS) return;
    Text out = text_new(c->arena);
    text_put(&out, "FAIL ");
    describe_case(&out, c);
    text_printf(&out, "  %s ", level_text(c->level));
    fprintf(stderr, "%s", text_get(&out));
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n");
}

// Runs a level and compares its outcome with that of the reference.
static inline bool agrees(Case *c, int level, Algebra algebra, const Outcome *want,
                          const Value *result, Node *type)
{
    Stages *s = &c->entry->stages;
    c->level = level;
    if (!level_ran(c)) {
        report(c, "has a fault:\n%s", take_diagnostics(s->cx));
        return false;
    }
    Text text = text_new(c->arena);
    if (!same_outcome(c, &c->outcome, want)) {
        describe_outcome(&text, &c->outcome);
        text_put(&text, ", and should be: ");
        describe_outcome(&text, want);
        report(c, "%s", text_get(&text));
        return false;
    }
    if (!want->ok) return true;
    text_put(&text, "result");
    if (!same_value(s->cx, type, algebra, result, &c->result, &text)) {
        report(c, "differs: %s", text_get(&text));
        return false;
    }
    const char *lines, *found;
    if (same_lines(c, &lines, &found)) return true;
    report(c, "prints\n%s  and should print\n%s", found, lines);
    return false;
}

// Compares all levels on one case in one algebra; false if the reference runs out of fuel. With
// sanitizers only flat Core and the compiled C: without them all are compared, on the same cases.
static inline bool compare_levels(Case *c, Algebra algebra)
{
    Stages *s = &c->entry->stages;
    c->algebra = algebra;
    c->level = AT_CORE;
    if (!level_ran(c)) {
        report(c, "has a fault:\n%s", take_diagnostics(s->cx));
        return true;
    }
    Outcome want = c->outcome;
    Value result = c->result;
    c->expected = c->printed;
    if (!want.ok && want.code == E0605) return false;
    c->entry->failing += !want.ok && algebra == ALGEBRA_IEEE;
    Node *type = node_replace_names(s->cx, s->core->result, c->generics, s->core->generics.len);
    for (int level = AT_FLAT; level < LEVELS; level++) {
        if (level == AT_C && !c->entry->call[algebra]) break;
        if (c->bad_index && level != AT_C)
            continue; // only callers from outside can give such arguments
        if (SANITIZED && level > AT_FLAT && level < AT_C) continue;
        if (level > AT_LOOPS && level < AT_C &&
            is_unchanged(s->loops[level - AT_LOOPS - 1], s->loops[level - AT_LOOPS]))
            continue;
        if (!agrees(c, level, algebra, &want, &result, type)) break;
    }
    return true;
}

// --- cases -------------------------------------------------------------------------------------

// Puts one idx of the value out of range; false when it has none.
static inline bool spoil_index(Session *cx, Random *r, Node *type, Value *v)
{
    if (type->kind == TYPE_IDX) {
        int64_t n = 0;
        nat_is_const(type->op[0], &n);
        v->bits = (uint64_t)(random_below(r, 2) ? n : -1);
        return true;
    }
    if (type_has_elements(type))
        return v->count > 0 &&
               spoil_index(cx, r, type->op[1], &v->parts[random_below(r, v->count)]);
    for (uint32_t i = 0; type->kind != TYPE_SCALAR && i < type->nops; i++)
        if (spoil_index(cx, r, type->op[i], &v->parts[i])) return true;
    return false;
}

// Draws the arguments, the same numbers in both algebras; false if there are none for these sizes.
static inline bool draw_arguments(Case *c, Random seed, Style style, bool spoil)
{
    const Function *f = c->entry->stages.core;
    Session *cx = c->entry->stages.cx;
    int n = f->params.len;
    for (int a = 0; a < 2; a++) {
        Random r = seed;
        int64_t room = ROOM;
        bool spoilt = !spoil;
        c->args[a] = ARENA_ARRAY(c->arena, Value, n + 1);
        for (int i = 0; i < n; i++) {
            Node *type = node_replace_names(cx, f->params.at[i].type, c->generics, f->generics.len);
            bool extreme = style == STYLE_EXTREME && type_is_integer(type); // may bound loops
            Style drawn = extreme ? STYLE_MOSTLY_EXTREME : style;
            if (!random_value(c->arena, &r, type, drawn, (Algebra)a, &room, &c->args[a][i]))
                return false;
            spoilt = spoilt || spoil_index(cx, &r, type, &c->args[a][i]);
        }
        if (!spoilt) return false;
    }
    c->bad_index = spoil;
    return true;
}

static inline void run_case(Entry *e, const int64_t *sizes, Random seed, Style style, bool spoil)
{
    Session *cx = e->stages.cx;
    int ng = e->stages.core->generics.len;
    Case c = {.entry = e, .arena = arena_new()};
    c.sizes = ARENA_ARRAY(c.arena, int64_t, ng + 1);
    c.generics = ARENA_ARRAY(c.arena, NodeBinding, ng + 1);
    for (int i = 0; i < ng; i++) {
        c.sizes[i] = sizes[i];
        c.generics[i] = (NodeBinding){e->stages.core->generics.at[i].name, nat_const(cx, sizes[i])};
    }
    bool drawn = draw_arguments(&c, seed, style, spoil);
    if (drawn) {
        Text text = text_new(c.arena);
        describe_case(&text, &c);
        snprintf(last_case, LAST_CASE, "%s", text_get(&text));
    }
    bool ran = drawn;
    if (is_compared(ALGEBRA_FIELD)) ran = ran && compare_levels(&c, ALGEBRA_FIELD);
    if (is_compared(ALGEBRA_IEEE)) ran = ran && compare_levels(&c, ALGEBRA_IEEE);
    e->compared += ran;
    e->left_out += !ran && !spoil;
    arena_delete(c.arena);
}

static inline bool sizes_hold(const Entry *e, const int64_t *sizes)
{
    const Function *f = e->stages.flat;
    NodeBinding with[16];
    int n = f->generics.len;
    for (int i = 0; i < n; i++)
        with[i] = (NodeBinding){f->generics.at[i].name, nat_const(e->stages.cx, sizes[i])};
    for (int i = 0; i < f->checks.len; i++) {
        const SizeCheck *k = &f->checks.at[i];
        int64_t l = size_value(e->stages.cx, k->left, with, n),
                r = size_value(e->stages.cx, k->right, with, n);
        if (k->relation == SIZE_EQ ? l != r : k->relation == SIZE_LE ? l > r : l == r) return false;
    }
    return true;
}

// Draws sizes at random; three times of four they fulfil the conditions of the entry, if some are
// found that do.
static inline void draw_sizes(const Entry *e, Random *r, int64_t *sizes)
{
    static const int64_t choice[] = {0, 1, 2, 3, 5, 7, 13};
    int n = e->stages.core->generics.len;
    for (int i = 0; i < n; i++) sizes[i] = choice[random_below(r, 7)];
    if (random_below(r, 4) == 0) return;
    for (int tries = 0; tries < 60 && !sizes_hold(e, sizes); tries++)
        for (int i = 0; i < n; i++) sizes[i] = random_below(r, 14);
}

static inline void run_cases(Entry *e)
{
    static const int64_t equal[] = {0, 1, 2, 3, 5, 7, 13};
    int n = e->stages.core->generics.len;
    assert_in_range(n, 0, 15);
    Random r = {e->stages.core->name->hash};
    int equals = n ? 7 : 0, more = n == 0 ? 20 : n == 1 ? 6 : 12;
    for (int i = 0; i < equals + more; i++) {
        int64_t sizes[16];
        for (int k = 0; k < n; k++) sizes[k] = i < equals ? equal[i] : 0;
        if (i >= equals) draw_sizes(e, &r, sizes);
        Random seed = {random_next(&r)};
        run_case(e, sizes, seed, i % 3 == 1 ? STYLE_EXTREME : STYLE_SMALL, false);
        if (i % 4 == 3) run_case(e, sizes, seed, STYLE_SMALL, true);
    }
}

#endif
