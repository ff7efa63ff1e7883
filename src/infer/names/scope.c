// Scopes: local names, and the names of modules.
#include "infer/names/names.h"

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
#define SHARED (1u << VARIANT_SHARED)
#define SOA    (1u << VARIANT_SOA)
#define AOS    (1u << VARIANT_AOS)
#define AOSOA  (1u << VARIANT_AOSOA)
#define UNROLL (1u << VARIANT_UNROLL)
#define PAR    (1u << VARIANT_PAR)
#define MMA    (1u << VARIANT_MMA)
#define VECTOR (1u << VARIANT_VEC)
const PatternRow infer_patterns[] = {
#define PATTERN ROW
#include "infer/names/patterns.def"
#undef PATTERN
};
#undef SEQ
#undef SRC
#undef DST
#undef WINDOW
#undef INPLACE
#undef STACK
#undef HEAP
#undef SHARED
#undef SOA
#undef AOS
#undef AOSOA
#undef UNROLL
#undef PAR
#undef MMA
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

// Skips nested functions, because infer_find_symbol finds those.
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

bool infer_is_ambiguous(const Scope *s, const Symbol *y, Span span)
{
    if (y->kind != SYMBOL_AMBIGUOUS) return false;
    Session *cx = s->in->cx;
    Diag *d = diag_error(cx, E0208, span, "`%s` is imported from two modules", y->name->text);
    diag_help(cx, d, "import it by name from one of them: import %s (%s)",
              y->other->unit->name ? y->other->unit->name->text : "...", y->name->text);
    return true;
}

bool infer_is_continuation_name(Sym name)
{
    return strcmp(name->text, "break") == 0 || strcmp(name->text, "continue") == 0 ||
           strcmp(name->text, "return") == 0;
}
