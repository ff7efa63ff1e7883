// adze watch: runs a command again when a file that it reads changes.
#ifndef ADZE_DRIVER_WATCH_H
#define ADZE_DRIVER_WATCH_H

#include "driver/commands/commands.h"

// --- changes.c -----------------------------------------------------------------------------------

/// What is known of a file: when it was changed, and which it is. All is 0 if there is none.
typedef struct {
    int64_t seconds, nanoseconds, size;
    uint64_t inode;
} FileState;

/// Files and their states.
typedef struct {
    Strings paths;
    FileState *states; // one for each path
} Snapshot;

FileState file_state(const char *path);
/// The present states of the files. Everything lives in `arena`.
Snapshot snapshot_take(Arena *arena, const Strings *paths);
/// Whether a file differs from its state in the snapshot.
bool snapshot_differs(const Snapshot *s);
/// Whether a file was changed at or after this time.
bool snapshot_is_later(const Snapshot *s, FileState time);
/// The present time as the file system measures it.
FileState file_time(void);

/// Waits for events in folders: with inotify where there is, or else without.
typedef struct {
    int events; // a file descriptor, or -1
} Notifier;
Notifier notifier_open(Arena *arena, const Strings *paths);
/// Waits for an event, or at most some time.
void notifier_wait(const Notifier *n, int milliseconds);
void notifier_close(Notifier *n);

#endif
