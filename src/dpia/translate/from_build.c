// Blocks, phrase builders, and integer expressions as sizes.
#include "dpia/translate/from_core.h"
#include "ir/walk.h"
#include "memory_policy/memory_policy.h"

// --- blocks -------------------------------------------------------------------------------------

void block_open(Tr *t, Block *b)
{
    *b = (Block){.outer = t->block, .elements = map_new(t->arena), .indices = map_new(t->arena)};
    b->facts = facts_new(t->cx, t->arena, t->block ? t->block->facts : NULL);
    t->block = b;
}

void block_leave(Tr *t, Block *b)
{
    t->block = b->outer;
}

static Node *command(Tr *t, const NodeSpec *spec)
{
    NodeSpec s = *spec;
    if (s.origin.file == 0) s.origin = t->origin;
    return node_make(t->cx, &s);
}

// Combines n commands into one.
static Node *sequence(Tr *t, Node **commands, int n)
{
    if (n == 1) return commands[0];
    return command(t, &(NodeSpec){.kind = n ? COM_SEQ : COM_SKIP, .nops = n, .ops = commands});
}

// Whether the end of the command is unreachable.
static bool never_ends(Node *c)
{
    switch ((Kind)c->kind) {
    case COM_JUMP:
    case COM_FOREVER: return true;
    case COM_LET:
    case COM_NEW:
    case COM_ACCUMULATE: return never_ends(c->op[1]);
    case COM_IF: return never_ends(c->op[1]) && never_ends(c->op[2]);
    case COM_SEQ: return c->nops > 0 && never_ends(c->op[c->nops - 1]);
    default: return false;
    }
}

// The number of reachable items in the block.
static int count_reachable(const Block *b)
{
    int n = 0;
    while (n < b->items.len && (b->items.at[n].binds || !never_ends(b->items.at[n].node))) n++;
    return n < b->items.len ? n + 1 : n;
}

Node *block_command(Tr *t, Block *b)
{
    Item *items = ARENA_ARRAY(t->arena, Item, b->items.len + 1);
    Node **tail = ARENA_ARRAY(t->arena, Node *, b->items.len + 1);
    int end = b->items.len, from = end; // tail[from..end) are the commands after the current item
    for (int i = 0; i < b->items.len; i++) items[i] = b->items.at[i];
    int kept = count_reachable(b);
    const struct BlockNames *names = lets_needed(t, items, &kept);
    for (int i = kept - 1; i >= 0; i--) {
        const Item *item = &items[i];
        if (item->binds == KIND_NONE) {
            tail[--from] = item->node;
            continue;
        }
        Node *body = sequence(t, tail + from, end - from);
        tail[from = end - 1] =
            command(t, &(NodeSpec){.kind = item->binds,
                                   .variant = item->space,
                                   .attr.sym = item->name,
                                   .nops = item->block ? 3 : 2,
                                   .ops = (Node *[]){item->node, body, item->block},
                                   .origin = item->origin});
    }
    Node *all = sequence(t, tail + from, end - from);
    map_put(&t->block_names, all->id + 1, (void *)(uintptr_t)names);
    // if the branch becomes an operand of a select, the operand uses the same names
    if (all->kind == COM_ASSIGN && all->op[0]->kind == ACC_VAR && all->op[1]->kind == PH_SELECT)
        map_put(&t->block_names, all->op[1]->id + 1,
                (void *)(uintptr_t)names_read(t, names, all->op[0]->attr.sym));
    return all;
}

Node *block_close(Tr *t, Block *b)
{
    block_leave(t, b);
    return block_command(t, b);
}

static void push(Tr *t, Item item)
{
    item.origin = t->origin;
    vec_push(t->arena, &t->block->items, item);
}

void emit(Tr *t, Node *c)
{
    if (c->kind == COM_SKIP) return;
    if (c->kind == COM_SEQ)
        for (uint32_t i = 0; i < c->nops; i++) push(t, (Item){.node = c->op[i]});
    else
        push(t, (Item){.node = c});
}

