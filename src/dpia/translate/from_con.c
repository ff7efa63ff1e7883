// con(e : rd T): emits what must run before e can be read and says how to read it (RISE & Shine,
// listing 9). Numbers in brackets are equations of Lin's thesis.
#include "dpia/translate/from_core.h"

// --- how often a scalar is mentioned ------------------------------------------------------------

enum { MAX_DEPTH = 16, MANY = 2 };

bool is_aggregate(Node *type)
{
    return type->kind == TYPE_TUPLE || type->kind == TYPE_STRUCT;
}

/// A value that is bound, or a component of one: its scalars and arrays are numbered.
typedef struct Part Part;
struct Part {
    int first, n; // its numbers
    Part *parts;  // NULL: a scalar or an array
};

/// How often each is mentioned in the body of the binding: 0, 1 or MANY.
typedef struct {
    Part all;
    int *uses;
    int rare;  // how many are not mentioned MANY times
    Map terms; // (term, variable) -> how often it was looked at, as terms are shared
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

// The part that a chain of projections of variable `index` is; NULL: it is no such chain.
static const Part *part_of(const Mentions *m, Node *e, int index)
{
    if (e->kind == CORE_VAR) return e->attr.i == index ? &m->all : NULL;
    const Part *whole = e->kind == CORE_PROJ ? part_of(m, e->op[0], index) : NULL;
    return whole && whole->parts ? &whole->parts[e->attr.i] : whole;
}

// A mention in a function or loop counts as many, as these are run many times.
static void find_mentions(Mentions *m, Node *e, int index, int times)
{
    if (e->loose <= (uint32_t)index || m->rare == 0) return;
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
    for (uint32_t i = 0; i < e->nops; i++)
        find_mentions(m, e->op[i], index + node_binds(e, (int)i), times);
}

typedef struct {
    const char *hint;
    Mentions *mentions; // NULL: everything is mentioned often, as far as one can tell
    int from;
} Binding;

// A local for a scalar that is used often enough, unless it costs nothing to repeat. Memory that
// will change (from 1) is no such thing. What is read from cells is read here, in case they are
// written before it is used.
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
    Mentions m = {.all = number_parts(t->arena, r->type, 0, 0), .terms = map_new(t->arena)};
    m.uses = ARENA_ARRAY(t->arena, int, m.all.n + 1);
    m.rare = m.all.n;
    if (body) find_mentions(&m, body, index, 1);
    Binding b = {.hint = hint, .mentions = body ? &m : NULL, .from = from};
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
    TR_CHECK(t, lam->kind == CORE_LAM && lam->attr.i == n, "a function that is no literal lambda");
    for (int k = 0; k < n; k++)
        env = env_push(t, env,
                       bind_scalars(t, args[k], hint_of(lam, k), lam->op[0], n - 1 - k, MANY));
    return env;
}

