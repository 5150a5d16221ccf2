#include "pairs_expand.h"

#include <stdlib.h>
#include <string.h>

static bool grow(void **array, size_t count, size_t size)
{
    void *larger = realloc(*array, carom_product(count ? count : 1, size));
    if (larger)
        *array = larger;
    return larger != NULL;
}

static bool take_room(pairs_expand *self, size_t contacts)
{
    if (contacts <= self->room)
        return true;
    const size_t room = contacts + contacts / 2;
    self->room = 0;
    if (!grow((void **)&self->row, room, sizeof *self->row) ||
        !grow((void **)&self->q, room, 3 * sizeof *self->q) ||
        !grow((void **)&self->moment, room, sizeof *self->moment))
        return false;
    self->room = room;
    return true;
}

void pairs_expand_free(pairs_expand *self)
{
    free(self->row);
    free(self->q);
    free(self->moment);
    *self = (pairs_expand){0};
}

static void add_moment(pairs_expand *self, const carom_pairs *problem, int contact, bool torsion)
{
    const int place = self->problem.contacts++;
    const double *q = problem->q + 3 * (ptrdiff_t)(problem->contacts + contact);
    self->moment[place - self->contacts] = (struct pairs_moment){contact, torsion};
    self->row[place] = carom_pair_moments(&problem->row[contact], &problem->spin[contact], torsion);
    self->q[3 * place] = 0.0;
    self->q[3 * place + 1] = torsion ? q[2] : q[0];
    self->q[3 * place + 2] = torsion || problem->plane ? 0.0 : q[1];
}

bool pairs_expand_take(pairs_expand *self, const carom_pairs *problem)
{
    const size_t n = (size_t)problem->contacts;
    self->contacts = problem->contacts;
    self->problem = *problem;
    if (!problem->spin)
        return true;
    if (!take_room(self, 3 * n))
        return false;
    self->problem.spin = NULL;
    self->problem.row = self->row;
    self->problem.q = self->q;
    memcpy(self->row, problem->row, n * sizeof *self->row);
    memcpy(self->q, problem->q, 3 * n * sizeof *self->q);
    for (int i = 0; i < problem->contacts; i++) {
        if (problem->spin[i].rolling > 0.0)
            add_moment(self, problem, i, false);
        if (problem->spin[i].torsion > 0.0 && !problem->plane)
            add_moment(self, problem, i, true);
    }
    return true;
}

void pairs_expand_impulses(const pairs_expand *self, double scale, const double *r, double *expanded)
{
    for (int k = 0; k < 3 * self->contacts; k++)
        expanded[k] = scale * r[k];
    for (int i = self->contacts; i < self->problem.contacts; i++) {
        const struct pairs_moment *moment = &self->moment[i - self->contacts];
        const double *from = r + 3 * (ptrdiff_t)(self->contacts + moment->contact);
        double *to = expanded + 3 * (ptrdiff_t)i;
        to[0] = scale * r[3 * moment->contact];
        to[1] = scale * (moment->torsion ? from[2] : from[0]);
        to[2] = moment->torsion ? 0.0 : scale * from[1];
    }
}

void pairs_expand_reduce(const pairs_expand *self, double scale, const double *expanded, double *r)
{
    for (int k = 0; k < 3 * self->contacts; k++)
        r[k] = expanded[k] / scale;
    if (self->problem.row != self->row)
        return;
    memset(r + 3 * (ptrdiff_t)self->contacts, 0, 3 * (size_t)self->contacts * sizeof *r);
    for (int i = self->contacts; i < self->problem.contacts; i++) {
        const struct pairs_moment *moment = &self->moment[i - self->contacts];
        const double *from = expanded + 3 * (ptrdiff_t)i;
        double *to = r + 3 * (ptrdiff_t)(self->contacts + moment->contact);
        to[moment->torsion ? 2 : 0] = from[1] / scale;
        if (!moment->torsion)
            to[1] = from[2] / scale;
    }
}

void pairs_expand_bind(const pairs_expand *self, pairs_blocks *blocks)
{
    for (int i = self->contacts; i < self->problem.contacts; i++) {
        const int contact = self->moment[i - self->contacts].contact;
        const double W = blocks->block[9 * (ptrdiff_t)blocks->diagonal[contact]];
        blocks->block[9 * (ptrdiff_t)blocks->diagonal[i]] = W;
        for (int k = blocks->row_start[i]; k < blocks->row_start[i + 1]; k++)
            if (blocks->column[k] == contact)
                blocks->block[9 * (ptrdiff_t)k] = -W;
    }
}
