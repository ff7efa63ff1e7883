// Calls that are not unfolded. The function is specialised to its known arguments, which are
// functions or have a true filter; its computations on the other arguments are residual (Leissa's
// thesis, 11.1-11.3: mangling). A recursive call with the same known arguments calls the same
// specialisation.
//
// At first, the call becomes the entry of a control-flow graph: its function is a block whose
// parameters are the other arguments, and a call in tail position is a jump to the block for the
// called function and its known arguments (11.2, tail-recursion elimination). Each block is
// evaluated once (10.1, memoisation of specialisations), and blocks.c structures the blocks as
// labels and loops. If a recursive call is not in tail position, evaluation starts again and
// creates a residual function. Its free variables become parameters (capture.c). To jump to a label
// outside it, the function returns a status.
#include "staging/evaluate/calls.h"

// --- keys --------------------------------------------------------------------------------------

void call_write_key(Stage *s, Text *out, const Known *v)
{
    switch (v->kind) {
    case KNOWN_TERM: text_printf(out, "t%u", v->node->id); return;
    case KNOWN_TUPLE:
        text_char(out, '(');
        for (int i = 0; i < known_count(v); i++) call_write_key(s, out, v->parts[i]);
        text_char(out, ')');
        return;
    case KNOWN_GLOBAL: text_printf(out, "g%u", v->node->id); return;
    case KNOWN_CLOSURE: {
        FreeVars f = stage_free(s, v->node);
        text_printf(out, "c%u{", v->node->id);
        for (int i = 0; i < f.len; i++)
            call_write_key(s, out, stage_variable_value(s, v->env, f.at[i].index));
        text_char(out, '}');
        return;
    }
    case KNOWN_CHOICE:
        text_printf(out, "?%u,%u,%u,%u", v->node->id, v->branches[0]->id, v->branches[1]->id,
                    v->env ? v->env->id : 0);
        return;
    case KNOWN_CONST:
        text_char(out, '&');
        call_write_key(s, out, v->parts[0]);
        return;
    case KNOWN_REF: text_printf(out, "r%d,%u", v->cell->number, v->node->id); return;
    case KNOWN_LABEL: text_printf(out, "k%d", v->label->number); return;
    case KNOWN_ERROR:
    case KNOWN_NEVER: return;
    }
}

// The key of a call, which identifies the function and its known arguments.
static Sym key_of(Stage *s, const Known *f, int n, const Known *const *args, const bool *known)
{
    Text text = text_new(s->arena);
    text_printf(&text, "%u", f->node->id);
    for (int i = 0; i < n; i++) {
        text_char(&text, ' ');
        if (known[i]) call_write_key(s, &text, args[i]);
    }
    return session_sym(s->cx, text_get(&text));
}

// --- calls under specialisation ----------------------------------------------------------------

// Forgets the cells that the call may assign to. If `all` is set, also forgets cells that are only
// read, since their contents differ in other calls.
static void forget_reached(Stage *s, const Call *c, bool all)
{
    Cells cells = {0};
    for (int i = 0; i < c->n; i++)
        stage_reach(s, c->args[i], c->special->function->params.at[i].type, all, &cells);
    stage_forget_all(s, &cells);
}

static Sym parameter(const Call *c, int i)
{
    return c->special->function->params.at[i].name;
}

// Evaluates the body. `dynamic` holds the values of the unknown arguments, in order.
static const Known *evaluate_body(Stage *s, const Call *c, const Known *const *dynamic,
                                  Block *block, Region *tail)
{
    const Env *env = c->env;
    int k = 0;
    for (int i = 0; i < c->n; i++)
        env = stage_env_push(s, env,
                             c->taken      ? c->taken->inside[i]
                             : c->known[i] ? c->args[i]
                                           : dynamic[k++]);
    return stage_evaluate(s, c->special->body, (Scope){env, c->chain, block, tail, c->last, NULL});
}

static Node *data_result(Stage *s, const Special *special)
{
    return special->result->kind == TYPE_NEVER ? type_tuple(s->cx, 0, NULL) : special->result;
}

