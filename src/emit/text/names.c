// Chooses C names. Adze names are kept unless C or the C library uses them. Names that the compiler
// generated (i12, t3) lose their number if the stem is free.
#include "base/target/c_word.h"
#include "emit/text/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// Names from the headers that a generated file includes, and others that C compilers warn about.
static const char *const reserved[] = {
    "abs",    "div",   "done",   "exit", "fabs",   "fabsf",  "fmod", "fmodf",  "free",
    "frexp",  "gamma", "j0",     "j1",   "jn",     "ldexp",  "main", "malloc", "memcpy",
    "memset", "rand",  "random", "rint", "status", "system", "y0",   "y1",     "yn",
};

// Whether this is the name of a C function for an operator on f64 or f32, such as pow or powf.
static bool is_math_function(const char *text)
{
    for (int op = 0; op < PRIM_COUNT; op++) {
        size_t len = strlen(prim_info[op].c);
        if (prim_info[op].operands != ON_FLOAT || strncmp(prim_info[op].c, text, len) != 0)
            continue;
        if (text[len] == '\0' || strcmp(text + len, "f") == 0) return true;
    }
    return false;
}

// Whether this is the name of a type or macro from an included header (size_t, INT32_MAX,
// HUGE_VAL) or of a support function. These names are recognised by their form.
static bool is_library_name(const char *text)
{
    static const char *const starts[] = {"isnan",   "isinf",      "isfinite", "isnormal",
                                         "signbit", "fpclassify", "adze_"};
    size_t len = strlen(text);
    if (len > 2 && strcmp(text + len - 2, "_t") == 0) return true;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(starts[i], text, strlen(starts[i])) == 0) return true;
    return c_word_is_macro(text);
}

// The words of OpenCL C that are not words of C. Names of vector types, such as float4, are
// recognised by their form.
static bool is_kernel_word(const char *text)
{
    static const char *const list[] = {
        "barrier", "bool",      "complex",   "constant",   "event_t",   "generic",    "global",
        "half",    "imaginary", "image",     "kernel",     "local",     "overloaded", "pipe",
        "private", "quad",      "read_only", "read_write", "sampler",   "uchar",      "uint",
        "uniform", "ulong",     "ushort",    "work_group", "write_only"};
    static const char *const vectors[] = {"char", "uchar", "short", "ushort", "int",   "uint",
                                          "long", "ulong", "half",  "float",  "double"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(list[i], text) == 0) return true;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        size_t n = strlen(vectors[i]);
        if (strncmp(vectors[i], text, n) == 0 && text[n + strspn(text + n, "0123456789")] == '\0')
            return true;
    }
    return false;
}

static bool is_reserved(const Emitter *e, const char *text)
{
    if (e->kernel && is_kernel_word(text)) return true;
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(reserved[i], text) == 0) return true;
    return c_word_is(text) || is_math_function(text) || is_library_name(text);
}

void names_reset(Emitter *e)
{
    e->spelling = map_new(e->arena);
    e->taken = map_new(e->arena);
    e->used = map_new(e->arena);
    e->label_names = map_new(e->arena);
    e->series = map_new(e->arena);
    e->bound.len = 0;
}

