// The textual form of every level: S-expressions of the kinds listed in ir/*.def, with sizes and
// types written as in programs. It is printed by `adze explain`, compared by golden tests, and
// reads back as the same node.
//
//   (map (lam (x: f32) (* x x)) xs)                  core; bound variables have names
//   (for i n (:= (acc_at out i) (* (at a i) 2.0)))   dpia
//
// A form is `(kind attribute operands... : type)` or `(kind.variant ...)`, with the kind and
// variant spelled as in ir/*.def.
//
// * A variable is written as its name. Where an acceptor is expected, a name is an ACC_VAR;
//   elsewhere the level decides: CORE_VAR, PH_VAR or LOOP_VAR. A variable without a name here, or
//   whose type is not that of its binder, is written as `(var 2 : f32)`, `(id a : f32)`, ...
// * Literals stand alone: `true`, `2.5` (f32), `3` (i32), and for other types `2.5f64`, `3u8`. All
//   other literals are forms: `(lit 3 : idx[n])`, `(lit inf : f32)`, or, with the attribute's bits
//   in hexadecimal, `(lit 0x8000 : f64)`.
// * A form may begin with an operator: `(+ a b)` is short for `(prim + a b)`.
// * `(lam (x: f32, y: i32) body)`, `(let x value body)` and `(label k f32 body)`, where f32 is the
//   type of the label's value, bind de Bruijn variables; `_` stands for an unused variable of type
//   (). The kinds of dpia and loops that bind a name bind it in the operands after it:
//   `(for i n body)`, `(new t f32 body)`, `(let_in x value body)`, `(loop i from to body)`. Some
//   bind it to the end of the block: `(decl x f32 value)`, `(alloc b f32 count)`.
// * Sizes as operands are products or in parentheses: `(split 4*n xs)`, `(slice (n - 1) 1 xs)`.
//   Types are written in full, and structs with their fields: `[n]Complex{re: f32, im: f32}`. Where
//   both are possible (generic arguments), a type is written as `(type f32)`.
// * Run-time error codes are written by name: `(require E0601 condition)`. Comments begin with `;`.
// * The type of a term is written if it does not follow from the operands by the typing rule of the
//   level.
#ifndef ADZE_TERM_TERM_H
#define ADZE_TERM_TERM_H

#include "types/types.h"

/// The typing rule of a level. Returns the type of the node `spec`, whose own type is NULL if it is
/// not known yet. If the operands do not fit or the type must be given, returns NULL and sets *why.
/// For kinds that have no type, returns NULL and leaves *why unchanged.
typedef Node *TermRule(Session *cx, const NodeSpec *spec, const char **why);

/// The scope in which a term is printed or read.
typedef struct {
    int level;          // LEVEL_CORE (or 0), LEVEL_DPIA or LEVEL_LOOP; decides how names are read
    const Sym *names;   // the variables in scope, outermost first
    Node *const *types; // their types; may be NULL when printing
    int n;
    TermRule *rule; // if NULL, nothing is checked, and only terms with an explicit type have one
} TermScope;

/// Prints `e`. Lines are broken at about `width` columns (0 for a single line) and indented by
/// `indent`; the output must already be at that column. Bound variables are named by their hints,
/// which are made distinct if they would shadow a variable in use.
void term_print_in(Session *cx, Text *out, Node *e, const TermScope *scope, int indent, int width);

/// Prints a term without using a typing rule. `free_names` names its free de Bruijn variables;
/// levels with named variables need none.
void term_print(Session *cx, Text *out, Node *e, const Sym *free_names, int nfree, int width);
/// Like term_print, but returns the text, on a single line.
const char *term_show(Session *cx, Node *e, const Sym *free_names, int nfree);

/// A position in the text being read. After the first error (E0119), nothing more is read.
typedef struct {
    Session *cx;
    uint32_t file;
    uint32_t at, end;
    int level; // LEVEL_CORE (or 0), LEVEL_DPIA or LEVEL_LOOP
    int depth; // the current nesting depth, which is limited
    bool failed;
} TermReader;

/// A reader positioned at the beginning of a file of the session.
TermReader term_reader(Session *cx, uint32_t file, int level);

/// Reads one term. Reports E0119 and returns NULL if it is malformed.
Node *term_read_in(TermReader *r, const TermScope *scope);
/// Like term_read_in, but takes the variables in scope and the rule as arguments (see TermScope).
Node *term_read(TermReader *r, const Sym *free_names, Node *const *free_types, int nfree,
                TermRule *rule);

// Readers for the headers of functions, phrases and loop entries. Those that return a pointer
// report E0119 and return NULL if the text is malformed.

/// If `text` is next (as a whole word), consumes it and returns true.
bool term_read_punctuation(TermReader *r, const char *text);
/// Like term_read_punctuation, but reports E0119 if something else is next.
bool term_read_expected(TermReader *r, const char *text);
/// If `(word` is next, consumes it and returns true.
bool term_read_part(TermReader *r, const char *word);
Sym term_read_name(TermReader *r);
Node *term_read_type(TermReader *r);
Node *term_read_size(TermReader *r);         // a whole size expression, such as n + 1
const char *term_read_string(TermReader *r); // "..." with \n, \" and \\ as escapes
bool term_read_end(TermReader *r);           // whether only white space and comments are left
void term_print_string(Text *out, const char *text);

/// Reports E0119 at the reader's position. Returns NULL.
void *term_read_fail(TermReader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
