/* From a problem with rolling friction to its parts: W and q as for friction alone (reduce.c, embed.c), with every number at the
 * place of its part, then lengths, scale and the normals of moments. */
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/entries.h"
#include "rolling_parts.h"

/* Where each reaction of the problem stands among those of the parts; NULL when memory is short. */
static int *list_places(int dimension, int contacts)
{
    int *place = carom_new_array((size_t)dimension * (size_t)contacts, sizeof *place);
    for (int i = 0; place && i < contacts; i++)
        for (int k = 0; k < dimension; k++)
            place[dimension * i + k] = rolling_place(dimension, contacts, i, k);
    return place;
}

/* Lengths and the scale, from the diagonal of W. */
static void find_lengths(carom_rolling *problem, const double *diagonal, double *length)
{
    const int d = problem->dimension, n = problem->contacts, slips = rolling_slips(d);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double spin = 0.0;
        for (int k = slips; k < d; k++)
            spin += diagonal[rolling_place(d, n, i, k)] / (d - slips);
        length[i] = rolling_length(diagonal[3 * i], spin);
        sum += diagonal[3 * i];
    }
    problem->length = length;
    problem->scale = sum > 0.0 ? sum / n : 1.0;
}

/* A velocity of the parts is so many of the problem. */
static double factor_at(const carom_rolling *problem, int place)
{
    const int part = place / 3;
    return part < problem->contacts ? 1.0 : problem->length[part % problem->contacts];
}

/* Rows that nothing stands in get 1 on the diagonal: second tangents of the plane and of torsion. Normals of moments follow those
 * of their contacts. */
static bool add_own_rows(const carom_rolling *problem, const double *diagonal, coulomb_entries *list)
{
    const int n = problem->contacts, parts = carom_rolling_parts(problem->dimension) * n;
    bool added = true;
    for (int i = 0; added && i < parts; i++) {
        if (problem->dimension == 3 || i >= 2 * n)
            added = coulomb_entries_add(list, 3 * i + 2, 3 * i + 2, 1.0);
        if (i < n || !added)
            continue;
        const double W = diagonal[3 * (i % n)] > 0.0 ? diagonal[3 * (i % n)] / problem->scale : 1.0;
        added =
            coulomb_entries_add(list, 3 * i, 3 * i, W) && coulomb_entries_add(list, 3 * i, 3 * (i % n), -W);
    }
    return added;
}

/* `q`: one number per reaction of the problem. */
static carom_status finish(carom_rolling *problem, coulomb_entries *list, const double *q, carom_arena *arena,
                           carom_error *error)
{
    const int d = problem->dimension, n = problem->contacts, parts = carom_rolling_parts(d) * n;
    double *diagonal = carom_new_array(3 * (size_t)parts, sizeof *diagonal);
    double *length = carom_arena_take(arena, (size_t)n, sizeof *length);
    double *own_q = carom_arena_take(arena, 3 * (size_t)parts, sizeof *own_q);
    double *own_mu = carom_arena_take(arena, (size_t)parts, sizeof *own_mu);
    bool made = diagonal && length && own_q && own_mu;
    if (made) {
        for (size_t k = 0; k < list->count; k++)
            if (list->row[k] == list->column[k])
                diagonal[list->row[k]] += list->value[k];
        find_lengths(problem, diagonal, length);
        for (size_t k = 0; k < list->count; k++)
            list->value[k] *=
                factor_at(problem, list->row[k]) * factor_at(problem, list->column[k]) / problem->scale;
        for (int k = 0; k < d * n; k++)
            own_q[list->place[k]] = factor_at(problem, list->place[k]) * q[k];
        rolling_fill_coefficients(problem, own_mu);
        list->place = NULL; /* rows of the parts from here on */
        list->dimension = 3;
        problem->parts = (carom_coulomb){.contacts = parts, .q = own_q, .mu = own_mu};
        made = add_own_rows(problem, diagonal, list) &&
               carom_blocks_take(arena, parts, list->count, list->row, list->column, list->value,
                                 &problem->parts.W);
    }
    free(diagonal);
    return made ? CAROM_OK : carom_fail_memory(error);
}

/* One of the two forms; the other one is NULL. */
static carom_status pose(const carom_coulomb_global *global, const carom_coulomb_local *local,
                         carom_arena *arena, carom_rolling *problem, carom_error *error)
{
    const int d = problem->dimension, n = problem->contacts;
    carom_status status = rolling_check(d, n, global ? global->H.columns : local->W.columns, problem->mu_r,
                                        problem->mu_t, error);
    if (status != CAROM_OK)
        return status;
    int *place = list_places(d, n);
    coulomb_entries list = {.dimension = d, .place = place};
    double *q = NULL;
    if (!place)
        status = carom_fail_memory(error);
    else
        status =
            global ? coulomb_reduce_to(global, &list, &q, error) : coulomb_embed_to(local, &list, &q, error);
    if (status == CAROM_OK)
        status = finish(problem, &list, q, arena, error);
    coulomb_entries_free(&list);
    free(place);
    free(q);
    return status;
}

carom_status carom_rolling_reduce(const carom_coulomb_global *global, carom_arena *arena,
                                  carom_rolling *problem, carom_error *error)
{
    *problem = (carom_rolling){.dimension = global->dimension,
                               .contacts = global->contacts,
                               .mu = global->mu,
                               .mu_r = global->mu_r,
                               .mu_t = global->mu_t};
    return pose(global, NULL, arena, problem, error);
}

carom_status carom_rolling_embed(const carom_coulomb_local *local, carom_arena *arena, carom_rolling *problem,
                                 carom_error *error)
{
    *problem = (carom_rolling){.dimension = local->dimension,
                               .contacts = local->contacts,
                               .mu = local->mu,
                               .mu_r = local->mu_r,
                               .mu_t = local->mu_t};
    return pose(NULL, local, arena, problem, error);
}
