/* The step:
 *
 *   M (v+ - v) = h f + H^T p,   x+ = x + h x'_theta,   R+ = R exp(h w_theta),
 *
 * M of the body along its own axes, the rows H and the forces at the predicted position; the gyroscopic term is implicit. */
#include "body_step_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scheme/parts/step_report.h"

enum {
    GYRO_STEPS = 20,
    GYRO_PASSES = 6
};
/* Gaps that count as closed, and penetration that is left, relative to the smallest body. */
static const double closed_gap = 1e-9;
/* Touches are reported up to this gap, relative to the smallest body. */
static const double margin = 0.02;
/* Overlap of the start that is refused, relative to the smaller body. */
static const double start_overlap = 1e-6;
static const double gyro_tolerance = 1e-13;
/* Of the tolerance of contact problems: what a body at rest is allowed to move without being moved. */
static const double rest_factor = 100.0;

/* ---- set-up ------------------------------------------------------------------------------------------ */

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
    self->drive = carom_arena_take(arena, (size_t)model->dof, sizeof(double));
    self->force = carom_arena_take(arena, (size_t)model->dof, sizeof(double));
    self->watched_gap = carom_arena_take(arena, (size_t)model->contacts, sizeof(double));
    return self->pose_start && self->pose && self->shape_pose && self->shape_start && self->shape_body &&
           self->set && self->local && self->jointed && self->moved_in && self->group && self->energy &&
           self->group_energy && self->solver && self->joint_old && self->inverse_mass && self->island_mass &&
           self->inverse_inertia && self->gyro && self->size && self->acceleration && self->q && self->v &&
           self->v_end && self->drive && self->force && self->watched_gap;
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
        if (!body->shape)
            continue;
        self->size[i] = radius_of(body->shape);
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
        smallest = 1.0;
    self->gap_tolerance = closed_gap * smallest;
    self->stepper->accounts.length = smallest;
    return carom_collider_setup(bodies->dimension, self->shapes, shape, group, apart_count,
                                (const int(*)[2])apart, margin * smallest, &self->collider, error);
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
        status = row_contacts_set_up(self, error);
    if (status == CAROM_OK && self->joints.rows + self->linked.count > 0)
        status = create_dense_solver(self, error);
    if (status == CAROM_OK)
        status = set_up_collider(self, error);
    if (status == CAROM_OK)
        status = check_start(self, error);
    carom_bodies_drive(stepper->work, stepper->t0, stepper->state.v);
    if (status == CAROM_OK)
        status = linked_prepare_start(self, error);
    if (status == CAROM_OK)
        status = body_joints_check_start(self, error);
    stepper->model->ops->gaps(stepper->work, stepper->t0, stepper->state.q, self->watched_gap);
    stepper->gap = self->watched_gap;
    stepper->accounts.kept = true;
    stepper->accounts.forces = self->linked.count > 0;
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
    free(self->island_report);
    free(self->island_jointed);
    free(self->island_bodies);
    free(self->island_e);
    free(self->lift);
}

/* The coordinates of a motion. */
static double *coordinate_slots(const body_step *self, double *motion)
{
    return motion + 6 * (ptrdiff_t)self->bodies->count;
}

/* ---- velocities by six ------------------------------------------------------------------------------- */

void body_step_spread(const body_step *self, const double *v, double *six)
{
    for (int i = 0; i < self->bodies->count; i++) {
        const int from = self->bodies->body[i].v;
        double *to = six + 6 * (ptrdiff_t)i;
        if (from < 0)
            memset(to, 0, 6 * sizeof *to);
        else if (!self->plane)
            memcpy(to, v + from, 6 * sizeof *to);
        else
            memcpy(to, (const double[6]){v[from], v[from + 1], 0.0, 0.0, 0.0, v[from + 2]}, 6 * sizeof *to);
    }
    for (int i = 0; i < self->bodies->linked.coordinates; i++)
        coordinate_slots(self, six)[i] = v[self->bodies->linked.v[i]];
}

