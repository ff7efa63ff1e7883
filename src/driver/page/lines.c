// The lines of a page's texts. Texts of successive passes have most lines in common: all texts are
// pieces of one list of lines, to which each text adds the lines that no earlier one has.
#include "driver/page/internal.h"

#include <string.h>

enum { MOST_CANDIDATES = 32 }; // places of a line that are tried as the beginning of a piece

static Sym key_of(Session *cx, const MarkedLine *line, Text *key)
{
    key->len = 0;
    for (int i = 0; i < line->from.len; i++) text_printf(key, "%d,", line->from.at[i]);
    text_char(key, '\n');
    text_put(key, line->text);
    return session_sym(cx, text_get(key));
}

// Gives each line of a text the name under which equal lines are found.
static const Sym *keys_of(Session *cx, const MarkedLines *lines)
{
    Sym *keys = ARENA_ARRAY(cx->arena, Sym, lines->len + 1);
    Text key = text_new(cx->arena);
    for (int i = 0; i < lines->len; i++) keys[i] = key_of(cx, &lines->at[i], &key);
    return keys;
}

PageText page_text(Session *cx, MarkedLines lines)
{
    return (PageText){.lines = lines, .keys = keys_of(cx, &lines)};
}

PageLines page_lines_new(Arena *arena)
{
    return (PageLines){.arena = arena, .places = map_new(arena), .list = json_array()};
}

static json_t *json_line(const MarkedLine *line)
{
    json_t *one = json_array();
    json_array_append_new(one, json_text(line->text));
    for (int i = 0; i < line->from.len; i++)
        json_array_append_new(one, json_integer(line->from.at[i]));
    return one;
}

static int match(const PageLines *all, int at, const Sym *keys, int n)
{
    int k = 0;
    while (k < n && at + k < all->keys.len && all->keys.at[at + k] == keys[k]) k++;
    return k;
}

// Finds the longest piece with which the text goes on. Prefers the one at `next`, which continues
// the last piece.
static int longest(const PageLines *all, int next, const Sym *keys, int n, int *at)
{
    int best = match(all, next, keys, n);
    *at = next;
    const LinePlaces *places = map_get(&all->places, MAP_KEY(keys[0]));
    for (int i = places ? places->len : 0, tries = 0; i > 0 && tries < MOST_CANDIDATES; tries++) {
        int k = match(all, places->at[--i], keys, n);
        if (k > best) best = k, *at = places->at[i];
    }
    return best;
}

static void append(PageLines *all, Sym key, const MarkedLine *line)
{
    LinePlaces *places = map_get(&all->places, MAP_KEY(key));
    if (!places) map_put(&all->places, MAP_KEY(key), places = ARENA_NEW(all->arena, LinePlaces));
    vec_push(all->arena, places, all->keys.len);
    vec_push(all->arena, &all->keys, key);
    json_array_append_new(all->list, json_line(line));
}

json_t *page_lines_add(PageLines *all, const PageText *text)
{
    json_t *pieces = json_array();
    int first = 0, count = 0;
    for (int i = 0; i < text->lines.len;) {
        int at, n = longest(all, first + count, text->keys + i, text->lines.len - i, &at);
        if (n == 0) {
            at = all->keys.len;
            append(all, text->keys[i], &text->lines.at[i]);
            n = 1;
        }
        if (at == first + count) {
            count += n;
        } else {
            if (count) {
                json_array_append_new(pieces, json_integer(first));
                json_array_append_new(pieces, json_integer(count));
            }
            first = at, count = n;
        }
        i += n;
    }
    if (count) {
        json_array_append_new(pieces, json_integer(first));
        json_array_append_new(pieces, json_integer(count));
    }
    return pieces;
}
