/* Reference numbers: Moreau 1986, trials 9 and 10 (plates 11 to 16), and single steps of sections 12, 13. */
#include "test/scheme/models.h"

/* ---- trial 9: a particle on a vibrating table ----------------------------------------------------- */

typedef struct table {
    double w;
    double gravity[3], oc[3], os[3], turn[3]; /* origin oc cos wt + os sin wt, rotation turn sin wt */
} table;

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* Rotation by -phi about the unit axis n. */
static void turn_back(const double *n, double phi, const double *v, double *out)
{
    double across[3], along = carom_dot(3, n, v);
    cross(n, v, across);
    for (int i = 0; i < 3; i++)
        out[i] = v[i] * cos(phi) - across[i] * sin(phi) + n[i] * along * (1.0 - cos(phi));
}

/* Forces of inertia in the frame of the table. */
static void table_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    table at;
    memcpy(&at, hand->data, sizeof at);
    const double s = sin(at.w * t), c = cos(at.w * t), w2 = at.w * at.w;
    const double size = sqrt(carom_dot(3, at.turn, at.turn));
    double axis[3] = {0}, rate[3], acceleration[3], apparent[3];
    for (int i = 0; i < 3; i++) {
        axis[i] = size > 0.0 ? at.turn[i] / size : 0.0;
        rate[i] = at.turn[i] * at.w * c;
        acceleration[i] = -at.turn[i] * w2 * s;
        apparent[i] = at.gravity[i] + w2 * (at.oc[i] * c + at.os[i] * s);
    }
    double euler[3], inner[3], centrifugal[3], coriolis[3];
    turn_back(axis, size * s, apparent, force);
    cross(acceleration, q, euler);
    cross(rate, q, inner);
    cross(rate, inner, centrifugal);
    cross(rate, u, coriolis);
    for (int i = 0; i < 3; i++)
        force[i] -= euler[i] + centrifugal[i] + 2.0 * coriolis[i];
}

static void make_table(hand_model *hand, const table *at, double static_mu, double mu)
{
    hand_init(hand, 3, 1);
    _Static_assert(sizeof *at <= sizeof hand->data, "the table fits in the data");
    memcpy(hand->data, at, sizeof *at);
    hand->force = table_force;
    hand->gaps = floor_gap;
    hand->frame = floor_frame;
    hand_friction(hand, 0, 2, static_mu, mu);
}

static const double rest[3] = {0.0, 0.0, 0.0};

/* As printed on the plate: w is nearly 20. */
static const double plate11_frequency = 3.183099;

static table plate_11_table(double radius)
{
    return (table){.w = 2.0 * PI * plate11_frequency,
                   .gravity = {0, 0, -981.0},
                   .oc = {radius, 0, 0},
                   .os = {0, radius, 0}};
}

static void plate_11_circle(void **unused)
{
    (void)unused;
    const double expected[4][3] = {{20, 95.42711801, 4.73204816},
                                   {50, 96.89592555, 4.83841889},
                                   {100, 97.45808247, 4.87130069},
                                   {400, 97.90342857, 4.89507056}};
    const table at = plate_11_table(5.0);
    for (int k = 0; k < 4; k++) {
        const double h = 1.0 / (plate11_frequency * expected[k][0]);
        hand_model hand;
        make_table(&hand, &at, 0.6, 0.4);
        carom_stepper *stepper = hand_start(scheme_named("moreau-friction"), &hand, 0.0, h, rest, rest);
        hand_run(stepper, lround(40.0 * expected[k][0]));
        const double *q = stepper->state.q, *u = stepper->state.v;
        const double start[2] = {q[0], q[1]};
        assert_near(hypot(u[0], u[1]), expected[k][1], 1e-8);
        /* the circle's diameter: half a period later */
        hand_run(stepper, lround(0.5 * expected[k][0]));
        assert_near(0.5 * hypot(q[0] - start[0], q[1] - start[1]), expected[k][2], 1e-8);
        assert_near(q[2], 0.0, 0.0);
        assert_int_equal(stepper->state.regime[0], CAROM_CONTACT_SLIP);
        hand_free(stepper);
    }
}

