// Implements load("file") in the expression of `adze run`, and the named values of `adze repl`.
// .npy, .npz and image files are loaded as arrays. Text is loaded as an array of its bytes or as
// numbers, as the expression requires, and other files as bytes.
#include "driver/values/values.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "array_internal.h"
#include "driver/pipeline/session.h"
#include "term/term.h"

// What a file holds: arrays of fixed types, an image, a table of text, text that is a table only if
// its type says so, or bytes.
typedef enum { HOLDS_ARRAY, HOLDS_IMAGE, HOLDS_TABLE, HOLDS_TEXT, HOLDS_BYTES } Holds;

static const struct {
    const char *extension;
    Holds holds;
} formats[] = {
    {".npy", HOLDS_ARRAY}, {".npz", HOLDS_ARRAY}, {".png", HOLDS_IMAGE}, {".ppm", HOLDS_IMAGE},
    {".pgm", HOLDS_IMAGE}, {".csv", HOLDS_TABLE}, {".tsv", HOLDS_TABLE}, {".txt", HOLDS_TEXT},
};

static const char npz_mark[] = ".npz:"; // FILE.npz:NAME is an array in an archive

// Returns the position of the array's name in FILE.npz:NAME, or NULL.
static const char *name_in_archive(const char *path)
{
    for (const char *at = path; (at = strchr(at, '.')); at++)
        if (strncasecmp(at, npz_mark, strlen(npz_mark)) == 0) return at + strlen(npz_mark);
    return NULL;
}

static Holds holds(const char *path)
{
    if (name_in_archive(path)) return HOLDS_ARRAY;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (path_has_extension(path, formats[i].extension)) return formats[i].holds;
    return HOLDS_BYTES;
}

static bool is_image(const char *path)
{
    return holds(path) == HOLDS_IMAGE;
}

static const char bytes_hint[] =
    "the extension determines the contents of a file: .npy and .npz arrays, .png, .ppm and .pgm an "
    "image, .csv, .tsv and .txt numbers as text, any other its bytes, [n]u8";

// --- reading ------------------------------------------------------------------------------------

// Shows the reading of a large file.
static Progress *start_reading(const char *path)
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
    bool text = holds(path) == HOLDS_TABLE || holds(path) == HOLDS_TEXT;
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
    Progress *p = start_reading(file);
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
    return holds(path) == HOLDS_BYTES ? bytes_hint : "the numbers of dimensions differ";
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
                        : holds(path) == HOLDS_BYTES
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

static Node *array_of_extents(Session *cx, Node *element, int rank, const int64_t *shape)
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
        if (unknown ? rank > a->rank : rank != a->rank)
            return does_not_fit(cx, path, a, wanted, span, rank_hint(path, a->rank, rank));
        if (unknown) element = NULL;
    }
    Node *t = element_type(cx, path, a, wanted, element, open, span);
    Scalar s;
    if (t && is_image(path) && a->dtype.type == ADZE_U16 && type_is_scalar(t, &s) && s == SCALAR_U8)
        note_loss(cx, f, span, "its samples of 16 bits are rounded to 8; load it as u16 or f32");
    return array_of_extents(cx, t, a->rank, a->shape);
}

// --- types of text ------------------------------------------------------------------------------

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
static int64_t column_called(const AdzeText *t, const char *name)
{
    for (int64_t k = 0; t->names && k < t->columns; k++)
        if (strcmp(t->names[k], name) == 0) return k;
    return -1;
}

