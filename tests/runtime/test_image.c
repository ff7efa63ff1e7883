// Images: PNG of every kind, PGM and PPM, conversion of samples, and the choice of a format.
#include "support.h"

#include <math.h>
#include <png.h>

// --- conversion of samples -------------------------------------------------------------------

static void bytes_to_fractions_and_back(void **state)
{
    (void)state;
    AdzeArray bytes;
    assert_true(adze_array_alloc(&bytes, ADZE_U8, 1, (int64_t[]){256}, NULL));
    for (int i = 0; i < 256; i++) ((uint8_t *)bytes.data)[i] = (uint8_t)i;
    const AdzeType types[] = {ADZE_U8, ADZE_F32, ADZE_F64};
    for (int t = 0; t < 3; t++) {
        AdzeArray fractions, back;
        assert_true(adze_image_convert(&bytes, types[t], &fractions, NULL));
        assert_int_equal(fractions.type, types[t]);
        for (int i = 0; i < 256; i++) {
            if (types[t] == ADZE_F32)
                assert_true(((float *)fractions.data)[i] == (float)i / 255.0f);
            if (types[t] == ADZE_F64) assert_true(((double *)fractions.data)[i] == i / 255.0);
        }
        assert_true(adze_image_convert(&fractions, ADZE_U8, &back, NULL));
        assert_same_array(&bytes, &back);
        adze_array_free(&fractions);
        adze_array_free(&back);
    }
    adze_array_free(&bytes);
}

