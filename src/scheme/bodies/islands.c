/* Points that share no free body, directly or through others, do not know of each other: each island is a contact problem
 * of its own. */
#include <math.h>
#include <string.h>

#include "body_step_data.h"
#include "scheme/parts/step_report.h"

static const double useless_error = 1e-3;

static int root_of(int *set, int i)
{
    while (set[i] != i) {
        set[i] = set[set[i]];
        i = set[i];
    }
    return i;
}

/* The smaller number is the root: islands come in the order of their first bodies. */
static void join(int *set, int a, int b)
{
    a = root_of(set, a);
    b = root_of(set, b);
    if (a < b)
        set[b] = a;
    else
        set[a] = b;
}

void body_step_find_islands(body_step *self, int points)
{
    int *set = self->set, *number = self->local;
    for (int i = 0; i < self->bodies->count; i++) {
        set[i] = i;
        number[i] = -1;
    }
    for (int i = 0; i < points; i++)
        if (self->row[i].body[0] >= 0 && self->row[i].body[1] >= 0)
            join(set, self->row[i].body[0], self->row[i].body[1]);
    for (int i = 0; i < self->joints.count + self->joints.guides; i++) {
        int first = -1;
        for (int k = self->joints.block_start[i]; k < self->joints.block_start[i + 1]; k++) {
            const int body = self->joints.block[k].body;
            if (self->inverse_mass[body] == 0.0)
                continue;
            if (first >= 0)
                join(set, first, body);
            first = body;
        }
    }
    self->islands = 0;
    if (self->joints.blocks > 0) {
        memset(self->jointed, 0, (size_t)self->bodies->count * sizeof *self->jointed);
        for (int k = 0; k < self->joints.blocks; k++)
            self->jointed[root_of(set, self->joints.block[k].body)] = true;
    }
    for (int i = 0; i < points; i++) {
        const carom_pair_rows *row = &self->row[i];
        const int root = root_of(set, row->body[0] >= 0 ? row->body[0] : row->body[1]);
        if (number[root] < 0)
            number[root] = self->islands++;
        self->point[i].island = number[root];
    }
    for (int i = 0; i < self->joints.guides; i++) {
        const int row = self->joints.count + i;
        self->joints.island[i] = -1;
        for (int k = self->joints.block_start[row]; k < self->joints.block_start[row + 1]; k++) {
            const int body = self->joints.block[k].body;
            if (self->inverse_mass[body] == 0.0)
                continue;
            const int root = root_of(set, body);
            if (number[root] < 0)
                number[root] = self->islands++;
            self->joints.island[i] = number[root];
        }
    }
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
}

/* Numbers the bodies of an island from 0. */
static carom_pairs gather(body_step *self, int island, const double *q, bool frictionless, const double *r)
{
    const int first = self->island_start[island], contacts = self->island_start[island + 1] - first;
    int bodies = 0;
    for (int k = 0; k < contacts; k++) {
        const int i = self->island_point[first + k];
        for (int side = 0; side < 2; side++)
            if (self->row[i].body[side] >= 0)
                self->local[self->row[i].body[side]] = -1;
    }
    for (int k = 0; k < contacts; k++) {
        const int i = self->island_point[first + k];
        carom_pair_rows *row = &self->island_row[k];
        *row = self->row[i];
        if (frictionless)
            row->mu = 0.0;
        for (int side = 0; side < 2; side++) {
            const int body = row->body[side];
            if (body < 0)
                continue;
            if (self->local[body] < 0) {
                self->island_mass[bodies] = self->inverse_mass[body];
                self->local[body] = bodies++;
            }
            row->body[side] = self->local[body];
        }
        memcpy(self->island_q + 3 * (ptrdiff_t)k, q + 3 * (ptrdiff_t)i, 3 * sizeof *q);
        memcpy(self->island_r + 3 * (ptrdiff_t)k, r + 3 * (ptrdiff_t)i, 3 * sizeof *r);
    }
    return (carom_pairs){.contacts = contacts,
                         .bodies = bodies,
                         .row = self->island_row,
                         .inverse_mass = self->island_mass,
                         .q = self->island_q,
                         .plane = self->plane};
}

static void scatter(body_step *self, int island, double *r, double *x)
{
    const int first = self->island_start[island], contacts = self->island_start[island + 1] - first;
    for (int k = 0; k < contacts; k++) {
        const int i = self->island_point[first + k];
        memcpy(r + 3 * (ptrdiff_t)i, self->island_r + 3 * (ptrdiff_t)k, 3 * sizeof *r);
        for (int side = 0; side < 2; side++) {
            const int body = self->row[i].body[side], local = self->island_row[k].body[side];
            if (body < 0 || self->local[body] < 0)
                continue;
            carom_axpy(6, 1.0, self->island_velocity + 6 * (ptrdiff_t)local, x + 6 * (ptrdiff_t)body);
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
        return fail_step(error, step_end(self->stepper), step_number(self->stepper),
                         "the limits and motors of joints cannot all be obeyed (error %.2g, %s)",
                         report->error, carom_solve_word_text(report->word));
    return fail_step(
        error, step_end(self->stepper), step_number(self->stepper),
        "a contact problem of %d points (%s and others) ended with an error of %.2g (%s), of which nothing "
        "can be believed; try option solver=NSGS-EXACT max_iterations=100000, or a smaller friction or step",
        contacts, carom_bodies_pair_name(self->bodies, point->a, point->b, pair, sizeof pair), report->error,
        carom_solve_word_text(report->word));
}

static bool is_jointed(body_step *self, int island)
{
    if (self->joints.blocks == 0)
        return false;
    if (self->island_start[island] == self->island_start[island + 1])
        return true; /* guides alone */
    for (int k = self->island_start[island]; k < self->island_start[island + 1]; k++)
        for (int side = 0; side < 2; side++) {
            const int body = self->row[self->island_point[k]].body[side];
            if (body >= 0 && self->jointed[root_of(self->set, body)])
                return true;
        }
    return false;
}

static carom_solve_report solve_pairs(body_step *self, carom_pairs_solver *solver, int island,
                                      const double *q, bool frictionless, const double *r)
{
    const int *point = self->island_point + self->island_start[island];
    carom_pairs problem = gather(self, island, q, frictionless, r);
    if (!frictionless)
        body_moments_gather(self, point, &problem);
    const carom_solve_report report =
        carom_pairs_solve(solver, &problem, self->island_r, self->island_velocity);
    body_moments_scatter(self, point, &problem);
    return report;
}

carom_status body_step_solve(body_step *self, carom_pairs_solver *solver, int points, const double *q,
                             bool frictionless, double *r, double *x, double *worst, carom_error *error)
{
    *worst = 0.0;
    if (points == 0 && self->joints.guides == 0)
        return CAROM_OK;
    for (int island = 0; island < self->islands; island++) {
        const bool jointed = is_jointed(self, island);
        const carom_solve_report report = jointed
                                              ? body_step_solve_jointed(self, island, q, frictionless, r, x)
                                              : solve_pairs(self, solver, island, q, frictionless, r);
        self->stepper->counts.solver_iterations += report.iterations;
        if (!frictionless && !(report.error <= useless_error))
            return fail_unsolved(self, island, &report, error);
        *worst = fmax(*worst, report.error);
        if (!jointed)
            scatter(self, island, r, x);
    }
    return CAROM_OK;
}
