/* For tests: masses on springs between stops, as a linear structure.
 *
 *   wall - k0 - m0 - k1 - m1 - ... ; coordinate i lies between lower[i] and upper[i]. */
#ifndef CAROM_TEST_SCHEME_NEWMARK_CHAIN_STRUCTURE_H
#define CAROM_TEST_SCHEME_NEWMARK_CHAIN_STRUCTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/scheme.h"

enum {
    CHAIN_MAX = 4
};

typedef struct chain {
    carom_model model; /* first */
    carom_model_work work;
    carom_structure structure;
    double mass[2 * CHAIN_MAX], stiffness[2 * CHAIN_MAX];
    int row_start[CHAIN_MAX + 1], column[CHAIN_MAX], lower_contact[CHAIN_MAX], upper_contact[CHAIN_MAX];
    double entry[CHAIN_MAX], lower[CHAIN_MAX], upper[CHAIN_MAX], place[CHAIN_MAX];
    carom_contact_info info[2 * CHAIN_MAX];
    char *coordinate[CHAIN_MAX];
    double amplitude, frequency; /* load on every coordinate: amplitude cos(frequency t) */
} chain;

static inline const carom_structure *chain_structure(const carom_model_work *work)
{
    return &((const chain *)(const void *)work->model)->structure;
}

static inline void chain_load(carom_model_work *work, int count, const double *t, const double *weight,
                              double *load)
{
    const chain *c = (const chain *)(const void *)work->model;
    double sum = 0.0;
    for (int k = 0; k < count; k++)
        sum += weight[k] * c->amplitude * cos(c->frequency * t[k]);
    for (int i = 0; i < c->model.dof; i++)
        load[i] = sum;
}

static inline void chain_stiffness_times(carom_model_work *work, const double *q, double *force)
{
    carom_band_multiply(&chain_structure(work)->stiffness, q, force);
}

static const carom_model_ops chain_ops = {
    .structure = chain_structure, .load = chain_load, .stiffness_times = chain_stiffness_times};

/* n masses m with springs k and no stops. */
static inline void chain_make(chain *c, int n, double m, double k)
{
    static char names[CHAIN_MAX][3] = {"x0", "x1", "x2", "x3"};
    static char contacts[2 * CHAIN_MAX][8] = {"low0", "high0", "low1", "high1",
                                              "low2", "high2", "low3", "high3"};
    *c = (chain){.model = {.ops = &chain_ops, .dof = n, .contacts = 2 * n, .constant_mass = true}};
    for (int i = 0; i < n; i++) {
        c->mass[2 * i + 1] = m;
        c->stiffness[2 * i + 1] = i + 1 < n ? 2 * k : k;
        c->stiffness[2 * i] = i > 0 ? -k : 0.0;
        c->row_start[i + 1] = i + 1;
        c->column[i] = i;
        c->entry[i] = 1.0;
        c->lower[i] = -INFINITY;
        c->upper[i] = INFINITY;
        c->place[i] = i;
        c->lower_contact[i] = 2 * i;
        c->upper_contact[i] = 2 * i + 1;
        c->coordinate[i] = names[i];
        c->info[2 * i].name = contacts[2 * i];
        c->info[2 * i + 1].name = contacts[2 * i + 1];
    }
    c->structure = (carom_structure){.mass = {n, 1, c->mass},
                                     .stiffness = {n, 1, c->stiffness},
                                     .rows = n,
                                     .row_start = c->row_start,
                                     .column = c->column,
                                     .entry = c->entry,
                                     .lower = c->lower,
                                     .upper = c->upper,
                                     .lower_contact = c->lower_contact,
                                     .upper_contact = c->upper_contact,
                                     .place = c->place};
    c->model.coordinate = c->coordinate;
    c->model.contact = c->info;
    c->work.model = &c->model;
}

#endif
