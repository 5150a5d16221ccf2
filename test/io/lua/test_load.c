#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "scripts.h"
#include "test/near.h"

static const char small_script[] = "local x = coordinates('x')\n"
                                   "kinetic(dot(x)^2 / 2)\n"
                                   "integrate { h = 0.1, until_t = 1 }\n";

static const carom_measure *measure_named(const carom_experiment *experiment, const char *name)
{
    for (int i = 0; i < experiment->measure_count; i++)
        if (strcmp(experiment->measure[i].name, name) == 0)
            return &experiment->measure[i];
    fail_msg("no measure '%s'", name);
    return NULL;
}

static const carom_plot *plot_named(const carom_experiment *experiment, const char *name)
{
    for (int i = 0; i < experiment->plot_count; i++)
        if (strcmp(experiment->plot[i].name, name) == 0)
            return &experiment->plot[i];
    return NULL;
}

/* ---- what each statement gives ------------------------------------------------------------------- */

static void test_description_parameters_and_settings(void **state)
{
    (void)state;
    carom_experiment *e = load_good_text(complete_script);
    assert_string_equal(e->name, "test");
    assert_string_equal(e->file, script_name);
    assert_string_equal(e->text, complete_script);
    assert_string_equal(e->title, "complete");
    assert_string_equal(e->source, "nowhere");
    assert_string_equal(e->doc, "uses every statement");
    assert_null(e->variant);
    assert_int_equal(e->model->parameters, 4);
    const carom_parameter *p = e->model->parameter;
    assert_string_equal(p[0].name, "e");
    assert_string_equal(p[0].doc, "restitution");
    assert_string_equal(p[0].unit, "-");
    assert_true(p[0].value == 0.5 && p[0].min == 0.0 && p[0].max == 1.0 && !p[0].integer);
    assert_string_equal(p[1].doc, "friction");
    assert_true(p[1].min == -INFINITY && p[1].max == INFINITY);
    assert_true(p[3].integer);
    for (int i = 0; i < 4; i++)
        assert_true(e->parameter[i] == p[i].value);
    assert_int_equal(e->setting_count, 2);
    assert_string_equal(e->setting[0].name, "n");
    assert_true(e->setting[0].number == 3.0 && !e->setting[0].is_text);
    assert_string_equal(e->setting[0].doc, "springs");
    assert_true(e->setting[1].is_text);
    assert_string_equal(e->setting[1].text, "flat");
    assert_string_equal(e->messages, "loaded\t3\tx\texpression\n");
    carom_experiment_free(e);
}

static void test_mechanics(void **state)
{
    (void)state;
    carom_experiment *e = load_good_text(complete_script);
    const carom_model *model = e->model;
    assert_int_equal(model->dof, 2);
    assert_string_equal(model->coordinate[0], "x");
    assert_string_equal(model->coordinate[1], "y");
    assert_true(model->constant_mass);
    carom_model_work *work = model->ops->work_create(model);
    model->ops->bind(work, e->parameter);
    const double q[2] = {0.7, 1.9}, u[2] = {-0.3, 0.4}, t = 2.0;
    double mass[4], force[2], gap[2];
    model->ops->mass(work, t, q, mass);
    assert_true(mass[0] == 1.0 && mass[1] == 0.0 && mass[2] == 0.0 && mass[3] == 1.0);
    model->ops->force(work, t, q, u, force);
    assert_true(fabs(force[0] - (-3.0 * (3 * 0.7 - 6.0) + 0.3)) <= 1e-14);
    assert_true(fabs(force[1] - (-9.81 + 0.2 + 1.0)) <= 1e-14);
    model->ops->gaps(work, t, q, gap);
    assert_near(gap[0], (1.9 - 0.35) / sqrt(1.25), 1e-15); /* of one point mass: a distance */
    assert_true(gap[1] == 10.7);
    assert_string_equal(model->contact[0].name, "floor");
    assert_true(model->contact[0].has_restitution && !model->contact[1].has_restitution);
    assert_int_equal(model->contact[0].tangents, 1);
    assert_ptr_equal(model->contact[0].friction.dynamic_cone.shape, &carom_friction_isotropic);
    assert_true(model->contact[1].friction.two_level && model->contact[1].coefficients == 2);
    carom_arena *arena = carom_arena_create();
    carom_contact_frame frame;
    assert_true(carom_contact_frame_take(arena, model, &frame));
    model->ops->frame(work, 0, t, q, &frame);
    assert_near(frame.normal.value[0], -0.5 / sqrt(1.25), 1e-15);
    assert_near(frame.normal.value[1], 1.0 / sqrt(1.25), 1e-15);
    assert_near(frame.tangent[0].value[0], 1.0 / sqrt(1.25), 1e-15);
    assert_near(frame.tangent[0].value[1], 0.5 / sqrt(1.25), 1e-15);
    assert_true(frame.restitution == 0.5 && frame.coefficients[0] == 0.25);
    model->ops->frame(work, 1, t, q, &frame);
    assert_true(frame.coefficients[0] == 0.5 && frame.coefficients[1] == 0.25);
    carom_arena_free(arena);
    model->ops->work_free(work);
    carom_experiment_free(e);
}

