// The server: receives messages, answers requests, and analyses what has changed.
#include "driver/lsp/lsp.h"
#include "driver/lsp/tasks.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Calls `body`. Returns false if an internal error of the compiler ended it.
static bool attempt(Server *s, void (*body)(void *env), void *env)
{
    jmp_buf outer;
    volatile bool whole = false;
    memcpy(&outer, &s->boundary, sizeof outer);
    if (setjmp(s->boundary) == 0) {
        body(env);
        whole = true;
    }
    memcpy(&s->boundary, &outer, sizeof outer);
    return whole;
}

// --- the life of the server ---------------------------------------------------------------------

static bool has_text(const json_t *list, const char *text)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *one = json_string_value(json_array_get(list, i));
        if (one && strcmp(one, text) == 0) return true;
    }
    return false;
}

static const json_t *at_path(const json_t *object, const char *const *keys)
{
    for (; *keys && object; keys++) object = json_object_get(object, *keys);
    return object;
}

static json_t *tokens_legend(void)
{
    return json_pack("{s:{s:[ssssssss], s:[]}, s:b}", "legend", "tokenTypes", "function",
                     "parameter", "variable", "type", "property", "enumMember", "typeParameter",
                     "macro", "tokenModifiers", "full", 1);
}

static json_t *capabilities(const Server *s)
{
    json_t *all =
        json_pack("{s:s, s:{s:b, s:i, s:{s:b}}, s:b, s:b, s:b, s:b, s:{s:b}, s:b, s:b, s:b, s:b}",
                  "positionEncoding", s->utf8 ? "utf-8" : "utf-16", "textDocumentSync", "openClose",
                  1, "change", 2, "save", "includeText", 0, "hoverProvider", 1,
                  "definitionProvider", 1, "referencesProvider", 1, "documentHighlightProvider", 1,
                  "renameProvider", "prepareProvider", 1, "documentFormattingProvider", 1,
                  "documentSymbolProvider", 1, "inlayHintProvider", 1, "codeActionProvider", 1);
    json_object_set_new(all, "completionProvider",
                        json_pack("{s:[sss]}", "triggerCharacters", ".", ">", " "));
    json_object_set_new(all, "signatureHelpProvider",
                        json_pack("{s:[ss]}", "triggerCharacters", "(", ","));
    json_object_set_new(all, "codeLensProvider", json_pack("{s:b}", "resolveProvider", 0));
    json_object_set_new(all, "semanticTokensProvider", tokens_legend());
    json_object_set_new(
        all, "workspace",
        json_pack("{s:{s:b, s:b}}", "workspaceFolders", "supported", 1, "changeNotifications", 1));
    json_object_set_new(all, "executeCommandProvider",
                        json_pack("{s:o}", "commands", task_commands()));
    return all;
}

static json_t *initialize(Server *s, const json_t *params)
{
    static const char *const encodings[] = {"capabilities", "general", "positionEncodings", NULL};
    static const char *const snippets[] = {"capabilities",   "textDocument",   "completion",
                                           "completionItem", "snippetSupport", NULL};
    static const char *const refreshing[] = {"capabilities", "workspace", "inlayHint",
                                             "refreshSupport", NULL};
    s->utf8 = has_text(at_path(params, encodings), "utf-8");
    s->snippets = json_is_true(at_path(params, snippets));
    const json_t *options = json_object_get(params, "initializationOptions");
    s->shows_choices = !json_is_false(json_object_get(options, "choices"));
    s->refreshes_hints = json_is_true(at_path(params, refreshing));
    s->parent = json_integer_value(json_object_get(params, "processId"));
    s->initialized = true;
    workspace_open(s, params);
    return json_pack("{s:o, s:{s:s, s:s}}", "capabilities", capabilities(s), "serverInfo", "name",
                     "adze", "version", ADZE_VERSION);
}

// --- documents ----------------------------------------------------------------------------------

// Marks a document as changed, and those that import its file.
static void touch(Server *s, Document *changed)
{
    changed->is_dirty = true;
    changed->serial = ++s->serial;
    changed->changed = explained_clock();
    changed->is_explained = false;
    task_stop_explaining(s, changed);
    for (Document *d = s->documents; d; d = d->next) {
        const Analysis *a = d->analysis;
        for (int i = 0; a && d != changed && i < a->cx->sources.len; i++) {
            const Source *source = a->cx->sources.at[i];
            const char *path = source->file ? source->file->text : source->path;
            d->is_dirty |= strcmp(path, changed->path) == 0;
        }
        for (int i = 0; a && i < a->cx->diags.len; i++)
            d->is_dirty |= a->cx->diags.at[i]->code == E0204; // a module that was missing
    }
}