static void report_residue(Stage *s, const Call *c, const Residual *f)
{
    if (!s->residues || c->around) return;
    Residue r = {.function = c->special->function->name,
                 .call = c->span,
                 .as = f ? RESIDUE_CALL : RESIDUE_LOOP,
                 .name = f ? f->function->name : NULL};
    for (int i = 0; i < c->n; i++) {
        if (c->known[i]) continue;
        vec_push(s->cx->arena, &r.kept, c->special->function->params.at[i]);
        vec_push(s->cx->arena, &r.why, stage_why_kept(s, c->special, i, c->args));
    }
    vec_push(s->cx->arena, s->residues, r);
}

// --- calls as blocks ---------------------------------------------------------------------------

// Resets the state to what it was before the region, so that the region can be evaluated again.
static void start_anew(Stage *s, Region *r, Block *block, const Block *was, Before before)
{
    s->restart = NULL;
    s->failed = false;
    s->regions = r->outer;
    s->function = r->function;
    *block = *was;
    (void)stage_take_back(s, before.trail);
    s->written.len = before.written;
}

static int count_dynamic(const Call *c)
{
    int n = 0;
    for (int i = 0; i < c->n; i++) n += !c->known[i];
    return n;
}

static Node **dynamic_values(Stage *s, const Call *c)
{
    Node **values = ARENA_ARRAY(s->arena, Node *, c->n + 1);
    for (int i = 0, k = 0; i < c->n; i++)
        if (!c->known[i])
            values[k++] = stage_data(s, stage_bind(s, c->args[i], NULL, c->at.block), c->span);
    return values;
}

static void add_config(Stage *s, Region *r, Config *k)
{
    vec_push(s->arena, &r->configs, k);
    map_put(&r->by_key, MAP_KEY(k->key), (void *)(uintptr_t)r->configs.len);
}

static Config *config_new(Stage *s, Region *r, const Call *call)
{
    Config *k = ARENA_NEW(s->arena, Config);
    Call *kept = ARENA_NEW(s->arena, Call);
    *kept = *call;
    *k = (Config){.key = call->key,
                  .name = call->special->function->name,
                  .call = kept,
                  .chain = call->chain,
                  .span = call->span,
                  .nvars = count_dynamic(call)};
    k->vars = ARENA_ARRAY(s->arena, Node *, k->nvars + 1);
    Node **values = dynamic_values(s, call);
    if (s->failed) return NULL;
    for (int i = 0, n = 0; i < call->n; i++)
        if (!call->known[i]) {
            k->vars[n] = stage_variable(s, values[n]->type, parameter(call, i));
            n++;
        }
    k->label = *stage_label_new(s, stage_carried_type(s, k->nvars, k->vars),
                                (Scope){.tail = r->tail}, r->block);
    if (r->configs.len == 0) r->values = values;
    add_config(s, r, k);
    return k;
}

// Forgets cells that other blocks of the region created: what is known about their contents holds
// only on the first path to this block.
static void forget_made(Stage *s, const Region *r, const Call *c)
{
    Cells cells = {0};
    for (int i = 0; i < c->n; i++)
        stage_reach(s, c->args[i], c->special->function->params.at[i].type, true, &cells);
    for (int i = 0; i < cells.len; i++)
        if (cells.at[i]->number >= r->cells) stage_forget(s, cells.at[i]);
}

static void evaluate_config(Stage *s, Region *r, int number)
{
    Config *k = r->configs.at[number];
    int mark = s->trail.len;
    const Known **dynamic = ARENA_ARRAY(s->arena, const Known *, k->nvars + 1);
    for (int i = 0; i < k->nvars; i++) dynamic[i] = known_term(s, k->vars[i]);
    k->block = stage_block(s, r->block);
    r->current = number;
    if (number > 0) forget_made(s, r, k->call);
    k->value = evaluate_body(s, k->call, dynamic, k->block, r);
    (void)stage_take_back(s, mark);
}

// Splices the only block of a region (to which nothing jumps) into the caller.
static const Known *without_blocks(Stage *s, const Region *r, Block *block)
{
    const Config *k = r->configs.at[0];
    for (int i = 0; i < k->nvars; i++) {
        Item item = {.var = k->vars[i], .value = r->values[i]};
        vec_push(s->arena, &block->items, item);
    }
    s->lets += k->nvars;
    s->effects += k->nvars; // the code is residual, so the call is not memoised
    stage_splice(s, block, k->block);
    return k->value;
}

