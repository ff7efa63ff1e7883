// Files and paths: reads programs, and writes files completely or not at all.
#include "driver/system/system.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array_internal.h"

// --- paths --------------------------------------------------------------------------------------

const char *path_join(Arena *arena, const char *dir, const char *name)
{
    if (strcmp(dir, ".") == 0) return arena_printf(arena, "%s", name);
    size_t len = strlen(dir);
    return arena_printf(arena, "%s%s%s", dir, len && dir[len - 1] == '/' ? "" : "/", name);
}

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *path_dir(Arena *arena, const char *path)
{
    const char *base = path_base(path);
    if (base == path) return ".";
    size_t len = (size_t)(base - path);
    while (len > 1 && path[len - 1] == '/') len--;
    return arena_strndup(arena, path, len);
}

const char *path_stem(Arena *arena, const char *path)
{
    const char *base = path_base(path), *dot = strrchr(base, '.');
    size_t len = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    char *stem = text_plain(arena, arena_strndup(arena, base, len));
    if (*stem == '-') *stem = '_'; // C compilers would take the name for an option
    return stem;
}

bool path_has_extension(const char *path, const char *extension)
{
    size_t len = strlen(path), n = strlen(extension);
    return len > n && strcasecmp(path + len - n, extension) == 0;
}

bool path_is_dir(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int not_hidden(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

bool files_below(Arena *arena, const char *dir, const char *extension, int *left, Strings *out)
{
    struct dirent **entries;
    int n = scandir(dir, &entries, not_hidden, by_name);
    bool good = n >= 0;
    for (int i = 0; i < n; i++) {
        const char *path = path_join(arena, dir, entries[i]->d_name);
        bool link = entries[i]->d_type == DT_LNK, skipped = left && --*left < 0;
        if (!skipped && path_is_dir(path))
            good = (link || files_below(arena, path, extension, left, out)) && good;
        else if (!skipped && path_has_extension(path, extension))
            vec_push(arena, out, path);
        free(entries[i]);
    }
    if (n >= 0) free(entries);
    return good;
}

bool path_make_dirs(const char *path)
{
    char text[4096];
    size_t len = strlen(path);
    if (len == 0 || len >= sizeof text) {
        errno = len ? ENAMETOOLONG : ENOENT;
        return false;
    }
    memcpy(text, path, len + 1);
    for (size_t i = 1; i <= len; i++) {
        if (text[i] != '/' && text[i] != '\0') continue;
        text[i] = '\0';
        if (mkdir(text, 0777) != 0 && errno != EEXIST && !path_is_dir(text)) return false;
        text[i] = path[i];
    }
    if (path_is_dir(path)) return true;
    errno = ENOTDIR;
    return false;
}

// --- reading ------------------------------------------------------------------------------------

// Returns the length in bytes of the character at `s`, or 0 if it is ill-formed (an overlong form,
// a surrogate, or beyond U+10FFFF).
static size_t utf8_length(const unsigned char *s, size_t len)
{
    size_t n = s[0] < 0x80   ? 1
               : s[0] < 0xc2 ? 0
               : s[0] < 0xe0 ? 2
               : s[0] < 0xf0 ? 3
               : s[0] < 0xf5 ? 4
                             : 0;
    if (n == 0 || n > len) return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)) return 0;
    if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)) return 0;
    return n;
}

bool text_is_utf8(const char *text, size_t len, size_t *bad)
{
    for (size_t i = 0; i < len;) {
        size_t n = utf8_length((const unsigned char *)text + i, len - i);
        *bad = i;
        if (n == 0) return false;
        i += n;
    }
    return true;
}

bool file_readable(Session *cx, const char *path, Span span)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        bool missing = errno == ENOENT || errno == ENOTDIR;
        diag_error(cx, missing ? E0701 : E0703, span,
                   missing ? "there is no file %s" : "%s cannot be read: %s", path,
                   strerror(errno));
        return false;
    }
    if (S_ISREG(info.st_mode)) return true;
    Diag *d = diag_error(cx, E0702, span, "%s is %s, not a file", path,
                         S_ISDIR(info.st_mode) ? "a folder" : "a device or pipe");
    diag_help(cx, d, "name a file%s", S_ISDIR(info.st_mode) ? " in it" : "");
    return false;
}

