// Implements load("file") in the expression of `adze run`, and the named values of `adze repl`.
// .npy, .npz and image files are loaded as arrays. Text is loaded as an array of its bytes or as
// numbers, as the expression requires, and other files as bytes.
#include "driver/values/load.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "array_internal.h"
#include "term/term.h"

static const struct {
    const char *extension;
    LoadContents holds;
} formats[] = {
    {".npy", HOLDS_ARRAY}, {".npz", HOLDS_ARRAY}, {".png", HOLDS_IMAGE},
    {".ppm", HOLDS_IMAGE}, {".pgm", HOLDS_IMAGE}, {".csv", HOLDS_TABLE},
    {".tsv", HOLDS_TABLE}, {".txt", HOLDS_TEXT},  {".bin", HOLDS_RECORDS},
};

static const char npz_mark[] = ".npz:"; // FILE.npz:NAME is an array in an archive

// Returns the position of the array's name in FILE.npz:NAME, or NULL.
static const char *name_in_archive(const char *path)
{
    for (const char *at = path; (at = strchr(at, '.')); at++)
        if (strncasecmp(at, npz_mark, strlen(npz_mark)) == 0) return at + strlen(npz_mark);
    return NULL;
}

LoadContents load_contents(const char *path)
{
    if (name_in_archive(path)) return HOLDS_ARRAY;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (path_has_extension(path, formats[i].extension)) return formats[i].holds;
    return HOLDS_BYTES;
}

static bool is_image(const char *path)
{
    return load_contents(path) == HOLDS_IMAGE;
}

static const char bytes_hint[] =
    "the extension determines the contents of a file: .npy and .npz arrays, .png, .ppm and .pgm an "
    "image, .csv, .tsv and .txt numbers as text, .bin numbers as in memory, any other its bytes, "
    "[n]u8";

// --- reading ------------------------------------------------------------------------------------

Progress *load_progress(const char *path)
{
    struct stat info;
    double size = stat(path, &info) == 0 ? (double)info.st_size : 0;
    return progress_start(true, "reading %s, %.3g MB", path_base(path), size / 1e6);
}

// Reports once what a picture loses.
static void note_loss(Session *cx, LoadedFile *f, Span span, const char *loss)
{
    if (f->noted || !loss) return;
    f->noted = true;
    diag_warning(cx, E0713, span, "%s: %s", f->path, loss);
}

static bool read_bytes(const char *path, AdzeTable *out, AdzeError *error)
{
    AdzeArray *column = calloc(1, sizeof *column);
    if (column && adze_bytes_read(path, column, error)) {
        *out = adze_table_of(column);
        return true;
    }
    free(column);
    return column || adze_fail(error, path, "no memory");
}

static bool read_array(const char *path, const char *file, AdzeTable *out, AdzeError *error)
{
    if (name_in_archive(path)) return adze_npz_read(file, name_in_archive(path), out, error);
    bool text = load_contents(path) == HOLDS_TABLE || load_contents(path) == HOLDS_TEXT;
    return text ? read_bytes(file, out, error) : adze_table_load(file, out, error);
}

// Returns the path of the file in FILE.npz:NAME.
static const char *file_of(Session *cx, const char *path)
{
    const char *name = name_in_archive(path);
    return name ? arena_strndup(cx->arena, path, (size_t)(name - 1 - path)) : path;
}

static LoadedFile *find_file(Loads *l, const char *path)
{
    for (int i = 0; i < l->files.len; i++)
        if (strcmp(l->files.at[i]->path, path) == 0) return l->files.at[i];
    LoadedFile *f = ARENA_NEW(l->arena, LoadedFile);
    *f = (LoadedFile){.path = arena_strndup(l->arena, path, strlen(path))};
    vec_push(l->arena, &l->files, f);
    return f;
}

// Reads a file, unless it was read before: with `text`, as a table of text. Returns NULL after an
// error.
static LoadedFile *load(Session *cx, Loads *l, const char *path, bool text, Span span)
{
    LoadedFile *f = find_file(l, path);
    const char *file = file_of(cx, path);
    if (text ? f->text != NULL : f->table.ncolumns > 0) return f;
    if (!file_readable(cx, file, span)) return NULL;
    AdzeError error;
    AdzeText *table = text ? ARENA_NEW(l->arena, AdzeText) : NULL;
    double start = timing_now();
    Progress *p = load_progress(file);
    bool good =
        text ? adze_text_open(file, table, &error) : read_array(path, file, &f->table, &error);
    progress_stop(p);
    l->seconds += timing_now() - start;
    if (!good) {
        diag_error(cx, E0711, span, "%s", error.text);
        return NULL;
    }
    if (text) f->text = table;
    if (path_has_extension(file, ".png")) note_loss(cx, f, span, adze_png_losses(file));
    return f;
}

// --- types of arrays ----------------------------------------------------------------------------

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
    return load_contents(path) == HOLDS_BYTES ? bytes_hint : "the numbers of dimensions differ";
}

// Returns the hint for an array of `have` dimensions where `want` of vectors are needed. Of equally
// many the rows are split into vectors; with one more they are the lanes of one.
static const char *vector_hint(Session *cx, Node *vector, int have, int want)
{
    const char *lanes = nat_show(cx, vector->op[0]);
    if (have == want && want == 1)
        return arena_printf(cx->arena, "make vectors of the numbers: load(...) |> as_vector[%s]",
                            lanes);
    if (have == 2 && want == 1)
        return arena_printf(
            cx->arena, "make vectors of the numbers: load(...) |> join |> as_vector[%s]", lanes);
    if (have == 1 && want == 0)
        return arena_printf(cx->arena, "make a vector of the numbers: as_vector[%s](load(...))[0]",
                            lanes);
    return "make vectors of the numbers by as_vector";
}

