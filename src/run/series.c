#include <stdlib.h>
#include <string.h>

#include "carom/run.h"

enum {
    FIRST_CAPACITY = 64
};

static carom_row_layout layout_of(const carom_model *model, int columns, bool accelerations, bool reactions)
{
    carom_row_layout layout = {.positions = carom_model_positions(model),
                               .dof = model->dof,
                               .contacts = model->contacts,
                               .columns = columns};
    layout.q = 1;
    layout.v = layout.q + layout.positions;
    layout.energy = layout.v + layout.dof;
    layout.gap = layout.energy + 1;
    layout.impulse = layout.gap + layout.contacts;
    layout.regime = layout.impulse + CAROM_CONTACT_COMPONENTS * layout.contacts;
    layout.column = layout.regime + layout.contacts;
    layout.located = layout.column + layout.columns;
    layout.accelerations = accelerations ? layout.dof : 0;
    layout.reactions = reactions ? model->joints : 0;
    layout.acceleration = layout.located + layout.contacts;
    layout.reaction = layout.acceleration + layout.accelerations;
    layout.width = layout.reaction + layout.reactions;
    return layout;
}

carom_row_layout carom_row_layout_of(const carom_experiment *experiment)
{
    return layout_of(experiment->model, experiment->column_count, experiment->asks_accelerations,
                     experiment->asks_reactions);
}

carom_row_layout carom_row_layout_of_model(const carom_model *model)
{
    return layout_of(model, 0, false, false);
}

static carom_status grow(carom_series *series, carom_error *error)
{
    size_t capacity = series->capacity ? 2 * series->capacity : FIRST_CAPACITY;
    size_t row_bytes = (size_t)series->layout.width * sizeof(double);
    if (capacity > SIZE_MAX / 2 / row_bytes)
        return carom_fail_memory(error);
    double *rows = realloc(series->rows, capacity * row_bytes);
    if (!rows)
        return carom_fail_memory(error);
    series->rows = rows;
    series->capacity = capacity;
    return CAROM_OK;
}

/* Keeps rows 0, 2, 4, ... */
static void drop_every_other(carom_series *series)
{
    const size_t width = (size_t)series->layout.width;
    const size_t kept = (series->count + 1) / 2;
    for (size_t i = 1; i < kept; i++)
        memcpy(series->rows + i * width, series->rows + 2 * i * width, width * sizeof *series->rows);
    series->count = kept;
    series->stride *= 2;
}

static carom_status append_row(void *context, const double *row, carom_error *error)
{
    carom_series *series = context;
    if (series->layout.width <= 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the series has no layout; set series.layout = carom_row_layout_of(experiment), or "
                          "..._of_model(model), before the run");
    if (series->stride == 0)
        series->stride = 1;
    if (series->limit > 1 && series->count >= series->limit)
        drop_every_other(series);
    if (series->seen++ % series->stride != 0)
        return CAROM_OK;
    if (series->count == series->capacity) {
        carom_status status = grow(series, error);
        if (status != CAROM_OK)
            return status;
    }
    size_t width = (size_t)series->layout.width;
    memcpy(series->rows + series->count * width, row, width * sizeof *row);
    series->count++;
    return CAROM_OK;
}

carom_recorder carom_series_recorder(carom_series *series)
{
    return (carom_recorder){.context = series, .row = append_row};
}

void carom_series_free(carom_series *series)
{
    free(series->rows);
    series->rows = NULL;
    series->count = series->capacity = series->stride = series->seen = 0;
}
