// Random programs of the imperative half of the language, as text. They are well typed, and they
// end: loops count, and functions that call themselves pass on a number that gets smaller. The
// order of evaluation matters in them: operands assign variables that other operands read.
#ifndef ADZE_TESTS_RANDOM_PROGRAMS_H
#define ADZE_TESTS_RANDOM_PROGRAMS_H

#include "programs/random_scope.h"

// --- expressions -------------------------------------------------------------------------------

static inline void put_arithmetic(Gen *g, Type t)
{
    static const char *const operators[] = {"+", "-", "*", "+", "-", "&", "|", "^", "<<", ">>>"};
    int choice = below(g, 16);
    if (choice < 12) {
        int op = below(g, t == F32 ? 5 : 10);
        put(g, "(");
        random_expr(g, t);
        text_printf(g->out, " %s ", operators[op]);
        random_expr(g, t);
        put(g, ")");
    } else if (choice == 12 && t != F32) {
        put(g, "(");
        random_expr(g, t);
        text_printf(g->out, " %s ((", chance(g, 50) ? "/" : "%");
        random_expr(g, t);
        text_printf(g->out, " & 7%s) + 1%s))", types[t].suffix, types[t].suffix);
    } else if (choice == 13) {
        put(g, chance(g, 50) ? "min(" : "max(");
        random_expr(g, t);
        put(g, ", ");
        random_expr(g, t);
        put(g, ")");
    } else {
        Type from = t == F32 ? I32 : (Type)below(g, 3);
        text_printf(g->out, "%s(", types[t].text);
        random_expr(g, from);
        put(g, ")");
    }
}

static inline void put_truth(Gen *g)
{
    static const char *const relations[] = {"<", "<=", "==", "!=", ">", ">="};
    Type t = (Type)below(g, 4);
    int choice = below(g, 8);
    if (choice == 0) put(g, "!");
    put(g, "(");
    if (choice < 6) {
        random_expr(g, t);
        text_printf(g->out, " %s ", relations[below(g, 6)]);
        random_expr(g, t);
    } else {
        random_expr(g, BOOL);
        put(g, choice == 6 ? " && " : " || ");
        random_expr(g, BOOL);
    }
    put(g, ")");
}

// A block with a value, or sometimes one that does not return.
static inline void put_branch(Gen *g, Type t)
{
    random_block(g, has_exit(g) && chance(g, 12) ? NEVER : t);
}

static inline void put_if(Gen *g, Type t)
{
    put(g, "if ");
    random_expr(g, BOOL);
    put(g, " ");
    put_branch(g, t);
    put(g, " else ");
    random_block(g, t);
}

static inline void put_arm(Gen *g, Type t)
{
    if (chance(g, 30)) {
        put(g, " if ");
        random_expr(g, BOOL);
    }
    put(g, " => ");
    put_branch(g, t);
    put(g, "\n");
}

static inline void put_match_shape(Gen *g, Type t)
{
    int vars = g->nvars;
    put(g, "Shape.Line(3)");
    put_arm(g, t);
    text_printf(g->out, "Shape.Box(1, (x%d, 1))", g->names + 1);
    new_var(g, FIXED, I32);
    put_arm(g, t);
    g->nvars = vars;
    text_printf(g->out, "Shape.Box(x%d, (_, x%d))", g->names + 1, g->names + 2);
    new_var(g, FIXED, I32);
    new_var(g, FIXED, I64);
    put_arm(g, t);
    g->nvars = vars;
    text_printf(g->out, "Shape.Line(x%d)", g->names + 1);
    new_var(g, FIXED, I32);
    put_arm(g, t);
    g->nvars = vars;
}

static inline void put_match_pair(Gen *g, Type t)
{
    int vars = g->nvars;
    text_printf(g->out, "(0, x%d)", g->names + 1);
    new_var(g, FIXED, I64);
    put_arm(g, t);
    g->nvars = vars;
    text_printf(g->out, "(mut x%d, 1)", g->names + 1);
    new_var(g, MUTABLE, I32);
    put_arm(g, t);
    g->nvars = vars;
}

