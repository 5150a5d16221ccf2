/* The contact problem of an island with joints: W = H (M^-1 - M^-1 G^T S^-1 G M^-1) H^T is full, and made column by
 * column. For mechanisms: the cost grows with the square of their contacts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_step_data.h"

static bool grow(void **array, size_t count, size_t size)
{
    void *larger = realloc(*array, carom_product(count, size));
    if (larger)
        *array = larger;
    return larger != NULL;
}

static bool take_room(body_step *self, size_t contacts)
{
    if (contacts <= self->dense_room)
        return true;
    const size_t blocks = carom_product(contacts, contacts);
    if (!grow((void **)&self->dense_block, blocks, 9 * sizeof(double)) ||
        !grow((void **)&self->dense_column, blocks, sizeof(int)) ||
        !grow((void **)&self->dense_start, contacts + 1, sizeof(int)) ||
        !grow((void **)&self->dense_diagonal, contacts, sizeof(int)) ||
        !grow((void **)&self->dense_mu, contacts, sizeof(double)))
        return false;
    self->dense_room = contacts;
    return true;
}

/* x += M^-1 H^T of an impulse r along the rows of a contact. */
static void push(const body_step *self, const carom_pair_rows *row, const double r[3], double *x)
{
    for (int side = 0; side < 2; side++) {
        const int body = row->body[side];
        if (body < 0)
            continue;
        const double sign = side == 0 ? 1.0 : -1.0;
        double *v = x + 6 * (ptrdiff_t)body;
        for (int k = 0; k < (self->plane ? 2 : 3); k++)
            for (int c = 0; c < 3; c++) {
                v[c] += sign * r[k] * self->inverse_mass[body] * row->direction[3 * k + c];
                v[3 + c] += sign * r[k] * row->answer[side][3 * k + c];
            }
    }
}

static void push_guide(const body_step *self, int guide, double r, double *x)
{
    const body_step_joints *joints = &self->joints;
    const int row = joints->count + guide;
    for (int k = joints->block_start[row]; k < joints->block_start[row + 1]; k++)
        carom_axpy(6, r, joints->block[k].answer, x + 6 * (ptrdiff_t)joints->block[k].body);
}

static double guide_velocity(const body_step *self, int guide, const double *x)
{
    const body_step_joints *joints = &self->joints;
    const int row = joints->count + guide;
    double sum = 0.0;
    for (int k = joints->block_start[row]; k < joints->block_start[row + 1]; k++)
        sum += carom_dot(6, joints->block[k].row, x + 6 * (ptrdiff_t)joints->block[k].body);
    return sum;
}

/* What the joints add to a motion. */
static void let_joints_answer(body_step *self, double *x)
{
    if (self->joints.count == 0)
        return;
    body_joints_against(self, x);
    body_joints_answer(self, x);
}

/* The contacts of an island: its points, then their moments, then its guides. Moments are tangents, bounded by a normal that
 * becomes that of their point, u_N = W_NN (r_N - r_N of the point). A limit is a normal without tangents. A motor is a tangent
 * whose normal couples with nothing, W_NN = 1, and has the impulse that is its bound: then |r_T| <= r_N is what it can do. */
typedef struct jointed_island {
    const int *point;
    const moment_contact *moment;
    int points, moments, contacts;
    const int *guide;
} jointed_island;

/* -1: it is none */
static int guide_of(const jointed_island *island, int contact)
{
    const int place = contact - island->points - island->moments;
    return place >= 0 ? island->guide[place] : -1;
}

/* NULL: it is none */
static const moment_contact *moment_of(const jointed_island *island, int contact)
{
    return contact >= island->points && guide_of(island, contact) < 0
               ? &island->moment[contact - island->points]
               : NULL;
}

static bool is_motor(const body_step *self, const jointed_island *island, int contact)
{
    const int guide = guide_of(island, contact);
    return guide >= 0 && self->bodies->is_motor[guide];
}

/* Does the component of a contact move anything? */
static bool is_real(const body_step *self, const jointed_island *island, int contact, int component)
{
    const moment_contact *moment = moment_of(island, contact);
    if (contact < island->points)
        return component < (self->plane ? 2 : 3);
    if (moment)
        return component == 1 || (component == 2 && !self->plane && !moment->torsion);
    return component == (is_motor(self, island, contact) ? 1 : 0);
}

