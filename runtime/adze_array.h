// Arrays in memory, on disk and as images.
//
// An AdzeArray is a dense array in C order (the last index varies fastest) with its element
// type and shape. It owns `data`, which is aligned to 64 bytes and never NULL in an array that
// these functions create, not even when a size is 0. Rank 0 is a scalar: one element, no sizes. f16
// elements are the 16 bits of an IEEE half, bool elements one byte that is 0 or 1.
//
// Every function that can fail returns false and describes the failure in `err` (which may be
// NULL): one line, "PATH: what is wrong; what to do", without a final newline. Functions that store
// an array in `*out` leave it empty if they fail, so that adze_array_free may always be called.
//
// An AdzeTable is an array whose elements can have more than one number: complex numbers, or
// records, which are NumPy's structured types. It has an array, called a column, for each number of
// an element.
//
// Files are written under a temporary name in the same directory and renamed when complete, so that
// a reader sees either the old file or the new one, and a failed write leaves the old file
// untouched.
//
// There is no global state; different arrays can be used from different threads.
#ifndef ADZE_ARRAY_H
#define ADZE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ADZE_MAX_RANK   32
#define ADZE_MAX_FIELDS 4096 // fields of an element, including nested ones
#define ADZE_MAX_DEPTH  64   // nesting of records in records

// X(enumerator, name in Adze, bytes, NumPy's descr without its byte order)
#define ADZE_TYPES(X)                                                                              \
    X(BOOL, "bool", 1, "b1")                                                                       \
    X(I8, "i8", 1, "i1")                                                                           \
    X(I16, "i16", 2, "i2")                                                                         \
    X(I32, "i32", 4, "i4")                                                                         \
    X(I64, "i64", 8, "i8")                                                                         \
    X(U8, "u8", 1, "u1")                                                                           \
    X(U16, "u16", 2, "u2")                                                                         \
    X(U32, "u32", 4, "u4")                                                                         \
    X(U64, "u64", 8, "u8")                                                                         \
    X(F16, "f16", 2, "f2")                                                                         \
    X(F32, "f32", 4, "f4")                                                                         \
    X(F64, "f64", 8, "f8")

typedef enum AdzeType {
#define X(id, name, size, descr) ADZE_##id,
    ADZE_TYPES(X)
#undef X
        ADZE_TYPE_COUNT
} AdzeType;

typedef struct AdzeArray {
    AdzeType type;
    int rank;
    int64_t shape[ADZE_MAX_RANK];
    void *data;
} AdzeArray;

typedef enum AdzeKind {
    ADZE_NUMBER,  // a number of type `type`
    ADZE_COMPLEX, // two numbers of type `type`, f32 or f64: the real part, then the imaginary part
    ADZE_RECORD,  // named fields
} AdzeKind;

// The type of an element, and its layout in a file: NumPy's dtype. The contents of `padding` bytes
// have no meaning.
typedef struct AdzeField AdzeField;
typedef struct AdzeDtype {
    AdzeKind kind;
    AdzeType type;
    bool swapped; // numbers in the file have the other byte order
    int nfields;  // number of fields of a record
    AdzeField *fields;
    int64_t padding; // after the fields of a record
} AdzeDtype;

struct AdzeField {
    char *name;
    AdzeDtype dtype;
    int rank; // 0 for a single value; otherwise the field is an array, NumPy's sub-array
    int64_t shape[ADZE_MAX_RANK];
    int64_t padding; // before the field
};

// Column k holds the k-th number of all elements, in the order of fields, nested fields and parts
// of complex numbers. Its shape is the table's, followed by the shape of each enclosing field.
typedef struct AdzeTable {
    AdzeDtype dtype;
    int rank;
    int64_t shape[ADZE_MAX_RANK];
    int ncolumns;
    AdzeArray *columns;
} AdzeTable;

typedef struct AdzeError {
    char text[512];
} AdzeError;

