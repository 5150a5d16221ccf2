/* Laws of impact chosen for a scheme: chains of balls in flight, resting contacts, impulses, refusals. */
#include "test/experiments/trial.h"

static const char chain_text[] = "local n = setting { 'n', 4, integer = true, min = 2 }\n"
                                 "local e = param { 'e', 0.5, min = 0, max = 1 }\n"
                                 "local s = param { 's', 0, min = 0 }\n"
                                 "local c = chain { balls = n, radius = 0.5, spacing = s, restitution = e }\n"
                                 "integrate { scheme = 'event-driven', h = 0.01, until_t = 0.05 }\n";

static const char *const schemes[] = {"event-driven", "moreau-jean", "sweeping"};

static trial run_chain(const char *scheme, const char *law, double balls, double e, double spacing,
                       double until)
{
    return trial_run(&(trial_request){.text = chain_text,
                                      .scheme = scheme,
                                      .set = {{"n", balls}, {"e", e}, {"s", spacing}},
                                      .option = {{"impact_law", (char *)law}},
                                      .until = until});
}

/* Moreau's law: v_1 = (1 - (1 + e) (n - 1) / n), the others (1 + e) / n (Nguyen and Brogliato 2018, Prop. 1
 * to 3). */
static void moreau_gives_its_closed_form(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++)
        for (int n = 2; n <= 6; n++) {
            trial run = run_chain(schemes[s], "moreau", n, 0.7, 0, 0.05);
            const double *row = output(&run, output_count(&run) - 1);
            assert_near(velocity(&run, row, 0), 1 - 1.7 * (n - 1) / n, 1e-13);
            for (int i = 1; i < n; i++)
                assert_near(velocity(&run, row, i), 1.7 / n, 1e-13);
            trial_free(&run);
        }
}

/* Elastic binary collisions of equal balls hand the motion to the last one. */
static void binary_hands_the_motion_on(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++) {
        trial run = run_chain(schemes[s], "binary", 5, 1, 0, 0.05);
        const double *row = output(&run, output_count(&run) - 1);
        for (int i = 0; i < 5; i++)
            assert_near(velocity(&run, row, i), i == 4 ? 1 : 0, 1e-13);
        trial_free(&run);
    }
}

/* Gaps that are zero, rounding, or close within the step belong to one impact: the same velocities. */
static void rounding_of_gaps_does_not_matter(void **state)
{
    (void)state;
    static const char *const laws[] = {"moreau", "newton", "poisson", "binary", "lzb"};
    static const double gaps[] = {4.5e-16, 1e-12, 1e-5};
    for (size_t law = 0; law < sizeof laws / sizeof *laws; law++)
        for (size_t s = 1; s < sizeof schemes / sizeof *schemes; s++) {
            trial closed = run_chain(schemes[s], laws[law], 5, 1, 0, 0.02);
            const double *wanted = output(&closed, output_count(&closed) - 1);
            assert_near(energy_of(&closed, wanted), 0.5, 1e-8);
            for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
                trial run = run_chain(schemes[s], laws[law], 5, 1, gaps[g], 0.02);
                const double *row = output(&run, output_count(&run) - 1);
                for (int i = 0; i < 5; i++)
                    assert_near(velocity(&run, row, i), velocity(&closed, wanted, i), 1e-12);
                trial_free(&run);
            }
            trial_free(&closed);
        }
}

/* n = 3, eta = 3/2, e = 0.9 (reference value of the law itself, to its own tolerance). */
static void lzb_gives_its_reference(void **state)
{
    (void)state;
    static const double expected[] = {-0.008615356, 0.104142798, 0.904472558};
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++) {
        trial run = run_chain(schemes[s], "lzb", 3, 0.9, 0, 0.05);
        const double *row = output(&run, output_count(&run) - 1);
        for (int i = 0; i < 3; i++)
            assert_near(velocity(&run, row, i), expected[i], 1e-8);
        trial_free(&run);
    }
}

/* Balls apart collide two by two: every law is Newton's, and the schemes agree to O(h). */
static void separate_collisions_are_alike_for_all_laws(void **state)
{
    (void)state;
    static const char *const laws[] = {"own", "moreau", "newton", "poisson", "binary", "lzb"};
    trial reference = run_chain("event-driven", "own", 3, 0.5, 0.1, 1.0);
    const double *wanted = output(&reference, output_count(&reference) - 1);
    for (size_t law = 0; law < sizeof laws / sizeof *laws; law++)
        for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++) {
            trial run = run_chain(schemes[s], laws[law], 3, 0.5, 0.1, 1.0);
            const double *row = output(&run, output_count(&run) - 1);
            for (int i = 0; i < 3; i++) {
                assert_near(velocity(&run, row, i), velocity(&reference, wanted, i), 1e-8);
                assert_near(position(&run, row, i), position(&reference, wanted, i), s == 0 ? 1e-8 : 0.02);
            }
            trial_free(&run);
        }
    trial_free(&reference);
}

