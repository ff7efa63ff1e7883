// The folders of the editor's workspace, and their programs that are not open.
#include "driver/lsp/analysis/analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- folders ------------------------------------------------------------------------------------

// Returns the path of a folder with symbolic links resolved, to be freed, or NULL.
static char *folder_path(const json_t *uri)
{
    const char *text = json_string_value(uri);
    char *path = text ? uri_to_path(text) : NULL, *real = path ? realpath(path, NULL) : NULL;
    free(path);
    return real;
}

static void remove_folder(Server *s, const char *path)
{
    int n = 0;
    for (int i = 0; i < s->nfolders; i++) {
        if (strcmp(s->folders[i], path) == 0)
            free(s->folders[i]);
        else
            s->folders[n++] = s->folders[i];
    }
    s->nfolders = n;
}

static void add_folder(Server *s, const json_t *uri)
{
    char *path = folder_path(uri);
    if (!path) return;
    remove_folder(s, path);
    s->folders = memory_more(s->folders, (size_t)(s->nfolders + 1) * sizeof *s->folders);
    s->folders[s->nfolders++] = path;
}

void workspace_change(Server *s, const json_t *added, const json_t *removed)
{
    for (size_t i = 0; i < json_array_size(removed); i++) {
        char *path = folder_path(json_object_get(json_array_get(removed, i), "uri"));
        if (path) remove_folder(s, path);
        free(path);
    }
    for (size_t i = 0; i < json_array_size(added); i++)
        add_folder(s, json_object_get(json_array_get(added, i), "uri"));
}

void workspace_open(Server *s, const json_t *params)
{
    const json_t *folders = json_object_get(params, "workspaceFolders");
    workspace_change(s, folders, NULL);
    if (!json_is_array(folders)) add_folder(s, json_object_get(params, "rootUri"));
}

void workspace_close(Server *s)
{
    for (int i = 0; i < s->nfolders; i++) free(s->folders[i]);
    free(s->folders);
    s->folders = NULL;
    s->nfolders = 0;
}

bool workspace_has(const Server *s, const char *path)
{
    for (int i = 0; i < s->nfolders; i++) {
        size_t n = strlen(s->folders[i]);
        if (strncmp(s->folders[i], path, n) == 0 && path[n] == '/') return true;
    }
    return false;
}

// --- files --------------------------------------------------------------------------------------

// Returns the text of a file in the arena, or NULL if it is no program.
static const char *read_text(Arena *arena, const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    Text t = text_new(arena);
    char part[4096];
    if (!f) return NULL;
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) text_add(&t, part, n);
    bool good = !ferror(f) && text_is_utf8(text_get(&t), t.len, len);
    fclose(f);
    *len = t.len;
    return good ? text_get(&t) : NULL;
}

static bool is_open(const Server *s, const char *path)
{
    for (const Document *d = s->documents; d; d = d->next)
        if (strcmp(d->path, path) == 0) return true;
    return false;
}

// What a search looks at, so that it ends within seconds in any folder.
enum { MOST_ENTRIES = 20000, MOST_PROGRAMS = 300 };

bool workspace_each(Server *s, const char *word, VisitDocument *visit, void *env)
{
    Arena *arena = arena_new();
    Strings files = {0};
    int entries = MOST_ENTRIES, programs = MOST_PROGRAMS;
    for (int i = 0; i < s->nfolders; i++)
        (void)files_below(arena, s->folders[i], ".adz", &entries, &files);
    for (int i = 0; i < files.len && programs >= 0; i++) {
        size_t len;
        const char *text = is_open(s, files.at[i]) ? NULL : read_text(arena, files.at[i], &len);
        if (!text || !strstr(text, word) || --programs < 0) continue;
        json_t *uri = path_to_uri(files.at[i]);
        Document *d = document_new(json_string_value(uri), text, len, 0);
        Analysis *a = analysis_new(s, d->path, text, len);
        visit(d, a, env);
        analysis_delete(a);
        document_delete(d);
        json_decref(uri);
    }
    arena_delete(arena);
    return entries >= 0 && programs >= 0;
}