static void fractions_are_clamped_and_rounded(void **state)
{
    (void)state;
    const struct {
        double x;
        uint8_t byte;
    } cases[] = {
        {0.0, 0},        {-0.0, 0},       {1.0, 255},         {-1.0, 0},
        {2.0, 255},      {NAN, 0},        {INFINITY, 255},    {-INFINITY, 0},
        {1e300, 255},    {1e-300, 0},     {0.5, 128},         {0.25, 64},
        {1.49 / 255, 1}, {1.51 / 255, 2}, {254.6 / 255, 255}, {254.4 / 255, 254},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    AdzeArray doubles, floats, bytes;
    assert_true(adze_array_alloc(&doubles, ADZE_F64, 1, (int64_t[]){COUNT}, NULL));
    for (int i = 0; i < COUNT; i++) ((double *)doubles.data)[i] = cases[i].x;
    // 1e300 becomes infinity, which is what it should.
    assert_true(adze_image_convert(&doubles, ADZE_F32, &floats, NULL));
    assert_true(adze_image_convert(&doubles, ADZE_U8, &bytes, NULL));
    for (int i = 0; i < COUNT; i++) assert_int_equal(((uint8_t *)bytes.data)[i], cases[i].byte);
    adze_array_free(&bytes);
    assert_true(adze_image_convert(&floats, ADZE_U8, &bytes, NULL));
    for (int i = 0; i < COUNT; i++) assert_int_equal(((uint8_t *)bytes.data)[i], cases[i].byte);
    AdzeError err;
    AdzeArray other;
    assert_false(adze_image_convert(&floats, ADZE_I32, &other, &err));
    assert_says(&err, "cannot convert samples from f32 to i32; u8, u16, f32 and f64 can be");
    adze_array_free(&doubles);
    adze_array_free(&floats);
    adze_array_free(&bytes);
}

// --- saving and loading ----------------------------------------------------------------------

static void images_round_trip(void **state)
{
    (void)state;
    const char *const grey[] = {"a.png", "a.pgm", "a.PNG", "a.Pgm"};
    const char *const colour[] = {"a.png", "a.ppm", "a.PNG", "a.b.ppm"};
    const int64_t shapes[][3] = {{1, 1, 3}, {7, 5, 3}, {1, 300, 3}, {300, 1, 3}, {64, 64, 3}};
    uint64_t seed = 5;
    for (int i = 0; i < 40; i++) {
        int rank = 2 + i % 2;
        const char *path = in_dir((rank == 2 ? grey : colour)[i / 2 % 4]);
        AdzeArray image = random_array(ADZE_U8, rank, shapes[i / 8], &seed), back;
        AdzeError err;
        if (!adze_array_save(path, &image, &err)) fail_msg("%s", err.text);
        if (!adze_array_load(path, &back, &err)) fail_msg("%s", err.text);
        assert_same_array(&image, &back);
        adze_array_free(&back);
        // Fractions are converted on the way.
        AdzeArray fractions;
        assert_true(adze_image_convert(&image, i % 4 < 2 ? ADZE_F32 : ADZE_F64, &fractions, NULL));
        if (!adze_array_save(path, &fractions, &err)) fail_msg("%s", err.text);
        if (!adze_array_load(path, &back, &err)) fail_msg("%s", err.text);
        assert_same_array(&image, &back);
        adze_array_free(&fractions);
        adze_array_free(&back);
        adze_array_free(&image);
        // Samples of 16 bits stay as they are.
        image = random_array(ADZE_U16, rank, shapes[i / 8], &seed);
        if (!adze_array_save(path, &image, &err)) fail_msg("%s", err.text);
        if (!adze_array_load(path, &back, &err)) fail_msg("%s", err.text);
        assert_same_array(&image, &back);
        adze_array_free(&back);
        adze_array_free(&image);
    }
}

static void refuse_save(const char *name, AdzeType type, int rank, const int64_t *shape,
                        const char *part)
{
    AdzeArray array;
    AdzeError err;
    assert_true(adze_array_alloc(&array, type, rank, shape, NULL));
    const char *path = in_dir(name);
    assert_false(adze_array_save(path, &array, &err));
    assert_says(&err, part);
    assert_says(&err, name);
    assert_int_not_equal(access(path, F_OK), 0);
    adze_array_free(&array);
}

static void save_refuses(void **state)
{
    (void)state;
    const int64_t grey[] = {4, 4}, colour[] = {4, 4, 3}, four[] = {4, 4, 4}, none[] = {0, 4};
    refuse_save("x.png", ADZE_I32, 2, grey, "cannot write [4][4]i32 as an image");
    refuse_save("x.png", ADZE_F16, 2, grey, "cannot write [4][4]f16 as an image");
    refuse_save("x.png", ADZE_U8, 1, grey, "cannot write [4]u8 as an image");
    refuse_save("x.png", ADZE_U8, 3, four, "cannot write [4][4][4]u8 as an image");
    refuse_save("x.ppm", ADZE_F32, 3, four, "cannot write [4][4][4]f32 as an image");
    refuse_save("x.pgm", ADZE_F32, 2, none, "height and width must be 1 to 2147483647");
    refuse_save("x.pgm", ADZE_U8, 3, colour, "a .pgm file cannot hold colour");
    refuse_save("x.ppm", ADZE_F32, 2, grey, "a .ppm file holds colour");
    refuse_save("x.jpg", ADZE_U8, 2, grey,
                "cannot write [4][4]u8 as bytes; [n]u8 can be (other arrays go to .npy)");
    refuse_save("png", ADZE_I8, 1, grey, "cannot write [4]i8 as bytes");
}

static void load_refuses(void **state)
{
    (void)state;
    AdzeArray array;
    AdzeError err;
    assert_false(adze_array_load(in_dir("missing.png"), &array, &err));
    assert_says(&err, "missing.png: cannot open: No such file");
    assert_null(array.data);
    assert_false(adze_array_load("dir.png/name", &array, &err));
    assert_says(&err, "cannot open: No such file");
    assert_false(adze_array_load("photo.jpeg", &array, &err));
    assert_says(&err, "photo.jpeg: cannot open: No such file");
    assert_false(adze_array_load("", &array, &err));
    assert_says(&err, "cannot open: No such file");
}

// --- PNG -------------------------------------------------------------------------------------

typedef struct Png {
    int width, height, depth, colour, interlace;
    bool palette_alpha;
} Png;

// Writes a PNG of this kind whose packed rows are `rows`, through libpng itself.
static void make_png(const char *path, Png kind, const uint8_t *rows, size_t row)
{
    FILE *file = fopen(path, "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    assert_true(file && png && info);
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)kind.width, (png_uint_32)kind.height, kind.depth,
                 kind.colour, kind.interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    const png_color palette[] = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {9, 8, 7}};
    const png_byte alpha[] = {0, 128, 255};
    if (kind.colour == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette, 4);
    if (kind.palette_alpha) png_set_tRNS(png, info, alpha, 3, NULL);
    png_write_info(png, info);
    int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++)
        for (int y = 0; y < kind.height; y++) png_write_row(png, rows + (size_t)y * row);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    fclose(file);
}

