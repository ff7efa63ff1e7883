// Calls that are not unfolded: the function is specialised to the arguments that its filters (or
// their being functions) make known; what it does with the others is residual (thesis of Leissa, 11.1-11.3: mangling). A
// recursive call with the same known arguments is the specialisation itself.
//
// First the call becomes a loop where it stands: the other arguments are variables, and a recursive call in tail
// position assigns them and goes round (11.2, tail-recursion elimination; with several functions, mutual tail recursion). When
// a recursive call turns out to be elsewhere, the evaluation goes back to the call and makes a function of the result. What
// that captures becomes parameters (capture.c); a continuation from outside that it calls becomes a status it returns.
#include "staging/internal.h"

// --- keys --------------------------------------------------------------------------------------

static void write_key(Stage *s, Text *out, const Known *v)
{
    switch (v->kind) {
    case KNOWN_TERM: text_printf(out, "t%u", v->node->id); return;
    case KNOWN_TUPLE:
        text_char(out, '(');
        for (int i = 0; i < known_count(v); i++) write_key(s, out, v->parts[i]);
        text_char(out, ')');
        return;
    case KNOWN_GLOBAL: text_printf(out, "g%u", v->node->id); return;
    case KNOWN_CLOSURE: {
        FreeVars f = stage_free(s, v->node);
        text_printf(out, "c%u{", v->node->id);
        for (int i = 0; i < f.len; i++)
            write_key(s, out, stage_variable_value(s, v->env, f.at[i].index));
        text_char(out, '}');
        return;
    }
    case KNOWN_CHOICE:
        text_printf(out, "?%u,%u,%u,%u", v->node->id, v->branches[0]->id, v->branches[1]->id,
                    v->env ? v->env->id : 0);
        return;
    case KNOWN_CONST:
        text_char(out, '&');
        write_key(s, out, v->parts[0]);
        return;
    case KNOWN_REF: text_printf(out, "r%d,%u", v->cell->number, v->node->id); return;
    case KNOWN_LABEL: text_printf(out, "k%d", v->label->number); return;
    case KNOWN_ERROR:
    case KNOWN_NEVER: return;
    }
}

// The function and its known arguments.
static Sym key_of(Stage *s, const Known *f, int n, const Known *const *args, const bool *known)
{
    Text text = text_new(s->arena);
    text_printf(&text, "%u", f->node->id);
    for (int i = 0; i < n; i++) {
        text_char(&text, ' ');
        if (known[i]) write_key(s, &text, args[i]);
    }
    return session_sym(s->cx, text_get(&text));
}

// --- the parts of a call -----------------------------------------------------------------------

typedef struct {
    const Known *f;
    const Special *special;
    const Chain *chain;
    int n;
    const Known *const *args;
    const bool *asked, *known; // by the filters; with the arrays that stay the same
    Span span;
    Sym key;
    Scope at;
} Call;

// `all`: also what is only read. A function of the result is for calls with other contents.
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

// The body, with `dynamic` for the arguments that are not known, in order.
static const Known *evaluate_body(Stage *s, const Call *c, const Known *const *dynamic,
                                  Block *block, Region *tail)
{
    const Env *env = NULL;
    int k = 0;
    for (int i = 0; i < c->n; i++)
        env = stage_env_push(s, env, c->known[i] ? c->args[i] : dynamic[k++]);
    return stage_evaluate(s, c->special->body, (Scope){env, c->chain, block, tail, NULL});
}

static Node *data_result(Stage *s, const Special *special)
{
    return special->result->kind == TYPE_NEVER ? type_tuple(s->cx, 0, NULL) : special->result;
}

