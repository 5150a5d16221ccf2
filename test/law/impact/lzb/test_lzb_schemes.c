/* The other methods of law lzb: explicit steps of time and of impulse, implicit steps. */
#include "lzb_chain.h"

/* ---- steps of time ----------------------------------------------------------------------------------- */

/* Steps of 1e-3, from two programs that agree to 5e-16. */
static void steps_of_time_come_out_as_computed_otherwise(void **state)
{
    (void)state;
    static const struct {
        int balls;
        bool wall, exact_start;
        double exponent, restitution;
        long steps;
        double velocity[5];
    } known[] = {
        {3, false, false, 1, 1, 3427, {-0.129920777039, 0.149773306856, 0.980147470183}},
        {3, false, false, 1.5, 1, 3732, {-0.070550290129, 0.075936641115, 0.994613649015}},
        {3, false, true, 1.5, 1, 3732, {-0.070550287640, 0.075936633772, 0.994613653868}},
        {5,
         false,
         false,
         1.5,
         0.9,
         6015,
         {-0.008321844080, 0.023955903114, 0.033168007790, 0.123664774173, 0.827533159003}},
        {3, true, false, 1.5, 0.9, 7318, {-1.040232198024, -0.901843600503, -0.546561029239}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const chain c = new_chain(known[i].balls, known[i].wall, known[i].exponent, known[i].restitution);
        carom_impact_options options = carom_impact_defaults();
        options.method = CAROM_LZB_TIME;
        options.step = 1e-3;
        options.exact_start = known[i].exact_start;
        outcome o;
        run_chain(&c, &options, &o);
        assert_int_equal(o.result.steps, known[i].steps);
        assert_true(apart(known[i].balls, o.velocity, known[i].velocity) < 1e-11);
        assert_near(o.result.duration, 1e-3 * (double)known[i].steps, 1e-12);
        if (i == 0)
            assert_near(o.ratio, 1.00000051506, 1e-10);
    }
}

/* The fast fifth root against the general power: an exponent next to 3/2 takes the latter. */
static void the_fast_root_changes_nothing(void **state)
{
    (void)state;
    outcome fast, slow;
    chain c = new_chain(5, false, 1.5, 0.9);
    run_method(&c, CAROM_LZB_TIME, 1e-3, &fast);
    c = new_chain(5, false, nextafter(1.5, 2.0), 0.9);
    run_method(&c, CAROM_LZB_TIME, 1e-3, &slow);
    assert_int_equal(fast.result.steps, slow.result.steps);
    assert_true(apart(5, fast.velocity, slow.velocity) < 1e-13);
}

/* Errors of the first ball 4.0e-4, 4.0e-5, 4.0e-6, of energy 2.8e-8, 1.2e-10. */
static void steps_of_time_are_of_first_order(void **state)
{
    (void)state;
    const double exact = -0.070952354;
    const chain c = new_chain(3, false, 1.5, 1.0);
    double step = 1e-3, errors[3];
    outcome o;
    for (int i = 0; i < 3; i++, step *= 0.1) {
        run_method(&c, CAROM_LZB_TIME, step, &o);
        errors[i] = fabs(o.velocity[0] - exact);
        if (i < 2)
            assert_near(o.ratio, 1.0, i == 0 ? 3e-8 : 1.5e-10);
    }
    assert_near(errors[0], 4.0e-4, 1e-5);
    assert_near(errors[0] / errors[1], 10.0, 0.2);
    assert_near(errors[1] / errors[2], 10.0, 0.2);
}

/* By extrapolation the limit is that of the default method. */
static void steps_of_time_converge_to_the_default_method(void **state)
{
    (void)state;
    const chain c = new_chain(5, true, 1.5, 0.9);
    outcome o, coarse, fine;
    run_method(&c, CAROM_LZB_EVENTS, 0.0, &o);
    run_method(&c, CAROM_LZB_TIME, 4e-4, &coarse);
    run_method(&c, CAROM_LZB_TIME, 2e-4, &fine);
    for (int i = 0; i < 5; i++)
        assert_near(2.0 * fine.velocity[i] - coarse.velocity[i], o.velocity[i], 5e-6);
}

typedef struct energy_watch {
    const chain *c;
    double first, worst, last_t, last_left;
    long calls;
} energy_watch;

static void watch_energy(void *context, double t, const double *energy, const double *force, const double *v)
{
    energy_watch *watch = context;
    double sum = 0.0;
    for (int j = 0; j < watch->c->contacts; j++) {
        sum += energy[j];
        /* (19) */
        const double eta = watch->c->exponent[j], K = watch->c->stiffness[j];
        const double expected =
            pow(1.0 + eta, eta / (1.0 + eta)) * pow(K, 1.0 / (1.0 + eta)) * pow(energy[j], eta / (1.0 + eta));
        assert_near(force[j], expected, 1e-12);
    }
    watch->last_left = sum;
    for (int i = 0; i < watch->c->balls; i++)
        sum += 0.5 * watch->c->mass[i] * v[i] * v[i];
    if (watch->calls++ == 0) {
        watch->first = sum;
        assert_true(t == 0.0);
    } else {
        assert_true(t > watch->last_t);
    }
    watch->last_t = t;
    watch->worst = fmax(watch->worst, fabs(sum - watch->first));
}

/* T + sum of E does not change, in steps of time up to what is cut off where a contact ends. */
static void energy_goes_from_balls_to_contacts_and_back(void **state)
{
    (void)state;
    static const struct {
        carom_lzb_method method;
        double step, interval, tolerance;
        long calls;
    } ways[] = {
        {CAROM_LZB_TIME, 1e-4, 0.0, 5e-10, 0},   {CAROM_LZB_TIME, 1e-4, 0.1, 5e-10, 63},
        {CAROM_LZB_EVENTS, 0.0, 0.0, 1e-10, 0},  {CAROM_LZB_EVENTS, 0.0, 0.1, 1e-10, 63},
        {CAROM_LZB_IMPULSE, 1e-4, 0.0, 1e-9, 0}, {CAROM_LZB_IMPLICIT, 1e-2, 0.0, 1e-11, 0},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const chain c = new_chain(5, false, 1.5, 1.0);
        energy_watch watch = {.c = &c};
        carom_impact_options options = carom_impact_defaults();
        options.method = ways[i].method;
        options.step = ways[i].step;
        options.observe = watch_energy;
        options.context = &watch;
        options.observe_interval = ways[i].interval;
        outcome o;
        run_chain(&c, &options, &o);
        assert_near(watch.worst, 0.0, ways[i].tolerance);
        assert_true(watch.last_t == o.result.duration);
        assert_near(watch.last_left, 0.0, 1e-15);
        assert_int_equal(watch.calls, ways[i].calls ? ways[i].calls : o.result.steps + 1);
    }
}

/* ---- steps of impulse -------------------------------------------------------------------------------- */

static void steps_of_impulse_are_of_first_order(void **state)
{
    (void)state;
    static const struct {
        bool wall;
        double exponent, restitution, exact[3], errors[3];
    } known[] = {
        {false, 1.5, 1, {-0.070952354, 0.076403039, 0.994549315}, {8.3e-3, 8.8e-4, 8.9e-5}},
        {false, 1, 1, {-0.130261695065, 0.150229569435, 0.980032125630}, {8.4e-3, 8.6e-4, 8.6e-5}},
        {true, 1.5, 0.9, {-1.040560952, -0.902217046, -0.546912835}, {4.8e-3, 4.9e-4, 5.0e-5}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const chain c = new_chain(3, known[i].wall, known[i].exponent, known[i].restitution);
        double step = 1e-2;
        for (int k = 0; k < 3; k++, step *= 0.1) {
            outcome o;
            run_method(&c, CAROM_LZB_IMPULSE, step, &o);
            const double error = apart(3, o.velocity, known[i].exact);
            assert_near(error / known[i].errors[k], 1.0, 0.015);
            if (i == 0) {
                const double last[3] = {0.995641311, 0.994670423, 0.994561617};
                assert_near(o.velocity[2], last[k], 1e-9);
            }
        }
    }
}

/* ---- implicit steps ---------------------------------------------------------------------------------- */

/* Twice as fine, four times as near; elastic contacts keep the energy exactly. */
static void implicit_steps_are_of_second_order(void **state)
{
    (void)state;
    static const struct {
        double exponent, restitution;
    } ways[] = {{1.5, 1.0}, {1.0, 1.0}, {1.5, 0.9}, {3.0, 1.0}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const chain c = new_chain(3, i == 2, ways[i].exponent, ways[i].restitution);
        outcome exact, o;
        run_method(&c, CAROM_LZB_EVENTS, 0.0, &exact);
        double error = 0.0;
        for (int halvings = 0; halvings < 3; halvings++) {
            run_method(&c, CAROM_LZB_IMPLICIT, ldexp(0.02, -2 * halvings), &o);
            assert_int_equal(o.result.word, CAROM_IMPACT_OK);
            if (ways[i].restitution == 1.0)
                assert_near(o.ratio, 1.0, 1e-11);
            const double finer = apart(3, o.velocity, exact.velocity);
            if (halvings > 0)
                assert_true(finer < error / 8.0);
            error = finer;
        }
        assert_true(error < 2e-6);
    }
}

/* eta -> 0: the force is K while there is an indentation and at most K without one, so that only the contact
 * that is struck gives way, and the outcome is Moreau's with the same restitution. */
static void implicit_steps_have_moreaus_limit(void **state)
{
    (void)state;
    static const double restitutions[] = {1.0, 0.5};
    for (int i = 0; i < 2; i++) {
        const double e = restitutions[i];
        chain c = new_chain(8, false, 1e-3, e);
        outcome o;
        run_method(&c, CAROM_LZB_IMPLICIT, 5e-3, &o);
        assert_int_equal(o.result.word, CAROM_IMPACT_OK);
        assert_int_equal(o.result.notes & CAROM_IMPACT_STIFF, 0);
        assert_near(o.velocity[0], 1.0 - (1.0 + e) * 7.0 / 8.0, 5e-5);
        for (int k = 1; k < 8; k++)
            assert_near(o.velocity[k], (1.0 + e) / 8.0, 5e-5);
        assert_int_equal(o.closings[0], 1);
        /* Behind the struck contact the force decreases in proportion to the mass that it moves. */
        assert_near(o.peak_force[3] / o.peak_force[0], 4.0 / 7.0, 1e-3);
    }
    const chain c = new_chain(4, true, 1e-3, 1.0);
    outcome o;
    run_method(&c, CAROM_LZB_IMPLICIT, 1e-2, &o);
    assert_true(apart(4, o.velocity, (double[]){-1, -1, -1, -1}) < 1e-5);
}

/* But not whatever the stiffnesses are: a soft second contact (0.2 against the 1/2 that Moreau's outcome asks
 * of it) gives way, too. While both press, v' = (-1, 0.8, 0.2). */
static void a_soft_contact_behind_is_not_moreaus_limit(void **state)
{
    (void)state;
    chain c = new_chain(3, false, 1e-3, 1.0);
    c.stiffness[1] = 0.2;
    outcome o;
    run_method(&c, CAROM_LZB_IMPLICIT, 2e-3, &o);
    assert_int_equal(o.closings[1], 1);
    assert_true(fabs(o.velocity[1] - o.velocity[2]) > 0.1);
    assert_near(o.ratio, 1.0, 1e-5);
}

/* Explicit steps chatter there and gain energy, but come near: 0.08 % for ten balls. */
static void steps_of_time_have_moreaus_limit(void **state)
{
    (void)state;
    const chain c = new_chain(10, false, 1e-3, 1.0);
    outcome o;
    run_method(&c, CAROM_LZB_TIME, 1e-4, &o);
    assert_true(o.result.notes & CAROM_IMPACT_STIFF);
    double square = 0.0, all = 0.0;
    for (int i = 0; i < 10; i++) {
        const double moreau = i == 0 ? -0.8 : 0.2;
        square += (o.velocity[i] - moreau) * (o.velocity[i] - moreau);
        all += o.velocity[i] * o.velocity[i];
    }
    assert_near(100.0 * sqrt(square / all), 0.08, 0.005);
    assert_true(o.ratio > 1.0001 && o.ratio < 1.001);
}

static void implicit_steps_agree_at_small_exponents(void **state)
{
    (void)state;
    const chain c = new_chain(3, false, 0.1, 1.0);
    outcome o, fine;
    run_method(&c, CAROM_LZB_EVENTS, 0.0, &o);
    run_method(&c, CAROM_LZB_IMPLICIT, 1e-3, &fine);
    assert_true(o.result.notes & CAROM_IMPACT_STIFF);
    assert_true(apart(3, o.velocity, fine.velocity) < 5e-5);
}

/* ---- limits and notes -------------------------------------------------------------------------------- */

static void too_few_steps_are_told(void **state)
{
    (void)state;
    const chain c = new_chain(3, false, 1.5, 1.0);
    for (int method = CAROM_LZB_EVENTS; method <= CAROM_LZB_IMPLICIT; method++) {
        carom_impact_options options = carom_impact_defaults();
        options.method = (carom_lzb_method)method;
        options.max_steps = 10;
        outcome o;
        run_chain(&c, &options, &o);
        assert_int_equal(o.result.word, CAROM_IMPACT_NOT_CONVERGED);
        assert_int_equal(o.result.steps, 10);
        assert_true(o.result.largest_left > 0.9);
    }
}

static void long_steps_and_mixed_exponents_are_noted(void **state)
{
    (void)state;
    outcome o;
    chain c = new_chain(3, false, 1.5, 1.0);
    for (int method = CAROM_LZB_EVENTS; method <= CAROM_LZB_IMPLICIT; method++) {
        run_method(&c, (carom_lzb_method)method, 0.2, &o);
        assert_true(o.result.notes & CAROM_IMPACT_COARSE);
        run_method(&c, (carom_lzb_method)method, 1e-2, &o);
        assert_int_equal(o.result.notes, 0);
    }
    c.exponent[1] = 1.0;
    run_method(&c, CAROM_LZB_EVENTS, 0.0, &o);
    assert_int_equal(o.result.notes, CAROM_IMPACT_MIXED);
}

/* The default step of each method, against the default method. */
static void default_steps_are_sound(void **state)
{
    (void)state;
    const chain c = new_chain(3, true, 1.5, 0.9);
    outcome exact, o;
    run_method(&c, CAROM_LZB_EVENTS, 0.0, &exact);
    static const double tolerance[] = {0.0, 5e-5, 1e-4, 1e-6};
    for (int method = CAROM_LZB_TIME; method <= CAROM_LZB_IMPLICIT; method++) {
        run_method(&c, (carom_lzb_method)method, 0.0, &o);
        assert_int_equal(o.result.word, CAROM_IMPACT_OK);
        assert_int_equal(o.result.notes, 0);
        assert_near(apart(3, o.velocity, exact.velocity), 0.0, tolerance[method]);
    }
}

/* The default method with constant steps: order 5 between events for eta = 1; x^eta limits it otherwise. */
static void constant_steps_converge(void **state)
{
    (void)state;
    outcome o;
    chain c = new_chain(3, false, 1.0, 1.0);
    const double exact[3] = {-0.130261695065, 0.150229569435, 0.980032125630};
    run_method(&c, CAROM_LZB_EVENTS, 0.1, &o);
    const double coarse = apart(3, o.velocity, exact);
    run_method(&c, CAROM_LZB_EVENTS, 0.05, &o);
    const double fine = apart(3, o.velocity, exact);
    assert_true(fine < 5e-9 && fine < coarse / 24.0);
    c = new_chain(3, false, 1.5, 1.0);
    run_method(&c, CAROM_LZB_EVENTS, 1e-3, &o);
    assert_near(apart(3, o.velocity, (double[]){-0.070952354, 0.076403039, 0.994549315}), 0.0, 1.5e-9);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    const double one = 1.0;
    const int start[2] = {0, 1}, row = 0;
    const double value = -1.0;
    const carom_impact impact = {.coordinates = 1,
                                 .contacts = 1,
                                 .masses = &one,
                                 .column_start = start,
                                 .row = &row,
                                 .value = &value,
                                 .velocity = &one,
                                 .restitution = &one};
    const carom_impact_sizes sizes = carom_impact_sizes_of(&impact);
    carom_impact_work *work;
    carom_error error;
    assert_int_equal(carom_impact_work_create(&carom_impact_lzb, &sizes, &work, &error), CAROM_OK);
    double v, p;
    carom_impact_result result = {.velocity = &v, .impulse = &p};
    carom_impact_options options = carom_impact_defaults();
    options.step = -1.0;
    assert_int_equal(carom_impact_solve(work, &impact, &options, &result, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "step"));
    options.step = 0.0;
    options.velocity_tolerance = -1.0;
    assert_int_equal(carom_impact_solve(work, &impact, &options, &result, &error), CAROM_BAD_INPUT);
    options.velocity_tolerance = 0.0;
    /* Stiffness 1 and exponent 3/2 where none are given; arrays that are not wanted. */
    assert_int_equal(carom_impact_solve(work, &impact, &options, &result, &error), CAROM_OK);
    assert_near(v, -1.0, 1e-9);
    assert_near(result.duration, 3.218065460, 1e-8);
    carom_impact_work_free(work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_time_come_out_as_computed_otherwise),
        cmocka_unit_test(the_fast_root_changes_nothing),
        cmocka_unit_test(steps_of_time_are_of_first_order),
        cmocka_unit_test(steps_of_time_converge_to_the_default_method),
        cmocka_unit_test(energy_goes_from_balls_to_contacts_and_back),
        cmocka_unit_test(steps_of_impulse_are_of_first_order),
        cmocka_unit_test(implicit_steps_are_of_second_order),
        cmocka_unit_test(implicit_steps_have_moreaus_limit),
        cmocka_unit_test(a_soft_contact_behind_is_not_moreaus_limit),
        cmocka_unit_test(steps_of_time_have_moreaus_limit),
        cmocka_unit_test(implicit_steps_agree_at_small_exponents),
        cmocka_unit_test(too_few_steps_are_told),
        cmocka_unit_test(long_steps_and_mixed_exponents_are_noted),
        cmocka_unit_test(default_steps_are_sound),
        cmocka_unit_test(constant_steps_converge),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
