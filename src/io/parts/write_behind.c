#ifdef __linux__
#define _GNU_SOURCE /* sync_file_range */
#endif
#include "write_behind.h"

#include <errno.h>
#include <fcntl.h>

enum {
    PIECE_BYTES = 1 << 23 /* a good piece for a disk, and little of a file for which it matters */
};

void write_behind(size_t *waiting, int descriptor, size_t bytes)
{
    *waiting += bytes;
    if (*waiting < PIECE_BYTES)
        return;
    *waiting = 0;
#ifdef __linux__
    const int before = errno;
    sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
    errno = before;
#else
    (void)descriptor;
#endif
}
