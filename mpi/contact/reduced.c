#include "reduced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- who has what ------------------------------------------------------------------------------------------------ */

/* place[c] of a contact among all, and back: breadth first, a new start wherever a component ends. */
static void walk(const carom_blocks *W, int *place, int *at)
{
    int end = 0;
    for (int c = 0; c < W->rows; c++)
        place[c] = -1;
    for (int start = 0, head = 0; start < W->rows; start++) {
        if (place[start] < 0) {
            place[start] = end;
            at[end++] = start;
        }
        for (; head < end; head++)
            for (int k = W->row_start[at[head]]; k < W->row_start[at[head] + 1]; k++)
                if (place[W->column[k]] < 0) {
                    place[W->column[k]] = end;
                    at[end++] = W->column[k];
                }
    }
}

/* first[i]: the place of the first contact of rank i, ranks + 1 of them. */
static void cut(const carom_blocks *W, const int *at, int ranks, int *first)
{
    const double all = W->row_start[W->rows];
    double sum = 0.0;
    int rank = 0;
    first[0] = 0;
    for (int i = 0; i < W->rows; i++) {
        sum += W->row_start[at[i] + 1] - W->row_start[at[i]];
        while (rank + 1 < ranks && sum >= all * (rank + 1) / ranks)
            first[++rank] = i + 1;
    }
    while (rank < ranks)
        first[++rank] = W->rows;
}

