// Common subexpression elimination for values that take a loop: finds lets with the value of an
// earlier one. Terms with unique names are compared by their de Bruijn forms, which are equal nodes
// if the terms are equal up to the names of bound variables.
//
// Only numbers, and tuples of numbers, are shared. An array that is used once is often never
// stored, and would be if it had two uses.
#include "staging/values/stage.h"

enum { MAX_COMPARED = 2000 }; // nodes of a value

typedef struct {
    Stage *s;
    Map parents; // node -> number of its parents, 2 for more
    Map visited;
    Map *earlier; // de Bruijn form -> variable in scope that has this value
    Map first;    // variable -> the first one in scope with the same value
    Map *shared;
} Share;

static bool is_size(Node *e)
{
    return kind_info[e->kind].levels & LEVEL_NAT;
}

static bool is_binder(Node *e)
{
    return e->kind == CORE_LET || e->kind == CORE_LAM;
}

static uintptr_t parents_of(Share *f, Node *e)
{
    return (uintptr_t)map_get(&f->parents, MAP_KEY(e));
}

// Iterates over last operands, so that long programs need no deep stack.
static void count_parents(Share *f, Node *e)
{
    for (; e && !is_size(e); e = e->nops ? e->op[e->nops - 1] : NULL) {
        uintptr_t n = parents_of(f, e);
        if (n < 2) map_put(&f->parents, MAP_KEY(e), (void *)(n + 1));
        if (n > 0) return;
        for (uint32_t i = 0; i + 1 < e->nops; i++) count_parents(f, e->op[i]);
    }
}

// --- de Bruijn forms ----------------------------------------------------------------------------

typedef struct {
    Share *f;
    Map level; // bound variable -> 1 + number of variables bound outside of it
    int left;  // nodes until the comparison is given up
    bool loops;
} Form;

static Node *form_of(Form *m, Node *e, int depth);

static Node *form_of_variable(Form *m, Node *e, int depth)
{
    Node *first = map_get(&m->f->first, MAP_KEY(e));
    uintptr_t level = (uintptr_t)map_get(&m->level, MAP_KEY(e));
    if (!level) return first ? first : e;
    return node_make(
        m->f->s->cx,
        &(NodeSpec){.kind = CORE_VAR, .attr.i = depth - (int64_t)level, .type = e->type});
}

// The binder's last operand is a tuple of its variables and its body.
static Node *form_of_body(Form *m, Node *binder, int depth)
{
    Node *under = binder->op[binder->nops - 1];
    int n = (int)under->nops - 1;
    for (int i = 0; i < n; i++)
        map_put(&m->level, MAP_KEY(under->op[i]), (void *)(uintptr_t)(depth + i + 1));
    return form_of(m, under->op[n], depth + n);
}

// The term with de Bruijn indices for the variables that it binds, or NULL if it is too large to be
// compared or has effects.
static Node *form_of(Form *m, Node *e, int depth)
{
    if (is_size(e)) return e;
    if (core_is_effect((Kind)e->kind) || --m->left < 0) return NULL;
    if (e->kind == PH_VAR) return form_of_variable(m, e, depth);
    m->loops |= e->kind == CORE_LAM;
    Node **ops = ARENA_ARRAY(m->f->s->arena, Node *, e->nops + 1);
    for (uint32_t i = 0; i < e->nops; i++) {
        bool body = is_binder(e) && i == e->nops - 1;
        ops[i] = body ? form_of_body(m, e, depth) : form_of(m, e->op[i], depth);
        if (!ops[i]) return NULL;
    }
    NodeSpec form = node_spec(e);
    form.ops = ops;
    if (is_binder(e)) form.names = stage_hints(m->f->s, e);
    return node_make(m->f->s->cx, &form);
}

// --- lets ---------------------------------------------------------------------------------------

static bool is_of_numbers(Node *type)
{
    for (uint32_t i = 0; type->kind == TYPE_TUPLE && i < type->nops; i++)
        if (!is_of_numbers(type->op[i])) return false;
    return type->kind == TYPE_TUPLE || type->kind == TYPE_SCALAR;
}

// Adds the let to those in scope. Returns the form of its value if no earlier let has this value.
static Node *compare(Share *f, Node *let)
{
    Node *var = let->op[1]->op[0];
    Form m = {f, map_new(f->s->arena), MAX_COMPARED, false};
    Node *form = form_of(&m, let->op[0], 0);
    if (!form) return NULL;
    Node *first = form->kind == PH_VAR ? form : map_get(f->earlier, MAP_KEY(form));
    if (first && first->type == var->type) {
        map_put(&f->first, MAP_KEY(var), (void *)(uintptr_t)first);
        if (m.loops && is_of_numbers(var->type))
            map_put(f->shared, MAP_KEY(var), (void *)(uintptr_t)first);
        return NULL;
    }
    map_put(f->earlier, MAP_KEY(form), (void *)(uintptr_t)var);
    return form;
}

static void visit(Share *f, Node *e);

// Visits the lets of a chain, each in the scope of those before it, and the body.
static void visit_chain(Share *f, Node *e)
{
    VEC(Node *) forms = {0};
    for (; e->kind == CORE_LET && parents_of(f, e) < 2; e = e->op[1]->op[1]) {
        visit(f, e->op[0]);
        Node *form = compare(f, e);
        if (form) vec_push(f->s->arena, &forms, form);
    }
    visit(f, e);
    for (int i = 0; i < forms.len; i++) map_put(f->earlier, MAP_KEY(forms.at[i]), NULL);
}

// A node with several parents may be outside of the scope of lets around one of them: in it, only
// its own lets are compared.
static void visit_apart(Share *f, Node *e)
{
    Map own = map_new(f->s->arena), *outer = f->earlier;
    f->earlier = &own;
    map_put(&f->parents, MAP_KEY(e), (void *)(uintptr_t)1);
    visit(f, e);
    f->earlier = outer;
}

static void visit(Share *f, Node *e)
{
    if (e->nops == 0 || is_size(e)) return;
    if (parents_of(f, e) > 1) {
        visit_apart(f, e);
    } else if (!map_get(&f->visited, MAP_KEY(e))) {
        map_put(&f->visited, MAP_KEY(e), f);
        if (e->kind == CORE_LET) {
            visit_chain(f, e);
        } else {
            for (uint32_t i = 0; i < e->nops; i++) visit(f, e->op[i]);
        }
    }
}

Map stage_shared_lets(Stage *s, Node *term)
{
    Map shared = map_new(s->arena), earlier = map_new(s->arena);
    Share f = {s, map_new(s->arena), map_new(s->arena), &earlier, map_new(s->arena), &shared};
    count_parents(&f, term);
    visit(&f, term);
    return shared;
}
