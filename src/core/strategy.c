// The table of primitive strategies, and what schedules left.
#include "core/rule.h"

const PrimitiveInfo primitive_info[PRIMITIVE_COUNT] = {
#define PRIMITIVE(id, name, args, doc) {name, args, doc},
#include "core/strategy.def"
#undef PRIMITIVE
};

const Function *program_compiled(const Program *p, const Function *f)
{
    bool own =
        p && f &&
        map_get(&p->by_name, MAP_KEY(f->name)) == f; // not an expression that is called alike
    const Function *scheduled = own ? map_get(&p->scheduled, MAP_KEY(f->name)) : NULL;
    return scheduled ? scheduled : f;
}
