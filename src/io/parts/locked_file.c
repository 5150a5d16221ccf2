#define _XOPEN_SOURCE 700 /* realpath */
#include "locked_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TRIES = 100
};

/* Where the path leads: a link is not to be replaced by a file. */
static char *resolve(const char *path)
{
    char *real = realpath(path, NULL);
    return real ? real : strdup(path);
}

static char *join(const char *target, const char *suffix)
{
    const size_t length = strlen(target) + strlen(suffix) + 1;
    char *path = carom_new_array(length, 1);
    if (path)
        snprintf(path, length, "%s%s", target, suffix);
    return path;
}

/* The descriptor still is the file of that name: who had it before may have given it another one. */
static bool is_still(int descriptor, const char *path)
{
    struct stat open_one, named;
    return fstat(descriptor, &open_one) == 0 && stat(path, &named) == 0 && open_one.st_ino == named.st_ino &&
           open_one.st_dev == named.st_dev;
}

static bool is_locked_by_other(int failure)
{
    return failure == EWOULDBLOCK; /* others: a file system without locks */
}

static carom_status open_locked(locked_file *file, carom_error *error)
{
    for (int i = 0; i < TRIES; i++) {
        file->descriptor = open(file->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (file->descriptor < 0)
            return carom_fail(error, errno == ENOMEM ? CAROM_NO_MEMORY : CAROM_BAD_INPUT,
                              "cannot write '%s': %s", file->target, strerror(errno));
        struct stat info;
        if (fstat(file->descriptor, &info) != 0 || !S_ISREG(info.st_mode))
            return carom_fail(error, CAROM_BAD_INPUT, "cannot write '%s': '%s' is there and is no plain file",
                              file->target, file->path);
        if (flock(file->descriptor, LOCK_EX | LOCK_NB) != 0 && is_locked_by_other(errno))
            return carom_fail(
                error, CAROM_IO_ERROR,
                "'%s' is being written by another process, which holds '%s'; wait for it, or give another "
                "name",
                file->target, file->path);
        if (is_still(file->descriptor, file->path))
            return CAROM_OK;
        close(file->descriptor);
        file->descriptor = -1;
    }
    return carom_fail(error, CAROM_IO_ERROR, "'%s' is being written by other processes", file->target);
}

carom_status locked_file_open(const char *target, const char *suffix, locked_file *file, carom_error *error)
{
    *file = (locked_file){.descriptor = -1, .target = resolve(target)};
    file->path = file->target ? join(file->target, suffix) : NULL;
    struct stat info;
    carom_status status = file->path ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK && stat(file->target, &info) == 0 && !S_ISREG(info.st_mode))
        status = carom_fail(error, CAROM_BAD_INPUT, "cannot write '%s': it is %s", target,
                            S_ISDIR(info.st_mode) ? "a directory" : "not a regular file");
    if (status == CAROM_OK && stat(file->target, &info) == 0 && access(file->target, W_OK) != 0)
        status = carom_fail(error, errno == ENOMEM ? CAROM_NO_MEMORY : CAROM_BAD_INPUT,
                            "cannot write '%s': %s", target, strerror(errno));
    if (status == CAROM_OK)
        status = open_locked(file, error);
    if (status != CAROM_OK)
        locked_file_close(file, false);
    return status;
}

/* Without replacing anything, also when another process is as far at the same moment. */
static bool rename_new(const locked_file *file)
{
    if (link(file->path, file->target) == 0)
        return unlink(file->path) == 0;
    if (errno == EEXIST)
        return false;
    struct stat info; /* a file system without links */
    if (stat(file->target, &info) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(file->path, file->target) == 0;
}

carom_status locked_file_rename(locked_file *file, bool keep, carom_error *error)
{
    struct stat old;
    errno = 0;
    if (keep && !rename_new(file))
        return errno == EEXIST ? carom_fail(error, CAROM_BAD_INPUT,
                                            "%s is there already and is not overwritten", file->target)
                               : carom_fail(error, CAROM_IO_ERROR, "cannot write '%s': %s", file->target,
                                            strerror(errno));
    file->named = keep;
    if (keep)
        return CAROM_OK;
    if (stat(file->target, &old) == 0 && fchmod(file->descriptor, old.st_mode & 07777) != 0)
        return carom_fail(error, CAROM_IO_ERROR, "cannot write '%s': %s", file->target, strerror(errno));
    if (rename(file->path, file->target) != 0)
        return carom_fail(error, CAROM_IO_ERROR, "cannot write '%s': %s", file->target, strerror(errno));
    file->named = true;
    return CAROM_OK;
}

void locked_file_close(locked_file *file, bool remove)
{
    if (remove && file->path && file->descriptor >= 0 && !file->named)
        unlink(file->path);
    if (file->path && file->descriptor >= 0)
        close(file->descriptor); /* which gives up the lock */
    free(file->path);
    free(file->target);
    *file = (locked_file){.descriptor = -1};
}
