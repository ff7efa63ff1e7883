// Makes a failing program smaller while it fails in the same way: removes items and statements, and
// replaces expressions by their parts or by literals. What is left is a program for tests/programs.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_REDUCE_H
#define ADZE_TESTS_RANDOM_PROGRAM_REDUCE_H

#include "programs/random_program_run.h"
#include "syntax/tree/ast.h"

enum { REDUCE_SECONDS = 120, REACH = 3 };

/// Replaces bytes lo to hi of the text.
typedef struct {
    uint32_t lo, hi;
    const char *text;
    int order; // smaller ones are tried first
} Edit;
typedef VEC(Edit) EditVec;

typedef struct {
    Arena *arena;
    const char *text;
    const Config *config;
    const char *dir;
    const Ran *wanted;
    Ran *tried;
    time_t until;
} Reducer;

// --- edits -------------------------------------------------------------------------------------

static inline void add_edit(Reducer *r, EditVec *edits, uint32_t lo, uint32_t hi, const char *text,
                            int order)
{
    size_t n = strlen(text);
    Edit e = {lo, hi, text, order};
    bool same = n == hi - lo && strncmp(text, r->text + lo, n) == 0;
    if (hi > lo && n <= hi - lo && !same) vec_push(r->arena, edits, e);
}

static inline const char *piece(Reducer *r, const Ast *a)
{
    return arena_strndup(r->arena, r->text + a->span.lo, a->span.hi - a->span.lo);
}

static inline bool is_expression(const Ast *a)
{
    return a && a->kind > AST_ERROR && a->kind <= AST_PAREN && a->kind != AST_LET &&
           a->kind != AST_ASSIGN && a->kind != AST_ARM && a->kind != AST_GENERATOR;
}

// Replaces the expression by one inside it.
static inline void edits_to_parts(Reducer *r, EditVec *edits, const Ast *whole, const Ast *a,
                                  int depth)
{
    for (int i = 0; depth < REACH && i < a->kids.len; i++) {
        const Ast *kid = a->kids.at[i];
        if (!kid) continue;
        if (is_expression(kid))
            add_edit(r, edits, whole->span.lo, whole->span.hi, piece(r, kid), 2);
        edits_to_parts(r, edits, whole, kid, depth + 1);
    }
}

// Removes statements, in runs of 8, 4, 2 and 1; the last kid of a block is its value.
static inline void edits_of_block(Reducer *r, EditVec *edits, const Ast *b)
{
    int n = b->kids.len - 1;
    for (int run = 8; run; run /= 2)
        for (int i = 0; i + run <= n; i += run) {
            const Ast *next = i + run < b->kids.len ? b->kids.at[i + run] : NULL;
            uint32_t hi = next ? next->span.lo : b->span.hi - 1;
            add_edit(r, edits, b->kids.at[i]->span.lo, hi, "", 1);
        }
}

// Replaces the expression by a literal, but a literal only by a smaller one.
static inline void edits_to_literals(Reducer *r, EditVec *edits, const Ast *a)
{
    static const char *const literals[] = {"0", "false", "1", "true", "0.0", "{}"};
    uint32_t lo = a->span.lo, hi = a->span.hi;
    bool is_literal = a->kind == AST_INT || a->kind == AST_FLOAT || a->kind == AST_BOOL;
    for (int i = 0; i < 6 && !is_literal; i++) add_edit(r, edits, lo, hi, literals[i], 3);
    const char *suffix = a->suffix ? a->suffix->text : "";
    for (int i = 0; i < 4 && a->kind == AST_INT && i < a->value.integer; i += 2)
        add_edit(r, edits, lo, hi, arena_printf(r->arena, "%s%s", literals[i], suffix), 3);
}

static inline void edits_of(Reducer *r, EditVec *edits, const Ast *a)
{
    if (!a) return;
    uint32_t lo = a->span.lo, hi = a->span.hi;
    if (a->kind == AST_BLOCK) edits_of_block(r, edits, a);
    if (a->kind == AST_ARM) add_edit(r, edits, lo, hi + (r->text[hi] == ','), "", 1);
    if (a->kind == AST_IF && a->kids.at[2])
        add_edit(r, edits, a->kids.at[1]->span.hi, hi, "", 1); // without its else
    if (is_expression(a)) {
        edits_to_parts(r, edits, a, a, 0);
        edits_to_literals(r, edits, a);
    }
    for (int i = 0; i < a->kids.len; i++) edits_of(r, edits, a->kids.at[i]);
}

