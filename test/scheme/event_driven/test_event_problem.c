/* What contacts with friction do at an event: the laws that every answer must satisfy, and Painleve's paradox. */
#include "scheme/event_driven/event_problem.h"

#include <stdlib.h>
#include <string.h>

#include "test/near.h"

enum {
    CONTACTS = 4,
    ROWS = 3 * CONTACTS,
    DOF = 7
};

static double number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* W = J J^T of rows J; rank: how many of the contacts have rows of their own. */
static void pose(event_problem *problem, int count, int tangents, int rank, double mu, unsigned *seed)
{
    double J[ROWS][DOF];
    assert_true(event_problem_make_room(problem, count));
    problem->count = count;
    problem->redundant = false;
    memset(problem->W, 0, (size_t)(9 * count * count) * sizeof(double));
    memset(problem->c, 0, (size_t)(3 * count) * sizeof(double));
    for (int k = 0; k < count; k++) {
        problem->contact[k] = k;
        problem->tangents[k] = tangents;
        problem->bounded[k] = problem->moves[k] = false;
        problem->set[k] = tangents == 1 ? (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL, .a = -mu, .b = mu}
                                        : (carom_planar_set){.kind = CAROM_PLANAR_DISK, .a = mu};
        for (int i = 0; i <= tangents; i++)
            for (int j = 0; j < DOF; j++)
                J[3 * k + i][j] = k < rank ? number(seed) : J[3 * (k - rank) + i][j];
        for (int i = 0; i <= tangents; i++)
            problem->c[3 * k + i] = k < rank ? 3.0 * number(seed) : problem->c[3 * (k - rank) + i];
        problem->c[3 * k] -= k < rank ? 2.0 : 0.0;
    }
    for (int k = 0; k < count; k++)
        for (int l = 0; l < count; l++)
            for (int i = 0; i <= tangents; i++)
                for (int j = 0; j <= tangents; j++)
                    for (int d = 0; d < DOF; d++)
                        problem->W[(3 * k + i) * 3 * count + 3 * l + j] += J[3 * k + i][d] * J[3 * l + j][d];
}

static double error_of(const event_problem *problem)
{
    const double target[CONTACTS] = {0};
    const carom_friction_problem posed = {.count = problem->count,
                                          .tangents = problem->tangents,
                                          .target = target,
                                          .set = problem->set,
                                          .W = problem->W,
                                          .u_free = problem->c};
    return carom_friction_problem_error(&posed, problem->r);
}

static void answers_satisfy_the_laws(void **unused)
{
    (void)unused;
    event_problem problem = {0};
    unsigned seed = 7;
    int solved = 0, slips = 0, sticks = 0, open = 0;
    for (int trial = 0; trial < 300; trial++) {
        const int tangents = 1 + trial % 2, count = 1 + trial % 2 + trial % 3 % 2;
        bool several = false;
        pose(&problem, count, tangents, count, 0.2 + 0.1 * (trial % 5), &seed);
        if (event_problem_decide(&problem, 1e-11, &several) != EVENT_PROBLEM_SOLVED)
            continue;
        solved++;
        assert_true(error_of(&problem) < 1e-9);
        for (int k = 0; k < count; k++) {
            slips += problem.status[k] == EVENT_START;
            sticks += problem.status[k] == EVENT_STICK;
            open += problem.status[k] == EVENT_OPEN;
        }
    }
    assert_true(solved >= 297); /* rows at random can make a Painleve paradox */
    assert_true(slips > 50 && sticks > 50 && open > 50);
    event_problem_free(&problem);
}