static void test_start_and_integration(void **state)
{
    (void)state;
    carom_experiment *e = load_good_text(complete_script);
    double *value = values_of(e);
    assert_true(value[e->q0[0]] == 0.0 && value[e->q0[1]] == 6.0);
    assert_true(value[e->v0[0]] == 1.0 && value[e->v0[1]] == 0.0);
    assert_true(value[e->gap_tolerance] == 1e-6);
    assert_string_equal(e->scheme, "moreau-jean");
    assert_true(value[e->h] == 0.01 && value[e->until] == 6.0 && value[e->t0] == 0.5);
    assert_int_equal(e->h_parameter, carom_model_find_parameter(e->model, "h"));
    assert_int_equal(e->until_parameter, -1); /* 2 k is no parameter */
    assert_int_equal(e->choice_count, 1);
    assert_string_equal(e->choice[0].name, "theta");
    assert_true(value[e->choice[0].value] == 0.5);
    free(value);
    carom_experiment_free(e);
    e = load_good_text(small_script);
    assert_string_equal(e->scheme, "moreau-jean"); /* takes any model */
    assert_int_equal(e->t0, CAROM_NO_VALUE);
    assert_int_equal(e->gap_tolerance, CAROM_NO_VALUE);
    assert_int_equal(e->h_parameter, -1);
    value = values_of(e);
    assert_true(value[e->q0[0]] == 0.0 && value[e->v0[0]] == 0.0);
    free(value);
    carom_experiment_free(e);
}

static void test_records_are_named_columns_in_sorted_order(void **state)
{
    (void)state;
    carom_experiment *e = load_good_text(complete_script);
    static const char *const names[] = {"distance", "energy", "height", "reach", "push", "rub"};
    assert_int_equal(e->named_columns, 6);
    for (int i = 0; i < 6; i++)
        assert_string_equal(e->column[i], names[i]);
    const double q[2] = {0.7, 1.9}, u[2] = {-0.3, 0.4}, impulse[6] = {11, 12, 13, 14, 15, 16};
    double *value = columns_of(e, &(carom_inputs){.t = 2.0, .q = q, .u = u, .impulse = impulse});
    const double potential = 1.5 * (0.09 + 1.69 + 5.29) + 9.81 * 1.9;
    assert_true(fabs(value[column_named(e, "energy")] - (0.045 + 0.08 + potential)) <= 1e-13);
    assert_true(value[column_named(e, "height")] == 1.9 && value[column_named(e, "reach")] == 1.9);
    assert_true(fabs(value[column_named(e, "distance")] - 1.55) <= 1e-15);
    assert_true(value[column_named(e, "push")] == 11 && value[column_named(e, "rub")] == 12);
    free(value);
    carom_experiment_free(e);
}

static void test_long_record_names_are_told_apart(void **state)
{
    (void)state;
    char text[600];
    snprintf(text, sizeof text,
             "%srecord { [string.rep('a', 62) .. 'x'] = x, [string.rep('a', 62) .. 'y'] = 2 * x }",
             small_script);
    carom_experiment *e = load_good_text(text);
    assert_int_equal(e->named_columns, 2);
    assert_int_equal(strlen(e->column[1]), 63);
    carom_experiment_free(e);
}

