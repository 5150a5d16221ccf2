/* HDF5 for all files that carom writes: attributes, groups, datasets, and files that are written as a whole. No times
 * are stored: the same content gives the same bytes. */
#ifndef CAROM_IO_PARTS_HDF5_HELPERS_H
#define CAROM_IO_PARTS_HDF5_HELPERS_H

#include <hdf5.h>

#include "carom/base.h"

/* HDF5 prints its error stack by default: a library must not. Silence around every call that uses HDF5. */
typedef struct hdf5_quiet {
    H5E_auto2_t function;
    void *data;
} hdf5_quiet;

hdf5_quiet hdf5_silence(void);
void hdf5_restore(hdf5_quiet quiet);

/* HDF5 1.10 does not survive a small allocation of its own that fails. Before it reads a file, what it needs for one, and
 * `bytes` more, are asked for and given back; NO_MEMORY when they are not there. */
carom_status hdf5_reserve(size_t bytes, carom_error *error);

/* The innermost description on HDF5's error stack. */
void hdf5_reason(char *text, size_t size);

/* Attributes; one that exists is replaced. False when HDF5 fails. */
bool hdf5_put_text(hid_t place, const char *name, const char *text);
bool hdf5_put_number(hid_t place, const char *name, double value);
bool hdf5_put_integer(hid_t place, const char *name, long long value);
bool hdf5_put_names(hid_t place, const char *name, const char *const *names, int count);

hid_t hdf5_create_group(hid_t place, const char *name);
/* A fixed-length string type of this many bytes. */
hid_t hdf5_text_type(size_t bytes, H5T_cset_t letters);

/* Datasets, in the functions below, too: the name may hold slashes; they become colons. False when HDF5 fails, or when
 * the space is none. NULL: no elements to write. */
bool hdf5_put_dataset(hid_t place, const char *name, hid_t file_type, hid_t memory_type, hid_t space,
                      const void *elements);
/* Lists. */
bool hdf5_put_ints(hid_t place, const char *name, int count, const int *value);
bool hdf5_put_reals(hid_t place, const char *name, int count, const double *value);
/* One text, its end included. */
bool hdf5_put_text_dataset(hid_t place, const char *name, H5T_cset_t letters, const char *text);
/* Texts (NULL: empty) of one length, filled up with zero bytes. */
bool hdf5_put_texts(hid_t place, const char *name, hid_t space, const char *const *text, int count);

/* A file that is made in memory and written as a whole: HDF5 does not survive a full disk, stdio does. */
typedef struct hdf5_whole_file {
    const char *path;
    const char *kind; /* "sweep file": for messages */
    bool keep;        /* one that is there */
    bool (*fill)(hid_t file, const void *content);
    const void *content;
} hdf5_whole_file;

carom_status hdf5_write_whole(const hdf5_whole_file *whole, carom_error *error);

#endif
