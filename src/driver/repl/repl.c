// adze repl: the loop that reads inputs, and what each changes in the session.
#include "driver/repl/repl.h"
#include "infer/names/names.h"
#include "syntax/lex/lex.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array_internal.h"

// --- evaluation ---------------------------------------------------------------------------------

// Takes what a report says of definitions.
static void take_definitions(Repl *r, Arena *arena, const Report *report, const Addition *addition)
{
    Definition more = {.addition = *addition};
    Strings names = {0};
    for (int i = 0; i < report->len; i++) {
        const char *word = report->at[i].word, *rest = report->at[i].rest;
        if (strcmp(word, "name") == 0) vec_push(arena, &names, rest);
        if (strcmp(word, "defines") == 0) vec_push(arena, &more.names, rest);
        if (strcmp(word, "shown") == 0) vec_push(arena, &more.shown, rest);
        if (strcmp(word, "unnamed") == 0) more.unnamed = true;
        if (strcmp(word, "drop") == 0) store_drop(r, rest);
    }
    if (addition->removed) vec_push(arena, &more.names, addition->removed);
    store_names(r, &names);
    if (more.names.len || more.unnamed) store_define(r, &more);
}

static size_t end_of_part(const Report *report, size_t len)
{
    size_t end = len;
    for (int i = 0; i < report->len; i++)
        if (strcmp(report->at[i].word, "end") == 0) end = (size_t)atoll(report->at[i].rest);
    return end > 0 && end < len ? end : len; // always a step forward
}

