// Writes lines of C, broken at LINE_WIDTH columns.
#include "base/marks.h"
#include "emit/text/text.h"

#include <ctype.h>
#include <string.h>

// Rates how badly a break before text[i] reads. Breaks at operators that bind loosely are better.
// Returns NEVER if no break is possible.
enum { NEVER = 99 };

static int badness(const char *text, size_t i)
{
    static const struct {
        const char *text;
        int rank;
    } operators[] = {{"? ", 1},  {": ", 1}, {"|| ", 2}, {"&& ", 3}, {"== ", 4},
                     {"!= ", 4}, {"< ", 4}, {"> ", 4},  {"<= ", 4}, {">= ", 4},
                     {"+ ", 5},  {"- ", 5}, {"* ", 6},  {"/ ", 6},  {"% ", 6}};
    if (i < 2 || text[i - 1] != ' ') return NEVER;
    if (text[i - 2] == ',' || text[i - 2] == ';') return 0;
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++)
        if (strncmp(text + i, operators[k].text, strlen(operators[k].text)) == 0)
            return operators[k].rank;
    return NEVER;
}

enum { MAX_OPEN = 32, LONGEST_ALIGNED = 64 };

// The open parentheses at a position. For each of them, `column` is the column after the
// parenthesis, where its contents continue on a new line.
typedef struct {
    size_t column[MAX_OPEN];
    int depth;
} Open;

static void pass(Open *open, const char *at, size_t column)
{
    bool behind = strncmp(at, "= ", 2) == 0 && open->depth == 0;
    if (behind) open->column[0] = column + 2;
    if (strchr("([{", *at) && open->depth + 1 < MAX_OPEN) open->column[++open->depth] = column + 1;
    if (strchr(")]}", *at) && open->depth > 0) open->depth--;
}

typedef struct {
    size_t at; // 0 if there is no break
    int badness;
    bool call; // the break is after the opening parenthesis of a call
    Open open;
} Break;

// Whether the arguments of a call begin at text[i].
static bool is_behind_call(const char *text, size_t i)
{
    char before = i >= 2 && text[i - 1] == '(' ? text[i - 2] : ' ';
    return text[i] != ')' && (isalnum((unsigned char)before) || before == '_');
}

// Whether text[i] begins or ends a string literal.
static bool is_quote(const char *text, size_t i)
{
    size_t slashes = 0;
    while (slashes < i && text[i - 1 - slashes] == '\\') slashes++;
    return text[i] == '"' && slashes % 2 == 0;
}

// Finds the best place to break text[from..], which begins at `column` and is too long for the
// line. Prefers a break before an operator to one after the opening parenthesis of a call, which
// must be beyond the column `least`. If the line has no such place, returns the first one after it.
// Literals stay whole.
static Break find_break(const char *text, size_t from, size_t column, size_t least, Open open)
{
    Break best = {0}, call = {0};
    bool literal = false;
    for (size_t i = from; text[i]; i++, column++) {
        literal ^= is_quote(text, i);
        if (literal) continue;
        bool inside = column < LINE_WIDTH;
        if (!inside && (best.at || call.at)) break;
        int own = badness(text, i), bad = 10 * open.depth + own;
        bool shortens = i > from && column > open.column[open.depth] + 8;
        if (shortens && own != NEVER && (best.at == 0 || bad <= best.badness))
            best = (Break){.at = i, .badness = bad, .open = open};
        if (inside && i > from && column > least && is_behind_call(text, i))
            call = (Break){.at = i, .call = true, .open = open};
        pass(&open, text + i, column);
    }
    return best.at ? best : call;
}

// Writes a line, indented, and broken if it is too long. Blocks nested deeper than DEEPEST are not
// indented further, so that the size of the output is linear in the size of the program.
static void put_line(Emitter *e, const char *text)
{
    enum { DEEPEST = 20 };
    size_t margin = 4 * (size_t)(e->indent < DEEPEST ? e->indent : DEEPEST), column = margin,
           from = 0, length = strlen(text);
    bool code = *text != '#' && strncmp(text, "//", 2) != 0;
    Open open = {.column = {margin + 8}};
    for (;;) {
        mark_open(e->cx, e->out, e->from);
        text_printf(e->out, "%*s", (int)column, "");
        Break b = {0};
        if (code && column + length - from > LINE_WIDTH)
            b = find_break(text, from, column, margin + 16, open);
        if (b.at == 0) break;
        text_add(e->out, text + from, b.at - !b.call - from);
        mark_close(e->cx, e->out);
        text_char(e->out, '\n');
        from = b.at;
        open = b.open;
        column = open.column[open.depth];
        if (b.call || column > LONGEST_ALIGNED) column = open.column[open.depth] = margin + 8;
    }
    text_put(e->out, text + from);
    mark_close(e->cx, e->out);
    text_char(e->out, '\n');
}

void emit_line(Emitter *e, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_line(e, arena_vprintf(e->arena, format, args));
    va_end(args);
}

void emit_pragma(Emitter *e, const char *format, ...)
{
    va_list args;
    if (e->kernel) return; // these are for C compilers
    va_start(args, format);
    put_line(e, arena_printf(e->arena, "#pragma %s", arena_vprintf(e->arena, format, args)));
    va_end(args);
    e->pragmas = true;
}