/// The name of `type` in Adze, such as "f32".
const char *adze_type_name(AdzeType type);
/// The number of bytes that an element of `type` takes.
size_t adze_type_size(AdzeType type);

/// Sets `*out` to the type called `name`. Returns false if there is none.
bool adze_type_find(const char *name, AdzeType *out);

/// Sets `*out` to a new zeroed array, which the caller frees. Fails if the rank is outside
/// 0..ADZE_MAX_RANK, a size is negative, the product of the sizes other than 0 is too large to
/// address, or memory runs out.
bool adze_array_alloc(AdzeArray *out, AdzeType type, int rank, const int64_t *shape,
                      AdzeError *err);

/// Frees the data and empties the array. An empty (zeroed) array and NULL are allowed.
void adze_array_free(AdzeArray *array);

/// The number of elements, which is 1 at rank 0.
int64_t adze_array_count(const AdzeArray *array);
/// The number of bytes that the elements take.
size_t adze_array_bytes(const AdzeArray *array);

/// Writes the array's type, such as "[3][4]f32", into `text`, truncated to `size` bytes.
void adze_array_type_text(const AdzeArray *array, char *text, size_t size);

/// How many numbers an element consists of.
int adze_dtype_columns(const AdzeDtype *dtype);

/// Frees names and fields, which must be malloc'ed, as adze_table_load does.
void adze_dtype_free(AdzeDtype *dtype);

/// Writes a dtype as text, truncated to `size` bytes: "f32", "complex64" (NumPy's name), "{x: f32,
/// y: f32, weight: [3]f64}".
void adze_dtype_text(const AdzeDtype *dtype, char *text, size_t size);
/// Writes the type of a table in the same way: "[100]{x: f32, y: f32, weight: [3]f64}".
void adze_table_type_text(const AdzeTable *table, char *text, size_t size);

/// Frees the dtype and the columns, and empties the table. An empty (zeroed) table and NULL are
/// allowed.
void adze_table_free(AdzeTable *table);

/// Reads a file like adze_array_load, but also accepts .npy files of complex numbers and records. A
/// file of numbers has one column. The caller frees `*out`.
bool adze_table_load(const char *path, AdzeTable *out, AdzeError *err);

/// Writes each of n tables to its file, like adze_arrays_save. The types and shapes of the columns
/// must be those that the dtype requires, and `swapped` must be false. .npy files can hold complex
/// numbers and records; files with other extensions than those below hold the bytes of records,
/// including their padding, which is zero.
bool adze_tables_save(const char *const *paths, const AdzeTable *const *tables, int n,
                      AdzeError *err);

/// Reads the file at `path` in the format of its extension, whose case does not matter. A .npy file
/// is read as the array that it contains, and a .npz file if it contains a single one; .csv and
/// .tsv files as f64, as by adze_text_read; .png, .ppm and .pgm files as u8 or, with more than 8
/// bits, u16, [h][w] for grey and [h][w][3] for colour; any other file is read as its bytes, [n]u8.
/// The caller frees `*out`.
bool adze_array_load(const char *path, AdzeArray *out, AdzeError *err);

/// Writes `array` to `path` in the format of its extension. Images take [h][w] (.png, .pgm) or
/// [h][w][3] (.png, .ppm), of u8 or u16, or of f32 or f64, which are converted to u8 as in
/// adze_image_convert. Text (.csv, .tsv, .txt) takes numbers, [n] and [n][m], and .svg draws such
/// arrays. [n]u8 is written unchanged to these and to files with any other extension.
bool adze_array_save(const char *path, const AdzeArray *array, AdzeError *err);

typedef enum AdzePlot {
    ADZE_PLOT_AUTO, // lines for [n], and for [k][n] with few rows; otherwise a heat map
    ADZE_PLOT_LINES,
    ADZE_PLOT_POINTS,
    ADZE_PLOT_HEAT,
} AdzePlot;

