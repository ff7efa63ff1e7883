// Finds the C compiler of this machine on the PATH, and runs it without a shell.
#include "driver/host/host.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __APPLE__
#include <crt_externs.h>
#endif

Strings split_words(Arena *arena, const char *text)
{
    Strings words = {0};
    while (text && *(text += strspn(text, " \t\n"))) {
        size_t len = strcspn(text, " \t\n");
        vec_push(arena, &words, arena_strndup(arena, text, len));
        text += len;
    }
    return words;
}

static void add_all(Arena *arena, Strings *to, Strings from)
{
    for (int i = 0; i < from.len; i++) vec_push(arena, to, from.at[i]);
}

// --- running a command --------------------------------------------------------------------------

// The environment of this process. A library of macOS cannot refer to `environ`.
static char **own_environment(void)
{
#ifdef __APPLE__
    return *_NSGetEnviron();
#else
    extern char **environ;
    return environ;
#endif
}

// Starts a program with no input, whose output and errors go to `output`, and which gets the
// signals that adze blocks. A large process is not copied for this, and its other threads do not
// matter. Returns 0 or an error number.
static int start(char **argv, int output, pid_t *child)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    int error = posix_spawnp(child, argv[0], &files, &attributes, argv, own_environment());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

static void read_all(int fd, Text *out)
{
    char buffer[4096];
    for (;;) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n > 0) text_add(out, buffer, (size_t)n);
        if (n == 0 || (n < 0 && errno != EINTR)) return;
    }
}

int host_execute(const Strings *words, Cleanup *cleanup, Text *out)
{
    char **argv = ARENA_ARRAY(out->arena, char *, words->len + 1);
    for (int i = 0; i < words->len; i++) argv[i] = arena_printf(out->arena, "%s", words->at[i]);
    int ends[2], status = -1;
    if (!pipe_make(ends)) return -1;
    pid_t child;
    int error = start(argv, ends[1], &child);
    close(ends[1]);
    if (error) {
        text_printf(out, "%s\n", strerror(error));
    } else {
        cleanup_child(cleanup, child);
        read_all(ends[0], out);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
        cleanup_child(cleanup, 0);
    }
    close(ends[0]);
    return status;
}

// --- finding the compiler -----------------------------------------------------------------------

static bool can_run(Arena *arena, const char *command)
{
    if (strchr(command, '/')) return access(command, X_OK) == 0 && !path_is_dir(command);
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t len = strcspn(path, ":");
        const char *dir = len ? arena_strndup(arena, path, len) : ".";
        const char *file = arena_printf(arena, "%s/%s", dir, command);
        if (access(file, X_OK) == 0 && !path_is_dir(file)) return true;
        path += len + (path[len] == ':');
    }
    return false;
}

// Returns the first line that `COMMAND --version` prints.
static const char *ask_version(Session *cx, const HostOptions *h, const Strings *command)
{
    Strings words = {0};
    add_all(cx->arena, &words, *command);
    vec_push(cx->arena, &words, "--version");
    Text out = text_new(cx->arena);
    if (host_execute(&words, h->cleanup, &out) != 0) return "unknown";
    return arena_strndup(cx->arena, text_get(&out), strcspn(text_get(&out), "\n"));
}

bool host_find(Session *cx, const HostOptions *h, Compiler *out)
{
    static const char *const usual[] = {"cc", "gcc", "clang"};
    const char *named = h->cc ? h->cc : getenv("CC");
    *out = (Compiler){.command = split_words(cx->arena, named)};
    for (size_t i = 0; out->command.len == 0 && i < sizeof usual / sizeof *usual; i++)
        if (can_run(cx->arena, usual[i])) vec_push(cx->arena, &out->command, usual[i]);
    if (out->command.len && can_run(cx->arena, out->command.at[0])) {
        out->version = ask_version(cx, h, &out->command);
        return true;
    }
    Diag *d;
    if (out->command.len)
        d = diag_error(cx, E0708, NO_SPAN, "there is no C compiler %s (from %s)",
                       out->command.at[0], h->cc ? "--cc" : "the environment variable CC");
    else
        d = diag_error(cx, E0708, NO_SPAN,
                       "there is no C compiler: cc, gcc and clang are not on the PATH");
    diag_help(cx, d,
              "install one (on Debian: apt-get install gcc), or choose one with --cc; in Python, "
              "pip install ziglang, or choose one with adze.set_cc");
    return false;
}

// --- compiling ----------------------------------------------------------------------------------

Strings host_flags(Session *cx, const HostOptions *h, bool object)
{
    // Adze has no errno and no traps; a*b+c may be fused, unless results must equal the
    // interpreter's
    Strings flags = split_words(cx->arena, "-std=c17 -fPIC -fno-math-errno -fno-trapping-math "
                                           "-fopenmp-simd");
    vec_push(cx->arena, &flags, h->quick ? "-O2" : "-O3");
    add_all(cx->arena, &flags, split_words(cx->arena, h->cpu ? h->cpu : "-march=native"));
    if (h->parallel) vec_push(cx->arena, &flags, "-fopenmp");
    vec_push(cx->arena, &flags, h->exact ? "-ffp-contract=off" : "-ffp-contract=fast");
    if (h->exact) vec_push(cx->arena, &flags, "-DADZE_NO_FMA"); // of kernels
    vec_push(cx->arena, &flags, object ? "-c" : "-shared");
    add_all(cx->arena, &flags, split_words(cx->arena, h->cflags));
    return flags;
}

