#include "text_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
    FILE_LIMIT_MB = 16
};

carom_status file_bytes_read(carom_arena *arena, const char *what, const char *path, int most_mb,
                             const unsigned char **bytes, size_t *length, carom_error *error)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return carom_fail(error, errno == ENOMEM ? CAROM_NO_MEMORY : CAROM_BAD_INPUT,
                          "cannot read %s '%s': %s", what, path, strerror(errno));
    if (!S_ISREG(about.st_mode)) /* a pipe would be waited for */
        return carom_fail(error, CAROM_BAD_INPUT, "cannot read %s '%s': it is not a plain file", what, path);
    if (about.st_size > (off_t)most_mb << 20)
        return carom_fail(error, CAROM_BAD_INPUT, "%s is larger than %d MiB", path, most_mb);
    const size_t size = (size_t)about.st_size;
    unsigned char *content = carom_arena_take(arena, size + 1, 1);
    if (!content)
        return carom_fail_memory(error);
    FILE *file = fopen(path, "rb");
    if (!file)
        return carom_fail(error, errno == ENOMEM ? CAROM_NO_MEMORY : CAROM_BAD_INPUT,
                          "cannot read %s '%s': %s", what, path, strerror(errno));
    *length = fread(content, 1, size, file);
    const bool failed = ferror(file) != 0;
    fclose(file);
    *bytes = content;
    return failed ? carom_fail(error, CAROM_IO_ERROR, "reading '%s' failed", path) : CAROM_OK;
}

carom_status text_file_read(carom_arena *arena, const char *what, const char *path, const char **text,
                            carom_error *error)
{
    const unsigned char *bytes = NULL;
    size_t length = 0;
    const carom_status status = file_bytes_read(arena, what, path, FILE_LIMIT_MB, &bytes, &length, error);
    if (status != CAROM_OK)
        return status;
    char *content = carom_arena_take(arena, length + 1, 1);
    if (!content)
        return carom_fail_memory(error);
    for (size_t i = 0; i < length; i++)
        content[i] = (char)(bytes[i] ? bytes[i] : '?');
    *text = content;
    return CAROM_OK;
}
