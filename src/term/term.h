// The textual form of every level: S-expressions over the tables of ir/, with sizes and types as
// the language writes them. Printed by `adze explain`, compared by golden tests, and read back to
// the same node.
//
//   (map (lam (x: f32) (* x x)) xs)                  core: bound variables by name
//   (for i n (:= (acc_at out i) (* (at a i) 2.0)))   dpia
//
// A form is `(kind attribute operands... : type)` or `(kind.variant ...)`, with the kind and
// variant spelled as in ir/*.def.
//
// * Variables stand alone, by name. At a position for an acceptor a name is an ACC_VAR, elsewhere
//   the level decides: CORE_VAR, PH_VAR or LOOP_VAR. One that has no name here, or not the type of
//   its binder, is `(var 2 : f32)`, `(id a : f32)`, ...
// * Literals stand alone: `true`, `2.5` (f32), `3` (i32), with other types `2.5f64`, `3u8`. All
//   other literals are forms: `(lit 3 : idx[n])`, `(lit inf : f32)`, `(lit 0x8000 : f64)`
//   (hexadecimal: the bits of the attribute).
// * Operators are heads: `(+ a b)` is short for `(prim + a b)`.
// * `(lam (x: f32, y: i32) body)`, `(let x value body)` and `(label k f32 body)`, with the type of
//   the label's value, bind de Bruijn variables; `_` is an unused (). The kinds of dpia and loops
//   with a name bind that name in the operands after it: `(for i n body)`, `(new t f32 body)`,
//   `(let_in x value body)`, `(loop i from to body)`, and, to the end of the block, `(decl x f32
//   value)`, `(alloc b f32 count)`.
// * Sizes as operands are products or stand in parentheses: `(split 4*n xs)`, `(slice (n - 1) 1
//   xs)`. Types are written in full, structs with their fields: `[n]Complex{re: f32, im: f32}`. In
//   a place for either (generic arguments) a type is `(type f32)`.
// * Codes of run-time errors are written by name: `(require E0601 condition)`. Comments begin with
//   `;`.
// * The type is written if it does not follow from the operands by the typing rule of the level.
#ifndef ADZE_TERM_TERM_H
#define ADZE_TERM_TERM_H

#include "types/types.h"

/// The type rule of a level: the type of a node like `spec` (whose own type is NULL if it is not
/// known yet); NULL with *why if the operands don't fit or the type has to be given; NULL with *why
/// unchanged for kinds that have no type.
typedef Node *TermRule(Session *cx, const NodeSpec *spec, const char **why);

/// The scope of the text of a term.
typedef struct {
    int level;          // LEVEL_CORE (or 0), LEVEL_DPIA or LEVEL_LOOP: how names are read
    const Sym *names;   // variables in scope, outermost first
    Node *const *types; // their types; when printing, may be NULL
    int n;
    TermRule *rule; // NULL for no checks, and types only if the form has them
} TermScope;

/// Writes `e`, with lines broken at about `width` columns (0 for one line) and indented by
/// `indent`; the cursor already is at that column. Bound names are the hints, made distinct if they
/// would shadow a variable in use.
void term_print_in(Session *cx, Text *out, Node *e, const TermScope *scope, int indent, int width);

/// The same for a term with these free de Bruijn variables (or for a level with names), without a
/// rule.
void term_print(Session *cx, Text *out, Node *e, const Sym *free_names, int nfree, int width);
const char *term_show(Session *cx, Node *e, const Sym *free_names, int nfree); // one line

/// A position in a text. After the first error (E0119) the reader reads nothing more.
typedef struct {
    Session *cx;
    uint32_t file;
    uint32_t at, end;
    int level; // LEVEL_CORE (or 0), LEVEL_DPIA, LEVEL_LOOP
    int depth; // depth of nesting, which has a limit
    bool failed;
} TermReader;

/// A reader at the beginning of a file of the session.
TermReader term_reader(Session *cx, uint32_t file, int level);

/// Reads one term; reports E0119 and gives NULL if it is malformed. Variables in scope are as in
/// TermScope.
Node *term_read_in(TermReader *r, const TermScope *scope);
Node *term_read(TermReader *r, const Sym *free_names, Node *const *free_types, int nfree,
                TermRule *rule);

/// Pieces of the headers of functions, phrases and loop entries.
/// If `text` is next (as a whole word), consumes it and returns true.
bool term_read_punctuation(TermReader *r, const char *text);
/// The same; reports E0119 if something else is next.
bool term_read_expected(TermReader *r, const char *text);
/// If `(word` is next, consumes it and returns true.
bool term_read_part(TermReader *r, const char *word);
Sym term_read_name(TermReader *r); // NULL and E0119 if none is next
Node *term_read_type(TermReader *r);
Node *term_read_size(TermReader *r);         // a whole size expression: n + 1
const char *term_read_string(TermReader *r); // "..." with \n, \" and \\ as escapes
bool term_read_end(TermReader *r);           // only blanks and ; comments are left
void term_print_string(Text *out, const char *text);

/// Reports E0119 at the reader's position; gives NULL.
void *term_read_fail(TermReader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
