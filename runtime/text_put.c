// Writes tables of numbers as text: a line for each row, and for structs a heading with the names
// of their members. A float has as many digits as are necessary to read the same number back.
#include "array_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "adze_support.h"

locale_t adze_locale_enter(void)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return plain ? uselocale(plain) : (locale_t)0;
}

void adze_locale_leave(locale_t before)
{
    locale_t plain = before ? uselocale(before) : (locale_t)0;
    if (plain && plain != before) freelocale(plain);
}

// --- numbers ---------------------------------------------------------------------------------

static void put_float(double x, AdzeType type, char text[ADZE_NUMBER_SIZE])
{
    if (isnan(x)) {
        strcpy(text, "nan");
        return;
    }
    int digits = type == ADZE_F64 ? 15 : type == ADZE_F32 ? 6 : 4;
    int most = type == ADZE_F64 ? 17 : type == ADZE_F32 ? 9 : 5;
    for (; digits <= most; digits++) {
        snprintf(text, ADZE_NUMBER_SIZE, "%.*g", digits, x);
        double back = type == ADZE_F32 ? (double)strtof(text, NULL) : strtod(text, NULL);
        if (type == ADZE_F16) back = (double)adze_f16_to_f32(adze_f16_from(back));
        if (back == x) return;
    }
}

static double float_at(const AdzeArray *a, int64_t i)
{
    if (a->type == ADZE_F64) return ((const double *)a->data)[i];
    if (a->type == ADZE_F32) return (double)((const float *)a->data)[i];
    return (double)adze_f16_to_f32(((const adze_f16 *)a->data)[i]);
}

static int64_t integer_at(const AdzeArray *a, int64_t i)
{
    switch (a->type) {
    case ADZE_I8: return ((const int8_t *)a->data)[i];
    case ADZE_I16: return ((const int16_t *)a->data)[i];
    case ADZE_I32: return ((const int32_t *)a->data)[i];
    case ADZE_I64: return ((const int64_t *)a->data)[i];
    case ADZE_BOOL:
    case ADZE_U8: return ((const uint8_t *)a->data)[i];
    case ADZE_U16: return ((const uint16_t *)a->data)[i];
    case ADZE_U32: return ((const uint32_t *)a->data)[i];
    case ADZE_U64:
    case ADZE_F16:
    case ADZE_F32:
    case ADZE_F64:
    case ADZE_TYPE_COUNT: break;
    }
    return 0;
}

double adze_number_at(const AdzeArray *a, int64_t i)
{
    if (a->type >= ADZE_F16) return float_at(a, i);
    if (a->type == ADZE_U64) return (double)((const uint64_t *)a->data)[i];
    return (double)integer_at(a, i);
}

void adze_number_text(const AdzeArray *a, int64_t i, char text[ADZE_NUMBER_SIZE])
{
    if (a->type >= ADZE_F16)
        put_float(float_at(a, i), a->type, text);
    else if (a->type == ADZE_U64)
        snprintf(text, ADZE_NUMBER_SIZE, "%" PRIu64, ((const uint64_t *)a->data)[i]);
    else if (a->type == ADZE_BOOL)
        strcpy(text, integer_at(a, i) ? "true" : "false");
    else
        snprintf(text, ADZE_NUMBER_SIZE, "%" PRId64, integer_at(a, i));
}

// --- tables ----------------------------------------------------------------------------------

bool adze_text_fits(const AdzeTable *t)
{
    if (t->dtype.kind == ADZE_NUMBER) return t->rank <= 2;
    if (t->dtype.kind != ADZE_RECORD || t->rank > 1) return false;
    for (int i = 0; i < t->dtype.nfields; i++)
        if (t->dtype.fields[i].rank > 0 || t->dtype.fields[i].dtype.kind != ADZE_NUMBER)
            return false;
    return true;
}

static char separator_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot && strcasecmp(dot, ".csv") == 0) return ',';
    return dot && strcasecmp(dot, ".tsv") == 0 ? '\t' : ' ';
}

static bool put_heading(AdzeOutput *out, const AdzeTable *t, char separator)
{
    bool good = true;
    if (t->dtype.kind != ADZE_RECORD) return true;
    for (int i = 0; good && i < t->dtype.nfields; i++) {
        const char *name = t->dtype.fields[i].name;
        good = (i == 0 || adze_output_write(out, &separator, 1)) &&
               adze_output_write(out, name, strlen(name));
    }
    return good && adze_output_write(out, "\n", 1);
}

static bool put_rows(AdzeOutput *out, const AdzeTable *t, char separator)
{
    bool numbers = t->dtype.kind == ADZE_NUMBER, good = true;
    int64_t rows = t->rank > 0 ? t->shape[0] : 1;
    int64_t columns = !numbers ? t->ncolumns : t->rank == 2 ? t->shape[1] : 1;
    char text[ADZE_NUMBER_SIZE + 1];
    for (int64_t i = 0; good && i < rows; i++) {
        for (int64_t k = 0; good && k < columns; k++) {
            const AdzeArray *a = numbers ? t->columns : &t->columns[k];
            adze_number_text(a, numbers ? i * columns + k : i, text);
            size_t len = strlen(text);
            text[len++] = k + 1 < columns ? separator : '\n';
            good = adze_output_write(out, text, len);
        }
    }
    return good;
}

bool adze_text_put(AdzeOutput *out, const AdzeTable *t, AdzeError *err)
{
    char type[ADZE_TYPE_TEXT_SIZE];
    adze_table_type_text(t, type, sizeof type);
    if (!adze_text_fits(t))
        return adze_fail(err, out->path,
                         "cannot write %.120s as text; numbers, [n] and [n][m] of them, and [n] of "
                         "structs of numbers can be (other arrays go to .npy)",
                         type);
    char separator = separator_of(out->path);
    locale_t before = adze_locale_enter();
    bool good = put_heading(out, t, separator) && put_rows(out, t, separator);
    adze_locale_leave(before);
    return good;
}
