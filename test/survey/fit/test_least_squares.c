#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "survey/fit/least_squares.h"

enum {
    RESIDUALS = 16,
    UNKNOWNS = 4
};

typedef struct counted {
    int evaluations, jacobians;
    double forbidden; /* there is nothing where x0 is above this */
    carom_status failure;
    int fails_after;
} counted;

typedef carom_status (*evaluation)(void *, const double *, double *, double *, carom_error *);

static carom_status count(counted *self, const double *x, const double *J, carom_error *error)
{
    self->evaluations++;
    self->jacobians += J != NULL;
    if (self->failure != CAROM_OK && self->evaluations > self->fails_after)
        return carom_fail(error, self->failure, "told to");
    return self->forbidden != 0.0 && x[0] > self->forbidden ? carom_fail(error, CAROM_FAILED, "not here")
                                                            : CAROM_OK;
}

/* Rosenbrock's valley: minimum 0 at (1, 1). */
static carom_status valley(void *context, const double *x, double *r, double *J, carom_error *error)
{
    if (r) {
        r[0] = 10.0 * (x[1] - x[0] * x[0]);
        r[1] = 1.0 - x[0];
    }
    if (J) {
        const double d[] = {-20.0 * x[0], -1.0, 10.0, 0.0};
        memcpy(J, d, sizeof d);
    }
    return count(context, x, J, error);
}

/* Misra1a of the statistical reference data sets of NIST: y = b1 (1 - exp(-b2 x)). */
static const double misra_x[] = {77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                                 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0},
                    misra_y[] = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                                 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};
enum {
    MISRA = 14
};

static carom_status misra(void *context, const double *b, double *r, double *J, carom_error *error)
{
    for (int i = 0; i < MISRA; i++) {
        const double e = exp(-b[1] * misra_x[i]);
        if (r)
            r[i] = b[0] * (1.0 - e) - misra_y[i];
        if (J) {
            J[i] = 1.0 - e;
            J[MISRA + i] = b[0] * misra_x[i] * e;
        }
    }
    return count(context, b, J, error);
}

/* A line through points of which one is far off. */
static carom_status line(void *context, const double *x, double *r, double *J, carom_error *error)
{
    for (int i = 0; i < 11; i++) {
        const double t = i, datum = i == 8 ? 100.0 : 2.0 + 0.5 * t + (i % 2 ? 0.01 : -0.01);
        if (r)
            r[i] = x[0] + x[1] * t - datum;
        if (J) {
            J[i] = 1.0;
            J[11 + i] = t;
        }
    }
    return count(context, x, J, error);
}

typedef struct searched {
    double x[UNKNOWNS], r[RESIDUALS], J[RESIDUALS * UNKNOWNS];
    bool held[UNKNOWNS];
    counted counted;
    fit_minimum at;
    carom_status status;
} searched;

static void search(searched *of, evaluation evaluate, int residuals, int unknowns, const double *low,
                   const double *high, bool together, fit_loss loss)
{
    static const double none[] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY},
                        all[] = {INFINITY, INFINITY, INFINITY, INFINITY}, one[] = {1.0, 1.0, 1.0, 1.0};
    carom_error error = {0};
    of->at = (fit_minimum){.x = of->x, .r = of->r, .J = of->J, .held = of->held};
    const fit_squares problem = {.residuals = residuals,
                                 .unknowns = unknowns,
                                 .low = low ? low : none,
                                 .high = high ? high : all,
                                 .scale = one,
                                 .evaluate = evaluate,
                                 .context = &of->counted,
                                 .together = together,
                                 .loss = loss,
                                 .max_iterations = 200,
                                 .tolerance = 1e-8};
    of->status = fit_squares_minimize(&problem, &of->at, &error);
}

static const fit_loss squares = {CAROM_LOSS_SQUARES, 1.0};

static void test_valley(void **state)
{
    (void)state;
    for (int together = 0; together < 2; together++) {
        searched of = {.x = {-1.2, 1.0}};
        search(&of, valley, 2, 2, NULL, NULL, together, squares);
        assert_int_equal(of.status, CAROM_OK);
        assert_true(of.at.converged);
        assert_true(fabs(of.x[0] - 1.0) < 1e-10 && fabs(of.x[1] - 1.0) < 1e-10);
        assert_true(of.counted.evaluations < 60);
        if (together)
            assert_int_equal(of.counted.evaluations, of.counted.jacobians);
    }
}