static void expect_image(const char *path, AdzeType type, int rank, int h, int w,
                         const void *pixels)
{
    AdzeArray image;
    AdzeError err;
    if (!adze_array_load(path, &image, &err)) fail_msg("%s", err.text);
    assert_int_equal(image.type, type);
    assert_int_equal(image.rank, rank);
    assert_int_equal(image.shape[0], h);
    assert_int_equal(image.shape[1], w);
    if (rank == 3) assert_int_equal(image.shape[2], 3);
    assert_memory_equal(image.data, pixels, adze_array_bytes(&image));
    adze_array_free(&image);
}

// `pixels` are of type u16 if the samples in the file have 16 bits, and otherwise of type u8.
static void expect_png(Png kind, const void *rows, size_t row, int rank, const void *pixels)
{
    const char *path = in_dir("kind.png");
    make_png(path, kind, rows, row);
    expect_image(path, kind.depth == 16 ? ADZE_U16 : ADZE_U8, rank, kind.height, kind.width,
                 pixels);
}

static void png_kinds(void **state)
{
    (void)state;
    const int grey = PNG_COLOR_TYPE_GRAY, rgb = PNG_COLOR_TYPE_RGB;
    const int grey_alpha = PNG_COLOR_TYPE_GRAY_ALPHA, rgba = PNG_COLOR_TYPE_RGB_ALPHA;
    const int palette = PNG_COLOR_TYPE_PALETTE;
    const uint8_t colours[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 8, 7};
    for (int i = 0; i < 2; i++) {
        expect_png((Png){4, 1, 1, grey, i, 0}, "\xa0", 1, 2, (uint8_t[]){255, 0, 255, 0});
        expect_png((Png){4, 1, 2, grey, i, 0}, "\x1b", 1, 2, (uint8_t[]){0, 85, 170, 255});
        expect_png((Png){2, 1, 4, grey, i, 0}, "\x1e", 1, 2, (uint8_t[]){17, 238});
        expect_png((Png){1, 2, 8, grey, i, 0}, "\1\2", 1, 2, (uint8_t[]){1, 2});
        expect_png((Png){2, 1, 16, grey, i, 0}, "\xff\xff\x80\x81", 4, 2,
                   (uint16_t[]){65535, 0x8081});
        expect_png((Png){2, 1, 8, grey_alpha, i, 0}, "\1\0\2\377", 4, 2, (uint8_t[]){1, 2});
        expect_png((Png){1, 1, 16, grey_alpha, i, 0}, "\1\2\0\0", 4, 2, (uint16_t[]){0x102});
        expect_png((Png){2, 1, 8, rgb, i, 0}, "\1\2\3\4\5\6", 6, 3, (uint8_t[]){1, 2, 3, 4, 5, 6});
        expect_png((Png){1, 1, 16, rgb, i, 0}, "\1\1\2\2\3\4", 6, 3,
                   (uint16_t[]){0x101, 0x202, 0x304});
        expect_png((Png){1, 2, 8, rgba, i, 0}, "\1\2\3\0\4\5\6\7", 4, 3,
                   (uint8_t[]){1, 2, 3, 4, 5, 6});
        expect_png((Png){1, 1, 16, rgba, i, 0}, "\1\1\2\2\3\3\0\0", 8, 3,
                   (uint16_t[]){0x101, 0x202, 0x303});
        for (int alpha = 0; alpha < 2; alpha++) {
            expect_png((Png){4, 1, 2, palette, i, alpha}, "\x1b", 1, 3, colours);
            expect_png((Png){4, 1, 8, palette, i, alpha}, "\0\1\2\3", 4, 3, colours);
        }
    }
}

