// `adze explain`: the vectors of an entry, the processor they are for, and the library that
// provides math functions on them.
#include "driver/explain/explain.h"

#include <string.h>

typedef struct {
    int64_t widest;         // the width of the widest vector, in bytes
    bool found[PRIM_COUNT]; // math functions called on vectors, such as exp
} Vectors;

typedef struct {
    Vectors found;
    Map seen; // the nodes and functions visited so far
} Find;

static Walk find_vector(Node *n, void *env)
{
    Find *f = env;
    int64_t lanes;
    Scalar s;
    if (kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return WALK_OVER;
    Node *type = n->kind == LOOP_DECL ? n->op[0] : n->type;
    if (n->kind == LOOP_IOTA) return WALK_INTO; // the operation that uses it determines the width
    if (type && type_is_vec(type, &lanes) && type_is_scalar(type_lane(type), &s)) {
        int64_t bytes = lanes * scalar_info[s].size;
        if (bytes > f->found.widest) f->found.widest = bytes;
        if (n->kind == CORE_PRIM && prim_is_function((Prim)n->attr.i))
            f->found.found[n->attr.i] = true;
    }
    return WALK_INTO;
}

static void find_in_function(const LoopEntry *e, Find *f)
{
    if (map_get(&f->seen, MAP_KEY(e))) return;
    map_put(&f->seen, MAP_KEY(e), f);
    if (e->body) node_walk_once(&f->seen, e->body, find_vector, f);
    for (int i = 0; i < e->callees.len; i++) find_in_function(e->callees.at[i], f);
}

static Vectors vectors_of(const Work *w)
{
    Find f = {.seen = map_new(w->cx->arena)};
    find_in_function(w->loop, &f);
    return f.found;
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
                    in_library(w->cx) ? "by libmvec where glibc is available, within 4 ULP"
                                      : "lane by lane, by the scalar functions");
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