// Whether a signal such as SIGINT killed the C compiler. After Ctrl-C, the compiler receives the
// signal too, and may exit before adze handles it.
static bool was_interrupted(int status)
{
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return number == SIGINT || number == SIGTERM || number == SIGHUP;
}

static void note_lines(Session *cx, Diag *d, const char *output)
{
    enum { SHOWN_LINES = 20 };
    for (int i = 0; *output && i < SHOWN_LINES; i++) {
        size_t len = strcspn(output, "\n");
        diag_note(cx, d, NO_SPAN, "%s", arena_strndup(cx->arena, output, len));
        output += len + (output[len] == '\n');
    }
}

// Reports E0709 with the output of the compiler. Returns HOST_REFUSED if the C file may be at
// fault.
static HostResult compiler_failed(Session *cx, const Compiler *cc, const char *c_file, int status,
                                  const char *output)
{
    const char *name = cc->command.at[0];
    bool full = strstr(output, strerror(ENOSPC)), crashed = WIFSIGNALED(status);
    Diag *d;
    if (status < 0) {
        d = diag_error(cx, E0709, NO_SPAN, "%s cannot be started: %.*s", name,
                       (int)strcspn(output, "\n"), output);
        diag_help(cx, d, "choose another C compiler with --cc");
        return HOST_STOPPED;
    }
    if (crashed)
        d = diag_error(cx, E0709, NO_SPAN, "signal %d ended %s", WTERMSIG(status), name);
    else if (full)
        d = diag_error(cx, E0709, NO_SPAN, "%s ran out of disk space", name);
    else
        d = diag_error(cx, E0709, NO_SPAN, "%s does not accept the generated C (status %d)", name,
                       WEXITSTATUS(status));
    if (was_interrupted(status)) return HOST_STOPPED;
    note_lines(cx, d, output);
    if (full) {
        diag_help(cx, d,
                  "free some space, or set the environment variable TMPDIR to a folder for the "
                  "compiler's temporary files");
        return HOST_STOPPED;
    }
    diag_note(cx, d, NO_SPAN, "the C file is kept: %s", c_file);
    diag_help(cx, d,
              crashed ? "the C compiler crashed, or the system ended it for lack of memory; "
                        "choose another one with --cc"
                      : "unless --cflags or CC causes it, this is a fault of adze; please report "
                        "it with the C file");
    return HOST_REFUSED;
}

// Checks that a C compiler that reports success has written its output. With `--cc true`, for
// example, it has not.
static HostResult check_output(Session *cx, const Compiler *cc, const char *target)
{
    struct stat info;
    if (stat(target, &info) == 0 && info.st_size > 0) return HOST_COMPILED;
    Diag *d = diag_error(cx, E0709, NO_SPAN, "%s reports no error, but has not written its output",
                         cc->command.at[0]);
    diag_help(cx, d, "--cc and CC name a C compiler that takes the options of gcc and clang");
    return HOST_STOPPED;
}

static int compile_once(Session *cx, const HostOptions *h, const Compiler *cc, bool object,
                        const char *c_file, const char *target, Text *output)
{
    Strings words = {0};
    add_all(cx->arena, &words, cc->command);
    add_all(cx->arena, &words, host_flags(cx, h, object));
    vec_push(cx->arena, &words, "-o");
    vec_push(cx->arena, &words, target);
    vec_push(cx->arena, &words, c_file);
    add_all(cx->arena, &words, h->more);
    if (!object) vec_push(cx->arena, &words, "-lm");
    return host_execute(&words, h->cleanup, output);
}

// Falls back to compiling parallel loops as sequential ones if the C compiler does not support
// OpenMP.
HostResult host_compile(Session *cx, const HostOptions *h, const Compiler *cc, bool object,
                        const char *c_file, const char *target)
{
    Text output = text_new(cx->arena), again = text_new(cx->arena);
    Progress *p =
        progress_start(h->progress, "compiling %s with %s", path_base(c_file), cc->command.at[0]);
    int status = compile_once(cx, h, cc, object, c_file, target, &output);
    if (status != 0 && h->parallel) {
        HostOptions serial = *h;
        serial.parallel = false;
        if (compile_once(cx, &serial, cc, object, c_file, target, &again) == 0) status = 0;
    }
    progress_stop(p);
    if (status == 0) return check_output(cx, cc, target);
    return compiler_failed(cx, cc, c_file, status, text_get(&output));
}

bool host_join(Session *cx, const HostOptions *h, const Compiler *cc, const Strings *parts,
               const char *target)
{
    Strings words = {0};
    Text output = text_new(cx->arena);
    add_all(cx->arena, &words, cc->command);
    add_all(cx->arena, &words, split_words(cx->arena, h->cflags));
    vec_push(cx->arena, &words, "-r");
    vec_push(cx->arena, &words, "-nostdlib");
    vec_push(cx->arena, &words, "-o");
    vec_push(cx->arena, &words, target);
    add_all(cx->arena, &words, *parts);
    int status = host_execute(&words, h->cleanup, &output);
    if (status == 0) return check_output(cx, cc, target) == HOST_COMPILED;
    compiler_failed(cx, cc, parts->at[0], status, text_get(&output));
    return false;
}
