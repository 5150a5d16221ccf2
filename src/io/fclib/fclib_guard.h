/* Looks at headers of objects before HDF5 does. HDF5 1.10 reads through a null pointer when the names of a
 * group claim to stand behind the end of the file, reads wild memory when a message claims that its data are
 * shared, and loses memory over a header that claims to end behind the file, of which it complains on stderr
 * when the program ends. */
#ifndef CAROM_IO_FCLIB_FCLIB_GUARD_H
#define CAROM_IO_FCLIB_FCLIB_GUARD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* True when the header that begins at `address`, counted from `base`, its messages, wherever it goes on, and
 * the names of a group that it tells of end before `end`, and no message is shared: FCLIB files have no named
 * types. */
bool fclib_header_fits(FILE *file, uint64_t base, uint64_t address, uint64_t end);

/* The same for the root group, before HDF5 opens the file; and its addresses have 8 bytes, as HDF5 gives them
 * unless told otherwise, and it is a file of one piece, without a driver's block. */
bool fclib_root_fits(FILE *file);

#endif