// Moves the leading lets of the term to the caller, to keep labels as small as possible. Returns
// the rest of the term.
static Node *emit_variables(Stage *s, Node *e, Block *block)
{
    for (; e->kind == CORE_LET; e = e->op[1]->op[1]) {
        if (e->op[0]->kind != CORE_NEW && !known_is_atom(e->op[0])) break;
        Item item = {.var = e->op[1]->op[0], .value = e->op[0]};
        vec_push(s->arena, &block->items, item);
        block->effects |= e->op[0]->kind == CORE_NEW;
        s->lets++;
    }
    s->effects++;
    return e;
}

static const Known *close_blocks(Stage *s, const Call *c, Region *r)
{
    for (int i = 0; i < r->configs.len; i++) {
        Config *k = r->configs.at[i];
        if (!k->block->end) (void)stage_jump(s, r->leave, k->value, k->span, k->block);
        if (s->failed) return known_error(s);
        k->code = stage_block_close(s, k->block, NULL);
    }
    Node *body = stage_structure(s, r);
    if (s->failed) return known_error(s);
    for (int i = 0; i < r->loops.len; i++) report_residue(s, r->loops.at[i]->call, NULL);
    body = emit_variables(s, body, c->at.block);
    if (r->leave->jumps == 0) return stage_end(s, c->at.block, body);
    body = stage_label_around(s, r->leave, body, c->span);
    Node *var = stage_emit_effect(s, c->at.block, body, NULL);
    return type_is_unit(r->leave->type) ? known_unit(s) : known_term(s, var);
}

static const Known *as_blocks(Stage *s, Call *c)
{
    Block *block = c->at.block;
    const Block was = *block;
    Before before = stage_before(s);
    Region r = {.by_key = map_new(s->arena),
                .outer = s->regions,
                .tail = c->at.tail,
                .function = s->function,
                .block = stage_block(s, block),
                .chain = c->f->chain,
                .cells = s->cells,
                .labels = s->labels};
    r.leave = stage_label_new(s, data_result(s, c->special), c->at, r.block);
    forget_reached(s, c, false);
    if (!config_new(s, &r, c)) return known_error(s);
    s->regions = &r;
    for (int i = 0; i < r.configs.len && !s->failed; i++) evaluate_config(s, &r, i);
    s->regions = r.outer;
    if (s->restart == &r) {
        start_anew(s, &r, block, &was, before);
        return stage_specialise(s, c->f, c->n, c->args, c->filtered, c->span, c->at);
    }
    if (s->failed) return known_error(s);
    bool alone = r.configs.len == 1 && r.configs.at[0]->label.jumps == 0;
    const Known *v = alone ? without_blocks(s, &r, block) : close_blocks(s, c, &r);
    stage_forget_since(s, before);
    return v;
}

static bool is_tail_of(const Region *tail, const Region *r)
{
    for (; tail; tail = tail->tail)
        if (tail == r) return true;
    return false;
}

static void restart(Stage *s, Region *r)
{
    s->restart = r;
    s->failed = true;
}

// Whether no barrier separates the block from the blocks of the region, so that it may jump there.
static bool is_open(const Block *block, const Region *r)
{
    for (; block; block = block->up) {
        if (block == r->block) return true;
        if (block->barrier != BARRIER_NONE) return false;
    }
    return false;
}

// Whether the call can be a jump to a block of the region: it is in tail position, or does not
// return.
static bool is_last(const Call *c, const Stage *s, const Region *r)
{
    if (r->function != s->function) return false;
    return c->special->result->kind == TYPE_NEVER ? is_open(c->at.block, r)
                                                  : is_tail_of(c->at.tail, r);
}

static const Known *go_to(Stage *s, const Call *c, Region *r, int number)
{
    Config *k = r->configs.at[number];
    Edge edge = {r->current, number};
    vec_push(s->arena, &r->edges, edge);
    if (!k->back.file) k->back = c->span;
    Node **values = dynamic_values(s, c);
    if (s->failed) return known_error(s);
    Node *value = k->nvars == 1
                      ? values[0]
                      : stage_term(s, CORE_TUPLE, k->label.type, c->span, k->nvars, values);
    return stage_jump(s, &k->label, known_term(s, value), c->span, c->at.block);
}

