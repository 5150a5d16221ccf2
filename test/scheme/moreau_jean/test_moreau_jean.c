/* The theta method: energy identity, balls with restitution, an elastic bar, mass that depends on position.
 * Reference numbers: Bruels, Acary, Cardona, examples of the nonsmooth generalized-alpha method, computed
 * with the Moreau-Jean scheme by an independent program. */
#include "test/scheme/models.h"

static carom_stepper *start_theta(hand_model *hand, double h, double theta, const double *q0,
                                  const double *v0)
{
    return hand_start_with(scheme_named("moreau-jean"), hand, 0.0, h, q0, v0, "theta", theta);
}

/* ---- a ball on the floor ------------------------------------------------------------------------------ */

typedef struct ball_row {
    double restitution, theta, q, v, closed_from;
} ball_row;

static carom_stepper *start_ball(hand_model *hand, double restitution, double theta)
{
    const double q0[1] = {1.0}, v0[1] = {0.0};
    hand_init(hand, 1, 1);
    hand->force = constant_force;
    hand->data[16] = -10.0;
    hand->gaps = floor_gap;
    hand->frame = floor_frame;
    hand->info[0].has_restitution = true;
    hand->restitution[0] = restitution;
    return start_theta(hand, 1e-3, theta, q0, v0);
}

static void bouncing_ball(void **unused)
{
    (void)unused;
    const ball_row rows[] = {
        {0.5, 0.5, 0.2240375, 0.715, 1.340},
        {0.5, 1.0, 0.224395, 0.715, 1.351},
        {0.8, 0.5, 0.42854, 2.056, 4.017},
        {0.8, 1.0, 0.429568, 2.056, 4.055},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        hand_model hand;
        carom_stepper *stepper = start_ball(&hand, rows[k].restitution, rows[k].theta);
        const carom_state *state = &stepper->state;
        double impulse = 0.0, first = 0.0, closed_from = 0.0;
        for (int i = 1; i <= 5000; i++) {
            hand_step(stepper);
            impulse += state->impulse[0];
            if (first == 0.0 && state->impulse[0] > 0.0) {
                first = state->t;
                assert_near(state->v[0], 4.47 * rows[k].restitution, 1e-12);
            }
            if (state->impulse[0] == 0.0)
                closed_from = (i + 1) * 1e-3;
            if (i == 600) {
                assert_near(state->q[0], rows[k].q, 1e-12);
                assert_near(state->v[0], rows[k].v, 1e-12);
            }
        }
        assert_near(first, 0.448, 1e-12);
        assert_near(closed_from, rows[k].closed_from, 1e-9);
        assert_near(impulse, 50.0, 1e-10);
        hand_free(stepper);
    }
}

/* Without restitution the gap keeps the value that it had at activation. */
static void inelastic_ball_rests(void **unused)
{
    (void)unused;
    hand_model hand;
    carom_stepper *stepper = start_ball(&hand, 0.0, 0.5);
    hand.info[0].has_restitution = false; /* not given means 0 */
    hand.restitution[0] = 0.9;
    hand_run(stepper, 2000);
    assert_near(stepper->state.q[0], -1.280e-3, 5e-7);
    assert_near(stepper->state.v[0], 0.0, 1e-15);
    hand_free(stepper);
}

static void bad_restitution_is_refused(void **unused)
{
    (void)unused;
    const double q0[1] = {1.0};
    hand_model hand;
    hand_init(&hand, 1, 1);
    hand.gaps = floor_gap;
    hand.frame = floor_frame;
    hand.info[0].has_restitution = true;
    hand.restitution[0] = 1.2;
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    assert_int_equal(
        hand_try(scheme_named("moreau-jean"), &hand, 0, 0.1, q0, q0, NULL, NULL, &stepper, &error),
        CAROM_BAD_INPUT);
    assert_mentions(&error, "1.2");
}

static void bad_mass_is_refused(void **unused)
{
    (void)unused;
    const double q0[2] = {1.0, 1.0};
    hand_model hand;
    hand_init(&hand, 2, 0);
    hand.mass[3] = -2.0;
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    assert_int_equal(
        hand_try(scheme_named("moreau-jean"), &hand, 0, 0.1, q0, q0, NULL, NULL, &stepper, &error),
        CAROM_BAD_INPUT);
    assert_mentions(&error, "q2");
    assert_mentions(&error, "-2");
}

/* ---- linear systems ----------------------------------------------------------------------------------- */

