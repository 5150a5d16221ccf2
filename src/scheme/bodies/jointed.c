/* The contact problem of an island with joints, coordinates or contacts of expressions: W = H (M^-1 - M^-1 G^T S^-1 G M^-1) H^T is full, and made column by
 * column. For mechanisms: the cost grows with the square of their contacts (jointed_pairs.h: those of many links). */
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
static void push(body_step *self, const carom_pair_rows *row, const double r[3], double *x)
{
    for (int side = 0; side < 2; side++) {
        const int body = row->body[side];
        if (body < 0)
            continue;
        const double sign = side == 0 ? 1.0 : -1.0;
        double *v = x + 6 * (ptrdiff_t)body;
        if (self->linked.count > 0 && self->linked.is_body[body]) {
            double impulse[6] = {0.0};
            for (int k = 0; k < (self->plane ? 2 : 3); k++)
                for (int c = 0; c < 3; c++) {
                    impulse[c] += sign * r[k] * row->direction[3 * k + c];
                    impulse[3 + c] += sign * r[k] * row->turn[side][3 * k + c];
                }
            linked_push_body(&self->linked, body, impulse);
            continue;
        }
        for (int k = 0; k < (self->plane ? 2 : 3); k++)
            for (int c = 0; c < 3; c++) {
                v[c] += sign * r[k] * self->inverse_mass[body] * row->direction[3 * k + c];
                v[3 + c] += sign * r[k] * row->answer[side][3 * k + c];
            }
    }
}

static double guide_velocity(const body_step *self, int guide, const double *x)
{
    return body_row_velocity(self, self->joints.count + guide, x);
}

/* What the linked part and the joints add to a motion. */
static void let_joints_answer(body_step *self, double *x)
{
    linked_answer(self, x);
    if (self->joints.count == 0)
        return;
    body_joints_against(self, x);
    body_joints_answer(self, x);
}

/* The contacts of an island: its points, then their moments, then its guides, then contacts of expressions. Moments are
 * tangents, bounded by a normal that becomes that of their point, u_N = W_NN (r_N - r_N of the point). A limit is a normal
 * without tangents. A motor is a tangent whose normal couples with nothing, W_NN = 1, and has the impulse that is its bound:
 * then |r_T| <= r_N is what it can do; a friction force is the same. */
typedef struct jointed_island {
    const int *point;
    const moment_contact *moment;
    const int *guide, *row;
    int points, moments, guides, contacts;
} jointed_island;

/* Of the kind that starts at `first` and has `count`: its place, -1: it is of another kind. */
static int place_of(int contact, int first, int count)
{
    return contact >= first && contact < first + count ? contact - first : -1;
}

/* NULL: it is none */
static const moment_contact *moment_of(const jointed_island *island, int contact)
{
    const int place = place_of(contact, island->points, island->moments);
    return place >= 0 ? &island->moment[place] : NULL;
}

/* -1: it is none */
static int guide_of(const jointed_island *island, int contact)
{
    const int place = place_of(contact, island->points + island->moments, island->guides);
    return place >= 0 ? island->guide[place] : -1;
}

static int first_row(const jointed_island *island)
{
    return island->points + island->moments + island->guides;
}

/* The contact of expressions, -1: it is another one. */
static int row_of(const jointed_island *island, int contact)
{
    return contact >= first_row(island) ? island->row[contact - first_row(island)] : -1;
}

/* A motor, or a friction force. */
static bool is_motor(const body_step *self, const jointed_island *island, int contact)
{
    const int guide = guide_of(island, contact), row = row_of(island, contact);
    return (guide >= 0 && self->bodies->is_motor[guide]) || (row >= 0 && self->bodies->contact[row].is_force);
}

/* Does the component of a contact move anything? */
static bool is_real(const body_step *self, const jointed_island *island, int contact, int component)
{
    const moment_contact *moment = moment_of(island, contact);
    if (contact < island->points)
        return component < (self->plane ? 2 : 3);
    if (moment)
        return component == 1 || (component == 2 && !self->plane && !moment->torsion);
    if (is_motor(self, island, contact))
        return component == 1;
    const int row = row_of(island, contact);
    return component == 0 || (row >= 0 && component <= self->bodies->contact[row].tangents);
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
    else if (row_of(island, contact) >= 0)
        row_contacts_velocity(self, row_of(island, contact), x, false, u);
    else
        u[is_motor(self, island, contact) ? 1 : 0] = guide_velocity(self, guide_of(island, contact), x);
}

