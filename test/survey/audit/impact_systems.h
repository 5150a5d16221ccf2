/* Systems with contacts for tests of impacts. */
#ifndef CAROM_TEST_SURVEY_AUDIT_IMPACT_SYSTEMS_H
#define CAROM_TEST_SURVEY_AUDIT_IMPACT_SYSTEMS_H

#include "carom/run.h"

enum {
    SYSTEM_MAX = 16
};

typedef struct impact_system {
    carom_impact impact;
    double mass[SYSTEM_MAX * SYSTEM_MAX], velocity[SYSTEM_MAX], restitution[SYSTEM_MAX];
    int column_start[SYSTEM_MAX + 1], row[SYSTEM_MAX * SYSTEM_MAX];
    double value[SYSTEM_MAX * SYSTEM_MAX];
} impact_system;

/* A diagonal of masses and W (n x c by rows). */
static inline void make_system(impact_system *s, int n, int contacts, const double *masses,
                               const double *matrix)
{
    *s = (impact_system){0};
    for (int i = 0; i < n; i++)
        s->mass[i] = masses[i];
    carom_impact_columns(n, contacts, matrix, s->column_start, s->row, s->value);
    s->impact = (carom_impact){.coordinates = n,
                               .contacts = contacts,
                               .masses = s->mass,
                               .column_start = s->column_start,
                               .row = s->row,
                               .value = s->value,
                               .velocity = s->velocity,
                               .restitution = s->restitution};
}

/* Three balls of masses 1: G = [[2, -1], [-1, 2]]. */
static inline void make_cradle(impact_system *s, double first_restitution, double second_restitution)
{
    const double masses[] = {1, 1, 1}, matrix[] = {-1, 0, 1, -1, 0, 1};
    make_system(s, 3, 2, masses, matrix);
    s->restitution[0] = first_restitution;
    s->restitution[1] = second_restitution;
}

/* A block on two corners, m = 2, J = 0.5, b = 0.4: G = [[.82, .18], [.18, .82]]. */
static inline void make_block(impact_system *s, double first_restitution, double second_restitution)
{
    const double masses[] = {2, 0.5}, matrix[] = {1, 1, -0.4, 0.4};
    make_system(s, 2, 2, masses, matrix);
    s->restitution[0] = first_restitution;
    s->restitution[1] = second_restitution;
}

/* A particle at three contacts in a plane, of rank 2. */
static inline void make_corner(impact_system *s, double e1, double e2, double e3)
{
    const double masses[] = {2, 2}, matrix[] = {1, 0, 0.6, 0, 1, 0.8};
    make_system(s, 2, 3, masses, matrix);
    s->restitution[0] = e1;
    s->restitution[1] = e2;
    s->restitution[2] = e3;
}

#endif
