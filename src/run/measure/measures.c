/* The measures by name, and what they make their results with. */
#include "measures.h"

#include <limits.h>
#include <stdlib.h>

#define CAROM_REGISTRY_TYPE const carom_measure_ops
CAROM_REGISTRY(measures, "measure", MEASURES);

size_t carom_measure_count(void)
{
    return carom_registry_count(&measures);
}

const carom_measure_ops *carom_measure_at(size_t index)
{
    return carom_registry_at(&measures, index);
}

const carom_measure_ops *carom_measure_find(const char *name, carom_error *error)
{
    return carom_registry_find(&measures, name, error);
}

carom_status carom_measure_register(const carom_measure_ops *ops, carom_error *error)
{
    if (ops && (!ops->summary || !ops->example || !ops->take || !ops->finish))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "measure '%s' is not complete: it needs summary, example, take and finish",
                          ops->name ? ops->name : "");
    int keys = 0;
    while (ops && ops->keys && ops->keys[keys].name)
        keys++;
    if (keys > CAROM_MEASURE_ARGUMENTS)
        return carom_fail(error, CAROM_BAD_INPUT, "measure '%s' has %d named arguments; there can be %d",
                          ops->name ? ops->name : "", keys, CAROM_MEASURE_ARGUMENTS);
    return carom_registry_add(&measures, ops, error);
}

carom_status carom_measured_number(double value, carom_measured *measured, carom_error *error)
{
    measured->value = carom_new_array(1, sizeof value);
    if (!measured->value)
        return carom_fail_memory(error);
    measured->value[0] = value;
    measured->count = 1;
    return CAROM_OK;
}

carom_status carom_numbers_append(carom_numbers *list, double value, carom_error *error)
{
    if (list->length == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 16;
        double *larger = capacity <= INT_MAX ? realloc(list->value, capacity * sizeof *larger) : NULL;
        if (!larger)
            return carom_fail_memory(error);
        list->value = larger;
        list->capacity = capacity;
    }
    list->value[list->length++] = value;
    return CAROM_OK;
}

void carom_measured_array(carom_numbers *list, carom_measured *measured)
{
    *measured = (carom_measured){.count = (int)list->length, .is_array = true, .value = list->value};
    *list = (carom_numbers){0};
}
