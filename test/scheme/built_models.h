/* For tests: models written as formulas, their steppers, and whether a stepper goes on from what was kept with the same bits. */
#ifndef CAROM_TEST_SCHEME_BUILT_MODELS_H
#define CAROM_TEST_SCHEME_BUILT_MODELS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/model.h"
#include "carom/scheme.h"

/* Two coordinates, x and y. */
typedef struct built_spec {
    const char *kinetic, *potential, *force_y; /* NULL: no force */
    const char *gap[2];                        /* NULL: no contact */
    const char *restitution;
} built_spec;

typedef struct built {
    carom_model *model;
    carom_model_work *work;
    carom_stepper *stepper;
} built;

static inline built built_start(const built_spec *spec, const char *scheme, double h, const double q[2],
                                const double v[2])
{
    built made = {0};
    carom_error error = {0};
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    const carom_node y = carom_build_coordinate(b, "y");
    carom_build_kinetic(b, carom_build_formula(b, spec->kinetic));
    carom_build_potential(b, carom_build_formula(b, spec->potential));
    if (spec->force_y)
        carom_build_force(b, y, carom_build_formula(b, spec->force_y));
    for (int k = 0; k < 2 && spec->gap[k]; k++)
        carom_build_restitution(
            b, carom_build_contact(b, k == 0 ? "first" : "second", carom_build_formula(b, spec->gap[k])),
            carom_build_formula(b, spec->restitution));
    const carom_step_settings settings = {.h = h};
    if (carom_build_model(b, &made.model, &error) != CAROM_OK ||
        carom_model_work_create(made.model, NULL, &made.work, &error) != CAROM_OK ||
        carom_stepper_create(carom_scheme_find(scheme, &error), made.work, &settings, q, v, &made.stepper,
                             &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_builder_free(b);
    return made;
}

static inline void built_free(built *made)
{
    carom_stepper_free(made->stepper);
    carom_model_work_free(made->work);
    carom_model_free(made->model);
}

static inline void built_steps(built *made, long count)
{
    carom_error error = {0};
    for (long i = 0; i < count; i++)
        if (carom_stepper_step(made->stepper, &error) != CAROM_OK)
            fail_msg("%s", error.text);
}

/* Of two steppers of one specification: one makes all steps, the other one goes on from what the first kept after some. */
static inline void assert_goes_on(built *whole, built *other, long kept_after, long steps)
{
    carom_snapshot kept = {0};
    built_steps(whole, kept_after);
    carom_stepper_keep(whole->stepper, &kept);
    assert_false(kept.failed);
    built_steps(whole, steps - kept_after);
    carom_snapshot given = carom_snapshot_of(kept.bytes, kept.length);
    carom_stepper_keep(other->stepper, &given);
    assert_false(given.failed);
    built_steps(other, steps - kept_after);
    const carom_state *a = &whole->stepper->state, *b = &other->stepper->state;
    assert_memory_equal(a->q, b->q, 2 * sizeof(double));
    assert_memory_equal(a->v, b->v, 2 * sizeof(double));
    carom_snapshot_free(&kept);
}

#endif
