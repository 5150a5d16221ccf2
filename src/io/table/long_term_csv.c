/* Tables of bifurcation diagrams and basins as CSV. */
#include "carom/io/long_term.h"

#include <errno.h>
#include <math.h>

#include "csv_cells.h"

static void put_number(FILE *stream, double value)
{
    fputc(',', stream);
    if (!isnan(value))
        fprintf(stream, "%.17g", value);
}

static void put_state_names(FILE *stream, const carom_model *model)
{
    for (int i = 0; i < carom_model_positions(model); i++) {
        fputc(',', stream);
        csv_put_text(stream, "", model->coordinate[i], "");
    }
    for (int i = 0; i < model->dof; i++) {
        fputc(',', stream);
        csv_put_text(stream, "v:", carom_model_velocity_name(model, i), "");
    }
}

/* ---- bifurcation ------------------------------------------------------------------------------------------ */

static void put_value(FILE *stream, const carom_diagram *diagram, int course,
                      const carom_diagram_point *point)
{
    const int width = diagram->positions + diagram->dof;
    for (int k = 0; k == 0 || k < point->count; k++) {
        fprintf(stream, "%s,%d,%.17g,%s", carom_diagram_is_down(diagram, course) ? "down" : "up",
                course / diagram->directions + 1, point->value,
                point->done ? carom_return_word(point->end) : "interrupted");
        if (k < point->count) {
            fprintf(stream, ",%d,%d", point->period, point->impacts[k]);
            put_number(stream, point->t[k]);
            for (int i = 0; i < width; i++)
                put_number(stream, point->state[(ptrdiff_t)k * width + i]);
        } else {
            for (int i = 0; i < 3 + width; i++)
                fputc(',', stream);
        }
        fputc('\n', stream);
    }
}

carom_status carom_diagram_write_csv(FILE *stream, const char *parameter, const carom_diagram *diagram,
                                     carom_error *error)
{
    const carom_number_format numbers = carom_numbers_begin();
    errno = 0;
    fputs("direction,start,", stream);
    csv_put_text(stream, "", parameter, "");
    fputs(",status,period,impacts,t", stream);
    put_state_names(stream, diagram->model);
    fputc('\n', stream);
    for (int course = 0; course < diagram->courses; course++)
        for (int place = 0; place < diagram->points; place++)
            put_value(stream, diagram, course, carom_diagram_at(diagram, course, place));
    fflush(stream);
    carom_numbers_end(numbers);
    return csv_check_stream(stream, errno, error);
}

/* ---- basins --------------------------------------------------------------------------------------------------- */

static void put_cell(FILE *stream, const carom_basin *basin, int index)
{
    const carom_basin_cell *cell = &basin->cell[index];
    const int fast = basin->axis[basin->axis_count - 1].count;
    for (int i = 0; i < basin->axis_count; i++) {
        const int place = i == basin->axis_count - 1 ? index % fast : index / fast;
        fprintf(stream, "%.17g,", carom_basin_axis_value(&basin->axis[i], place));
    }
    if (!basin->done[index / basin->block]) {
        fputs("interrupted,,,", stream);
        for (int i = 0; i < basin->state; i++)
            fputc(',', stream);
        fputc('\n', stream);
        return;
    }
    fputs(carom_basin_end_word((carom_basin_end)cell->end), stream);
    fputc(',', stream);
    if (cell->attractor >= 0)
        fprintf(stream, "%d", cell->attractor + 1);
    fputc(',', stream);
    if (cell->period > 0)
        fprintf(stream, "%d", cell->period);
    fputc(',', stream);
    if (cell->period > 0)
        fprintf(stream, "%d", cell->impacts);
    for (int i = 0; i < basin->state; i++)
        put_number(stream,
                   cell->end == CAROM_BASIN_OUTSIDE ? NAN : basin->last[(ptrdiff_t)index * basin->state + i]);
    fputc('\n', stream);
}

carom_status carom_basin_write_csv(FILE *stream, const char *const *axis, const carom_basin *basin,
                                   carom_error *error)
{
    const carom_number_format numbers = carom_numbers_begin();
    errno = 0;
    for (int i = 0; i < basin->axis_count; i++) {
        csv_put_text(stream, "start ", axis[i], "");
        fputc(',', stream);
    }
    fputs("end,attractor,period,impacts", stream);
    put_state_names(stream, basin->model);
    fputc('\n', stream);
    for (int i = 0; i < basin->cells; i++)
        put_cell(stream, basin, i);
    fflush(stream);
    carom_numbers_end(numbers);
    return csv_check_stream(stream, errno, error);
}
