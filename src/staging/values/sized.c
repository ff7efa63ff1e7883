// Decides which functions take sizes as arguments: recursive functions called at sizes known only
// at run time, or at too many known sizes. Staging starts again when it finds such a function.
#include "ir/walk.h"
#include "staging/values/stage.h"

bool stage_has_open_size(const Special *special)
{
    for (int i = 0; i < special->function->generics.len; i++) {
        Node *value = special->generics[i].value;
        bool known = value->kind == NAT_CONST || value->kind == NAT_OVERFLOW;
        if (kind_info[value->kind].levels & LEVEL_NAT && !known) return true;
    }
    return false;
}

// Which sizes a function takes as arguments: the non-constant ones, or all.
enum { SIZED_OPEN = 1, SIZED_ALL };

bool stage_passes_size(const Stage *s, const Special *special, int i)
{
    uintptr_t how = (uintptr_t)map_get(s->sized, MAP_KEY(special->function));
    bool size = strcmp(special->function->generics.at[i].kind->text, "nat") == 0;
    return size && (how == SIZED_ALL || special->generics[i].value->kind != NAT_CONST);
}

static bool any_is_passed(const Stage *s, const Special *special)
{
    for (int i = 0; i < special->function->generics.len; i++)
        if (stage_passes_size(s, special, i)) return true;
    return false;
}

static bool is_size_of(Node *e, void *env)
{
    const Function *f = env;
    for (int i = 0; e->kind == NAT_VAR && i < f->generics.len; i++)
        if (f->generics.at[i].name == e->attr.sym) return true;
    return false;
}

// Whether a parameter of a function that takes its sizes as arguments may have this type: data, or
// a function type that does not mention the sizes.
static bool is_passable(const Function *f, Node *type)
{
    if (type_is_data(type)) return true;
    return type->kind == TYPE_FUN && !type_is_continuation(type) &&
           !node_any(type, is_size_of, (void *)(uintptr_t)f);
}

const Param *stage_not_passable(const Function *f)
{
    for (int i = 0; i < f->params.len; i++)
        if (!is_passable(f, f->params.at[i].type)) return &f->params.at[i];
    return NULL;
}

// At first, only the non-constant sizes become arguments, since the recursion may end at constant
// ones. If that does not suffice, all sizes become arguments.
bool stage_make_sized(Stage *s, const Special *special)
{
    const Function *f = special->function;
    uintptr_t how = (uintptr_t)map_get(s->sized, MAP_KEY(f));
    if (how == SIZED_ALL || !type_is_data(f->result)) return false;
    if (stage_not_passable(f)) return false;
    bool open = how == 0 && any_is_passed(s, special);
    map_put(s->sized, MAP_KEY(f), (void *)(uintptr_t)(open ? SIZED_OPEN : SIZED_ALL));
    s->again = s->failed = open || any_is_passed(s, special);
    return s->again;
}
