// Results written to files: what each -o takes is decided from the type, before anything is
// computed.
#include "driver/internal.h"

static Diag *does_not_fit(Session *cx, const char *path, Node *type, const char *what)
{
    return diag_error(cx, E0716, NO_SPAN, "a value of type %s cannot be written to %s: %s",
                      type_show(cx, type), path, what);
}

// An image is [h][w] or [h][w][3], of u8, f32 or f64.
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

// [n]u8
static bool is_bytes(Node *type)
{
    Scalar s;
    return type->kind == TYPE_ARRAY && type_is_scalar(type->op[1], &s) && s == SCALAR_U8;
}

bool outputs_check_text(Session *cx, Node *type)
{
    if (is_bytes(type)) return true;
    Diag *d = diag_error(cx, E0716, NO_SPAN, "a value of type %s cannot be printed as text",
                         type_show(cx, type));
    diag_help(cx, d, "text is an array of bytes, [n]u8; without --text any value is printed");
    return false;
}

static bool check_one(Session *cx, const char *path, Node *type)
{
    Node *element = type_strip_arrays(type, NULL, 0, &(int){0});
    const char *what = NULL;
    bool known = path_has_extension(path, ".npy") || path_has_extension(path, ".png") ||
                 path_has_extension(path, ".ppm") || path_has_extension(path, ".pgm");
    if (!known && is_bytes(type)) return file_writable(cx, path);
    if (!known)
        what = "a file with this extension holds bytes, [n]u8";
    else if (!type_is_atom(element))
        what = "files hold arrays of numbers or bools";
    else if (path_has_extension(path, ".pgm") && !is_picture(type, false))
        what = "a .pgm file is [h][w] of u8, f32 or f64";
    else if (path_has_extension(path, ".ppm") && !is_picture(type, true))
        what = "a .ppm file is [h][w][3] of u8, f32 or f64";
    else if (path_has_extension(path, ".png") && !is_picture(type, false) &&
             !is_picture(type, true))
        what = "a .png file is [h][w] or [h][w][3] of u8, f32 or f64";
    if (!what) return file_writable(cx, path);
    Diag *d = does_not_fit(cx, path, type, what);
    if (type_is_atom(element))
        diag_help(cx, d, ".npy files hold arrays of any shape");
    else if (element->kind == TYPE_VEC)
        diag_help(cx, d, "the array of what the lanes have is %s",
                  type->kind == TYPE_ARRAY ? "as_scalar(vs)" : "as_scalar([v])");
    else if (type->kind == TYPE_ARRAY && type->op[1]->kind == TYPE_TUPLE)
        diag_help(cx, d, "unzip(...) gives an array for each component, and each has its -o");
    else if (type->kind == TYPE_ARRAY && type->op[1]->kind == TYPE_STRUCT)
        diag_help(cx, d, "map(|x| x.field) gives an array of one field");
    return false;
}

// Whether the components of the value go to files of their own.
static bool is_split(const Strings *paths, Node *type)
{
    if (type_is_enum(type)) return false;
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
        diag_help(cx, d, "say -o once for each of its %u components", type->nops);
        return false;
    }
    for (int i = 0; i < paths->len; i++)
        good &= check_one(cx, paths->at[i], parts ? type->op[i] : type);
    return good;
}

bool outputs_write(Session *cx, const Strings *paths, Node *type, const AdzeArray *leaves)
{
    bool parts = is_split(paths, type);
    const AdzeArray **arrays = ARENA_ARRAY(cx->arena, const AdzeArray *, paths->len + 1);
    for (int i = 0; i < paths->len; i++) {
        arrays[i] = leaves;
        if (parts) leaves += type_leaves(type->op[i]);
    }
    AdzeError error;
    if (adze_arrays_save(paths->at, arrays, paths->len, &error)) return true;
    diag_error(cx, E0706, NO_SPAN, "%s", error.text);
    return false;
}
