/* The impact oscillator: periodic motions with one impact, from their closed form, are found by following motions. */
#include "carom/io.h"
#include "carom/survey/diagram.h"
#include "test/near.h"

static carom_experiment *load(void)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(
            &(carom_load_request){.file = CAROM_SOURCE_DIR "/experiments/oscillators/impact.lua"},
            &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

/* Phase in [0, 2 pi/w) and velocity after the impact, one in n forcing periods. */
static void test_one_impact_orbits(void **state)
{
    (void)state;
    static const struct {
        const char *e, *c;
        double w;
        double phase, velocity, x, v; /* x, v: a start in its basin */
    } orbit[] = {
        {"0.8", "0.05", 1.8, 1.9841372766, 2.0145881275, 0.5, 0.0},
        {"0.8", "0.05", 2.2, 2.6492403988, 1.4621670137, 0.5, 0.0},
        {"0.8", "0.05", 2.4, 2.5185704580, 0.6803568612, 0.5, 0.0},
        {"0.8", "0.05", 2.6, 2.3551704385, 0.4028217660, 0.03, 0.46},
        {"0.8", "0.05", 3.6, 0.9375761560, 0.4104658427, 0.23, -0.34},
        {"0.7", "0.1", 2.2, 2.5350230410, 1.1762635554, 0.5, 0.0},
    };
    carom_experiment *experiment = load();
    for (size_t i = 0; i < sizeof orbit / sizeof *orbit; i++) {
        carom_error error = {0};
        assert_int_equal(carom_experiment_set(experiment, "e", orbit[i].e, &error), CAROM_OK);
        assert_int_equal(carom_experiment_set(experiment, "c", orbit[i].c, &error), CAROM_OK);
        const carom_diagram_request request = {.returns = {.experiment = experiment, .at_impact = true},
                                               .parameter = "w",
                                               .from = orbit[i].w,
                                               .to = orbit[i].w,
                                               .points = 1,
                                               .skip = 500,
                                               .iterates = 2,
                                               .start_count = 1,
                                               .start = &(carom_diagram_start){&orbit[i].x, &orbit[i].v}};
        carom_diagram diagram;
        if (carom_diagram_run(&request, &diagram, &error) != CAROM_OK)
            fail_msg("%s", error.text);
        const carom_diagram_point *point = carom_diagram_at(&diagram, 0, 0);
        assert_int_equal(point->period, 1);
        near_at("phase", fmod(point->t[1], point->forcing), orbit[i].phase, 1e-9, __FILE__, __LINE__);
        near_at("velocity", point->state[3], orbit[i].velocity, 1e-9, __FILE__, __LINE__);
        carom_diagram_free(&diagram);
    }
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_impact_orbits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
