#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "sample_friction.h"

/* The planar solid of Moreau 1986, section 14, with m = I = 1, hit at angle th with velocity `before`. */
typedef struct solid {
    double normal[3], tangent[3];
} solid;

static solid solid_at(double th)
{
    const double a = -1.73205, b = 1.0, height = b - a * cos(th);
    return (solid){.normal = {0.0, 1.0, -a * sin(th)}, .tangent = {1.0, 0.0, height}};
}

static carom_friction_contact solid_contact(const solid *body, const double before[3], double high,
                                            double low)
{
    const double *row[2] = {body->normal, body->tangent};
    carom_friction_contact contact = {.tangents = 1,
                                      .set = {.kind = CAROM_PLANAR_INTERVAL, .a = low, .b = high}};
    for (int i = 0; i < 2; i++) {
        contact.u_free[i] = carom_dot(3, row[i], before);
        for (int j = 0; j < 2; j++)
            contact.W[i][j] = carom_dot(3, row[i], row[j]);
    }
    return contact;
}

/* Moreau 1986 (13.13) literally: the point of least norm on the segment or half-line of velocities. */
static void least_norm(const solid *body, const double before[3], double high, double low, double after[3])
{
    double g[3], edge[2][3], end[2][3];
    bool exists[2];
    for (int i = 0; i < 3; i++) {
        g[i] = -body->normal[i];
        edge[0][i] = -g[i] + high * body->tangent[i];
        edge[1][i] = -g[i] + low * body->tangent[i];
    }
    for (int j = 0; j < 2; j++) {
        double slope = carom_dot(3, g, edge[j]);
        exists[j] = slope < 0.0;
        for (int i = 0; i < 3; i++)
            end[j][i] = before[i] - carom_dot(3, g, before) / slope * edge[j][i];
    }
    int from = exists[0] ? 0 : 1;
    bool segment = exists[0] && exists[1];
    double d[3];
    for (int i = 0; i < 3; i++)
        d[i] = segment ? end[1][i] - end[0][i]
                       : edge[1 - from][i] -
                             carom_dot(3, g, edge[1 - from]) / carom_dot(3, g, edge[from]) * edge[from][i];
    double tau = fmax(0.0, -carom_dot(3, end[from], d) / carom_dot(3, d, d));
    if (segment)
        tau = fmin(tau, 1.0);
    for (int i = 0; i < 3; i++)
        after[i] = end[from][i] + tau * d[i];
}

static carom_friction_result hit(const solid *body, const double before[3], double high, double low,
                                 double after[3])
{
    const carom_friction_contact contact = solid_contact(body, before, high, low);
    carom_friction_result result;
    carom_error error;
    assert_int_equal(carom_friction_contact_solve(&contact, &result, &error), CAROM_OK);
    assert_solution(&contact, &result);
    for (int i = 0; i < 3; i++)
        after[i] = before[i] + result.impulse[0] * body->normal[i] + result.impulse[1] * body->tangent[i];
    return result;
}

static void planar_solid_reference_values(void **state)
{
    (void)state;
    const struct {
        double high, low, th, after[3];
        carom_contact_regime regime;
    } cases[] = {
        {0.5, -0.5, 0.2, {8.11493, 1.035168, -3.008288}, CAROM_CONTACT_STICK},
        {0.5, -0.5, 0.6, {6.746653, 1.506695, -1.540605}, CAROM_CONTACT_SLIP},
        {0.5, -0.5, 1.0, {8.541007, -2.082015, 1.428513}, CAROM_CONTACT_SLIP},
        {2.0, -2.0, 0.6, {5.998895, 2.414817, -2.469166}, CAROM_CONTACT_STICK},
        {2.0, -2.0, 1.0, {3.400537, 2.560234, -1.756629}, CAROM_CONTACT_STICK},
        {0.3, -1.2, 0.6, {5.998895, 2.414817, -2.469166}, CAROM_CONTACT_STICK},
        {0.3, -1.2, 1.0, {3.400537, 2.560234, -1.756629}, CAROM_CONTACT_STICK},
    };
    const double before[3] = {10.0, -5.0, 0.0};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const solid body = solid_at(cases[k].th);
        double after[3];
        carom_friction_result result = hit(&body, before, cases[k].high, cases[k].low, after);
        assert_int_equal(result.regime, cases[k].regime);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(after[i] - cases[k].after[i]) <= 5.1e-7);
    }
}

