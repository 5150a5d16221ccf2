/* The ranks of carom-mpi, behind src/app/crew.h. There is one program and one MPI_COMM_WORLD: they are all the global state here. */
#ifndef CAROM_MPI_CREW_H
#define CAROM_MPI_CREW_H

#include <mpi.h>

#include "app/crew.h"

/* By all ranks, after MPI_Init_thread and before MPI_Finalize. */
carom_status crew_begin(carom_error *error);
void crew_end(void);

/* What the ranks but the first one do: commands that they are called for, until they are sent home. */
void crew_follow(void);

#endif
