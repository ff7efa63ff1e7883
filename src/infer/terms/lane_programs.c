// The program of one lane, and the loop over lanes that contains it.
#include "infer/terms/terms.h"

// A variable that holds the values of all lanes and is copied to a variable for one lane.
typedef struct {
    Local *local;
    int level; // the level of the variable for all lanes
    bool assigned;
} LaneLocal;

typedef struct {
    Elab *x;
    VEC(LaneLocal) copied;
    VEC(const Local *) inside; // declared inside the program of the lane
    bool aliases;              // a reference to vectors is used; it may refer to any variable
} Mentioned;

static Walk find_declared(const Ast *e, void *env)
{
    Mentioned *m = env;
    const Local *l = e->kind >= AST_BIND ? infer_note(m->x->b, e)->local : NULL;
    if (l) vec_push(m->x->b->arena, &m->inside, l);
    return WALK_INTO;
}

static bool is_inside(const Mentioned *m, const Local *l)
{
    for (int i = 0; i < m->inside.len; i++)
        if (m->inside.at[i] == l) return true;
    return false;
}

static bool has_reference(Node *t)
{
    if (t->kind == TYPE_REF) return true;
    for (uint32_t i = 0; i < t->nops; i++)
        if (has_reference(t->op[i])) return true;
    return false;
}

static void add_mentioned(Mentioned *m, Local *l, bool assigned)
{
    Body *b = m->x->b;
    if (!l || l->kind != LOCAL_VALUE || is_inside(m, l)) return;
    Node *t = infer_resolve(b, l->type);
    if (!type_has_vector(t)) return;
    m->aliases |= has_reference(t);
    if (!l->mutable || type_has_array(t) || !type_is_data(t)) return;
    if (m->x->masks && t->kind != TYPE_VEC) return; // it may have uniform parts
    for (int i = 0; i < m->copied.len; i++)
        if (m->copied.at[i].local == l) {
            m->copied.at[i].assigned |= assigned;
            return;
        }
    vec_push(b->arena, &m->copied, ((LaneLocal){l, l->level, assigned}));
}

static Walk find_mentioned(const Ast *e, void *env)
{
    Mentioned *m = env;
    Body *b = m->x->b;
    bool written = e->kind == AST_ASSIGN || (e->kind == AST_REF && e->value.integer);
    if (written) add_mentioned(m, (Local *)(uintptr_t)infer_place(b, e->kids.at[0]).root, true);
    if (e->kind == AST_NAME) add_mentioned(m, infer_note(b, e)->local, false);
    return WALK_INTO;
}

// Copies the variables that hold the values of all lanes to variables for this lane.
static void copy_locals(Mentioned *m, Lets *lets)
{
    Elab *x = m->x;
    for (int i = 0; i < m->copied.len && !m->aliases; i++) {
        Local *l = m->copied.at[i].local;
        Node *value = elab_lane_of(x, core_get(x->cx, elab_local(x, l)));
        l->level = x->depth;
        elab_push(x, lets, l->name, core_new(x->cx, value));
    }
}

// Writes this lane's variables back, unless its program never returns.
static void write_back(Mentioned *m, Lets *lets, bool returns)
{
    Elab *x = m->x;
    for (int i = 0; i < m->copied.len && !m->aliases; i++) {
        const LaneLocal *own = &m->copied.at[i];
        Node *value = core_get(x->cx, elab_local(x, own->local));
        own->local->level = own->level;
        if (own->assigned && returns)
            elab_push(x, lets, NULL, core_set(x->cx, elab_local(x, own->local), value));
    }
}

Node *mask_note_type(Elab *x, const Ast *e)
{
    return elab_type(x, infer_note(x->b, e)->type);
}

// Moves the lane from the active lanes to those that have reached the target of the jump.
static Node *leave(Elab *x, const MaskExit *to, Node *value)
{
    Session *cx = x->cx;
    Node *came = elab_lane_of(x, elab_cell(x, to->came, mask_type(x)));
    Node *live = elab_lane_of(x, elab_cell(x, x->masks->live, mask_type(x)));
    Node *left = core_seq(cx, core_set(cx, came, core_bool(cx, true)),
                          core_set(cx, live, core_bool(cx, false)));
    if (!mask_is_value(to->type)) return left;
    Node *place = elab_lane_of(x, elab_cell(x, to->value, to->type));
    return core_seq(cx, core_set(x->cx, place, value), left);
}

static Node *lane_part(Elab *x, const LanePart *part)
{
    Node *value = part->make(x, part->e);
    if (!part->type || value->type->kind == TYPE_NEVER) return value;
    return core_set(x->cx, elab_lane_of(x, elab_cell(x, part->result, part->type)), value);
}

