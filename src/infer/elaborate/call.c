// Elaboration of applications: calls to functions, patterns and scalar functions, casts, and
// function names used as values.
#include "infer/elaborate/elaborate.h"

// Builds f(args). Beta-reduces a lambda if all arguments are variables, so that nothing is
// duplicated.
Node *elab_apply(Elab *x, Node *f, int n, Node *const *args)
{
    bool variables = f->kind == CORE_LAM;
    for (int i = 0; i < n; i++) variables &= args[i]->kind == CORE_VAR;
    return variables ? node_instantiate(x->cx, f->op[0], args, n) : core_app(x->cx, f, n, args);
}

// --- patterns ----------------------------------------------------------------------------------

// Expresses rotate(axis, k, xs) as a rotation inside `axis` nested maps. `k` must be an atom unless
// `axis` is 0.
static Node *rotate_under(Elab *x, int64_t axis, Node *k, Node *xs, Variant variant)
{
    Session *cx = x->cx;
    if (axis == 0)
        return node_with_variant(cx, core_pattern(cx, VIEW_ROTATE, 0, 2, (Node *[]){k, xs}),
                                 variant);
    Node *row = core_var(cx, 0, xs->type->op[1]);
    return elab_map(x, "row", rotate_under(x, axis - 1, node_shift(cx, k, 1, 0), row, variant), xs);
}

static Node *rotate(Elab *x, Node *axis_size, Node *k, Node *xs, Variant variant)
{
    int64_t axis = 0;
    nat_is_const(axis_size, &axis);
    if (axis == 0 || elab_is_atom(k)) return rotate_under(x, axis, k, xs, variant);
    Node *inside =
        rotate_under(x, axis, core_var(x->cx, 0, k->type), node_shift(x->cx, xs, 1, 0), variant);
    return core_let(x->cx, session_sym(x->cx, "k"), k, inside);
}

// Builds a copy. copy.par(xs) and copy.vec(xs) become a map.par and a map.vec that copy each
// element; copy.seq(xs) is the same as copy(xs).
static Node *copied(Elab *x, Node *xs, const Note *note, Span at)
{
    Session *cx = x->cx;
    Variant variant = note->variant == VARIANT_SEQ ? VARIANT_ANY : note->variant;
    bool array = xs->type->kind == TYPE_ARRAY;
    if (variant != VARIANT_ANY && !array)
        diag_error(cx, E0326, at, "copy has variants for arrays only, but this is `%s`",
                   type_show(cx, xs->type));
    if (variant == VARIANT_ANY || !array) return core_pattern(cx, CORE_COPY, 0, 1, &xs);
    Node *element = xs->type->op[1], *one = core_var(cx, 0, element);
    Sym name = session_sym(cx, "x");
    if (type_has_array(element)) one = core_pattern(cx, CORE_COPY, 0, 1, &one);
    Node *ops[3] = {core_lam(cx, 1, &element, &name, one), xs};
    if (variant == VARIANT_VEC) ops[2] = elab_type(x, note->lanes);
    return node_make(cx, &(NodeSpec){.kind = CORE_MAP,
                                     .variant = variant,
                                     .type = xs->type,
                                     .nops = variant == VARIANT_VEC ? 3 : 2,
                                     .ops = ops,
                                     .origin = at});
}

// Builds a prefetch of element i. Unless this is inside `unchecked`, nothing happens if there is
// none.
static Node *prefetch(Elab *x, Node *xs, Node *i, Span at)
{
    Session *cx = x->cx;
    Node *n = xs->type->op[0]->op[0], *var = core_var(cx, 0, i->type);
    if (x->unchecked)
        return core_pattern(cx, CORE_PREFETCH, 0, 2, (Node *[]){xs, elab_to_index(x, i, n, at)});
    Node *low[2] = {core_int(cx, i->type, 0), var}, *high[2] = {var, core_size(cx, n)};
    Node *ops[2] = {node_shift(cx, xs, 1, 0), core_to_idx(cx, var, n, at)};
    Node *inside[2] = {core_prim(cx, PRIM_LE, 2, low), core_prim(cx, PRIM_LT, 2, high)};
    Node *hint = core_if(cx, core_prim(cx, PRIM_AND, 2, inside),
                         core_pattern(cx, CORE_PREFETCH, 0, 2, ops), core_unit(cx));
    return core_let(cx, session_sym(cx, "i"), i, hint);
}

