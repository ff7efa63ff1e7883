// Text as numbers: a matrix of all cells, structs whose members are the columns of the same names,
// or one struct of all of these columns.
#include "driver/values/load.h"

#include <string.h>

#include "array_internal.h"

static const char held[] =
    "text holds numbers, bools, structs of them, and structs of vectors of them";

// --- types --------------------------------------------------------------------------------------

static Node *text_does_not_fit(Session *cx, const char *path, const AdzeText *t, Node *wanted,
                               Span span, const char *hint)
{
    Diag *d = diag_error(cx, E0712, span, "%s holds %lld row%s of %lld column%s; %s is needed here",
                         path, (long long)t->rows, t->rows == 1 ? "" : "s", (long long)t->columns,
                         t->columns == 1 ? "" : "s", type_show(cx, wanted));
    diag_help(cx, d, "%s", hint);
    return NULL;
}

// Returns the number of the column with this name, or -1 if there is none.
static int64_t column_called(const AdzeText *t, const char *name, int64_t k)
{
    for (; t->names && k < t->columns; k++)
        if (strcmp(t->names[k], name) == 0) return k;
    return -1;
}

// Returns the column that a member of the struct is, or -1 after an error.
static int64_t column_of_member(Session *cx, const char *path, const AdzeText *t, Node *wanted,
                                const char *name, Span span)
{
    const char *hint = NULL;
    int64_t k = column_called(t, name, 0);
    if (!t->names)
        hint = "the first line must name the columns, as the members of a struct";
    else if (k < 0)
        hint = arena_printf(cx->arena, "the first line names no column %s", name);
    else if (column_called(t, name, k + 1) >= 0)
        hint = arena_printf(cx->arena, "the first line names more than one column %s", name);
    if (hint) text_does_not_fit(cx, path, t, wanted, span, hint);
    return hint ? -1 : k;
}

// Whether a struct is one of vectors, each of which is a column. Otherwise a row is a struct.
static bool has_vectors(Node *type)
{
    return type->nops > 0 && type->op[0]->kind == TYPE_ARRAY;
}

// Returns the hint for a table that does not have `want` dimensions.
static const char *text_rank_hint(Session *cx, const char *path, int want)
{
    if (want != 1) return "the numbers of dimensions differ";
    return arena_printf(cx->arena, "choose a column: map(|row| row[0], load(\"%s\"))", path);
}

// Returns the struct whose members are columns, or cells of columns in a struct that is a row.
// Returns NULL after an error. The elements of a member are f64 if they are not known yet.
static Node *struct_of_columns(Session *cx, const char *path, const AdzeText *t, Node *wanted,
                               Node *element, Span span)
{
    Node **members = ARENA_ARRAY(cx->arena, Node *, element->nops + 1);
    Scalar s;
    bool vectors = has_vectors(element);
    for (uint32_t k = 0; k < element->nops; k++) {
        Node *member = element->op[k];
        if (column_of_member(cx, path, t, wanted, element->names[k]->text, span) < 0) return NULL;
        if (vectors && member->kind == TYPE_ARRAY) member = member->op[1];
        if (member->kind == TYPE_META) member = type_scalar(cx, SCALAR_F64);
        if (!type_is_scalar(member, &s) || vectors != (element->op[k]->kind == TYPE_ARRAY))
            return text_does_not_fit(cx, path, t, wanted, span, held);
        members[k] = vectors ? type_array(cx, nat_const(cx, t->rows), member) : member;
    }
    return type_struct(cx, element->attr.sym, (int)element->nops, members, element->names);
}

static Node *element_of_text(Session *cx, const char *path, const AdzeText *t, Node *wanted,
                             Node *element, Span span)
{
    if (!element || element->kind == TYPE_META) return type_scalar(cx, SCALAR_F64);
    if (element->kind == TYPE_SCALAR) return element;
    if (element->kind == TYPE_STRUCT && !type_is_enum(element))
        return struct_of_columns(cx, path, t, wanted, element, span);
    return text_does_not_fit(cx, path, t, wanted, span, held);
}

Node *load_text_type(Session *cx, const char *path, const AdzeText *t, Node *wanted, Span span)
{
    int natural = t->columns == 1 ? 1 : 2, rank = natural;
    Node *element = wanted ? type_strip_arrays(wanted, NULL, 0, &rank) : NULL;
    bool unknown = element && element->kind == TYPE_META;
    Node *known = element_of_text(cx, path, t, wanted, element, span);
    if (!known || (rank == 0 && known->kind == TYPE_STRUCT && has_vectors(known))) return known;
    bool record = known->kind == TYPE_STRUCT;
    if (unknown && rank < natural) rank = natural;
    bool single = record ? t->rows == 1 : t->rows == 1 && t->columns == 1;
    bool row = record || t->rows <= 1 || t->columns == 1;
    if (rank > (record ? 1 : 2) || (rank == 0 && !single) || (rank == 1 && !row))
        return text_does_not_fit(cx, path, t, wanted, span, text_rank_hint(cx, path, rank));
    int64_t shape[2] = {t->rows, t->columns};
    if (rank == 1 && !record && t->rows == 1) shape[0] = t->columns;
    return load_array_type(cx, known, rank, shape);
}

// --- numbers ------------------------------------------------------------------------------------

// Parses a text as numbers, or as structs whose members are the columns of the same names.
static bool parse(Session *cx, const AdzeText *t, Node *type, AdzeArray *leaves, AdzeError *error)
{
    Scalar s;
    int rank;
    Node *element = type_strip_arrays(type, NULL, 0, &rank);
    if (type_is_scalar(element, &s)) return adze_text_matrix(t, (AdzeType)s, rank, leaves, error);
    if (rank == 0 && has_vectors(element)) rank = 1;
    AdzeTextColumn *columns = ARENA_ARRAY(cx->arena, AdzeTextColumn, t->columns + 1);
    memset(columns, 0, ((size_t)t->columns + 1) * sizeof *columns);
    for (uint32_t k = 0; k < element->nops; k++) {
        type_is_scalar(type_strip_arrays(element->op[k], NULL, 0, &(int){0}), &s);
        if (!adze_array_alloc_for(t->path, &leaves[k], (AdzeType)s, rank, &t->rows, error))
            return false;
        int64_t column = column_called(t, element->names[k]->text, 0);
        columns[column] = (AdzeTextColumn){&leaves[k], 0, 1};
    }
    return adze_text_parse(t, columns, error);
}

const AdzeArray *load_text(Session *cx, Loads *l, const AdzeText *t, Node *type)
{
    AdzeError error;
    int n = type_leaves(type);
    AdzeArray *leaves = ARENA_ARRAY(l->arena, AdzeArray, n + 1);
    memset(leaves, 0, ((size_t)n + 1) * sizeof *leaves);
    double start = timing_now();
    Progress *p = load_progress(t->path);
    bool good = parse(cx, t, type, leaves, &error);
    progress_stop(p);
    l->seconds += timing_now() - start;
    for (int k = 0; k < n; k++) vec_push(l->arena, &l->converted, leaves[k]);
    if (!good) diag_error(cx, E0711, NO_SPAN, "%s", error.text);
    return good ? leaves : NULL;
}