// Wraps the program of a lane in labels for those of the first n exits that it uses. At its end,
// the program jumps to `done`.
static Node *inside_exits(Elab *x, const LanePart *part, int n, int done)
{
    if (n == 0) {
        Node *value = lane_part(x, part);
        return value->type->kind == TYPE_NEVER ? value
                                               : core_seq(x->cx, value, mask_jump_to(x, done));
    }
    const MaskExit *to = &x->masks->exits.at[n - 1];
    if (!infer_mentions(x->b, part->e, to->jump)) return inside_exits(x, part, n - 1, done);
    Lets lets = {0};
    Node *type = type_of_lane(x->cx, to->type);
    to->jump->level = x->depth++;
    Node *inside = inside_exits(x, part, n - 1, done);
    x->depth--;
    elab_push(x, &lets, mask_is_value(type) ? session_sym(x->cx, "value") : NULL,
              core_label(x->cx, to->jump->name, type, inside));
    Node *left = leave(x, to, core_var(x->cx, 0, type));
    return elab_wrap(x, &lets, core_seq(x->cx, left, mask_jump_to(x, done)));
}

// Builds the code that a lane executes if it is active, inside labels for the jumps that leave it.
static Node *masked_lane(Elab *x, const LanePart *part)
{
    Session *cx = x->cx;
    Node *here = core_get(cx, elab_lane_of(x, elab_cell(x, x->masks->live, mask_type(x)))), *work;
    if (mask_may_leave(x, part->e)) {
        int done = x->depth++;
        work = inside_exits(x, part, x->masks->exits.len, done);
        x->depth--;
        work = core_label(cx, session_sym(cx, "done"), core_unit(cx)->type, work);
    } else {
        work = lane_part(x, part);
    }
    return core_if(cx, here, work, core_unit(cx));
}

Node *mask_keep(Elab *x, int place, Node *type, Node *value)
{
    Lets lets = {0};
    if (place < 0 || !mask_is_value(value->type)) return value;
    elab_push(x, &lets, NULL, value);
    Node *kept = elab_masked_set(x, elab_cell(x, place, type), core_var(x->cx, 0, value->type));
    return elab_wrap(x, &lets, kept);
}

// Builds the body of the loop over lanes, in which the innermost variable is the lane number.
static Node *program_of_lane(Elab *x, const LanePart *part)
{
    Mentioned m = {.x = x};
    Lets lets = {0};
    Node *length = x->lane->length;
    elab_push(x, &lets, session_sym(x->cx, "lane"),
              core_to_idx(x->cx, core_var(x->cx, 0, elab_i64(x)), length, part->e->span));
    ast_walk(part->e, find_declared, &m);
    ast_walk(part->e, find_mentioned, &m);
    copy_locals(&m, &lets);
    Node *value = x->masks ? masked_lane(x, part) : lane_part(x, part);
    bool returns = value->type->kind != TYPE_NEVER;
    if (returns) {
        elab_push(x, &lets, NULL, value);
        value = core_unit(x->cx);
    }
    write_back(&m, &lets, returns);
    return elab_wrap(x, &lets, value);
}

static Node *loop_over_lanes(Elab *x, Node *length, const LanePart *part)
{
    Session *cx = x->cx;
    Node *i64 = elab_i64(x), *i32 = type_scalar(cx, SCALAR_I32);
    OneLane lane = {length, x->depth, x->depth + 1};
    Sym name = session_sym(cx, "l");
    x->lane = &lane;
    x->depth++;
    Node *body = program_of_lane(x, part);
    x->depth--;
    x->lane = NULL;
    Node *size = core_size(cx, length), *f = core_lam(cx, 1, &i64, &name, body);
    return core_at(cx, core_vectorize(cx, core_cast(cx, size, i32), core_int(cx, i64, 0), size, f),
                   part->e->span);
}

Node *elab_in_lanes(Elab *x, const Ast *e, Node *length, ElabMake *make, Node *type)
{
    Lets lets = {0};
    LanePart part = {e, make, type, x->depth};
    if (!mask_is_value(type)) {
        part.type = NULL;
        return loop_over_lanes(x, length, &part);
    }
    elab_push(x, &lets, session_sym(x->cx, "r"), core_new(x->cx, elab_zero(x, type)));
    elab_push(x, &lets, NULL, loop_over_lanes(x, length, &part));
    return elab_wrap(x, &lets, core_get(x->cx, elab_cell(x, part.result, type)));
}
