// Reads lines. On a terminal libedit edits them, if the program is built with it.
#include "driver/repl/repl.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef ADZE_LIBEDIT
#include <histedit.h>
#endif

struct Lines {
    bool interactive, interrupted;
    Complete *complete;
    void *env;
    Arena *arena;
    const char *prompt;
#ifdef ADZE_LIBEDIT
    EditLine *editor;
    History *history;
    const char *file; // of the history, or NULL
#endif
};

// Reads a line without editing.
static char *read_plain(const char *prompt)
{
    char *line = NULL;
    size_t room = 0;
    fputs(prompt, stdout);
    fflush(stdout);
    ssize_t n = getline(&line, &room, stdin);
    if (n < 0) {
        free(line);
        return NULL;
    }
    if (n > 0 && line[n - 1] == '\n') line[--n] = '\0';
    if (n > 0 && line[n - 1] == '\r') line[--n] = '\0';
    return line;
}

#ifdef ADZE_LIBEDIT

enum { HISTORY = 1000 };

static Lines *lines_of(EditLine *editor)
{
    Lines *l = NULL;
    el_get(editor, EL_CLIENTDATA, &l);
    return l;
}

static char *prompt_of(EditLine *editor)
{
    return (char *)(uintptr_t)lines_of(editor)->prompt;
}

static unsigned char interrupt(EditLine *editor, int key)
{
    (void)key;
    lines_of(editor)->interrupted = true;
    return CC_EOF;
}

// --- completion ---------------------------------------------------------------------------------

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == ':';
}

// Returns the number of first bytes that two texts have in common, at most `n`.
static size_t common(const char *a, const char *b, size_t n)
{
    size_t k = 0;
    while (k < n && a[k] == b[k] && a[k]) k++;
    return k;
}

// Lists the words that begin as the name at the cursor.
static void list_words(const Lines *l, const char *begin, size_t n)
{
    enum { MOST = 100 };
    int shown = 0;
    putchar('\n');
    for (int i = 0; l->complete(l->env, i); i++) {
        const char *word = l->complete(l->env, i);
        if (strncmp(word, begin, n) != 0 || ++shown > MOST) continue;
        printf("%s  ", word);
    }
    puts(shown > MOST ? ".." : "");
    fflush(stdout);
}

// Completes the name at the cursor as far as all words with this beginning agree. If that adds
// nothing, lists these words.
static unsigned char complete(EditLine *editor, int key)
{
    (void)key;
    const Lines *l = lines_of(editor);
    const LineInfo *line = el_line(editor);
    const char *begin = line->cursor, *best = NULL;
    while (begin > line->buffer && is_name_char(begin[-1])) begin--;
    size_t n = (size_t)(line->cursor - begin), len = 0;
    int found = 0;
    for (int i = 0; l->complete(l->env, i); i++) {
        const char *word = l->complete(l->env, i);
        if (strncmp(word, begin, n) != 0) continue;
        len = found++ ? common(best, word, len) : strlen(word);
        best = word;
    }
    if (found == 0 || n == 0) return CC_REFRESH_BEEP;
    if (len > n) {
        const char *rest = arena_strndup(l->arena, best + n, len - n);
        return el_insertstr(editor, rest) == 0 ? CC_REFRESH : CC_ERROR;
    }
    if (found > 1) list_words(l, begin, n);
    return CC_REDISPLAY;
}

// --- history ------------------------------------------------------------------------------------

// Returns the path of the history, whose folder exists, or NULL.
static const char *history_file(Arena *arena)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (!(state && *state) && !(home && *home)) return NULL;
    const char *base =
        state && *state ? state : path_join(arena, path_join(arena, home, ".local"), "state");
    const char *dir = path_join(arena, base, "adze");
    return path_make_dirs(dir) ? path_join(arena, dir, "history") : NULL;
}

static void open_editor(Lines *l)
{
    HistEvent event;
    // Programs are in UTF-8. Without such a locale libedit drops what is not ASCII.
    if (!setlocale(LC_CTYPE, "C.UTF-8")) setlocale(LC_CTYPE, "");
    l->editor = el_init("adze", stdin, stdout, stderr);
    l->history = history_init();
    if (!l->editor || !l->history) return;
    l->file = history_file(l->arena);
    history(l->history, &event, H_SETSIZE, HISTORY);
    history(l->history, &event, H_SETUNIQUE, 1);
    if (l->file) history(l->history, &event, H_LOAD, l->file);
    el_set(l->editor, EL_CLIENTDATA, l);
    el_set(l->editor, EL_PROMPT, prompt_of);
    el_set(l->editor, EL_EDITOR, "emacs");
    el_set(l->editor, EL_HIST, history, l->history);
    el_set(l->editor, EL_ADDFN, "adze-complete", "complete a name", complete);
    el_set(l->editor, EL_ADDFN, "adze-interrupt", "drop the input", interrupt);
    el_set(l->editor, EL_BIND, "^I", "adze-complete", NULL);
    el_set(l->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
    el_source(l->editor, NULL); // the user's ~/.editrc
    el_set(l->editor, EL_SETTY, "-d", "-isig", NULL);
    el_set(l->editor, EL_BIND, "^C", "adze-interrupt", NULL);
}

static void close_editor(Lines *l)
{
    if (l->history) history_end(l->history);
    if (l->editor) el_end(l->editor);
}

// Adds a line to the history and to its file, which other sessions may also have changed.
static void remember(Lines *l, const char *line)
{
    HistEvent event;
    if (line[strspn(line, " \t")] == '\0') return;
    history(l->history, &event, H_ENTER, line);
    if (l->file) history(l->history, &event, H_SAVE, l->file);
}

static char *read_edited(Lines *l, const char *prompt)
{
    int n = 0;
    l->prompt = prompt;
    l->interrupted = false;
    el_set(l->editor, EL_PREP_TERM, 1); // before the prompt: no key gets lost after it
    const char *line = el_gets(l->editor, &n);
    if (l->interrupted) puts("^C");
    if (!line || n <= 0 || l->interrupted) return NULL;
    char *copy = strndup(line, (size_t)n);
    if (copy && copy[n - 1] == '\n') copy[n - 1] = '\0';
    if (copy) remember(l, copy);
    return copy;
}

#endif

Lines *lines_open(bool interactive, Complete *complete_name, void *env)
{
    Arena *arena = arena_new();
    Lines *l = ARENA_NEW(arena, Lines);
    *l = (Lines){.interactive = interactive, .complete = complete_name, .env = env, .arena = arena};
#ifdef ADZE_LIBEDIT
    if (interactive) open_editor(l);
#endif
    return l;
}

char *lines_read(Lines *l, const char *prompt, bool *interrupted)
{
    char *line;
#ifdef ADZE_LIBEDIT
    if (l->interactive && l->editor && l->history)
        line = read_edited(l, prompt);
    else
#endif
        line = read_plain(l->interactive ? prompt : "");
    *interrupted = l->interrupted;
    return line;
}

void lines_close(Lines *l)
{
#ifdef ADZE_LIBEDIT
    close_editor(l);
#endif
    arena_delete(l->arena);
}
