/* Lines and faces of what is seen: where they are at an output, how fast, and what pushes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/run/frames.h"
#include "test/io/lua/scripts.h"
#include "test/near.h"

/* A run and its scene. */
typedef struct motion {
    carom_experiment *experiment;
    carom_run_result result;
    carom_series series;
    carom_push_series pushes;
    carom_scene *scene;
    carom_frames frames;
    carom_mesher *mesher;
    carom_mesh mesh;
} motion;

static void begin(motion *m, const char *text, size_t most)
{
    carom_error error = {0};
    *m = (motion){.experiment = load_good_text(text)};
    m->series.layout = carom_row_layout_of(m->experiment);
    const carom_recorder recorder[] = {carom_series_recorder(&m->series),
                                       carom_push_series_recorder(&m->pushes)};
    const carom_run_request request = {
        .experiment = m->experiment, .recorder_count = 2, .recorder = recorder};
    if (carom_run(&request, &m->result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    if (carom_scene_create(m->experiment, m->experiment->parameter, m->result.values, &m->scene, &error) !=
        CAROM_OK)
        fail_msg("%s", error.text);
    m->frames = carom_frames_of(&m->series, most);
    if (carom_mesher_create(m->scene, &m->frames, &m->mesher, &error) != CAROM_OK)
        fail_msg("%s", error.text);
}

static void end(motion *m)
{
    carom_mesh_free(&m->mesh);
    carom_mesher_free(m->mesher);
    carom_scene_free(m->scene);
    carom_push_series_free(&m->pushes);
    carom_series_free(&m->series);
    carom_run_result_free(&m->result);
    carom_experiment_free(m->experiment);
}

static const double *fill(motion *m, size_t frame)
{
    carom_error error = {0};
    assert_int_equal(carom_mesher_fill(m->mesher, frame, &m->mesh, &error), CAROM_OK);
    assert_false(m->mesh.failed);
    assert_int_equal(m->mesh.first[0], 0);
    for (size_t c = 0; c < m->mesh.cells; c++) {
        assert_true(m->mesh.first[c + 1] > m->mesh.first[c]);
        for (size_t k = m->mesh.first[c]; k < m->mesh.first[c + 1]; k++)
            assert_in_range(m->mesh.corner[k], 0, (long)m->mesh.points - 1);
    }
    return carom_frame_row(&m->frames, frame);
}

static const double *corner_of(const motion *m, size_t cell, size_t corner)
{
    return m->mesh.point + 3 * (size_t)m->mesh.corner[m->mesh.first[cell] + corner];
}

static size_t corners_of(const motion *m, size_t cell)
{
    return m->mesh.first[cell + 1] - m->mesh.first[cell];
}

static const char ball[] =
    "local x, y = coordinates('x', 'y')\nmass(1)\npotential(9.81 * y)\n"
    "contact { 'floor', gap = y - 0.1, restitution = 0.5 }\ninitial { x = 0, y = 1, [dot(x)] = 1 }\n"
    "integrate { scheme = 'moreau-jean', h = 0.01, until_t = 1 }\n"
    "draw { disc(x, y, 0.1), segment({ 0, 2 }, { x, y }), polygon { { 0, 0 }, { x, 0 }, { x, y } }, spring({ "
    "0, 2 }, { x, y }),\n"
    "       wall { { -1, 0 }, { 3, 0 } }, arrow({ x, y }, { dot(x), dot(y) }, { scale = 2 }), touch('floor', "
    "{ x, 0 }, { 0, 1 }) }\n";

static void what_a_model_draws(void **state)
{
    (void)state;
    motion m;
    begin(&m, ball, 1000);
    assert_true(carom_experiment_has_scene(m.scene->experiment));
    assert_int_equal(m.scene->dimension, 2);
    assert_int_equal(m.frames.count, 101);
    for (size_t f = 0; f < m.frames.count; f++) {
        const double *row = fill(&m, f), *q = row + m.series.layout.q, *v = row + m.series.layout.v;
        assert_int_equal(m.mesh.cells, 6);
        assert_int_equal(m.mesh.kind[0], CAROM_CELL_FACE);
        for (size_t k = 0; k < corners_of(&m, 0); k++) {
            const double *p = corner_of(&m, 0, k);
            assert_near(hypot(p[0] - q[0], p[1] - q[1]), 0.1, 1e-14);
        }
        assert_int_equal(corners_of(&m, 1), 2);
        assert_all_near(3, corner_of(&m, 1, 0), ((double[]){0, 2, 0}), 0.0);
        assert_all_near(3, corner_of(&m, 1, 1), ((double[]){q[0], q[1], 0}), 1e-15);
        assert_int_equal(m.mesh.kind[2], CAROM_CELL_FACE);
        assert_all_near(3, corner_of(&m, 2, 1), ((double[]){q[0], 0, 0}), 0.0);
        const size_t last = corners_of(&m, 3) - 1;
        assert_true(last > 4); /* a spring has coils, and ends where it is fixed */
        assert_all_near(3, corner_of(&m, 3, last), ((double[]){q[0], q[1], 0}), 1e-15);
        assert_all_near(3, corner_of(&m, 4, 1), ((double[]){3, 0, 0}), 0.0);
        assert_all_near(3, corner_of(&m, 5, 1), ((double[]){q[0] + 2 * v[0], q[1] + 2 * v[1], 0}), 1e-14);
    }
    end(&m);
}

/* Impulses of the contact add up to those of the run, and stand where the model says. */
static void contacts_that_are_drawn(void **state)
{
    (void)state;
    motion m;
    begin(&m, ball, 1000);
    int impacts = 0;
    for (size_t f = 0; f < m.frames.count; f++) {
        carom_mesh_push push[4];
        const double *row = fill(&m, f);
        const double impulse = row[m.series.layout.impulse];
        const size_t count = carom_mesher_pushes(m.mesher, f, NULL, 4, push);
        assert_true(count <= 1);
        if (impulse != 0.0) {
            impacts++;
            assert_int_equal(count, 1);
            assert_all_near(3, push[0].at, ((double[]){row[m.series.layout.q], 0, 0}), 0.0);
            assert_all_near(3, push[0].impulse, ((double[]){0, impulse, 0}), 0.0);
        }
    }
    assert_true(impacts > 0);
    end(&m);
}

static const char box[] =
    "world { gravity = { 0, 0, -9.81 } }\nfixed { 'floor', shape = plane { normal = { 0, 0, 1 } } }\n"
    "body { 'box', shape = box { 0.4, 0.3, 0.2 }, density = 1000, at = { 0, 0, 0.1 } }\n"
    "body { 'top', shape = box { 0.2, 0.2, 0.2 }, density = 1000, at = { 5, 0, 3 }, velocity = { 1, 2, 3 }, "
    "spin = { 1, -2, 0.5 } }\n"
    "integrate { h = 1e-3, until_t = 0.1 }\n";

/* Points of a body move with it: places a step apart differ by its velocity. */
static void bodies_move_with_their_velocity(void **state)
{
    (void)state;
    motion m;
    begin(&m, box, 1000);
    assert_int_equal(m.scene->dimension, 3);
    fill(&m, 50);
    const size_t points = m.mesh.points;
    double *before = malloc(3 * points * sizeof *before);
    assert_non_null(before);
    memcpy(before, m.mesh.point, 3 * points * sizeof *before);
    fill(&m, 51);
    assert_int_equal(m.mesh.points, points);
    double fastest = 0.0;
    for (size_t i = 0; i < 3 * points; i++) {
        assert_near((m.mesh.point[i] - before[i]) / 1e-3, m.mesh.velocity[i], 2e-2);
        fastest = fmax(fastest, fabs(m.mesh.velocity[i]));
    }
    assert_true(fastest > 2.0);
    bool seen[3] = {false};
    for (size_t c = 0; c < m.mesh.cells; c++) {
        assert_int_equal(m.mesh.kind[c], CAROM_CELL_FACE);
        assert_in_range(m.mesh.owner[c], 0, 2);
        seen[m.mesh.owner[c]] = true;
    }
    assert_true(seen[0] && seen[1] && seen[2]);
    free(before);
    end(&m);
}

/* The floor carries the box: at its four corners, with its weight in each step. */
static void points_where_bodies_push(void **state)
{
    (void)state;
    motion m;
    begin(&m, box, 21);
    const double weight = 0.4 * 0.3 * 0.2 * 1000 * 9.81 * 1e-3;
    for (size_t f = 1; f < m.frames.count; f++) {
        carom_mesh_push push[8];
        double sum[3] = {0};
        fill(&m, f);
        const size_t count = carom_mesher_pushes(m.mesher, f, &m.pushes, 8, push);
        assert_int_equal(count, 4);
        assert_int_equal(carom_mesher_pushes(m.mesher, f, &m.pushes, 0, NULL),
                         4); /* no room: how many there are */
        for (size_t i = 0; i < count; i++) {
            assert_near(fabs(push[i].at[0]), 0.2, 1e-6);
            assert_near(fabs(push[i].at[1]), 0.15, 1e-6);
            assert_near(push[i].at[2], 0.0, 1e-6);
            for (int k = 0; k < 3; k++)
                sum[k] += push[i].impulse[k];
        }
        assert_near(fabs(sum[2]), weight, 1e-6 * weight);
    }
    end(&m);
}

static void nothing_to_see(void **state)
{
    (void)state;
    carom_experiment *experiment =
        load_good_text("local x = coordinates('x')\nmass(1)\nintegrate { h = 0.1, until_t = 1 }\n");
    double *value = values_of(experiment);
    carom_scene *scene = NULL;
    carom_error error = {0};
    assert_int_equal(carom_scene_create(experiment, experiment->parameter, value, &scene, &error), CAROM_OK);
    assert_false(carom_experiment_has_scene(scene->experiment));
    carom_scene_free(scene);
    free(value);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_model_draws),
        cmocka_unit_test(contacts_that_are_drawn),
        cmocka_unit_test(bodies_move_with_their_velocity),
        cmocka_unit_test(points_where_bodies_push),
        cmocka_unit_test(nothing_to_see),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
