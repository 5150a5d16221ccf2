/* Bodies by any solver of frictional contact: the same motion, to tolerance; what a solver leaves unsolved is counted. */
#include "scenes.h"

#include <stdlib.h>

static const double g = 9.81;

/* Sweeps, Newton's method, projections, an interior point method, and the name that problems of steps have, too. */
static const char *const solvers[] = {"auto",   "nsgs",      "NSGS-EXACT", "NSGS-AC",
                                      "NSN-AC", "EG-VI-UPK", "ADMM",       "IPM-ACLM"};

enum {
    SOLVERS = sizeof solvers / sizeof *solvers
};

/* Two discs on the floor, a heavier one falls between them. */
static const char discs[] =
    "world { gravity = { 0, -9.81 } }\n"
    "pair { friction = 0.3, restitution = 0 }\n"
    "fixed { 'floor', shape = plane { normal = { 0, 1 }, offset = 0 } }\n"
    "local a = body { 'a', shape = disc { 0.1 }, density = 1000, at = { -0.11, 0.1 } }\n"
    "local b = body { 'b', shape = disc { 0.1 }, density = 1000, at = { 0.11, 0.1 } }\n"
    "local c = body { 'c', shape = disc { 0.1 }, density = 2000, at = { 0.01, 0.4 } }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 0.5 }\n"
    "measure { ax = a.x, bx = b.x, cx = c.x, cy = c.y, turned = c.phi }\n";

/* Slides to its rest: v0^2 / (2 mu g) = 1 / (0.6 g). */
static const char box[] =
    "world { gravity = { 0, -9.81 } }\n"
    "pair { friction = 0.3, restitution = 0 }\n"
    "fixed { 'floor', shape = plane { normal = { 0, 1 }, offset = 0 } }\n"
    "local b = body { 'b', shape = box { 0.4, 0.2 }, density = 1000, at = { 0, 0.1 }, velocity = { 1, 0 } }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 0.5 }\n"
    "measure { way = b.x, speed = abs(dot(b.x)) + abs(dot(b.y)), height = b.y }\n";

/* A bar on a hinge falls onto a block: contacts and a joint are one problem. */
static const char hinged[] =
    "world { gravity = { 0, -9.81 } }\n"
    "pair { friction = 0.4, restitution = 0 }\n"
    "local floor = fixed { 'floor', shape = plane { normal = { 0, 1 }, offset = 0 } }\n"
    "local bar = body { 'bar', shape = box { 1, 0.1 }, density = 500, at = { 0.5, 0.8 } }\n"
    "hinge { 'pivot', bar, floor, at = { 0, 0.8 } }\n"
    "local block = body { 'block', shape = box { 0.2, 0.2 }, density = 500, at = { 0.7, 0.1 } }\n"
    "integrate { scheme = 'moreau-jean', h = 5e-4, until_t = 0.6 }\n"
    "measure { angle = bar.phi, x = block.x }\n";

static carom_experiment *load(const char *text)
{
    const carom_load_request request = {.name = "scene", .file = "scene.lua", .text = text};
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(&request, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

static carom_run_result run(const carom_experiment *experiment, const carom_option *option)
{
    carom_run_result result = {0};
    carom_error error = {0};
    if (carom_run(&(carom_run_request){.experiment = experiment, .option = option}, &result, &error) !=
        CAROM_OK)
        fail_msg("%s: %s", option->word, error.text);
    return result;
}

/* All give the measures that the first gives. */
static void agree(const char *text, int count, const char *const *name, double error, double tolerance)
{
    carom_experiment *experiment = load(text);
    carom_run_result first = {0};
    for (int k = 0; k < count; k++) {
        const carom_option option[] = {{"solver", .word = name[k]}, {"tolerance", error}, {0}};
        carom_run_result result = run(experiment, option);
        if (!result.certificate.trusted)
            fail_msg("%s: %s", name[k], result.certificate.doubt[0]);
        for (int i = 0; k > 0 && i < experiment->measure_count; i++) {
            const double found = result.measure[i].value[0], wanted = first.measure[i].value[0];
            if (!(fabs(found - wanted) <= tolerance))
                fail_msg("%s: %s is %.10g, not %.10g to %g", name[k], experiment->measure[i].name, found,
                         wanted, tolerance);
        }
        if (k == 0)
            first = result;
        else
            carom_run_result_free(&result);
    }
    carom_run_result_free(&first);
    carom_experiment_free(experiment);
}

static void three_discs(void **state)
{
    (void)state;
    agree(discs, SOLVERS, solvers, 1e-8, 1e-7);
}

static void box_slides_to_its_rest(void **state)
{
    (void)state;
    carom_experiment *experiment = load(box);
    for (int k = 0; k < SOLVERS; k++) {
        const carom_option option[] = {{"solver", .word = solvers[k]}, {0}};
        carom_run_result result = run(experiment, option);
        /* theta = 1/2: exact up to the step in which it stops */
        assert_true(fabs(measure_of(experiment, &result, "way") - 1.0 / (0.6 * g)) < 1e-5);
        assert_true(measure_of(experiment, &result, "speed") < 1e-9);
        assert_true(fabs(measure_of(experiment, &result, "height") - 0.1) < 1e-8);
        assert_true(result.certificate.trusted);
        carom_run_result_free(&result);
    }
    carom_experiment_free(experiment);
}

static void contacts_beside_a_joint(void **state)
{
    (void)state;
    /* W is not of full rank, which Newton's method of NSN-AC asks for */
    static const char *const able[] = {"auto", "nsgs", "NSGS-AC", "EG-VI-UPK", "ADMM"};
    agree(hinged, sizeof able / sizeof *able, able, 1e-7, 1e-6);
}

/* Too few sweeps: counted, and no reason to trust the run. */
static void unsolved_steps_are_counted(void **state)
{
    (void)state;
    carom_experiment *experiment = load(discs);
    const carom_option option[] = {{"solver", .word = "nsgs"}, {"max_iterations", 50}, {0}};
    carom_run_result result = run(experiment, option);
    assert_true(result.counts.unsolved > 0);
    assert_true(result.counts.worst_solver_error > 1e-8);
    assert_false(result.certificate.trusted);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static void refuses(const carom_experiment *experiment, const carom_option *option, const char *says)
{
    carom_run_result result = {0};
    carom_error error = {0};
    assert_int_equal(
        carom_run(&(carom_run_request){.experiment = experiment, .option = option}, &result, &error),
        CAROM_BAD_INPUT);
    if (!strstr(error.text, says))
        fail_msg("'%s' instead of '%s'", error.text, says);
    carom_run_result_free(&result);
}

/* Options of the solver reach it; a solver without friction says which ones can. */
static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    carom_experiment *experiment = load(discs);
    refuses(experiment, (carom_option[]){{"solver", .word = "lemke"}, {0}},
            "solver 'lemke' is for contacts without friction; bodies take one of these: auto, nsgs, ");
    refuses(experiment, (carom_option[]){{"solver", .word = "NSGS-AC"}, {"omega", 7.0}, {0}}, "omega");
    const carom_option relaxed[] = {
        {"solver", .word = "NSGS-AC"}, {"omega", 0.01}, {"max_iterations", 30}, {0}};
    carom_run_result result = {0};
    carom_error error = {0};
    carom_run(&(carom_run_request){.experiment = experiment, .option = relaxed}, &result, &error);
    assert_true(error.text[0] || result.counts.unsolved > 0); /* so small a share does not get there */
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_discs),
        cmocka_unit_test(box_slides_to_its_rest),
        cmocka_unit_test(contacts_beside_a_joint),
        cmocka_unit_test(unsolved_steps_are_counted),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
