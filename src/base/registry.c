/* Registries: tables of named entries, and what is added to them while the program runs.
 *
 *   table[0] ... table[n - 1]      constant
 *   added -> next -> ... -> NULL   grows at its end only, so that readers need no lock */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "carom/base.h"

typedef struct carom_registered {
    const void *entry;
    struct carom_registered *next;
} carom_registered;

static carom_registered *follow(carom_registered *const *link)
{
    return __atomic_load_n(link, __ATOMIC_ACQUIRE);
}

/* The first member of an entry is its name, and a struct begins where its first member does. */
static const char *name_of(const void *entry)
{
    return *(const char *const *)entry;
}

size_t carom_registry_count(const carom_registry *registry)
{
    size_t count = 0;
    while (registry->table[count])
        count++;
    for (carom_registered *place = follow(&registry->added); place; place = follow(&place->next))
        count++;
    return count;
}

const void *carom_registry_at(const carom_registry *registry, size_t index)
{
    size_t at = 0;
    for (; registry->table[at]; at++)
        if (at == index)
            return registry->table[at];
    for (carom_registered *place = follow(&registry->added); place; place = follow(&place->next), at++)
        if (at == index)
            return place->entry;
    return NULL;
}

const char *carom_registry_name_at(const carom_registry *registry, size_t index)
{
    const void *entry = carom_registry_at(registry, index);
    return entry ? name_of(entry) : NULL;
}

int carom_registry_index(const carom_registry *registry, const char *name)
{
    int (*const compare)(const char *, const char *) = registry->any_case ? strcasecmp : strcmp;
    int index = 0;
    for (; registry->table[index]; index++)
        if (compare(name_of(registry->table[index]), name) == 0)
            return index;
    for (carom_registered *place = follow(&registry->added); place; place = follow(&place->next), index++)
        if (compare(name_of(place->entry), name) == 0)
            return index;
    return -1;
}

static void fail_unknown(const carom_registry *registry, const char *name, carom_error *error)
{
    const size_t count = carom_registry_count(registry);
    const char **names = carom_new_array(count, sizeof *names);
    if (!names) {
        carom_fail_memory(error);
        return;
    }
    for (size_t i = 0; i < count; i++)
        names[i] = carom_registry_name_at(registry, i);
    carom_fail_unknown(registry->what, name, names, count, error);
    free(names);
}

const void *carom_registry_find(const carom_registry *registry, const char *name, carom_error *error)
{
    const int index = name ? carom_registry_index(registry, name) : -1;
    if (index >= 0)
        return carom_registry_at(registry, (size_t)index);
    if (error) /* the text takes longer than the search */
        fail_unknown(registry, name ? name : "", error);
    return NULL;
}

carom_status carom_registry_add(carom_registry *registry, const void *entry, carom_error *error)
{
    if (!entry || !name_of(entry) || !*name_of(entry))
        return carom_fail(error, CAROM_BAD_INPUT, "a %s that is added must have a name", registry->what);
    carom_registered *place = carom_new_array(1, sizeof *place);
    if (!place)
        return carom_fail_memory(error);
    place->entry = entry;
    carom_registered **end = &registry->added;
    for (;;) {
        /* Looked up anew in every turn: another thread may have added the same name meanwhile. */
        if (carom_registry_index(registry, name_of(entry)) >= 0) {
            free(place);
            return carom_fail(error, CAROM_BAD_INPUT, "there is a %s '%s' already; take another name",
                              registry->what, name_of(entry));
        }
        carom_registered *next = NULL;
        if (__atomic_compare_exchange_n(end, &next, place, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return CAROM_OK;
        end = &next->next;
    }
}

void carom_registry_append_names(const carom_registry *registry, const char *separator, carom_text *text)
{
    const size_t count = carom_registry_count(registry);
    for (size_t i = 0; i < count; i++)
        carom_text_append(text, "%s%s", i ? separator : "", carom_registry_name_at(registry, i));
}
