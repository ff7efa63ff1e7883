// Analyses of texts: a session each, which is freed when the text changes.
#include "driver/lsp/analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

const char *analysis_unsaved(void *server, const char *path, size_t *len)
{
    const Server *s = server;
    char real[4096];
    if (!s->documents) return NULL;
    const char *found = strlen(path) < sizeof real && realpath(path, real) ? real : path;
    for (const Document *d = s->documents; d; d = d->next) {
        if (strcmp(d->path, found) != 0) continue;
        *len = d->len;
        return d->text;
    }
    return NULL;
}

static void infer_body(void *env)
{
    Analysis *a = env;
    DiagMark mark = diag_mark(a->cx);
    (void)pipeline_run(&a->work, PASS_infer, PASS_schedule);
    if (a->has_syntax_errors) diag_withdraw(a->cx, mark); // they may follow from those of syntax
}

static void parse_body(void *env)
{
    Analysis *a = env;
    pipeline_start(&a->driver, a->uses.file, &a->work);
}

// Lists the entries that are to be staged, those of any rank excepted.
static void list_body(void *env)
{
    Analysis *a = env;
    if (a->work.module) decls_list(a);
    if (!a->work.program) return;
    names_add_members(a);
    a->entries = pipeline_functions(&a->work, NULL, &a->nentries);
    unchanged_find(a);
}

void analysis_open_session(Server *s, Driver *d)
{
    d->options.command = COMMAND_CHECK;
    d->unsaved = (Unsaved){analysis_unsaved, s};
    driver_open_session(d);
    d->cx->remarks = true;
}

// Analyses the text in a session of its own or, if `library` is not NULL, in that of the library.
static Analysis *analyse(Server *s, Library *library, const char *path, const char *text,
                         size_t len)
{
    Analysis *a = memory_more(NULL, sizeof *a);
    *a = (Analysis){.server = s, .driver = s->driver, .library = library};
    struct Infer *state = NULL;
    if (library)
        a->driver = library_begin(library, &state);
    else
        analysis_open_session(s, &a->driver);
    Session *cx = a->cx = a->driver.cx;
    cx->boundary = &s->boundary;
    uint32_t file = session_add_source(cx, path, text, len);
    a->uses = (Uses){.arena = cx->arena, .file = file};
    a->work = (Work){.cx = cx, .file = file};
    bool good = driver_attempt(cx, parse_body, a);
    a->has_syntax_errors = cx->errors > 0;
    a->work.uses = &a->uses;
    a->work.library = state;
    if (good) good = driver_attempt(cx, infer_body, a);
    if (good || a->work.module) (void)driver_attempt(cx, list_body, a);
    a->wanted = library_wanted(a);
    return a;
}

Analysis *analysis_new(Server *s, const char *path, const char *text, size_t len)
{
    return analyse(s, NULL, path, text, len);
}

static void stage_body(void *env)
{
    Analysis *a = env;
    Work own = a->work;
    own.entry = a->entries[a->next_entry];
    own.check = false;
    int found = a->cx->diags.len;
    if (pipeline_run(&own, PASS_stage, PASS_lower) && a->cx->diags.len == found)
        unchanged_add_clean(a, a->next_entry);
}

bool analysis_continue(Analysis *a)
{
    bool stops = a->has_syntax_errors || (a->next_entry == 0 && a->cx->errors) || a->cx->exhausted;
    while (!stops && a->next_entry < a->nentries && unchanged_is_clean(a, a->next_entry))
        a->next_entry++;
    if (stops || a->next_entry >= a->nentries) {
        if (!stops) unchanged_forget(a);
        return false;
    }
    (void)driver_attempt(a->cx, stage_body, a);
    a->next_entry++;
    return true;
}

void analysis_delete(Analysis *a)
{
    if (!a) return;
    if (!a->library) session_delete(a->cx);
    library_delete(a->library);
    free(a->clean);
    json_decref(a->explained);
    free(a);
}

// Takes the library of the last analysis from it, or makes one if none fits and the text has
// imported the same modules for two analyses. Returns NULL if there is none.
static Library *take_library(Analysis *old)
{
    Library *l = old->library;
    bool current = l && library_is_current(l, old->server);
    bool fits = current && library_modules(l) == old->wanted;
    bool settled = !old->before || old->before == old->wanted;
    Library *made = !fits && settled ? library_new(old) : NULL;
    if (!made && current) {
        old->library = NULL;
        old->cx = NULL;
        return l;
    }
    return made;
}

// Analyses a text again after changes. Ends the analysis before.
static Analysis *analyse_again(Analysis *old, const Document *d)
{
    Server *s = old->server;
    uint64_t before = old->wanted, *clean = old->clean;
    int nclean = old->nclean;
    old->clean = NULL;
    Library *library = take_library(old);
    analysis_delete(old);
    Analysis *a = analyse(s, library, d->path, d->text, d->len);
    bool exact = !library || library_is_reached(library, a);
    if (!exact && !a->has_syntax_errors) { // with these, no other errors are shown
        analysis_delete(a);
        a = analysis_new(s, d->path, d->text, d->len);
    }
    if (a->has_syntax_errors) a->wanted = before; // imports may be incomplete
    a->before = before;
    a->clean = clean;
    a->nclean = nclean;
    return a;
}

Analysis *analysis_of(Server *s, Document *d)
{
    if (!d->is_dirty && d->analysis) return d->analysis;
    Analysis *old = d->analysis;
    d->analysis = NULL; // also if an internal error ends this
    d->analysis = old ? analyse_again(old, d) : analysis_new(s, d->path, d->text, d->len);
    d->is_dirty = false;
    return d->analysis;
}

Document *server_find(Server *s, const char *uri)
{
    for (Document *d = s->documents; uri && d; d = d->next)
        if (strcmp(d->uri, uri) == 0) return d;
    return NULL;
}

TextView analysis_view(const Analysis *a, uint32_t file)
{
    const Source *source = a->cx->sources.at[file - 1];
    return (TextView){source->text, source->len, source->lines.at, source->lines.len,
                      a->server->utf8};
}

json_t *analysis_range(const Analysis *a, Span span)
{
    TextView v = analysis_view(a, span.file ? span.file : a->work.file);
    return range_json(&v, span.lo, span.hi);
}

// The file of the prelude, which is part of the compiler, is beside the library.
static const char *path_of_file(const Analysis *a, uint32_t file)
{
    const char *path = a->cx->sources.at[file - 1]->path;
    if (strcmp(path, "prelude.adz") != 0) return path;
    Strings files = modules_of_library(a->cx->arena, "std");
    if (files.len == 0) return NULL;
    const char *lib = path_dir(a->cx->arena, path_dir(a->cx->arena, files.at[0]));
    return path_join(a->cx->arena, lib, path);
}

json_t *analysis_location(const Analysis *a, Span span)
{
    if (!span.file) return NULL;
    const char *path = path_of_file(a, span.file);
    if (!path) return NULL;
    return json_pack("{s:o, s:o}", "uri", path_to_uri(path), "range", analysis_range(a, span));
}
