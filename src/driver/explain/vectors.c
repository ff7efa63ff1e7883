// `adze explain`: the vectors of an entry, for which processor they are, and what computes
// functions on them.
#include "driver/explain/explain.h"

#include <string.h>

typedef struct {
    int64_t widest;         // bytes
    bool found[PRIM_COUNT]; // functions such as exp, on vectors
} Vectors;

static void look_at(Node *n, Map *seen, Vectors *v)
{
    int64_t lanes;
    if (kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE) || map_get(seen, MAP_KEY(n))) return;
    map_put(seen, MAP_KEY(n), v);
    Scalar s;
    Node *type = n->kind == LOOP_DECL ? n->op[0] : n->type;
    bool counted = n->kind != LOOP_IOTA; // which is made as wide as what it is used for
    if (type && counted && type_is_vec(type, &lanes) && type_is_scalar(type_lane(type), &s)) {
        int64_t bytes = lanes * scalar_info[s].size;
        if (bytes > v->widest) v->widest = bytes;
        if (n->kind == CORE_PRIM && prim_is_function((Prim)n->attr.i)) v->found[n->attr.i] = true;
    }
    for (uint32_t i = 0; i < n->nops; i++) look_at(n->op[i], seen, v);
}

static void look_at_entry(const LoopEntry *e, Map *seen, Vectors *v)
{
    if (e->body) look_at(e->body, seen, v);
    for (int i = 0; i < e->callees.len; i++)
        if (!map_get(seen, MAP_KEY(e->callees.at[i]))) {
            map_put(seen, MAP_KEY(e->callees.at[i]), v);
            look_at_entry(e->callees.at[i], seen, v);
        }
}

static Vectors vectors_of(const Work *w)
{
    Vectors v = {0};
    Map seen = map_new(w->cx->arena);
    look_at_entry(w->loop, &seen, &v);
    return v;
}

static const char *functions_text(Session *cx, const Vectors *v)
{
    Text out = text_new(cx->arena);
    for (int op = 0; op < PRIM_COUNT; op++)
        if (v->found[op]) text_printf(&out, "%s%s", out.len ? ", " : "", prim_info[op].text);
    return text_get(&out);
}

static bool in_library(Session *cx)
{
    return prim_in_library(cx, PRIM_EXP);
}

void explain_vectors(const Work *w, Text *out)
{
    Vectors v = vectors_of(w);
    const Cpu *cpu = w->cx->cpu;
    if (v.widest == 0) return;
    text_printf(out, "  vectors of up to %lld bytes, for %s\n", (long long)v.widest, cpu->name);
    const char *functions = functions_text(w->cx, &v);
    if (*functions)
        text_printf(out, "    %s: %s\n", functions,
                    in_library(w->cx) ? "by libmvec where there is glibc, at most 4 ULP off"
                                      : "lane by lane, as on numbers");
}

void explain_vectors_json(const Work *w, json_t *to)
{
    Vectors v = vectors_of(w);
    json_t *one = json_object(), *functions = json_array();
    json_put(one, "cpu", json_string(w->cx->cpu->name));
    json_put(one, "bytes", json_integer(v.widest));
    for (int op = 0; op < PRIM_COUNT; op++)
        if (v.found[op]) json_array_append_new(functions, json_string(prim_info[op].text));
    json_put(one, "functions", functions);
    json_put(one, "library", json_boolean(in_library(w->cx)));
    json_put(to, "vectors", one);
}
