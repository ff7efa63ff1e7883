// Branches of a group's iteration that only load, compute and store are executed by one work-item:
// otherwise all would load what the one that stores overwrites, and wait for one another in the
// branch.
//
//   if count > 1024 {                  parallel item < 1 {
//       x = sums[132]                      if count > 1024 {
//       <barrier>                              x = sums[132]
//       sums[0] = sums[0] * x                  sums[0] = sums[0] * x
//       sums[1] = x                            sums[1] = x
//   }                                      }
//                                      }
#include "loops/device/device.h"

typedef struct {
    Session *cx;
    const DeviceGroup *g;
} Alone;

// Whether one work-item executes the statement, or may do so: what it declares is not used
// elsewhere, and what it stores to, others see.
static bool may_be_alone(const Alone *a, Node *s)
{
    uint64_t name = MAP_KEY(s->attr.sym);
    switch ((int)s->kind) {
    case LOOP_DECL: return true;
    case LOOP_STORE: return !map_get(&a->g->alike, name) && !map_get(&a->g->own, name);
    case LOOP_IF: return may_be_alone(a, s->op[1]) && may_be_alone(a, s->op[2]);
    case LOOP_BLOCK:
        for (uint32_t i = 0; i < s->nops; i++)
            if (!may_be_alone(a, s->op[i])) return false;
        return true;
    default: return false;
    }
}

static bool is_load(Node *n, void *env)
{
    (void)env;
    return loops_is_load(n);
}

static bool is_loaded(Node *n, void *env)
{
    return n->kind == LOOP_DECL && node_any(n->op[1], is_load, env);
}

static Node *alone(void *env, Node *s)
{
    const Alone *a = env;
    if (s->kind == LOOP_PARALLEL) return s; // work-items divide its iterations
    if (s->kind != LOOP_IF || !may_be_alone(a, s) || !node_any(s, is_loaded, NULL))
        return loops_map(a->cx, s, alone, env);
    Node *threads = core_int(a->cx, type_scalar(a->cx, SCALAR_I32), 0);
    return loops_loop(a->cx, LOOP_PARALLEL, sym_fresh(a->cx->syms, "item"), threads,
                      nat_const(a->cx, 0), nat_const(a->cx, 1), s, s->origin);
}

Node *device_with_branches_alone(Session *cx, Node *body)
{
    DeviceGroup g = device_group(cx, body);
    Alone a = {cx, &g};
    return alone(&a, body);
}
