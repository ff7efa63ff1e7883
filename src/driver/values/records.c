// Structs as elements of .npy files. They correspond to records, whose fields are matched with the
// members by name, or to complex numbers, which are structs of two floats.
#include "driver/values/values.h"

#include <string.h>

// The part of an element that is being compared. `path` names it, as in "p.x"; it is "" for the
// element itself. `owner` is the struct that contains the part, or NULL.
typedef struct {
    Session *cx;
    const char *path;
    Node *owner;
    const char **why;
} Place;

static const char held[] = "files hold numbers, bools and structs of them";

static const char *dtype_show(Session *cx, const AdzeDtype *d)
{
    char text[256];
    adze_dtype_text(d, text, sizeof text);
    return arena_printf(cx->arena, "%s%s", text, strlen(text) == sizeof text - 1 ? ".." : "");
}

// --- types of loaded elements -------------------------------------------------------------------

// Explains why the element as a whole does not have the wanted type.
static const char *element_differs(const AdzeDtype *d, Node *wanted)
{
    switch (d->kind) {
    case ADZE_NUMBER: break;
    case ADZE_COMPLEX:
        return "complex numbers are loaded as structs of two members of their float type: the real "
               "part, then the imaginary one";
    case ADZE_RECORD: return "records are loaded as structs that have their fields as members";
    }
    if (wanted->kind == TYPE_IDX)
        return "files hold numbers; make indices of them, checked: load(..) |> map(|i| i as "
               "idx[n])";
    return wanted->kind == TYPE_STRUCT && !type_is_enum(wanted)
               ? "structs are loaded from records, with a field for each member, or from complex "
                 "numbers"
               : held;
}

// Sets *p->why to a description of the difference, and returns NULL. `f` is the field if its
// dimensions differ, or NULL if only the element type does.
static Node *differs(const Place *p, const AdzeField *f, const AdzeDtype *d, Node *wanted)
{
    Session *cx = p->cx;
    Text has = text_new(cx->arena);
    for (int k = 0; f && k < f->rank; k++) text_printf(&has, "[%lld]", (long long)f->shape[k]);
    text_put(&has, dtype_show(cx, d));
    bool numbers = d->kind == ADZE_NUMBER && wanted->kind == TYPE_SCALAR;
    *p->why = !p->owner
                  ? element_differs(d, wanted)
                  : arena_printf(cx->arena, "its field %s is %s, but that of %s is %s%s", p->path,
                                 text_get(&has), type_show(cx, p->owner), type_show(cx, wanted),
                                 numbers ? "; convert it when writing the file, for example with "
                                           "NumPy's a.astype"
                                         : "");
    return NULL;
}

static Node *fit(const Place *p, const AdzeDtype *d, Node *wanted);

static Node *fit_complex(const Place *p, const AdzeDtype *d, Node *wanted)
{
    bool two = wanted->kind == TYPE_STRUCT && !type_is_enum(wanted) && wanted->nops == 2;
    Node *part = type_scalar(p->cx, (Scalar)d->type), *parts[2] = {part, part};
    for (int k = 0; two && k < 2; k++)
        two = wanted->op[k] == part || wanted->op[k]->kind == TYPE_META;
    return two ? type_struct(p->cx, wanted->attr.sym, 2, parts, wanted->names)
               : differs(p, NULL, d, wanted);
}

// Returns the type of a field, or NULL if it does not fit `wanted`, whose dimensions may be
// unknown.
static Node *fit_field(const Place *p, const AdzeField *f, Node *wanted)
{
    Node *dims[ADZE_MAX_RANK];
    int rank;
    int64_t n;
    Node *element = type_strip_arrays(wanted, dims, ADZE_MAX_RANK, &rank);
    if (element->kind == TYPE_META ? rank > f->rank : rank != f->rank)
        return differs(p, f, &f->dtype, wanted);
    for (int k = 0; k < rank; k++)
        if (nat_is_const(dims[k], &n) && n != f->shape[k]) return differs(p, f, &f->dtype, wanted);
    Node *t = fit(p, &f->dtype, element);
    for (int k = f->rank; t && k-- > 0;) t = type_array(p->cx, nat_const(p->cx, f->shape[k]), t);
    return t;
}

// Returns the field called `name`, or NULL if there is none. The search begins at index `k`, where
// a file written from the struct has the field.
static const AdzeField *field_called(const AdzeDtype *d, Sym name, int k)
{
    for (int i = 0; i < d->nfields; i++) {
        const AdzeField *f = &d->fields[(i + k) % d->nfields];
        if (strcmp(f->name, name->text) == 0) return f;
    }
    return NULL;
}

static bool has_member(Node *t, const char *name)
{
    for (uint32_t i = 0; i < t->nops; i++)
        if (strcmp(t->names[i]->text, name) == 0) return true;
    return false;
}

static Node *lacks(const Place *p, const char *name, Node *wanted)
{
    *p->why = arena_printf(p->cx->arena, "it has no field %s, which %s has", name,
                           type_show(p->cx, wanted));
    return NULL;
}

static const char *path_in(const Place *p, const char *name)
{
    return *p->path ? arena_printf(p->cx->arena, "%s.%s", p->path, name) : name;
}

