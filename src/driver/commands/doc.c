// adze doc FILE|FOLDER|LIBRARY...: writes the reference of a library as HTML or Markdown.
#include "driver/commands/commands.h"
#include "driver/doc/doc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    bool markdown;
    const char *out; // the folder, or the document; NULL: only --missing, or standard output
    bool prints;     // the document, on standard output
    int missing;     // the number of items without a comment, for --missing
} Reference;

// --- modules ------------------------------------------------------------------------------------

// The name by which programs beside the file import it: its path with dots for slashes. Of a path
// that leads elsewhere only the last part counts.
static const char *module_name(Arena *arena, const char *path)
{
    bool elsewhere = *path == '/' || strstr(path, "..");
    char *name = arena_printf(arena, "%s", elsewhere ? path_base(path) : path);
    while (strncmp(name, "./", 2) == 0) name += 2;
    size_t len = strlen(name);
    if (path_has_extension(name, ".adz")) name[len - strlen(".adz")] = '\0';
    for (char *c = name; *c; c++)
        if (*c == '/') *c = '.';
    return name;
}

// Whether the argument names a library of Adze, such as std: a folder of modules, `first` among
// them.
static bool is_library(Arena *arena, const char *name, const char **first)
{
    if (strchr(name, '/') || (strcmp(name, "std") != 0 && access(name, F_OK) == 0)) return false;
    Strings files = modules_of_library(arena, name);
    if (files.len) *first = files.at[0];
    return files.len > 0;
}

// The folder in which the libraries of Adze are, given the path of a module of one of them.
static const char *folder_of_libraries(Arena *arena, const char *library, const char *module)
{
    const char *dir = module;
    do dir = path_dir(arena, dir);
    while (strcmp(path_base(dir), library) != 0);
    return path_dir(arena, dir);
}

// Adds a module, unless another one has its name.
static bool add_module(DocSet *set, const char *path, const char *name)
{
    if (!map_get(&set->by_name, MAP_KEY(session_sym(set->cx, name))))
        return doc_add_module(set, path, name);
    Diag *x = diag_error(set->cx, E0707, NO_SPAN, "two files are the module %s", name);
    diag_help(set->cx, x,
              "run adze doc in the folder that contains both files, with relative paths");
    return false;
}

// Adds the modules of a library of Adze, and to those of std the prelude.
static bool add_library(DocSet *set, const char *library, const char *first)
{
    Arena *arena = set->cx->arena;
    const char *above = folder_of_libraries(arena, library, first);
    bool std = strcmp(library, "std") == 0;
    if (std && !add_module(set, path_join(arena, above, "prelude.adz"), "prelude")) return false;
    Strings files = modules_of_library(arena, library);
    for (int i = 0; i < files.len; i++)
        if (!add_module(set, files.at[i],
                        module_name(arena, files.at[i] + strlen(above) + strlen("/"))))
            return false;
    return true;
}

// Adds the modules of a folder.
static bool add_folder(DocSet *set, const char *dir)
{
    Strings files = {0};
    if (!files_below(set->cx->arena, dir, ".adz", NULL, &files)) {
        diag_error(set->cx, E0702, NO_SPAN, "cannot read the folder %s: %s", dir, strerror(errno));
        return false;
    }
    if (files.len == 0) diag_error(set->cx, E0701, NO_SPAN, "no module is in the folder %s", dir);
    for (int i = 0; i < files.len; i++)
        if (!add_module(set, files.at[i], module_name(set->cx->arena, files.at[i]))) return false;
    return files.len > 0;
}

static bool add_argument(DocSet *set, const char *path)
{
    Arena *arena = set->cx->arena;
    const char *first = NULL;
    if (is_library(arena, path, &first)) return add_library(set, path, first);
    if (path_is_dir(path)) return add_folder(set, path);
    if (strcmp(path, "std") != 0) return add_module(set, path, module_name(arena, path));
    Diag *x = diag_error(set->cx, E0701, NO_SPAN, "the library is not installed");
    diag_help(set->cx, x, "name the files of a library, such as adze doc lib/std/math.adz");
    return false;
}

static bool add_all(DocSet *set, const Strings *arguments)
{
    for (int i = 0; i < arguments->len; i++)
        if (!add_argument(set, arguments->at[i])) return false;
    return true;
}