// Chooses the element type to load: that of the file or, for an image, the wanted one (u8, u16, f32
// or f64; f32 by default). `element` is the wanted type, or NULL if it is not known. Returns false
// if the file cannot be loaded with it.
static bool choose_scalar(const char *path, const AdzeTable *a, Node *element, Scalar *s)
{
    Scalar wanted, own = array_scalar(a->columns);
    bool image = is_image(path), known = element && type_is_scalar(element, &wanted);
    *s = !image ? own : known ? wanted : SCALAR_F32;
    if (!known) return true;
    return image ? wanted == SCALAR_U8 || wanted == SCALAR_U16 || wanted == SCALAR_F32 ||
                       wanted == SCALAR_F64
                 : wanted == own;
}

static Node *element_of_numbers(Session *cx, const char *path, const AdzeTable *a, Node *wanted,
                                Node *element, Span span)
{
    Scalar s;
    if (choose_scalar(path, a, element, &s)) return type_scalar(cx, s);
    return does_not_fit(cx, path, a, wanted, span,
                        is_image(path) ? "images give arrays of u8, u16, f32 or f64"
                        : load_contents(path) == HOLDS_BYTES
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

Node *load_array_type(Session *cx, Node *element, int rank, const int64_t *shape)
{
    for (int k = rank; element && k-- > 0;)
        element = type_array(cx, nat_const(cx, shape[k]), element);
    return element;
}

static Node *type_of_array(Session *cx, Loads *l, const char *path, Node *wanted, Node *open,
                           Span span)
{
    LoadedFile *f = load(cx, l, path, false, span);
    if (!f) return NULL;
    const AdzeTable *a = &f->table;
    Node *dims[ADZE_MAX_RANK], *element = NULL;
    int rank = a->rank;
    if (wanted) {
        element = type_strip_arrays(wanted, dims, ADZE_MAX_RANK, &rank);
        bool unknown = element->kind == TYPE_META; // inference may still make it an array
        if (element->kind == TYPE_VEC)
            return does_not_fit(cx, path, a, wanted, span, vector_hint(cx, element, a->rank, rank));
        if (unknown ? rank > a->rank : rank != a->rank)
            return does_not_fit(cx, path, a, wanted, span, rank_hint(path, a->rank, rank));
        if (unknown) element = NULL;
    }
    Node *t = element_type(cx, path, a, wanted, element, open, span);
    Scalar s;
    if (t && is_image(path) && a->dtype.type == ADZE_U16 && type_is_scalar(t, &s) && s == SCALAR_U8)
        note_loss(cx, f, span, "its samples of 16 bits are rounded to 8; load it as u16 or f32");
    return load_array_type(cx, t, a->rank, a->shape);
}

bool load_is_bytes(Node *type)
{
    Scalar s;
    return type->kind == TYPE_ARRAY && type_is_scalar(type->op[1], &s) && s == SCALAR_U8;
}

// Whether a file is loaded as a table of text if `wanted` is the type that is needed.
static bool is_table(const char *path, Node *wanted)
{
    LoadContents h = load_contents(path);
    if (h != HOLDS_TABLE && h != HOLDS_TEXT) return false;
    if (!wanted) return h == HOLDS_TABLE;
    Node *element = type_strip_arrays(wanted, NULL, 0, &(int){0});
    if (element->kind == TYPE_META) return h == HOLDS_TABLE;
    return !load_is_bytes(wanted);
}

// --- kept values --------------------------------------------------------------------------------

// Returns the value that the path names, or NULL.
static const KeptValue *kept_value(const Loads *l, const char *path)
{
    for (int i = 0; l->kept && *path == KEPT_MARK && i < l->kept->len; i++)
        if (strcmp(l->kept->at[i].name, path + 1) == 0) return &l->kept->at[i];
    return NULL;
}

static Node *kept_type(Session *cx, const KeptValue *v)
{
    TermReader r = term_reader(cx, session_add_source(cx, v->name, v->type, strlen(v->type)), 0);
    return term_read_type(&r);
}

Node *loads_type(Session *cx, const char *path, Node *wanted, Node *open, Span span, void *env)
{
    const KeptValue *kept = kept_value(env, path);
    if (kept) return kept_type(cx, kept);
    if (load_is_parts(cx, path, wanted)) return load_parts_type(cx, env, path, wanted, span);
    if (load_is_records(path, wanted)) return load_records_type(cx, path, wanted, span);
    if (is_table(path, wanted)) {
        const LoadedFile *f = load(cx, env, path, true, span);
        return f ? load_text_type(cx, path, f->text, wanted, span) : NULL;
    }
    return type_of_array(cx, env, path, wanted, open, span);
}

// --- arrays -------------------------------------------------------------------------------------

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
    const KeptValue *kept = kept_value(l, path);
    if (kept) return kept->leaves;
    if (load_is_parts(cx, path, type)) return load_parts(cx, l, path, type);
    if (load_is_records(path, type)) return load_records(cx, l, path, type);
    bool table = is_table(path, type);
    const LoadedFile *f = load(cx, l, path, table, NO_SPAN);
    if (!f) return NULL;
    if (table) return load_text(cx, l, f->text, type);
    const AdzeTable *a = &f->table;
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
    for (int i = 0; i < l->files.len; i++) {
        adze_table_free(&l->files.at[i]->table);
        if (l->files.at[i]->text) adze_text_close(l->files.at[i]->text);
    }
    for (int i = 0; i < l->converted.len; i++) adze_array_free(&l->converted.at[i]);
}
