/* carom-mpi: the program carom, whose surveys are computed by all ranks. The first rank is the program: it reads the command line and
 * the model, writes and prints; the others compute what it hands out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crew.h"
#include "sharing.h"
#ifdef CAROM_HAS_PETSC
#include "solve_command.h"
#endif

/* Commands that ranks do not share are done by one of them. */
static void tell_lonely(int argc, char **argv)
{
    const command *what = argc > 1 ? command_find(argv[1], NULL) : NULL;
    if (crew_size() > 1 && what && !what->follow && what != &command_resume && what != &command_help)
        fprintf(stderr, "carom-mpi: %s is done by one rank; the other%s no part in it\n", what->name,
                crew_size() > 2 ? "s have" : " has");
}

/* Contact problems are solved by all ranks at the same time, the others hand out work. */
static bool is_solved_together(int argc, char **argv)
{
#ifdef CAROM_HAS_PETSC
    return argc > 1 && strcmp(argv[1], "solve") == 0 &&
           !(argc > 2 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0));
#else
    (void)argc, (void)argv;
    return false;
#endif
}

static int solve_together(int argc, char **argv)
{
#ifdef CAROM_HAS_PETSC
    return ranks_solve(argc - 1, argv + 1);
#else
    (void)argc, (void)argv;
    return EXIT_DONE;
#endif
}

static int share_work(int argc, char **argv)
{
    int rank, exit_status = EXIT_DONE;
    carom_error error = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (crew_begin(&error) != CAROM_OK) {
        report_error(&error);
        MPI_Abort(MPI_COMM_WORLD, EXIT_BAD_INPUT);
    }
    if (rank == 0) {
        tell_lonely(argc, argv);
        exit_status = program_run(argc, argv);
    } else {
        carom_run_reproducibly();
        crew_follow();
    }
    crew_end();
    return exit_status;
}

/* The whole motion on every rank; those but the first show and write nothing. */
static int run_together(int argc, char **argv, bool cuts_space, int most_gathered)
{
    int rank, exit_status = EXIT_COMPUTATION_FAILED;
    char **own = carom_new_array((size_t)argc + 2, sizeof *own);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sharing_begin(cuts_space, most_gathered);
    if (rank == 0)
        exit_status = program_run(argc, argv);
    else if (own && freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
        exit_status = program_run(sharing_arguments(argc, argv, own), own);
    sharing_end();
    free(own);
    return rank == 0 ? exit_status : EXIT_DONE;
}

static int ranks_of_all(void)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

static int run_or_share(int argc, char **argv)
{
    bool cuts_space = false;
    int most_gathered = 0;
    carom_error error = {0};
    const bool is_run = argc > 1 && strcmp(argv[1], "run") == 0;
    if (is_run && !sharing_takes_cut(&argc, argv, &cuts_space, &most_gathered, &error)) {
        int rank;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank == 0)
            report_error(&error);
        return EXIT_BAD_INPUT;
    }
    return (cuts_space || ranks_of_all() > 1) && sharing_suits(argc, argv)
               ? run_together(argc, argv, cuts_space, most_gathered)
               : share_work(argc, argv);
}

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    const int exit_status =
        is_solved_together(argc, argv) ? solve_together(argc, argv) : run_or_share(argc, argv);
    MPI_Finalize();
    /* mpirun of Open MPI 4 now and then hears of the end of a process before it has dealt with its MPI_Finalize, and takes that for an
     * abort (open-mpi/ompi#7833); a moment later it does not. */
    const struct timespec moment = {.tv_nsec = 50000000};
    nanosleep(&moment, NULL);
    return exit_status;
}
