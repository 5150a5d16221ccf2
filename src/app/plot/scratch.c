/* Pictures are drawn in a folder of their own beside the old ones, which they replace when they are complete. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/plot_parts.h"

static const char *const kinds[] = {"svg", "png", "pdf"};

enum {
    KINDS = sizeof kinds / sizeof *kinds
};

static char *join(const char *directory, const char *name, const char *ending)
{
    const size_t length = strlen(directory) + strlen(name) + strlen(ending) + 3;
    char *path = carom_new_array(length, 1);
    if (path)
        snprintf(path, length, "%s/%s%s%s", directory, name, *ending ? "." : "", ending);
    return path;
}

/* The data are seen from there by their own name. */
static bool link_data(const char *scratch, const char *name)
{
    char *target = join("..", name, "dat"), *place = join(scratch, name, "dat");
    const bool linked = target && place && symlink(target, place) == 0;
    free(target);
    free(place);
    return linked;
}

carom_status plot_scratch_open(const char *directory, const char *name, char **scratch, carom_error *error)
{
    *scratch = join(directory, ".drawing-XXXXXX", "");
    if (!*scratch)
        return carom_fail_memory(error);
    if (mkdtemp(*scratch) && link_data(*scratch, name))
        return CAROM_OK;
    carom_fail(error, CAROM_IO_ERROR, "cannot draw in %s: %s", directory, strerror(errno));
    plot_scratch_close(*scratch, name);
    *scratch = NULL;
    return CAROM_IO_ERROR;
}

/* gnuplot does not look whether what it writes arrives: is the end of the picture there? */
static bool is_complete(const char *path, const char *kind)
{
    const char *const end = strcmp(kind, "png") == 0 ? "IEND" : strcmp(kind, "pdf") == 0 ? "%%EOF" : "</svg>";
    const size_t length = strlen(end);
    char tail[17] = "";
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t count = 0;
    if (fseek(file, -(long)(sizeof tail - 1), SEEK_END) == 0)
        count = fread(tail, 1, sizeof tail - 1, file);
    fclose(file);
    for (size_t i = 0; i + length <= count; i++)
        if (memcmp(tail + i, end, length) == 0)
            return true;
    return false;
}

carom_status plot_scratch_take(const char *scratch, const char *directory, const char *name,
                               carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < KINDS; i++) {
        char *from = join(scratch, name, kinds[i]), *to = join(directory, name, kinds[i]);
        if (!from || !to)
            status = carom_fail_memory(error);
        else if (access(from, F_OK) == 0 && !is_complete(from, kinds[i]))
            status = carom_fail(error, CAROM_IO_ERROR,
                                "cannot write %s: gnuplot could not complete it; is the disk full?", to);
        else if (rename(from, to) != 0 && errno != ENOENT)
            status = carom_fail(error, CAROM_IO_ERROR, "cannot write %s: %s", to, strerror(errno));
        free(from);
        free(to);
    }
    return status;
}

void plot_scratch_close(char *scratch, const char *name)
{
    static const char *const endings[] = {"svg", "png", "pdf", "dat"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *path = join(scratch, name, endings[i]);
        if (path)
            unlink(path);
        free(path);
    }
    rmdir(scratch);
    free(scratch);
}