static void test_measures(void **state)
{
    (void)state;
    carom_experiment *e = load_good_text(complete_script);
    static const struct {
        const char *name;
        const carom_measure_ops *ops;
    } numbers[] = {{"last_height", &carom_reduce_final}, {"top", &carom_reduce_maximum},
                   {"low", &carom_reduce_minimum},       {"middle", &carom_reduce_mean},
                   {"size", &carom_reduce_rms},          {"spread", &carom_reduce_deviation},
                   {"turn", &carom_reduce_final},        {"a_now", &carom_reduce_at},
                   {"a_some", &carom_reduce_at},         {"a_many", &carom_reduce_at},
                   {"zeros", &carom_reduce_crossings},   {"tops", &carom_reduce_peaks}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const carom_measure *m = measure_named(e, numbers[i].name);
        assert_ptr_equal(m->ops, numbers[i].ops);
        assert_in_range(m->column, 0, e->column_count - 1);
        assert_int_equal(m->unwrap, strcmp(m->name, "turn") == 0);
    }
    assert_int_equal(measure_named(e, "top")->column, column_named(e, "height")); /* the same expression */
    double *value = values_of(e);
    const carom_measure *low = measure_named(e, "low");
    assert_true(value[low->from] == 1.0 && value[low->to] == 2.0);
    assert_int_equal(measure_named(e, "top")->from, CAROM_NO_VALUE);
    const carom_measure *some = measure_named(e, "a_some"), *many = measure_named(e, "a_many");
    assert_int_equal(some->time_count, 3);
    assert_true(value[some->time[1]] == 0.01 && some->every == CAROM_NO_VALUE);
    assert_true(many->time_count == 0 && value[many->every] == 0.1);
    assert_int_equal(measure_named(e, "a_now")->time_count, 1);
    static const struct {
        const char *name;
        const carom_measure_ops *ops;
        carom_event_kind event;
        int contact;
    } events[] = {{"shocks", &carom_reduce_times, CAROM_EVENT_IMPACT, 0},
                  {"number", &carom_reduce_count, CAROM_EVENT_IMPACT, -1},
                  {"start", &carom_reduce_first, CAROM_EVENT_CONTACT, 1},
                  {"stop", &carom_reduce_last, CAROM_EVENT_RELEASE, 0},
                  {"part", &carom_reduce_fraction, CAROM_EVENT_STICK, 0}};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        const carom_measure *m = measure_named(e, events[i].name);
        assert_ptr_equal(m->ops, events[i].ops);
        assert_int_equal(m->event, events[i].event);
        assert_int_equal(m->contact, events[i].contact);
        assert_int_equal(m->column, -1);
    }
    assert_int_equal(e->measure_count, sizeof numbers / sizeof *numbers + sizeof events / sizeof *events);
    free(value);
    carom_experiment_free(e);
}

static void test_plots(void **state)
{
    (void)state;
    carom_experiment *e = load_good_text(complete_script);
    assert_int_equal(e->plot_count, 4);
    assert_null(plot_named(e, "steep-only"));
    double *value = values_of(e);
    const double q[2] = {0.7, 1.9}, u[2] = {-0.3, 0.4}, impulse[6] = {0};
    double *column = columns_of(e, &(carom_inputs){.t = 2.0, .q = q, .u = u, .impulse = impulse});

    const carom_panel *panel = plot_named(e, "simple")->panel;
    assert_string_equal(panel->xlabel, "time");
    assert_string_equal(panel->ylabel, "y"); /* from the symbol */
    assert_true(panel->layer_count == 1 && panel->layer[0].family);
    assert_true(column[panel->layer[0].x] == 2.0 && column[panel->layer[0].y] == 1.9);

    panel = plot_named(e, "pair")->panel;
    assert_int_equal(panel->layer_count, 3);
    assert_string_equal(panel->layer[0].label, "y");
    assert_string_equal(panel->layer[1].label, "dot(y)");
    assert_null(panel->layer[2].label);
    assert_true(column[panel->layer[1].y] == 0.4 && column[panel->layer[2].y] == 3.8);

    const carom_plot *layers = plot_named(e, "layers");
    panel = layers->panel;
    assert_string_equal(layers->title, "layers");
    assert_null(panel->title);
    assert_true(panel->equal && value[panel->xmin] == 0.0 && value[panel->xmax] == 6.0);
    assert_true(value[panel->ymin] == -1.0 && value[panel->ymax] == 1.0);
    assert_int_equal(panel->layer_count, 5);
    const carom_layer *layer = panel->layer;
    assert_int_equal(layer[0].kind, CAROM_LAYER_LINE);
    assert_string_equal(layer[0].label, "path");
    assert_string_equal(layer[0].style, "dashed");
    assert_int_equal(layer[1].kind, CAROM_LAYER_POINTS);
    assert_true(layer[1].numbered && value[layer[1].every] == 0.01);
    assert_int_equal(layer[2].kind, CAROM_LAYER_SEGMENTS);
    assert_true(fabs(column[layer[2].x2] - 1.7) <= 1e-15 && column[layer[2].y2] == 2.9);
    assert_true(value[layer[2].from] == 1.0 && value[layer[2].to] == 2.0);
    assert_int_equal(layer[3].kind, CAROM_LAYER_OUTLINE);
    assert_int_equal(layer[3].point_count, 2);
    assert_true(value[layer[3].point[2]] == 3.0 && value[layer[3].point[3]] == 1.0);
    assert_int_equal(layer[4].kind, CAROM_LAYER_OUTLINE);
    for (int i = 0; i < layer[4].point_count; i++)
        assert_true(fabs(hypot(value[layer[4].point[2 * i]], value[layer[4].point[2 * i + 1]] - 1.0) - 6.0) <=
                    1e-14);

    const carom_plot *panels = plot_named(e, "panels");
    assert_true(panels->columns == 2 && panels->panel_count == 2);
    assert_string_equal(panels->panel[0].title, "one");
    assert_int_equal(panels->panel[1].layer_count, 2);
    assert_int_equal(panels->panel[1].xmin, CAROM_NO_VALUE);
    free(value);
    free(column);
    carom_experiment_free(e);
}

