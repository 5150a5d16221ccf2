/* Solvers of contact problems as options of schemes: every one that fits gives the motion of the default. */
#include <stdio.h>

#include "models.h"

#include "carom/io.h"

/* Two blocks with a spring between them that fall on the floor and slide until they stick. */
static const char sliding[] =
    "local mu = param { 'mu', 0.3 }\n"
    "local x1, y1, x2, y2 = coordinates('x1', 'y1', 'x2', 'y2')\n"
    "kinetic   ((dot(x1)^2 + dot(y1)^2) / 2 + dot(x2)^2 + dot(y2)^2)\n"
    "potential (9.81 * (y1 + 2 * y2) + 50 * (x2 - x1 - 1)^2 + 5 * (y2 - y1)^2)\n"
    "contact   { 'first', gap = y1, slip = dot(x1), friction = mu, restitution = 0 }\n"
    "contact   { 'second', gap = y2, slip = dot(x2), friction = mu, restitution = 0 }\n"
    "initial   { y1 = 0.01, y2 = 0.02, x2 = 1, [dot(x1)] = 1, [dot(x2)] = 0.5 }\n"
    "integrate { h = 1e-3, until_t = 0.2 }\n";

/* A body in the corner of three walls that are not orthogonal, pushed into it. */
static const char corner[] = "local x, y, z = coordinates('x', 'y', 'z')\n"
                             "kinetic (dot(x)^2 + dot(y)^2 + dot(z)^2 + dot(x) * dot(y) / 2)\n"
                             "force   { x = -1, y = -2, z = -3 }\n"
                             "contact { 'a', gap = x, restitution = 0 }\n"
                             "contact { 'b', gap = y + 0.3 * x, restitution = 0 }\n"
                             "contact { 'c', gap = z + 0.2 * y - 0.1 * x, restitution = 0 }\n"
                             "initial { x = 0.1, y = 0.1, z = 0.1 }\n"
                             "integrate { h = 1e-2, until_t = 2 }\n";

static const char beam[] =
    "beam { 'u', length = 10, elements = 8, k2 = 282.84, left = 'clamped', right = 'free',\n"
    "       acceleration = function(_, t) return sin(10 * t) end,\n"
    "       obstacles = { { lower = -0.01, upper = 0.01, from = 5, to = 10 } } }\n"
    "integrate { scheme = 'newmark-contact', h = 1e-3, until_t = 0.5 }\n";

typedef struct moved {
    carom_status status;
    carom_error error;
    carom_run_result result;
} moved;