// Builds a pattern node. `sizes` is indexed by generic and `args` by parameter; arguments that are
// sizes are size nodes. `mode` is the border mode of a pad; args[0] is then its value or NULL. `e`
// is the call or the name of the pattern.
static Node *make_pattern(Elab *x, const PatternRow *row, Node *const *sizes, Node *const *args,
                          int nargs, int mode, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    Variant variant = note->variant;
    Session *cx = x->cx;
    Node **ops = ARENA_ARRAY(x->b->arena, Node *, row->sizes + nargs + 2),
         *xs = nargs ? args[nargs - 1] : NULL;
    int n = 0;
    if (x->lane && row->kind >= CORE_LANES && row->kind <= CORE_ALL)
        return elab_lane_pattern(x, row->kind, args, e->span);
    if (row->form == FORM_ROTATE) return rotate(x, args[0], args[1], xs, variant);
    if (row->form == FORM_COPY) return copied(x, xs, note, e->span);
    if (row->form == FORM_PREFETCH) return prefetch(x, args[0], args[1], e->span);
    if (row->form == FORM_TAKE) {
        ops[n++] = nat_const(cx, 0);
        ops[n++] = sizes[0];
    } else if (row->form == FORM_DROP) {
        ops[n++] = sizes[0];
        ops[n++] = nat_sub(cx, xs->type->op[0], sizes[0]);
    } else {
        for (int i = 0; i < row->sizes; i++) ops[n++] = sizes[i];
    }
    for (int i = 0; i < nargs; i++)
        if (args[i]) ops[n++] = args[i];
    if (row->form == FORM_LANE) ops[1] = elab_to_index(x, ops[1], ops[0]->type->op[0], e->span);
    if (variant_operands(variant, 0)) ops[n++] = elab_type(x, note->lanes);
    NodeSpec s = {.kind = row->kind,
                  .variant = row->form == FORM_UNROLL ? VARIANT_UNROLL : variant,
                  .attr.i = row->form == FORM_PAD ? mode : 0,
                  .nops = n,
                  .ops = ops,
                  .origin = e->span};
    const char *why = NULL;
    s.type = core_type_rule(cx, &s, false, &why);
    CHECK(cx, s.type, "%s", why);
    return node_make(cx, &s);
}

// --- border modes ------------------------------------------------------------------------------

// Returns the border mode, and sets *value to the constant of PAD_CONST or to NULL.
static int border_of(Elab *x, const Ast *e, Node **value)
{
    e = ast_strip(e);
    const Note *note = infer_note(x->b, e);
    const Local *l = note->local;
    *value = NULL;
    if (e->kind == AST_MODE)
        *value = elab_expr(x, e->kids.at[0]);
    else if (!l)
        return note->symbol->row;
    else if (l->mode != PAD_CONST)
        return l->mode;
    else
        *value = elab_var(x, l->level, elab_type(x, l->type->op[0]));
    return PAD_CONST;
}

// --- functions ---------------------------------------------------------------------------------

static Node **resolved(Elab *x, Node *const *generics, int n)
{
    Node **with = ARENA_ARRAY(x->b->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) with[i] = elab_type(x, generics[i]);
    return with;
}

// Builds a call to a function with `args`, which has an entry for each parameter. The entry is NULL
// for sizes and for border modes without a value.
static Node *apply_global(Elab *x, const Symbol *y, Sym name, Node *const *with, Node *const *args,
                          int nargs, Span span)
{
    Session *cx = x->cx;
    const Signature *sig = y->signature;
    int ng = sig->generics.len, n = 0;
    Node **given = ARENA_ARRAY(x->b->arena, Node *, nargs + 2),
         **params = ARENA_ARRAY(x->b->arena, Node *, nargs + 2);
    for (int i = 0; i < nargs; i++) {
        if (!args[i]) continue;
        Node *t = sig->params.at[i].type;
        t = type_without_spaces(cx, t->kind == TYPE_MODE ? t->op[0] : t);
        params[n] = infer_replace(cx, t, sig->generics.at, with, ng);
        given[n++] = args[i];
    }
    Node *result = infer_replace(cx, sig->result, sig->generics.at, with, ng);
    if (x->lane && sig->simd) {
        Node *lanes = infer_replace(cx, sig->simd, sig->generics.at, with, ng);
        for (int i = 0; i < n; i++) params[i] = type_of_lane(x->cx, params[i]);
        params[n] = type_idx(cx, lanes);
        given[n++] = elab_lane_index(x, lanes);
        result = type_of_lane(x->cx, result);
        name = elab_lane_name(x, y);
    } else if (x->masks && sig->simd && infer_keeps_masks(x->b->in, y)) {
        params[n] = mask_type(x);
        given[n++] = elab_live(x);
        name = elab_masked_name(x, y);
    }
    Node *f = core_at(cx, core_global(cx, name, ng, with, type_fun(cx, n, params, result)), span);
    return core_at(cx, core_app(cx, f, n, given), span);
}