/* The same contact twice: forces are not unique, accelerations are; what is found satisfies the laws. */
static void contacts_that_are_the_same(void **unused)
{
    (void)unused;
    event_problem problem = {0}, one = {0};
    for (unsigned trial = 1; trial <= 40; trial++) {
        unsigned seed = trial, again = trial;
        bool several = false;
        pose(&one, 1, 1, 1, 0.3, &seed);
        assert_int_equal(event_problem_decide(&one, 1e-11, &several), EVENT_PROBLEM_SOLVED);
        pose(&problem, 2, 1, 1, 0.3, &again);
        assert_int_equal(event_problem_decide(&problem, 1e-11, &several), EVENT_PROBLEM_SOLVED);
        assert_true(error_of(&problem) < 1e-9);
        for (int i = 0; i < 2; i++) {
            assert_near(problem.a[i], one.a[i], 1e-9);
            assert_near(problem.r[i] + problem.r[3 + i], one.r[i], 1e-9);
        }
    }
    event_problem_free(&problem);
    event_problem_free(&one);
}

/* One contact that slips with friction x: W_NN + W_NT x = 1 + 2 x. */
static event_problem_end slide(event_problem *problem, double x, double c, bool *several)
{
    static const double W[9] = {1.0, 2.0, 0.0, 2.0, 8.0, 0.0, 0.0, 0.0, 0.0};
    assert_true(event_problem_make_room(problem, 1));
    problem->count = 1;
    problem->contact[0] = 5;
    problem->tangents[0] = 1;
    problem->bounded[0] = false;
    problem->moves[0] = true;
    problem->set[0] = (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL, .a = -fabs(x), .b = fabs(x)};
    memcpy(problem->W, W, sizeof W);
    problem->c[0] = c;
    problem->c[1] = problem->c[2] = 0.0;
    problem->x[0] = x;
    problem->x[1] = 0.0;
    return event_problem_decide(problem, 1e-11, several);
}

static void painleves_paradox(void **unused)
{
    (void)unused;
    event_problem problem = {0};
    bool several = false;
    assert_int_equal(slide(&problem, -0.3, -1.0, &several), EVENT_PROBLEM_SOLVED);
    assert_near(problem.r[0], 1.0 / 0.4, 1e-13);
    assert_false(several);
    assert_int_equal(slide(&problem, -0.3, 1.0, &several), EVENT_PROBLEM_SOLVED);
    assert_int_equal(problem.status[0], EVENT_OPEN);
    assert_int_equal(slide(&problem, -0.6, 1.0, &several), EVENT_PROBLEM_SOLVED); /* open, or a force of 5 */
    assert_int_equal(problem.status[0], EVENT_OPEN);
    assert_true(several);
    assert_int_equal(slide(&problem, -0.6, -1.0, &several), EVENT_PROBLEM_PAINLEVE); /* no force at all */
    assert_int_equal(problem.bad, 5);
    assert_int_equal(slide(&problem, 0.6, -1.0, &several), EVENT_PROBLEM_SOLVED); /* sliding the other way */
    assert_near(problem.r[0], 1.0 / 2.2, 1e-13);
    event_problem_free(&problem);
}

static void friction_of_sets(void **unused)
{
    (void)unused;
    const carom_planar_set ellipse = {.kind = CAROM_PLANAR_ELLIPSE, .a = 0.5, .b = 0.2, .angle = 0.7};
    for (int i = 0; i < 12; i++) {
        const double v[2] = {cos(0.5 * i), sin(0.5 * i)};
        double x[2], most = 0.0;
        event_friction_of_slip(&ellipse, 2, v, x);
        const double force[3] = {1.0, x[0], x[1]};
        assert_near(event_friction_margin(&ellipse, 2, force), 0.0, 1e-15);
        for (int k = 0; k < 720; k++) { /* no friction in the set takes more power */
            const double along = 0.5 * cos(0.01 * k), across = 0.2 * sin(0.01 * k);
            const double y[2] = {cos(0.7) * along - sin(0.7) * across, sin(0.7) * along + cos(0.7) * across};
            most = fmax(most, -(y[0] * v[0] + y[1] * v[1]));
        }
        assert_near(-(x[0] * v[0] + x[1] * v[1]), most, 1e-4);
        assert_true(-(x[0] * v[0] + x[1] * v[1]) >= most);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_satisfy_the_laws),
        cmocka_unit_test(contacts_that_are_the_same),
        cmocka_unit_test(painleves_paradox),
        cmocka_unit_test(friction_of_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
