// Assembles the page: chooses the texts for which there is room, and compresses the data.
#include "driver/page/internal.h"

#include "adze_page_text.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct {
    PageText text;
    PageShows shows;
    int entry; // how many entries the data has with this part
    const char *key, *what;
    json_t *to;
} Part;

struct Page {
    Session *cx;
    json_t *root;
    VEC(Part) parts;
};

Page *page_new(Session *cx, json_t *root)
{
    Page *p = ARENA_NEW(cx->arena, Page);
    *p = (Page){.cx = cx, .root = root};
    return p;
}

void page_add(Page *p, json_t *to, const char *key, PageShows shows, const char *what,
              const char *text, MarkWanted *wanted, void *env)
{
    MarkedLines lines = marks_take(p->cx, text, wanted, env);
    int entry = (int)json_array_size(json_object_get(p->root, "entries"));
    Part part = {page_text(p->cx, lines), shows, entry, key, what, to};
    vec_push(p->cx->arena, &p->parts, part);
}

// --- compression --------------------------------------------------------------------------------

static void put_base64(Text *out, const unsigned char *bytes, size_t n)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        uint32_t b = (uint32_t)bytes[i] << 16 | (i + 1 < n ? (uint32_t)bytes[i + 1] << 8 : 0) |
                     (i + 2 < n ? bytes[i + 2] : 0);
        for (int k = 0; k < 4; k++)
            text_char(out, i + (size_t)k > n ? '=' : digit[b >> (18 - 6 * k) & 63]);
    }
}

// Returns the compressed data of the page in base64.
static Text packed(Page *p)
{
    char *text = json_dumps(p->root, JSON_COMPACT);
    Text out = text_new(p->cx->arena);
    if (!text) return out;
    uLong size = (uLong)strlen(text);
    uLongf length = compressBound(size);
    unsigned char *bytes = ARENA_ARRAY(p->cx->arena, unsigned char, length);
    if (compress2(bytes, &length, (const Bytef *)text, size, Z_BEST_COMPRESSION) == Z_OK)
        put_base64(&out, bytes, length);
    free(text);
    return out;
}

// --- the texts for which there is room ----------------------------------------------------------

// The parts by importance; of equal importance, in order.
static const int *by_importance(const Page *p)
{
    int n = 0, *order = ARENA_ARRAY(p->cx->arena, int, p->parts.len + 1);
    for (int shows = 0; shows < SHOWS_COUNT; shows++)
        for (int i = 0; i < p->parts.len; i++)
            if ((int)p->parts.at[i].shows == shows) order[n++] = i;
    return order;
}

enum { MOST_NAMED = 60 };

// Names the texts that are left out, each once, if they are not too many.
static void name_left_out(Page *p, const bool *wanted)
{
    json_t *names = json_array();
    Map named = map_new(p->cx->arena);
    int n = 0;
    for (int i = 0; i < p->parts.len; i++) {
        Sym what = session_sym(p->cx, p->parts.at[i].what);
        n += !wanted[i];
        if (wanted[i] || map_get(&named, MAP_KEY(what))) continue;
        map_put(&named, MAP_KEY(what), p);
        if (json_array_size(names) < MOST_NAMED)
            json_array_append_new(names, json_text(what->text));
    }
    json_put(p->root, "left_out", names);
    json_put(p->root, "left_out_count", json_integer(n));
}

// Sets the data to that with the `kept` most important parts.
static void keep(Page *p, const int *order, int kept)
{
    bool *wanted = ARENA_ARRAY(p->cx->arena, bool, p->parts.len + 1);
    PageLines all = page_lines_new(p->cx->arena);
    for (int i = 0; i < kept; i++) wanted[order[i]] = true;
    for (int i = 0; i < p->parts.len; i++) {
        Part *part = &p->parts.at[i];
        json_put(part->to, part->key, wanted[i] ? page_lines_add(&all, &part->text) : json_null());
    }
    json_put(p->root, "lines", all.list);
    name_left_out(p, wanted);
}

