/* The rows of a run on their way to the datasets of its group `series`: each part is gathered from the rows as they come, and
 * stored a chunk at a time.
 *
 *   rows      t q v energy gap ...        part      t t t t ...      one dataset each, a chunk of it
 *             t q v energy gap ...   ->             q q q q ...
 */
#ifndef CAROM_IO_RUN_FILE_RUN_FILE_ROWS_H
#define CAROM_IO_RUN_FILE_RUN_FILE_ROWS_H

#include "run_file_content.h"

typedef struct run_file_rows {
    carom_row_layout layout;
    run_file_part part[RUN_FILE_PARTS];
    hid_t dataset[RUN_FILE_PARTS]; /* -1 for parts of zero width, and before they are created */
    bool compressed;
    int columns; /* selected ones; 0: all that run files have */
    const carom_table_column *column;
    size_t width; /* of a row as it is counted for chunks: layout.width, or the selected columns */
    void *chunk
        [RUN_FILE_PARTS]; /* chunk_rows of each part, as they stand in the file; NULL where its width is zero */
    void *work;           /* as large as the largest of them */
    size_t chunk_rows;
    size_t filled; /* rows in the chunk */
    size_t stored; /* the first of them that are in the file already */
    hsize_t chunk_start;
} run_file_rows;

/* Memory for chunks that suit a run of `expected` rows; 0: not known. */
carom_status run_file_rows_take(run_file_rows *self, const carom_row_layout *layout, size_t expected,
                                bool compressed, carom_error *error);
/* The same for rows of selected columns, which must stay; given and read back are whole rows of the layout. */
carom_status run_file_rows_take_selected(run_file_rows *self, const carom_row_layout *layout, int columns,
                                         const carom_table_column *column, size_t expected, bool compressed,
                                         carom_error *error);
void run_file_rows_free(run_file_rows *self);

/* The datasets in the group of the run. */
bool run_file_rows_create(run_file_rows *self, hid_t run, const carom_experiment *experiment);

/* Keeps up to `count` more rows, as many as the chunk takes, and tells how many; a whole chunk must be stored before others
 * follow. */
size_t run_file_rows_add(run_file_rows *self, size_t count, const double *rows);

static inline bool run_file_rows_whole(const run_file_rows *self)
{
    return self->filled == self->chunk_rows;
}

static inline size_t run_file_rows_bytes(const run_file_rows *self)
{
    return self->chunk_rows * self->width * sizeof(double);
}

/* Stores what is not in the file yet, and begins a new chunk when this one is whole. Where rows are compressed, parts of a
 * chunk wait until it is whole, or `last`: their bytes, and so the file, would depend on when they are stored. */
bool run_file_rows_store(run_file_rows *self, bool last);

/* Gives rows back, `count` from number `first` on, that were kept before; what the file does not store is NAN. */
bool run_file_rows_read(const run_file_rows *self, size_t first, size_t count, double *to);

#endif
