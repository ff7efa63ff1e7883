// The language server, `adze lsp`: it answers an editor's questions about programs that are being
// written. docs/editors.md says what it does.
#ifndef ADZE_DRIVER_LSP_H
#define ADZE_DRIVER_LSP_H

#include "driver/pipeline/session.h"

/// Serves until the client sends `exit` or closes the connection. Messages arrive at the file
/// descriptor `in` and are sent to `out`. `d` has the options of the analyses. Returns the exit
/// status: 0 if the client sent `shutdown` before `exit`, and 1 otherwise.
int lsp_serve(const Driver *d, int in, int out);

#endif