// Evaluates the first part of an input, and replaces it by blanks. Returns whether all was well.
static bool evaluate_part(Repl *r, Arena *arena, char *text, Want want, const char *output)
{
    Report report;
    const char *label = arena_printf(arena, "input %d", r->inputs);
    InputRequest q = {.want = want,
                      .text = text,
                      .label = label,
                      .output = output,
                      .additions = store_additions(r, arena, NULL)};
    bool good = process_run(r, arena, input_evaluate, &q, &report) == 0;
    size_t end = end_of_part(&report, strlen(text));
    bool defines = false;
    for (int i = 0; i < report.len; i++)
        defines |=
            strcmp(report.at[i].word, "defines") == 0 || strcmp(report.at[i].word, "unnamed") == 0;
    Addition a = {label, arena_strndup(arena, text, end), NULL};
    if (good && defines) take_definitions(r, arena, &report, &a);
    for (size_t i = 0; i < end; i++)
        if (text[i] != '\n') text[i] = ' ';
    return good;
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

bool repl_evaluate(Repl *r, const char *text, Want want, const char *output)
{
    char *rest = strdup(text);
    bool good = rest != NULL;
    while (good && !is_blank(rest)) {
        Arena *arena = arena_new();
        good = evaluate_part(r, arena, rest, want, output);
        arena_delete(arena);
    }
    free(rest);
    return good;
}

// --- definitions --------------------------------------------------------------------------------

static char *read_file(const char *path)
{
    AdzeArray bytes = {0};
    AdzeError error;
    if (!adze_bytes_read(path, &bytes, &error)) return NULL;
    size_t n = adze_array_bytes(&bytes);
    char *text = strndup(bytes.data, n);
    adze_array_free(&bytes);
    return text;
}

// Changes the program. `more` may be NULL: then it is only read.
static bool change(Repl *r, const Addition *more)
{
    Arena *arena = arena_new();
    Report report;
    InputRequest q = {.additions = store_additions(r, arena, more)};
    bool good = process_run(r, arena, input_open, &q, &report) == 0;
    Addition none = {0};
    if (good) take_definitions(r, arena, &report, more ? more : &none);
    arena_delete(arena);
    return good;
}

bool repl_load(Repl *r, const char *path)
{
    char *text = read_file(path);
    Arena *arena = arena_new();
    Report report;
    InputRequest q = {.label = path};
    bool good = process_run(r, arena, input_readable, &q, &report) == 0 && text;
    arena_delete(arena);
    Addition more = {path, text, NULL};
    good = good && change(r, &more);
    free(text);
    return good;
}

bool repl_forget(Repl *r, const char *name)
{
    Addition more = {"session", NULL, name};
    if (store_drop(r, name)) return true;
    if (store_has_name(r, name)) return change(r, &more);
    fprintf(stderr, "there is no value or definition `%s`\n", name);
    return false;
}

// --- completion ---------------------------------------------------------------------------------

// The words of the language, in tables of the compiler.
static const char *word_of_table(int i)
{
    for (int k = 0; k < TOKEN_COUNT; k++)
        if (token_info[k].class == WORD && i-- == 0) return token_info[k].text;
    if (i < infer_pattern_count) return infer_patterns[i].name;
    i -= infer_pattern_count;
    if (i < SCALAR_COUNT) return scalar_info[i].text;
    i -= SCALAR_COUNT;
    for (int k = 0; k < PRIM_COUNT; k++)
        if (prim_info[k].text[0] >= 'a' && prim_info[k].text[0] <= 'z' && i-- == 0)
            return prim_info[k].text;
    return NULL;
}

static const char *complete(void *env, int i)
{
    static const char *const more[] = {"load", "print", "assert", "shape", "rank"};
    enum { MORE = sizeof more / sizeof *more };
    const Repl *r = env;
    if (i < r->nvalues) return r->values[i].name;
    i -= r->nvalues;
    if (i < r->names.len) return r->names.at[i];
    i -= r->names.len;
    if (i < MORE) return more[i];
    i -= MORE;
    for (int k = 0; command_name(k); k++)
        if (i-- == 0) return command_name(k);
    return word_of_table(i);
}

// --- inputs -------------------------------------------------------------------------------------

static bool is_command(const char *text)
{
    return text[strspn(text, " \t")] == ':';
}

// Whether the input goes on in the next line.
static bool goes_on(const char *text)
{
    if (is_command(text)) return false;
    Session *cx = session_new();
    uint32_t file = session_add_source(cx, "input", text, strlen(text));
    bool open = input_is_unfinished(cx, file);
    session_delete(cx);
    return open;
}

// Reads the lines of one input. Returns NULL at the end, and an empty text after an interrupt.
static char *read_input(Lines *lines)
{
    bool interrupted = false;
    char *text = lines_read(lines, "adze> ", &interrupted);
    while (text && goes_on(text)) {
        char *line = lines_read(lines, "  ... ", &interrupted), *longer = NULL;
        if (!line && !interrupted) return text;
        if (line && asprintf(&longer, "%s\n%s", text, line) < 0) longer = NULL;
        free(line);
        free(text);
        text = longer;
    }
    return interrupted ? strdup("") : text;
}

static void run_input(Repl *r, const char *text)
{
    if (is_blank(text)) return;
    r->inputs++;
    bool good = is_command(text) ? command_run(r, text + strspn(text, " \t"))
                                 : repl_evaluate(r, text, WANT_VALUE, NULL);
    r->failed |= !good;
}

static int run_session(Repl *r)
{
    if (r->interactive) process_keep_alive();
    Lines *lines = lines_open(r->interactive, complete, r);
    if (r->interactive)
        printf("adze %s; :help lists the commands, Ctrl-D ends the session\n", ADZE_VERSION);
    char *text;
    while (!r->done && (text = read_input(lines))) {
        run_input(r, text);
        free(text);
    }
    if (r->interactive && !r->done) putchar('\n');
    lines_close(lines);
    return r->failed && !r->interactive ? 1 : 0;
}

int cmd_repl(Driver *d)
{
    Stage level;
    if (!option_is_count(&d->options, OPT_LIMIT) || !target_exists(&d->options)) return 2;
    if (!evaluation_find_level(&d->options, &level)) return 2;
    const char *path = d->options.arguments.len ? d->options.arguments.at[0] : "";
    Repl r = {.d = d, .path = path, .level = level, .interactive = isatty(STDIN_FILENO) != 0};
    d->options.command = COMMAND_RUN; // expressions are evaluated as by `adze run`
    int status = !*path || change(&r, NULL) ? run_session(&r) : 1;
    store_free(&r);
    return status;
}
