// Checks that a size opened by a `let` is used only in the rest of its block.
#include "infer/finish/finish.h"
#include "ir/walk.h"

static void used_outside(Body *b, const Ast *e, Node *type, const OpenedSize *o)
{
    const char *name = o->written->text;
    Diag *d = diag_error(b->cx, E0408, ast_value_of(e)->span,
                         "the type `%s` outlives the size `%s`", infer_show(b, type), name);
    diag_note(b->cx, d, o->let, "`%s` has a value only in the rest of this block", name);
    NodeBinding bound = {o->size->attr.sym, o->most};
    if (type->kind == TYPE_ARRAY && o->most)
        diag_help(b->cx, d, "with a bound for its length it may leave: let ys: [?%s]%s = { ... };",
                  infer_show_size(b, node_replace_names(b->cx, type->op[0], &bound, 1)),
                  infer_show(b, type->op[1]));
    b->failed = true;
}

static bool is_size(Node *e, void *env)
{
    return e == env;
}

// Reports an expression whose type mentions an opened size outside its scope.
static void check_type(Body *b, const Ast *e, Node *type)
{
    for (int i = 0; i < b->opened.len && !b->failed; i++) {
        const OpenedSize *o = &b->opened.at[i];
        if (span_is_within(e->span, o->rest) || span_is_within(e->span, o->pattern)) continue;
        if (node_any(type, is_size, (void *)(uintptr_t)o->size)) used_outside(b, e, type, o);
    }
}

void infer_check_opened(Body *b)
{
    if (b->opened.len == 0) return;
    Map plain = map_new(b->arena); // types that mention no opened size
    for (int i = 0; i < b->seen.len && !b->failed; i++) {
        Node *type = infer_note(b, b->seen.at[i])->type;
        if (!type || map_get(&plain, MAP_KEY(type))) continue;
        if (infer_opened_in(b, type))
            check_type(b, b->seen.at[i], type);
        else
            map_put(&plain, MAP_KEY(type), b);
    }
}
