/* How a motion looks: the model, bound to the parameters of a run, and the numbers of what is drawn. */
#include "carom/run/scene.h"

#include <stdlib.h>

#include "carom/model/bodies.h"
#include "carom/run.h"

const char *carom_draw_kind_word(carom_draw_kind kind)
{
    static const char *const word[CAROM_DRAW_KINDS] = {
        [CAROM_DRAW_DISC] = "disc",     [CAROM_DRAW_SEGMENT] = "segment", [CAROM_DRAW_SPRING] = "spring",
        [CAROM_DRAW_DAMPER] = "damper", [CAROM_DRAW_ROD] = "rod",         [CAROM_DRAW_POLYGON] = "polygon",
        [CAROM_DRAW_PATH] = "path",     [CAROM_DRAW_WALL] = "wall",       [CAROM_DRAW_ARROW] = "arrow",
        [CAROM_DRAW_TEXT] = "text",     [CAROM_DRAW_CONTACT] = "contact", [CAROM_DRAW_PIN] = "joint",
        [CAROM_DRAW_CURVE] = "curve",
    };
    return word[kind];
}

void carom_scene_look(const carom_scene *scene, const carom_row_layout *layout, const double *row,
                      double *look)
{
    const carom_inputs inputs = {
        .t = row[0], .q = row + layout->q, .u = row + layout->v, .impulse = row + layout->impulse};
    if (scene->looks > 0)
        carom_tape_evaluate(scene->experiment->look, scene->look_work, &inputs, look);
}

static int dimension_of(const carom_scene *scene)
{
    if (scene->bodies)
        return scene->bodies->dimension;
    for (int i = 0; i < scene->experiment->draw_count; i++)
        if (scene->experiment->draw[i].dimension == 3)
            return 3;
    return 2;
}

static carom_status look(carom_scene *scene, const double *parameter, carom_error *error)
{
    const carom_model *model = scene->experiment->model;
    const carom_model_ops *ops = model->ops;
    scene->work = ops->work_create(model);
    if (!scene->work)
        return carom_fail_memory(error);
    ops->bind(scene->work, parameter);
    const carom_status status = ops->check ? ops->check(scene->work, error) : CAROM_OK;
    if (status != CAROM_OK)
        return status;
    const carom_tape *tape = scene->experiment->look;
    if (tape) {
        scene->looks = carom_tape_outputs(tape);
        scene->look_work = carom_new_array(carom_tape_work_size(tape), sizeof *scene->look_work);
        if (!scene->look_work)
            return carom_fail_memory(error);
        carom_tape_bind(tape, parameter, scene->look_work);
    }
    scene->bodies = carom_model_bodies(scene->work);
    if (ops->profile && ops->profile_points)
        scene->profile_points = ops->profile_points(model);
    return CAROM_OK;
}

bool carom_experiment_has_scene(const carom_experiment *experiment)
{
    if (experiment->study)
        return false;
    const carom_model_ops *ops = experiment->model->ops;
    return experiment->draw_count > 0 || experiment->model->has_bodies ||
           (ops->profile && ops->profile_points);
}

carom_status carom_scene_create(const carom_experiment *experiment, const double *parameter,
                                const double *values, carom_scene **scene, carom_error *error)
{
    *scene = carom_new_array(1, sizeof **scene);
    if (!*scene)
        return carom_fail_memory(error);
    (*scene)->experiment = experiment;
    (*scene)->values = values;
    const carom_status status = experiment->study ? CAROM_OK : look(*scene, parameter, error);
    if (status != CAROM_OK) {
        carom_scene_free(*scene);
        *scene = NULL;
        return status;
    }
    (*scene)->dimension = dimension_of(*scene);
    return CAROM_OK;
}

void carom_scene_free(carom_scene *scene)
{
    if (!scene)
        return;
    if (scene->work)
        scene->work->model->ops->work_free(scene->work);
    free(scene->look_work);
    free(scene);
}