// --- calls as residual functions ----------------------------------------------------------

static Node *status_literal(Stage *s, int64_t status)
{
    return core_int(s->cx, type_scalar(s->cx, SCALAR_I32), status);
}

// The type of what the residual function returns: (status, result, value of each exit), or just the
// result if there are no exits.
static Node *result_type(Stage *s, const Residual *f, const Special *special)
{
    Node *result = data_result(s, special);
    if (f->exits.len == 0) return result;
    Node **parts = ARENA_ARRAY(s->arena, Node *, f->exits.len + 3);
    parts[0] = type_scalar(s->cx, SCALAR_I32);
    parts[1] = result;
    for (int i = 0; i < f->exits.len; i++) parts[i + 2] = f->exits.at[i]->type;
    return type_tuple(s->cx, f->exits.len + 2, parts);
}

// Builds the tuple to return with this status. `value` is the component for the status, and all
// other components are zero.
static Node *with_status(Stage *s, Node *type, int64_t status, Node *value)
{
    Node **ops = ARENA_ARRAY(s->arena, Node *, type->nops + 1);
    ops[0] = status_literal(s, status);
    for (uint32_t i = 1; i < type->nops; i++)
        ops[i] = i == (uint32_t)status + 1 ? value : stage_zero(s, type->op[i]);
    return stage_term(s, CORE_TUPLE, type, NO_SPAN, (int)type->nops, ops);
}

// The source function of a region that is a residual function.
static const Special *special_of(const Region *r)
{
    return r->configs.at[0]->call->special;
}

// Whether the function's result is the label's result, so that a jump to the label is a return.
static bool returns_to(const Region *r, const Label *l)
{
    const Label *last = r->last;
    while (last && last != l) last = last->last;
    return last && l->type == special_of(r)->result;
}

// Makes the residual function return the status of the exit, upon which its caller jumps.
const Known *stage_exit(Stage *s, Label *l, const Known *value, Span origin, Block *block)
{
    Region *r = s->function;
    Residual *f = r->residual;
    if (returns_to(r, l)) {
        Node *v = type_is_unit(l->type) ? stage_data(s, known_unit(s), origin)
                                        : stage_data(s, value, origin);
        if (s->failed) return known_error(s);
        if (f->exits.len) v = with_status(s, result_type(s, f, special_of(r)), 0, v);
        return stage_jump(s, r->leave, known_term(s, v), origin, block);
    }
    for (int i = 0; i < f->exits.len; i++) {
        if (f->exits.at[i] != l) continue;
        Node *carried = type_is_unit(l->type) ? stage_data(s, known_unit(s), origin)
                                              : stage_data(s, value, origin);
        if (s->failed) return known_error(s);
        Node *result = with_status(s, result_type(s, f, special_of(r)), i + 1, carried);
        return stage_jump(s, r->leave, known_term(s, result), origin, block);
    }
    vec_push(s->arena, &f->exits, l);
    restart(s, r);
    return known_error(s);
}

static Node *component(Stage *s, Node *e, int k, Span origin)
{
    return node_make(s->cx, &(NodeSpec){.kind = CORE_PROJ,
                                        .attr.i = k,
                                        .type = e->type->op[k],
                                        .nops = 1,
                                        .ops = &e,
                                        .origin = origin});
}

typedef struct {
    Label *label;
    Node *carried;
    Span origin;
} Leave;

static const Known *leave_or_stay(Stage *s, int side, Scope scope, void *env)
{
    const Leave *l = env;
    if (side == 1) return known_unit(s);
    return stage_jump(s, l->label, known_term(s, l->carried), l->origin, scope.block);
}

// Ends the block after a call to a function of type ! without exits, which does not return.
static const Known *no_return(Stage *s, const Call *c)
{
    Node *unit = stage_data(s, known_unit(s), c->span);
    return stage_end(s, c->at.block,
                     stage_term(s, CORE_FOREVER, type_never(s->cx), c->span, 1, &unit));
}

