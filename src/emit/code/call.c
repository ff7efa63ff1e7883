// The functions that an entry calls: their C names, parameters and results, whether they may fail,
// and calls to them.
#include "emit/code/code.h"

#include <string.h>

CFunction *function_of(Emitter *e, Sym name)
{
    CFunction *f = map_get(&e->functions, MAP_KEY(name));
    CHECK(e->cx, f, "a call of %s, which is not a function of the entry", name->text);
    return f;
}

// --- properties of functions --------------------------------------------------------------------

typedef struct {
    Emitter *e;
    CFunction *f;
    Map sizes; // the size parameters of the entry
    bool changed;
} Find;

static bool has(const CFunction *f, Sym size)
{
    for (int i = 0; i < f->sizes.len; i++)
        if (f->sizes.at[i] == size) return true;
    return false;
}

static void find_size(Node *atom, void *env)
{
    Find *find = env;
    if (atom->kind == NAT_VAR && map_get(&find->sizes, MAP_KEY(atom->attr.sym)) &&
        !has(find->f, atom->attr.sym))
        vec_push(find->e->arena, &find->f->sizes, atom->attr.sym);
}

static void find_callee(Find *find, Sym name)
{
    for (int i = 0; i < find->f->callees.len; i++)
        if (find->f->callees.at[i] == name) return;
    vec_push(find->e->arena, &find->f->callees, name);
}

// Finds the sizes and callees that the statement or expression uses, and adds them to those of the
// function. Also records whether the function may fail or starts tasks.
static void find_needs(Find *find, Node *n)
{
    if (kind_info[n->kind].levels & LEVEL_NAT) {
        nat_atoms(find->e->cx, n, find_size, find);
        return;
    }
    if (n->kind == LOOP_CHECK || loops_is_heap(n)) find->f->fails = true;
    if (n->kind == LOOP_SPAWN) find->f->fails = find->f->tasks = true;
    if (n->kind == LOOP_CALL) find_callee(find, n->attr.sym);
    for (uint32_t i = 0; i < n->nops; i++) find_needs(find, n->op[i]);
}

// Passes properties of the callees on to their caller, which needs their sizes, may fail if they
// may, and has tasks if they do.
static void inherit(Find *find)
{
    CFunction *f = find->f;
    for (int i = 0; i < f->callees.len; i++) {
        const CFunction *g = function_of(find->e, f->callees.at[i]);
        bool launches = g->launches || g->entry->kernel;
        find->changed |=
            (g->fails && !f->fails) || (g->tasks && !f->tasks) || (launches && !f->launches);
        f->launches |= launches;
        f->fails |= g->fails;
        f->tasks |= g->tasks;
        for (int k = 0; k < g->sizes.len; k++) {
            if (has(f, g->sizes.at[k])) continue;
            vec_push(find->e->arena, &f->sizes, g->sizes.at[k]);
            find->changed = true;
        }
    }
}

// Sorts the sizes of a function into the order of the entry's sizes.
static void sort_sizes(Emitter *e, CFunction *f, const LoopEntry *entry)
{
    CFunction old = *f;
    f->sizes.len = f->sizes.cap = 0;
    for (int i = 0; i < entry->sizes.len; i++)
        if (has(&old, entry->sizes.at[i])) vec_push(e->arena, &f->sizes, entry->sizes.at[i]);
    if (entry->helpers && has(&old, entry->helpers)) vec_push(e->arena, &f->sizes, entry->helpers);
    if (has(&old, e->stack)) vec_push(e->arena, &f->sizes, e->stack);
}

static bool reaches(Emitter *e, const CFunction *f, const CFunction *goal, Map *seen)
{
    for (int i = 0; i < f->callees.len; i++) {
        const CFunction *g = function_of(e, f->callees.at[i]);
        if (g == f && f->repeats_only) continue;
        if (g == goal) return true;
        if (map_get(seen, MAP_KEY(g))) continue;
        map_put(seen, MAP_KEY(g), seen);
        if (reaches(e, g, goal, seen)) return true;
    }
    return false;
}

