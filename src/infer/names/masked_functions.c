// Functions in SIMD mode that keep a mask of the active lanes, because they contain a scalar { },
// print, or call another function that keeps a mask.
#include "infer/names/names.h"

bool infer_prints(const Session *cx, const Symbol *y)
{
    return y->kind == SYMBOL_PRINT && y->row == PRINT_PRINT && cx->keeps_prints;
}

static bool needs_masks(Infer *in, Unit *unit, const Ast *e)
{
    if (e->kind == AST_SCALAR) return true;
    if (e->kind == AST_NAME && e->name) {
        const Symbol *y = infer_find_symbol(&(Scope){.in = in, .unit = unit}, e->name);
        if (y && (infer_keeps_masks(in, y) || infer_prints(in->cx, y))) return true;
    }
    for (int i = 0; i < e->kids.len; i++)
        if (e->kids.at[i] && needs_masks(in, unit, e->kids.at[i])) return true;
    return false;
}

// Searches the syntax, because calls need the result before the body is inferred.
bool infer_keeps_masks(Infer *in, const Symbol *y)
{
    enum { NO = 1, YES };
    if (y->kind != SYMBOL_FN || !y->item->simd || !y->item->body) return false;
    uintptr_t known = (uintptr_t)map_get(&in->masks, MAP_KEY(y));
    if (known) return known == YES;
    map_put(&in->masks, MAP_KEY(y), (void *)(uintptr_t)NO); // for recursive calls
    bool keeps = needs_masks(in, y->unit, y->item->body);
    if (keeps) map_put(&in->masks, MAP_KEY(y), (void *)(uintptr_t)YES);
    return keeps;
}
