// print(x, ..) and assert(c, x, ..) take strings and data of any type. In SIMD mode, a line is
// printed once for all active lanes, so `print` is treated like `scalar { }` (masks.c). An
// assertion is checked in each lane.
#include "infer/calls/calls.h"

#include <ctype.h>
#include <string.h>

// The length of the placeholder at the beginning of the string, such as %5.2f, {} or {:.2f}, which
// another language would expand. Returns 0 if there is none.
static size_t placeholder(const char *s)
{
    if (*s == '{') {
        size_t n = 1 + strspn(s + 1, "0123456789");
        if (s[n] == ':') n += strcspn(s + n, "} ");
        return s[n] == '}' ? n + 1 : 0;
    }
    size_t n = *s == '%';
    if (!n) return 0;
    n += strspn(s + n, "-+#0123456789.");
    n += strspn(s + n, "hlz");
    bool ends = s[n] && strchr("diufFeEgGxXsc", s[n]);
    bool alone = ends && !isalnum((unsigned char)s[n + 1]);
    return alone ? n + 1 : 0;
}

// Warns about a format string, as in print("k = %d", k).
static void warn_of_format(Body *b, const Ast *text)
{
    const char *s = text->value.string;
    while (*s && placeholder(s) == 0) s++;
    if (!*s || infer_is_reported(b->cx, E0336, text->span)) return;
    Diag *d = diag_warning(b->cx, E0336, text->span, "`%.*s` is printed as it is written here",
                           (int)placeholder(s), s);
    diag_help(b->cx, d, "write texts and values one after the other: print(\"k = \", k)");
}

Node *infer_print(Body *b, const Application *a)
{
    int first = a->symbol->row == PRINT_ASSERT;
    if (a->nargs < first) return infer_wrong_count(b, a, 1);
    infer_new_call(b, a);
    b->has_scalar |= infer_prints(b->cx, a->symbol);
    if (first) infer_condition(b, a->args[0]);
    for (int i = first; i < a->nargs; i++) {
        const Ast *text = ast_strip(a->args[i]);
        if (text->kind != AST_STRING)
            infer_check(b, a->args[i], infer_fresh(&b->scope, GENERIC_DATA), no_why);
        else if (i + 1 < a->nargs)
            warn_of_format(b, text);
    }
    return infer_unit(b);
}
