// Function instances, which bind the names in sizes and types.
#include "core/eval/eval.h"

bool eval_term(Eval *ev, Node *e, Scope s, Value *out)
{
    return ev->term(ev, e, s, out);
}

bool eval_fail(Eval *ev, DiagCode code, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(ev->keep, format, args);
    va_end(args);
    ev->outcome = (Outcome){.code = code, .span = span, .text = text};
    return false;
}

bool eval_charge(Eval *ev, int64_t steps, Span span)
{
    if (steps >= ev->fuel) {
        ev->fuel = 0;
        return eval_fail(ev, E0605, span, "the evaluation takes too many steps");
    }
    ev->fuel -= steps;
    return true;
}

bool eval_parts(Eval *ev, int64_t count, Span span, Value *out)
{
    if (count < 0) return eval_fail(ev, E0604, span, "a size is %lld", (long long)count);
    if (!eval_charge(ev, count, span)) return false;
    *out = (Value){.count = count};
    if (count) out->parts = ARENA_ARRAY(ev->arena, Value, count);
    return true;
}

// --- sizes and types ---------------------------------------------------------------------------

static bool lookup_size(Node *atom, int64_t *value, void *env)
{
    const Instance *in = env;
    if (atom->kind != NAT_VAR) return false;
    for (int i = 0; i < in->ngenerics; i++)
        if (in->generics[i].name == atom->attr.sym)
            return nat_is_const(in->generics[i].value, value);
    return false;
}

bool scope_size(Eval *ev, Scope s, Node *size, Span span, int64_t *value)
{
    if (nat_eval(size, lookup_size, s.in, value)) return true;
    return eval_fail(ev, E0607, span, "the size `%s` cannot be computed",
                     nat_show_written(ev->cx, size));
}

Node *scope_type(Eval *ev, Scope s, Node *type)
{
    if (type->kind == TYPE_SCALAR || s.in->ngenerics == 0) return type;
    void *known = map_get(&s.in->types, MAP_KEY(type));
    if (known) return known;
    Node *closed = node_replace_names(ev->cx, type, s.in->generics, s.in->ngenerics);
    map_put(&s.in->types, MAP_KEY(type), (void *)(uintptr_t)closed);
    return closed;
}

Scalar scope_scalar(Eval *ev, Scope s, Node *type)
{
    Scalar scalar = SCALAR_I64; // idx
    Node *closed = scope_type(ev, s, type);
    if (type_is_scalar(closed, &scalar) || closed->kind == TYPE_IDX) return scalar;
    session_ice(ev->cx, __FILE__, __LINE__, "%s is not a scalar", type_show(ev->cx, closed));
}

bool eval_zero(Eval *ev, Node *type, Span span, Value *out)
{
    int64_t n;
    *out = value_atom(0); // also the bits of 0.0, and of zero in the field
    if (type_is_atom(type)) return true;
    if (type_has_elements(type)) {
        if (!nat_is_const(type->op[0], &n))
            return eval_fail(ev, E0607, span, "a size cannot be computed");
        Value zero;
        if (!eval_parts(ev, n, span, out) || !eval_zero(ev, type->op[1], span, &zero)) return false;
        for (int64_t i = 0; i < n; i++) out->parts[i] = zero;
        return true;
    }
    if (!eval_parts(ev, type->nops, span, out)) return false;
    for (uint32_t i = 0; i < type->nops; i++)
        if (!eval_zero(ev, type->op[i], span, &out->parts[i])) return false;
    return true;
}

// --- instances ---------------------------------------------------------------------------------

static bool relation_holds(SizeRelation relation, int64_t left, int64_t right)
{
    switch (relation) {
    case SIZE_EQ: return left == right;
    case SIZE_LE: return left <= right;
    case SIZE_NE: return left != right;
    }
    return false;
}

static const char *failed_check(Session *cx, const SizeCheck *c, SizeLookup *lookup, void *env)
{
    int64_t left, right;
    if (!nat_eval(c->left, lookup, env, &left) || !nat_eval(c->right, lookup, env, &right))
        return arena_printf(cx->arena, "%s or %s cannot be computed", nat_show(cx, c->left),
                            nat_show(cx, c->right));
    return relation_holds(c->relation, left, right) ? NULL : size_check_report(cx, c, lookup, env);
}

Outcome size_checks_eval(Session *cx, const SizeChecks *checks, Span span, SizeLookup *lookup,
                         void *env)
{
    for (int i = 0; i < checks->len; i++) {
        const SizeCheck *c = &checks->at[i];
        const char *text = failed_check(cx, c, lookup, env);
        if (text)
            return (Outcome){.code = E0604, .span = c->span.file ? c->span : span, .text = text};
    }
    return (Outcome){.ok = true};
}

static bool checks_hold(Eval *ev, Instance *in, const SizeChecks *checks, Span span)
{
    Outcome o = size_checks_eval(ev->cx, checks, span, lookup_size, in);
    if (!o.ok) ev->outcome = o;
    return o.ok;
}

static bool is_instance(const Instance *in, const Function *f, const NodeBinding *generics, int n)
{
    if (in->f != f || in->ngenerics != n) return false;
    for (int i = 0; i < n; i++)
        if (in->generics[i].value != generics[i].value) return false;
    return true;
}

Instance *eval_instance(Eval *ev, const Function *f, const NodeBinding *generics, int n, Span span)
{
    uint64_t key = MAP_KEY(f);
    for (int i = 0; i < n; i++) key = hash_mix(key, generics[i].value->id);
    Instance *latest = map_get(&ev->instances, key);
    for (Instance *in = latest; in; in = in->next)
        if (is_instance(in, f, generics, n)) return in;
    Instance *in = ARENA_NEW(ev->keep, Instance);
    NodeBinding *copy = ARENA_ARRAY(ev->keep, NodeBinding, n);
    for (int i = 0; i < n; i++) {
        int64_t size;
        copy[i] = generics[i];
        if (nat_is_const(copy[i].value, &size) && size < 0) {
            eval_fail(ev, E0604, span, "the size %s would be %lld", copy[i].name->text,
                      (long long)size);
            return NULL;
        }
    }
    *in = (Instance){
        .f = f, .generics = copy, .ngenerics = n, .types = map_new(ev->keep), .next = latest};
    if (!checks_hold(ev, in, &f->where, span) || !checks_hold(ev, in, &f->checks, span))
        return NULL;
    map_put(&ev->instances, key, in);
    return in;
}
