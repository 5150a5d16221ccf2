#include "body_joints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "body_step_data.h"
#include "scheme/parts/joints_start.h"
#include "scheme/parts/step_report.h"

enum {
    REFINEMENTS = 2
};
/* On the diagonal of S, relative to its largest entry: joints may be redundant. */
static const double regularisation = 1e-10;
/* Of joints at the start, relative to positions and velocities. */
static const double start_tolerance = 1e-8;
/* How far a limit may be passed, relative to the size of its row. */
static const double limit_passed = 1e-10;

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

/* Of a velocity in the linked part, -1: it is not there. */
static int linked_number(const body_step *self, int velocity)
{
    const carom_linked *linked = &self->bodies->linked;
    int low = 0, high = linked->count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (linked->velocity[middle] < velocity)
            low = middle + 1;
        else
            high = middle;
    }
    return low < linked->count && linked->velocity[low] == velocity ? low : -1;
}

static bool list_blocks(body_step *self, body_step_joints *joints)
{
    const carom_bodies *bodies = self->bodies;
    carom_arena *arena = self->arena;
    const int count = joints->rows, entries = bodies->joint_start[count];
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
            const int number = linked_number(self, bodies->joint_column[k]);
            if (number >= 0) {
                joints->entry_block[k] = -1;
                joints->entry_place[k] = number;
                continue;
            }
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

static bool is_linked(const body_step *self, int row)
{
    for (int k = self->bodies->joint_start[row]; k < self->bodies->joint_start[row + 1]; k++)
        if (self->joints.entry_block[k] < 0)
            return true;
    return false;
}

/* Joints of the linked part all know of each other. */
static bool list_linked(body_step *self, body_step_joints *joints)
{
    carom_arena *arena = self->arena;
    joints->linked_joint = carom_arena_take(arena, (size_t)joints->count, sizeof(int));
    if (!joints->linked_joint)
        return false;
    for (int i = 0; i < joints->count; i++)
        if (is_linked(self, i))
            joints->linked_joint[joints->linked++] = i;
    const size_t n = (size_t)joints->linked;
    joints->linked_reply =
        carom_arena_take(arena, carom_product(n, (size_t)self->linked.count), sizeof(double));
    joints->linked_place = carom_arena_take(arena, carom_product(n, n), sizeof(int));
    return joints->linked_reply && joints->linked_place;
}

static bool make_pattern(body_step *self, body_step_joints *joints)
{
    carom_arena *arena = self->arena;
    const size_t pairs = carom_product((size_t)joints->linked, (size_t)joints->linked);
    const size_t count = (size_t)joints->products + (size_t)joints->count + pairs;
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
    for (size_t i = 0; made && i < pairs; i++) {
        const size_t at = (size_t)joints->products + (size_t)joints->count + i, n = (size_t)joints->linked;
        row[at] = joints->linked_joint[i / n];
        column[at] = joints->linked_joint[i % n];
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
    for (int i = 0; i < joints->linked * joints->linked; i++)
        joints->linked_place[i] = place_in(&joints->S, joints->linked_joint[i / joints->linked],
                                           joints->linked_joint[i % joints->linked]);
    joints->S.value = joints->value;
    return true;
}

carom_status body_joints_set_up(body_step *self, carom_error *error)
{
    body_step_joints *joints = &self->joints;
    carom_arena *arena = self->arena;
    joints->count = self->stepper->model->joints;
    joints->guides = self->bodies->guides;
    joints->rows = joints->count + joints->guides + CAROM_CONTACT_COMPONENTS * self->bodies->contacts;
    if (joints->rows == 0)
        return CAROM_OK;
    const size_t count = (size_t)joints->rows;
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
        !list_blocks(self, joints) || !list_products(self, joints) || !list_linked(self, joints) ||
        !make_pattern(self, joints))
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

double body_row_velocity(const body_step *self, int row, const double *x)
{
    const body_step_joints *joints = &self->joints;
    double sum = 0.0;
    for (int k = joints->block_start[row]; k < joints->block_start[row + 1]; k++)
        sum += carom_dot(6, joints->block[k].row, x + 6 * (ptrdiff_t)joints->block[k].body);
    if (self->linked.count == 0)
        return sum;
    for (int k = self->bodies->joint_start[row]; k < self->bodies->joint_start[row + 1]; k++)
        if (joints->entry_block[k] < 0)
            sum += joints->entry[k] * x[self->linked.slot[joints->entry_place[k]]];
    return sum;
}

void body_row_push(body_step *self, int row, double impulse, double *x)
{
    const body_step_joints *joints = &self->joints;
    for (int k = joints->block_start[row]; k < joints->block_start[row + 1]; k++)
        carom_axpy(6, impulse, joints->block[k].answer, x + 6 * (ptrdiff_t)joints->block[k].body);
    if (self->linked.count == 0)
        return;
    for (int k = self->bodies->joint_start[row]; k < self->bodies->joint_start[row + 1]; k++)
        if (joints->entry_block[k] < 0)
            linked_push(&self->linked, joints->entry_place[k], impulse * joints->entry[k]);
}

double linked_row_work(const body_step *self, int row, double impulse)
{
    const body_step_joints *joints = &self->joints;
    double sum = 0.0;
    for (int k = self->bodies->joint_start[row]; k < self->bodies->joint_start[row + 1]; k++)
        if (joints->entry_block[k] < 0) {
            const int slot = self->linked.slot[joints->entry_place[k]];
            sum += joints->entry[k] * (self->old[slot] + self->end[slot]);
        }
    return 0.5 * impulse * sum;
}

double body_row_work(const body_step *self, int row, double impulse)
{
    const body_step_joints *joints = &self->joints;
    double sum = 0.0;
    for (int k = joints->block_start[row]; k < joints->block_start[row + 1]; k++) {
        const joint_block *block = &joints->block[k];
        const ptrdiff_t at = 6 * (ptrdiff_t)block->body;
        if (self->inverse_mass[block->body] > 0.0)
            sum += carom_dot(6, block->row, self->old + at) + carom_dot(6, block->row, self->end + at);
    }
    return 0.5 * impulse * sum + linked_row_work(self, row, impulse);
}

/* The part of S that goes through the linked part. */
static void add_linked_products(body_step *self)
{
    body_step_joints *joints = &self->joints;
    const int n = joints->linked, m = self->linked.count;
    for (int j = 0; j < n; j++) {
        const int row = joints->linked_joint[j];
        double *reply = joints->linked_reply + (ptrdiff_t)j * m;
        memset(reply, 0, (size_t)m * sizeof *reply);
        for (int k = self->bodies->joint_start[row]; k < self->bodies->joint_start[row + 1]; k++)
            if (joints->entry_block[k] < 0)
                reply[joints->entry_place[k]] = joints->entry[k];
        linked_solve(&self->linked, reply);
    }
    for (int i = 0; i < n; i++) {
        const int row = joints->linked_joint[i];
        for (int j = 0; j < n; j++) {
            const double *reply = joints->linked_reply + (ptrdiff_t)j * m;
            double sum = 0.0;
            for (int k = self->bodies->joint_start[row]; k < self->bodies->joint_start[row + 1]; k++)
                if (joints->entry_block[k] < 0)
                    sum += joints->entry[k] * reply[joints->entry_place[k]];
            joints->value[joints->linked_place[i * n + j]] += sum;
        }
    }
}

/* The first row of joints, limits and motors (then contacts of expressions) that has a number which is none. */
static carom_status fail_row_not_finite(const body_step *self, carom_error *error)
{
    const body_step_joints *joints = &self->joints;
    const carom_stepper *stepper = self->stepper;
    for (int i = 0; i < joints->count + joints->guides; i++) {
        const int first = self->bodies->joint_start[i], guide = i - joints->count;
        if (carom_all_finite(self->bodies->joint_start[i + 1] - first, joints->entry + first) &&
            isfinite(joints->g_t[i]) &&
            (guide < 0 || (isfinite(joints->first[guide]) && isfinite(joints->bound[guide]))))
            continue;
        return fail_step(error, step_end(stepper), step_number(stepper),
                         "%s '%s' is not a finite number, or its derivatives are not, at this position",
                         guide < 0                       ? "joint"
                         : self->bodies->is_motor[guide] ? "speed or torque of motor"
                                                         : "limit",
                         guide < 0 ? stepper->model->joint[i] : self->bodies->guide_name[guide]);
    }
    return fail_step(error, step_end(stepper), step_number(stepper),
                     "a contact of expressions is not finite, or its derivatives are not, at this position");
}

/* Restitutions of limits and torques of motors, which may depend on time. */
static carom_status check_guides(const body_step *self, bool at_start, carom_error *error)
{
    const body_step_joints *joints = &self->joints;
    char fault[300] = "";
    for (int i = 0; i < joints->guides && !fault[0]; i++) {
        const bool is_motor = self->bodies->is_motor[i];
        if (is_motor && joints->bound[i] < 0.0)
            snprintf(fault, sizeof fault,
                     "motor '%.100s': torque = %.10g; it bounds both directions, and must not be negative",
                     self->bodies->guide_name[i], joints->bound[i]);
        if (!is_motor && !(joints->first[i] >= 0.0 && joints->first[i] <= 1.0))
            snprintf(fault, sizeof fault, "limit '%.100s': restitution = %.10g; it must be from 0 to 1",
                     self->bodies->guide_name[i], joints->first[i]);
    }
    if (!fault[0])
        return CAROM_OK;
    return at_start ? carom_fail(error, CAROM_BAD_INPUT, "%s", fault)
                    : fail_step(error, step_end(self->stepper), step_number(self->stepper), "%s", fault);
}

carom_status body_joints_prepare(body_step *self, double t, const double *q, carom_error *error)
{
    body_step_joints *joints = &self->joints;
    const carom_stepper *stepper = self->stepper;
    const int places = joints->count > 0 ? joints->S.column_start[joints->count] : 0;
    const int rows = joints->rows;
    double largest = 0.0;
    if (rows == 0)
        return CAROM_OK;
    carom_bodies_joint_values(stepper->work, t, q, joints->g);
    carom_bodies_joint_rows(stepper->work, t, q, joints->entry, joints->g_t);
    const int entries = self->bodies->joint_start[rows];
    if (!carom_all_finite(entries, joints->entry) || !carom_all_finite(rows, joints->g_t) ||
        !carom_all_finite(joints->guides, joints->first) || !carom_all_finite(joints->guides, joints->bound))
        return fail_row_not_finite(self, error);
    const carom_status checked = check_guides(self, false, error);
    if (checked != CAROM_OK)
        return checked;
    for (int k = 0; k < entries; k++)
        if (joints->entry_block[k] >= 0)
            joints->block[joints->entry_block[k]].row[joints->entry_place[k]] = joints->entry[k];
    for (int i = 0; i < joints->blocks; i++)
        find_answer(self, &joints->block[i]);
    memset(joints->value, 0, (size_t)places * sizeof *joints->value);
    for (int i = 0; i < joints->products; i++) {
        const joint_product *product = &joints->product[i];
        joints->value[product->place] +=
            carom_dot(6, joints->block[product->a].row, joints->block[product->b].answer);
    }
    add_linked_products(self);
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
    for (int k = 0; k < joints->linked; k++) {
        const double *reply = joints->linked_reply + (ptrdiff_t)k * self->linked.count;
        for (int i = 0; i < self->linked.count; i++)
            x[self->linked.slot[i]] += lambda[joints->linked_joint[k]] * reply[i];
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
    for (int i = 0; i < joints->linked; i++) {
        const int row = joints->linked_joint[i];
        for (int k = self->bodies->joint_start[row]; k < self->bodies->joint_start[row + 1]; k++)
            if (joints->entry_block[k] < 0)
                joints->rest[row] -= joints->entry[k] * x[self->linked.slot[joints->entry_place[k]]];
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
    if (joints->count == 0)
        return;
    carom_bodies_joint_values(self->stepper->work, step_end(self->stepper), q, joints->g);
    for (int i = 0; i < joints->count; i++)
        joints->rest[i] = -joints->g[i];
    memset(self->shift6, 0, (size_t)self->slots * sizeof *self->shift6);
    body_joints_answer(self, self->shift6);
    body_step_displace(self, self->shift6, q, &self->stepper->works.joints);
}

/* What an equation changes by where bodies move by a length and turn by a radian: the unit of its tolerances. */
static double row_size(const body_step *self, int row, double length)
{
    const body_step_joints *joints = &self->joints;
    double sum = 0.0;
    for (int k = self->bodies->joint_start[row]; k < self->bodies->joint_start[row + 1]; k++) {
        const bool turns = joints->entry_block[k] >= 0 && joints->entry_place[k] >= 3;
        sum += fabs(joints->entry[k]) * (turns ? 1.0 : length);
    }
    return sum;
}

bool body_joints_limits_passed(body_step *self, const double *q)
{
    body_step_joints *joints = &self->joints;
    bool passed = false;
    if (joints->guides == 0)
        return false;
    carom_bodies_joint_values(self->stepper->work, step_end(self->stepper), q, joints->g);
    for (int i = 0; i < joints->guides; i++)
        passed =
            passed || (!self->bodies->is_motor[i] &&
                       joints->g[joints->count + i] <
                           -limit_passed * row_size(self, joints->count + i, self->stepper->scales.length));
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

/* A body that starts beyond a limit would be put on it within the first step, whatever the way. */
static carom_status check_limits_at_start(body_step *self, double length, carom_error *error)
{
    const body_step_joints *joints = &self->joints;
    const carom_stepper *stepper = self->stepper;
    carom_bodies_guide_numbers(stepper->work, stepper->t0, joints->first, joints->bound);
    for (int i = 0; i < joints->guides; i++)
        if (!self->bodies->is_motor[i] &&
            !(joints->g[joints->count + i] >= -start_tolerance * row_size(self, joints->count + i, length)))
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "limit '%s' is passed by %.6g at the start, where angles and ways of joints are 0; the lower "
                "limit must not be above 0, nor the upper one below",
                self->bodies->guide_name[i], -joints->g[joints->count + i]);
    return check_guides(self, true, error);
}

/* The model's length and the distance of the bodies from the origin, which rounds their positions. */
static double length_of_start(const body_step *self, const double *q)
{
    const int axes = self->plane ? 2 : 3;
    double far = 0.0;
    for (int i = 0; i < self->bodies->count; i++)
        if (self->bodies->body[i].q >= 0)
            far = fmax(far, carom_largest(axes, q + self->bodies->body[i].q));
    return self->stepper->scales.length + far;
}

/* The largest rate of the motion: lengths per time, and spins. */
static double rate_of_start(const body_step *self, double length, const double *v)
{
    const int axes = self->plane ? 2 : 3;
    double rate = 1.0 / self->stepper->scales.time;
    for (int i = 0; i < self->bodies->count; i++) {
        const int first = self->bodies->body[i].v;
        if (first < 0)
            continue;
        rate = fmax(rate, carom_largest(axes, v + first) / length);
        rate = fmax(rate, carom_largest(self->plane ? 1 : 3, v + first + axes));
    }
    return rate;
}

/* The motion begins with the corrected velocities: the correction is no work of the joints. */
static carom_status project_start(body_step *self, carom_error *error)
{
    carom_stepper *stepper = self->stepper;
    double *given = self->v_end;
    memcpy(given, stepper->state.v, (size_t)stepper->dof * sizeof *given);
    const carom_status status = body_joints_settle(self, stepper->state.q, stepper->state.v, error);
    stepper->works.joints = 0.0;
    if (status != CAROM_OK)
        return status;
    double *size = self->free; /* spins are compared as speeds at the model's length */
    for (int i = 0; i < stepper->dof; i++)
        size[i] = 1.0;
    for (int i = 0; i < self->bodies->count; i++) {
        const carom_body *body = &self->bodies->body[i];
        const int axes = self->plane ? 2 : 3, spins = self->plane ? 1 : 3;
        for (int k = 0; body->v >= 0 && k < spins; k++)
            size[body->v + axes + k] = stepper->scales.length;
    }
    joints_warn_of_velocity(stepper->model, size, start_tolerance, stepper->state.v, given,
                            &stepper->warnings);
    return CAROM_OK;
}

carom_status body_joints_check_start(body_step *self, carom_error *error)
{
    const carom_stepper *stepper = self->stepper;
    const carom_model *model = stepper->model;
    body_step_joints *joints = &self->joints;
    const double *q = stepper->state.q, *v = stepper->state.v;
    if (joints->count + joints->guides == 0)
        return CAROM_OK;
    const double length = length_of_start(self, q), rate = rate_of_start(self, length, v);
    carom_bodies_joint_values(stepper->work, stepper->t0, q, joints->g);
    carom_bodies_joint_rows(stepper->work, stepper->t0, q, joints->entry, joints->g_t);
    const carom_status limited = check_limits_at_start(self, length, error);
    if (limited != CAROM_OK || joints->count == 0)
        return limited;
    for (int i = 0; i < joints->count; i++)
        if (!isfinite(joints->g[i]) || !(fabs(joints->g[i]) <= start_tolerance * row_size(self, i, length)))
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
        if (!(fabs(joints->rest[i] - joints->g_t[i]) <= start_tolerance * rate * row_size(self, i, length)))
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "joint '%s': the velocities of the start move it by %.6g per unit of time; give velocities "
                "that it allows, or initial=project",
                model->joint[i], joints->g_t[i] - joints->rest[i]);
    return self->options.corrects_start ? project_start(self, error) : CAROM_OK;
}
