// Shows arrays as pictures on the terminal: by the protocols of kitty and iTerm2, or as coloured
// half blocks, each of which is two pixels.
#include "driver/repl/repl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "array_internal.h"

// --- the picture --------------------------------------------------------------------------------

static bool is_image_scalar(Node *element)
{
    Scalar s;
    return type_is_scalar(element, &s) &&
           (s == SCALAR_U8 || s == SCALAR_U16 || s == SCALAR_F32 || s == SCALAR_F64);
}

bool picture_check(Driver *d, Node *type)
{
    Node *dims[4];
    int rank;
    int64_t channels = 0;
    Node *element = type_strip_arrays(type, dims, 4, &rank);
    if (rank == 2 && type_is_atom(element)) return true;
    if (rank == 3 && is_image_scalar(element) && nat_is_const(dims[2], &channels) && channels == 3)
        return true;
    Diag *x = diag_error(d->cx, E0716, NO_SPAN, "a value of type %s has no picture",
                         type_show(d->cx, type));
    diag_help(d->cx, x,
              "pictures are matrices of numbers, [h][w], and images [h][w][3] of u8, u16, f32 or "
              "f64");
    return false;
}

// Makes the image of bytes: matrices of bytes are grey images, and other matrices get colours.
static bool image_of(Driver *d, const AdzeArray *a, AdzeArray *out)
{
    AdzeError error;
    const char *map = option_value(&d->options, OPT_COLOURS);
    bool bytes = a->type == ADZE_U8, coloured = a->rank == 2 && (map || !bytes);
    bool good = coloured ? adze_colours_apply("the picture", a, map ? map : "viridis", out, &error)
                         : adze_image_convert(a, ADZE_U8, out, &error);
    if (!good) diag_error(d->cx, E0716, NO_SPAN, "%s", error.text);
    return good;
}

// --- protocols ----------------------------------------------------------------------------------

static void put_base64(FILE *to, const unsigned char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        unsigned b = (unsigned)bytes[i] << 16;
        if (i + 1 < n) b |= (unsigned)bytes[i + 1] << 8;
        if (i + 2 < n) b |= bytes[i + 2];
        fputc(digits[b >> 18], to);
        fputc(digits[b >> 12 & 63], to);
        fputc(i + 1 < n ? digits[b >> 6 & 63] : '=', to);
        fputc(i + 2 < n ? digits[b & 63] : '=', to);
    }
}

static void put_kitty(const unsigned char *png, size_t n)
{
    enum { CHUNK = 3072 }; // 4096 digits, the most that a part may have
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t part = n - at < CHUNK ? n - at : CHUNK;
        printf("\033_G%sm=%d;", at == 0 ? "a=T,f=100," : "", at + part < n);
        put_base64(stdout, png + at, part);
        printf("\033\\");
    }
    putchar('\n');
}

static void put_iterm(const unsigned char *png, size_t n)
{
    printf("\033]1337;File=inline=1;size=%zu:", n);
    put_base64(stdout, png, n);
    printf("\a\n");
}

// The terminals that show pictures, by an environment variable and what it contains.
static const struct {
    const char *variable, *contains;
    void (*put)(const unsigned char *png, size_t n);
} terminals[] = {
    {"KITTY_WINDOW_ID", "", put_kitty},     {"TERM", "kitty", put_kitty},
    {"TERM_PROGRAM", "ghostty", put_kitty}, {"TERM_PROGRAM", "iTerm", put_iterm},
    {"TERM_PROGRAM", "WezTerm", put_iterm}, {"TERM_PROGRAM", "mintty", put_iterm},
    {"LC_TERMINAL", "iTerm2", put_iterm},
};

// Writes the image as a PNG file, and sends that to the terminal.
static bool put_png(Driver *d, const AdzeArray *image,
                    void (*put)(const unsigned char *png, size_t n))
{
    const char *tmp = getenv("TMPDIR");
    char *dir = arena_printf(d->arena, "%s/adze-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    AdzeError error = {{0}};
    AdzeArray png = {0};
    bool good = cleanup_make_folder(d->cleanup, dir);
    if (!good) snprintf(error.text, sizeof error.text, "%s: %s", dir, strerror(errno));
    const char *path = path_join(d->arena, dir, "picture.png");
    good = good && adze_png_write(path, image, &error) && adze_bytes_read(path, &png, &error);
    if (good)
        put(png.data, adze_array_bytes(&png));
    else
        diag_error(d->cx, E0706, NO_SPAN, "%s", error.text);
    adze_array_free(&png);
    remove_path(dir);
    cleanup_drop(d->cleanup, dir);
    return good;
}

// --- half blocks --------------------------------------------------------------------------------

// Sets `rgb` to the mean of the pixels that cell (x, y) of a grid of w x h cells covers.
static void mean_of(const AdzeArray *a, int64_t w, int64_t h, int64_t x, int64_t y, unsigned rgb[3])
{
    int64_t height = a->shape[0], width = a->shape[1], channels = a->rank == 3 ? 3 : 1;
    int64_t top = y * height / h, bottom = (y + 1) * height / h, left = x * width / w,
            right = (x + 1) * width / w;
    if (bottom == top) bottom++;
    if (right == left) right++;
    const unsigned char *bytes = a->data;
    for (int c = 0; c < 3; c++) {
        uint64_t sum = 0;
        for (int64_t i = top; i < bottom; i++)
            for (int64_t j = left; j < right; j++)
                sum += bytes[(i * width + j) * channels + (channels == 3 ? c : 0)];
        rgb[c] = (unsigned)(sum / (uint64_t)((bottom - top) * (right - left)));
    }
}

static void put_blocks(const AdzeArray *a)
{
    enum { USUAL = 80 };
    struct winsize size;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    int64_t w = known ? size.ws_col : USUAL, height = a->shape[0], width = a->shape[1];
    if (w > width) w = width;
    int64_t h = (height * w + width / 2) / width;
    if (h < 1) h = 1;
    for (int64_t y = 0; y < h; y += 2) {
        for (int64_t x = 0; x < w; x++) {
            unsigned up[3], down[3];
            mean_of(a, w, h, x, y, up);
            printf("\033[38;2;%u;%u;%um", up[0], up[1], up[2]);
            if (y + 1 < h) {
                mean_of(a, w, h, x, y + 1, down);
                printf("\033[48;2;%u;%u;%um", down[0], down[1], down[2]);
            }
            printf("\u2580");
        }
        puts("\033[0m");
    }
}

static bool put_picture(Driver *d, const AdzeArray *image)
{
    size_t n = isatty(STDOUT_FILENO) ? sizeof terminals / sizeof *terminals : 0;
    for (size_t i = 0; i < n; i++) {
        const char *value = getenv(terminals[i].variable);
        if (value && strstr(value, terminals[i].contains))
            return put_png(d, image, terminals[i].put);
    }
    put_blocks(image);
    return true;
}

bool picture_show(Driver *d, const AdzeArray *leaves)
{
    AdzeArray image = {0};
    if (adze_array_count(leaves) == 0) {
        puts("(no pixels)");
        return true;
    }
    bool good = image_of(d, leaves, &image) && put_picture(d, &image);
    adze_array_free(&image);
    return good;
}
