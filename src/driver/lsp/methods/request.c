// What all requests share.
#include "driver/lsp/methods/methods.h"

json_t *server_fail(Failure *failure, int code, const char *message)
{
    *failure = (Failure){code, message};
    return NULL;
}

const char *server_uri(const json_t *params)
{
    return json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
}

Document *server_document(Server *s, const json_t *params, Failure *failure)
{
    Document *d = server_find(s, server_uri(params));
    if (!d) server_fail(failure, RPC_INVALID_PARAMS, "textDocument is not open");
    return d;
}

Analysis *server_place(Server *s, const json_t *params, size_t *offset, Failure *failure)
{
    Document *d = server_document(s, params, failure);
    if (!d) return NULL;
    TextView v = document_view(d, s->utf8);
    if (position_read(&v, json_object_get(params, "position"), offset)) return analysis_of(s, d);
    server_fail(failure, RPC_INVALID_PARAMS, "position has a line and a character");
    return NULL;
}