/* A ball dropped on the floor: bounces by the law, rests by the step, the impulses add up to the momentum. */
static void ball_bounces_and_comes_to_rest(void **state)
{
    (void)state;
    static const char text[] = "local y = coordinates('y')\n"
                               "mass(2)\n"
                               "potential(2 * 10 * y)\n"
                               "contact { 'floor', gap = y, restitution = 0.5 }\n"
                               "initial { y = 0.2 }\n"
                               "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 2 }\n"
                               "measure { pushed = total(impulse 'floor') }\n";
    for (size_t s = 1; s < sizeof schemes / sizeof *schemes; s++)
        for (int law = 0; law < 2; law++) {
            trial run = trial_run(&(trial_request){
                .text = text, .scheme = schemes[s], .option = {{"impact_law", law ? "lzb" : "poisson"}}});
            const double *row = output_at(&run, 2.0);
            const double u = velocity(&run, row, 0);
            assert_near(u, 0, 3 * 10 * 1e-3); /* rests, or hops by what three steps of gravity give */
            assert_near(position(&run, row, 0), 0, 5e-3);
            /* 2 u = -2 g t + impulses, from rest */
            assert_near(measured_value(&run, "pushed", 0), 2 * 10 * 2.0 + 2 * u, 1e-9);
            trial_free(&run);
        }
}

/* A full mass matrix: two balls in coordinates of their centre and their distance. */
static void coordinates_do_not_matter(void **state)
{
    (void)state;
    static const char text[] = "local a, b, c = coordinates('a', 'b', 'c')\n"
                               "local x, y, z = a, a + b, a + b + c\n"
                               "kinetic((dot(x)^2 + dot(y)^2 + dot(z)^2) / 2)\n"
                               "contact { 'left', gap = y - x, restitution = 0.9 }\n"
                               "contact { 'right', gap = z - y, restitution = 0.9 }\n"
                               "initial { [dot(a)] = 1, [dot(b)] = -1 }\n"
                               "integrate { scheme = 'event-driven', h = 0.01, until_t = 0.02 }\n";
    for (int law = 0; law < 2; law++) {
        const char *name = law ? "lzb" : "newton";
        trial run = trial_run(&(trial_request){.text = text, .option = {{"impact_law", (char *)name}}});
        trial plain = run_chain("event-driven", name, 3, 0.9, 0, 0.05);
        const double *row = output(&run, output_count(&run) - 1);
        const double *other = output(&plain, output_count(&plain) - 1);
        double v = 0;
        for (int i = 0; i < 3; i++) {
            v += velocity(&run, row, i);
            assert_near(v, velocity(&plain, other, i), 1e-9);
        }
        trial_free(&run);
        trial_free(&plain);
    }
}

static void expect_refused(const char *text, const char *scheme, const char *law, const char *word)
{
    carom_experiment *experiment = trial_load(&(trial_request){.text = text});
    const carom_option option[] = {{law ? "impact_law" : NULL, .word = law}, {0}};
    carom_run_request asked = {
        .experiment = experiment, .scheme = scheme, .h = NAN, .until = NAN, .option = option};
    carom_run_result result = {0};
    carom_error error = {0};
    assert_int_equal(carom_run(&asked, &result, &error), CAROM_BAD_INPUT);
    if (!strstr(error.text, word))
        fail_msg("'%s' is not in: %s", word, error.text);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const char rough[] = "local x, y = coordinates('x', 'y')\n"
                                "mass(1)\n"
                                "contact { 'floor', gap = y, slip = dot(x), friction = 0.3 }\n"
                                "integrate { h = 0.1, until_t = 1 }\n";
    static const char asks[] =
        "local c = chain { balls = 3 }\n"
        "integrate { scheme = 'event-driven', h = 0.01, until_t = 1, impact_law = 'lzb' }\n";
    expect_refused(rough, "moreau-jean", "lzb", "contact 'floor' has friction");
    expect_refused(asks, "penalty", NULL, "moreau-jean, sweeping, event-driven");
    expect_refused(chain_text, "elast", "lzb", "unknown option 'impact_law'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moreau_gives_its_closed_form),
        cmocka_unit_test(binary_hands_the_motion_on),
        cmocka_unit_test(rounding_of_gaps_does_not_matter),
        cmocka_unit_test(lzb_gives_its_reference),
        cmocka_unit_test(separate_collisions_are_alike_for_all_laws),
        cmocka_unit_test(ball_bounces_and_comes_to_rest),
        cmocka_unit_test(coordinates_do_not_matter),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
