// Commands of the client: command lines of adze, run in processes of their own with the texts of
// the editor. A request is answered when its process ends, and can be cancelled.
#include "driver/lsp/tasks.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 8, MOST_OUTPUT = 1 << 22 };

struct Task {
    json_t *id;     // NULL once the request is answered
    char *uri;      // of the document that is explained, or NULL
    int64_t serial; // of its last change
    pid_t process;
    int output;
    char *text;
    size_t len;
    Task *next;
};

// --- command lines ------------------------------------------------------------------------------

/// A command: its words, in which a `%` stands for the member `what` of the client's argument. The
/// file, if it takes one, comes after the first word. If an optional member is not given, the word
/// with it is left out.
static const struct Command {
    const char *name;
    const char *words[4];
    const char *what;
    bool file, optional;
} commands[] = {
    {"adze.test", {"test", "--only=%"}, "title", true, true},
    {"adze.explain", {"explain", "%"}, "entry", true, false},
    {"adze.showC", {"explain", "--stage=c", "%"}, "entry", true, false},
    {"adze.explainCode", {"errors", "%"}, "code", false, false},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

json_t *task_commands(void)
{
    json_t *names = json_array();
    for (int i = 0; i < COMMANDS; i++) json_array_append_new(names, json_string(commands[i].name));
    return names;
}

static const struct Command *find_command(const char *name)
{
    for (int i = 0; name && i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

// The word with the member in place of `%`.
static char *filled(const char *word, const char *member)
{
    const char *at = strchr(word, '%');
    size_t before = at ? (size_t)(at - word) : strlen(word), n = at ? strlen(member) : 0;
    char *out = memory_more(NULL, before + n + 1);
    memcpy(out, word, before);
    if (at) memcpy(out + before, member, n);
    out[before + n] = '\0';
    return out;
}

// Makes the command line. The file comes after the first word. Returns the number of words.
static int make_line(const struct Command *c, const char *member, const char *path, char **line)
{
    int n = 0;
    line[n++] = memory_text("adze", 4);
    for (int i = 0; i < 4 && c->words[i]; i++) {
        bool filling = strchr(c->words[i], '%') != NULL;
        if (!filling || member) line[n++] = filled(c->words[i], member);
        if (i == 0 && c->file) line[n++] = memory_text(path, strlen(path));
    }
    return n;
}

// --- processes ----------------------------------------------------------------------------------

// What the new process does: it runs the command line, with its output in the pipe.
static _Noreturn void run_line(const Server *s, pid_t server, int output, bool errors, int n,
                               char **line)
{
    int nothing = open("/dev/null", O_RDWR);
    setpgid(0, 0);
    child_follows(server, SIGTERM);
    signal(SIGPIPE, SIG_DFL);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(errors ? output : nothing, STDERR_FILENO);
    for (int fd = 3; fd < 256; fd++) close(fd);
    Unsaved texts = {analysis_unsaved, (void *)(uintptr_t)s};
    _exit(s->driver.run_line(n, line, texts));
}

static Task *start(Server *s, json_t *id, bool errors, int n, char **line)
{
    int ends[2];
    if (!pipe_make(ends)) return NULL;
    pid_t server = getpid(), process = fork();
    if (process == 0) run_line(s, server, ends[1], errors, n, line);
    close(ends[1]);
    if (process < 0) close(ends[0]);
    if (process < 0) return NULL;
    setpgid(process, process);
    Task *t = memory_more(NULL, sizeof *t);
    *t = (Task){.id = id, .process = process, .output = ends[0], .next = s->tasks};
    return s->tasks = t;
}

void task_start(Server *s, json_t *id, const json_t *params)
{
    const struct Command *c = find_command(json_string_value(json_object_get(params, "command")));
    const json_t *given = json_array_get(json_object_get(params, "arguments"), 0);
    const char *member = c ? json_string_value(json_object_get(given, c->what)) : NULL;
    const Document *d = server_find(s, json_string_value(json_object_get(given, "uri")));
    char *line[MOST_ARGUMENTS + 1] = {NULL};
    if (!c || (c->file && !d) || (!member && !c->optional)) {
        wire_refuse(s->wire, id, RPC_INVALID_PARAMS,
                    !c ? "there is no such command"
                       : "the argument has the uri of an open document, and the entry, title or "
                         "code that the command needs");
        return;
    }
    int n = make_line(c, member, d ? d->path : NULL, line);
    if (!start(s, id, true, n, line))
        wire_refuse(s->wire, id, RPC_FAILED, "no process can be started");
    for (int i = 0; i < n; i++) free(line[i]);
}

static void delete_task(Task *t)
{
    close(t->output);
    json_decref(t->id);
    free(t->uri);
    free(t->text);
    free(t);
}

// Answers the request of a task whose output has ended.
static void finish(Server *s, Task *t)
{
    int status = 1;
    while (waitpid(t->process, &status, 0) < 0 && errno == EINTR) continue;
    kill(-t->process, SIGKILL); // what it may have left
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    if (t->uri) explained_take(s, t->uri, t->serial, t->text ? t->text : "");
    if (t->id)
        wire_answer(
            s->wire, json_incref(t->id),
            json_pack("{s:i, s:o}", "status", code, "text", json_text(t->text ? t->text : "")));
}

// Reads what has arrived. Returns false at the end of the output.
static bool read_some(Task *t)
{
    char piece[4096];
    struct pollfd one = {.fd = t->output, .events = POLLIN};
    while (poll(&one, 1, 0) > 0) {
        ssize_t n = read(t->output, piece, sizeof piece);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        if (t->len + (size_t)n > MOST_OUTPUT) continue; // the rest is dropped
        t->text = memory_more(t->text, t->len + (size_t)n + 1);
        memcpy(t->text + t->len, piece, (size_t)n);
        t->len += (size_t)n;
        t->text[t->len] = '\0';
    }
    return true;
}

void task_read(Server *s)
{
    for (Task **at = &s->tasks; *at;) {
        Task *t = *at;
        if (read_some(t)) {
            at = &t->next;
            continue;
        }
        *at = t->next;
        finish(s, t);
        delete_task(t);
    }
}

void task_explain(Server *s, const Document *d)
{
    char explain[] = "explain", json[] = "--json", adze[] = "adze";
    char *line[] = {adze, explain, json, d->path, NULL};
    Task *t = start(s, NULL, false, 4, line);
    if (!t) return;
    t->uri = memory_text(d->uri, strlen(d->uri));
    t->serial = d->serial;
}

bool task_is_explaining(const Server *s)
{
    for (const Task *t = s->tasks; t; t = t->next)
        if (t->uri) return true;
    return false;
}

void task_stop_explaining(Server *s, const Document *d)
{
    for (Task *t = s->tasks; t; t = t->next) {
        if (!t->uri || strcmp(t->uri, d->uri) != 0 || t->serial < 0) continue;
        kill(-t->process, SIGTERM);
        t->serial = -1;
    }
}

void task_cancel(Server *s, const json_t *id)
{
    for (Task *t = s->tasks; t; t = t->next) {
        if (!t->id || !json_equal(t->id, id)) continue;
        kill(-t->process, SIGTERM);
        wire_refuse(s->wire, t->id, RPC_CANCELLED, "cancelled");
        t->id = NULL;
    }
}

void task_end_all(Server *s)
{
    for (Task *t = s->tasks; t; t = t->next) kill(-t->process, SIGTERM);
    while (s->tasks) {
        Task *t = s->tasks;
        struct pollfd one = {.fd = t->output, .events = POLLIN};
        bool ends = poll(&one, 1, 1000) > 0;
        if (ends && read_some(t)) continue;
        kill(-t->process, SIGKILL);
        while (waitpid(t->process, NULL, 0) < 0 && errno == EINTR) continue;
        s->tasks = t->next;
        delete_task(t);
    }
}

void task_wait(Server *s)
{
    enum { MOST = 64, SECONDS = 3 };
    struct pollfd all[MOST] = {{.fd = s->in, .events = POLLIN}};
    nfds_t n = 1;
    for (const Task *t = s->tasks; t && n < MOST; t = t->next)
        all[n++] = (struct pollfd){.fd = t->output, .events = POLLIN};
    int due = task_is_explaining(s) ? -1 : explained_due(s);
    int most = s->parent > 0 || s->tasks ? SECONDS * 1000 : -1;
    (void)poll(all, n, due >= 0 && (most < 0 || due < most) ? due : most);
}