void emit_block(Tr *t, Block *b)
{
    emit(t, block_close(t, b));
}

void emit_items(Tr *t, const Block *b)
{
    for (int i = 0; i < b->items.len; i++) vec_push(t->arena, &t->block->items, b->items.at[i]);
}

static NameClass class_of(void *env, Sym name)
{
    Tr *t = env;
    if (map_get(&t->memory, MAP_KEY(name))) return NAME_MEMORY;
    return map_get(&t->integers, MAP_KEY(name)) ? NAME_INTEGER : NAME_LENGTH;
}

static Node *limit_of(void *env, Sym name, bool above)
{
    Tr *t = env;
    Node *size = map_get(&t->sizes, MAP_KEY(name));
    if (!size) return dpia_limit_by_facts(t->cx, t->block->facts, name, above);
    bool parameter = size->kind == NAT_VAR && size->attr.sym == name;
    return parameter && !above ? nat_const(t->cx, 0) : size;
}

void learn_name(Tr *t, Sym name, Node *type, Node *size)
{
    Session *cx = t->cx;
    Facts *f = t->block->facts;
    Scalar s;
    if (type->kind == TYPE_IDX) {
        facts_range(f, name, nat_const(cx, 0), type->op[0]);
        map_put(&t->index_types, MAP_KEY(name), (void *)(uintptr_t)type);
    } else if (type_is_scalar(type, &s) && s == SCALAR_I64) {
        bool natural = size && nat_ge0(cx, f, size) == TRUTH_YES;
        facts_range(f, name, nat_const(cx, natural ? 0 : LEAST_INTEGER), NULL);
        if (!size || !dpia_is_length(size, class_of, t)) map_put(&t->integers, MAP_KEY(name), t);
        if (size) facts_value(f, name, size);
        if (size) map_put(&t->sizes, MAP_KEY(name), (void *)(uintptr_t)size);
    }
}

// If the value is an i64 cast from an integer of at most 32 bits, records its range. Such values
// are small enough to count as lengths without overflow. Returns false for any other value.
static bool learn_small(Tr *t, Sym name, Node *value)
{
    Scalar s, to;
    if (value->kind != CORE_CAST || !type_is_scalar(value->op[0]->type, &s) ||
        !type_is_scalar(value->type, &to) || to != SCALAR_I64 ||
        !type_is_integer(value->op[0]->type) || scalar_info[s].size > 4)
        return false;
    int64_t end = (int64_t)1 << 8 * scalar_info[s].size;
    bool natural = scalar_info[s].class == CLASS_UINT;
    facts_range(t->block->facts, name, nat_const(t->cx, natural ? 0 : -end / 2),
                nat_const(t->cx, natural ? end : end / 2));
    return true;
}

Node *emit_let(Tr *t, const char *hint, Node *value)
{
    Sym name = sym_fresh(t->cx->syms, hint);
    if (!learn_small(t, name, value)) learn_name(t, name, value->type, size_of_phrase(t, value));
    push(t, (Item){.binds = COM_LET, .node = value, .name = name});
    return phrase_var(t, name, value->type);
}

void emit_tentative(Tr *t)
{
    vec_last(&t->block->items).tentative = true;
}

enum { STACK_BYTES = 2048 };

// Adds the bytes of `times` values of the type to *bytes. Returns false if they depend on sizes or
// exceed `most`.
static bool add_bytes(Node *type, int64_t times, int64_t most, int64_t *bytes)
{
    int64_t n;
    if (type_has_elements(type)) {
        if (!nat_is_const(type->op[0], &n) || n > most || times * n > most) return false;
        return add_bytes(type->op[1], times * n, most, bytes);
    }
    if (type->kind == TYPE_TUPLE || type->kind == TYPE_STRUCT) {
        for (uint32_t i = 0; i < type->nops; i++)
            if (!add_bytes(type->op[i], times, most, bytes)) return false;
        return true;
    }
    Scalar s;
    *bytes += times * (type_is_scalar(type, &s) ? scalar_info[s].size : 8);
    return *bytes <= most;
}