static const double linear_mass[9] = {2.0, 0.3, 0.0, 0.3, 1.0, -0.2, 0.0, -0.2, 1.5};
static const double stiffness[9] = {30.0, -10.0, 0.0, -10.0, 25.0, -5.0, 0.0, -5.0, 40.0};
static const double load[3] = {-3.0, -8.0, 1.0};

/* data[30]: strength of a gyroscopic force, antisymmetric in the velocity */
static void linear_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)t;
    const double gyro = hand->data[30];
    for (int i = 0; i < 3; i++)
        force[i] = load[i] - carom_dot(3, stiffness + 3 * i, q);
    force[0] += gyro * u[1];
    force[1] -= gyro * u[0];
}

static void linear_jacobian(const hand_model *hand, double t, const double *q, const double *u, double *by_q,
                            double *by_u)
{
    (void)t;
    (void)q;
    (void)u;
    for (int i = 0; i < 9; i++)
        by_q[i] = -stiffness[i];
    by_u[1] = hand->data[30];
    by_u[3] = -hand->data[30];
}

static double quadratic(const double *matrix, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += x[i] * carom_dot(3, matrix + 3 * i, x);
    return sum;
}

static double linear_energy(const carom_state *state)
{
    return 0.5 * quadratic(linear_mass, state->v) + 0.5 * quadratic(stiffness, state->q) -
           carom_dot(3, load, state->q);
}

static carom_stepper *start_linear(hand_model *hand, int contacts, double theta, double gyro)
{
    const double q0[3] = {0.4, 0.5, 0.2}, v0[3] = {1.0, -2.0, 0.5};
    const double normals[6] = {0.2, 1.0, 0.1, 1.0, -0.3, 0.0};
    hand_init(hand, 3, contacts);
    memcpy(hand->mass, linear_mass, sizeof linear_mass);
    memcpy(hand->data, normals, sizeof normals);
    hand->force = linear_force;
    hand->jacobian = linear_jacobian;
    hand->gaps = planes_gap;
    hand->frame = planes_frame;
    hand->data[30] = gyro;
    for (int a = 0; a < contacts; a++) {
        hand->info[a].has_restitution = true;
        hand->restitution[a] = a == 0 ? 0.7 : 0.3;
    }
    return start_theta(hand, 0.02, theta, q0, v0);
}

static void oscillator_keeps_its_energy(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        hand_model hand;
        carom_stepper *stepper = start_linear(&hand, 0, 0.5, k ? 4.0 : 0.0);
        double energy = linear_energy(&stepper->state);
        for (int i = 0; i < 2000; i++) {
            hand_step(stepper);
            assert_near(linear_energy(&stepper->state), energy, 1e-12 * fabs(energy));
        }
        hand_free(stepper);
    }
}

/* E' - E = -(theta - 1/2)(dv.M dv + dq.K dq) + sum p ((1 - theta) w + theta w') */
static void energy_identity_with_contacts(void **unused)
{
    (void)unused;
    const double thetas[3] = {0.5, 0.7, 1.0};
    for (int k = 0; k < 3; k++) {
        hand_model hand;
        const double theta = thetas[k];
        carom_stepper *stepper = start_linear(&hand, 2, theta, 0.0);
        const carom_state *state = &stepper->state;
        int impacts = 0;
        for (int i = 0; i < 1000; i++) {
            bool pressed_back = false; /* pressed back while it was leaving: this does work on the system */
            double q[3], v[3], dq[3], dv[3], before = linear_energy(state);
            memcpy(q, state->q, sizeof q);
            memcpy(v, state->v, sizeof v);
            hand_step(stepper);
            for (int j = 0; j < 3; j++) {
                dq[j] = state->q[j] - q[j];
                dv[j] = state->v[j] - v[j];
            }
            double expected = -(theta - 0.5) * (quadratic(linear_mass, dv) + quadratic(stiffness, dq));
            for (int a = 0; a < 2; a++) {
                const double *normal = hand.data + 3 * a, p = state->impulse[3 * a];
                double w = carom_dot(3, normal, v), w_new = carom_dot(3, normal, state->v);
                expected += p * ((1.0 - theta) * w + theta * w_new);
                if (p > 0.0) {
                    assert_near(w_new, -hand.restitution[a] * w, 1e-13);
                    pressed_back = pressed_back || w > 0.0;
                    impacts++;
                }
            }
            assert_near(linear_energy(state) - before, expected, 1e-12);
            if (theta == 0.5 && !pressed_back)
                assert_true(linear_energy(state) - before <= 1e-13);
        }
        assert_true(impacts > 10);
        hand_free(stepper);
    }
}

