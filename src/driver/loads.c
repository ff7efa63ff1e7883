// load("file") in the expression of `adze run`: arrays from .npy files and images, the bytes of
// others.
#include "driver/internal.h"

#include <string.h>
#include <sys/stat.h>

static bool is_image(const char *path)
{
    return path_has_extension(path, ".png") || path_has_extension(path, ".ppm") ||
           path_has_extension(path, ".pgm");
}

// Neither an array nor an image.
static bool is_bytes(const char *path)
{
    return !is_image(path) && !path_has_extension(path, ".npy");
}

static const char bytes_hint[] =
    "the extension says what a file holds: .npy an array, .png, .ppm and .pgm an image, any other "
    "its bytes, [n]u8";

// The array of a file, read once; NULL after an error.
static const AdzeArray *load(Session *cx, Loads *l, const char *path, Span span)
{
    for (int i = 0; i < l->paths.len; i++)
        if (strcmp(l->paths.at[i], path) == 0) return &l->arrays.at[i];
    if (path_has_extension(path, ".npz")) {
        Diag *d = diag_error(cx, E0711, span, "%s: a .npz file is an archive of arrays", path);
        diag_help(cx, d, "unpack it, and load the .npy files in it");
        return NULL;
    }
    if (!file_readable(cx, path, span)) return NULL;
    AdzeArray array;
    AdzeError error;
    if (!adze_array_load(path, &array, &error)) {
        diag_error(cx, E0711, span, "%s", error.text);
        return NULL;
    }
    vec_push(l->arena, &l->paths, path);
    vec_push(l->arena, &l->arrays, array);
    return &vec_last(&l->arrays);
}

static Node *does_not_fit(Session *cx, const char *path, const AdzeArray *a, Node *wanted,
                          Span span, const char *hint)
{
    Diag *d = diag_error(cx, E0712, span, "%s holds %s; %s is needed here", path, array_text(cx, a),
                         type_show(cx, wanted));
    if (hint) diag_help(cx, d, "%s", hint);
    return NULL;
}

// What to do about a file with another number of dimensions.
static const char *rank_hint(const char *path, int have, int want)
{
    if (is_image(path) && have == 3 && want == 2)
        return "this is a colour image [h][w][3]; convert it to grey first";
    if (is_image(path) && have == 2 && want == 3)
        return "this is a grey image [h][w]; the function takes a colour image";
    return is_bytes(path) ? bytes_hint : "the numbers of dimensions differ";
}

// The element type to load with: that of the file, but images give floats unless bytes are asked
// for.
static bool choose_scalar(const char *path, const AdzeArray *a, Node *element, Scalar *s)
{
    *s = array_scalar(a);
    if (is_image(path)) {
        *s = SCALAR_F32;
        Scalar asked;
        if (element && type_is_scalar(element, &asked)) {
            *s = asked;
            return asked == SCALAR_U8 || asked == SCALAR_F32 || asked == SCALAR_F64;
        }
        return true;
    }
    Scalar asked;
    return !element || !type_is_scalar(element, &asked) || asked == *s;
}

Node *loads_type(Session *cx, const char *path, Node *wanted, Span span, void *env)
{
    const AdzeArray *a = load(cx, env, path, span);
    if (!a) return NULL;
    Node *dims[ADZE_MAX_RANK], *element = NULL;
    int rank = a->rank;
    if (wanted) {
        element = type_strip_arrays(wanted, dims, ADZE_MAX_RANK, &rank);
        bool open = element->kind == TYPE_META; // then it may still become an array
        if (open ? rank > a->rank : rank != a->rank)
            return does_not_fit(cx, path, a, wanted, span, rank_hint(path, a->rank, rank));
        if (open) element = NULL;
        if (element && element->kind != TYPE_SCALAR)
            return does_not_fit(cx, path, a, wanted, span, "files hold arrays of numbers or bools");
    }
    Scalar s;
    if (!choose_scalar(path, a, element, &s))
        return does_not_fit(cx, path, a, wanted, span,
                            is_image(path)   ? "images give arrays of u8, f32 or f64"
                            : is_bytes(path) ? bytes_hint
                                             : "convert it when it is written, as NumPy's a.astype "
                                               "does");
    AdzeArray shape = *a;
    shape.type = (AdzeType)s;
    return array_type(cx, &shape);
}

const AdzeArray *loads_get(Session *cx, Loads *l, const char *path, Node *type)
{
    const AdzeArray *a = load(cx, l, path, NO_SPAN);
    if (!a) return NULL;
    Scalar s = SCALAR_F32;
    type_is_scalar(type_strip_arrays(type, NULL, 0, &(int){0}), &s);
    if (array_scalar(a) == s) return a;
    AdzeArray converted;
    AdzeError error;
    if (!adze_image_convert(a, (AdzeType)s, &converted, &error)) {
        diag_error(cx, E0711, NO_SPAN, "%s: %s", path, error.text);
        return NULL;
    }
    vec_push(l->arena, &l->converted, converted);
    return &vec_last(&l->converted);
}

void loads_free(Loads *l)
{
    for (int i = 0; i < l->arrays.len; i++) adze_array_free(&l->arrays.at[i]);
    for (int i = 0; i < l->converted.len; i++) adze_array_free(&l->converted.at[i]);
}
