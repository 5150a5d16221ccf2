/* The averaged energy sink: manifold, folds, equilibria, flow (values of the specification, section 8, or
 * closed forms), envelopes and jumps of signals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/run.h"
#include "carom/subject/energy_sink.h"
#include "test/near.h"

static const double pi = 3.14159265358979323846;

static carom_energy_sink table_1(double f0)
{
    carom_energy_sink sink = carom_energy_sink_defaults();
    sink.f0 = f0;
    return sink;
}

/* 8.1 */
static void manifold(void **unused)
{
    (void)unused;
    static const double rows[][3] = {{0.5, 0.4931661897, -0.1015602013},
                                     {2.0, 1.4142135624, -0.1418970546},
                                     {5.0, 4.4034787385, -3.0278006464},
                                     {2.1240571449, 1.4212980354, -0.1500068243},
                                     {3.6422738808, 0.3646893394, -1.5204581550}};
    const carom_energy_sink sink = carom_energy_sink_defaults();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_near(carom_manifold_amplitude(&sink, rows[i][0]), rows[i][1], 1e-10);
        assert_near(carom_manifold_phase(&sink, rows[i][0]), rows[i][2], 1e-9);
    }
}

/* 8.1, 8.2; published: 2.124 and 3.642. */
static void folds(void **unused)
{
    (void)unused;
    carom_energy_sink sink = carom_energy_sink_defaults();
    carom_manifold_fold fold[2];
    assert_int_equal(carom_manifold_folds(&sink, fold), 2);
    assert_near(fold[0].n2, 2.1240571449, 1e-10);
    assert_near(fold[1].n2, 3.6422738808, 1e-10);
    assert_near(fold[0].n1, 1.4212980354, 1e-10);
    assert_near(fold[1].n1, 0.3646893394, 1e-10);
    assert_near(fold[0].phase, -0.1500068243, 1e-10);
    assert_near(fold[1].phase, -1.5204581550, 1e-10);
    assert_near(fold[0].landing, 4.2004082132, 1e-10);
    assert_near(fold[1].landing, 0.3665359745, 1e-10);
    assert_near(fold[0].forcing, 0.74965614, 1e-8);
    assert_near(fold[1].forcing, 3.80987256, 1e-8);
    assert_near(fold[0].angle, -0.89926512, 1e-8);
    assert_near(fold[1].angle, -1.63729023, 1e-8);
    for (int i = 0; i < 2; i++) { /* N1 is stationary there, and the same where the motion lands */
        const double d = 1e-4, n2 = fold[i].n2;
        const double bend = carom_manifold_amplitude(&sink, n2 + d) - 2.0 * fold[i].n1 +
                            carom_manifold_amplitude(&sink, n2 - d);
        assert_true(i == 0 ? bend < 0.0 : bend > 0.0);
        assert_near((carom_manifold_amplitude(&sink, n2 + d) - carom_manifold_amplitude(&sink, n2 - d)) /
                        (2.0 * d),
                    0.0, 1e-7);
        assert_near(carom_manifold_amplitude(&sink, fold[i].landing), fold[i].n1, 1e-12);
    }
    sink.lam = 0.6;
    assert_int_equal(carom_manifold_folds(&sink, fold), 0);
}

/* Other frequencies scale: with w1 = s, lam s, gamma s^4 the curve is the same. */
static void frequency_scales(void **unused)
{
    (void)unused;
    carom_energy_sink one = carom_energy_sink_defaults(), other = one;
    other.w1 = 1.7;
    other.lam *= 1.7;
    other.gamma *= pow(1.7, 4.0);
    assert_near(carom_manifold_amplitude(&other, 3.0), carom_manifold_amplitude(&one, 3.0), 1e-12);
    assert_near(carom_manifold_phase(&other, 3.0), carom_manifold_phase(&one, 3.0), 1e-12);
}

