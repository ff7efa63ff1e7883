// The subcommands, one file each.
#ifndef ADZE_DRIVER_COMMANDS_H
#define ADZE_DRIVER_COMMANDS_H

#include "driver/explain/explain.h"
#include "driver/page/page.h"

#define COMMAND(id, name, arguments, least, most, function, purpose) int function(Driver *d);
#include "driver/options/options.def"
#undef COMMAND

// --- devices.c -----------------------------------------------------------------------------------

/// If --device is given, sets --target to the target for which there is such a device, unless it is
/// given, too. Returns 0, or the exit status after an error: there is no such device or target.
int device_choose(Driver *d);

// --- explain_level.c -----------------------------------------------------------------------------

/// Whether `path` names a file with the text of a program at one of the compiler's levels, such as
/// FILE.dpia.
bool explain_is_level(const char *path);
/// Explains such a file: prints its program after the passes up to `last` or, with --print-after,
/// after that pass alone. Returns the exit status.
int explain_level(Driver *d, Pass last);

// --- explain.c -----------------------------------------------------------------------------------

/// Prints a text, after a blank line if `heading` is set, or adds it to the JSON report under
/// `name`, which may be NULL.
void explain_put(Driver *d, const char *name, const Text *out, bool heading);

/// Returns what `adze explain --json` says of a lowered entry.
json_t *explain_overview_json(Session *cx, Work *w, const GivenSizes *sizes);

// --- explain_page.c ------------------------------------------------------------------------------

typedef struct ExplainPage ExplainPage;

/// A page for the program, without entries. Its data become parts of `root`, which the caller owns.
ExplainPage *explain_page_new(Driver *d, const Work *w, json_t *root);
/// Compiles the entry `w->entry`, and adds it to the page. Fills in *sizes from --size. Returns
/// false after an error.
bool explain_page_entry(ExplainPage *p, Work *w, GivenSizes *sizes);
/// Writes the page to the file of --output, or else to standard output. Returns false after an
/// error.
bool explain_page_write(ExplainPage *p);

#endif