// Finds the functions that may call themselves. They get the end of the stack as a parameter, and
// fail when they reach it.
static void find_recursive(Emitter *e)
{
    e->stack = sym_fresh(e->cx->syms, "stack");
    for (int i = 0; i < e->functions.len; i++) {
        CFunction *f = e->functions.entries[i].value;
        Map seen = map_new(e->arena);
        tail_calls_find(e, f);
        if (!reaches(e, f, f, &seen)) continue;
        f->recursive = f->fails = true;
        vec_push(e->arena, &f->sizes, e->stack);
    }
}

static int outputs_of(const LoopEntry *f)
{
    int n = 0;
    for (int i = 0; i < f->params.len; i++) n += f->params.at[i].output;
    return n;
}

// Returns the C name of a function. An external C function keeps its own name.
static const char *name_of(Emitter *e, const LoopEntry *f)
{
    const char *dot = strrchr(f->name->text, '.');
    if (f->external) return dot ? dot + 1 : f->name->text;
    return names_beside(e, names_entry(e, f->name));
}

static CFunction *function_new(Find *find, const LoopEntry *entry)
{
    CFunction *f = ARENA_NEW(find->e->arena, CFunction);
    *f = (CFunction){.entry = entry, .atomic = core_atomic_of(entry->name)};
    find->f = f;
    if (entry->body) find_needs(find, entry->body);
    if (entry->workspace) find_needs(find, entry->workspace);
    for (int i = 0; entry->kernel && i < entry->params.len; i++) // memory that is copied
        find_needs(find, entry->params.at[i].count);
    f->fails |= entry->kernel;
    return f;
}

// Finds the functions that are called without memory for their workspace. They allocate the
// workspace themselves, which may fail.
static void find_allocating(Emitter *e, Node *body)
{
    Stmts calls = loops_all(e->cx, body, IS_CALL);
    for (int i = 0; i < calls.len; i++) {
        CFunction *f = function_of(e, calls.at[i]->attr.sym);
        if (f->entry->workspace && !loops_passes_workspace(f->entry, calls.at[i]))
            f->allocates = f->fails = true;
    }
}

CFunction *functions_find(Emitter *e, const LoopEntry *entry)
{
    Find find = {.e = e, .sizes = map_new(e->arena)};
    e->functions = map_new(e->arena);
    for (int i = 0; i < entry->sizes.len; i++) map_put(&find.sizes, MAP_KEY(entry->sizes.at[i]), e);
    if (entry->helpers) map_put(&find.sizes, MAP_KEY(entry->helpers), e);
    for (int i = 0; i < entry->callees.len; i++)
        map_put(&e->functions, MAP_KEY(entry->callees.at[i]->name),
                function_new(&find, entry->callees.at[i]));
    find_allocating(e, entry->body);
    for (int i = 0; i < entry->callees.len; i++)
        if (entry->callees.at[i]->body) find_allocating(e, entry->callees.at[i]->body);
    find_recursive(e);
    do {
        find.changed = false;
        for (int i = 0; i < e->functions.len; i++) {
            find.f = e->functions.entries[i].value;
            inherit(&find);
        }
    } while (find.changed);
    for (int i = 0; i < e->functions.len; i++) {
        CFunction *f = e->functions.entries[i].value;
        sort_sizes(e, f, entry);
        bool one = outputs_of(f->entry) == 1 && result_of(f)->rank == 0;
        f->gives = one && !f->fails;
        f->name = name_of(e, f->entry);
        if (f->entry->workspace)
            f->given_name = names_beside(e, arena_printf(e->arena, "%s_in", f->name));
    }
    CFunction *own = function_new(&find, entry);
    own->is_entry = own->fails = true;
    for (int i = 0; i < own->callees.len; i++) {
        const CFunction *g = function_of(e, own->callees.at[i]);
        own->tasks |= g->tasks;
        own->launches |= g->launches || g->entry->kernel;
    }
    own->sizes.len = own->sizes.cap = 0;
    for (int i = 0; i < entry->sizes.len; i++) vec_push(e->arena, &own->sizes, entry->sizes.at[i]);
    return own;
}

// --- calls --------------------------------------------------------------------------------------

bool call_fails(Emitter *e, Node *call)
{
    return function_of(e, call->attr.sym)->fails;
}

Node *result_operand(Emitter *e, Node *call)
{
    return call->op[function_of(e, call->attr.sym)->entry->params.len - 1];
}

