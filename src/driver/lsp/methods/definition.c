// Definition, references, highlights and renaming.
#include "driver/lsp/methods/methods.h"

#include <stdlib.h>
#include <string.h>

#include "syntax/lex/lex.h"

json_t *method_definition(Server *s, const json_t *params, Failure *failure)
{
    size_t offset;
    Meant target;
    Analysis *a = server_place(s, params, &offset, failure);
    if (!a || !names_find(a, offset, &target)) return NULL;
    return analysis_location(a, target.definition);
}

// --- references ---------------------------------------------------------------------------------

/// The places of a name in one file.
typedef VEC(Span) Places;

static int by_place(const void *x, const void *y)
{
    const Span *a = x, *b = y;
    return a->lo < b->lo ? -1 : a->lo > b->lo;
}

static const char *path_of(const Analysis *a, uint32_t file)
{
    return a->cx->sources.at[file - 1]->path;
}

// Whether two files of two analyses are the same.
static bool same_file(const Analysis *a, uint32_t file, const Analysis *b, uint32_t other)
{
    const char *x = path_of(a, file), *y = path_of(b, other);
    char real_x[4096], real_y[4096];
    if (strcmp(x, y) == 0) return true;
    return realpath(x, real_x) && realpath(y, real_y) && strcmp(real_x, real_y) == 0;
}

// The places in the file of `a` that mean what is defined at `definition` in a file of `from`.
static Places places(const Analysis *a, const Analysis *from, Span definition, bool declared)
{
    Places found = {0};
    int n = 0;
    for (int i = 0; i < a->uses.names.len; i++) {
        const Use *use = &a->uses.names.at[i];
        const Decl *d = use->definition.file ? names_decl(a, use->definition) : NULL;
        Span at = d ? d->at : use->definition;
        bool same = at.file && at.lo == definition.lo && at.hi == definition.hi && at.hi > 0;
        if (same && same_file(a, at.file, from, definition.file))
            vec_push(a->cx->arena, &found, use->at);
    }
    bool own = a == from && definition.file == a->work.file;
    if (declared && own) vec_push(a->cx->arena, &found, definition);
    if (found.len) qsort(found.at, (size_t)found.len, sizeof *found.at, by_place);
    for (int i = 0; i < found.len; i++)
        if (n == 0 || found.at[n - 1].lo != found.at[i].lo) found.at[n++] = found.at[i];
    found.len = n;
    return found;
}

// Whether the definition can be seen in other files.
static bool is_shared(const Meant *t)
{
    return !t->decl || (t->decl->kind != DECL_LOCAL && t->decl->kind != DECL_PARAM &&
                        t->decl->kind != DECL_GENERIC);
}

typedef void VisitPlaces(const Document *d, const Analysis *a, Places p, void *env);

/// A search for the places that mean what the name in `from` means.
typedef struct {
    Analysis *from;
    const Meant *target;
    bool declared; // the declaration counts
    VisitPlaces *visit;
    void *env;
} Search;

// Visits the places in one file. The declaration is among them if it is there.
static void search_file(Document *d, Analysis *a, void *env)
{
    const Search *s = env;
    Span definition = s->target->definition;
    Places p = places(a, s->from, definition, s->declared);
    bool defines =
        a != s->from && s->declared && strcmp(path_of(s->from, definition.file), d->path) == 0;
    if (defines) {
        definition.file = a->work.file;
        vec_push(a->cx->arena, &p, definition);
    }
    if (p.len) s->visit(d, a, p, s->env);
}

// Visits the places in each open file and, of a name that other files can use, in each file of the
// workspace. Returns false if the workspace is too large to look at all of it.
static bool each_file(Server *s, Search search)
{
    bool shared = is_shared(search.target);
    for (Document *d = s->documents; d; d = d->next)
        if (d->analysis == search.from || shared) search_file(d, analysis_of(s, d), &search);
    const char *name = source_text(search.from->cx, search.target->definition);
    return !shared || workspace_each(s, name, search_file, &search);
}

static const char too_large[] = "the workspace has too many files to search all of them; open a "
                                "folder that contains the programs alone";

// Shows a warning in the editor.
static void warn(Server *s, const char *text)
{
    enum { WARNING = 2 };
    wire_notify(s->wire, "window/showMessage",
                json_pack("{s:i, s:s}", "type", WARNING, "message", text));
}

static void add_locations(const Document *d, const Analysis *a, Places p, void *env)
{
    for (int i = 0; i < p.len; i++)
        json_array_append_new(
            env, json_pack("{s:s, s:o}", "uri", d->uri, "range", analysis_range(a, p.at[i])));
}