static int rank_of(const int *first, int ranks, int place)
{
    int low = 0, high = ranks - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (first[middle] <= place)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

typedef struct layout {
    const carom_blocks *W;
    int rank, ranks;
    int *place, *at, *first;
    int *mark; /* per contact */
} layout;

static bool is_own(const layout *l, int place)
{
    return place >= l->first[l->rank] && place < l->first[l->rank + 1];
}

/* Places of other ranks' contacts that own rows meet, ascending: copies[k]. Returns their number; only counts without a list. */
static int find_copies(const layout *l, int *copies)
{
    int count = 0;
    memset(l->mark, 0, (size_t)l->W->rows * sizeof *l->mark);
    for (int i = l->first[l->rank]; i < l->first[l->rank + 1]; i++)
        for (int k = l->W->row_start[l->at[i]]; k < l->W->row_start[l->at[i] + 1]; k++)
            l->mark[l->W->column[k]] = 1;
    for (int i = 0; i < l->W->rows; i++)
        if (l->mark[l->at[i]] && !is_own(l, i)) {
            if (copies)
                copies[count] = i;
            count++;
        }
    return count;
}

/* Own contacts that rows of `rank` meet, in the order of their places. */
static int find_sent(const layout *l, int rank, int *send)
{
    int count = 0;
    memset(l->mark, 0, (size_t)l->W->rows * sizeof *l->mark);
    for (int i = l->first[rank]; i < l->first[rank + 1]; i++)
        for (int k = l->W->row_start[l->at[i]]; k < l->W->row_start[l->at[i] + 1]; k++)
            l->mark[l->W->column[k]] = 1;
    for (int i = l->first[l->rank]; i < l->first[l->rank + 1]; i++)
        if (l->mark[l->at[i]]) {
            if (send)
                send[count] = i - l->first[l->rank];
            count++;
        }
    return count;
}

static int find_copy(const struct reduced *W, int place)
{
    int low = 0, high = W->copies - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (W->copy_place[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool take_rows(struct reduced *to, const layout *l)
{
    const carom_blocks *W = l->W;
    size_t blocks = 0;
    for (int i = 0; i < to->contacts; i++) {
        const int c = l->at[to->first + i];
        blocks += (size_t)(W->row_start[c + 1] - W->row_start[c]);
    }
    to->row_start = carom_new_array((size_t)to->contacts + 1, sizeof(int));
    to->diagonal = carom_new_array((size_t)to->contacts + 1, sizeof(int));
    to->column = carom_new_array(blocks + 1, sizeof(int));
    to->block = carom_new_array(9 * blocks + 9, sizeof(double));
    if (!to->row_start || !to->diagonal || !to->column || !to->block)
        return false;
    for (int i = 0, end = 0; i < to->contacts; i++) {
        const int c = l->at[to->first + i];
        for (int k = W->row_start[c]; k < W->row_start[c + 1]; k++, end++) {
            const int place = l->place[W->column[k]];
            to->column[end] = is_own(l, place) ? place - to->first : to->contacts + find_copy(to, place);
            if (place == to->first + i)
                to->diagonal[i] = end;
            memcpy(to->block + 9 * (size_t)end, carom_block_at(W, k), 9 * sizeof *to->block);
        }
        to->row_start[i + 1] = end;
    }
    return true;
}

static bool take_neighbours(struct reduced *to, const layout *l)
{
    const size_t ranks = (size_t)l->ranks;
    to->ranks = l->ranks;
    to->send_start = carom_new_array(ranks + 1, sizeof(int));
    to->receive_start = carom_new_array(ranks + 1, sizeof(int));
    to->request = carom_new_array(2 * ranks, sizeof *to->request);
    if (!to->send_start || !to->receive_start || !to->request)
        return false;
    for (int rank = 0; rank < l->ranks; rank++)
        to->send_start[rank + 1] = to->send_start[rank] + (rank == l->rank ? 0 : find_sent(l, rank, NULL));
    for (int k = 0; k < to->copies; k++)
        to->receive_start[rank_of(l->first, l->ranks, to->copy_place[k]) + 1]++;
    for (int rank = 0; rank < l->ranks; rank++)
        to->receive_start[rank + 1] += to->receive_start[rank];
    const size_t sent = (size_t)to->send_start[l->ranks];
    to->send = carom_new_array(sent + 1, sizeof(int));
    to->letter = carom_new_array(3 * sent + 3, sizeof(double));
    if (!to->send || !to->letter)
        return false;
    for (int rank = 0; rank < l->ranks; rank++)
        if (rank != l->rank)
            find_sent(l, rank, to->send + to->send_start[rank]);
    return true;
}

static bool take_own(carom_mpi_contact *self, const layout *l, const carom_coulomb *whole)
{
    struct reduced *W = self->W;
    const size_t own = (size_t)self->contacts;
    W->contacts = self->contacts;
    W->first = l->first[l->rank];
    W->copies = find_copies(l, NULL);
    W->copy_place = carom_new_array((size_t)W->copies + 1, sizeof(int));
    W->r = carom_new_array(3 * (own + (size_t)W->copies) + 3, sizeof(double));
    double **three[] = {&self->q, &self->u, &self->r};
    for (size_t k = 0; k < sizeof three / sizeof *three; k++)
        *three[k] = carom_new_array(3 * own + 3, sizeof(double));
    self->number = carom_new_array(own + 1, sizeof(int));
    self->mu = carom_new_array(own + 1, sizeof(double));
    self->w = carom_new_array(3 * own + 3, sizeof(double)); /* q again: the velocity without reactions */
    self->rho = carom_new_array(own + 1, sizeof *self->rho);
    if (!W->copy_place || !W->r || !self->q || !self->u || !self->r || !self->number || !self->mu ||
        !self->w || !self->rho)
        return false;
    find_copies(l, W->copy_place);
    for (int i = 0; i < self->contacts; i++) {
        const int c = l->at[W->first + i];
        self->number[i] = c;
        self->mu[i] = whole->mu[c];
        memcpy(self->w + 3 * (ptrdiff_t)i, whole->q + 3 * (ptrdiff_t)c, 3 * sizeof(double));
    }
    return take_rows(W, l) && take_neighbours(W, l);
}

static bool take(carom_mpi_contact *self, const carom_coulomb *whole)
{
    const size_t all = (size_t)whole->contacts;
    layout l = {.W = &whole->W,
                .place = carom_new_array(all + 1, sizeof(int)),
                .at = carom_new_array(all + 1, sizeof(int)),
                .mark = carom_new_array(all + 1, sizeof(int))};
    MPI_Comm_rank(self->communicator, &l.rank);
    MPI_Comm_size(self->communicator, &l.ranks);
    l.first = carom_new_array((size_t)l.ranks + 1, sizeof(int));
    self->W = carom_new_array(1, sizeof *self->W);
    bool taken = l.place && l.at && l.mark && l.first && self->W;
    if (taken) {
        walk(&whole->W, l.place, l.at);
        cut(&whole->W, l.at, l.ranks, l.first);
        self->d = 3;
        self->contacts = l.first[l.rank + 1] - l.first[l.rank];
        self->all_contacts = whole->contacts;
        taken = take_own(self, &l, whole);
    }
    free(l.place);
    free(l.at);
    free(l.mark);
    free(l.first);
    return taken;
}

void reduced_free(struct reduced *W)
{
    if (!W)
        return;
    void *array[] = {W->row_start,  W->column, W->diagonal,      W->block,  W->r,      W->copy_place,
                     W->send_start, W->send,   W->receive_start, W->letter, W->request};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        free(array[i]);
    free(W);
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

void reduced_exchange(carom_mpi_contact *self, const double *r)
{
    struct reduced *W = self->W;
    int count = 0;
    memcpy(W->r, r, 3 * (size_t)W->contacts * sizeof *r);
    for (int rank = 0; rank < W->ranks; rank++) {
        const int from = W->receive_start[rank], number = W->receive_start[rank + 1] - from;
        if (number > 0)
            MPI_Irecv(W->r + 3 * (ptrdiff_t)(W->contacts + from), 3 * number, MPI_DOUBLE, rank, 0,
                      self->communicator, &W->request[count++]);
    }
    for (int k = 0; k < W->send_start[W->ranks]; k++)
        memcpy(W->letter + 3 * (ptrdiff_t)k, r + 3 * (ptrdiff_t)W->send[k], 3 * sizeof *r);
    for (int rank = 0; rank < W->ranks; rank++) {
        const int from = W->send_start[rank], number = W->send_start[rank + 1] - from;
        if (number > 0)
            MPI_Isend(W->letter + 3 * (ptrdiff_t)from, 3 * number, MPI_DOUBLE, rank, 0, self->communicator,
                      &W->request[count++]);
    }
    MPI_Waitall(count, W->request, MPI_STATUSES_IGNORE);
    W->exchanges++;
}

void reduced_multiply(carom_mpi_contact *self, const double *r, double *u)
{
    const struct reduced *W = self->W;
    reduced_exchange(self, r);
    for (int i = 0; i < W->contacts; i++) {
        double *to = u + 3 * (ptrdiff_t)i;
        memcpy(to, self->w + 3 * (ptrdiff_t)i, 3 * sizeof *to);
        for (int k = W->row_start[i]; k < W->row_start[i + 1]; k++)
            carom_block_add(W->block + 9 * (ptrdiff_t)k, W->r + 3 * (ptrdiff_t)W->column[k], to);
    }
}

static double inverse_or_one(double W)
{
    return W > 0.0 ? 1.0 / W : 1.0;
}

void reduced_stiffness(carom_mpi_contact *self, double *trace)
{
    const struct reduced *W = self->W;
    double own = 0.0;
    for (int i = 0; i < W->contacts; i++) {
        const double *block = W->block + 9 * (ptrdiff_t)W->diagonal[i];
        own += block[0] + block[4] + block[8];
        self->rho[i].normal = inverse_or_one(block[0]);
        self->rho[i].tangent = inverse_or_one(fmax(block[4], block[8]));
    }
    *trace = distributed_sum(self, own);
}

/* ---- Newton's step ----------------------------------------------------------------------------------------------- */

static void fill_places(const struct reduced *W, PetscInt *row, PetscInt *column)
{
    PetscCount at = 0;
    for (int i = 0; i < W->contacts; i++)
        for (int k = W->row_start[i]; k < W->row_start[i + 1]; k++) {
            const int j = W->column[k],
                      place = j < W->contacts ? W->first + j : W->copy_place[j - W->contacts];
            for (int e = 0; e < 9; e++, at++) {
                row[at] = 3 * (W->first + i) + e / 3;
                column[at] = 3 * place + e % 3;
            }
        }
}

/* I + D W */
static PetscErrorCode fill_matrix(carom_mpi_contact *self, const double *D)
{
    const struct reduced *W = self->W;
    PetscFunctionBeginUser;
    for (int i = 0; i < W->contacts; i++)
        for (int k = W->row_start[i]; k < W->row_start[i + 1]; k++) {
            const double *block = W->block + 9 * (ptrdiff_t)k, *d = D + 9 * (ptrdiff_t)i;
            double *to = self->entry + 9 * (ptrdiff_t)k;
            for (int e = 0; e < 9; e++) {
                const double *left = d + 3 * (ptrdiff_t)(e / 3), *right = block + e % 3;
                to[e] = left[0] * right[0] + left[1] * right[3] + left[2] * right[6] +
                        (k == W->diagonal[i] && e % 4 == 0 ? 1.0 : 0.0);
            }
        }
    PetscCall(MatSetValuesCOO(self->A, self->entry, INSERT_VALUES));
    PetscFunctionReturn(0);
}

PetscErrorCode reduced_step(carom_mpi_contact *self, double tolerance, const double *D, const double *g)
{
    double *x;
    const double *dr;
    PetscFunctionBeginUser;
    PetscCall(fill_matrix(self, D));
    PetscCall(VecGetArray(self->work[0], &x));
    for (int k = 0; k < 3 * self->contacts; k++)
        x[k] = -g[k];
    PetscCall(VecRestoreArray(self->work[0], &x));
    PetscCall(distributed_solve(self, tolerance, self->work[0], self->work[1]));
    PetscCall(VecGetArrayRead(self->work[1], &dr));
    for (int k = 0; k < 3 * self->contacts; k++)
        self->r[k] += dr[k];
    PetscCall(VecRestoreArrayRead(self->work[1], &dr));
    reduced_multiply(self, self->r, self->u);
    PetscFunctionReturn(0);
}

static PetscErrorCode make_matrix(carom_mpi_contact *self)
{
    const struct reduced *W = self->W;
    PetscFunctionBeginUser;
    self->velocities = 3 * self->contacts;
    self->all_velocities = 3 * self->all_contacts;
    self->all_entries = 9 * (PetscCount)W->row_start[W->contacts];
    self->entry = calloc((size_t)self->all_entries + 1, sizeof *self->entry);
    PetscInt *row = calloc((size_t)self->all_entries + 1, sizeof *row),
             *column = calloc((size_t)self->all_entries + 1, sizeof *column);
    if (!row || !column || !self->entry) {
        free(row);
        free(column);
        SETERRQ(self->communicator, PETSC_ERR_MEM, "memory is short");
    }
    fill_places(W, row, column);
    PetscCall(distributed_make_matrix(self, row, column));
    free(row);
    free(column);
    PetscFunctionReturn(0);
}

carom_status carom_mpi_contact_spread_reduced(MPI_Comm communicator, const carom_coulomb *whole,
                                              carom_mpi_linear linear, carom_mpi_contact **problem,
                                              carom_error *error)
{
    *problem = NULL;
    if (linear == CAROM_MPI_FREE)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "products alone serve the global form (M, H); the reduced one takes direct, hypre or gamg");
    carom_mpi_contact *self = carom_new_array(1, sizeof *self);
    if (self)
        self->communicator = communicator;
    int own = self && take(self, whole), all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, communicator);
    if (!all || !self) {
        carom_mpi_contact_free(self);
        return carom_fail_memory(error);
    }
    PetscErrorCode code = make_matrix(self);
    if (code == 0)
        code = distributed_make_solver(self, linear);
    if (code != 0) {
        carom_mpi_contact_free(self);
        return distributed_status(code, "the matrices of the contact problem", error);
    }
    *problem = self;
    return CAROM_OK;
}