static void did_open(Server *s, const json_t *params)
{
    const json_t *doc = json_object_get(params, "textDocument"),
                 *text = json_object_get(doc, "text");
    const char *uri = server_uri(params);
    if (!uri || !json_is_string(text) || server_find(s, uri)) return;
    Document *d = document_new(uri, json_string_value(text), json_string_length(text),
                               json_integer_value(json_object_get(doc, "version")));
    d->next = s->documents;
    s->documents = d;
    touch(s, d);
}

static void did_change(Server *s, const json_t *params)
{
    Document *d = server_find(s, server_uri(params));
    if (!d) return;
    const json_t *version = json_object_get(json_object_get(params, "textDocument"), "version");
    (void)document_change(d, json_object_get(params, "contentChanges"), s->utf8);
    if (json_is_integer(version)) d->version = json_integer_value(version);
    touch(s, d);
}

static void did_close(Server *s, const json_t *params)
{
    Document *d = server_find(s, server_uri(params)), **at = &s->documents;
    if (!d) return;
    touch(s, d); // the file on the disk counts again
    while (*at != d) at = &(*at)->next;
    *at = d->next;
    diagnostics_publish(s, d, NULL);
    analysis_delete(d->analysis);
    document_delete(d);
}

static void did_save(Server *s, const json_t *params)
{
    Document *d = server_find(s, server_uri(params));
    if (d) touch(s, d); // files on the disk may have changed with it
}

// A file has changed on the disk, which any document may import.
static void did_change_files(Server *s, const json_t *params)
{
    (void)params;
    for (Document *d = s->documents; d; d = d->next) touch(s, d);
}

static void did_change_folders(Server *s, const json_t *params)
{
    const json_t *event = json_object_get(params, "event");
    workspace_change(s, json_object_get(event, "added"), json_object_get(event, "removed"));
}

static void did_exit(Server *s, const json_t *params)
{
    (void)params;
    s->exits = true;
    s->status = s->shut ? 0 : 1;
}

static void did_cancel(Server *s, const json_t *params)
{
    const json_t *id = json_object_get(params, "id");
    if (id) task_cancel(s, id);
}

static const struct {
    const char *name;
    void (*run)(Server *s, const json_t *params);
} notifications[] = {
    {"textDocument/didOpen", did_open},
    {"textDocument/didChange", did_change},
    {"textDocument/didClose", did_close},
    {"textDocument/didSave", did_save},
    {"workspace/didChangeWatchedFiles", did_change_files},
    {"workspace/didChangeWorkspaceFolders", did_change_folders},
    {"exit", did_exit},
    {"$/cancelRequest", did_cancel},
};

// --- messages -----------------------------------------------------------------------------------

static const struct {
    const char *name;
    Method *run;
} methods[] = {
#define METHOD(name, function) {name, function},
#include "driver/lsp/methods/methods.def"
#undef METHOD
};

static Method *find_method(const char *name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i].name, name) == 0) return methods[i].run;
    return NULL;
}

typedef struct {
    Server *s;
    Method *run;
    const json_t *params;
    Failure failure;
    json_t *result;
} Request;

static void run_request(void *env)
{
    Request *r = env;
    r->result = r->run(r->s, r->params, &r->failure);
}

static void answer(Server *s, json_t *id, const char *name, const json_t *params)
{
    Method *run = find_method(name);
    if (!run) {
        wire_refuse(s->wire, id, RPC_NO_METHOD, "there is no such method");
        return;
    }
    Request r = {s, run, params, {0, NULL}, NULL};
    if (!attempt(s, run_request, &r))
        server_fail(&r.failure, RPC_FAILED, "internal error of the compiler");
    if (!r.failure.code) {
        wire_answer(s->wire, id, r.result);
        return;
    }
    json_decref(r.result);
    wire_refuse(s->wire, id, r.failure.code, r.failure.message);
}