Sym call_result(Emitter *e, Node *call)
{
    const CFunction *f = function_of(e, call->attr.sym);
    return f->gives ? result_operand(e, call)->attr.sym : NULL;
}

static void note_read(Sym name, void *reads)
{
    map_put(reads, MAP_KEY(name), reads);
}

// Records the names that a statement reads. Skips assignments to ignored locals, since they do not
// appear in the C code. Receiving the result of a call is not a read.
static void find_reads(Emitter *e, Node *s, Map *seen, Map *reads)
{
    Sym result = s->kind == LOOP_CALL ? call_result(e, s) : NULL;
    bool assigns = s->kind == LOOP_DECL || s->kind == LOOP_SET;
    if (assigns && is_ignored(e, s->attr.sym)) return;
    for (uint32_t i = 0; i < s->nops; i++) {
        Node *x = s->op[i];
        if (result && x == result_operand(e, s)) x = x->op[0]; // only its position is read
        if (loops_is_stmt(x))
            find_reads(e, x, seen, reads);
        else if (!(kind_info[x->kind].levels & LEVEL_TYPE))
            loops_reads(e->cx, x, seen, note_read, reads);
    }
}

static Map reads_of(Emitter *e, Node *body)
{
    Map seen = map_new(e->arena), reads = map_new(e->arena);
    find_reads(e, body, &seen, &reads);
    return reads;
}

// Also ignores the locals and arrays that only assignments to ignored locals read. Returns false if
// there are no more.
static bool ignore_more(Emitter *e, Node *body)
{
    Map reads = reads_of(e, body);
    Stmts decls = loops_all(e->cx, body, IS_DECL);
    bool more = false;
    for (int i = 0; i < decls.len; i++) {
        uint64_t key = MAP_KEY(decls.at[i]->attr.sym);
        bool known = map_get(&reads, key) || map_get(&e->ignored, key);
        if (known || loops_is_heap(decls.at[i]) || decls.at[i]->kind == LOOP_POINTER) continue;
        map_put(&e->ignored, key, e);
        more = true;
    }
    return more;
}

void find_ignored(Emitter *e, Node *body)
{
    Map results = map_new(e->arena);
    Stmts calls = loops_all(e->cx, body, IS_CALL);
    e->ignored = map_new(e->arena);
    for (int i = 0; i < calls.len; i++) {
        Sym result = call_result(e, calls.at[i]);
        if (result) map_put(&results, MAP_KEY(result), e);
    }
    if (results.len == 0) return;
    Map reads = reads_of(e, body);
    for (int i = 0; i < results.len; i++) {
        uint64_t key = results.entries[i].key;
        if (!map_get(&reads, key)) map_put(&e->ignored, key, e);
    }
    while (e->ignored.len > 0 && ignore_more(e, body)) continue;
}

bool is_ignored(const Emitter *e, Sym local)
{
    return map_get(&e->ignored, MAP_KEY(local)) && !map_get(&e->params, MAP_KEY(local));
}

const char *address_text(Emitter *e, Node *a)
{
    Sym name = a->attr.sym;
    const LoopParam *p = map_get(&e->params, MAP_KEY(name));
    const char *spelled = names_use(e, name);
    int64_t zero;
    if (map_get(&e->scalars, MAP_KEY(name)) || emit_is_result(e, name))
        return arena_printf(e->arena, "&%s", spelled);
    const char *cast = memory_cast(e, name);
    if ((p && p->rank == 0) || (nat_is_const(a->op[0], &zero) && zero == 0))
        return arena_printf(e->arena, "%s%s", cast, spelled);
    return arena_printf(e->arena, "%s&%s[%s]", cast, spelled, position_text(e, a->op[0]));
}

// Returns the argument for a size parameter of the callee. If the parameter is the end of the
// stack, code that another thread may run passes the end of that thread's stack instead.
static const char *size_argument(Emitter *e, Sym size)
{
    const char *name = names_use(e, size);
    bool other = size == e->stack && e->frame && e->frame->inner;
    if (other) support_need(e, "stack_here");
    return other ? arena_printf(e->arena, "adze_stack_here(%s)", name) : name;
}

