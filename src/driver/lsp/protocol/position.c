// Positions: lines, and characters in units of UTF-16 or UTF-8.
#include "driver/lsp/protocol/protocol.h"

// The number of bytes of the character at `i`, and its units. Ill-formed bytes count as one each.
static size_t character(const TextView *v, size_t i, int64_t *units)
{
    unsigned char c = (unsigned char)v->text[i];
    size_t n = c < 0xc2 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 1;
    if (n > v->len - i) n = 1;
    for (size_t k = 1; k < n; k++)
        if (((unsigned char)v->text[i + k] & 0xc0) != 0x80) n = 1;
    *units = v->utf8 ? (int64_t)n : n == 4 ? 2 : 1;
    return n;
}

// The end of a line, before its line break.
static size_t line_end(const TextView *v, int line)
{
    if (line + 1 >= v->nlines) return v->len;
    size_t end = v->lines[line + 1] - 1;
    return end > v->lines[line] && v->text[end - 1] == '\r' ? end - 1 : end;
}

size_t position_offset(const TextView *v, int64_t line, int64_t character_of_line)
{
    if (line < 0) return 0;
    if (line >= v->nlines) return v->len;
    size_t at = v->lines[line], end = line_end(v, (int)line);
    for (int64_t units = 0; at < end; at += character(v, at, &units)) {
        if (character_of_line <= 0) break;
        (void)character(v, at, &units);
        character_of_line -= units;
    }
    return at;
}

bool position_read(const TextView *v, const json_t *p, size_t *offset)
{
    const json_t *line = json_object_get(p, "line"), *column = json_object_get(p, "character");
    if (!json_is_integer(line) || !json_is_integer(column)) return false;
    *offset = position_offset(v, json_integer_value(line), json_integer_value(column));
    return true;
}

int64_t position_units(const TextView *v, size_t lo, size_t hi)
{
    int64_t all = 0, units;
    for (size_t i = lo; i < hi && i < v->len; all += units) i += character(v, i, &units);
    return all;
}

json_t *position_json(const TextView *v, size_t offset)
{
    int lo = 0, hi = v->nlines; // to find the last line that begins at or before offset
    if (offset > v->len) offset = v->len;
    while (hi - lo > 1) {
        int mid = lo + (hi - lo) / 2;
        if (v->lines[mid] <= offset)
            lo = mid;
        else
            hi = mid;
    }
    return json_pack("{s:i, s:I}", "line", lo, "character",
                     (json_int_t)position_units(v, v->lines[lo], offset));
}

json_t *range_json(const TextView *v, size_t lo, size_t hi)
{
    return json_pack("{s:o, s:o}", "start", position_json(v, lo), "end", position_json(v, hi));
}
