#include "fclib_matrix.h"

#include <stdlib.h>

typedef struct matrix_parts {
    int rows, columns, nz;
    int p_count, i_count, x_count; /* as the file has them */
    int first, count;              /* entries that are read: all, or those of a part */
    int *p, *i;                    /* p of compressed matrices: all */
    double *x;
} matrix_parts;

/* Where part `part` of `count` things begins. */
static int first_of(const fclib_reader *in, int count, int part)
{
    return (int)((long long)count * part / in->parts);
}

static carom_status check_range(const fclib_group *group, const char *name, const char *kind,
                                const matrix_parts *parts, const int *index, int limit)
{
    for (int k = 0; k < parts->count; k++)
        if (index[k] < 0 || index[k] >= limit)
            return fclib_bad(group, name, "entry %d, a %s index, is %d, out of range 0..%d", parts->first + k,
                             kind, index[k], limit - 1);
    return CAROM_OK;
}

static carom_status read_entries_of(const fclib_group *group, carom_arena *scratch, matrix_parts *parts)
{
    const carom_status status =
        fclib_read_some_ints(group, "i", scratch, parts->first, parts->count, &parts->i);
    return status == CAROM_OK
               ? fclib_read_some_reals(group, "x", scratch, parts->first, parts->count, &parts->x)
               : status;
}

static carom_status take_triplets(const fclib_group *group, carom_arena *scratch, matrix_parts *parts,
                                  carom_sparse *matrix)
{
    const fclib_reader *in = group->in;
    const int count = parts->nz;
    if (parts->p_count != count || parts->i_count != count || parts->x_count != count)
        return fclib_bad(group, NULL, "p, i and x have %d, %d and %d entries; nz says %d", parts->p_count,
                         parts->i_count, parts->x_count, count);
    parts->first = first_of(in, count, in->part);
    parts->count = first_of(in, count, in->part + 1) - parts->first;
    carom_status status = fclib_read_some_ints(group, "p", scratch, parts->first, parts->count, &parts->p);
    if (status == CAROM_OK)
        status = read_entries_of(group, scratch, parts);
    if (status == CAROM_OK)
        status = check_range(group, "i", "row", parts, parts->i, parts->rows);
    if (status == CAROM_OK)
        status = check_range(group, "p", "column", parts, parts->p, parts->columns);
    if (status == CAROM_OK && !carom_sparse_take(in->problem->arena, parts->rows, parts->columns,
                                                 (size_t)parts->count, parts->i, parts->p, parts->x, matrix))
        status = carom_fail_memory(in->error);
    return status;
}

static carom_status check_starts(const fclib_group *group, const matrix_parts *parts, int lines,
                                 const char *kind)
{
    if (parts->p_count != lines + 1)
        return fclib_bad(group, "p", "has %d entries; nz = %d wants the starts of %d %ss and their end: %d",
                         parts->p_count, parts->nz, lines, kind, lines + 1);
    if (parts->p[0] != 0)
        return fclib_bad(group, "p", "entry 0 is %d; it must be 0", parts->p[0]);
    for (int k = 0; k < lines; k++)
        if (parts->p[k + 1] < parts->p[k])
            return fclib_bad(group, "p", "entry %d is %d, less than %d before it; starts must not descend",
                             k + 1, parts->p[k + 1], parts->p[k]);
    const int count = parts->p[lines];
    if (parts->i_count < count || parts->x_count < count)
        return fclib_bad(group, NULL, "i and x have %d and %d entries; the last of p says %d", parts->i_count,
                         parts->x_count, count);
    return CAROM_OK;
}

static carom_status take_compressed(const fclib_group *group, carom_arena *scratch, matrix_parts *parts,
                                    carom_sparse *matrix)
{
    const fclib_reader *in = group->in;
    const bool by_rows = parts->nz == FCLIB_ROWS;
    const int lines = by_rows ? parts->rows : parts->columns;
    carom_status status = fclib_read_ints(group, "p", scratch, &parts->p, &parts->p_count);
    if (status == CAROM_OK)
        status = check_starts(group, parts, lines, by_rows ? "row" : "column");
    if (status != CAROM_OK)
        return status;
    const int begin = first_of(in, lines, in->part), end = first_of(in, lines, in->part + 1);
    parts->first = parts->p[begin];
    parts->count = parts->p[end] - parts->first;
    status = read_entries_of(group, scratch, parts);
    if (status == CAROM_OK)
        status = check_range(group, "i", by_rows ? "column" : "row", parts, parts->i,
                             by_rows ? parts->columns : parts->rows);
    if (status != CAROM_OK)
        return status;
    int *line = carom_new_array((size_t)parts->count, sizeof *line);
    for (int j = begin; line && j < end; j++)
        for (int k = parts->p[j]; k < parts->p[j + 1]; k++)
            line[k - parts->first] = j;
    const bool taken =
        line && carom_sparse_take(in->problem->arena, parts->rows, parts->columns, (size_t)parts->count,
                                  by_rows ? line : parts->i, by_rows ? parts->i : line, parts->x, matrix);
    free(line);
    return taken ? CAROM_OK : carom_fail_memory(in->error);
}

static carom_status read_head(const fclib_group *group, int rows, int columns, const char *why,
                              matrix_parts *parts)
{
    carom_status status = fclib_read_int(group, "m", &parts->rows);
    if (status == CAROM_OK)
        status = fclib_read_int(group, "n", &parts->columns);
    if (status == CAROM_OK)
        status = fclib_read_int(group, "nz", &parts->nz);
    if (status != CAROM_OK)
        return status;
    if (parts->rows != rows || parts->columns != columns)
        return fclib_bad(group, NULL, "has %d rows and %d columns; there must be %d and %d, %s", parts->rows,
                         parts->columns, rows, columns, why);
    if (parts->nz < FCLIB_ROWS)
        return fclib_bad(group, "nz",
                         "is %d; it is the number of triplets, or -1 (by columns) or -2 (by rows)",
                         parts->nz);
    return CAROM_OK;
}

static carom_status read_lengths(const fclib_group *group, matrix_parts *parts)
{
    carom_status status = fclib_read_length(group, "p", false, &parts->p_count);
    if (status == CAROM_OK)
        status = fclib_read_length(group, "i", false, &parts->i_count);
    return status == CAROM_OK ? fclib_read_length(group, "x", true, &parts->x_count) : status;
}

static carom_status read_entries(const fclib_group *group, matrix_parts *parts, carom_sparse *matrix)
{
    carom_arena *scratch = carom_arena_create();
    carom_status status = scratch ? read_lengths(group, parts) : carom_fail_memory(group->in->error);
    if (status == CAROM_OK)
        status = parts->nz >= 0 ? take_triplets(group, scratch, parts, matrix)
                                : take_compressed(group, scratch, parts, matrix);
    carom_arena_free(scratch);
    return status;
}

carom_status fclib_read_matrix(const fclib_group *parent, const char *name, int rows, int columns,
                               const char *why, carom_sparse *matrix)
{
    fclib_group group;
    matrix_parts parts = {0};
    carom_status status = fclib_open(parent, name, &group);
    if (status == CAROM_OK)
        status = read_head(&group, rows, columns, why, &parts);
    if (status == CAROM_OK)
        status = read_entries(&group, &parts, matrix);
    fclib_close(&group);
    return status;
}