static void png_interlaced(void **state)
{
    (void)state;
    uint64_t seed = 11;
    AdzeArray image = random_array(ADZE_U8, 3, (int64_t[]){19, 23, 3}, &seed);
    expect_png((Png){23, 19, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_ADAM7, 0}, image.data, 69, 3,
               image.data);
    adze_array_free(&image);
}

static void png_damaged(void **state)
{
    (void)state;
    uint64_t seed = 2;
    AdzeArray image = random_array(ADZE_U8, 3, (int64_t[]){6, 5, 3}, &seed);
    assert_true(adze_png_write(in_dir("a.png"), &image, NULL));
    adze_array_free(&image);
    size_t len;
    uint8_t *bytes = get_file(in_dir("a.png"), &len);
    for (size_t i = 0; i < len; i++) refuse(adze_png_read, bytes, i, "");
    refuse(adze_png_read, "\xff\xd8\xff\xe0 a JPEG", 12, "is not a PNG file");
    survive_damage(adze_png_read, bytes, len);
    free(bytes);
}

static uint32_t read_u32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

// The check sum of a chunk, which is behind it.
static void put_check_sum(uint8_t *chunk)
{
    uint32_t len = read_u32(chunk) + 4, sum = 0xffffffff;
    for (uint32_t i = 0; i < len; i++) {
        sum ^= chunk[4 + i];
        for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
    }
    for (int i = 0; i < 4; i++) chunk[4 + len + i] = (uint8_t)(~sum >> (24 - 8 * i));
}

// Each chunk with a wrong check sum, and cut off; headers that contradict the data or themselves.
static void png_chunks(void **state)
{
    (void)state;
    uint64_t seed = 5;
    AdzeArray image = random_array(ADZE_U8, 3, (int64_t[]){6, 5, 3}, &seed);
    assert_true(adze_png_write(in_dir("a.png"), &image, NULL));
    adze_array_free(&image);
    size_t len;
    uint8_t *bytes = get_file(in_dir("a.png"), &len);
    for (size_t at = 8; at < len; at += read_u32(bytes + at) + 12) {
        uint8_t *sum = bytes + at + read_u32(bytes + at) + 8;
        refuse(adze_png_read, bytes, at, "");
        sum[3] ^= 1;
        refuse(adze_png_read, bytes, len, "the PNG file is damaged");
        sum[3] ^= 1;
    }
    const struct {
        int at, value;
    } cases[] = {
        {19, 0},   {23, 0},            // no columns, no rows
        {16, 255}, {20, 255},          // sizes beyond 31 bits
        {23, 99},                      // more rows than there are
        {24, 3},   {24, 1},            // bits of a sample: none, not with this colour
        {25, 1},   {25, 3},            // kinds of colour: none, a palette that is missing
        {26, 1},   {27, 1},   {28, 2}, // methods that there are not
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t old = bytes[cases[i].at];
        bytes[cases[i].at] = (uint8_t)cases[i].value;
        put_check_sum(bytes + 8);
        refuse(adze_png_read, bytes, len, "");
        bytes[cases[i].at] = old;
    }
    put_check_sum(bytes + 8);
    survive(adze_png_read, bytes, len);
    free(bytes);
}

