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

Analysis *analysis_new(Server *s, const char *path, const char *text, size_t len)
{
    Analysis *a = memory_more(NULL, sizeof *a);
    *a = (Analysis){.server = s, .driver = s->driver};
    a->driver.options.command = COMMAND_CHECK;
    a->driver.unsaved = (Unsaved){analysis_unsaved, s};
    driver_open_session(&a->driver);
    Session *cx = a->cx = a->driver.cx;
    cx->remarks = true;
    cx->boundary = &s->boundary;
    uint32_t file = session_add_source(cx, path, text, len);
    a->uses = (Uses){.arena = cx->arena, .file = file};
    a->work = (Work){.cx = cx, .file = file};
    bool good = driver_attempt(cx, parse_body, a);
    a->has_syntax_errors = cx->errors > 0;
    a->work.uses = &a->uses;
    if (good) good = driver_attempt(cx, infer_body, a);
    if (good || a->work.module) (void)driver_attempt(cx, list_body, a);
    return a;
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
    session_delete(a->cx);
    free(a->clean);
    json_decref(a->explained);
    free(a);
}

Analysis *analysis_of(Server *s, Document *d)
{
    if (!d->is_dirty && d->analysis) return d->analysis;
    Analysis *old = d->analysis, *a = analysis_new(s, d->path, d->text, d->len);
    if (old) {
        a->clean = old->clean;
        a->nclean = old->nclean;
        old->clean = NULL;
    }
    analysis_delete(old);
    d->is_dirty = false;
    return d->analysis = a;
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
    Strings files = modules_of_library(a->cx->arena);
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
