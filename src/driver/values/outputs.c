// Writes results to files. The type of the result is checked against the file names before anything
// is computed.
#include "driver/values/values.h"

#include <string.h>

static Diag *does_not_fit(Session *cx, const char *path, Node *type, const char *what)
{
    return diag_error(cx, E0716, NO_SPAN, "a value of type %s cannot be written to %s: %s",
                      type_show(cx, type), path, what);
}

// Whether the type is that of a grey image, [h][w], or a colour image, [h][w][3], with elements of
// type u8, f32 or f64.
static bool is_picture(Node *type, bool colour)
{
    Node *dims[4];
    int rank;
    int64_t channels;
    Scalar s;
    Node *element = type_strip_arrays(type, dims, 4, &rank);
    if (!type_is_scalar(element, &s) || (s != SCALAR_U8 && s != SCALAR_F32 && s != SCALAR_F64))
        return false;
    return colour ? rank == 3 && nat_is_const(dims[2], &channels) && channels == 3 : rank == 2;
}

// Returns the type of the array that a file holds. For a [?n]t, this is the array of its elements.
static Node *stored(Node *type)
{
    return type_is_up_to(type) ? type->op[1] : type;
}

// Whether the type is [n]u8.
static bool is_bytes(Node *type)
{
    Scalar s;
    return type->kind == TYPE_ARRAY && type_is_scalar(type->op[1], &s) && s == SCALAR_U8;
}

bool outputs_check_text(Session *cx, Node *type)
{
    if (is_bytes(stored(type))) return true;
    Diag *d = diag_error(cx, E0716, NO_SPAN, "a value of type %s cannot be printed as text",
                         type_show(cx, type));
    diag_help(cx, d, "text is an array of bytes, [n]u8; without --text any value is printed");
    return false;
}

// Returns why a file of this name cannot hold a value of the type, or NULL if it can.
static const char *what_differs(Session *cx, const char *path, Node *type)
{
    int rank;
    AdzeDtype dtype;
    const char *what = NULL;
    Node *element = type_strip_arrays(type, NULL, 0, &rank);
    if (type_is_up_to(element)) return "its rows have different lengths";
    if (path_has_extension(path, ".npy")) {
        if (rank > ADZE_MAX_RANK) return "arrays in files have at most 32 dimensions";
        return record_dtype(cx, element, &dtype, &what) ? NULL : what;
    }
    if (path_has_extension(path, ".pgm"))
        return is_picture(type, false) ? NULL : "a .pgm file is [h][w] of u8, f32 or f64";
    if (path_has_extension(path, ".ppm"))
        return is_picture(type, true) ? NULL : "a .ppm file is [h][w][3] of u8, f32 or f64";
    if (path_has_extension(path, ".png"))
        return is_picture(type, false) || is_picture(type, true)
                   ? NULL
                   : "a .png file is [h][w] or [h][w][3] of u8, f32 or f64";
    return is_bytes(type) ? NULL : "a file with this extension holds bytes, [n]u8";
}

static bool check_one(Session *cx, const char *path, Node *type)
{
    type = stored(type);
    const char *what = what_differs(cx, path, type), *help = NULL;
    if (!what) return file_writable(cx, path);
    Node *element = type_strip_arrays(type, NULL, 0, &(int){0});
    Diag *d = does_not_fit(cx, path, type, what);
    if (element->kind == TYPE_VEC)
        help = type->kind == TYPE_ARRAY ? "as_scalar(vs) gives the array of the lanes' values"
                                        : "as_scalar([v]) gives the array of the lanes' values";
    else if (type->kind == TYPE_ARRAY && type->op[1]->kind == TYPE_TUPLE)
        help = "unzip(...) gives an array for each component; write -o for each of them";
    else if (record_dtype(cx, element, &(AdzeDtype){0}, &what))
        help = ".npy files hold arrays of any shape, of numbers, bools and structs of them";
    else if (type->kind == TYPE_ARRAY && element->kind == TYPE_STRUCT && !type_is_enum(element))
        help = "map(|x| x.field) gives an array of one field";
    if (help) diag_help(cx, d, "%s", help);
    return false;
}

// Whether each component of the value goes to a separate file.
static bool is_split(const Strings *paths, Node *type)
{
    if (type_is_enum(type) || type_is_up_to(type)) return false;
    return (type->kind == TYPE_TUPLE || type->kind == TYPE_STRUCT) && (int)type->nops == paths->len;
}

bool outputs_check(Session *cx, const Strings *paths, Node *type)
{
    bool parts = is_split(paths, type), good = true;
    if (!parts && paths->len > 1) {
        diag_error(cx, E0716, NO_SPAN,
                   "%d files are named with -o, but the value of type %s has %d component%s",
                   paths->len, type_show(cx, type), type->kind == TYPE_TUPLE ? (int)type->nops : 1,
                   type->kind == TYPE_TUPLE && type->nops != 1 ? "s" : "");
        return false;
    }
    if (!parts && type->kind == TYPE_TUPLE) {
        Diag *d = does_not_fit(cx, paths->at[0], type, "it is a tuple");
        diag_help(cx, d, "write -o once for each of its %u components", type->nops);
        return false;
    }
    for (int i = 0; i < paths->len; i++)
        good &= check_one(cx, paths->at[i], parts ? type->op[i] : type);
    return good;
}

// Creates a table from the leaves of a value.
static AdzeTable *table_of(Session *cx, Node *type, const AdzeArray *leaves)
{
    AdzeTable *t = ARENA_NEW(cx->arena, AdzeTable);
    const int64_t *count = type_is_up_to(type) ? leaves++->data : NULL;
    type = stored(type);
    Node *dims[ADZE_MAX_RANK];
    const char *why;
    *t = (AdzeTable){.ncolumns = type_leaves(type)};
    Node *element = type_strip_arrays(type, dims, ADZE_MAX_RANK, &t->rank);
    CHECK(cx, record_dtype(cx, element, &t->dtype, &why), "outputs_check passes %s",
          type_show(cx, type));
    for (int k = 0; k < t->rank; k++) nat_is_const(dims[k], &t->shape[k]);
    if (count) t->shape[0] = *count;
    t->columns = ARENA_ARRAY(cx->arena, AdzeArray, t->ncolumns);
    memcpy(t->columns, leaves, (size_t)t->ncolumns * sizeof *leaves);
    return t;
}

bool outputs_write(Session *cx, const Strings *paths, Node *type, const AdzeArray *leaves)
{
    bool parts = is_split(paths, type);
    const AdzeTable **tables = ARENA_ARRAY(cx->arena, const AdzeTable *, paths->len + 1);
    for (int i = 0; i < paths->len; i++) {
        Node *part = parts ? type->op[i] : type;
        tables[i] = table_of(cx, part, leaves);
        leaves += type_leaves(part);
    }
    AdzeError error;
    if (adze_tables_save(paths->at, tables, paths->len, &error)) return true;
    diag_error(cx, E0706, NO_SPAN, "%s", error.text);
    return false;
}