// Sets args[i] to the argument for parameter i. Sizes become size nodes for patterns, but NULL for
// functions. modes[i] is set to a border mode, whose value becomes the argument, or to -1.
static void elab_arguments(Elab *x, const Call *c, Node *const *with, Node **args, int *modes)
{
    const Symbol *y = c->symbol;
    const Signature *sig = y->signature;
    bool pattern = y->kind == SYMBOL_PATTERN;
    for (int i = 0; i < c->nargs; i++) {
        const SigParam *p = &sig->params.at[i];
        modes[i] = -1;
        if (p->generic >= 0) {
            args[i] = pattern ? with[p->generic] : NULL;
        } else if (p->type->kind == TYPE_MODE) {
            modes[i] = border_of(x, c->args[i], &args[i]);
        } else {
            args[i] = elab_expr(x, c->args[i]);
        }
    }
}

// Builds a call to a function or pattern. `last` is the last argument if the call omits it, or
// NULL.
static Node *call_signature(Elab *x, const Ast *e, const Call *c, Node *last)
{
    const Symbol *y = c->symbol;
    int n = c->nargs + (last != NULL), ng = y->signature->generics.len;
    Node **with = resolved(x, c->generics, ng), **args = ARENA_ARRAY(x->b->arena, Node *, n + 1);
    int *modes = ARENA_ARRAY(x->b->in->arena, int, n + 1); // a Demand may keep it beyond this body
    elab_arguments(x, c, with, args, modes);
    if (last) {
        args[n - 1] = last;
        modes[n - 1] = -1;
    }
    if (y->kind == SYMBOL_PATTERN)
        return make_pattern(x, &infer_patterns[y->row], with, args, n, n ? modes[0] : -1, e);
    if (!y->signature->has_mode) return apply_global(x, y, y->full, with, args, n, e->span);
    const Function *f = elab_function(x->b->in, y, modes);
    return apply_global(x, y, f ? f->name : y->full, with, args, n, e->span);
}

Node **elab_operands(Elab *x, const Call *c, Node *last, int *n)
{
    Node **args = ARENA_ARRAY(x->b->arena, Node *, c->nargs + 1);
    for (*n = 0; *n < c->nargs; ++*n) args[*n] = elab_expr(x, c->args[*n]);
    if (last) args[(*n)++] = last;
    return args;
}

static Node *call_value(Elab *x, const Call *c, Node *last)
{
    int n;
    Node *f = elab_expr(x, c->callee), **args = elab_operands(x, c, last, &n);
    bool unit = n > type_nparams(f->type); // a continuation that takes no value, called with ()
    return unit ? core_seq(x->cx, args[0], core_app(x->cx, f, 0, NULL)) : elab_apply(x, f, n, args);
}

// Elaborates shape(a), rank(a) or prod(v).
static Node *call_shape(Elab *x, const Call *c)
{
    if (c->symbol->row == SHAPE_PROD) return core_size(x->cx, elab_type(x, c->generics[0]));
    Node *t = elab_type(x, infer_note(x->b, c->args[0])->type);
    const Extents *v = infer_dims(&x->b->scope, t);
    if (c->symbol->row == SHAPE_RANK) return core_size(x->cx, nat_const(x->cx, v->n));
    return elab_extents(x, v);
}

// Elaborates a call to a size function, which returns a size or a shape.
static Node *call_sizes(Elab *x, const Ast *e, const Call *c)
{
    Node *type = elab_type(x, infer_note(x->b, e)->type);
    int64_t n;
    if (type->kind != TYPE_ARRAY) return core_size(x->cx, elab_type(x, c->generics[0]));
    CHECK(x->cx, nat_is_const(type->op[0], &n), "the rank of a shape is not known");
    return elab_extents(x, &(Extents){c->generics, (int)n});
}

