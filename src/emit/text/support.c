// The parts of the runtime headers that a generated file needs, copied into it so that it stands
// alone. The headers are embedded at build time; a section starts at a line `//= name [needs ...]`.
#include "emit/text/text.h"

#include <stdio.h>
#include <string.h>

#include "adze_support_text.h" // adze_support_text: made by tools/embed.sh
#include "adze_field_text.h"   // adze_field_text

// The text of a section and the sections it needs; false when there is none of that name.
static bool find_section(const char *text, const char *name, const char **body, size_t *len,
                         char *needs, size_t size)
{
    size_t n = strlen(name);
    for (const char *at = strstr(text, "\n//= "); at; at = strstr(at + 1, "\n//= ")) {
        const char *title = at + 5, *eol = strchr(title, '\n');
        if (strncmp(title, name, n) != 0 || (title[n] != ' ' && title[n] != '\n')) continue;
        const char *end = strstr(eol, "\n//= ");
        *body = eol + 1;
        *len = (size_t)((end ? end : eol + strlen(eol)) + 1 - *body);
        const char *list = title + n;
        if (strncmp(list, " needs ", 7) == 0)
            snprintf(needs, size, "%.*s", (int)(eol - list - 7), list + 7);
        else
            *needs = '\0';
        return true;
    }
    return false;
}

// f32x16 and what ends so: min_f32x16.
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
    const char *body;
    size_t len, n = strlen(name);
    char needs[64];
    if (strncmp(name, "field", 5) == 0 || is_vector_name(name)) return true;
    if (find_section(adze_support_text, name, &body, &len, needs, sizeof needs)) return true;
    for (const char *at = adze_support_text; (at = strstr(at, "adze_")); at++)
        if (strncmp(at + 5, name, n) == 0 && at[5 + n] == '(') return true;
    return false;
}

void support_need(Emitter *e, const char *section)
{
    Sym name = session_sym(e->cx, section);
    if (map_get(&e->needs, MAP_KEY(name))) return;
    map_put(&e->needs, MAP_KEY(name), e);
    const char *body;
    size_t len;
    char needs[64];
    if (strcmp(section, "field") != 0) {
        bool found = find_section(adze_support_text, section, &body, &len, needs, sizeof needs);
        CHECK(e->cx, found, "no section %s in the support header", section);
        for (char *rest, *one = strtok_r(needs, " ", &rest); one; one = strtok_r(NULL, " ", &rest))
            support_need(e, one);
    }
    vec_push(e->arena, &e->need_order, name->text);
}

void support_write(Emitter *e, Text *out)
{
    for (int i = 0; i < e->need_order.len; i++) {
        const char *name = e->need_order.at[i], *body;
        size_t len;
        char needs[64];
        text_char(out, '\n');
        if (strcmp(name, "field") == 0)
            text_put(out, adze_field_text);
        else if (find_section(adze_support_text, name, &body, &len, needs, sizeof needs))
            text_add(out, body, len);
    }
}
