// Makes the instance of an entry by inferring a call of it with `load` in place of each argument.
#include "api/instance.h"

#include <stdlib.h>
#include <string.h>

#include "driver/describe/describe.h"

typedef struct {
    Scalar scalar;
    int rank;
} Argument;

typedef struct {
    const Item *item;
    VEC(Argument) arguments;
    VEC(Sym) sizes; // those of all arguments
} Instance;

static bool find_scalar(const char *name, Scalar *s)
{
    for (int i = 0; i < SCALAR_COUNT; i++) {
        if (strcmp(scalar_info[i].text, name) != 0) continue;
        *s = (Scalar)i;
        return true;
    }
    return false;
}

// Finds the element type of a parameter, the scalar behind its dimensions. Returns false after an
// error.
static bool find_element(Session *cx, const AstParam *p, Scalar *s)
{
    const char *text = source_text(cx, p->type->span), *bracket = strrchr(text, ']');
    const char *element = bracket ? bracket + 1 : text;
    if (find_scalar(element + strspn(element, " "), s)) return true;
    Diag *d = diag_error(cx, E0423, p->type->span,
                         "callers of an entry for any rank pass numbers and arrays of numbers");
    diag_help(cx, d, "write an entry for each rank, which calls this one");
    return false;
}

// Reads the ranks of all arguments. Returns false after an error.
static bool read_ranks(Session *cx, const char *ranks, Instance *in)
{
    enum { MOST_RANK = 32 };
    const AstParamVec *params = &in->item->params;
    for (int i = 0; i < params->len; i++) {
        char *end;
        Argument a = {.rank = (int)strtol(ranks, &end, 10)};
        if (end == ranks || a.rank < 0 || a.rank > MOST_RANK) {
            diag_error(cx, E0727, NO_SPAN,
                       "%s needs a rank from 0 to %d for each of its %d parameters",
                       in->item->name->text, MOST_RANK, params->len);
            return false;
        }
        if (!find_element(cx, &params->at[i], &a.scalar)) return false;
        vec_push(cx->arena, &in->arguments, a);
        ranks = end;
    }
    return true;
}

// A LoadType: the type of argument number `path`, with a name for each of its sizes.
static Node *argument_type(Session *cx, const char *path, Node *wanted, Node *open, Span span,
                           void *env)
{
    (void)wanted, (void)open, (void)span;
    Instance *in = env;
    int i = (int)strtol(path, NULL, 10);
    int rank = in->arguments.at[i].rank, first = in->sizes.len;
    const char *name = in->item->params.at[i].name->text;
    for (int k = 0; k < rank; k++)
        vec_push(cx->arena, &in->sizes, session_sym(cx, arena_printf(cx->arena, "%s_%d", name, k)));
    Node *type = type_scalar(cx, in->arguments.at[i].scalar);
    for (int k = rank; k-- > 0;) type = type_array(cx, nat_var(cx, in->sizes.at[first + k]), type);
    return type;
}

// Returns the text of the call, such as `f(load("0"), load("1"))`.
static const char *call_text(Session *cx, const Item *item)
{
    Text text = text_new(cx->arena);
    text_printf(&text, "%s(", item->name->text);
    for (int i = 0; i < item->params.len; i++)
        text_printf(&text, "%sload(\"%d\")", i ? ", " : "", i);
    text_char(&text, ')');
    return text_get(&text);
}

Function *instance_make(const Work *w, const Item *item, const char *ranks)
{
    Session *cx = w->cx;
    Instance in = {.item = item};
    if (!read_ranks(cx, ranks, &in)) return NULL;
    const char *text = call_text(cx, item);
    uint32_t file = session_add_source(cx, "the call", text, strlen(text));
    const char *const *paths;
    int next, n;
    Ast *call = parse_expression(cx, file, w->module->ast_count, &next);
    if (cx->errors) return NULL;
    Function *f = infer_expression(cx, w->program, w->module, call, argument_type, &in, &paths, &n);
    if (!f || cx->errors) return NULL;
    for (int i = 0; i < in.sizes.len; i++) {
        Generic size = {in.sizes.at[i], session_sym(cx, "nat")};
        vec_push(cx->arena, &f->generics, size);
    }
    f->doc = item->doc;
    return f;
}