bool fits_bytes(Node *type, int64_t most)
{
    int64_t bytes = 0;
    return add_bytes(type, 1, most, &bytes);
}

Sym emit_new_in_blocks(Tr *t, const char *hint, Node *type, Variant space, Node *block)
{
    if (space == VARIANT_SHARED && !t->cx->device) space = VARIANT_ANY;
    if (space == VARIANT_ANY) space = fits_bytes(type, STACK_BYTES) ? VARIANT_STACK : VARIANT_HEAP;
    Sym name = sym_fresh(t->cx->syms, hint);
    map_put(&t->memory, MAP_KEY(name), (void *)(uintptr_t)type);
    if (block) map_put(&t->blocks, MAP_KEY(name), (void *)(uintptr_t)block);
    push(t, (Item){.binds = COM_NEW, .node = type, .name = name, .space = space, .block = block});
    return name;
}

Memory emit_new(Tr *t, const char *hint, Node *type, Variant space)
{
    Sym name = emit_new_in_blocks(t, hint, type, space, NULL);
    Node *d = acceptor_var(t, name, type);
    return (Memory){name, d, readable_phrase(t, phrase_var(t, name, type))};
}

Readable *con_in_memory(Tr *t, Node *e, Env *env, const char *hint, Variant space)
{
    Memory m = emit_new(t, hint, e->type, space);
    acc_block(t, e, env, m.d);
    return m.value;
}

void emit_check(Tr *t, DiagCode code, Node *condition)
{
    emit(t,
         command(t, &(NodeSpec){.kind = COM_CHECK, .attr.i = code, .nops = 1, .ops = &condition}));
}

void emit_assign(Tr *t, Node *acceptor_, Node *value)
{
    if (acceptor_->kind == ACC_NONE) return; // [5.68]
    emit(t, command(t, &(NodeSpec){
                           .kind = COM_ASSIGN, .nops = 2, .ops = (Node *[]){acceptor_, value}}));
}

void emit_if(Tr *t, Node *condition, Node *then, Node *otherwise)
{
    if (then->kind == COM_SKIP && otherwise->kind == COM_SKIP) return;
    emit(t,
         command(t, &(NodeSpec){
                        .kind = COM_IF, .nops = 3, .ops = (Node *[]){condition, then, otherwise}}));
}

// --- loops --------------------------------------------------------------------------------------

static void index_open(Tr *t, Loop *l, Node *from, Node *to)
{
    char letter[2] = {(char)('i' + (t->loop_depth < 6 ? t->loop_depth : 5)), 0};
    l->n = to;
    l->variant = VARIANT_ANY;
    l->lanes = NULL;
    l->name = sym_fresh(t->cx->syms, letter);
    l->index = nat_var(t->cx, l->name);
    t->loop_depth++;
    block_open(t, &l->block);
    facts_range(l->block.facts, l->name, from, to);
}

void range_open(Tr *t, Loop *l, Node *from, Node *to)
{
    index_open(t, l, from, to);
    if (!is_length(t, from) || !is_length(t, to)) map_put(&t->integers, MAP_KEY(l->name), t);
}

Node *range_close(Tr *t, Loop *l)
{
    t->loop_depth--;
    return block_close(t, &l->block);
}

void loop_open(Tr *t, Loop *l, Node *n)
{
    index_open(t, l, nat_const(t->cx, 0), n);
    facts_ge0(l->block.facts, nat_sub(t->cx, n, nat_const(t->cx, 1)));
    map_put(&t->index_types, MAP_KEY(l->name), (void *)(uintptr_t)type_idx(t->cx, n));
}