static carom_experiment *load(const char *text)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    const carom_load_request request = {.name = "text", .file = "text.lua", .text = text};
    if (carom_experiment_load(&request, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

static moved move(const carom_experiment *experiment, const char *scheme, const carom_option *option)
{
    moved m = {0};
    const carom_run_request request = {.experiment = experiment, .scheme = scheme, .option = option};
    m.status = carom_run(&request, &m.result, &m.error);
    return m;
}

static void expect_same(const moved *a, const moved *b, double tolerance, const char *scheme,
                        const char *name)
{
    const carom_row_layout *layout = &a->result.layout;
    if (b->status != CAROM_OK)
        fail_msg("%s, %s: %s", scheme, name, b->error.text);
    for (int i = layout->q; i < layout->energy; i++)
        if (!(fabs(a->result.final[i] - b->result.final[i]) <= tolerance))
            fail_msg("%s, %s: number %d of the last row is %.15g, not %.15g", scheme, name, i,
                     b->result.final[i], a->result.final[i]);
}

/* Every solver of a kind, unless it is one that `skip` names. */
static void compare_solvers(const char *text, const char *scheme, carom_problem_kind kind, double tolerance,
                            const char *const *skip)
{
    carom_experiment *experiment = load(text);
    moved automatic = move(experiment, scheme, NULL);
    if (automatic.status != CAROM_OK)
        fail_msg("%s: %s", scheme, automatic.error.text);
    for (size_t i = 0; i < carom_solver_count(kind); i++) {
        const char *name = carom_solver_at(kind, i)->name;
        bool skipped = false;
        for (int k = 0; skip && skip[k]; k++)
            skipped = skipped || strcmp(skip[k], name) == 0;
        if (skipped)
            continue;
        moved m = move(experiment, scheme, (carom_option[]){{"solver", .word = name}, {0}});
        expect_same(&automatic, &m, tolerance, scheme, name);
        carom_run_result_free(&m.result);
    }
    carom_run_result_free(&automatic.result);
    carom_experiment_free(experiment);
}

static void contacts_without_friction(void **unused)
{
    (void)unused;
    static const char *const schemes[] = {"inel", "moreau-jean", "paoli-schatzman", "sweeping"};
    static const char *const small[] = {"closed-form", NULL}; /* two contacts at most */
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        compare_solvers(corner, schemes[i], CAROM_PROBLEM_LCP, 1e-9, small);
    compare_solvers(corner, "event-driven", CAROM_PROBLEM_LCP, 1e-7, small);
}

/* One converges too slowly, the other solves an associated problem: both say that they did not get there. */
static const char *const weak[] = {"HP-VI", "SOCLCP-NSGS-PLI", NULL};

static void contacts_with_friction(void **unused)
{
    (void)unused;
    static const char *const schemes[] = {"moreau-jean", "moreau-friction", "generalized-alpha"};
    carom_experiment *experiment = load(sliding);
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        compare_solvers(sliding, schemes[i], CAROM_PROBLEM_STEP, 1e-8, weak);
        for (int k = 0; weak[k]; k++) {
            moved m = move(experiment, schemes[i], (carom_option[]){{"solver", .word = weak[k]}, {0}});
            assert_int_equal(m.status, CAROM_FAILED);
            assert_mentions(&m.error, weak[k]);
            carom_run_result_free(&m.result);
        }
    }
    carom_experiment_free(experiment);
}

static void structures(void **unused)
{
    (void)unused;
    compare_solvers(beam, "newmark-contact", CAROM_PROBLEM_QP, 1e-9, NULL);
}

/* ---- limits and options -------------------------------------------------------------------------------- */

static void expect_refused(const char *text, const char *scheme, const carom_option *option, const char *word)
{
    carom_experiment *experiment = load(text);
    moved m = move(experiment, scheme, option);
    assert_int_equal(m.status, CAROM_BAD_INPUT);
    assert_mentions(&m.error, word);
    carom_run_result_free(&m.result);
    carom_experiment_free(experiment);
}

/* The number of iterations of a run, which must succeed. */
static long iterations_of(const char *text, const char *scheme, const carom_option *option)
{
    carom_experiment *experiment = load(text);
    moved m = move(experiment, scheme, option);
    if (m.status != CAROM_OK)
        fail_msg("%s", m.error.text);
    const long iterations = m.result.counts.solver_iterations;
    carom_run_result_free(&m.result);
    carom_experiment_free(experiment);
    return iterations;
}

static void limits_reach_the_solver(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *scheme, *solver, *words;
    } runs[] = {{corner, "inel", "gauss-seidel", "(gauss-seidel: max-iterations"},
                {corner, "sweeping", "gauss-seidel", "(gauss-seidel: max-iterations"},
                {corner, "event-driven", "gauss-seidel", "(gauss-seidel: max-iterations"},
                {corner, "moreau-jean", "gauss-seidel", "(gauss-seidel: max-iterations"},
                {sliding, "moreau-jean", "NSGS-EXACT", "'NSGS-EXACT' (max-iterations)"},
                {sliding, "moreau-friction", "ADMM", "'ADMM' (max-iterations)"},
                {sliding, "generalized-alpha", "ADMM", "'ADMM' (max-iterations)"}};
    int failed = 0;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        carom_experiment *experiment = load(runs[i].text);
        const carom_option one[] = {{"solver", .word = runs[i].solver}, {"max_iterations", 1.0}, {0}};
        moved m = move(experiment, runs[i].scheme, one);
        /* what is not useless is taken, and counted */
        const bool goes_on = m.status == CAROM_OK && m.result.certificate.unsolved_steps > 0;
        if (m.status != CAROM_FAILED && !goes_on)
            fail_msg("%s with one iteration of %s does not fail", runs[i].scheme, runs[i].solver);
        failed += m.status == CAROM_FAILED;
        if (m.status == CAROM_FAILED)
            assert_mentions(&m.error, runs[i].words);
        carom_run_result_free(&m.result);
        carom_experiment_free(experiment);
    }
    assert_true(failed >= 3);
    const carom_option fine[] = {{"solver", .word = "gauss-seidel"}, {0}},
                       rough[] = {{"solver", .word = "gauss-seidel"}, {"tolerance", 1e-4}, {0}};
    assert_true(iterations_of(corner, "inel", rough) < iterations_of(corner, "inel", fine));
}

