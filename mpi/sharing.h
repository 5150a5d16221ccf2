/* One run computed by all ranks side by side: behind crew_sharing of src/app/crew.h. Every rank has the whole motion; what a step takes
 * long for, islands of bodies, each rank solves some of, and tells the others. Before every exchange the first rank says whether it
 * goes on: it may be stopped while the others are not. */
#ifndef CAROM_MPI_SHARING_H
#define CAROM_MPI_SHARING_H

#include <mpi.h>

#include "carom/scheme.h"

/* By all ranks. cuts_space: each has the contacts of a part of space alone (src/scheme/bodies/cut.h). */
void sharing_begin(bool cuts_space, int most_gathered);
/* By all ranks: the first one tells the others that it has ended; one of the others that ended before it, although it computed the same,
 * ends all. */
void sharing_end(void);
/* Between the two; NULL otherwise. */
const carom_sharing *sharing_now(void);

/* Takes `--cut islands|space` and `--gather N` out of the arguments of `run`. False: their values are wrong. */
bool sharing_takes_cut(int *argc, char **argv, bool *cuts_space, int *most_gathered, carom_error *error);
/* `run` with these arguments can be shared: nothing in it is done by the first rank alone that steps. */
bool sharing_suits(int argc, char **argv);
/* The arguments without what only shows or writes; `to` has room for argc + 2. Returns their number. */
int sharing_arguments(int argc, char **argv, char **to);

#endif
