// Buffer rotation: a copy from an array that is dead afterwards is elided. In straight-line code
// the destination becomes that array. In a loop, as in `let next = step(cur); cur = next`, the two
// arrays become pointers, and the copy becomes an exchange of the pointers. A sequence of copies
// becomes one permutation of pointers, so `let t = a; a = b; b = t` needs only two arrays.
#include "loops/memory/moves.h"

enum { MAX_LOOPS = 16, FEW = 16 }; // copies of at most FEW elements are kept

typedef struct Array Array;
struct Array {
    LiveArray live; // the number is -1 until a copy needs one
    Node *alloc;
    Node *loop, *region; // the innermost enclosing loop, and the innermost unordered one
    int depth;           // the number of enclosing blocks
    int block;           // the number of the block that declares it
    bool fixed;          // it cannot become a pointer
    Array *group;        // union-find link to the representative of arrays that exchange memory
    Sym memory;          // the memory of the pointer that it becomes, or NULL
};

typedef struct {
    Node *nest;
    Array *to, *from;
    Node *loop, *region;
    LiveCopy *live; // what the nest writes, and what is live after it
    bool gone;
} Copy;

typedef struct {
    Session *cx;
    const LoopEntry *entry;
    LoopEntry *done;
    const Facts *facts;
    Map arrays;  // Sym -> Array
    Map renamed; // Sym of an elided array -> Sym of the array that replaces it
    Map numbers; // Sym -> LiveArray, for arrays that are copied or copied to
    Map nests;   // Sym of a loop -> LiveCopy
    VEC(Copy) copies;
    VEC(Array *) found; // in the order of their allocations
    Node *loop, *region;
    int depth, blocks, block, vectors, tasks;
} Rotate;

// --- arrays and copies ---------------------------------------------------------------------------

static void add_array(Rotate *r, Node *s)
{
    int64_t count;
    bool few = nat_is_const(s->op[1], &count) && count <= FEW;
    if (few || r->vectors || r->tasks) return;
    Array *a = ARENA_NEW(r->cx->arena, Array);
    *a = (Array){.live = {.number = -1, .count = s->op[1]},
                 .alloc = s,
                 .loop = r->loop,
                 .region = r->region,
                 .depth = r->depth,
                 .block = r->block};
    a->group = a;
    map_put(&r->arrays, MAP_KEY(s->attr.sym), a);
    vec_push(r->cx->arena, &r->found, a);
}

static bool is_numbered(Rotate *r, Array *a)
{
    if (a->live.number >= 0) return true;
    if (r->numbers.len == MAX_ARRAYS) return false;
    a->live.number = r->numbers.len;
    map_put(&r->numbers, MAP_KEY(a->alloc->attr.sym), &a->live);
    return true;
}

// Whether the store in these loops copies one whole array to another.
static bool is_copy(Rotate *r, Node *store, Node *const *loops, int n, Node *count, Copy *out)
{
    if (store->kind != LOOP_STORE || store->op[1]->kind != LOOP_LOAD) return false;
    Node *load = store->op[1];
    out->to = map_get(&r->arrays, MAP_KEY(store->attr.sym));
    out->from = map_get(&r->arrays, MAP_KEY(load->attr.sym));
    if (!out->to || !out->from || out->to == out->from || store->op[0] != load->op[0]) return false;
    bool all = out->to->live.count == count && out->from->live.count == count &&
               out->to->alloc->op[0] == out->from->alloc->op[0];
    return all && loops_go_through(r->cx, r->entry, r->facts, load->op[0], loops, n);
}

// Whether all statements are copies, no two of which access the same array.
static bool are_apart(Node *body)
{
    int n = body->kind == LOOP_BLOCK ? (int)body->nops : 1;
    for (int i = 0; i < n; i++) {
        Node *s = body->kind == LOOP_BLOCK ? body->op[i] : body;
        if (s->kind != LOOP_STORE || s->op[1]->kind != LOOP_LOAD) return false;
        for (int k = 0; k < i; k++) {
            Node *o = body->op[k];
            Sym to = o->attr.sym, from = o->op[1]->attr.sym;
            if (s->attr.sym == to || s->attr.sym == from || s->op[1]->attr.sym == to ||
                s->op[1]->attr.sym == from)
                return false;
        }
    }
    return n > 0;
}

