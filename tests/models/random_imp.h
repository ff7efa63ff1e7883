// Random programs of IMP, as text: functions that call those before them, or themselves with a number that gets smaller; loops that count.
// So they end. The parameters of `main` may have lengths, and there may be vectors of numbers: what remains open is for PolyVecImp.
#ifndef TESTS_MODELS_RANDOM_IMP_H
#define TESTS_MODELS_RANDOM_IMP_H

#include "models/syntax.h"

#include <stdlib.h>

enum { MAIN_PARAMS = 5, MAKER_FUNCTIONS = 4 };
static const ImpBase main_params[MAIN_PARAMS] = {BASE_INT, BASE_INT, BASE_BOOL, BASE_FLOAT,
                                                 BASE_INT};

typedef struct {
    unsigned seed;
    int lengths[MAIN_PARAMS]; // of the parameters of main, IMP_OPEN: not given
    int vectors;              // length of vectors in the text, 0: there are none
    bool exits;               // break, continue and return in statements
    bool recursive;           // functions that call themselves
} ImpRandom;

typedef struct {
    const char *name;
    ImpBase base;
    bool fixed; // not assigned
} MakerVar;

typedef struct {
    const char *name;
    ImpBase result, params[3];
    int n;
    bool counts; // the first argument is how often it calls itself
} MakerFunction;

typedef struct {
    Text *out;
    const ImpRandom *how;
    unsigned seed;
    VEC(MakerVar) vars;
    VEC(MakerFunction) functions;
    ImpBase result; // of the function that is made
    int names, depth, loops, budget;
} ImpMaker;

static inline int maker_below(ImpMaker *m, int n)
{
    return (int)((unsigned)rand_r(&m->seed) % (unsigned)n);
}

static inline bool maker_chance(ImpMaker *m, int percent)
{
    return maker_below(m, 100) < percent;
}

static inline const char *maker_name(ImpMaker *m, char letter)
{
    return arena_printf(m->out->arena, "%c%d", letter, m->names++);
}

static inline void maker_declare(ImpMaker *m, const char *name, ImpBase base, bool fixed)
{
    vec_push(m->out->arena, &m->vars, ((MakerVar){name, base, fixed}));
}

// A variable of this type at random; NULL: there is none.
static inline const MakerVar *maker_var(ImpMaker *m, ImpBase base, bool assigned)
{
    const MakerVar *found = NULL;
    int seen = 0;
    for (int i = 0; i < m->vars.len; i++) {
        const MakerVar *v = &m->vars.at[i];
        if (v->base == base && !(assigned && v->fixed) && maker_below(m, ++seen) == 0) found = v;
    }
    return found;
}

// --- expressions --------------------------------------------------------------------------------

static inline void maker_expr(ImpMaker *m, ImpBase base, int depth);

static inline void maker_literal(ImpMaker *m, ImpBase base)
{
    int k = maker_below(m, 9) - 3;
    if (base == BASE_BOOL)
        text_put(m->out, maker_chance(m, 50) ? "true" : "false");
    else
        text_printf(m->out, base == BASE_FLOAT ? "%d.5" : "%d", k);
}

static inline void maker_leaf(ImpMaker *m, ImpBase base)
{
    const MakerVar *v = maker_var(m, base, false);
    if (m->how->vectors && maker_chance(m, 8)) {
        text_put(m->out, "{");
        for (int k = 0; k < m->how->vectors; k++) {
            if (k) text_put(m->out, ", ");
            maker_literal(m, base);
        }
        text_put(m->out, "}");
    } else if (v && maker_chance(m, 75)) {
        text_put(m->out, v->name);
    } else {
        maker_literal(m, base);
    }
}

static inline bool maker_call(ImpMaker *m, ImpBase base)
{
    const MakerFunction *found = NULL;
    int seen = 0;
    for (int i = 0; i < m->functions.len; i++)
        if (m->functions.at[i].result == base && maker_below(m, ++seen) == 0)
            found = &m->functions.at[i];
    if (!found) return false;
    text_printf(m->out, "%s(", found->name);
    for (int i = 0; i < found->n; i++) {
        if (i) text_put(m->out, ", ");
        if (i == 0 && found->counts) text_put(m->out, "(");
        maker_expr(m, found->params[i], 1);
        if (i == 0 && found->counts) text_put(m->out, ") % 4");
    }
    text_put(m->out, ")");
    return true;
}

