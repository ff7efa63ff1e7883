// Colour maps: show the numbers of a matrix as colours.
#include "array_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLOURS = 9, UNDEFINED = 128 }; // NaN and infinities are this shade of grey

// A map is a row of colours at equal distances, between which colours are interpolated.
static const struct {
    const char *name;
    bool centred; // 0 has the colour in the middle
    int n;
    uint32_t colours[MOST_COLOURS];
} maps[] = {
    // matplotlib's map of this name, sampled: equally bright steps for equal steps of the numbers
    {"viridis",
     false,
     9,
     {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725}},
    {"grey", false, 2, {0x000000, 0xffffff}},
    {"diverging", true, 5, {0x2b5fa8, 0x9fbfe3, 0xf5f5f5, 0xe8a999, 0xb2332e}},
};
enum { MAPS = sizeof maps / sizeof *maps };

static const char *const names[] = {"viridis", "grey", "diverging", NULL};
_Static_assert(sizeof names / sizeof *names == MAPS + 1, "a name for each map");

const char *const *adze_colours_names(void)
{
    return names;
}

static int find_map(const char *name)
{
    for (int m = 0; m < MAPS; m++)
        if (strcmp(name, maps[m].name) == 0) return m;
    return -1;
}

void adze_colours_at(const char *name, double x, uint8_t rgb[3])
{
    int m = find_map(name);
    if (!isfinite(x) || m < 0) {
        memset(rgb, UNDEFINED, 3);
        return;
    }
    double at = (x < 0 ? 0 : x > 1 ? 1 : x) * (maps[m].n - 1);
    int k = (int)at;
    if (k == maps[m].n - 1) k--;
    for (int c = 0; c < 3; c++) {
        int shift = 16 - 8 * c;
        double low = maps[m].colours[k] >> shift & 255,
               high = maps[m].colours[k + 1] >> shift & 255;
        rgb[c] = (uint8_t)floor(low + (high - low) * (at - k) + 0.5);
    }
}

void adze_range_of(const AdzeArray *array, double *low, double *high)
{
    int64_t count = adze_array_count(array);
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        double x = adze_number_at(array, i);
        if (!isfinite(x)) continue;
        if (x < *low) *low = x;
        if (x > *high) *high = x;
    }
    if (*low > *high) {
        *low = 0;
        *high = 1;
    }
}

void adze_colours_range(const AdzeArray *array, const char *map, double *low, double *high)
{
    int m = find_map(map);
    adze_range_of(array, low, high);
    if (m >= 0 && maps[m].centred) {
        *high = fmax(fabs(*low), fabs(*high));
        *low = -*high;
    }
}

bool adze_colours_apply(const char *path, const AdzeArray *array, const char *map, AdzeArray *out,
                        AdzeError *err)
{
    char text[ADZE_TYPE_TEXT_SIZE];
    memset(out, 0, sizeof *out);
    adze_array_type_text(array, text, sizeof text);
    if (array->rank != 2)
        return adze_fail(err, path, "cannot colour %.120s; a matrix [h][w] of numbers can be",
                         text);
    if (find_map(map) < 0)
        return adze_fail(err, path, "there is no colour map %.40s; viridis, grey and diverging are",
                         map);
    int64_t shape[3] = {array->shape[0], array->shape[1], 3}, count = adze_array_count(array);
    if (!adze_array_alloc_for(path, out, ADZE_U8, 3, shape, err)) return false;
    double low, high;
    adze_colours_range(array, map, &low, &high);
    for (int64_t i = 0; i < count; i++) {
        // the difference of two large numbers may be infinite, that of their halves is not
        double x = adze_number_at(array, i), width = high / 2 - low / 2;
        adze_colours_at(map, isfinite(x) && width > 0 ? (x / 2 - low / 2) / width : x - x + 0.5,
                        (uint8_t *)out->data + 3 * i);
    }
    return true;
}