// What a module, a library or a folder is called: the last part of a folder's path, without dots.
static const char *called(Arena *arena, const char *path)
{
    char *real = path_is_dir(path) ? realpath(path, NULL) : NULL;
    const char *name = real ? arena_printf(arena, "%s", path_base(real)) : module_name(arena, path);
    free(real);
    return name;
}

static const char *title(Arena *arena, const Strings *arguments)
{
    const char *first = arguments->at[0];
    if (strcmp(first, "std") == 0) return "The library";
    return arena_printf(arena, "%s%s", called(arena, first),
                        arguments->len > 1 ? " and others" : "");
}

// --- comments that are missing ------------------------------------------------------------------

static void put_missing(Driver *d, const char *path, const DocItem *item)
{
    if (!d->json) {
        printf("%s:%d: %s %s has no comment\n", path, item->line, doc_kind(item->item), item->name);
        return;
    }
    json_t *one = json_object();
    json_put(one, "file", json_text(path));
    json_put(one, "line", json_integer(item->line));
    json_put(one, "kind", json_string(doc_kind(item->item)));
    json_put(one, "name", json_string(item->name));
    json_array_append_new(json_object_get(d->json, "missing"), one);
}

// Lists the items without a comment, and returns their number.
static int list_missing(Driver *d, const DocSet *set)
{
    int n = 0;
    if (d->json) json_put(d->json, "missing", json_array());
    for (int i = 0; i < set->modules.len; i++) {
        const DocModule *m = set->modules.at[i];
        const char *path = d->cx->sources.at[m->file - 1]->path;
        for (int k = 0; k < m->items.len; k++) {
            if (m->items.at[k]->blocks.len) continue;
            put_missing(d, path, m->items.at[k]);
            n++;
        }
    }
    return n;
}

// --- output -------------------------------------------------------------------------------------

static bool write_all(Driver *d, const char *dir, const DocFiles *files)
{
    Session *cx = d->cx;
    bool is_new_dir = !path_is_dir(dir);
    if (!path_make_dirs(dir)) {
        diag_error(cx, E0706, NO_SPAN, "cannot create the folder %s: %s", dir, strerror(errno));
        return false;
    }
    if (files_write(cx, d->cleanup, files->at, files->len)) return true;
    if (is_new_dir) rmdir(dir);
    return false;
}

static int doc_body(Driver *d, void *env)
{
    Reference *r = env;
    Session *cx = d->cx;
    const Strings *arguments = &d->options.arguments;
    DocSet set = {.cx = cx, .title = title(cx->arena, arguments), .by_name = map_new(cx->arena)};
    DocFiles files = {0};
    if (!add_all(&set, arguments)) return 1;
    if (option_given(&d->options, OPT_MISSING)) r->missing = list_missing(d, &set);
    int status = r->missing ? 1 : 0;
    cx->pass = "doc";
    if (r->prints) {
        doc_markdown(&set, "index.md", &files);
        fputs(files.at[0].text, stdout);
    }
    if (!r->out) return status;
    if (!r->markdown) {
        doc_html(&set, r->out, &files);
        return write_all(d, r->out, &files) ? status : 1;
    }
    bool document = path_has_extension(r->out, ".md");
    const char *path = document ? r->out : path_join(cx->arena, r->out, "index.md");
    doc_markdown(&set, path, &files);
    return write_all(d, path_dir(cx->arena, path), &files) ? status : 1;
}

// Sets what --output and --format say. Reports other values, and returns false.
static bool choose(const Options *o, Reference *r)
{
    const char *format = option_value(o, OPT_DOC_FORMAT);
    r->out = option_value(o, OPT_DOC_OUTPUT);
    r->markdown =
        format ? strcmp(format, "markdown") == 0 : r->out && path_has_extension(r->out, ".md");
    if (format && !r->markdown && strcmp(format, "html") != 0) {
        fprintf(stderr, "adze doc: --format is `html` or `markdown`, not `%s`\n", format);
        return false;
    }
    if (r->out || option_given(o, OPT_MISSING)) return true;
    r->prints = !option_given(o, OPT_JSON) && (!format || r->markdown);
    if (!r->prints)
        fprintf(stderr, "adze doc: say where to write with -o DIR; only a document of Markdown is "
                        "printed, without --json\n");
    return r->prints;
}

int cmd_doc(Driver *d)
{
    Reference r = {0};
    if (!choose(&d->options, &r)) return 2;
    return driver_session(d, doc_body, &r);
}
