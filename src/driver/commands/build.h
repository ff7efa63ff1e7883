// What the forms of `adze build` share: C (build.c), and packages for Python (build_python.c).
#ifndef ADZE_DRIVER_BUILD_H
#define ADZE_DRIVER_BUILD_H

#include "driver/commands/commands.h"

typedef VEC(LoopEntry *) Entries;

/// The files to write. `sources` holds the paths of the C files among them, and `flags` the
/// compiler flags for the processor that each of these is built for.
typedef struct {
    VEC(FileText) files;
    VEC(const char *) sources, flags;
} Output;

/// What is built: a program, values of its sizes, the folder to write to, and the name of the
/// files.
typedef struct {
    const Work *w;
    const GivenSizes *sizes;
    const char *dir, *name;
} Build;

/// Lowers all entries of the program. Returns false after errors.
bool build_lower(Session *cx, const Build *b, Entries *entries);
/// Adds a file to those to write.
void build_add(Session *cx, Output *out, const char *dir, const char *file, const Text *text);
/// Prints the path of what was written, or adds it to the report of --json.
void build_written(Driver *d, const char *path);
/// Compiles the C file and everything else in h->more to `path`, replacing it only as a whole.
/// Returns false after an error.
bool build_compile(Driver *d, HostOptions *h, const Compiler *cc, bool object, const char *c_file,
                   const char *path);

// --- build_python.c ------------------------------------------------------------------------------

/// Whether the options fit --python, and the program's name is one for Python. If not, reports an
/// error.
bool build_python_fits(Driver *d, const char *name);
/// Asks Python for the folder of its headers, for build_python_compile. Returns false after an
/// error.
bool build_python_headers(Driver *d, HostOptions *host);
/// Makes the files of a package. Returns false after errors.
bool build_python(Driver *d, const Build *b, HostOptions *host, Entries *entries, Output *out);
/// Compiles the extension module of the package. Returns false after an error.
bool build_python_compile(Driver *d, HostOptions *host, const Compiler *cc, const Build *b,
                          const Output *out);

#endif
