// Shape parameters of functions of any rank.
#include "infer/names/names.h"

#include <string.h>

bool infer_is_shape_kind(Sym kind)
{
    return kind && strcmp(kind->text, "shape") == 0;
}

bool infer_is_shape_type(const Ast *type)
{
    return type && type->kind == AST_TYPE_NAME && !type->generics.len &&
           infer_is_shape_kind(type->name);
}

int infer_count_shapes(const Item *item)
{
    int n = 0;
    for (int i = 0; i < item->generics.len; i++)
        n += infer_is_shape_kind(item->generics.at[i].kind);
    for (int i = 0; i < item->params.len; i++) n += infer_is_shape_type(item->params.at[i].type);
    return n;
}
