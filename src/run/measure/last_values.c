/* The last values of several expressions: measure { v = { a, b, c } }. */
#include <math.h>

#include "numbers.h"

static carom_status start_list(void *memory, const carom_measure_start *start, carom_error *error)
{
    for (int i = 0; i < start->measure->list_count; i++)
        if (carom_numbers_append(memory, NAN, error) != CAROM_OK)
            return CAROM_NO_MEMORY;
    return CAROM_OK;
}

static carom_status take(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    const carom_measure *measure = output->start->measure;
    carom_numbers *list = memory;
    for (int i = 0; i < measure->list_count; i++)
        list->value[i] = output->column[measure->list[i]];
    return CAROM_OK;
}

const carom_measure_ops carom_reduce_list = {
    .name = "list",
    .summary = "array: last values of several expressions",
    .example = "{ x, y }",
    .subject = CAROM_MEASURE_OF_LIST,
    .hidden = true,
    .is_array = true,
    .memory = sizeof(carom_numbers),
    .start = start_list,
    .take = take,
    .finish = numbers_finish,
    .free = numbers_free,
    .keep = numbers_keep,
    .slope = CAROM_SLOPE_LINEAR,
};
