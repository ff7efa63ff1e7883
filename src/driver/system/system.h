// Files and their names, temporary files and child processes, the progress of long operations, and
// the files that `import` finds.
#ifndef ADZE_DRIVER_SYSTEM_H
#define ADZE_DRIVER_SYSTEM_H

#include <stdio.h>
#include <sys/types.h>

#include "base/session.h"
#include "base/text.h"

typedef VEC(const char *) Strings;
typedef struct Cleanup Cleanup; // cleanup.c

// --- files.c

/// Reads a program into the session; gives its file number, 0 after an error (reported at `span`).
uint32_t source_open(Session *cx, const char *path, Span span);
/// The same for any text in a readable file.
uint32_t source_read(Session *cx, const char *path, Span span);

/// Whether `path` is a file that can be read; else reports E0701, E0702 or E0703.
bool file_readable(Session *cx, const char *path, Span span);

/// Whether the bytes are UTF-8 text; else *bad is the offset of the first byte that is not.
bool text_is_utf8(const char *text, size_t len, size_t *bad);

/// Writes several files together: either all are replaced or, as far as the system allows, none.
typedef struct {
    const char *path, *text;
    size_t len;
} FileText;
bool files_write(Session *cx, Cleanup *cleanup, const FileText *files, int n);

/// Whether a file could be written to `path`; else reports E0706.
bool file_writable(Session *cx, const char *path);

/// DIR/NAME; the last part of a path; its folder ("." if it has none); the last part without
/// extension as a name for C files, passed through text_plain and without a leading `-`.
const char *path_join(Arena *arena, const char *dir, const char *name);
const char *path_base(const char *path);
const char *path_dir(Arena *arena, const char *path);
const char *path_stem(Arena *arena, const char *path);
bool path_has_extension(const char *path, const char *extension); // in any case
bool path_is_dir(const char *path);
/// Adds the files below a folder that have the extension, sorted by name. Does not follow links to
/// folders, which could be cyclic. False, with errno, if the folder cannot be read.
bool files_below(Arena *arena, const char *dir, const char *extension, Strings *out);
bool path_make_dirs(const char *path); // with its parents; errno if false

/// Prints text on standard output; the end of the run reports a failure.
void out_text(const Text *t);

// cleanup.c: temporary files and child processes, which end with the program. c may be NULL.
Cleanup *cleanup_new(void);
void cleanup_delete(Cleanup *c);
void cleanup_add(Cleanup *c, const char *path);  // a file, or a folder with files
void cleanup_drop(Cleanup *c, const char *path); // the file stays, or was already removed
void cleanup_child(Cleanup *c, pid_t child);     // 0 if no child runs
void remove_path(const char *path);              // a file, or a folder with the files in it

/// Runs `body(env)` in a thread with a deep stack and waits for it. On SIGINT, SIGTERM and SIGHUP
/// it cleans up and ends the process as the signal would.
int run_deep(int (*body)(void *env), void *env, Cleanup *c);

// progress.c: after a second, standard error shows the operation, if it is a terminal.
typedef struct Progress Progress;
Progress *progress_start(bool wanted, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void progress_stop(Progress *p); // may be NULL
/// Writes a line of the program to standard error, between lines of the progress: Session.print.
void progress_write(void *progress, const char *line, size_t len);

// modules.c
uint32_t modules_find(Session *cx, const char *name, uint32_t from, void *env); // a FindModule
/// The programs of the library; none if it is not installed.
Strings modules_of_library(Arena *arena);
/// Whether an imported file belongs to the library, which the user cannot change.
bool modules_in_library(Session *cx, uint32_t main, uint32_t file);

#endif
