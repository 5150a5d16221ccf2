#include "body_joints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_step_data.h"
#include "scheme/parts/step_report.h"

enum {
    REFINEMENTS = 2
};
/* On the diagonal of S, relative to its largest entry: joints may be redundant. */
static const double regularisation = 1e-10;
/* Of joints at the start, relative to positions and velocities. */
static const double start_tolerance = 1e-8;

/* ---- set-up ------------------------------------------------------------------------------------------- */

/* Which body each velocity belongs to. */
static int *bodies_of_velocities(const body_step *self)
{
    const carom_bodies *bodies = self->bodies;
    int *of_velocity = carom_new_array((size_t)self->stepper->dof, sizeof *of_velocity);
    for (int i = 0; of_velocity && i < bodies->count; i++)
        for (int k = 0; bodies->body[i].v >= 0 && k < (self->plane ? 3 : 6); k++)
            of_velocity[bodies->body[i].v + k] = i;
    return of_velocity;
}

static bool list_blocks(body_step *self, body_step_joints *joints)
{
    const carom_bodies *bodies = self->bodies;
    carom_arena *arena = self->arena;
    const int count = joints->count + joints->guides, entries = bodies->joint_start[count];
    joints->entry_block = carom_arena_take(arena, (size_t)entries, sizeof(int));
    joints->entry_place = carom_arena_take(arena, (size_t)entries, sizeof(int));
    joints->block = carom_arena_take(arena, (size_t)entries, sizeof *joints->block);
    joints->block_start = carom_arena_take(arena, (size_t)count + 1, sizeof(int));
    int *of_velocity = bodies_of_velocities(self);
    if (!joints->entry_block || !joints->entry_place || !joints->block || !joints->block_start ||
        !of_velocity) {
        free(of_velocity);
        return false;
    }
    for (int i = 0; i < count; i++) {
        joints->block_start[i] = joints->blocks;
        for (int k = bodies->joint_start[i]; k < bodies->joint_start[i + 1]; k++) {
            const int body = of_velocity[bodies->joint_column[k]];
            const int place = bodies->joint_column[k] - bodies->body[body].v;
            if (joints->blocks == joints->block_start[i] || joints->block[joints->blocks - 1].body != body)
                joints->block[joints->blocks++] = (joint_block){.joint = i, .body = body};
            joints->entry_block[k] = joints->blocks - 1;
            joints->entry_place[k] = self->plane && place == 2 ? 5 : place; /* among the six */
        }
    }
    joints->block_start[count] = joints->blocks;
    free(of_velocity);
    return true;
}

static int place_in(const carom_sparse *S, int row, int column)
{
    for (int k = S->column_start[column]; k < S->column_start[column + 1]; k++)
        if (S->row[k] == row)
            return k;
    return -1;
}

static int compare_blocks(const void *a, const void *b)
{
    const joint_block *left = *(joint_block *const *)a, *right = *(joint_block *const *)b;
    if (left->body != right->body)
        return left->body < right->body ? -1 : 1;
    return left->joint < right->joint ? -1 : left->joint > right->joint;
}

/* Joints that share a free body have a place in S. */
static bool list_products(body_step *self, body_step_joints *joints)
{
    carom_arena *arena = self->arena;
    joint_block **sorted = carom_new_array((size_t)joints->blocks + 1, sizeof *sorted);
    if (!sorted)
        return false;
    const int of_joints = joints->block_start[joints->count];
    for (int i = 0; i < of_joints; i++)
        sorted[i] = &joints->block[i];
    qsort(sorted, (size_t)of_joints, sizeof *sorted, compare_blocks);
    size_t products = 0;
    for (int pass = 0; pass < 2; pass++) {
        size_t used = 0;
        for (int first = 0, end; first < of_joints; first = end) {
            const int body = sorted[first]->body;
            end = first;
            while (end < of_joints && sorted[end]->body == body)
                end++;
            if (self->inverse_mass[body] == 0.0)
                continue;
            for (int i = first; i < end; i++)
                for (int j = first; j < end; j++, used++)
                    if (pass == 1)
                        joints->product[used] = (joint_product){.place = 0,
                                                                .a = (int)(sorted[i] - joints->block),
                                                                .b = (int)(sorted[j] - joints->block)};
        }
        if (pass == 0) {
            products = used;
            joints->product = carom_arena_take(arena, products, sizeof *joints->product);
            if (!joints->product)
                break;
        }
    }
    free(sorted);
    joints->products = (int)products;
    return joints->product != NULL;
}

