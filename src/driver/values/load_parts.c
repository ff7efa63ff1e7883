// Archives as one value: each member of a struct is the array of its name, and each component of a
// tuple the array that numpy.savez names after its number.
#include "driver/values/load.h"

#include <string.h>

#include "array_internal.h"

static const char *name_of_part(Session *cx, Node *type, int k)
{
    return type->kind == TYPE_STRUCT ? type->names[k]->text : arena_printf(cx->arena, "arr_%d", k);
}

static bool is_part(Session *cx, Node *type, const char *name)
{
    for (uint32_t k = 0; k < type->nops; k++)
        if (strcmp(name_of_part(cx, type, (int)k), name) == 0) return true;
    return false;
}

bool load_is_parts(Session *cx, const char *path, Node *wanted)
{
    AdzeNames names;
    if (!wanted || !path_has_extension(path, ".npz") || wanted->nops == 0) return false;
    if (wanted->kind != TYPE_TUPLE && wanted->kind != TYPE_STRUCT) return false;
    if (type_is_enum(wanted) || type_is_up_to(wanted)) return false;
    if (!adze_npz_names(path, &names, NULL)) return false; // reported when the file is loaded
    // a single array with another name is one of records without dimensions
    bool parts = names.n != 1 || is_part(cx, wanted, names.at[0]);
    adze_names_free(&names);
    return parts;
}

static const char *path_of_part(Session *cx, const char *path, Node *type, int k)
{
    return arena_printf(cx->arena, "%s:%s", path, name_of_part(cx, type, k));
}

Node *load_parts_type(Session *cx, Loads *l, const char *path, Node *wanted, Span span)
{
    Node **parts = ARENA_ARRAY(cx->arena, Node *, wanted->nops);
    for (uint32_t k = 0; k < wanted->nops; k++) {
        Node *part = wanted->op[k]->kind == TYPE_META ? NULL : wanted->op[k];
        parts[k] = loads_type(cx, path_of_part(cx, path, wanted, (int)k), part, NULL, span, l);
        if (!parts[k]) return NULL;
    }
    return wanted->kind == TYPE_TUPLE
               ? type_tuple(cx, (int)wanted->nops, parts)
               : type_struct(cx, wanted->attr.sym, (int)wanted->nops, parts, wanted->names);
}

const AdzeArray *load_parts(Session *cx, Loads *l, const char *path, Node *type)
{
    AdzeArray *leaves = ARENA_ARRAY(l->arena, AdzeArray, type_leaves(type) + 1), *at = leaves;
    for (uint32_t k = 0; k < type->nops; k++) {
        const AdzeArray *part = loads_get(cx, l, path_of_part(cx, path, type, (int)k), type->op[k]);
        if (!part) return NULL;
        int n = type_leaves(type->op[k]);
        memcpy(at, part, (size_t)n * sizeof *at);
        at += n;
    }
    return leaves;
}
