/* The table of a sweep as CSV: a header line with names, then a line per point. */
#include <errno.h>
#include <math.h>

#include "csv_cells.h"

static void put_number(FILE *stream, double value)
{
    if (!isnan(value))
        fprintf(stream, "%.17g", value);
}

static void put_axis_value(FILE *stream, const char *value)
{
    double number;
    if (carom_parse_number(value, &number))
        put_number(stream, number);
    else
        csv_put_text(stream, "", value, "");
}

static void put_measured(FILE *stream, const carom_measured *measured)
{
    for (int i = 0; i < measured->count; i++) {
        if (i > 0)
            fputc(';', stream);
        put_number(stream, measured->value[i]);
    }
}

static void put_header(FILE *stream, const carom_sweep *sweep)
{
    for (int i = 0; i < sweep->axis_count; i++) {
        csv_put_text(stream, "", sweep->axis[i].name, "");
        fputc(',', stream);
    }
    fputs("status,steps,wall_s,trusted", stream);
    for (int i = 0; i < sweep->measure_count; i++) {
        fputc(',', stream);
        csv_put_text(stream, "", sweep->measure[i], "");
    }
    fputc('\n', stream);
}

/* A point that was not reached has its place and its status only. */
static void put_point(FILE *stream, const carom_sweep *sweep, int index)
{
    const carom_sweep_point *point = &sweep->point[index];
    const int last = sweep->axis[sweep->axis_count - 1].count;
    for (int i = 0; i < sweep->axis_count; i++) {
        const int place = i == sweep->axis_count - 1 ? index % last : index / last;
        put_axis_value(stream, sweep->axis[i].value[place]);
        fputc(',', stream);
    }
    csv_put_text(stream, "", point->word, "");
    if (point->done)
        fprintf(stream, ",%ld,%.17g,%s", point->steps, point->wall_seconds,
                point->trusted ? "true" : "false");
    else
        fputs(",,,", stream);
    for (int i = 0; i < sweep->measure_count; i++) {
        fputc(',', stream);
        put_measured(stream, &point->measure[i]);
    }
    fputc('\n', stream);
}

carom_status carom_sweep_write_csv(FILE *stream, const carom_sweep *sweep, carom_error *error)
{
    const carom_number_format numbers = carom_numbers_begin();
    errno = 0;
    put_header(stream, sweep);
    for (int i = 0; i < sweep->point_count; i++)
        put_point(stream, sweep, i);
    fflush(stream);
    carom_numbers_end(numbers);
    return csv_check_stream(stream, errno, error);
}
