// Length inference (PolyVecImp: Leissa's thesis, 4.4). A variable without a type annotation keeps
// one value for all lanes as long as possible. Assigning a vector to it, or assigning to it while
// only some lanes are active, raises it to a vector. The body is then inferred again, until the
// lengths have reached a fixed point in the lattice 1 < L. Function signatures are not inferred: a
// function on scalars is called once per lane, and other functions declare their lengths.
#include "infer/constraints/constraints.h"

Raised *infer_find_raised(const Body *b, const Ast *value)
{
    for (int i = 0; i < b->lengths->raised.len; i++)
        if (b->lengths->raised.at[i].value == value) return &b->lengths->raised.at[i];
    return NULL;
}

// Whether a variable with this initial value can become a vector.
static bool can_rise(Body *b, const Ast *value, Node *lanes)
{
    Node *t = infer_resolve(b, infer_note(b, value)->type);
    AstKind kind = ast_strip(value)->kind;
    if (t->kind == TYPE_ARRAY && kind != AST_ARRAY) return false; // raising would copy the array
    Node *many = infer_has_uniform(t) ? infer_many(b, t, lanes) : NULL;
    return many && many != t;
}

bool infer_raise_value(Body *b, const Ast *value, Node *lanes, Span at)
{
    if (!b->lengths) return false;
    const Raised *r = infer_find_raised(b, value);
    // A value with a type was raised in an earlier iteration, which did not remove the error.
    if (r) return r->type == NULL;
    if (!can_rise(b, value, lanes)) return false;
    vec_push(b->in->arena, &b->lengths->raised, ((Raised){value, lanes, NULL, at}));
    return true;
}

bool infer_raise_call(Body *b, const Ast *call, Node *lanes, Span at)
{
    const Raised *r = b->lengths ? infer_find_raised(b, call) : NULL;
    if (r || !b->lengths) return r && !r->type;
    vec_push(b->in->arena, &b->lengths->raised, ((Raised){call, lanes, NULL, at}));
    return true;
}

bool infer_is_raised(Body *b, const Ast *call)
{
    const Raised *r = b->lengths ? infer_find_raised(b, call) : NULL;
    return r && r->type;
}

bool infer_raise(Body *b, const Local *l, Node *lanes, Span at)
{
    return l && l->value && infer_raise_value(b, l->value, lanes, at);
}

// The type with vectors in place of its scalars. A number becomes a vector of unknown numbers,
// because its type may have been determined by literals alone.
static Node *raised_type(Body *b, Node *t, Node *lanes)
{
    bool parts = t->kind == TYPE_TUPLE || t->kind == TYPE_ARRAY;
    if (type_is_number(t)) return type_varying(b->cx, lanes, infer_fresh(&b->scope, GENERIC_NUM));
    if (!parts) return infer_many(b, t, lanes);
    for (uint32_t i = t->kind == TYPE_ARRAY; i < t->nops; i++)
        t = node_with_op(b->cx, t, (int)i, raised_type(b, t->op[i], lanes));
    return t;
}

Node *infer_raised(Body *b, const Ast *value)
{
    const Raised *r = b->lengths ? infer_find_raised(b, value) : NULL;
    return r && r->type && r->type->kind != TYPE_ERROR ? raised_type(b, r->type, r->lanes) : NULL;
}

// The type of the value that a pattern matches, with unknowns for the names that were not raised,
// or NULL if none was raised.
static Node *raised_parts(Body *b, const Ast *pattern)
{
    if (pattern->kind != AST_BIND_TUPLE) return infer_raised(b, pattern);
    int n = pattern->kids.len;
    bool any = false;
    Node **parts = ARENA_ARRAY(b->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) {
        parts[i] = raised_parts(b, pattern->kids.at[i]);
        any |= parts[i] != NULL;
        if (!parts[i]) parts[i] = infer_unknown(b);
    }
    return any ? type_tuple(b->cx, n, parts) : NULL;
}

Node *infer_raised_value(Body *b, const Ast *let)
{
    if (let->kids.at[1]) return NULL;
    const Ast *pattern = let->kids.at[0], *value = let->kids.at[2];
    return pattern->kind == AST_BIND_TUPLE ? raised_parts(b, pattern) : infer_raised(b, value);
}

static void declare_parts(Body *b, const Ast *pattern)
{
    Local *l = infer_note(b, pattern)->local;
    bool name = pattern->kind == AST_BIND_MUT && pattern->kids.len == 0;
    if (name && l) l->value = pattern;
    for (int i = 0; pattern->kind == AST_BIND_TUPLE && i < pattern->kids.len; i++)
        declare_parts(b, pattern->kids.at[i]);
}

void infer_declare(Body *b, const Ast *let)
{
    const Ast *pattern = let->kids.at[0];
    Local *l = infer_note(b, pattern)->local;
    if (let->kids.at[1]) return;
    if (pattern->kind == AST_BIND_TUPLE)
        declare_parts(b, pattern);
    else if (l && pattern->kids.len == 0 && l->mutable)
        l->value = let->kids.at[2];
}
