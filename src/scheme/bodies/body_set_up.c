/* The set-up of a step of bodies: memory, solvers, the collider, and a start that is possible. */
#include <math.h>
#include <stdlib.h>

#include "body_step_data.h"

/* Gaps that count as closed, and penetration that is left, relative to the smallest body. */
static const double closed_gap = 1e-9;
/* Touches are reported up to this gap, relative to the smallest body. */
static const double margin = 0.02;
/* Overlap of the start that is refused, relative to the smaller body. Less is what the steps of a run leave, and a motion may
 * go on from where it ended. */
static const double start_overlap = 1e-2;

static bool take_bodies(body_step *self)
{
    carom_arena *arena = self->arena;
    const carom_model *model = self->stepper->model;
    const size_t n = (size_t)self->bodies->count;
    self->pose_start = carom_arena_take(arena, n, sizeof *self->pose_start);
    self->pose = carom_arena_take(arena, n, sizeof *self->pose);
    self->shape_pose = carom_arena_take(arena, n, sizeof *self->shape_pose);
    self->shape_start = carom_arena_take(arena, n, sizeof *self->shape_start);
    self->shape_body = carom_arena_take(arena, n, sizeof *self->shape_body);
    self->set = carom_arena_take(arena, n + 1, sizeof *self->set);
    self->local = carom_arena_take(arena, n + 1, sizeof *self->local);
    self->jointed = carom_arena_take(arena, n + 1, sizeof *self->jointed);
    self->moved_in = carom_arena_take(arena, n, sizeof *self->moved_in);
    self->group = carom_arena_take(arena, n, sizeof *self->group);
    self->energy = carom_arena_take(arena, n, sizeof *self->energy);
    self->group_energy = carom_arena_take(arena, n, sizeof *self->group_energy);
    self->solver = carom_arena_take(arena, (size_t)self->threads, sizeof(carom_pairs_solver *));
    self->joint_old = carom_arena_take(arena, (size_t)model->joints, sizeof(double));
    double **six[] = {&self->old, &self->plain,  &self->free,
                      &self->end, &self->shift6, &self->island_velocity};
    for (size_t i = 0; i < sizeof six / sizeof *six; i++)
        if (!(*six[i] = carom_arena_take(arena, (size_t)self->slots, sizeof(double))))
            return false;
    self->inverse_mass = carom_arena_take(arena, n, sizeof(double));
    self->island_mass = carom_arena_take(arena, n, sizeof(double));
    self->inverse_inertia = carom_arena_take(arena, 9 * n, sizeof(double));
    self->gyro = carom_arena_take(arena, 3 * n, sizeof(double));
    self->size = carom_arena_take(arena, n, sizeof(double));
    self->acceleration = carom_arena_take(arena, n, sizeof(double));
    self->q = carom_arena_take(arena, (size_t)carom_model_positions(model), sizeof(double));
    self->v = carom_arena_take(arena, (size_t)model->dof, sizeof(double));
    self->v_end = carom_arena_take(arena, (size_t)model->dof, sizeof(double));
    self->q_mean = carom_arena_take(arena, (size_t)carom_model_positions(model), sizeof(double));
    self->v_mean = carom_arena_take(arena, (size_t)model->dof, sizeof(double));
    self->f_mean = carom_arena_take(arena, (size_t)model->dof, sizeof(double));
    self->drive = carom_arena_take(arena, (size_t)model->dof, sizeof(double));
    self->force = carom_arena_take(arena, (size_t)model->dof, sizeof(double));
    self->watched_gap = carom_arena_take(arena, (size_t)model->contacts, sizeof(double));
    return self->pose_start && self->pose && self->shape_pose && self->shape_start && self->shape_body &&
           self->set && self->local && self->jointed && self->moved_in && self->group && self->energy &&
           self->group_energy && self->solver && self->joint_old && self->inverse_mass && self->island_mass &&
           self->inverse_inertia && self->gyro && self->size && self->acceleration && self->q && self->v &&
           self->v_end && self->q_mean && self->v_mean && self->f_mean && self->drive && self->force &&
           self->watched_gap;
}