void loop_open_first(Tr *t, Loop *l, Node *n)
{
    Node *one = nat_const(t->cx, 1);
    bool sure = nat_lt(t->cx, t->block->facts, nat_const(t->cx, 0), n) == TRUTH_YES;
    loop_open(t, l, sure ? one : nat_min(t->cx, n, one));
}

void loop_close(Tr *t, Loop *l)
{
    Node *body = range_close(t, l);
    t->lockstep -= l->variant == VARIANT_PAR || l->variant == VARIANT_VEC;
    if (body->kind == COM_SKIP) return;
    emit(t, command(t, &(NodeSpec){.kind = COM_FOR,
                                   .variant = l->variant,
                                   .attr.sym = l->name,
                                   .nops = variant_operands(l->variant, 2),
                                   .ops = (Node *[]){l->n, body, l->lanes}}));
}

void loop_as(Tr *t, Loop *l, Node *pattern)
{
    bool apart = pattern->kind == CORE_MAP || pattern->kind == CORE_GENERATE;
    bool any = apart && policy_in_any_order(pattern);
    if (!any && pattern->variant != VARIANT_UNROLL) return;
    l->variant = (Variant)pattern->variant;
    if (l->variant == VARIANT_VEC) l->lanes = node_lanes(pattern);
    t->lockstep += any;
}

void loop_in_any_order(Tr *t, Loop *l)
{
    l->variant = VARIANT_PAR;
    t->lockstep++;
}

void loop_in_lanes(Tr *t, Loop *l, Node *lanes)
{
    l->variant = VARIANT_VEC;
    l->lanes = lanes;
    t->lockstep++;
}

// --- builders -----------------------------------------------------------------------------------

Node *phrase_var(Tr *t, Sym name, Node *type)
{
    return node_make(t->cx, &(NodeSpec){.kind = PH_VAR, .attr.sym = name, .type = type});
}

Node *zero_of(Tr *t, Node *type)
{
    Node *zero = node_make(t->cx, &(NodeSpec){.kind = CORE_LIT, .type = type_lane(type)});
    return core_cast(t->cx, zero, type);
}

Node *acceptor_var(Tr *t, Sym name, Node *type)
{
    return acceptor(t, ACC_VAR, (Attr){.sym = name}.i, type, 0, NULL);
}

Node *acceptor_none(Tr *t, Node *type)
{
    return node_make(t->cx, &(NodeSpec){.kind = ACC_NONE, .type = type});
}

// A view of a discarded destination is discarded as well.
Node *acceptor(Tr *t, Kind kind, int64_t attr, Node *type, int nops, Node *const *ops)
{
    for (int k = 0; k < nops && kind != ACC_TUPLE; k++)
        if (ops[k]->kind == ACC_NONE) return acceptor_none(t, type);
    return node_make(
        t->cx, &(NodeSpec){.kind = kind, .attr.i = attr, .type = type, .nops = nops, .ops = ops});
}

Node *acceptor_put(Tr *t, Node *view, int k, Node *d)
{
    ViewBack back = view_back(t->cx, view, k, NULL);
    if (back.kind == VIEW_SLICE) return acceptor_of_part(t, d, back.ops[0], back.ops[1]);
    return acceptor(t, ACC_PUT, k, view->op[k]->type, 2, (Node *[]){view, d});
}

Node *acceptor_only(Tr *t, Node *type, int k, Node *d)
{
    Node **ops = ARENA_ARRAY(t->arena, Node *, type->nops + 1);
    for (int i = 0; i < (int)type->nops; i++) ops[i] = i == k ? d : acceptor_none(t, type->op[i]);
    return d->kind == ACC_NONE ? acceptor_none(t, type)
                               : acceptor(t, ACC_TUPLE, 0, type, (int)type->nops, ops);
}

