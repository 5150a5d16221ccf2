#include "vibro_impact.h"

#include "scheme/vibro_impact/impact_projection.h"

/* ---- velocities: random systems with full mass matrices ---------------------------------------------- */

typedef struct random_system {
    hand_model hand; /* first */
    double normal[HAND_CONTACTS_MAX][HAND_DOF_MAX];
} random_system;

static const random_system *random_of(const hand_model *hand)
{
    return (const random_system *)(const void *)hand;
}

static void random_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)t;
    for (int a = 0; a < hand->model.contacts; a++)
        gap[a] = carom_dot(hand->model.dof, random_of(hand)->normal[a], q);
}

static void random_frame(const hand_model *hand, int contact, double t, const double *q,
                         carom_contact_frame *frame)
{
    (void)t;
    (void)q;
    memcpy(frame->normal.value, random_of(hand)->normal[contact], (size_t)hand->model.dof * sizeof(double));
}

static void random_vector(carom_random *random, int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = carom_random_uniform(random, -1.0, 1.0);
}

static void random_mass(carom_random *random, int n, double *mass)
{
    double factor[HAND_DOF_MAX * HAND_DOF_MAX];
    random_vector(random, n * n, factor);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            mass[i * n + j] = carom_dot(n, factor + i * n, factor + j * n) + (i == j ? 0.2 : 0.0);
}

/* Up to 8 coordinates and as many contacts, all closed at q = 0. */
static impact_system *random_system_create(carom_random *random, double e, random_system *made)
{
    const int dof = 1 + (int)carom_random_uniform(random, 0.0, 7.999);
    const int contacts = 1 + (int)carom_random_uniform(random, 0.0, dof - 0.001);
    static const double zero[HAND_DOF_MAX];
    hand_init(&made->hand, dof, contacts);
    made->hand.gaps = random_gap;
    made->hand.frame = random_frame;
    set_restitution(&made->hand, e);
    random_mass(random, dof, made->hand.mass);
    for (int a = 0; a < contacts; a++)
        random_vector(random, dof, made->normal[a]);
    impact_system *system =
        (impact_system *)hand_start(scheme_named("sweeping"), &made->hand, 0.0, 0.1, zero, zero);
    assert_int_equal(impact_find_active(system, 0.0, zero, 0.0, NULL), CAROM_OK);
    assert_int_equal(system->active_count, contacts);
    return system;
}

static double kinetic_product(const random_system *made, const double *x, const double *y)
{
    const int n = made->hand.model.dof;
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i] * carom_dot(n, made->hand.mass + i * n, y);
    return sum;
}

/* M (v - u) = G^T z with z >= 0, G v >= 0, z.G v = 0: v is the projection of u. */
static void check_projection(const random_system *made, const impact_system *system, const double *u,
                             const double *v, bool carried)
{
    const int n = system->stepper.dof;
    double rest[HAND_DOF_MAX], change[HAND_DOF_MAX], size = 1.0;
    for (int i = 0; i < n; i++)
        change[i] = v[i] - u[i];
    for (int a = 0; a < system->stepper.contacts; a++)
        size = fmax(size, system->lcp.z[a]);
    for (int i = 0; i < n; i++) {
        rest[i] = carom_dot(n, made->hand.mass + i * n, change);
        for (int a = 0; carried && a < system->stepper.contacts; a++)
            rest[i] -= system->lcp.z[a] * made->normal[a][i];
        assert_near(rest[i], 0.0, 1e-10 * size);
    }
    for (int a = 0; a < system->stepper.contacts; a++) {
        const double rate = carom_dot(n, made->normal[a], v);
        assert_true(rate >= -1e-10 * size);
        assert_true(system->lcp.z[a] >= 0.0);
        assert_near(system->lcp.z[a] * rate, 0.0, 1e-9 * size * size);
    }
}