static inline void maker_binary(ImpMaker *m, ImpBase of, const char *op, int depth)
{
    text_put(m->out, "(");
    maker_expr(m, of, depth - 1);
    text_printf(m->out, " %s ", op);
    maker_expr(m, of, depth - 1);
    text_put(m->out, ")");
}

static inline void maker_truth(ImpMaker *m, int depth)
{
    static const char *const relations[] = {"<", "<=", "==", "!="};
    int choice = maker_below(m, 6);
    if (choice == 0) {
        text_put(m->out, "!");
        maker_binary(m, BASE_INT, "==", depth);
    } else if (choice == 1) {
        maker_binary(m, BASE_BOOL, maker_chance(m, 50) ? "&" : "|", depth);
    } else {
        ImpBase of = choice == 2 ? BASE_FLOAT : BASE_INT;
        maker_binary(m, of, relations[maker_below(m, of == BASE_FLOAT ? 2 : 4)], depth);
    }
}

static inline void maker_expr(ImpMaker *m, ImpBase base, int depth)
{
    static const char *const operators[] = {"+", "-", "*"};
    m->budget--;
    if (depth <= 0 || m->budget < 0 || maker_chance(m, 25)) {
        maker_leaf(m, base);
    } else if (base == BASE_BOOL) {
        maker_truth(m, depth);
    } else if (maker_chance(m, 15) && maker_call(m, base)) {
        return;
    } else if (base == BASE_INT && maker_chance(m, 20)) {
        text_put(m->out, "(");
        maker_expr(m, base, depth - 1);
        text_printf(m->out, " %% %d)", 2 + maker_below(m, 6));
    } else {
        maker_binary(m, base, operators[maker_below(m, 3)], depth);
    }
}

// --- statements ---------------------------------------------------------------------------------

static inline void maker_statements(ImpMaker *m, int most);

// Without its end; `first` is its first statement.
static inline void maker_block(ImpMaker *m, int most, const char *first)
{
    int vars = m->vars.len;
    text_printf(m->out, "{ %s", first);
    m->depth++;
    maker_statements(m, most);
    m->depth--;
    m->vars.len = vars;
}

static inline void maker_if(ImpMaker *m)
{
    text_put(m->out, "if (");
    maker_expr(m, BASE_BOOL, 2);
    text_put(m->out, ") ");
    maker_block(m, 3, "");
    text_put(m->out, "} ");
    if (maker_chance(m, 40)) return;
    text_put(m->out, "else ");
    maker_block(m, 2, "");
    text_put(m->out, "} ");
}

// Some of those who come here leave.
static inline void maker_exit(ImpMaker *m)
{
    int choice = maker_below(m, 3);
    text_put(m->out, "if (");
    maker_expr(m, BASE_BOOL, 2);
    text_put(m->out, ") ");
    maker_block(m, 1, "");
    if (choice == 0 || !m->loops) {
        text_put(m->out, "return ");
        maker_expr(m, m->result, 2);
    } else {
        text_put(m->out, choice == 1 ? "break" : "continue");
    }
    text_put(m->out, "; } ");
}

static inline void maker_while(ImpMaker *m)
{
    const char *c = maker_name(m, 'c');
    text_printf(m->out, "int %s = 0; while (%s < %d", c, c, 1 + maker_below(m, 4));
    maker_declare(m, c, BASE_INT, true);
    if (maker_chance(m, 50)) {
        text_put(m->out, " + (");
        maker_expr(m, BASE_INT, 1);
        text_put(m->out, ") % 3");
    }
    if (maker_chance(m, 40)) {
        text_put(m->out, " & ");
        maker_expr(m, BASE_BOOL, 1);
    }
    text_put(m->out, ") ");
    m->loops++;
    maker_block(m, 3, arena_printf(m->out->arena, "%s = %s + 1; ", c, c));
    m->loops--;
    text_put(m->out, "} ");
}

static inline void maker_decl(ImpMaker *m)
{
    static const char *const types[] = {"bool", "int", "float"};
    ImpBase base = (ImpBase)maker_below(m, BASE_NOTHING);
    const char *name = maker_name(m, 'x');
    text_printf(m->out, "%s %s", types[base], name);
    if (maker_chance(m, 80)) {
        text_put(m->out, " = ");
        maker_expr(m, base, 2);
    }
    text_put(m->out, "; ");
    maker_declare(m, name, base, false);
}