static void add_copies(Rotate *r, Node *nest, Node *body, Node *const *loops, int n, Node *count)
{
    LiveCopy *live = ARENA_NEW(r->cx->arena, LiveCopy);
    *live = (LiveCopy){.loop = nest->attr.sym};
    int stores = body->kind == LOOP_BLOCK ? (int)body->nops : 1;
    for (int i = 0; i < stores; i++) {
        Copy c = {.nest = nest, .loop = r->loop, .region = r->region, .live = live};
        Node *store = body->kind == LOOP_BLOCK ? body->op[i] : body;
        if (!is_copy(r, store, loops, n, count, &c)) continue;
        if (!is_numbered(r, c.to) || !is_numbered(r, c.from)) continue;
        live->to |= (ArraySet)1 << c.to->live.number;
        vec_push(r->cx->arena, &r->copies, c);
    }
    if (live->to) map_put(&r->nests, MAP_KEY(nest->attr.sym), live);
}

static void find_copies(Rotate *r, Node *nest)
{
    Session *cx = r->cx;
    Node *loops[MAX_LOOPS], *count = nat_const(cx, 1), *s = nest;
    int n = 0;
    for (; s->kind == LOOP_FOR; s = s->op[2]) {
        if (n == MAX_LOOPS || s->op[0] != nat_const(cx, 0)) return;
        loops[n++] = s;
        count = nat_mul(cx, count, s->op[1]);
    }
    if (are_apart(s)) add_copies(r, nest, s, loops, n, count);
}

static void fix_array(Node *access, void *env)
{
    const Rotate *r = env;
    Array *a = map_get(&r->arrays, MAP_KEY(access->attr.sym));
    if (a) a->fixed = true;
}

static void fix_arrays(Rotate *r, Node *task)
{
    Map seen = map_new(r->cx->arena);
    loops_accesses(task, &seen, fix_array, r);
}

static void find_in(Rotate *r, Node *s)
{
    Rotate outer = *r;
    if (s->kind == LOOP_ALLOC && s->variant != VARIANT_SHARED) add_array(r, s);
    if (s->kind == LOOP_SPAWN) fix_arrays(r, s);
    if (s->kind == LOOP_FOR) find_copies(r, s);
    if (s->kind == LOOP_BLOCK) r->block = ++r->blocks, r->depth++;
    if (loops_is(s, IS_LOOP)) r->loop = s;
    if (loops_is_in_any_order(s)) r->region = s;
    r->vectors += s->kind == LOOP_VECTORIZE;
    r->tasks += s->kind == LOOP_SPAWN;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_in(r, s->op[i]);
    r->loop = outer.loop;
    r->region = outer.region;
    r->depth = outer.depth;
    r->block = outer.block;
    r->vectors = outer.vectors;
    r->tasks = outer.tasks;
}

// Whether the copy can be elided: its source is dead afterwards, no unordered loop separates it
// from the declarations of the two arrays, and neither array is fixed.
static bool is_moved(const Copy *c)
{
    bool needed = c->live->after >> c->from->live.number & 1;
    bool same = c->region == c->to->region && c->region == c->from->region;
    return !needed && same && !c->to->fixed && !c->from->fixed;
}

static Rotate found_in(Session *cx, const LoopEntry *e, const Facts *facts)
{
    Rotate r = {.cx = cx,
                .entry = e,
                .done = loops_with_body(cx, e, e->body),
                .facts = facts,
                .arrays = map_new(cx->arena),
                .renamed = map_new(cx->arena),
                .numbers = map_new(cx->arena),
                .nests = map_new(cx->arena)};
    find_in(&r, e->body);
    if (r.copies.len) loops_liveness(cx, e->body, &r.numbers, &r.nests);
    return r;
}

// --- straight-line code --------------------------------------------------------------------------

static Sym now(const Rotate *r, const Array *a)
{
    Sym name = a->alloc->attr.sym;
    for (Sym next; (next = map_get(&r->renamed, MAP_KEY(name)));) name = next;
    return name;
}

