// Binds variables to values: environments, locals for the scalars of a value, lets and cells.
#include "dpia/translate/from_core.h"

Readable *con(Tr *t, Node *e, Env *env)
{
    return t->con(t, e, env);
}

void acc_into(Tr *t, Node *e, Env *env, Node *d)
{
    t->acc(t, e, env, d);
}

Node *acc(Tr *t, Node *e, Env *env, Node *d)
{
    Block b;
    block_open(t, &b);
    acc_into(t, e, env, d);
    return block_close(t, &b);
}

void acc_block(Tr *t, Node *e, Env *env, Node *d)
{
    emit(t, acc(t, e, env, d));
}

// --- uses of scalars ----------------------------------------------------------------------------

// MAX_TERMS keeps the time linear for a long chain of lets that each have few uses.
enum { MAX_DEPTH = 16, MAX_TERMS = 1000 };

bool is_aggregate(Node *type)
{
    return type->kind == TYPE_TUPLE || type->kind == TYPE_STRUCT;
}

/// A bound value or a component of it, whose scalars and arrays are numbered.
typedef struct Part Part;
struct Part {
    int first, n; // its scalars and arrays are numbered [first, first + n)
    Part *parts;  // NULL for a scalar or an array
};

/// How often the body of the binding uses each scalar or array of the value: 0, 1 or MANY times.
typedef struct {
    Part all;
    int *uses;
    int rare;  // the number of scalars and arrays with fewer than MANY uses
    Map terms; // (term, variable) -> the number of visits, since terms are shared
    int fuel;  // for so many terms; where it runs out, there may be more uses
} Mentions;

static Part number_parts(Arena *arena, Node *type, int first, int depth)
{
    Part p = {.first = first, .n = 1};
    if (!is_aggregate(type) || depth == MAX_DEPTH) return p;
    p.parts = ARENA_ARRAY(arena, Part, type->nops + 1);
    p.n = 0;
    for (uint32_t k = 0; k < type->nops; k++) {
        p.parts[k] = number_parts(arena, type->op[k], first + p.n, depth + 1);
        p.n += p.parts[k].n;
    }
    return p;
}

static void mention(Mentions *m, const Part *p, int times)
{
    for (int i = p->first; i < p->first + p->n; i++) {
        m->rare -= m->uses[i] < MANY && m->uses[i] + times >= MANY;
        m->uses[i] += m->uses[i] < MANY ? times : 0;
    }
}

// Returns the part that a chain of projections of variable `index` denotes, or NULL for any other
// term.
static const Part *part_of(const Mentions *m, Node *e, int index)
{
    if (e->kind == CORE_VAR) return e->attr.i == index ? &m->all : NULL;
    const Part *whole = e->kind == CORE_PROJ ? part_of(m, e->op[0], index) : NULL;
    return whole && whole->parts ? &whole->parts[e->attr.i] : whole;
}

// Counts the uses of variable `index`; a use in a function or loop counts as MANY.
static void find_mentions(Mentions *m, Node *e, int index, int times)
{
    if (e->loose <= (uint32_t)index || m->rare == 0 || m->fuel == 0) return;
    const Part *part = part_of(m, e, index);
    if (part) {
        mention(m, part, times);
        return;
    }
    uint64_t key = (uint64_t)e->id << 24 | (uint32_t)index;
    intptr_t before = (intptr_t)map_get(&m->terms, key);
    if (before >= MANY) return;
    if (e->kind == CORE_LAM || e->kind == CORE_FOREVER) times = MANY;
    map_put(&m->terms, key, (void *)(before + times));
    m->fuel--;
    for (uint32_t i = 0; i < e->nops; i++)
        find_mentions(m, e->op[i], index + node_binds(e, (int)i), times);
}

static void count_mentions(Mentions *m, Arena *arena, Node *body, int index)
{
    Arena *scratch = arena_new_beside(arena);
    m->terms = map_new(scratch);
    find_mentions(m, body, index, 1);
    arena_delete(scratch);
}

typedef struct {
    const char *hint;
    Mentions *mentions; // NULL if all uses count as MANY
    int from;
} Binding;

// Creates a local for a scalar with enough uses, unless repeating its expression costs nothing. A
// scalar that reads cells gets a local as soon as it is used, since the cells may be written before
// the use. So does a scalar in memory if `from` is 1, because the memory will change before the
// scalar is used.
static Readable *bind_atom(Tr *t, Readable *r, const Binding *b, int uses)
{
    bool changes = reads_cells(t, r->phrase);
    if (uses < (changes ? 1 : b->from)) return r;
    bool cheap = is_cheap(r->phrase) || map_get(&t->exact, MAP_KEY(r->phrase));
    bool stays = b->from > 1 || !map_get(&t->memory, MAP_KEY(r->phrase->attr.sym));
    if (cheap && stays && !changes) return r;
    r = readable_phrase(t, emit_let(t, b->hint, r->phrase));
    if (!b->mentions || uses < b->from) emit_tentative(t);
    return r;
}

