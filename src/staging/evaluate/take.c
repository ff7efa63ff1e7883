// Splits the arguments of a call to a kept function. Unknown data becomes parameters of the
// residual function, including data captured by closures (closure conversion). The function is
// specialised to functions, continuations and, unless it is `generic`, literals. Each variable of
// the caller becomes one variable of the function, so that the variables of the function do not
// alias. Therefore, calls that differ only in data and variables call the same function.
#include "staging/values/stage.h"

typedef struct {
    Stage *s;
    bool generic;
    Sym hint;             // the name for parameters
    Text key;             // the known parts, and the types of the passed parts
    VEC(Cell *) from, to; // variables of the caller, and their counterparts in the function
    Taken *out;
} Take;

static const Known *take(Take *t, const Known *v);

static bool is_literal(Node *e)
{
    if (e->kind != CORE_TUPLE && e->kind != CORE_ARRAY)
        return e->kind == CORE_LIT || e->kind == CORE_NAT;
    for (uint32_t i = 0; i < e->nops; i++)
        if (!is_literal(e->op[i])) return false;
    return true;
}

// Whether a part of the value is not passed.
static bool has_fixed(const Known *v, bool generic)
{
    if (v->kind == KNOWN_TERM) return !generic && is_literal(v->node);
    if (v->kind != KNOWN_TUPLE || v->node->type->kind == TYPE_REF) return true;
    bool fixed = false, data = known_is_data(v);
    for (int i = 0; i < known_count(v); i++) {
        bool part = has_fixed(v->parts[i], generic);
        // an array of data is passed as a whole unless all of it is known
        if (v->node->type->kind == TYPE_ARRAY && data && !part) return false;
        fixed |= part;
    }
    return fixed;
}

static const Known *pass(Take *t, Node *value)
{
    Stage *s = t->s;
    Node *var = stage_variable(s, value->type, t->hint);
    text_printf(&t->key, "v%u", value->type->id);
    vec_push(s->arena, &t->out->passed, value);
    vec_push(s->arena, &t->out->params, var);
    return known_term(s, var);
}

static const Known *take_parts(Take *t, const Known *v)
{
    int n = known_count(v);
    const Known **parts = ARENA_ARRAY(t->s->arena, const Known *, n + 1);
    text_printf(&t->key, "(%u ", v->node->type->id);
    for (int i = 0; i < n; i++) parts[i] = take(t, v->parts[i]);
    text_char(&t->key, ')');
    return known_tuple(t->s, v->node->type, v->node->origin, parts);
}

// Returns the environment that these terms have inside the function. Variables that are not free in
// the terms have the value ().
static const Env *take_env(Take *t, const Env *env, int n, Node *const *terms)
{
    uint32_t depth = 0;
    for (int i = 0; i < n; i++)
        if (terms[i]->loose > depth) depth = terms[i]->loose;
    const Known **values = ARENA_ARRAY(t->s->arena, const Known *, depth + 1);
    text_char(&t->key, '{');
    for (int i = 0; i < n; i++) {
        FreeVars f = stage_free(t->s, terms[i]);
        for (int k = 0; k < f.len; k++) {
            int index = f.at[k].index;
            if (!values[index])
                values[index] = take(t, stage_variable_value(t->s, env, index));
            else
                text_printf(&t->key, "=%d", index);
        }
    }
    text_char(&t->key, '}');
    const Env *inside = NULL;
    for (uint32_t i = depth; i > 0; i--)
        inside = stage_env_push(t->s, inside, values[i - 1] ? values[i - 1] : known_unit(t->s));
    return inside;
}

static const Known *take_function(Take *t, const Known *v)
{
    Known *k = ARENA_NEW(t->s->arena, Known);
    *k = *v;
    if (v->kind == KNOWN_CLOSURE) {
        text_printf(&t->key, "c%u", v->node->id);
        k->env = take_env(t, v->env, 1, (Node *[]){v->node});
    } else {
        text_printf(&t->key, "?%u,%u", v->branches[0]->id, v->branches[1]->id);
        k->node = take(t, known_term(t->s, v->node))->node;
        k->env = take_env(t, v->env, 2, v->branches);
    }
    return k;
}

static const Known *take_constant(Take *t, const Known *v)
{
    Known *k = ARENA_NEW(t->s->arena, Known);
    *k = *v;
    k->parts = ARENA_ARRAY(t->s->arena, const Known *, 1);
    text_char(&t->key, '&');
    k->parts[0] = take(t, v->parts[0]);
    return k;
}

// Returns the variable of the function that stands for a variable of the caller.
static Cell *take_cell(Take *t, Cell *cell)
{
    Stage *s = t->s;
    int k = 0;
    while (k < t->from.len && t->from.at[k] != cell) k++;
    text_printf(&t->key, "r%d:%u", k, cell->var->type->id);
    if (k < t->from.len) return t->to.at[k];
    Cell *own = ARENA_NEW(s->arena, Cell);
    *own = (Cell){.hint = cell->hint,
                  .number = s->cells++,
                  .var = stage_variable(s, cell->var->type, cell->hint)};
    vec_push(s->arena, &t->from, cell);
    vec_push(s->arena, &t->to, own);
    vec_push(s->arena, &t->out->places, own->var);
    vec_push(s->arena, &t->out->passed_places, cell->var);
    return own;
}

