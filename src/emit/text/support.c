// Copies the sections of the runtime headers that a generated file needs into it, which makes it
// self-contained. The headers are embedded at build time. A section begins with `//= NAME [needs
// ..]`.
#include "emit/text/text.h"

#include <string.h>

#include "adze_support_text.h" // adze_support_text, made by tools/embed.sh
#include "adze_field_text.h"   // adze_field_text

// Finds a section. Returns the rest of the line `//= NAME` at its beginning, or NULL if there is no
// such section.
static const char *find_section(const char *name)
{
    size_t n = strlen(name);
    for (const char *at = adze_support_text; (at = strstr(at, "\n//= ")); at++) {
        const char *rest = at + 5 + n;
        if (strncmp(at + 5, name, n) == 0 && (*rest == ' ' || *rest == '\n')) return rest;
    }
    return NULL;
}

// Whether the name is like f32x16 or min_f32x16.
static bool is_vector_name(const char *name)
{
    const char *x = strrchr(name, 'x'), *element = x;
    if (!x || !x[1] || x[1 + strspn(x + 1, "0123456789")]) return false;
    while (element > name && element[-1] != '_') element--;
    for (int s = 0; s < SCALAR_COUNT; s++) {
        size_t len = strlen(scalar_info[s].text);
        if ((size_t)(x - element) == len && strncmp(element, scalar_info[s].text, len) == 0)
            return true;
    }
    return false;
}

bool support_has(const char *name)
{
    size_t n = strlen(name);
    if (strncmp(name, "field", 5) == 0 || is_vector_name(name) || find_section(name)) return true;
    for (const char *at = adze_support_text; (at = strstr(at, "adze_")); at++)
        if (strncmp(at + 5, name, n) == 0 && at[5 + n] == '(') return true;
    return false;
}

void support_need(Emitter *e, const char *section)
{
    Sym name = session_sym(e->cx, section);
    if (map_get(&e->needs, MAP_KEY(name))) return;
    map_put(&e->needs, MAP_KEY(name), e);
    if (strcmp(section, "field") != 0) {
        const char *list = find_section(section);
        CHECK(e->cx, list, "no section %s in the support header", section);
        char *rest, *word = arena_strndup(e->arena, list, strcspn(list, "\n"));
        for (word = strtok_r(word, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
            if (strcmp(word, "needs") != 0) support_need(e, word);
    }
    vec_push(e->arena, &e->need_order, name->text);
}

void support_write(Emitter *e, Text *out)
{
    for (int i = 0; i < e->need_order.len; i++) {
        const char *name = e->need_order.at[i];
        text_char(out, '\n');
        if (strcmp(name, "field") == 0) {
            text_put(out, adze_field_text);
        } else {
            const char *line = strchr(find_section(name), '\n'), *end = strstr(line, "\n//= ");
            text_add(out, line + 1, end ? (size_t)(end - line) : strlen(line + 1));
        }
    }
}
