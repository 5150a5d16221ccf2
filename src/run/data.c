/* Trees of numbers, lists and texts with names. */
#include <math.h>
#include <string.h>

#include "carom/run/study.h"

const carom_data *carom_data_find(const carom_data *table, const char *name)
{
    if (!table || table->kind != CAROM_DATA_TABLE)
        return NULL;
    for (const carom_data *entry = table->first; entry; entry = entry->next)
        if (entry->name && strcmp(entry->name, name) == 0)
            return entry->kind == CAROM_DATA_NONE ? NULL : entry;
    return NULL;
}

const carom_data *carom_data_at(const carom_data *table, int index)
{
    if (!table || table->kind != CAROM_DATA_TABLE || index < 0)
        return NULL;
    for (const carom_data *entry = table->first; entry; entry = entry->next)
        if (!entry->name && index-- == 0)
            return entry->kind == CAROM_DATA_NONE ? NULL : entry;
    return NULL;
}

int carom_data_length(const carom_data *data)
{
    if (data->kind == CAROM_DATA_LIST || data->kind == CAROM_DATA_MATRIX)
        return data->rows;
    int count = 0;
    for (const carom_data *entry = data->kind == CAROM_DATA_TABLE ? data->first : NULL; entry;
         entry = entry->next)
        count += entry->name == NULL;
    return count;
}

bool carom_data_element(const carom_data *data, int i, int j, double *value)
{
    switch (data->kind) {
    case CAROM_DATA_NUMBER:
    case CAROM_DATA_FLAG:
        *value = data->number;
        return i < 0 && j < 0;
    case CAROM_DATA_LIST:
        if (i < 0 || i >= data->rows || j >= 0)
            return false;
        *value = data->list[i];
        return true;
    case CAROM_DATA_MATRIX:
        if (i < 0 || i >= data->rows || j < 0 || j >= data->columns)
            return false;
        *value = data->list[(ptrdiff_t)i * data->columns + j];
        return true;
    case CAROM_DATA_TABLE: {
        const carom_data *entry = carom_data_at(data, i);
        return entry && carom_data_element(entry, j, -1, value);
    }
    default:
        return false;
    }
}

const carom_data *carom_data_row(const carom_data *data, int index, carom_data *row)
{
    if (data->kind != CAROM_DATA_MATRIX || index < 0 || index >= data->rows)
        return carom_data_at(data, index);
    *row = (carom_data){.kind = CAROM_DATA_LIST, .rows = data->columns, .columns = 1};
    row->list = data->list + (ptrdiff_t)index * data->columns;
    return row;
}

carom_data *carom_data_add(carom_arena *arena, carom_data *table, const char *name, carom_data_kind kind)
{
    carom_data *entry = carom_arena_take(arena, 1, sizeof *entry);
    if (!entry)
        return NULL;
    entry->kind = kind;
    if (name && !(entry->name = carom_arena_copy_text(arena, name)))
        return NULL;
    if (table->last)
        table->last->next = entry;
    else
        table->first = entry;
    table->last = entry;
    return entry;
}

bool carom_data_copy(carom_arena *arena, const carom_data *from, carom_data *to)
{
    const char *name = to->name;
    struct carom_data *next = to->next;
    *to = *from;
    to->name = name;
    to->next = next;
    to->first = to->last = NULL;
    if (from->text && !(to->text = carom_arena_copy_text(arena, from->text)))
        return false;
    if (from->list) {
        const size_t count = (size_t)from->rows * (size_t)from->columns;
        to->list = carom_arena_take(arena, count, sizeof *to->list);
        if (!to->list)
            return false;
        memcpy(to->list, from->list, count * sizeof *to->list);
    }
    for (const carom_data *entry = from->kind == CAROM_DATA_TABLE ? from->first : NULL; entry;
         entry = entry->next) {
        carom_data *copy = carom_data_add(arena, to, entry->name, entry->kind);
        if (!copy || !carom_data_copy(arena, entry, copy))
            return false;
    }
    return true;
}
