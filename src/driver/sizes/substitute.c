// --size n=10 replaces the name with the number in the expression, except where the name is bound.
#include "driver/sizes/sizes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Sym name;
    int64_t value;
    bool used;
} Size;

static bool pattern_binds(const Ast *p, Sym name)
{
    if (p->kind == AST_BIND || p->kind == AST_BIND_MUT) return p->name == name;
    for (int i = 0; i < p->kids.len; i++)
        if (pattern_binds(p->kids.at[i], name)) return true;
    return false;
}

static void substitute(Ast *e, Size *s);

// Substitutes in the statements of a block, up to the first that binds the name.
static void substitute_block(Ast *e, Size *s)
{
    for (int i = 0; i < e->kids.len; i++) {
        substitute(e->kids.at[i], s);
        if (e->kids.at[i]->kind == AST_LET && pattern_binds(e->kids.at[i]->kids.at[0], s->name))
            return;
    }
}

static void substitute(Ast *e, Size *s)
{
    if (!e) return;
    bool named = e->kind == AST_NAME || e->kind == AST_TYPE_NAME;
    if (named && e->name == s->name && e->generics.len == 0) {
        e->kind = AST_INT;
        e->value.integer = s->value;
        s->used = true;
        return;
    }
    if (e->kind == AST_BLOCK) {
        substitute_block(e, s);
        return;
    }
    for (int i = 0; e->kind == AST_LAMBDA && i < e->kids.len - 1; i++)
        if (pattern_binds(e->kids.at[i], s->name)) return;
    for (int i = 0; i < e->kids.len; i++) substitute(e->kids.at[i], s);
    for (int i = 0; i < e->generics.len; i++) substitute(e->generics.at[i], s);
}

bool size_given(Session *cx, const char *option, const char *text, GivenSize *size)
{
    const char *equals = strchr(text, '=');
    char *end = NULL;
    errno = 0;
    long long value = equals ? strtoll(equals + 1, &end, 10) : 0;
    if (!equals || equals == text || end == equals + 1 || *end || value < 0 || errno) {
        Diag *d = diag_error(cx, E0715, NO_SPAN, "--%s %s: this is not of the form NAME=NUMBER",
                             option, text);
        diag_help(cx, d, "write a name and a number that is not negative, such as --%s n=10",
                  option);
        return false;
    }
    *size = (GivenSize){sym_intern(cx->syms, text, (size_t)(equals - text)), value};
    return true;
}

bool sizes_given(Session *cx, const Strings *texts, GivenSizes *sizes)
{
    for (int i = 0; i < texts->len; i++) {
        GivenSize given;
        if (!size_given(cx, "size", texts->at[i], &given)) return false;
        vec_push(cx->arena, sizes, given);
    }
    return true;
}

bool expression_put_size(Ast *e, const GivenSize *size)
{
    Size s = {size->name, size->value, false};
    substitute(e, &s);
    return s.used;
}

bool expression_set_sizes(Session *cx, Ast *e, const Strings *sizes)
{
    for (int i = 0; i < sizes->len; i++) {
        GivenSize given;
        if (!size_given(cx, "size", sizes->at[i], &given)) return false;
        if (expression_put_size(e, &given)) continue;
        Diag *d = diag_error(cx, E0715, NO_SPAN, "--size %s: the expression does not mention %s",
                             sizes->at[i], given.name->text);
        diag_help(cx, d, "sizes of argument arrays follow from the arrays");
        return false;
    }
    return true;
}
