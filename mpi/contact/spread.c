/* Global problems cut into the parts of ranks: from a whole one that every rank holds, or from one whose entries are anywhere. */
#include <limits.h>
#include <stdlib.h>

#include "distributed.h"

/* Velocities first[rank] to first[rank + 1] - 1, nodes together. */
static int first_of(int velocities, int rank, int ranks)
{
    const int nodes = (velocities + 2) / 3;
    const int first = 3 * (int)((long long)nodes * rank / ranks);
    return first < velocities ? first : velocities;
}

static int owner_of(int velocities, int velocity, int ranks)
{
    int low = 0, high = ranks - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (first_of(velocities, middle, ranks) <= velocity)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The first velocity that each contact acts on, over the entries of all ranks: whose that is, his is the contact. 0: it acts on none. */
static bool find_homes(MPI_Comm communicator, const carom_coulomb_global *global, int *home)
{
    const int d = global->dimension, rows = global->M.columns;
    const carom_sparse *H = &global->H;
    long long *key = carom_new_array((size_t)global->contacts + 1, sizeof *key);
    if (!distributed_all_can(communicator, key && home) || !key || !home) {
        free(key);
        return false;
    }
    for (int a = 0; a < global->contacts; a++) {
        key[a] = LLONG_MAX;
        for (int k = d - 1; k >= 0; k--) /* rows ascend */
            if (H->column_start[d * a + k] < H->column_start[d * a + k + 1])
                key[a] = (long long)k * rows + H->row[H->column_start[d * a + k]];
    }
    MPI_Allreduce(MPI_IN_PLACE, key, global->contacts, MPI_LONG_LONG, MPI_MIN, communicator);
    for (int a = 0; a < global->contacts; a++)
        home[a] = key[a] == LLONG_MAX ? 0 : (int)(key[a] % rows);
    free(key);
    return true;
}

/* ---- entries that are anywhere ----------------------------------------------------------------------------------- */

/* Entries of a matrix that go to ranks, or come from them: those of a rank together. */
typedef struct letters {
    int *count, *start, *row, *column;
    double *value;
} letters;

static bool begin_letters(carom_arena *arena, int ranks, letters *self)
{
    self->count = carom_arena_take(arena, (size_t)ranks, sizeof(int));
    self->start = carom_arena_take(arena, (size_t)ranks + 1, sizeof(int));
    return self->count && self->start;
}

static bool make_room(carom_arena *arena, int ranks, letters *self)
{
    for (int rank = 0; rank < ranks; rank++)
        self->start[rank + 1] = self->start[rank] + self->count[rank];
    const size_t all = (size_t)self->start[ranks];
    self->row = carom_arena_take(arena, all, sizeof(int));
    self->column = carom_arena_take(arena, all, sizeof(int));
    self->value = carom_arena_take(arena, all, sizeof(double));
    return self->row && self->column && self->value;
}

/* By rows or, with the homes of contacts, by columns. */
typedef struct owners {
    int velocities, ranks, dimension;
    const int *home; /* NULL: by rows */
} owners;

static int owner(const owners *by, int row, int column)
{
    return owner_of(by->velocities, by->home ? by->home[column / by->dimension] : row, by->ranks);
}

static void pack(const carom_sparse *from, const owners *by, letters *sent)
{
    int *next = sent->count; /* counted again while they are filled */
    for (int rank = 0; rank < by->ranks; rank++)
        next[rank] = 0;
    for (int j = 0; j < from->columns; j++)
        for (int k = from->column_start[j]; k < from->column_start[j + 1]; k++) {
            const int rank = owner(by, from->row[k], j), at = sent->start[rank] + next[rank]++;
            sent->row[at] = from->row[k];
            sent->column[at] = j;
            sent->value[at] = from->value[k];
        }
}

static void exchange(MPI_Comm communicator, const letters *sent, const letters *received)
{
    MPI_Alltoallv(sent->row, sent->count, sent->start, MPI_INT, received->row, received->count,
                  received->start, MPI_INT, communicator);
    MPI_Alltoallv(sent->column, sent->count, sent->start, MPI_INT, received->column, received->count,
                  received->start, MPI_INT, communicator);
    MPI_Alltoallv(sent->value, sent->count, sent->start, MPI_DOUBLE, received->value, received->count,
                  received->start, MPI_DOUBLE, communicator);
}

/* All entries of what this rank owns, of which every rank had some. */
static bool collect(MPI_Comm communicator, const carom_sparse *from, const owners *by, carom_arena *arena,
                    carom_sparse *to)
{
    letters sent = {0}, received = {0};
    carom_arena *scratch = carom_arena_create();
    bool can =
        scratch && begin_letters(scratch, by->ranks, &sent) && begin_letters(scratch, by->ranks, &received);
    for (int j = 0; can && j < from->columns; j++)
        for (int k = from->column_start[j]; k < from->column_start[j + 1]; k++)
            sent.count[owner(by, from->row[k], j)]++;
    if (distributed_all_can(communicator, can)) {
        MPI_Alltoall(sent.count, 1, MPI_INT, received.count, 1, MPI_INT, communicator);
        can = make_room(scratch, by->ranks, &sent) && make_room(scratch, by->ranks, &received);
        if (distributed_all_can(communicator, can)) {
            pack(from, by, &sent);
            exchange(communicator, &sent, &received);
            can = carom_sparse_take(arena, from->rows, from->columns, (size_t)received.start[by->ranks],
                                    received.row, received.column, received.value, to);
        }
    }
    carom_arena_free(scratch);
    return distributed_all_can(communicator, can);
}

/* ---- the part of a rank ------------------------------------------------------------------------------------------ */

/* Rows of M from its columns. */
static bool take_rows(carom_arena *arena, const carom_sparse *M, int first, int end,
                      carom_mpi_contact_part *part)
{
    const int own = end - first;
    int *start = carom_arena_take(arena, (size_t)own + 2, sizeof *start);
    if (!start)
        return false;
    for (int k = 0; k < M->column_start[M->columns]; k++)
        if (M->row[k] >= first && M->row[k] < end)
            start[M->row[k] - first + 2]++;
    for (int i = 0; i < own; i++)
        start[i + 2] += start[i + 1];
    const size_t count = (size_t)start[own + 1];
    int *column = carom_arena_take(arena, count, sizeof *column);
    double *value = carom_arena_take(arena, count, sizeof *value);
    if (!column || !value)
        return false;
    for (int j = 0; j < M->columns; j++)
        for (int k = M->column_start[j]; k < M->column_start[j + 1]; k++)
            if (M->row[k] >= first && M->row[k] < end) {
                const int at = start[M->row[k] - first + 1]++;
                column[at] = j;
                value[at] = M->value[k];
            }
    part->row_start = start;
    part->column = column;
    part->value = value;
    return true;
}

static bool take_contacts(carom_arena *arena, const carom_coulomb_global *global, const int *home, int first,
                          int end, carom_mpi_contact_part *part)
{
    const int d = global->dimension;
    int contacts = 0, entries = 0;
    for (int a = 0; a < global->contacts; a++)
        if (home[a] >= first && home[a] < end) {
            contacts++;
            entries += global->H.column_start[d * (a + 1)] - global->H.column_start[d * a];
        }
    const size_t columns = (size_t)(d * contacts);
    int *start = carom_arena_take(arena, columns + 1, sizeof *start);
    int *row = carom_arena_take(arena, (size_t)entries, sizeof *row);
    int *number = carom_arena_take(arena, (size_t)contacts, sizeof *number);
    double *value = carom_arena_take(arena, (size_t)entries, sizeof *value);
    double *w = carom_arena_take(arena, columns, sizeof *w),
           *mu = carom_arena_take(arena, (size_t)contacts, sizeof *mu);
    if (!start || !row || !number || !value || !w || !mu)
        return false;
    int c = 0, at = 0;
    for (int a = 0; a < global->contacts; a++) {
        if (home[a] < first || home[a] >= end)
            continue;
        for (int k = 0; k < d; k++) {
            for (int e = global->H.column_start[d * a + k]; e < global->H.column_start[d * a + k + 1];
                 e++, at++) {
                row[at] = global->H.row[e];
                value[at] = global->H.value[e];
            }
            start[d * c + k + 1] = at;
            w[d * c + k] = global->w[d * a + k];
        }
        mu[c] = global->mu[a];
        number[c++] = a;
    }
    part->dimension = d;
    part->contacts = contacts;
    part->entry_start = start;
    part->entry_row = row;
    part->entry_value = value;
    part->w = w;
    part->mu = mu;
    part->number = number;
    return true;
}

/* `global` has all entries of what this rank owns. */
static bool take_part(MPI_Comm communicator, const carom_coulomb_global *global, const int *home,
                      carom_arena *arena, carom_mpi_contact_part *part)
{
    int rank, ranks;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    const int first = first_of(global->M.columns, rank, ranks),
              end = first_of(global->M.columns, rank + 1, ranks);
    double *f = carom_arena_take(arena, (size_t)(end - first), sizeof *f);
    for (int i = first; f && i < end; i++)
        f[i - first] = global->f[i];
    *part = (carom_mpi_contact_part){.velocities = end - first, .f = f};
    return f && take_rows(arena, &global->M, first, end, part) &&
           take_contacts(arena, global, home, first, end, part);
}

/* All that this rank owns, of which it may have some. */
static bool collect_own(MPI_Comm communicator, const carom_coulomb_global *some, carom_arena *scratch,
                        const int *home, carom_coulomb_global *own)
{
    owners by = {.velocities = some->M.columns, .dimension = some->dimension};
    MPI_Comm_size(communicator, &by.ranks);
    *own = *some;
    if (by.ranks == 1)
        return true;
    if (!collect(communicator, &some->M, &by, scratch, &own->M))
        return false;
    by.home = home;
    return collect(communicator, &some->H, &by, scratch, &own->H);
}

static carom_status make_part(MPI_Comm communicator, const carom_coulomb_global *given, bool is_whole,
                              carom_arena *arena, carom_mpi_contact_part *part, carom_error *error)
{
    if (given->G.columns > 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the problem has %d equations G^T v + b = 0, which solvers on ranks do not take",
                          given->G.columns);
    carom_coulomb_global own = *given;
    carom_arena *scratch = carom_arena_create();
    int *home = scratch ? carom_arena_take(scratch, (size_t)given->contacts + 1, sizeof *home) : NULL;
    bool can = find_homes(communicator, given, home) &&
               (is_whole || collect_own(communicator, given, scratch, home, &own));
    can = distributed_all_can(communicator, can && take_part(communicator, &own, home, arena, part));
    carom_arena_free(scratch);
    return can ? CAROM_OK : carom_fail_memory(error);
}

carom_status carom_mpi_contact_collect(MPI_Comm communicator, const carom_coulomb_global *some,
                                       carom_arena *arena, carom_mpi_contact_part *part, carom_error *error)
{
    return make_part(communicator, some, false, arena, part, error);
}

carom_status carom_mpi_contact_spread(MPI_Comm communicator, const carom_coulomb_global *global,
                                      carom_mpi_linear linear, carom_mpi_contact **problem,
                                      carom_error *error)
{
    *problem = NULL;
    carom_mpi_contact_part part;
    carom_arena *arena = carom_arena_create();
    carom_status status = distributed_all_can(communicator, arena != NULL)
                              ? make_part(communicator, global, true, arena, &part, error)
                              : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = carom_mpi_contact_create(communicator, &part, linear, problem, error);
    carom_arena_free(arena);
    return status;
}
