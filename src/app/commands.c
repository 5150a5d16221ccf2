/* The commands by name. */
#include <stdlib.h>

#include "command.h"

#define CAROM_REGISTRY_TYPE const command
CAROM_REGISTRY(commands, "command", COMMANDS);

size_t command_count(void)
{
    return carom_registry_count(&commands);
}

const command *command_at(size_t index)
{
    return carom_registry_at(&commands, index);
}

const command *command_find(const char *name, const char **nearest)
{
    const int index = carom_registry_index(&commands, name);
    if (index >= 0)
        return command_at((size_t)index);
    const char **names = nearest ? carom_new_array(command_count(), sizeof *names) : NULL;
    for (size_t i = 0; names && i < command_count(); i++)
        names[i] = command_at(i)->name;
    if (nearest)
        *nearest = names ? carom_nearest_name(name, names, command_count()) : NULL;
    free(names);
    return NULL;
}
