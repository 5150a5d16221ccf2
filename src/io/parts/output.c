#include "carom/io/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "locked_file.h"
#include "write_behind.h"

struct carom_output {
    locked_file file; /* none of what is no plain file */
    char *path;       /* as it was given */
    bool keep, direct;
    int failure; /* of a write, where it is known */
    FILE *stream;
    char buffer[1 << 18]; /* of the stream: tables of runs are long */
};

/* Written as it comes: pipes, terminals, and what the system shows as a file. */
static bool is_direct(const char *path)
{
    struct stat info;
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0 ||
           (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
}

static carom_status open_stream(carom_output *output, carom_error *error)
{
    struct stat info;
    output->direct = is_direct(output->path);
    if (output->direct) {
        output->stream = fopen(output->path, "wb");
        return output->stream ? CAROM_OK
                              : carom_fail(error, errno == ENOMEM ? CAROM_NO_MEMORY : CAROM_BAD_INPUT,
                                           "cannot write '%s': %s", output->path, strerror(errno));
    }
    if (output->keep && stat(output->path, &info) == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%s is there already and is not overwritten", output->path);
    const carom_status status = locked_file_open(output->path, ".new", &output->file, error);
    if (status != CAROM_OK)
        return status;
    const int descriptor = ftruncate(output->file.descriptor, 0) == 0 ? dup(output->file.descriptor) : -1;
    output->stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (!output->stream && descriptor >= 0)
        close(descriptor);
    return output->stream
               ? CAROM_OK
               : carom_fail(error, CAROM_IO_ERROR, "cannot write '%s': %s", output->path, strerror(errno));
}

carom_status carom_output_open(const char *path, bool keep, carom_output **output, carom_error *error)
{
    *output = NULL;
    if (!path || !*path)
        return carom_fail(error, CAROM_BAD_INPUT, "the name of a file to write is empty");
    carom_output *made = carom_new_array(1, sizeof *made);
    if (!made)
        return carom_fail_memory(error);
    made->file.descriptor = -1;
    made->path = strdup(path);
    made->keep = keep;
    const carom_status status = made->path ? open_stream(made, error) : carom_fail_memory(error);
    if (status == CAROM_OK) {
        setvbuf(made->stream, made->buffer, _IOFBF, sizeof made->buffer);
        *output = made;
    } else
        carom_output_discard(made);
    return status;
}

FILE *carom_output_stream(carom_output *output)
{
    return output->stream;
}

bool carom_output_is_file(const carom_output *output)
{
    return !output->direct;
}

static carom_status finish(carom_output *output, carom_error *error)
{
    const bool complete = !ferror(output->stream);
    bool written = complete && fflush(output->stream) == 0;
    if (written && !output->direct)
        room_ahead_return(fileno(output->stream));
    if (written && !output->direct)
        written = fsync(fileno(output->stream)) == 0 || errno == EINVAL;
    if (complete && !written)
        output->failure = errno;
    const bool closed = fclose(output->stream) == 0;
    output->stream = NULL;
    if (written && !closed)
        output->failure = errno;
    if (!written || !closed)
        return carom_fail(error, CAROM_IO_ERROR, "writing '%s' failed: %s%s", output->path,
                          output->failure ? strerror(output->failure) : "not all of it could be written",
                          output->direct ? "" : "; what stood there is as it was");
    return output->direct ? CAROM_OK : locked_file_rename(&output->file, output->keep, error);
}

static void release(carom_output *output, bool remove)
{
    if (output->stream)
        fclose(output->stream);
    locked_file_close(&output->file, remove);
    free(output->path);
    free(output);
}

carom_status carom_output_commit(carom_output *output, carom_error *error)
{
    const carom_status status = finish(output, error);
    release(output, status != CAROM_OK);
    return status;
}

void carom_output_discard(carom_output *output)
{
    if (output)
        release(output, true);
}

carom_status carom_output_write(const char *path, bool keep, const void *bytes, size_t count,
                                carom_error *error)
{
    carom_output *output = NULL;
    const carom_status status = carom_output_open(path, keep, &output, error);
    if (status != CAROM_OK)
        return status;
    if (count > 0 && fwrite(bytes, 1, count, output->stream) != count)
        output->failure = errno; /* the commit tells */
    return carom_output_commit(output, error);
}

carom_status carom_output_try(const char *path, carom_error *error)
{
    if (is_direct(path)) /* opening a pipe waits for who reads it */
        return access(path, W_OK) == 0
                   ? CAROM_OK
                   : carom_fail(error, CAROM_BAD_INPUT, "cannot write '%s': %s", path, strerror(errno));
    carom_output *output = NULL;
    const carom_status status = carom_output_open(path, false, &output, error);
    carom_output_discard(output);
    return status;
}
