#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "sample_friction.h"

static const double kite[8] = {0.5, 0.0, 0.0, 0.3, -0.2, 0.0, 0.0, -0.3};

static carom_friction_result solved(const carom_friction_contact *contact)
{
    carom_friction_result result;
    carom_error error;
    assert_int_equal(carom_friction_contact_solve(contact, &result, &error), CAROM_OK);
    assert_solution(contact, &result);
    return result;
}

/* A particle of mass 1 on a wall: W = I, normal impulse rn, free slip (s, t). */
static carom_friction_contact particle(double rn, double s, double t, carom_planar_set set)
{
    return (carom_friction_contact){
        .tangents = 2, .W = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .u_free = {-rn, s, t}, .set = set};
}

/* Moreau 1986 (12.6), (12.7): reference values of a prototype. */
static void particle_reference_values(void **state)
{
    (void)state;
    const carom_planar_set ellipse = {.kind = CAROM_PLANAR_ELLIPSE, .a = 0.5, .b = 0.25};
    const carom_planar_set other = {.kind = CAROM_PLANAR_ELLIPSE, .a = 0.6, .b = 0.3};
    const carom_planar_set polygon = {.kind = CAROM_PLANAR_POLYGON, .vertices = 4, .vertex = kite};
    const struct {
        carom_planar_set set;
        double rn, slip[2], after[2], tolerance;
    } cases[] = {
        {ellipse, 2.0, {3, 1}, {2.02345771, 0.89233714}, 5e-9},
        {ellipse, 2.0, {0.3, 0.4}, {0, 0}, 0.0},
        {other, 1.5, {1.2, -0.6}, {0.39585492, -0.39791667}, 5e-9},
        {polygon, 2.0, {3, 1}, {2.6, 1}, 4e-16},
        {polygon, 2.0, {-3, 0.5}, {-2, 0.5}, 4e-16},
        {polygon, 2.0, {0.2, 0.1}, {0, 0}, 0.0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const carom_friction_contact contact =
            particle(cases[k].rn, cases[k].slip[0], cases[k].slip[1], cases[k].set);
        carom_friction_result result = solved(&contact);
        assert_true(result.impulse[0] == cases[k].rn);
        for (int i = 0; i < 2; i++)
            assert_true(fabs(result.velocity[1 + i] - cases[k].after[i]) <= cases[k].tolerance);
        assert_int_equal(result.regime, cases[k].after[0] == 0.0 ? CAROM_CONTACT_STICK : CAROM_CONTACT_SLIP);
    }
}

/* The isotropic particle: u = u_T (1 - mu rn / |u_T|), or exactly nothing. */
static void isotropic_particle_closed_form(void **state)
{
    (void)state;
    carom_random random = {71};
    for (int trial = 0; trial < 1000; trial++) {
        const double rn = carom_random_uniform(&random, 0.1, 2.0),
                     mu = carom_random_uniform(&random, 0.0, 1.0);
        const double s = carom_random_uniform(&random, -1.0, 1.0),
                     t = carom_random_uniform(&random, -1.0, 1.0);
        const carom_friction_contact contact =
            particle(rn, s, t, (carom_planar_set){.kind = CAROM_PLANAR_DISK, .a = mu});
        carom_friction_result result = solved(&contact);
        const double speed = hypot(s, t), factor = speed <= mu * rn ? 0.0 : 1.0 - mu * rn / speed;
        assert_true(fabs(result.velocity[1] - factor * s) <= 5e-16);
        assert_true(fabs(result.velocity[2] - factor * t) <= 5e-16);
        assert_int_equal(result.regime, speed <= mu * rn ? CAROM_CONTACT_STICK : CAROM_CONTACT_SLIP);
    }
    /* On the border of the cone it sticks. */
    const carom_friction_contact border =
        particle(2.0, 0.6, 0.8, (carom_planar_set){.kind = CAROM_PLANAR_DISK, .a = 0.5});
    assert_int_equal(solved(&border).regime, CAROM_CONTACT_STICK);
}

/* Residuals of 1e-16 in an independent prototype (enumeration of the roots of a quartic). */
static void coupled_reference_values(void **state)
{
    (void)state;
    const double coupled[3][3] = {{2, 0.3, -0.2}, {0.3, 1.5, 0.4}, {-0.2, 0.4, 1}};
    const double rod[3][3] = {{3.25, -1.29903810568, 0}, {-1.29903810568, 1.75, 0}, {0, 0, 1}};
    const struct {
        const double (*W)[3];
        double mu, u_free[3], impulse[3], velocity[3], tolerance;
        carom_contact_regime regime;
    } cases[] = {
        {coupled,
         0.6,
         {-1, 0.2, 0.1},
         {0.5535858178888, -0.27639000805802, 0.12127316680097},
         {0, 0, 0},
         1e-13,
         CAROM_CONTACT_STICK},
        {coupled,
         0.6,
         {-1, 2, 1},
         {0.53288979080066, -0.29744929407866, -0.11727603311142},
         {0, 1.6667825828776, 0.65716629109699},
         1e-13,
         CAROM_CONTACT_SLIP},
        {rod,
         2.8,
         {-0.1, 1, 0},
         {0.014519463763623, -0.040654498538144, 0},
         {0, 0.90999329085531, 0},
         1e-13,
         CAROM_CONTACT_SLIP},
        {rod, 2.8, {-0.1, -1, 0}, {0.368509526419, 0.844975952642, 0}, {0, 0, 0}, 1e-11, CAROM_CONTACT_STICK},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        carom_friction_contact contact = {.tangents = 2,
                                          .set = {.kind = CAROM_PLANAR_DISK, .a = cases[k].mu}};
        memcpy(contact.W, cases[k].W, sizeof contact.W);
        memcpy(contact.u_free, cases[k].u_free, sizeof contact.u_free);
        carom_friction_result result = solved(&contact);
        assert_int_equal(result.regime, cases[k].regime);
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(result.impulse[i] - cases[k].impulse[i]) <= cases[k].tolerance);
            assert_true(fabs(result.velocity[i] - cases[k].velocity[i]) <= cases[k].tolerance);
        }
    }
}

