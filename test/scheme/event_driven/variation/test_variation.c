/* Derivatives of event-driven motions against closed forms: balls, an accumulation, impact oscillators. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/scheme.h"
#include "scheme/event_driven/variation/parts.h"

static const double pi = 3.14159265358979323846;

static carom_model *finish(carom_builder *b)
{
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_build_model(b, &model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_builder_free(b);
    return model;
}

static carom_model *ball(double e)
{
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "y");
    carom_build_parameter(b, "e", e);
    carom_build_parameter(b, "g", 9.81);
    carom_build_kinetic(b, carom_build_formula(b, "1/2*dot(y)^2"));
    carom_build_potential(b, carom_build_formula(b, "g*y"));
    const int floor = carom_build_contact(b, "floor", carom_build_formula(b, "y"));
    carom_build_restitution(b, floor, carom_build_formula(b, "e"));
    return finish(b);
}

/* A motion with its derivatives, and the events that it was told of. */
typedef struct motion {
    carom_model *model;
    carom_model_work *work;
    carom_stepper *stepper;
    carom_tangent *tangent;
    int events;
    double time[200];
} motion;

static void listen(void *context, const carom_event *event)
{
    motion *m = context;
    if (m->events < 200)
        m->time[m->events++] = event->t;
}

static void begin(motion *m, carom_model *model, double h, const carom_option *option, const double *q,
                  const double *v, int columns, const carom_tangent_column *column)
{
    carom_error error = {0};
    *m = (motion){.model = model};
    const carom_step_settings settings = {.h = h, .option = option};
    if (carom_model_work_create(model, NULL, &m->work, &error) != CAROM_OK ||
        carom_stepper_create(carom_scheme_find("event-driven", &error), m->work, &settings, q, v, &m->stepper,
                             &error) != CAROM_OK ||
        carom_tangent_create(m->stepper, columns, column, &m->tangent, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    m->stepper->listener = (carom_event_listener){m, listen};
}

static void go(motion *m, int steps)
{
    carom_error error = {0};
    for (int k = 0; k < steps; k++)
        if (carom_tangent_step(m->tangent, &error) != CAROM_OK)
            fail_msg("%s", error.text);
}

static void end(motion *m)
{
    carom_tangent_free(m->tangent);
    carom_stepper_free(m->stepper);
    carom_model_work_free(m->work);
    carom_model_free(m->model);
}

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance * (1.0 + fabs(expected))))
        fail_msg("%.17g instead of %.17g: off by %.3g", found, expected, found - expected);
}

/* ---- the ball ------------------------------------------------------------------------------------------------------ */

/* y = e v1 s - g s^2/2 with s = t - t1 between first and second impact, and likewise between second and third. */
static void test_ball(void **state)
{
    (void)state;
    const double e = 0.8, g = 9.81, y0 = 1.3, v0 = 0.0, by_e[] = {1.0, 0.0}, by_g[] = {0.0, 1.0}, one = 1.0;
    const double t1 = sqrt(2.0 * y0 / g), v1 = sqrt(2.0 * g * y0);
    motion m;
    begin(&m, ball(e), 0.01, NULL, &y0, &v0, 3,
          (carom_tangent_column[]){{.parameter = by_e}, {.parameter = by_g}, {.q0 = &one}});
    const double dt1[] = {0.0, -t1 / (2.0 * g), t1 / (2.0 * y0)};
    const double dv1[] = {0.0, v1 / (2.0 * g), v1 / (2.0 * y0)};
    const double t2 = t1 + 2.0 * e * v1 / g;
    double worst = 0.0;
    int told = 0;
    for (int k = 1; k <= 220; k++) {
        go(&m, 1);
        const double t = 0.01 * k;
        for (int i = 0; i < m.tangent->events; i++, told++)
            for (int c = 0; c < 3; c++) {
                /* t2 = t1 + 2 e v1/g, and so on */
                double dt = dt1[c];
                for (int flight = 1; flight <= told; flight++) {
                    const double rest = pow(e, flight);
                    dt += 2.0 * (rest * dv1[c] + (c == 0) * flight * rest / e * v1) / g -
                          (c == 1) * 2.0 * rest * v1 / (g * g);
                }
                assert_near(m.tangent->event_time[3 * i + c], dt, 1e-12);
            }
        for (int c = 0; c < 3; c++) {
            double dy = 0.0, dv = 0.0;
            if (t < t1) {
                dy = c == 1 ? -0.5 * t * t : c == 2 ? 1.0 : 0.0;
                dv = c == 1 ? -t : 0.0;
            } else if (t < t2) {
                const double s = t - t1, v = e * v1, dvel = e * dv1[c] + (c == 0) * v1;
                dy = dvel * s - v * dt1[c] + g * s * dt1[c] - (c == 1) * 0.5 * s * s;
                dv = dvel + g * dt1[c] - (c == 1) * s;
            } else if (t < t2 + 2.0 * e * e * v1 / g) {
                const double s = t - t2, v = e * e * v1, dvel = e * e * dv1[c] + (c == 0) * 2.0 * e * v1;
                const double dt2 =
                    dt1[c] + 2.0 * (e * dv1[c] + (c == 0) * v1) / g - (c == 1) * 2.0 * e * v1 / (g * g);
                dy = dvel * s - v * dt2 + g * s * dt2 - (c == 1) * 0.5 * s * s;
                dv = dvel + g * dt2 - (c == 1) * s;
            } else {
                continue;
            }
            worst = fmax(worst, fabs(*carom_tangent_q(m.tangent, c) - dy) / (1.0 + fabs(dy)));
            worst = fmax(worst, fabs(*carom_tangent_v(m.tangent, c) - dv) / (1.0 + fabs(dv)));
        }
    }
    print_message("ball: worst difference from closed forms %.3g, %d events\n", worst, told);
    assert_true(told >= 3);
    assert_true(worst <= 1e-12);
    assert_int_equal(m.tangent->breaks, 0);
    end(&m);
}

