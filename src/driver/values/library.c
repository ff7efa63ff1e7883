// Loads compiled entries into this process, calls them, and parses their failures.
#include "driver/values/values.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "adze_message.h"

static const char entry_prefix[] = "adze_";

// Returns the C name of a function that accompanies an entry. The name of an entry of another
// module has a dot.
static const char *name_in_c(Session *cx, const char *before, const LoopEntry *e,
                             const char *behind)
{
    char *name = arena_printf(cx->arena, "%s%s%s%s", entry_prefix, before, e->name->text, behind);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c)) *c = '_';
    return name;
}

static const char *wrapper_name(Session *cx, const LoopEntry *e)
{
    return name_in_c(cx, "1call_", e, "");
}

// Whether the library has the functions of the entries. It lacks them if the C compiler produced
// something else. In that case, sets *why to the reason.
static bool has_entries(Session *cx, void *handle, LoopEntry *const *entries, int n,
                        const char **why)
{
    for (int i = 0; i < n; i++) {
        const char *call = wrapper_name(cx, entries[i]);
        if (dlsym(handle, call)) continue;
        *why = arena_printf(cx->arena, "it has no function %s", call);
        return false;
    }
    return true;
}

Library *library_build(Session *cx, const char *name, LoopEntry *const *entries, int n,
                       const HostOptions *host)
{
    Text source = text_new(cx->arena), header = text_new(cx->arena);
    pipeline_emit(cx, entries, n, name, true, &source, &header);
    HostOptions own = *host;
    own.parallel = loops_any_parallel(entries, n);
    const char *temporary, *path = cache_library(cx, &own, name, &source, &header, &temporary);
    if (!path) return NULL;
    // idle OpenMP threads may still be executing code of the library
    int keep = own.parallel ? RTLD_NODELETE : 0;
    // without a slash in the path, dlopen would search the system folders
    void *handle = dlopen(strchr(path, '/') ? path : arena_printf(cx->arena, "./%s", path),
                          RTLD_NOW | RTLD_LOCAL | keep);
    const char *why = handle ? NULL : dlerror();
    if (handle && !has_entries(cx, handle, entries, n, &why)) {
        dlclose(handle);
        handle = NULL;
    }
    if (temporary) {
        remove_path(temporary);
        cleanup_drop(host->cleanup, temporary);
    } else if (!handle) {
        remove_path(path); // the next run compiles it again
    }
    if (handle) return handle;
    Diag *d = diag_error(cx, E0710, NO_SPAN, "the compiled code cannot be loaded: %s", why);
    diag_help(cx, d, "%s",
              strstr(why, "undefined symbol")
                  ? "an `extern fn` of your own is compiled with it: --cflags functions.c"
                  : "try --no-cache, or --cache with a folder that allows execution");
    return NULL;
}

void library_close(Library *lib)
{
    if (lib) dlclose(lib);
}

static void *find_symbol(Session *cx, Library *lib, const char *symbol)
{
    void *found = dlsym(lib, symbol);
    CHECK(cx, found, "the compiled library has no %s", symbol);
    return found;
}

// ISO C cannot convert an object pointer to a function pointer, but POSIX requires that for dlsym.
EntryCode library_entry(Session *cx, Library *lib, const LoopEntry *e)
{
    EntryCode code;
    *(void **)&code.call = find_symbol(cx, lib, wrapper_name(cx, e));
    *(void **)&code.message = find_symbol(cx, lib, name_in_c(cx, "", e, "_message"));
    *(void **)&code.kept = dlsym(lib, arena_printf(cx->arena, "%skept", entry_prefix));
    return code;
}

char *entry_code_message(const EntryCode *code, int status)
{
    return adze_message_text(code->message(status), code->kept);
}

int library_invoke(Session *cx, Library *lib, const LoopEntry *e, const int64_t *sizes,
                   void *const *buffers, const char **message)
{
    EntryCode code = library_entry(cx, lib, e);
    int status = code.call(sizes, buffers);
    *message = "";
    if (status == 0) return 0;
    char *text = entry_code_message(&code, status);
    *message = arena_printf(cx->arena, "%s", text ? text : code.message(status));
    free(text);
    return status;
}

// --- failures -----------------------------------------------------------------------------------

static bool find_code(const char *text, DiagCode *code)
{
    for (int i = 0; i < DIAG_COUNT; i++) {
        const char *name = diag_name((DiagCode)i);
        if (strncmp(text, name, strlen(name)) != 0) continue;
        *code = (DiagCode)i;
        return true;
    }
    return false;
}

