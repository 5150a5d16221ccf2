/* Shared by the files that read run files: where the reader is, and how it complains. */
#ifndef CAROM_IO_RUN_FILE_RUN_FILE_READER_H
#define CAROM_IO_RUN_FILE_RUN_FILE_READER_H

#include "run_file_parts.h"

typedef struct run_file_reader {
    const char *path;
    const char *group; /* the part of the file being read, for messages: "/", "/main", "/family/3" */
    hid_t file;
    FILE *stream;  /* the same file, for a look at its headers */
    haddr_t end;   /* of HDF5's addresses */
    hsize_t bytes; /* of the file */
    carom_run_file *run;
    carom_error *error;
} run_file_reader;

/* Fills the error: "the run file x.h5 is incomplete or damaged: /main/q: has the wrong number ...". */
carom_status run_file_damaged(const run_file_reader *in, const char *name, const char *what);

/* Group or dataset `name` of a place, looked at before HDF5 opens it; -1, with the error filled, when it is missing,
 * damaged, or stands in another file. */
hid_t run_file_open_group(const run_file_reader *in, hid_t place, const char *name);
hid_t run_file_open_dataset(const run_file_reader *in, hid_t place, const char *name);
/* The same for rows, which may be packed (hdf5_packed_fault). */
hid_t run_file_open_rows(const run_file_reader *in, hid_t place, const char *name);

carom_status run_file_read_text(const run_file_reader *in, hid_t place, const char *name, char **text);
carom_status run_file_read_number(const run_file_reader *in, hid_t place, const char *name, double *value);

/* Reads what pictures need of the events of a run; none where the file has none. */
carom_status run_file_read_points(const run_file_reader *in, hid_t run, const carom_row_layout *layout,
                                  carom_event_points *points);

/* Reads certificate and measures, where the file has them. */
carom_status run_file_read_results(const run_file_reader *in, hid_t run, carom_run_member *member);

/* A dataset that is a measure: a number or a list, by its name; and all of a group. */
carom_status run_file_read_measure(const run_file_reader *in, hid_t group, carom_run_measure *measure);
carom_status run_file_read_measures(const run_file_reader *in, hid_t group, int *count,
                                    carom_run_measure **measure);

/* Reads derivatives, where the file has some: run_file_sensitivity.c. Their series are to be freed, also on failure. */
carom_status run_file_read_sensitivity(const run_file_reader *in, hid_t run, carom_run_sensitivity *to);

/* Reads the group `series` of a run. On failure the series may hold rows that the caller frees. */
carom_status run_file_read_series(const run_file_reader *in, hid_t run, carom_series *series);

#endif