static bool make_pattern(body_step *self, body_step_joints *joints)
{
    carom_arena *arena = self->arena;
    const size_t count = (size_t)joints->products + (size_t)joints->count;
    int *row = carom_new_array(count, sizeof *row), *column = carom_new_array(count, sizeof *column);
    double *value = carom_new_array(count, sizeof *value);
    bool made = row && column && value;
    for (int i = 0; made && i < joints->products; i++) {
        row[i] = joints->block[joints->product[i].a].joint;
        column[i] = joints->block[joints->product[i].b].joint;
    }
    for (int i = 0; made && i < joints->count; i++) { /* the diagonal is there, also where no body is free */
        row[joints->products + i] = column[joints->products + i] = i;
        value[joints->products + i] = 1.0;
    }
    made =
        made && carom_sparse_take(arena, joints->count, joints->count, count, row, column, value, &joints->S);
    free(row);
    free(column);
    free(value);
    if (!made)
        return false;
    const size_t places = (size_t)joints->S.column_start[joints->count];
    joints->value = carom_arena_take(arena, places, sizeof(double));
    joints->regular = carom_arena_take(arena, places, sizeof(double));
    joints->diagonal = carom_arena_take(arena, (size_t)joints->count, sizeof(int));
    if (!joints->value || !joints->regular || !joints->diagonal)
        return false;
    for (int i = 0; i < joints->count; i++)
        joints->diagonal[i] = place_in(&joints->S, i, i);
    for (int i = 0; i < joints->products; i++)
        joints->product[i].place = place_in(&joints->S, joints->block[joints->product[i].a].joint,
                                            joints->block[joints->product[i].b].joint);
    joints->S.value = joints->value;
    return true;
}

carom_status body_joints_set_up(body_step *self, carom_error *error)
{
    body_step_joints *joints = &self->joints;
    carom_arena *arena = self->arena;
    joints->count = self->stepper->model->joints;
    joints->guides = self->bodies->guides;
    if (joints->count + joints->guides == 0)
        return CAROM_OK;
    const size_t count = (size_t)joints->count + (size_t)joints->guides;
    joints->entry = carom_arena_take(arena, (size_t)self->bodies->joint_start[count], sizeof(double));
    joints->first = carom_arena_take(arena, count, sizeof(double));
    joints->bound = carom_arena_take(arena, count, sizeof(double));
    joints->impulse = carom_arena_take(arena, count, sizeof(double));
    joints->island = carom_arena_take(arena, count, sizeof(int));
    double **vectors[] = {&joints->g,    &joints->g_t,      &joints->lambda,
                          &joints->rest, &joints->reaction, &self->joint_room};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!(*vectors[i] = carom_arena_take(arena, count, sizeof(double))))
            return carom_fail_memory(error);
    if (!joints->entry || !joints->first || !joints->bound || !joints->impulse || !joints->island ||
        !list_blocks(self, joints) || !list_products(self, joints) || !make_pattern(self, joints))
        return carom_fail_memory(error);
    self->stepper->state.reaction = joints->reaction;
    return CAROM_OK;
}