static void contact_velocity_of(const body_step *self, const jointed_island *island, int contact,
                                const double *x, double u[3])
{
    if (contact < island->points) {
        body_point_velocity(self, island->point[contact], x, u);
        return;
    }
    const moment_contact *moment = moment_of(island, contact);
    u[0] = u[1] = u[2] = 0.0;
    if (moment)
        body_moments_contact_velocity(&moment->row, x, u);
    else
        u[is_motor(self, island, contact) ? 1 : 0] = guide_velocity(self, guide_of(island, contact), x);
}

static void push_contact(const body_step *self, const jointed_island *island, int contact, const double r[3],
                         double *x)
{
    const moment_contact *moment = moment_of(island, contact);
    if (contact < island->points)
        push(self, &self->row[island->point[contact]], r, x);
    else if (moment)
        push(self, &moment->row, r, x);
    else
        push_guide(self, guide_of(island, contact), r[is_motor(self, island, contact) ? 1 : 0], x);
}

static void fill_column(body_step *self, const jointed_island *island, int column, int component)
{
    double unit[3] = {0.0, 0.0, 0.0}, u[3];
    memset(self->shift6, 0, 6 * (size_t)self->bodies->count * sizeof *self->shift6);
    unit[component] = 1.0;
    if (is_real(self, island, column, component)) {
        push_contact(self, island, column, unit, self->shift6);
        let_joints_answer(self, self->shift6);
    }
    for (int i = 0; i < island->contacts; i++) {
        double *block = self->dense_block + 9 * ((ptrdiff_t)i * island->contacts + column);
        contact_velocity_of(self, island, i, self->shift6, u);
        for (int k = 0; k < 3; k++)
            block[3 * k + component] = is_real(self, island, i, k) ? u[k] : 0.0;
    }
}

/* Coefficient of a contact. */
static double friction_of(const body_step *self, const jointed_island *island, bool frictionless, int contact)
{
    const moment_contact *moment = moment_of(island, contact);
    if (is_motor(self, island, contact))
        return 1.0;
    if (moment)
        return moment->row.mu;
    return frictionless || contact >= island->points ? 0.0 : self->row[island->point[contact]].mu;
}

/* The normals of moments become those of their points. */
static void bind_moments(body_step *self, const jointed_island *island)
{
    const ptrdiff_t contacts = island->contacts;
    for (int i = island->points; i < island->points + island->moments; i++) {
        const ptrdiff_t of = moment_of(island, i)->contact;
        const double W = self->dense_block[9 * (of * contacts + of)], factor = W > 0.0 ? W : 1.0;
        self->dense_block[9 * (i * contacts + i)] = factor;
        self->dense_block[9 * (i * contacts + of)] = -factor;
    }
}

/* W / scale, with 1 on the diagonal where there is no component. */
static double make_problem(body_step *self, const jointed_island *island, bool frictionless)
{
    const int contacts = island->contacts;
    double scale = 0.0;
    for (int c = 0; c < contacts; c++)
        for (int k = 0; k < 3; k++)
            fill_column(self, island, c, k);
    for (int i = 0; i < contacts; i++) {
        if (!moment_of(island, i))
            scale +=
                self->dense_block[9 * ((ptrdiff_t)i * contacts + i) + (is_motor(self, island, i) ? 4 : 0)] /
                (contacts - island->moments);
        self->dense_start[i] = i * contacts;
        self->dense_diagonal[i] = i * contacts + i;
        self->dense_mu[i] = friction_of(self, island, frictionless, i);
        for (int j = 0; j < contacts; j++)
            self->dense_column[i * contacts + j] = j;
    }
    self->dense_start[contacts] = contacts * contacts;
    for (ptrdiff_t k = 0; scale > 0.0 && k < 9 * (ptrdiff_t)contacts * contacts; k++)
        self->dense_block[k] /= scale;
    for (int i = 0; i < contacts; i++)
        for (int k = 0; k < 3; k++)
            if (!is_real(self, island, i, k))
                self->dense_block[9 * ((ptrdiff_t)i * contacts + i) + 4 * k] = 1.0;
    bind_moments(self, island);
    return scale;
}