static inline void put_match(Gen *g, Type t)
{
    static const Type over[] = {SHAPE, PAIR, I32};
    Type of = over[below(g, 3)];
    put(g, "match ");
    random_expr(g, of);
    put(g, " {\n");
    if (of == SHAPE) {
        put_match_shape(g, t);
    } else if (of == PAIR) {
        put_match_pair(g, t);
    } else {
        text_printf(g->out, "%d", below(g, 5) - 1);
        put_arm(g, t);
    }
    put(g, "_ => ");
    random_block(g, t);
    put(g, "\n}");
}

/// The state of the generator about jumps and loops, saved while it writes a loop or a function.
typedef struct {
    int leave, next, give, barrier, loops;
} Ways;
static inline Ways ways_of(const Gen *g)
{
    return (Ways){g->leave, g->next, g->give, g->barrier, g->loops};
}
static inline void set_ways(Gen *g, Ways w)
{
    g->leave = w.leave, g->next = w.next, g->give = w.give, g->barrier = w.barrier;
    g->loops = w.loops;
}

static inline void enter_loop(Gen *g, int leave, int next)
{
    g->leave = leave, g->next = next;
    g->loops++;
}

static inline void put_statements(Gen *g, int most)
{
    for (int i = below(g, most) + 1; i > 0; i--) random_statement(g);
}

// loop with a counter; the value is that of a break.
static inline void put_loop(Gen *g, Type t)
{
    Ways ways = ways_of(g);
    int counter = ++g->names, vars = g->nvars;
    text_printf(g->out, "{\nlet mut x%d = 0i32;\nloop {\n", counter);
    g->vars[g->nvars++] = (Var){FIXED, I32, NULL, counter};
    enter_loop(g, t, UNIT);
    text_printf(g->out, "x%d += 1i32;\nif x%d > %di32 { break(", counter, counter, below(g, 4));
    if (t != UNIT) random_expr(g, t);
    put(g, ") }\n");
    put_statements(g, 3);
    put(g, "}\n}");
    set_ways(g, ways);
    g->nvars = vars;
}

// A function for a pattern: it only reads variables from outside, and no jump leaves it.
static inline void put_element_function(Gen *g, const Signature *s)
{
    Ways ways = ways_of(g);
    g->barrier = g->nvars;
    g->leave = g->next = g->give = NO_TYPE;
    g->loops += 2, g->patterns++;
    put_lambda(g, s);
    set_ways(g, ways);
    g->patterns--;
}

static inline void put_array(Gen *g)
{
    static const Signature element = {"", 1, {I32, UNIT}, I32}, index = {"", 1, {I64, UNIT}, I32};
    switch (below(g, 6)) {
    case 0:
    case 1:
        put(g, "map(");
        put_element_function(g, &element);
        put(g, ", ");
        random_expr(g, ARRAY);
        put(g, ")");
        break;
    case 2:
        put(g, "generate(4, |i| (");
        put_element_function(g, &index);
        put(g, ")(i64(i)))");
        break;
    case 3:
        put(g, "scan(+, 0i32, ");
        random_expr(g, ARRAY);
        put(g, ")");
        break;
    case 4:
        put(g, "reverse(");
        random_expr(g, ARRAY);
        put(g, ")");
        break;
    default:
        put(g, "(");
        random_expr(g, HALF);
        put(g, " ++ ");
        random_expr(g, HALF);
        put(g, ")");
        break;
    }
}

static inline void put_fold(Gen *g)
{
    static const Signature combine = {"", 2, {I32, I32}, I32}, pairs = {"", 2, {I32, PAIR}, I32};
    bool simple = chance(g, 60);
    put(g, "fold(");
    put_element_function(g, simple ? &combine : &pairs);
    put(g, ", ");
    random_expr(g, I32);
    put(g, ", ");
    random_expr(g, simple ? ARRAY : PAIRS);
    put(g, ")");
}

// An expression of a form that only this type has.
static inline void put_by_type(Gen *g, Type t)
{
    bool pattern = g->patterns < 2 && g->loops < 4 && chance(g, 30);
    if (t == I32 && pattern && chance(g, 40))
        put_fold(g);
    else if (types[t].class == NUMBER)
        put_arithmetic(g, t);
    else if (t == BOOL)
        put_truth(g);
    else if (t == ARRAY && pattern)
        put_array(g);
    else if (types[t].n)
        put_composed(g, t);
    else
        put_literal(g, t);
}