/* The accumulation t_inf = t1 (1 + e)/(1 - e), d t_inf/de = 2 t1/(1 - e)^2, and rest after it. */
static void test_accumulation(void **state)
{
    (void)state;
    const double y0 = 1.0, v0 = 0.0, g = 9.81, one = 1.0, by_e[] = {1.0, 0.0}, by_g[] = {0.0, 1.0};
    const double restitutions[] = {0.5, 0.8, 0.3};
    for (size_t r = 0; r < 3; r++) {
        const double e = restitutions[r], t1 = sqrt(2.0 * y0 / g);
        const carom_option on[] = {{.name = "zeno", .word = "continue"}, {0}};
        motion m;
        begin(&m, ball(e), 10.0, on, &y0, &v0, 3,
              (carom_tangent_column[]){{.parameter = by_e}, {.parameter = by_g}, {.q0 = &one}});
        go(&m, 1);
        const double *last = m.tangent->event_time + 3 * (m.tangent->events - 1); /* the ball comes to rest */
        const double t_inf = t1 * (1.0 + e) / (1.0 - e);
        assert_near(last[0], 2.0 * t1 / ((1.0 - e) * (1.0 - e)), 1e-10);
        assert_near(last[1], -t_inf / (2.0 * g), 1e-10);
        assert_near(last[2], t_inf / (2.0 * y0), 1e-10);
        for (int c = 0; c < 3; c++) {
            assert_near(*carom_tangent_q(m.tangent, c), 0.0, 1e-12);
            assert_near(*carom_tangent_v(m.tangent, c), 0.0, 1e-12);
        }
        assert_int_equal(m.tangent->breaks, 0);
        end(&m);
    }
}

/* The same where the run ends there. */
static void test_accumulation_that_stops(void **state)
{
    (void)state;
    const double y0 = 1.0, v0 = 0.0, e = 0.5, g = 9.81, by_e[] = {1.0, 0.0};
    motion m;
    carom_error error = {0};
    begin(&m, ball(e), 10.0, NULL, &y0, &v0, 1, (carom_tangent_column[]){{.parameter = by_e}});
    assert_int_equal(carom_tangent_step(m.tangent, &error), CAROM_FAILED);
    const event_variation *inside = (const event_variation *)m.tangent;
    assert_true(inside->ends_accumulation);
    assert_near(inside->accumulation[0], 2.0 * sqrt(2.0 * y0 / g) / ((1.0 - e) * (1.0 - e)), 1e-10);
    end(&m);
}

/* ---- where the motion ends by itself ---------------------------------------------------------------------------------- */

static double above(void *context, double t, const double *q, const double *v)
{
    (void)t;
    (void)v;
    return *(double *)context - q[0];
}

static double above_along(void *context, double t, const double *q, const double *v,
                          const carom_direction *direction)
{
    (void)context;
    (void)t;
    (void)q;
    (void)v;
    return direction->q ? -direction->q[0] : 0.0;
}

/* A fall ends at y = 0.3: at t = sqrt(2 (y0 - 0.3)/g), where the velocity is known, too. Without the derivative of what ends it
 * that is a break, and a number all the same. */