// Returns the source position that "PATH:LINE:COLUMN" names, or NO_SPAN.
static Span find_place(const Session *cx, const char *text, size_t len)
{
    for (int i = 0; i < cx->sources.len; i++) {
        const Source *s = cx->sources.at[i];
        const char *path = source_short_path(s);
        size_t n = strlen(path);
        int line, column;
        if (len <= n || strncmp(text, path, n) != 0) continue;
        if (sscanf(text + n, ":%d:%d", &line, &column) != 2 || line < 1 || line > s->lines.len)
            continue;
        uint32_t at = s->lines.at[line - 1];
        for (int k = 1; k < column && at < s->len; k++) // columns count characters, not bytes
            do at++;
            while (at < s->len && ((unsigned char)s->text[at] & 0xc0) == 0x80);
        return (Span){(uint32_t)i + 1, at, at + 1};
    }
    return NO_SPAN;
}

Outcome outcome_of_message(Session *cx, const char *message)
{
    static const char mark[] = "error E";
    Outcome o = {0};
    const char *at = strstr(message, mark);
    CHECK(cx, at && find_code(at + strlen(mark) - 1, &o.code),
          "compiled code failed without a reason: %s", message);
    o.span = find_place(cx, message, (size_t)(at - message));
    const char *text = strstr(at, ": ");
    o.text = arena_printf(cx->arena, "%s", text ? text + 2 : at);
    return o;
}

void outcome_report(Session *cx, const Outcome *o, const LoopEntry *e, const int64_t *sizes)
{
    Diag *d = diag_lines(cx, o->code, o->span, o->text);
    if (o->code == E0605)
        diag_help(cx, d,
                  strstr(o->text, "nested") ? "the compiled program, without --interpret, has more "
                                              "stack, and calls in tail position need none there"
                                            : "the compiled program, without --interpret, may take "
                                              "any number of steps");
    if (o->code == E0612)
        diag_help(cx, d,
                  "does the recursion end? A call in tail position needs no stack; "
                  "--cflags=-DADZE_STACK=BYTES sets another limit than 6 MiB");
    if (!e) return;
    Text t = text_new(cx->arena);
    for (int i = 0; i < e->sizes.len; i++)
        text_printf(&t, "%s%s = %lld", i ? ", " : "", e->sizes.at[i]->text, (long long)sizes[i]);
    for (int i = 0; i < e->nsource; i++)
        text_printf(&t, "%s%s: %s", t.len ? ", " : "", e->source[i].name->text,
                    type_show(cx, e->source[i].type));
    if (t.len) diag_note(cx, d, NO_SPAN, "in %s with %s", e->name->text, text_get(&t));
    if (o->code == E0601 || o->code == E0602 || o->code == E0603 || o->code == E0604 ||
        o->code == E0611)
        diag_help(cx, d, "run it with --interpret to see the values");
}

// --- calls on values ----------------------------------------------------------------------------

// Substitutes the sizes of this call into a type.
static Node *sized_type(Session *cx, const LoopEntry *e, const int64_t *sizes, Node *type)
{
    NodeBinding *with = ARENA_ARRAY(cx->arena, NodeBinding, e->sizes.len + 1);
    for (int i = 0; i < e->sizes.len; i++)
        with[i] = (NodeBinding){e->sizes.at[i], nat_const(cx, sizes[i])};
    return node_replace_names(cx, type, with, e->sizes.len);
}

static Outcome pack_arguments(Session *cx, Arena *arena, const LoopEntry *e, const int64_t *sizes,
                              const Value *args, AdzeArray *leaves)
{
    Outcome o = {.ok = true};
    for (int i = 0; i < e->nsource && o.ok; i++) {
        Node *type = sized_type(cx, e, sizes, e->source[i].type);
        o = value_check(cx, arena, &args[i], type, e->source[i].name);
        if (o.ok) leaves_pack(&args[i], type, leaves);
        leaves += type_leaves(type);
    }
    return o;
}

Outcome library_call(Session *cx, Arena *arena, Library *lib, const LoopEntry *e,
                     const int64_t *sizes, const Value *args, Value *result)
{
    int n = e->params.len, inputs = 0;
    AdzeArray *leaves = ARENA_ARRAY(arena, AdzeArray, n + 1);
    void **buffers = ARENA_ARRAY(arena, void *, n + 1);
    while (inputs < n && !e->params.at[inputs].output) inputs++;
    Outcome o;
    if (leaves_alloc(cx, e, sizes, false, leaves, &o) &&
        leaves_alloc(cx, e, sizes, true, leaves, &o))
        o = pack_arguments(cx, arena, e, sizes, args, leaves);
    for (int i = 0; i < n; i++) buffers[i] = leaves[i].data;
    const char *message;
    if (o.ok && library_invoke(cx, lib, e, sizes, buffers, &message) != 0)
        o = outcome_of_message(cx, message);
    if (o.ok)
        *result = leaves_unpack(arena, sized_type(cx, e, sizes, e->result), leaves + inputs, -1);
    leaves_free(leaves, n);
    return o;
}
