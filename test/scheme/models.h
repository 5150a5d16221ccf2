/* Hand-written models and a small runner for the tests of the schemes. */
#ifndef CAROM_TEST_SCHEME_MODELS_H
#define CAROM_TEST_SCHEME_MODELS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/scheme.h"
#include "test/near.h"

enum {
    HAND_DOF_MAX = 10,
    HAND_CONTACTS_MAX = 8
};

#define PI 3.14159265358979323846

typedef struct hand_model hand_model;

/* A model whose physics are the functions given; what is NULL is zero (force) or absent (gaps, frame). */
struct hand_model {
    carom_model model; /* first */
    void (*force)(const hand_model *hand, double t, const double *q, const double *u, double *force);
    void (*jacobian)(const hand_model *hand, double t, const double *q, const double *u, double *by_q,
                     double *by_u);
    void (*variable_mass)(const hand_model *hand, const double *q, double *mass);
    void (*gaps)(const hand_model *hand, double t, const double *q, double *gap);
    /* normal, tangents, rates; restitution and coefficients are filled from the model beforehand */
    void (*frame)(const hand_model *hand, int contact, double t, const double *q, carom_contact_frame *frame);
    double mass[HAND_DOF_MAX * HAND_DOF_MAX];
    double restitution[HAND_CONTACTS_MAX];
    double coefficient[HAND_CONTACTS_MAX][8];
    double data[32]; /* constants of the example */
    carom_contact_info info[HAND_CONTACTS_MAX];
    carom_model_work work;
};

static inline const hand_model *hand_of(const carom_model_work *work)
{
    return (const hand_model *)(const void *)work->model;
}

static inline void hand_mass(carom_model_work *work, double t, const double *q, double *mass)
{
    const hand_model *hand = hand_of(work);
    (void)t;
    if (hand->variable_mass) {
        hand->variable_mass(hand, q, mass);
        return;
    }
    const int n = hand->model.dof;
    for (int i = 0; i < n * n; i++)
        mass[i] = hand->mass[i];
}

static inline void hand_force(carom_model_work *work, double t, const double *q, const double *u, double *f)
{
    const hand_model *hand = hand_of(work);
    if (hand->force)
        hand->force(hand, t, q, u, f);
    else
        for (int i = 0; i < hand->model.dof; i++)
            f[i] = 0.0;
}

static inline void hand_jacobian(carom_model_work *work, double t, const double *q, const double *u,
                                 double *by_q, double *by_u)
{
    const hand_model *hand = hand_of(work);
    const size_t entries = (size_t)hand->model.dof * (size_t)hand->model.dof;
    memset(by_q, 0, entries * sizeof *by_q);
    memset(by_u, 0, entries * sizeof *by_u);
    if (hand->jacobian)
        hand->jacobian(hand, t, q, u, by_q, by_u);
}

static inline void hand_gaps(carom_model_work *work, double t, const double *q, double *gap)
{
    hand_of(work)->gaps(hand_of(work), t, q, gap);
}

static inline void hand_frame(carom_model_work *work, int contact, double t, const double *q,
                              carom_contact_frame *frame)
{
    const hand_model *hand = hand_of(work);
    frame->restitution = hand->restitution[contact];
    for (int i = 0; i < hand->info[contact].coefficients; i++)
        frame->coefficients[i] = hand->coefficient[contact][i];
    frame->normal_rate = frame->tangent_rate[0] = frame->tangent_rate[1] = 0.0;
    hand->frame(hand, contact, t, q, frame);
}

/* Kinetic energy: forces need not have a potential. */
static inline double hand_energy(carom_model_work *work, double t, const double *q, const double *u)
{
    double mass[HAND_DOF_MAX * HAND_DOF_MAX], sum = 0.0;
    const int n = work->model->dof;
    hand_mass(work, t, q, mass);
    for (int i = 0; i < n; i++)
        sum += 0.5 * u[i] * carom_dot(n, mass + (ptrdiff_t)i * n, u);
    return sum;
}

static const carom_model_ops hand_ops = {.mass = hand_mass,
                                         .force = hand_force,
                                         .force_jacobian = hand_jacobian,
                                         .gaps = hand_gaps,
                                         .frame = hand_frame,
                                         .energy = hand_energy};

/* Unit masses, frictionless contacts without given restitution. The model must not be moved afterwards. */
static inline void hand_init(hand_model *hand, int dof, int contacts)
{
    static char *coordinates[HAND_DOF_MAX] = {"q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9", "q10"};
    static char *names[HAND_CONTACTS_MAX] = {"one", "two", "three", "four", "five", "six", "seven", "eight"};
    *hand =
        (hand_model){.model = {.ops = &hand_ops, .dof = dof, .contacts = contacts, .constant_mass = true}};
    hand->model.coordinate = coordinates;
    hand->model.contact = hand->info;
    hand->work.model = &hand->model;
    for (int i = 0; i < dof; i++)
        hand->mass[i * dof + i] = 1.0;
    for (int i = 0; i < contacts; i++)
        hand->info[i].name = names[i];
}

