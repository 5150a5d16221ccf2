/* Writes a large contact problem as a file of FCLIB:
 *
 *   large block NX NY NZ FILE [MU]      elastic block, NX NY contacts, 3 NX NY NZ unknowns
 *   large grid NX NY FILE [MU]          beams on stops, NX NY contacts, 6 NX NY unknowns
 *   large spheres NX NY NZ FILE [MU]    pile of spheres, some 3 NX NY NZ contacts, 6 NX NY NZ unknowns
 *   large settled RUN FILE              the last row of a run of bodies/spheres, spheres in a box
 *   large reduce FROM FILE              the same problem in the reduced form (W, q) */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "large_problem.h"

static int usage(void)
{
    fprintf(stderr,
            "usage: large block NX NY NZ FILE [MU] | grid NX NY FILE [MU] | spheres NX NY NZ FILE [MU] | "
            "settled RUN FILE | reduce FROM FILE\n");
    return 2;
}

static bool read_whole(const char *text, int *value)
{
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10);
    *value = (int)number;
    return errno == 0 && *end == '\0' && end != text && number > 0 && number <= 1000000;
}

static carom_status make(const char *kind, const int side[3], double mu, carom_fclib **problem,
                         carom_error *error)
{
    if (strcmp(kind, "block") == 0) {
        elastic_block block = elastic_block_of(side[0], side[1], side[2]);
        block.friction = mu;
        return elastic_block_make(&block, problem, error);
    }
    if (strcmp(kind, "grid") == 0)
        return beam_grid_make(&(beam_grid){side[0], side[1], mu}, problem, error);
    return sphere_pile_make(&(sphere_pile){side[0], side[1], side[2], mu}, problem, error);
}

static int complain(carom_status status, const carom_error *error)
{
    fprintf(stderr, "large: %s\n", error->text);
    return status == CAROM_BAD_INPUT ? 2 : 1;
}

static int reduce(const char *from, const char *to)
{
    carom_fclib *problem = NULL;
    carom_error error = {0};
    carom_status status = carom_fclib_read(from, &problem, &error);
    if (status == CAROM_OK && !problem->is_global)
        status = carom_fail(&error, CAROM_BAD_INPUT, "%s holds a reduced problem already", from);
    if (status == CAROM_OK)
        status = large_problem_reduce(problem, &error);
    if (status == CAROM_OK)
        status = carom_fclib_write(to, problem, true, &error);
    const int exit_status = status == CAROM_OK ? 0 : complain(status, &error);
    if (status == CAROM_OK)
        printf("%s: %d contacts\n", to, problem->local.contacts);
    carom_fclib_free(problem);
    return exit_status;
}

static int settle(const char *run, const char *to)
{
    carom_fclib *problem = NULL;
    carom_error error = {0};
    carom_status status = settled_pile_make(run, &problem, &error);
    if (status == CAROM_OK)
        status = carom_fclib_write(to, problem, true, &error);
    const int exit_status = status == CAROM_OK ? 0 : complain(status, &error);
    if (status == CAROM_OK)
        printf("%s: %d contacts, %d unknowns\n", to, problem->global.contacts, problem->global.M.columns);
    carom_fclib_free(problem);
    return exit_status;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "settled") == 0)
        return settle(argv[2], argv[3]);
    if (argc == 4 && strcmp(argv[1], "reduce") == 0)
        return reduce(argv[2], argv[3]);
    if (argc < 2 ||
        (strcmp(argv[1], "block") != 0 && strcmp(argv[1], "grid") != 0 && strcmp(argv[1], "spheres") != 0))
        return usage();
    const int sides = strcmp(argv[1], "grid") == 0 ? 2 : 3;
    if (argc != sides + 3 && argc != sides + 4)
        return usage();
    int side[3] = {1, 1, 1};
    for (int k = 0; k < sides; k++)
        if (!read_whole(argv[2 + k], &side[k])) {
            fprintf(stderr, "large: '%s' is no number from 1 to 1000000\n", argv[2 + k]);
            return 2;
        }
    char *end = "";
    const double mu = argc == sides + 4 ? strtod(argv[sides + 3], &end) : 0.5;
    if (*end != '\0' || !(mu >= 0.0)) {
        fprintf(stderr, "large: MU must be a number >= 0; got '%s'\n", argv[sides + 3]);
        return 2;
    }
    carom_fclib *problem;
    carom_error error;
    carom_status status = make(argv[1], side, mu, &problem, &error);
    if (status == CAROM_OK)
        status = carom_fclib_write(argv[2 + sides], problem, true, &error);
    if (status != CAROM_OK)
        return complain(status, &error);
    printf("%s: %d contacts, %d unknowns\n", argv[2 + sides], problem->global.contacts,
           problem->global.M.columns);
    carom_fclib_free(problem);
    return 0;
}