static void plate_11_start(void **unused)
{
    (void)unused;
    const double expected[4][3] = {{1, 0.00696154, 0.00021878},
                                   {50, 6.22712556, 13.22389239},
                                   {100, -5.88578390, 19.86207891},
                                   {500, -13.07387498, 39.87395707}};
    const table at = plate_11_table(5.0);
    hand_model hand;
    make_table(&hand, &at, 0.6, 0.4);
    carom_stepper *stepper =
        hand_start(scheme_named("moreau-friction"), &hand, 0.0, 0.01 / plate11_frequency, rest, rest);
    for (int k = 0; k < 4; k++) {
        hand_run(stepper, (long)expected[k][0] - stepper->counts.steps);
        assert_near(stepper->state.q[0], expected[k][1], 1e-8);
        assert_near(stepper->state.q[1], expected[k][2], 1e-8);
    }
    hand_free(stepper);
}

/* The static coefficient decides whether a particle at rest starts to move: rho w^2 against mu_s g. */
static void plate_11_static_threshold(void **unused)
{
    (void)unused;
    const table at = plate_11_table(1.2);
    for (int slides = 0; slides < 2; slides++) {
        hand_model hand;
        make_table(&hand, &at, slides ? 0.4 : 0.6, 0.4);
        carom_stepper *stepper =
            hand_start(scheme_named("moreau-friction"), &hand, 0.0, 0.01 / plate11_frequency, rest, rest);
        assert_int_equal(stepper->state.regime[0], CAROM_CONTACT_STICK);
        hand_run(stepper, 300);
        if (slides)
            assert_true(hypot(stepper->state.q[0], stepper->state.q[1]) > 1e-3);
        else
            assert_memory_equal(stepper->state.q, rest, sizeof rest);
        hand_free(stepper);
    }
}

typedef struct table_path {
    double after1[2], after5[2], last[2], height; /* height < 0: not given */
    double y0;
} table_path;

static void check_near(const double *q, const double *expected, double tolerance)
{
    if (expected[0] == 0.0 && expected[1] == 0.0)
        return;
    assert_near(q[0], expected[0], tolerance);
    assert_near(q[1], expected[1], tolerance);
}

static void plate_12(void **unused)
{
    (void)unused;
    const table at = {.w = 20.0 * PI, .gravity = {0, 0, -981.0}, .turn = {0, -0.04, 0.04}};
    const table_path paths[] = {
        {{1.4233784, -12.0179629}, {3.9137010, -11.5347943}, {12.1718, 6.5537}, 0.6797, -12.0},
        {{0}, {0}, {11.5571, 4.6256}, -1.0, -11.0},
        {{0}, {0}, {9.4494, 2.9885}, -1.0, -9.0},
        {{1.4611086, -7.0142804}, {3.1195979, -6.4900765}, {7.2373, 2.2939}, 0.0369, -7.0},
        {{0}, {0}, {6.2731, 1.2871}, -1.0, -6.0},
        {{0}, {0}, {5.2431, -.1381}, 0.0, -5.0},
        {{0}, {0}, {4.0531, -1.1063}, 0.0, -4.0},
        {{0}, {0}, {2.6801, -1.9170}, 0.0, -3.0},
        {{0}, {0}, {1.6457, -1.8662}, 0.0, -2.0},
        {{0}, {0}, {1.5, -1.0}, 0.0, -1.0},
    };
    for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++) {
        const table_path *path = &paths[k];
        const double h = 1.0 / 260.0, q0[3] = {1.5, path->y0, 0.0};
        hand_model hand;
        make_table(&hand, &at, -1.0, 0.4);
        carom_stepper *stepper = hand_start(scheme_named("moreau-friction"), &hand, 6.0 * h, h, q0, rest);
        const double *q = stepper->state.q;
        double height = 0.0;
        for (int i = 1; i <= 15 * 26; i++) {
            hand_step(stepper);
            height = fmax(height, q[2]);
            if (i == 26)
                check_near(q, path->after1, 1e-6);
            if (i == 5 * 26)
                check_near(q, path->after5, 1e-6);
        }
        check_near(q, path->last, path->y0 >= -6.0 ? 1e-4 : 1e-3);
        if (path->height >= 0.0)
            assert_near(height, path->height, 1e-4);
        if (path->y0 == -1.0)
            assert_memory_equal(q, q0, sizeof q0);
        hand_free(stepper);
    }
}

