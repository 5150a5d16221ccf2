#include "jointed_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_step_data.h"

enum {
    LARGE = 60,        /* points from which on an island is large; all are, where the model has */
    MANY_JOINTS = 300, /* ... so many equations of joints: each column of a full W asks all of them */
    LARGEST_FULL = 400 /* points up to which a full W is tried where that has not led to the tolerance */
};

/* Part of all gaps that projections may leave. */
static const double lift_tolerance = 1e-5;

/* ---- memory -------------------------------------------------------------------------------------------- */

static int free_bodies(const body_step *self, int row)
{
    const body_step_joints *joints = &self->joints;
    int count = 0;
    for (int k = joints->block_start[row]; k < joints->block_start[row + 1]; k++)
        count += self->inverse_mass[joints->block[k].body] > 0.0;
    return count;
}

carom_status jointed_pairs_set_up(body_step *self, carom_error *error)
{
    body_step_jointed_pairs *pairs = &self->jointed_pairs;
    carom_arena *arena = self->arena;
    const size_t count = (size_t)self->joints.count;
    const carom_solver_ops *ops = self->options.solver;
    if (count == 0)
        return CAROM_OK;
    pairs->allowed = !ops || ops == carom_solver_find(CAROM_PROBLEM_COULOMB, "auto", NULL);
    pairs->wide = carom_arena_take(arena, count, sizeof *pairs->wide);
    pairs->island = carom_arena_take(arena, count, sizeof *pairs->island);
    pairs->list = carom_arena_take(arena, count, sizeof *pairs->list);
    pairs->joint = carom_arena_take(arena, count, sizeof *pairs->joint);
    pairs->body = carom_arena_take(arena, (size_t)self->bodies->count, sizeof *pairs->body);
    carom_solver_options limits = self->options.limits;
    limits.tolerance = fmax(self->tolerance, lift_tolerance);
    const carom_status status = carom_pairs_solver_create(ops, &limits, &pairs->lift, error);
    if (status != CAROM_OK)
        return status;
    if (!pairs->wide || !pairs->island || !pairs->list || !pairs->joint || !pairs->body)
        return carom_fail_memory(error);
    for (int i = 0; i < self->joints.count; i++)
        pairs->wide[i] = free_bodies(self, i) > 2;
    return CAROM_OK;
}

static bool grow(void **array, size_t count, size_t size)
{
    void *larger = realloc(*array, carom_product(count, size));
    if (larger)
        *array = larger;
    return larger != NULL;
}

bool jointed_pairs_take_room(body_step_jointed_pairs *pairs, size_t islands)
{
    return grow((void **)&pairs->start, islands + 1, sizeof *pairs->start) &&
           grow((void **)&pairs->is_large, islands, sizeof *pairs->is_large) &&
           (!pairs->allowed || grow((void **)&pairs->problem, islands, sizeof *pairs->problem));
}

void jointed_pairs_free(body_step_jointed_pairs *pairs)
{
    carom_pairs_solver_free(pairs->lift);
    free(pairs->start);
    free(pairs->is_large);
    free(pairs->problem);
}

/* ---- which --------------------------------------------------------------------------------------------- */

/* -1: no free body, or none that a point or a row of an island touches */
static int island_of(body_step *self, int row)
{
    const body_step_joints *joints = &self->joints;
    for (int k = joints->block_start[row]; k < joints->block_start[row + 1]; k++)
        if (self->inverse_mass[joints->block[k].body] > 0.0)
            return self->local[carom_sets_root(self->set, joints->block[k].body)];
    return -1;
}

static void forbid(body_step *self, int island)
{
    if (island >= 0)
        self->jointed_pairs.is_large[island] = false;
}

static void list_joints(body_step *self)
{
    body_step_jointed_pairs *pairs = &self->jointed_pairs;
    int *start = pairs->start;
    memset(start, 0, ((size_t)self->islands + 1) * sizeof *start);
    for (int i = 0; i < self->joints.count; i++)
        if (pairs->island[i] >= 0)
            start[pairs->island[i] + 1]++;
    for (int k = 0; k < self->islands; k++)
        start[k + 1] += start[k];
    for (int i = 0; i < self->joints.count; i++)
        if (pairs->island[i] >= 0)
            pairs->list[start[pairs->island[i]]++] = i;
    for (int k = self->islands; k > 0; k--)
        start[k] = start[k - 1];
    start[0] = 0;
}

void jointed_pairs_find(body_step *self)
{
    body_step_jointed_pairs *pairs = &self->jointed_pairs;
    memset(pairs->is_large, 0, (size_t)self->islands * sizeof *pairs->is_large);
    if (!pairs->allowed)
        return;
    for (int i = 0; i < self->joints.count; i++)
        pairs->island[i] = island_of(self, i);
    list_joints(self);
    for (int k = 0; k < self->islands; k++)
        pairs->is_large[k] =
            self->island_jointed[k] &&
            (self->island_start[k + 1] - self->island_start[k] >= LARGE || self->joints.count >= MANY_JOINTS);
    for (int i = 0; i < self->joints.count; i++)
        if (pairs->wide[i])
            forbid(self, pairs->island[i]);
    for (int i = 0; i < self->joints.guides; i++)
        forbid(self, self->joints.island[i]);
    for (int i = 0; i < self->rows.count; i++)
        forbid(self, self->rows.contact[i].island);
    if (self->linked.count > 0)
        forbid(self, self->local[carom_sets_root(self->set, self->bodies->count)]);
}

/* ---- the problem --------------------------------------------------------------------------------------- */