json_t *method_references(Server *s, const json_t *params, Failure *failure)
{
    size_t offset;
    Meant target;
    Analysis *a = server_place(s, params, &offset, failure);
    const json_t *context = json_object_get(params, "context");
    bool declared = json_is_true(json_object_get(context, "includeDeclaration"));
    if (!a || !names_find(a, offset, &target) || !target.definition.file) return NULL;
    json_t *list = json_array();
    if (!each_file(s, (Search){a, &target, declared, add_locations, list})) warn(s, too_large);
    return list;
}

json_t *method_highlights(Server *s, const json_t *params, Failure *failure)
{
    size_t offset;
    Meant target;
    Analysis *a = server_place(s, params, &offset, failure);
    if (!a || !names_find(a, offset, &target) || !target.definition.file) return NULL;
    json_t *list = json_array();
    Places p = places(a, a, target.definition, true);
    for (int i = 0; i < p.len; i++)
        json_array_append_new(list, json_pack("{s:o}", "range", analysis_range(a, p.at[i])));
    return list;
}

// --- renaming -----------------------------------------------------------------------------------

// Finds the name to rename. Names of the language, and of files elsewhere, stay.
static bool find_renamed(Server *s, const json_t *params, Analysis **a, Meant *t, Failure *failure)
{
    size_t offset;
    *a = server_place(s, params, &offset, failure);
    if (!*a) return false;
    if (!names_find(*a, offset, t)) {
        server_fail(failure, RPC_FAILED, "there is no name here that can be renamed");
        return false;
    }
    bool open = t->definition.hi && workspace_has(s, path_of(*a, t->definition.file));
    for (const Document *d = s->documents; t->definition.hi && d; d = d->next)
        open |= strcmp(d->path, path_of(*a, t->definition.file)) == 0;
    if (!open)
        server_fail(failure, RPC_FAILED,
                    "this name is not declared in a file that is open in the editor or in its "
                    "workspace");
    return open;
}

json_t *method_prepare_rename(Server *s, const json_t *params, Failure *failure)
{
    Analysis *a;
    Meant t;
    if (!find_renamed(s, params, &a, &t, failure)) return NULL;
    return json_pack("{s:o, s:o}", "range", analysis_range(a, t.at), "placeholder",
                     json_text(source_text(a->cx, t.at)));
}

// Whether the text is a name, and not a word of the language.
static bool is_name(Analysis *a, const char *text)
{
    DiagMark mark = diag_mark(a->cx);
    uint32_t file = session_add_source(a->cx, "name", text, strlen(text));
    TokenStream ts = lex_source(a->cx, file);
    bool good = ts.tokens.len == 2 && ts.tokens.at[0].kind == T_NAME && ts.tokens.at[0].lo == 0 &&
                ts.tokens.at[0].hi == strlen(text) && a->cx->errors == mark.errors;
    diag_withdraw(a->cx, mark);
    return good;
}

// Whether a name that is written at `at` has a meaning that is known.
static bool is_known(const Analysis *a, Span at)
{
    for (int i = 0; i < a->uses.names.len; i++)
        if (span_is_within(at, a->uses.names.at[i].at)) return true;
    for (int i = 0; i < a->decls.len; i++)
        if (a->decls.at[i].at.lo == at.lo) return true;
    return false;
}

// Returns a message if the name also occurs where its meaning is not known, or NULL. `member`
// says whether it is that of a field or an option. The message is in the session `other`, if the
// file is not that of the request.
static const char *where_unknown(const Analysis *a, const char *name, bool member, Session *other)
{
    Session *cx = a->cx;
    DiagMark mark = diag_mark(cx);
    TokenStream ts = lex_source(cx, a->work.file);
    const char *found = NULL;
    diag_withdraw(cx, mark);
    for (int i = 0; i < ts.tokens.len && !found; i++) {
        const Token *k = &ts.tokens.at[i];
        Span at = {a->work.file, k->lo, k->hi};
        if (k->kind != T_NAME || strcmp(k->name->text, name) != 0 || is_known(a, at)) continue;
        bool dotted = i > 0 && ts.tokens.at[i - 1].kind == T_DOT;
        int line, column;
        session_position(cx, at.file, at.lo, &line, &column);
        if (dotted && !member) continue;
        found = arena_printf(other ? other->arena : cx->arena,
                             "%s%sline %d has this name where its meaning is not known, such as in "
                             "a function of any rank that is not called",
                             other ? path_base(a->work.path) : "", other ? ": " : "", line);
    }
    lex_end(&ts);
    return found;
}