// Adds the text of a program to the session. Returns 0 after an error.
static uint32_t add_source(Session *cx, const char *path, const char *text, size_t len, Span span)
{
    if (len > INT32_MAX) {
        diag_error(cx, E0703, span, "%s is too large for a program", path);
        return 0;
    }
    uint32_t file = session_add_source(cx, path, text, len);
    size_t bad;
    if (text_is_utf8(text, len, &bad)) return file;
    Span place = {file, (uint32_t)bad, (uint32_t)bad + 1};
    diag_error(cx, E0704, place, "byte 0x%02x is not part of UTF-8 text", (unsigned char)text[bad]);
    return 0;
}

const char *source_unsaved(Session *cx, const char *path, size_t *len)
{
    return cx->unsaved.text ? cx->unsaved.text(cx->unsaved.env, path, len) : NULL;
}

uint32_t source_open(Session *cx, const char *path, Span span)
{
    size_t len;
    const char *unsaved = source_unsaved(cx, path, &len);
    if (unsaved) return add_source(cx, path, unsaved, len, span);
    if (!file_readable(cx, path, span)) return 0;
    if (path_has_extension(path, ".adz")) return source_read(cx, path, span);
    Diag *d = diag_error(cx, E0705, span, "%s is not a program", path);
    diag_help(cx, d, "programs have the extension .adz");
    return 0;
}

uint32_t source_read(Session *cx, const char *path, Span span)
{
    AdzeBytes bytes;
    AdzeError error;
    if (!adze_input_read_all(path, &bytes, &error)) {
        diag_error(cx, E0703, span, "%s", error.text);
        return 0;
    }
    uint32_t file = add_source(cx, path, (const char *)bytes.at, bytes.len, span);
    free(bytes.at);
    return file;
}

// --- writing ------------------------------------------------------------------------------------

static void cannot_write(Session *cx, const char *path, const AdzeError *error)
{
    Diag *d = diag_error(cx, E0706, NO_SPAN, "%s", error->text);
    const char *dir = path_dir(cx->arena, path);
    if (!path_is_dir(dir))
        diag_help(cx, d, "there is no folder %s", dir);
    else if (access(path, F_OK) == 0)
        diag_help(cx, d, "the existing file is unchanged");
}

bool files_write(Session *cx, Cleanup *cleanup, const FileText *files, int n)
{
    AdzeOutput *outputs = ARENA_ARRAY(cx->arena, AdzeOutput, n);
    AdzeError error = {""};
    const char **temporary = ARENA_ARRAY(cx->arena, const char *, n);
    bool good = true;
    int opened = 0;
    for (; good && opened < n; opened += good) {
        good = adze_output_open(&outputs[opened], files[opened].path, &error);
        if (!good || !outputs[opened].temporary) continue;
        temporary[opened] = arena_printf(cx->arena, "%s", outputs[opened].temporary);
        cleanup_add(cleanup, temporary[opened]);
    }
    for (int i = 0; good && i < n; i++)
        good = adze_output_write(&outputs[i], files[i].text, files[i].len);
    for (int i = 0; good && i < n; i++) { // all files are complete before the first one is replaced
        if (fflush(outputs[i].file) == 0) continue;
        good = adze_fail(&error, files[i].path, "cannot write: %s", strerror(errno));
    }
    for (int i = 0; i < opened; i++) {
        good = adze_output_close(&outputs[i], good);
        if (temporary[i]) cleanup_drop(cleanup, temporary[i]);
    }
    if (!good) cannot_write(cx, files[0].path, &error);
    return good;
}

// Whether the file is one that the program was read from.
static bool is_source(const Session *cx, const struct stat *file)
{
    struct stat info;
    for (int i = 0; i < cx->sources.len; i++)
        if (stat(cx->sources.at[i]->path, &info) == 0 && info.st_dev == file->st_dev &&
            info.st_ino == file->st_ino)
            return true;
    return false;
}

bool file_writable(Session *cx, const char *path)
{
    AdzeOutput output;
    AdzeError error;
    struct stat info;
    if (stat(path, &info) == 0 && is_source(cx, &info)) {
        Diag *d = diag_error(cx, E0706, NO_SPAN, "%s is a file of the program", path);
        diag_help(cx, d, "write to another file");
        return false;
    }
    // opening a device or pipe would have side effects
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return true;
    if (!adze_output_open(&output, path, &error)) {
        cannot_write(cx, path, &error);
        return false;
    }
    adze_output_close(&output, false);
    return true;
}

void out_text(const Text *t)
{
    fwrite(text_get(t), 1, t->len, stdout);
}
