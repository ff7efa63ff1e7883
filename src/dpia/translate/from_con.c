// con(e : rd T): emits the commands that e depends on and returns how to read it (RISE & Shine,
// listing 9). Numbers in brackets are equations of Lin's thesis.
#include "dpia/translate/from_core.h"

static Readable *lookup(Tr *t, Env *env, Node *var)
{
    env = env_at(env, var->attr.i);
    TR_CHECK(t, env, "a variable without a binder");
    return env->value;
}

// acc(let x = to_mem.inplace v in b, d) = acc(v, d) ; acc(b, d) where x is the value of d
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
            acc_block(t, v->op[0], env, u->d);
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

// Creates a local for a scalar that is used twice, unless it is cheap.
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

// Casting a size to i64 yields the same size. A cast that was already used as an index has a local,
// so it is not computed again.
static Readable *con_cast(Tr *t, Node *e, Env *env)
{
    Node *x = con_scalar(t, e->op[0], env);
    Scalar s;
    Node *size = type_is_scalar(e->type, &s) && s == SCALAR_I64 ? size_of_integer(t, x) : NULL;
    if (size) return readable_phrase(t, size_phrase(t, size));
    Node *cast = core_cast(t->cx, x, e->type), *local = local_of_index(t, cast);
    return readable_phrase(t, local ? local : cast);
}

typedef struct {
    int64_t lo, hi;
} Range64;

// The limits that minima and maxima with literals set to an integer, min(max(x, 0), 255).
static Range64 range_of(Node *x)
{
    Range64 all = {INT64_MIN, INT64_MAX};
    Scalar s, from;
    if (!type_is_scalar(x->type, &s) || scalar_info[s].class != CLASS_INT) return all;
    if (x->kind == CORE_LIT) return (Range64){x->attr.i, x->attr.i};
    bool widens = x->kind == CORE_CAST && type_is_scalar(x->op[0]->type, &from) &&
                  scalar_info[from].class == CLASS_INT &&
                  scalar_info[from].size <= scalar_info[s].size;
    if (widens) return range_of(x->op[0]);
    if (x->kind != CORE_PRIM || (x->attr.i != PRIM_MIN && x->attr.i != PRIM_MAX)) return all;
    Range64 a = range_of(x->op[0]), b = range_of(x->op[1]);
    bool least = x->attr.i == PRIM_MIN;
    return (Range64){(a.lo < b.lo) == least ? a.lo : b.lo, (a.hi < b.hi) == least ? a.hi : b.hi};
}

// to_idx[n](e) checks 0 <= e < n, unless the facts or limits in e imply it, and adds this condition
// to the facts. An unchecked index adds no facts.
static Readable *con_to_idx(Tr *t, Node *e, Env *env)
{
    Session *cx = t->cx;
    Readable *x = con(t, e->op[0], env);
    Range64 range = x->phrase ? range_of(x->phrase) : (Range64){INT64_MIN, INT64_MAX};
    Node *size = size_of(t, x), *n = e->type->op[0];
    if (e->variant == VARIANT_UNCHECKED) return readable_phrase(t, index_phrase(t, size, n));
    Facts *f = t->block->facts;
    Node *i = size_phrase(t, size), *zero = size_phrase(t, nat_const(cx, 0)), *checks[2];
    int k = 0;
    if (range.lo < 0 && nat_ge0(cx, f, size) != TRUTH_YES)
        checks[k++] = core_prim(cx, PRIM_LE, 2, (Node *[]){zero, i});
    bool below = nat_lt(cx, f, nat_const(cx, range.hi), n) == TRUTH_YES;
    if (!below && nat_lt(cx, f, size, n) != TRUTH_YES) checks[k++] = less(t, size, n);
    DiagCode code =
        e->type == type_own_size(cx) ? E0604 : E0601; // E0604: a size that the program computes
    if (k) emit_check(t, code, k == 1 ? checks[0] : core_prim(cx, PRIM_AND, 2, checks));
    facts_ge0(f, size);
    facts_ge0(f, nat_sub(cx, nat_sub(cx, n, size), nat_const(cx, 1)));
    return readable_phrase(t, index_phrase(t, size, n));
}

// Operations that exist only on vectors become expressions, as operators do.
static Readable *con_lanes(Tr *t, Node *e, Env *env)
{
    Node *ops[3];
    for (uint32_t i = 0; i < e->nops; i++)
        ops[i] =
            kind_sort((Kind)e->kind, (int)i) == SORT_SIZE ? e->op[i] : con_scalar(t, e->op[i], env);
    Node *made = core_pattern(t->cx, (Kind)e->kind, 0, (int)e->nops, ops);
    return readable_phrase(t, core_at(t->cx, made, e->origin));
}

