// Decides where masks of the active lanes are kept. A construct in SIMD mode that contains `scalar
// { }` cannot be compiled as the program of one lane, because scalar code is executed once for all
// active lanes together. Such a construct is executed statement by statement, and between
// statements a mask holds the active lanes (elaborate/masks.c). Its subexpressions are of three
// kinds: uniform ones, those that each lane executes by itself, and those that contain both.
#include "infer/simd/simd.h"

// --- functions ---------------------------------------------------------------------------------

const Symbol *infer_masked_callee(Body *b, const Ast *e)
{
    const Call *c = infer_note(b, e)->call;
    if (!c || c->partial || !c->symbol || !infer_keeps_masks(b->in, c->symbol)) return NULL;
    const Signature *sig = c->symbol->signature;
    bool data = sig && sig->simd && !sig->has_mode;
    for (int i = 0; data && i < sig->params.len; i++)
        data = !sig->params.at[i].type || sig->params.at[i].type->kind != TYPE_FUN;
    return data ? c->symbol : NULL;
}

// --- parts -------------------------------------------------------------------------------------

static Walk visit_scalar(const Ast *e, void *env)
{
    Body *b = env;
    const Note *note = infer_note(b, e);
    const Symbol *y = note->call ? note->call->symbol : NULL;
    if (note->held) return WALK_OVER; // already evaluated
    if (e->kind == AST_SCALAR) return WALK_STOP;
    return y && (infer_keeps_masks(b->in, y) || infer_prints(b->cx, y)) ? WALK_STOP : WALK_INTO;
}

bool infer_has_scalar(Body *b, const Ast *e)
{
    return ast_walk(e, visit_scalar, b);
}

// Whether an `if`, `match` or block has a uniform value but contains vectors.
static bool is_one_with_vectors(Body *b, const Ast *e)
{
    Node *t = infer_note(b, e)->type;
    bool holds = e->kind == AST_IF || e->kind == AST_MATCH || e->kind == AST_BLOCK;
    if (!holds || infer_note(b, e)->simd || !t) return false;
    t = infer_resolve(b, t);
    return type_is_data(t) && !type_is_unit(t) && !type_has_vector(t) && !infer_is_uniform(b, e);
}

// Whether the expression contains something that is done once while all lanes are active: an
// assignment to a uniform location, a mutable reference to one, or the computation of a uniform
// value from vectors.
static bool has_once(Body *b, const Ast *e)
{
    const Note *note = infer_note(b, e);
    if (note->held) return false;
    bool writes = e->kind == AST_ASSIGN || (e->kind == AST_REF && e->value.integer);
    Node *place = writes ? infer_note(b, e->kids.at[0])->type : NULL;
    if (place && infer_has_uniform(infer_resolve(b, place))) return true;
    if (is_one_with_vectors(b, e)) return true;
    bool loop = e->kind == AST_WHILE || e->kind == AST_LOOP || e->kind == AST_FOR;
    if (note->simd && (loop || e->kind == AST_WITH)) return false;
    bool choice = e->kind == AST_IF || e->kind == AST_MATCH || ast_is_logical(e);
    int n = note->simd && choice ? 1 : e->kids.len;
    for (int i = 0; i < n; i++)
        if (e->kids.at[i] && e->kids.at[i]->kind < AST_TYPE_NAME && has_once(b, e->kids.at[i]))
            return true;
    return false;
}

// Whether the expression cannot be part of the program of one lane.
static bool has_scalar_or_once(Body *b, const Ast *e)
{
    return infer_has_scalar(b, e) || has_once(b, e);
}

bool infer_has_scalar_from(Body *b, const Ast *block, int i)
{
    for (; i < block->kids.len; i++)
        if (block->kids.at[i] && infer_has_scalar(b, block->kids.at[i])) return true;
    return false;
}

static bool is_vector(Body *b, const Ast *e)
{
    Node *t = infer_note(b, e)->type;
    return t && type_has_vector(infer_resolve(b, t));
}

static bool is_jump(Body *b, const Note *note)
{
    const Local *l = note->local;
    return l && l->kind == LOCAL_VALUE && type_is_continuation(infer_resolve(b, l->type));
}

typedef struct {
    Body *b;
    const Local *local;
} Mention;

static Walk visit_mention(const Ast *e, void *env)
{
    const Mention *m = env;
    const Note *note = infer_note(m->b, e);
    bool found = e->kind == AST_NAME && (m->local ? note->local == m->local : is_jump(m->b, note));
    return found ? WALK_STOP : WALK_INTO;
}

bool infer_mentions(Body *b, const Ast *e, const Local *l)
{
    return ast_walk(e, visit_mention, &(Mention){b, l});
}

// Whether the expression is a path into a variable, with indices that are the same in all lanes.
static bool is_uniform_path(Body *b, const Ast *e)
{
    switch (e->kind) {
    case AST_NAME: return infer_note(b, e)->local && !is_jump(b, infer_note(b, e));
    case AST_INDEX:
        for (int i = 1; i < e->kids.len; i++)
            if (!infer_is_uniform(b, e->kids.at[i])) return false;
        return !infer_note(b, e)->symbol && is_uniform_path(b, e->kids.at[0]);
    case AST_FIELD:
    case AST_PROJ: return !infer_note(b, e)->symbol && is_uniform_path(b, e->kids.at[0]);
    case AST_PAREN:
    case AST_DEREF: return is_uniform_path(b, e->kids.at[0]);
    default: return false;
    }
}

