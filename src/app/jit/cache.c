#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *join(const char *first, const char *second, const char *third)
{
    carom_text path = {0};
    carom_text_append(&path, "%s%s%s", first, second, third);
    if (!path.failed)
        return path.bytes;
    carom_text_free(&path);
    return NULL;
}

/* ---- the folder ----------------------------------------------------------------------------------------- */

static bool is_ours_alone(const struct stat *info)
{
    return info->st_uid == geteuid() && (info->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool is_private_folder(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && is_ours_alone(&info);
}

char *cache_open(carom_error *error)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool given = base && base[0] == '/'; /* others are to be ignored */
    if (!given && !(home && home[0] == '/')) {
        carom_fail(error, CAROM_IO_ERROR, "neither XDG_CACHE_HOME nor HOME says where it could be kept");
        return NULL;
    }
    char *above = given ? join(base, "", "") : join(home, "/.cache", "");
    char *folder = above ? join(above, "/carom", "") : NULL;
    if (!folder) {
        carom_fail_memory(error);
    } else if ((mkdir(above, 0700) != 0 && errno != EEXIST) ||
               (mkdir(folder, 0700) != 0 && errno != EEXIST)) {
        carom_fail(error, CAROM_IO_ERROR, "cannot make the folder %s: %s", folder, strerror(errno));
        free(folder);
        folder = NULL;
    } else if (!is_private_folder(folder)) {
        carom_fail(error, CAROM_IO_ERROR,
                   "%s is not a folder of yours to which nobody else may write (chmod 700 makes it one)",
                   folder);
        free(folder);
        folder = NULL;
    }
    free(above);
    return folder;
}

/* ---- what is in it -------------------------------------------------------------------------------------- */

/* FNV-1a, from two starts: it names files; cache_find compares their text. */
static uint64_t hash(uint64_t start, const carom_text *text)
{
    for (size_t i = 0; i < text->length; i++)
        start = (start ^ (unsigned char)text->bytes[i]) * 0x100000001b3u;
    return start;
}

void cache_key(const carom_text *text, char key[CACHE_KEY_SIZE])
{
    snprintf(key, CACHE_KEY_SIZE, "%016llx%016llx", (unsigned long long)hash(0xcbf29ce484222325u, text),
             (unsigned long long)hash(0x9e3779b97f4a7c15u, text));
}

/* A plain file of ours, opened without following a link. */
static FILE *open_ours(const char *path)
{
    struct stat info;
    const int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    FILE *stream = fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) && is_ours_alone(&info)
                       ? fdopen(descriptor, "rb")
                       : NULL;
    if (!stream)
        close(descriptor);
    return stream;
}

static bool has_text(const char *path, const carom_text *text)
{
    FILE *stream = open_ours(path);
    char *bytes = stream ? malloc(text->length + 1) : NULL;
    const bool same = bytes && fread(bytes, 1, text->length + 1, stream) == text->length &&
                      memcmp(bytes, text->bytes, text->length) == 0;
    free(bytes);
    if (stream)
        fclose(stream);
    return same;
}

char *cache_find(const char *folder, const char *key, const carom_text *text)
{
    char *place = join(folder, "/", key);
    char *source = place ? join(place, ".c", "") : NULL, *code = place ? join(place, ".so", "") : NULL;
    FILE *stream = source && code && has_text(source, text) ? open_ours(code) : NULL;
    if (!stream) {
        free(code);
        code = NULL;
    } else {
        fclose(stream);
    }
    free(source);
    free(place);
    return code;
}

/* The text comes last: who finds it finds the code, too. */
char *cache_take(const char *folder, const char *key, const char *from, carom_error *error)
{
    static const char *const ending[] = {".so", ".c"};
    char *code = NULL;
    bool moved = true;
    for (int i = 0; moved && i < 2; i++) {
        char *old = join(from, "/model", ending[i]), *start = join(folder, "/", key),
             *name = start ? join(start, ending[i], "") : NULL;
        moved = old && name && chmod(old, i == 0 ? 0700 : 0600) == 0 && rename(old, name) == 0;
        if (!moved)
            carom_fail(error, CAROM_IO_ERROR, "cannot keep what was compiled in %s: %s", folder,
                       strerror(errno));
        free(old);
        free(start);
        if (i == 0)
            code = name;
        else
            free(name);
    }
    if (!moved) {
        free(code);
        return NULL;
    }
    return code;
}