static void impact_law_in_the_kinetic_metric(void **unused)
{
    (void)unused;
    carom_random random = {40};
    long many = 0;
    for (int trial = 0; trial < 10000; trial++) {
        const double e = trial % 10 == 0 ? 1.0 : carom_random_uniform(&random, 0.0, 1.0);
        random_system made;
        impact_system *system = random_system_create(&random, e, &made);
        const int n = system->stepper.dof;
        double u[HAND_DOF_MAX], v[HAND_DOF_MAX], part[HAND_DOF_MAX], after[HAND_DOF_MAX];
        bool carried = false;
        random_vector(&random, n, u);
        assert_int_equal(impact_project_velocity(system, 0.0, u, v, &carried, NULL), CAROM_OK);
        check_projection(&made, system, u, v, carried);
        /* coming from inside: no active contact opens */
        for (int i = 0; i < n; i++)
            u[i] = -v[i];
        assert_int_equal(impact_project_velocity(system, 0.0, u, v, &carried, NULL), CAROM_OK);
        check_projection(&made, system, u, v, carried);
        for (int i = 0; i < n; i++) {
            part[i] = u[i] - v[i];
            after[i] = -e * u[i] + (1.0 + e) * v[i];
        }
        double largest = 1.0;
        for (int a = 0; a < system->stepper.contacts; a++)
            largest = fmax(largest, system->lcp.z[a]);
        const double energy = kinetic_product(&made, u, u), scale = 1e-10 * (largest + energy);
        const double energy_after = kinetic_product(&made, after, after);
        assert_near(energy_after, kinetic_product(&made, v, v) + e * e * kinetic_product(&made, part, part),
                    scale);
        assert_true(energy_after <= energy + scale);
        if (e == 1.0)
            assert_near(energy_after, energy, scale);
        for (int a = 0; a < system->stepper.contacts; a++)
            assert_true(carom_dot(n, made.normal[a], after) >= -1e-9);
        many += system->stepper.contacts > 2 && carried;
        hand_free(&system->stepper);
    }
    assert_true(many > 3000);
}

/* Two walls that close on a point from both sides. */
static void closing_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand;
    gap[0] = q[0] - t;
    gap[1] = -q[0] - t;
}

static void closing_frame(const hand_model *hand, int contact, double t, const double *q,
                          carom_contact_frame *frame)
{
    (void)hand;
    (void)t;
    (void)q;
    frame->normal.value[0] = contact == 0 ? 1.0 : -1.0;
    frame->normal_rate = -1.0;
}

static void walls_that_leave_no_velocity(void **unused)
{
    (void)unused;
    const double q0 = 0.0, v0 = 0.0;
    hand_model hand;
    hand_init(&hand, 1, 2);
    hand.gaps = closing_gap;
    hand.frame = closing_frame;
    carom_stepper *stepper = hand_start(scheme_named("sweeping"), &hand, -0.95, 0.1, &q0, &v0);
    carom_error error = {0};
    hand_run(stepper, 9);
    assert_int_equal(carom_stepper_step(stepper, &error), CAROM_FAILED);
    assert_mentions(&error, "dependent active constraints at t=0.05");
    assert_string_equal(stepper->end_word, "corner");
    hand_free(stepper);
    stepper = hand_start(scheme_named("paoli-schatzman"), &hand, -0.95, 0.1, &q0, &v0);
    hand_run(stepper, 9);
    assert_int_equal(carom_stepper_step(stepper, &error), CAROM_FAILED);
    assert_mentions(&error, "projection onto K failed at t=0.05: the 2 contacts there");
    assert_mentions(&error, "leave no position");
    hand_free(stepper);
}

/* The same wall twice is no obstacle to a solution. */
static void a_wall_given_twice(void **unused)
{
    (void)unused;
    static const double wall[2] = {1.0, 1.0}, q0[2] = {1.0, 1.0}, v0[2] = {-1.0, -1.0};
    const carom_scheme_ops *const schemes[] = {scheme_named("sweeping"), scheme_named("paoli-schatzman")};
    for (int k = 0; k < 2; k++) {
        hand_model hand;
        planes(&hand, 0.5, wall, wall);
        carom_stepper *stepper = hand_start(schemes[k], &hand, 0.0, 0.015, q0, v0);
        hand_run(stepper, 100);
        assert_near(stepper->state.v[0], 0.5, 1e-13);
        assert_near(stepper->state.v[1], 0.5, 1e-13);
        hand_free(stepper);
    }
}

/* ---- positions: between two spheres, in a full metric ------------------------------------------------ */

/* Inside the unit sphere about 0, outside the sphere of radius 0.5 about (0.8, 0, 0). */
static void spheres_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand;
    (void)t;
    const double x = q[0] - 0.8;
    gap[0] = 1.0 - carom_dot(3, q, q);
    gap[1] = x * x + q[1] * q[1] + q[2] * q[2] - 0.25;
}