// A call of a function that is a variable; false if none has this result.
static inline bool put_call_variable(Gen *g, Type t)
{
    for (int i = g->nvars - 1; i >= g->barrier; i--) {
        const Var v = g->vars[i];
        if (!v.signature || v.signature->result != t || chance(g, 40)) continue;
        put_name(g, &v);
        put(g, "(");
        for (int k = 0; k < v.signature->n; k++) {
            if (k) put(g, ", ");
            random_expr(g, v.signature->params[k]);
        }
        put(g, ")");
        return true;
    }
    return false;
}

static inline void put_expr(Gen *g, Type t)
{
    int choice = below(g, 20), routine;
    if (g->budget <= 0 || chance(g, 10 + 9 * g->depth))
        put_leaf(g, t);
    else if (choice < 3 && (routine = find_routine(g, (int)t, false)) >= 0)
        put_call(g, routine, false);
    else if (choice < 6 && put_call_variable(g, t))
        return;
    else if (choice < 8)
        put_if(g, t);
    else if (choice < 10)
        random_block(g, t);
    else if (choice == 10)
        put_match(g, t);
    else if (choice == 11 && g->loops < 3)
        put_loop(g, t);
    else
        put_by_type(g, t);
}

static void random_expr(Gen *g, Type t)
{
    g->budget--, g->depth++;
    put_expr(g, t);
    g->depth--;
}

// --- statements --------------------------------------------------------------------------------

static void random_block(Gen *g, Type t)
{
    int vars = g->nvars, never = -1;
    put(g, "{");
    if (g->depth < MOST_DEPTH && g->budget > 2 && (t == UNIT || chance(g, 45))) {
        put(g, "\n");
        put_statements(g, 3);
    }
    if (t == NEVER && chance(g, 20)) never = find_routine(g, NEVER, false);
    if (never >= 0)
        put_call(g, never, false);
    else if (t == NEVER)
        put_exit(g);
    else if (t != UNIT)
        random_expr(g, t);
    put(g, "}");
    g->nvars = vars;
}

static inline void put_let(Gen *g)
{
    static const Type of[] = {I32,  I32,   I32,   I64,   U8,    F32,   BOOL, PAIR,
                              NEST, POINT, SHAPE, ARRAY, ARRAY, PAIRS, ROWS, HALF};
    Type t = of[below(g, 16)];
    bool changes = chance(g, 50);
    int number = ++g->names;
    text_printf(g->out, "let %sx%d: %s = ", changes ? "mut " : "", number, types[t].text);
    random_expr(g, t);
    put(g, ";\n");
    g->vars[g->nvars++] = (Var){changes ? MUTABLE : FIXED, t, NULL, number};
}

static inline void put_let_tuple(Gen *g)
{
    put(g, "let (");
    text_printf(g->out, "mut x%d, x%d) = ", g->names + 1, g->names + 2);
    int first = g->names + 1;
    g->names += 2;
    random_expr(g, PAIR);
    put(g, ";\n");
    g->vars[g->nvars++] = (Var){MUTABLE, I32, NULL, first};
    g->vars[g->nvars++] = (Var){FIXED, I64, NULL, first + 1};
}

static inline bool put_let_reference(Gen *g)
{
    static const Type of[] = {I32, I64, ARRAY, PAIR, HALF, POINT, PAIRS};
    Type t = of[below(g, 7)];
    Role role = chance(g, 70) ? UNIQUE : SHARED;
    int number = ++g->names, var = find_var(g, t, role == UNIQUE);
    if (var < 0) return false;
    text_printf(g->out, "let x%d = &%s", number, role == UNIQUE ? "mut " : "");
    put_place(g, var, t);
    put(g, ";\n");
    g->vars[g->nvars++] = (Var){role, t, NULL, number};
    return true;
}

static inline bool put_let_function(Gen *g)
{
    const Signature *s = &signatures[below(g, SIGNATURES)];
    int number = ++g->names;
    if (s->result == NEVER && !has_exit(g)) return false;
    text_printf(g->out, "let x%d = ", number);
    put_function(g, s);
    put(g, ";\n");
    g->vars[g->nvars++] = (Var){FUNCTION, UNIT, s, number};
    return true;
}