static void put_back(const body_step *self, int body, const double six[6], double *v)
{
    double *to = v + self->bodies->body[body].v;
    if (!self->plane) {
        memcpy(to, six, 6 * sizeof *to);
        return;
    }
    to[0] = six[0];
    to[1] = six[1];
    to[2] = six[5];
}

/* y = R x and y = R^T x */
static void rotate(const double r[9], const double x[3], double y[3])
{
    const double a = x[0], b = x[1], c = x[2];
    for (int k = 0; k < 3; k++)
        y[k] = r[3 * k] * a + r[3 * k + 1] * b + r[3 * k + 2] * c;
}

static void rotate_back(const double r[9], const double x[3], double y[3])
{
    const double a = x[0], b = x[1], c = x[2];
    for (int k = 0; k < 3; k++)
        y[k] = r[k] * a + r[3 + k] * b + r[6 + k] * c;
}

/* Gives `turned` the length of x: a matrix from a quaternion stretches by rounding, always in one sense, which a million
 * steps would show. */
static void keep_length(const double x[3], double turned[3])
{
    const double wanted = carom_dot(3, x, x), found = carom_dot(3, turned, turned);
    if (!(found > 0.0))
        return;
    const double scale = 1.0 + 0.5 * (wanted - found) / found;
    for (int k = 0; k < 3; k++)
        turned[k] *= scale;
}

