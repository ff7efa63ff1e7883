// Constant tables: long array literals whose scalars are all literals.
#include "core/ir/core.h"

// Array literals up to this length are not tables. They are initialised where they are used, and
// may become locals.
enum { LONGEST_SHORT = 64 };

// Adds the number of scalars in a literal to *count. Returns false if one of them is not constant.
static bool count_literals(Node *e, int64_t *count)
{
    if (e->kind == CORE_LIT) {
        ++*count;
        return !type_has_elements(e->type);
    }
    if (e->kind != CORE_ARRAY && e->kind != CORE_TUPLE) return false;
    for (uint32_t i = 0; i < e->nops; i++)
        if (!count_literals(e->op[i], count)) return false;
    return true;
}

bool core_is_table(Node *e)
{
    int64_t count = 0;
    return e->kind == CORE_ARRAY && count_literals(e, &count) && count > LONGEST_SHORT;
}
