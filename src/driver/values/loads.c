// Implements load("file") in the expression of `adze run`. .npy files and images are loaded as
// arrays, other files as bytes.
#include "driver/values/values.h"

#include <string.h>
#include <sys/stat.h>

static bool is_image(const char *path)
{
    return path_has_extension(path, ".png") || path_has_extension(path, ".ppm") ||
           path_has_extension(path, ".pgm");
}

static bool is_bytes(const char *path)
{
    return !is_image(path) && !path_has_extension(path, ".npy");
}

static const char bytes_hint[] =
    "the extension determines the contents of a file: .npy an array, .png, .ppm and .pgm an image, "
    "any other its bytes, [n]u8";

// Returns the contents of a file, which is read only once, or NULL after an error.
static const AdzeTable *load(Session *cx, Loads *l, const char *path, Span span)
{
    for (int i = 0; i < l->paths.len; i++)
        if (strcmp(l->paths.at[i], path) == 0) return &l->tables.at[i];
    if (path_has_extension(path, ".npz")) {
        Diag *d = diag_error(cx, E0711, span, "%s: a .npz file is an archive of arrays", path);
        diag_help(cx, d, "unpack it, and load the .npy files in it");
        return NULL;
    }
    if (!file_readable(cx, path, span)) return NULL;
    AdzeTable table;
    AdzeError error;
    if (!adze_table_load(path, &table, &error)) {
        diag_error(cx, E0711, span, "%s", error.text);
        return NULL;
    }
    vec_push(l->arena, &l->paths, path);
    vec_push(l->arena, &l->tables, table);
    return &vec_last(&l->tables);
}

static const char *table_show(Session *cx, const AdzeTable *t)
{
    char text[400];
    adze_table_type_text(t, text, sizeof text);
    return arena_printf(cx->arena, "%s%s", text, strlen(text) == sizeof text - 1 ? ".." : "");
}

static Node *does_not_fit(Session *cx, const char *path, const AdzeTable *t, Node *wanted,
                          Span span, const char *hint)
{
    Diag *d = diag_error(cx, E0712, span, "%s holds %s; %s is needed here", path, table_show(cx, t),
                         type_show(cx, wanted));
    if (hint) diag_help(cx, d, "%s", hint);
    return NULL;
}

static Node *unknown_struct(Session *cx, const char *path, const AdzeTable *t, Span span)
{
    Text type = text_new(cx->arena);
    for (int k = 0; k < t->rank; k++) text_printf(&type, "[%lld]", (long long)t->shape[k]);
    Diag *d = diag_error(cx, E0712, span, "%s holds %s, but the type of its struct is not known",
                         path, table_show(cx, t));
    const char *text = text_get(&type);
    diag_help(cx, d,
              "declare the type: as a parameter of type %sS, |x: S| in map, or "
              "{ let xs: %sS = load(..); .. }",
              text, text);
    return NULL;
}

// Returns the hint for a file that has `have` dimensions instead of `want`.
static const char *rank_hint(const char *path, int have, int want)
{
    if (is_image(path) && have == 3 && want == 2)
        return "this is a colour image [h][w][3]; convert it to grey first";
    if (is_image(path) && have == 2 && want == 3)
        return "this is a grey image [h][w]; the function takes a colour image";
    return is_bytes(path) ? bytes_hint : "the numbers of dimensions differ";
}

// Chooses the element type to load: that of the file or, for an image, the wanted one (u8, f32 or
// f64; f32 by default). `element` is the wanted type, or NULL if it is not known. Returns false if
// the file cannot be loaded with it.
static bool choose_scalar(const char *path, const AdzeTable *a, Node *element, Scalar *s)
{
    Scalar wanted, own = array_scalar(a->columns);
    bool image = is_image(path), known = element && type_is_scalar(element, &wanted);
    *s = !image ? own : known ? wanted : SCALAR_F32;
    if (!known) return true;
    return image ? wanted == SCALAR_U8 || wanted == SCALAR_F32 || wanted == SCALAR_F64
                 : wanted == own;
}

