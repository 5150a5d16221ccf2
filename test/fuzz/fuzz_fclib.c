/* Any bytes as an FCLIB file: they are read or refused; what was read is reduced, written and read again. */
#include <stdio.h>
#include <stdlib.h>

#include <hdf5.h>

#include "carom/contact/rolling.h"
#include "carom/io.h"

static const char *const input = "input.hdf5", *const copy = "copy.hdf5";

/* ---- seeds --------------------------------------------------------------------------------------------- */

/* A problem of one contact, as small as files come; `equations` adds one. Rolling friction has 5 numbers. */
static carom_fclib small_problem(carom_arena *arena, bool is_global, int dimension, int equations)
{
    static const int index[] = {0, 1, 2, 3, 4};
    static const double one[] = {1.0, 1.0, 1.0, 1.0, 1.0}, mu[] = {0.5};
    static double rest[] = {0.0, 0.0, 0.0, 0.0, 0.0};
    const double *mu_r = dimension == 5 ? mu : NULL;
    static carom_fclib_solution guess = {.r = rest};
    carom_fclib file = {.arena = arena, .is_global = is_global, .title = "seed", .solution = {.u = rest}};
    carom_sparse square, column, single;
    const size_t size = (size_t)dimension, count = (size_t)equations;
    if (!carom_sparse_take(arena, dimension, dimension, size, index, index, one, &square) ||
        !carom_sparse_take(arena, dimension, equations, count, index, index, one, &column) ||
        !carom_sparse_take(arena, equations, equations, count, index, index, one, &single))
        abort();
    if (is_global)
        file.global =
            (carom_coulomb_global){dimension, 1, square, square, column, one, one, one, mu, mu_r, NULL};
    else
        file.local = (carom_coulomb_local){dimension, 1, square, column, single, one, one, mu, mu_r, NULL};
    file.guess_count = 1;
    file.guess = &guess;
    return file;
}

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Writes the seeds to the directory of the environment variable CAROM_FUZZ_SEEDS. */
int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count, (void)arguments;
    H5set_free_list_limits(-1, -1, -1, -1, -1, -1); /* what a file needs is there for the next one */
    const char *directory = getenv("CAROM_FUZZ_SEEDS");
    for (int k = 0; directory && k < 12; k++) {
        char path[1024];
        carom_arena *arena = carom_arena_create();
        const carom_fclib file =
            small_problem(arena, k & 1, k < 8 ? 2 + (k >> 1 & 1) : 5, k < 8 ? k >> 2 : k >> 1 & 1);
        snprintf(path, sizeof path, "%s/seed-%d", directory, k);
        if (carom_fclib_write(path, &file, true, NULL) != CAROM_OK)
            abort();
        carom_arena_free(arena);
    }
    return 0;
}

/* ---- one input ----------------------------------------------------------------------------------------- */

static void write_input(const uint8_t *bytes, size_t size)
{
    FILE *stream = fopen(input, "wb");
    if (!stream || fwrite(bytes, 1, size, stream) != size || fclose(stream) != 0)
        abort();
}

static void reduce(const carom_fclib *file)
{
    carom_arena *arena = carom_arena_create();
    carom_coulomb problem;
    carom_rolling rolling;
    carom_error error;
    carom_status status;
    if (file->is_global ? file->global.mu_r : file->local.mu_r)
        status = file->is_global ? carom_rolling_reduce(&file->global, arena, &rolling, &error)
                                 : carom_rolling_embed(&file->local, arena, &rolling, &error);
    else
        status = file->is_global ? carom_coulomb_reduce(&file->global, arena, &problem, &error)
                                 : carom_coulomb_embed(&file->local, arena, &problem, &error);
    if (status != CAROM_OK && status != CAROM_FAILED)
        abort();
    carom_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    carom_fclib *file = NULL, *again = NULL;
    carom_error error;
    write_input(bytes, size);
    const carom_status status = carom_fclib_read(input, &file, &error);
    if (status == CAROM_BAD_INPUT)
        return 0;
    if (status != CAROM_OK)
        abort();
    reduce(file);
    if (carom_fclib_write(copy, file, true, &error) != CAROM_OK ||
        carom_fclib_read(copy, &again, &error) != CAROM_OK)
        abort();
    carom_fclib_free(again);
    carom_fclib_free(file);
    return 0;
}
