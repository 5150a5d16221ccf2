/* Slips of the bit between sticks, and the period of their pattern. */
#ifndef CAROM_SUBJECT_DRILLING_SLIPS_H
#define CAROM_SUBJECT_DRILLING_SLIPS_H

#include "carom/subject/drilling.h"

typedef struct drill_slips {
    double from;        /* nothing before this time counts */
    double first_stick; /* NAN: none */
    bool slipping, started;
    double onset, peak; /* of the slip that lasts */
    int count;
    carom_drill_slip *slip; /* CAROM_DRILL_SLIPS; the last one keeps the place when they are more */
} drill_slips;

void drill_slips_start(drill_slips *slips, double from, carom_drill_slip *memory);
void drill_slips_take(drill_slips *slips, double t, double speed);
/* Sticks come in groups: the least number m of slips after which the onsets repeat, to 2 %, over the last
 * ones. NAN: none. */
double drill_slips_period(const drill_slips *slips, int *per_period);

#endif