// Replaces every byte that C does not allow in an identifier with an underscore.
static char *underscored(char *text)
{
    for (char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_') *c = '_';
    return text;
}

static char *identifier(Emitter *e, const char *text)
{
    const char *before = is_library_name(text) ? "v_" : isdigit((unsigned char)*text) ? "_" : "";
    return underscored(arena_printf(e->arena, "%s%s", before, text));
}

// --- numbered names -----------------------------------------------------------------------------

/// The numbered names that share a stem: stem, stem1, stem2, .. or stem, stem_1, stem_2, .. Labels
/// and other names have separate series.
typedef struct {
    int free; // all smaller numbers are taken
} Series;

/// A name taken from a series.
typedef struct {
    Series *of;
    int number;
} Numbered;

// Returns `stem` with the number appended, unless that is 0.
static Sym with_number(Emitter *e, const char *stem, const char *format, int number)
{
    if (number == 0) return session_sym(e->cx, stem);
    return session_sym(e->cx, arena_printf(e->arena, format, stem, number));
}

// Returns the series for a stem. Labels have their own series, since a label may have the same name
// as a local.
static Series *series_of(Emitter *e, const char *stem, const char *format, const Map *taken)
{
    const char *kind = taken == &e->label_names ? "label" : "";
    Sym key = session_sym(e->cx, arena_printf(e->arena, "%s %s %s", kind, stem, format));
    Series *s = map_get(&e->series, MAP_KEY(key));
    if (s) return s;
    s = ARENA_NEW(e->arena, Series);
    map_put(&e->series, MAP_KEY(key), s);
    return s;
}

// Takes the first name of a series that is free and not reserved.
static Sym take(Emitter *e, const char *stem, const char *format, Map *taken)
{
    Series *of = series_of(e, stem, format, taken);
    for (int k = of->free;; k++) {
        Sym s = with_number(e, stem, format, k);
        if (is_reserved(e, s->text) || map_get(taken, MAP_KEY(s))) continue;
        Numbered *n = ARENA_NEW(e->arena, Numbered);
        *n = (Numbered){of, k};
        of->free = k + 1;
        map_put(taken, MAP_KEY(s), n);
        return s;
    }
}

const char *names_parameter(Emitter *e, Sym name)
{
    const char *id = identifier(e, name->text);
    if (!c_word_is_of_cpp(id)) return names_declare(e, name, false);
    Sym s = session_sym(e->cx, arena_printf(e->arena, "%s_1", id));
    for (int k = 2; map_get(&e->taken, MAP_KEY(s)); k++)
        s = session_sym(e->cx, arena_printf(e->arena, "%s_%d", id, k));
    map_put(&e->taken, MAP_KEY(s), e);
    map_put(&e->spelling, MAP_KEY(name), (void *)(uintptr_t)s->text);
    return s->text;
}

const char *names_declare(Emitter *e, Sym name, bool fresh_number)
{
    char *stem = identifier(e, name->text);
    if (fresh_number) {
        size_t len = strlen(stem);
        while (len > 1 && (isdigit((unsigned char)stem[len - 1]) || stem[len - 1] == '_')) len--;
        stem[len] = '\0';
    }
    Sym s = take(e, stem, fresh_number && !is_reserved(e, stem) ? "%s%d" : "%s_%d", &e->taken);
    map_put(&e->spelling, MAP_KEY(name), (void *)(uintptr_t)s->text);
    return s->text;
}

void names_forget(Emitter *e, Sym name)
{
    const char *spelled = map_get(&e->spelling, MAP_KEY(name));
    if (!spelled) return;
    uint64_t key = MAP_KEY(session_sym(e->cx, spelled));
    Numbered *n = map_get(&e->taken, key);
    if (n->number < n->of->free) n->of->free = n->number;
    map_put(&e->taken, key, NULL);
    map_put(&e->spelling, MAP_KEY(name), NULL);
}

const char *names_spelled(const Emitter *e, Sym name)
{
    const char *spelled = map_get(&e->spelling, MAP_KEY(name));
    CHECK(e->cx, spelled, "%s is used where it is not declared", name->text);
    return spelled;
}

const char *names_use(Emitter *e, Sym name)
{
    map_put(&e->used, MAP_KEY(name), e);
    return names_spelled(e, name);
}

const char *names_label(Emitter *e, const char *text)
{
    char *stem = identifier(e, text);
    size_t len = strlen(stem);
    while (len > 1 && isdigit((unsigned char)stem[len - 1])) len--;
    stem[len] = '\0';
    return take(e, stem, "%s%d", &e->label_names)->text;
}

// --- functions ----------------------------------------------------------------------------------

const char *names_stem(Emitter *e, Sym name)
{
    return underscored(arena_printf(e->arena, "%s%s", e->options->prefix, name->text));
}

// Inserts a 0 if the name of the entry's function could clash with that of a message or support
// function. No Adze name begins with a digit, so the result is unique. Likewise, wrappers have a 1.
const char *names_entry(Emitter *e, Sym name)
{
    const char *id = names_stem(e, name), *stem = id + strlen(e->options->prefix);
    size_t len = strlen(stem);
    bool taken = support_has(stem) || (len > 8 && strcmp(stem + len - 8, "_message") == 0);
    return taken ? arena_printf(e->arena, "%s0%s", e->options->prefix, stem) : id;
}

bool names_claim(Emitter *e, const char *name)
{
    Sym s = session_sym(e->cx, name);
    if (map_get(&e->function_names, MAP_KEY(s))) return false;
    map_put(&e->function_names, MAP_KEY(s), e);
    return true;
}

const char *names_beside(Emitter *e, const char *stem)
{
    const char *spelled = stem;
    for (int k = 1; !names_claim(e, spelled); k++)
        spelled = arena_printf(e->arena, "%s_%d", stem, k);
    return spelled;
}

const char *declared_name(Emitter *e, Node *decl)
{
    if (decl->kind == LOOP_DECL) map_put(&e->scalars, MAP_KEY(decl->attr.sym), e);
    vec_push(e->arena, &e->bound, decl->attr.sym);
    return names_declare(e, decl->attr.sym, true);
}
