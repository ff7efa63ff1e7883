// Evaluation in a child process, which reports lines of text and the arrays of values.
#include "driver/repl/repl.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// --- the child ----------------------------------------------------------------------------------

void process_report(Reporter *to, const char *word, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(to->lines, "%s ", word);
    vfprintf(to->lines, format, args);
    fputc('\n', to->lines);
    va_end(args);
}

static bool write_at(int file, const char *from, size_t n, int64_t at)
{
    while (n > 0) {
        ssize_t done = pwrite(file, from, n, at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        from += done;
        n -= (size_t)done;
        at += done;
    }
    return true;
}

bool process_report_value(Session *cx, Reporter *to, const char *name, Node *type,
                          const AdzeArray *leaves)
{
    enum { LINE = 64 }; // arrays are aligned as those of malloc, and more
    Text full = text_new(cx->arena);
    if (type_is_up_to(type)) { // only the elements that exist are kept
        type = type_array(cx, nat_const(cx, *(const int64_t *)leaves[0].data), type->op[1]->op[1]);
        leaves++;
    }
    int n = type_leaves(type);
    type_print_full(&full, type);
    process_report(to, "value", "%s\t%d\t%s\t%s", name, n, type_show(cx, type), text_get(&full));
    for (int i = 0; i < n; i++) {
        const AdzeArray *a = &leaves[i];
        int64_t at = to->used;
        size_t bytes = adze_array_bytes(a);
        fprintf(to->lines, "leaf %lld %d %d", (long long)at, (int)a->type, a->rank);
        for (int k = 0; k < a->rank; k++) fprintf(to->lines, " %lld", (long long)a->shape[k]);
        fputc('\n', to->lines);
        to->used = (at + (int64_t)bytes + LINE) / LINE * LINE;
        if (write_at(to->data, a->data, bytes, at)) continue;
        diag_error(cx, E0606, NO_SPAN, "the value of %s cannot be kept: %s", name, strerror(errno));
        return false;
    }
    return true;
}

typedef struct {
    Driver d;
    int (*body)(Driver *d, void *request);
    InputRequest *request;
} Child;

static int child_main(void *env)
{
    Child *c = env;
    int status = device_choose(&c->d);
    return status ? status : c->body(&c->d, c->request);
}

// Runs the child. Its standard input is empty, since the session reads that of its parent.
_Noreturn static void be_child(Child *c)
{
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    c->d.cleanup = cleanup_new();
    int status = run_deep(child_main, c, c->d.cleanup);
    cleanup_delete(c->d.cleanup);
    if (fflush(stdout) != 0 || fflush(c->request->to->lines) != 0) status = 1;
    _exit(status);
}

static void no_action(int number)
{
    (void)number;
}

// --- the parent ---------------------------------------------------------------------------------

void process_keep_alive(void)
{
    signal(SIGINT, no_action);
}

// Returns a file without a name, or -1.
static int nameless_file(void)
{
#ifdef __linux__
    int fd = memfd_create("adze", MFD_CLOEXEC);
    if (fd >= 0) return fd;
#endif
    const char *dir = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/adze-XXXXXX", dir && *dir ? dir : "/tmp");
    int file = mkstemp(path);
    if (file < 0) return -1;
    unlink(path);
    fcntl(file, F_SETFD, FD_CLOEXEC);
    return file;
}

static Report read_report(FILE *lines, Arena *arena)
{
    Report report = {0};
    char *line = NULL;
    size_t room = 0;
    rewind(lines);
    for (ssize_t n; (n = getline(&line, &room, lines)) > 0;) {
        if (line[n - 1] == '\n') line[--n] = '\0';
        char *copy = arena_strndup(arena, line, (size_t)n), *blank = strchr(copy, ' ');
        if (blank) *blank = '\0';
        vec_push(arena, &report, ((ReportLine){copy, blank ? blank + 1 : ""}));
    }
    free(line);
    return report;
}

static bool read_leaf(const char *text, char *base, AdzeArray *leaf)
{
    char *at;
    int64_t offset = strtoll(text, &at, 10);
    *leaf = (AdzeArray){.type = (AdzeType)strtol(at, &at, 10)};
    leaf->rank = (int)strtol(at, &at, 10);
    if (leaf->rank < 0 || leaf->rank > ADZE_MAX_RANK) return false;
    for (int k = 0; k < leaf->rank; k++) leaf->shape[k] = strtoll(at, &at, 10);
    leaf->data = base + offset;
    return true;
}

// Keeps the value of a line "NAME\tLEAVES\tTYPE\tFULL_TYPE" and of the lines of leaves after it.
static void keep_value(Repl *r, const ReportLine *line, Mapping *memory)
{
    char *copy = strdup(line->rest), *rest = copy, *name = strsep(&rest, "\t"),
         *count = strsep(&rest, "\t"), *type = strsep(&rest, "\t");
    int n = count ? atoi(count) : 0;
    Held h = {strdup(name),
              strdup(type ? type : ""),
              strdup(rest ? rest : ""),
              calloc((size_t)n + 1, sizeof(AdzeArray)),
              n,
              memory};
    bool good = h.name && h.type && h.full_type && h.leaves;
    for (int i = 0; i < n && good; i++)
        good = read_leaf(line[1 + i].rest, memory->at, &h.leaves[i]);
    free(copy);
    if (!good) return;
    memory->users++;
    const Held *before = store_find(r, h.name);
    bool differs = before && strcmp(before->type, h.type) != 0;
    printf("%s: %s", h.name, h.type);
    if (differs) printf(" (before: %s)", before->type);
    if (!before && store_has_name(r, h.name)) printf(" (expressions no longer see the definition)");
    putchar('\n');
    store_keep(r, &h);
}

static void keep_values(Repl *r, const Report *report, int data)
{
    off_t bytes = lseek(data, 0, SEEK_END);
    long page = sysconf(_SC_PAGESIZE);
    if (bytes < page) bytes = page; // leaves without elements have an address, too
    Mapping *memory = NULL;
    for (int i = 0; i < report->len; i++) {
        if (strcmp(report->at[i].word, "value") != 0) continue;
        if (!memory) {
            void *at = ftruncate(data, bytes) == 0
                           ? mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, data, 0)
                           : MAP_FAILED;
            memory = at == MAP_FAILED ? NULL : malloc(sizeof *memory);
            if (!memory) {
                fprintf(stderr, "no memory for the value\n");
                return;
            }
            *memory = (Mapping){at, (size_t)bytes, 0};
        }
        keep_value(r, &report->at[i], memory);
    }
    if (!memory || memory->users > 0) return;
    munmap(memory->at, memory->bytes);
    free(memory);
}