void body_step_turn_inertia(const double r[9], const double a[9], double turned[9])
{
    double half[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            half[3 * i + j] = r[3 * i] * a[j] + r[3 * i + 1] * a[3 + j] + r[3 * i + 2] * a[6 + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turned[3 * i + j] = carom_dot(3, half + 3 * (ptrdiff_t)i, r + 3 * (ptrdiff_t)j);
}

void body_step_gather(const body_step *self, const double *six, double *v)
{
    for (int i = 0; i < self->bodies->count; i++)
        if (self->bodies->body[i].kind == CAROM_BODY_FREE)
            put_back(self, i, six + 6 * (ptrdiff_t)i, v);
    for (int i = 0; i < self->bodies->linked.coordinates; i++)
        v[self->bodies->linked.v[i]] = six[6 * self->bodies->count + i];
}

void body_step_turn_inertias(body_step *self, const double *q)
{
    carom_bodies_poses(self->bodies, q, self->pose);
    for (int i = 0; i < self->bodies->count; i++)
        if (self->bodies->body[i].kind == CAROM_BODY_FREE)
            body_step_turn_inertia(self->pose[i].r, self->bodies->body[i].inverse_inertia,
                                   self->inverse_inertia + 9 * (ptrdiff_t)i);
}

/* ---- without contacts -------------------------------------------------------------------------------- */

static void multiply(const double a[9], const double x[3], double y[3])
{
    rotate(a, x, y);
}

static void cross(const double a[3], const double b[3], double c[3])
{
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    c[0] = x;
    c[1] = y;
    c[2] = z;
}

/* Adds the matrix of x -> s a x b(x), b(x) = J x, and x -> s x x c: the derivative of w x J w at w. */
static void gyro_matrix(const double J[9], double s, const double w[3], double matrix[9])
{
    double Jw[3], column[3], other[3];
    multiply(J, w, Jw);
    for (int k = 0; k < 3; k++) {
        const double unit[3] = {k == 0, k == 1, k == 2}, Jk[3] = {J[k], J[3 + k], J[6 + k]};
        cross(w, Jk, column);
        cross(unit, Jw, other);
        for (int i = 0; i < 3; i++)
            matrix[3 * i + k] = J[3 * i + k] + s * (column[i] + other[i]);
    }
}

/* J (w+ - w) + h w_theta x J w_theta = impulse along the axes of the body: what the gyroscopic term adds to w+, beside
 * J^-1 impulse. Newton's method from there. False: it does not converge. */
static bool gyro_change(const carom_body *body, double h, double theta, const double w[3],
                        const double impulse[3], double change[3])
{
    const double *J = body->inertia;
    double end[3], plain[3], matrix[9], rest[3];
    int pivot[3];
    multiply(body->inverse_inertia, impulse, plain);
    for (int k = 0; k < 3; k++)
        end[k] = plain[k] = w[k] + plain[k];
    for (int step = 0; step < GYRO_STEPS; step++) {
        double mean[3], difference[3], gyro[3], size = 0.0, moved = 0.0;
        for (int k = 0; k < 3; k++) {
            mean[k] = (1.0 - theta) * w[k] + theta * end[k];
            difference[k] = end[k] - w[k];
        }
        multiply(J, mean, gyro);
        cross(mean, gyro, gyro);
        multiply(J, difference, rest);
        for (int k = 0; k < 3; k++)
            rest[k] += h * gyro[k] - impulse[k];
        gyro_matrix(J, h * theta, mean, matrix);
        if (carom_lu_factor(3, matrix, pivot) != 0)
            return false;
        carom_lu_solve(3, matrix, pivot, rest);
        for (int k = 0; k < 3; k++) {
            end[k] -= rest[k];
            size = fmax(size, fabs(end[k]) + fabs(w[k]));
            moved = fmax(moved, fabs(rest[k]));
        }
        if (moved <= gyro_tolerance * size) {
            for (int k = 0; k < 3; k++)
                change[k] = end[k] - plain[k];
            return true;
        }
    }
    return false;
}

static bool is_turning(const body_step *self, int i)
{
    const carom_body *body = &self->bodies->body[i];
    return body->kind == CAROM_BODY_FREE && !body->round;
}

/* The change of spin by the gyroscopic term while the angular impulse `added` (of contacts, in space) acts. */
static carom_status find_gyro(body_step *self, int i, const double added[3], double change[3],
                              carom_error *error)
{
    const carom_body *body = &self->bodies->body[i];
    const double h = self->stepper->h, *torque = self->force + body->v + 3, *r = self->pose[i].r;
    double w[3], impulse[3], along[3];
    rotate_back(r, self->old + 6 * (ptrdiff_t)i + 3, w);
    keep_length(self->old + 6 * (ptrdiff_t)i + 3, w);
    for (int k = 0; k < 3; k++)
        impulse[k] = h * torque[k] + added[k];
    rotate_back(r, impulse, impulse);
    if (!gyro_change(body, h, self->options.theta, w, impulse, along))
        return fail_step(
            error, step_end(self->stepper), step_number(self->stepper),
            "the spin of body '%s', (%g, %g, %g) per unit of time, is too fast for the step h = %g: take "
            "some ten steps per turn",
            body->name, w[0], w[1], w[2], h);
    rotate(r, along, change);
    return CAROM_OK;
}

/* plain = old + h M^-1 f, and the gyroscopic terms that belong to it. */
static carom_status find_plain(body_step *self, carom_error *error)
{
    const carom_stepper *stepper = self->stepper;
    const double h = stepper->h;
    stepper->model->ops->force(stepper->work, stepper->state.t + self->step_ahead, self->q, stepper->state.v,
                               self->force);
    if (!carom_all_finite(stepper->dof, self->force))
        return fail_not_finite(error, step_end(stepper), step_number(stepper), stepper->model, self->force,
                               stepper->state.v);
    self->scale_speed = 0.0;
    const carom_status linked = linked_begin(self, error);
    if (linked != CAROM_OK)
        return linked;
    for (int i = 0; i < self->bodies->count; i++) {
        const carom_body *body = &self->bodies->body[i];
        const double *old = self->old + 6 * (ptrdiff_t)i, *inverse = self->inverse_inertia + 9 * (ptrdiff_t)i;
        double *plain = self->plain + 6 * (ptrdiff_t)i, *gyro = self->gyro + 3 * (ptrdiff_t)i, f[6] = {0.0};
        memcpy(plain, old, 6 * sizeof *plain);
        if (body->kind != CAROM_BODY_FREE)
            continue;
        memcpy(f, self->force + body->v, (self->plane ? 2 : 3) * sizeof *f);
        if (self->plane)
            f[5] = self->force[body->v + 2];
        else
            memcpy(f + 3, self->force + body->v + 3, 3 * sizeof *f);
        gyro[0] = gyro[1] = gyro[2] = 0.0;
        self->acceleration[i] = sqrt(carom_dot(3, f, f)) * self->inverse_mass[i];
        self->scale_speed = fmax(self->scale_speed, h * self->acceleration[i]);
        if (is_turning(self, i)) {
            const carom_status status = find_gyro(self, i, (const double[3]){0.0}, gyro, error);
            if (status != CAROM_OK)
                return status;
        }
        for (int k = 0; k < 3; k++) {
            plain[k] += h * self->inverse_mass[i] * f[k];
            plain[3 + k] += h * carom_dot(3, inverse + 3 * (ptrdiff_t)k, f + 3);
        }
    }
    return CAROM_OK;
}

/* ---- with contacts ------------------------------------------------------------------------------------ */

static void find_problem(body_step *self, double *q)
{
    for (int i = 0; i < self->active; i++)
        body_point_velocity(self, i, self->free, q + 3 * (ptrdiff_t)i);
    body_step_add_law(self, q);
    body_moments_find_problem(self, self->active, self->free);
}

/* The gyroscopic term with the impulses of contacts. True when it changed a spin by more than rounding. */
static carom_status correct_gyro(body_step *self, bool *changed, carom_error *error)
{
    *changed = false;
    for (int i = 0; i < self->bodies->count; i++) {
        const carom_body *body = &self->bodies->body[i];
        const double *plain = self->plain + 6 * (ptrdiff_t)i, *end = self->end + 6 * (ptrdiff_t)i;
        double *gyro = self->gyro + 3 * (ptrdiff_t)i, turn[3], added[3], change[3], pushed = 0.0;
        if (!is_turning(self, i))
            continue;
        /* what contacts and joints give: J (end - plain - gyro), along the axes of the body and back */
        for (int k = 0; k < 3; k++) {
            turn[k] = end[3 + k] - plain[3 + k] - gyro[k];
            pushed = fmax(pushed, fabs(turn[k]));
        }
        if (pushed <= 1e-15 * (fabs(end[3]) + fabs(end[4]) + fabs(end[5])))
            continue;
        rotate_back(self->pose[i].r, turn, turn);
        multiply(body->inertia, turn, added);
        rotate(self->pose[i].r, added, added);
        const carom_status status = find_gyro(self, i, added, change, error);
        if (status != CAROM_OK)
            return status;
        const double size = fabs(end[3]) + fabs(end[4]) + fabs(end[5]);
        for (int k = 0; k < 3; k++) {
            *changed = *changed || fabs(change[k] - gyro[k]) > 1e-11 * size;
            gyro[k] = change[k];
        }
    }
    return CAROM_OK;
}

/* free = plain + gyro + joints; driven bodies have what they are told at the end of the step. */
static void find_free(body_step *self)
{
    for (int i = 0; i < self->bodies->count; i++) {
        const bool free = self->bodies->body[i].kind == CAROM_BODY_FREE;
        for (int k = 0; k < 6; k++)
            self->free[6 * i + k] =
                self->plain[6 * i + k] + (free && k >= 3 ? self->gyro[3 * i + k - 3] : 0.0);
    }
    for (int i = 6 * self->bodies->count; i < self->slots; i++)
        self->free[i] = self->plain[i];
    linked_add_late(self, self->free);
    body_joints_constrain(self, self->free);
}

static carom_status find_velocities(body_step *self, carom_error *error)
{
    const size_t bytes = (size_t)self->slots * sizeof(double);
    carom_step_counts *counts = &self->stepper->counts;
    double worst = 0.0;
    body_step_find_islands(self, self->active);
    for (int pass = 0; pass < GYRO_PASSES; pass++) {
        bool changed = false;
        find_free(self);
        memcpy(self->end, self->free, bytes);
        find_problem(self, self->problem_q);
        carom_status status = body_step_solve(self, self->problem_q, self->impulse, self->end, &worst, error);
        if (status == CAROM_OK && self->active + self->joints.rows + self->linked.count > 0 && !self->plane)
            status = correct_gyro(self, &changed, error);
        if (status != CAROM_OK)
            return status;
        changed = linked_correct(self) || changed;
        if (!changed)
            break;
    }
    counts->worst_solver_error = fmax(counts->worst_solver_error, worst);
    if (self->active > 0)
        counts->solver_tolerance = self->tolerance;
    if (worst > self->tolerance)
        counts->unsolved++;
    return CAROM_OK;
}

/* A body that was at rest and has a velocity that the tolerance of the contact problem does not know from rest stays at
 * rest: piles and boxes on slopes do not creep, however long one looks. */
static void rest(body_step *self)
{
    for (int i = 0; i < self->bodies->count; i++) {
        const carom_body *body = &self->bodies->body[i];
        const double *old = self->old + 6 * (ptrdiff_t)i, *free = self->free + 6 * (ptrdiff_t)i;
        double *end = self->end + 6 * (ptrdiff_t)i;
        if (body->kind != CAROM_BODY_FREE || memcmp(end, free, 6 * sizeof *end) == 0)
            continue;
        double before = 0.0, after = 0.0, pushed = 0.0;
        for (int k = 0; k < 6; k++) {
            const double unit = k < 3 ? 1.0 : self->size[i];
            before = fmax(before, unit * fabs(old[k]));
            after = fmax(after, unit * fabs(end[k]));
            pushed = fmax(pushed, unit * fabs(free[k] - old[k]));
        }
        const double limit = rest_factor * self->tolerance * pushed;
        if (before <= limit && after <= limit)
            memset(end, 0, 6 * sizeof *end);
    }
    for (int i = 6 * self->bodies->count; i < self->slots; i++) { /* coordinates likewise */
        const double limit = rest_factor * self->tolerance * fabs(self->free[i] - self->old[i]);
        if (self->end[i] != self->free[i] && fabs(self->old[i]) <= limit && fabs(self->end[i]) <= limit)
            self->end[i] = 0.0;
    }
}

/* ---- positions ----------------------------------------------------------------------------------------- */

/* Where the inertia is not the same about every axis, along the axes of the body w_theta turns R by R exp(h w_theta), which
 * seen from space is a turn by h R_start R_predicted^T w_theta; and w+ goes with the body. */
void body_step_turn_spin(const body_step *self, int i, double spin[3])
{
    double along[3];
    if (!is_turning(self, i))
        return;
    rotate_back(self->pose[i].r, spin, along);
    rotate(self->pose_start[i].r, along, spin);
}

static void move_bodies(body_step *self, double *q, double *v)
{
    const carom_bodies *bodies = self->bodies;
    const double h = self->stepper->h, theta = self->options.theta;
    for (int i = 0; i < bodies->count; i++) {
        const carom_body *body = &bodies->body[i];
        if (body->v < 0)
            continue;
        const double *old = self->old + 6 * (ptrdiff_t)i, *end = self->end + 6 * (ptrdiff_t)i;
        double mean[6], six[6];
        if (body->kind == CAROM_BODY_DRIVEN) {
            carom_body_move(bodies, body, h, self->drive, q, q);
            put_back(self, i, end, v);
            continue;
        }
        for (int k = 0; k < 6; k++)
            mean[k] = (1.0 - theta) * old[k] + theta * end[k];
        memcpy(six, end, sizeof six);
        body_step_turn_spin(self, i, mean + 3);
        put_back(self, i, mean, self->v);
        carom_body_move(bodies, body, h, self->v, q, q);
        body_step_note_energy(self, i,
                              h * carom_dot(self->plane ? 3 : 6, self->force + body->v, self->v + body->v));
        if (is_turning(self, i)) { /* the spin goes on with the body */
            carom_body here = *body;
            here.q = 0;
            const carom_bodies alone = {.dimension = CAROM_SPACE, .count = 1, .body = &here};
            carom_pose pose;
            double along[3];
            carom_bodies_poses(&alone, q + body->q, &pose);
            rotate_back(self->pose[i].r, end + 3, along);
            rotate(pose.r, along, six + 3);
            keep_length(end + 3, six + 3);
        }
        put_back(self, i, six, v);
    }
    for (int i = 0; i < bodies->linked.coordinates; i++) {
        const int slot = 6 * bodies->count + i;
        q[bodies->linked.q[i]] += h * ((1.0 - theta) * self->old[slot] + theta * self->end[slot]);
        v[bodies->linked.v[i]] = self->end[slot];
    }
}

/* Of a part with coordinates, which may be stiff, the energy itself tells what a displacement costs. */
static double energy_at(body_step *self, const double *q)
{
    const carom_stepper *stepper = self->stepper;
    return self->linked.count == 0
               ? 0.0
               : stepper->model->ops->energy(stepper->work, step_end(stepper), q, self->v_end);
}

void body_step_displace(body_step *self, const double *x, double *q, double *work)
{
    const double before = energy_at(self, q);
    for (int i = 0; i < self->bodies->count; i++) {
        const carom_body *body = &self->bodies->body[i];
        const double *own = x + 6 * (ptrdiff_t)i;
        if (body->kind != CAROM_BODY_FREE || memcmp(own, (const double[6]){0.0}, 6 * sizeof *own) == 0)
            continue;
        put_back(self, i, own, self->v);
        carom_body_move(self->bodies, body, 1.0, self->v, q, q);
        if (self->linked.count == 0)
            *work += body_step_lift_work(self, i, own);
    }
    for (int i = 0; i < self->bodies->linked.coordinates; i++)
        q[self->bodies->linked.q[i]] += x[6 * self->bodies->count + i];
    *work += energy_at(self, q) - before;
}

double body_step_lift_work(const body_step *self, int i, const double x[6])
{
    const double *f = self->force + self->bodies->body[i].v;
    if (self->plane)
        return -(f[0] * x[0] + f[1] * x[1] + f[2] * x[5]);
    return -carom_dot(6, f, x);
}

/* ---- the step ------------------------------------------------------------------------------------------ */

static void predict(body_step *self)
{
    const carom_stepper *stepper = self->stepper;
    const carom_state *state = &stepper->state;
    memcpy(self->q, state->q, (size_t)carom_model_positions(stepper->model) * sizeof *self->q);
    memcpy(self->v, state->v, (size_t)stepper->dof * sizeof *self->v);
    carom_bodies_drive(stepper->work, state->t + 0.5 * self->step_ahead, self->v);
    carom_bodies_poses(self->bodies, state->q, self->pose_start);
    for (int i = 0; i < self->bodies->count; i++)
        if (self->bodies->body[i].q >= 0)
            carom_body_move(self->bodies, &self->bodies->body[i], self->step_ahead, self->v, state->q,
                            self->q);
    for (int i = 0; i < self->bodies->linked.coordinates; i++)
        self->q[self->bodies->linked.q[i]] += self->step_ahead * self->v[self->bodies->linked.v[i]];
    body_step_turn_inertias(self, self->q);
    for (int i = 0; i < self->shapes; i++)
        self->shape_pose[i] = self->pose[self->shape_body[i]];
}

/* Driven bodies: at the end of the step for the contact laws, in its middle for their own way. */
static void drive(body_step *self)
{
    carom_stepper *stepper = self->stepper;
    memcpy(self->drive, stepper->state.v, (size_t)stepper->dof * sizeof *self->drive);
    carom_bodies_drive(stepper->work, step_end(stepper), self->drive);
    for (int i = 0; i < self->bodies->count; i++) {
        const carom_body *body = &self->bodies->body[i];
        double *plain = self->plain + 6 * (ptrdiff_t)i;
        if (body->kind != CAROM_BODY_DRIVEN)
            continue;
        const double *v = self->drive + body->v;
        if (self->plane)
            memcpy(plain, (const double[6]){v[0], v[1], 0.0, 0.0, 0.0, v[2]}, 6 * sizeof *plain);
        else
            memcpy(plain, v, 6 * sizeof *plain);
    }
    carom_bodies_drive(stepper->work, stepper->state.t + 0.5 * stepper->h, self->drive);
}

carom_status body_step_move(body_step *self, carom_error *error)
{
    carom_stepper *stepper = self->stepper;
    carom_state *state = &stepper->state;
    const size_t positions = (size_t)carom_model_positions(stepper->model);
    const bool listened = stepper->listener.take != NULL;
    const double energy_before =
        listened ? stepper->model->ops->energy(stepper->work, state->t, state->q, state->v) : 0.0;
    predict(self);
    body_step_spread(self, state->v, self->old);
    carom_status status = find_plain(self, error);
    if (status == CAROM_OK) {
        drive(self);
        body_joints_begin(self);
        status = body_joints_prepare(self, state->t + self->step_ahead, self->q, error);
    }
    if (status == CAROM_OK)
        status = row_contacts_begin(self, error);
    if (status == CAROM_OK)
        status = body_step_find_points(self, error);
    if (status == CAROM_OK)
        status = find_velocities(self, error);
    if (status != CAROM_OK)
        return status;
    rest(self);
    memcpy(self->q, state->q, positions * sizeof *self->q);
    memcpy(self->v_end, state->v, (size_t)stepper->dof * sizeof *self->v_end);
    move_bodies(self, self->q, self->v_end);
    body_step_account(self);
    body_joints_project(self, self->q);
    status = body_step_project(self, self->q, error);
    if (status == CAROM_OK)
        status = body_joints_settle(self, self->q, self->v_end, error);
    if (status != CAROM_OK)
        return status;
    body_step_look_for_crossing(self, self->q);
    body_step_keep_impulses(self);
    stepper->counts.steps++;
    state->t = stepper->t0 + (double)stepper->counts.steps * stepper->h;
    memcpy(state->q, self->q, positions * sizeof *self->q);
    memcpy(state->v, self->v_end, (size_t)stepper->dof * sizeof *self->v_end);
    return listened ? body_step_tell_events(self, energy_before, error) : CAROM_OK;
}

/* Beside the state: the impulses by which the next step starts. */
void body_step_keep(body_step *self, carom_snapshot *snapshot)
{
    size_t length = 0, capacity = 0;
    double *packed = NULL;
    if (!snapshot->restores) {
        length = body_step_packed(self);
        packed = carom_new_array(length, sizeof *packed);
        if (!packed) {
            snapshot->failed = true;
            return;
        }
        body_step_pack(self, packed);
    }
    carom_snapshot_numbers(snapshot, &packed, &length, &capacity);
    if (snapshot->restores && !snapshot->failed)
        snapshot->failed = !body_step_unpack(self, length, packed);
    free(packed);
    carom_snapshot_block(snapshot, self->watched_gap, (size_t)self->stepper->contacts * sizeof(double));
    if (self->joints.guides > 0) /* where their problems start */
        carom_snapshot_block(snapshot, self->joints.impulse, (size_t)self->joints.guides * sizeof(double));
}