static void spheres_frame(const hand_model *hand, int contact, double t, const double *q,
                          carom_contact_frame *frame)
{
    (void)hand;
    (void)t;
    for (int i = 0; i < 3; i++)
        frame->normal.value[i] = contact == 0 ? -2.0 * q[i] : 2.0 * (q[i] - (i == 0 ? 0.8 : 0.0));
}

static impact_system *spheres(hand_model *hand)
{
    static const double q0[3] = {-0.5, 0.0, 0.0}, v0[3] = {0.0, 0.0, 0.0};
    return (impact_system *)hand_start(scheme_named("sweeping"), hand, 0.0, 0.1, q0, v0);
}

static void spheres_init(hand_model *hand)
{
    hand_init(hand, 3, 2);
    hand->gaps = spheres_gap;
    hand->frame = spheres_frame;
}

static void projection_in_the_euclidean_metric_is_radial(void **unused)
{
    (void)unused;
    carom_random random = {3};
    hand_model hand;
    spheres_init(&hand);
    impact_system *system = spheres(&hand);
    for (int trial = 0; trial < 1000; trial++) {
        double w[3], x[3], length = 0.0;
        random_vector(&random, 3, w);
        w[0] = -fabs(w[0]) - 0.01; /* away from the second sphere */
        length = carom_random_uniform(&random, 0.9, 1.2) / sqrt(carom_dot(3, w, w));
        for (int i = 0; i < 3; i++)
            w[i] *= length;
        const double radius = sqrt(carom_dot(3, w, w));
        bool carried = false;
        assert_int_equal(impact_project_position(system, 0.0, w, x, &carried, NULL), CAROM_OK);
        assert_int_equal(carried, radius > 1.0);
        for (int i = 0; i < 3; i++)
            assert_near(x[i], w[i] / fmax(radius, 1.0), 1e-13);
        if (carried) /* x - w = -2 z x */
            assert_near(system->lcp.z[0], 0.5 * (radius - 1.0), 1e-13);
    }
    hand_free(&system->stepper);
}

/* M (x - w) = G(x)^T z, z >= 0, gaps >= 0, complementary. */
static void projection_in_any_metric_is_stationary(void **unused)
{
    (void)unused;
    carom_random random = {5};
    int both = 0, one = 0;
    for (int trial = 0; trial < 3000; trial++) {
        hand_model hand;
        spheres_init(&hand);
        random_mass(&random, 3, hand.mass);
        impact_system *system = spheres(&hand);
        double w[3], x[3], gap[2];
        const double circle = carom_random_uniform(&random, 0.0, 2.0 * PI), edge = 1.39 / 1.6;
        w[0] = edge + carom_random_uniform(&random, -0.01, 0.01);
        w[1] = sqrt(1.0 - edge * edge) * cos(circle) + carom_random_uniform(&random, -0.01, 0.01);
        w[2] = sqrt(1.0 - edge * edge) * sin(circle) + carom_random_uniform(&random, -0.01, 0.01);
        bool carried = false;
        assert_int_equal(impact_project_position(system, 0.0, w, x, &carried, NULL), CAROM_OK);
        spheres_gap(&hand, 0.0, x, gap);
        assert_true(gap[0] > -1e-14 && gap[1] > -1e-14);
        double rest[3], change[3];
        for (int i = 0; i < 3; i++)
            change[i] = x[i] - w[i];
        for (int i = 0; i < 3; i++)
            rest[i] = carom_dot(3, hand.mass + 3 * i, change);
        int pressed = 0;
        for (int k = 0; carried && k < system->active_count; k++) {
            const int contact = system->active[k];
            double normal[3];
            carom_contact_frame frame = {.normal = {3, NULL, normal}};
            spheres_frame(&hand, contact, 0.0, x, &frame);
            assert_true(system->lcp.z[k] >= 0.0);
            assert_near(system->lcp.z[k] * gap[contact], 0.0, 1e-14);
            carom_axpy(3, -system->lcp.z[k], normal, rest);
            pressed += system->lcp.z[k] > 0.0;
        }
        for (int i = 0; i < 3; i++)
            assert_near(rest[i], 0.0, 1e-12);
        both += pressed == 2;
        one += pressed == 1;
        hand_free(&system->stepper);
    }
    assert_true(both > 300 && one > 300);
}

