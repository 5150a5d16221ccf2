/* Solves a frictional contact problem in a file of FCLIB's format and prints the proof.
 *
 *   cc solve_fclib.c $(pkg-config --cflags --libs carom) -o solve_fclib
 *   ./solve_fclib PROBLEM.hdf5           without a file: three blocks, written to a file and read back
 */
#include <carom/carom.h>
#include <stdio.h>

/* Three blocks of masses 1, 2 and 4 on a floor, one contact each (normal, two tangents), u = W r + q: W is the
 * inverse mass, q the velocity after a step without contact. One flies off, one sticks, one slides. */
static carom_status write_blocks(const char *path, carom_error *error)
{
    double inverse[] = {1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25}, q[] = {0.2, 1, 0, -1, 0.3, 0, -1, 0, 2};
    double mu[] = {0.5, 0.5, 0.5};
    int start[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, row[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    char title[] = "three blocks";
    const carom_fclib blocks = {
        .local = {.dimension = 3, .contacts = 3, .W = {9, 9, start, row, inverse}, .q = q, .mu = mu},
        .title = title};
    return carom_fclib_write(path, &blocks, true, error);
}

/* FC(W, q, mu) of a file, whichever of FCLIB's two forms it has. */
static carom_status pose(const carom_fclib *file, carom_arena *arena, carom_coulomb *problem,
                         carom_error *error)
{
    return file->is_global ? carom_coulomb_reduce(&file->global, arena, problem, error)
                           : carom_coulomb_embed(&file->local, arena, problem, error);
}

static carom_status solve(const carom_coulomb *problem, carom_arena *arena, carom_error *error)
{
    const size_t size = 3 * (size_t)problem->contacts;
    double *r = carom_arena_take(arena, size, sizeof *r), *u = carom_arena_take(arena, size, sizeof *u);
    if (!r || !u)
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    carom_solve_report report;
    carom_status status = carom_coulomb_solve(carom_solver_find(CAROM_PROBLEM_COULOMB, "auto", NULL), problem,
                                              &(carom_solver_options){.tolerance = 1e-8}, r, &report, error);
    if (status != CAROM_OK)
        return status;
    /* The certificate does not come from the solver: it is computed from r alone. */
    carom_coulomb_summary proof;
    carom_coulomb_summarise(problem, r, u, NULL, &proof);
    printf("%d contacts: %s\n", problem->contacts, carom_solve_word_text(report.word));
    printf("  error %s 1e-8, open %d, sliding %d, sticking %d\n", proof.error <= 1e-8 ? "<=" : ">",
           proof.open, proof.sliding, proof.sticking);
    printf("  energy %.6f, dissipation %.6f\n", proof.energy, proof.dissipation);
    for (int i = 0; i < problem->contacts && i < 3; i++)
        printf("  contact %d: reaction %9.6f %9.6f %9.6f   velocity %9.6f %9.6f %9.6f\n", i + 1,
               r[3 * i] + 0.0, r[3 * i + 1] + 0.0, r[3 * i + 2] + 0.0, u[3 * i] + 0.0, u[3 * i + 1] + 0.0,
               u[3 * i + 2] + 0.0);
    return proof.error <= 1e-8 ? CAROM_OK : carom_fail(error, CAROM_FAILED, "not solved");
}

int main(int argc, char **argv)
{
    const char *own = "three_blocks.hdf5", *path = argc > 1 ? argv[1] : own;
    carom_fclib *file = NULL;
    carom_coulomb problem;
    carom_error error;
    carom_arena *arena = carom_arena_create();
    carom_status status = arena ? CAROM_OK : carom_fail(&error, CAROM_NO_MEMORY, "out of memory");
    if (status == CAROM_OK && path == own)
        status = write_blocks(own, &error);
    if (status == CAROM_OK)
        status = carom_fclib_read(path, &file, &error);
    if (status == CAROM_OK)
        status = pose(file, arena, &problem, &error);
    if (status == CAROM_OK)
        status = solve(&problem, arena, &error);
    if (status != CAROM_OK)
        fprintf(stderr, "solve_fclib: %s\n", error.text);
    if (path == own)
        remove(own);
    carom_fclib_free(file);
    carom_arena_free(arena);
    return status != CAROM_OK;
}