// Returns the arguments to pass to a residual function, and adds their number to *n.
static Node **passed(Stage *s, const Call *c, int *n)
{
    const Taken *t = c->taken;
    int most = t ? t->passed.len + t->passed_places.len : c->n + c->nsizes;
    Node **ops = ARENA_ARRAY(s->arena, Node *, most + 1);
    for (int i = 0; i < c->nsizes; i++) ops[(*n)++] = c->sizes[i];
    for (int i = 0; t && i < t->passed.len; i++) ops[(*n)++] = t->passed.at[i];
    for (int i = 0; t && i < t->passed_places.len; i++) ops[(*n)++] = t->passed_places.at[i];
    for (int i = 0; i < c->n && !t; i++)
        if (!c->known[i]) ops[(*n)++] = stage_data(s, c->args[i], c->span);
    return ops;
}

// Emits the call f(args), followed by a jump if the status requires one.
const Known *call_emit(Stage *s, const Call *c, const Residual *f)
{
    int n = 0;
    Node **ops = passed(s, c, &n);
    if (s->failed) return known_error(s);
    Node *type = result_type(s, f, c->special);
    Node *call = node_make(s->cx, &(NodeSpec){.kind = CORE_CALL,
                                              .attr.sym = f->function->name,
                                              .type = type,
                                              .nops = n,
                                              .ops = ops,
                                              .origin = c->span});
    Node *result = stage_emit_effect(s, c->at.block, call, NULL);
    report_residue(s, c, f);
    forget_reached(s, c, false);
    if (f->exits.len == 0) {
        if (c->special->result->kind == TYPE_NEVER) return no_return(s, c);
        return type_is_unit(type) ? known_unit(s) : known_term(s, result);
    }
    bool returns = c->special->result->kind != TYPE_NEVER;
    for (int i = 0; i < f->exits.len; i++) {
        Node *ops2[2] = {component(s, result, 0, c->span), status_literal(s, i + 1)};
        Leave l = {f->exits.at[i], component(s, result, i + 2, c->span), c->span};
        if (!returns && i + 1 == f->exits.len)
            return stage_jump(s, l.label, known_term(s, l.carried), c->span, c->at.block);
        const Known *v =
            stage_choose(s, core_prim(s->cx, PRIM_EQ, 2, ops2), type_tuple(s->cx, 0, NULL), c->span,
                         c->at, leave_or_stay, &l);
        if (known_stops(v)) return v;
    }
    return known_term(s, component(s, result, 1, c->span));
}

// Makes up a unique name for a residual function, which is also its name in C.
static Sym residual_name(Stage *s, const Special *special)
{
    const char *name = special->function->name->text, *dot = strrchr(name, '.');
    return session_sym(s->cx,
                       arena_printf(s->arena, "%s_%d", dot ? dot + 1 : name, ++s->nfunctions));
}

static Function *residual_function(Stage *s, const Call *c, const Residual *f)
{
    Function *out = ARENA_NEW(s->cx->arena, Function);
    *out = (Function){.name = f->function ? f->function->name : residual_name(s, c->special),
                      .span = c->special->function->span,
                      .doc = c->special->function->doc,
                      .where = c->where,
                      .result = result_type(s, f, c->special)};
    return out;
}

static void function_parameters(Stage *s, const Call *c, Residual *f, const Known **dynamic)
{
    int k = 0;
    const Taken *t = c->taken;
    f->params.len = f->sizes.len = f->captured.len = 0;
    for (int i = 0; i < c->nsizes; i++) vec_push(s->arena, &f->params, c->sizes[i]);
    f->nplaces = t ? t->places.len : 0;
    for (int i = 0; t && i < t->params.len; i++) vec_push(s->arena, &f->params, t->params.at[i]);
    for (int i = 0; i < f->nplaces; i++) vec_push(s->arena, &f->captured, t->places.at[i]);
    for (int i = 0; i < c->n && !t; i++) {
        if (c->known[i]) continue;
        Node *type = stage_data(s, c->args[i], c->span)->type;
        Node *var = stage_variable(s, type, parameter(c, i));
        vec_push(s->arena, &f->params, var);
        dynamic[k++] = known_term(s, var);
    }
}

