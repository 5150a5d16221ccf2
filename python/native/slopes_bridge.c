#include "slopes_bridge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void take_slopes(void *context, const double *rows)
{
    ((carom_python_slopes *)context)->next = rows;
}

static carom_status take_row(void *context, const double *row, carom_error *error)
{
    (void)row;
    carom_python_slopes *slopes = context;
    const size_t numbers = (size_t)slopes->names * (size_t)slopes->width;
    if (slopes->count == slopes->capacity) {
        const size_t capacity = slopes->capacity > 0 ? 2 * slopes->capacity : 64;
        double *grown = numbers > 0 && capacity > SIZE_MAX / sizeof(double) / numbers
                            ? NULL
                            : realloc(slopes->rows, (capacity * numbers + 1) * sizeof *grown);
        if (!grown)
            return carom_fail(error, CAROM_NO_MEMORY, "out of memory for the derivatives of %zu outputs",
                              capacity);
        slopes->rows = grown;
        slopes->capacity = capacity;
    }
    double *to = slopes->rows + slopes->count * numbers;
    for (size_t i = 0; i < numbers; i++)
        to[i] = slopes->next ? slopes->next[i] : NAN;
    slopes->next = NULL;
    slopes->count++;
    return CAROM_OK;
}

carom_recorder carom_python_slopes_recorder(carom_python_slopes *slopes)
{
    return (carom_recorder){.context = slopes, .row = take_row, .slopes = take_slopes};
}

void carom_python_slopes_free(carom_python_slopes *slopes)
{
    free(slopes->rows);
    slopes->rows = NULL;
    slopes->count = slopes->capacity = 0;
}
