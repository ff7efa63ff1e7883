// Chooses whether `adze run` compiles an expression for the exact extents of the loaded files or
// for any extents. Code for exact extents has constant sizes. Code for any extents is compiled only
// once for all files with the same numbers of dimensions, which are part of the type of the
// expression. In it, equal extents get the same name, so that sizes that must agree do agree, and
// extents up to COMPONENTS stay constant.
#include "driver/sizes/sizes.h"

#include <string.h>

enum {
    COMPONENTS = 4, // points and colours have at most this many components
    SMALL = 16      // loops up to this length are unrolled, and arrays up to it kept in registers
};

typedef struct {
    Loads *loads;
    GivenSizes sizes;
} AnySizes;

// --- names for extents ---------------------------------------------------------------------------

static Node *name_of_extent(Session *cx, AnySizes *any, Node *extent)
{
    int64_t value;
    if (!nat_is_const(extent, &value) || value <= COMPONENTS) return extent;
    for (int i = 0; i < any->sizes.len; i++)
        if (any->sizes.at[i].value == value) return nat_var(cx, any->sizes.at[i].name);
    Sym name = sym_fresh(cx->syms, "n"); // another one than those of the program
    vec_push(cx->arena, &any->sizes, ((GivenSize){name, value}));
    return nat_var(cx, name);
}

static Node *with_names(Session *cx, AnySizes *any, Node *type)
{
    if (type->kind != TYPE_ARRAY) return type;
    Node *extent = name_of_extent(cx, any, type->op[0]);
    return type_array(cx, extent, with_names(cx, any, type->op[1]));
}

// A LoadType: returns the type of the file, with names for its extents.
static Node *any_type(Session *cx, const char *path, Node *wanted, Node *open, Span span, void *env)
{
    AnySizes *any = env;
    Node *type = loads_type(cx, path, wanted, open, span, any->loads);
    return type ? with_names(cx, any, type) : NULL;
}

// --- the expression for any sizes ----------------------------------------------------------------

// Whether the general function has the same type as the special one, except that it has names in
// place of sizes.
static bool agrees(Session *cx, const Function *general, const GivenSizes *sizes,
                   const Function *special)
{
    NodeBinding *with = ARENA_ARRAY(cx->arena, NodeBinding, sizes->len + 1);
    for (int i = 0; i < sizes->len; i++)
        with[i] = (NodeBinding){sizes->at[i].name, nat_const(cx, sizes->at[i].value)};
    if (general->params.len != special->params.len) return false;
    for (int i = 0; i < special->params.len; i++) {
        Node *type = node_replace_names(cx, general->params.at[i].type, with, sizes->len);
        if (type != special->params.at[i].type) return false;
    }
    return node_replace_names(cx, general->result, with, sizes->len) == special->result;
}

static Function *infer_general(const Work *w, Ast *e, AnySizes *any, const Function *special)
{
    Session *cx = w->cx;
    const char *const *paths;
    int n, errors = cx->errors;
    Function *f = infer_expression(cx, w->program, w->module, e, any_type, any, &paths, &n);
    if (!f || cx->errors > errors || any->sizes.len == 0 || !agrees(cx, f, &any->sizes, special))
        return NULL;
    for (int i = 0; i < any->sizes.len; i++) {
        Generic size = {any->sizes.at[i].name, session_sym(cx, "nat")};
        vec_push(cx->arena, &f->generics, size);
    }
    return f;
}

// Withdraws the errors that were reported because the expression needs the values of its sizes,
// unless one of the errors is an internal compiler error.
static void forget_errors(Session *cx, int diags, int errors)
{
    for (int i = diags; i < cx->diags.len; i++)
        if (cx->diags.at[i]->code == E0901) return;
    cx->diags.len = diags;
    cx->errors = errors;
}

bool general_make(const Work *w, Ast *e, Loads *loads, const Function *special, General *out)
{
    Session *cx = w->cx;
    AnySizes any = {.loads = loads};
    int diags = cx->diags.len, errors = cx->errors;
    Function *f = infer_general(w, e, &any, special);
    LoopEntry *loop = f ? pipeline_lower(w, f).loop : NULL;
    forget_errors(cx, diags, errors);
    if (!loop) return false;
    int64_t *sizes = ARENA_ARRAY(cx->arena, int64_t, loop->sizes.len + 1);
    for (int i = 0; i < loop->sizes.len; i++)
        for (int k = 0; k < any.sizes.len; k++)
            if (any.sizes.at[k].name == loop->sizes.at[i]) sizes[i] = any.sizes.at[k].value;
    *out = (General){loop, sizes};
    return true;
}

// --- the choice ----------------------------------------------------------------------------------

static bool is_small(const General *g)
{
    for (int i = 0; i < g->loop->sizes.len; i++)
        if (g->sizes[i] > SMALL) return false;
    return true;
}

bool general_pays(Session *cx, const General *g, const char *name, const HostOptions *host)
{
    if (is_small(g)) return false;
    Text source = text_new(cx->arena), header = text_new(cx->arena), sizes = text_new(cx->arena);
    pipeline_emit(cx, &g->loop, 1, name, true, &source, &header);
    for (int i = 0; i < g->loop->sizes.len; i++)
        text_printf(&sizes, "%lld ", (long long)g->sizes[i]);
    return cache_first(cx, host, &source, &sizes);
}