static Node *element_of_numbers(Session *cx, const char *path, const AdzeTable *a, Node *wanted,
                                Node *element, Span span)
{
    Scalar s;
    if (choose_scalar(path, a, element, &s)) return type_scalar(cx, s);
    return does_not_fit(cx, path, a, wanted, span,
                        is_image(path) ? "images give arrays of u8, f32 or f64"
                        : is_bytes(path)
                            ? bytes_hint
                            : arena_printf(cx->arena, "convert what is loaded: %s(load(\"%s\"))",
                                           type_show(cx, element), path));
}

// Returns the type of the elements of the file, or NULL after an error. `element` is the wanted
// type, or NULL if it is not known.
static Node *element_type(Session *cx, const char *path, const AdzeTable *a, Node *wanted,
                          Node *element, Node *open, Span span)
{
    const char *why = NULL;
    bool numbers = a->dtype.kind == ADZE_NUMBER;
    if (numbers && (!element || element->kind == TYPE_SCALAR))
        return element_of_numbers(cx, path, a, wanted, element, span);
    if (!element) return open ? open : unknown_struct(cx, path, a, span);
    Node *t = record_type(cx, &a->dtype, element, &why);
    return t ? t : does_not_fit(cx, path, a, wanted, span, why);
}

Node *loads_type(Session *cx, const char *path, Node *wanted, Node *open, Span span, void *env)
{
    const AdzeTable *a = load(cx, env, path, span);
    if (!a) return NULL;
    Node *dims[ADZE_MAX_RANK], *element = NULL;
    int rank = a->rank;
    if (wanted) {
        element = type_strip_arrays(wanted, dims, ADZE_MAX_RANK, &rank);
        bool unknown = element->kind == TYPE_META; // inference may still make it an array
        if (unknown ? rank > a->rank : rank != a->rank)
            return does_not_fit(cx, path, a, wanted, span, rank_hint(path, a->rank, rank));
        if (unknown) element = NULL;
    }
    Node *t = element_type(cx, path, a, wanted, element, open, span);
    for (int k = a->rank; t && k-- > 0;) t = type_array(cx, nat_const(cx, a->shape[k]), t);
    return t;
}

// Returns the array with elements of type `s`, converting an image if necessary, or NULL after an
// error.
static const AdzeArray *converted(Session *cx, Loads *l, const char *path, const AdzeArray *a,
                                  Scalar s)
{
    AdzeArray other;
    AdzeError error;
    if (array_scalar(a) == s) return a;
    if (!adze_image_convert(a, (AdzeType)s, &other, &error)) {
        diag_error(cx, E0711, NO_SPAN, "%s: %s", path, error.text);
        return NULL;
    }
    vec_push(l->arena, &l->converted, other);
    return &vec_last(&l->converted);
}

const AdzeArray *loads_get(Session *cx, Loads *l, const char *path, Node *type)
{
    const AdzeTable *a = load(cx, l, path, NO_SPAN);
    if (!a) return NULL;
    Scalar s;
    Node *element = type_strip_arrays(type, NULL, 0, &(int){0});
    if (type_is_scalar(element, &s)) return converted(cx, l, path, a->columns, s);
    const char *why = NULL;
    CHECK(cx, record_type(cx, &a->dtype, element, &why) == element, "%s has other records", path);
    AdzeArray *leaves = ARENA_ARRAY(l->arena, AdzeArray, a->ncolumns);
    record_columns(&a->dtype, element, a->columns, leaves);
    return leaves;
}

void loads_free(Loads *l)
{
    for (int i = 0; i < l->tables.len; i++) adze_table_free(&l->tables.at[i]);
    for (int i = 0; i < l->converted.len; i++) adze_array_free(&l->converted.at[i]);
}
