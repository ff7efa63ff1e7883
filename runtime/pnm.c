// The Netpbm formats PGM (grey) and PPM (colour), as text (P2, P3) or binary (P5, P6).
//
//     P6 <width> <height> <largest sample> <one white space> <samples>
//
// '#' starts a comment up to the end of the line wherever white space is allowed.
#include "array_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_SAMPLE = 65535 };

typedef struct Pnm {
    const char *path;
    AdzeError *err;
    const uint8_t *at, *end;
    bool binary;
    int channels;
    int64_t width, height, largest;
} Pnm;

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_comment(Pnm *p)
{
    while (p->at < p->end && *p->at != '\n' && *p->at != '\r') p->at++;
}

static void skip_spaces(Pnm *p)
{
    for (; p->at < p->end && (is_space(*p->at) || *p->at == '#'); p->at++) {
        if (*p->at == '#') skip_comment(p);
        if (p->at == p->end) break;
    }
}

// Parses a whole number of at most `limit`.
static bool parse_number(Pnm *p, int64_t limit, const char *what, int64_t *out)
{
    skip_spaces(p);
    if (p->at == p->end) return adze_fail(p->err, p->path, "the file ends before the %s", what);
    if (*p->at < '0' || *p->at > '9')
        return adze_fail(p->err, p->path, "the %s is not a whole number", what);
    *out = 0;
    for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++) {
        *out = *out * 10 + (*p->at - '0');
        if (*out > limit) return adze_fail(p->err, p->path, "the %s exceeds %" PRId64, what, limit);
    }
    return true;
}

static bool parse_magic(Pnm *p)
{
    char kind = p->end - p->at >= 2 && p->at[0] == 'P' ? (char)p->at[1] : '\0';
    if (kind == '1' || kind == '4' || kind == '7')
        return adze_fail(p->err, p->path, "is a P%c file; P2, P3, P5 and P6 (PGM and PPM) are read",
                         kind);
    if (!kind || !strchr("2356", kind))
        return adze_fail(p->err, p->path,
                         "is not a PGM or PPM file: it starts with none of P2, P3, P5, P6");
    p->binary = kind >= '5';
    p->channels = kind == '3' || kind == '6' ? 3 : 1;
    p->at += 2;
    return true;
}

static bool parse_header(Pnm *p)
{
    if (!parse_magic(p)) return false;
    if (p->at < p->end && !is_space(*p->at) && *p->at != '#')
        return adze_fail(p->err, p->path, "no white space after the first two characters");
    if (!parse_number(p, INT32_MAX, "width", &p->width) ||
        !parse_number(p, INT32_MAX, "height", &p->height) ||
        !parse_number(p, LARGEST_SAMPLE, "largest sample value", &p->largest))
        return false;
    if (p->width == 0 || p->height == 0 || p->largest == 0)
        return adze_fail(p->err, p->path, "width, height and largest sample value must not be 0");
    if (!p->binary) return true;
    // a comment here, with its newline, counts as the single white space
    if (p->at < p->end && *p->at == '#') skip_comment(p);
    if (p->at == p->end || !is_space(*p->at))
        return adze_fail(p->err, p->path, "no white space after the largest sample value");
    p->at++;
    return true;
}

// Compares the size of the image with the size of the file, before memory is allocated. A sample
// written as text has at least a digit and a separator.
static bool check_size(Pnm *p)
{
    int64_t have = p->end - p->at, samples;
    int64_t unit = !p->binary || p->largest > 255 ? 2 : 1;
    int64_t spare = p->binary ? 0 : 1; // the last sample needs no separator
    if (!__builtin_mul_overflow(p->width * p->channels, p->height, &samples) &&
        samples <= (have + spare) / unit)
        return true;
    return adze_fail(p->err, p->path, "is too short for a %dx%d image: %zu bytes follow the header",
                     (int)p->width, (int)p->height, (size_t)have);
}

static bool read_sample(Pnm *p, int64_t *sample)
{
    if (!p->binary) return parse_number(p, p->largest, "sample", sample);
    *sample = *p->at++;
    if (p->largest > 255) *sample = *sample << 8 | *p->at++;
    if (*sample <= p->largest) return true;
    return adze_fail(p->err, p->path, "a sample exceeds the largest sample value %" PRId64,
                     p->largest);
}

static bool read_samples(Pnm *p, AdzeArray *out)
{
    int64_t count = adze_array_count(out), most = out->type == ADZE_U16 ? LARGEST_SAMPLE : 255;
    for (int64_t i = 0; i < count; i++) {
        int64_t sample;
        if (!read_sample(p, &sample)) return false;
        sample = (sample * most + p->largest / 2) / p->largest;
        if (out->type == ADZE_U16)
            ((uint16_t *)out->data)[i] = (uint16_t)sample;
        else
            ((uint8_t *)out->data)[i] = (uint8_t)sample;
    }
    skip_spaces(p);
    if (p->at == p->end) return true;
    return adze_fail(p->err, p->path,
                     "has %" PRId64 " bytes after the image; save each image to a file of its own",
                     (int64_t)(p->end - p->at));
}

bool adze_pnm_read(const char *path, AdzeArray *out, AdzeError *err)
{
    memset(out, 0, sizeof *out);
    AdzeBytes bytes;
    if (!adze_input_read_all(path, &bytes, err)) return false;
    Pnm p = {.path = path, .err = err, .at = bytes.at, .end = bytes.at + bytes.len};
    bool good = parse_header(&p) && check_size(&p);
    if (good) {
        int64_t shape[] = {p.height, p.width, p.channels};
        AdzeType type = p.largest > 255 ? ADZE_U16 : ADZE_U8;
        good = adze_array_alloc_for(path, out, type, p.channels == 1 ? 2 : 3, shape, err) &&
               read_samples(&p, out);
    }
    free(bytes.at);
    if (!good) adze_array_free(out);
    return good;
}

// Writes samples of 16 bits, of which the format has the high byte first.
static bool put_wide(AdzeOutput *out, const AdzeArray *array)
{
    const uint16_t *samples = array->data;
    int64_t count = adze_array_count(array);
    bool good = true;
    for (int64_t i = 0; good && i < count; i++) {
        uint8_t bytes[2] = {(uint8_t)(samples[i] >> 8), (uint8_t)samples[i]};
        good = adze_output_write(out, bytes, 2);
    }
    return good;
}

bool adze_pnm_put(AdzeOutput *out, const AdzeArray *array, AdzeError *err)
{
    int channels;
    if (!adze_image_check(out->path, array, &channels, err)) return false;
    char header[64];
    bool wide = array->type == ADZE_U16;
    int len = snprintf(header, sizeof header, "P%c\n%" PRId64 " %" PRId64 "\n%d\n",
                       channels == 1 ? '5' : '6', array->shape[1], array->shape[0],
                       wide ? LARGEST_SAMPLE : 255);
    if (!adze_output_write(out, header, (size_t)len)) return false;
    return wide ? put_wide(out, array)
                : adze_output_write(out, array->data, adze_array_bytes(array));
}

bool adze_pnm_write(const char *path, const AdzeArray *array, AdzeError *err)
{
    return adze_output_whole(path, array, adze_pnm_put, err);
}
