// Removes temporary files and kills child processes when a signal ends the program. Signals are
// blocked in all threads; the first thread waits for them while another thread works.
#include "driver/system/system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

enum { MAX_PATHS = 32 };

bool pipe_make(int ends[2])
{
#ifdef __APPLE__
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
#else
    return pipe2(ends, O_CLOEXEC) == 0; // no other thread can start a program in between
#endif
}

struct Cleanup {
    pthread_mutex_t mutex;
    char *paths[MAX_PATHS];
    pid_t child;
};

void child_follows(pid_t parent, int signal_number)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, signal_number);
    if (getppid() != parent) _exit(1);
#else
    (void)parent;
    (void)signal_number;
#endif
}

Cleanup *cleanup_new(void)
{
    Cleanup *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    pthread_mutex_init(&c->mutex, NULL);
    return c;
}

static void add_path(Cleanup *c, const char *path)
{
    int i = 0;
    while (i < MAX_PATHS && c->paths[i]) i++;
    if (i < MAX_PATHS) c->paths[i] = strdup(path);
}

void cleanup_add(Cleanup *c, const char *path)
{
    if (!c) return;
    pthread_mutex_lock(&c->mutex);
    add_path(c, path);
    pthread_mutex_unlock(&c->mutex);
}

bool cleanup_make_folder(Cleanup *c, char *path)
{
    if (!c) return mkdtemp(path) != NULL;
    pthread_mutex_lock(&c->mutex);
    bool made = mkdtemp(path) != NULL;
    int error = errno;
    if (made) add_path(c, path);
    pthread_mutex_unlock(&c->mutex);
    errno = error;
    return made;
}

void cleanup_drop(Cleanup *c, const char *path)
{
    if (!c) return;
    pthread_mutex_lock(&c->mutex);
    for (int i = 0; i < MAX_PATHS; i++) {
        if (!c->paths[i] || strcmp(c->paths[i], path) != 0) continue;
        free(c->paths[i]);
        c->paths[i] = NULL;
        break;
    }
    pthread_mutex_unlock(&c->mutex);
}

void cleanup_child(Cleanup *c, pid_t child)
{
    if (!c) return;
    pthread_mutex_lock(&c->mutex);
    c->child = child;
    pthread_mutex_unlock(&c->mutex);
}

static bool is_removed(const char *path)
{
    return remove(path) == 0 || (errno != ENOTEMPTY && errno != EEXIST);
}

// Tries several times, since another thread, or a child that has not exited yet, may add a file in
// the meantime.
void remove_path(const char *path)
{
    enum { TRIES = 10 };
    for (int i = 0; i < TRIES && !is_removed(path); i++) {
        DIR *dir = opendir(path);
        if (!dir) return;
        for (struct dirent *e; (e = readdir(dir));)
            if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
                unlinkat(dirfd(dir), e->d_name, 0);
        closedir(dir);
    }
}

static void clean_up(Cleanup *c)
{
    if (c->child > 0) kill(c->child, SIGTERM);
    for (int i = 0; i < MAX_PATHS; i++) {
        if (!c->paths[i]) continue;
        remove_path(c->paths[i]);
        free(c->paths[i]);
        c->paths[i] = NULL;
    }
}

void cleanup_delete(Cleanup *c)
{
    if (!c) return;
    clean_up(c);
    pthread_mutex_destroy(&c->mutex);
    free(c);
}

// --- the thread ---------------------------------------------------------------------------------

// The signals that end the program. The working thread sends SIGUSR2, which nothing else uses, when
// it is done.
static const int ending[] = {SIGINT, SIGTERM, SIGHUP};

typedef struct {
    int (*body)(void *env);
    void *env;
    int status;
    bool reports; // send SIGUSR2 to `waiting` at the end
    pthread_t waiting;
} DeepCall;

static void *deep_main(void *env)
{
    DeepCall *call = env;
    call->status = call->body(call->env);
    if (call->reports) pthread_kill(call->waiting, SIGUSR2);
    return NULL;
}

_Noreturn static void end_by_signal(Cleanup *c, int number, const sigset_t *before)
{
    if (isatty(STDERR_FILENO)) (void)!write(STDERR_FILENO, "\r\033[K", 4);
    if (c) { // stays locked, so that the other thread cannot report that its C compiler was killed
        pthread_mutex_lock(&c->mutex);
        clean_up(c);
    }
    signal(number, SIG_DFL);
    raise(number);
    sigset_t one = *before;
    sigdelset(&one, number);
    pthread_sigmask(SIG_SETMASK, &one, NULL);
    _exit(128 + number);
}

static bool start_deep(pthread_t *thread, DeepCall *call)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    bool started = false;
    // deep terms need deep recursion; if memory is limited, a smaller stack must do
    for (size_t size = (size_t)512 << 20; !started && size >= (size_t)16 << 20; size /= 4)
        started = pthread_attr_setstacksize(&attributes, size) == 0 &&
                  pthread_create(thread, &attributes, deep_main, call) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

int call_deep(int (*body)(void *env), void *env)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); // inherited by the new thread
    DeepCall call = {.body = body, .env = env, .status = 1};
    pthread_t thread;
    bool started = start_deep(&thread, &call);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        pthread_join(thread, NULL);
    else
        call.status = body(env);
    return call.status;
}

int run_deep(int (*body)(void *env), void *env, Cleanup *c)
{
    sigset_t waited, before;
    sigemptyset(&waited);
    sigaddset(&waited, SIGUSR2);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction action; // an ignored signal (nohup) stays ignored
        if (sigaction(ending[i], NULL, &action) == 0 && action.sa_handler == SIG_IGN) continue;
        sigaddset(&waited, ending[i]);
    }
    pthread_sigmask(SIG_BLOCK, &waited, &before);
    DeepCall call = {body, env, 1, true, pthread_self()};
    pthread_t thread;
    if (start_deep(&thread, &call)) {
        int number = 0;
        while (sigwait(&waited, &number) != 0) continue;
        if (number != SIGUSR2) end_by_signal(c, number, &before);
        pthread_join(thread, NULL);
    } else {
        call.status = body(env);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return call.status;
}
