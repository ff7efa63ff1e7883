// What the compiler has chosen: `adze explain` runs in a process of its own for a text that has no
// errors and has not changed for a while.
#include "driver/lsp/tasks.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PAUSE = 500 }; // milliseconds

int64_t explained_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool is_wanted(const Server *s, const Document *d)
{
    const Analysis *a = d->analysis;
    return s->shows_choices && !d->is_dirty && d->is_reported && !d->is_explained && a &&
           a->cx->errors == 0 && a->nentries > 0;
}

int explained_due(const Server *s)
{
    int64_t least = -1, now = explained_clock();
    for (const Document *d = s->documents; d; d = d->next) {
        int64_t left = d->changed + PAUSE > now ? d->changed + PAUSE - now : 0;
        if (is_wanted(s, d) && (least < 0 || left < least)) least = left;
    }
    return (int)least;
}

void explained_start(Server *s)
{
    int64_t now = explained_clock();
    for (Document *d = s->documents; d; d = d->next) {
        if (!is_wanted(s, d) || d->changed + PAUSE > now || task_is_explaining(s)) continue;
        d->is_explained = true;
        task_explain(s, d);
    }
}

void explained_take(Server *s, const char *uri, int64_t serial, const char *text)
{
    Document *d = server_find(s, uri);
    json_t *report = d && d->serial == serial && !d->is_dirty ? json_loads(text, 0, NULL) : NULL;
    if (!report) return;
    Analysis *a = d->analysis;
    json_decref(a->explained);
    a->explained = json_incref(json_object_get(report, "entries"));
    json_decref(report);
    diagnostics_publish(s, d, a);
    if (s->refreshes_hints) wire_request(s->wire, ++s->requests, "workspace/inlayHint/refresh");
}
