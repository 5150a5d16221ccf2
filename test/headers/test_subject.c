/* subjects and audits: options that are left zero are the defaults, and so are none. */
#include "zeroed.h"

#include "carom/carom.h"
#include "carom/subject/bar.h"
#include "carom/subject/cylinder.h"
#include "carom/subject/drilling.h"
#include "carom/subject/energy_sink.h"
#include "carom/subject/frame.h"

static void bars(void **state)
{
    (void)state;
    const carom_bar bar = carom_bar_unit();
    const carom_bar_wave_options waves = carom_bar_wave_defaults();
    const carom_bar_scan_options scans = carom_bar_scan_defaults();
    const carom_bar_wave_options *const of_wave[] = {&waves, ZERO(carom_bar_wave_options), NULL};
    const carom_bar_scan_options *const of_scan[] = {&scans, ZERO(carom_bar_scan_options), NULL};
    int families = 0;
    for (int k = 0; k < 3; k++) {
        carom_bar_wave *wave = NULL;
        carom_bar_scan scan;
        WORKS(carom_bar_wave_create(&bar, of_wave[k], &wave, &error));
        assert_true(carom_bar_wave_now(wave).step == 1.0 / 100.0);
        carom_bar_wave_free(wave);
        WORKS(carom_bar_scan_make(&bar, of_scan[k], &scan, &error));
        assert_true(scan.count > 0 && (k == 0 || scan.count == families));
        families = scan.count;
        carom_bar_scan_free(&scan);
    }
    carom_bar_scan scan;
    carom_bar_grid_mode mode;
    carom_bar_boundary *boundary;
    carom_bar_mode exact;
    REFUSES(carom_bar_scan_make(ZERO(carom_bar), NULL, &scan, &error));
    REFUSES(carom_bar_mode_make(ZERO(carom_bar), 0, 0, 0.0, &exact, &error));
    REFUSES(carom_bar_grid_mode_find(&bar, ZERO(carom_bar_grid_request), &mode, &error));
    carom_bar_grid_mode_free(ZERO(carom_bar_grid_mode));
    REFUSES(carom_bar_boundary_create(ZERO(carom_bar), 0, 0, &boundary, &error));
    REFUSES(carom_bar_boundary_create(&bar, 0, 0, &boundary, &error));
    REFUSES(carom_bar_advect(0, 0.0, 0, 0, NULL, NULL, &error));
    REFUSES(carom_bar_chain_front(&bar, 0, 0, 0.0, 0.0, NULL, &error));
    carom_bar_wave_free(NULL);
    carom_bar_boundary_free(NULL);
}

static void sinks(void **state)
{
    (void)state;
    const carom_energy_sink sink = carom_energy_sink_defaults();
    const carom_equilibria_options defaults = carom_equilibria_defaults();
    const carom_equilibria_options *const options[] = {&defaults, ZERO(carom_equilibria_options), NULL};
    carom_averaged_options first = carom_averaged_defaults(), second = {0};
    carom_averaged_options *const flow[] = {&first, &second, NULL};
    carom_sink_equilibrium equilibrium[3];
    double phi[3][CAROM_AVERAGED];
    for (int k = 0; k < 3; k++) {
        int found = 0;
        WORKS(carom_sink_equilibria(&sink, options[k], 1, &equilibrium[k], &found, &error));
        assert_true(found > 0 && equilibrium[k].n2 == equilibrium[0].n2);
        carom_averaged_start(&sink, 1.0, 0.0, 0.5, 0.0, phi[k]);
        WORKS(carom_averaged_flow(&sink, 3.0, flow[k], phi[k], &error));
        assert_memory_equal(phi[k], phi[0], sizeof phi[0]);
    }
    assert_true(first.step > 0.0 && first.step == second.step);
    int found;
    REFUSES(carom_sink_equilibria(ZERO(carom_energy_sink), NULL, 1, equilibrium, &found, &error));
}