static void test_end_of_the_motion(void **state)
{
    (void)state;
    const double y0 = 1.0, v0 = 0.0, g = 9.81, one = 1.0, by_g[] = {0.0, 1.0};
    double limit = 0.3;
    for (int known = 0; known < 2; known++) {
        motion m = {.model = ball(0.8)};
        carom_error error = {0};
        const carom_step_settings settings = {
            .h = 1.0, .ending = {.context = &limit, .value = above, .along = known ? above_along : NULL}};
        assert_int_equal(carom_model_work_create(m.model, NULL, &m.work, &error), CAROM_OK);
        assert_int_equal(carom_stepper_create(carom_scheme_find("event-driven", &error), m.work, &settings,
                                              &y0, &v0, &m.stepper, &error),
                         CAROM_OK);
        assert_int_equal(carom_tangent_create(m.stepper, 2,
                                              (carom_tangent_column[]){{.parameter = by_g}, {.q0 = &one}},
                                              &m.tangent, &error),
                         CAROM_OK);
        go(&m, 1);
        assert_true(m.stepper->ended);
        const double t = sqrt(2.0 * (y0 - limit) / g);
        if (known) {
            assert_near(m.tangent->t[0], -t / (2.0 * g), 1e-12);
            assert_near(m.tangent->t[1], 1.0 / (g * t), 1e-12);
            assert_near(*carom_tangent_q(m.tangent, 1), 0.0, 1e-12);
            assert_near(*carom_tangent_v(m.tangent, 1), -1.0 / t, 1e-12);
            assert_near(*carom_tangent_v(m.tangent, 0), -t / 2.0, 1e-12);
        }
        assert_int_equal(m.tangent->breaks, known ? 0 : 1);
        assert_true(isfinite(m.tangent->t[0]) && isfinite(*carom_tangent_v(m.tangent, 0)));
        end(&m);
    }
}

/* ---- two balls ------------------------------------------------------------------------------------------------------- */

/* Free and equal, elastic: velocities are exchanged, and so are their derivatives, exactly. */
static void test_equal_balls(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x1");
    carom_build_coordinate(b, "x2");
    carom_build_kinetic(b, carom_build_formula(b, "1/2*dot(x1)^2 + 1/2*dot(x2)^2"));
    const int touch = carom_build_contact(b, "touch", carom_build_formula(b, "x2 - x1"));
    carom_build_restitution(b, touch, carom_build_formula(b, "1"));
    const double q0[] = {0.0, 0.1037}, v0[] = {1.0, 0.25}, first[] = {1.0, 0.0}, second[] = {0.0, 1.0};
    motion m;
    begin(&m, finish(b), 0.01, NULL, q0, v0, 2, (carom_tangent_column[]){{.v0 = first}, {.v0 = second}});
    go(&m, 30);
    assert_int_equal(m.events, 1);
    assert_true(carom_tangent_v(m.tangent, 0)[0] == 0.0 && carom_tangent_v(m.tangent, 0)[1] == 1.0);
    assert_true(carom_tangent_v(m.tangent, 1)[0] == 1.0 && carom_tangent_v(m.tangent, 1)[1] == 0.0);
    end(&m);
}

/* Three equal elastic balls in a row, the outer ones of which hit the middle one at the same time: every order of the two
 * impacts leads to reversed velocities, with different derivatives? The orders are 12-23-12 and 23-12-23, both of which give
 * (v3, v2, v1): they commute, and derivatives are those of the exchange. */
static void test_three_balls_at_once_commute(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x1");
    carom_build_coordinate(b, "x2");
    carom_build_coordinate(b, "x3");
    carom_build_kinetic(b, carom_build_formula(b, "1/2*dot(x1)^2 + 1/2*dot(x2)^2 + 1/2*dot(x3)^2"));
    const int left = carom_build_contact(b, "left", carom_build_formula(b, "x2 - x1"));
    const int right = carom_build_contact(b, "right", carom_build_formula(b, "x3 - x2"));
    carom_build_restitution(b, left, carom_build_formula(b, "1"));
    carom_build_restitution(b, right, carom_build_formula(b, "1"));
    const double q0[] = {-1.0, 0.0, 1.0}, v0[] = {1.0, 0.0, -1.0};
    const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    motion m;
    begin(&m, finish(b), 0.5, NULL, q0, v0, 3,
          (carom_tangent_column[]){{.v0 = unit[0]}, {.v0 = unit[1]}, {.q0 = unit[2]}});
    go(&m, 3);
    assert_int_equal(m.tangent->breaks, 0);
    /* positions pass through each other: x_i' = x0_j + v0_j t with the balls in the opposite order */
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) {
            assert_near(carom_tangent_v(m.tangent, c)[i], c < 2 && i == 2 - c ? 1.0 : 0.0, 1e-12);
            assert_near(carom_tangent_q(m.tangent, c)[i],
                        c < 2 && i == 2 - c ? 1.5
                        : c == 2 && i == 0  ? 1.0
                                            : 0.0,
                        1e-12);
        }
    end(&m);
}