Node *acceptor_at(Tr *t, Node *d, Node *index)
{
    TR_CHECK(t, type_has_elements(d->type), "an index into a destination that is not an array");
    if (d->kind == ACC_MAP) // [5.58]
        return node_replace_names(t->cx, d->op[1], &(NodeBinding){d->attr.sym, index}, 1);
    Node *i = index_phrase(t, index, d->type->op[0]);
    return acceptor(t, ACC_AT, 0, d->type->op[1], 2, (Node *[]){d, i});
}

Node *acceptor_part(Tr *t, Node *d, int k)
{
    if (d->kind == ACC_TUPLE) return d->op[k]; // [5.60]
    return acceptor(t, ACC_PROJ, k, d->type->op[k], 1, &d);
}

// --- integers as sizes --------------------------------------------------------------------------

Node *index_phrase(Tr *t, Node *size, Node *n)
{
    Node *type = type_idx(t->cx, n);
    if (size->kind == NAT_VAR &&
        map_get(&t->index_types, MAP_KEY(size->attr.sym)) == (const void *)type)
        return phrase_var(t, size->attr.sym, type);
    return node_make(t->cx, &(NodeSpec){.kind = CORE_NAT, .type = type, .nops = 1, .ops = &size});
}

Node *size_phrase(Tr *t, Node *size)
{
    return core_size(t->cx, size);
}

Node *less(Tr *t, Node *a, Node *b)
{
    return core_prim(t->cx, PRIM_LT, 2, (Node *[]){size_phrase(t, a), size_phrase(t, b)});
}

Node *size_of_phrase(Tr *t, Node *phrase)
{
    return dpia_size(&(SizeScope){t->cx, class_of, limit_of, t, &t->lengths}, phrase);
}

Node *size_of_integer(Tr *t, Node *phrase)
{
    Node *index = map_get(&t->exact, MAP_KEY(phrase));
    if (index) return index;
    bool literal = phrase->kind == CORE_LIT && type_is_integer(phrase->type) && phrase->attr.i >= 0;
    return literal ? nat_const(t->cx, phrase->attr.i) : size_of_phrase(t, phrase);
}

bool is_length(Tr *t, Node *size)
{
    return dpia_is_length(size, class_of, t);
}

static bool reads_memory(Node *e, void *translation)
{
    Tr *t = translation;
    return e->kind == PH_VAR && map_get(&t->memory, MAP_KEY(e->attr.sym));
}

Node *local_of_index(Tr *t, Node *phrase)
{
    for (const Block *b = t->block; b; b = b->outer) {
        Node *local = map_get(&b->indices, MAP_KEY(phrase));
        if (local) return local;
    }
    return NULL;
}

Node *size_of(Tr *t, Readable *r)
{
    Node *phrase = scalar_of(t, r), *size = size_of_phrase(t, phrase);
    if (size) return size;
    Node *local = local_of_index(t, phrase);
    if (!local) {
        local = emit_let(t, "k", phrase);
        if (!node_any(phrase, reads_memory, t))
            map_put(&t->block->indices, MAP_KEY(phrase), (void *)(uintptr_t)local);
    }
    return nat_var(t->cx, local->attr.sym);
}

bool is_cheap(Node *phrase)
{
    return phrase->kind == PH_VAR || phrase->kind == CORE_LIT || phrase->kind == CORE_NAT;
}

// Creates a local for a long size, so that a path need not repeat it.
static Node *share_size(void *env, Node *size)
{
    Tr *t = env;
    enum { SHORT = 12 };
    if (size_weight(size, SHORT) <= SHORT) return size;
    return nat_var(t->cx, emit_let(t, "k", size_phrase(t, size))->attr.sym);
}

ViewContext view_context(Tr *t)
{
    return (ViewContext){
        .cx = t->cx, .arena = t->arena, .facts = t->block->facts, .share = share_size, .env = t};
}

Node *acceptor_of_part(Tr *t, Node *d, Node *offset, Node *length)
{
    Node *type = type_array(t->cx, length, d->type->op[1]);
    return acceptor(t, ACC_PART, 0, type, 3, (Node *[]){offset, length, d});
}
