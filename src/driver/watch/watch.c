// adze watch COMMAND ...: runs the command in a child process, again and again.
#include "driver/watch/watch.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LOOK = 100,   // milliseconds between looks for signals, and at files without events
    QUIET = 50,   // for how long files must stay unchanged before the command runs
    LONGEST = 20, // so many times QUIET is the longest wait for files that have vanished
    ENDED = -1    // the status of a run that a change or a signal ended
};

typedef struct {
    Driver *d;
    Strings command; // adze COMMAND ARGUMENTS...
    Strings given;   // the arguments that are files or folders
    Arena *arena;    // of `files`
    Snapshot files;  // those that the last run has read, and the given ones
    int signal;      // that ends the program, or 0
    bool stale;      // a file has changed while the command ran
} Watch;

// --- running ------------------------------------------------------------------------------------

// Prints a line with the time.
static void say(const char *format, const char *text)
{
    char clock[16];
    time_t now = time(NULL);
    struct tm local;
    localtime_r(&now, &local);
    strftime(clock, sizeof clock, "%H:%M:%S", &local);
    fprintf(stderr, "[%s] ", clock);
    fprintf(stderr, format, text);
    fputc('\n', stderr);
}

_Noreturn static void be_child(const Watch *w, FILE *reads)
{
    Driver d = {.arena = arena_new(), .reads = reads};
    char **argv = ARENA_ARRAY(d.arena, char *, w->command.len + 1);
    for (int i = 0; i < w->command.len; i++)
        argv[i] = arena_printf(d.arena, "%s", w->command.at[i]);
    argv[w->command.len] = NULL;
    int status = options_parse(d.arena, w->command.len, argv, &d.options);
    if (status < 0) status = w->d->run(&d);
    fflush(NULL);
    _exit(status);
}

// Whether a signal has come that ends the program.
static bool is_ended(Watch *w)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t pending;
    sigpending(&pending);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigismember(&pending, ending[i])) w->signal = ending[i];
    return w->signal != 0;
}

// Waits for the child. Ends it if a file changes or a signal comes. Returns its exit status.
static int wait_for(Watch *w, pid_t child)
{
    int status = 0;
    Notifier n = notifier_open(w->arena, &w->files.paths);
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (is_ended(w) || (w->stale = snapshot_differs(&w->files))) {
            kill(child, SIGTERM);
            while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
            notifier_close(&n);
            return ENDED;
        }
        notifier_wait(&n, LOOK / 10);
    }
    notifier_close(&n);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Reads the paths that the child has noted, and adds the given ones. With `folders`, also adds the
// folders of the files.
static Strings read_paths(const Watch *w, Arena *arena, FILE *reads, bool folders)
{
    Strings paths = {0};
    char *path = NULL;
    size_t room = 0;
    for (int i = 0; i < w->given.len; i++) vec_push(arena, &paths, w->given.at[i]);
    rewind(reads);
    while (getdelim(&path, &room, '\0', reads) > 0)
        if (file_state(path).inode) vec_push(arena, &paths, arena_printf(arena, "%s", path));
    free(path);
    for (int i = 0, n = paths.len; folders && i < n; i++)
        vec_push(arena, &paths, path_dir(arena, paths.at[i]));
    return paths;
}

// Looks at the files of the run, which began at `start`. If it failed because a file is missing,
// that may appear in one of the folders.
static void look(Watch *w, FILE *reads, int status, FileState start)
{
    Arena *arena = arena_new();
    Strings paths = read_paths(w, arena, reads, false);
    Snapshot files = snapshot_take(arena, &paths);
    w->stale = snapshot_is_later(&files, start);
    if (status != 0) {
        Strings more = read_paths(w, arena, reads, true);
        files = snapshot_take(arena, &more);
    }
    arena_delete(w->arena);
    w->arena = arena;
    w->files = files;
}