// Waits for the child, and passes signals on to it: an interrupt ends only the child. Returns its
// wait status.
static int wait_for(pid_t child, const sigset_t *waited)
{
    int number, status = 0, ending = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (sigwait(waited, &number) != 0 || number == SIGCHLD) continue;
        kill(child, number);
        if (number != SIGINT) ending = number;
    }
    if (ending) {
        signal(ending, SIG_DFL);
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, ending);
        raise(ending);
        pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    }
    return status;
}

static int exit_status(int status)
{
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (WTERMSIG(status) == SIGPIPE) raise(SIGPIPE); // nobody reads what the session prints
    if (WTERMSIG(status) == SIGINT)
        fprintf(stderr, "interrupted\n");
    else
        fprintf(stderr, "signal %d ended the evaluation (%s)\n", WTERMSIG(status),
                strsignal(WTERMSIG(status)));
    return 1;
}

// Forks. Signals to wait for are blocked in the parent until the child has ended.
static int run_child(Child *c)
{
    sigset_t waited, before;
    sigemptyset(&waited);
    const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&waited, signals[i]);
    signal(SIGCHLD, no_action); // an ignored signal cannot be waited for everywhere
    pthread_sigmask(SIG_BLOCK, &waited, &before);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGCHLD, SIG_DFL);
        if (c->request->r->interactive) signal(SIGINT, SIG_DFL);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        be_child(c);
    }
    int status = child > 0 ? exit_status(wait_for(child, &waited)) : 1;
    if (child < 0) fprintf(stderr, "no child process: %s\n", strerror(errno));
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

int process_run(Repl *r, Arena *arena, int (*body)(Driver *d, void *request), InputRequest *request,
                Report *report)
{
    int lines = nameless_file();
    Reporter to = {.lines = lines < 0 ? NULL : fdopen(lines, "w+"), .data = nameless_file()};
    KeptValues kept = store_kept(r, arena);
    Child c = {*r->d, body, request};
    c.d.additions = &request->additions;
    c.d.kept = &kept;
    request->r = r;
    request->to = &to;
    *report = (Report){0};
    int status = 1;
    if (to.lines && to.data >= 0)
        status = run_child(&c);
    else
        fprintf(stderr, "no temporary file: %s\n", strerror(errno));
    if (to.lines) *report = read_report(to.lines, arena);
    if (status == 0) keep_values(r, report, to.data);
    if (to.data >= 0) close(to.data);
    if (to.lines) fclose(to.lines);
    return status;
}