/* A matrix that is not symmetric: the converged step satisfies the equation of motion all the same. */
static void gyroscopic_force_with_contacts(void **unused)
{
    (void)unused;
    hand_model hand;
    carom_stepper *stepper = start_linear(&hand, 2, 0.5, 6.0);
    const carom_state *state = &stepper->state;
    int impacts = 0;
    for (int i = 0; i < 500; i++) {
        double q[3], v[3], old_force[3], new_force[3];
        memcpy(q, state->q, sizeof q);
        memcpy(v, state->v, sizeof v);
        linear_force(&hand, 0.0, q, v, old_force);
        hand_step(stepper);
        linear_force(&hand, 0.0, state->q, state->v, new_force);
        impacts += state->impulse[0] > 0.0 || state->impulse[3] > 0.0;
        for (int j = 0; j < 3; j++) {
            double balance = -0.01 * (old_force[j] + new_force[j]);
            for (int l = 0; l < 3; l++)
                balance += linear_mass[3 * j + l] * (state->v[l] - v[l]);
            for (int a = 0; a < 2; a++)
                balance -= hand.data[3 * a + j] * state->impulse[3 * a];
            assert_near(balance, 0.0, 1e-11);
        }
    }
    assert_true(impacts > 10);
    hand_free(stepper);
}

/* ---- mass that depends on the position: a bead on the curve y = x^2 ------------------------------------ */

static void bead_mass(const hand_model *hand, const double *q, double *mass)
{
    (void)hand;
    mass[0] = 1.0 + 4.0 * q[0] * q[0];
}

static void bead_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)hand;
    (void)t;
    force[0] = -4.0 * q[0] * u[0] * u[0] - 20.0 * q[0];
}

static void bead_jacobian(const hand_model *hand, double t, const double *q, const double *u, double *by_q,
                          double *by_u)
{
    (void)hand;
    (void)t;
    by_q[0] = -4.0 * u[0] * u[0] - 20.0;
    by_u[0] = -8.0 * q[0] * u[0];
}

static double bead_energy_error(double h)
{
    const double q0[1] = {1.0}, v0[1] = {0.0};
    hand_model hand;
    hand_init(&hand, 1, 0);
    hand.model.constant_mass = false;
    hand.variable_mass = bead_mass;
    hand.force = bead_force;
    hand.jacobian = bead_jacobian;
    carom_stepper *stepper = start_theta(&hand, h, 0.5, q0, v0);
    double worst = 0.0;
    for (long i = 0; i < lround(2.0 / h); i++) {
        hand_step(stepper);
        double q = stepper->state.q[0], u = stepper->state.v[0];
        double energy = 0.5 * (1.0 + 4.0 * q * q) * u * u + 10.0 * q * q;
        worst = fmax(worst, fabs(energy - 10.0));
    }
    hand_free(stepper);
    return worst;
}

static void variable_mass_second_order(void **unused)
{
    (void)unused;
    double coarse = bead_energy_error(4e-3), fine = bead_energy_error(2e-3);
    assert_true(coarse < 1e-2);
    assert_near(log2(coarse / fine), 2.0, 0.05);
}

/* ---- elastic bar against a wall: 200 elements, consistent mass --------------------------------------- */

enum {
    BAR_ELEMENTS = 200,
    BAR_DOF = BAR_ELEMENTS + 1
};

static const double bar_length = 10.0 / BAR_ELEMENTS, bar_modulus = 900.0, bar_distance = 5.005;

/* Adds factor * [a b; b a] of every element to an n x n matrix. */
static void add_elements(double *matrix, double factor, double a, double b)
{
    for (int e = 0; e < BAR_ELEMENTS; e++) {
        matrix[e * BAR_DOF + e] += factor * a;
        matrix[e * BAR_DOF + e + 1] += factor * b;
        matrix[(e + 1) * BAR_DOF + e] += factor * b;
        matrix[(e + 1) * BAR_DOF + e + 1] += factor * a;
    }
}

static void bar_mass(carom_model_work *work, double t, const double *q, double *mass)
{
    (void)work;
    (void)t;
    (void)q;
    memset(mass, 0, (size_t)BAR_DOF * BAR_DOF * sizeof *mass);
    add_elements(mass, bar_length / 6.0, 2.0, 1.0);
}

static void bar_force(carom_model_work *work, double t, const double *q, const double *u, double *force)
{
    (void)work;
    (void)t;
    (void)u;
    memset(force, 0, (size_t)BAR_DOF * sizeof *force);
    for (int e = 0; e < BAR_ELEMENTS; e++) {
        double tension = bar_modulus / bar_length * (q[e + 1] - q[e]);
        force[e] += tension;
        force[e + 1] -= tension;
    }
}