/* Velocities of guides without contacts, and where they start. In a projection x and so the free motion is 0, and a limit
 * has its value. */
static void fill_guides(body_step *self, const jointed_island *island, bool frictionless, double scale,
                        const double *x)
{
    const body_step_joints *joints = &self->joints;
    const double h = self->stepper->h, theta = self->options.theta;
    for (int i = island->points + island->moments; i < island->contacts; i++) {
        const int guide = guide_of(island, i), row = joints->count + guide;
        double *q = self->island_q + 3 * (ptrdiff_t)i, *r = self->island_r + 3 * (ptrdiff_t)i;
        const double rate = guide_velocity(self, guide, x) + joints->g_t[row], gap = joints->g[row];
        q[0] = q[1] = q[2] = r[0] = r[1] = r[2] = 0.0;
        if (frictionless) {
            q[0] = gap;
        } else if (self->bodies->is_motor[guide]) {
            r[0] = scale * h * fabs(joints->bound[guide]);
            q[0] = -r[0];
            q[1] = rate - joints->first[guide];
            r[1] = scale * joints->impulse[guide];
        } else {
            const double before = guide_velocity(self, guide, self->old) + joints->g_t[row];
            /* u >= -e u-, or the gap may close, not more */
            q[0] = rate + (gap <= 0.0 ? joints->first[guide] * fmin(before, 0.0) : gap / (theta * h));
            r[0] = scale * joints->impulse[guide];
        }
    }
}

/* Motors always; limits without restitution, too, which then are never passed. Limits with restitution when they are
 * reached, or as near and slow as what rests there. */
static bool takes_part(const body_step *self, int guide, bool frictionless, const double *x)
{
    const body_step_joints *joints = &self->joints;
    const double gap = joints->g[joints->count + guide];
    if (frictionless || self->bodies->is_motor[guide])
        return !(frictionless && self->bodies->is_motor[guide]);
    if (gap <= 0.0 || joints->first[guide] == 0.0)
        return true;
    const double before = guide_velocity(self, guide, self->old),
                 speed = fabs(guide_velocity(self, guide, x) - before);
    return gap <= self->stepper->h * speed && fabs(before) <= 2.0 * speed;
}

static bool list_guides(body_step *self, int number, bool frictionless, const double *x,
                        jointed_island *island)
{
    const body_step_joints *joints = &self->joints;
    int count = 0;
    for (int i = 0; i < joints->guides; i++) {
        if (!frictionless && joints->island[i] == number && !takes_part(self, i, frictionless, x))
            self->joints.impulse[i] = 0.0;
        count += joints->island[i] == number && takes_part(self, i, frictionless, x);
    }
    if (count > self->guide_room) {
        int *larger = realloc(self->guide_list, (size_t)count * sizeof *larger);
        if (!larger)
            return false;
        self->guide_list = larger;
        self->guide_room = count;
    }
    count = 0;
    for (int i = 0; i < joints->guides; i++)
        if (joints->island[i] == number && takes_part(self, i, frictionless, x))
            self->guide_list[count++] = i;
    island->guide = self->guide_list;
    island->contacts = island->points + island->moments + count;
    return true;
}

static void fill_points(body_step *self, const jointed_island *island, double scale, const double *q,
                        const double *r)
{
    for (int i = 0; i < island->points; i++)
        for (int k = 0; k < 3; k++) {
            self->island_q[3 * i + k] = q[3 * island->point[i] + k];
            self->island_r[3 * i + k] = scale * r[3 * island->point[i] + k];
        }
    for (int i = island->points; i < island->points + island->moments; i++) {
        const moment_contact *moment = moment_of(island, i);
        const int point = island->point[moment->contact];
        body_moments_numbers(self, point, moment->torsion, scale * r[3 * point], scale,
                             self->island_q + 3 * (ptrdiff_t)i, self->island_r + 3 * (ptrdiff_t)i);
    }
}