static inline bool put_assignment(Gen *g)
{
    static const Type of[] = {I32,  I32,   I32,   I64,   U8,    F32,  BOOL, PAIR,
                              NEST, POINT, SHAPE, ARRAY, PAIRS, ROWS, HALF, ARRAY};
    static const char *const operators[] = {"=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>>="};
    Type t = of[below(g, 16)];
    int var = find_var(g, t, true);
    if (var < 0) return false;
    put_place(g, var, t);
    text_printf(g->out, " %s ",
                operators[types[t].class == NUMBER ? below(g, t == F32 ? 4 : 9) : 0]);
    random_expr(g, t);
    put(g, ";\n");
    return true;
}

static inline void put_while(Gen *g)
{
    Ways ways = ways_of(g);
    int counter = ++g->names;
    text_printf(g->out, "let mut x%d = 0i32;\nwhile ", counter);
    g->vars[g->nvars++] = (Var){FIXED, I32, NULL, counter};
    int vars = g->nvars;
    text_printf(g->out, "x%d < %di32", counter, below(g, 4) + 1);
    if (chance(g, 50)) {
        put(g, " && ");
        random_expr(g, BOOL);
    }
    text_printf(g->out, " {\nx%d += 1i32;\n", counter);
    enter_loop(g, UNIT, UNIT);
    put_statements(g, 4);
    put(g, "}\n");
    set_ways(g, ways);
    g->nvars = vars;
}

static inline void put_bound(Gen *g, Type t, bool literal)
{
    if (literal || chance(g, 60)) {
        text_printf(g->out, "%d%s", below(g, 5), types[t].suffix);
    } else {
        put(g, "(");
        random_expr(g, t);
        text_printf(g->out, " & 3%s)", types[t].suffix);
    }
}

// The body of a `for` over variables of these types, or of a `with`, in which continue is that of
// the loop around it.
static inline void put_for_body(Gen *g, const Signature *s, int first, Type leave, bool with)
{
    Ways ways = ways_of(g);
    int vars = g->nvars;
    for (int i = 0; i < s->n; i++)
        g->vars[g->nvars++] = (Var){FIXED, s->params[i], NULL, first + i};
    enter_loop(g, (int)leave, with ? g->next : (int)s->result);
    random_block(g, s->result);
    put(g, "\n");
    set_ways(g, ways);
    g->nvars = vars;
}

static inline void put_range(Gen *g)
{
    Type t = (Type)below(g, 3);
    Signature s = {"", 1, {t, UNIT}, UNIT};
    bool unroll = chance(g, 25);
    int number = ++g->names;
    text_printf(g->out, "for x%d in %s(", number, unroll ? "unroll" : "range");
    put_bound(g, t, unroll);
    put(g, ", ");
    put_bound(g, t, unroll);
    put(g, ") ");
    put_for_body(g, &s, number, UNIT, false);
}

static inline bool put_for(Gen *g)
{
    int routine = find_routine(g, NO_TYPE, true);
    if (routine < 0 || g->loops > 2) return false;
    const Routine *f = &g->routines[routine];
    const Signature *s = f->params[f->nparams - 1].signature;
    bool with = s->n == 0 || chance(g, 20);
    bool valued = f->result != UNIT && f->result != NEVER;
    int result = ++g->names, first = g->names + 1;
    g->names += s->n;
    if (valued) text_printf(g->out, "let x%d: %s = ", result, types[f->result].text);
    if (f->result == NEVER) {
        put(g, "if ");
        random_expr(g, BOOL);
        put(g, " { ");
    }
    put(g, with ? "with " : "for ");
    for (int i = 0; i < s->n; i++) text_printf(g->out, "%sx%d", i ? ", " : "", first + i);
    if (s->n) put(g, " in ");
    put_call(g, routine, true);
    put(g, " ");
    put_for_body(g, s, first, f->result, with);
    if (f->result == NEVER) put(g, "}\n");
    if (valued) {
        put(g, ";\n");
        g->vars[g->nvars++] = (Var){FIXED, f->result, NULL, result};
    }
    return true;
}