/* Radius of the shape around its origin; infinite for a half space. */
static double radius_of(const carom_shape *shape)
{
    const carom_pose here = carom_pose_identity();
    double low[3], high[3], sum = 0.0;
    carom_shape_bounds(shape, &here, low, high);
    for (int k = 0; k < 3; k++) {
        const double reach = fmax(fabs(low[k]), fabs(high[k]));
        sum += reach * reach;
    }
    return sqrt(sum);
}

/* The length by which an angular velocity of a body without a shape is compared with velocities: its largest radius of
 * gyration. */
static double gyration_of(const carom_body *body)
{
    const double largest = fmax(body->inertia[0], fmax(body->inertia[4], body->inertia[8]));
    return body->mass > 0.0 ? sqrt(largest / body->mass) : 0.0;
}

static carom_status set_up_collider(body_step *self, carom_error *error)
{
    const carom_bodies *bodies = self->bodies;
    const size_t n = (size_t)bodies->count;
    const carom_shape **shape = carom_arena_take(self->arena, n, sizeof *shape);
    int *group = carom_arena_take(self->arena, n, sizeof *group);
    int *number = carom_arena_take(self->arena, n, sizeof *number);
    int(*apart)[2] = carom_arena_take(self->arena, (size_t)bodies->apart, sizeof *apart);
    if (!shape || !group || !number || !apart)
        return carom_fail_memory(error);
    double smallest = INFINITY;
    for (int i = 0; i < bodies->count; i++) {
        const carom_body *body = &bodies->body[i];
        number[i] = -1;
        self->size[i] = body->shape ? radius_of(body->shape) : gyration_of(body);
        if (!body->shape)
            continue;
        if (body->kind == CAROM_BODY_FREE)
            smallest = fmin(smallest, self->size[i]);
        shape[self->shapes] = body->shape;
        group[self->shapes] = body->kind == CAROM_BODY_FREE ? i + 1 : 0;
        self->shape_body[self->shapes] = i;
        number[i] = self->shapes++;
    }
    size_t apart_count = 0;
    for (int i = 0; i < bodies->apart; i++) {
        const int a = number[bodies->apart_pair[i][0]], b = number[bodies->apart_pair[i][1]];
        if (a < 0 || b < 0)
            continue;
        apart[apart_count][0] = a < b ? a : b;
        apart[apart_count++][1] = a < b ? b : a;
    }
    if (!isfinite(smallest))
        smallest = self->stepper->scales.length;
    self->gap_tolerance = closed_gap * smallest;
    self->margin = margin * smallest;
    self->stepper->accounts.length = smallest;
    return carom_collider_setup(bodies->dimension, self->shapes, shape, group, apart_count,
                                (const int(*)[2])apart, self->margin, &self->collider, error);
}

static void collide_poses(body_step *self, const double *q)
{
    carom_bodies_poses(self->bodies, q, self->pose);
    for (int i = 0; i < self->shapes; i++)
        self->shape_pose[i] = self->pose[self->shape_body[i]];
}

/* Bodies that overlap at the start would be driven apart by the projection: an input that nobody means. */
static carom_status check_start(body_step *self, carom_error *error)
{
    const carom_touch *touch = NULL;
    size_t count = 0;
    collide_poses(self, self->stepper->state.q);
    if (self->cut.used)
        space_cut_bodies(self);
    const carom_status status = carom_collider_find(self->collider, self->shape_pose, &touch, &count, error);
    for (size_t i = 0; status == CAROM_OK && i < count; i++) {
        const int a = self->shape_body[touch[i].a], b = self->shape_body[touch[i].b];
        const double size = fmin(self->size[a], self->size[b]);
        char pair[200];
        if (touch[i].gap < -start_overlap * size)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "bodies %s overlap by %.6g at the start (at %.6g, %.6g, %.6g); move them apart",
                              carom_bodies_pair_name(self->bodies, a, b, pair, sizeof pair), -touch[i].gap,
                              touch[i].point_a[0], touch[i].point_a[1], touch[i].point_a[2]);
    }
    return status;
}