/* The error of a problem with moments: that of carom_pairs_error, and of guides. */
static double error_with_moments(const body_step *self, const jointed_island *island,
                                 const carom_coulomb *problem)
{
    double sum = 0.0, size = 0.0;
    int moment = island->points;
    for (int i = 0; i < island->contacts; i++) {
        double u[6] = {0.0}, r[6] = {0.0}, coefficient[2] = {0.0, 0.0};
        size += carom_dot(3, problem->q + 3 * (ptrdiff_t)i, problem->q + 3 * (ptrdiff_t)i);
        if (moment_of(island, i))
            continue;
        carom_blocks_row(&problem->W, i, self->island_r, problem->q, u);
        memcpy(r, self->island_r + 3 * (ptrdiff_t)i, 3 * sizeof *r);
        for (; i < island->points && moment < island->points + island->moments &&
               moment_of(island, moment)->contact == i;
             moment++) {
            const bool torsion = moment_of(island, moment)->torsion;
            double own[3];
            carom_blocks_row(&problem->W, moment, self->island_r, problem->q, own);
            memcpy(u + (torsion ? 5 : 3), own + 1, (torsion ? 1 : 2) * sizeof *u);
            memcpy(r + (torsion ? 5 : 3), self->island_r + 3 * (ptrdiff_t)moment + 1,
                   (torsion ? 1 : 2) * sizeof *r);
            coefficient[torsion] = problem->mu[moment];
        }
        sum += carom_pair_distance(false, problem->mu[i], coefficient[0], coefficient[1], r, u);
    }
    if (sum == 0.0)
        return 0.0;
    return isfinite(sum) && isfinite(size) ? sqrt(sum) / sqrt(size) : INFINITY;
}

/* Impulses to where they belong, and what they do: x += ... */
static void take_result(body_step *self, const jointed_island *island, bool frictionless, double scale,
                        double *r, double *x)
{
    const size_t bodies = (size_t)self->bodies->count;
    memset(self->shift6, 0, 6 * bodies * sizeof *self->shift6);
    for (int i = 0; i < island->contacts; i++) {
        const moment_contact *moment = moment_of(island, i);
        double own[3];
        for (int k = 0; k < 3; k++)
            own[k] = self->island_r[3 * i + k] / scale;
        push_contact(self, island, i, own, self->shift6);
        if (i < island->points)
            memcpy(r + 3 * (ptrdiff_t)island->point[i], own, sizeof own);
        else if (moment)
            body_moments_set(self, island->point[moment->contact], moment->torsion, own);
        else if (!frictionless)
            self->joints.impulse[guide_of(island, i)] = own[is_motor(self, island, i) ? 1 : 0];
    }
    let_joints_answer(self, self->shift6);
    for (int k = 0; !frictionless && k < self->joints.count; k++)
        self->joints.reaction[k] += self->joints.lambda[k];
    for (size_t k = 0; k < 6 * bodies; k++)
        x[k] += self->shift6[k];
}

carom_solve_report body_step_solve_jointed(body_step *self, int number, const double *q, bool frictionless,
                                           double *r, double *x)
{
    carom_solve_report report = {.status = CAROM_NO_MEMORY, .word = CAROM_SOLVE_MEMORY, .error = INFINITY};
    jointed_island island = {.point = self->island_point + self->island_start[number],
                             .points = self->island_start[number + 1] - self->island_start[number],
                             .moment = self->moments.contact};
    if (!frictionless)
        island.moments = body_moments_list(self, island.point, island.points);
    if (!list_guides(self, number, frictionless, x, &island) || !take_room(self, (size_t)island.contacts))
        return report;
    if (island.contacts == 0)
        return (carom_solve_report){.word = CAROM_SOLVE_OK};
    const double scale = make_problem(self, &island, frictionless);
    fill_points(self, &island, scale, q, r);
    fill_guides(self, &island, frictionless, scale, x);
    const carom_coulomb problem = {.contacts = island.contacts,
                                   .W = {.rows = island.contacts,
                                         .row_start = self->dense_start,
                                         .column = self->dense_column,
                                         .diagonal = self->dense_diagonal,
                                         .block = self->dense_block},
                                   .q = self->island_q,
                                   .mu = self->dense_mu};
    if (!(scale > 0.0)) /* the joints leave the contacts no motion */
        return (carom_solve_report){.word = CAROM_SOLVE_OK,
                                    .error = carom_coulomb_error(&problem, self->island_r)};
    report = carom_solver_coulomb(self->dense_solver, &problem, self->island_r);
    if (island.moments > 0)
        report.error = error_with_moments(self, &island, &problem);
    take_result(self, &island, frictionless, scale, r, x);
    return report;
}