static inline bool put_call_statement(Gen *g)
{
    int routine = find_routine(g, NO_TYPE, false);
    if (chance(g, 40) && put_call_variable(g, UNIT)) {
        put(g, ";\n");
        return true;
    }
    if (routine < 0) return false;
    Type result = g->routines[routine].result;
    if (result == NEVER) {
        put(g, "if ");
        random_expr(g, BOOL);
        put(g, " { ");
    } else if (result != UNIT) {
        put(g, "let _ = ");
    }
    put_call(g, routine, false);
    put(g, result == NEVER ? " }\n" : ";\n");
    return true;
}

static inline bool put_leaving(Gen *g)
{
    if (!has_exit(g)) return false;
    put(g, "if ");
    random_expr(g, BOOL);
    put(g, " ");
    random_block(g, NEVER);
    put(g, "\n");
    return true;
}

// Names a continuation, so that inner loops can use it.
static inline bool put_let_exit(Gen *g)
{
    Exit exits[EXITS];
    int n = find_exits(g, exits);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < NEVER_SIGNATURES; k++)
            if (signatures[k].params[0] == exits[i].type && chance(g, 50)) {
                text_printf(g->out, "let x%d = %s;\n", ++g->names, exits[i].name);
                g->vars[g->nvars++] = (Var){FUNCTION, UNIT, &signatures[k], g->names};
                return true;
            }
    return false;
}

static inline void put_statement(Gen *g)
{
    int choice = g->budget <= 0 || g->nvars > VARS - 20 ? 99 : below(g, 100);
    if (choice < 16)
        put_let(g);
    else if (choice < 20)
        put_let_tuple(g);
    else if (choice < 25 && put_let_reference(g))
        return;
    else if (choice < 30 && put_let_function(g))
        return;
    else if (choice < 33 && put_let_exit(g))
        return;
    else if (choice < 40 && g->loops < 3)
        put_while(g);
    else if (choice < 50 && g->loops < 3)
        put_range(g);
    else if (choice < 60 && put_for(g))
        return;
    else if (choice < 67 && put_call_statement(g))
        return;
    else if (choice < 75 && put_leaving(g))
        return;
    else if (choice < 82)
        put_if(g, UNIT), put(g, "\n");
    else if (choice < 85)
        put_match(g, UNIT), put(g, "\n");
    else
        put_assignment(g);
}

static void random_statement(Gen *g)
{
    g->budget--, g->depth++;
    put_statement(g);
    g->depth--;
}

// --- functions ---------------------------------------------------------------------------------

static inline void random_params(Gen *g, Routine *f)
{
    static const Type of[] = {I32, I32, I64, U8, BOOL, PAIR, POINT, SHAPE, ARRAY, PAIRS, HALF, F32};
    f->nparams = 0;
    if (f->recursive) f->params[f->nparams++] = (Var){FIXED, I32, NULL, 0};
    int data = below(g, 3), functions = below(g, 3);
    for (int i = 0; i < data; i++) {
        Role role = chance(g, 45) ? UNIQUE : chance(g, 20) ? SHARED : FIXED;
        f->params[f->nparams++] = (Var){role, of[below(g, 12)], NULL, ++g->names};
    }
    if (f->result == NEVER)
        f->params[f->nparams++] =
            (Var){FUNCTION, UNIT, &signatures[below(g, NEVER_SIGNATURES)], ++g->names};
    for (int i = 0; i < functions; i++)
        f->params[f->nparams++] =
            (Var){FUNCTION, UNIT, &signatures[below(g, SIGNATURES)], ++g->names};
}

static inline void declare_routine(Gen *g, int group, int last, bool recursive)
{
    static const Type of[] = {UNIT, UNIT, UNIT,  I32,   I32,   I64,
                              BOOL, PAIR, ARRAY, SHAPE, NEVER, NEVER};
    Routine *f = &g->routines[g->nroutines++];
    *f = (Routine){.group = group, .last = last, .recursive = recursive};
    if (g->nroutines - 1 > group && recursive) { // of one shape, so that they can call each other
        *f = g->routines[group];
        return;
    }
    f->result = of[below(g, 12)];
    random_params(g, f);
}

