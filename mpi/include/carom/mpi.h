/* Surveys on MPI: ranks that compute pieces of work together. Needs MPI, and nothing else of carom does. */
#ifndef CAROM_MPI_H
#define CAROM_MPI_H

#include <mpi.h>

#include "carom/survey/work.h"

/* The ranks of a communicator as workers of a survey. Every rank makes them and calls the survey with the same request:
 *
 *   carom_workers *workers;
 *   carom_mpi_workers_create(MPI_COMM_WORLD, &workers, &error);
 *   request.workers = workers;
 *   carom_sweep_run(&request, &sweep, &error);      rank 0 returns with the results, the others when it frees its workers
 *   carom_mpi_workers_free(workers);
 *
 * Rank 0 hands out the pieces and computes, too. MPI must be initialised with MPI_THREAD_FUNNELED at least, by the thread that calls
 * this. No rank waits in a loop that takes a core. A rank that is killed takes all others with it: that is what MPI does. */
carom_status carom_mpi_workers_create(MPI_Comm communicator, carom_workers **workers, carom_error *error);
/* By all ranks. NULL is fine. */
void carom_mpi_workers_free(carom_workers *workers);

#endif
