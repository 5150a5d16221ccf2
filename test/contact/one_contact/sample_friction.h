/* Frictional contacts to test with. */
#ifndef CAROM_TEST_CONTACT_ONE_CONTACT_SAMPLE_FRICTION_H
#define CAROM_TEST_CONTACT_ONE_CONTACT_SAMPLE_FRICTION_H

#include <math.h>

#include "carom/contact.h"
#include "carom/linalg.h"

/* W = B B^T + small identity, random free velocity that approaches. Larger coupling: smaller share. */
static inline carom_friction_contact random_contact(carom_random *random, int tangents)
{
    carom_friction_contact contact = {.tangents = tangents};
    const int size = 1 + tangents;
    const double share = pow(10.0, carom_random_uniform(random, -4.0, 0.0));
    double b[3][3];
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            b[i][j] = carom_random_uniform(random, -1.0, 1.0);
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++)
            contact.W[i][j] = carom_dot(size, b[i], b[j]) + (i == j ? share : 0.0);
        contact.u_free[i] = carom_random_uniform(random, -1.0, 1.0);
    }
    contact.u_free[0] = -fabs(contact.u_free[0]);
    contact.target = carom_random_uniform(random, 0.0, 1.0) < 0.5 ? 0.0 : -0.6 * contact.u_free[0];
    return contact;
}

/* An ellipse of friction with an ellipse of slip potentials of its own. */
static inline carom_planar_set orthotropic(double mu_x, double mu_y, double p_x, double p_y)
{
    carom_elliptic_cone cone = {0};
    carom_elliptic_cone_make((double[]){mu_x, mu_y}, (double[]){p_x, p_y}, &cone, NULL);
    return (carom_planar_set){
        .kind = CAROM_PLANAR_ELLIPSE, .a = mu_x, .b = mu_y, .q2 = {cone.q2[0], cone.q2[1]}};
}

/* Sizes of the velocities in play: what rounding is relative to. */
static inline double velocity_size(const carom_friction_contact *contact, const double *impulse)
{
    double size = fabs(contact->target);
    for (int i = 0; i <= contact->tangents; i++) {
        size += fabs(contact->u_free[i]);
        for (int j = 0; j <= contact->tangents; j++)
            size += fabs(contact->W[i][j] * impulse[j]);
    }
    return size;
}

/* What holds for every solution: in the cone, dissipative, and the velocity belongs to the impulse. */
static inline void assert_solution(const carom_friction_contact *contact, const carom_friction_result *result)
{
    const double size = velocity_size(contact, result->impulse);
    const double *p = result->impulse, *u = result->velocity;
    const int n = 1 + contact->tangents;
    assert_true(result->error == carom_friction_contact_error(contact, p));
    assert_true(result->error <= 1e-14 * size);
    assert_true(p[0] > 0.0);
    assert_true(u[0] == contact->target);
    for (int i = 0; i < n; i++)
        assert_true(fabs(contact->u_free[i] + carom_dot(n, contact->W[i], p) - u[i]) <= 1e-14 * size);
    double power = p[1] * u[1] + (n == 3 ? p[2] * u[2] : 0.0);
    assert_true(power <= 1e-15 * size * (fabs(p[1]) + fabs(p[2])));
    if (result->regime == CAROM_CONTACT_STICK)
        assert_true(u[1] == 0.0 && u[2] == 0.0);
    else
        assert_int_equal(result->regime, CAROM_CONTACT_SLIP);
}

#endif
