// adze fmt FILE...: rewrites files in the standard layout. Files with errors, and files that
// already have this layout, are left alone.
#include "driver/commands/commands.h"

#include <string.h>

// Returns the text of the file in the standard layout, or NULL after an error. Checks that the
// result still parses as the same program.
static const Text *formatted(Session *cx, uint32_t file, const char *path)
{
    cx->pass = "parse";
    Module *m = parse_module(cx, file);
    if (cx->errors) return NULL;
    Text *out = ARENA_NEW(cx->arena, Text);
    *out = text_new(cx->arena);
    cx->pass = "fmt";
    format_module(cx, out, m);
    Module *again = parse_module(cx, session_add_source(cx, path, text_get(out), out->len));
    CHECK(cx, cx->errors == 0 && module_equal(m, again), "the formatted text is another program");
    return out;
}

static int format_file(Driver *d, void *env)
{
    Session *cx = d->cx;
    const char *path = env;
    uint32_t file = source_open(cx, path, NO_SPAN);
    if (!file) return 1;
    const Text *out = formatted(cx, file, path);
    if (!out) return 1;
    const Source *s = cx->sources.at[file - 1];
    bool same = s->len == out->len && memcmp(s->text, text_get(out), out->len) == 0;
    if (option_given(&d->options, OPT_FMT_CHECK)) {
        if (same) return 0;
        Diag *x = diag_error(cx, E0724, NO_SPAN, "%s is not laid out in the standard way", path);
        diag_help(cx, x, "adze fmt %s", path);
        return 1;
    }
    if (option_given(&d->options, OPT_STDOUT)) {
        out_text(out);
        return 0;
    }
    FileText text = {path, text_get(out), out->len};
    return same || files_write(cx, d->cleanup, &text, 1) ? 0 : 1;
}

int cmd_fmt(Driver *d)
{
    return driver_each_argument(d, format_file);
}
