/* Looks at headers of objects before HDF5 does. HDF5 1.10 reads through a null pointer when the names of a
 * group claim to stand behind the end of the file, reads wild memory when a message claims that its data are
 * shared, and loses memory over a header that claims to end behind the file, of which it complains on stderr
 * when the program ends. */
#ifndef CAROM_IO_PARTS_HDF5_GUARD_H
#define CAROM_IO_PARTS_HDF5_GUARD_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* True when the header that begins at `address`, counted from `base`, its messages, wherever it goes on, and
 * the names of a group that it tells of end before `end`, and no message is shared: such files have no named
 * types. */
bool hdf5_header_fits(FILE *file, uint64_t base, uint64_t address, uint64_t end);

/* The same for the root group, before HDF5 opens the file; and its addresses have 8 bytes, as HDF5 gives them
 * unless told otherwise, and it is a file of one piece, without a driver's block. */
bool hdf5_root_fits(FILE *file);

/* What is wrong with the link `name` of a group; NULL: it is hard and leads to a header that fits. Other links may lead
 * to other files. */
const char *hdf5_link_fault(FILE *file, uint64_t base, uint64_t end, hid_t group, const char *name);

/* What is wrong with the places of a dataset's numbers; NULL: nothing. They stand in this file, not in others; chunks
 * are all there, of the size that their shape asks for, before `end`: HDF5 1.10 reads behind a buffer when a chunk says
 * that it is smaller, or when a filter makes less of it. Filters, with which a chunk's size says nothing, are refused. */
const char *hdf5_storage_fault(hid_t dataset, uint64_t end);

/* The same where chunks may also be shuffled and deflated: then each is before `end`, has whole rows, and is not larger than its
 * bytes can hold. Such numbers are for hdf5_packed_chunk, not for HDF5's own reading. */
const char *hdf5_packed_fault(hid_t dataset, uint64_t end);
bool hdf5_is_packed(hid_t dataset);

/* Unpacks the chunk at `place` of a dataset without fault, of `count` elements with `element` bytes each, to `to`; false when
 * what stands there is not that. `work` has hdf5_packed_work(bytes of the chunk) bytes; 0: too many. */
size_t hdf5_packed_work(size_t bytes);
bool hdf5_packed_chunk(hid_t dataset, const hsize_t *place, size_t count, size_t element, unsigned char *work,
                       void *to);

#endif