// Finds a copy to the allocated array that can be elided by giving the array the name of the copy's
// source: no statement accesses the destination before the copy, or the source after it. Returns
// the index of the copy, or -1.
static int find_move(Rotate *r, Node *block, int alloc, Copy **out)
{
    Sym to = block->op[alloc]->attr.sym;
    int at = alloc + 1, n = (int)block->nops;
    while (at < n && !loops_mentions(block->op[at], to)) at++;
    if (at == n) return -1;
    for (int i = 0; i < r->copies.len; i++) {
        Copy *c = &r->copies.at[i];
        if (c->gone || c->nest->attr.sym != block->op[at]->attr.sym || c->to->alloc->attr.sym != to)
            continue;
        if (block->op[at]->kind != LOOP_FOR || !is_moved(c)) return -1;
        for (int k = at + 1; k < n; k++)
            if (loops_mentions(block->op[k], now(r, c->from))) return -1;
        *out = c;
        return at;
    }
    return -1;
}

static Node *move(Rotate *r, Node *block, int alloc, int at, const Copy *c)
{
    Stmts stmts = {0};
    Sym to = c->to->alloc->attr.sym, from = now(r, c->from);
    map_put(&r->renamed, MAP_KEY(to), (void *)(uintptr_t)from);
    for (int i = 0; i < (int)block->nops; i++) {
        Node *s = i == at ? loops_without_copy(r->cx, block->op[i], from) : block->op[i];
        if (i > at) s = loops_redirect(r->cx, s, to, from, nat_const(r->cx, 0));
        if (i != alloc) vec_push(r->cx->arena, &stmts, s);
    }
    return loops_block(r->cx, stmts.len, stmts.at);
}

static Node *move_all(void *env, Node *s)
{
    Rotate *r = env;
    s = loops_map(r->cx, s, move_all, r);
    for (int i = 0; s->kind == LOOP_BLOCK && i < (int)s->nops; i++) {
        Copy *c;
        int at = s->op[i]->kind == LOOP_ALLOC ? find_move(r, s, i, &c) : -1;
        if (at < 0) continue;
        c->gone = true;
        loops_note_choice(r->cx, r->done, s->op[at], "moved",
                          "what it is copied from is not needed any more: they are one array");
        s = move(r, s, i, at, c);
        i = -1;
    }
    return s;
}

// --- delayed copies ------------------------------------------------------------------------------

// The statement with `c` inserted directly before the copy in it that overwrites the source of `c`,
// or NULL if `c` cannot be moved there.
static Node *with_copy(Rotate *r, Node *s, const Copy *c)
{
    Sym to = c->to->alloc->attr.sym, from = c->from->alloc->attr.sym;
    const LiveCopy *copy = s->kind == LOOP_FOR ? map_get(&r->nests, MAP_KEY(s->attr.sym)) : NULL;
    if (copy) {
        bool overwrites = copy->to >> c->from->live.number & 1;
        if (!overwrites || loops_mentions(s, to)) return NULL;
        return loops_block(r->cx, 2, (Node *[]){c->nest, s});
    }
    Stmts stmts = {0};
    for (uint32_t i = 0; s->kind == LOOP_BLOCK && i < s->nops; i++) {
        vec_push(r->cx->arena, &stmts, s->op[i]);
        if (loops_mentions(s->op[i], to) || loops_may_jump(s->op[i])) return NULL;
        if (!loops_has_named(s->op[i], IS_STORE | IS_ADDRESS, from)) continue;
        if (!(vec_last(&stmts) = with_copy(r, s->op[i], c))) return NULL;
        for (i++; i < s->nops; i++) vec_push(r->cx->arena, &stmts, s->op[i]);
        return loops_block(r->cx, stmts.len, stmts.at);
    }
    return NULL;
}

static bool is_alone(const Copy *c)
{
    Node *s = c->nest;
    while (s->kind == LOOP_FOR) s = loops_body(s);
    return s->kind == LOOP_STORE;
}

static const Copy *copy_of(const Rotate *r, Node *s)
{
    if (s->kind != LOOP_FOR) return NULL;
    for (int i = 0; i < r->copies.len; i++)
        if (r->copies.at[i].nest == s) return &r->copies.at[i];
    return NULL;
}

