/* model/wide: a model at CAROM_LANES states at once, each with parameters of its own; the bits are those of carom_model_ops. Part of
 * room model. */
#ifndef CAROM_MODEL_WIDE_H
#define CAROM_MODEL_WIDE_H

#include "carom/linalg/wide.h"
#include "carom/model.h"

typedef struct carom_model_wide {
    const carom_model *model;
    carom_arena *arena; /* owns everything */
} carom_model_wide;

/* Of a contact, of which only the normal is asked: the entries of its row, in the columns that carom_contact_info.row[0] has, and what
 * carom_contact_frame has under the same names. */
typedef struct carom_wide_frame {
    const carom_wide *normal, *normal_rate, *restitution;
} carom_wide_frame;

/* Matrices are n x n row-major; only their entries are written: the caller has zeros in the other places. */
typedef struct carom_model_wide_ops {
    /* Every lane has the parameters of `work`. NULL: memory is short, or the model has something that is evaluated at one state
     * at a time (inputs). */
    carom_model_wide *(*create)(const carom_model_work *work);
    void (*free)(carom_model_wide *self);
    /* One lane gets the parameters of `work`, which is of the same model. */
    void (*bind)(carom_model_wide *self, int lane, const carom_model_work *work);
    void (*mass)(carom_model_wide *self, const carom_wide *t, const carom_wide *q, carom_wide *mass);
    void (*force)(carom_model_wide *self, const carom_wide *t, const carom_wide *q, const carom_wide *u,
                  carom_wide *force);
    void (*force_with_jacobian)(carom_model_wide *self, const carom_wide *t, const carom_wide *q,
                                const carom_wide *u, carom_wide *force, carom_wide *by_q, carom_wide *by_u);
    void (*gaps)(carom_model_wide *self, const carom_wide *t, const carom_wide *q, carom_wide *gap);
    void (*energy)(carom_model_wide *self, const carom_wide *t, const carom_wide *q, const carom_wide *u,
                   carom_wide *energy);
    /* It lives until that of this contact is asked for again. */
    carom_wide_frame (*frame)(carom_model_wide *self, int contact, const carom_wide *t, const carom_wide *q);
    /* The whole frame of a lane, as it was found last. */
    void (*frame_of_lane)(const carom_model_wide *self, int contact, int lane, carom_contact_frame *frame);
} carom_model_wide_ops;

/* NULL: as carom_model_wide_ops.create, or the model has no such functions. */
static inline carom_model_wide *carom_model_wide_create(const carom_model_work *work)
{
    const carom_model_wide_ops *ops = work->model->ops->wide;
    return ops ? ops->create(work) : NULL;
}
static inline void carom_model_wide_free(carom_model_wide *self)
{
    if (self)
        self->model->ops->wide->free(self);
}

#endif
