// The message of a failed call. The compiler and extension modules for Python share it.
#ifndef ADZE_MESSAGE_H
#define ADZE_MESSAGE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Returns the message of a failed call, `message`, which the caller frees, or NULL if memory runs
/// out. Of a failed assertion, it has the text that the program computed, which `kept` locates;
/// `kept` is NULL if no assertion has one.
static inline char *adze_message_text(const char *message, char **(*kept)(void))
{
    static const char mark[] = "error E0614: ";
    const char *at = strstr(message, mark);
    char *own = kept && at ? __atomic_exchange_n(kept(), NULL, __ATOMIC_ACQ_REL) : NULL;
    if (!own) return strdup(message);
    size_t place = (size_t)(at - message) + strlen(mark), size = place + strlen(own) + 1;
    char *text = (char *)malloc(size);
    if (text) snprintf(text, size, "%.*s%s", (int)place, message, own);
    free(own);
    return text;
}

#endif
