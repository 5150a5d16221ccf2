/* Coordinates beside bodies: forces, their derivatives, masses and rows against finite differences; inertia terms by the
 * balance of energy. */
#include <math.h>
#include <string.h>

#include "carom/io.h"
#include "carom/model/bodies.h"
#include "test/near.h"

#define SHARED                                                                                               \
    "kinetic((1 + sin(x)^2) / 2 * dot(x)^2 + 0.3 * cos(x - y) * dot(x) * dot(y) + dot(y)^2)\n"               \
    "potential(3 * (p.x - x)^2 + 2 * (p.y - sin(y))^2 + 0.2 * x * cos(time() * b.y))\n"                      \
    "force { x = -0.3 * dot(x) + 0.4 * dot(y) * b.x + sin(time()), y = -0.2 * dot(b.x) }\n"                  \
    "contact { 'touch', gap = p.y - x * y + time(), slip = dot(p.x) - 2 * dot(y) + x, friction = 0.3 }\n"    \
    "joint { 'rod', (p.x - x)^2 + (p.y - y)^2 - 1 }\n"                                                       \
    "initial { x = 0.4, y = -0.7, [dot(x)] = 0.8, [dot(y)] = -0.5 }\n"                                       \
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1 }\n"

static const char space[] =
    "local x = coordinates('x')\n"
    "world { gravity = { 0.3, -0.2, -9.81 } }\n"
    "local far = body { 'far', shape = sphere { 0.1 }, density = 1, at = { 9, 9, 9 } }\n"
    "local b = body { 'b', shape = box { 0.4, 0.3, 0.2 }, density = 600, at = { 0.1, 0.2, 1 },\n"
    "                 rotation = { axis = { 1, 2, 3 }, angle = 0.7 }, velocity = { 1, 2, 3 }, spin = { 0.5, "
    "-0.3, 0.2 } }\n"
    "local y = coordinates('y')\n"
    "local p = b:point { 0.1, 0.2, -0.1 }\n"
    "force { b, { 0.1 * dot(x), 0, 0 } }\n" SHARED;

static const char plane[] =
    "world { gravity = { 0.3, -9.81 } }\n"
    "local b = body { 'b', shape = box { 0.4, 0.3 }, density = 600, at = { 0.2, 1 }, rotation = 0.7, "
    "velocity = { 1, 2 }, spin = 3 }\n"
    "local x, y = coordinates('x', 'y')\n"
    "local far = body { 'far', shape = disc { 0.1 }, density = 1, at = { 9, 9 } }\n"
    "local p = b:point { 0.1, 0.2 }\n" SHARED;

enum {
    MOST = 24
};

typedef struct loaded {
    carom_experiment *experiment;
    const carom_model *model;
    carom_model_work *work;
    const carom_bodies *bodies;
    double q[MOST], v[MOST];
} loaded;

static const double now = 0.4;