/* 8.3 */
static void equilibria(void **unused)
{
    (void)unused;
    static const struct {
        double f0;
        int index, count;
        double n2, n1, finite_n1, finite_n2, growth, tolerance;
    } rows[] = {
        {0.242, 0, 1, 0.487122108, 0.480926341, 0.4804473, 0.4871243, -1.69e-4, 5e-7},
        {0.5, 0, 1, 1.710560245, 1.346088525, 1.3445782, 1.7106684, -2.54e-4, 5e-7},
        {1.0, 0, 1, 2.376308571, 1.390368076, 1.3883628, 2.3765437, 1.46e-1, 5e-4},
        {4.019, 0, 3, 3.706350429, 0.387251153, 0.3881267, 3.7067353, -7.35e-4, 5e-7},
        {4.019, 1, 3, 5.597318205, 7.575674415, 7.5831098, 5.5984951, 5.46e-4, 5e-7},
        {4.019, 2, 3, 5.885975857, 9.426264068, 9.4337374, 5.8871121, -5.79e-5, 5e-8},
    };
    const carom_equilibria_options options = carom_equilibria_defaults();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const carom_energy_sink sink = table_1(rows[i].f0);
        carom_sink_equilibrium found[8];
        int count = 0;
        carom_error error = {0};
        assert_int_equal(carom_sink_equilibria(&sink, &options, 8, found, &count, &error), CAROM_OK);
        const carom_sink_equilibrium *at = NULL;
        for (int k = 0; k < count; k++)
            if (fabs(found[k].n2 - rows[i].n2) < 1e-6)
                at = &found[k];
        assert_non_null(at);
        assert_near(at->n2, rows[i].n2, 1e-9);
        assert_near(at->n1, rows[i].n1, 1e-9);
        assert_near(at->finite_n1, rows[i].finite_n1, 1e-7);
        assert_near(at->finite_n2, rows[i].finite_n2, 1e-7);
        assert_near(at->growth, rows[i].growth, rows[i].tolerance);
        assert_true(at->stable == (rows[i].growth < 0.0));
        double rate[CAROM_AVERAGED];
        carom_averaged_rate(&sink, at->phi, rate);
        for (int k = 0; k < CAROM_AVERAGED; k++)
            assert_near(rate[k], 0.0, 1e-12);
        if (rows[i].f0 == 4.019)
            assert_int_equal(count, rows[i].count);
    }
    /* nothing slips all the time below 4 alpha0/pi */
    const carom_energy_sink weak = table_1(0.127);
    int count = -1;
    assert_near(carom_energy_sink_least_forcing(&weak), 0.12732, 5e-6);
    assert_int_equal(carom_sink_equilibria(&weak, &options, 0, NULL, &count, NULL), CAROM_OK);
    assert_int_equal(count, 0);
}

