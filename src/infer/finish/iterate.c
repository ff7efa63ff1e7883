// Iterates length inference: a body is inferred repeatedly until no more variables become vectors.
#include "infer/finish/finish.h"

Body *infer_body_new(Infer *in, Arena *arena, Unit *unit, const Symbol *y)
{
    Body *b = ARENA_NEW(arena, Body);
    if (!unit->notes) unit->notes = ARENA_ARRAY(in->arena, Note, unit->nnotes + 1);
    Solver *solver = solver_new(in->cx, arena);
    *b = (Body){.in = in, .cx = in->cx, .arena = arena, .symbol = y, .tried = -1};
    b->scope = infer_scope_new(in, arena, unit, solver);
    b->negative = map_new(arena);
    b->scope.symbol = y;
    const Signature *sig = y ? y->signature : NULL;
    if (!sig) return b;
    infer_enter_visible(&b->scope, y);
    infer_push_generics(&b->scope, sig->generics.at, sig->generics.len);
    infer_push_shapes(&b->scope, sig);
    for (int i = 0; i < sig->generics.len; i++)
        if (sig->generics.at[i].kind != GENERIC_NAT)
            solver_declare(solver, sig->generics.at[i].name,
                           infer_meta_kind(sig->generics.at[i].kind));
    for (int i = 0; i < sig->params.len; i++) {
        const SigParam *p = &sig->params.at[i];
        Local *l = p->type ? infer_local_push(&b->scope, LOCAL_VALUE, p->name,
                                              y->item->params.at[i].span, p->type)
                           : NULL;
        if (l) l->reported = p->reported;
        vec_push(b->arena, &b->params, l);
        if (p->type && p->type->kind == TYPE_ERROR) b->failed = true;
    }
    return b;
}

// Records the types of the values that this iteration has raised. Returns true if there are any, in
// which case the types of the body are not final yet.
static bool rises(Body *b)
{
    Lengths *l = b->lengths;
    int from = l->settled;
    for (; l->settled < l->raised.len; l->settled++) {
        Raised *r = &l->raised.at[l->settled];
        r->lanes = infer_resolve(b, r->lanes);
        r->type = infer_resolve(b, infer_note(b, r->value)->type);
        if (infer_unknown_in(r->type) || r->lanes->kind == NAT_META) r->type = type_error(b->cx);
    }
    return l->settled > from;
}

// Drops the diagnostics about the body, because the next iteration reports them again if they still
// apply. Keeps those about other declarations.
static void drop_diagnostics(Session *cx, Span span, int diags, int errors)
{
    int kept = diags;
    cx->errors = errors;
    for (int i = diags; i < cx->diags.len; i++) {
        Diag *d = cx->diags.at[i];
        if (span_is_within(d->span, span)) continue;
        cx->diags.at[kept++] = d;
        cx->errors += !d->warning;
    }
    cx->diags.len = kept;
}

// Adds to an error about a raised variable a note that shows the assignment that raised it.
static void explain(Body *b, Diag *d)
{
    for (int i = 0; i < b->seen.len; i++) {
        const Ast *e = b->seen.at[i];
        const Local *l = e->kind == AST_NAME ? infer_note(b, e)->local : NULL;
        bool raised = l && l->value && span_is_within(e->span, d->span);
        const Raised *r = raised ? infer_find_raised(b, l->value) : NULL;
        if (!r) continue;
        diag_note(b->cx, d, r->at, "`%s` has a value for each lane because of this assignment",
                  l->name->text);
        return;
    }
}

// Records the types of all expressions of a body for editors, without those that inference adds.
static void record_types(Body *b)
{
    const Unit *u = b->scope.unit;
    if (!b->in->modules || !b->in->modules->uses) return;
    for (int i = 0; i < b->seen.len; i++) {
        const Ast *e = b->seen.at[i];
        if (e->id - u->first_id >= u->nnotes) continue;
        infer_record_type(b->in, e, infer_resolve(b, infer_note(b, e)->type));
    }
}

Body *infer_to_fixed_point(Infer *in, Arena *arena, const BodySource *r)
{
    Session *cx = in->cx;
    Lengths lengths = {0};
    int diags = cx->diags.len, errors = cx->errors;
    for (;;) {
        Body *b = infer_body_new(in, arena, r->unit, r->symbol);
        b->lengths = &lengths;
        r->walk(b, r->env);
        infer_finish(b);
        bool again = rises(b);
        for (int i = diags; i < cx->diags.len && !again; i++) explain(b, cx->diags.at[i]);
        b->lengths = NULL;
        if (!again) record_types(b);
        if (!again) return b;
        drop_diagnostics(cx, r->span, diags, errors);
        for (int id = r->first_id; id <= r->last_id; id++)
            r->unit->notes[id - r->unit->first_id] = (Note){0};
    }
}
