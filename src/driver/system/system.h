// Files and their names, temporary files and child processes, the progress of long operations, and
// the lookup of imported files.
#ifndef ADZE_DRIVER_SYSTEM_H
#define ADZE_DRIVER_SYSTEM_H

#include <stdio.h>
#include <sys/types.h>

#include "base/session.h"
#include "base/text.h"

typedef VEC(const char *) Strings;
typedef struct Cleanup Cleanup; // cleanup.c

// --- files.c

/// Reads a program into the session. Returns its file number, or 0 after an error, which is
/// reported at `span`.
uint32_t source_open(Session *cx, const char *path, Span span);
/// The text that an editor holds for the file, or NULL (Session.unsaved).
const char *source_unsaved(Session *cx, const char *path, size_t *len);
/// Like source_open, for a readable file with any extension.
uint32_t source_read(Session *cx, const char *path, Span span);

/// Whether `path` is a file that can be read. If not, reports E0701, E0702 or E0703.
bool file_readable(Session *cx, const char *path, Span span);

/// Whether the bytes are UTF-8 text. If not, sets *bad to the offset of the first ill-formed
/// character.
bool text_is_utf8(const char *text, size_t len, size_t *bad);

/// The path of a file to write, and its contents.
typedef struct {
    const char *path, *text;
    size_t len;
} FileText;
/// Writes several files together: either all are replaced or, as far as the system allows, none.
bool files_write(Session *cx, Cleanup *cleanup, const FileText *files, int n);

/// Whether a file could be written to `path`, which no program was read from. If not, reports
/// E0706.
bool file_writable(Session *cx, const char *path);

const char *path_join(Arena *arena, const char *dir, const char *name); // DIR/NAME
const char *path_base(const char *path);                                // the last component
const char *path_dir(Arena *arena, const char *path); // the folder, "." if there is none
/// Returns the last component without its extension, as a name for C files: passed through
/// text_plain and without a leading `-`.
const char *path_stem(Arena *arena, const char *path);
bool path_has_extension(const char *path, const char *extension); // ignores case
bool path_is_dir(const char *path);
/// Adds the files below a folder that have the extension, sorted by name. Does not follow links to
/// folders, which could be cyclic. Sets errno and returns false if a folder cannot be read. `*left`
/// is how many files and folders it may look at: it is counted down, and less than 0 if there are
/// more. NULL stands for no limit.
bool files_below(Arena *arena, const char *dir, const char *extension, int *left, Strings *out);
bool path_make_dirs(const char *path); // including parents; sets errno on failure

/// Makes a pipe whose ends no program inherits that a child process starts. Sets errno and returns
/// false on failure.
bool pipe_make(int ends[2]);

/// Prints text to standard output. If that fails, the error is reported at the end of the run.
void out_text(const Text *t);

// cleanup.c: temporary files and child processes, which must not outlive the program. `c` may be
// NULL.
Cleanup *cleanup_new(void);
void cleanup_delete(Cleanup *c);
/// Makes a new folder as mkdtemp does, and registers it for removal before a signal can end the
/// program. Returns false on failure.
bool cleanup_make_folder(Cleanup *c, char *path);
void cleanup_add(Cleanup *c, const char *path);  // a file, or a folder with files
void cleanup_drop(Cleanup *c, const char *path); // if the file is to stay, or was already removed
void cleanup_child(Cleanup *c, pid_t child);     // 0 if no child runs
/// In a child process: sends it the signal when its parent ends, however that ends, if the system
/// can do so. Ends the process if the parent has ended.
void child_follows(pid_t parent, int signal_number);
void remove_path(const char *path); // a file, or a folder with the files in it

/// Runs `body(env)` in a thread with a deep stack and waits for it. On SIGINT, SIGTERM and SIGHUP
/// it cleans up and ends the process as the signal would.
int run_deep(int (*body)(void *env), void *env, Cleanup *c);

/// Runs `body(env)` in a thread with a deep stack, which gets no signals, and waits for it. Changes
/// nothing else in the process. Without memory for such a stack, `body` runs in this thread.
int call_deep(int (*body)(void *env), void *env);

// progress.c: shows an operation on standard error, if that is a terminal, once it takes more than
// a second.
typedef struct Progress Progress;
Progress *progress_start(bool wanted, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// Sets how many seconds the operation is expected to take from its start, or 0 if it is not known.
/// `p` may be NULL.
void progress_expect(Progress *p, double seconds);
void progress_stop(Progress *p); // may be NULL
/// Writes a line printed by the program to standard error, erasing the progress line first. For use
/// as Session.print.
void progress_write(void *progress, const char *line, size_t len);

// modules.c
/// Returns the path of a module in the folder that it is searched in: std/linalg.adz.
const char *modules_file_name(Arena *arena, const char *module);
uint32_t modules_find(Session *cx, const char *name, uint32_t from, void *env); // a FindModule
/// Returns the paths of the files of a library, which is in a folder of this name, such as std, or
/// an empty vector if it is not installed.
Strings modules_of_library(Arena *arena, const char *folder);
/// Whether an imported file belongs to the library, which the user cannot change.
bool modules_in_library(Session *cx, uint32_t main, uint32_t file);

#endif