static void bad_values(void **unused)
{
    (void)unused;
    static const struct {
        size_t offset;
        double value;
        const char *word;
    } cases[] = {{offsetof(carom_energy_sink, eps), 0.0, "mass ratio"},
                 {offsetof(carom_energy_sink, eps), 1.0, "mass ratio"},
                 {offsetof(carom_energy_sink, gamma), 0.0, "gamma > 0"},
                 {offsetof(carom_energy_sink, alpha0), -0.1, "monotone"},
                 {offsetof(carom_energy_sink, lam), -0.1, "lam >= 0"},
                 {offsetof(carom_energy_sink, w1), 0.0, "w1 > 0"},
                 {offsetof(carom_energy_sink, f0), NAN, "finite"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        carom_energy_sink sink = carom_energy_sink_defaults();
        *(double *)(void *)((char *)&sink + cases[i].offset) = cases[i].value;
        carom_error error = {0};
        assert_int_equal(carom_energy_sink_check(&sink, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.text, cases[i].word));
    }
}

/* ---- flow ------------------------------------------------------------------------------------------- */

typedef struct history {
    int jumps;
    double jump[16];
    double n1, n1_min, n1_max;
} history;

static history follow(double f0, double t_end)
{
    const carom_energy_sink sink = table_1(f0);
    const double period = 2.0 * pi / carom_energy_sink_frequency(&sink);
    carom_averaged_options options = carom_averaged_defaults();
    carom_jump_detector *detector;
    double phi[CAROM_AVERAGED];
    history h = {.n1_min = INFINITY};
    carom_error error = {0};
    assert_int_equal(carom_jump_detector_create(1, 1.5, 3.0, &detector, &error), CAROM_OK);
    carom_averaged_start(&sink, 2.0, 0.0, 2.0, 0.0, phi);
    for (double t = period; t <= t_end; t += period) {
        assert_int_equal(carom_averaged_flow(&sink, period, &options, phi, &error), CAROM_OK);
        h.n1 = hypot(phi[0], phi[1]);
        if (t > 0.5 * t_end) {
            h.n1_min = fmin(h.n1_min, h.n1);
            h.n1_max = fmax(h.n1_max, h.n1);
        }
        if (carom_jump_detector_take(detector, hypot(phi[2], phi[3])) != CAROM_JUMP_NONE && h.jumps < 16)
            h.jump[h.jumps++] = t;
    }
    carom_jump_detector_free(detector);
    return h;
}

/* 8.4, row of the averaged flow. */
static void averaged_modulation(void **unused)
{
    (void)unused;
    static const double times[] = {3321, 4071, 6864, 7703};
    const history h = follow(4.019, 1e4);
    assert_int_equal(h.jumps, 4);
    for (int i = 0; i < 4; i++)
        assert_near(h.jump[i], times[i], 7.0); /* seen once per period */
    assert_near(h.n1_min, 0.2461, 2e-4);
    assert_near(h.n1_max, 2.2679, 2e-4);
}

/* 8.4, onset: none at 0.5, which settles on the equilibrium of 8.3; 2 % on the times. */
static void onset_of_modulation(void **unused)
{
    (void)unused;
    history h = follow(0.5, 2e4);
    assert_int_equal(h.jumps, 1);
    assert_near(h.n1, 1.3446, 0.01);
    h = follow(0.6, 2e4);
    assert_int_equal(h.jumps, 3);
    assert_near(h.jump[1], 12938, 0.02 * 12938);
    assert_near(h.jump[2], 14183, 0.02 * 14183);
    h = follow(0.65, 2e4);
    assert_near(h.jump[1], 10486, 0.02 * 10486);
    assert_near(h.jump[2], 11728, 0.02 * 11728);
}

/* The averaged oscillator alone, at rest and held by friction: |f0/2| <= 2 alpha0/pi. */
static void averaged_rest(void **unused)
{
    (void)unused;
    carom_energy_sink sink = table_1(0.1);
    const double rest[CAROM_AVERAGED] = {0};
    double rate[CAROM_AVERAGED];
    carom_averaged_rate(&sink, rest, rate);
    assert_near(rate[0], 0.0, 1e-18);
    assert_near(rate[1], 0.0, 1e-18);
    sink.f0 = 0.2; /* 0.1 is more than 0.2/pi */
    carom_averaged_rate(&sink, rest, rate);
    const double k = sink.eps / (1.0 + sink.eps);
    assert_near(hypot(rate[0], rate[1]), k * (0.1 - 0.2 / pi), 1e-12);
}

/* Without coupling, friction and forcing an exact solution: amplitudes of a free envelope fall as exp(-k a0
 * t/2), for a0 alone. */
static void averaged_decay(void **unused)
{
    (void)unused;
    carom_energy_sink sink = {.eps = 1e-2, .w1 = 1.0, .a0 = 0.4, .gamma = 1e-12};
    double phi[CAROM_AVERAGED];
    carom_averaged_options options = carom_averaged_defaults();
    carom_averaged_start(&sink, 1.0, 0.0, 0.0, 0.0, phi);
    const double k = sink.eps / (1.0 + sink.eps);
    assert_int_equal(carom_averaged_flow(&sink, 300.0, &options, phi, NULL), CAROM_OK);
    const double x = hypot(phi[0] + k * phi[2], phi[1] + k * phi[3]); /* psi is the envelope of x */
    assert_near(x, exp(-0.5 * sink.eps * sink.a0 * 300.0), 2e-3);
}

/* ---- signals ---------------------------------------------------------------------------------------- */

static void first_harmonic(void **unused)
{
    (void)unused;
    enum {
        M = 64
    };
    const double w = 1.3, h = 2.0 * pi / (w * M);
    carom_envelope envelope = carom_envelope_of(w, M);
    int full = 0;
    for (int i = 0; i < 3 * M; i++) { /* q = 2 sin(w t + 0.3) + third harmonic + 5 */
        const double t = i * h, q = 2.0 * sin(w * t + 0.3) + 0.4 * sin(3.0 * w * t) + 5.0;
        const double v = 2.0 * w * cos(w * t + 0.3) + 1.2 * w * cos(3.0 * w * t);
        full += carom_envelope_take(&envelope, t, q, v);
    }
    assert_int_equal(full, 3);
    /* q' + i w q = 2 w e^{i (w t + 0.3)} + what averages to zero */
    assert_near(envelope.modulus, 2.0 * w, 1e-12);
    assert_near(atan2(envelope.value_imaginary, envelope.value_real), 0.3, 1e-12);
}

static void jumps_between_levels(void **unused)
{
    (void)unused;
    carom_jump_detector *detector;
    carom_error error = {0};
    assert_int_equal(carom_jump_detector_create(10.4, 1.0, 3.0, &detector, &error), CAROM_OK);
    assert_near(carom_jump_detector_delay(detector), 4.5, 0.0);
    int ups = 0, downs = 0, up_at = 0, down_at = 0;
    for (int i = 0; i < 100; i++) {
        /* high from 30 to 59; a spike at 80 that the mean swallows; the ripple averages out */
        const double value = (i >= 30 && i < 60 ? 4.0 : 0.0) + (i % 2 ? 0.5 : -0.5) + (i == 80 ? 5.0 : 0.0);
        const carom_jump jump = carom_jump_detector_take(detector, value);
        if (jump == CAROM_JUMP_UP) {
            ups++;
            up_at = i;
        } else if (jump == CAROM_JUMP_DOWN) {
            downs++;
            down_at = i;
        }
    }
    carom_jump_detector_free(detector);
    assert_int_equal(ups, 1);
    assert_int_equal(downs, 1);
    assert_int_equal(up_at, 37); /* 8 of 10 are high: mean 3.2 */
    assert_int_equal(down_at, 67);
    assert_int_equal(carom_jump_detector_create(10, 3.0, 1.0, &detector, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_jump_detector_create(NAN, 1.0, 3.0, &detector, &error), CAROM_BAD_INPUT);
    assert_null(detector);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(manifold),
        cmocka_unit_test(folds),
        cmocka_unit_test(frequency_scales),
        cmocka_unit_test(equilibria),
        cmocka_unit_test(bad_values),
        cmocka_unit_test(averaged_modulation),
        cmocka_unit_test(onset_of_modulation),
        cmocka_unit_test(averaged_rest),
        cmocka_unit_test(averaged_decay),
        cmocka_unit_test(first_harmonic),
        cmocka_unit_test(jumps_between_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
