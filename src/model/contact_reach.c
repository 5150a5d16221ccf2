/* From a position to one where a contact touches. */
#include <math.h>

#include "carom/model/level.h"

enum {
    REACH_STEPS = 40
};

/* Newton's method along the normal: q -= gap n / |n|^2, in halves where the gap does not become smaller. */
bool carom_contact_reach(carom_model_work *work, int contact, double t, double size, double *q, double *gaps,
                         carom_contact_frame *frame)
{
    const carom_model_ops *ops = work->model->ops;
    double share = 1.0, best = INFINITY;
    for (int i = 0; i < REACH_STEPS; i++) {
        ops->gaps(work, t, q, gaps);
        ops->frame(work, contact, t, q, frame);
        const double gap = gaps[contact];
        const double square = carom_row_product(&frame->normal, &frame->normal);
        if (!isfinite(gap) || !(square > 0.0) || !isfinite(square))
            return false;
        const double distance = fabs(gap) / sqrt(square);
        if (distance <= 1e-13 * size)
            return true;
        share = distance < best ? 1.0 : share / 2.0;
        best = fmin(best, distance);
        carom_row_add(&frame->normal, -share * gap / square, q);
    }
    return best <= 1e-10 * size;
}
