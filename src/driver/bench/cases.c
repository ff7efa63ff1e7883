// What is timed: the calls of benches, and entries without parameters.
#include "driver/bench/bench.h"

#include <stdlib.h>
#include <string.h>

// --- sizes --------------------------------------------------------------------------------------

// The values that --size NAME=N,... gives to a name.
typedef struct {
    Sym name;
    VEC(int64_t) values;
    bool used;
} Sweep;
typedef VEC(Sweep) Sweeps;

static bool parse_sweep(Session *cx, const char *text, Sweep *s)
{
    const char *equals = strchr(text, '='), *at = equals ? equals + 1 : text;
    int name = equals ? (int)(equals - text) : 0;
    do {
        int len = (int)strcspn(at, ",");
        GivenSize one;
        if (!size_given(cx, "size", arena_printf(cx->arena, "%.*s=%.*s", name, text, len, at),
                        &one))
            return false;
        s->name = one.name;
        vec_push(cx->arena, &s->values, one.value);
        at += len;
    } while (*at++ == ',');
    return true;
}

static bool is_first(Session *cx, const Sweeps *sweeps, Sym name)
{
    for (int i = 0; i < sweeps->len; i++) {
        if (sweeps->at[i].name != name) continue;
        Diag *x = diag_error(cx, E0715, NO_SPAN, "--size %s is given twice", name->text);
        diag_help(cx, x, "write all values together, such as --size n=10,1000");
        return false;
    }
    return true;
}

static bool parse_sweeps(Driver *d, Sweeps *out)
{
    const Strings *texts = &d->options.values[OPT_BENCH_SIZE];
    for (int i = 0; i < texts->len; i++) {
        Sweep s = {0};
        if (!parse_sweep(d->cx, texts->at[i], &s) || !is_first(d->cx, out, s.name)) return false;
        vec_push(d->cx->arena, out, s);
    }
    return true;
}

static bool all_used(Session *cx, const Sweeps *sweeps)
{
    for (int i = 0; i < sweeps->len; i++) {
        if (sweeps->at[i].used) continue;
        Diag *x = diag_error(cx, E0715, NO_SPAN, "--size %s: no bench mentions this name",
                             sweeps->at[i].name->text);
        diag_help(cx, x, "name a constant that benches use, as in const n: nat = 1000");
        return false;
    }
    return true;
}

// --- one case -----------------------------------------------------------------------------------

// The term under the lets, with the tuple of the arguments in place of the call at their end.
static Node *with_arguments(Session *cx, Node *e)
{
    if (e->kind == CORE_LET)
        return core_let(cx, e->names ? e->names[0] : NULL, e->op[0], with_arguments(cx, e->op[1]));
    return core_tuple(cx, (int)e->nops - 1, e->op + 1, NULL);
}

// Returns the entry that the call at the end of the body calls with arguments that are data, at
// sizes that are numbers; NULL if the body ends otherwise.
static const Function *entry_called(const Program *p, Node *e, Node **call)
{
    while (e->kind == CORE_LET) e = e->op[1];
    Node *callee = e->kind == CORE_APP ? e->op[0] : NULL;
    const Function *f = callee && callee->kind == CORE_GLOBAL
                            ? map_get(&p->by_name, MAP_KEY(callee->attr.sym))
                            : NULL;
    if (!f || !f->entry) return NULL;
    for (uint32_t i = 0; i < callee->nops; i++)
        if (!nat_is_const(callee->op[i], &(int64_t){0})) return NULL;
    for (uint32_t i = 1; i < e->nops; i++)
        if (!type_is_data(e->op[i]->type)) return NULL;
    *call = e;
    return f;
}

static void set_sizes(Session *cx, BenchCase *c, const Function *f, const Node *callee)
{
    c->sizes = ARENA_ARRAY(cx->arena, int64_t, c->loop->sizes.len + 1);
    for (int i = 0; i < c->loop->sizes.len; i++)
        for (int k = 0; k < f->generics.len; k++)
            if (f->generics.at[k].name == c->loop->sizes.at[i])
                (void)nat_is_const(callee->op[k], &c->sizes[i]);
}

static Function *named(Session *cx, const Function *f, const char *name, int k)
{
    Function *copy = ARENA_NEW(cx->arena, Function);
    *copy = *f;
    copy->name = session_sym(cx, arena_printf(cx->arena, "%s_%d", name, k));
    copy->entry = true;
    return copy;
}

