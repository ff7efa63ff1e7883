// The default policy: flat Core to low Core, top down, in time linear in the term (each subterm is
// lowered once for each way it is wanted, and these are few).
//
// A term is lowered for WRITE (there is a destination) or for READ with a demand: per nesting level
// of the array, whether an element may be selected more than once. A variable learns the demand on
// it from the lowered scope of its binder: the value of a let and the array of a map are lowered
// after the body.
//
// READ
//   * map, generate: delayed (.src), unless some level is selected more than once and an
//     element there costs more than two simple operations, calls for a loop or for memory: then
//     to_mem of the WRITE form. So a map over a map is one loop, and what a stencil, a row used
//     twice or a second consumer reads again is stored first.
//   * views: .src. The argument is wanted as the view reads it: split's one level further in;
//     join's and transpose's outer elements once for each inner one; all of an overlapping
//     slide's, gather's and repeat's more than once; the others' as the view is wanted itself.
//     A transposed array that must be stored is stored transposed, unless it is read through
//     another transpose: memory is then read along its rows.
//   * reduce, fold with a scalar accumulator: a loop that reads the array once, so no buffer
//     for reduce(op, z, map(f, xs)).
//   * let of an array: the value READ with the demand of its scope, so memory only where it
//     pays. One that is stored only to be updated is stored where the updated one is wanted (to_mem.inplace).
//   * the rest (scan, iterate, scatter, array literals, `if` and accumulators with arrays):
//     to_mem of the WRITE form.
// WRITE
//   * map, generate: .seq, the body in WRITE.
//   * zip, concat, unzip, join, pad with a constant: .dst, the arguments write to their parts
//     of the destination. So do the components of a tuple.
//   * split, transpose, slice, reverse, rotate, permute, repeat, pad with other modes, components
//     and elements: copy of .src, one loop over the result; .dst when the argument must be written
//     itself (a scan, rows that need memory), instead of a buffer and a copy. So map.dst for a
//     function made of views (write_put.c).
//   * reduce, fold, scan, iterate, scatter: .seq; .inplace where one accumulator is enough.
//   * if, let: WRITE in both branches, in the body.
//   * map over a join: the join of maps; reduce over a join: a fold over its rows (join.c).
//   * the rest (variables, slide, gather): copy of the READ form.
// What the program says itself (map.src, concat.dst, to_mem, ...) stays as it is; where that makes
// an array that is written the argument of something that reads, or the other way round, a to_mem
// or a copy is inserted. In a file with #![explicit_memory] nothing is inserted (insert.c): what is
// left open takes the side on which it stands, and where that is not enough it is an error. One
// exception: arrays of which an element would take that of hundreds of others are stored all the
// same (recompute.c). State and control (state.c)
//   * Statements are lowered where they stand, in their order. A term with loops, labels or calls is
//     work that is not done again.
//   * let x = get p for arrays: x is the memory of p where all its uses come before the next write
//     to p; else it is stored at the let. So is any other array that reads p (order.c).
//   * put p v for arrays: v is written to p itself when no scalar of the old value is needed after it was changed (inplace.c); else v is
//     stored, then copied. The passes update and rotate on loops leave out copies where they can.
#include "memory_policy/internal.h"

// Whether a place may have two names: those of two parameters, of which one is written.
static bool has_aliases(const Function *f)
{
    int references = 0;
    bool mutable = false;
    for (int i = 0; i < f->params.len; i++) {
        Node *type = f->params.at[i].type;
        if (type->kind != TYPE_REF) continue;
        references++;
        mutable |= type_ref_mutable(type);
    }
    return mutable && references > 1;
}

static Node *lower_body(Session *cx, const Function *flat, Choices *choices)
{
    Arena *arena = arena_new_beside(cx->arena);
    Lower l = {.cx = cx,
               .arena = arena,
               .read = lower_read_by_kind,
               .write = lower_write_by_kind,
               .aliases = has_aliases(flat)};
    l.reads = map_new(arena);
    l.writes = map_new(arena);
    l.why = map_new(arena);
    l.recomputed = map_new(arena);
    l.inserted = map_new(arena);
    l.free = map_new(arena);
    l.whole = flat->span;
    l.by_schedule = flat->by_schedule;
    Node *low = lower_write(&l, lower_store_recomputed(&l, flat->body))->term;
    lower_report_inserted(&l, low, flat);
    if (choices) rewrite_tell(cx, arena, low, &l.why, choices);
    arena_delete(arena);
    return low;
}

Function *rewrite_lower(Session *cx, const Function *flat, Choices *choices)
{
    Function *low = ARENA_NEW(cx->arena, Function);
    *low = *flat;
    if (flat->body) low->body = lower_body(cx, flat, choices);
    if (flat->body) rewrite_chosen(cx, flat, low);
    low->callees.len = low->callees.cap = 0;
    low->callees.at = NULL;
    for (int i = 0; i < flat->callees.len; i++)
        vec_push(cx->arena, &low->callees, rewrite_lower(cx, flat->callees.at[i], choices));
    return low;
}

// What is said of a variant, not of what is missing around it (E0411, E0412).
static bool is_of_variant(DiagCode code)
{
    return code == E0413 || code == E0414 || code == E0415 || code == E0416 || code == E0506;
}

const char *rewrite_refuses(Session *cx, const Function *flat)
{
    DiagMark before = diag_mark(cx);
    (void)rewrite_lower(cx, flat, NULL);
    Diags said = diag_withdraw(cx, before);
    for (int i = 0; i < said.len; i++)
        if (is_of_variant(said.at[i]->code)) return said.at[i]->text;
    return NULL;
}
