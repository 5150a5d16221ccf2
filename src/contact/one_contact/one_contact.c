#include <math.h>

#include "carom/linalg.h"
#include "contact/solvers.h"
#include "regimes.h"

/* A result whose error exceeds this share of the velocities in play is not a solution. */
static const double accepted_share = 1e-9;

void friction_slip(const carom_friction_contact *contact, carom_friction_result *result)
{
    const int size = 1 + contact->tangents;
    for (int i = 1; i < size; i++)
        result->velocity[i] = contact->u_free[i] + carom_dot(size, contact->W[i], result->impulse);
    result->velocity[0] = contact->target;
    result->regime = CAROM_CONTACT_SLIP;
}

void friction_stick(const carom_friction_contact *contact, carom_friction_result *result)
{
    result->velocity[0] = contact->target;
    result->velocity[1] = result->velocity[2] = 0.0;
    result->regime = CAROM_CONTACT_STICK;
}

static bool set_fits(const carom_friction_contact *contact)
{
    if (contact->set.kind == CAROM_PLANAR_POINT)
        return contact->tangents >= 0 && contact->tangents <= 2;
    if (contact->set.kind == CAROM_PLANAR_INTERVAL)
        return contact->tangents == 1;
    return contact->tangents == 2;
}

static carom_status check(const carom_friction_contact *contact, carom_error *error)
{
    if (!set_fits(contact))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "frictional contact with %d tangents: one tangent takes an interval, two take a disk, an "
            "ellipse or a polygon",
            contact->tangents);
    const int size = 1 + contact->tangents;
    double probe = 0.0 * contact->target; /* stays zero as long as what is added to it is finite */
    for (int i = 0; i < size; i++) {
        probe += 0.0 * contact->u_free[i];
        for (int j = 0; j < size; j++)
            probe += 0.0 * contact->W[i][j];
    }
    if (probe != 0.0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "frictional contact: matrix, free velocity (normal %g) and target %g must be finite",
            contact->u_free[0], contact->target);
    const int positive = contact->set.kind == CAROM_PLANAR_POINT ? 1 : size;
    for (int i = 0; i < positive; i++)
        if (!(contact->W[i][i] > 0.0))
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "frictional contact: diagonal entry %d of the contact matrix is %g; it must be positive", i,
                contact->W[i][i]);
    return CAROM_OK;
}

/* The proof: the law's own error, against the velocities it was computed from. */
static carom_status prove(const carom_friction_contact *contact, carom_friction_result *result,
                          carom_error *error)
{
    result->error = carom_friction_contact_error(contact, result->impulse);
    double scale = fabs(contact->target);
    for (int i = 0; i <= contact->tangents; i++)
        scale += fabs(contact->u_free[i]) + fabs(contact->W[i][i] * result->impulse[i]);
    if (result->error <= accepted_share * scale)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_FAILED,
        "frictional contact: the solution misses the law by %g (velocities of size %g); the contact "
        "matrix must be symmetric positive definite",
        result->error, scale);
}

static bool has_own_rule(const carom_friction_contact *contact)
{
    return contact->tangents == 2 && contact->set.kind == CAROM_PLANAR_ELLIPSE &&
           contact->set.q2[0] != contact->set.q2[1];
}

carom_status carom_friction_contact_solve(const carom_friction_contact *contact,
                                          carom_friction_result *result, carom_error *error)
{
    *result = (carom_friction_result){.regime = CAROM_CONTACT_OPEN};
    carom_status status = check(contact, error);
    if (status != CAROM_OK) {
        result->error = INFINITY;
        return status;
    }
    if (contact->u_free[0] >= contact->target) {
        for (int i = 0; i <= contact->tangents; i++)
            result->velocity[i] = contact->u_free[i];
    } else if (contact->set.kind == CAROM_PLANAR_POINT) {
        result->impulse[0] = (contact->target - contact->u_free[0]) / contact->W[0][0];
        friction_slip(contact, result);
    } else if (contact->tangents == 1) {
        status = friction_one_tangent(contact, result, error);
    } else {
        status = friction_two_tangents(contact, result, error);
    }
    if (status == CAROM_OK)
        status = prove(contact, result, error);
    else
        result->error = INFINITY;
    if (status == CAROM_FAILED && has_own_rule(contact)) {
        friction_own_rule(contact, result);
        status = prove(contact, result, error);
    }
    return status;
}

/* ---- as a solver -------------------------------------------------------------------------------------- */

static void solve(carom_solver *self, const carom_friction_contact *contact, carom_friction_result *result,
                  carom_solve_report *report, carom_error *error)
{
    (void)self;
    report->status = carom_friction_contact_solve(contact, result, error);
    report->error = result->error;
}

const carom_solver_ops one_contact_solver = {
    .name = "one-contact",
    .summary = "one contact: closed form, or one scalar equation for the normal impulse",
    .kind = CAROM_PROBLEM_ONE_CONTACT,
    .tolerance = 1e-9,
    .solve.one_contact = solve,
};