static void own_options_reach_the_solver(void **unused)
{
    (void)unused;
    const carom_option plain[] = {{"solver", .word = "nsgs-exact"}, {0}}; /* letters of any case */
    const carom_option relaxed[] = {{"solver", .word = "NSGS-EXACT"}, {"omega", 0.5}, {0}};
    const carom_option prefixed[] = {{"solver.omega", 0.5}, {"solver", .word = "NSGS-EXACT"}, {0}};
    const long quick = iterations_of(sliding, "moreau-jean", plain);
    const long slow = iterations_of(sliding, "moreau-jean", relaxed);
    assert_true(slow > quick);
    assert_int_equal(iterations_of(sliding, "moreau-jean", prefixed), slow);

    /* from the model, where another solver of the run does not mind them */
    char text[2048];
    const size_t head = (size_t)(strstr(sliding, "integrate") - sliding);
    snprintf(text, sizeof text,
             "%.*sintegrate { h = 1e-3, until_t = 0.2, solver = 'NSGS-EXACT', omega = 0.5 }\n", (int)head,
             sliding);
    assert_int_equal(iterations_of(text, "moreau-jean", NULL), slow);
    iterations_of(text, "moreau-jean", (carom_option[]){{"solver", .word = "auto"}, {0}});
    snprintf(text, sizeof text,
             "%.*sintegrate { h = 1e-3, until_t = 0.2, ['solver.omega'] = 0.5, solver = 'NSGS-EXACT' }\n",
             (int)head, sliding);
    assert_int_equal(iterations_of(text, "moreau-friction", NULL),
                     iterations_of(sliding, "moreau-friction", relaxed));

    expect_refused(sliding, "moreau-jean", (carom_option[]){{"solver", .word = "ADMM"}, {"omega", 0.5}, {0}},
                   "solver 'ADMM' has no option 'omega'");
    expect_refused(sliding, "moreau-jean", (carom_option[]){{"omega", 0.5}, {0}}, "has no option 'omega'");
    expect_refused(sliding, "moreau-jean",
                   (carom_option[]){{"solver", .word = "NSGS-EXACT"}, {"omega", -3.0}, {0}}, "omega");
}

static void names_are_checked(void **unused)
{
    (void)unused;
    expect_refused(corner, "inel", (carom_option[]){{"solver", .word = "lemkee"}, {0}},
                   "did you mean 'lemke'");
    expect_refused(corner, "inel", (carom_option[]){{"solver", .word = "nsgs"}, {0}}, "not known");
    expect_refused(sliding, "moreau-jean", (carom_option[]){{"solvr", .word = "nsgs"}, {0}},
                   "unknown option 'solvr'");
    expect_refused(corner, "elast", (carom_option[]){{"solver", .word = "lemke"}, {0}},
                   "no solver of contact problems");
    expect_refused(corner, "penalty", (carom_option[]){{"tolerance", 1e-3}, {0}},
                   "no solver of contact problems");
    expect_refused(beam, "newmark-contact", (carom_option[]){{"solver", .word = "lemke"}, {0}}, "qp-dual");
    expect_refused(corner, "inel", (carom_option[]){{"tolerance", -1.0}, {0}}, "tolerance");
}

