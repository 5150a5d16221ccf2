/* Motions of one model stepped alone, and the same ones side by side: what must have the same bits. */
#ifndef CAROM_TEST_SCHEME_LANE_MOTIONS_H
#define CAROM_TEST_SCHEME_LANE_MOTIONS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/io.h"
#include "carom/run/stepping.h"
#include "carom/scheme/lanes.h"

static inline void assert_same_numbers(const char *name, const char *what, size_t count, const double *alone,
                                       const double *beside)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(&alone[i], &beside[i], sizeof *alone) != 0)
            fail_msg("%s: %s %zu of %zu is %.17g, alone %.17g", name, what, i, count, beside[i], alone[i]);
}

static inline void assert_same_row(const char *name, const carom_row *alone, const carom_row *beside)
{
    assert_int_equal(alone->count, beside->count);
    for (int i = 0; i < alone->count; i++)
        assert_int_equal(carom_row_column(alone, i), carom_row_column(beside, i));
    assert_same_numbers(name, "entry of a row", (size_t)alone->count, alone->value, beside->value);
}

/* Along which a contact acted or, where it did not, as it is at the state. */
static inline void assert_same_frame(const char *name, const carom_stepper *alone,
                                     const carom_stepper *beside, int contact)
{
    const carom_contact_info *info = &alone->model->contact[contact];
    carom_arena *arena = carom_arena_create();
    carom_contact_frame scratch[2] = {0};
    assert_true(arena && carom_contact_frame_take_for(arena, alone->model, contact, &scratch[0]) &&
                carom_contact_frame_take_for(arena, alone->model, contact, &scratch[1]));
    const carom_contact_frame *a = carom_stepper_frame(alone, contact, &scratch[0]),
                              *b = carom_stepper_frame(beside, contact, &scratch[1]);
    assert_same_row(name, &a->normal, &b->normal);
    for (int i = 0; i < info->tangents; i++)
        assert_same_row(name, &a->tangent[i], &b->tangent[i]);
    assert_same_numbers(name, "rate of a gap", 1, &a->normal_rate, &b->normal_rate);
    assert_same_numbers(name, "rate of a slip", (size_t)info->tangents, a->tangent_rate, b->tangent_rate);
    if (info->has_restitution)
        assert_same_numbers(name, "restitution", 1, &a->restitution, &b->restitution);
    assert_same_numbers(name, "coefficient", (size_t)info->coefficients, a->coefficients, b->coefficients);
    carom_arena_free(arena);
}

static inline void assert_same_counts(const char *name, const carom_step_counts *alone,
                                      const carom_step_counts *beside)
{
    if (alone->steps != beside->steps || alone->solver_iterations != beside->solver_iterations ||
        alone->unsolved != beside->unsolved || alone->fixed_rows != beside->fixed_rows ||
        alone->adhesive_impulses != beside->adhesive_impulses)
        fail_msg("%s: counts differ: steps %ld and %ld, iterations %ld and %ld", name, alone->steps,
                 beside->steps, alone->solver_iterations, beside->solver_iterations);
    assert_same_numbers(name, "worst error", 1, &alone->worst_solver_error, &beside->worst_solver_error);
    assert_same_numbers(name, "tolerance", 1, &alone->solver_tolerance, &beside->solver_tolerance);
}

/* All that a caller reads after a step; gaps and energy, where the lanes have found them, are the model's. */
static inline void assert_same_motion(const char *name, carom_stepper *alone, carom_stepper *beside)
{
    const carom_state *a = &alone->state, *b = &beside->state;
    const size_t dof = (size_t)alone->dof, contacts = (size_t)alone->contacts;
    assert_same_numbers(name, "time", 1, &a->t, &b->t);
    assert_same_numbers(name, "position", (size_t)carom_model_positions(alone->model), a->q, b->q);
    assert_same_numbers(name, "velocity", dof, a->v, b->v);
    assert_same_numbers(name, "impulse", CAROM_CONTACT_COMPONENTS * contacts, a->impulse, b->impulse);
    for (size_t i = 0; i < contacts; i++)
        assert_int_equal(a->regime[i], b->regime[i]);
    assert_same_counts(name, &alone->counts, &beside->counts);
    assert_int_equal(alone->warnings.count, beside->warnings.count);
    for (int i = 0; i < alone->contacts; i++)
        assert_same_frame(name, alone, beside, i);
    const double energy[] = {carom_stepper_energy(alone), carom_stepper_energy(beside)};
    assert_same_numbers(name, "energy", 1, &energy[0], &energy[1]);
    if (beside->gap && contacts > 0) {
        double *gap = calloc(contacts, sizeof *gap);
        assert_non_null(gap);
        alone->model->ops->gaps(alone->work, a->t, a->q, gap);
        assert_same_numbers(name, "gap", contacts, gap, beside->gap);
        free(gap);
    }
    if (alone->v_before)
        assert_same_numbers(name, "velocity before", dof, alone->v_before, beside->v_before);
}

/* ---- two of each motion ------------------------------------------------------------------------------ */

typedef struct lane_motions {
    const char *name; /* for messages */
    carom_stepping *alone[CAROM_LANES], *beside[CAROM_LANES];
    carom_lanes *lanes;
    carom_status status[CAROM_LANES]; /* of the last step */
    carom_error error[CAROM_LANES];
} lane_motions;

/* `lane` of both kinds begins as the request says; the first has the lanes. */
static inline void lane_motions_begin(lane_motions *self, int lane, const carom_run_request *request)
{
    carom_error error = {0};
    if (carom_stepping_create(request, &self->alone[lane], &error) != CAROM_OK ||
        carom_stepping_create(request, &self->beside[lane], &error) != CAROM_OK)
        fail_msg("%s: %s", self->name, error.text);
    if (!self->lanes)
        self->lanes = carom_lanes_create(self->beside[lane]->stepper);
}

static inline void lane_motions_enter(lane_motions *self, int lane)
{
    if (!carom_lanes_enter(self->lanes, lane, self->beside[lane]->stepper))
        fail_msg("%s: lane %d was refused", self->name, lane);
}

/* One step of each that is in `which`; those that are in no lane go alone. */
static inline void lane_motions_step(lane_motions *self, unsigned which)
{
    unsigned entered = 0;
    for (int lane = 0; lane < CAROM_LANES; lane++) {
        if (!(which >> lane & 1))
            continue;
        if (self->lanes->stepper[lane])
            entered |= 1U << lane;
        else
            self->status[lane] = carom_stepper_step(self->beside[lane]->stepper, &self->error[lane]);
    }
    if (entered)
        carom_lanes_step(self->lanes, entered, self->status, self->error);
    for (int lane = 0; lane < CAROM_LANES; lane++) {
        carom_error error = {0};
        if (!(which >> lane & 1))
            continue;
        const carom_status status = carom_stepper_step(self->alone[lane]->stepper, &error);
        if (status != self->status[lane])
            fail_msg("%s: status %d in lane %d, alone %d: %s", self->name, self->status[lane], lane, status,
                     status == CAROM_OK ? self->error[lane].text : error.text);
        if (status != CAROM_OK)
            assert_string_equal(self->error[lane].text, error.text);
        assert_same_motion(self->name, self->alone[lane]->stepper, self->beside[lane]->stepper);
    }
}

static inline void lane_motions_end(lane_motions *self)
{
    carom_lanes_free(self->lanes);
    for (int lane = 0; lane < CAROM_LANES; lane++) {
        carom_stepping_free(self->alone[lane]);
        carom_stepping_free(self->beside[lane]);
    }
}

#endif