/* Of islands with joints. With moments it sees another form of the problem, whose error is not quite that of the result. */
static carom_status create_dense_solver(body_step *self, carom_error *error)
{
    static const double smaller = 0.1;
    const carom_solver_ops *ops = self->options.solver;
    carom_solver_options limits = self->options.limits;
    if (self->moments.used)
        limits.tolerance = smaller * self->tolerance;
    return carom_solver_create(ops ? ops : carom_solver_find(CAROM_PROBLEM_COULOMB, "auto", NULL),
                               &(carom_problem_shape){.size = 1}, &limits, &self->dense_solver, error);
}

carom_status body_step_create(carom_stepper *stepper, const body_step_options *options, body_step **out,
                              carom_error *error)
{
    *out = NULL;
    body_step *self = carom_arena_take(stepper->arena, 1, sizeof *self);
    if (!self)
        return carom_fail_memory(error);
    *self = (body_step){.stepper = stepper,
                        .bodies = carom_model_bodies(stepper->work),
                        .options = *options,
                        .arena = stepper->arena,
                        .threads = options->threads > 0 ? options->threads : 1,
                        .step_ahead = options->prediction * stepper->h};
    self->plane = self->bodies->dimension == CAROM_PLANE;
    self->tolerance = options->limits.tolerance > 0.0 ? options->limits.tolerance : 1e-8;
    self->moments.used = body_moments_needed(self->bodies);
    self->slots = 6 * self->bodies->count + self->bodies->linked.coordinates;
    *out = self;
    if (!take_bodies(self))
        return carom_fail_memory(error);
    for (int i = 0; i < self->bodies->count; i++)
        if (self->bodies->body[i].kind == CAROM_BODY_FREE)
            self->inverse_mass[i] = 1.0 / self->bodies->body[i].mass;
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < self->threads; i++)
        status = carom_pairs_solver_create(options->solver, &options->limits, &self->solver[i], error);
    if (status == CAROM_OK)
        status = linked_set_up(self, error);
    if (status == CAROM_OK)
        status = body_joints_set_up(self, error);
    if (status == CAROM_OK)
        status = jointed_pairs_set_up(self, error);
    if (status == CAROM_OK)
        status = row_contacts_set_up(self, error);
    if (status == CAROM_OK && self->joints.rows + self->linked.count > 0)
        status = create_dense_solver(self, error);
    if (status == CAROM_OK)
        status = space_cut_set_up(self, error);
    if (status == CAROM_OK)
        status = set_up_collider(self, error);
    if (status == CAROM_OK)
        status = check_start(self, error);
    if (self->cut.used) /* what others see at the start ends all */
        status = space_cut_agree_status(self, status, error);
    carom_bodies_drive(stepper->work, stepper->t0, stepper->state.v);
    if (status == CAROM_OK)
        status = linked_prepare_start(self, error);
    if (status == CAROM_OK)
        status = body_joints_check_start(self, error);
    stepper->model->ops->gaps(stepper->work, stepper->t0, stepper->state.q, self->watched_gap);
    stepper->gap = self->watched_gap;
    stepper->accounts.kept = true;
    stepper->tells_problems = self->joints.rows == 0 && self->linked.count == 0 && !self->cut.used;
    stepper->accounts.forces = !self->cut.used;
    return status;
}

void body_step_free(body_step *self)
{
    if (!self)
        return;
    carom_collider_free(self->collider);
    for (int i = 0; self->solver && i < self->threads; i++)
        carom_pairs_solver_free(self->solver[i]);
    carom_solver_free(self->dense_solver);
    linked_free(&self->linked);
    body_joints_free(&self->joints);
    free(self->dense_block);
    free(self->dense_mu);
    free(self->dense_start);
    free(self->dense_column);
    free(self->dense_diagonal);
    free(self->guide_list);
    free(self->pair);
    free(self->next_pair);
    free(self->pair_sum);
    space_cut_free(&self->cut);
    free(self->point);
    free(self->row);
    free(self->impulse);
    free(self->problem_q);
    free(self->shift);
    free(self->kept);
    free(self->next_kept);
    free(self->island_start);
    free(self->island_point);
    free(self->island_row);
    free(self->island_q);
    free(self->island_r);
    body_moments_free(&self->moments);
    jointed_pairs_free(&self->jointed_pairs);
    shared_islands_free(&self->shared);
    free(self->island_report);
    free(self->island_jointed);
    free(self->island_bodies);
    free(self->island_e);
    free(self->lift);
}
