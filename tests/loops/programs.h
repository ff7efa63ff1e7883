// Programs with control flow as textual DPIA, in tests/loops/control: an entry and the functions
// that it calls. Read, translated and run through every pass, with random arguments.
#ifndef TESTS_LOOPS_PROGRAMS_H
#define TESTS_LOOPS_PROGRAMS_H

#include "dpia/random_values.h"
#include "loops/ir/passes.h"
#include "loops/stages.h"

#define CONTROL "tests/loops/control"

typedef struct {
    const char *name;
    Phrase *phrase;
    LoopEntry *stages[LOOP_STAGES];
} Control;

/// Lists the names of the files in a folder that have this ending: sorted, and without it. Returns
/// how many there are.
static inline int files_with(Arena *arena, const char *folder, const char *end, const char ***names)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, alphasort), count = 0;
    assert_true(n > 0);
    *names = ARENA_ARRAY(arena, const char *, n);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        if (ends_with(name, end))
            (*names)[count++] = arena_strndup(arena, name, strlen(name) - strlen(end));
        free(entries[i]);
    }
    free(entries);
    return count;
}

/// A program at every stage, checked after each.
static inline Control read_control(Session *cx, const char *name)
{
    Control c = {.name = name};
    const char *path = arena_printf(cx->arena, "%s/%s.dpia", CONTROL, name);
    size_t len;
    const char *text = read_file(cx->arena, path, &len);
    if (!text) fail_msg("no file %s", path);
    c.phrase = dpia_read(cx, session_add_source(cx, path, text, strlen(text)));
    if (!c.phrase) fail_msg("%s: %s", path, cx->diags.at[0]->text);
    dpia_check(cx, c.phrase);
    c.stages[0] = loops_from_dpia(cx, c.phrase);
    loops_check(cx, c.stages[0]);
    for (int k = 1; k < LOOP_STAGES; k++) {
        c.stages[k] = loop_passes[k].run(cx, c.stages[k - 1]);
        loops_check(cx, c.stages[k]);
    }
    return c;
}

static inline bool calls_c(const Phrase *p)
{
    for (int i = 0; i < p->callees.len; i++)
        if (p->callees.at[i]->external) return true;
    return false;
}

/// Random sizes and arguments for a program; false if there are no arguments of these sizes.
static inline bool random_arguments(Random *r, const Phrase *p, Call *call)
{
    static const int64_t choices[] = {0, 1, 2, 3, 5, 8, 13};
    call->nsizes = p->sizes.len;
    for (int i = 0; i < p->sizes.len; i++) {
        call->sizes[i] = choices[random_below(r, 7)];
        call->generics[i] = (NodeBinding){p->sizes.at[i], nat_const(r->cx, call->sizes[i])};
    }
    r->possible = true;
    for (int i = 0; i < p->params.len; i++) {
        Node *type = node_replace_names(r->cx, p->params.at[i].type, call->generics, call->nsizes);
        call->args[i] = random_value(r, type);
    }
    return r->possible;
}

#endif
