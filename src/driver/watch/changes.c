// Changes of files. Events come from the folders, since many editors replace a file by renaming a
// new one. They only end a wait: whether a file has changed is seen by its state.
#include "driver/watch/watch.h"

#include <poll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

#ifdef __APPLE__
#define CHANGED(info) (info).st_mtimespec
#else
#define CHANGED(info) (info).st_mtim
#endif
#ifdef CLOCK_REALTIME_COARSE
#define FILE_CLOCK CLOCK_REALTIME_COARSE
#else
#define FILE_CLOCK CLOCK_REALTIME
#endif

FileState file_state(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) return (FileState){0};
    return (FileState){CHANGED(info).tv_sec, CHANGED(info).tv_nsec, info.st_size, info.st_ino};
}

FileState file_time(void)
{
    struct timespec t;
    clock_gettime(FILE_CLOCK, &t);
    return (FileState){.seconds = t.tv_sec, .nanoseconds = t.tv_nsec};
}

Snapshot snapshot_take(Arena *arena, const Strings *paths)
{
    Snapshot s = {*paths, ARENA_ARRAY(arena, FileState, paths->len + 1)};
    for (int i = 0; i < paths->len; i++) s.states[i] = file_state(paths->at[i]);
    return s;
}

bool snapshot_differs(const Snapshot *s)
{
    for (int i = 0; i < s->paths.len; i++) {
        const FileState *a = &s->states[i], b = file_state(s->paths.at[i]);
        if (a->seconds != b.seconds || a->nanoseconds != b.nanoseconds || a->size != b.size ||
            a->inode != b.inode)
            return true;
    }
    return false;
}

bool snapshot_is_later(const Snapshot *s, FileState time)
{
    for (int i = 0; i < s->paths.len; i++) {
        const FileState *a = &s->states[i];
        if (a->seconds > time.seconds ||
            (a->seconds == time.seconds && a->nanoseconds >= time.nanoseconds))
            return true;
    }
    return false;
}

// --- events -------------------------------------------------------------------------------------

Notifier notifier_open(Arena *arena, const Strings *paths)
{
    Notifier n = {-1};
#ifdef __linux__
    n.events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    for (int i = 0; n.events >= 0 && i < paths->len; i++) {
        const char *path = paths->at[i], *folder = path_is_dir(path) ? path : path_dir(arena, path);
        (void)inotify_add_watch(n.events, folder,
                                IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVE | IN_MODIFY);
    }
#else
    (void)arena, (void)paths;
#endif
    return n;
}

void notifier_wait(const Notifier *n, int milliseconds)
{
    struct pollfd events = {n->events, POLLIN, 0};
    char buffer[4096];
    if (poll(&events, 1, milliseconds) <= 0) return;
    while (read(n->events, buffer, sizeof buffer) > 0) continue;
}

void notifier_close(Notifier *n)
{
    if (n->events >= 0) close(n->events);
    n->events = -1;
}
