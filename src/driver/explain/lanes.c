// `adze explain --lanes`: prints the source lines of loops over lanes, with remarks on how the
// values that each line names differ from lane to lane.
#include "driver/explain/explain.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 80 }; // source lines longer than this do not widen the column

/// A remark on names in a line, for example that x and y "differ".
typedef struct {
    const char *text;
    VEC(const char *) names; // empty if the remark is on the statement as a whole
} Remark;

typedef struct {
    uint32_t file;
    int line;
    VEC(Remark) remarks;
} Line;

typedef struct {
    const Work *w;
    const Map *used; // functions that make up the entry
    Span loop;
    VEC(Line) lines;
} Lines;

// --- functions ----------------------------------------------------------------------------------

static void find_used(const Work *w, const Function *f, Map *used);

static void find_used_in(const Work *w, Node *e, Map *seen, Map *used)
{
    if (map_get(seen, MAP_KEY(e))) return;
    map_put(seen, MAP_KEY(e), used);
    const Function *f =
        e->kind == CORE_GLOBAL ? map_get(&w->program->by_name, MAP_KEY(e->attr.sym)) : NULL;
    if (f) find_used(w, f, used);
    for (uint32_t i = 0; i < e->nops; i++) find_used_in(w, e->op[i], seen, used);
}

static void find_used(const Work *w, const Function *f, Map *used)
{
    if (map_get(used, MAP_KEY(f->name))) return;
    map_put(used, MAP_KEY(f->name), used);
    Map seen = map_new(w->cx->arena);
    if (f->body) find_used_in(w, f->body, &seen, used);
}

bool explain_is_used(const Work *w, const Map *used, Span span)
{
    const Function *found = NULL;
    for (int i = 0; i < w->program->functions.len; i++) {
        const Function *f = w->program->functions.at[i];
        bool before = f->span.file == span.file && f->span.lo <= span.lo;
        if (before && (!found || f->span.lo >= found->span.lo)) found = f;
    }
    return !found || map_get(used, MAP_KEY(found->name));
}

Map explain_used(const Work *w)
{
    Map used = map_new(w->cx->arena);
    find_used(w, w->entry, &used);
    return used;
}

// --- names --------------------------------------------------------------------------------------

static const char *line_text(Session *cx, uint32_t file, int line)
{
    const Source *s = cx->sources.at[file - 1];
    const char *from = s->text + s->lines.at[line - 1];
    return arena_strndup(cx->arena, from, strcspn(from, "\n"));
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *text, const char *word, size_t n)
{
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !is_word(at[-1])) && !is_word(at[n])) return true;
    return false;
}

// Strips suffixes and components that the compiler appended to `name` until it occurs in `text`, a
// source line, and returns the result. Returns NULL if no form of it occurs.
static const char *name_in(Session *cx, const char *text, const char *name)
{
    for (size_t n = strlen(name); n > 0;) {
        const char *word = arena_strndup(cx->arena, name, n);
        if (has_word(text, word, n)) return word;
        const char *part = strrchr(word, '_');
        n = isdigit((unsigned char)name[n - 1]) ? n - 1 : part ? (size_t)(part - word) : 0;
    }
    return NULL;
}

// --- lines --------------------------------------------------------------------------------------

static Line *line_of(Lines *l, uint32_t file, int number)
{
    for (int i = 0; i < l->lines.len; i++)
        if (l->lines.at[i].file == file && l->lines.at[i].line == number) return &l->lines.at[i];
    vec_push(l->w->cx->arena, &l->lines, ((Line){.file = file, .line = number}));
    return &vec_last(&l->lines);
}

static Remark *remark_of(Session *cx, Line *line, const char *text, bool of_names)
{
    for (int i = 0; i < line->remarks.len; i++) {
        Remark *r = &line->remarks.at[i];
        if (strcmp(r->text, text) == 0 && (r->names.len > 0) == of_names) return r;
    }
    vec_push(cx->arena, &line->remarks, ((Remark){.text = text}));
    return &vec_last(&line->remarks);
}

static int line_at(Session *cx, Span span)
{
    int line, column;
    session_position(cx, span.file, span.lo, &line, &column);
    return line;
}

static const char *name_at(Session *cx, Span span, const char *name)
{
    if (!span.file || !name) return NULL;
    return name_in(cx, line_text(cx, span.file, line_at(cx, span)), name);
}

const char *explain_name(Session *cx, Span span, Span loop, const char *name)
{
    const char *found = name_at(cx, span, name);
    return found ? found : name_at(cx, loop, name);
}