static void test_bounds_hold(void **state)
{
    (void)state;
    const double low[] = {-2.0, -1.0}, high[] = {0.5, 2.0};
    searched of = {.x = {-1.2, 1.0}};
    search(&of, valley, 2, 2, low, high, true, squares);
    assert_int_equal(of.status, CAROM_OK);
    assert_true(of.at.converged);
    assert_true(of.x[0] == 0.5 && of.held[0] && !of.held[1]);
    assert_true(fabs(of.x[1] - 0.25) < 1e-9);
    /* on both bounds, from a start on another one */
    const double higher[] = {0.5, 0.2};
    of = (searched){.x = {-2.0, -1.0}};
    search(&of, valley, 2, 2, low, higher, true, squares);
    assert_true(of.at.converged && of.x[1] == 0.2 && of.held[1]);
    /* min over x0 of 100 (0.2 - x0^2)^2 + (1 - x0)^2 */
    const double x = of.x[0], slope = -400.0 * x * (0.2 - x * x) - 2.0 * (1.0 - x);
    assert_true(of.held[0] ? x == 0.5 : fabs(slope) < 1e-6);
}

/* Certified values, standard deviations and sum of squares; from both of NIST's starts. */
static void test_reference_data(void **state)
{
    (void)state;
    const double start[2][2] = {{500.0, 1e-4}, {250.0, 5e-4}};
    for (int i = 0; i < 2; i++) {
        searched of = {.x = {start[i][0], start[i][1]}};
        search(&of, misra, MISRA, 2, NULL, NULL, i == 0, squares);
        assert_int_equal(of.status, CAROM_OK);
        assert_true(of.at.converged);
        assert_true(fabs(of.x[0] / 2.3894212918e+02 - 1.0) < 1e-8);
        assert_true(fabs(of.x[1] / 5.5015643181e-04 - 1.0) < 1e-8);
        assert_true(fabs(of.at.misfit / 1.2455138894e-01 - 1.0) < 1e-9);
    }
}

static void test_points_without_residuals_are_avoided(void **state)
{
    (void)state;
    searched of = {.x = {-1.2, 1.0}, .counted = {.forbidden = 0.7}};
    search(&of, valley, 2, 2, NULL, NULL, true, squares);
    assert_int_equal(of.status, CAROM_OK);
    assert_true(of.x[0] <= 0.7 && of.x[0] > 0.5);
    of = (searched){.x = {0.9, 1.0}, .counted = {.forbidden = 0.7}};
    search(&of, valley, 2, 2, NULL, NULL, true, squares);
    assert_int_equal(of.status, CAROM_FAILED);
}

static void test_failures_end_the_search(void **state)
{
    (void)state;
    const carom_status failure[] = {CAROM_INTERRUPTED, CAROM_NO_MEMORY};
    for (int i = 0; i < 2; i++) {
        searched of = {.x = {-1.2, 1.0}, .counted = {.failure = failure[i], .fails_after = 4}};
        search(&of, valley, 2, 2, NULL, NULL, i == 0, squares);
        assert_int_equal(of.status, failure[i]);
        assert_int_equal(of.counted.evaluations, 5);
    }
}

/* Of a robust loss: the gradient vanishes, and the outlier does not pull. */
static void test_losses(void **state)
{
    (void)state;
    searched of = {.x = {0.0, 0.0}};
    search(&of, line, 11, 2, NULL, NULL, true, squares);
    assert_true(fabs(of.x[1] - 0.5) > 1.0);
    const double allowed[CAROM_LOSSES] = {
        [CAROM_LOSS_SOFT_L1] = 0.02, [CAROM_LOSS_HUBER] = 0.02, [CAROM_LOSS_CAUCHY] = 0.005};
    for (int loss = CAROM_LOSS_SOFT_L1; loss < CAROM_LOSSES; loss++) {
        const fit_loss robust = {(carom_fit_loss)loss, 0.02};
        of = (searched){.x = {1.0, 1.0}};
        search(&of, line, 11, 2, NULL, NULL, true, robust);
        assert_true(of.at.converged);
        double gradient[2] = {0};
        for (int i = 0; i < 11; i++)
            for (int k = 0; k < 2; k++)
                gradient[k] += fit_loss_psi(robust, of.r[i]) * of.J[k * 11 + i];
        assert_true(fabs(gradient[0]) < 1e-6 && fabs(gradient[1]) < 1e-6);
        assert_true(fabs(of.x[0] - 2.0) < 5.0 * allowed[loss] && fabs(of.x[1] - 0.5) < allowed[loss]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valley),
        cmocka_unit_test(test_bounds_hold),
        cmocka_unit_test(test_reference_data),
        cmocka_unit_test(test_points_without_residuals_are_avoided),
        cmocka_unit_test(test_failures_end_the_search),
        cmocka_unit_test(test_losses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
