/* The laws of impact by name, and their options by name. */
#include "laws.h"

#include <stdio.h>
#include <string.h>

#include "carom/law.h"

#define CAROM_REGISTRY_TYPE const carom_impact_law_ops
CAROM_SHARED_REGISTRY(carom_impact_laws, "impact law", IMPACT_LAWS);

size_t carom_impact_law_count(void)
{
    return carom_registry_count(&carom_impact_laws);
}

const carom_impact_law_ops *carom_impact_law_at(size_t index)
{
    return carom_registry_at(&carom_impact_laws, index);
}

const carom_impact_law_ops *carom_impact_law_find(const char *name, carom_error *error)
{
    return carom_registry_find(&carom_impact_laws, name, error);
}

carom_status carom_impact_law_register(const carom_impact_law_ops *law, carom_error *error)
{
    if (law && (!law->summary || !law->usage || !law->work_size || !law->solve))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "impact law '%s' is not complete: it needs summary, usage, work_size and solve",
                          law->name ? law->name : "");
    if (law && (law->option_count < 0 || (law->option_count > 0 && !law->options) ||
                law->option_count > CAROM_IMPACT_OWN_OPTIONS))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "impact law '%s' has %d options; there can be 0 to %d, with a table of them",
                          law->name ? law->name : "", law->option_count, CAROM_IMPACT_OWN_OPTIONS);
    return carom_registry_add(&carom_impact_laws, law, error);
}

carom_status carom_impact_options_resolve(const carom_impact_law_ops *law, const carom_option *list,
                                          carom_impact_options *options, carom_error *error)
{
    double value[CAROM_IMPACT_OWN_OPTIONS];
    char owner[100];
    snprintf(owner, sizeof owner, "impact law '%s'", law->name);
    const carom_status status =
        carom_options_resolve(owner, law->option_count, law->options, list, value, error);
    if (status != CAROM_OK || law->option_count == 0)
        return status;
    if (law->set)
        law->set(value, options);
    else
        memcpy(options->own, value, (size_t)law->option_count * sizeof *value);
    return CAROM_OK;
}