void body_joints_free(body_step_joints *joints)
{
    carom_sparse_factor_free(joints->factor);
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

static void find_answer(const body_step *self, joint_block *block)
{
    const double inverse = self->inverse_mass[block->body];
    const double *inertia = self->inverse_inertia + 9 * (ptrdiff_t)block->body;
    for (int k = 0; k < 3; k++) {
        block->answer[k] = inverse * block->row[k];
        block->answer[3 + k] =
            inverse == 0.0 ? 0.0 : carom_dot(3, inertia + 3 * (ptrdiff_t)k, block->row + 3);
    }
}

carom_status body_joints_prepare(body_step *self, double t, const double *q, carom_error *error)
{
    body_step_joints *joints = &self->joints;
    const carom_stepper *stepper = self->stepper;
    const int places = joints->count > 0 ? joints->S.column_start[joints->count] : 0;
    const int rows = joints->count + joints->guides;
    double largest = 0.0;
    if (rows == 0)
        return CAROM_OK;
    carom_bodies_joint_values(stepper->work, t, q, joints->g);
    carom_bodies_joint_rows(stepper->work, t, q, joints->entry, joints->g_t);
    const int entries = self->bodies->joint_start[rows];
    if (!carom_all_finite(entries, joints->entry) || !carom_all_finite(rows, joints->g_t) ||
        !carom_all_finite(joints->guides, joints->first) || !carom_all_finite(joints->guides, joints->bound))
        return fail_step(
            error, step_end(stepper), step_number(stepper),
            "a joint, a limit or a motor is not finite, or its derivatives are not, at this position");
    for (int k = 0; k < entries; k++)
        joints->block[joints->entry_block[k]].row[joints->entry_place[k]] = joints->entry[k];
    for (int i = 0; i < joints->blocks; i++)
        find_answer(self, &joints->block[i]);
    memset(joints->value, 0, (size_t)places * sizeof *joints->value);
    for (int i = 0; i < joints->products; i++) {
        const joint_product *product = &joints->product[i];
        joints->value[product->place] +=
            carom_dot(6, joints->block[product->a].row, joints->block[product->b].answer);
    }
    for (int i = 0; i < joints->count; i++)
        largest = fmax(largest, joints->value[joints->diagonal[i]]);
    memcpy(joints->regular, joints->value, (size_t)places * sizeof *joints->value);
    for (int i = 0; i < joints->count; i++)
        joints->regular[joints->diagonal[i]] += regularisation * (largest > 0.0 ? largest : 1.0);
    if (joints->count == 0)
        return CAROM_OK;
    if (joints->factor)
        return carom_sparse_factor_again(joints->factor, joints->regular, error);
    carom_sparse first = joints->S;
    first.value = joints->regular;
    return carom_sparse_factor_create(&first, &joints->factor, error);
}

void body_joints_begin(body_step *self)
{
    carom_bodies_guide_numbers(self->stepper->work, step_end(self->stepper), self->joints.first,
                               self->joints.bound);
}

void body_joints_answer(body_step *self, double *x)
{
    body_step_joints *joints = &self->joints;
    const int n = joints->count;
    if (n == 0)
        return;
    double *lambda = joints->lambda, *rest = joints->rest, *left = self->joint_room;
    memset(lambda, 0, (size_t)n * sizeof *lambda);
    memcpy(left, rest, (size_t)n * sizeof *left);
    for (int pass = 0; pass <= REFINEMENTS; pass++) {
        carom_sparse_solve(joints->factor, left);
        for (int i = 0; i < n; i++)
            lambda[i] += left[i];
        if (pass == REFINEMENTS)
            break;
        memset(left, 0, (size_t)n * sizeof *left);
        carom_sparse_add(&joints->S, lambda, left);
        for (int i = 0; i < n; i++)
            left[i] = rest[i] - left[i];
    }
    for (int k = 0; k < joints->block_start[n]; k++) {
        const joint_block *block = &joints->block[k];
        carom_axpy(6, lambda[block->joint], block->answer, x + 6 * (ptrdiff_t)block->body);
    }
}

void body_joints_against(body_step *self, const double *x)
{
    body_step_joints *joints = &self->joints;
    memset(joints->rest, 0, (size_t)joints->count * sizeof *joints->rest);
    for (int k = 0; k < joints->block_start[joints->count]; k++) {
        const joint_block *block = &joints->block[k];
        joints->rest[block->joint] -= carom_dot(6, block->row, x + 6 * (ptrdiff_t)block->body);
    }
}

void body_joints_constrain(body_step *self, double *free)
{
    body_step_joints *joints = &self->joints;
    const double theta = self->options.theta, share = (1.0 - theta) / theta;
    if (joints->count == 0)
        return;
    body_joints_against(self, self->old);
    for (int i = 0; i < joints->count; i++)
        self->joint_old[i] = share * joints->rest[i] - joints->g_t[i] / theta;
    body_joints_against(self, free);
    for (int i = 0; i < joints->count; i++)
        joints->rest[i] += self->joint_old[i];
    body_joints_answer(self, free);
    memcpy(joints->reaction, joints->lambda, (size_t)joints->count * sizeof *joints->lambda);
}

void body_joints_project(body_step *self, double *q)
{
    body_step_joints *joints = &self->joints;
    const size_t n = (size_t)self->bodies->count;
    if (joints->count == 0)
        return;
    carom_bodies_joint_values(self->stepper->work, step_end(self->stepper), q, joints->g);
    for (int i = 0; i < joints->count; i++)
        joints->rest[i] = -joints->g[i];
    memset(self->shift6, 0, 6 * n * sizeof *self->shift6);
    body_joints_answer(self, self->shift6);
    body_step_displace(self, self->shift6, q, &self->stepper->works.joints);
}

bool body_joints_limits_passed(body_step *self, const double *q)
{
    body_step_joints *joints = &self->joints;
    bool passed = false;
    if (joints->guides == 0)
        return false;
    carom_bodies_joint_values(self->stepper->work, step_end(self->stepper), q, joints->g);
    for (int i = 0; i < joints->guides; i++)
        passed = passed || (!self->bodies->is_motor[i] && joints->g[joints->count + i] < -1e-10);
    return passed;
}

carom_status body_joints_settle(body_step *self, const double *q, double *v, carom_error *error)
{
    body_step_joints *joints = &self->joints;
    double work = 0.0;
    if (joints->count == 0)
        return CAROM_OK;
    body_step_turn_inertias(self, q);
    const carom_status status = body_joints_prepare(self, step_end(self->stepper), q, error);
    if (status != CAROM_OK)
        return status;
    body_step_spread(self, v, self->shift6);
    body_joints_against(self, self->shift6);
    for (int i = 0; i < joints->count; i++) {
        self->joint_old[i] = joints->rest[i];
        joints->rest[i] -= joints->g_t[i];
    }
    body_joints_answer(self, self->shift6);
    /* lambda . G (before + after) / 2, where G after is -g_t */
    for (int i = 0; i < joints->count; i++)
        work -= 0.5 * joints->lambda[i] * (self->joint_old[i] + joints->g_t[i]);
    self->stepper->works.joints += work;
    body_step_gather(self, self->shift6, v);
    return CAROM_OK;
}

carom_status body_joints_check_start(body_step *self, carom_error *error)
{
    const carom_stepper *stepper = self->stepper;
    const carom_model *model = stepper->model;
    body_step_joints *joints = &self->joints;
    const double *q = stepper->state.q, *v = stepper->state.v;
    const double length = 1.0 + carom_largest(carom_model_positions(model), q),
                 speed = 1.0 + carom_largest(model->dof, v);
    if (joints->count == 0)
        return CAROM_OK;
    carom_bodies_joint_values(stepper->work, stepper->t0, q, joints->g);
    for (int i = 0; i < joints->count; i++)
        if (!(fabs(joints->g[i]) <= start_tolerance * length))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "joint '%s' is off by %.6g at the start; the bodies must be where it allows",
                              model->joint[i], joints->g[i]);
    body_step_turn_inertias(self, q);
    const carom_status status = body_joints_prepare(self, stepper->t0, q, error);
    if (status != CAROM_OK)
        return status;
    body_step_spread(self, v, self->shift6);
    body_joints_against(self, self->shift6);
    for (int i = 0; i < joints->count && !self->options.corrects_start; i++)
        if (!(fabs(joints->rest[i] - joints->g_t[i]) <= start_tolerance * speed))
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "joint '%s': the velocities of the start move it by %.6g per unit of time; give velocities "
                "that it allows, or initial=project",
                model->joint[i], joints->g_t[i] - joints->rest[i]);
    return self->options.corrects_start ? body_joints_settle(self, q, stepper->state.v, error) : CAROM_OK;
}
