// Shared by the readers and writers of runtime/: error texts, whole-file input, atomic output.
#ifndef ADZE_ARRAY_INTERNAL_H
#define ADZE_ARRAY_INTERNAL_H

#include <locale.h>
#include <stdio.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include "adze_array.h"

/// Enough for adze_array_type_text at the maximum rank and sizes.
#define ADZE_TYPE_TEXT_SIZE (ADZE_MAX_RANK * 22 + 8)

/// Whether this machine is little-endian.
bool adze_host_is_little(void);

/// Sets `err` (if any) to "path: message" (`path` may be NULL) and returns false, so that callers
/// can `return adze_fail(...)`. A very long path is shortened from the left, to leave room for the
/// message.
bool adze_fail(AdzeError *err, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Like adze_array_alloc, but for readers: errors name `path`.
bool adze_array_alloc_for(const char *path, AdzeArray *out, AdzeType type, int rank,
                          const int64_t *shape, AdzeError *err);

/// Opens a regular file for reading, and sets *size to its size. The caller closes `*file`.
bool adze_input_open(const char *path, FILE **file, int64_t *size, AdzeError *err);

/// Reads `size` bytes. Returns false if that fails or the file has become shorter.
bool adze_input_read(FILE *file, const char *path, void *to, size_t size, AdzeError *err);

typedef struct AdzeBytes {
    uint8_t *at;
    size_t len;
} AdzeBytes;

/// Reads a whole file into memory. The caller frees `out->at`.
bool adze_input_read_all(const char *path, AdzeBytes *out, AdzeError *err);

/// Reads a whole file as an array of its bytes, [n]u8.
bool adze_bytes_read(const char *path, AdzeArray *out, AdzeError *err);

// A file being written. Between open and close only adze_output_write is called on it.
typedef struct AdzeOutput {
    const char *path; // as the user named it
    char *target;     // the file to replace: `path` with links followed
    char *temporary;  // the file being written; NULL if the target is a device or pipe
    FILE *file;
    bool failed; // a write has failed, and `err` describes it
    AdzeError *err;
    int64_t written; // the number of bytes written
    bool measures;   // nothing is written: the bytes are only counted, and added to `sum`
    uint32_t sum;    // CRC-32 of the bytes, if `measures`
} AdzeOutput;

/// Starts writing the file at `path`, which must outlive the output. If it returns true,
/// adze_output_close must follow.
bool adze_output_open(AdzeOutput *out, const char *path, AdzeError *err);

/// Appends bytes. Returns false if this or an earlier write failed.
bool adze_output_write(AdzeOutput *out, const void *bytes, size_t len);

/// Passes all bytes to the system. Returns false if this or an earlier write failed.
bool adze_output_flush(AdzeOutput *out);

/// Ends the output. If `good` is true and every write succeeded, the new file replaces its target,
/// and the function returns true. Otherwise it removes the new file and returns false. `err` is set
/// only for failures of the output itself.
bool adze_output_close(AdzeOutput *out, bool good);

/// Writes an array to an open output in a file format. adze_bytes_put accepts only [n]u8.
typedef bool AdzePut(AdzeOutput *out, const AdzeArray *array, AdzeError *err);
AdzePut adze_npy_put, adze_png_put, adze_pnm_put, adze_bytes_put;

/// Writes an array to a file, using `put`.
bool adze_output_whole(const char *path, const AdzeArray *array, AdzePut *put, AdzeError *err);

// --- colours.c, plot.c

/// Colours an array [h][w] of numbers with a colour map: from its smallest finite element to its
/// largest one. The caller frees `*out`, which is [h][w][3]u8.
bool adze_colours_apply(const char *path, const AdzeArray *array, const char *map, AdzeArray *out,
                        AdzeError *err);

/// Sets *low and *high to the smallest and largest finite element, or to 0 and 1 if there is none.
void adze_range_of(const AdzeArray *array, double *low, double *high);

/// Sets *low and *high to the numbers that have the first and the last colour of a map.
void adze_colours_range(const AdzeArray *array, const char *map, double *low, double *high);
/// Sets `rgb` to the colour of x, from 0 to 1.
void adze_colours_at(const char *map, double x, uint8_t rgb[3]);

/// Whether the tables of `save` can be drawn: a matrix of numbers, or columns of numbers, which are
/// vectors of one length or the members of a vector of structs.
bool adze_plot_fits(const AdzeSave *save);
/// Whether they are drawn as a heat map.
bool adze_plot_is_heat(const AdzeSave *save);
/// Draws the tables of `save` as SVG. The first of several columns is the x axis.
bool adze_plot_put(AdzeOutput *out, const AdzeSave *save, AdzeError *err);

// --- text.c, text_put.c

// A table as text. It has a heading if `names` is not NULL. Numbers are parsed by adze_text_parse.
typedef struct AdzeText {
    char *path;
    AdzeBytes bytes;
    char separator; // a blank stands for any number of blanks
    int64_t rows, columns;
    char **names;       // the names of the columns
    size_t start;       // the position of the first line after the heading
    int64_t start_line; // the number of lines before it
} AdzeText;

/// Reads a file and checks that all rows have the same number of cells. The caller closes `*out`,
/// which is empty after an error.
bool adze_text_open(const char *path, AdzeText *out, AdzeError *err);
void adze_text_close(AdzeText *text);

// Where the numbers of a column are stored: that of row i is element first + i * step of `array`.
// The column is skipped if `array` is NULL.
typedef struct AdzeTextColumn {
    AdzeArray *array;
    int64_t first, step;
} AdzeTextColumn;

/// Parses the cells of all columns.
bool adze_text_parse(const AdzeText *text, const AdzeTextColumn *columns, AdzeError *err);

/// Parses all cells as an array of the rank: 2, or at most 1 if the text has a single row or
/// column, or at most 0 if it has both. The caller frees `*out`.
bool adze_text_matrix(const AdzeText *text, AdzeType type, int rank, AdzeArray *out,
                      AdzeError *err);

/// Reads a file of text as numbers of type f64.
bool adze_numbers_read(const char *path, AdzeArray *out, AdzeError *err);

/// Whether a table can be written as text: numbers of rank 0 to 2, or structs of numbers of rank 0
/// or 1.
bool adze_text_fits(const AdzeTable *table);
bool adze_text_put(AdzeOutput *out, const AdzeTable *table, AdzeError *err);

enum { ADZE_NUMBER_SIZE = 48 };
/// Element i of an array as text, with as few digits as determine it.
void adze_number_text(const AdzeArray *array, int64_t i, char text[ADZE_NUMBER_SIZE]);
/// Element i of an array, rounded to f64.
double adze_number_at(const AdzeArray *array, int64_t i);

/// Selects the locale "C" in this thread, in which the decimal separator is a point. Returns the
/// locale to pass to adze_locale_leave.
locale_t adze_locale_enter(void);
void adze_locale_leave(locale_t before);

/// The first bytes of a .npy file.
#define ADZE_NPY_MAGIC "\x93NUMPY"

/// Reads a .npy file with elements of any kind.
bool adze_npy_read_table(const char *path, AdzeTable *out, AdzeError *err);

/// Reads a table from the next `size` bytes of an open file, which it leaves open. Errors name
/// `path`.
bool adze_npy_read_stream(const char *path, FILE *file, int64_t size, AdzeTable *out,
                          AdzeError *err);

/// Writes a table to an open .npy file.
bool adze_npy_put_table(AdzeOutput *out, const AdzeTable *table, AdzeError *err);

/// Writes tables to an open .npz file. They are called `names`, or arr_0, arr_1, .. as by
/// numpy.savez if `names` is NULL.
bool adze_npz_put(AdzeOutput *out, int n, const AdzeTable *const *tables, const char *const *names,
                  AdzeError *err);

// Names of arrays.
typedef struct AdzeNames {
    char **at;
    int n;
} AdzeNames;

/// Lists the arrays of a .npz file, which the caller frees.
bool adze_npz_names(const char *path, AdzeNames *out, AdzeError *err);
void adze_names_free(AdzeNames *names);

/// Moves the numbers of a table to `*out` and frees the table. Fails if its elements are not
/// numbers.
bool adze_table_numbers(const char *path, AdzeTable *table, AdzeArray *out, AdzeError *err);

/// The table whose only column is this array, which the table does not own.
AdzeTable adze_table_of(AdzeArray *array);

// What the text of a .npy header says.
typedef struct AdzeNpyHeader {
    AdzeDtype dtype;
    bool fortran; // the first index varies fastest
    int rank;
    int64_t shape[ADZE_MAX_RANK];
} AdzeNpyHeader;

/// Parses the text of a header. The caller frees the dtype, even after an error.
bool adze_npy_header_parse(const char *path, const char *text, size_t len, AdzeNpyHeader *out,
                           AdzeError *err);

/// Returns the bytes before the elements of a table (magic, version, length and text), which the
/// caller frees, or NULL if memory runs out.
char *adze_npy_header_format(const AdzeTable *table, size_t *len);

// The position of a number in the bytes of an element. It is inside `rank` nested arrays, outermost
// first. Array k has count[k] members, which are stride[k] bytes apart.
typedef struct AdzeColumn {
    AdzeType type;
    bool swapped;
    int64_t offset;
    int rank;
    int64_t count[ADZE_MAX_RANK], stride[ADZE_MAX_RANK];
} AdzeColumn;

// The layout of an element of `size` bytes in a file.
typedef struct AdzeLayout {
    int64_t size;
    int ncolumns;
    AdzeColumn *columns;
} AdzeLayout;

/// Computes the layout of a dtype. The caller frees `out->columns`, even after an error. Fails for
/// elements whose size exceeds 62 bits, or with too many dimensions.
bool adze_layout_make(const char *path, const AdzeDtype *dtype, AdzeLayout *out, AdzeError *err);

/// Copies the numbers of `n` elements from `bytes`, which stay unchanged, to the columns, where the
/// first of them has index `first`. Does not swap bytes.
void adze_layout_unpack(const AdzeLayout *layout, uint8_t *bytes, int64_t first, int64_t n,
                        AdzeArray *columns);
/// Copies the numbers in the other direction.
void adze_layout_pack(const AdzeLayout *layout, uint8_t *bytes, int64_t first, int64_t n,
                      const AdzeArray *columns);

/// Allocates the columns of a table, whose shape is set, and reads its elements from an open file.
/// Swaps bytes where the layout says so; a bool that is not 0 is 1. The caller frees the table,
/// even after an error.
bool adze_elements_read(const char *path, FILE *file, const AdzeLayout *layout, AdzeTable *table,
                        AdzeError *err);
/// Writes the elements of a table. Their padding is zero.
bool adze_elements_put(AdzeOutput *out, const AdzeTable *table, AdzeError *err);

/// to[i * to_step] = from[i * from_step] for `count` objects of `size` bytes; steps are in bytes.
void adze_copy_strided(uint8_t *to, int64_t to_step, const uint8_t *from, int64_t from_step,
                       int64_t count, size_t size);

/// Returns what an array loaded from this PNG file does not show, for a message, or NULL.
const char *adze_png_losses(const char *path);

/// Checks that `array` can be stored as an image, u8 or u16 [h][w] or [h][w][3] with at least one
/// pixel, and sets *channels to its number of channels (1 or 3).
bool adze_image_check(const char *path, const AdzeArray *array, int *channels, AdzeError *err);

#endif