static carom_stepper *start_plate_13(hand_model *hand, double sign, double y0)
{
    const table at = {
        .w = 20.0 * PI, .gravity = {220.677, 0, -955.8571}, .oc = {0, 0.5 * sign, 0}, .turn = {0.01, 0, 0}};
    const double q0[3] = {0.0, y0, 0.0};
    make_table(hand, &at, -1.0, 0.4);
    return hand_start(scheme_named("moreau-friction"), hand, 0.0, 1.0 / 500.0, q0, rest);
}

static void plate_13_first_path(void **unused)
{
    (void)unused;
    const double expected[2][3][2] = {{{0.574996, 5.428389}, {5.037337, 4.301212}, {59.304215, 0.503219}},
                                      {{0.578490, 4.577987}, {5.042873, 5.985210}, {46.690, 63.525}}};
    const double tolerance[3] = {1e-6, 1e-6, 1e-3};
    for (int s = 0; s < 2; s++) {
        hand_model hand;
        carom_stepper *stepper = start_plate_13(&hand, s ? 1.0 : -1.0, 5.0);
        const long at[3] = {50, 250, 2500};
        for (int k = 0; k < 3; k++) {
            hand_run(stepper, at[k] - stepper->counts.steps);
            check_near(stepper->state.q, expected[s][k], tolerance[k]);
        }
        hand_free(stepper);
    }
}

static void plate_13_attracting_lines(void **unused)
{
    (void)unused;
    const double final_y[2][10] = {
        {.503, .604, .778, 1.211, 3.266, 102.9, 104.1, 103.3, 104.4, 102.3},
        {63.5, 68.5, 68.9, 69.2, 69.3, 69.3, 69.4, 70.0, 147.6, 147.8},
    };
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 10; k++) {
            hand_model hand;
            carom_stepper *stepper = start_plate_13(&hand, s ? 1.0 : -1.0, 5.0 + k * 125.0 / 9.0);
            hand_run(stepper, 2500);
            assert_near(stepper->state.q[1], final_y[s][k], final_y[s][k] < 10.0 ? 1e-3 : 0.1);
            hand_free(stepper);
        }
}

/* ---- trial 10: planar solid on a line, elastically driven; coordinates xi, eta, theta --------------- */

enum {
    SOLID_A,
    SOLID_B,
    SOLID_DRIVE, /* 0: no drive */
    SOLID_MOMENT,
};

static void solid_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)u;
    force[0] = force[1] = force[2] = 0.0;
    if (hand->data[SOLID_DRIVE] == 0.0)
        return;
    const double dx = -1.6 * sin(q[2]), dy = 1.6 * cos(q[2]);
    force[0] = -200.0 * (q[0] + dx - 30.0 * t);
    force[1] = -2000.0 * (q[1] + dy - 2.7);
    force[2] = dx * force[1] - dy * force[0] + hand->data[SOLID_MOMENT];
}

static void solid_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)t;
    gap[0] = q[1] + hand->data[SOLID_A] * cos(q[2]) - hand->data[SOLID_B];
}

static void solid_frame(const hand_model *hand, int contact, double t, const double *q,
                        carom_contact_frame *frame)
{
    (void)contact;
    (void)t;
    frame->normal.value[0] = 0.0;
    frame->normal.value[1] = 1.0;
    frame->normal.value[2] = -hand->data[SOLID_A] * sin(q[2]);
    frame->tangent[0].value[0] = 1.0;
    frame->tangent[0].value[1] = 0.0;
    frame->tangent[0].value[2] = q[1];
}