static void solvers_that_cannot_are_refused(void **unused)
{
    (void)unused;
    const carom_option closed[] = {{"solver", .word = "closed-form"}, {0}};
    expect_refused(corner, "inel", closed, "up to 2 contacts, and the model has 3");
    expect_refused(corner, "sweeping", closed, "those that take more: active-set, gauss-seidel, lemke");
    static const char ellipse[] = "local x, y, z = coordinates('x', 'y', 'z')\n"
                                  "kinetic ((dot(x)^2 + dot(y)^2 + dot(z)^2) / 2)\n"
                                  "force   { z = -10 }\n"
                                  "contact { 'plate', gap = z, slip = { dot(x), dot(y) }, friction = "
                                  "{ ellipse = { 0.3, 0.6 } }, restitution = 0 }\n"
                                  "initial { [dot(x)] = 1, [dot(y)] = 1 }\n"
                                  "integrate { h = 1e-2, until_t = 0.1 }\n";
    expect_refused(ellipse, "moreau-jean", (carom_option[]){{"solver", .word = "ADMM"}, {0}},
                   "that of contact 'plate' is not round; those for any cone: auto, nsgs");
    iterations_of(ellipse, "moreau-jean", (carom_option[]){{"solver", .word = "nsgs"}, {0}});
}

/* Words of a newmark-contact before solvers had names of their own. */
static void short_names_stay(void **unused)
{
    (void)unused;
    carom_experiment *experiment = load(beam);
    moved m[2] = {
        move(experiment, NULL, (carom_option[]){{"solver", .word = "dual"}, {0}}),
        move(experiment, NULL, (carom_option[]){{"solver", .word = "qp-dual"}, {"feasibility", 1e-12}, {0}})};
    expect_same(&m[0], &m[1], 1e-12, "newmark-contact", "qp-dual");
    assert_int_equal(m[1].result.solver_option_count, 1);
    assert_string_equal(m[1].result.solver_option[0].name, "feasibility");
    for (int i = 0; i < 2; i++)
        carom_run_result_free(&m[i].result);
    carom_experiment_free(experiment);
}

static void steppers_take_them_by_name(void **unused)
{
    (void)unused;
    hand_model hand;
    hand_init(&hand, 2, 1);
    hand.gaps = floor_gap;
    hand.frame = floor_frame;
    hand_friction(&hand, 0, 1, -1.0, 0.3);
    const double q0[2] = {0.0, 0.0}, v0[2] = {1.0, -1.0};
    const carom_step_settings settings = {
        .h = 0.1,
        .option = (carom_option[]){{"omega", 0.5}, {"theta", 1.0}, {"solver", .word = "NSGS-EXACT"}, {0}}};
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    if (carom_stepper_create(scheme_named("moreau-jean"), &hand.work, &settings, q0, v0, &stepper, &error) !=
        CAROM_OK)
        fail_msg("%s", error.text);
    hand_step(stepper);
    assert_near(stepper->state.v[0], 0.7, 1e-9); /* 1 - mu 1 */
    assert_true(stepper->counts.solver_iterations > 1);
    carom_stepper_free(stepper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_without_friction),
        cmocka_unit_test(contacts_with_friction),
        cmocka_unit_test(structures),
        cmocka_unit_test(limits_reach_the_solver),
        cmocka_unit_test(own_options_reach_the_solver),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(solvers_that_cannot_are_refused),
        cmocka_unit_test(short_names_stay),
        cmocka_unit_test(steppers_take_them_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