// --- entries ------------------------------------------------------------------------------------

// Leaves out the entries after the first `n`, with their texts.
static void cut_entries(Page *p, int n)
{
    json_t *entries = json_object_get(p->root, "entries"),
           *left_out = json_object_get(p->root, "entries_left_out");
    for (int i = n; i < (int)json_array_size(entries); i++)
        json_array_append(left_out, json_object_get(json_array_get(entries, (size_t)i), "name"));
    while ((int)json_array_size(entries) > n)
        json_array_remove(entries, json_array_size(entries) - 1);
    while (p->parts.len && vec_last(&p->parts).entry > n) p->parts.len--;
}

static size_t length_of(json_t *x)
{
    return json_dumpb(x, NULL, 0, JSON_COMPACT);
}

// Leaves out the last entries if all that is known of them, texts apart, takes more than half of
// the page.
static void fit_entries(Page *p, size_t room)
{
    json_t *entries = json_object_get(p->root, "entries");
    json_put(p->root, "entries_left_out", json_array());
    for (;;) {
        keep(p, by_importance(p), 0);
        size_t length = packed(p).len, all = length_of(p->root), cut = 0;
        int n = (int)json_array_size(entries);
        if (length <= room / 2 || n <= 1) return;
        size_t excess = (size_t)((double)all * (1 - (double)(room / 2) / (double)length));
        while (n > 1 && cut < excess) cut += length_of(json_array_get(entries, (size_t)--n));
        cut_entries(p, n);
    }
}

// --- texts --------------------------------------------------------------------------------------

// The number of parts, the most important first, whose distinct lines have at most `bytes`.
static int parts_of(Page *p, const int *order, size_t bytes)
{
    Map seen = map_new(p->cx->arena);
    for (int i = 0; i < p->parts.len; i++) {
        const PageText *text = &p->parts.at[order[i]].text;
        for (int k = 0; k < text->lines.len; k++) {
            if (map_get(&seen, MAP_KEY(text->keys[k]))) continue;
            map_put(&seen, MAP_KEY(text->keys[k]), p);
            if (text->keys[k]->len > bytes) return i;
            bytes -= text->keys[k]->len;
        }
    }
    return p->parts.len;
}

enum { BEST_RATIO = 20 }; // lines are never compressed better

// Returns the data with as many parts as fit in `room`.
static Text fitting(Page *p, size_t room)
{
    const int *order = by_importance(p);
    int fits = 0, most = parts_of(p, order, BEST_RATIO * room), exceeds = most;
    keep(p, order, most);
    Text best = packed(p);
    if (best.len <= room) return best;
    keep(p, order, 0);
    best = packed(p);
    while (exceeds - fits > 1) {
        int half = fits + (exceeds - fits) / 2;
        keep(p, order, half);
        Text one = packed(p);
        if (one.len <= room)
            fits = half, best = one;
        else
            exceeds = half;
    }
    return best;
}

// --- the page -----------------------------------------------------------------------------------

static void put_escaped(Text *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        const char *special = strchr("&<>\"'", *c);
        if (special)
            text_printf(out, "&#%d;", *c);
        else
            text_char(out, *c);
    }
}

void page_write(Page *p, const char *title, Text *out)
{
    static const char at_title[] = "@TITLE@", at_data[] = "@DATA@";
    const char *name = strstr(page_html, at_title), *data = strstr(name, at_data);
    size_t fixed = strlen(page_html) + 6 * strlen(title);
    size_t room = fixed < PAGE_MOST ? PAGE_MOST - fixed : 0;
    fit_entries(p, room);
    Text packed_data = fitting(p, room);
    text_add(out, page_html, (size_t)(name - page_html));
    put_escaped(out, title);
    name += strlen(at_title);
    text_add(out, name, (size_t)(data - name));
    text_add(out, text_get(&packed_data), packed_data.len);
    text_put(out, data + strlen(at_data));
}
