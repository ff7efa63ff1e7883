// Files and their names, temporary files and child processes, the line that says what takes long,
// and where `import` looks.
#ifndef ADZE_DRIVER_SYSTEM_H
#define ADZE_DRIVER_SYSTEM_H

#include <stdio.h>
#include <sys/types.h>

#include "base/session.h"
#include "base/text.h"

typedef VEC(const char *) Strings;
typedef struct Cleanup Cleanup; // cleanup.c

// --- files.c

/// Reads a program into the session: its file number, 0 after an error (at `span`).
uint32_t source_open(Session *cx, const char *path, Span span);
/// The same for a text of any kind in a file that can be read.
uint32_t source_read(Session *cx, const char *path, Span span);

/// Whether there is a file to read at `path`; else reports E0701, E0702 or E0703.
bool file_readable(Session *cx, const char *path, Span span);

/// Whether the bytes are UTF-8 text; else *bad is the offset of the first byte that is not.
bool text_is_utf8(const char *text, size_t len, size_t *bad);

/// Several files written as one: either all are replaced or, as far as the system allows, none.
typedef struct {
    const char *path, *text;
    size_t len;
} FileText;
bool files_write(Session *cx, Cleanup *cleanup, const FileText *files, int n);

/// Whether a file could be written to `path`; else reports E0706.
bool file_writable(Session *cx, const char *path);

/// DIR/NAME; the last part of a path; its folder ("." when there is none); the last part without
/// extension as the name of C files: as text_plain, and with no `-` in front.
const char *path_join(Arena *arena, const char *dir, const char *name);
const char *path_base(const char *path);
const char *path_dir(Arena *arena, const char *path);
const char *path_stem(Arena *arena, const char *path);
bool path_has_extension(const char *path, const char *extension); // in any case
bool path_is_dir(const char *path);
/// Adds the files below a folder that have the extension, sorted by name; follows no links to
/// folders, which could lead back. False, with errno, when the folder cannot be read.
bool files_below(Arena *arena, const char *dir, const char *extension, Strings *out);
bool path_make_dirs(const char *path); // with its parents; errno when false

/// Prints text on standard output; false when that fails is reported once, at the end of the run.
void out_text(const Text *t);

// cleanup.c: temporary files and child processes, which a signal must not leave behind.
Cleanup *cleanup_new(void);
void cleanup_delete(Cleanup *c);
void cleanup_add(Cleanup *c, const char *path);  // a file, or a folder with files; c may be NULL
void cleanup_drop(Cleanup *c, const char *path); // no longer ours
void cleanup_child(Cleanup *c, pid_t child);     // 0: none runs
void cleanup_run(Cleanup *c);
void remove_path(const char *path); // a file, or a folder with the files in it

/// Runs `body(env)` in a thread with a deep stack and waits for it. On SIGINT, SIGTERM and SIGHUP
/// it cleans up and ends the process as that signal does.
int run_deep(int (*body)(void *env), void *env, Cleanup *c);

// progress.c: after a second, standard error says what takes so long, if it is a terminal.
typedef struct Progress Progress;
Progress *progress_start(bool wanted, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void progress_stop(Progress *p); // NULL allowed
/// A line of the program for standard error, between those of the progress.
void progress_write(Progress *p, const char *line, size_t len);

// modules.c
uint32_t modules_find(Session *cx, const char *name, uint32_t from, void *env); // a FindModule
/// The programs of the library: empty where there is none.
Strings modules_of_library(Arena *arena);
/// Whether a file that a program imports is the library's, which its user cannot change.
bool modules_in_library(Session *cx, uint32_t main, uint32_t file);

#endif