static carom_planar_set random_set(carom_random *random, int kind)
{
    const double a = carom_random_uniform(random, 0.0, 2.0), b = carom_random_uniform(random, 0.0, 2.0);
    if (kind == 0)
        return (carom_planar_set){.kind = CAROM_PLANAR_DISK, .a = a};
    if (kind == 1)
        return (carom_planar_set){.kind = CAROM_PLANAR_ELLIPSE, .a = a, .b = b};
    return (carom_planar_set){.kind = CAROM_PLANAR_POLYGON, .vertices = 4, .vertex = kite};
}

static void random_contacts(void **state)
{
    (void)state;
    carom_random random = {72};
    int sticks[3] = {0};
    for (int trial = 0; trial < 9000; trial++) {
        carom_friction_contact contact = random_contact(&random, 2);
        contact.set = random_set(&random, trial % 3);
        sticks[trial % 3] += solved(&contact).regime == CAROM_CONTACT_STICK;
    }
    for (int k = 0; k < 3; k++)
        assert_true(sticks[k] > 50 && sticks[k] < 2900);
}

/* Tangents that do not act on the normal: the normal impulse does not depend on friction. */
static void decoupled_contacts(void **state)
{
    (void)state;
    carom_random random = {73};
    for (int trial = 0; trial < 3000; trial++) {
        carom_friction_contact contact = random_contact(&random, 2);
        for (int i = 1; i < 3; i++)
            contact.W[0][i] = contact.W[i][0] = 0.0;
        contact.set = random_set(&random, trial % 3);
        carom_friction_result result = solved(&contact);
        assert_true(result.impulse[0] == (contact.target - contact.u_free[0]) / contact.W[0][0]);
    }
}

/* A coupling as small as rounding changes the result by rounding only. */
static void decoupled_is_the_limit_of_coupled(void **state)
{
    (void)state;
    carom_random random = {74};
    for (int trial = 0; trial < 1000; trial++) {
        carom_friction_contact contact = random_contact(&random, 2);
        contact.set = random_set(&random, trial % 3);
        for (int i = 1; i < 3; i++)
            contact.W[0][i] = contact.W[i][0] = 0.0;
        carom_friction_result without = solved(&contact);
        contact.W[0][1] = contact.W[1][0] = 1e-13;
        carom_friction_result with = solved(&contact);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(with.velocity[i] - without.velocity[i]) <=
                        1e-11 * velocity_size(&contact, with.impulse));
    }
}

/* Other units of mass and velocity scale the result. */
static void does_not_depend_on_units(void **state)
{
    (void)state;
    carom_random random = {75};
    for (int trial = 0; trial < 600; trial++) {
        carom_friction_contact contact = random_contact(&random, 2);
        contact.set = random_set(&random, trial % 3);
        carom_friction_result result = solved(&contact);
        const double velocity = ldexp(1.0, trial % 41 - 20), mass = ldexp(1.0, trial % 37 - 18);
        contact.target *= velocity;
        for (int i = 0; i < 3; i++) {
            contact.u_free[i] *= velocity;
            for (int j = 0; j < 3; j++)
                contact.W[i][j] /= mass;
        }
        carom_friction_result scaled = solved(&contact);
        for (int i = 0; i < 3; i++) {
            double size = 1e-13 * velocity_size(&contact, scaled.impulse);
            assert_true(fabs(scaled.velocity[i] - velocity * result.velocity[i]) <= size);
        }
    }
}

/* Nearly singular W: the last digits go, the law still holds relative to the velocities in play. */
static void nearly_singular_contacts(void **state)
{
    (void)state;
    carom_random random = {76};
    for (int trial = 0; trial < 2000; trial++) {
        carom_friction_contact contact = random_contact(&random, 2);
        const double direction[3] = {1.0, carom_random_uniform(&random, -1.0, 1.0),
                                     carom_random_uniform(&random, -1.0, 1.0)};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                contact.W[i][j] = direction[i] * direction[j] + 1e-7 * contact.W[i][j];
        contact.set = random_set(&random, trial % 3);
        solved(&contact);
    }
}