// Lowers the case whose body was inferred as `whole`.
static bool lower_case(Bench *b, BenchCase *c, const Function *whole)
{
    Work *w = &b->work;
    Session *cx = w->cx;
    Node *call = NULL;
    const Function *entry = entry_called(w->program, whole->body, &call);
    if (!entry) {
        c->loop = pipeline_lower(w, named(cx, whole, "bench", b->cases.len + 1)).loop;
        return c->loop != NULL;
    }
    c->entry = entry->name->text;
    c->loop = pipeline_lower(w, program_compiled(w->program, entry)).loop;
    if (!c->loop) return false;
    set_sizes(cx, c, entry, call->op[0]);
    if (call->nops == 1) return true;
    c->arguments = named(cx, whole, "bench_arguments", b->cases.len + 1);
    node_begin(cx);
    c->arguments->body = with_arguments(cx, whole->body);
    c->arguments->result = c->arguments->body->type;
    c->arguments_loop = pipeline_lower(w, c->arguments).loop;
    return c->arguments_loop != NULL;
}

static const char *label_of(Session *cx, const BenchCase *c)
{
    Text t = text_new(cx->arena);
    text_put(&t, c->title);
    for (int i = 0; i < c->given.len; i++)
        text_printf(&t, ", %s = %lld", c->given.at[i].name->text, (long long)c->given.at[i].value);
    return text_get(&t);
}

static bool is_known(const Bench *b, const char *label)
{
    for (int i = 0; i < b->cases.len; i++)
        if (strcmp(b->cases.at[i]->label, label) == 0) return true;
    return false;
}

// The title of the bench at this position in the file, with a number if an earlier one has it, too.
static const char *title_of(Session *cx, const Module *m, int at)
{
    const char *title = m->items.at[at]->string;
    int same = 1;
    for (int i = 0; i < at; i++)
        same += m->items.at[i]->kind == ITEM_BENCH && strcmp(m->items.at[i]->string, title) == 0;
    return same == 1 ? title : arena_printf(cx->arena, "%s (%d)", title, same);
}

// Adds the bench at this position in the file for one choice of the sizes. Each case has a syntax
// tree of its own, since sizes are put into it.
static bool add_case(Bench *b, int at, Sweeps *sweeps, const int *choice)
{
    Session *cx = b->work.cx;
    const Item *item = parse_module(cx, b->work.file)->items.at[at];
    BenchCase *c = ARENA_NEW(b->arena, BenchCase);
    const char *const *paths;
    int npaths;
    c->title = title_of(cx, b->work.module, at);
    for (int i = 0; i < sweeps->len; i++) {
        GivenSize size = {sweeps->at[i].name, sweeps->at[i].values.at[choice[i]]};
        if (!expression_put_size(item->body, &size)) continue;
        sweeps->at[i].used = true;
        vec_push(cx->arena, &c->given, size);
    }
    c->label = label_of(cx, c);
    if (is_known(b, c->label)) return true; // it does not mention the size that changed
    cx->pass = "infer";
    Function *whole = infer_expression(cx, b->work.program, b->work.module, item->body, NULL, NULL,
                                       &paths, &npaths);
    if (!whole || cx->errors || !lower_case(b, c, whole)) return false;
    vec_push(b->arena, &b->cases, c);
    return true;
}

// Adds the bench for each choice of the sizes.
static bool add_bench(Bench *b, int at, Sweeps *sweeps)
{
    int *choice = ARENA_ARRAY(b->work.cx->arena, int, sweeps->len + 1);
    for (;;) {
        if (!add_case(b, at, sweeps, choice)) return false;
        int k = sweeps->len - 1;
        while (k >= 0 && ++choice[k] == sweeps->at[k].values.len) choice[k--] = 0;
        if (k < 0) return true;
    }
}

static bool add_entry(Bench *b, const Function *f)
{
    BenchCase *c = ARENA_NEW(b->arena, BenchCase);
    c->title = c->label = c->entry = f->name->text;
    c->loop = pipeline_lower(&b->work, program_compiled(b->work.program, f)).loop;
    if (c->loop) vec_push(b->arena, &b->cases, c);
    return c->loop != NULL;
}

// --- all cases ----------------------------------------------------------------------------------

static bool is_named(const Strings *names, const char *name)
{
    for (int i = 0; name && i < names->len; i++)
        if (strcmp(names->at[i], name) == 0) return true;
    return names->len == 0;
}

// The name that the call at the end of a bench calls, before it is inferred.
static const char *callee(const Ast *body)
{
    const Ast *e = ast_strip(ast_value_of(body));
    if (e->kind == AST_PIPE) e = e->kids.at[1];
    while (e->kids.len && (e->kind == AST_CALL || e->kind == AST_INDEX)) e = e->kids.at[0];
    return e->kind == AST_NAME ? e->name->text : NULL;
}

static bool is_benched(const Module *m, const char *entry)
{
    for (int i = 0; i < m->items.len; i++) {
        const Item *item = m->items.at[i];
        const char *name = item->kind == ITEM_BENCH ? callee(item->body) : NULL;
        if (name && strcmp(name, entry) == 0) return true;
    }
    return false;
}

static bool nothing_found(Session *cx, const char *path, const Strings *names)
{
    if (names->len) {
        Diag *x = diag_error(cx, E0717, NO_SPAN, "%s has no bench of `%s`", path, names->at[0]);
        diag_help(cx, x,
                  "a name is the title of a bench, or an entry that a bench calls or that "
                  "has no parameters");
    } else {
        Diag *x = diag_error(cx, E0717, NO_SPAN, "%s has nothing to time", path);
        diag_help(cx, x, "add a call of an entry: bench \"title\" { f(arguments) }");
    }
    return false;
}