// Of a scalar that is not told: 0.
static Readable *con_undefined(Tr *t, Node *type)
{
    if (type_is_value(type)) return readable_phrase(t, zero_of(t, type));
    if (type_has_elements(type))
        return readable_phrase(t, phrase_var(t, emit_new(t, "undefined", type, VARIANT_ANY), type));
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

static Readable *lookup(Tr *t, Env *env, Node *var)
{
    env = env_at(env, var->attr.i);
    TR_CHECK(t, env, "a variable without a binder");
    return env->value;
}

// con(let x = v in b, k) = con(v, \x. con(b, k))
static Env *bind_let(Tr *t, Node *let, Env *env, Readable *value)
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

// acc(let x = to_mem.inplace v in b, d) = acc(v, d) ; acc(b, d) with x what d holds
Env *bind_lets_of(Tr *t, Node **e, Env *env, Updates *u)
{
    for (; (*e)->kind == CORE_LET; *e = (*e)->op[1]) {
        Node *v = (*e)->op[0];
        bool update = v->kind == CORE_TO_MEM && v->variant == VARIANT_INPLACE;
        Readable *there = update ? read_back(t, u->d) : NULL;
        if ((*e)->origin.file) t->origin = (*e)->origin;
        if (there) {
            if (!u->any) accumulate_open(t, &u->accumulate, u->d);
            u->any = true;
            emit(t, acc(t, v->op[0], env, u->d));
            mark_cells(t, u->d);
        }
        env = bind_let(t, *e, env, there);
    }
    return env;
}

// --- scalars ------------------------------------------------------------------------------------

static Node *con_scalar(Tr *t, Node *e, Env *env)
{
    return scalar_of(t, con(t, e, env));
}

// A scalar that is about to be mentioned twice.
static Node *once(Tr *t, const char *hint, Node *phrase)
{
    return is_cheap(phrase) ? phrase : emit_let(t, hint, phrase);
}

static bool is_never_zero(Tr *t, Node *phrase)
{
    if (phrase->type->kind == TYPE_VEC)
        return phrase->kind == CORE_CAST && phrase->op[0]->type == phrase->type->op[1] &&
               is_never_zero(t, phrase->op[0]);
    if (phrase->kind == CORE_LIT) return phrase->attr.bits != 0;
    Node *size = size_of_phrase(t, phrase);
    return size && nat_lt(t->cx, t->block->facts, nat_const(t->cx, 0), size) == TRUTH_YES;
}

static Readable *con_prim(Tr *t, Node *e, Env *env)
{
    Node *args[4];
    TR_CHECK(t, e->nops <= 4, "an operator with %u operands", e->nops);
    for (uint32_t i = 0; i < e->nops; i++) args[i] = con_scalar(t, e->op[i], env);
    bool divides = e->attr.i == PRIM_DIV || e->attr.i == PRIM_REM;
    if (divides && type_is_integer(type_lane(args[1]->type)) && !is_never_zero(t, args[1])) {
        Node *d = args[1] = once(t, "d", args[1]);
        Node *holds = core_prim(t->cx, PRIM_NE, 2, (Node *[]){d, zero_of(t, d->type)});
        if (d->type->kind == TYPE_VEC) holds = core_pattern(t->cx, CORE_ALL, 0, 1, &holds);
        emit_check(t, E0602, holds);
    }
    Node *prim = core_prim(t->cx, (Prim)e->attr.i, (int)e->nops, args);
    return readable_phrase(t, core_at(t->cx, prim, e->origin));
}

// An index that is used as an integer is the same size.
static Readable *con_cast(Tr *t, Node *e, Env *env)
{
    Node *x = con_scalar(t, e->op[0], env);
    Scalar s;
    Node *size = type_is_scalar(e->type, &s) && s == SCALAR_I64 ? size_of_integer(t, x) : NULL;
    return readable_phrase(t, size ? size_phrase(t, size) : core_cast(t->cx, x, e->type));
}

// to_idx[n](e): 0 <= e < n is checked, unless the facts say so, and is a fact from there on. Where
// it is not to be checked nothing is concluded either.
static Readable *con_to_idx(Tr *t, Node *e, Env *env)
{
    Session *cx = t->cx;
    Node *size = size_of(t, con(t, e->op[0], env)), *n = e->type->op[0];
    if (e->variant == VARIANT_UNCHECKED) return readable_phrase(t, index_phrase(t, size, n));
    Facts *f = t->block->facts;
    Node *i = size_phrase(t, size), *zero = size_phrase(t, nat_const(cx, 0)), *checks[2];
    int k = 0;
    if (nat_ge0(cx, f, size) != TRUTH_YES)
        checks[k++] = core_prim(cx, PRIM_LE, 2, (Node *[]){zero, i});
    if (nat_lt(cx, f, size, n) != TRUTH_YES) checks[k++] = less(t, size, n);
    if (k) emit_check(t, E0601, k == 1 ? checks[0] : core_prim(cx, PRIM_AND, 2, checks));
    facts_ge0(f, size);
    facts_ge0(f, nat_sub(cx, nat_sub(cx, n, size), nat_const(cx, 1)));
    return readable_phrase(t, index_phrase(t, size, n));
}

// What only vectors have is an expression like an operator.
static Readable *con_lanes(Tr *t, Node *e, Env *env)
{
    Node *ops[3];
    for (uint32_t i = 0; i < e->nops; i++)
        ops[i] =
            kind_sort((Kind)e->kind, (int)i) == SORT_SIZE ? e->op[i] : con_scalar(t, e->op[i], env);
    Node *made = core_pattern(t->cx, (Kind)e->kind, 0, (int)e->nops, ops);
    return readable_phrase(t, core_at(t->cx, made, e->origin));
}

// con(if c a b, k) = con(c, \c. k(c ? a : b)), with a local when a or b needs commands: k is not
// doubled.
static Readable *con_if(Tr *t, Node *e, Env *env)
{
    TR_CHECK(t, !type_has_array(e->type), "a conditional of type %s is read",
             type_show(t->cx, e->type));
    Readable *chosen = con_choice(t, e, env);
    if (chosen) return chosen;
    Node *condition = con_scalar(t, e->op[0], env);
    Block a, b;
    block_open(t, &a);
    Readable *va = con(t, e->op[1], env);
    block_leave(t, &a);
    block_open(t, &b);
    Readable *vb = con(t, e->op[2], env);
    block_leave(t, &b);
    return join_blocks(t, condition, &a, va, &b, vb);
}

// --- aggregates, memory, delayed arrays ---------------------------------------------------------

static Readable *con_tuple(Tr *t, Node *e, Env *env)
{
    Readable **parts = ARENA_ARRAY(t->arena, Readable *, e->nops + 1);
    for (uint32_t i = 0; i < e->nops; i++) parts[i] = con(t, e->op[i], env);
    return readable_tuple(t, e->type, (int)e->nops, parts);
}

static Sym memory_for(Tr *t, Node *to_mem)
{
    Node *type = to_mem->type;
    Variant space = variant_space((Variant)to_mem->variant);
    switch (variant_layout((Variant)to_mem->variant)) {
    case VARIANT_AOS: return emit_new_in_blocks(t, "t", type, space, nat_const(t->cx, 1));
    case VARIANT_AOSOA: return emit_new_in_blocks(t, "t", type, space, node_lanes(to_mem));
    default: return emit_new(t, "t", type, space);
    }
}

// con(to_mem e, k) = new t. acc(e, t) ; k(t)                                            [5.6]
// A constant table is in memory already.
static Readable *con_to_mem(Tr *t, Node *e, Env *env)
{
    if (core_is_table(e->op[0])) return readable_phrase(t, e->op[0]);
    Sym name = memory_for(t, e);
    emit(t, acc(t, e->op[0], env, acceptor_var(t, name, e->type)));
    return readable_phrase(t, phrase_var(t, name, e->type));
}

// con(map.src f xs, k) = con(xs, \x. k(\i. f(x[i]))), con(generate.src f, k) = k(f)       [5.16]
static Readable *con_delayed(Tr *t, Node *e, Env *env)
{
    bool map = e->kind == CORE_MAP;
    TR_CHECK(t, e->variant == VARIANT_SRC, "%s that is read has to be delayed",
             kind_info[e->kind].text);
    struct Readable *r = ARENA_NEW(t->arena, struct Readable);
    *r = (struct Readable){.kind = map ? READ_MAP : READ_GENERATE,
                           .type = e->type,
                           .core = e,
                           .env = env,
                           .nparts = map,
                           .parts = ARENA_ARRAY(t->arena, Readable *, 1)};
    if (map) r->parts[0] = con(t, e->op[1], env);
    return r;
}

// The offset of a rotation. One that may be any integer is brought into [0, n), so that indices
// stay in 64 bits.
Node *rotation(Tr *t, Node *e, Env *env)
{
    Session *cx = t->cx;
    Node *k = size_of(t, con(t, e->op[0], env)), *n = e->type->op[0];
    if (is_length(t, k)) return k;
    Node *least = nat_max(cx, n, nat_const(cx, 1)); // an empty array has no element to rotate
    return nat_var(cx, emit_let(t, "k", size_phrase(t, nat_mod(cx, k, least)))->attr.sym);
}

// con(view.src e.., k) = con(e, \x. k(view x)) [5.17-5.26] A view of memory stays a node on it. One
// of delayed arrays, and one with a function, is delayed.
static Readable *con_view(Tr *t, Node *e, Env *env)
{
    Readable **parts = ARENA_ARRAY(t->arena, Readable *, e->nops);
    Node **ops = ARENA_ARRAY(t->arena, Node *, e->nops), *shift = NULL;
    bool memory =
        kind_info[e->kind].levels & LEVEL_DPIA && view_row((Kind)e->kind)->levels != LEVELS_REPEAT;
    TR_CHECK(t, e->variant == VARIANT_SRC, "%s that is read needs a side", kind_info[e->kind].text);
    for (uint32_t i = 0; i < e->nops; i++) {
        ops[i] = e->op[i];
        if (kind_sort((Kind)e->kind, (int)i) != SORT_TERM) continue;
        Readable *x;
        if (view_role(e, (int)i) == ROLE_NUMBER) {
            shift = rotation(t, e, env);
            x = readable_phrase(t, size_phrase(t, shift));
        } else {
            x = con(t, e->op[i], env);
        }
        parts[i] = bind_scalars(t, x, "x", NULL, 0, MANY);
        if (parts[i]->kind == READ_PHRASE)
            ops[i] = parts[i]->phrase;
        else
            memory = false;
    }
    if (!memory) return read_view(t, e, env, parts, shift);
    return readable_phrase(t, core_pattern(t->cx, (Kind)e->kind, e->attr.i, (int)e->nops, ops));
}

// con(e, k) = new t. acc(e, t) ; k(t) for a part of what has to be written
static Readable *con_part(Tr *t, Node *e, Env *env)
{
    TR_CHECK(t, !type_has_array(e->type), "%s.dst is read", kind_info[e->kind].text);
    Sym name = emit_new(t, "part", e->type, VARIANT_STACK);
    emit(t, acc(t, e, env, acceptor_var(t, name, e->type)));
    return readable_phrase(t, phrase_var(t, name, e->type));
}

static Readable *con_term(Tr *t, Node *e, Env *env)
{
    if (e->variant == VARIANT_DST) return con_part(t, e, env);
    switch ((Kind)e->kind) {
    case CORE_VAR: return lookup(t, env, e);
    case CORE_UNDEFINED: return con_undefined(t, e->type);
    case CORE_LIT:
    case CORE_NAT: return readable_phrase(t, e);
    case CORE_LET: break; // con goes through rows of lets
    case CORE_PRIM: return con_prim(t, e, env);
    case CORE_CAST: return con_cast(t, e, env);
    case CORE_TO_IDX: return con_to_idx(t, e, env);
    case CORE_LANES:
    case CORE_BLEND:
    case CORE_EXTRACT:
    case CORE_INSERT:
    case CORE_ANY:
    case CORE_ALL:
    case CORE_SHUFFLE:
    case CORE_COUNT:
    case CORE_COMPRESS:
    case CORE_EXPAND: return con_lanes(t, e, env);
    case CORE_IF: return con_if(t, e, env);
    case CORE_TUPLE: return con_tuple(t, e, env);
    case CORE_PROJ: return read_component(t, con(t, e->op[0], env), (int)e->attr.i);
    case CORE_INDEX: {
        Readable *array = con(t, e->op[0], env);
        return read_at(t, array, size_of(t, con(t, e->op[1], env)));
    }
    case CORE_MAP:
    case CORE_GENERATE: return con_delayed(t, e, env);
    case CORE_REDUCE:
    case CORE_FOLD:
    case CORE_ITERATE: return con_carried(t, e, env);
    case CORE_TO_MEM: return con_to_mem(t, e, env);
    case CORE_NEW: return con_cell(t, e, env, "cell");
    case CORE_GET: return con_get(t, e, env);
    case CORE_SET: return con_put(t, e, env);
    case CORE_BORROW:
    case CORE_REF_AT:
    case CORE_REF_PROJ:
    case CORE_REF_SLICE: return con_reference(t, e, env);
    case CORE_LABEL: return con_label(t, e, env);
    case CORE_JUMP: return con_jump(t, e, env);
    case CORE_FOREVER: return con_forever(t, e, env);
    case CORE_RANGE:
    case CORE_PARALLEL:
    case CORE_VECTORIZE: return con_range(t, e, env);
    case CORE_SPAWN: return con_spawn(t, e, env);
    case CORE_SYNC: return con_sync(t, e, env);
    case CORE_ASSERT: return con_assert(t, e, env);
    case CORE_CALL: return con_call(t, e, env);
    case VIEW_CIRCULAR: // where nothing says how it is gone through
        TR_CHECK(t, e->variant == VARIANT_SRC, "circular that is read needs a side");
        return con(t, e->op[1], env);
    default: break;
    }
    if (kind_is_view((Kind)e->kind)) return con_view(t, e, env);
    session_ice(t->cx, __FILE__, __LINE__, "%s where memory is read", kind_info[e->kind].text);
}

Readable *con(Tr *t, Node *e, Env *env)
{
    Span before = t->origin;
    env = bind_lets(t, &e, env);
    if (e->nops && e->origin.file)
        t->origin = e->origin; // names and numbers are those of all functions
    Readable *r = con_term(t, e, env);
    t->origin = before;
    return r;
}
