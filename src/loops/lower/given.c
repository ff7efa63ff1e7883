// Which parameters of functions are arrays of structs as a C caller has them. A function that every
// call passes the caller's array itself reads that array where it is; the others get their members
// one array each, so that an array of the caller must be copied for them.
#include "loops/lower/from_dpia.h"

const Phrase *flat_callee(Session *cx, const Phrase *entry, Sym name)
{
    for (int i = 0; i < entry->callees.len; i++)
        if (entry->callees.at[i]->name == name) return entry->callees.at[i];
    session_ice(cx, __FILE__, __LINE__, "a call of %s, which is not a function", name->text);
}

typedef struct {
    Session *cx;
    const Phrase *entry, *in; // the function whose calls are visited
    Map *given;               // Param -> whether it is one of these arrays
    bool changed;
    Map seen;
} Calls;

static bool is_given(const Map *given, const Param *p)
{
    return map_get(given, MAP_KEY(p)) != NULL;
}

static bool is_records(Session *cx, Node *type)
{
    if (type->kind != TYPE_ARRAY) return false;
    return type_is_c_struct(cx, type_strip_arrays(type, NULL, 0, &(int){0}));
}

// Whether the argument is an array of the caller's structs, in the entry or passed to the function.
static bool is_passed_on(const Calls *s, Node *arg)
{
    if (arg->kind != PH_VAR) return false;
    for (int i = 0; i < s->in->params.len; i++) {
        const Param *p = &s->in->params.at[i];
        if (p->name != arg->attr.sym) continue;
        return s->in == s->entry ? is_records(s->cx, p->type) : is_given(s->given, p);
    }
    return false;
}

static Walk visit_call(Node *n, void *env)
{
    Calls *s = env;
    if (node_is_size_or_type(n)) return WALK_OVER;
    if (n->kind != COM_CALL) return WALK_INTO;
    const Phrase *callee = flat_callee(s->cx, s->entry, n->attr.sym);
    for (int i = 0; i < callee->params.len; i++) {
        const Param *p = &callee->params.at[i];
        if (!is_given(s->given, p) || is_passed_on(s, n->op[i + 1])) continue;
        map_put(s->given, MAP_KEY(p), NULL);
        s->changed = true;
    }
    return WALK_INTO;
}

static void visit_calls(Calls *s, const Phrase *p)
{
    s->in = p;
    s->seen = map_new(s->cx->arena);
    if (p->body) node_walk_once(&s->seen, p->body, visit_call, s);
}

Map given_records(Session *cx, const Phrase *entry)
{
    Map given = map_new(cx->arena);
    Calls s = {.cx = cx, .entry = entry, .given = &given, .changed = true};
    if (!cx->lays_out) return given; // interpreters and `adze run` pass members
    for (int i = 0; i < entry->callees.len; i++) {
        const Phrase *p = entry->callees.at[i];
        for (int k = 0; k < p->params.len && !p->external; k++) {
            const Param *param = &p->params.at[k];
            if (is_records(cx, param->type)) map_put(&given, MAP_KEY(param), (void *)(uintptr_t)p);
        }
    }
    while (s.changed) {
        s.changed = false;
        visit_calls(&s, entry);
        for (int i = 0; i < entry->callees.len; i++) visit_calls(&s, entry->callees.at[i]);
    }
    return given;
}