static inline void put_filter(Gen *g, const Routine *f)
{
    if (f->recursive)
        put(g, chance(g, 50) ? "@(?n) " : chance(g, 50) ? "@(?n && n < 3) " : "");
    else if (chance(g, 20))
        put(g, "@ ");
    else if (f->nparams > 0 && f->params[0].role == FIXED && chance(g, 30))
        text_printf(g->out, "@(?x%d) ", f->params[0].number);
}

static inline void put_params(Gen *g, const Routine *f)
{
    for (int i = 0; i < f->nparams; i++) {
        const Var *p = &f->params[i];
        if (i) put(g, ", ");
        if (!f->recursive && p->role == FIXED && chance(g, 10)) put(g, "@ ");
        put_name(g, p);
        text_printf(g->out, ": %s%s",
                    p->role == UNIQUE   ? "&mut "
                    : p->role == SHARED ? "&"
                                        : "",
                    p->role == FUNCTION ? p->signature->text : types[p->type].text);
        g->vars[g->nvars++] = *p;
    }
}

static inline void write_routine(Gen *g, int number)
{
    const Routine *f = &g->routines[number];
    g->inside = number;
    g->nvars = g->barrier = g->calls = g->loops = g->patterns = g->depth = 0;
    g->leave = g->next = NO_TYPE;
    g->give = (int)f->result;
    g->budget = 40;
    put(g, "\nfn ");
    put_filter(g, f);
    text_printf(g->out, "f%" PRIu64 "_%d(", g->seed, number);
    put_params(g, f);
    put(g, ")");
    if (f->result != UNIT) text_printf(g->out, " -> %s", types[f->result].text);
    put(g, " {\n");
    if (f->recursive) {
        g->calls = 2;
        put(g, "if n <= 0 ");
        random_block(g, NEVER);
        put(g, "\n");
        g->calls = 0;
    }
    put_statements(g, 5);
    random_block(g, f->result);
    put(g, "\n}\n");
}

// All variables that changed, as one number.
static inline void put_checksum(Gen *g)
{
    put(g, "0i64");
    for (int i = 0; i < g->nvars; i++)
        if (g->vars[i].role == MUTABLE && reaches(g->vars[i].type, I32)) {
            put(g, " * 31i64 + i64(");
            put_place(g, i, I32);
            put(g, ")");
        }
}

static inline void write_entry(Gen *g)
{
    static const Type params[] = {I32, I32, I64, U8, BOOL, ARRAY, PAIRS};
    g->inside = g->nroutines;
    g->nvars = g->barrier = g->calls = g->loops = g->patterns = g->depth = 0;
    g->leave = g->next = NO_TYPE;
    g->give = RESULT;
    g->budget = 100;
    text_printf(g->out, "\nentry fn e%" PRIu64 "(", g->seed);
    for (int i = 0; i < 7; i++) {
        text_printf(g->out, "%sx%d: %s", i ? ", " : "", ++g->names, types[params[i]].text);
        g->vars[g->nvars++] = (Var){FIXED, params[i], NULL, g->names};
    }
    put(g, ") -> (i64, [4]i32, (i32, i64)) {\n");
    for (int i = 0; i < 5; i++) put_let(g);
    put_statements(g, 8);
    put(g, "(");
    g->budget = 3;
    put_checksum(g);
    put(g, ", ");
    random_expr(g, ARRAY);
    put(g, ", ");
    random_expr(g, PAIR);
    put(g, ")\n}\n");
}

/// An entry e<seed> and the functions f<seed>_<i> that it calls. They need random_declarations
/// before them.
static inline void random_program(Text *out, uint64_t seed)
{
    Gen g = {.random = {hash_mix(seed, 7)}, .out = out, .seed = seed};
    int routines = below(&g, 5);
    while (g.nroutines < routines) {
        int first = g.nroutines;
        bool recursive = chance(&g, 55);
        int members = recursive && chance(&g, 25) ? 2 : 1;
        for (int i = 0; i < members; i++)
            declare_routine(&g, first, first + members - 1, recursive);
        for (int i = 0; i < members; i++) write_routine(&g, first + i);
    }
    write_entry(&g);
}

#endif
