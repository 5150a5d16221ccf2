/* Hand-written models with joints, for tests. */
#ifndef CAROM_TEST_SCHEME_JOINTED_H
#define CAROM_TEST_SCHEME_JOINTED_H

#include "models.h"

enum {
    JOINTED_MAX = 4
};

/* A hand model whose first constraints are joints. What `joint` gives: value, rate in time and the row. */
typedef struct jointed {
    hand_model hand; /* first */
    void (*joint)(const struct jointed *model, int joint, double t, const double *q, double *value,
                  double *rate, double *row);
    char *name[JOINTED_MAX];
    bool fixed_rows; /* rows do not depend on position */
} jointed;

static inline const jointed *jointed_of(const carom_model *model)
{
    return (const jointed *)(const void *)model;
}

/* Full rows for all constraints, or nothing at all. */
static inline const carom_sparse *jointed_pattern(const carom_model *model, carom_mechanism_block block)
{
    static int start[HAND_DOF_MAX + 1], row[HAND_DOF_MAX * (JOINTED_MAX + HAND_CONTACTS_MAX)];
    static const int nothing[HAND_DOF_MAX + 1];
    static carom_sparse full, empty;
    const int constraints = model->joints + model->contacts;
    empty = (carom_sparse){constraints, model->dof, nothing, row, NULL};
    full = (carom_sparse){constraints, model->dof, start, row, NULL};
    for (int j = 0; j < model->dof; j++) {
        start[j + 1] = start[j] + constraints;
        for (int k = 0; k < constraints; k++)
            row[start[j] + k] = k;
    }
    return block == CAROM_BLOCK_RATE_BY_Q && jointed_of(model)->fixed_rows ? &empty : &full;
}

static inline void jointed_block(carom_model_work *work, carom_mechanism_block block,
                                 const carom_motion *motion, double *entry)
{
    const jointed *model = jointed_of(work->model);
    const int n = work->model->dof, constraints = work->model->joints + work->model->contacts;
    double value, rate, row[HAND_DOF_MAX];
    assert_int_equal(block, CAROM_BLOCK_ROWS);
    for (int k = 0; k < work->model->joints; k++) {
        memset(row, 0, sizeof row);
        model->joint(model, k, motion->t, motion->q, &value, &rate, row);
        for (int j = 0; j < n; j++)
            entry[j * constraints + k] = row[j];
    }
    for (int k = work->model->joints; k < constraints; k++) /* not for those who want joints only */
        for (int j = 0; j < n; j++)
            entry[j * constraints + k] = NAN;
}

static inline void jointed_constraints(carom_model_work *work, const carom_motion *motion, double *g,
                                       double *g_t, double *h)
{
    const jointed *model = jointed_of(work->model);
    assert_true(!h || model->fixed_rows);
    for (int k = 0; k < work->model->joints; k++) {
        double value = 0.0, rate = 0.0, row[HAND_DOF_MAX] = {0};
        model->joint(model, k, motion->t, motion->q, &value, &rate, row);
        if (g)
            g[k] = value;
        if (g_t)
            g_t[k] = rate;
        if (h)
            h[k] = 0.0; /* of linear joints */
    }
}

/* Unit masses, joints "a", "b", ...; the model must not be moved afterwards. */
static inline void jointed_init(jointed *model, int dof, int contacts, int joints)
{
    static carom_model_ops ops;
    static char *const names[JOINTED_MAX] = {"a", "b", "c", "d"};
    ops = hand_ops;
    ops.block_pattern = jointed_pattern;
    ops.block = jointed_block;
    ops.constraints = jointed_constraints;
    memset(model, 0, sizeof *model);
    hand_init(&model->hand, dof, contacts);
    memcpy(model->name, names, sizeof model->name);
    model->hand.model.ops = &ops;
    model->hand.model.joints = joints;
    model->hand.model.joint = model->name;
}

/* ---- pieces of models --------------------------------------------------------------------------------- */

/* Linear joints: joint k is data[4 k ..] . q - data[4 k + 3], for at most 3 coordinates. */
static inline void linear_joint(const jointed *model, int joint, double t, const double *q, double *value,
                                double *rate, double *row)
{
    const int n = model->hand.model.dof;
    const double *data = model->hand.data + (ptrdiff_t)4 * joint;
    (void)t;
    memcpy(row, data, (size_t)n * sizeof *row);
    *value = carom_dot(n, data, q) - data[3];
    *rate = 0.0;
}

/* The pin of a rod of length 1: x - cos(th), y - sin(th). */
static inline void pin_joint(const jointed *model, int joint, double t, const double *q, double *value,
                             double *rate, double *row)
{
    (void)model;
    (void)t;
    *value = q[joint] - (joint == 0 ? cos(q[2]) : sin(q[2]));
    *rate = 0.0;
    row[joint] = 1.0;
    row[2] = joint == 0 ? sin(q[2]) : -cos(q[2]);
}

/* A rod of length 2 + t / 2 between two points of a plane: (|p - r|^2 - length^2) / 2. */
static inline void rod_joint(const jointed *model, int joint, double t, const double *q, double *value,
                             double *rate, double *row)
{
    (void)model;
    (void)joint;
    const double x = q[2] - q[0], y = q[3] - q[1], length = 2.0 + 0.5 * t;
    *value = 0.5 * (x * x + y * y - length * length);
    *rate = -0.5 * length;
    row[0] = -x;
    row[1] = -y;
    row[2] = x;
    row[3] = y;
}

#endif