static inline void maker_assign(ImpMaker *m)
{
    ImpBase base = maker_chance(m, 60) ? BASE_INT : (ImpBase)maker_below(m, BASE_NOTHING);
    const MakerVar *v = maker_var(m, base, true);
    if (!v) return;
    text_printf(m->out, "%s = ", v->name);
    if (base == BASE_INT && maker_chance(m, 60)) text_printf(m->out, "%s + ", v->name);
    maker_expr(m, base, 2);
    text_put(m->out, "; ");
}

static inline void maker_statement(ImpMaker *m)
{
    bool leaves = m->how->exits && maker_chance(m, m->loops ? 30 : 8);
    int choice = maker_below(m, m->depth > 2 || m->budget < 0 ? 5 : 9);
    if (leaves && m->budget > 0)
        maker_exit(m);
    else if (choice < 2)
        maker_decl(m);
    else if (choice < 5)
        maker_assign(m);
    else if (choice < 7)
        maker_if(m);
    else if (m->loops < 2)
        maker_while(m);
}

static inline void maker_statements(ImpMaker *m, int most)
{
    for (int i = maker_below(m, most) + 1; i > 0; i--) maker_statement(m);
}

// --- functions ----------------------------------------------------------------------------------

// What is in the integers comes out.
static inline void maker_end(ImpMaker *m)
{
    text_put(m->out, "return ");
    maker_expr(m, m->result, 2);
    for (int i = 0; i < m->vars.len && m->result == BASE_INT; i++)
        if (m->vars.at[i].base == BASE_INT)
            text_printf(m->out, " + %s * %d", m->vars.at[i].name, 2 * i + 1);
    text_put(m->out, "; }\n");
    m->vars.len = 0;
}

// It calls itself once, in a branch: `if (0 < n) { .. x = f(n - 1, ..); .. }`.
static inline void maker_again(ImpMaker *m, const MakerFunction *f)
{
    const char *x = maker_name(m, 'x');
    text_printf(m->out, "int %s = 0; ", x);
    maker_declare(m, x, BASE_INT, false);
    text_printf(m->out, "if (0 < %s) ", m->vars.at[0].name);
    m->depth++;
    maker_block(m, 2, "");
    text_printf(m->out, "%s = %s(%s - 1, ", x, f->name, m->vars.at[0].name);
    maker_expr(m, BASE_INT, 1);
    text_printf(m->out, ") + %s; } ", x);
    m->depth--;
}

static inline void maker_function(ImpMaker *m, int number)
{
    static const char *const types[] = {"bool", "int", "float"};
    MakerFunction f = {.name = arena_printf(m->out->arena, "f%d", number)};
    f.counts = m->how->recursive && maker_chance(m, 40);
    f.n = f.counts ? 2 : 1 + maker_below(m, 3);
    f.result = m->result = f.counts ? BASE_INT : (ImpBase)maker_below(m, BASE_NOTHING);
    text_printf(m->out, "%s %s(", types[f.result], f.name);
    for (int i = 0; i < f.n; i++) {
        const char *name = maker_name(m, 'p');
        f.params[i] = f.counts ? BASE_INT : (ImpBase)maker_below(m, BASE_NOTHING);
        text_printf(m->out, "%s%s %s", i ? ", " : "", types[f.params[i]], name);
        maker_declare(m, name, f.params[i], f.counts && i == 0);
    }
    text_put(m->out, ") { ");
    m->budget = 40;
    if (f.counts) maker_again(m, &f);
    maker_statements(m, 3);
    maker_end(m);
    vec_push(m->out->arena, &m->functions, f);
}

/// The text; its function `main` has the parameters main_params and gives an int.
static inline const char *random_imp(Arena *arena, const ImpRandom *how)
{
    static const char *const types[] = {"bool", "int", "float"};
    Text out = text_new(arena);
    ImpMaker m = {.out = &out, .how = how, .seed = how->seed};
    for (int i = maker_below(&m, MAKER_FUNCTIONS); i > 0; i--) maker_function(&m, i);
    text_put(&out, "int main(");
    for (int i = 0; i < MAIN_PARAMS; i++) {
        const char *name = maker_name(&m, 'p');
        text_printf(&out, "%s%s ", i ? ", " : "", types[main_params[i]]);
        if (how->lengths[i]) text_printf(&out, "varying(%d) ", how->lengths[i]);
        text_put(&out, name);
        maker_declare(&m, name, main_params[i], how->lengths[i] == 1); // it does not rise
    }
    text_put(&out, ") { ");
    m.result = BASE_INT;
    m.budget = 90;
    maker_statements(&m, 5);
    maker_statements(&m, 5);
    maker_end(&m);
    return text_get(&out);
}

#endif
