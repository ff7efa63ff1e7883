// Names: what is in scope, and a near name for one that is not.
#include "infer/internal.h"

#include <stdlib.h>
#include <string.h>

#define ROW(name, kind, sizes, form, variants) {name, kind, sizes, form, variants},
#define SEQ                                    (1u << VARIANT_SEQ)
#define SRC                                    (1u << VARIANT_SRC)
#define DST                                    (1u << VARIANT_DST)
#define WINDOW                                 (1u << VARIANT_WINDOW)
#define INPLACE                                (1u << VARIANT_INPLACE)
#define STACK                                                                                      \
    (1u << VARIANT_STACK | 1u << VARIANT_STACK_SOA | 1u << VARIANT_STACK_AOS |                     \
     1u << VARIANT_STACK_AOSOA)
#define HEAP                                                                                       \
    (1u << VARIANT_HEAP | 1u << VARIANT_HEAP_SOA | 1u << VARIANT_HEAP_AOS |                        \
     1u << VARIANT_HEAP_AOSOA)
#define SOA    (1u << VARIANT_SOA)
#define AOS    (1u << VARIANT_AOS)
#define AOSOA  (1u << VARIANT_AOSOA)
#define UNROLL (1u << VARIANT_UNROLL)
#define PAR    (1u << VARIANT_PAR)
#define VECTOR (1u << VARIANT_VEC)
const PatternRow infer_patterns[] = {
#define PATTERN ROW
#include "infer/patterns.def"
#undef PATTERN
};
#undef SEQ
#undef SRC
#undef DST
#undef WINDOW
#undef INPLACE
#undef STACK
#undef HEAP
#undef SOA
#undef AOS
#undef AOSOA
#undef UNROLL
#undef PAR
#undef VECTOR
const int infer_pattern_count = (int)(sizeof infer_patterns / sizeof *infer_patterns);

Scope infer_scope_new(Infer *in, Arena *arena, Unit *unit, Solver *solver)
{
    return (Scope){
        .in = in, .arena = arena, .unit = unit, .solver = solver, .by_name = map_new(arena)};
}

Local *infer_local_push(Scope *s, LocalKind kind, Sym name, Span span, Node *type)
{
    Local *l = ARENA_NEW(s->arena, Local);
    *l = (Local){.kind = kind, .name = name, .span = span, .type = type, .mode = -1, .level = -1};
    infer_local_enter(s, l);
    return l;
}

void infer_local_enter(Scope *s, Local *l)
{
    l->shadowed = map_get(&s->by_name, MAP_KEY(l->name));
    map_put(&s->by_name, MAP_KEY(l->name), l);
    l->place = s->stack.len;
    vec_push(s->arena, &s->stack, l);
}

int infer_scope_mark(const Scope *s)
{
    return s->stack.len;
}

void infer_scope_release(Scope *s, int mark)
{
    while (s->stack.len > mark) {
        Local *l = s->stack.at[--s->stack.len];
        map_put(&s->by_name, MAP_KEY(l->name), l->shadowed);
    }
}

// A function in a block is found among the symbols.
Local *infer_find_local(const Scope *s, Sym name)
{
    Local *l = map_get(&s->by_name, MAP_KEY(name));
    return l && l->kind == LOCAL_FUNCTION ? NULL : l;
}

Symbol *infer_find_symbol(const Scope *s, Sym name)
{
    const Unit *prelude = s->in->prelude;
    const Local *l = map_get(&s->by_name, MAP_KEY(name));
    if (l && l->kind == LOCAL_FUNCTION) return l->function;
    if (s->symbol && s->symbol->captured && map_get(s->symbol->captured, MAP_KEY(name)))
        return NULL;
    Symbol *y = map_get(&s->unit->scope, MAP_KEY(name));
    if (!y) y = map_get(&s->unit->imported, MAP_KEY(name));
    if (!y && prelude) y = map_get(&prelude->scope, MAP_KEY(name));
    return y ? y : map_get(&s->in->builtin, MAP_KEY(name));
}

static void add_builtin(Infer *in, SymbolKind kind, const char *text, int row)
{
    Symbol *y = ARENA_NEW(in->arena, Symbol);
    Sym name = session_sym(in->cx, text);
    *y = (Symbol){
        .kind = kind, .name = name, .full = name, .key = name, .row = row, .state = STATE_DONE};
    map_put(&in->builtin, MAP_KEY(name), y);
}