// con(if c a b, k) = con(c, \c. k(c ? a : b)), with a local if `a` or `b` needs commands, so that k
// is not duplicated.
static Readable *con_if(Tr *t, Node *e, Env *env)
{
    TR_CHECK(t, !type_has_array(e->type), "a conditional of type %s is read",
             type_show(t->cx, e->type));
    Readable *chosen = con_choice(t, e, env);
    if (chosen) return chosen;
    Node *condition = con_scalar(t, e->op[0], env);
    Block b[2];
    Readable *value[2];
    for (int k = 0; k < 2; k++) {
        block_open(t, &b[k]);
        value[k] = con(t, e->op[k + 1], env);
        block_leave(t, &b[k]);
    }
    return join_blocks(t, condition, &b[0], value[0], &b[1], value[1]);
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
    default: return emit_new_in_blocks(t, "t", type, space, NULL);
    }
}

// con(to_mem e, k) = new t. acc(e, t) ; k(t)                                            [5.6]
// A constant table is in memory already.
static Readable *con_to_mem(Tr *t, Node *e, Env *env)
{
    if (core_is_table(e->op[0])) return readable_phrase(t, e->op[0]);
    Sym name = memory_for(t, e);
    acc_block(t, e->op[0], env, acceptor_var(t, name, e->type));
    return readable_phrase(t, phrase_var(t, name, e->type));
}

// con(map.src f xs, k) = con(xs, \x. k(\i. f(x[i]))), con(generate.src f, k) = k(f)       [5.16]
static Readable *con_delayed(Tr *t, Node *e, Env *env)
{
    bool map = e->kind == CORE_MAP;
    TR_CHECK(t, e->variant == VARIANT_SRC, "%s that is read has to be delayed",
             kind_info[e->kind].text);
    Readable **xs = ARENA_ARRAY(t->arena, Readable *, 1);
    if (map) xs[0] = con(t, e->op[1], env);
    struct Readable r = {.kind = map ? READ_MAP : READ_GENERATE,
                         .type = e->type,
                         .core = e,
                         .env = env,
                         .nparts = map,
                         .parts = xs};
    return readable_new(t, &r);
}

// Returns the offset of a rotation, reduced to [0, n) if it may be any integer, so that indices
// stay within 64 bits.
Node *rotation(Tr *t, Node *e, Env *env)
{
    Session *cx = t->cx;
    Node *k = size_of(t, con(t, e->op[0], env)), *n = e->type->op[0];
    if (is_length(t, k)) return k;
    Node *least = nat_max(cx, n, nat_const(cx, 1)); // avoids k mod 0 for an empty array
    return nat_var(cx, emit_let(t, "k", size_phrase(t, nat_mod(cx, k, least)))->attr.sym);
}

// con(view.src e.., k) = con(e, \x. k(view x))                                       [5.17-5.26]
// A view of memory stays a view of that memory. A view of delayed arrays, or one with a function,
// is delayed.
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

// con(e, k) = new t. acc(e, t) ; k(t), where e is a component or element of a term that has to be
// written to memory
static Readable *con_part(Tr *t, Node *e, Env *env)
{
    TR_CHECK(t, !type_has_array(e->type), "%s.dst is read", kind_info[e->kind].text);
    return con_in_memory(t, e, env, "part", VARIANT_STACK);
}

static Readable *con_term(Tr *t, Node *e, Env *env)
{
    if (e->variant == VARIANT_DST) return con_part(t, e, env);
    switch ((Kind)e->kind) {
    case CORE_VAR: return lookup(t, env, e);
    case CORE_UNDEFINED: return con_undefined(t, e->type);
    case CORE_LIT:
    case CORE_NAT: return readable_phrase(t, e);
    case CORE_LET: break; // con_by_kind handles it
    case CORE_PRIM: return con_prim(t, e, env);
    case CORE_CAST: return con_cast(t, e, env);
    case CORE_TO_IDX: return con_to_idx(t, e, env);
#define NODE(kind, ...) case kind:
#include "ir/lanes.def"
#undef NODE
        return con_lanes(t, e, env);
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
    case CORE_PREFETCH: return con_prefetch(t, e, env);
    case CORE_ASSERT: return con_assert(t, e, env);
    case CORE_CALL: return con_call(t, e, env);
    case VIEW_CIRCULAR: // no stream consumes this one
        TR_CHECK(t, e->variant == VARIANT_SRC, "circular that is read needs a side");
        return con(t, e->op[1], env);
    default: break;
    }
    if (kind_is_view((Kind)e->kind)) return con_view(t, e, env);
    session_ice(t->cx, __FILE__, __LINE__, "%s where memory is read", kind_info[e->kind].text);
}

Readable *con_by_kind(Tr *t, Node *e, Env *env)
{
    Span before = t->origin;
    env = bind_lets(t, &e, env);
    if (e->nops && e->origin.file)
        t->origin = e->origin; // leaves are shared by all functions, so their origin says nothing
    Readable *r = con_term(t, e, env);
    t->origin = before;
    return r;
}