/* against_backward: the coefficient when the slip is negative (gam_1); the other one: -gam_2. */
static void make_solid(hand_model *hand, double against_backward, double against_forward)
{
    hand_init(hand, 3, 1);
    hand->force = solid_force;
    hand->gaps = solid_gap;
    hand->frame = solid_frame;
    hand->info[0].tangents = 1;
    hand->info[0].friction.dynamic_cone = (carom_friction_cone){&carom_friction_asymmetric, 2};
    hand->info[0].coefficients = 2;
    hand->coefficient[0][0] = against_backward;
    hand->coefficient[0][1] = against_forward;
    hand->data[SOLID_A] = -1.73205;
    hand->data[SOLID_B] = 1.0;
}

static const double plate14_q[3] = {.343836, 2.15387, .841469}, plate14_u[3] = {41.3281, -4.9483, 3.85829};
static const double plate15_q[3] = {1.0967, 2.16282, .840773}, plate15_u[3] = {28.4148, 13.0379, -7.21756};
static const double plate16_q[3] = {1.14612, 2.13286, .886816}, plate16_u[3] = {27.5273, 6.34844, -.534209};

static carom_stepper *start_solid(hand_model *hand, double moment, double h, const double *q, const double *u)
{
    make_solid(hand, 0.5, 0.5);
    hand->data[SOLID_DRIVE] = 1.0;
    hand->data[SOLID_MOMENT] = moment;
    return hand_start(scheme_named("moreau-friction"), hand, 0.0, h, q, u);
}

static void check_solid(carom_stepper *stepper, long step, const double expected[6], double tolerance)
{
    hand_run(stepper, step - stepper->counts.steps);
    for (int i = 0; i < 3; i++) {
        assert_near(stepper->state.q[i], expected[i], tolerance);
        assert_near(stepper->state.v[i], expected[3 + i], tolerance);
    }
}

static void plate_14(void **unused)
{
    (void)unused;
    hand_model hand;
    carom_stepper *stepper = start_solid(&hand, -700.0, .002, plate14_q, plate14_u);
    check_solid(stepper, 50, (double[]){3.870836, 2.046236, .921343, 29.166804, -10.085356, 7.352497}, 1e-6);
    check_solid(stepper, 100, (double[]){6.069722, 1.965764, .978537, 18.152734, -9.315388, 6.510959}, 1e-6);
    check_solid(stepper, 250, (double[]){13.845753, 2.149778, .844371, 40.048085, -8.936610, 6.944943}, 1e-6);
    hand_free(stepper);
}

/* From a consistent start, against the differential equation of permanent sliding. */
static void plate_14_converges_to_sliding(void **unused)
{
    (void)unused;
    const double q0[3] = {.343836, 2.15418308, .841469}, u0[3] = {41.3281, -4.98281178, 3.85829};
    hand_model hand;
    carom_stepper *stepper = start_solid(&hand, -700.0, 1e-4, q0, u0);
    check_solid(stepper, 2000, (double[]){6.07147, 1.96645, .97884, 18.21752, -9.37609, 6.52464}, 1e-5);
    check_solid(stepper, 5000, (double[]){13.87682, 2.13972, .85261, 40.15621, -9.38862, 7.20084}, 1e-5);
    hand_free(stepper);
}

static void plate_15(void **unused)
{
    (void)unused;
    const double contacts[6] = {.070, .154, .236, .317, .401, .483};
    hand_model hand;
    carom_stepper *stepper = start_solid(&hand, -200.0, .001, plate15_q, plate15_u);
    check_solid(stepper, 100, (double[]){4.067195, 2.212570, .903499, 28.973348, -7.273690, 13.256999}, 1e-6);
    check_solid(stepper, 200, (double[]){7.074902, 1.978988, 1.215552, 30.061291, -14.310809, 17.862721},
                1e-6);
    hand_free(stepper);

    stepper = start_solid(&hand, -200.0, .0005, plate15_q, plate15_u);
    check_solid(stepper, 400, (double[]){7.070758, 1.985352, 1.217292, 30.016743, -14.169211, 17.864498},
                1e-6);
    hand_free(stepper);

    stepper = start_solid(&hand, -200.0, .001, plate15_q, plate15_u);
    int shocks = 0;
    bool was_open = true;
    for (int i = 0; i < 500; i++) {
        hand_step(stepper);
        bool open = stepper->state.regime[0] == CAROM_CONTACT_OPEN;
        if (was_open && !open) {
            assert_true(shocks < 6);
            assert_near(stepper->state.t, contacts[shocks++], 1.5e-3);
            assert_int_equal(stepper->state.regime[0], CAROM_CONTACT_STICK);
        }
        was_open = open;
    }
    assert_int_equal(shocks, 6);
    hand_free(stepper);
}

