// Files: whole-file input, and output that replaces its target only when it is complete.
#include "array_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

bool adze_input_open(const char *path, FILE **file, int64_t *size, AdzeError *err)
{
    // With O_NONBLOCK, opening a named pipe does not wait for a writer. Pipes are rejected below.
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return adze_fail(err, path, "cannot open: %s", strerror(errno));
    struct stat info;
    bool good = fstat(fd, &info) == 0;
    if (!good)
        adze_fail(err, path, "cannot read: %s", strerror(errno));
    else if (S_ISDIR(info.st_mode))
        good = adze_fail(err, path, "is a directory; name a file");
    else if (!S_ISREG(info.st_mode))
        good = adze_fail(err, path, "is not a regular file; copy it to one first");
    if (good && !(*file = fdopen(fd, "rb")))
        good = adze_fail(err, path, "cannot open: %s", strerror(errno));
    if (good)
        *size = info.st_size;
    else
        close(fd);
    return good;
}

bool adze_input_read(FILE *file, const char *path, void *to, size_t size, AdzeError *err)
{
    if (fread(to, 1, size, file) == size) return true;
    return adze_fail(err, path, "cannot read: %s",
                     ferror(file) ? strerror(errno) : "the file became shorter while it was read");
}

bool adze_input_read_all(const char *path, AdzeBytes *out, AdzeError *err)
{
    *out = (AdzeBytes){0};
    FILE *file;
    int64_t size;
    if (!adze_input_open(path, &file, &size, err)) return false;
    bool good = true;
    uint8_t *at = malloc(size > 0 ? (size_t)size : 1);
    if (!at)
        good = adze_fail(err, path, "no memory for the file (%" PRId64 " bytes)", size);
    else
        good = adze_input_read(file, path, at, (size_t)size, err);
    fclose(file);
    if (good)
        *out = (AdzeBytes){at, (size_t)size};
    else
        free(at);
    return good;
}

bool adze_bytes_read(const char *path, AdzeArray *out, AdzeError *err)
{
    FILE *file;
    int64_t size;
    if (!adze_input_open(path, &file, &size, err)) return false;
    bool good = adze_array_alloc_for(path, out, ADZE_U8, 1, &size, err);
    if (good && !adze_input_read(file, path, out->data, (size_t)size, err)) {
        adze_array_free(out);
        good = false;
    }
    fclose(file);
    return good;
}

bool adze_bytes_put(AdzeOutput *out, const AdzeArray *array, AdzeError *err)
{
    char text[ADZE_TYPE_TEXT_SIZE];
    if (array->type != ADZE_U8 || array->rank != 1) {
        adze_array_type_text(array, text, sizeof text);
        return adze_fail(err, out->path,
                         "cannot write %.120s as bytes; [n]u8 can be (other arrays go to .npy)",
                         text);
    }
    return adze_output_write(out, array->data, adze_array_bytes(array));
}

// Opens a new file beside the target. Its name does not contain the target's, which may already
// have the maximum length.
static bool open_temporary(AdzeOutput *out)
{
    const char *slash = strrchr(out->target, '/');
    int dir_len = slash ? (int)(slash + 1 - out->target) : 0;
    size_t size = (size_t)dir_len + 64;
    if (!(out->temporary = malloc(size))) return adze_fail(out->err, out->path, "no memory");
    int fd;
    unsigned attempt = 0;
    do {
        snprintf(out->temporary, size, "%.*s.adze-%ld-%u.tmp", dir_len, out->target, (long)getpid(),
                 attempt);
        // the user's umask narrows the mode 0666
        fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EEXIST && ++attempt < 10000);
    if (fd >= 0 && (out->file = fdopen(fd, "wb"))) return true;
    adze_fail(out->err, out->path, "cannot write: %s", strerror(errno));
    if (fd >= 0) {
        close(fd);
        unlink(out->temporary);
    }
    return false;
}

static bool open_target(AdzeOutput *out)
{
    struct stat info;
    if (stat(out->target, &info) != 0) return open_temporary(out);
    if (S_ISDIR(info.st_mode))
        return adze_fail(out->err, out->path, "cannot write: is a directory; name a file in it");
    if (access(out->target, W_OK) != 0)
        return adze_fail(out->err, out->path, "cannot write: %s", strerror(errno));
    if (S_ISREG(info.st_mode)) {
        if (!open_temporary(out)) return false;
        // the file is written even if its mode cannot be kept
        (void)!fchmod(fileno(out->file), info.st_mode & 0777);
        return true;
    }
    // A device or pipe has no old contents to protect, and must not be renamed over.
    if ((out->file = fopen(out->target, "wb"))) return true;
    return adze_fail(out->err, out->path, "cannot write: %s", strerror(errno));
}

static void release(AdzeOutput *out)
{
    free(out->target);
    free(out->temporary);
    *out = (AdzeOutput){0};
}

bool adze_output_open(AdzeOutput *out, const char *path, AdzeError *err)
{
    *out = (AdzeOutput){.path = path, .err = err};
    // a link stays a link, and the file that it names is replaced
    out->target = realpath(path, NULL);
    if (!out->target && !(out->target = strdup(path))) return adze_fail(err, path, "no memory");
    if (open_target(out)) return true;
    release(out);
    return false;
}

static void write_failed(AdzeOutput *out)
{
    if (!out->failed) adze_fail(out->err, out->path, "cannot write: %s", strerror(errno));
    out->failed = true;
}

bool adze_output_write(AdzeOutput *out, const void *bytes, size_t len)
{
    out->written += (int64_t)len;
    if (len == 0) return !out->failed;
    if (out->measures)
        out->sum = (uint32_t)crc32_z(out->sum, bytes, len);
    else if (!out->failed && fwrite(bytes, 1, len, out->file) != len)
        write_failed(out);
    return !out->failed;
}

bool adze_output_flush(AdzeOutput *out)
{
    if (!out->failed && fflush(out->file) != 0) write_failed(out);
    return !out->failed;
}

bool adze_output_whole(const char *path, const AdzeArray *array, AdzePut *put, AdzeError *err)
{
    AdzeOutput out;
    if (!adze_output_open(&out, path, err)) return false;
    return adze_output_close(&out, put(&out, array, err));
}

bool adze_output_close(AdzeOutput *out, bool good)
{
    if (fclose(out->file) != 0 && good) write_failed(out);
    good = good && !out->failed;
    if (good && out->temporary && rename(out->temporary, out->target) != 0) {
        write_failed(out);
        good = false;
    }
    if (!good && out->temporary) unlink(out->temporary);
    release(out);
    return good;
}
