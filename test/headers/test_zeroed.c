/* Structs of the public headers may be left zero: a function that gets one works with defaults or refuses
 * with a text that says what is missing. It never crashes. */
#include "zeroed.h"

#include "carom/carom.h"
#include "carom/io/page.h"
#include "carom/io/report.h"
#include "carom/subject/bar.h"
#include "carom/subject/drilling.h"
#include "carom/subject/energy_sink.h"
#include "carom/subject/frame.h"

static void models_and_formulas(void **state)
{
    (void)state;
    carom_model *model;
    carom_model_work *work;
    carom_chain *chain;
    REFUSES(carom_model_from_functions(ZERO(carom_model_functions), &model, &error));
    REFUSES(carom_traced_model_create(ZERO(carom_traced_spec), &model, &error));
    REFUSES(carom_traced_model_create((&(carom_traced_spec){.dof = 1}), &model, &error));
    REFUSES(carom_traced_check(ZERO(carom_traced_spec), NULL, 0.0, NULL, NULL, ZERO(carom_derivative_report),
                               &error));
    REFUSES(carom_beam_model_create(ZERO(carom_beam_spec), &model, &error));
    REFUSES(carom_model_work_create(NULL, NULL, &work, &error));
    REFUSES(carom_chain_create(0, false, &chain, &error));
    WORKS(carom_still_model_create(0, NULL, &model, &error));
    WORKS(carom_model_work_create(model, NULL, &work, &error));
    carom_model_work_free(work);
    carom_model_work_free(NULL);
    carom_model_free(model);
    carom_model_free(NULL);
    carom_builder_free(NULL);
}

/* The ball over the floor that examples use. */
static void weight(void *context, double t, const double *q, const double *v, double *force)
{
    (void)context;
    (void)t;
    (void)q;
    (void)v;
    force[0] = -10.0;
}

static void height(void *context, double t, const double *q, double *gap)
{
    (void)context;
    (void)t;
    gap[0] = q[0];
}

static void runs(void **state)
{
    (void)state;
    carom_run_result result;
    double t0, until;
    REFUSES(carom_run(ZERO(carom_run_request), &result, &error));
    carom_run_result_free(&result);
    REFUSES(carom_run_times(ZERO(carom_run_request), &t0, &until, &error));
    carom_run_result_free(ZERO(carom_run_result));
    carom_experiment_free(NULL);

    carom_model *model;
    WORKS(carom_model_from_functions(
        (&(carom_model_functions){
            .dof = 1, .masses = (double[]){1.0}, .force = weight, .contacts = 1, .gap = height}),
        &model, &error));
    carom_run_request request = {.model = model};
    REFUSES(carom_run(&request, &result, &error)); /* no step size */
    request.h = 0.125;
    REFUSES(carom_run(&request, &result, &error)); /* no end */
    request.until = 1.0;
    REFUSES(carom_run(&request, &result, &error)); /* no scheme */
    request.scheme = "moreau-jean";
    WORKS(carom_run(&request, &result, &error));
    assert_int_equal(result.steps, 8);
    carom_run_result_free(&result);

    request.t0 = -1.0;
    request.until = CAROM_ZERO;
    WORKS(carom_run_times(&request, &t0, &until, &error));
    assert_true(t0 == -1.0 && until == 0.0);

    carom_series series = {0};
    const carom_recorder recorder[] = {carom_series_recorder(&series)};
    request.recorder_count = 1;
    request.recorder = recorder;
    check("a series without a layout", carom_run(&request, &result, &error), CAROM_IO_ERROR);
    carom_run_result_free(&result);
    series.layout = carom_row_layout_of_model(model);
    WORKS(carom_run(&request, &result, &error));
    assert_int_equal(series.count, 9);
    assert_true(carom_series_row(&series, 8)[0] == 0.0);
    carom_run_result_free(&result);
    carom_series_free(&series);
    carom_model_free(model);
}

static void surveys(void **state)
{
    (void)state;
    const double h[] = {0.1, 0.05};
    const char *const scheme[] = {"moreau-jean"};
    carom_convergence study;
    carom_sweep sweep;
    carom_profile profile;
    carom_audit *audit;
    carom_jump_detector *detector;
    REFUSES(carom_converge(ZERO(carom_convergence_request), &study, &error));
    REFUSES(carom_converge(
        (&(carom_convergence_request){.h_count = 2, .h = h, .scheme_count = 1, .scheme = scheme}), &study,
        &error));
    REFUSES(carom_sweep_run(ZERO(carom_sweep_request), &sweep, &error));
    REFUSES(carom_sweep_run((&(carom_sweep_request){.axis_count = 1}), &sweep, &error));
    REFUSES(carom_impact_audit(ZERO(carom_impact), NULL, NULL, NULL, NULL, &audit, &error));
    REFUSES(carom_jump_detector_create(0.0, 0.0, 0.0, &detector, &error));
    WORKS(carom_profile_make(0, 0, NULL, &profile, &error));
    carom_profile_free(&profile);
}

static void figures_and_pages(void **state)
{
    (void)state;
    carom_figure *figure;
    carom_text text = {0};
    REFUSES(carom_figure_create(ZERO(carom_curve_source), 0, &figure, &error));
    REFUSES(carom_report_run(ZERO(carom_report_source), "page.html", &error));
    REFUSES(carom_report_run_text(ZERO(carom_report_source), &text, &error));
    carom_figure_free(NULL);
    carom_page_discard(ZERO(carom_page));
    carom_text_free(&text);
}