static void handle_request(Server *s, json_t *id, const char *name, const json_t *params)
{
    if (strcmp(name, "initialize") == 0 && !s->initialized) {
        wire_answer(s->wire, id, initialize(s, params));
    } else if (!s->initialized) {
        wire_refuse(s->wire, id, RPC_NOT_INITIALIZED, "the first request is `initialize`");
    } else if (s->shut || strcmp(name, "initialize") == 0) {
        wire_refuse(s->wire, id, RPC_INVALID_REQUEST,
                    s->shut ? "the server is shut down" : "the server is initialized");
    } else if (strcmp(name, "shutdown") == 0) {
        s->shut = true;
        wire_answer(s->wire, id, NULL);
    } else if (strcmp(name, "workspace/executeCommand") == 0) {
        task_start(s, id, params);
    } else {
        answer(s, id, name, params);
    }
}

static void handle_notification(Server *s, const char *name, const json_t *params)
{
    bool exits = strcmp(name, "exit") == 0;
    for (size_t i = 0; i < sizeof notifications / sizeof *notifications; i++)
        if (strcmp(notifications[i].name, name) == 0 && (exits || (s->initialized && !s->shut)))
            notifications[i].run(s, params);
}

static void handle(Server *s, const json_t *message)
{
    json_t *id = json_object_get(message, "id");
    const json_t *params = json_object_get(message, "params");
    const char *name = json_string_value(json_object_get(message, "method"));
    bool reply = json_object_get(message, "result") || json_object_get(message, "error");
    bool named = json_is_string(id) || json_is_integer(id);
    if (!name && reply) return;
    if (!name || (id && !named))
        wire_refuse(s->wire, named ? json_incref(id) : NULL, RPC_INVALID_REQUEST,
                    "a message has a method and, if it is a request, an id");
    else if (id)
        handle_request(s, json_incref(id), name, params);
    else
        handle_notification(s, name, params);
}

// --- the loop -----------------------------------------------------------------------------------

// The document that changed last among those whose diagnostics are not up to date.
static Document *next_to_report(Server *s)
{
    Document *found = NULL;
    for (Document *d = s->documents; d; d = d->next)
        if ((d->is_dirty || !d->is_reported) && (!found || d->serial > found->serial)) found = d;
    return found;
}

// Analyses the next document and reports its diagnostics, unless a message arrives first.
static void report(void *env)
{
    Server *s = env;
    Document *d = next_to_report(s);
    enum { PATIENCE = 4 }; // entries after which the errors found so far are shown
    Analysis *a = analysis_of(s, d);
    d->is_reported = false;
    for (int i = 1; analysis_continue(a); i++) {
        if (wire_is_waiting(s->wire)) return;
        if (i == PATIENCE) diagnostics_publish(s, d, a);
    }
    d->is_reported = true;
    diagnostics_publish(s, d, a);
}

// Leaves a document that cannot be analysed as it is, until it changes.
static void give_up(Document *d)
{
    d->is_dirty = false;
    d->is_reported = d->is_explained = true;
}

static bool parent_is_gone(const Server *s)
{
    return s->parent > 0 && s->parent <= INT32_MAX && kill((pid_t)s->parent, 0) != 0 &&
           errno == ESRCH;
}

// Does one thing: handles a message, reports on a document, or waits.
static void step(void *env)
{
    Server *s = env;
    wire_read(s->wire);
    task_read(s);
    json_t *message = wire_next(s->wire);
    if (message) {
        handle(s, message);
        json_decref(message);
        return;
    }
    if (wire_has_ended(s->wire) || parent_is_gone(s)) {
        s->exits = true;
        s->status = 1;
        return;
    }
    Document *d = next_to_report(s);
    if (!d) explained_start(s);
    if (!d)
        task_wait(s);
    else if (!attempt(s, report, s))
        give_up(d);
}

// Keeps the memory of a session for the next one, as each change of a text makes one.
static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
    mallopt(M_TRIM_THRESHOLD, 1 << 26);
#endif
}

int lsp_serve(const Driver *d, int in, int out)
{
    keep_memory();
    Server s = {.driver = *d, .wire = wire_new(in, out), .in = in};
    signal(SIGPIPE, SIG_IGN);
    while (!s.exits) (void)attempt(&s, step, &s);
    task_end_all(&s);
    while (s.documents) {
        Document *first = s.documents;
        s.documents = first->next;
        analysis_delete(first->analysis);
        document_delete(first);
    }
    workspace_close(&s);
    wire_delete(s.wire);
    return s.status;
}