/* With another mass in the middle the orders differ: a break, and numbers all the same. */
static void test_three_balls_at_once_that_do_not(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x1");
    carom_build_coordinate(b, "x2");
    carom_build_coordinate(b, "x3");
    carom_build_kinetic(b, carom_build_formula(b, "1/2*dot(x1)^2 + dot(x2)^2 + 1/2*dot(x3)^2"));
    const int left = carom_build_contact(b, "left", carom_build_formula(b, "x2 - x1"));
    const int right = carom_build_contact(b, "right", carom_build_formula(b, "x3 - x2"));
    carom_build_restitution(b, left, carom_build_formula(b, "0.5"));
    carom_build_restitution(b, right, carom_build_formula(b, "0.5"));
    const double q0[] = {-1.0, 0.0, 1.0}, v0[] = {1.0, 0.0, -1.0}, unit[] = {1.0, 0.0, 0.0};
    motion m;
    begin(&m, finish(b), 0.5, NULL, q0, v0, 1, (carom_tangent_column[]){{.v0 = unit}});
    go(&m, 3);
    assert_int_equal(m.tangent->breaks, 1);
    assert_true(fabs(m.tangent->kept[0].t - 1.0) <= 1e-9);
    assert_non_null(strstr(m.tangent->kept[0].why, "order"));
    for (int i = 0; i < 6; i++)
        assert_true(isfinite(m.tangent->numbers[i]));
    assert_false(m.tangent->lost);
    end(&m);
}

/* Two balls over one floor that hit at the same time have nothing to do with each other. */
static void test_independent_impacts_commute(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "y1");
    carom_build_coordinate(b, "y2");
    carom_build_kinetic(b, carom_build_formula(b, "1/2*dot(y1)^2 + 3/2*dot(y2)^2"));
    carom_build_potential(b, carom_build_formula(b, "10*y1 + 30*y2"));
    carom_build_restitution(b, carom_build_contact(b, "one", carom_build_formula(b, "y1")),
                            carom_build_formula(b, "0.8"));
    carom_build_restitution(b, carom_build_contact(b, "two", carom_build_formula(b, "y2")),
                            carom_build_formula(b, "0.5"));
    const double q0[] = {1.0, 1.0}, v0[] = {0.0, 0.0}, first[] = {1.0, 0.0}, second[] = {0.0, 1.0};
    motion m;
    begin(&m, finish(b), 0.5, NULL, q0, v0, 2, (carom_tangent_column[]){{.q0 = first}, {.q0 = second}});
    go(&m, 1);
    assert_int_equal(m.events, 2);
    assert_int_equal(m.tangent->breaks, 0);
    /* v+ = -e v-, S+ = [[-e], [(1 + e) a / v-]] of the position */
    const double v1 = -sqrt(20.0), left = 0.5 - sqrt(0.2), e[] = {0.8, 0.5};
    for (int c = 0; c < 2; c++) {
        const double slope = -(1.0 + e[c]) * 10.0 / v1;
        assert_near(carom_tangent_q(m.tangent, c)[c], -e[c] + slope * left, 1e-12);
        assert_near(carom_tangent_v(m.tangent, c)[c], slope, 1e-12);
        assert_near(carom_tangent_q(m.tangent, c)[1 - c], 0.0, 1e-12);
        assert_near(carom_tangent_v(m.tangent, c)[1 - c], 0.0, 1e-12);
    }
    end(&m);
}

/* ---- the impact oscillator ---------------------------------------------------------------------------------------------- */

static carom_model *oscillator(double w, double e, double c)
{
    carom_builder *b = carom_builder_create();
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_parameter(b, "w", w);
    carom_build_parameter(b, "e", e);
    carom_build_parameter(b, "c", c);
    carom_build_kinetic(b, carom_build_formula(b, "1/2*dot(x)^2"));
    carom_build_potential(b, carom_build_formula(b, "1/2*x^2"));
    carom_build_force(b, x, carom_build_formula(b, "cos(w*t) - c*dot(x)"));
    const int wall = carom_build_contact(b, "wall", carom_build_formula(b, "x"));
    carom_build_restitution(b, wall, carom_build_formula(b, "e"));
    return finish(b);
}

/* Newton's method on the map of n forcing periods, from the state after the impact of the table, carried to the next period:
 * its matrix is the monodromy. Returns trace and determinant. */