void jointed_pairs_forget(body_step *self, int island)
{
    const body_step_jointed_pairs *pairs = &self->jointed_pairs;
    const body_step_joints *joints = &self->joints;
    for (int i = pairs->start[island]; i < pairs->start[island + 1]; i++)
        for (int k = joints->block_start[pairs->list[i]]; k < joints->block_start[pairs->list[i] + 1]; k++)
            if (self->inverse_mass[joints->block[k].body] > 0.0)
                self->local[joints->block[k].body] = -1;
}

static void gather_joint(body_step *self, int row, double *mass, int *bodies, carom_pair_joint *joint)
{
    const body_step_joints *joints = &self->joints;
    int side = 0;
    *joint = (carom_pair_joint){.body = {-1, -1}};
    for (int k = joints->block_start[row]; k < joints->block_start[row + 1]; k++) {
        const joint_block *block = &joints->block[k];
        if (!(self->inverse_mass[block->body] > 0.0))
            continue;
        if (self->local[block->body] < 0) {
            mass[*bodies] = self->inverse_mass[block->body];
            self->local[block->body] = (*bodies)++;
        }
        joint->body[side] = self->local[block->body];
        memcpy(joint->row[side], block->row, sizeof block->row);
        memcpy(joint->answer[side], block->answer, sizeof block->answer);
        side++;
    }
}

void jointed_pairs_gather(body_step *self, int island, double *mass, carom_pairs *problem)
{
    body_step_jointed_pairs *pairs = &self->jointed_pairs;
    const body_step_joints *joints = &self->joints;
    const int first = pairs->start[island], end = pairs->start[island + 1];
    int *body = pairs->body + self->island_bodies[island];
    for (int i = first; i < end; i++)
        gather_joint(self, pairs->list[i], mass, &problem->bodies, &pairs->joint[i]);
    problem->joints = end - first;
    problem->joint = pairs->joint + first;
    for (int i = self->island_start[island]; i < self->island_start[island + 1]; i++)
        for (int side = 0; side < 2; side++) {
            const int own = self->row[self->island_point[i]].body[side];
            if (own >= 0)
                body[self->local[own]] = own;
        }
    for (int i = first; i < end; i++)
        for (int k = joints->block_start[pairs->list[i]]; k < joints->block_start[pairs->list[i] + 1]; k++)
            if (self->inverse_mass[joints->block[k].body] > 0.0)
                body[self->local[joints->block[k].body]] = joints->block[k].body;
}

/* ---- the result ---------------------------------------------------------------------------------------- */

/* The motion of impulses without joints. */
static void push_island(body_step *self, int island, const double *r, double *x)
{
    const carom_pairs *problem = &self->jointed_pairs.problem[island];
    const int *body = self->jointed_pairs.body + self->island_bodies[island];
    double *velocity = self->island_velocity + 6 * (ptrdiff_t)self->island_bodies[island];
    carom_pairs_motion(problem, r, velocity);
    for (int b = 0; b < problem->bodies; b++)
        carom_axpy(6, 1.0, velocity + 6 * (ptrdiff_t)b, x + 6 * (ptrdiff_t)body[b]);
}

/* Of contacts, and |G x| of an island over |q|, whichever is larger. */
static double error_of(body_step *self, int island, const double *r, const double *x)
{
    const body_step_jointed_pairs *pairs = &self->jointed_pairs;
    const carom_pairs *problem = &pairs->problem[island];
    const int *body = pairs->body + self->island_bodies[island];
    double *velocity = self->island_velocity + 6 * (ptrdiff_t)self->island_bodies[island];
    double rest = 0.0, size = 0.0;
    for (int b = 0; b < problem->bodies; b++)
        memcpy(velocity + 6 * (ptrdiff_t)b, x + 6 * (ptrdiff_t)body[b], 6 * sizeof *velocity);
    for (int i = pairs->start[island]; i < pairs->start[island + 1]; i++) {
        const double rate = body_row_velocity(self, pairs->list[i], x);
        rest += rate * rate;
    }
    for (int k = 0; k < 3 * problem->contacts; k++)
        size += problem->q[k] * problem->q[k];
    const double of_contacts = carom_pairs_error(problem, carom_pairs_scale(problem), r, velocity);
    return size > 0.0 ? fmax(of_contacts, sqrt(rest / size)) : of_contacts;
}

void jointed_pairs_give_up(body_step *self)
{
    for (int k = 0; k < self->islands; k++)
        if (self->jointed_pairs.is_large[k] && !(self->island_report[k].error <= self->tolerance) &&
            self->island_start[k + 1] - self->island_start[k] <= LARGEST_FULL)
            self->jointed_pairs.is_large[k] = false;
}

void jointed_pairs_finish(body_step *self, bool projection, double *x)
{
    const body_step_jointed_pairs *pairs = &self->jointed_pairs;
    const size_t slots = (size_t)self->slots;
    bool any = false;
    memset(self->shift6, 0, slots * sizeof *self->shift6);
    for (int island = 0; island < self->islands; island++)
        if (pairs->is_large[island]) {
            push_island(self, island, self->island_r + body_step_first_number(self, island), self->shift6);
            any = true;
        }
    if (!any)
        return;
    body_joints_against(self, self->shift6);
    body_joints_answer(self, self->shift6);
    for (int k = 0; !projection && k < self->joints.count; k++)
        self->joints.reaction[k] += self->joints.lambda[k];
    for (size_t k = 0; k < slots; k++)
        x[k] += self->shift6[k];
    for (int island = 0; island < self->islands; island++)
        if (pairs->is_large[island])
            self->island_report[island].error =
                error_of(self, island, self->island_r + body_step_first_number(self, island), self->shift6);
}