static int run_once(Watch *w)
{
    FILE *reads = tmpfile();
    if (!reads) {
        fprintf(stderr, "adze watch: no temporary file: %s\n", strerror(errno));
        return 1;
    }
    FileState start = file_time();
    Text shown = text_new(w->arena);
    for (int i = 0; i < w->command.len; i++)
        text_printf(&shown, "%s%s", i ? " " : "", w->command.at[i]);
    if (isatty(STDOUT_FILENO)) printf("\033[H\033[2J");
    fflush(stdout);
    say("%s", text_get(&shown));
    fflush(NULL);
    sigset_t blocked, none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, &blocked);
    pid_t child = fork();
    if (child == 0) be_child(w, reads);
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    int status = child > 0 ? wait_for(w, child) : 1;
    if (status != ENDED) {
        look(w, reads, status, start);
        say("status %s; waiting for changes", arena_printf(w->arena, "%d", status));
    }
    fclose(reads);
    return status;
}

// --- waiting ------------------------------------------------------------------------------------

// Waits until the files stay as they are. A file that has vanished may come back soon.
static void settle(Watch *w)
{
    Arena *arena = arena_new();
    const Strings *paths = &w->files.paths;
    for (int i = 0; i < LONGEST && !is_ended(w); i++) {
        Snapshot now = snapshot_take(arena, paths);
        Notifier none = {-1};
        notifier_wait(&none, QUIET);
        bool whole = true;
        for (int k = 0; k < paths->len; k++)
            whole &= now.states[k].inode != 0 || w->files.states[k].inode == 0;
        if (whole && !snapshot_differs(&now)) break;
    }
    arena_delete(arena);
    w->files = snapshot_take(w->arena, paths);
}

static void wait_for_change(Watch *w)
{
    Notifier n = notifier_open(w->arena, &w->files.paths);
    while (!w->stale && !snapshot_differs(&w->files) && !is_ended(w)) notifier_wait(&n, LOOK);
    notifier_close(&n);
    settle(w);
}

// The commands that read files again.
static const bool can_watch[COMMAND_COUNT] = {
    [COMMAND_RUN] = true,     [COMMAND_BUILD] = true, [COMMAND_CHECK] = true,
    [COMMAND_TEST] = true,    [COMMAND_BENCH] = true, [COMMAND_CHECK_RULES] = true,
    [COMMAND_EXPLAIN] = true, [COMMAND_DOC] = true,
};

// Sets the command and the files among its arguments. Returns a status: -1, or that after an error.
static int choose(Driver *d, Watch *w)
{
    Options o;
    vec_push(d->arena, &w->command, "adze");
    for (int i = 0; i < d->options.arguments.len; i++)
        vec_push(d->arena, &w->command, d->options.arguments.at[i]);
    char **argv = ARENA_ARRAY(d->arena, char *, w->command.len + 1);
    for (int i = 0; i < w->command.len; i++)
        argv[i] = arena_printf(d->arena, "%s", w->command.at[i]);
    argv[w->command.len] = NULL;
    int status = options_parse(d->arena, w->command.len, argv, &o);
    if (status >= 0) return status;
    if (!can_watch[o.command]) {
        fprintf(stderr, "adze watch: `%s` does not read files again when they change\n",
                command_info[o.command].name);
        return 2;
    }
    for (int i = 0; i < o.arguments.len; i++)
        if (file_state(o.arguments.at[i]).inode || i == 0)
            vec_push(d->arena, &w->given, o.arguments.at[i]);
    if (!o.arguments.len) vec_push(d->arena, &w->given, ".");
    return -1;
}

int cmd_watch(Driver *d)
{
    Watch w = {.d = d, .arena = arena_new()};
    int status = choose(d, &w);
    if (status < 0) {
        sigset_t ending;
        sigemptyset(&ending);
        sigaddset(&ending, SIGINT);
        sigaddset(&ending, SIGTERM);
        sigaddset(&ending, SIGHUP);
        pthread_sigmask(SIG_BLOCK, &ending, NULL);
        w.files = snapshot_take(w.arena, &w.given);
        while (!w.signal) {
            run_once(&w);
            if (!w.signal) wait_for_change(&w);
        }
        status = 128 + w.signal;
    }
    arena_delete(w.arena);
    return status;
}