/* The way back to one wall leads through another that was not violated before: the metric is skew. */
static void projection_that_meets_another_wall(void **unused)
{
    (void)unused;
    static const double flat[2] = {0.0, 1.0}, wall[2] = {1.0, 0.0}, inside[2] = {1.0, 1.0},
                        v0[2] = {0.0, 0.0};
    const double w[2] = {0.1, -1.0};
    for (int affine = 0; affine <= 1; affine++) {
        hand_model hand;
        planes(&hand, 0.0, flat, wall);
        hand.info[0].constant_rows = hand.info[1].constant_rows = affine == 1;
        hand.mass[0] = hand.mass[3] = 4.0 / 3.0;
        hand.mass[1] = hand.mass[2] = 2.0 / 3.0;
        impact_system *system =
            (impact_system *)hand_start(scheme_named("sweeping"), &hand, 0.0, 0.1, inside, v0);
        double x[2];
        bool carried = false;
        assert_int_equal(impact_project_position(system, 0.0, w, x, &carried, NULL), CAROM_OK);
        assert_near(x[0], 0.0, 1e-15);
        assert_near(x[1], 0.0, 1e-15);
        assert_int_equal(system->active_count, 2);
        assert_near(system->lcp.z[0], 4.0 / 3.0 * 0.95, 1e-14);
        assert_near(system->lcp.z[1], 4.0 / 3.0 * 0.4, 1e-14);
        hand_free(&system->stepper);
    }
}

/* A coordinate that is light against the others slows the iteration down: what it has reached is taken. */
static void slow_projection_is_good_enough(void **unused)
{
    (void)unused;
    const double inside[2] = {0.0, 0.0}, v0[2] = {0.0, 0.0}, w[2] = {1.05, 0.01};
    hand_model hand;
    hand_init(&hand, 2, 1);
    hand.gaps = inside_ball_gap;
    hand.frame = inside_ball_frame;
    hand.data[8] = 1.0;
    hand.mass[3] = 0.0829;
    impact_system *system =
        (impact_system *)hand_start(scheme_named("sweeping"), &hand, 0.0, 0.1, inside, v0);
    double x[2];
    bool carried = false;
    assert_int_equal(impact_project_position(system, 0.0, w, x, &carried, NULL), CAROM_OK);
    const double z = system->lcp.z[0];
    assert_near(carom_dot(2, x, x), 1.0, 1e-12);
    assert_near(x[0] - w[0], -2.0 * z * x[0], 1e-12);
    assert_near(hand.mass[3] * (x[1] - w[1]), -2.0 * z * x[1], 1e-12);
    hand_free(&system->stepper);
}

/* ---- positions: steps that go deep into a curved wall ---------------------------------------------- */

/* The part of space inside of both balls of radius 1 about (+-0.5, 0, ...), in two forms. */
static void lens_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)t;
    for (int side = 0; side < 2; side++) {
        double square = 0.0;
        for (int i = 0; i < hand->model.dof; i++) {
            const double way = q[i] - (i == 0 ? side - 0.5 : 0.0);
            square += way * way;
        }
        gap[side] = hand->data[0] != 0.0 ? 1.0 - sqrt(square) : 1.0 - square;
    }
}

static void lens_frame(const hand_model *hand, int contact, double t, const double *q,
                       carom_contact_frame *frame)
{
    (void)t;
    double square = 0.0;
    for (int i = 0; i < hand->model.dof; i++) {
        frame->normal.value[i] = -(q[i] - (i == 0 ? contact - 0.5 : 0.0));
        square += frame->normal.value[i] * frame->normal.value[i];
    }
    for (int i = 0; i < hand->model.dof; i++)
        frame->normal.value[i] *= hand->data[0] != 0.0 ? 1.0 / sqrt(square) : 2.0;
}