static void monodromy(double w, double e, double c, int periods, double *x, double *trace,
                      double *determinant)
{
    const double T = 2.0 * pi * periods / w, unit[2] = {1.0, 0.0}, one = 1.0;
    (void)unit;
    for (int i = 0; i < 8; i++) {
        motion m;
        begin(&m, oscillator(w, e, c), T, NULL, &x[0], &x[1], 2,
              (carom_tangent_column[]){{.q0 = &one}, {.v0 = &one}});
        go(&m, 1);
        const double A[2][2] = {{carom_tangent_q(m.tangent, 0)[0], carom_tangent_q(m.tangent, 1)[0]},
                                {carom_tangent_v(m.tangent, 0)[0], carom_tangent_v(m.tangent, 1)[0]}};
        const double r[2] = {m.stepper->state.q[0] - x[0], m.stepper->state.v[0] - x[1]};
        const double B[2][2] = {{A[0][0] - 1.0, A[0][1]}, {A[1][0], A[1][1] - 1.0}};
        const double det = B[0][0] * B[1][1] - B[0][1] * B[1][0];
        *trace = A[0][0] + A[1][1];
        *determinant = A[0][0] * A[1][1] - A[0][1] * A[1][0];
        assert_int_equal(m.tangent->breaks, 0);
        end(&m);
        const double dx = (r[0] * B[1][1] - r[1] * B[0][1]) / det,
                     dv = (B[0][0] * r[1] - B[1][0] * r[0]) / det;
        x[0] -= dx;
        x[1] -= dv;
        if (fabs(dx) + fabs(dv) < 1e-14)
            break;
    }
}

static void test_multipliers_of_the_impact_oscillator(void **state)
{
    (void)state;
    static const struct {
        double e, c, w;
        int n;
        double phase, v, trace, determinant;
    } row[] = {
        {.8, .05, 1.8, 1, 1.9841372766, 2.0145881275, 2 * 0.58764903, 0.0},
        {.8, .05, 2.2, 1, 2.6492403988, 1.4621670137, 2 * 0.59808524, 0.0},
        {.8, .05, 2.4, 1, 2.5185704580, 0.6803568612, 2 * 0.16621884, 0.0},
        {.8, .05, 2.6, 1, 2.3551704385, 0.4028217660, -2 * 0.5395246, 0.0},
        {.8, .05, 2.8, 1, 2.2014184211, 0.2684180191, -0.2047726 - 2.79370415, 0.0},
        {.8, .05, 3.6, 2, 0.9375761560, 0.4104658427, 2 * 0.15578166, 0.0},
        {.7, .1, 2.2, 1, 2.5350230410, 1.1762635554, 2 * 0.48638716, 0.0},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        const double T = 2.0 * pi * row[k].n / row[k].w, one = 1.0;
        /* from the impact to the end of the period: a start at phase 0 */
        carom_error error = {0};
        carom_model *model = oscillator(row[k].w, row[k].e, row[k].c);
        carom_model_work *work = NULL;
        carom_stepper *stepper = NULL;
        const double q = 0.0, left = T - row[k].phase;
        assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
        assert_int_equal(carom_stepper_create(carom_scheme_find("event-driven", &error), work,
                                              &(carom_step_settings){.h = left, .t0 = row[k].phase}, &q,
                                              &row[k].v, &stepper, &error),
                         CAROM_OK);
        assert_int_equal(carom_stepper_step(stepper, &error), CAROM_OK);
        double x[2] = {stepper->state.q[0], stepper->state.v[0]}, trace = 0.0, determinant = 0.0;
        carom_stepper_free(stepper);
        carom_model_work_free(work);
        carom_model_free(model);
        (void)one;
        monodromy(row[k].w, row[k].e, row[k].c, row[k].n, x, &trace, &determinant);
        print_message("w = %g: trace %.12g (%.12g), product %.12g\n", row[k].w, trace, row[k].trace,
                      determinant);
        assert_near(trace, row[k].trace, 1.5e-8);
        assert_true(fabs(determinant - row[k].e * row[k].e * exp(-row[k].c * T)) <= 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_accumulation),
        cmocka_unit_test(test_accumulation_that_stops),
        cmocka_unit_test(test_end_of_the_motion),
        cmocka_unit_test(test_equal_balls),
        cmocka_unit_test(test_three_balls_at_once_commute),
        cmocka_unit_test(test_three_balls_at_once_that_do_not),
        cmocka_unit_test(test_independent_impacts_commute),
        cmocka_unit_test(test_multipliers_of_the_impact_oscillator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
