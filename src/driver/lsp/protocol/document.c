// The texts that are open in the editor, and how it changes them.
#include "driver/lsp/protocol/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/pipeline/session.h"
#include "syntax/lex/lex.h"

// --- URIs ---------------------------------------------------------------------------------------

char *uri_to_path(const char *uri)
{
    static const char scheme[] = "file://";
    size_t n = sizeof scheme - 1;
    if (strncmp(uri, scheme, n) != 0) return memory_text(uri, strlen(uri));
    const char *at = strchr(uri + n, '/'); // after the host, which is empty or localhost
    char *path = memory_text(at ? at : "/", strlen(at ? at : "/")), *to = path;
    for (const char *c = path; *c; c++) {
        int high = c[0] == '%' ? hex_value(c[1]) : -1, low = high < 0 ? -1 : hex_value(c[2]);
        bool coded = low >= 0 && high * 16 + low > 0;
        *to++ = coded ? (char)(high * 16 + low) : *c;
        if (coded) c += 2;
    }
    *to = '\0';
    return path;
}

json_t *path_to_uri(const char *path)
{
    char real[4096];
    if (strstr(path, "://") || strncmp(path, "untitled:", 9) == 0) return json_text(path);
    if (path[0] != '/' && strlen(path) < sizeof real && realpath(path, real)) path = real;
    char *uri = memory_more(NULL, 3 * strlen(path) + 8), *to = uri;
    to += sprintf(to, "file://");
    for (const char *c = path; *c; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || strchr("/-._~", *c);
        to += plain ? sprintf(to, "%c", *c) : sprintf(to, "%%%02X", (unsigned char)*c);
    }
    json_t *out = json_text(uri);
    free(uri);
    return out;
}

// --- documents ----------------------------------------------------------------------------------

static void find_lines(Document *d)
{
    int n = 1;
    for (size_t i = 0; i < d->len; i++) n += d->text[i] == '\n';
    d->lines = memory_more(d->lines, (size_t)n * sizeof *d->lines);
    d->nlines = 1;
    d->lines[0] = 0;
    for (size_t i = 0; i < d->len; i++)
        if (d->text[i] == '\n') d->lines[d->nlines++] = (uint32_t)i + 1;
}

// Replaces the bytes from lo to hi.
static void replace(Document *d, size_t lo, size_t hi, const char *text, size_t len)
{
    size_t rest = d->len - hi;
    char *now = memory_more(NULL, lo + len + rest + 1);
    memcpy(now, d->text, lo);
    memcpy(now + lo, text, len);
    memcpy(now + lo + len, d->text + hi, rest);
    now[lo + len + rest] = '\0';
    free(d->text);
    d->text = now;
    d->len = lo + len + rest;
    find_lines(d);
}

Document *document_new(const char *uri, const char *text, size_t len, int64_t version)
{
    Document *d = memory_more(NULL, sizeof *d);
    *d = (Document){.uri = memory_text(uri, strlen(uri)),
                    .path = uri_to_path(uri),
                    .text = memory_text(text, len),
                    .len = len,
                    .version = version,
                    .is_dirty = true};
    char *real = realpath(d->path, NULL);
    if (real) {
        free(d->path);
        d->path = real;
    }
    find_lines(d);
    return d;
}

void document_delete(Document *d)
{
    free(d->uri);
    free(d->path);
    free(d->text);
    free(d->lines);
    free(d);
}

TextView document_view(const Document *d, bool utf8)
{
    return (TextView){d->text, d->len, d->lines, d->nlines, utf8};
}

// Makes one change: of a range, or of the whole text if none is given.
static bool change(Document *d, const json_t *one, bool utf8)
{
    const json_t *text = json_object_get(one, "text"), *range = json_object_get(one, "range");
    size_t lo = 0, hi = d->len;
    TextView v = document_view(d, utf8);
    if (!json_is_string(text)) return false;
    bool whole = !range || json_is_null(range);
    if (!whole && (!position_read(&v, json_object_get(range, "start"), &lo) ||
                   !position_read(&v, json_object_get(range, "end"), &hi)))
        return false;
    if (hi < lo || json_string_length(text) > INT32_MAX - (d->len - (hi - lo))) return false;
    replace(d, lo, hi, json_string_value(text), json_string_length(text));
    return true;
}

bool document_change(Document *d, const json_t *changes, bool utf8)
{
    d->is_dirty = true;
    if (!json_is_array(changes)) return false;
    for (size_t i = 0; i < json_array_size(changes); i++)
        if (!change(d, json_array_get(changes, i), utf8)) return false;
    return true;
}