// A header that promises a large image, right in every detail, with next to nothing behind it.
static void png_size_is_checked_before_allocation(void **state)
{
    (void)state;
    static const char bytes[] = "\x89PNG\r\n\x1a\n"
                                "\0\0\0\15IHDR"
                                "\0\1\0\0\0\1\0\0" // width and height
                                "\10\2\0\0\0"      // 8 bits, RGB
                                "\xe3\xe6\xa7\xb4"
                                "\0\0\0\0IDAT\x35\xaf\x06\x1e";
    refuse(adze_png_read, bytes, sizeof bytes - 1, "too short for a 65536x65536 image");
}

// --- PGM and PPM -----------------------------------------------------------------------------

static void expect_pnm(const char *text, size_t len, int rank, int h, int w, const uint8_t *pixels)
{
    const char *path = in_dir("made.ppm");
    put_file(path, text, len);
    expect_image(path, ADZE_U8, rank, h, w, pixels);
}

// A string literal with its length.
#define TEXT(s) (s), sizeof(s) - 1

static void pnm_variants(void **state)
{
    (void)state;
    const uint8_t six[] = {1, 2, 3, 4, 5, 6};
    expect_pnm(TEXT("P2 3 2 255 1 2 3 4 5 6"), 2, 2, 3, six);
    expect_pnm(TEXT("P2#c\n3#c\n#c\n2 255\n1 2 3\n4#5 5\n 5 6\n#end"), 2, 2, 3, six);
    expect_pnm(TEXT("P3\n2\t1\r\n255\n1 2 3 4 5 6\n"), 3, 1, 2, six);
    expect_pnm(TEXT("P5 3 2 255\n\1\2\3\4\5\6"), 2, 2, 3, six);
    expect_pnm(TEXT("P6 # two\n1 2\n255\n\1\2\3\4\5\6\n"), 3, 2, 1, six);
    expect_pnm(TEXT("P5 3 2 255#comment\n\1\2\3\4\5\6"), 2, 2, 3, six);
    // The first sample may look like white space or a comment.
    expect_pnm(TEXT("P5 2 1 255\n #"), 2, 1, 2, (const uint8_t *)" #");
    // Samples are scaled to 0..255 and rounded.
    expect_pnm(TEXT("P2 4 1 3 0 1 2 3"), 2, 1, 4, (uint8_t[]){0, 85, 170, 255});
    expect_pnm(TEXT("P5 2 1 1 \1\0"), 2, 1, 2, (uint8_t[]){255, 0});
}

