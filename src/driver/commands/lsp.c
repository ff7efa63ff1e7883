// adze lsp: the language server.
#include "driver/commands/commands.h"
#include "driver/lsp/lsp.h"

#include <unistd.h>

int cmd_lsp(Driver *d)
{
    int out = dup(STDOUT_FILENO); // nothing else may write to it
    if (out < 0) return 1;
    dup2(STDERR_FILENO, STDOUT_FILENO);
    int status = lsp_serve(d, STDIN_FILENO, out);
    close(out);
    return status;
}
