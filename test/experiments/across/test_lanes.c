/* Every experiment whose motions can be stepped side by side: four of them, from starts and with steps that differ a little, have the
 * bits that each has alone. */
#include "test/scheme/lane_motions.h"

#include <glob.h>

#include "test/base/sanitized.h"

enum {
    STEPS = SANITIZED ? 50 : 200,
    LEAST = 20 /* experiments that take part */
};

/* Its start and its step, changed a little with the lane; where contacts are closed at the start the positions stay. */
static void begin_lane(lane_motions *m, const carom_experiment *experiment, const carom_stepping *like,
                       int lane)
{
    const size_t positions = (size_t)carom_model_positions(experiment->model),
                 dof = (size_t)experiment->model->dof;
    double *q = calloc(positions + dof, sizeof *q), *v = q + positions;
    assert_non_null(q);
    for (size_t i = 0; i < positions; i++)
        q[i] = like->q[i] * (1.0 + 1e-3 * lane);
    for (size_t i = 0; i < dof; i++)
        v[i] = like->v[i] * (1.0 + 1e-2 * lane) + 1e-4 * lane;
    carom_run_request request = {.experiment = experiment,
                                 .scheme = "moreau-jean",
                                 .h = like->stepper->h * (1.0 + 0.03 * lane),
                                 .q0 = q,
                                 .v0 = v};
    carom_stepping *trial = NULL;
    carom_error error;
    if (carom_stepping_create(&request, &trial, &error) != CAROM_OK)
        request.q0 = like->q;
    carom_stepping_free(trial);
    lane_motions_begin(m, lane, &request);
    free(q);
}

/* False: it is not one of those. */
static bool compare(const char *path, long *beside, long *all)
{
    carom_experiment *experiment = NULL;
    carom_stepping *like = NULL;
    carom_error error = {0};
    lane_motions m = {.name = path};
    if (carom_experiment_load(&(carom_load_request){.name = path, .file = path}, &experiment, &error) !=
        CAROM_OK)
        fail_msg("%s: %s", path, error.text);
    const carom_model *model = experiment->model;
    const bool small = !experiment->study && !model->has_bodies && model->joints == 0 && model->dof <= 64;
    const carom_run_request request = {.experiment = experiment, .scheme = "moreau-jean"};
    if (small) /* once for all of its motions */
        carom_experiment_compute(experiment, (carom_progress){0}, &error);
    if (small &&
        carom_stepping_create(&request, &like, &error) == CAROM_OK) /* others have no lanes, and take time */
        m.lanes = carom_lanes_create(like->stepper);
    const bool taken = m.lanes != NULL;
    unsigned running = CAROM_LANES_ALL;
    for (int lane = 0; taken && lane < CAROM_LANES; lane++) {
        begin_lane(&m, experiment, like, lane);
        lane_motions_enter(&m, lane);
    }
    if (taken)
        m.lanes->outputs = true;
    for (int i = 0; taken && running && i < STEPS; i++) {
        lane_motions_step(&m, running);
        for (int lane = 0; lane < CAROM_LANES; lane++)
            if (m.status[lane] != CAROM_OK)
                running &= ~(1U << lane);
    }
    if (taken) {
        *beside += m.lanes->beside;
        *all += m.lanes->beside + m.lanes->single;
    }
    lane_motions_end(&m);
    carom_stepping_free(like);
    carom_experiment_free(experiment);
    return taken;
}

static void experiments_side_by_side(void **state)
{
    (void)state;
    glob_t found;
    int taken = 0;
    long beside = 0, all = 0;
    assert_int_equal(glob(CAROM_SOURCE_DIR "/experiments/*/*.lua", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        taken += compare(found.gl_pathv[i], &beside, &all);
    globfree(&found);
    if (taken < LEAST || 4 * beside < 3 * all)
        fail_msg("%d experiments have taken part; %ld of %ld steps were made side by side", taken, beside,
                 all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(experiments_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