// More than 8 bits: samples are scaled to 0..65535.
static void pnm_wide(void **state)
{
    (void)state;
    const struct {
        const char *text;
        size_t len;
        int w;
        uint16_t pixels[3];
    } cases[] = {
        {TEXT("P2 3 1 65535 0 32896 65535"), 3, {0, 32896, 65535}},
        {TEXT("P5 3 1 65535 \0\0\x80\x81\xff\xff"), 3, {0, 0x8081, 65535}},
        {TEXT("P5 2 1 256 \1\0\0\x80"), 2, {65535, 32768}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_file(in_dir("wide.pgm"), cases[i].text, cases[i].len);
        expect_image(in_dir("wide.pgm"), ADZE_U16, 2, 1, cases[i].w, cases[i].pixels);
    }
}

static void pnm_refuses(void **state)
{
    (void)state;
    const struct {
        const char *text;
        size_t len;
        const char *part;
    } cases[] = {
        {TEXT("P4 1 1 \1"), "is a P4 file; P2, P3, P5 and P6"},
        {TEXT("P7\nWIDTH 1"), "is a P7 file"},
        {TEXT("PNG"), "is not a PGM or PPM file"},
        {TEXT("P"), "is not a PGM or PPM file"},
        {TEXT("P\0 1 1 1 1"), "is not a PGM or PPM file"},
        {TEXT("P51 1 255 \1"), "no white space after the first two"},
        {TEXT("P5 x 1 255 \1"), "the width is not a whole number"},
        {TEXT("P5 1 -1 255 \1"), "the height is not a whole number"},
        {TEXT("P5 1 1 65536 \1"), "the largest sample value exceeds 65535"},
        {TEXT("P5 1 1 0 \1"), "must not be 0"},
        {TEXT("P5 0 1 255 "), "must not be 0"},
        {TEXT("P5 2147483648 1 255 "), "the width exceeds 2147483647"},
        {TEXT("P5 99999999999999999999999 1 255 "), "the width exceeds"},
        {TEXT("P5 1 1 255x"), "no white space after the largest"},
        {TEXT("P5 1 1 255"), "no white space after the largest"},
        {TEXT("P5 1 1 100 \177"), "a sample exceeds the largest sample value 100"},
        {TEXT("P5 1 1 255 \1\2"), "has 1 bytes after the image"},
        {TEXT("P5 2147483647 2147483647 255 \1"), "too short for a 2147483647x2147483647 image"},
        {TEXT("P3 2147483647 2147483647 255 1"), "too short for a 2147483647x2147483647 image"},
        {TEXT("P5 2 2 65535 \1\2\3\4"), "too short for a 2x2 image: 4 bytes follow"},
        {TEXT("P2 2 1 255 1"), "too short for a 2x1 image"},
        {TEXT("P2 2 1 255 100"), "the file ends before the sample"},
        {TEXT("P2 2 1 255 1 x"), "the sample is not a whole number"},
        {TEXT("P2 2 1 255 1 256"), "the sample exceeds 255"},
        {TEXT("P2 2 1 255 1 2 3"), "has 1 bytes after the image"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse(adze_pnm_read, cases[i].text, cases[i].len, cases[i].part);
}

static void pnm_damaged(void **state)
{
    (void)state;
    const char binary[] = "P6 #c\n3 2 255\nabcdefghijklmnopqr",
               text[] = "P3 2 1 9 1 2 3 #c\n4 5 6 ";
    for (size_t i = 0; i < sizeof binary - 1; i++) refuse(adze_pnm_read, binary, i, "");
    // The last number of a text file may be cut without a trace; nothing else may.
    for (size_t i = 0; i < sizeof text - 2; i++) refuse(adze_pnm_read, text, i, "");
    survive_damage(adze_pnm_read, (const uint8_t *)binary, sizeof binary - 1);
    survive_damage(adze_pnm_read, (const uint8_t *)text, sizeof text - 1);
    uint64_t seed = 4;
    uint8_t bytes[64];
    for (int round = 0; round < 2000; round++) {
        size_t len = 2 + random_bits(&seed) % (sizeof bytes - 2);
        const char likely[] = "0123456789 #\n";
        for (size_t i = 2; i < len; i++)
            bytes[i] = (uint8_t)likely[random_bits(&seed) % (sizeof likely - 1)];
        bytes[0] = 'P';
        bytes[1] = (uint8_t)('2' + random_bits(&seed) % 5);
        survive(adze_pnm_read, bytes, len);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_to_fractions_and_back),
        cmocka_unit_test(fractions_are_clamped_and_rounded),
        cmocka_unit_test(images_round_trip),
        cmocka_unit_test(save_refuses),
        cmocka_unit_test(load_refuses),
        cmocka_unit_test(png_kinds),
        cmocka_unit_test(png_interlaced),
        cmocka_unit_test(png_damaged),
        cmocka_unit_test(png_chunks),
        cmocka_unit_test(png_size_is_checked_before_allocation),
        cmocka_unit_test(pnm_variants),
        cmocka_unit_test(pnm_wide),
        cmocka_unit_test(pnm_refuses),
        cmocka_unit_test(pnm_damaged),
    };
    return cmocka_run_group_tests(tests, make_test_dir, remove_test_dir);
}
