/* Which contacts open, stick or begin to slip: Coulomb's law between forces and accelerations, contacts that slip already
 * with the friction of their slip. Sweeps over contacts give a first answer, each contact solved exactly; what they say
 * is made exact by the equations of the statuses, and statuses that do not hold are changed one by one. Where that
 * comes to no end, few contacts in the plane are tried in all ways: then it is known that there is no solution, or that
 * there are several (Painleve's paradox). */
#include <math.h>
#include <string.h>

#include "event_problem.h"

enum {
    SWEEPS_MAX = 20000,
    CHANGES_MAX = 400,    /* of statuses and directions */
    TRIED_CONTACTS = 6,   /* at most, in all ways: four each */
    COMPARED_CONTACTS = 4 /* at most, for other solutions */
};

static const double sweep_tolerance = 1e-13;
/* What statuses may be off by, relative to the accelerations. */
static const double holds = 1e-10;
/* Solutions whose accelerations differ by more are different ones. */
static const double different = 1e-6;

static double size_of(const event_problem *problem, double zero)
{
    double size = zero * 1e6;
    for (int i = 0; i < 3 * problem->count; i++)
        size = fmax(size, fabs(problem->c[i]));
    return size > 0.0 ? size : 1.0;
}

/* ---- sweeps --------------------------------------------------------------------------------------------------- */

/* Force along the normal of a contact whose friction is r_N x. */
static double normal_force(const event_problem *problem, int k, const double *r, const double *a)
{
    double diagonal = event_problem_at(problem, k, 0, k, 0);
    for (int i = 0; i < problem->tangents[k]; i++)
        diagonal += problem->x[2 * k + i] * event_problem_at(problem, k, 0, k, 1 + i);
    return diagonal > 0.0 ? fmax(0.0, r[0] - a[0] / diagonal) : 0.0;
}

/* The contact alone, others as they are; false when its problem has no solution. */
static bool solve_contact(const event_problem *problem, int k, double *r)
{
    const double *old = problem->r + 3 * k, *a = problem->a + 3 * k;
    const int tangents = problem->tangents[k];
    memset(r, 0, 3 * sizeof *r);
    if (problem->moves[k] || tangents == 0) {
        r[0] = problem->bounded[k] ? 1.0 : normal_force(problem, k, old, a);
        for (int i = 0; i < tangents; i++)
            r[1 + i] = r[0] * problem->x[2 * k + i];
        return true;
    }
    if (problem->bounded[k]) {
        r[0] = 1.0;
        const double own = event_problem_at(problem, k, 1, k, 1);
        const double wanted = own > 0.0 ? old[1] - a[1] / own : 0.0;
        r[1] = fmin(fmax(wanted, problem->set[k].a), problem->set[k].b);
        return true;
    }
    carom_friction_contact contact = {.tangents = tangents, .set = problem->set[k]};
    for (int i = 0; i <= tangents; i++) {
        contact.u_free[i] = a[i];
        for (int j = 0; j <= tangents; j++) {
            contact.W[i][j] = event_problem_at(problem, k, i, k, j);
            contact.u_free[i] -= contact.W[i][j] * old[j];
        }
    }
    carom_friction_result result;
    carom_error error;
    if (contact.u_free[0] >= 0.0)
        return true;
    if (carom_friction_contact_solve(&contact, &result, &error) != CAROM_OK)
        return false;
    for (int i = 0; i <= tangents; i++)
        r[i] = result.impulse[i];
    return true;
}

/* Makes r the force of the contact; returns how much that changes accelerations. */
static double take_force(event_problem *problem, int k, const double *r)
{
    const int rows = 3 * problem->count;
    double most = 0.0;
    for (int j = 0; j < 3; j++) {
        const double change = r[j] - problem->r[3 * k + j];
        if (change == 0.0)
            continue;
        problem->r[3 * k + j] = r[j];
        for (int i = 0; i < rows; i++)
            problem->a[i] += problem->W[(ptrdiff_t)i * rows + 3 * k + j] * change;
        most = fmax(most, fabs(change) * event_problem_at(problem, k, j, k, j));
    }
    return most;
}

/* False: the problem of contact `bad` alone has no solution. */
static bool sweep(event_problem *problem, double size)
{
    memset(problem->r, 0, 3 * (size_t)problem->count * sizeof *problem->r);
    memcpy(problem->a, problem->c, 3 * (size_t)problem->count * sizeof *problem->a);
    for (int i = 0; i < SWEEPS_MAX; i++) {
        double change = 0.0;
        for (int k = 0; k < problem->count; k++) {
            double r[3];
            if (!solve_contact(problem, k, r)) {
                problem->bad = problem->contact[k];
                return false;
            }
            change = fmax(change, take_force(problem, k, r));
        }
        if (!(change > sweep_tolerance * size))
            break;
    }
    return true;
}

/* ---- statuses -------------------------------------------------------------------------------------------------- */

