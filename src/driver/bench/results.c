// Results as JSON, in files and in the cache.
#include "driver/bench/bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

// The options that change what is timed.
static const OptionId compared[] = {OPT_TARGET,        OPT_DEVICE,      OPT_PLAIN,  OPT_IN_ORDER,
                                    OPT_LOWER,         OPT_NO_ASSERTS,  OPT_CC,     OPT_CPU,
                                    OPT_VECTOR_BYTES,  OPT_VECTOR_MATH, OPT_CFLAGS, OPT_EXPLICIT,
                                    OPT_EXPLICIT_LOOPS};

const char *bench_file(Driver *d, const char *path)
{
    HostOptions host = driver_host(d);
    Arena *arena = d->cx->arena;
    char *real = realpath(path, NULL);
    Text key = text_new(arena);
    text_put(&key, real ? real : path);
    free(real);
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++) {
        const char *value = option_value(&d->options, compared[i]);
        if (option_given(&d->options, compared[i]))
            text_printf(&key, "\n%s=%s", option_info[compared[i]].name, value ? value : "");
    }
    const char *name = arena_printf(arena, "bench/%s-%016llx.json", path_stem(arena, path),
                                    (unsigned long long)XXH3_64bits(text_get(&key), key.len));
    return host.no_cache ? NULL : cache_path(d->cx, &host, name);
}

// --- reading ------------------------------------------------------------------------------------

static bool is_positive(const json_t *x)
{
    return json_is_number(x) && json_number_value(x) > 0;
}

static bool read_one(const json_t *one, const BenchCases *cases)
{
    const json_t *label = json_object_get(one, "label"), *median = json_object_get(one, "median"),
                 *low = json_object_get(one, "low"), *high = json_object_get(one, "high");
    if (!json_is_string(label) || !is_positive(median) || !is_positive(low) || !is_positive(high))
        return false;
    for (int i = 0; i < cases->len; i++) {
        BenchCase *c = cases->at[i];
        if (strcmp(c->label, json_string_value(label)) != 0) continue;
        c->compared = true;
        c->before = (BenchTime){json_number_value(median), json_number_value(low),
                                json_number_value(high), false};
    }
    return true;
}

bool bench_read(Session *cx, const char *path, const BenchCases *cases)
{
    json_error_t error;
    json_t *all = json_load_file(path, 0, &error);
    const json_t *list = json_object_get(all, "benches");
    bool good = json_is_array(list);
    const char *why = all ? "it has no results of adze bench" : error.text;
    for (size_t i = 0; good && i < json_array_size(list); i++)
        good = read_one(json_array_get(list, i), cases);
    json_decref(all);
    if (good) return true;
    Diag *x = diag_error(cx, E0728, NO_SPAN, "%s: %s", path, why);
    diag_help(cx, x, "remove the file, or name one that `adze bench` wrote with --save");
    return false;
}

// --- writing ------------------------------------------------------------------------------------

static void put_time(json_t *one, const char *prefix, const BenchTime *t, Arena *arena)
{
    json_put(one, arena_printf(arena, "%smedian", prefix), json_real(t->median));
    json_put(one, arena_printf(arena, "%slow", prefix), json_real(t->low));
    json_put(one, arena_printf(arena, "%shigh", prefix), json_real(t->high));
}

static json_t *json_case(const BenchCase *c, Arena *arena)
{
    json_t *one = json_object(), *sizes = json_object();
    json_put(one, "label", json_text(c->label));
    json_put(one, "title", json_text(c->title));
    json_put(one, "entry", c->entry ? json_string(c->entry) : json_null());
    for (int i = 0; i < c->given.len; i++)
        json_put(sizes, c->given.at[i].name->text, json_integer(c->given.at[i].value));
    json_put(one, "sizes", sizes);
    put_time(one, "", &c->time, arena);
    json_put(one, "samples", json_integer(c->nsamples));
    json_put(one, "calls", json_integer(c->calls));
    json_put(one, "noisy", json_boolean(c->time.noisy));
    if (!c->compared) return one;
    put_time(one, "before_", &c->before, arena);
    json_put(one, "ratio", json_real(bench_ratio(c)));
    return one;
}

json_t *bench_json(const BenchCases *cases)
{
    Arena *arena = arena_new();
    json_t *list = json_array();
    for (int i = 0; i < cases->len; i++)
        json_array_append_new(list, json_case(cases->at[i], arena));
    arena_delete(arena);
    return list;
}

// Writes the list of results, which it takes.
static bool write_list(Driver *d, const char *path, json_t *list)
{
    Session *cx = d->cx;
    json_t *all = json_object();
    json_put(all, "benches", list);
    char *text = json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    json_decref(all);
    CHECK(cx, text != NULL, "no memory for the results");
    FileText file = {path, arena_printf(cx->arena, "%s\n", text), strlen(text) + 1};
    free(text);
    const char *dir = path_dir(cx->arena, path);
    if (!path_make_dirs(dir)) {
        diag_error(cx, E0706, NO_SPAN, "cannot create the folder %s: %s", dir, strerror(errno));
        return false;
    }
    return files_write(cx, d->cleanup, &file, 1);
}

bool bench_write(Driver *d, const char *path, const BenchCases *cases)
{
    return write_list(d, path, bench_json(cases));
}

static bool is_among(const BenchCases *cases, const char *label)
{
    for (int i = 0; i < cases->len; i++)
        if (strcmp(cases->at[i]->label, label) == 0) return true;
    return false;
}

bool bench_update(Driver *d, const char *path, const BenchCases *cases)
{
    json_t *list = bench_json(cases), *before = json_load_file(path, 0, NULL);
    const json_t *others = json_object_get(before, "benches");
    for (size_t i = 0; i < json_array_size(others); i++) {
        json_t *one = json_array_get(others, i);
        const char *label = json_string_value(json_object_get(one, "label"));
        if (label && !is_among(cases, label)) json_array_append(list, one);
    }
    json_decref(before);
    return write_list(d, path, list);
}
