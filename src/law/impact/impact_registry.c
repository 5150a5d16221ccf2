/* The impact laws by name. */
#include <string.h>

#include "impact_law.h"

static const carom_impact_law_ops *const table[] = {
    &carom_impact_moreau, &carom_impact_newton, &carom_impact_poisson,
    &carom_impact_binary, &carom_impact_lzb,
};

enum {
    LAW_COUNT = sizeof table / sizeof table[0],
};

size_t carom_impact_law_count(void)
{
    return LAW_COUNT;
}

const carom_impact_law_ops *carom_impact_law_at(size_t index)
{
    return index < carom_impact_law_count() ? table[index] : NULL;
}

const carom_impact_law_ops *carom_impact_law_find(const char *name, carom_error *error)
{
    const char *names[LAW_COUNT];
    for (size_t i = 0; i < carom_impact_law_count(); i++) {
        if (strcmp(table[i]->name, name) == 0)
            return table[i];
        names[i] = table[i]->name;
    }
    carom_fail_unknown("impact law", name, names, carom_impact_law_count(), error);
    return NULL;
}

const char *carom_impact_law_name(const carom_impact_law_ops *law)
{
    return law->name;
}

const char *carom_impact_law_summary(const carom_impact_law_ops *law)
{
    return law->summary;
}