static void laws_of_impact(void **state)
{
    (void)state;
    carom_impact_work *work;
    carom_arena *arena = carom_arena_create();
    REFUSES(carom_impact_work_create(&carom_impact_newton, ZERO(carom_impact_sizes), &work, &error));
    REFUSES(carom_impact_geometry_take(arena, ZERO(carom_impact), ZERO(carom_impact_geometry), &error));
    REFUSES(carom_impact_work_create(NULL, (&(carom_impact_sizes){.coordinates = 1}), &work, &error));
    carom_arena_free(arena);

    /* One ball and a wall: zeroed options are the defaults of every law, and so are none. */
    const int start[] = {0, 1}, row[] = {0};
    const double one[] = {1.0}, minus[] = {-1.0}, half[] = {0.5};
    const carom_impact impact = {.coordinates = 1,
                                 .contacts = 1,
                                 .masses = one,
                                 .column_start = start,
                                 .row = row,
                                 .value = one,
                                 .velocity = minus,
                                 .restitution = half};
    for (size_t i = 0; i < carom_impact_law_count(); i++) {
        const carom_impact_sizes sizes = {.coordinates = 1, .contacts = 1};
        WORKS(carom_impact_work_create(carom_impact_law_at(i), &sizes, &work, &error));
        REFUSES(carom_impact_solve(work, ZERO(carom_impact), NULL, ZERO(carom_impact_result), &error));
        double velocity[2], impulse[2];
        for (int k = 0; k < 2; k++)
            WORKS(carom_impact_solve(
                work, &impact, k ? ZERO(carom_impact_options) : NULL,
                (&(carom_impact_result){.velocity = &velocity[k], .impulse = &impulse[k]}), &error));
        assert_true(velocity[0] == velocity[1] && impulse[0] == impulse[1]);
        assert_true(velocity[0] > 0.499 && velocity[0] < 0.501);
        carom_impact_work_free(work);
    }
}

static void contact_problems(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    carom_coulomb problem;
    REFUSES(carom_coulomb_reduce(ZERO(carom_coulomb_global), arena, &problem, &error));
    WORKS(carom_coulomb_embed(ZERO(carom_coulomb_local), arena, &problem, &error));
    assert_int_equal(problem.contacts, 0);
    carom_arena_free(arena);
}

static void files(void **state)
{
    (void)state;
    carom_experiment *experiment;
    carom_run_writer *writer;
    carom_run_file *run;
    carom_fclib *fclib;
    carom_impact_file *impact;
    REFUSES(carom_experiment_load(ZERO(carom_load_request), &experiment, &error));
    REFUSES(carom_experiment_load((&(carom_load_request){.text = ""}), &experiment, &error));
    REFUSES(carom_run_writer_create(NULL, &writer, &error));
    REFUSES(carom_run_file_read("none", &run, &error));
    REFUSES(carom_fclib_read("none", &fclib, &error));
    REFUSES(carom_fclib_write("zero.hdf5", ZERO(carom_fclib), true, &error));
    REFUSES(carom_fclib_write("zero.hdf5", (&(carom_fclib){.is_global = true, .global.dimension = 3}), true,
                              &error));
    REFUSES(carom_fclib_write(NULL, ZERO(carom_fclib), true, &error));
    REFUSES(carom_impact_file_read("none", &impact, &error));
    REFUSES(carom_sweep_write_file("zero.h5", NULL, ZERO(carom_sweep), &error));
    REFUSES(carom_csv_begin(ZERO(carom_csv_writer), NULL, NULL, ZERO(carom_recorder), &error));
}

static void periodic_motions(void **state)
{
    (void)state;
    carom_mode_basis *basis;
    carom_arclength *curve;
    carom_shooting *shooting;
    carom_linear_oscillator *oscillator;
    carom_orbit_branch branch;
    double x = 0.0;
    REFUSES(carom_mode_basis_create(ZERO(carom_mode_system), &basis, &error));
    REFUSES(carom_arclength_create(ZERO(carom_arclength_problem), ZERO(carom_arclength_options), NULL, 0.0,
                                   &curve, &error));
    REFUSES(carom_newton(ZERO(carom_arclength_problem), ZERO(carom_arclength_options), 0.0, &x, NULL, NULL,
                         &error));
    REFUSES(carom_shooting_create(ZERO(carom_shooting_problem), &shooting, &error));
    REFUSES(carom_linear_oscillator_create(ZERO(carom_linear_system), &oscillator, &error));
    REFUSES(carom_ring_create(0, 0.0, &oscillator, &error));
    REFUSES(carom_orbit_branch_follow(ZERO(carom_orbit_branch_request), &branch, &error));
}

static void subjects(void **state)
{
    (void)state;
    carom_bar_wave *wave;
    carom_drill_motion *motion;
    carom_limit_state *limit;
    REFUSES(carom_bar_check(ZERO(carom_bar), &error));
    REFUSES(carom_bar_wave_create(ZERO(carom_bar), ZERO(carom_bar_wave_options), &wave, &error));
    REFUSES(carom_drill_run(ZERO(carom_drill_request), &motion, &error));
    REFUSES(carom_energy_sink_check(ZERO(carom_energy_sink), &error));
    REFUSES(carom_limit_load(ZERO(carom_limit_problem), ZERO(carom_limit_options), &limit, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_and_formulas),
        cmocka_unit_test(runs),
        cmocka_unit_test(surveys),
        cmocka_unit_test(figures_and_pages),
        cmocka_unit_test(laws_of_impact),
        cmocka_unit_test(contact_problems),
        cmocka_unit_test(files),
        cmocka_unit_test(periodic_motions),
        cmocka_unit_test(subjects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
