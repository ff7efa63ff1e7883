// Shared by the readers and writers of runtime/: error texts, whole-file input, atomic output.
#ifndef ADZE_ARRAY_INTERNAL_H
#define ADZE_ARRAY_INTERNAL_H

#include <stdio.h>

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

/// The first bytes of a .npy file.
#define ADZE_NPY_MAGIC "\x93NUMPY"

/// Reads a .npy file with elements of any kind.
bool adze_npy_read_table(const char *path, AdzeTable *out, AdzeError *err);

/// Writes a table to an open .npy file.
bool adze_npy_put_table(AdzeOutput *out, const AdzeTable *table, AdzeError *err);

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

/// to[i * to_step] = from[i * from_step] for `count` objects of `size` bytes; steps are in bytes.
void adze_copy_strided(uint8_t *to, int64_t to_step, const uint8_t *from, int64_t from_step,
                       int64_t count, size_t size);

/// Checks that `array` can be stored as an image, u8 [h][w] or [h][w][3] with at least one pixel,
/// and sets *channels to its number of channels (1 or 3).
bool adze_image_check(const char *path, const AdzeArray *array, int *channels, AdzeError *err);

#endif
