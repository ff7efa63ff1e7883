// PNG files, by means of libpng. On an error, libpng leaves the functions that called it with
// longjmp. So these functions are called by `guarded`, which has no local state, and keep their
// resources in a Job.
#include "array_internal.h"

#include <png.h>

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct Job {
    const char *path;
    AdzeError *err;
    png_structp png;
    png_infop info;
    AdzeBytes input;
    size_t used;        // bytes of input consumed
    AdzeOutput *output; // NULL if the file is read
    const AdzeArray *image;
    AdzeArray *result;
    int channels;
} Job;

typedef bool Step(Job *job);

static void on_error(png_structp png, png_const_charp message)
{
    Job *job = png_get_error_ptr(png);
    // a failed write has already set the error
    if (!job->output || !job->output->failed)
        adze_fail(job->err, job->path, "%s: %s",
                  job->result ? "the PNG file is damaged" : "cannot write PNG", message);
    png_longjmp(png, 1);
}

// Warnings concern chunks that do not affect the pixels.
static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static bool guarded(Job *job, Step *step)
{
    if (setjmp(png_jmpbuf(job->png))) return false;
    return step(job);
}

// --- reading ---------------------------------------------------------------------------------

static void on_read(png_structp png, png_bytep to, size_t len)
{
    Job *job = png_get_io_ptr(png);
    if (len > job->input.len - job->used) png_error(png, "the file ends too early");
    memcpy(to, job->input.at + job->used, len);
    job->used += len;
}

// Deflate expands data at most 1032 times, so a file that is too short for its image size is
// rejected before memory is allocated.
static bool check_size(Job *job, png_uint_32 width, png_uint_32 height)
{
    uint64_t bits =
        (uint64_t)png_get_bit_depth(job->png, job->info) * png_get_channels(job->png, job->info);
    uint64_t row = (width * bits + 7) / 8, raw;
    if (!__builtin_mul_overflow(row, (uint64_t)height, &raw) &&
        raw / 1032 <= (uint64_t)job->input.len)
        return true;
    return adze_fail(job->err, job->path, "is too short for a %dx%d image: it has %zu bytes",
                     (int)width, (int)height, job->input.len);
}

// Requests samples of 8 or 16 bits, one or three per pixel, from files of all kinds.
static void set_transformations(Job *job)
{
    int colour = png_get_color_type(job->png, job->info);
    int depth = png_get_bit_depth(job->png, job->info);
    if (colour == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(job->png);
    if (colour == PNG_COLOR_TYPE_GRAY && depth < 8) png_set_expand_gray_1_2_4_to_8(job->png);
    if (depth == 16 && adze_host_is_little()) png_set_swap(job->png);
    png_set_strip_alpha(job->png);
}

static bool read_pixels(Job *job)
{
    png_set_user_limits(job->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_read_fn(job->png, job, on_read);
    png_read_info(job->png, job->info);
    png_uint_32 width = png_get_image_width(job->png, job->info);
    png_uint_32 height = png_get_image_height(job->png, job->info);
    if (!check_size(job, width, height)) return false;
    set_transformations(job);
    int passes = png_set_interlace_handling(job->png);
    png_read_update_info(job->png, job->info);

    int channels = png_get_channels(job->png, job->info);
    AdzeType type = png_get_bit_depth(job->png, job->info) == 16 ? ADZE_U16 : ADZE_U8;
    size_t row = (size_t)width * (size_t)channels * adze_type_size(type);
    if ((channels != 1 && channels != 3) || png_get_rowbytes(job->png, job->info) != row)
        png_error(job->png, "unexpected number of channels");
    int64_t shape[] = {height, width, 3};
    if (!adze_array_alloc_for(job->path, job->result, type, channels == 1 ? 2 : 3, shape, job->err))
        return false;
    uint8_t *at = job->result->data;
    for (int pass = 0; pass < passes; pass++)
        for (png_uint_32 y = 0; y < height; y++) png_read_row(job->png, at + y * row, NULL);
    png_read_end(job->png, NULL);
    return true;
}

bool adze_png_read(const char *path, AdzeArray *out, AdzeError *err)
{
    memset(out, 0, sizeof *out);
    Job job = {.path = path, .err = err, .result = out};
    if (!adze_input_read_all(path, &job.input, err)) return false;
    bool good = false;
    if (job.input.len < 8 || png_sig_cmp(job.input.at, 0, 8) != 0) {
        adze_fail(err, path, "is not a PNG file: it does not start with a PNG signature");
    } else {
        job.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, on_error, on_warning);
        job.info = job.png ? png_create_info_struct(job.png) : NULL;
        good = job.info ? guarded(&job, read_pixels) : adze_fail(err, path, "no memory");
        png_destroy_read_struct(&job.png, &job.info, NULL);
    }
    free(job.input.at);
    if (!good) adze_array_free(out);
    return good;
}

const char *adze_png_losses(const char *path)
{
    enum { KIND = 25, HEADER = 26 }; // where the header has the kind of colour
    uint8_t start[HEADER] = {0};
    FILE *file;
    int64_t size;
    if (!adze_input_open(path, &file, &size, NULL)) return NULL;
    bool good = fread(start, 1, sizeof start, file) == sizeof start;
    fclose(file);
    if (!good) return NULL;
    if (start[KIND] == PNG_COLOR_TYPE_PALETTE)
        return "its palette is replaced by the colours, [h][w][3]";
    return start[KIND] & PNG_COLOR_MASK_ALPHA ? "its transparency is dropped" : NULL;
}

// --- writing ---------------------------------------------------------------------------------

static void on_write(png_structp png, png_bytep bytes, size_t len)
{
    Job *job = png_get_io_ptr(png);
    if (!adze_output_write(job->output, bytes, len)) png_error(png, "write error");
}

static void on_flush(png_structp png)
{
    (void)png;
}

static bool write_pixels(Job *job)
{
    const AdzeArray *image = job->image;
    int depth = 8 * (int)adze_type_size(image->type);
    size_t row = (size_t)image->shape[1] * (size_t)job->channels * adze_type_size(image->type);
    png_set_user_limits(job->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_write_fn(job->png, job, on_write, on_flush);
    png_set_IHDR(job->png, job->info, (png_uint_32)image->shape[1], (png_uint_32)image->shape[0],
                 depth, job->channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(job->png, job->info);
    if (depth == 16 && adze_host_is_little()) png_set_swap(job->png);
    const uint8_t *at = image->data;
    for (int64_t y = 0; y < image->shape[0]; y++) png_write_row(job->png, at + (size_t)y * row);
    png_write_end(job->png, job->info);
    return true;
}

bool adze_png_put(AdzeOutput *out, const AdzeArray *array, AdzeError *err)
{
    Job job = {.path = out->path, .err = err, .output = out, .image = array};
    if (!adze_image_check(out->path, array, &job.channels, err)) return false;
    job.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &job, on_error, on_warning);
    job.info = job.png ? png_create_info_struct(job.png) : NULL;
    bool good = job.info ? guarded(&job, write_pixels) : adze_fail(err, out->path, "no memory");
    png_destroy_write_struct(&job.png, &job.info);
    return good;
}

bool adze_png_write(const char *path, const AdzeArray *array, AdzeError *err)
{
    return adze_output_whole(path, array, adze_png_put, err);
}
