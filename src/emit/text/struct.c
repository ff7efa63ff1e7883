// C structs for structs with #[c_layout].
#include "emit/text/text.h"

#include <ctype.h>
#include <string.h>

// Returns the struct that a member's type contains, possibly inside arrays, or NULL if there is
// none.
static Node *struct_inside(Node *type)
{
    while (type->kind == TYPE_ARRAY) type = type->op[1];
    return type->kind == TYPE_STRUCT ? type : NULL;
}

const char *struct_name(Emitter *e, Node *type)
{
    const char *known = map_get(&e->structs, MAP_KEY(type->attr.sym));
    if (known) return known;
    for (uint32_t i = 0; i < type->nops; i++) // C requires the inner structs to be declared first
        if (struct_inside(type->op[i])) struct_name(e, struct_inside(type->op[i]));
    const char *dot = strrchr(type->attr.sym->text, '.');
    const char *prefix = e->options->struct_prefix ? e->options->struct_prefix : e->options->prefix;
    const char *name = names_beside(
        e, arena_printf(e->arena, "%s%s", prefix, dot ? dot + 1 : type->attr.sym->text));
    map_put(&e->structs, MAP_KEY(type->attr.sym), (void *)(uintptr_t)name);
    vec_push(e->arena, &e->struct_order, type);
    return name;
}

static void put_member(Emitter *e, Text *out, Node *type, int k)
{
    Node *inner = type->op[k];
    Scalar s;
    int64_t n;
    while (inner->kind == TYPE_ARRAY) inner = inner->op[1];
    bool scalar = type_is_scalar(inner, &s);
    if (scalar && s == SCALAR_F16 && !e->options->field) support_need(e, "f16");
    text_printf(out, "    %s %s", scalar ? emit_ctype(e, s) : struct_name(e, inner),
                type_c_member(e->cx, type, k));
    for (Node *t = type->op[k]; t->kind == TYPE_ARRAY; t = t->op[1])
        if (nat_is_const(t->op[0], &n)) text_printf(out, "[%lld]", (long long)n);
    text_put(out, ";\n");
}

// Returns the FNV-1a hash of a string.
static uint64_t hash_of(const char *text)
{
    uint64_t h = 14695981039346656037u;
    for (; *text; text++) h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h;
}

// Returns an assertion that the C compiler lays out the struct as the functions assume, and as
// other languages that have the struct do. <assert.h> makes static_assert one of C, too.
static const char *assertion(Emitter *e, Node *type)
{
    const char *name = struct_name(e, type);
    Text out = text_new(e->arena);
    int64_t size = 0;
    if (e->options->field) return "";
    type_c_size(e->cx, type, &size);
    text_printf(&out, "static_assert(sizeof(%s) == %lld", name, (long long)size);
    for (uint32_t i = 0; i < type->nops; i++)
        text_printf(&out, "\n                  && offsetof(%s, %s) == %lld", name,
                    type_c_member(e->cx, type, (int)i),
                    (long long)type_c_offset(e->cx, type, (int)i));
    text_printf(&out, ",\n              \"%s is not laid out as expected\");\n", name);
    return text_get(&out);
}

// Writes the declaration of a struct. Several headers may declare the same struct, so a guard
// admits only the first declaration. The name of the guard contains a hash of the members.
static void declare(Emitter *e, Text *header, Node *type)
{
    const char *name = struct_name(e, type);
    Text body = text_new(e->arena);
    for (uint32_t i = 0; i < type->nops; i++) put_member(e, &body, type, (int)i);
    char *guard =
        arena_printf(e->arena, "%s_%016llx", name, (unsigned long long)hash_of(text_get(&body)));
    for (char *c = guard; *c; c++) *c = (char)toupper((unsigned char)*c);
    text_printf(header, "\n#ifndef %s\n#define %s\ntypedef struct %s {\n%s} %s;\n%s#endif\n", guard,
                guard, name, text_get(&body), name, assertion(e, type));
}

void struct_write(Emitter *e, Text *header)
{
    for (int i = 0; i < e->struct_order.len; i++) declare(e, header, e->struct_order.at[i]);
}
