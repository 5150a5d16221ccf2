#ifdef __linux__
#define _GNU_SOURCE /* sync_file_range */
#endif
#include "write_behind.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PIECE_BYTES = 1 << 23 /* a good piece for a disk, and little of a file for which it matters */
};

bool write_behind(size_t *waiting, int descriptor, size_t bytes)
{
    *waiting += bytes;
    if (*waiting < PIECE_BYTES)
        return false;
    *waiting = 0;
#ifdef __linux__
    const int before = errno;
    sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
    errno = before;
#else
    (void)descriptor;
#endif
    return true;
}

void room_ahead_take(int descriptor)
{
#ifdef __linux__
    const int before = errno;
    const off_t place = lseek(descriptor, 0, SEEK_CUR);
    if (place >= 0)
        fallocate(descriptor, FALLOC_FL_KEEP_SIZE, place, 2 * (off_t)PIECE_BYTES);
    errno = before;
#else
    (void)descriptor;
#endif
}

void room_ahead_return(int descriptor)
{
    const int before = errno;
    struct stat about;
    if (fstat(descriptor, &about) != 0 || about.st_size < PIECE_BYTES ||
        ftruncate(descriptor, about.st_size) != 0)
        errno = before; /* the file is complete as well */
}
