// Documentation of the program, its imports, the prelude and the library.
#include "driver/repl/repl.h"

#include <string.h>

static const Item *item_in(const Module *m, const char *name)
{
    for (int i = 0; i < m->items.len; i++) {
        const Item *item = m->items.at[i];
        bool named = item->name && item->kind != ITEM_IMPORT && item->kind != ITEM_SCHEDULE;
        if (named && strcmp(item->name->text, name) == 0) return item;
    }
    return NULL;
}

// Looks in the files that the program consists of.
static const Item *find_in_program(const Work *w, const char *name)
{
    const Item *found = item_in(w->module, name);
    for (int i = 0; !found && i < w->cx->sources.len; i++) {
        if (!path_has_extension(w->cx->sources.at[i]->path, ".adz")) continue;
        found = item_in(parse_module(w->cx, (uint32_t)i + 1), name);
    }
    return found;
}

static const Item *find_in_library(Session *cx, const char *name)
{
    Strings files = modules_of_library(cx->arena, "std");
    const Item *found = NULL;
    for (int i = 0; !found && i < files.len; i++) {
        uint32_t file = source_open(cx, files.at[i], NO_SPAN);
        if (file) found = item_in(parse_module(cx, file), name);
    }
    return found;
}

const Item *item_find(const Work *w, const char *name, const char **place)
{
    const Item *found = find_in_program(w, name);
    if (!found) found = find_in_library(w->cx, name);
    if (found && place) *place = source_short_path(w->cx->sources.at[found->span.file - 1]);
    return found;
}

// Prints what a built-in function or a conversion does. Returns whether the name is one of these.
static bool print_builtin(const char *name)
{
    static const struct {
        const char *name, *signature, *text;
    } builtins[] = {
#define BUILTIN(name, signature, text) {name, signature, text},
#include "driver/repl/builtins.def"
#undef BUILTIN
    };
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        if (strcmp(builtins[i].name, name) != 0) continue;
        printf("%s\n%s\n", builtins[i].signature, builtins[i].text);
        return true;
    }
    for (int s = 0; s < SCALAR_COUNT; s++) {
        if (strcmp(scalar_info[s].text, name) != 0) continue;
        printf("type %s; %s(x) converts a number, or the elements of an array\n"
               "Integers wrap. Floats become integers by rounding toward zero, at most to the ends "
               "of the range, and NaN becomes 0.\n",
               name, name);
        return true;
    }
    return false;
}

static int print_doc(Driver *d, void *request)
{
    const InputRequest *q = request;
    Work w;
    if (!pipeline_open(d, q->r->path, &w)) return 1;
    const char *place;
    const Item *item = item_find(&w, q->text, &place);
    if (!item && print_builtin(q->text)) return 0;
    if (!item) {
        fprintf(stderr, "there is no documentation of `%s`\n", q->text);
        return 1;
    }
    printf("%s\n%s: %s\n", define_show(d->cx, item), place, item->doc ? item->doc : "(no text)");
    return 0;
}

int doc_print(Driver *d, void *request)
{
    return input_session(d, print_doc, request);
}