void infer_add_builtins(Infer *in)
{
    in->builtin = map_new(in->arena);
    for (int i = 0; i < PRIM_COUNT; i++) {
        char c = prim_info[i].text[0];
        if (c >= 'a' && c <= 'z' && i != PRIM_NEG)
            add_builtin(in, SYMBOL_PRIM, prim_info[i].text, i);
    }
    for (int i = 0; i < SCALAR_COUNT; i++) add_builtin(in, SYMBOL_SCALAR, scalar_info[i].text, i);
    for (int i = PAD_CLAMP; i <= PAD_WRAP; i++) add_builtin(in, SYMBOL_MODE, pad_mode_text[i], i);
    add_builtin(in, SYMBOL_LOAD, "load", 0);
    add_builtin(in, SYMBOL_PRINT, "print", PRINT_PRINT);
    add_builtin(in, SYMBOL_PRINT, "assert", PRINT_ASSERT);
    add_builtin(in, SYMBOL_SHAPE, "shape", SHAPE_SHAPE);
    add_builtin(in, SYMBOL_SHAPE, "rank", SHAPE_RANK);
    add_builtin(in, SYMBOL_SHAPE, "prod", SHAPE_PROD);
}

// --- near names --------------------------------------------------------------------------------

enum { MAX_NAME = 40, MAX_SUGGESTIONS = 20 };

