/* Long files go to the disk while they are written. The system would keep their pages until fsync asks for the whole file, at its
 * end, and whoever calls that would wait for all of it. */
#ifndef CAROM_IO_PARTS_WRITE_BEHIND_H
#define CAROM_IO_PARTS_WRITE_BEHIND_H

#include <stdbool.h>
#include <stddef.h>

/* So many bytes more are in the file; *waiting counts those that the disk has not been asked to take yet, and is 0 at first.
 * Waits for nothing and leaves errno alone: whether bytes arrive is not known before fsync tells. Does nothing for what is no
 * plain file, and where the system has no call for it. Returns true when the disk was asked, once in some megabytes. */
bool write_behind(size_t *waiting, int descriptor, size_t bytes);

/* Asks for room on the disk behind the place where the file is written, more than comes until write_behind asks next: the system
 * finds it at once then, and not for each page. Whether it is there does not matter, and errno stays. */
void room_ahead_take(int descriptor);
/* Gives back what a file that is complete has not needed of it. */
void room_ahead_return(int descriptor);

#endif
