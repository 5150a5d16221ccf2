/* The friction laws by name. */
#include "laws.h"

#include "carom/law.h"

#define CAROM_REGISTRY_TYPE const carom_friction_law_ops
CAROM_REGISTRY(laws, "friction law", FRICTION_LAWS);

size_t carom_friction_law_count(void)
{
    return carom_registry_count(&laws);
}

const carom_friction_law_ops *carom_friction_law_at(size_t index)
{
    return carom_registry_at(&laws, index);
}

const carom_friction_law_ops *carom_friction_law_find(const char *name, carom_error *error)
{
    return carom_registry_find(&laws, name, error);
}

carom_status carom_friction_law_register(const carom_friction_law_ops *law, carom_error *error)
{
    if (law && (!law->usage || !law->set))
        return carom_fail(error, CAROM_BAD_INPUT, "friction law '%s' is not complete: it needs usage and set",
                          carom_friction_name(law));
    return carom_registry_add(&laws, law, error);
}

const char *carom_friction_name(const carom_friction_law_ops *law)
{
    return law && law->name ? law->name : "none";
}
