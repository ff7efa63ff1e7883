// The textual form of every level: S-expressions over the tables of ir/, with sizes and types as the language writes them.
// Printed by `adze explain`, compared by golden tests, and read back to the very same node.
//
//   (map (lam (x: f32) (prim * x x)) xs)                  core: bound variables by name
//   (for i n (:= (acc_at out i) (prim * (at a i) 2.0)))   dpia
//
// A form is `(kind operands...)` or `(kind.variant operands...)`; an attribute stands before the operands. Variables and atoms
// stand alone. Where the type of a node does not follow from its operands it is written after a colon: `(cast e : f32)`, `1 : i64`
// (literals of f32, i32 and bool without a type).
#ifndef ADZE_TERM_TERM_H
#define ADZE_TERM_TERM_H

#include "types/types.h"

/// Writes `e`, lines broken and indented at about `width` columns (0: one line). `free_names` name the free de Bruijn
/// variables, outermost first. Bound names are the hints, made distinct where they would shadow a variable in use.
void term_print(Session *cx, Text *out, Node *e, const Sym *free_names, int nfree, int width);
const char *term_show(Session *cx, Node *e, const Sym *free_names, int nfree); // one line

/// A position in a text that is being read.
typedef struct {
    Session *cx;
    uint32_t file;
    uint32_t at, end;
} TermReader;

/// Reads one term; NULL and E0110 when it is malformed. `free_names` with `free_types` are the variables in scope, outermost first.
/// The type rule of a kind comes from core/ (this folder is below it): `rule` may be NULL for levels without types.
typedef Node *TermRule(Session *cx, const NodeSpec *spec, const char **why);
Node *term_read(TermReader *r, const Sym *free_names, Node *const *free_types, int nfree, TermRule *rule);

/// Pieces that the headers of functions, phrases and loop entries are made of.
bool term_read_punctuation(TermReader *r, const char *text); // true and past it when `text` is next
Sym term_read_name(TermReader *r);                            // NULL and E0110 when none is next
Node *term_read_type(TermReader *r);
Node *term_read_size(TermReader *r);
bool term_read_end(TermReader *r);                            // only blanks and ; comments are left

#endif
