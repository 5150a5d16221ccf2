/* carom-mpi solve: frictional contact problems of FCLIB files, solved by all ranks together. */
#ifndef CAROM_MPI_SOLVE_COMMAND_H
#define CAROM_MPI_SOLVE_COMMAND_H

/* By all ranks, after MPI_Init; argv[0] is "solve". The first rank reads the command line, prints and writes. The exit status. */
int ranks_solve(int argc, char **argv);

#endif