static void plate_16(void **unused)
{
    (void)unused;
    hand_model hand;
    carom_stepper *stepper = start_solid(&hand, -100.0, .0005, plate16_q, plate16_u);
    check_solid(stepper, 200, (double[]){4.156947, 2.030890, .961581, 30.217211, -10.958240, 11.852164},
                1e-6);
    check_solid(stepper, 400, (double[]){7.066033, 1.962259, 1.282032, 29.566131, -6.687602, 10.783982},
                1e-6);
    hand_free(stepper);
}

/* With a moment of -800 the solid jams and tips over to negative angles. */
static void jam_tips_the_solid_over(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        hand_model hand;
        const double h = k ? .0005 : .002;
        carom_stepper *stepper = start_solid(&hand, -800.0, h, plate14_q, plate14_u);
        double lowest = 1.0;
        for (long i = 0; i < lround(2.0 / h); i++) {
            hand_step(stepper);
            lowest = fmin(lowest, stepper->state.q[2]);
        }
        assert_true(lowest < 0.0);
        hand_free(stepper);
    }
}

typedef struct solid_impact {
    double against_backward, against_forward, angle, after[3];
    carom_contact_regime regime;
} solid_impact;

/* Velocity impacts of the solid: slip, stick, and stick on a half-line (jam). */
static void solid_impacts(void **unused)
{
    (void)unused;
    const solid_impact impacts[] = {
        {.5, .5, 0.2, {8.11493, 1.035168, -3.008288}, CAROM_CONTACT_STICK},
        {.5, .5, 0.6, {6.746653, 1.506695, -1.540605}, CAROM_CONTACT_SLIP},
        {.5, .5, 1.0, {8.541007, -2.082015, 1.428513}, CAROM_CONTACT_SLIP},
        {2., 2., 0.6, {5.998895, 2.414817, -2.469166}, CAROM_CONTACT_STICK},
        {2., 2., 1.0, {3.400537, 2.560234, -1.756629}, CAROM_CONTACT_STICK},
        {.3, 1.2, 0.6, {5.998895, 2.414817, -2.469166}, CAROM_CONTACT_STICK},
        {.3, 1.2, 1.0, {3.400537, 2.560234, -1.756629}, CAROM_CONTACT_STICK},
    };
    for (size_t k = 0; k < sizeof impacts / sizeof impacts[0]; k++) {
        const solid_impact *impact = &impacts[k];
        const double u0[3] = {10.0, -5.0, 0.0};
        const double q0[3] = {0.0, 1.73205 * cos(impact->angle) + 1.0, impact->angle};
        hand_model hand;
        make_solid(&hand, impact->against_backward, impact->against_forward);
        carom_stepper *stepper = hand_start(scheme_named("moreau-friction"), &hand, 0.0, 1e-9, q0, u0);
        hand_step(stepper);
        for (int i = 0; i < 3; i++)
            assert_near(stepper->state.v[i], impact->after[i], 2e-6);
        assert_int_equal(stepper->state.regime[0], impact->regime);
        hand_free(stepper);
    }
}

/* ---- single steps of a particle ---------------------------------------------------------------------- */