static void test_without_plots_the_motion_and_the_energy_are_shown(void **state)
{
    (void)state;
    carom_experiment *e = load_good_text(small_script);
    assert_int_equal(e->plot_count, 2);
    assert_string_equal(e->plot[0].name, "motion");
    assert_string_equal(e->plot[1].name, "energy");
    const double q = 3.0, u = 4.0;
    double *column = columns_of(e, &(carom_inputs){.t = 2.0, .q = &q, .u = &u});
    const carom_panel *motion = e->plot[0].panel, *energy = e->plot[1].panel;
    assert_string_equal(motion->ylabel, "x");
    assert_true(column[motion->layer[0].x] == 2.0 && column[motion->layer[0].y] == 3.0);
    assert_true(column[energy->layer[0].y] == 8.0);
    assert_int_equal(e->named_columns, 0);
    free(column);
    carom_experiment_free(e);

    e = load_good_text("local q = coordinates { 'a','b','c','d','e','f','g','h','i','j' }\n"
                       "mass(2) record { last = q[10] } integrate { h = 1, until_t = 1 }");
    assert_int_equal(e->plot[0].panel->layer_count, 8); /* no more curves than one can tell apart */
    assert_string_equal(e->plot[0].panel->layer[7].label, "h");
    assert_null(e->plot[0].panel->ylabel);
    carom_experiment_free(e);
}

/* ---- forms of statements --------------------------------------------------------------------------- */

static void test_forms_of_mass(void **state)
{
    (void)state;
    static const struct {
        const char *statement;
        double mass[4];
    } forms[] = {
        {"mass(m)", {7, 0, 0, 7}},
        {"mass { x = m, y = 2 }", {7, 0, 0, 2}},
        {"mass { [x] = 2, [y] = m * 2 }", {2, 0, 0, 14}},
        {"mass { { m, 1 }, { 1, 2 } }", {7, 1, 1, 2}},
        {"kinetic(m * dot(x)^2 / 2 + dot(x) * dot(y) + dot(y)^2)", {7, 1, 1, 2}},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char text[300];
        snprintf(
            text, sizeof text,
            "local m = param('m', 7) local x, y = coordinates('x', 'y') %s integrate { h = 1, until_t = 1 }",
            forms[i].statement);
        carom_experiment *e = load_good_text(text);
        carom_model_work *work = e->model->ops->work_create(e->model);
        double mass[4];
        e->model->ops->bind(work, e->parameter);
        e->model->ops->mass(work, 0.0, (const double[]){0, 0}, mass);
        assert_memory_equal(mass, forms[i].mass, sizeof mass);
        e->model->ops->work_free(work);
        carom_experiment_free(e);
    }
}

/* ---- the same file gives the same experiment --------------------------------------------------------- */

static void test_loading_twice_gives_the_same(void **state)
{
    (void)state;
    carom_experiment *a = load_good_text(complete_script), *b = load_good_text(complete_script);
    assert_int_equal(carom_graph_size(a->graph), carom_graph_size(b->graph));
    assert_int_equal(a->column_count, b->column_count);
    for (int i = 0; i < a->column_count; i++)
        assert_string_equal(a->column[i], b->column[i]);
    const double q[2] = {0.7, 1.9}, u[2] = {-0.3, 0.4}, impulse[6] = {1, 2, 3, 4, 5, 6};
    const carom_inputs inputs = {.t = 2.0, .q = q, .u = u, .impulse = impulse};
    double *of_a = columns_of(a, &inputs), *of_b = columns_of(b, &inputs);
    assert_memory_equal(of_a, of_b, (size_t)a->column_count * sizeof *of_a);
    free(of_a);
    free(of_b);
    of_a = values_of(a);
    of_b = values_of(b);
    assert_memory_equal(of_a, of_b, (size_t)carom_tape_outputs(a->values) * sizeof *of_a);
    free(of_a);
    free(of_b);
    for (int i = 0; i < a->measure_count; i++) {
        assert_string_equal(a->measure[i].name, b->measure[i].name);
        assert_int_equal(a->measure[i].column, b->measure[i].column);
    }
    carom_experiment_free(a);
    carom_experiment_free(b);
}

