// Every side condition of every rule of the library is needed: without it inference says so
// (E0802), or the sides differ on some instance. ALL=1 tries all, otherwise one in four is.
#include "schedule/rules.h"
#include "this_cc.h"

#include <stdlib.h>

/// Conditions that neither sees, with the reason.
typedef struct {
    const char *rule, *condition, *why;
} Unseen;

static const char lanes[] = "what a pattern means does not depend on its lanes",
                  written_out[] = "what is written out means the same, but may be too much",
                  tile[] = "a tile means the same, but may be too large for shared memory";

static const Unseen unseen[] = {
    {"map_in_lanes", "lanes > 0", lanes},
    {"generate_in_lanes", "lanes > 0", lanes},
    {"scatter_in_lanes", "lanes > 0", lanes},
    {"first_smallest_in_blocks", "lanes > 0", lanes},
    {"first_greatest_in_blocks", "lanes > 0", lanes},
    {"sum_in_lanes", "lanes > 0", lanes},
    {"sums_in_lanes", "lanes > 0", lanes},
    {"count_in_lanes", "lanes > 0", lanes},
    {"max_in_lanes", "lanes > 0", lanes},
    {"min_in_lanes", "lanes > 0", lanes},
    {"greatest_in_lanes", "lanes > 0", lanes},
    {"least_in_lanes", "lanes > 0", lanes},
    {"any_in_lanes", "lanes > 0", lanes},
    {"all_in_lanes", "lanes > 0", lanes},
    {"first_smallest_in_passes", "lanes > 0", lanes},
    {"first_greatest_in_passes", "lanes > 0", lanes},
    {"scan_in_lanes", "lanes > 0", lanes},
    {"scan_ex_in_lanes", "lanes > 0", lanes},
    {"store_local_aosoa", "l > 0", "a value is the same in any layout"},
    {"store_aosoa", "l > 0", "a value is the same in any layout"},
    {"map_unrolled", "n <= 64", written_out},
    {"fold_unrolled", "n <= 64", written_out},
    {"reduce_unrolled", "n <= 64", written_out},
    {"align_slide", "size <= 64", written_out},
    {"i32_sums_by_groups", "m <= 4096", tile},
    {"i64_sums_by_groups", "m <= 4096", tile},
    {"f32_sums_by_groups", "m <= 4096", tile},
    {"f64_sums_by_groups", "m <= 4096", tile},
    {"squares_by_groups", "size <= 7", tile},
    {"cubes_by_groups", "size <= 3", tile},
    {"windows_of_rows_in_tiles", "size <= 64", tile},
    {"windows_of_columns_in_tiles", "size <= 64", tile},
    {"windows_of_rows_in_tiles", "least <= size", "small windows are read as well directly"},
    {"windows_of_columns_in_tiles", "least <= size", "small windows are read as well directly"},
    {"short_map", "n <= most", "it changes nothing: its condition is what it is for"},
    {"short_reduction", "n <= most", "it changes nothing: its condition is what it is for"},
    {"short_generate", "n <= most", "it changes nothing: its condition is what it is for"},
    {"short_fold", "n <= most", "it changes nothing: its condition is what it is for"},
    {"short_scan", "n <= most", "it changes nothing: its condition is what it is for"},
    {"few_positions", "m > 0", "it changes nothing: there is no position otherwise"},
    {"few_positions", "m <= most", "it changes nothing: its condition is what it is for"},
    {"short_windows", "size <= most", "it changes nothing: its condition is what it is for"},
    {"longer_map", "n > least", "it changes nothing: its condition is what it is for"},
    {"short_rows", "m <= most", "it changes nothing: its condition is what it is for"},
    {"long_rows", "m > most", "it changes nothing: its condition is what it is for"},
    {NULL, NULL, NULL},
};

static const Unseen *find_unseen(const char *rule, const char *condition)
{
    for (const Unseen *u = unseen; u->rule; u++)
        if (strcmp(u->rule, rule) == 0 && strcmp(u->condition, condition) == 0) return u;
    return NULL;
}

typedef struct {
    Session *cx;
    const char *text;
    Module *module;
    const char *functions; // those of the module and its imports, which right sides call
} Rules;

static bool calls(const Rules *r, const char *text, Sym function)
{
    return strstr(text, arena_printf(r->cx->arena, "%s(", function->text)) ||
           strstr(text, arena_printf(r->cx->arena, "%s[", function->text));
}