static void check_particle_step(const carom_friction_cone *cone, const double *coefficients,
                                const double u0[3], const double expected[2])
{
    hand_model hand;
    hand_init(&hand, 3, 1);
    hand.gaps = floor_gap;
    hand.frame = floor_frame;
    hand.info[0].tangents = 2;
    hand.info[0].friction.dynamic_cone = *cone;
    hand.info[0].coefficients = cone->coefficients;
    memcpy(hand.coefficient[0], coefficients, (size_t)cone->coefficients * sizeof *coefficients);
    carom_stepper *stepper = hand_start(scheme_named("moreau-friction"), &hand, 0.0, 0.01, rest, u0);
    hand_step(stepper);
    assert_near(stepper->state.v[0], expected[0], 1e-8);
    assert_near(stepper->state.v[1], expected[1], 1e-8);
    assert_near(stepper->state.v[2], 0.0, 1e-16);
    assert_near(stepper->state.impulse[0], -u0[2], 1e-15);
    if (expected[0] == 0.0 && expected[1] == 0.0) {
        assert_memory_equal(stepper->state.v, rest, sizeof rest);
        assert_int_equal(stepper->state.regime[0], CAROM_CONTACT_STICK);
    }
    hand_free(stepper);
}

static void anisotropic_particle(void **unused)
{
    (void)unused;
    const carom_friction_cone ellipse = {&carom_friction_elliptic, 2},
                              polygon = {&carom_friction_polygonal, 8};
    const double wide[] = {.5, .25}, other[] = {.6, .3}, corners[] = {.5, 0, 0, .3, -.2, 0, 0, -.3};
    check_particle_step(&ellipse, wide, (double[]){3, 1, -2}, (double[]){2.02345771, 0.89233714});
    check_particle_step(&ellipse, wide, (double[]){.3, .4, -2}, (double[]){0, 0});
    check_particle_step(&ellipse, other, (double[]){1.2, -.6, -1.5}, (double[]){0.39585492, -0.39791667});
    check_particle_step(&polygon, corners, (double[]){3, 1, -2}, (double[]){2.6, 1});
    check_particle_step(&polygon, corners, (double[]){-3, .5, -2}, (double[]){-2, .5});
    check_particle_step(&polygon, corners, (double[]){.2, .1, -2}, (double[]){0, 0});
}

/* ---- several contacts at once ------------------------------------------------------------------------ */

/* A box on two feet, x y theta at its centre of height 0.4, feet at -1 and +1; small angles. */
static void box_gaps(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand;
    (void)t;
    gap[0] = q[1] - q[2];
    gap[1] = q[1] + q[2];
}

static void box_frame(const hand_model *hand, int contact, double t, const double *q,
                      carom_contact_frame *frame)
{
    (void)hand;
    (void)t;
    (void)q;
    frame->normal.value[0] = 0.0;
    frame->normal.value[1] = 1.0;
    frame->normal.value[2] = contact == 0 ? -1.0 : 1.0;
    frame->tangent[0].value[0] = 1.0;
    frame->tangent[0].value[1] = 0.0;
    frame->tangent[0].value[2] = 0.4;
}

/* Slope: tan alpha = 0.3. With mu 0.31 the box stays, with 0.29 it slides with g (sin - mu cos). */
static void box_on_a_slope(void **unused)
{
    (void)unused;
    const double alpha = atan(0.3), g = 9.81, h = 0.01;
    for (int slides = 0; slides < 2; slides++) {
        const double mu = slides ? 0.29 : 0.31;
        hand_model hand;
        hand_init(&hand, 3, 2);
        hand.mass[0] = hand.mass[4] = 2.0;
        hand.mass[8] = 0.7;
        hand.gaps = box_gaps;
        hand.frame = box_frame;
        hand.force = constant_force;
        hand.data[16] = 2.0 * g * sin(alpha);
        hand.data[17] = -2.0 * g * cos(alpha);
        hand_friction(&hand, 0, 1, -1.0, mu);
        hand_friction(&hand, 1, 1, -1.0, mu);
        /* a little below the plane: rounding must not open the feet */
        const double q0[3] = {0.0, -1e-9, 0.0};
        carom_stepper *stepper = hand_start(scheme_named("moreau-friction"), &hand, 0.0, h, q0, rest);
        for (int i = 0; i < 100; i++) {
            hand_step(stepper);
            const double *p = stepper->state.impulse;
            assert_near(p[0] + p[3], 2.0 * g * cos(alpha) * h, 1e-12);
            /* moments about the centre: friction at height 0.4 loads the lower foot */
            assert_near(p[3] - p[0] + 0.4 * (p[1] + p[4]), 0.0, 1e-12);
            assert_int_equal(stepper->state.regime[0], slides ? CAROM_CONTACT_SLIP : CAROM_CONTACT_STICK);
        }
        double speed = slides ? g * (sin(alpha) - mu * cos(alpha)) * 1.0 : 0.0;
        assert_near(stepper->state.v[0], speed, 1e-11);
        assert_near(stepper->state.v[1], 0.0, 1e-12);
        assert_near(stepper->state.v[2], 0.0, 1e-12);
        assert_true(stepper->counts.solver_iterations >= 100);
        assert_true(stepper->counts.worst_solver_error <= 1e-10);
        hand_free(stepper);
    }
}