// A file to write. Only .npz and .svg files hold several tables.
typedef struct AdzeSave {
    const char *path;
    int n;
    const AdzeTable *const *tables;
    const char *const *names; // of the tables, or NULL
    const char *colours;      // the colour map of an array [h][w] in a picture, or NULL
    AdzePlot plot;            // how an .svg file shows arrays
} AdzeSave;

/// Writes n files, like adze_arrays_save.
bool adze_files_save(const AdzeSave *files, int n, AdzeError *err);

/// The names of the colour maps, of which the last is followed by NULL.
const char *const *adze_colours_names(void);

/// Writes each of n arrays to its file. No file is replaced before all of them are written, so that
/// all stay unchanged if one cannot be written.
bool adze_arrays_save(const char *const *paths, const AdzeArray *const *arrays, int n,
                      AdzeError *err);

/// Converts between u8 (0..255), u16 (0..65535), f32 and f64 (0..1) in any shape. On conversion to
/// u8, values are clamped to 0..1, NaN becomes 0, and x*255 is rounded to the nearest integer,
/// halves up. On conversion from u8, x becomes x/255. For u16 it is 65535 instead of 255. Fails for
/// other types. `array` is only read; the caller frees `*out`.
bool adze_image_convert(const AdzeArray *array, AdzeType type, AdzeArray *out, AdzeError *err);

/// NumPy's .npy. Reads versions 1 to 3, either byte order, and C or Fortran order; the file must
/// hold exactly one array, of numbers or bools (adze_table_load reads others). Writes version 1 in
/// this machine's byte order.
bool adze_npy_read(const char *path, AdzeArray *out, AdzeError *err);
bool adze_npy_write(const char *path, const AdzeArray *array, AdzeError *err);

/// NumPy's .npz, an archive of arrays. Reads the array called `name`, or the only one if `name` is
/// NULL. The caller frees `*out`.
bool adze_npz_read(const char *path, const char *name, AdzeTable *out, AdzeError *err);

/// Files of records without a header, as a C program writes an array of structs from its memory.
/// Sets *count to the number of records of such a file. A record is an array with the given shape
/// (rank 0: a single element) of elements of the type `dtype`, padding included. Fails if the size
/// of the file is not a multiple of its size.
bool adze_records_count(const char *path, const AdzeDtype *dtype, int rank, const int64_t *shape,
                        int64_t *count, AdzeError *err);
/// Reads a file of records that consists of exactly an array with this shape of elements of the
/// type `dtype`, whose byte order is that of `swapped`. The caller provides room for
/// adze_dtype_columns(dtype) columns, which are those of an AdzeTable, and frees them if the
/// function returns true.
bool adze_records_read(const char *path, const AdzeDtype *dtype, int rank, const int64_t *shape,
                       AdzeArray *columns, AdzeError *err);

/// Text: CSV, tab-separated values (.tsv), and columns separated by blanks. Reads numbers as
/// elements of `type`: [n] if there is one column, [n][m] otherwise. Lines that begin with '#' and
/// a heading, a first row without numbers, are skipped. An empty cell is NaN.
bool adze_text_read(const char *path, AdzeType type, AdzeArray *out, AdzeError *err);

/// PNG. Reads every colour type and depth, as u16 if samples have 16 bits and as u8 otherwise:
/// palettes become colour, and transparency is dropped. Writes u8 and u16 arrays [h][w] and
/// [h][w][3].
bool adze_png_read(const char *path, AdzeArray *out, AdzeError *err);
bool adze_png_write(const char *path, const AdzeArray *array, AdzeError *err);

/// The Netpbm formats. Reads PGM and PPM, as text (P2, P3) or binary (P5, P6), scaling samples
/// to 0..255 or, if the largest sample value exceeds 255, to 0..65535. Writes u8 and u16 arrays:
/// [h][w] as P5, [h][w][3] as P6.
bool adze_pnm_read(const char *path, AdzeArray *out, AdzeError *err);
bool adze_pnm_write(const char *path, const AdzeArray *array, AdzeError *err);

#endif