/* What the contact does when it is closed and nothing is known but its friction force. */
static unsigned char closed_status(event_problem *problem, int k, double zero, double size)
{
    const double *r = problem->r + 3 * k, *a = problem->a + 3 * k;
    const int tangents = problem->tangents[k];
    if (tangents == 0)
        return EVENT_FRICTIONLESS;
    if (problem->moves[k])
        return EVENT_SLIP;
    const double own = event_problem_at(problem, k, 1, k, 1);
    const bool inside = event_friction_margin(&problem->set[k], tangents, r) * own > holds * size;
    const double speeds_up = tangents == 1 ? fabs(a[1]) : hypot(a[1], a[2]);
    if (inside || !(r[0] > 0.0) || !(speeds_up > 10.0 * zero))
        return EVENT_STICK;
    for (int i = 0; i < tangents; i++)
        problem->x[2 * k + i] = r[1 + i] / r[0];
    return EVENT_START;
}

static void read_statuses(event_problem *problem, double zero, double size)
{
    for (int k = 0; k < problem->count; k++) {
        const double *r = problem->r + 3 * k, *a = problem->a + 3 * k;
        const bool presses = problem->bounded[k] || r[0] * event_problem_at(problem, k, 0, k, 0) > zero;
        problem->status[k] =
            presses || !(a[0] > zero) ? closed_status(problem, k, zero, size) : (unsigned char)EVENT_OPEN;
    }
}

/* Friction at the place of the boundary that is nearest to the force which sticking would need. */
static void begin_slip(event_problem *problem, int k)
{
    const double *r = problem->r + 3 * k;
    const int tangents = problem->tangents[k];
    double *x = problem->x + 2 * k;
    problem->status[k] = EVENT_START;
    if (tangents == 1) {
        x[0] = r[1] > 0.0 ? problem->set[k].b : problem->set[k].a;
        return;
    }
    const double wanted[2] = {r[1], r[2]};
    double nearest[2];
    carom_planar_project(&problem->set[k], r[0], wanted, nearest);
    for (int i = 0; i < 2; i++)
        x[i] = nearest[i] / r[0];
}

/* Changes what contact k, which violates its status, does. */
static void change_status(event_problem *problem, int k, double size)
{
    const double *r = problem->r + 3 * k, *a = problem->a + 3 * k;
    unsigned char *status = &problem->status[k];
    const bool obstacle = !problem->bounded[k];
    if (*status == EVENT_OPEN) {
        *status = problem->tangents[k] == 0 ? EVENT_FRICTIONLESS
                  : problem->moves[k]       ? EVENT_SLIP
                                            : EVENT_STICK;
        return;
    }
    if (obstacle && r[0] * event_problem_at(problem, k, 0, k, 0) < -holds * size) {
        *status = EVENT_OPEN;
        return;
    }
    if (*status == EVENT_STICK) {
        begin_slip(problem, k);
        return;
    }
    const bool turns = problem->tangents[k] == 2 && hypot(a[1], a[2]) > different * size &&
                       a[1] * problem->x[2 * k] + a[2] * problem->x[2 * k + 1] < 0.0;
    if (turns)
        event_friction_of_slip(&problem->set[k], 2, a + 1, problem->x + 2 * k);
    else
        *status = EVENT_STICK;
}

/* What friction a contact may have, as an acceleration of its own row. */
static double bound_of(const event_problem *problem, int k)
{
    const double force[3] = {problem->r[3 * k], 0.0, 0.0};
    if (problem->tangents[k] == 0 || problem->status[k] != EVENT_STICK)
        return 0.0;
    return event_friction_margin(&problem->set[k], problem->tangents[k], force) *
           event_problem_at(problem, k, 1, k, 1);
}

/* From now on forces are those nearest to the ones found. With these units friction that is not unique is shared in proportion to
 * what it may be: the shortest z with sum of A_j s_j w_j z_j given has r_j = s_j w_j z_j in proportion to (s_j w_j)^2, where
 * s_j^2 = 1 / W_jj. */
static void make_redundant(event_problem *problem)
{
    double largest = 0.0;
    problem->redundant = true;
    memcpy(problem->reference, problem->r, 3 * (size_t)problem->count * sizeof *problem->r);
    for (int k = 0; k < problem->count; k++)
        largest = fmax(largest, bound_of(problem, k));
    for (int k = 0; k < problem->count; k++)
        for (int i = 0; i < 3; i++)
            problem->weight[3 * k + i] =
                i == 0 || !(largest > 0.0) ? 1.0 : sqrt(fmax(1e-6, bound_of(problem, k) / largest));
}

/* Solves for the statuses and changes them until they hold. */
static bool settle(event_problem *problem, double size)
{
    for (int i = 0; i < CHANGES_MAX; i++) {
        int worst = 0;
        if (event_problem_solve(problem) != EVENT_PROBLEM_SOLVED)
            return false;
        if (!(event_problem_worst(problem, size, &worst) > holds))
            return true;
        problem->bad = problem->contact[worst];
        change_status(problem, worst, size);
    }
    return false;
}

/* All that the sweeps have found to be closed and not to move stick, their friction shared by what each may bear: so they begin
 * to slip together. */