// The functions of the module and its imports, if the rule calls one of them; reading the imports
// takes longer than trying most rules.
static const char *called(const Rules *r, const Item *rule)
{
    const char *text = source_text(r->cx, rule->span);
    for (int i = 0; i < r->module->items.len; i++) {
        const Item *f = r->module->items.at[i];
        if (f->kind == ITEM_FN && calls(r, text, f->name)) return r->functions;
        for (int k = 0; k < f->imported.len; k++)
            if (calls(r, text, f->imported.at[k]->name)) return r->functions;
    }
    return "";
}

// The rule with `0 <= 0` in the place of condition k, and the functions that it calls.
static const char *without(const Rules *r, const Item *item, int k)
{
    Span all = item->span, c = item->where.at[k]->span;
    return arena_printf(r->cx->arena, "%s\n%.*s 0 <= 0 %.*s", called(r, item), (int)(c.lo - all.lo),
                        r->text + all.lo, (int)(all.hi - c.hi), r->text + c.hi);
}

static bool is_missed(const char *text, const char *name)
{
    Inferred r = infer_text(text, strlen(text));
    bool missed = r.cx->errors > 0;
    for (int i = 0; i < r.cx->diags.len; i++)
        if (r.cx->diags.at[i]->code != E0802) fail_msg("%s: %s", text, show_errors(&r));
    for (uint64_t seed = 1; seed <= 3 && !missed; seed++)
        missed = schedule_check_rule(r.cx, find_rule(&r, name), seed) == 0;
    session_delete(r.cx);
    return missed;
}

static Rules read_rules(const char *path)
{
    Session *cx = session_new();
    size_t len = 0;
    char *text = read_file(cx->arena, path, &len);
    assert_non_null(text);
    Module *module = parse_module(cx, session_add_source(cx, path, text, len));
    Text functions = text_new(cx->arena);
    for (int i = 0; i < module->items.len; i++)
        if (module->items.at[i]->kind == ITEM_FN || module->items.at[i]->kind == ITEM_IMPORT)
            text_printf(&functions, "%s\n", source_text(cx, module->items.at[i]->span));
    return (Rules){cx, text, module, text_get(&functions)};
}

// Instances take long: one condition in so many is tried, or all with ALL=1.
static int one_in(void)
{
    return getenv("ALL") ? 1 : 4;
}

static int wrong_conditions(const char *path, int *number)
{
    Rules r = read_rules(path);
    int wrong = 0;
    for (int i = 0; i < r.module->items.len; i++) {
        const Item *item = r.module->items.at[i];
        for (int k = 0; item->kind == ITEM_RULE && k < item->where.len; k++) {
            if ((*number)++ % one_in() != 0) continue;
            const char *condition = source_text(r.cx, item->where.at[k]->span);
            const Unseen *u = find_unseen(item->name->text, condition);
            bool missed = is_missed(without(&r, item, k), item->name->text);
            if (missed == !u) continue;
            print_error("%s: %s is %s\n", item->name->text, condition,
                        missed ? "seen" : "not missed by anyone");
            wrong++;
        }
    }
    session_delete(r.cx);
    return wrong;
}

static void test_conditions(void **state)
{
    const Paths *library = *state;
    int wrong = 0, number = 0;
    for (int i = 0; i < library->len; i++) wrong += wrong_conditions(library->at[i], &number);
    assert_int_equal(wrong, 0);
}

// How many rules with conditions a module has, each of which is good by itself.
static int unchanged(const char *path)
{
    Rules r = read_rules(path);
    int tried = 0;
    for (int i = 0; i < r.module->items.len; i++) {
        const Item *item = r.module->items.at[i];
        if (item->kind != ITEM_RULE || item->where.len == 0 || i % one_in() != 0) continue;
        const char *alone =
            arena_printf(r.cx->arena, "%s\n%s", called(&r, item), source_text(r.cx, item->span));
        if (is_missed(alone, item->name->text)) fail_msg("%s", alone);
        tried++;
    }
    session_delete(r.cx);
    return tried;
}

// The test above would not see much if every text were refused.
static void test_unchanged(void **state)
{
    const Paths *library = *state;
    int tried = 0;
    for (int i = 0; i < library->len; i++) tried += unchanged(library->at[i]);
    assert_true(tried >= 50 / one_in());
}

int main(void)
{
    Arena *arena = arena_new();
    Paths library = library_of_rules(arena);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_conditions, &library),
        cmocka_unit_test_prestate(test_unchanged, &library),
    };
    int status = cmocka_run_group_tests_name("conditions", tests, NULL, NULL);
    arena_delete(arena);
    return status;
}
