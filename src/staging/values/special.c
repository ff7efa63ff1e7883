// Instances of the program's functions, one for each choice of generic arguments.
#include "staging/values/stage.h"

Special *stage_special(Stage *s, Node *global)
{
    Special *special = map_get(&s->specials, MAP_KEY(global));
    if (special) return special;
    const Function *f =
        program_compiled(s->program, map_get(&s->program->by_name, MAP_KEY(global->attr.sym)));
    CHECK(s->cx, f, "no function %s in the program", global->attr.sym->text);
    int n = (int)global->nops;
    CHECK(s->cx, n == f->generics.len, "%s has %d generic parameters, not %d", f->name->text,
          f->generics.len, n);
    program_report(s->cx, s->program, f);
    special = ARENA_NEW(s->arena, Special);
    special->function = f;
    special->generics = ARENA_ARRAY(s->arena, NodeBinding, n + 1);
    for (int i = 0; i < n; i++)
        special->generics[i] = (NodeBinding){f->generics.at[i].name, global->op[i]};
    if (f->body) special->body = node_replace_names(s->cx, f->body, special->generics, n);
    special->filters = ARENA_ARRAY(s->arena, Node *, f->params.len + 1);
    special->varies = ARENA_ARRAY(s->arena, bool *, f->params.len + 1);
    for (int i = 0; i < f->params.len; i++) {
        Node *filter = f->params.at[i].filter;
        special->filters[i] =
            filter ? node_replace_names(s->cx, filter, special->generics, n) : NULL;
        special->varies[i] = NULL;
    }
    special->result = node_replace_names(s->cx, f->result, special->generics, n);
    map_put(&s->specials, MAP_KEY(global), special);
    return special;
}