// Whether the location is an element, or in a lane, that operand 1 says.
static bool is_at_index(const Node *place)
{
    return place->kind == CORE_REF_AT || place->kind == CORE_REF_LANE;
}

// Rebuilds a location in the variable `cell` as the same location in `own`. Non-literal indices are
// passed as arguments.
static Node *take_path(Take *t, Node *place, const Cell *cell, Node *own)
{
    Stage *s = t->s;
    if (place == cell->var) return own;
    int at = place->kind == CORE_REF_SLICE ? 2 : 0;
    text_printf(&t->key, "/%d,%u,%d", (int)place->kind, place->type->id, (int)place->attr.i);
    Node *ops[3];
    for (int k = 0; k < (int)place->nops; k++) {
        ops[k] = place->op[k];
        if (k == at)
            ops[k] = take_path(t, place->op[k], cell, own);
        else if (!is_at_index(place) || is_literal(place->op[k]))
            text_printf(&t->key, "t%u", place->op[k]->id);
        else
            ops[k] = pass(t, place->op[k])->node;
    }
    return node_with_ops(s->cx, place, ops);
}

static const Known *take_place(Take *t, const Known *v)
{
    Known *k = ARENA_NEW(t->s->arena, Known);
    *k = *v;
    k->cell = take_cell(t, v->cell);
    k->node = take_path(t, v->node, v->cell, k->cell->var);
    return k;
}

static const Known *take(Take *t, const Known *v)
{
    switch (v->kind) {
    case KNOWN_TERM:
        if (!has_fixed(v, t->generic)) return pass(t, v->node);
        text_printf(&t->key, "t%u", v->node->id);
        return v;
    case KNOWN_TUPLE:
        if (!has_fixed(v, t->generic) && known_count(v) > 0)
            return pass(t, stage_data(t->s, v, v->node->origin));
        return take_parts(t, v);
    case KNOWN_CLOSURE:
    case KNOWN_CHOICE: return take_function(t, v);
    case KNOWN_CONST: return take_constant(t, v);
    case KNOWN_GLOBAL: text_printf(&t->key, "g%u", v->node->id); return v;
    case KNOWN_REF: return take_place(t, v);
    case KNOWN_LABEL: text_printf(&t->key, "k%d", v->label->number); return v;
    case KNOWN_ERROR:
    case KNOWN_NEVER: break;
    }
    return v;
}

const Taken *stage_take(Stage *s, const Known *f, int n, const Known *const *args, bool generic,
                        bool *known)
{
    Taken *out = ARENA_NEW(s->arena, Taken);
    Take t = {.s = s, .generic = generic, .key = text_new(s->arena), .out = out};
    out->inside = ARENA_ARRAY(s->arena, const Known *, n + 1);
    text_printf(&t.key, "kept %u", f->node->id);
    for (int i = 0; i < n; i++) {
        int before = out->passed.len;
        text_char(&t.key, ' ');
        t.hint = f->special->function->params.at[i].name;
        out->inside[i] = take(&t, args[i]);
        known[i] = out->passed.len == before;
    }
    out->key = session_sym(s->cx, text_get(&t.key));
    return out;
}

// --- keys of calls that could share a function --------------------------------------------------

typedef struct {
    Stage *s;
    bool generic;
    int left; // how many more values may be visited
    uint64_t hash;
} Hash;

static void mix(Hash *h, uint64_t word)
{
    h->hash = hash_mix(h->hash, word);
}

static void hash_value(Hash *h, const Known *v);

static void hash_free(Hash *h, Node *e, const Env *env)
{
    FreeVars f = stage_free(h->s, e);
    for (int i = 0; i < f.len && h->left > 0; i++) {
        const Env *var = stage_env_at(env, f.at[i].index);
        if (var) hash_value(h, var->value);
    }
}

static void hash_value(Hash *h, const Known *v)
{
    if (--h->left <= 0) return;
    mix(h, v->kind);
    switch (v->kind) {
    case KNOWN_TERM: mix(h, has_fixed(v, h->generic) ? v->node->id : v->node->type->id); return;
    case KNOWN_TUPLE:
        mix(h, v->node->type->id);
        if (!has_fixed(v, h->generic)) return;
        for (int i = 0; i < known_count(v) && h->left > 0; i++) hash_value(h, v->parts[i]);
        return;
    case KNOWN_CLOSURE:
        mix(h, v->node->id);
        hash_free(h, v->node, v->env);
        return;
    case KNOWN_CHOICE:
        for (int k = 0; k < 2; k++) {
            mix(h, v->branches[k]->id);
            hash_free(h, v->branches[k], v->env);
        }
        return;
    case KNOWN_CONST: hash_value(h, v->parts[0]); return;
    case KNOWN_GLOBAL: mix(h, v->node->id); return;
    case KNOWN_REF: mix(h, v->node->type->id); return;
    case KNOWN_LABEL: mix(h, v->label->type->id); return;
    case KNOWN_ERROR:
    case KNOWN_NEVER: return;
    }
}

uint64_t stage_shared_key(Stage *s, const Known *f, int n, const Known *const *args, bool generic)
{
    enum { MOST_VALUES = 256 };
    Hash h = {s, generic, MOST_VALUES, f->node->id};
    mix(&h, generic);
    for (int i = 0; i < n; i++) hash_value(&h, args[i]);
    return h.left > 0 ? h.hash | 1 : 0;
}