static Node *complete(Elab *x, const Ast *e, const Call *c, Node *last)
{
    const Symbol *y = c->symbol;
    Node **args;
    int n;
    if (!y) return call_value(x, c, last);
    switch (y->kind) {
    case SYMBOL_PRIM:
        if (c->generics) return core_size(x->cx, elab_type(x, c->generics[0])); // pow of two sizes
        args = elab_operands(x, c, last, &n);
        return elab_operate(x, (Prim)y->row, n, args, e->span);
    case SYMBOL_SCALAR:
        return elab_convert(x, elab_expr(x, c->args[0]), type_scalar(x->cx, (Scalar)y->row),
                            e->span);
    case SYMBOL_LOAD: return elab_var(x, c->load, elab_type(x, x->b->load_types.at[c->load]));
    case SYMBOL_SHAPE: return call_shape(x, c);
    case SYMBOL_SIZES: return call_sizes(x, e, c);
    case SYMBOL_PRINT: return elab_print(x, e, c);
    case SYMBOL_PATTERN:
        if (infer_is_form(y, FORM_ZIP) || infer_is_form(y, FORM_UNZIP)) {
            args = elab_operands(x, c, last, &n);
            return make_pattern(x, &infer_patterns[y->row], NULL, args, n, -1, e);
        }
        if (elab_is_of_parts(x, c)) return elab_lane_of_parts(x, e, c);
        return call_signature(x, e, c, last);
    case SYMBOL_FN: return call_signature(x, e, c, last);
    case SYMBOL_ENUM: return elab_apply_option(x, e, c);
    case SYMBOL_CONST:
    case SYMBOL_STRUCT:
    case SYMBOL_ALIAS:
    case SYMBOL_MODE:
    case SYMBOL_RULE:
    case SYMBOL_STRATEGY:
    case SYMBOL_AMBIGUOUS: break;
    }
    CHECK(x->cx, false, "a call of %s", y->name->text);
    return NULL;
}

typedef struct {
    const Ast *at;
    const Call *call;
} Partial;

static Node *partial_body(Elab *x, Node *const *args, int n, void *env)
{
    const Partial *p = env;
    (void)n;
    return complete(x, p->at, p->call, args[0]);
}

// Builds a lambda from a call that lacks its last argument. The other arguments are evaluated
// outside the lambda.
static Node *call_without_last(Elab *x, const Ast *e, const Call *c)
{
    Lets lets = {0};
    Partial p = {e, c};
    if (c->callee) elab_hold(x, &lets, c->callee);
    for (int i = 0; i < c->nargs; i++) elab_hold(x, &lets, c->args[i]);
    Node *f = elab_lambda_of(x, elab_type(x, infer_note(x->b, e)->type), partial_body, &p);
    return elab_wrap(x, &lets, f);
}

Node *elab_call(Elab *x, const Ast *e, const Call *c)
{
    return c->partial ? call_without_last(x, e, c) : complete(x, e, c, NULL);
}

// --- names as functions ------------------------------------------------------------------------

typedef struct {
    const Ast *at;
    const Symbol *symbol;
    Node **with;
    Node *result;
} Named;

static Node *named_body(Elab *x, Node *const *args, int n, void *env)
{
    const Named *f = env;
    const Symbol *y = f->symbol;
    if (y->kind == SYMBOL_PRIM) return elab_operate(x, (Prim)y->row, n, args, f->at->span);
    if (y->kind == SYMBOL_SCALAR) return elab_convert(x, args[0], f->result, f->at->span);
    if (y->kind == SYMBOL_FN) return apply_global(x, y, y->full, f->with, args, n, f->at->span);
    return make_pattern(x, &infer_patterns[y->row], f->with, args, n, -1, f->at);
}

// Elaborates a function name used as a value. The result is a global, or a lambda that applies a
// built-in function.
Node *elab_function_name(Elab *x, const Ast *e, const Symbol *y, Node *const *generics)
{
    Node *type = elab_type(x, infer_note(x->b, e)->type);
    int ng = y->signature ? y->signature->generics.len : 0;
    Node **with = generics ? resolved(x, generics, ng) : NULL;
    if (y->kind == SYMBOL_FN && type_nparams(type) > 0)
        return core_global(x->cx, y->full, ng, with, type);
    Named named = {e, y, with, type_result(type)};
    return elab_lambda_of(x, type, named_body, &named);
}
