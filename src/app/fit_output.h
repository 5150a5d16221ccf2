/* What `carom fit` reads and shows: files of data, text, JSON, a table, a picture. */
#ifndef CAROM_APP_FIT_OUTPUT_H
#define CAROM_APP_FIT_OUTPUT_H

#include "carom/survey/fit.h"
#include "command.h"

/* What stands in which column. */
typedef struct fit_columns {
    const char *time; /* NULL: t, or time, or the first */
    bool events;      /* the column of times holds times of impacts */
    int count;
    const carom_override *map;   /* column and formula */
    const carom_override *sigma; /* per column: name and a number or a column; name NULL: not known */
} fit_columns;

/* Reads one --data: FILE or FILE:name=value,name=column,... into the arena. */
carom_status read_fit_data(carom_arena *arena, const char *given, const fit_columns *columns,
                           carom_fit_data *data, carom_error *error);

/* A fit with what goes with it. */
typedef struct fit_output {
    const carom_experiment *experiment;
    const carom_fit_request *request;
    const carom_fit *fit;
    const char *const *column; /* names of the columns, one per output */
} fit_output;

void print_fit_text(const fit_output *output);
void print_fit_json(const fit_output *output);
/* Lines of data, fit and residual. */
carom_status write_fit_table(const fit_output *output, const char *path, carom_error *error);
/* Draws fit.png and .svg, with script (.gp) and data (.dat), into the directory, which is made. */
carom_status draw_fit(const fit_output *output, const char *directory, carom_error *error);

/* The time of a row; of data by events the number of the impact. */
static inline double fit_row_time(const fit_output *output, int data, int row)
{
    const carom_fit_data *of = &output->request->data[data];
    return output->request->events ? row + 1.0 : of->t[row];
}

#endif
