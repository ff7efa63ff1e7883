// Messages: a header with the length of the body, an empty line, and the body as JSON.
#include "driver/lsp/protocol/protocol.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { LONGEST_HEADER = 4096, LONGEST_BODY = 1 << 28 };

typedef struct Waiting Waiting;
struct Waiting {
    json_t *message;
    Waiting *next;
};

struct Wire {
    int in, out;
    bool in_ended, out_ended;
    char *at; // what has arrived and is not yet a message
    size_t len, cap;
    size_t skip; // bytes of a body that is too long
    Waiting *first, **last;
};

Wire *wire_new(int in, int out)
{
    Wire *w = memory_more(NULL, sizeof *w);
    *w = (Wire){.in = in, .out = out};
    w->last = &w->first;
    return w;
}

void wire_delete(Wire *w)
{
    for (json_t *m; (m = wire_next(w));) json_decref(m);
    free(w->at);
    free(w);
}

// --- sending ------------------------------------------------------------------------------------

static void put(Wire *w, const char *text, size_t len)
{
    while (len > 0 && !w->out_ended) {
        ssize_t n = write(w->out, text, len);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) w->out_ended = true;
        if (n < 0) return;
        text += n;
        len -= (size_t)n;
    }
}

static void send_message(Wire *w, json_t *message)
{
    char header[64];
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    if (text) {
        int n = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", strlen(text));
        put(w, header, (size_t)n);
        put(w, text, strlen(text));
    }
    free(text);
    json_decref(message);
}

void wire_notify(Wire *w, const char *method, json_t *params)
{
    send_message(
        w, json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

void wire_request(Wire *w, int id, const char *method)
{
    send_message(w, json_pack("{s:s, s:i, s:s}", "jsonrpc", "2.0", "id", id, "method", method));
}

void wire_answer(Wire *w, json_t *id, json_t *result)
{
    send_message(w, json_pack("{s:s, s:o, s:o}", "jsonrpc", "2.0", "id", id ? id : json_null(),
                              "result", result ? result : json_null()));
}

void wire_refuse(Wire *w, json_t *id, int code, const char *message)
{
    send_message(w, json_pack("{s:s, s:o, s:{s:i, s:s}}", "jsonrpc", "2.0", "id",
                              id ? id : json_null(), "error", "code", code, "message", message));
}

// --- receiving ----------------------------------------------------------------------------------

// Answers and drops the waiting request with this id.
static void cancel(Wire *w, const json_t *id)
{
    for (Waiting **at = &w->first; *at; at = &(*at)->next) {
        Waiting *found = *at;
        json_t *own = json_object_get(found->message, "id");
        if (!own || !json_equal(own, id)) continue;
        wire_refuse(w, json_incref(own), RPC_CANCELLED, "cancelled");
        *at = found->next;
        if (!*at) w->last = at;
        json_decref(found->message);
        free(found);
        return;
    }
}

static bool is_cancellation(const json_t *message)
{
    const char *method = json_string_value(json_object_get(message, "method"));
    return method && strcmp(method, "$/cancelRequest") == 0;
}

// Adds a message to those that wait. A cancellation also stays, for requests that have begun.
static void add(Wire *w, json_t *message)
{
    if (is_cancellation(message)) {
        const json_t *id = json_object_get(json_object_get(message, "params"), "id");
        if (id) cancel(w, id);
    }
    Waiting *one = memory_more(NULL, sizeof *one);
    *one = (Waiting){message, NULL};
    *w->last = one;
    w->last = &one->next;
}

static void take_body(Wire *w, const char *body, size_t len)
{
    json_error_t error;
    json_t *message = json_loadb(body, len, JSON_ALLOW_NUL | JSON_DECODE_ANY, &error);
    if (json_is_object(message)) {
        add(w, message);
        return;
    }
    json_decref(message);
    wire_refuse(w, NULL, message ? RPC_INVALID_REQUEST : RPC_PARSE_ERROR,
                message ? "a message is an object" : error.text);
}

static void drop(Wire *w, size_t n)
{
    w->len -= n;
    memmove(w->at, w->at + n, w->len);
}

// Returns the end of the header, 0 if it is not complete, and sets *length, to -1 if it has none.
static size_t read_header(const Wire *w, long long *length)
{
    static const char name[] = "Content-Length:";
    *length = -1;
    for (size_t from = 0;;) {
        const char *line = w->at + from, *end = memchr(line, '\n', w->len - from);
        if (!end) return 0;
        size_t n = (size_t)(end - line);
        from += n + 1;
        if (n == 0 || (n == 1 && line[0] == '\r')) return from;
        if (n < sizeof name || strncasecmp(line, name, sizeof name - 1) != 0) continue;
        char digits[24] = "", *rest;
        memcpy(digits, line + sizeof name - 1, n - sizeof name + 1 < 23 ? n - sizeof name + 1 : 23);
        *length = strtoll(digits, &rest, 10);
        if (rest == digits || (*rest && *rest != '\r' && *rest != ' ') || *length < 0) *length = -1;
    }
}

static void bad_header(Wire *w, size_t upto, const char *why)
{
    drop(w, upto);
    wire_refuse(w, NULL, RPC_PARSE_ERROR, why);
}

// Takes one message. Returns false if none is complete.
static bool take_message(Wire *w)
{
    long long length;
    size_t skipped = w->skip < w->len ? w->skip : w->len;
    w->skip -= skipped;
    drop(w, skipped);
    if (w->len == 0) return false;
    size_t header = read_header(w, &length);
    if (header == 0 && w->len < LONGEST_HEADER) return false;
    if (header == 0) {
        bad_header(w, w->len, "the header of this message is too long");
    } else if (length < 0) {
        bad_header(w, header, "the header of this message has no Content-Length");
    } else if (length > LONGEST_BODY) {
        w->skip = (size_t)length;
        bad_header(w, header, "this message is too long");
    } else {
        if (w->len - header < (size_t)length) return false;
        take_body(w, w->at + header, (size_t)length);
        drop(w, header + (size_t)length);
    }
    return true;
}

static bool can_read(const Wire *w)
{
    struct pollfd one = {.fd = w->in, .events = POLLIN};
    return !w->in_ended && poll(&one, 1, 0) > 0;
}

void wire_read(Wire *w)
{
    enum { PIECE = 1 << 16 };
    while (can_read(w)) {
        if (w->cap < w->len + PIECE) {
            w->cap = 2 * (w->len + PIECE);
            w->at = memory_more(w->at, w->cap);
        }
        ssize_t n = read(w->in, w->at + w->len, PIECE);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n > 0) w->len += (size_t)n;
        while (n > 0 && take_message(w)) continue;
        if (n <= 0) w->in_ended = true;
    }
}

json_t *wire_next(Wire *w)
{
    Waiting *one = w->first;
    if (!one) return NULL;
    json_t *message = one->message;
    w->first = one->next;
    if (!w->first) w->last = &w->first;
    free(one);
    return message;
}

bool wire_is_waiting(Wire *w)
{
    return w->first || can_read(w);
}

bool wire_has_ended(const Wire *w)
{
    return w->in_ended || w->out_ended;
}
