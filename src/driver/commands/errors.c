// adze errors [CODE]: explains a diagnostic, or lists all of them.
#include "driver/commands/commands.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// Finds a code written as "E0401", "e0401", "0401" or "401". Returns -1 if there is no such code.
static int find_code(const char *text)
{
    char *end;
    const char *digits = *text == 'E' || *text == 'e' ? text + 1 : text;
    long number = strtol(digits, &end, 10);
    if (!isdigit((unsigned char)*digits) || *end) return -1;
    for (int i = 0; i < DIAG_COUNT; i++)
        if (strtol(diag_name((DiagCode)i) + 1, NULL, 10) == number) return i;
    return -1;
}

static int no_such_code(Driver *d, void *env)
{
    Diag *x = diag_error(d->cx, E0719, NO_SPAN, "there is no diagnostic %s", (const char *)env);
    diag_help(d->cx, x, "`adze errors` lists all diagnostics");
    return 1;
}

int cmd_errors(Driver *d)
{
    if (d->options.arguments.len == 0) {
        for (int i = 0; i < DIAG_COUNT; i++)
            printf("%s  %s\n", diag_name((DiagCode)i), diag_title((DiagCode)i));
        return 0;
    }
    char *text = arena_printf(d->arena, "%s", d->options.arguments.at[0]);
    int code = find_code(text);
    if (code < 0) return driver_session(d, no_such_code, text);
    printf("%s: %s\n\n", diag_name((DiagCode)code), diag_title((DiagCode)code));
    help_wrap(diag_explanation((DiagCode)code), 0, 0, 80);
    return 0;
}