static Node *fit_record(const Place *p, const AdzeDtype *d, Node *wanted)
{
    Session *cx = p->cx;
    if (wanted->kind != TYPE_STRUCT || type_is_enum(wanted) || wanted->nops == 0)
        return differs(p, NULL, d, wanted);
    Node **members = ARENA_ARRAY(cx->arena, Node *, wanted->nops);
    for (uint32_t k = 0; k < wanted->nops; k++) {
        const char *path = path_in(p, wanted->names[k]->text);
        const AdzeField *f = field_called(d, wanted->names[k], (int)k);
        if (!f) return lacks(p, path, wanted);
        members[k] = fit_field(&(Place){cx, path, wanted, p->why}, f, wanted->op[k]);
        if (!members[k]) return NULL;
    }
    for (int i = 0; i < d->nfields; i++) {
        if (has_member(wanted, d->fields[i].name)) continue;
        *p->why = arena_printf(cx->arena, "its field %.80s is not a member of %s",
                               path_in(p, d->fields[i].name), type_show(cx, wanted));
        return NULL;
    }
    return type_struct(cx, wanted->attr.sym, (int)wanted->nops, members, wanted->names);
}

static Node *fit(const Place *p, const AdzeDtype *d, Node *wanted)
{
    switch (d->kind) {
    case ADZE_NUMBER: {
        Node *t = type_scalar(p->cx, (Scalar)d->type);
        return wanted == t || wanted->kind == TYPE_META ? t : differs(p, NULL, d, wanted);
    }
    case ADZE_COMPLEX: return fit_complex(p, d, wanted);
    case ADZE_RECORD: return fit_record(p, d, wanted);
    }
    return NULL;
}

Node *record_type(Session *cx, const AdzeDtype *d, Node *wanted, const char **why)
{
    return fit(&(Place){cx, "", NULL, why}, d, wanted);
}

void record_columns(const AdzeDtype *d, Node *type, const AdzeArray *columns, AdzeArray *out)
{
    if (d->kind != ADZE_RECORD) {
        memcpy(out, columns, (size_t)adze_dtype_columns(d) * sizeof *out);
        return;
    }
    for (uint32_t k = 0; k < type->nops; k++) {
        const AdzeField *f = field_called(d, type->names[k], (int)k);
        const AdzeArray *first = columns;
        for (const AdzeField *g = d->fields; g < f; g++) first += adze_dtype_columns(&g->dtype);
        Node *member = type_strip_arrays(type->op[k], NULL, 0, &(int){0});
        record_columns(&f->dtype, member, first, out);
        out += type_leaves(member);
    }
}

// --- types of written elements ------------------------------------------------------------------

// Whether the struct `t` consists of two floats re and im, and is thus stored as a complex number.
static bool is_complex(Node *t, Scalar *s)
{
    return t->nops == 2 && strcmp(t->names[0]->text, "re") == 0 &&
           strcmp(t->names[1]->text, "im") == 0 && t->op[0] == t->op[1] &&
           type_is_scalar(t->op[0], s) && (*s == SCALAR_F32 || *s == SCALAR_F64);
}

static bool dtype_of(const Place *p, Node *t, AdzeDtype *out);

static bool has_no_dtype(const Place *p, Node *t)
{
    *p->why = held;
    if (p->owner)
        *p->why = arena_printf(p->cx->arena, "%s, and its member %s is %s", held, p->path,
                               type_show(p->cx, t));
    return false;
}

static bool field_of(const Place *p, Node *t, AdzeField *f)
{
    Node *dims[ADZE_MAX_RANK];
    Node *element = type_strip_arrays(t, dims, ADZE_MAX_RANK, &f->rank);
    bool good = f->rank <= ADZE_MAX_RANK;
    for (int k = 0; good && k < f->rank; k++) good = nat_is_const(dims[k], &f->shape[k]);
    return good ? dtype_of(p, element, &f->dtype) : has_no_dtype(p, t);
}

// Adds the padding of C to the fields of `d` if `t` has C layout. Other structs have no padding in
// files.
static void add_padding(Session *cx, Node *t, AdzeDtype *d)
{
    int64_t at = 0, size = 0;
    if (!type_is_c_struct(cx, t)) return;
    for (int k = 0; k < d->nfields; k++) {
        d->fields[k].padding = type_c_offset(cx, t, k) - at;
        type_c_size(cx, t->op[k], &size);
        at = type_c_offset(cx, t, k) + size;
    }
    type_c_size(cx, t, &size);
    d->padding = size - at;
}

static bool dtype_of_struct(const Place *p, Node *t, AdzeDtype *out)
{
    Session *cx = p->cx;
    Scalar s;
    if (is_complex(t, &s)) {
        *out = (AdzeDtype){.kind = ADZE_COMPLEX, .type = (AdzeType)s};
        return true;
    }
    *out = (AdzeDtype){.kind = ADZE_RECORD, .nfields = (int)t->nops};
    out->fields = ARENA_ARRAY(cx->arena, AdzeField, t->nops);
    memset(out->fields, 0, t->nops * sizeof *out->fields);
    for (uint32_t k = 0; k < t->nops; k++) {
        const char *name = t->names[k]->text;
        out->fields[k].name = arena_strndup(cx->arena, name, strlen(name));
        Place member = {cx, path_in(p, name), t, p->why};
        if (!field_of(&member, t->op[k], &out->fields[k])) return false;
    }
    add_padding(cx, t, out);
    return true;
}

static bool dtype_of(const Place *p, Node *t, AdzeDtype *out)
{
    Scalar s = SCALAR_I64; // an idx is stored as an i64
    if (t->kind == TYPE_STRUCT && !type_is_enum(t) && t->nops > 0)
        return dtype_of_struct(p, t, out);
    if (!type_is_atom(t)) return has_no_dtype(p, t);
    type_is_scalar(t, &s);
    *out = (AdzeDtype){.type = (AdzeType)s};
    return true;
}

bool record_dtype(Session *cx, Node *type, AdzeDtype *out, const char **why)
{
    return dtype_of(&(Place){cx, "", NULL, why}, type, out);
}