/* {.string = string} is a run of the published setup, which takes 400 s; here only its first half second. */
static void drills(void **state)
{
    (void)state;
    carom_drill_string *string = NULL;
    carom_drill_motion *motion[2] = {0};
    carom_drill_plant *plant = NULL;
    WORKS(carom_drill_setup(&string, &error));
    carom_drill_request given = carom_drill_request_defaults();
    given.string = string;
    given.t_end = 0.5;
    WORKS(carom_drill_run(&given, &motion[0], &error));
    WORKS(carom_drill_run((&(carom_drill_request){.string = string, .t_end = 0.5}), &motion[1], &error));
    assert_int_equal(motion[0]->steps, 500);
    assert_int_equal(motion[1]->steps, 500);
    assert_int_equal(motion[0]->rows, motion[1]->rows);
    assert_memory_equal(motion[0]->row, motion[1]->row,
                        (size_t)motion[0]->rows * CAROM_DRILL_COLUMNS * sizeof(double));
    for (int k = 0; k < 2; k++)
        carom_drill_motion_free(motion[k]);
    REFUSES(carom_drill_run((&(carom_drill_request){.string = string, .h = CAROM_ZERO}), &motion[1], &error));
    assert_null(motion[1]);

    WORKS(carom_drill_plant_create(string, 0.0, &plant, &error));
    const carom_drill_lqg_options defaults = carom_drill_lqg_defaults();
    const carom_drill_lqg_options *const options[] = {&defaults, ZERO(carom_drill_lqg_options), NULL};
    double gain[3][8];
    assert_int_equal(plant->states, 7);
    for (int k = 0; k < 3; k++) {
        carom_drill_controller *controller = NULL;
        WORKS(carom_drill_lqg(plant, options[k], gain[k], NULL, &controller, &error));
        assert_memory_equal(gain[k], gain[0], sizeof gain[0]);
        carom_drill_controller_free(controller);
    }
    carom_drill_plant_free(plant);
    carom_drill_string_free(string);
    carom_drill_motion_free(NULL);
    carom_drill_string_free(NULL);
    carom_drill_plant_free(NULL);
    carom_drill_controller_free(NULL);
    carom_drill_loop_free(NULL);
    carom_drill_stepper_free(NULL);
    REFUSES(carom_drill_string_create(0, &string, &error));
    REFUSES(carom_drill_check(ZERO(carom_drill_string), &error));
}

static void frames(void **state)
{
    (void)state;
    double matrix[24], load[4], bound[6];
    carom_plane_frame_portal((const double[]){1, 1, 1, 1}, matrix, load, bound);
    const carom_limit_contact foot = {.tangent = 0, .normal = 1, .mu = 0.2};
    const carom_limit_problem problem = {.equations = 4,
                                         .stresses = 6,
                                         .matrix = matrix,
                                         .load = load,
                                         .capacity = bound,
                                         .contacts = 1,
                                         .contact = &foot};
    const carom_limit_options defaults = carom_limit_defaults();
    const carom_limit_options *const options[] = {&defaults, ZERO(carom_limit_options), NULL};
    double alpha = 0.0;
    for (int k = 0; k < 3; k++) {
        carom_limit_state *limit = NULL;
        WORKS(carom_limit_load(&problem, options[k], &limit, &error));
        assert_true(limit->converged && (k == 0 || limit->alpha == alpha));
        alpha = limit->alpha;
        carom_limit_state_free(limit);
    }
    carom_arena *arena = carom_arena_create();
    carom_limit_problem made;
    REFUSES(carom_limit_associated(ZERO(carom_limit_problem), &alpha, &error));
    REFUSES(carom_plane_frame_equilibrium(ZERO(carom_plane_frame), arena, &made, &error));
    carom_limit_state_free(NULL);
    carom_arena_free(arena);
    assert_int_equal(carom_cylinder_contacts(ZERO(carom_cylinder)), 0);
    REFUSES(carom_cylinder_compliance(ZERO(carom_cylinder), NULL, NULL, NULL, NULL, &error));
}

/* One ball and a wall: the audit of zeros is that of the defaults. */
static void audits(void **state)
{
    (void)state;
    const int start[] = {0, 1}, row[] = {0};
    const double one[] = {1.0}, half[] = {0.5};
    const carom_impact impact = {.coordinates = 1,
                                 .contacts = 1,
                                 .masses = one,
                                 .column_start = start,
                                 .row = row,
                                 .value = one,
                                 .restitution = half};
    const carom_audit_options defaults = carom_audit_defaults();
    const carom_audit_options *const options[] = {&defaults, ZERO(carom_audit_options), NULL};
    double worst = 0.0;
    for (int k = 0; k < 3; k++) {
        carom_audit *audit = NULL;
        WORKS(carom_impact_audit(&impact, &carom_impact_newton, ZERO(carom_impact_options), options[k], NULL,
                                 &audit, &error));
        assert_int_equal(audit->samples, 10000);
        assert_true(audit->finding[CAROM_AUDIT_CYCLIC].tested);
        assert_true(k == 0 || audit->finding[CAROM_AUDIT_NONEXPANSIVE].worst == worst);
        worst = audit->finding[CAROM_AUDIT_NONEXPANSIVE].worst;
        carom_audit_free(audit);
    }
    carom_audit_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars),   cmocka_unit_test(sinks),  cmocka_unit_test(drills),
        cmocka_unit_test(frames), cmocka_unit_test(audits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