static int least(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

// Edits (insert, delete, replace, swap neighbours) from a to b; names beyond MAX_NAME are far from
// everything.
static int distance(Sym a, Sym b)
{
    if (a->len > MAX_NAME || b->len > MAX_NAME) return MAX_NAME;
    int rows[3][MAX_NAME + 1], *before = rows[0], *last = rows[1], *row = rows[2];
    for (uint32_t j = 0; j <= b->len; j++) last[j] = before[j] = (int)j;
    for (uint32_t i = 1; i <= a->len; i++) {
        row[0] = (int)i;
        for (uint32_t j = 1; j <= b->len; j++) {
            bool same = a->text[i - 1] == b->text[j - 1];
            row[j] = least(row[j - 1] + 1, last[j] + 1, last[j - 1] + !same);
            bool swap = i > 1 && j > 1 && a->text[i - 1] == b->text[j - 2] &&
                        a->text[i - 2] == b->text[j - 1];
            if (swap && before[j - 2] + 1 < row[j]) row[j] = before[j - 2] + 1;
        }
        int *spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[b->len];
}

typedef struct {
    Sym name, best;
    int distance;
    bool type; // only types are considered
} Nearest;

static void consider(Nearest *n, Sym name)
{
    if (!name || name == n->name) return;
    int d = distance(n->name, name);
    if (d >= n->distance) return;
    n->best = name;
    n->distance = d;
}

static bool is_type(const Symbol *y)
{
    return y->kind == SYMBOL_STRUCT || y->kind == SYMBOL_ENUM || y->kind == SYMBOL_ALIAS ||
           y->kind == SYMBOL_SCALAR;
}

static void consider_all(Nearest *n, const Map *symbols)
{
    for (int i = 0; i < symbols->len; i++) {
        const Symbol *y = symbols->entries[i].value;
        if (y && (!n->type || is_type(y))) consider(n, y->name);
    }
}

static Sym nearest(const Scope *s, Sym name, bool type)
{
    Nearest n = {name, NULL, 2 + (int)name->len / 4, type};
    if (name->len <= 2) n.distance = (int)name->len; // any name of one letter is near another
    for (int i = s->stack.len - 1; i >= 0; i--)
        if (!type || s->stack.at[i]->kind == LOCAL_TYPE) consider(&n, s->stack.at[i]->name);
    consider_all(&n, &s->unit->scope);
    consider_all(&n, &s->unit->imported);
    if (s->in->prelude) consider_all(&n, &s->in->prelude->scope);
    consider_all(&n, &s->in->builtin);
    return n.best;
}

static void suggest(const Scope *s, Diag *d, Sym name, bool type)
{
    if (s->in->suggestions++ >= MAX_SUGGESTIONS) return;
    Sym near = nearest(s, name, type);
    if (near) diag_help(s->in->cx, d, "did you mean `%s`?", near->text);
}

void infer_suggest(const Scope *s, Diag *d, Sym name)
{
    suggest(s, d, name, false);
}

// The module in a file, parsed once for all names that are looked for.
static const Module *searched(Infer *in, uint32_t file)
{
    Module *m = map_get(&in->searched, file);
    if (!m) map_put(&in->searched, file, m = parse_module(in->cx, file));
    return m;
}

// Whether a module has the name, or passes it on.
static bool declares(Infer *in, const char *module, uint32_t from, Sym name, int depth)
{
    enum { DEEP = 4 };
    uint32_t file = in->modules->find(in->cx, module, from, in->modules->env);
    const Module *m = file && depth < DEEP ? searched(in, file) : NULL;
    for (int k = 0; m && k < m->items.len; k++) {
        const Item *item = m->items.at[k];
        if (item->kind != ITEM_IMPORT && item->name == name) return true;
        bool all = item->kind == ITEM_IMPORT && item->passed_on && item->name;
        if (all && item->imported.len == 0 && declares(in, item->name->text, file, name, depth + 1))
            return true;
    }
    return false;
}

static const char *const library[] = {
    "std.math",  "std.linalg",  "std.stats",   "std.stencil",      "std.image",
    "std.loops", "std.arrays",  "std.rules",   "std.strategies",   "std.text",
    "std.sort",  "std.random",  "std.complex", "std.vector_rules", "std.vectors",
    "std.gemm",  "std.atomics", "std.simd",    "std.sums"};

static bool is_library(Sym name)
{
    for (size_t i = 0; i < sizeof library / sizeof *library; i++)
        if (strcmp(library[i] + strlen("std."), name->text) == 0) return true;
    return false;
}

Sym infer_near_module(Session *cx, Sym name)
{
    Nearest n = {name, NULL, 3, false};
    for (size_t i = 0; i < sizeof library / sizeof *library; i++) {
        consider(&n, session_sym(cx, library[i]));
        if (strcmp(library[i] + strlen("std."), name->text) == 0)
            return session_sym(cx, library[i]);
    }
    return n.best;
}

bool infer_suggest_import(const Scope *s, Diag *d, Sym name)
{
    Infer *in = s->in;
    if (!in->modules || !in->modules->find || in->suggestions >= MAX_SUGGESTIONS) return false;
    for (size_t i = 0; i < sizeof library / sizeof *library; i++) {
        if (!declares(in, library[i], s->unit->module->file, name, 0)) continue;
        diag_help(in->cx, d, "import it: import %s (%s)", library[i], name->text);
        return true;
    }
    return false;
}

// An option of an enum in sight that has the name.
static const Symbol *enum_with_option(const Map *symbols, Sym name)
{
    for (int i = 0; i < symbols->len; i++) {
        const Symbol *y = symbols->entries[i].value;
        if (!y || y->kind != SYMBOL_ENUM) continue;
        for (int k = 0; k < y->item->options.len; k++)
            if (y->item->options.at[k].name == name) return y;
    }
    return NULL;
}

// What else may have been meant by a name: an option of an enum, or a module.
static bool help_option_or_module(const Scope *s, Diag *d, Sym name)
{
    Infer *in = s->in;
    const Symbol *y = enum_with_option(&s->unit->scope, name);
    if (!y) y = enum_with_option(&s->unit->imported, name);
    if (y) {
        diag_help(in->cx, d, "an option of an enum is written with it: %s.%s", y->name->text,
                  name->text);
        return true;
    }
    if (!is_library(name)) return false;
    diag_help(in->cx, d, "a module is named in its import only: import std.%s (...)", name->text);
    return true;
}

Diag *infer_unknown_name(const Scope *s, Sym name, Span span, const char *what)
{
    Session *cx = s->in->cx;
    if (!name || s->unit->broken || infer_is_captured(s, name, span)) return NULL;
    Diag *d = diag_error(cx, E0201, span, "nothing called `%s` is in scope", name->text);
    if (what) diag_note(cx, d, NO_SPAN, "%s", what);
    if (infer_suggest_import(s, d, name) || help_option_or_module(s, d, name)) return d;
    const char *foreign = foreign_name(name->text);
    if (foreign)
        diag_help(cx, d, "%s", foreign);
    else
        suggest(s, d, name, what != NULL); // what is expected is a type
    return d;
}

bool infer_is_ambiguous(const Scope *s, const Symbol *y, Span span)
{
    if (y->kind != SYMBOL_AMBIGUOUS) return false;
    Session *cx = s->in->cx;
    Diag *d = diag_error(cx, E0208, span, "`%s` is imported from two modules", y->name->text);
    diag_help(cx, d, "import it by name from the one you mean: import %s (%s)",
              y->other->unit->name ? y->other->unit->name->text : "...", y->name->text);
    return true;
}
