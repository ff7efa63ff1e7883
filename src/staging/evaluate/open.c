// Sizes that the program computes. If the value is known, it replaces the size. Otherwise, the rest
// of the block becomes a residual function that takes the size as an argument. To all later stages,
// it is then a size like any other.
#include "ir/walk.h"
#include "staging/evaluate/calls.h"

// The size that the term is known to be, or NULL.
static Node *known_size(Stage *s, Node *e)
{
    if (e->kind == CORE_NAT) return e->op[0];
    return e->kind == CORE_LIT ? nat_const(s->cx, e->attr.i) : NULL;
}

// Adds the conditions of the guards around the block to those that hold in the function.
static void add_guards(Stage *s, SizeChecks *where, const SizeGuard *g)
{
    enum { MOST = 16 };
    for (int i = 0; g && i < MOST; g = g->up, i++)
        if (g->holds && g->holds->kind == CONDITION_CHECK)
            vec_push(s->cx->arena, where, g->holds->check);
}

// Wraps the code after the `let` in a function without parameters.
static Special *function_of(Stage *s, Node *e, Node *body, Sym size)
{
    Function *f = ARENA_NEW(s->cx->arena, Function);
    const char *name = arena_printf(s->cx->arena, "with_%s", size->text);
    *f = (Function){.name = session_sym(s->cx, name), .span = e->origin, .result = body->type};
    Special *special = ARENA_NEW(s->arena, Special);
    *special = (Special){.function = f, .body = body, .result = body->type};
    return special;
}

static const Known *as_function(Stage *s, Node *e, Node *value, Scope scope)
{
    Session *cx = s->cx;
    Sym name = e->attr.sym->written;
    Node *own = stage_own_size(s, name), *size = nat_var(cx, own->attr.sym);
    Node *body = node_replace_names(cx, e->op[1], &(NodeBinding){e->attr.sym, size}, 1);
    Call c = {.special = function_of(s, e, body, name),
              .chain = scope.chain,
              .guard = scope.block->guard,
              .nsizes = 1,
              .sizes = &own,
              .env = scope.env,
              .around = scope.block,
              .last = scope.last,
              .span = e->origin,
              .key = own->attr.sym,
              .at = scope};
    if (e->op[0]->type != type_own_size(cx)) { // the bound of type_own_size is no restriction
        SizeCheck bound = core_open_bound(cx, size, e->op[0]);
        c.guard = size_guard_push(s->arena, c.guard, size_condition_check(s->arena, bound));
    }
    add_guards(s, &c.where, c.guard);
    if (!call_make_function(s, &c)) return known_error(s);
    Cells cells = {0};
    stage_reach_term(s, e->op[1], scope.env, &cells);
    stage_forget_all(s, &cells);
    c.sizes = &value;
    return call_emit(s, &c, call_residual(s, c.key));
}

// Whether the size exceeds 64 bits or divides by 0, which is an error only where it is computed.
static bool is_undefined(Node *e, void *env)
{
    (void)env;
    return e->kind == NAT_OVERFLOW;
}

const Known *stage_open(Stage *s, Node *e, Scope scope)
{
    const Known *v = stage_operand(s, e->op[0], scope);
    if (known_stops(v)) return v;
    Node *value = stage_data(s, v, e->origin);
    if (s->failed) return known_error(s);
    Node *size = known_size(s, value);
    NodeBinding known = {e->attr.sym, size};
    Node *body = size ? node_replace_names(s->cx, e->op[1], &known, 1) : NULL;
    if (!body || (node_any(body, is_undefined, NULL) && !node_any(e->op[1], is_undefined, NULL)))
        return as_function(s, e, core_cast(s->cx, value, type_own_size(s->cx)), scope);
    return stage_evaluate(s, body, scope);
}
