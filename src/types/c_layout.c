// The C layout of structs. Each member begins at the next multiple of its alignment, and the size
// is a multiple of the greatest alignment. The alignment of a number is its size; generated C
// asserts that the C compiler agrees.
#include "base/target/c_word.h"
#include "types/types.h"

#include <string.h>

typedef struct {
    int64_t size, align;
} Extent;

static int64_t aligned(int64_t at, int64_t align)
{
    return (at + align - 1) / align * align;
}

static bool extent_of(Session *cx, Node *t, Extent *out);

// The offset of member n, or the size of the struct if n is the number of members. Returns -1 if a
// member has no layout. Sets *align to the alignment of the members before n.
static int64_t end_of(Session *cx, Node *t, uint32_t n, int64_t *align)
{
    int64_t at = 0;
    *align = 1;
    for (uint32_t i = 0; i < t->nops; i++) {
        Extent member;
        if (!extent_of(cx, t->op[i], &member)) return -1;
        at = aligned(at, member.align);
        if (i == n) return at;
        if (at > INT64_MAX / 4 - member.size) return -1;
        at += member.size;
        if (member.align > *align) *align = member.align;
    }
    return aligned(at, *align);
}

static bool extent_of(Session *cx, Node *t, Extent *out)
{
    Scalar s;
    int64_t n;
    if (type_is_scalar(t, &s)) {
        *out = (Extent){scalar_info[s].size, scalar_info[s].size};
        return true;
    }
    if (t->kind == TYPE_ARRAY)
        return nat_is_const(t->op[0], &n) && n > 0 && extent_of(cx, t->op[1], out) &&
               out->size < INT64_MAX / 4 / n && (out->size *= n, true);
    if (t->kind != TYPE_STRUCT || !map_get(&cx->c_layouts, MAP_KEY(t->attr.sym))) return false;
    out->size = end_of(cx, t, t->nops, &out->align);
    return out->size > 0;
}

bool type_c_size(Session *cx, Node *t, int64_t *size)
{
    Extent e;
    bool has = extent_of(cx, t, &e);
    if (has) *size = e.size;
    return has;
}

bool type_is_c_struct(Session *cx, Node *t)
{
    int64_t size;
    return t->kind == TYPE_STRUCT && type_c_size(cx, t, &size);
}

bool type_c_is_padded(Session *cx, Node *t)
{
    int64_t size = 0, whole = 0;
    if (t->kind == TYPE_ARRAY) return type_c_is_padded(cx, t->op[1]);
    if (t->kind != TYPE_STRUCT || !type_c_size(cx, t, &whole)) return false;
    for (uint32_t i = 0; i < t->nops; i++) {
        if (type_c_is_padded(cx, t->op[i])) return true;
        type_c_size(cx, t->op[i], &size);
        whole -= size;
    }
    return whole > 0;
}

int64_t type_c_offset(Session *cx, Node *t, int k)
{
    int64_t align;
    return end_of(cx, t, (uint32_t)k, &align);
}

static bool is_taken(Node *t, const char *name)
{
    for (uint32_t i = 0; i < t->nops; i++)
        if (strcmp(t->names[i]->text, name) == 0) return true;
    return false;
}

// Also avoids names that C headers define as macros. Most of these are all capitals, but field
// names may be as well.
const char *type_c_member(Session *cx, Node *t, int k)
{
    const char *name = t->names[k]->text;
    if (!c_word_is(name) && !c_word_is_of_cpp(name) && !c_word_is_macro(name)) return name;
    do name = arena_printf(cx->arena, "%s_", name);
    while (is_taken(t, name));
    return name;
}