// Delays a copy of an array until just before the array is overwritten, as in
// `best = cur; cur = f(cur)`.
static Node *delay(void *env, Node *s)
{
    Rotate *r = env;
    s = loops_map(r->cx, s, delay, r);
    for (int i = (int)s->nops - 2; s->kind == LOOP_BLOCK && i >= 0; i--) {
        const Copy *c = copy_of(r, s->op[i]);
        if (!c || !is_alone(c)) continue;
        Node *rest = node_make(
            r->cx,
            &(NodeSpec){.kind = LOOP_BLOCK, .nops = (int)s->nops - i - 1, .ops = s->op + i + 1});
        if (!(rest = with_copy(r, rest, c))) continue;
        Stmts stmts = {0};
        for (int k = 0; k < i; k++) vec_push(r->cx->arena, &stmts, s->op[k]);
        for (uint32_t k = 0; rest->kind == LOOP_BLOCK && k < rest->nops; k++)
            vec_push(r->cx->arena, &stmts, rest->op[k]);
        if (rest->kind != LOOP_BLOCK) vec_push(r->cx->arena, &stmts, rest);
        s = loops_block(r->cx, stmts.len, stmts.at);
        if (s->kind != LOOP_BLOCK) break;
    }
    return s;
}

// --- loops ---------------------------------------------------------------------------------------

static Array *group_of(Array *a)
{
    while (a->group != a) a = a->group;
    return a;
}

// Joins two groups; the outermost array represents the group.
static void join(Array *a, Array *b)
{
    a = group_of(a);
    b = group_of(b);
    bool outer = a->depth < b->depth;
    *(outer ? &b->group : &a->group) = outer ? a : b;
}

// Whether the copy can be elided, and is in a loop that does not declare both arrays anew in each
// iteration.
static bool is_rotated(const Copy *c)
{
    bool carried = c->loop && (c->to->loop != c->loop || c->from->loop != c->loop);
    return carried && is_moved(c);
}

// Groups the arrays that exchange memory. Returns whether there are any.
static bool find_groups(Rotate *r)
{
    bool some = false;
    for (int i = 0; i < r->copies.len; i++) {
        Copy *c = &r->copies.at[i];
        if (!is_rotated(c)) continue;
        c->gone = some = true;
        loops_note_choice(r->cx, r->done, c->nest, "swapped",
                          "what it is copied from is not needed any more: they exchange memory");
        join(c->to, c->from);
        for (int k = 0; k < 2; k++) {
            Array *a = k ? c->to : c->from;
            if (!a->memory) a->memory = sym_fresh(r->cx->syms, "buffer");
        }
    }
    return some;
}

static Node *rotation(Session *cx, int n, const Sym *names)
{
    Node **ops = ARENA_ARRAY(cx->arena, Node *, n);
    for (int i = 0; i < n; i++) ops[i] = loops_address(cx, names[i], nat_const(cx, 0));
    return node_make(cx, &(NodeSpec){.kind = LOOP_ROTATE, .nops = n, .ops = ops});
}

// Declares the memory of an array, and the pointer that initially points to it.
static void add_pointer(Rotate *r, const Array *a, const Array *like, Stmts *out)
{
    Session *cx = r->cx;
    Node *s = a->alloc;
    Node *memory = node_with_op(cx, node_with_name(cx, s, a->memory), 1, like->alloc->op[1]);
    Node *ops[2] = {s->op[0], loops_address(cx, a->memory, nat_const(cx, 0))};
    NodeSpec pointer = {
        .kind = LOOP_POINTER, .attr = s->attr, .nops = 2, .ops = ops, .origin = s->origin};
    vec_push(cx->arena, out, memory);
    vec_push(cx->arena, out, node_make(cx, &pointer));
}

// Declares the pointer for an array, unless the array is in an inner block. The pointers for such
// arrays are declared after the outermost array of their group.
static void add_pointers(Rotate *r, Array *a, Stmts *out)
{
    Array *outermost = group_of(a);
    if (a->block == outermost->block) add_pointer(r, a, a, out);
    for (int i = 0; i < r->found.len && a == outermost; i++) {
        Array *other = r->found.at[i];
        if (other->memory && group_of(other) == a && other->block != a->block)
            add_pointer(r, other, a, out);
    }
}

// --- permutations --------------------------------------------------------------------------------

enum { MAX_NAMES = 16 };

// Delayed rotations: pointer names[i] gets the memory that from[i] has.
typedef struct {
    Session *cx;
    int n;
    Sym names[MAX_NAMES], from[MAX_NAMES];
} Pending;

static int number_of(Pending *p, Sym name)
{
    for (int i = 0; i < p->n; i++)
        if (p->names[i] == name) return i;
    p->names[p->n] = p->from[p->n] = name;
    return p->n++;
}

