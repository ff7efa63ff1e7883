// print(x, ..) and assert(c, x, ..): texts and data of any type. In SIMD mode a line is printed
// once for all active lanes, so `print` is treated like `scalar { }` (masks.c); an assertion is
// checked by each lane.
#include "infer/calls/calls.h"

#include <ctype.h>
#include <string.h>

// The length of a place for a value as printf and other languages write it, %5.2f or {} or {:.2f};
// 0: there is none at the beginning of the text.
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

// print("k = %d", k)
static void warn_of_format(Body *b, const Ast *text)
{
    const char *s = text->value.string;
    while (*s && placeholder(s) == 0) s++;
    if (!*s || infer_is_reported(b->cx, E0336, text->span)) return;
    Diag *d = diag_warning(b->cx, E0336, text->span, "`%.*s` is printed as it stands here",
                           (int)placeholder(s), s);
    diag_help(b->cx, d, "texts and values are printed one after the other: print(\"k = \", k)");
}

Node *infer_print(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs)
{
    int first = y->row == PRINT_ASSERT;
    if (nargs < first) {
        infer_wrong_count(b, e, y->name->text, 1, 0, NULL);
        return infer_error(b);
    }
    infer_new_call(b, e, y, NULL, args, nargs);
    b->has_scalar |= infer_prints(b->cx, y);
    if (first) infer_condition(b, args[0]);
    for (int i = first; i < nargs; i++) {
        const Ast *text = ast_strip(args[i]);
        if (text->kind == AST_STRING && i + 1 < nargs) warn_of_format(b, text);
        if (text->kind == AST_STRING) continue;
        infer_check(b, args[i], infer_fresh(&b->scope, GENERIC_DATA), no_why);
    }
    return infer_unit(b);
}