static const char *call_text(Emitter *e, const CFunction *f, Node *s)
{
    Text out = text_new(e->arena);
    int n = f->entry->params.len - f->gives;
    bool memory = loops_passes_workspace(f->entry, s);
    text_printf(&out, "%s(", memory ? f->given_name : f->name);
    for (int i = 0; i < f->sizes.len; i++)
        text_printf(&out, "%s%s", i ? ", " : "", size_argument(e, f->sizes.at[i]));
    for (int i = 0; i < n; i++) {
        Node *arg = s->op[i];
        text_printf(&out, "%s%s", i || f->sizes.len ? ", " : "",
                    arg->kind == LOOP_ADDRESS ? address_text(e, arg)
                                              : expr_text(e, arg, PREC_TERNARY));
    }
    if (memory)
        text_printf(&out, "%s%s", n || f->sizes.len ? ", " : "",
                    memory_of_call(e, s->op[f->entry->params.len]->op[0]));
    text_char(&out, ')');
    return text_get(&out);
}

// Returns the string as a C literal, with non-ASCII bytes and trigraphs escaped.
static const char *literal_text(Emitter *e, const char *text)
{
    Text out = text_new(e->arena);
    text_char(&out, '"');
    for (const char *c = text; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte < ' ' || byte > '~')
            text_printf(&out, "\\%03o", byte);
        else
            text_printf(&out, strchr("\"\\?", *c) ? "\\%c" : "%c", *c);
    }
    text_char(&out, '"');
    return text_get(&out);
}

// Emits one step of a print. In field mode, all floats are field elements, which are printed as
// integers.
static void emit_print(Emitter *e, PrintStep step, Node *s)
{
    static const char *const names[PRINT_COUNT] = {
        [PRINT_BOOL] = "bool",   [PRINT_I64] = "i64",   [PRINT_U64] = "u64",
        [PRINT_F16] = "f16",     [PRINT_F32] = "f32",   [PRINT_F64] = "f64",
        [PRINT_NEXT] = "next",   [PRINT_LINE] = "line", [PRINT_MESSAGE] = "message",
        [PRINT_START] = "start", [PRINT_TEXT] = "text",
    };
    const char *name = names[step];
    bool is_float = step == PRINT_F16 || step == PRINT_F32 || step == PRINT_F64;
    if (is_float && e->options->field) name = "u64";
    if (step == PRINT_MESSAGE && e->options->wrappers) name = "kept";
    support_need(e, arena_printf(e->arena, "print_%s", name));
    const char *arg = step == PRINT_TEXT || step == PRINT_START
                          ? literal_text(e, core_print_text(e->cx, s->attr.sym))
                      : s->nops ? expr_text(e, s->op[0], PREC_TERNARY)
                                : "";
    emit_line(e, "adze_print_%s(%s);", name, arg);
}

// Returns the C expression for the location that receives the result of a call.
static const char *target_text(Emitter *e, Node *address)
{
    if (map_get(&e->scalars, MAP_KEY(address->attr.sym))) return names_use(e, address->attr.sym);
    return place_text(e, address->attr.sym, address->op[0]);
}

void emit_call(Emitter *e, Node *s, const char *declared)
{
    PrintStep step = core_print_step_of(s->attr.sym);
    if (step != PRINT_COUNT) {
        emit_print(e, step, s);
        return;
    }
    const CFunction *f = function_of(e, s->attr.sym);
    CHECK(e->cx, f != e->function || !f->repeats_only, "%s calls itself before its end", f->name);
    const char *call = call_text(e, f, s);
    if (f->fails) {
        emit_line(e, "status = %s;", call);
        emit_fail_if(e, "status", "status");
    } else if (!f->gives || is_ignored(e, call_result(e, s)) || (declared && !*declared)) {
        emit_line(e, "%s;", call);
    } else if (declared && strcmp(declared, "return") == 0) {
        emit_line(e, "return %s;", call);
    } else {
        emit_line(e, "%s = %s;", declared ? declared : target_text(e, result_operand(e, s)), call);
    }
}

void emit_prefetch(Emitter *e, Node *s)
{
    emit_line(e, "__builtin_prefetch(%s);", address_text(e, s->op[0]));
}