static int edit_order(const void *a, const void *b)
{
    const Edit *x = a, *y = b;
    if (x->order != y->order) return x->order - y->order;
    int64_t more =
        (int64_t)(y->hi - y->lo - strlen(y->text)) - (int64_t)(x->hi - x->lo - strlen(x->text));
    return more ? (more > 0) - (more < 0) : (x->lo > y->lo) - (x->lo < y->lo);
}

static inline EditVec edits_of_text(Reducer *r)
{
    EditVec edits = {0};
    Session *cx = session_new();
    Module *m = parse_module(cx, session_add_source(cx, "reduced.adz", r->text, strlen(r->text)));
    for (int i = 0; cx->errors == 0 && i < m->items.len; i++) {
        const Item *item = m->items.at[i];
        add_edit(r, &edits, item->span.lo, item->span.hi, "", 0);
        if (item->body) edits_of(r, &edits, item->body);
    }
    session_delete(cx);
    if (edits.len) qsort(edits.at, (size_t)edits.len, sizeof *edits.at, edit_order);
    return edits;
}

// --- the search --------------------------------------------------------------------------------

// Whether two messages start alike. Numbers change as the program does, and so may the end.
static inline bool same_fault(const char *a, const char *b)
{
    for (int n = 0; n < 70; n++, a++, b++) {
        while (isdigit((unsigned char)*a)) a++;
        while (isdigit((unsigned char)*b)) b++;
        if (*a != *b) return false;
        if (!*a) return true;
    }
    return true;
}

static inline bool fails_alike(Reducer *r, const char *text)
{
    Failure failure = run_alone("reduced.adz", text, r->config, r->dir, r->tried);
    if (failure != r->wanted->failure) return false;
    return (failure != FAULT && failure != REFUSED) ||
           same_fault(r->tried->detail, r->wanted->detail);
}

static inline const char *edited(Reducer *r, const Edit *e)
{
    Text out = text_new(r->arena);
    text_add(&out, r->text, e->lo);
    text_put(&out, e->text);
    text_put(&out, r->text + e->hi);
    return text_get(&out);
}

// Tries all edits. After one that helps, goes on near it with the edits of the new text. Returns
// whether any helped.
static inline bool reduce_once(Reducer *r)
{
    bool helped = false;
    EditVec edits = edits_of_text(r);
    for (int i = 0; i < edits.len && time(NULL) < r->until; i++) {
        const char *text = edited(r, &edits.at[i]);
        if (!fails_alike(r, text)) continue;
        r->text = text;
        helped = true;
        edits = edits_of_text(r);
        i = i > 4 ? i - 4 : -1;
    }
    return helped;
}

static inline const char *formatted(Arena *arena, const char *text)
{
    Session *cx = session_new();
    Text out = text_new(arena);
    Module *m = parse_module(cx, session_add_source(cx, "reduced.adz", text, strlen(text)));
    if (cx->errors == 0) format_module(cx, &out, m);
    bool good = cx->errors == 0;
    session_delete(cx);
    return good ? text_get(&out) : text;
}

/// Returns the smaller text, or the same one if the failure does not occur again.
static inline const char *reduce_text(Arena *arena, const char *text, const Config *config,
                                      const Ran *wanted, const char *dir)
{
    Ran want = *wanted;
    Config c = *config;
    Reducer r = {arena, text, &c, dir, &want, ran_new(), time(NULL) + REDUCE_SECONDS};
    c.no_c = true; // many failures need no C compiler, and show sooner without
    if (!fails_alike(&r, text)) c.no_c = false;
    while (fails_alike(&r, r.text) && reduce_once(&r) && time(NULL) < r.until) continue;
    munmap(r.tried, sizeof *r.tried);
    return formatted(arena, r.text);
}

#endif
