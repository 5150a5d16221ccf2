/* A ball on a table that moves like sin(3 t): what rests on it leaves where 9 sin(3 t) is the weight. */
#ifndef CAROM_TEST_SCHEME_EVENT_DRIVEN_TABLE_H
#define CAROM_TEST_SCHEME_EVENT_DRIVEN_TABLE_H

#include <math.h>

#include "event_driven_runs.h"

static void table_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand;
    gap[0] = q[0] - sin(3.0 * t);
}

static void table_frame(const hand_model *hand, int contact, double t, const double *q,
                        carom_contact_frame *frame)
{
    (void)hand, (void)contact, (void)q;
    frame->normal.value[0] = 1.0;
    frame->normal_rate = -3.0 * cos(3.0 * t);
}

#endif