bool infer_is_uniform(Body *b, const Ast *e)
{
    const Note *note = infer_note(b, e);
    if (is_vector(b, e)) return false;
    if (note->held) return true;
    bool part = e->kind == AST_INDEX || e->kind == AST_FIELD || e->kind == AST_PROJ;
    if (part && (note->symbol || is_uniform_path(b, e))) return true;
    if (e->kind == AST_SCALAR || (e->kind == AST_NAME && is_jump(b, note))) return false;
    if (infer_masked_callee(b, e)) return false;
    for (int i = 0; i < e->kids.len; i++)
        if (e->kids.at[i] && e->kids.at[i]->kind < AST_TYPE_NAME &&
            !infer_is_uniform(b, e->kids.at[i]))
            return false;
    return true;
}

// Whether the call is to a named function, or to break, continue or return, and no argument is
// missing.
static bool is_of_data(Body *b, const Call *c)
{
    const Ast *callee = c->callee ? ast_strip(c->callee) : NULL;
    bool jump = callee && callee->kind == AST_NAME && is_jump(b, infer_note(b, callee));
    return (c->symbol || jump) && !c->partial;
}

const Ast *const *infer_operands(Body *b, const Ast *e, int *n)
{
    const Call *c = infer_note(b, e)->call;
    bool index = e->kind == AST_INDEX, value = !infer_note(b, e)->symbol;
    *n = e->kids.len - index;
    switch (e->kind) {
    case AST_CALL:
    case AST_PIPE:
    case AST_BINARY:
        if (ast_is_logical(e)) return NULL;
        if (c) *n = c->nargs;
        if (c) return is_of_data(b, c) ? c->args : NULL;
        return e->kind == AST_BINARY ? (const Ast *const *)e->kids.at : NULL;
    case AST_UNARY: return (const Ast *const *)e->kids.at;
    case AST_CAST:
    case AST_FIELD:
    case AST_PROJ: *n = 1; return value ? (const Ast *const *)e->kids.at : NULL;
    case AST_INDEX: return value ? (const Ast *const *)e->kids.at + 1 : NULL;
    default: return NULL;
    }
}

typedef bool Has(Body *b, const Ast *e);

// Whether `has` holds for an operation only because of operands that are evaluated before it.
static bool has_in_operands(Body *b, const Ast *e, Has *has)
{
    int n;
    const Ast *const *operand = infer_operands(b, e, &n);
    if (!has(b, e) || !operand || (e->kind == AST_INDEX && has(b, e->kids.at[0]))) return false;
    for (int i = 0; i < n; i++) {
        AstKind kind = ast_strip(operand[i])->kind;
        bool done = kind != AST_LAMBDA && kind != AST_REF && kind != AST_MODE;
        if (!done && has(b, operand[i])) return false;
    }
    return true;
}

// Whether an operation has a uniform value, and is itself uniform once its operands have been
// evaluated. The operands may be computed from vectors.
static bool is_uniform_of_operands(Body *b, const Ast *e)
{
    int n;
    const Ast *const *operand = infer_operands(b, e, &n);
    Node *t = infer_note(b, e)->type;
    if (!operand || !t || is_vector(b, e) || !type_is_data(infer_resolve(b, t))) return false;
    if (e->kind == AST_INDEX && !infer_is_uniform(b, e->kids.at[0])) return false;
    for (int i = 0; i < n; i++) {
        AstKind kind = ast_strip(operand[i])->kind;
        bool done = kind != AST_LAMBDA && kind != AST_REF && kind != AST_MODE;
        if (done ? is_vector(b, operand[i]) : !infer_is_uniform(b, operand[i])) return false;
    }
    return true;
}

PartKind infer_part(Body *b, const Ast *e)
{
    const Note *note = infer_note(b, e);
    Node *place =
        e->kind == AST_ASSIGN ? infer_resolve(b, infer_note(b, e->kids.at[0])->type) : NULL;
    if (is_uniform_path(b, e) || infer_is_uniform(b, e)) return PART_UNIFORM;
    if (infer_masked_callee(b, e)) return PART_HOLDS;
    switch (e->kind) {
    case AST_NAME: return is_jump(b, note) ? PART_LANES : PART_UNIFORM;
    case AST_PAREN:
    case AST_UNCHECKED:
    case AST_BLOCK:
    case AST_SCALAR:
    case AST_REF:
    case AST_LAMBDA:
    case AST_TUPLE:
    case AST_ARRAY:
    case AST_STRUCT:
    case AST_INIT: return PART_HOLDS;
    case AST_IF:
    case AST_MATCH:
    case AST_WHILE:
    case AST_LOOP:
    case AST_FOR:
    case AST_WITH: return note->simd && !has_scalar_or_once(b, e) ? PART_LANES : PART_HOLDS;
    case AST_ASSIGN:
        if (has_scalar_or_once(b, e->kids.at[1])) return PART_HOLDS;
        return infer_has_uniform(place) ? PART_HOLDS : PART_LANES;
    case AST_BINARY:
        if (ast_is_logical(e)) return has_scalar_or_once(b, e) ? PART_HOLDS : PART_LANES;
        break;
    default: break;
    }
    if (is_uniform_of_operands(b, e)) return PART_HOLDS;
    bool holds =
        has_in_operands(b, e, infer_has_scalar) || has_in_operands(b, e, has_scalar_or_once);
    return holds ? PART_HOLDS : PART_LANES;
}
