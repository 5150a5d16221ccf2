/* What the writer and the reader of run files share: the parts of a series.
 *
 *   /            carom_version, format, name, file, variant; dataset model
 *   /main        scheme, status, message, h, t0, t_end, until, steps
 *     parameters   one attribute each
 *     options      of the scheme, one attribute each
 *     series       t [N], q [N,n], v [N,n], energy [N], gap [N,c], impulse [N,c,3], branch [N,c],
 *                  record [N,k]
 *     measures     a dataset each
 *     sensitivity  method, why, error, breaks, break_1_t, break_1_why, ...; a group per name, with its index: q, v, record,
 *                  measures at the end; series as that of the run
 *   /family/0    as main
 *   /family/1    ...
 *
 * Parts of zero width (no contacts, no record) have no dataset. */
#ifndef CAROM_IO_RUN_FILE_RUN_FILE_PARTS_H
#define CAROM_IO_RUN_FILE_RUN_FILE_PARTS_H

#include "carom/io.h"
#include "io/parts/hdf5_guard.h"
#include "io/parts/hdf5_helpers.h"

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
/* Of rows that have selected columns alone, the time first. */
void run_file_parts_kept(int columns, run_file_part part[RUN_FILE_PARTS]);

#endif
