/* Problems of several frictional contacts to test with. */
#ifndef CAROM_TEST_CONTACT_COULOMB_STEP_SAMPLE_FRICTION_PROBLEM_H
#define CAROM_TEST_CONTACT_COULOMB_STEP_SAMPLE_FRICTION_PROBLEM_H

#include <math.h>
#include <string.h>

#include "carom/contact.h"
#include "carom/linalg.h"

enum {
    SAMPLE_CONTACTS = 6,
    SAMPLE_ROWS = 3 * SAMPLE_CONTACTS,
    SAMPLE_DOF = 24
};

/* What the problem points to. `rows` are those of the contacts in coordinates of unit mass. */
typedef struct sample_problem {
    carom_friction_problem problem;
    int tangents[SAMPLE_CONTACTS];
    double target[SAMPLE_CONTACTS];
    carom_planar_set set[SAMPLE_CONTACTS];
    double rows[SAMPLE_ROWS][SAMPLE_DOF];
    double W[SAMPLE_ROWS * SAMPLE_ROWS];
    double u_free[SAMPLE_ROWS];
} sample_problem;

/* W = rows rows^T for the first `count` contacts; the sample must not be moved afterwards. */
static inline void finish_sample(sample_problem *sample, int count)
{
    const int size = 3 * count;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            sample->W[i * size + j] = carom_dot(SAMPLE_DOF, sample->rows[i], sample->rows[j]);
    sample->problem = (carom_friction_problem){.count = count,
                                               .tangents = sample->tangents,
                                               .target = sample->target,
                                               .set = sample->set,
                                               .W = sample->W,
                                               .u_free = sample->u_free};
}

/* A frictional set for one or two tangents; every fifth has no friction at all. */
static inline carom_planar_set random_set(carom_random *random, int tangents)
{
    static const double square[8] = {0.3, -0.3, 0.3, 0.3, -0.3, 0.3, -0.3, -0.3};
    const double mu = carom_random_uniform(random, 0.0, 1.0) < 0.2 ? 0.0 : 0.4;
    const double choice = carom_random_uniform(random, 0.0, 1.0);
    if (tangents == 1)
        return (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL, .a = -mu, .b = 0.5 * mu};
    if (choice < 0.5)
        return (carom_planar_set){.kind = CAROM_PLANAR_DISK, .a = mu};
    if (choice < 0.75)
        return (carom_planar_set){.kind = CAROM_PLANAR_ELLIPSE, .a = mu, .b = 0.5 * mu};
    return (carom_planar_set){.kind = CAROM_PLANAR_POLYGON, .vertices = 4, .vertex = square};
}

/* Rows coupled through shared coordinates; tangents < 0: mixed. Targets of a restitution on every other. */
static inline void random_problem(sample_problem *sample, carom_random *random, int count, int tangents)
{
    memset(sample, 0, sizeof *sample);
    for (int i = 0; i < 3 * count; i++) {
        for (int j = 0; j < SAMPLE_DOF; j++)
            sample->rows[i][j] = carom_random_uniform(random, -0.3, 0.3);
        sample->rows[i][i] += 1.0;
        sample->u_free[i] =
            i % 3 == 0 ? carom_random_uniform(random, -2.0, 1.0) : carom_random_uniform(random, -0.8, 0.8);
    }
    for (int k = 0; k < count; k++) {
        int slips = tangents < 0 ? (int)carom_random_uniform(random, 0.0, 2.999) : tangents;
        sample->tangents[k] = slips;
        sample->set[k] = slips > 0 ? random_set(random, slips) : (carom_planar_set){0};
        sample->target[k] = k % 2 ? carom_random_uniform(random, 0.0, 0.5) : 0.0;
    }
    finish_sample(sample, count);
}

/* u = W p + u_free, by the definition. */
static inline void relative_velocity(const carom_friction_problem *problem, const double *impulse, double *u)
{
    const int size = 3 * problem->count;
    for (int k = 0; k < problem->count; k++)
        for (int i = 0; i <= problem->tangents[k]; i++) {
            double sum = problem->u_free[3 * k + i];
            for (int l = 0; l < problem->count; l++)
                for (int j = 0; j <= problem->tangents[l]; j++)
                    sum += problem->W[(3 * k + i) * size + 3 * l + j] * impulse[3 * l + j];
            u[3 * k + i] = sum;
        }
}

#endif