static void test_random_numbers_are_the_same_every_time(void **state)
{
    (void)state;
    char text[400];
    snprintf(text, sizeof text, "print(math.random(1000000), math.random())\n%s", small_script);
    carom_experiment *a = load_good_text(text), *b = load_good_text(text);
    assert_true(strlen(a->messages) > 5);
    assert_string_equal(a->messages, b->messages);
    carom_experiment_free(a);
    carom_experiment_free(b);
}

/* ---- files -------------------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void check_file_refused(const char *path, const char *word)
{
    carom_experiment *e = NULL;
    carom_error error = {0};
    const carom_load_request request = {.file = path};
    assert_int_equal(carom_experiment_load(&request, &e, &error), CAROM_BAD_INPUT);
    assert_null(e);
    if (!strstr(error.text, path) || !strstr(error.text, word))
        fail_msg("%s", error.text);
}

static void test_files(void **state)
{
    (void)state;
    write_file("small.lua", small_script, strlen(small_script));
    carom_experiment *e = load_good(&(carom_load_request){.file = "small.lua"});
    assert_string_equal(e->name, "small.lua");
    assert_string_equal(e->text, small_script);
    carom_experiment_free(e);
    remove("small.lua");

    check_file_refused("missing.lua", "No such file");
    check_file_refused("/", "directory");
    write_file("empty.lua", "", 0);
    check_file_refused("empty.lua", "empty");
    remove("empty.lua");
    write_file("zero.lua", "x = 1\0 y", 8);
    check_file_refused("zero.lua", "not a text");
    remove("zero.lua");
    write_file("binary.lua", "\x1bLua\x54garbage", 12);
    check_file_refused("binary.lua", "binary");
    remove("binary.lua");
    write_file("comment.lua", "-- nothing", 10);
    check_file_refused("comment.lua", "coordinates");
    remove("comment.lua");
}

static void test_the_largest_file(void **state)
{
    (void)state;
    const size_t limit = (size_t)16 << 20, size = (size_t)20 << 20;
    char *bytes = malloc(size);
    memset(bytes, ' ', size);
    memcpy(bytes, small_script, strlen(small_script));
    write_file("large.lua", bytes, size);
    check_file_refused("large.lua", "16 MiB");
    write_file("large.lua", bytes, limit);
    carom_experiment *e = load_good(&(carom_load_request){.file = "large.lua"});
    carom_experiment_free(e);
    remove("large.lua");
    free(bytes);
}

static void test_texts_that_hold_no_model(void **state)
{
    (void)state;
    check_refused("", 0, "no coordinates", "coordinates(");
    check_refused("   \n\n", 0, "no coordinates", "coordinates(");
    check_refused("\x1bLua", 0, "binary", NULL);
    check_refused("local x = coordinates('x')", 0, "no inertia", "kinetic(");
    check_refused("local x = coordinates('x') mass(1)", 0, "how to run", "integrate {");
}

static void test_the_published_experiments_load(void **state)
{
    (void)state;
    for (int trial = 1; trial <= 10; trial++) {
        char path[600];
        snprintf(path, sizeof path, "%s/experiments/moreau-1986/trial-%02d.lua", CAROM_SOURCE_DIR, trial);
        carom_experiment *e = load_good(&(carom_load_request){.file = path});
        for (int i = 0; i < e->variant_count; i++)
            carom_experiment_free(
                load_good(&(carom_load_request){.file = path, .variant = e->variants[i].name}));
        carom_experiment_free(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_description_parameters_and_settings),
        cmocka_unit_test(test_mechanics),
        cmocka_unit_test(test_start_and_integration),
        cmocka_unit_test(test_records_are_named_columns_in_sorted_order),
        cmocka_unit_test(test_long_record_names_are_told_apart),
        cmocka_unit_test(test_measures),
        cmocka_unit_test(test_plots),
        cmocka_unit_test(test_without_plots_the_motion_and_the_energy_are_shown),
        cmocka_unit_test(test_forms_of_mass),
        cmocka_unit_test(test_loading_twice_gives_the_same),
        cmocka_unit_test(test_random_numbers_are_the_same_every_time),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_the_largest_file),
        cmocka_unit_test(test_texts_that_hold_no_model),
        cmocka_unit_test(test_the_published_experiments_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