/* With gamma = 2 one edge cannot stop the solid: sticking on the half-line is the jam. */
static void jam_is_on_a_half_line(void **state)
{
    (void)state;
    const solid body = solid_at(1.0);
    const double before[3] = {10.0, -5.0, 0.0};
    const carom_friction_contact contact = solid_contact(&body, before, 2.0, -2.0);
    assert_true(contact.W[0][0] + 2.0 * contact.W[0][1] > 0.0);
    assert_true(contact.W[0][0] - 2.0 * contact.W[0][1] < 0.0);
}

static void is_the_point_of_least_kinetic_norm(void **state)
{
    (void)state;
    carom_random random = {61};
    int sticks = 0, trials = 0;
    for (int trial = 0; trial < 3000; trial++) {
        const solid body = solid_at(carom_random_uniform(&random, -1.5, 1.5));
        double before[3], after[3], expected[3];
        for (int i = 0; i < 3; i++)
            before[i] = carom_random_uniform(&random, -10.0, 10.0);
        if (carom_dot(3, body.normal, before) >= 0.0)
            continue;
        const double high = carom_random_uniform(&random, 0.0, 3.0),
                     low = carom_random_uniform(&random, -3.0, 0.0);
        carom_friction_result result = hit(&body, before, high, low, after);
        least_norm(&body, before, high, low, expected);
        /* Ends of the segment lie far off when an edge is nearly unable to stop the solid. */
        double size = 20.0 + 10.0 * result.impulse[0];
        for (int i = 0; i < 3; i++)
            assert_true(fabs(after[i] - expected[i]) <= 1e-11 * size);
        sticks += result.regime == CAROM_CONTACT_STICK;
        trials++;
    }
    assert_true(sticks > trials / 10 && sticks < trials);
}

static void random_contacts(void **state)
{
    (void)state;
    carom_random random = {62};
    int sticks = 0, jams = 0;
    for (int trial = 0; trial < 10000; trial++) {
        carom_friction_contact contact = random_contact(&random, 1);
        contact.set = (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL,
                                         .a = carom_random_uniform(&random, -2.0, 0.0),
                                         .b = carom_random_uniform(&random, 0.0, 2.0)};
        carom_friction_result result;
        carom_error error;
        assert_int_equal(carom_friction_contact_solve(&contact, &result, &error), CAROM_OK);
        assert_solution(&contact, &result);
        bool stuck = result.regime == CAROM_CONTACT_STICK;
        sticks += stuck;
        jams += stuck && fmin(contact.W[0][0] + contact.set.a * contact.W[0][1],
                              contact.W[0][0] + contact.set.b * contact.W[0][1]) <= 0.0;
        /* Friction on an edge opposes the slip. */
        if (!stuck && result.velocity[1] < 0.0)
            assert_true(fabs(result.impulse[1] - contact.set.b * result.impulse[0]) <=
                        1e-15 * result.impulse[0]);
        if (!stuck && result.velocity[1] > 0.0)
            assert_true(fabs(result.impulse[1] - contact.set.a * result.impulse[0]) <=
                        2e-15 * result.impulse[0]);
    }
    assert_true(sticks > 1000 && sticks < 9000 && jams > 100);
}

/* An interval is a disk or a flat ellipse that the second tangent does not reach. */
static void agrees_with_two_tangents(void **state)
{
    (void)state;
    carom_random random = {63};
    for (int trial = 0; trial < 3000; trial++) {
        carom_friction_contact line = random_contact(&random, 1);
        const double mu = carom_random_uniform(&random, 0.0, 2.0);
        line.set = (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL, .a = -mu, .b = mu};
        carom_friction_contact plane = line;
        plane.tangents = 2;
        plane.W[2][2] = carom_random_uniform(&random, 0.1, 1.0);
        plane.set = trial % 2 ? (carom_planar_set){.kind = CAROM_PLANAR_DISK, .a = mu}
                              : (carom_planar_set){.kind = CAROM_PLANAR_ELLIPSE, .a = mu, .b = 0.0};
        carom_friction_result on_line, on_plane;
        carom_error error;
        assert_int_equal(carom_friction_contact_solve(&line, &on_line, &error), CAROM_OK);
        assert_int_equal(carom_friction_contact_solve(&plane, &on_plane, &error), CAROM_OK);
        assert_solution(&plane, &on_plane);
        const double size = velocity_size(&line, on_line.impulse);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(on_line.velocity[i] - on_plane.velocity[i]) <= 1e-12 * size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planar_solid_reference_values),      cmocka_unit_test(jam_is_on_a_half_line),
        cmocka_unit_test(is_the_point_of_least_kinetic_norm), cmocka_unit_test(random_contacts),
        cmocka_unit_test(agrees_with_two_tangents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