/* M (x - w) = G(x)^T z, z >= 0, gaps >= 0, complementary: the projection on a convex set. */
static int check_lens(const hand_model *hand, const impact_system *system, const double *w, const double *x)
{
    const int n = hand->model.dof;
    double gap[2], rest[HAND_DOF_MAX], change[HAND_DOF_MAX], size = 0.0;
    int pressed = 0;
    lens_gap(hand, 0.0, x, gap);
    for (int i = 0; i < n; i++)
        change[i] = x[i] - w[i];
    for (int i = 0; i < n; i++) {
        rest[i] = carom_dot(n, hand->mass + i * n, change);
        size = fmax(size, fabs(rest[i]));
    }
    for (int k = 0; k < system->active_count; k++) {
        double normal[HAND_DOF_MAX];
        carom_contact_frame frame = {.normal = {n, NULL, normal}};
        lens_frame(hand, system->active[k], 0.0, x, &frame);
        assert_true(system->lcp.z[k] >= 0.0);
        assert_true(system->lcp.z[k] * fabs(gap[system->active[k]]) <= 1e-10 * size);
        carom_axpy(n, -system->lcp.z[k], normal, rest);
        pressed += system->lcp.z[k] > 0.0;
    }
    assert_true(gap[0] > -1e-10 && gap[1] > -1e-10);
    for (int i = 0; i < n; i++)
        assert_near(rest[i], 0.0, 1e-9 * size);
    return pressed;
}

/* The depth is up to a thousand radii, in any metric. */
static void deep_projection_on_a_convex_set(void **unused)
{
    (void)unused;
    static const double zero[HAND_DOF_MAX];
    carom_random random = {7};
    int one = 0, both = 0;
    for (int trial = 0; trial < 2000; trial++) {
        hand_model hand;
        const int n = 2 + trial % 4;
        double w[HAND_DOF_MAX], x[HAND_DOF_MAX];
        hand_init(&hand, n, 2);
        hand.gaps = lens_gap;
        hand.frame = lens_frame;
        hand.data[0] = trial % 2;
        random_mass(&random, n, hand.mass);
        impact_system *system =
            (impact_system *)hand_start(scheme_named("sweeping"), &hand, 0.0, 0.1, zero, zero);
        random_vector(&random, n, w);
        const double depth = pow(10.0, carom_random_uniform(&random, 0.0, 3.0));
        for (int i = 0; i < n; i++)
            w[i] *= depth;
        bool carried = false;
        carom_error error = {0};
        if (impact_project_position(system, 0.0, w, x, &carried, &error) != CAROM_OK)
            fail_msg("trial %d: %s", trial, error.text);
        if (carried) {
            const int pressed = check_lens(&hand, system, w, x);
            one += pressed == 1;
            both += pressed == 2;
        }
        hand_free(&system->stepper);
    }
    assert_true(one > 200 && both > 200);
}

/* No position at all is admissible. */
static void hopeless_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand;
    (void)t;
    gap[0] = -1.0 - q[0] * q[0];
}

static void hopeless_frame(const hand_model *hand, int contact, double t, const double *q,
                           carom_contact_frame *frame)
{
    (void)hand;
    (void)contact;
    (void)t;
    frame->normal.value[0] = -2.0 * q[0];
}

static void projection_that_fails_says_so(void **unused)
{
    (void)unused;
    const double w = 0.3, v0 = 0.0;
    hand_model hand;
    hand_init(&hand, 1, 1);
    hand.gaps = hopeless_gap;
    hand.frame = hopeless_frame;
    impact_system *system = (impact_system *)hand_start(scheme_named("sweeping"), &hand, 0.0, 0.1, &w, &v0);
    double x = 0.0;
    bool carried = false;
    carom_error error = {0};
    assert_int_equal(impact_project_position(system, 2.5, &w, &x, &carried, &error), CAROM_FAILED);
    assert_mentions(&error, "projection onto K failed at t=2.5");
    assert_mentions(&error, "reduce h");
    assert_mentions(&error, "negative everywhere");
    hand_free(&system->stepper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impact_law_in_the_kinetic_metric),
        cmocka_unit_test(walls_that_leave_no_velocity),
        cmocka_unit_test(a_wall_given_twice),
        cmocka_unit_test(projection_in_the_euclidean_metric_is_radial),
        cmocka_unit_test(projection_in_any_metric_is_stationary),
        cmocka_unit_test(projection_that_meets_another_wall),
        cmocka_unit_test(slow_projection_is_good_enough),
        cmocka_unit_test(deep_projection_on_a_convex_set),
        cmocka_unit_test(projection_that_fails_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
