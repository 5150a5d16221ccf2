/* Processes that compute a survey with this one. The program carom is alone; carom-mpi has its own crew (mpi/crew.c) in the place of
 * crew_alone.c. */
#ifndef CAROM_APP_CREW_H
#define CAROM_APP_CREW_H

#include "command.h"

/* Those who will compute pieces of what these arguments ask for, with this experiment: every one of them gets both, and calls `follow`
 * of the command; *workers NULL: nobody. They are called when the work begins. */
carom_status crew_for(int argc, char **argv, const carom_experiment *experiment,
                      const carom_workers **workers, carom_error *error);
/* Says that a journal keeps what is done: a rank that dies takes the others with it, and nothing can be said then. */
void tell_journal(const char *path);
/* Those who compute a run with this one, step by step; NULL: nobody. */
const carom_sharing *crew_sharing(void);
/* How many processes there are, this one too. */
int crew_size(void);

#endif