typedef struct {
    const char *name;
    json_t *changes;
    bool is_field;
    bool is_member;       // a field or an option
    const char *before;   // the name as it was
    const Analysis *from; // of the file in which the client asks
    Places own;           // the places in that file
    const char *unknown;  // why another file cannot be changed, or NULL
} Renaming;

// The text in place of the name at `at`. A field pattern that is only a name gets both names.
static const char *new_text(const Renaming *r, const Analysis *a, Span at)
{
    const char *old = source_text(a->cx, at);
    if (!names_is_short(a, at)) return r->name;
    return arena_printf(a->cx->arena, "%s: %s", r->is_field ? r->name : old,
                        r->is_field ? old : r->name);
}

static void add_edits(const Document *d, const Analysis *a, Places p, void *env)
{
    Renaming *r = env;
    json_t *edits = json_array();
    for (int i = 0; i < p.len; i++)
        json_array_append_new(edits, json_pack("{s:o, s:s}", "range", analysis_range(a, p.at[i]),
                                               "newText", new_text(r, a, p.at[i])));
    json_object_set_new(r->changes, d->uri, edits);
    if (a == r->from)
        r->own = p;
    else if (!r->unknown)
        r->unknown = where_unknown(a, r->before, r->is_member, r->from->cx);
}

// The file after renaming. Sets *definition to the offset of what was at it before.
static const Text *renamed_text(const Renaming *r, const Analysis *a, size_t *definition)
{
    const Source *source = a->cx->sources.at[a->work.file - 1];
    Text *t = ARENA_NEW(a->cx->arena, Text);
    size_t from = 0, before = *definition;
    *t = text_new(a->cx->arena);
    for (int i = 0; i < r->own.len; i++) {
        Span at = r->own.at[i];
        text_add(t, source->text + from, at.lo - from);
        const char *text = new_text(r, a, at);
        if (at.lo == before) *definition = t->len + (size_t)(strstr(text, r->name) - text);
        text_put(t, text);
        from = at.hi;
    }
    text_add(t, source->text + from, source->len - from);
    return t;
}

// Why renaming in one file would change the program, or NULL: the name is taken, or another
// declaration of it comes between a use and its definition.
static const char *why_not(Server *s, const Renaming *r, const Analysis *a, const Meant *t)
{
    size_t definition = t->definition.lo;
    const char *why = NULL;
    const Text *text = renamed_text(r, a, &definition);
    Analysis *b = analysis_new(s, a->work.path, text_get(text), text->len);
    Span at = {b->work.file, (uint32_t)definition, (uint32_t)(definition + strlen(r->name))};
    if (b->cx->errors > a->cx->errors)
        why =
            arena_printf(a->cx->arena, "this name would be an error: %s", b->cx->diags.at[0]->text);
    else if (places(b, b, at, true).len != r->own.len)
        why = "another declaration of this name would be meant in its place";
    analysis_delete(b);
    return why;
}

json_t *method_rename(Server *s, const json_t *params, Failure *failure)
{
    Analysis *a;
    Meant t;
    Renaming r = {.name = json_string_value(json_object_get(params, "newName"))};
    if (!r.name) return server_fail(failure, RPC_INVALID_PARAMS, "newName is a text");
    if (!find_renamed(s, params, &a, &t, failure)) return NULL;
    if (!is_name(a, r.name)) return server_fail(failure, RPC_FAILED, "this is not a name in Adze");
    if (a->has_syntax_errors) return server_fail(failure, RPC_FAILED, "the file has syntax errors");
    r.is_field = t.decl && t.decl->kind == DECL_FIELD;
    r.is_member = r.is_field || (t.decl && t.decl->kind == DECL_OPTION);
    r.before = source_text(a->cx, t.definition);
    r.from = a;
    r.unknown = where_unknown(a, r.before, r.is_member, NULL);
    if (r.unknown) return server_fail(failure, RPC_FAILED, r.unknown);
    r.changes = json_object();
    if (!each_file(s, (Search){a, &t, true, add_edits, &r})) r.unknown = too_large;
    bool alone = json_object_size(r.changes) == 1 && t.definition.file == a->work.file;
    const char *refusal = r.unknown ? r.unknown : alone ? why_not(s, &r, a, &t) : NULL;
    json_t *edit = json_pack("{s:o}", "changes", r.changes);
    if (!refusal) return edit;
    json_decref(edit);
    return server_fail(failure, RPC_FAILED, refusal);
}