/* Isotropic friction on `tangents` slips; static_mu < 0: one level. */
static inline void hand_friction(hand_model *hand, int contact, int tangents, double static_mu, double mu)
{
    carom_contact_info *info = &hand->info[contact];
    const carom_friction_cone cone = {&carom_friction_isotropic, 1};
    info->tangents = tangents;
    info->friction.two_level = static_mu >= 0.0;
    info->friction.dynamic_cone = cone;
    if (info->friction.two_level)
        info->friction.static_cone = cone;
    info->coefficients = info->friction.two_level ? 2 : 1;
    hand->coefficient[contact][0] = info->friction.two_level ? static_mu : mu;
    hand->coefficient[contact][1] = mu;
}

static inline const carom_scheme_ops *scheme_named(const char *name)
{
    carom_error error = {0};
    const carom_scheme_ops *scheme = carom_scheme_find(name, &error);
    if (!scheme)
        fail_msg("%s", error.text);
    return scheme;
}

/* Tries to start a scheme with its default options, except those given as name, value pairs up to NULL. */
static inline carom_status hand_try(const carom_scheme_ops *scheme, hand_model *hand, double t0, double h,
                                    const double *q0, const double *v0, const char *const *names,
                                    const double *values, carom_stepper **stepper, carom_error *error)
{
    double options[32];
    for (int i = 0; i < scheme->option_count; i++)
        options[i] = scheme->options[i].value;
    for (int i = 0; names && names[i]; i++) {
        int option = carom_scheme_find_option(scheme, names[i]);
        assert_true(option >= 0);
        options[option] = values[i];
    }
    const carom_step_settings settings = {
        .t0 = t0, .h = h, .values = options, .value_count = scheme->option_count};
    return carom_stepper_create(scheme, &hand->work, &settings, q0, v0, stepper, error);
}

static inline carom_stepper *hand_start(const carom_scheme_ops *scheme, hand_model *hand, double t0, double h,
                                        const double *q0, const double *v0)
{
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    if (hand_try(scheme, hand, t0, h, q0, v0, NULL, NULL, &stepper, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return stepper;
}

/* One option set, the others default. */
static inline carom_stepper *hand_start_with(const carom_scheme_ops *scheme, hand_model *hand, double t0,
                                             double h, const double *q0, const double *v0, const char *option,
                                             double value)
{
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    const char *const names[] = {option, NULL};
    if (hand_try(scheme, hand, t0, h, q0, v0, names, &value, &stepper, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return stepper;
}

static inline void hand_step(carom_stepper *stepper)
{
    carom_error error = {0};
    if (carom_stepper_step(stepper, &error) != CAROM_OK)
        fail_msg("%s", error.text);
}

static inline void hand_run(carom_stepper *stepper, long steps)
{
    for (long i = 0; i < steps; i++)
        hand_step(stepper);
}

static inline void hand_free(carom_stepper *stepper)
{
    carom_stepper_free(stepper);
}

static inline void assert_mentions(const carom_error *error, const char *word)
{
    if (!strstr(error->text, word))
        fail_msg("\"%s\" does not mention \"%s\"", error->text, word);
}

/* ---- pieces of models --------------------------------------------------------------------------- */

/* Inside the circle or sphere with centre data[0..n) and radius data[8], contact 0: f = |q - c|^2 - r^2. */
static inline void inside_ball_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)t;
    double square = 0.0;
    for (int i = 0; i < hand->model.dof; i++)
        square += (q[i] - hand->data[i]) * (q[i] - hand->data[i]);
    gap[0] = hand->data[8] * hand->data[8] - square;
}

static inline void inside_ball_frame(const hand_model *hand, int contact, double t, const double *q,
                                     carom_contact_frame *frame)
{
    (void)t;
    (void)contact;
    for (int i = 0; i < hand->model.dof; i++)
        frame->normal.value[i] = -2.0 * (q[i] - hand->data[i]);
}

/* The constant force data[16..). */
static inline void constant_force(const hand_model *hand, double t, const double *q, const double *u,
                                  double *force)
{
    (void)t;
    (void)q;
    (void)u;
    for (int i = 0; i < hand->model.dof; i++)
        force[i] = hand->data[16 + i];
}

/* Half-spaces: contact a has the unit normal stored in data[n a ..), gap = normal.q. */
static inline void planes_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)t;
    const int n = hand->model.dof;
    for (int a = 0; a < hand->model.contacts; a++)
        gap[a] = carom_dot(n, hand->data + n * a, q);
}

static inline void planes_frame(const hand_model *hand, int contact, double t, const double *q,
                                carom_contact_frame *frame)
{
    (void)t;
    (void)q;
    const int n = hand->model.dof;
    for (int i = 0; i < n; i++)
        frame->normal.value[i] = hand->data[n * contact + i];
}

/* Contact 0: the last coordinate is the gap, the others are the slips. */
static inline void floor_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)t;
    gap[0] = q[hand->model.dof - 1];
}

static inline void floor_frame(const hand_model *hand, int contact, double t, const double *q,
                               carom_contact_frame *frame)
{
    (void)t;
    (void)q;
    (void)contact;
    const int n = hand->model.dof;
    for (int i = 0; i < n; i++) {
        frame->normal.value[i] = i == n - 1 ? 1.0 : 0.0;
        for (int k = 0; k < 2; k++)
            frame->tangent[k].value[i] = i == k && k < n - 1 ? 1.0 : 0.0;
    }
}

#endif