// Adds a remark to the line of the statement or, if that line does not name the value, to the line
// where the value is computed.
static void add(Lines *l, const LaneNote *note)
{
    Session *cx = l->w->cx;
    Span span = note->span;
    bool used = explain_is_used(l->w, l->used, span);
    const char *wanted = note->name ? note->name->text : NULL;
    const char *name = used ? name_at(cx, span, wanted) : NULL;
    if (wanted && !name) {
        span = note->value;
        used = explain_is_used(l->w, l->used, span);
        name = used ? name_at(cx, span, wanted) : NULL;
    }
    if (wanted ? !name : !used) return;
    Line *line = line_of(l, span.file, line_at(cx, span));
    Remark *r = remark_of(cx, line, note->text, name != NULL);
    for (int i = 0; i < r->names.len; i++)
        if (strcmp(r->names.at[i], name) == 0) return;
    if (name) vec_push(cx->arena, &r->names, name);
}

static int compare_lines(const void *a, const void *b)
{
    const Line *x = a, *y = b;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

// --- text ---------------------------------------------------------------------------------------

// Prints the remarks on a line, those on names first.
static void put_remarks(Text *out, const Line *line)
{
    const char *between = "";
    for (int of_names = 1; of_names >= 0; of_names--)
        for (int i = 0; i < line->remarks.len; i++) {
            const Remark *r = &line->remarks.at[i];
            if ((r->names.len > 0) != of_names) continue;
            text_printf(out, "%s%s", between, r->text);
            for (int k = 0; k < r->names.len; k++)
                text_printf(out, "%s %s", k ? "," : ":", r->names.at[k]);
            between = "; ";
        }
}

static void put_lines(Text *out, const Lines *l)
{
    Session *cx = l->w->cx;
    int widest = 0;
    for (int i = 0; i < l->lines.len; i++) {
        int n = (int)strlen(line_text(cx, l->lines.at[i].file, l->lines.at[i].line));
        if (n > widest && n <= WIDEST) widest = n;
    }
    for (int i = 0; i < l->lines.len; i++) {
        const Line *line = &l->lines.at[i];
        const char *name = path_base(cx->sources.at[line->file - 1]->path);
        const char *place = line->file == l->w->file
                                ? arena_printf(cx->arena, "%d", line->line)
                                : arena_printf(cx->arena, "%s:%d", name, line->line);
        text_printf(out, "  %4s  %-*s  | ", place, widest, line_text(cx, line->file, line->line));
        put_remarks(out, line);
        text_char(out, '\n');
    }
}

// Reports the loops in order. Loops that were made from the same source loop are reported together.
static void put_entry(const Work *w, const Map *used, Text *out, const LoopEntry *e, bool *any)
{
    for (int first = 0; first < e->lane_notes.len; first++) {
        Lines l = {.w = w, .used = used, .loop = e->lane_notes.at[first].loop};
        bool before = false;
        for (int i = 0; i < e->lane_notes.len; i++) {
            const LaneNote *note = &e->lane_notes.at[i];
            bool same = memcmp(&note->loop, &l.loop, sizeof l.loop) == 0;
            before |= same && i < first;
            if (same && i >= first) add(&l, note);
        }
        if (before) continue;
        if (l.lines.len) qsort(l.lines.at, (size_t)l.lines.len, sizeof *l.lines.at, compare_lines);
        put_lines(out, &l);
        *any = true;
    }
}

void explain_lanes(const Work *w, Text *out)
{
    bool any = false;
    Map used = explain_used(w);
    text_printf(out, "%s (%s:%s)\n", w->entry->name->text, w->path,
                explain_place(w, w->entry->span));
    put_entry(w, &used, out, w->loop, &any);
    for (int i = 0; i < w->loop->callees.len; i++)
        put_entry(w, &used, out, w->loop->callees.at[i], &any);
    if (!any) text_put(out, "  no loops over lanes\n");
}

// --- JSON ---------------------------------------------------------------------------------------

static json_t *json_lane_line(Session *cx, const Line *line)
{
    json_t *one = json_object(), *remarks = json_array();
    json_put(one, "file", json_text(cx->sources.at[line->file - 1]->path));
    json_put(one, "line", json_integer(line->line));
    for (int i = 0; i < line->remarks.len; i++) {
        const Remark *r = &line->remarks.at[i];
        json_t *remark = json_object(), *names = json_array();
        for (int k = 0; k < r->names.len; k++)
            json_array_append_new(names, json_text(r->names.at[k]));
        json_put(remark, "text", json_text(r->text));
        json_put(remark, "names", names);
        json_array_append_new(remarks, remark);
    }
    json_put(one, "remarks", remarks);
    return one;
}

void explain_lanes_json(const Work *w, json_t *to)
{
    Map used = explain_used(w);
    for (int k = -1; k < w->loop->callees.len; k++) {
        const LoopEntry *e = k < 0 ? w->loop : w->loop->callees.at[k];
        Lines l = {.w = w, .used = &used};
        for (int i = 0; i < e->lane_notes.len; i++) {
            l.loop = e->lane_notes.at[i].loop;
            add(&l, &e->lane_notes.at[i]);
        }
        for (int i = 0; i < l.lines.len; i++)
            json_array_append_new(to, json_lane_line(w->cx, &l.lines.at[i]));
    }
}
