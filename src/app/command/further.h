/* Branches beside the one that `carom continue` follows: those that begin at its special points, and their loci over two
 * parameters. */
#ifndef CAROM_APP_COMMAND_FURTHER_H
#define CAROM_APP_COMMAND_FURTHER_H

#include "app/orbit_output.h"

typedef struct further_request {
    bool flips, branchings; /* where another branch is followed */
    int depth;              /* how often from there again */
    carom_special locus;    /* NONE: none is wanted */
    const char *second;     /* of the locus: the other parameter */
    double to;              /* ... and where it goes */
} further_request;

typedef struct further_branches {
    int count;
    further_branch *branch;
} further_branches;

/* From the words of --switch and --locus; false: there is no such thing. */
bool further_read_switch(const char *word, further_request *request);
bool further_read_locus(const char *word, further_request *request);

static inline bool further_wanted(const further_request *request)
{
    return request->flips || request->branchings || request->locus != CAROM_SPECIAL_NONE;
}

/* BAD_INPUT: there is no such second parameter, or the first one is the period. */
carom_status further_check(const carom_periodic_model *model, const carom_continue_request *request,
                           const further_request *further, carom_error *error);
/* The branches, which the caller frees in every case. FAILED: there is no point of which
 * a locus is wanted. A branch that cannot be followed has the end "lost" and says why. */
carom_status further_follow(const carom_periodic_model *model, const carom_found_orbit *start,
                            const carom_branch *branch, const carom_continue_request *request,
                            const further_request *further, further_branches *more, carom_error *error);
void further_free(further_branches *more);

#endif