static void load(const char *text, loaded *l)
{
    carom_error error = {0};
    if (carom_experiment_load(&(carom_load_request){.name = "mixed", .text = text}, &l->experiment, &error) !=
            CAROM_OK ||
        carom_model_work_create(l->experiment->model, NULL, &l->work, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    l->model = l->experiment->model;
    l->bodies = carom_model_bodies(l->work);
    l->model->ops->initial(l->work, l->q, l->v);
}

static void unload(loaded *l)
{
    carom_model_work_free(l->work);
    carom_experiment_free(l->experiment);
}

/* q moved by h along the velocity v. */
static void move(const loaded *l, const double *v, double h, double *q)
{
    memcpy(q, l->q, sizeof l->q);
    for (int i = 0; i < l->bodies->count; i++)
        if (l->bodies->body[i].q >= 0)
            carom_body_move(l->bodies, &l->bodies->body[i], h, v, l->q, q);
    for (int i = 0; i < l->bodies->linked.coordinates; i++)
        q[l->bodies->linked.q[i]] += h * v[l->bodies->linked.v[i]];
}

static void move_along(const loaded *l, int k, double h, double *q)
{
    double v[MOST] = {0.0};
    v[k] = 1.0;
    move(l, v, h, q);
}

/* The body that shares no force stands outside; the other one and the coordinates are the part. */
static void check_part(const loaded *l)
{
    const carom_linked *linked = &l->bodies->linked;
    const int of_body = l->bodies->dimension == CAROM_PLANE ? 3 : 6;
    assert_int_equal(linked->coordinates, 2);
    assert_int_equal(linked->count, 2 + of_body);
    for (int i = 0; i < l->bodies->count; i++) {
        bool within = false;
        for (int k = 0; k < linked->count; k++)
            within = within || linked->velocity[k] == l->bodies->body[i].v;
        assert_int_equal(within, strcmp(l->bodies->body[i].name, "b") == 0);
    }
    for (int k = 1; k < linked->count; k++)
        assert_true(linked->velocity[k] > linked->velocity[k - 1]);
}

static void check_jacobians(const loaded *l)
{
    const carom_linked *linked = &l->bodies->linked;
    const double h = 1e-6;
    double mass[MOST], by_q[MOST * MOST], by_u[MOST * MOST], ahead[MOST], back[MOST], q[MOST], v[MOST];
    double full_q[MOST][MOST] = {{0.0}}, full_u[MOST][MOST] = {{0.0}};
    carom_bodies_linked_matrices(l->work, now, l->q, l->v, mass, by_q, by_u);
    for (int k = 0; k < linked->by_q.count; k++)
        full_q[linked->by_q.row[k]][linked->by_q.column[k]] = by_q[k];
    for (int k = 0; k < linked->by_u.count; k++)
        full_u[linked->by_u.row[k]][linked->by_u.column[k]] = by_u[k];
    for (int j = 0; j < linked->count; j++) {
        move_along(l, linked->velocity[j], h, q);
        l->model->ops->force(l->work, now, q, l->v, ahead);
        move_along(l, linked->velocity[j], -h, q);
        l->model->ops->force(l->work, now, q, l->v, back);
        for (int i = 0; i < linked->count; i++)
            assert_near(full_q[i][j], (ahead[linked->velocity[i]] - back[linked->velocity[i]]) / (2.0 * h),
                        2e-7);
        memcpy(v, l->v, sizeof v);
        v[linked->velocity[j]] += 1e-3; /* at most quadratic */
        l->model->ops->force(l->work, now, l->q, v, ahead);
        v[linked->velocity[j]] -= 2e-3;
        l->model->ops->force(l->work, now, l->q, v, back);
        for (int i = 0; i < linked->count; i++)
            assert_near(full_u[i][j], (ahead[linked->velocity[i]] - back[linked->velocity[i]]) / 2e-3, 1e-10);
    }
}

/* M from energies: T is quadratic in the velocities. */
static void check_mass(const loaded *l, double mass_of[2][2])
{
    const carom_linked *linked = &l->bodies->linked;
    double mass[MOST], by[MOST * MOST], energy[4];
    carom_bodies_linked_matrices(l->work, now, l->q, l->v, mass, by, by + MOST);
    memset(mass_of, 0, 4 * sizeof(double));
    for (int k = 0; k < linked->mass.count; k++) {
        int i = -1, j = -1;
        for (int c = 0; c < 2; c++) {
            i = linked->velocity[linked->mass.row[k]] == linked->v[c] ? c : i;
            j = linked->velocity[linked->mass.column[k]] == linked->v[c] ? c : j;
        }
        assert_true(i >= 0 && j >= 0);
        mass_of[i][j] = mass[k];
    }
    for (int c = 0; c < 4; c++) { /* E at rest, and with one or both velocities */
        double v[MOST] = {0.0};
        v[linked->v[0]] = c & 1;
        v[linked->v[1]] = c >> 1;
        energy[c] = l->model->ops->energy(l->work, now, l->q, v);
    }
    const double cross = energy[3] - energy[1] - energy[2] + energy[0];
    assert_near(mass_of[0][0], 2.0 * (energy[1] - energy[0]), 1e-11);
    assert_near(mass_of[1][1], 2.0 * (energy[2] - energy[0]), 1e-11);
    assert_near(mass_of[0][1], cross, 1e-11);
    assert_near(mass_of[1][0], cross, 1e-11);
}

/* Along the motion M v' = f the energy changes by the power: inertia terms do no work. */
static void check_power(const loaded *l, double mass[2][2])
{
    const carom_linked *linked = &l->bodies->linked;
    const double h = 1e-5;
    double force[MOST], acceleration[MOST] = {0.0}, v[MOST], q[MOST], energy[2];
    l->model->ops->force(l->work, now, l->q, l->v, force);
    const double determinant = mass[0][0] * mass[1][1] - mass[0][1] * mass[1][0];
    const double f0 = force[linked->v[0]], f1 = force[linked->v[1]];
    acceleration[linked->v[0]] = (mass[1][1] * f0 - mass[0][1] * f1) / determinant;
    acceleration[linked->v[1]] = (mass[0][0] * f1 - mass[1][0] * f0) / determinant;
    for (int i = 0; i < l->bodies->count; i++) {
        const carom_body *body = &l->bodies->body[i];
        const bool is_plane = l->bodies->dimension == CAROM_PLANE;
        for (int k = 0; body->v >= 0 && k < (is_plane ? 2 : 3); k++)
            acceleration[body->v + k] = force[body->v + k] / body->mass;
        if (is_plane)
            acceleration[body->v + 2] = force[body->v + 2] / body->inertia[8];
    }
    for (int side = 0; side < 2; side++) {
        const double step = side == 0 ? -h : h;
        for (int k = 0; k < l->model->dof; k++)
            v[k] = l->v[k] + 0.5 * step * acceleration[k];
        move(l, v, step, q);
        for (int k = 0; k < l->model->dof; k++)
            v[k] = l->v[k] + step * acceleration[k];
        energy[side] = l->model->ops->energy(l->work, now + step, q, v);
    }
    assert_near(l->model->ops->power(l->work, now, l->q, l->v), (energy[1] - energy[0]) / (2.0 * h), 2e-6);
}

/* Rows of the joint and the contact are derivatives along velocities; of the slip, by velocities. */
static void check_rows(const loaded *l)
{
    const int joints = l->model->joints, rows = joints + 3, *start = l->bodies->joint_start;
    const double h = 1e-6;
    double entry[MOST * 4], g_t[4], full[4][MOST] = {{0.0}}, ahead[2], back[2], q[MOST];
    assert_int_equal(l->bodies->contacts, 1);
    assert_int_equal(l->bodies->contact[0].tangents, 1);
    carom_bodies_joint_rows(l->work, now, l->q, entry, g_t);
    for (int row = 0; row < rows; row++)
        for (int k = start[row]; k < start[row + 1]; k++)
            full[row][l->bodies->joint_column[k]] = entry[k];
    for (int v = 0; v < l->model->dof; v++) {
        move_along(l, v, h, q);
        carom_bodies_joint_values(l->work, now, q, ahead);
        move_along(l, v, -h, q);
        carom_bodies_joint_values(l->work, now, q, back);
        for (int row = 0; row < 2; row++)
            assert_near(full[row][v], (ahead[row] - back[row]) / (2.0 * h), 1e-9);
    }
    carom_bodies_joint_values(l->work, now + h, l->q, ahead);
    carom_bodies_joint_values(l->work, now - h, l->q, back);
    for (int row = 0; row < 2; row++)
        assert_near(g_t[row], (ahead[row] - back[row]) / (2.0 * h), 1e-9);
    /* slip = p.x' - 2 y' + x, p.x' by moving along v */
    double slip = g_t[2];
    for (int v = 0; v < l->model->dof; v++)
        slip += full[2][v] * l->v[v];
    const double x = l->q[l->bodies->linked.q[0]], rate = l->v[l->bodies->linked.v[1]];
    carom_pose pose[3], moved[3];
    const int b = strcmp(l->bodies->body[0].name, "b") == 0 ? 0 : 1;
    const double point[3] = {0.1, 0.2, l->bodies->dimension == CAROM_PLANE ? 0.0 : -0.1};
    move(l, l->v, h, q);
    carom_bodies_poses(l->bodies, q, moved);
    move(l, l->v, -h, q);
    carom_bodies_poses(l->bodies, q, pose);
    const double p_rate =
        (moved[b].x[0] + carom_dot(3, moved[b].r, point) - pose[b].x[0] - carom_dot(3, pose[b].r, point)) /
        (2.0 * h);
    assert_near(slip, p_rate - 2.0 * rate + x, 1e-8);
    assert_int_equal(start[rows], start[rows - 1]); /* there is no second slip */
}

static void check_model(const char *text)
{
    loaded l = {0};
    double mass[2][2];
    load(text, &l);
    check_part(&l);
    check_jacobians(&l);
    check_mass(&l, mass);
    check_rows(&l);
    if (l.bodies->dimension == CAROM_PLANE)
        check_power(&l, mass);
    unload(&l);
}

static void in_the_plane(void **state)
{
    (void)state;
    check_model(plane);
}

static void in_space(void **state)
{
    (void)state;
    check_model(space);
}

/* Names stand in the order of the file. */
static void names(void **state)
{
    (void)state;
    loaded l = {0};
    load(space, &l);
    assert_string_equal(l.model->coordinate[0], "x");
    assert_string_equal(l.model->coordinate[1], "far.x");
    assert_string_equal(l.model->coordinate[15], "y");
    assert_string_equal(l.model->velocity[0], "x");
    assert_string_equal(l.model->velocity[13], "y");
    assert_int_equal(l.model->dof, 14);
    assert_near(l.q[0], 0.4, 0.0);
    assert_near(l.v[13], -0.5, 0.0);
    const int contact = carom_model_find_contact(l.model, "touch");
    double gap[8];
    assert_int_equal(contact, l.bodies->contact[0].number);
    l.model->ops->gaps(l.work, 0.0, l.q, gap);
    assert_true(isfinite(gap[contact]));
    assert_true(isinf(gap[carom_model_find_contact(l.model, "far/b")]));
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_the_plane), cmocka_unit_test(in_space),
                                       cmocka_unit_test(names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