static void tell(Stage *s, const Call *c, const Residual *f)
{
    if (!s->residues) return;
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

// --- as a loop ---------------------------------------------------------------------------------

// The evaluation of a region begins anew.
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

static Label region_label(Stage *s, Region *r, Block *block, const char *name)
{
    Scope scope = {.tail = r->tail};
    Label l = *stage_label_new(s, type_tuple(s->cx, 0, NULL), scope, block);
    l.var = stage_variable(s, l.var->type, session_sym(s->cx, name));
    return l;
}

// The unknown arguments as variables; their values at the beginning of a round.
static const Known **loop_variables(Stage *s, const Call *c, Region *r, Block *round)
{
    const Known **dynamic = ARENA_ARRAY(s->arena, const Known *, c->n + 1);
    r->cells = ARENA_ARRAY(s->arena, Node *, c->n + 1);
    r->values = ARENA_ARRAY(s->arena, Node *, c->n + 1);
    r->assigned = ARENA_ARRAY(s->arena, bool, c->n + 1);
    for (int i = 0; i < c->n; i++) {
        if (c->known[i]) continue;
        Node *v = stage_data(s, c->args[i], c->span), *t = v->type;
        Node *ref = type_ref(s->cx, t, true, SPACE_GENERIC);
        Node *cell = stage_emit_effect(s, c->at.block, stage_term(s, CORE_NEW, ref, c->span, 1, &v),
                                       parameter(c, i));
        Node *get = stage_term(s, CORE_GET, t, c->span, 1, &cell);
        r->cells[r->ndynamic] = cell;
        r->assigned[r->ndynamic] = false;
        r->values[r->ndynamic] = stage_emit_effect(s, round, get, parameter(c, i));
        dynamic[r->ndynamic] = known_term(s, r->values[r->ndynamic]);
        r->ndynamic++;
    }
    return dynamic;
}

// It never went round: the variables are the arguments.
static void without_loop(Stage *s, const Call *c, const Region *r, Block *round, int first)
{
    Block *block = c->at.block;
    for (int k = 0; k < r->ndynamic; k++)
        round->items.at[k].value = block->items.at[first + k].value->op[0];
    block->items.len = first;
    stage_splice(s, block, round);
}

// The round has no end but going round.
static const Known *endless(Stage *s, const Call *c)
{
    const char *name = c->special->function->name->text;
    return stage_fail(s, E0501, c->span, c->chain,
                      arena_printf(s->arena, "`%s` calls itself without end", name));
}

// label leave { forever { label again { round; leave(v) } } }
static const Known *close_loop(Stage *s, const Call *c, Region *r, Label *leave, Block *round,
                               const Known *v, int first, int64_t jumps)
{
    if (!round->end) {
        v = stage_jump(s, leave, v, c->span, round);
        if (s->failed) return v;
    }
    for (int k = 0; k < r->ndynamic; k++)
        if (!r->assigned[k])
            round->items.at[k].value = c->at.block->items.at[first + k].value->op[0];
    Node *body = stage_label_around(s, &r->again, stage_block_close(s, round, NULL), c->span);
    body = stage_term(s, CORE_FOREVER, type_never(s->cx), c->span, 1, &body);
    if (s->jumps == jumps + r->again.jumps) return endless(s, c);
    if (leave->jumps == 0) return stage_end(s, c->at.block, body);
    body = stage_label_around(s, leave, body, c->span);
    Node *var = stage_emit_effect(s, c->at.block, body, NULL);
    return type_is_unit(leave->type) ? known_unit(s) : known_term(s, var);
}

static const Known *as_function(Stage *s, Call *c);

static const Known *as_loop(Stage *s, Call *c)
{
    Block *block = c->at.block, *own = stage_block(s, block), *round = stage_block(s, own);
    const Block was = *block;
    Before before = stage_before(s);
    Region r = {.key = c->key,
                .outer = s->regions,
                .tail = c->at.tail,
                .function = s->function,
                .special = c->special,
                .args = c->args,
                .known = c->known};
    r.again = region_label(s, &r, round, "again");
    Label *leave = stage_label_new(s, data_result(s, c->special), c->at, own);
    forget_reached(s, c, false);
    int first = block->items.len;
    int64_t jumps = s->jumps;
    const Known **dynamic = loop_variables(s, c, &r, round);
    s->regions = &r;
    const Known *v = evaluate_body(s, c, dynamic, round, &r);
    s->regions = r.outer;
    if (s->restart == &r) {
        start_anew(s, &r, block, &was, before);
        return stage_specialise(s, c->f, c->n, c->args, c->asked, c->span, c->at);
    }
    if (s->failed) return known_error(s);
    if (r.again.jumps == 0) {
        without_loop(s, c, &r, round, first);
        return v;
    }
    tell(s, c, NULL);
    v = close_loop(s, c, &r, leave, round, v, first, jumps);
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

// The recursive call of a loop: round again with other arguments. What does not come back is always the last call.
static const Known *go_round(Stage *s, const Call *c, Region *r)
{
    bool last = c->special->result->kind == TYPE_NEVER || is_tail_of(c->at.tail, r);
    if (!last || r->function != s->function) {
        Residual *f = ARENA_NEW(s->arena, Residual);
        *f = (Residual){.key = r->key};
        map_put(&s->residuals, MAP_KEY(r->key), f);
        restart(s, r);
        return known_error(s);
    }
    Node *unit = type_tuple(s->cx, 0, NULL);
    Node **values = ARENA_ARRAY(s->arena, Node *, c->n + 1);
    int k = 0;
    for (int i = 0; i < c->n; i++)
        if (!c->known[i])
            values[k++] = stage_data(s, stage_bind(s, c->args[i], NULL, c->at.block), c->span);
    for (k = 0; k < r->ndynamic; k++) {
        Node *ops[2] = {r->cells[k], values[k]};
        if (values[k] == r->values[k]) continue;
        r->assigned[k] = true;
        (void)stage_emit_effect(s, c->at.block, stage_term(s, CORE_SET, unit, c->span, 2, ops),
                                NULL);
    }
    return stage_jump(s, &r->again, NULL, c->span, c->at.block);
}

// --- as a function of the result ---------------------------------------------------------------

static Node *zero(Stage *s, Node *t)
{
    if (t->kind == TYPE_TUPLE || t->kind == TYPE_STRUCT) {
        Node **ops = ARENA_ARRAY(s->arena, Node *, t->nops + 1);
        for (uint32_t i = 0; i < t->nops; i++) ops[i] = zero(s, t->op[i]);
        return stage_term(s, CORE_TUPLE, t, NO_SPAN, (int)t->nops, ops);
    }
    if (t->kind == TYPE_ARRAY) {
        Node *z = zero(s, t->op[1]);
        return core_pattern(s->cx, VIEW_REPEAT, 0, 2, (Node *[]){t->op[0], z});
    }
    return node_make(s->cx, &(NodeSpec){.kind = CORE_LIT, .type = t});
}

static Node *status_literal(Stage *s, int64_t status)
{
    return core_int(s->cx, type_scalar(s->cx, SCALAR_I32), status);
}

// (status, result, what each exit carries), or just the result.
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

// The result with this status, and `value` where it belongs.
static Node *with_status(Stage *s, Node *type, int64_t status, Node *value)
{
    Node **ops = ARENA_ARRAY(s->arena, Node *, type->nops + 1);
    ops[0] = status_literal(s, status);
    for (uint32_t i = 1; i < type->nops; i++)
        ops[i] = i == (uint32_t)status + 1 ? value : zero(s, type->op[i]);
    return stage_term(s, CORE_TUPLE, type, NO_SPAN, (int)type->nops, ops);
}

// A jump out of a function of the result: it returns, and the caller jumps.
const Known *stage_exit(Stage *s, Label *l, const Known *value, Span origin, Block *block)
{
    Region *r = s->function;
    Residual *f = r->residual;
    for (int i = 0; i < f->exits.len; i++) {
        if (f->exits.at[i] != l) continue;
        Node *carried = type_is_unit(l->type) ? stage_data(s, known_unit(s), origin)
                                              : stage_data(s, value, origin);
        if (s->failed) return known_error(s);
        Node *result = with_status(s, result_type(s, f, r->special), i + 1, carried);
        return stage_jump(s, &r->leave, known_term(s, result), origin, block);
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

static const Known *leave_or_stay(Stage *s, int way, Scope scope, void *env)
{
    const Leave *l = env;
    if (way == 1) return known_unit(s);
    return stage_jump(s, l->label, known_term(s, l->carried), l->origin, scope.block);
}

// A function of type ! that is left by no jump does not come back.
static const Known *no_return(Stage *s, const Call *c)
{
    Node *unit = stage_data(s, known_unit(s), c->span);
    return stage_end(s, c->at.block,
                     stage_term(s, CORE_FOREVER, type_never(s->cx), c->span, 1, &unit));
}

// call f(args); then the jumps it asks for
static const Known *emit_call(Stage *s, const Call *c, const Residual *f)
{
    Node **ops = ARENA_ARRAY(s->arena, Node *, c->n + 1);
    int n = 0;
    for (int i = 0; i < c->n; i++)
        if (!c->known[i]) ops[n++] = stage_data(s, c->args[i], c->span);
    if (s->failed) return known_error(s);
    Node *type = result_type(s, f, c->special);
    Node *call = node_make(s->cx, &(NodeSpec){.kind = CORE_CALL,
                                              .attr.sym = f->function->name,
                                              .type = type,
                                              .nops = n,
                                              .ops = ops,
                                              .origin = c->span});
    Node *result = stage_emit_effect(s, c->at.block, call, NULL);
    tell(s, c, f);
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

// A name for the C function that no other has.
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
                      .result = result_type(s, f, c->special)};
    return out;
}

static void function_parameters(Stage *s, const Call *c, Residual *f, const Known **dynamic)
{
    int k = 0;
    f->params.len = 0;
    for (int i = 0; i < c->n; i++) {
        if (c->known[i]) continue;
        Node *t = stage_data(s, c->args[i], c->span)->type;
        Node *var = stage_variable(s, t, parameter(c, i));
        vec_push(s->arena, &f->params, var);
        dynamic[k++] = known_term(s, var);
    }
}

// label leave { body }; the result with status 0 when there are exits.
static void close_function(Stage *s, Region *r, Block *own, const Known *v, Span origin)
{
    Residual *f = r->residual;
    Node *type = f->function->result, *value = NULL;
    if (!own->end) {
        value = type_is_unit(data_result(s, r->special)) ? stage_data(s, known_unit(s), origin)
                                                         : stage_data(s, v, origin);
        if (s->failed) return;
        if (f->exits.len) value = with_status(s, type, 0, value);
    }
    f->body = stage_block_close(s, own, value);
    if (r->leave.jumps) f->body = stage_label_around(s, &r->leave, f->body, origin);
    f->done = true;
}

// Functions that were made while another one was are no longer right when that begins anew: they call it as it was.
static void undo_functions(Stage *s, int first)
{
    while (s->functions.len > first) s->functions.at[--s->functions.len]->done = false;
}

static const Known *as_function(Stage *s, Call *c)
{
    Residual *f = map_get(&s->residuals, MAP_KEY(c->key));
    f->function = residual_function(s, c, f);
    Block *own = stage_block(s, NULL);
    Before before = stage_before(s);
    int first = s->functions.len;
    Region r = {.key = c->key,
                .is_function = true,
                .outer = s->regions,
                .function = s->function,
                .special = c->special,
                .args = c->args,
                .known = c->known,
                .residual = f};
    const Known **dynamic = ARENA_ARRAY(s->arena, const Known *, c->n + 1);
    function_parameters(s, c, f, dynamic);
    s->regions = s->function = &r;
    r.leave = *stage_label_new(s, f->function->result, (Scope){0}, own);
    forget_reached(s, c, true);
    const Known *v = evaluate_body(s, c, dynamic, own, NULL);
    if (!s->failed) close_function(s, &r, own, v, c->span);
    s->regions = r.outer;
    s->function = r.function;
    (void)stage_take_back(s, before.trail);
    s->written.len = before.written; // what it writes, its calls do
    if (s->restart == &r) {          // another exit was found
        s->restart = NULL;
        s->failed = false;
        undo_functions(s, first);
        return stage_specialise(s, c->f, c->n, c->args, c->asked, c->span, c->at);
    }
    if (s->failed) return known_error(s);
    vec_push(s->arena, &s->functions, f);
    return emit_call(s, c, f);
}

// --- arrays ------------------------------------------------------------------------------------

// Arrays are passed on as they are by most recursive functions, and a variable for one would be a copy: they count as known until a
// recursive call passes another one.
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

// Whether a call of the function that is being specialised has another array than this one.
static bool has_other_array(Stage *s, const Region *r, const Call *c, const bool *known)
{
    bool other = false;
    if (r->special != c->special) return false;
    for (int i = 0; i < c->n; i++) {
        if (known[i] || !c->known[i] || !r->known[i]) continue;
        if (stage_data(s, r->args[i], c->span) == stage_data(s, c->args[i], c->span)) continue;
        *varies(s, c->special, i) = other = true;
    }
    return other;
}

// --- calls -------------------------------------------------------------------------------------

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
              .asked = known,
              .known = constant,
              .span = span,
              .at = at};
    c.key = key_of(s, f, n, bound, constant);
    for (Region *r = s->regions; r; r = r->outer) {
        if (r->key == c.key)
            return r->is_function ? emit_call(s, &c, r->residual) : go_round(s, &c, r);
        if (has_other_array(s, r, &c, known)) {
            restart(s, r);
            return known_error(s);
        }
    }
    c.chain = stage_enter(s, f->special, f->chain, span);
    if (!c.chain) return known_error(s);
    stage_call_checks(s, f->special, c.chain);
    const Residual *done = map_get(&s->residuals, MAP_KEY(c.key));
    if (s->failed) return known_error(s);
    if (done && done->done) return emit_call(s, &c, done);
    return done ? as_function(s, &c) : as_loop(s, &c);
}