// Returns the struct whose members are columns, or NULL after an error. A member that is not known
// yet is f64.
static Node *struct_of_columns(Session *cx, const char *path, const AdzeText *t, Node *wanted,
                               Node *element, Span span)
{
    Node **members = ARENA_ARRAY(cx->arena, Node *, element->nops + 1);
    Scalar s;
    if (!t->names)
        return text_does_not_fit(
            cx, path, t, wanted, span,
            "the first line must name the columns, as the members of a struct");
    for (uint32_t k = 0; k < element->nops; k++) {
        Node *member = element->op[k];
        const char *name = element->names[k]->text;
        if (column_called(t, name) < 0)
            return text_does_not_fit(
                cx, path, t, wanted, span,
                arena_printf(cx->arena, "the first line names no column %s", name));
        if (member->kind == TYPE_META) member = type_scalar(cx, SCALAR_F64);
        if (!type_is_scalar(member, &s))
            return text_does_not_fit(cx, path, t, wanted, span,
                                     "text holds numbers, bools and structs of them");
        members[k] = member;
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
    return text_does_not_fit(cx, path, t, wanted, span,
                             "text holds numbers, bools and structs of them");
}

// Returns the hint for a table that does not have `want` dimensions.
static const char *text_rank_hint(Session *cx, const char *path, int want)
{
    if (want != 1) return "the numbers of dimensions differ";
    return arena_printf(cx->arena, "choose a column: map(|row| row[0], load(\"%s\"))", path);
}

// Returns the type of the numbers in a text, which has an element type if `wanted` has one.
static Node *type_of_numbers(Session *cx, Loads *l, const char *path, Node *wanted, Span span)
{
    const LoadedFile *f = load(cx, l, path, true, span);
    if (!f) return NULL;
    const AdzeText *t = f->text;
    int natural = t->columns == 1 ? 1 : 2, rank = natural;
    Node *element = wanted ? type_strip_arrays(wanted, NULL, 0, &rank) : NULL;
    bool unknown = element && element->kind == TYPE_META;
    Node *known = element_of_text(cx, path, t, wanted, element, span);
    if (!known) return NULL;
    bool record = known->kind == TYPE_STRUCT;
    if (unknown && rank < natural) rank = natural;
    bool single = record ? t->rows == 1 : t->rows == 1 && t->columns == 1;
    bool row = record || t->rows <= 1 || t->columns == 1;
    if (rank > (record ? 1 : 2) || (rank == 0 && !single) || (rank == 1 && !row))
        return text_does_not_fit(cx, path, t, wanted, span, text_rank_hint(cx, path, rank));
    int64_t shape[2] = {t->rows, t->columns};
    if (rank == 1 && !record && t->rows == 1) shape[0] = t->columns;
    return array_of_extents(cx, known, rank, shape);
}

// Whether the type is that of the bytes of a file, [n]u8.
static bool is_bytes(Node *type)
{
    Scalar s;
    return type->kind == TYPE_ARRAY && type_is_scalar(type->op[1], &s) && s == SCALAR_U8;
}

// Whether a file is loaded as a table of text if `wanted` is the type that is needed.
static bool is_table(const char *path, Node *wanted)
{
    Holds h = holds(path);
    if (h != HOLDS_TABLE && h != HOLDS_TEXT) return false;
    if (!wanted) return h == HOLDS_TABLE;
    Node *element = type_strip_arrays(wanted, NULL, 0, &(int){0});
    if (element->kind == TYPE_META) return h == HOLDS_TABLE;
    return !is_bytes(wanted);
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
    if (is_table(path, wanted)) return type_of_numbers(cx, env, path, wanted, span);
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

// Parses a text as numbers, or as structs whose members are the columns of the same names.
static bool parse(Session *cx, const AdzeText *t, Node *type, AdzeArray *leaves, AdzeError *error)
{
    Scalar s;
    int rank;
    Node *element = type_strip_arrays(type, NULL, 0, &rank);
    if (type_is_scalar(element, &s)) return adze_text_matrix(t, (AdzeType)s, rank, leaves, error);
    AdzeTextColumn *columns = ARENA_ARRAY(cx->arena, AdzeTextColumn, t->columns + 1);
    memset(columns, 0, ((size_t)t->columns + 1) * sizeof *columns);
    for (uint32_t k = 0; k < element->nops; k++) {
        type_is_scalar(element->op[k], &s);
        if (!adze_array_alloc_for(t->path, &leaves[k], (AdzeType)s, rank, &t->rows, error))
            return false;
        int64_t column = column_called(t, element->names[k]->text);
        columns[column] = (AdzeTextColumn){&leaves[k], 0, 1};
    }
    return adze_text_parse(t, columns, error);
}

static const AdzeArray *numbers_of(Session *cx, Loads *l, const AdzeText *t, Node *type)
{
    AdzeError error;
    int n = type_leaves(type);
    AdzeArray *leaves = ARENA_ARRAY(l->arena, AdzeArray, n + 1);
    memset(leaves, 0, ((size_t)n + 1) * sizeof *leaves);
    double start = timing_now();
    Progress *p = start_reading(t->path);
    bool good = parse(cx, t, type, leaves, &error);
    progress_stop(p);
    l->seconds += timing_now() - start;
    for (int k = 0; k < n; k++) vec_push(l->arena, &l->converted, leaves[k]);
    if (!good) diag_error(cx, E0711, NO_SPAN, "%s", error.text);
    return good ? leaves : NULL;
}

const AdzeArray *loads_get(Session *cx, Loads *l, const char *path, Node *type)
{
    const KeptValue *kept = kept_value(l, path);
    if (kept) return kept->leaves;
    bool table = is_table(path, type);
    const LoadedFile *f = load(cx, l, path, table, NO_SPAN);
    if (!f) return NULL;
    if (table) return numbers_of(cx, l, f->text, type);
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
