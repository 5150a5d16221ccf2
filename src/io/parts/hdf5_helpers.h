/* What the writer and the reader of run files share: the parts of a series, and small HDF5 calls.
 *
 *   /            carom_version, format, name, file, variant; dataset model
 *   /main        scheme, status, message, h, t0, t_end, until, steps
 *     parameters   one attribute each
 *     options      of the scheme, one attribute each
 *     series       t [N], q [N,n], v [N,n], energy [N], gap [N,c], impulse [N,c,3], branch [N,c],
 *                  record [N,k]
 *     measures     a dataset each
 *   /family/0    as main
 *   /family/1    ...
 *
 * Parts of zero width (no contacts, no record) have no dataset. */
#ifndef CAROM_IO_PARTS_HDF5_HELPERS_H
#define CAROM_IO_PARTS_HDF5_HELPERS_H

#include <hdf5.h>

#include "carom/io.h"

enum {
    RUN_FILE_FORMAT = 1,
    RUN_FILE_PARTS = 8
};

/* One dataset of a series, and where its entries are in a row. */
typedef struct run_file_part {
    const char *name;
    int offset, width;
    int rank;         /* of the dataset; extent 0 is the rows */
    hsize_t inner[2]; /* extents after the rows */
    bool bytes;       /* stored as unsigned bytes instead of doubles */
} run_file_part;

void run_file_parts(const carom_row_layout *layout, run_file_part part[RUN_FILE_PARTS]);

/* HDF5 prints its error stack by default: a library must not. Silence around every call that uses HDF5. */
typedef struct hdf5_quiet {
    H5E_auto2_t function;
    void *data;
} hdf5_quiet;

hdf5_quiet hdf5_silence(void);
void hdf5_restore(hdf5_quiet quiet);

/* The innermost description on HDF5's error stack. */
void hdf5_reason(char *text, size_t size);

/* Attributes; one that exists is replaced. False when HDF5 fails. */
bool hdf5_put_text(hid_t place, const char *name, const char *text);
bool hdf5_put_number(hid_t place, const char *name, double value);
bool hdf5_put_integer(hid_t place, const char *name, long long value);
bool hdf5_put_names(hid_t place, const char *name, char *const *names, int count);

/* A group, and a dataset with its elements (NULL: none to write), both without times, so that the same
 * content gives the same bytes. The dataset's name may hold slashes; they become colons. */
hid_t hdf5_create_group(hid_t place, const char *name);
bool hdf5_put_dataset(hid_t place, const char *name, hid_t file_type, hid_t memory_type, hid_t space,
                      const void *elements);

/* A fixed-length UTF-8 string type of this many bytes. */
hid_t hdf5_text_type(size_t bytes);

#endif
