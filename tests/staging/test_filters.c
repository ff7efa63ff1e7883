// Filters never change what a program computes: the entries of tests/programs, staged with all filters, $ and @@ as
// they are written and with none of them, mean the same.
#include <glob.h>

#include "infer/support.h"
#include "staging/meaning.h"
#include "staging/values/staging.h"

// The term without @@.
static Node *without_run(Session *cx, Node *e, int depth, void *env)
{
    Map *done = env;
    Node *known = map_get(done, MAP_KEY(e));
    if (known) return known;
    Node *r = node_map(cx, e, depth, without_run, env);
    if (r->kind == CORE_APP && r->variant == VARIANT_RUN) r = node_with_variant(cx, r, VARIANT_ANY);
    map_put(done, MAP_KEY(e), (void *)(uintptr_t)r);
    return r;
}

static bool has_filter(const Program *p)
{
    for (int i = 0; i < p->functions.len; i++)
        for (int k = 0; k < p->functions.at[i]->params.len; k++)
            if (p->functions.at[i]->params.at[k].filter) return true;
    return false;
}

static void erase_filters(Session *cx, Program *p)
{
    Map done = map_new(cx->arena);
    for (int i = 0; i < p->functions.len; i++) {
        Function *f = p->functions.at[i];
        for (int k = 0; k < f->params.len; k++) f->params.at[k].filter = NULL;
        if (f->body) f->body = without_run(cx, f->body, 0, &done);
    }
}

// Whether the entry can be staged without filters; then it means the same. Some cannot: functions that give functions, or are
// given others in each call, need them to end.
static bool compare_entry(Session *cx, const Program *erased, const Function *entry,
                          const Function *with)
{
    Function *without = staging_run(cx, erased, entry);
    if (!without) {
        DiagCode code = cx->diags.at[cx->diags.len - 1]->code;
        if (code != E0501 && code != E0502 && code != E0503)
            fail_msg("%s: %s", entry->name->text, diagnostics_text(cx));
        cx->diags.len = 0;
        cx->errors = 0;
        return false;
    }
    same_meaning(cx, NULL, with, without, 0);
    return true;
}

static void erased_means_the_same(void **state)
{
    (void)state;
    glob_t found = {0};
    glob("tests/programs/*.adz", 0, NULL, &found);
    int programs = 0, compared = 0, needed = 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        Session *files = session_new();
        size_t len = 0;
        char *text = read_file(files->arena, found.gl_pathv[i], &len);
        assert_non_null(text);
        text[len] = 0;
        Inferred r = infer_good(text);
        if (has_filter(r.program)) {
            VEC(Function *) with = {0};
            programs++;
            for (int k = 0; k < r.program->functions.len; k++) {
                const Function *f = r.program->functions.at[k];
                vec_push(r.cx->arena, &with, f->entry ? staging_run(r.cx, r.program, f) : NULL);
                if (f->entry) assert_non_null(with.at[k]);
            }
            erase_filters(r.cx, r.program);
            for (int k = 0; k < r.program->functions.len; k++) {
                if (!with.at[k]) continue;
                if (compare_entry(r.cx, r.program, r.program->functions.at[k], with.at[k]))
                    compared++;
                else
                    needed++;
            }
        }
        session_delete(r.cx);
        session_delete(files);
    }
    globfree(&found);
    print_message("%d programs, %d entries, %d that cannot do without\n", programs, compared,
                  needed);
    assert_true(programs > 3 && compared > 20 && compared > 5 * needed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(erased_means_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
