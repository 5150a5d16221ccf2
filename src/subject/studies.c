/* The registry of studies. */
#include "studies.h"

#define CAROM_REGISTRY_TYPE const carom_study_ops
CAROM_REGISTRY(registry, "study", STUDIES);

size_t carom_study_count(void)
{
    return carom_registry_count(&registry);
}

const carom_study_ops *carom_study_at(size_t index)
{
    return carom_registry_at(&registry, index);
}

const carom_study_ops *carom_study_find(const char *name, carom_error *error)
{
    return carom_registry_find(&registry, name, error);
}

carom_status carom_study_register(const carom_study_ops *study, carom_error *error)
{
    return carom_registry_add(&registry, study, error);
}
