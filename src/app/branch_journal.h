/* The journal of `carom continue`: every value of the equations along the branch, every orbit of a pattern. */
#ifndef CAROM_APP_BRANCH_JOURNAL_H
#define CAROM_APP_BRANCH_JOURNAL_H

#include "command.h"

typedef struct branch_journal {
    carom_journal *journal;
    size_t recalled; /* records that were asked for */
    bool computes;   /* what is asked for now was not computed before */
    double flushed;  /* when, in seconds */
} branch_journal;

carom_branch_memo branch_journal_memo(branch_journal *self);

#endif