/* Frictionless contacts in this scheme are those of inel, one or many. */
static void without_friction_it_is_inel(void **unused)
{
    (void)unused;
    carom_random random = {3};
    for (int contacts = 1; contacts <= 3; contacts++) {
        hand_model hand;
        const double u0[3] = {0.3, -0.8, -0.5};
        hand_init(&hand, 3, contacts);
        hand.gaps = planes_gap;
        hand.frame = planes_frame;
        for (int i = 0; i < 9; i++)
            hand.data[i] = carom_random_uniform(&random, -1.0, 1.0);
        carom_stepper *a = hand_start_with(scheme_named("inel"), &hand, 0.0, 0.01, rest, u0, "av", 0.0);
        carom_stepper *b = hand_start(scheme_named("moreau-friction"), &hand, 0.0, 0.01, rest, u0);
        for (int step = 0; step < 10; step++) {
            hand_step(a);
            hand_step(b);
            for (int i = 0; i < 3; i++)
                assert_near(a->state.v[i], b->state.v[i], 1e-12);
        }
        hand_free(a);
        hand_free(b);
    }
}

/* A conveyor belt: tangent_rate makes the block take up the speed of the belt. */
static void belt_frame(const hand_model *hand, int contact, double t, const double *q,
                       carom_contact_frame *frame)
{
    floor_frame(hand, contact, t, q, frame);
    frame->tangent_rate[0] = -1.5;
}

static void conveyor_belt(void **unused)
{
    (void)unused;
    const double q0[2] = {0.0, 0.0}, u0[2] = {0.0, 0.0};
    hand_model hand;
    hand_init(&hand, 2, 1);
    hand.gaps = floor_gap;
    hand.frame = belt_frame;
    hand.force = constant_force;
    hand.data[17] = -10.0;
    hand_friction(&hand, 0, 1, -1.0, 0.5);
    carom_stepper *stepper = hand_start(scheme_named("moreau-friction"), &hand, 0.0, 0.01, q0, u0);
    hand_run(stepper, 20);
    assert_near(stepper->state.v[0], 0.5 * 10.0 * 0.2, 1e-14);
    assert_int_equal(stepper->state.regime[0], CAROM_CONTACT_SLIP);
    hand_run(stepper, 20);
    assert_near(stepper->state.v[0], 1.5, 1e-15);
    assert_int_equal(stepper->state.regime[0], CAROM_CONTACT_STICK);
    hand_free(stepper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plate_11_circle),
        cmocka_unit_test(plate_11_start),
        cmocka_unit_test(plate_11_static_threshold),
        cmocka_unit_test(plate_12),
        cmocka_unit_test(plate_13_first_path),
        cmocka_unit_test(plate_13_attracting_lines),
        cmocka_unit_test(plate_14),
        cmocka_unit_test(plate_14_converges_to_sliding),
        cmocka_unit_test(plate_15),
        cmocka_unit_test(plate_16),
        cmocka_unit_test(jam_tips_the_solid_over),
        cmocka_unit_test(solid_impacts),
        cmocka_unit_test(anisotropic_particle),
        cmocka_unit_test(box_on_a_slope),
        cmocka_unit_test(without_friction_it_is_inel),
        cmocka_unit_test(conveyor_belt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
