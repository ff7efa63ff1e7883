// The default policy lowers flat Core to low Core from the top down, in time linear in the term.
// (Each subterm is lowered once for each demand, and demands are few.)
//
// A term is lowered for WRITE (there is a destination) or for READ with a demand, which says for
// each nesting level of the array whether an element may be selected more than once. The demand on
// a variable follows from the lowered scope of its binder, so the value of a let and the array of a
// map are lowered after the body.
//
// READ
//   * map, generate: delayed (.src), unless some level is selected more than once and an element at
//     that level costs a loop, memory, or more than two simple operations; then to_mem of the WRITE
//     form. So a map over a map is one loop, but an array that a stencil or a second consumer reads
//     again is stored first.
//   * views: .src. The demand on the argument follows from how the view reads it. For split, levels
//     move in by one. Join and transpose select an outer element once for each inner one. An
//     overlapping slide, gather and repeat select everything more than once. All other views pass
//     on their own demand. A transposed array that must be stored is stored transposed, so that
//     memory is read along its rows, unless it is read through another transpose.
//   * reduce, fold with a scalar accumulator: a loop that reads the array once, so reduce(op, z,
//     map(f, xs)) needs no buffer.
//   * let of an array: the value READ with the demand of its scope, so it is stored only if that
//     pays off. An array that is stored only to be updated is stored in the memory of the updated
//     array (to_mem.inplace).
//   * all other terms (scan, iterate, scatter, array literals, `if` and accumulators with arrays):
//     to_mem of the WRITE form.
// WRITE
//   * map, generate: .seq, the body in WRITE.
//   * zip, concat, unzip, join, pad with a constant: .dst, where the arguments write to their own
//     parts of the destination. So do the components of a tuple.
//   * split, transpose, slice, reverse, rotate, permute, repeat, pad with other modes, components
//     and elements: copy of .src, which takes a single loop over the result. If the argument itself
//     must be written (a scan, rows that need memory), .dst instead, which saves a buffer and a
//     copy. The same holds for map.dst of a function made of views (write_put.c).
//   * reduce, fold, scan, iterate, scatter: .seq, or .inplace if one accumulator is enough.
//   * if, let: both branches and the body in WRITE.
//   * map over a join: the join of maps; reduce over a join: a fold over its rows (join.c).
//   * all other terms (variables, slide, gather): copy of the READ form.
//
// Explicit variants in the program (map.src, concat.dst, to_mem, ...) are kept. If such a variant
// makes a term write an array that the enclosing term reads, a to_mem is inserted; in the opposite
// case, a copy is inserted. In a file with #![explicit_memory] such an insertion is an error
// (insert.c), and a pattern without a variant takes the side of its position. There is one
// exception: whatever its variant, an array is stored if computing one element would compute
// hundreds of others (recompute.c).
//
// State and control (state.c)
//   * Statements are lowered in order. A term with loops, labels or calls is never evaluated twice.
//   * let x = get p for arrays: x is the memory of p if all its uses precede the next write to p;
//     otherwise it is stored at the let. So is any other array that reads p (order.c).
//   * put p v for arrays: v is written to p itself if no scalar of the old value is read after it
//     has changed (inplace.c); otherwise v is stored, then copied. The passes update_in_place and
//     rotate_buffers on Loop IR eliminate such copies if they can.
#include "memory_policy/internal.h"

// Whether two parameters may alias: both are references, and one of them may be written.
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
               .reads = map_new(arena),
               .writes = map_new(arena),
               .why = map_new(arena),
               .by_schedule = flat->by_schedule,
               .by_default = flat->by_default,
               .recomputed = map_new(arena),
               .inserted = map_new(arena),
               .whole = flat->span,
               .aliases = has_aliases(flat),
               .free_vars = map_new(arena),
               .read = lower_read_by_kind,
               .write = lower_write_by_kind};
    Node *low = lower_write(&l, lower_store_recomputed(&l, flat->body))->term;
    lower_report_inserted(&l, low, flat);
    if (choices) policy_list_choices(cx, arena, low, &l.why, choices);
    arena_delete(arena);
    return low;
}

Function *policy_lower(Session *cx, const Function *flat, Choices *choices)
{
    Function *low = ARENA_NEW(cx->arena, Function);
    *low = *flat;
    if (flat->body) low->body = lower_body(cx, flat, choices);
    if (flat->body) policy_note_chosen(cx, flat, low);
    memset(&low->callees, 0, sizeof low->callees);
    for (int i = 0; i < flat->callees.len; i++)
        vec_push(cx->arena, &low->callees, policy_lower(cx, flat->callees.at[i], choices));
    return low;
}

// Whether the error is about a variant rather than a missing to_mem or copy (E0411, E0412).
static bool is_of_variant(DiagCode code)
{
    return code == E0413 || code == E0414 || code == E0415 || code == E0416 || code == E0506;
}

const char *policy_refuses(Session *cx, const Function *flat)
{
    DiagMark before = diag_mark(cx);
    (void)policy_lower(cx, flat, NULL);
    Diags said = diag_withdraw(cx, before);
    for (int i = 0; i < said.len; i++)
        if (is_of_variant(said.at[i]->code)) return said.at[i]->text;
    return NULL;
}
