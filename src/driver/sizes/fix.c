// --fix n=64,m=32: specialises entries for some of their sizes.
#include "driver/sizes/sizes.h"

#include <string.h>

static bool add_size(Session *cx, GivenSizes *sizes, GivenSize one, const char *text)
{
    for (int i = 0; i < sizes->len; i++) {
        if (sizes->at[i].name != one.name) continue;
        if (sizes->at[i].value == one.value) return true;
        Diag *d = diag_error(cx, E0715, NO_SPAN, "--fix %s: %s is %lld already", text,
                             one.name->text, (long long)sizes->at[i].value);
        diag_help(cx, d, "build the file once for each value, with another folder for -o");
        return false;
    }
    vec_push(cx->arena, sizes, one);
    return true;
}

bool sizes_fixed(Session *cx, const Strings *texts, GivenSizes *sizes)
{
    for (int i = 0; i < texts->len; i++) {
        const char *at = texts->at[i];
        do {
            size_t len = strcspn(at, ",");
            const char *text = arena_strndup(cx->arena, at, len);
            GivenSize one;
            if (!size_given(cx, "fix", text, &one) || !add_size(cx, sizes, one, text)) return false;
            at += len;
        } while (*at++ == ',');
    }
    return true;
}

static bool has_size(const Function *f, Sym name)
{
    for (int i = 0; i < f->generics.len; i++)
        if (f->generics.at[i].name == name && strcmp(f->generics.at[i].kind->text, "nat") == 0)
            return true;
    return false;
}

const Function *sizes_fix(Session *cx, const Function *f, const GivenSizes *sizes)
{
    VEC(NodeBinding) own = {0};
    for (int i = 0; i < sizes->len; i++) {
        NodeBinding b = {sizes->at[i].name, nat_const(cx, sizes->at[i].value)};
        if (has_size(f, b.name)) vec_push(cx->arena, &own, b);
    }
    return own.len ? core_specialise(cx, f, own.at, own.len) : f;
}

static void no_such_size(Session *cx, const char *option, Sym name, const Function *const *among,
                         int n)
{
    Strings names = {0};
    Text list = text_new(cx->arena);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < among[i]->generics.len; k++) {
            const char *one = among[i]->generics.at[k].name->text;
            bool known = false;
            for (int j = 0; j < names.len; j++) known |= strcmp(names.at[j], one) == 0;
            if (known) continue;
            text_printf(&list, "%s%s", names.len ? ", " : "", one);
            vec_push(cx->arena, &names, one);
        }
    Diag *d =
        diag_error(cx, E0715, NO_SPAN, "--%s %s: %s has %s size parameter %s", option, name->text,
                   n == 1 ? among[0]->name->text : "no entry", n == 1 ? "no" : "a", name->text);
    const char *close = closest_name(name->text, names.at, names.len);
    if (close)
        diag_help(cx, d, "did you mean %s?", close);
    else if (names.len)
        diag_help(cx, d, "there are: %s", text_get(&list));
}

bool sizes_fit(Session *cx, const char *option, const GivenSizes *sizes,
               const Function *const *among, int n)
{
    for (int i = 0; i < sizes->len; i++) {
        bool found = false;
        for (int k = 0; k < n; k++) found |= has_size(among[k], sizes->at[i].name);
        if (found) continue;
        no_such_size(cx, option, sizes->at[i].name, among, n);
        return false;
    }
    return true;
}