static void bar_jacobian(carom_model_work *work, double t, const double *q, const double *u, double *by_q,
                         double *by_u)
{
    (void)work;
    (void)t;
    (void)q;
    (void)u;
    memset(by_q, 0, (size_t)BAR_DOF * BAR_DOF * sizeof *by_q);
    memset(by_u, 0, (size_t)BAR_DOF * BAR_DOF * sizeof *by_u);
    add_elements(by_q, -bar_modulus / bar_length, 1.0, -1.0);
}

static void bar_gap(carom_model_work *work, double t, const double *q, double *gap)
{
    (void)work;
    (void)t;
    gap[0] = bar_distance + q[0];
}

static void bar_frame(carom_model_work *work, int contact, double t, const double *q,
                      carom_contact_frame *frame)
{
    (void)work;
    (void)contact;
    (void)t;
    (void)q;
    for (int i = 0; i < BAR_DOF; i++)
        frame->normal.value[i] = i == 0 ? 1.0 : 0.0;
    frame->normal_rate = 0.0;
}

static double bar_energy(const carom_state *state)
{
    double energy = 0.0;
    for (int e = 0; e < BAR_ELEMENTS; e++) {
        double v1 = state->v[e], v2 = state->v[e + 1], stretch = state->q[e + 1] - state->q[e];
        energy += bar_length / 6.0 * (v1 * v1 + v1 * v2 + v2 * v2);
        energy += 0.5 * bar_modulus / bar_length * stretch * stretch;
    }
    return energy;
}

static void check_bar(double theta, const double force[3], double total, double energy_end, double gap_end,
                      double gap_min)
{
    static const carom_model_ops ops = {.mass = bar_mass,
                                        .force = bar_force,
                                        .force_jacobian = bar_jacobian,
                                        .gaps = bar_gap,
                                        .frame = bar_frame};
    carom_contact_info info = {.name = "wall"};
    char *coordinate[BAR_DOF];
    for (int i = 0; i < BAR_DOF; i++)
        coordinate[i] = "u";
    const carom_model model = {.ops = &ops,
                               .dof = BAR_DOF,
                               .contacts = 1,
                               .coordinate = coordinate,
                               .contact = &info,
                               .constant_mass = true};
    carom_model_work work = {&model};
    double q0[BAR_DOF] = {0}, v0[BAR_DOF];
    for (int i = 0; i < BAR_DOF; i++)
        v0[i] = -10.0;
    const double h = 2e-3;
    const carom_step_settings settings = {.h = h, .option = (carom_option[]){{"theta", theta}, {0}}};
    carom_stepper *stepper = NULL;
    assert_int_equal(
        carom_stepper_create(scheme_named("moreau-jean"), &work, &settings, q0, v0, &stepper, NULL),
        CAROM_OK);
    double sum = 0.0, lowest = 1.0;
    for (int i = 1; i <= 1000; i++) {
        hand_step(stepper);
        double impulse = stepper->state.impulse[0];
        if (i <= 250)
            assert_near(impulse, 0.0, 0.0);
        if (i > 250 && i <= 253)
            assert_near(impulse / h, force[i - 251], 1e-3);
        sum += impulse;
        lowest = fmin(lowest, bar_distance + stepper->state.q[0]);
    }
    assert_near(sum, total, 2e-5);
    assert_near(bar_energy(&stepper->state), energy_end, 1e-4);
    assert_near(bar_distance + stepper->state.q[0], gap_end, 1e-5);
    assert_near(lowest, gap_min, 6e-5);
    hand_free(stepper);
}

static void elastic_bar(void **unused)
{
    (void)unused;
    check_bar(0.5, (double[]){166.458, 270.338, 321.154}, 198.96132, 498.3354, 8.21663, -5.0e-3);
    check_bar(1.0, (double[]){308.558, 0.0, 315.613}, 191.23671, 426.7214, 7.42446, -1.39e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bouncing_ball),
        cmocka_unit_test(inelastic_ball_rests),
        cmocka_unit_test(bad_restitution_is_refused),
        cmocka_unit_test(bad_mass_is_refused),
        cmocka_unit_test(oscillator_keeps_its_energy),
        cmocka_unit_test(energy_identity_with_contacts),
        cmocka_unit_test(gyroscopic_force_with_contacts),
        cmocka_unit_test(variable_mass_second_order),
        cmocka_unit_test(elastic_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
