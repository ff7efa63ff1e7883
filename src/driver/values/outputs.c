// Writes results to files. The type of the result is checked against the file names before anything
// is computed.
#include "driver/values/values.h"

#include <string.h>

#include "array_internal.h"

static Diag *does_not_fit(Session *cx, const char *path, Node *type, const char *what)
{
    return diag_error(cx, E0716, NO_SPAN, "a value of type %s cannot be written to %s: %s",
                      type_show(cx, type), path, what);
}

// Whether the type is that of a grey image, [h][w], or a colour image, [h][w][3], with elements of
// type u8, u16, f32 or f64.
static bool is_picture(Node *type, bool colour)
{
    Node *dims[4];
    int rank;
    int64_t channels;
    Scalar s;
    Node *element = type_strip_arrays(type, dims, 4, &rank);
    if (!type_is_scalar(element, &s) ||
        (s != SCALAR_U8 && s != SCALAR_U16 && s != SCALAR_F32 && s != SCALAR_F64))
        return false;
    return colour ? rank == 3 && nat_is_const(dims[2], &channels) && channels == 3 : rank == 2;
}

// Whether the type is a matrix of numbers, which can be coloured.
static bool is_matrix(Node *type)
{
    int rank;
    return type_is_atom(type_strip_arrays(type, NULL, 0, &rank)) && rank == 2;
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

// Creates a table for values of a type. Without the leaves of a value it has no columns. Returns
// NULL and sets *why to the reason if there is no such table.
static AdzeTable *table_of(Session *cx, Node *type, const AdzeArray *leaves, const char **why)
{
    AdzeTable *t = ARENA_NEW(cx->arena, AdzeTable);
    const int64_t *count = leaves && type_is_up_to(type) ? leaves++->data : NULL;
    type = stored(type);
    Node *dims[ADZE_MAX_RANK];
    *t = (AdzeTable){.ncolumns = type_leaves(type)};
    Node *element = type_strip_arrays(type, dims, ADZE_MAX_RANK, &t->rank);
    *why = "arrays in files have at most 32 dimensions";
    if (t->rank > ADZE_MAX_RANK || !record_dtype(cx, element, &t->dtype, why)) return NULL;
    for (int k = 0; k < t->rank; k++) nat_is_const(dims[k], &t->shape[k]);
    if (count) t->shape[0] = *count;
    t->columns = ARENA_ARRAY(cx->arena, AdzeArray, t->ncolumns + 1);
    if (leaves) memcpy(t->columns, leaves, (size_t)t->ncolumns * sizeof *leaves);
    return t;
}

static bool is_plot(const char *path)
{
    return path_has_extension(path, ".svg");
}

// Whether the components of a value of this type are separate tables of a file: in an archive, and
// the columns of a plot.
static bool has_parts(Session *cx, const char *path, Node *type)
{
    AdzeDtype dtype;
    const char *why;
    if (type_is_enum(type) || type_is_up_to(type)) return false;
    if (!path_has_extension(path, ".npz") && !is_plot(path)) return false;
    if (type->kind != TYPE_STRUCT) return type->kind == TYPE_TUPLE && type->nops > 0;
    // a struct of two floats re and im is a complex number
    return type->nops > 0 && !(record_dtype(cx, type, &dtype, &why) && dtype.kind == ADZE_COMPLEX);
}

static bool is_text(const char *path)
{
    return path_has_extension(path, ".csv") || path_has_extension(path, ".tsv") ||
           path_has_extension(path, ".txt");
}

// Returns the array of structs that has the leaves of a struct of vectors of one length, for files
// whose columns are the vectors. Returns NULL if the type is another one.
static Node *rows_of(Session *cx, const char *path, Node *type)
{
    if (!is_text(path) || type->kind != TYPE_STRUCT || type_is_enum(type) || type_is_up_to(type))
        return NULL;
    Node **members = ARENA_ARRAY(cx->arena, Node *, type->nops + 1);
    for (uint32_t k = 0; k < type->nops; k++) {
        Node *vector = type->op[k];
        if (vector->kind != TYPE_ARRAY || !type_is_atom(vector->op[1])) return NULL;
        if (vector->op[0] != type->op[0]->op[0]) return NULL;
        members[k] = vector->op[1];
    }
    if (type->nops == 0) return NULL;
    Node *row = type_struct(cx, type->attr.sym, (int)type->nops, members, type->names);
    return type_array(cx, type->op[0]->op[0], row);
}

// Sets *save to a file with a value of the type, and its tables to those of the leaves, if there
// are any. Returns false and sets *why to the reason if it cannot hold such a value.
static bool save_of(Session *cx, const Outputs *o, const char *path, Node *type,
                    const AdzeArray *leaves, AdzeSave *save, const char **why)
{
    bool parts = has_parts(cx, path, type);
    int n = parts ? (int)type->nops : 1;
    const AdzeTable **tables = ARENA_ARRAY(cx->arena, const AdzeTable *, n);
    const char **names = ARENA_ARRAY(cx->arena, const char *, n);
    for (int i = 0; i < n; i++) {
        Node *part = parts ? type->op[i] : type, *rows = rows_of(cx, path, part);
        if (!(tables[i] = table_of(cx, rows ? rows : part, leaves, why))) return false;
        if (parts && type->kind == TYPE_STRUCT) names[i] = type->names[i]->text;
        if (leaves) leaves += type_leaves(part);
    }
    bool named = parts && type->kind == TYPE_STRUCT;
    *save = (AdzeSave){path, n, tables, named ? names : NULL, o->colours, o->plot};
    return true;
}

static const char *picture_differs(const Outputs *o, const char *path, Node *type)
{
    if (path_has_extension(path, ".pgm"))
        return is_picture(type, false) ? NULL : "a .pgm file is [h][w] of u8, u16, f32 or f64";
    if (o->colours) return is_matrix(type) ? NULL : "--colours takes a matrix of numbers, [h][w]";
    if (path_has_extension(path, ".ppm"))
        return is_picture(type, true) ? NULL : "a .ppm file is [h][w][3] of u8, u16, f32 or f64";
    return is_picture(type, false) || is_picture(type, true)
               ? NULL
               : "a .png file is [h][w] or [h][w][3] of u8, u16, f32 or f64";
}

// Returns why a file of bytes cannot hold elements of this type, or NULL if it can: those that have
// a layout in memory, and numbers only where the extension says so.
static const char *element_differs(Session *cx, const char *path, Node *element)
{
    bool records = path_has_extension(path, ".bin");
    if (element->kind == TYPE_STRUCT && !type_is_enum(element))
        return type_is_c_struct(cx, element)
                   ? NULL
                   : arena_printf(cx->arena,
                                  "records in a file without a header have C's layout: write "
                                  "#[c_layout] before struct %s",
                                  element->attr.sym->text);
    if (!records)
        return "a file with this extension holds bytes, [n]u8, or structs with C's layout";
    return type_is_atom(element) ? NULL
                                 : "a .bin file holds numbers, bools, and structs with C's layout";
}

// Returns why a file of this name cannot hold a value of the type, or NULL if it can.
static const char *what_differs(Session *cx, const Outputs *o, const char *path, Node *type)
{
    AdzeSave save;
    const char *what = NULL;
    Node *element = type_strip_arrays(type, NULL, 0, &(int){0});
    if (type_is_up_to(element)) return "its rows have different lengths";
    if (path_has_extension(path, ".png") || path_has_extension(path, ".ppm") ||
        path_has_extension(path, ".pgm"))
        return picture_differs(o, path, type);
    bool array = path_has_extension(path, ".npy") || path_has_extension(path, ".npz");
    if (!array && is_bytes(type)) return NULL;
    if (!array && !is_text(path) && !is_plot(path) &&
        (what = element_differs(cx, path, element)) != NULL)
        return what;
    if (!save_of(cx, o, path, type, NULL, &save, &what)) return what;
    if (is_text(path) && !adze_text_fits(save.tables[0]))
        return "text is numbers, [n] or [n][m] of them, [n] of structs of numbers, or a struct of "
               "vectors of one length";
    if (is_plot(path) && !adze_plot_fits(&save))
        return o->plot == ADZE_PLOT_HEAT
                   ? "a heat map is a matrix of numbers, [n][m]"
                   : "a plot is [n] or [n][m] of numbers, [n] of structs of numbers, or a tuple or "
                     "struct of vectors of one length";
    return NULL;
}

static bool check_one(Session *cx, const Outputs *o, const char *path, Node *type)
{
    type = stored(type);
    const char *what = what_differs(cx, o, path, type), *help = NULL;
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
static bool is_split(Session *cx, const Strings *paths, Node *type)
{
    if (type_is_enum(type) || type_is_up_to(type)) return false;
    const char *first = paths->at[0];
    if (paths->len == 1 && (has_parts(cx, first, type) || rows_of(cx, first, type))) return false;
    return (type->kind == TYPE_TUPLE || type->kind == TYPE_STRUCT) && (int)type->nops == paths->len;
}

bool outputs_check(Session *cx, const Outputs *o, Node *type)
{
    const Strings *paths = o->paths;
    bool parts = is_split(cx, paths, type), good = true;
    if (!parts && paths->len > 1) {
        diag_error(cx, E0716, NO_SPAN,
                   "%d files are named with -o, but the value of type %s has %d component%s",
                   paths->len, type_show(cx, type), type->kind == TYPE_TUPLE ? (int)type->nops : 1,
                   type->kind == TYPE_TUPLE && type->nops != 1 ? "s" : "");
        return false;
    }
    if (!parts && type->kind == TYPE_TUPLE && !has_parts(cx, paths->at[0], type)) {
        Diag *d = does_not_fit(cx, paths->at[0], type, "it is a tuple");
        diag_help(cx, d, "write -o once for each of its %u components, or a .npz file", type->nops);
        return false;
    }
    for (int i = 0; i < paths->len; i++)
        good &= check_one(cx, o, paths->at[i], parts ? type->op[i] : type);
    return good;
}

bool outputs_write(Session *cx, const Outputs *o, Node *type, const AdzeArray *leaves)
{
    const Strings *paths = o->paths;
    bool parts = is_split(cx, paths, type);
    AdzeSave *files = ARENA_ARRAY(cx->arena, AdzeSave, paths->len + 1);
    for (int i = 0; i < paths->len; i++) {
        Node *part = parts ? type->op[i] : type;
        const char *why;
        bool fits = save_of(cx, o, paths->at[i], part, leaves, &files[i], &why);
        CHECK(cx, fits, "outputs_check passes %s", type_show(cx, part));
        leaves += type_leaves(part);
    }
    AdzeError error;
    Progress *p = progress_start(true, "writing %s", path_base(paths->at[0]));
    bool good = adze_files_save(files, paths->len, &error);
    progress_stop(p);
    if (!good) diag_error(cx, E0706, NO_SPAN, "%s", error.text);
    return good;
}

bool outputs_choose(const Options *options, Outputs *o)
{
    static const char *const plots[] = {"auto", "lines", "points", "heat"};
    const char *plot = option_value(options, OPT_PLOT);
    *o = (Outputs){.paths = &options->values[OPT_WRITE_TO],
                   .colours = option_value(options, OPT_COLOURS)};
    for (int i = 0; plot && i < 4; i++) {
        if (strcmp(plot, plots[i]) != 0) continue;
        o->plot = (AdzePlot)i;
        plot = NULL;
    }
    if (plot) {
        fprintf(stderr, "adze run: --plot is `lines`, `points` or `heat`, not `%s`\n", plot);
        return false;
    }
    const char *const *map = adze_colours_names();
    while (o->colours && *map && strcmp(*map, o->colours) != 0) map++;
    if (*map) return true;
    fprintf(stderr, "adze run: --colours is");
    for (map = adze_colours_names(); *map; map++)
        fprintf(stderr, "%s `%s`", map == adze_colours_names() ? "" : map[1] ? "," : " or", *map);
    fprintf(stderr, ", not `%s`\n", o->colours);
    return false;
}
