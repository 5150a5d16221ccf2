/* The last values of several expressions: measure { v = { a, b, c } }. */
#include <math.h>
#include <stdlib.h>

#include "carom/run.h"

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

static carom_status finish(void *memory, const carom_measure_output *output, carom_measured *measured,
                           carom_error *error)
{
    (void)output;
    (void)error;
    carom_measured_array(memory, measured);
    return CAROM_OK;
}

static void free_list(void *memory)
{
    free(((carom_numbers *)memory)->value);
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
    .finish = finish,
    .free = free_list,
};