static bool add_rotation(Pending *p, Node *s)
{
    if (p->n + (int)s->nops > MAX_NAMES) return false;
    Sym first = p->from[number_of(p, s->op[0]->attr.sym)];
    for (uint32_t i = 0; i < s->nops; i++) {
        bool last = i + 1 == s->nops;
        Sym next = last ? first : p->from[number_of(p, s->op[i + 1]->attr.sym)];
        p->from[number_of(p, s->op[i]->attr.sym)] = next;
    }
    return true;
}

static void finish(Pending *p, Stmts *out)
{
    bool done[MAX_NAMES] = {0};
    for (int i = 0; i < p->n; i++) {
        Sym cycle[MAX_NAMES];
        int n = 0;
        for (int k = i; !done[k]; k = number_of(p, p->from[k])) {
            done[k] = true;
            cycle[n++] = p->names[k];
        }
        if (n > 1) vec_push(p->cx->arena, out, rotation(p->cx, n, cycle));
    }
    p->n = 0;
}

// Whether the rotations may be delayed until after the statement.
static bool may_wait(const Pending *p, Node *s)
{
    if (p->n == 0) return true;
    if (loops_may_jump(s)) return false;
    for (int i = 0; i < p->n; i++)
        if (loops_mentions(s, p->names[i])) return false;
    return true;
}

static Node *permute(Session *cx, Node *block)
{
    if (block->kind != LOOP_BLOCK) return block; // one statement
    Pending p = {.cx = cx};
    Stmts out = {0};
    for (uint32_t i = 0; i < block->nops; i++) {
        Node *s = block->op[i];
        if (s->kind == LOOP_ROTATE && add_rotation(&p, s)) continue;
        if (s->kind == LOOP_ROTATE || !may_wait(&p, s)) finish(&p, &out);
        if (s->kind == LOOP_ROTATE)
            (void)add_rotation(&p, s);
        else
            vec_push(cx->arena, &out, s);
    }
    finish(&p, &out);
    return loops_block(cx, out.len, out.at);
}

// Replaces the elided copies of a nest with rotations.
static Node *rotated(Rotate *r, Node *nest)
{
    Stmts out = {0};
    Node *left = nest;
    for (int i = 0; i < r->copies.len; i++) {
        const Copy *c = &r->copies.at[i];
        if (!c->gone || c->nest->attr.sym != nest->attr.sym) continue;
        left = loops_without_copy(r->cx, left, c->from->alloc->attr.sym);
        Sym names[2] = {c->to->alloc->attr.sym, c->from->alloc->attr.sym};
        vec_push(r->cx->arena, &out, rotation(r->cx, 2, names));
    }
    vec_push(r->cx->arena, &out, left);
    return loops_block(r->cx, out.len, out.at);
}

static Node *rotate(void *env, Node *s)
{
    Rotate *r = env;
    Stmts out = {0};
    if (s->kind == LOOP_FOR && map_get(&r->nests, MAP_KEY(s->attr.sym))) return rotated(r, s);
    if (s->kind != LOOP_BLOCK) return loops_map(r->cx, s, rotate, r);
    for (uint32_t i = 0; i < s->nops; i++) {
        Node *inner = s->op[i];
        Array *a = inner->kind == LOOP_ALLOC ? map_get(&r->arrays, MAP_KEY(inner->attr.sym)) : NULL;
        if (a && a->memory)
            add_pointers(r, a, &out);
        else
            vec_push(r->cx->arena, &out, rotate(r, inner));
    }
    Node *block = loops_block(r->cx, out.len, out.at); // or a single statement
    return block->kind == LOOP_BLOCK ? permute(r->cx, block) : block;
}

static LoopEntry *rotate_entry(Session *cx, const LoopEntry *e)
{
    Simplifier known = simplifier_new(cx, e);
    Rotate straight = found_in(cx, e, known.facts);
    if (straight.copies.len == 0) return loops_with_body(cx, e, e->body);
    straight.done->body = move_all(&straight, e->body);
    Rotate late = found_in(cx, straight.done, known.facts);
    late.done->body = delay(&late, late.done->body);
    Rotate r = found_in(cx, late.done, known.facts);
    if (find_groups(&r)) r.done->body = loops_dce(cx, rotate(&r, r.done->body));
    return r.done;
}

LoopEntry *loops_rotate_buffers(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, rotate_entry);
}