bool bench_find(Driver *d, Bench *b, const Strings *names)
{
    Session *cx = d->cx;
    const Module *m = b->work.module;
    Sweeps sweeps = {0};
    int n;
    b->arena = d->arena;
    cx->keeps_prints = false;
    if (!parse_sweeps(d, &sweeps)) return false;
    for (int i = 0; i < m->items.len; i++) {
        const Item *item = m->items.at[i];
        bool wanted = item->kind == ITEM_BENCH &&
                      (is_named(names, item->string) || is_named(names, callee(item->body)));
        if (wanted && !add_bench(b, i, &sweeps)) return false;
    }
    const Function **entries = pipeline_functions(&b->work, NULL, &n);
    for (int i = 0; i < n; i++) {
        const Function *f = entries[i];
        bool closed = f->params.len == 0 && f->generics.len == 0;
        if (closed && is_named(names, f->name->text) && !is_benched(m, f->name->text) &&
            !add_entry(b, f))
            return false;
    }
    return b->cases.len ? all_used(cx, &sweeps) : nothing_found(cx, b->work.path, names);
}

// --- arguments ----------------------------------------------------------------------------------

static bool failed(Session *cx, const char *message, const LoopEntry *e, const int64_t *sizes)
{
    Outcome o = outcome_of_message(cx, message);
    outcome_report(cx, &o, e, sizes);
    return false;
}

static bool alloc_outputs(Session *cx, const LoopEntry *e, const int64_t *sizes, AdzeArray *leaves)
{
    Outcome o;
    if (leaves_alloc(cx, e, sizes, true, leaves, &o)) return true;
    outcome_report(cx, &o, e, sizes);
    return false;
}

// Computes the arguments of the call into the buffers that it reads.
static bool compute_arguments(Session *cx, const Bench *b, BenchCase *c)
{
    const LoopEntry *e = c->arguments_loop;
    int n = e->params.len;
    void **buffers = ARENA_ARRAY(cx->arena, void *, n + 1);
    const char *message;
    AdzeArray *leaves = c->leaves + c->nleaves;
    if (!alloc_outputs(cx, e, NULL, leaves)) return false;
    c->nleaves += n;
    for (int i = 0; i < n; i++) buffers[i] = leaves[i].data;
    if (library_invoke(cx, b->library, e, NULL, buffers, &message) != 0)
        return failed(cx, message, e, NULL);
    for (int i = 0; i < n; i++) c->buffers[i] = buffers[i];
    return true;
}

static bool prepare_case(Session *cx, const Bench *b, BenchCase *c)
{
    int n = c->loop->params.len, before = c->arguments_loop ? c->arguments_loop->params.len : 0;
    c->buffers = ARENA_ARRAY(cx->arena, void *, n + before + 1);
    c->leaves = ARENA_ARRAY(b->arena, AdzeArray, n + before + 1);
    c->code = library_entry(cx, b->library, c->loop);
    if (c->arguments_loop && !compute_arguments(cx, b, c)) return false;
    AdzeArray *leaves = c->leaves + c->nleaves;
    if (!alloc_outputs(cx, c->loop, c->sizes, leaves)) return false;
    c->nleaves += n;
    for (int i = 0; i < n; i++)
        if (c->loop->params.at[i].output) c->buffers[i] = leaves[i].data;
    return true;
}

typedef VEC(LoopEntry *) LoopEntries;

// Adds a function to be compiled, unless one of its name was added.
static void add_loop(Session *cx, Map *seen, LoopEntry *e, LoopEntries *loops)
{
    if (!e || map_get(seen, MAP_KEY(e->name))) return;
    map_put(seen, MAP_KEY(e->name), e);
    vec_push(cx->arena, loops, e);
}

bool bench_prepare(Driver *d, Bench *b)
{
    Session *cx = d->cx;
    LoopEntries loops = {0};
    Map seen = map_new(cx->arena);
    for (int i = 0; i < b->cases.len; i++) {
        add_loop(cx, &seen, b->cases.at[i]->loop, &loops);
        add_loop(cx, &seen, b->cases.at[i]->arguments_loop, &loops);
    }
    HostOptions host = driver_host(d);
    b->library = library_build(cx, path_stem(cx->arena, b->work.path), loops.at, loops.len, &host);
    if (!b->library) return false;
    for (int i = 0; i < b->cases.len; i++)
        if (!prepare_case(cx, b, b->cases.at[i])) return false;
    return true;
}

void bench_free(Bench *b)
{
    for (int i = 0; i < b->cases.len; i++)
        leaves_free(b->cases.at[i]->leaves, b->cases.at[i]->nleaves);
    library_close(b->library);
}
