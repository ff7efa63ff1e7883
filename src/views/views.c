// Lookups in the view table, and the places to which acceptors write.
#include "views/internal.h"

ViewRole view_role(Node *e, int k)
{
    if (kind_sort((Kind)e->kind, k) == SORT_SIZE) return ROLE_SIZE;
    if (e->kind == CORE_INDEX) return k == 0 ? ROLE_DATA : ROLE_INDICES;
    const ViewRow *row = view_row((Kind)e->kind);
    const char *roles = row && row->roles ? row->roles : "x";
    size_t back = e->nops - 1 - (size_t)k, n = strlen(roles);
    switch (roles[back < n ? n - 1 - back : 0]) {
    case 'k': return ROLE_NUMBER;
    case 'v': return ROLE_VALUE;
    case 'i': return ROLE_INDICES;
    case 'f': return ROLE_FUNCTION;
    default: return ROLE_DATA;
    }
}

int view_number(Node *view)
{
    const ViewRow *row = view_row((Kind)view->kind);
    for (int k = 0; row && row->roles && k < (int)view->nops; k++)
        if (view_role(view, k) == ROLE_NUMBER) return k;
    return -1;
}

Node *view_dense_array(Node *e)
{
    switch ((Kind)e->kind) {
    case CORE_INDEX: // a window of a slide is a slice
        return e->op[0]->kind == VIEW_SLIDE ? e->op[0]->op[2] : e->op[0];
    case CORE_EXTRACT:
    case CORE_PROJ:
    case ACC_AT:
    case ACC_PROJ: return e->op[0];
    case ACC_PART: return e->op[2];
    default: break;
    }
    const ViewRow *row = view_row((Kind)e->kind);
    return row && row->dense ? e->op[e->nops - 1] : NULL;
}

ViewBack view_back(Session *cx, Node *view, int k, Node *shift)
{
    const ViewRow *row = view_row((Kind)view->kind);
    if (row->back) return row->back(cx, view, k, shift);
    return (ViewBack){.kind = row->undone_by, .nops = 1, .component = -1};
}

static bool reaches(const char *steps, Path *path)
{
    for (; *steps; steps++, path = path->rest)
        if (!path || path->step.is_component != (*steps == 'c')) return false;
    return true;
}

ViewStep view_get(const ViewContext *v, Node *view, Path *path)
{
    const ViewRow *row = view_row((Kind)view->kind);
    CHECK(v->cx, row && row->get, "%s is not a view", kind_info[view->kind].text);
    return reaches(row->get_steps, path) ? row->get(v, view, path) : (ViewStep){.kind = STEP_SHORT};
}

// --- acceptors ----------------------------------------------------------------------------------

// Returns the place of a write through the put of a view. The destination is the second operand of
// the acceptor.
static ViewStep put(const ViewContext *v, Node *acc, Path *path)
{
    Node *view = acc->op[0];
    const ViewRow *row = view_row((Kind)view->kind);
    CHECK(v->cx, row, "%s is not a view", kind_info[view->kind].text);
    if (!reaches(row->put_steps, path)) return (ViewStep){.kind = STEP_SHORT};
    ViewStep s = row->put(v, view, (int)acc->attr.i, path);
    s.inside.operand = s.inside.operand < 0 ? -1 : 1;
    s.outside.operand = s.outside.operand < 0 ? -1 : 1;
    return s;
}

static ViewStep part(const ViewContext *v, Node *acc, Path *path)
{
    Index to = index_add(v, path->step.at, index_size(v, acc->op[0]));
    return step_place(2, step_index(v, to, path->rest));
}

static ViewStep element(const ViewContext *v, Path *path)
{
    Index i = index_share(v, path->step.at), end = index_add(v, v->shift, index_number(v, 1));
    return step_window(i, &v->shift, &end, (ViewPlace){1, path->rest}, (ViewPlace){-1, NULL});
}

static ViewStep mapped(const ViewContext *v, Node *acc, Path *path)
{
    ViewStep s = step_place(1, path->rest);
    s.bound = acc->attr.sym;
    s.index = index_share(v, path->step.at);
    return s;
}

ViewStep view_put(const ViewContext *v, Node *acc, Path *path)
{
    ViewStep tooshort = {.kind = STEP_SHORT};
    switch ((Kind)acc->kind) {
    case ACC_AT: return step_place(0, step_index(v, v->shift, path));
    case ACC_PROJ: return step_place(0, step_component(v, (int)acc->attr.i, path));
    case ACC_NONE: return step_place(-1, NULL);
    case ACC_PUT: return put(v, acc, path);
    case ACC_PART: return reaches("i", path) ? part(v, acc, path) : tooshort;
    case ACC_ELEMENT: return reaches("i", path) ? element(v, path) : tooshort;
    case ACC_MAP: return reaches("i", path) ? mapped(v, acc, path) : tooshort;
    case ACC_TUPLE: // .k.. goes to operand k
        return reaches("c", path) ? step_place(path->step.component, path->rest) : tooshort;
    default: break;
    }
    session_ice(v->cx, __FILE__, __LINE__, "%s is not an acceptor", kind_info[acc->kind].text);
}

Node *acceptor_number(Node *acc)
{
    if (acc->kind == ACC_AT) return acc->op[1];
    if (acc->kind == ACC_ELEMENT) return acc->op[0];
    int k = acc->kind == ACC_PUT ? view_number(acc->op[0]) : -1;
    return k < 0 ? NULL : acc->op[0]->op[k];
}

Node *acceptor_inner(Node *acc)
{
    if (acc->kind == ACC_TUPLE || acc->nops == 0) return NULL;
    return acc->op[acc->kind == ACC_AT ? 0 : acc->nops - 1];
}
