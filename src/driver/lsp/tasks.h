// Processes that the server starts: commands of the client (tasks.c), and what the compiler chooses
// (explained.c).
#ifndef ADZE_DRIVER_LSP_TASKS_H
#define ADZE_DRIVER_LSP_TASKS_H

#include "driver/lsp/methods/methods.h"

typedef struct Task Task;

// --- tasks.c: command lines that run in processes of their own ------------------------------------

/// workspace/executeCommand. The request is answered when the process ends.
void task_start(Server *s, json_t *id, const json_t *params);
/// Ends the task of this request, which is answered as cancelled.
void task_cancel(Server *s, const json_t *id);
/// Reads what tasks have written, and answers the requests of those that have ended.
void task_read(Server *s);
void task_end_all(Server *s);
/// Starts `adze explain` for a document. explained_take gets its report.
void task_explain(Server *s, const Document *d);
/// Ends such tasks for a document.
void task_stop_explaining(Server *s, const Document *d);
bool task_is_explaining(const Server *s);
/// Waits until a message arrives or a task has written something.
void task_wait(Server *s);
/// The commands, as a list of names.
json_t *task_commands(void);

// --- explained.c ----------------------------------------------------------------------------------

int64_t explained_clock(void); // milliseconds
/// In how many milliseconds an explanation is due, or -1 if none is.
int explained_due(const Server *s);
void explained_start(Server *s); // those that are due
/// Takes the report on a document as it was at the change `serial`.
void explained_take(Server *s, const char *uri, int64_t serial, const char *text);

#endif
