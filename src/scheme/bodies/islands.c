/* Points that share no free body, directly or through others, do not know of each other: each island is a contact problem
 * of its own. */
#include <math.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "body_step_data.h"
#include "scheme/parts/step_report.h"

enum {
    WORTH_THREADS = 64 /* points below which it takes longer to wake a thread */
};
static const double useless_error = 1e-3;

int body_step_thread(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/* Free bodies that rows first ... end - 1 touch hold together; the linked part is one body more, behind the others. Returns
 * one that they touch, -1: none. */
static int join_rows(body_step *self, int first, int end)
{
    const body_step_joints *joints = &self->joints;
    int last = -1;
    for (int row = first; row < end; row++) {
        for (int k = joints->block_start[row]; k < joints->block_start[row + 1]; k++) {
            const int body = joints->block[k].body;
            if (self->inverse_mass[body] == 0.0)
                continue;
            if (last >= 0)
                carom_sets_join(self->set, last, body);
            last = body;
        }
        for (int k = self->bodies->joint_start[row]; k < self->bodies->joint_start[row + 1]; k++)
            if (joints->entry_block[k] < 0) {
                if (last >= 0)
                    carom_sets_join(self->set, last, self->bodies->count);
                last = self->bodies->count;
            }
    }
    return last;
}

static bool has_rows(const body_step *self)
{
    return self->joints.rows + self->linked.count > 0;
}

/* Rows of contacts of expressions that take part: the first, and the one after the last. */
static bool rows_of_contact(const body_step *self, int contact, int *first, int *end)
{
    *first = row_contacts_row(self, contact);
    *end = *first + 1 + self->bodies->contact[contact].tangents;
    return self->rows.contact[contact].takes_part;
}

static void join_linked(body_step *self)
{
    int first, end;
    for (int i = 0; i < self->linked.bodies; i++)
        carom_sets_join(self->set, self->linked.body[i], self->bodies->count);
    for (int i = 0; i < self->rows.count; i++)
        if (rows_of_contact(self, i, &first, &end))
            join_rows(self, first, end);
}

/* Islands of joints, of the linked part and of contacts of expressions are solved with their rows. */
static void mark_jointed(body_step *self)
{
    int first, end;
    memset(self->jointed, 0, ((size_t)self->bodies->count + 1) * sizeof *self->jointed);
    const int rows = self->joints.count + self->joints.guides;
    for (int k = 0; rows > 0 && k < self->joints.block_start[rows]; k++)
        self->jointed[carom_sets_root(self->set, self->joints.block[k].body)] = true;
    self->jointed[carom_sets_root(self->set, self->bodies->count)] = true;
    for (int i = 0; i < self->rows.count; i++)
        if (rows_of_contact(self, i, &first, &end))
            for (int k = self->joints.block_start[first]; k < self->joints.block_start[end]; k++)
                self->jointed[carom_sets_root(self->set, self->joints.block[k].body)] = true;
}

/* The island of rows, by a body that they touch; it is numbered here where no point has done so. */
static int island_at(body_step *self, int body)
{
    if (body < 0)
        return -1;
    const int root = carom_sets_root(self->set, body);
    if (self->local[root] < 0)
        self->local[root] = self->islands++;
    return self->local[root];
}

/* Places for the bodies of each island; self->local has the number of the island at the root. */
static void number_bodies(body_step *self)
{
    int *place = self->island_bodies;
    memset(place, 0, ((size_t)self->islands + 1) * sizeof *place);
    for (int i = 0; i < self->bodies->count; i++) {
        const int island = self->inverse_mass[i] > 0.0 ? self->local[carom_sets_root(self->set, i)] : -1;
        if (island >= 0)
            place[island + 1]++;
    }
    for (int k = 0; k < self->islands; k++)
        place[k + 1] += place[k];
}

/* Found once, before threads ask. */
static bool is_jointed(body_step *self, int island)
{
    if (!has_rows(self))
        return false;
    if (self->island_start[island] == self->island_start[island + 1])
        return true; /* guides or contacts of expressions alone */
    for (int k = self->island_start[island]; k < self->island_start[island + 1]; k++)
        for (int side = 0; side < 2; side++) {
            const int body = self->row[self->island_point[k]].body[side];
            if (body >= 0 && self->jointed[carom_sets_root(self->set, body)])
                return true;
        }
    return false;
}

void body_step_find_islands(body_step *self, int points)
{
    int *set = self->set, *number = self->local;
    for (int i = 0; i <= self->bodies->count; i++) {
        set[i] = i;
        number[i] = -1;
    }
    for (int i = 0; i < points; i++)
        if (self->row[i].body[0] >= 0 && self->row[i].body[1] >= 0)
            carom_sets_join(set, self->row[i].body[0], self->row[i].body[1]);
    for (int i = 0; i < self->joints.count + self->joints.guides; i++)
        join_rows(self, i, i + 1);
    join_linked(self);
    self->islands = 0;
    if (has_rows(self))
        mark_jointed(self);
    for (int i = 0; i < points; i++) {
        const carom_pair_rows *row = &self->row[i];
        const int root = carom_sets_root(set, row->body[0] >= 0 ? row->body[0] : row->body[1]);
        if (number[root] < 0)
            number[root] = self->islands++;
        self->point[i].island = number[root];
    }
    for (int i = 0; i < self->joints.guides; i++) {
        const int row = self->joints.count + i;
        self->joints.island[i] = island_at(self, join_rows(self, row, row + 1));
    }
    for (int i = 0; i < self->rows.count; i++) {
        int first, end;
        const bool there = rows_of_contact(self, i, &first, &end);
        self->rows.contact[i].island = there ? island_at(self, join_rows(self, first, end)) : -1;
    }
    number_bodies(self);
    int *start = self->island_start;
    memset(start, 0, ((size_t)self->islands + 1) * sizeof *start);
    for (int i = 0; i < points; i++)
        start[self->point[i].island + 1]++;
    for (int k = 0; k < self->islands; k++)
        start[k + 1] += start[k];
    for (int i = 0; i < points; i++)
        self->island_point[start[self->point[i].island]++] = i;
    for (int k = self->islands; k > 0; k--)
        start[k] = start[k - 1];
    start[0] = 0;
    for (int k = 0; k < self->islands; k++)
        self->island_jointed[k] = is_jointed(self, k);
    jointed_pairs_find(self);
}

ptrdiff_t body_step_first_number(const body_step *self, int island)
{
    return (ptrdiff_t)(self->moments.used ? 9 : 3) * self->island_start[island];
}

/* Numbers the bodies of an island from 0. All it needs has its own places, whichever thread solves it. */
carom_pairs body_step_gather_island(body_step *self, int island, const double *q, const double *r)
{
    const int first = self->island_start[island], contacts = self->island_start[island + 1] - first;
    carom_pair_rows *rows = self->island_row + first;
    double *own_q = self->island_q + body_step_first_number(self, island);
    double *own_r = self->island_r + body_step_first_number(self, island);
    double *mass = self->island_mass + self->island_bodies[island];
    int bodies = 0;
    for (int k = 0; k < contacts; k++) {
        const int i = self->island_point[first + k];
        for (int side = 0; side < 2; side++)
            if (self->row[i].body[side] >= 0)
                self->local[self->row[i].body[side]] = -1;
    }
    if (self->jointed_pairs.is_large[island])
        jointed_pairs_forget(self, island);
    for (int k = 0; k < contacts; k++) {
        const int i = self->island_point[first + k];
        carom_pair_rows *row = &rows[k];
        *row = self->row[i];
        for (int side = 0; side < 2; side++) {
            const int body = row->body[side];
            if (body < 0)
                continue;
            if (self->local[body] < 0) {
                mass[bodies] = self->inverse_mass[body];
                self->local[body] = bodies++;
            }
            row->body[side] = self->local[body];
        }
        memcpy(own_q + 3 * (ptrdiff_t)k, q + 3 * (ptrdiff_t)i, 3 * sizeof *q);
        memcpy(own_r + 3 * (ptrdiff_t)k, r + 3 * (ptrdiff_t)i, 3 * sizeof *r);
    }
    carom_pairs problem = {.contacts = contacts,
                           .bodies = bodies,
                           .row = rows,
                           .inverse_mass = mass,
                           .q = own_q,
                           .plane = self->plane};
    if (self->jointed_pairs.is_large[island])
        jointed_pairs_gather(self, island, mass, &problem);
    return problem;
}

void body_step_scatter_island(body_step *self, int island, double *r, double *x)
{
    const int first = self->island_start[island], contacts = self->island_start[island + 1] - first;
    const double *velocity = self->island_velocity + 6 * (ptrdiff_t)self->island_bodies[island];
    const double *own_r = self->island_r + body_step_first_number(self, island);
    for (int k = 0; k < contacts; k++) {
        const int i = self->island_point[first + k];
        memcpy(r + 3 * (ptrdiff_t)i, own_r + 3 * (ptrdiff_t)k, 3 * sizeof *r);
        for (int side = 0; side < 2; side++) {
            const int body = self->row[i].body[side], local = self->island_row[first + k].body[side];
            if (body < 0 || self->local[body] < 0)
                continue;
            carom_axpy(6, 1.0, velocity + 6 * (ptrdiff_t)local, x + 6 * (ptrdiff_t)body);
            self->local[body] = -1; /* once */
        }
    }
}

static carom_status fail_unsolved(const body_step *self, int island, const carom_solve_report *report,
                                  carom_error *error)
{
    char pair[200];
    const body_point *point = &self->point[self->island_point[self->island_start[island]]];
    const int contacts = self->island_start[island + 1] - self->island_start[island];
    if (report->status == CAROM_NO_MEMORY)
        return carom_fail_memory(error);
    if (contacts == 0)
        return fail_step(
            error, step_end(self->stepper), step_number(self->stepper),
            "the limits and motors of joints and the contacts of expressions cannot all be obeyed "
            "(error %.2g, %s)",
            report->error, carom_solve_word_text(report->word));
    if (report->word == CAROM_SOLVE_INFEASIBLE)
        return fail_step(
            error, step_end(self->stepper), step_number(self->stepper),
            "nothing can obey the %d points where bodies touch (%s and others): what stands still, "
            "is driven or is held by joints presses from both sides; give way there, by a motor "
            "with a torque or a spring in place of a driven body; no solver and no step helps",
            contacts, carom_bodies_pair_name(self->bodies, point->a, point->b, pair, sizeof pair));
    return fail_step(
        error, step_end(self->stepper), step_number(self->stepper),
        "a contact problem of %d points (%s and others) ended with an error of %.2g (%s), of which nothing "
        "can be believed; try option solver=NSGS-EXACT max_iterations=100000, or a smaller friction or step; "
        "where driven bodies press from both sides only giving way helps",
        contacts, carom_bodies_pair_name(self->bodies, point->a, point->b, pair, sizeof pair), report->error,
        carom_solve_word_text(report->word));
}

bool body_step_is_jointed(const body_step *self, int island)
{
    return self->island_jointed[island] && !self->jointed_pairs.is_large[island];
}

bool body_step_shares(const body_step *self, int points)
{
    return self->threads > 1 && self->islands > 1 && points >= WORTH_THREADS;
}

static void solve_pairs(body_step *self, int island, const double *q, double *r, double *x)
{
    const int first = self->island_start[island];
    double *own_r = self->island_r + body_step_first_number(self, island);
    carom_pairs problem = body_step_gather_island(self, island, q, r);
    body_moments_gather(self, first, self->island_q + body_step_first_number(self, island), own_r, &problem);
    self->island_report[island] =
        carom_pairs_solve(self->solver[body_step_thread()], &problem, own_r,
                          self->island_velocity + 6 * (ptrdiff_t)self->island_bodies[island]);
    body_moments_scatter(self, first, own_r, &problem);
    if (self->jointed_pairs.is_large[island]) {
        self->jointed_pairs.problem[island] = problem;
        for (int k = 0; k < problem.contacts; k++)
            memcpy(r + 3 * (ptrdiff_t)self->island_point[first + k], own_r + 3 * (ptrdiff_t)k, 3 * sizeof *r);
        return;
    }
    body_step_scatter_island(self, island, r, x);
}

carom_status body_step_put_large_apart(body_step *self, const double *gap, double *r, double *x,
                                       carom_error *error)
{
    for (int island = 0; island < self->islands; island++) {
        const int first = self->island_start[island], end = self->island_start[island + 1];
        double deepest = 0.0;
        for (int k = first; k < end; k++)
            deepest = fmax(deepest, -gap[3 * self->island_point[k]]);
        if (!(deepest > self->gap_tolerance))
            self->jointed_pairs.is_large[island] = false; /* nothing to do */
        if (!self->jointed_pairs.is_large[island])
            continue;
        carom_pairs problem = body_step_gather_island(self, island, gap, r);
        double *own_r = self->island_r + body_step_first_number(self, island);
        for (int k = 0; k < problem.contacts; k++)
            self->island_row[first + k].mu = 0.0;
        const carom_solve_report report =
            carom_pairs_solve(self->jointed_pairs.lift, &problem, own_r,
                              self->island_velocity + 6 * (ptrdiff_t)self->island_bodies[island]);
        if (report.status == CAROM_NO_MEMORY)
            return carom_fail_memory(error);
        self->jointed_pairs.problem[island] = problem;
        for (int k = first; k < end; k++)
            memcpy(r + 3 * (ptrdiff_t)self->island_point[k], own_r + 3 * (ptrdiff_t)(k - first),
                   3 * sizeof *r);
    }
    jointed_pairs_finish(self, true, x);
    return CAROM_OK;
}

/* Those across borders that several processes solve together. Where that does not end, they are gathered. */
static carom_status solve_wide(body_step *self, const double *q, double *r, double *x, double *worst,
                               carom_error *error)
{
    carom_solve_report report;
    const carom_status status = space_cut_solve_wide(self, q, r, x, &report, error);
    if (self->stepper->sharing->rank == 0)
        self->stepper->counts.solver_iterations += report.iterations;
    if (status == CAROM_OK && report.word != CAROM_SOLVE_OK) {
        space_cut_give_up_wide(self);
        self->cut.again = true;
    }
    *worst = report.error;
    return status;
}

/* Islands with a full W share memory and are solved one after the other. Of the others each has its bodies and points to
 * itself, so that it does not matter which thread solves it, and when. */
carom_status body_step_solve(body_step *self, const double *q, double *r, double *x, double *worst,
                             carom_error *error)
{
    *worst = 0.0;
    const bool is_shared = shared_islands_used(self, self->active);
    const carom_status status = is_shared ? shared_islands_solve(self, q, r, x, error) : CAROM_OK;
    if (status != CAROM_OK)
        return status;
#pragma omp parallel for schedule(dynamic)                                                                   \
    num_threads(self->threads) if (body_step_shares(self, self->active))
    for (int island = 0; island < self->islands; island++)
        if (space_cut_is_wide(self, island))
            self->island_report[island] = (carom_solve_report){.word = CAROM_SOLVE_OK};
        else if (!body_step_is_jointed(self, island) && !(is_shared && !self->island_jointed[island]))
            solve_pairs(self, island, q, r, x);
    if (self->cut.has_wide) {
        const carom_status wide = solve_wide(self, q, r, x, worst, error);
        if (wide != CAROM_OK || self->cut.again)
            return wide;
    }
    jointed_pairs_give_up(self);
    jointed_pairs_finish(self, false, x);
    for (int island = 0; island < self->islands; island++)
        if (body_step_is_jointed(self, island))
            self->island_report[island] = body_step_solve_jointed(self, island, q, false, r, x);
    for (int island = 0; island < self->islands; island++) {
        const carom_solve_report *report = &self->island_report[island];
        self->stepper->counts.solver_iterations += report->iterations;
        if (report->status == CAROM_NO_MEMORY || !(report->error <= useless_error))
            return fail_unsolved(self, island, report, error);
        *worst = fmax(*worst, report->error);
    }
    return CAROM_OK;
}