static Readable *bind_leaves(Tr *t, Readable *r, const Binding *b, const Part *part)
{
    if (!part->parts) {
        int uses = b->mentions ? b->mentions->uses[part->first] : MANY;
        if (type_is_value(r->type))
            return bind_atom(t, readable_phrase(t, scalar_of(t, r)), b, uses);
        return uses >= MANY ? readable_shared(t, r) : r;
    }
    int n = (int)r->type->nops;
    Readable **parts = ARENA_ARRAY(t->arena, Readable *, n + 1);
    for (int k = 0; k < n; k++)
        parts[k] = bind_leaves(t, read_component(t, r, k), b, &part->parts[k]);
    return readable_tuple(t, r->type, n, parts);
}

Readable *bind_scalars(Tr *t, Readable *r, const char *hint, Node *body, int index, int from)
{
    Mentions m = {.all = number_parts(t->arena, r->type, 0, 0), .fuel = MAX_TERMS};
    m.uses = ARENA_ARRAY(t->arena, int, m.all.n + 1);
    m.rare = m.all.n;
    if (body) count_mentions(&m, t->arena, body, index);
    Binding b = {.hint = hint, .mentions = body && m.fuel ? &m : NULL, .from = from};
    return bind_leaves(t, r, &b, &m.all);
}

// --- environments -------------------------------------------------------------------------------

Env *env_push(Tr *t, Env *env, Readable *value)
{
    struct Env *e = ARENA_NEW(t->arena, struct Env);
    *e = (struct Env){link_before(env ? &env->link : NULL), value};
    return e;
}

Env *env_at(Env *env, int64_t index)
{
    return (Env *)link_at(env ? &env->link : NULL, index);
}

static const char *hint_of(Node *e, int k)
{
    return e->names && e->names[k] ? e->names[k]->text : "x";
}

Env *bind_args(Tr *t, Node *lam, Env *env, Readable *const *args, int n)
{
    TR_CHECK(t, lam->kind == CORE_LAM && lam->attr.i == n,
             "a function that is not a literal lambda");
    for (int k = 0; k < n; k++)
        env = env_push(t, env,
                       bind_scalars(t, args[k], hint_of(lam, k), lam->op[0], n - 1 - k, MANY));
    return env;
}

Readable *con_undefined(Tr *t, Node *type)
{
    if (type_is_value(type)) return readable_phrase(t, zero_of(t, type));
    if (type_has_elements(type)) return emit_new(t, "undefined", type, VARIANT_ANY).value;
    Readable **parts = ARENA_ARRAY(t->arena, Readable *, type->nops + 1);
    for (uint32_t k = 0; k < type->nops; k++) parts[k] = con_undefined(t, type->op[k]);
    return readable_tuple(t, type, (int)type->nops, parts);
}

Readable *con_lambda(Tr *t, Node *lam, Env *env, Readable *const *args, int n)
{
    Readable *value = con(t, lam->op[0], bind_args(t, lam, env, args, n));
    Node *type = type_result(lam->type);
    bool never = value->type->kind == TYPE_NEVER && !is_nothing(type);
    return never ? con_undefined(t, type) : value;
}

// --- cells --------------------------------------------------------------------------------------

Readable *readable_place(Tr *t, Node *type, Node *phrase, Node *d)
{
    return readable_new(
        t, &(struct Readable){.kind = READ_PLACE, .type = type, .phrase = phrase, .acceptor = d});
}

Readable *place_of_memory(Tr *t, Node *ref, Sym name)
{
    Node *type = ref->op[0];
    map_put(&t->cells, MAP_KEY(name), (void *)(uintptr_t)type);
    return readable_place(t, ref, phrase_var(t, name, type), acceptor_var(t, name, type));
}

// con(cell e, k) = new c. acc(e, c) ; k(c)
Readable *con_cell(Tr *t, Node *e, Env *env, const char *hint)
{
    Node *type = e->op[0]->type;
    Memory m = emit_new(t, hint, type, (Variant)e->variant);
    if (e->op[0]->kind == CORE_UNDEFINED && type_has_array(type))
        leave_undefined(t, m.d);
    else
        acc_block(t, e->op[0], env, m.d);
    return place_of_memory(t, e->type, m.name);
}

// --- lets ---------------------------------------------------------------------------------------

// con(let x = v in b, k) = con(v, \x. con(b, k))
Env *bind_let(Tr *t, Node *let, Env *env, Readable *value)
{
    if (!value)
        value = let->op[0]->kind == CORE_NEW ? con_cell(t, let->op[0], env, hint_of(let, 0))
                                             : con(t, let->op[0], env);
    return env_push(t, env, bind_scalars(t, value, hint_of(let, 0), let->op[1], 0, MANY));
}

Env *bind_first_let(Tr *t, Node **e, Env *env)
{
    Node *let = *e;
    if (let->origin.file) t->origin = let->origin;
    *e = let->op[1];
    return bind_let(t, let, env, NULL);
}

Env *bind_lets(Tr *t, Node **e, Env *env)
{
    while ((*e)->kind == CORE_LET) env = bind_first_let(t, e, env);
    return env;
}
