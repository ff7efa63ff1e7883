// Memory of the server that outlives sessions.
#include "driver/lsp/protocol/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *memory_more(void *at, size_t size)
{
    void *now = realloc(at, size ? size : 1);
    if (now) return now;
    fputs("adze: out of memory\n", stderr);
    exit(1);
}

char *memory_text(const char *text, size_t len)
{
    char *copy = memory_more(NULL, len + 1);
    memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}
