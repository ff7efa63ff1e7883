// Builds the reports of --json.
#include "driver/pipeline/session.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void no_memory(void)
{
    fputs("adze: out of memory\n", stderr);
    exit(1);
}

void json_put(json_t *object, const char *key, json_t *value)
{
    if (!value || json_object_set_new(object, key, value) != 0) no_memory();
}

json_t *json_text(const char *text)
{
    json_t *s = json_string(text);
    if (s) return s;
    char *copy = strdup(text);
    if (!copy) no_memory();
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    s = json_string(copy);
    free(copy);
    return s;
}

static void put_span(json_t *object, const Session *cx, Span span)
{
    bool known = span.file > 0 && span.file <= (uint32_t)cx->sources.len;
    int line = 0, column = 0, end_line = 0, end_column = 0;
    if (known) {
        session_position(cx, span.file, span.lo, &line, &column);
        session_position(cx, span.file, span.hi, &end_line, &end_column);
    }
    json_put(object, "file", known ? json_text(cx->sources.at[span.file - 1]->path) : json_null());
    json_put(object, "line", known ? json_integer(line) : json_null());
    json_put(object, "column", known ? json_integer(column) : json_null());
    json_put(object, "end_line", known ? json_integer(end_line) : json_null());
    json_put(object, "end_column", known ? json_integer(end_column) : json_null());
}

json_t *json_span(const Session *cx, Span span)
{
    json_t *object = json_object();
    put_span(object, cx, span);
    return object;
}

json_t *json_diagnostic(const Session *cx, const Diag *x)
{
    json_t *object = json_object(), *notes = json_array();
    json_put(object, "code", json_string(diag_name(x->code)));
    json_put(object, "severity", json_string(x->warning ? "warning" : "error"));
    put_span(object, cx, x->span);
    json_put(object, "message", json_text(x->text));
    for (int i = 0; i < x->notes.len; i++) {
        const DiagNote *n = &x->notes.at[i];
        json_t *note = json_object();
        json_put(note, "kind", json_string(n->help ? "help" : "note"));
        json_put(note, "message", json_text(n->text));
        if (n->span.file) put_span(note, cx, n->span);
        json_array_append_new(notes, note);
    }
    json_put(object, "notes", notes);
    return object;
}

// Returns a number as JSON. JSON has no infinities or NaN, and jansson has no integers above
// INT64_MAX, so these become strings, spelled as they are printed elsewhere.
static json_t *json_number(uint64_t bits, Scalar s)
{
    char text[24];
    double x;
    switch (scalar_info[s].class) {
    case CLASS_BOOL: return json_boolean(bits);
    case CLASS_INT: return json_integer((json_int_t)bits);
    case CLASS_UINT:
        if (bits <= INT64_MAX) return json_integer((json_int_t)bits);
        snprintf(text, sizeof text, "%" PRIu64, bits);
        return json_string(text);
    case CLASS_FLOAT:
        x = float_value(bits);
        if (isnan(x)) return json_string("nan");
        return isinf(x) ? json_string(x < 0 ? "-inf" : "inf") : json_real(x);
    }
    return NULL;
}

json_t *json_value(const Value *v, Node *type)
{
    if (type->kind == TYPE_SCALAR || type->kind == TYPE_IDX) {
        Scalar s = SCALAR_I64;
        type_is_scalar(type, &s);
        return json_number(v->bits, s);
    }
    if (type_is_up_to(type)) {
        Value elements = value_elements(v);
        return json_value(&elements, type->op[1]);
    }
    bool fields = type->kind == TYPE_STRUCT && type->names;
    json_t *all = fields ? json_object() : json_array();
    for (int64_t i = 0; i < v->count; i++) {
        Node *part = type_has_elements(type) ? type->op[1] : type->op[i];
        json_t *one = json_value(&v->parts[i], part);
        if (fields)
            json_put(all, type->names[i]->text, one);
        else if (json_array_append_new(all, one) != 0)
            no_memory();
    }
    return all;
}