// Completes the function as `label leave { body }`. If there are exits, the value of the body is
// returned with status 0.
static void close_function(Stage *s, Region *r, Block *own, const Known *v, Span origin)
{
    Residual *f = r->residual;
    Node *type = f->function->result, *value = NULL;
    if (!own->end) {
        value = type_is_unit(data_result(s, special_of(r))) ? stage_data(s, known_unit(s), origin)
                                                            : stage_data(s, v, origin);
        if (s->failed) return;
        if (f->exits.len) value = with_status(s, type, 0, value);
    }
    f->body = stage_block_close(s, own, value);
    if (r->leave->jumps) f->body = stage_label_around(s, r->leave, f->body, origin);
    f->done = true;
}

// Drops the functions created by an evaluation that is about to start again, since the calls in
// them are out of date.
static void undo_functions(Stage *s, int first)
{
    while (s->functions.len > first) s->functions.at[--s->functions.len]->done = false;
}

Residual *call_residual(Stage *s, Sym key)
{
    Residual *f = map_get(&s->residuals, MAP_KEY(key));
    if (f) return f;
    f = ARENA_NEW(s->arena, Residual);
    *f = (Residual){.key = key};
    map_put(&s->residuals, MAP_KEY(key), f);
    return f;
}

bool call_make_function(Stage *s, Call *c)
{
    Residual *f = call_residual(s, c->key);
    f->function = residual_function(s, c, f);
    Block *own = stage_block(s, c->around);
    own->guard = c->guard;
    Before before = stage_before(s);
    int first = s->functions.len;
    Region r = {.is_function = true,
                .by_key = map_new(s->arena),
                .outer = s->regions,
                .function = s->function,
                .last = c->last,
                .residual = f};
    Config self = {.key = c->key, .call = c};
    add_config(s, &r, &self);
    const Known **dynamic = ARENA_ARRAY(s->arena, const Known *, c->n + 1);
    function_parameters(s, c, f, dynamic);
    s->regions = s->function = &r;
    r.leave = stage_label_new(s, f->function->result, (Scope){0}, own);
    forget_reached(s, c, true);
    const Known *v = evaluate_body(s, c, dynamic, own, NULL);
    if (!s->failed) close_function(s, &r, own, v, c->span);
    s->regions = r.outer;
    s->function = r.function;
    (void)stage_take_back(s, before.trail);
    s->written.len = before.written; // cells that the function writes are forgotten after each call
    if (s->restart == &r) {          // another exit was found
        s->restart = NULL;
        s->failed = false;
        undo_functions(s, first);
        return call_make_function(s, c);
    }
    if (!s->failed) vec_push(s->arena, &s->functions, f);
    return !s->failed;
}

static const Known *as_function(Stage *s, Call *c)
{
    if (!call_make_function(s, c)) return known_error(s);
    return call_emit(s, c, map_get(&s->residuals, MAP_KEY(c->key)));
}

// --- arrays ------------------------------------------------------------------------------------

// Returns the flag that records whether recursive calls pass different arrays for parameter i. Most
// recursive functions pass on their arrays unchanged, and putting an array in a variable copies it.
// Arrays therefore count as known until a recursive call passes another one.
static bool *varies(Stage *s, const Special *special, int i)
{
    if (!special->varies[i]) special->varies[i] = ARENA_NEW(s->arena, bool);
    return special->varies[i];
}

static void find_constant_arrays(Stage *s, const Special *special, int n, const bool *known,
                                 bool *out)
{
    for (int i = 0; i < n; i++)
        out[i] = known[i] ||
                 (type_has_array(special->function->params.at[i].type) && !*varies(s, special, i));
}

// Whether block `number` leads to the block under evaluation, so that a call to the former from the
// latter is recursive.
static bool leads_here(Stage *s, const Region *r, int number)
{
    bool *seen = ARENA_ARRAY(s->arena, bool, r->configs.len + 1), more = true;
    seen[number] = true;
    while (more && !seen[r->current]) {
        more = false;
        for (int i = 0; i < r->edges.len; i++) {
            Edge e = r->edges.at[i];
            more |= seen[e.from] && !seen[e.to];
            seen[e.to] |= seen[e.from];
        }
    }
    return seen[r->current];
}