/* A contact, its set and its solution in tangents that are turned by an angle. */
static void turn(double angle, const double from[3], double to[3])
{
    to[0] = from[0];
    to[1] = cos(angle) * from[1] + sin(angle) * from[2];
    to[2] = cos(angle) * from[2] - sin(angle) * from[1];
}

static void turn_contact(double angle, carom_friction_contact *contact)
{
    double half[3][3], column[3];
    for (int i = 0; i < 3; i++)
        turn(angle, contact->W[i], half[i]);
    for (int j = 0; j < 3; j++) {
        const double old[3] = {half[0][j], half[1][j], half[2][j]};
        turn(angle, old, column);
        for (int i = 0; i < 3; i++)
            contact->W[i][j] = column[i];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            contact->W[i][j] = contact->W[j][i];
    const double old[3] = {contact->u_free[0], contact->u_free[1], contact->u_free[2]};
    turn(angle, old, contact->u_free);
    contact->set.angle -= angle;
}

/* de Saxce 2018, Table 1, by a scan of slip angles; and the same contacts with turned tangents. */
static void slip_potentials_reference_values(void **state)
{
    (void)state;
    const carom_friction_contact given = {
        .tangents = 2, .W = {{1, .2, .1}, {.2, 1.5, .3}, {.1, .3, 2}}, .u_free = {-1, .5, .4}};
    const struct {
        carom_planar_set set;
        double impulse[3];
    } cases[] = {
        {orthotropic(.2, .2, .2, .2), {1.04670522205, -0.180558020796, -0.105936178904}},
        {orthotropic(.3, .15, .3, .15), {1.06403822156, -0.283526518659, -0.0733291782672}},
        {orthotropic(.3, .15, .05, .2), {1.02144663254, -0.0310181441774, -0.152430037077}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (int turns = 0; turns < 7; turns++) {
            const double angle = 0.9 * turns;
            carom_friction_contact contact = given;
            double expected[3];
            contact.set = cases[k].set;
            turn_contact(angle, &contact);
            turn(angle, cases[k].impulse, expected);
            const carom_friction_result result = solved(&contact);
            for (int i = 0; i < 3; i++)
                assert_true(fabs(result.impulse[i] - expected[i]) <= 2e-11);
            assert_int_equal(result.regime, CAROM_CONTACT_SLIP);
        }
}

/* The bipotential has no part in the solution; it must find nothing to object to. */
static void the_bipotential_certifies(void **state)
{
    (void)state;
    carom_random random = {77};
    int slipping = 0;
    for (int trial = 0; trial < 2000; trial++) {
        const double mu[2] = {carom_random_uniform(&random, 0.05, 0.6),
                              carom_random_uniform(&random, 0.05, 0.6)};
        const double p[2] = {carom_random_uniform(&random, 0.2, 1.0),
                             carom_random_uniform(&random, 0.2, 1.0)};
        const double angle = carom_random_uniform(&random, -4.0, 4.0);
        carom_elliptic_cone cone;
        assert_int_equal(carom_elliptic_cone_make(mu, p, &cone, NULL), CAROM_OK);
        carom_friction_contact contact = random_contact(&random, 2);
        for (int i = 0; i < 3; i++)
            contact.W[i][i] += 1.0; /* coupling that leaves no doubt about a solution */
        contact.target = 0.0;
        contact.set = orthotropic(mu[0], mu[1], p[0], p[1]);
        contact.set.angle = angle;
        carom_friction_result result;
        carom_error error;
        assert_int_equal(carom_friction_contact_solve(&contact, &result, &error), CAROM_OK);
        double u[3], r[3];
        turn(angle, result.velocity, u);
        turn(angle, result.impulse, r);
        const carom_law_defect defect = carom_bipotential_defect(&cone, 0.0, u, r);
        const double size = velocity_size(&contact, result.impulse);
        assert_true(fabs(defect.power) <= 1e-13 * size * size);
        assert_true(defect.penetration <= 1e-14 * size && defect.outside <= 1e-14 * size);
        slipping += result.regime == CAROM_CONTACT_SLIP;
    }
    assert_true(slipping > 500 && slipping < 1990);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particle_reference_values),
        cmocka_unit_test(isotropic_particle_closed_form),
        cmocka_unit_test(coupled_reference_values),
        cmocka_unit_test(random_contacts),
        cmocka_unit_test(decoupled_contacts),
        cmocka_unit_test(decoupled_is_the_limit_of_coupled),
        cmocka_unit_test(does_not_depend_on_units),
        cmocka_unit_test(nearly_singular_contacts),
        cmocka_unit_test(slip_potentials_reference_values),
        cmocka_unit_test(the_bipotential_certifies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
