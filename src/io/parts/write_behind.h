/* Long files go to the disk while they are written. The system would keep their pages until fsync asks for the whole file, at its
 * end, and whoever calls that would wait for all of it. */
#ifndef CAROM_IO_PARTS_WRITE_BEHIND_H
#define CAROM_IO_PARTS_WRITE_BEHIND_H

#include <stddef.h>

/* So many bytes more are in the file; *waiting counts those that the disk has not been asked to take yet, and is 0 at first.
 * Waits for nothing and leaves errno alone: whether bytes arrive is not known before fsync tells. Does nothing for what is no
 * plain file, and where the system has no call for it. */
void write_behind(size_t *waiting, int descriptor, size_t bytes);

#endif