static bool settle_shared(event_problem *problem, double zero, double size)
{
    int worst = 0;
    if (!sweep(problem, size))
        return false;
    read_statuses(problem, zero, size);
    for (int k = 0; k < problem->count; k++)
        if (problem->status[k] == EVENT_START)
            problem->status[k] = EVENT_STICK;
    make_redundant(problem);
    for (int k = 0; k < problem->count; k++)
        for (int i = 1; i < 3; i++)
            problem->reference[3 * k + i] = 0.0;
    return event_problem_solve(problem) == EVENT_PROBLEM_SOLVED &&
           !(event_problem_worst(problem, size, &worst) > holds);
}

/* After sweeps; where rows depend on each other, and so forces are not unique, in two more ways. */
static bool settle_from_sweeps(event_problem *problem, double zero, double size)
{
    problem->redundant = false;
    read_statuses(problem, zero, size);
    if (settle(problem, size) || settle_shared(problem, zero, size))
        return true;
    if (!sweep(problem, size))
        return false;
    read_statuses(problem, zero, size);
    make_redundant(problem);
    return settle(problem, size);
}

/* ---- all ways ---------------------------------------------------------------------------------------------------- */

/* Ways of a contact: open, closed, and of one that may begin to slip both directions. */
static int ways_of(const event_problem *problem, int k)
{
    if (problem->moves[k] || problem->tangents[k] == 0)
        return problem->bounded[k] ? 1 : 2;
    return problem->bounded[k] ? 3 : 4;
}

static void take_way(event_problem *problem, int k, int way)
{
    const bool still = !problem->moves[k] && problem->tangents[k] > 0;
    if (!problem->bounded[k] && way-- == 0) {
        problem->status[k] = EVENT_OPEN;
        return;
    }
    problem->status[k] = !still     ? (problem->tangents[k] > 0 ? EVENT_SLIP : EVENT_FRICTIONLESS)
                         : way == 0 ? EVENT_STICK
                                    : EVENT_START;
    if (still && way > 0)
        problem->x[2 * k] = way == 1 ? problem->set[k].a : problem->set[k].b;
}

static void take_ways(event_problem *problem, long number)
{
    for (int k = 0; k < problem->count; k++) {
        take_way(problem, k, (int)(number % ways_of(problem, k)));
        number /= ways_of(problem, k);
    }
}

static long count_ways(const event_problem *problem, int contacts_max)
{
    long ways = 1;
    if (problem->count > contacts_max)
        return 0;
    for (int k = 0; k < problem->count; k++) {
        if (problem->tangents[k] > 1)
            return 0;
        ways *= ways_of(problem, k);
    }
    return ways;
}

/* Statuses of this number hold, and nothing in them is rounding. */
static bool holds_in_way(event_problem *problem, long number, double size)
{
    int worst = 0;
    take_ways(problem, number);
    problem->redundant = false;
    return event_problem_solve(problem) == EVENT_PROBLEM_SOLVED &&
           !(event_problem_worst(problem, size, &worst) > holds);
}

/* May W_NN + W_NT.x be negative for a friction that is possible? Elsewhere one contact has one solution. */
static bool may_be_several(const event_problem *problem)
{
    for (int k = 0; k < problem->count; k++) {
        if (problem->bounded[k] || problem->tangents[k] != 1)
            continue;
        const double normal = event_problem_at(problem, k, 0, k, 0),
                     cross = event_problem_at(problem, k, 0, k, 1);
        const double least = problem->moves[k] ? problem->x[2 * k] * cross
                                               : fmin(problem->set[k].a * cross, problem->set[k].b * cross);
        if (!(normal + least > 0.0))
            return true;
    }
    return false;
}

static bool find_other(event_problem *problem, double size)
{
    const int rows = 3 * problem->count;
    const long ways = count_ways(problem, COMPARED_CONTACTS);
    double first[3 * COMPARED_CONTACTS];
    if (ways == 0 || !may_be_several(problem))
        return false;
    memcpy(first, problem->a, (size_t)rows * sizeof *first);
    bool other = false;
    problem->counting = true;
    for (long number = 0; number < ways && !other; number++) {
        const bool holding = holds_in_way(problem, number, size);
        for (int i = 0; holding && i < rows; i++)
            other = other || fabs(problem->a[i] - first[i]) > different * size;
    }
    problem->counting = false;
    return other;
}

/* ---- all together ---------------------------------------------------------------------------------------------------- */

event_problem_end event_problem_decide(event_problem *problem, double zero, bool *several)
{
    const double size = size_of(problem, zero);
    *several = false;
    if (sweep(problem, size) && settle_from_sweeps(problem, zero, size)) {
        if (!may_be_several(problem) || problem->redundant)
            return EVENT_PROBLEM_SOLVED;
        *several = find_other(problem, size);
        if (sweep(problem, size) && settle_from_sweeps(problem, zero, size))
            return EVENT_PROBLEM_SOLVED;
    }
    const int bad = problem->bad;
    const long ways = count_ways(problem, TRIED_CONTACTS);
    for (long number = 0; number < ways; number++)
        if (holds_in_way(problem, number, size))
            return EVENT_PROBLEM_SOLVED;
    problem->bad = bad;
    return EVENT_PROBLEM_PAINLEVE;
}