static bool passes_other_array(Stage *s, const Call *was, const Call *c, const bool *known, int i)
{
    return !known[i] && c->known[i] && was->known[i] &&
           stage_data(s, was->args[i], c->span) != stage_data(s, c->args[i], c->span);
}

// Whether a recursive call passes a different array than an earlier call. Records which parameters
// vary.
static bool has_other_array(Stage *s, const Region *r, const Call *c, const bool *known)
{
    for (int k = 0; k < r->configs.len; k++) {
        const Call *was = r->configs.at[k]->call;
        bool other = false;
        if (was->special != c->special) continue;
        for (int i = 0; i < c->n; i++) other |= passes_other_array(s, was, c, known, i);
        if (!other || !leads_here(s, r, k)) continue;
        for (int i = 0; i < c->n; i++)
            if (passes_other_array(s, was, c, known, i)) *varies(s, c->special, i) = true;
        return true;
    }
    return false;
}

// --- calls -------------------------------------------------------------------------------------

static int find_config(const Region *r, Sym key)
{
    return (int)(uintptr_t)map_get(&r->by_key, MAP_KEY(key)) - 1;
}

// Whether a known value is valid only inside the block of the region that created it. Examples are
// continuations, and variables that hold functions.
static bool is_bound_inside(Stage *s, const Region *r, const Known *v)
{
    FreeVars f;
    switch (v->kind) {
    case KNOWN_TUPLE:
        for (int i = 0; i < known_count(v); i++)
            if (is_bound_inside(s, r, v->parts[i])) return true;
        return false;
    case KNOWN_CLOSURE:
        f = stage_free(s, v->node);
        for (int i = 0; i < f.len; i++)
            if (is_bound_inside(s, r, stage_variable_value(s, v->env, f.at[i].index))) return true;
        return false;
    case KNOWN_CHOICE: return true; // conservative
    case KNOWN_CONST: return is_bound_inside(s, r, v->parts[0]);
    case KNOWN_REF: return v->cell->number >= r->cells && !type_is_data(v->cell->var->type->op[0]);
    case KNOWN_LABEL: return v->label->number >= r->labels;
    case KNOWN_TERM:
    case KNOWN_GLOBAL:
    case KNOWN_ERROR:
    case KNOWN_NEVER: return false;
    }
    return false;
}

// The region in which a call becomes a new block, or NULL if there is none.
static Region *region_for(Stage *s, const Call *c)
{
    for (Region *r = s->regions; r; r = r->outer) {
        bool inside = false;
        if (r->is_function) return NULL;
        if (!is_last(c, s, r)) continue;
        for (int i = 0; i < c->n; i++) inside |= c->known[i] && is_bound_inside(s, r, c->args[i]);
        return inside ? NULL : r;
    }
    return NULL;
}

// Whether this region last specialised the function to other sizes or types. If that keeps
// happening, the recursion is over sizes, as in f[n - 1], and each call needs a block of its own.
static bool is_at_other_generics(const Region *r, const Special *special)
{
    for (int i = r->configs.len - 1; i >= 0; i--) {
        const Special *other = r->configs.at[i]->call->special;
        if (other->function == special->function) return other != special;
    }
    return false;
}

// Reports an error and returns true if calls would create blocks without end, because known
// arguments grow or differ each time.
static bool is_endless(Stage *s, const Region *r, const Call *c)
{
    enum { MAX_BLOCKS = 10000, MAX_SIZES = 600, MAX_GROWTH = 1 << 13 };
    size_t first = strlen(r->configs.at[0]->key->text);
    bool grows = strlen(c->key->text) > 4 * first + MAX_GROWTH;
    bool resized = is_at_other_generics(r, c->special);
    if (resized) s->resized = c->special;
    bool sizes = r->configs.len >= MAX_OPEN && resized;
    if (sizes && stage_has_open_size(c->special) && stage_make_sized(s, c->special)) return true;
    sizes = sizes && r->configs.len >= MAX_SIZES;
    if (r->configs.len < MAX_BLOCKS && !grows && !sizes) return false;
    stage_never_ends(s, c->special, c->chain, c->span, sizes, NULL);
    return true;
}

static const Known *new_block(Stage *s, Call *c, Region *r)
{
    if (is_endless(s, r, c) || !config_new(s, r, c)) return known_error(s);
    return go_to(s, c, r, r->configs.len - 1);
}