static void push_contact(body_step *self, const jointed_island *island, int contact, const double r[3],
                         double *x)
{
    const moment_contact *moment = moment_of(island, contact);
    const int row = row_of(island, contact);
    if (contact < island->points)
        push(self, &self->row[island->point[contact]], r, x);
    else if (moment)
        push(self, &moment->row, r, x);
    else if (row < 0)
        body_row_push(self, self->joints.count + guide_of(island, contact),
                      r[is_motor(self, island, contact) ? 1 : 0], x);
    for (int k = 0; row >= 0 && k < 3; k++)
        if (is_real(self, island, contact, k))
            body_row_push(self, row_contacts_row(self, row) + k, r[k], x);
}

static void fill_column(body_step *self, const jointed_island *island, int column, int component)
{
    double unit[3] = {0.0, 0.0, 0.0}, u[3];
    memset(self->shift6, 0, (size_t)self->slots * sizeof *self->shift6);
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
    const int row = row_of(island, contact);
    if (is_motor(self, island, contact))
        return 1.0;
    if (moment)
        return moment->row.mu;
    if (frictionless)
        return 0.0;
    if (contact < island->points)
        return self->row[island->point[contact]].mu;
    return row >= 0 && self->bodies->contact[row].tangents > 0 ? self->rows.contact[row].mu : 0.0;
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
    for (int i = island->points + island->moments; i < first_row(island); i++) {
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

/* The same of contacts of expressions. */
static void fill_rows(body_step *self, const jointed_island *island, bool frictionless, double scale,
                      const double *x)
{
    for (int i = first_row(island); i < island->contacts; i++) {
        const int contact = row_of(island, i);
        const row_contact *own = &self->rows.contact[contact];
        double *q = self->island_q + 3 * (ptrdiff_t)i, *r = self->island_r + 3 * (ptrdiff_t)i;
        q[0] = own->end_gap;
        q[1] = q[2] = r[0] = r[1] = r[2] = 0.0;
        if (frictionless)
            continue;
        row_contacts_velocity(self, contact, x, true, q);
        for (int k = 0; k < 3; k++)
            r[k] = scale * own->impulse[k];
        if (self->bodies->contact[contact].is_force) {
            r[0] = scale * own->mu;
            q[0] = -r[0];
        } else {
            q[0] += own->shift;
            for (int k = 1; k < 3; k++)
                q[k] += own->bounce * own->before[k];
        }
    }
}

static int list_rows(body_step *self, int number)
{
    int count = 0;
    for (int i = 0; i < self->rows.count; i++)
        if (self->rows.contact[i].takes_part && self->rows.contact[i].island == number)
            self->rows.list[count++] = i;
    return count;
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
    if (count > 0 && count > self->guide_room) {
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
    island->guides = count;
    island->row = self->rows.list;
    island->contacts = first_row(island) + list_rows(self, number);
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
    const size_t slots = (size_t)self->slots;
    memset(self->shift6, 0, slots * sizeof *self->shift6);
    for (int i = 0; i < island->contacts; i++) {
        const moment_contact *moment = moment_of(island, i);
        const int contact = row_of(island, i);
        double own[3];
        for (int k = 0; k < 3; k++)
            own[k] = self->island_r[3 * i + k] / scale;
        push_contact(self, island, i, own, self->shift6);
        if (i < island->points)
            memcpy(r + 3 * (ptrdiff_t)island->point[i], own, sizeof own);
        else if (moment)
            body_moments_set(self, island->point[moment->contact], moment->torsion, own);
        else if (!frictionless && contact < 0)
            self->joints.impulse[guide_of(island, i)] = own[is_motor(self, island, i) ? 1 : 0];
        for (int k = 0; contact >= 0 && !frictionless && k < 3; k++)
            self->rows.contact[contact].impulse[k] = is_real(self, island, i, k) ? own[k] : 0.0;
    }
    let_joints_answer(self, self->shift6);
    for (int k = 0; !frictionless && k < self->joints.count; k++)
        self->joints.reaction[k] += self->joints.lambda[k];
    for (size_t k = 0; k < slots; k++)
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
    fill_rows(self, &island, frictionless, scale, x);
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
