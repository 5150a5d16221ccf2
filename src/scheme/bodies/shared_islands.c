/* Islands of one motion that several processes compute side by side: each solves some of them and tells the others. An island is
 * solved to the same bits whoever solves it, so that all processes stay at the same state, which is that of one alone. */
#include <stdlib.h>
#include <string.h>

#include "body_step_data.h"

enum {
    REPORT = 7 /* numbers */
};

void shared_islands_free(shared_islands *self)
{
    free(self->owner);
    free(self->number);
    free(self->start);
    free(self->load);
}

bool shared_islands_used(const body_step *self, int points)
{
    const carom_sharing *sharing = self->stepper->sharing;
    return sharing && !self->cut.used && sharing->ranks > 1 && !self->moments.used && self->islands > 1 &&
           points >= 2 * sharing->ranks;
}

static bool is_shared(const body_step *self, int island)
{
    return !self->island_jointed[island];
}

static bool take(void **array, size_t count, size_t size)
{
    void *larger = realloc(*array, carom_product(count, size));
    if (larger)
        *array = larger;
    return larger != NULL;
}

static size_t size_of(const body_step *self, int island)
{
    return 3 * (size_t)(self->island_start[island + 1] - self->island_start[island]) +
           6 * (size_t)(self->island_bodies[island + 1] - self->island_bodies[island]) + REPORT;
}

/* Every island to whoever has the least to do. The first number of every process is the same where they are at the same state. */
static bool hand_out(body_step *self)
{
    shared_islands *shared = &self->shared;
    const int given = self->stepper->sharing->ranks, ranks = given > 1 ? given : 1;
    size_t all = (size_t)ranks;
    for (int island = 0; island < self->islands; island++)
        all += size_of(self, island);
    if (all > shared->room || (size_t)self->islands > shared->island_room || !shared->start) {
        const size_t room = all + all / 2, islands = (size_t)self->islands + (size_t)self->islands / 2 + 1;
        if (!take((void **)&shared->number, room, sizeof *shared->number) ||
            !take((void **)&shared->owner, islands, sizeof *shared->owner) ||
            !take((void **)&shared->start, (size_t)ranks + 1, sizeof *shared->start) ||
            !take((void **)&shared->load, (size_t)ranks, sizeof *shared->load))
            return false;
        shared->room = room;
        shared->island_room = islands;
    }
    for (int k = 0; k < ranks; k++) {
        shared->load[k] = 0.0;
        shared->start[k + 1] = 1;
    }
    shared->start[0] = 0;
    for (int island = 0; island < self->islands; island++) {
        int least = 0;
        for (int k = 1; k < ranks; k++)
            if (shared->load[k] < shared->load[least])
                least = k;
        shared->owner[island] = is_shared(self, island) ? least : -1;
        if (!is_shared(self, island))
            continue;
        const double points = self->island_start[island + 1] - self->island_start[island];
        shared->load[least] +=
            points * (10.0 + points); /* sweeps grow with the size of what they pass through */
        shared->start[least + 1] += size_of(self, island);
    }
    for (int k = 0; k < ranks; k++)
        shared->start[k + 1] += shared->start[k];
    return true;
}

static void put_report(const carom_solve_report *report, double *to)
{
    const double number[REPORT] = {report->status,
                                   report->iterations,
                                   report->error,
                                   report->tolerance,
                                   report->word,
                                   (double)report->inner_iterations,
                                   (double)report->local_failures};
    memcpy(to, number, sizeof number);
}

static void take_report(const double *from, carom_solve_report *report)
{
    *report = (carom_solve_report){.status = (carom_status)from[0],
                                   .iterations = (int)from[1],
                                   .error = from[2],
                                   .tolerance = from[3],
                                   .word = (carom_solve_word)from[4],
                                   .inner_iterations = (long)from[5],
                                   .local_failures = (long)from[6],
                                   .failed_contact = -1};
}

/* The solutions of islands of one process, to or from the list. */
static void pass(body_step *self, int rank, bool writes)
{
    const shared_islands *shared = &self->shared;
    double *at = shared->number + shared->start[rank] + 1;
    for (int island = 0; island < self->islands; island++) {
        if (shared->owner[island] != rank)
            continue;
        double *r = self->island_r + body_step_first_number(self, island);
        double *velocity = self->island_velocity + 6 * (ptrdiff_t)self->island_bodies[island];
        const size_t points = 3 * (size_t)(self->island_start[island + 1] - self->island_start[island]),
                     bodies = 6 * (size_t)(self->island_bodies[island + 1] - self->island_bodies[island]);
        if (writes) {
            memcpy(at, r, points * sizeof *at);
            memcpy(at + points, velocity, bodies * sizeof *at);
            put_report(&self->island_report[island], at + points + bodies);
        } else {
            memcpy(r, at, points * sizeof *at);
            memcpy(velocity, at + points, bodies * sizeof *at);
            take_report(at + points + bodies, &self->island_report[island]);
        }
        at += points + bodies + REPORT;
    }
}

/* What tells states apart: any sum of all numbers that the islands are made of. */
static double mark_of(const body_step *self, const double *q)
{
    double sum = (double)self->islands;
    for (int k = 0; k < 3 * self->active; k++)
        sum += q[k] * (1.0 + 1e-3 * (k % 101));
    return sum;
}

static carom_status check_marks(const body_step *self, carom_error *error)
{
    const shared_islands *shared = &self->shared;
    for (int k = 1; k < self->stepper->sharing->ranks; k++)
        if (memcmp(shared->number + shared->start[k], shared->number, sizeof(double)) != 0)
            return carom_fail(
                error, CAROM_FAILED,
                "process %d is at another state than the first one at t = %.9g: they do not round "
                "alike; run on machines of one kind, or on one",
                k, self->stepper->state.t);
    return CAROM_OK;
}

carom_status shared_islands_solve(body_step *self, const double *q, double *r, double *x, carom_error *error)
{
    const carom_sharing *sharing = self->stepper->sharing;
    shared_islands *shared = &self->shared;
    if (!hand_out(self))
        return carom_fail_memory(error);
#pragma omp parallel for schedule(dynamic) num_threads(self->threads) if (self->threads > 1)
    for (int island = 0; island < self->islands; island++)
        if (shared->owner[island] >= 0) {
            const carom_pairs problem = body_step_gather_island(self, island, q, r);
            if (shared->owner[island] == sharing->rank)
                self->island_report[island] =
                    carom_pairs_solve(self->solver[body_step_thread()], &problem,
                                      self->island_r + body_step_first_number(self, island),
                                      self->island_velocity + 6 * (ptrdiff_t)self->island_bodies[island]);
        }
    shared->number[shared->start[sharing->rank]] = mark_of(self, q);
    pass(self, sharing->rank, true);
    carom_status status = sharing->exchange(sharing->context, shared->number, shared->start, error);
    if (status == CAROM_OK)
        status = check_marks(self, error);
    if (status != CAROM_OK)
        return status;
    for (int k = 0; k < sharing->ranks; k++)
        pass(self, k, false);
    for (int island = 0; island < self->islands; island++)
        if (shared->owner[island] >= 0)
            body_step_scatter_island(self, island, r, x);
    return CAROM_OK;
}
