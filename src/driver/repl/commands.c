// The commands of a session, which begin with a colon.
#include "driver/repl/repl.h"

#include <ctype.h>
#include <string.h>
#include <stdlib.h>

// Runs a command. `line` is the input with blanks in place of the command, so that errors have
// their place in it, and `argument` is where its argument begins.
typedef bool RunCommand(Repl *r, char *line, char *argument);

// Runs `body` on a name in the program, with `output` as in InputRequest.
static bool run_body(Repl *r, int (*body)(Driver *d, void *request), const char *text,
                     const char *output)
{
    Arena *arena = arena_new();
    Report report;
    InputRequest q = {.text = text, .output = output, .additions = store_additions(r, arena, NULL)};
    bool good = process_run(r, arena, body, &q, &report) == 0;
    arena_delete(arena);
    return good;
}

static bool run_type(Repl *r, char *line, char *argument)
{
    (void)argument;
    return repl_evaluate(r, line, WANT_TYPE, NULL);
}

static bool run_doc(Repl *r, char *line, char *argument)
{
    (void)line;
    return run_body(r, doc_print, argument, NULL);
}

// Splits "WORD REST" in place, and returns REST, which is "" if there is none.
static char *split(char *text)
{
    char *at = text + strcspn(text, " \t");
    if (*at) *at++ = '\0';
    return at + strspn(at, " \t");
}

static bool run_explain(Repl *r, char *line, char *argument)
{
    (void)line;
    const char *stage = split(argument);
    return run_body(r, input_explain, argument, stage);
}

static bool run_time(Repl *r, char *line, char *argument)
{
    (void)argument;
    return repl_evaluate(r, line, WANT_TIME, NULL);
}

static bool run_show(Repl *r, char *line, char *argument)
{
    (void)argument;
    return repl_evaluate(r, line, WANT_PICTURE, NULL);
}

static bool run_load(Repl *r, char *line, char *argument)
{
    (void)line;
    return repl_load(r, argument);
}

static bool run_save(Repl *r, char *line, char *argument)
{
    const char *expression = split(argument);
    if (!*expression) return run_body(r, input_save, "", argument);
    char *path = strdup(argument);
    if (!path) return false;
    memset(argument, ' ', (size_t)(expression - argument));
    bool good = repl_evaluate(r, line, WANT_FILE, path);
    free(path);
    return good;
}

static bool run_list(Repl *r, char *line, char *argument)
{
    (void)line, (void)argument;
    for (int i = 0; i < r->definitions.len; i++)
        for (int k = 0; k < r->definitions.at[i].shown.len; k++)
            printf("%s\n", r->definitions.at[i].shown.at[k]);
    for (int i = 0; i < r->nvalues; i++) {
        const Held *h = &r->values[i];
        size_t bytes = 0;
        for (int k = 0; k < h->nleaves; k++) bytes += adze_array_bytes(&h->leaves[k]);
        printf("let %s: %s (%zu bytes)\n", h->name, h->type, bytes);
    }
    return true;
}

static bool run_forget(Repl *r, char *line, char *argument)
{
    (void)line;
    return repl_forget(r, argument);
}

static bool run_quit(Repl *r, char *line, char *argument)
{
    (void)line, (void)argument;
    r->done = true;
    return true;
}

static RunCommand run_help;

static const struct {
    const char *name, *argument;
    RunCommand *run;
    const char *help;
} commands[] = {
#define COMMAND(name, argument, function, help) {":" name, argument, function, help},
#include "driver/repl/commands.def"
#undef COMMAND
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static bool run_help(Repl *r, char *line, char *argument)
{
    enum { COLUMN = 24, WIDTH = 100 };
    (void)r, (void)line, (void)argument;
    puts("Enter an expression, a definition, or `let NAME = EXPRESSION` to keep a value.");
    for (int i = 0; i < COMMANDS; i++) {
        int at =
            printf("  %s %s ", commands[i].name, commands[i].argument ? commands[i].argument : "");
        help_wrap(commands[i].help, at, COLUMN, WIDTH);
    }
    return true;
}

const char *command_name(int i)
{
    return i < COMMANDS ? commands[i].name : NULL;
}

// Returns the command that `text`, of `n` bytes, names or abbreviates, or -1 after an error.
static int find_command(const char *text, size_t n)
{
    const char *names[COMMANDS];
    int found = -1;
    for (int i = 0; i < COMMANDS; i++) {
        names[i] = commands[i].name;
        if (strncmp(names[i], text, n) != 0 || n < 2) continue;
        if (strlen(names[i]) == n) return i;
        found = found == -1 ? i : -2;
    }
    if (found >= 0) return found;
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)n, text);
    const char *close = found == -1 ? closest_name(word, names, COMMANDS) : NULL;
    fprintf(stderr, found == -1 ? "there is no command %s" : "%s may be several commands", word);
    if (close) fprintf(stderr, "; did you mean %s?", close);
    fprintf(stderr, "\n:help lists the commands\n");
    return -1;
}

bool command_run(Repl *r, const char *text)
{
    size_t n = strcspn(text, " \t\n"), len = strlen(text);
    int i = find_command(text, n);
    char *line = i < 0 ? NULL : strdup(text);
    if (!line) return false;
    while (len > n && isspace((unsigned char)line[len - 1])) line[--len] = '\0';
    memset(line, ' ', n);
    char *argument = line + n + strspn(line + n, " \t\n");
    bool wants = commands[i].argument != NULL, good = (*argument != '\0') == wants;
    if (good)
        good = commands[i].run(r, line, argument);
    else
        fprintf(stderr, "usage: %s%s%s\n", commands[i].name, wants ? " " : "",
                wants ? commands[i].argument : "");
    free(line);
    return good;
}