static const Known *be_function(Stage *s, Sym key, Region *r)
{
    call_residual(s, key);
    restart(s, r);
    return known_error(s);
}

// Emits a call to a function that an enclosing region specialises to the same arguments, and
// returns its value. Returns NULL if there is no such region.
static const Known *known_call(Stage *s, const Call *c)
{
    for (Region *r = s->regions; r; r = r->outer) {
        int number = find_config(r, c->key);
        if (number >= 0 && r->is_function) return call_emit(s, c, r->residual);
        if (number >= 0 && is_last(c, s, r)) return go_to(s, c, r, number);
        if (number >= 0 && leads_here(s, r, number)) return be_function(s, c->key, r);
        if (has_other_array(s, r, c, c->filtered)) {
            restart(s, r);
            return known_error(s);
        }
    }
    return NULL;
}

const Known *stage_specialise(Stage *s, const Known *f, int n, const Known *const *args,
                              const bool *known, Span span, Scope at)
{
    bool *constant = ARENA_ARRAY(s->arena, bool, n + 1);
    const Known **bound = ARENA_ARRAY(s->arena, const Known *, n + 1);
    for (int i = 0; i < n; i++) bound[i] = stage_bind(s, args[i], NULL, at.block);
    find_constant_arrays(s, f->special, n, known, constant);
    Call c = {.f = f,
              .special = f->special,
              .n = n,
              .args = bound,
              .filtered = known,
              .known = constant,
              .span = span,
              .at = at};
    c.key = key_of(s, f, n, bound, constant);
    const Known *v = known_call(s, &c);
    if (v) return v;
    const Residual *done = map_get(&s->residuals, MAP_KEY(c.key));
    Region *r = done ? NULL : region_for(s, &c);
    c.chain = stage_enter(s, f->special, r ? r->chain : f->chain, span);
    if (!c.chain) return known_error(s);
    stage_call_checks(s, f->special, c.chain, at.block->guard);
    if (s->failed) return known_error(s);
    if (done) return done->done ? call_emit(s, &c, done) : as_function(s, &c);
    return r ? new_block(s, &c, r) : as_blocks(s, &c);
}

static void write_condition(Text *out, const SizeCondition *c)
{
    if (c->kind == CONDITION_CHECK) {
        text_printf(out, "%d,%u,%u", (int)c->check.relation, c->check.left->id, c->check.right->id);
        return;
    }
    text_put(out, c->kind == CONDITION_AND ? "(&" : "(|");
    write_condition(out, c->a);
    write_condition(out, c->b);
    text_char(out, ')');
}

// Adds the guards to the key of a kept function. Under different guards, the function has different
// checks, so it must be a different residual function.
static Sym under_guard(Stage *s, Sym key, const SizeGuard *g)
{
    if (!g) return key;
    Text text = text_new(s->arena);
    text_put(&text, key->text);
    for (; g; g = g->up) {
        text_char(&text, '?');
        if (g->holds) write_condition(&text, g->holds);
    }
    return session_sym(s->cx, text_get(&text));
}

const Known *stage_keep(Stage *s, const Known *f, int n, const Known *const *args, bool generic,
                        Span span, Scope at)
{
    bool *known = ARENA_ARRAY(s->arena, bool, n + 1);
    const Known **bound = ARENA_ARRAY(s->arena, const Known *, n + 1);
    for (int i = 0; i < n; i++) bound[i] = stage_bind(s, args[i], NULL, at.block);
    const Taken *taken = stage_take(s, f, n, bound, generic, known);
    Call c = {.f = f,
              .special = f->special,
              .n = n,
              .args = bound,
              .filtered = known,
              .known = known,
              .taken = taken,
              .guard = at.block->guard,
              .span = span,
              .key = under_guard(s, taken->key, at.block->guard),
              .at = at};
    c.chain = stage_enter(s, f->special, f->chain, span);
    if (!c.chain) return known_error(s);
    stage_call_checks(s, f->special, c.chain, at.block->guard);
    if (s->failed) return known_error(s);
    const Residual *made = call_residual(s, c.key);
    return made->done ? call_emit(s, &c, made) : as_function(s, &c);
}
