/* Reading of FCLIB files, from the ground: groups, datasets and texts whose types, shapes and sizes are
 * checked against the file before memory is taken for them. */
#ifndef CAROM_IO_FCLIB_FCLIB_DATASET_H
#define CAROM_IO_FCLIB_FCLIB_DATASET_H

#include "carom/io.h"
#include "io/parts/hdf5_helpers.h"

/* The groups that hold a problem. */
enum {
    FCLIB_KINDS = 4
};
static const struct {
    const char *group;
    bool is_global, rolling;
} fclib_kind[FCLIB_KINDS] = {{"fclib_local", false, false},
                             {"fclib_global", true, false},
                             {"fclib_local_rolling", false, true},
                             {"fclib_global_rolling", true, true}};

typedef struct fclib_reader {
    const char *path;
    hid_t file;
    FILE *stream;    /* the same file, for a look at its headers */
    uint64_t base;   /* where HDF5's addresses begin */
    haddr_t end;     /* the last of them */
    hsize_t bytes;   /* of the file */
    hsize_t budget;  /* bytes that may still be taken: what such a file can hold */
    int part, parts; /* of the entries of matrices that are read */
    carom_fclib *problem;
    carom_error *error;
} fclib_reader;

typedef struct fclib_group {
    fclib_reader *in;
    hid_t id;
    char path[64]; /* for messages: "/fclib_local/W" */
} fclib_group;

/* The root of the file as a group; it is not to be closed. */
fclib_group fclib_root(fclib_reader *in);

/* "FILE: /fclib_local/W/p: ..."; name NULL: the group itself. Returns BAD_INPUT. */
carom_status fclib_bad(const fclib_group *group, const char *name, const char *format, ...)
    CAROM_PRINTF(3, 4);

bool fclib_has(const fclib_group *group, const char *name);

/* Close with fclib_close, also after a failure. */
carom_status fclib_open(const fclib_group *parent, const char *name, fclib_group *group);
void fclib_close(fclib_group *group);

/* One whole number. */
carom_status fclib_read_int(const fclib_group *group, const char *name, int *value);
/* All of a dataset. Numbers of more than 32 bits that do not fit become INT_MIN or INT_MAX; reals are
 * finite. */
carom_status fclib_read_ints(const fclib_group *group, const char *name, carom_arena *arena, int **value,
                             int *count);
carom_status fclib_read_reals(const fclib_group *group, const char *name, carom_arena *arena, double **value,
                              int *count);
/* Its length alone, after a look at its type. */
carom_status fclib_read_length(const fclib_group *group, const char *name, bool is_real, int *length);
/* Some of a dataset: `count` entries from `first` on, which it has. */
carom_status fclib_read_some_ints(const fclib_group *group, const char *name, carom_arena *arena, int first,
                                  int count, int **value);
carom_status fclib_read_some_reals(const fclib_group *group, const char *name, carom_arena *arena, int first,
                                   int count, double **value);
/* The same, of a length that is known; `of_what` says where it comes from: "one per row of W". */
carom_status fclib_read_vector(const fclib_group *group, const char *name, int length, const char *of_what,
                               double **value);
/* Stays NULL when it is not there. */
carom_status fclib_read_text(const fclib_group *group, const char *name, char **text);

#endif
