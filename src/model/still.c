/* The model of a study: it has parameters, and nothing that moves. */
#include <stdlib.h>

#include "model_parts.h"

typedef struct still_model {
    carom_model base;
    carom_arena *arena;
} still_model;

static void still_free(carom_model *model)
{
    carom_arena_free(((still_model *)model)->arena);
    free(model);
}

static carom_model_work *still_work_create(const carom_model *model)
{
    carom_model_work *work = calloc(1, sizeof *work);
    if (work)
        work->model = model;
    return work;
}

static void still_work_free(carom_model_work *work)
{
    free(work);
}

static void still_bind(carom_model_work *work, const double *parameters)
{
    (void)work;
    (void)parameters;
}

static double still_energy(carom_model_work *work, double t, const double *q, const double *u)
{
    (void)work;
    (void)t;
    (void)q;
    (void)u;
    return 0.0;
}

/* No coordinates and no contacts: nobody has a reason to ask for anything else. */
static const carom_model_ops still_ops = {
    .free = still_free,
    .work_create = still_work_create,
    .work_free = still_work_free,
    .bind = still_bind,
    .energy = still_energy,
};

carom_status carom_still_model_create(int parameters, const carom_parameter *parameter, carom_model **out,
                                      carom_error *error)
{
    *out = NULL;
    still_model *model = calloc(1, sizeof *model);
    if (!model)
        return carom_fail_memory(error);
    model->base.ops = &still_ops;
    model->arena = carom_arena_create();
    if (!model->arena || !model_copy_parameters(&model->base, model->arena, parameters, parameter)) {
        still_free(&model->base);
        return carom_fail_memory(error);
    }
    *out = &model->base;
    return CAROM_OK;
}
