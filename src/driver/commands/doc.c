// adze doc FILE|std...: writes the reference of a library as HTML or Markdown.
#include "driver/commands/commands.h"
#include "driver/doc/doc.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    bool markdown;
    const char *out; // the folder, or the document
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

// Adds the prelude and the modules std.NAME.
static bool add_library(DocSet *set)
{
    Arena *arena = set->cx->arena;
    Strings files = modules_of_library(arena);
    if (files.len == 0) {
        Diag *x = diag_error(set->cx, E0701, NO_SPAN, "the library is not installed");
        diag_help(set->cx, x, "name the files of a library, such as adze doc lib/std/math.adz");
        return false;
    }
    const char *above = path_dir(arena, path_dir(arena, files.at[0]));
    if (!doc_add_module(set, path_join(arena, above, "prelude.adz"), "prelude")) return false;
    for (int i = 0; i < files.len; i++) {
        const char *name = module_name(arena, path_base(files.at[i]));
        if (!doc_add_module(set, files.at[i], arena_printf(arena, "std.%s", name))) return false;
    }
    return true;
}

static const char *title(Arena *arena, const Strings *arguments)
{
    const char *first = arguments->at[0];
    if (strcmp(first, "std") == 0) return "The library";
    return arena_printf(arena, "%s%s", module_name(arena, first),
                        arguments->len > 1 ? " and others" : "");
}

// Whether no module is given twice.
static bool is_new(const DocSet *set, const char *name)
{
    if (!map_get(&set->by_name, MAP_KEY(session_sym(set->cx, name)))) return true;
    Diag *x = diag_error(set->cx, E0707, NO_SPAN, "two files are the module %s", name);
    diag_help(set->cx, x,
              "run adze doc in the folder that contains both files, with relative paths");
    return false;
}

static bool add_all(DocSet *set, const Strings *arguments)
{
    Arena *arena = set->cx->arena;
    for (int i = 0; i < arguments->len; i++) {
        const char *path = arguments->at[i];
        bool library = strcmp(path, "std") == 0;
        const char *name = library ? "prelude" : module_name(arena, path);
        if (!is_new(set, name) || !(library ? add_library(set) : doc_add_module(set, path, name)))
            return false;
    }
    return true;
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
    if (!r->out) return status;
    cx->pass = "doc";
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
    fprintf(stderr, "adze doc: say where to write with -o DIR; or list items without a comment "
                    "with --missing\n");
    return false;
}

int cmd_doc(Driver *d)
{
    Reference r = {0};
    if (!choose(&d->options, &r)) return 2;
    return driver_session(d, doc_body, &r);
}
