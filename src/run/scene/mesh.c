/* Lines and faces of what is seen at an output. */
#include <stdlib.h>
#include <string.h>

#include "carom/model/bodies.h"
#include "carom/run/frames.h"

enum {
    AROUND = 32, /* corners of what is round */
    COILS = 8,
};

/* ---- meshes ---------------------------------------------------------------------------------------- */

/* The array, larger; it stays as it is where memory is short. */
static void *grown(void *array, size_t room, size_t size, bool *made)
{
    void *larger = *made ? realloc(array, carom_product(room, size)) : NULL;
    *made = larger != NULL;
    return larger ? larger : array;
}

/* Room for more points, cells and corners of cells. */
static bool make_room(carom_mesh *mesh, size_t points, size_t cells, size_t corners)
{
    const size_t corner_count = mesh->cells > 0 ? mesh->first[mesh->cells] : 0;
    bool made = !mesh->failed;
    if (made && mesh->points + points > mesh->point_room) {
        const size_t room = 2 * (mesh->points + points);
        mesh->point = grown(mesh->point, room, 3 * sizeof(double), &made);
        mesh->velocity = grown(mesh->velocity, room, 3 * sizeof(double), &made);
        mesh->point_room = made ? room : mesh->point_room;
    }
    if (made && mesh->cells + cells + 1 > mesh->cell_room) {
        const size_t room = 2 * (mesh->cells + cells + 1);
        mesh->kind = grown(mesh->kind, room, 1, &made);
        mesh->owner = grown(mesh->owner, room, sizeof(int), &made);
        mesh->first = grown(mesh->first, room, sizeof(size_t), &made);
        mesh->cell_room = made ? room : mesh->cell_room;
    }
    if (made && corner_count + corners > mesh->corner_room) {
        const size_t room = 2 * (corner_count + corners);
        mesh->corner = grown(mesh->corner, room, sizeof(int), &made);
        mesh->corner_room = made ? room : mesh->corner_room;
    }
    mesh->failed = !made;
    return made;
}

static void add_point(carom_mesh *mesh, const double point[3], const double velocity[3])
{
    for (int i = 0; i < 3; i++) {
        mesh->point[3 * mesh->points + (size_t)i] = point[i];
        mesh->velocity[3 * mesh->points + (size_t)i] = velocity ? velocity[i] : 0.0;
    }
    mesh->points++;
}

static void add_cell(carom_mesh *mesh, carom_cell_kind kind, int owner, int corners, const int *corner,
                     int shift)
{
    if (mesh->cells == 0)
        mesh->first[0] = 0;
    const size_t first = mesh->first[mesh->cells];
    for (int i = 0; i < corners; i++)
        mesh->corner[first + (size_t)i] = corner[i] + shift;
    mesh->kind[mesh->cells] = (unsigned char)kind;
    mesh->owner[mesh->cells] = owner;
    mesh->first[++mesh->cells] = first + (size_t)corners;
}

void carom_mesh_free(carom_mesh *mesh)
{
    free(mesh->point);
    free(mesh->velocity);
    free(mesh->kind);
    free(mesh->owner);
    free(mesh->first);
    free(mesh->corner);
    *mesh = (carom_mesh){0};
}

/* A line through points that were just added, or a face. */
static void add_run(carom_mesh *mesh, carom_cell_kind kind, int owner, size_t points, bool closed)
{
    if (mesh->cells == 0)
        mesh->first[0] = 0;
    const size_t first = mesh->first[mesh->cells];
    for (size_t i = 0; i < points; i++)
        mesh->corner[first + i] = (int)(mesh->points - points + i);
    if (closed)
        mesh->corner[first + points] = (int)(mesh->points - points);
    mesh->kind[mesh->cells] = (unsigned char)kind;
    mesh->owner[mesh->cells] = owner;
    mesh->first[++mesh->cells] = first + points + closed;
}

/* ---- the mesher ------------------------------------------------------------------------------------ */

struct carom_mesher {
    const carom_scene *scene;
    carom_frames frames;
    carom_drawing **drawing; /* of each body; NULL: it has no shape */
    carom_pose *pose;
    double *look;
    double *profile; /* x, then u */
};

/* A few frames are enough. */
double carom_scene_extent(const carom_scene *scene, const carom_frames *frames, carom_pose *pose)
{
    const carom_bodies *bodies = scene->bodies;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0.0;
    const size_t step = frames->count > 10 ? frames->count / 10 : 1;
    for (size_t f = 0; f < frames->count; f += step) {
        carom_bodies_poses(bodies, carom_frame_row(frames, f) + frames->series->layout.q, pose);
        for (int i = 0; i < bodies->count; i++) {
            double from[3], to[3];
            if (!bodies->body[i].shape)
                continue;
            carom_shape_bounds(bodies->body[i].shape, &pose[i], from, to);
            for (int k = 0; k < 3; k++) {
                low[k] = isfinite(from[k]) ? fmin(low[k], from[k]) : low[k];
                high[k] = isfinite(to[k]) ? fmax(high[k], to[k]) : high[k];
            }
        }
    }
    for (int k = 0; k < 3; k++)
        size = low[k] <= high[k] ? fmax(size, high[k] - low[k]) : size;
    return size > 0.0 ? 2.0 * size : 1.0;
}

static carom_status draw_bodies(carom_mesher *self, carom_error *error)
{
    const carom_bodies *bodies = self->scene->bodies;
    const size_t count = (size_t)bodies->count;
    self->pose = carom_new_array(count, sizeof *self->pose);
    self->drawing = carom_new_array(count, sizeof *self->drawing);
    if (!self->pose || !self->drawing)
        return carom_fail_memory(error);
    const double extent = carom_scene_extent(self->scene, &self->frames, self->pose);
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < bodies->count; i++)
        if (bodies->body[i].shape)
            status = carom_shape_draw(bodies->body[i].shape, AROUND, extent, &self->drawing[i], error);
    return status;
}

carom_status carom_mesher_create(const carom_scene *scene, const carom_frames *frames, carom_mesher **mesher,
                                 carom_error *error)
{
    carom_mesher *self = carom_new_array(1, sizeof *self);
    *mesher = NULL;
    if (!self)
        return carom_fail_memory(error);
    self->scene = scene;
    self->frames = *frames;
    self->look = carom_new_array((size_t)scene->looks + 1, sizeof *self->look);
    self->profile = carom_new_array(2 * (size_t)scene->profile_points + 1, sizeof *self->profile);
    carom_status status = self->look && self->profile ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK && scene->bodies)
        status = draw_bodies(self, error);
    if (status == CAROM_OK)
        *mesher = self;
    else
        carom_mesher_free(self);
    return status;
}

void carom_mesher_free(carom_mesher *mesher)
{
    if (!mesher)
        return;
    for (int i = 0; mesher->drawing && i < mesher->scene->bodies->count; i++)
        carom_drawing_free(mesher->drawing[i]);
    free(mesher->drawing);
    free(mesher->pose);
    free(mesher->look);
    free(mesher->profile);
    free(mesher);
}

/* ---- bodies and structures ------------------------------------------------------------------------- */

/* v + w x r. */
static void velocity_at(const carom_body *body, int dimension, const double *v, const double arm[3],
                        double velocity[3])
{
    if (body->v < 0) {
        memset(velocity, 0, 3 * sizeof *velocity);
        return;
    }
    const double *u = v + body->v;
    const double spin[3] = {dimension == 3 ? u[3] : 0.0, dimension == 3 ? u[4] : 0.0,
                            dimension == 3 ? u[5] : u[2]};
    velocity[0] = u[0] + spin[1] * arm[2] - spin[2] * arm[1];
    velocity[1] = u[1] + spin[2] * arm[0] - spin[0] * arm[2];
    velocity[2] = (dimension == 3 ? u[2] : 0.0) + spin[0] * arm[1] - spin[1] * arm[0];
}

static bool add_body(carom_mesher *self, int number, const double *v, carom_mesh *mesh)
{
    const carom_bodies *bodies = self->scene->bodies;
    const carom_drawing *drawing = self->drawing[number];
    const carom_pose *pose = &self->pose[number];
    const int corners = bodies->dimension, shift = (int)mesh->points;
    if (!drawing)
        return true;
    if (!make_room(mesh, drawing->points, drawing->pieces, drawing->pieces * (size_t)corners))
        return false;
    for (size_t i = 0; i < drawing->points; i++) {
        const double *p = drawing->point + 3 * i;
        double arm[3], point[3], velocity[3];
        for (int k = 0; k < 3; k++) {
            arm[k] = pose->r[3 * k] * p[0] + pose->r[3 * k + 1] * p[1] + pose->r[3 * k + 2] * p[2];
            point[k] = pose->x[k] + arm[k];
        }
        velocity_at(&bodies->body[number], bodies->dimension, v, arm, velocity);
        add_point(mesh, point, velocity);
    }
    for (size_t i = 0; i < drawing->pieces; i++)
        add_cell(mesh, corners == 3 ? CAROM_CELL_FACE : CAROM_CELL_LINE, number, corners,
                 drawing->corner + (size_t)corners * i, shift);
    return true;
}

static bool add_profile(carom_mesher *self, const double *q, int owner, carom_mesh *mesh)
{
    const size_t points = (size_t)self->scene->profile_points;
    carom_model_work *work = self->scene->work;
    if (!make_room(mesh, points, 1, points))
        return false;
    work->model->ops->profile(work, q, self->profile, self->profile + points);
    for (size_t i = 0; i < points; i++)
        add_point(mesh, (const double[3]){self->profile[i], self->profile[points + i], 0.0}, NULL);
    add_run(mesh, CAROM_CELL_LINE, owner, points, false);
    return true;
}

/* ---- what is drawn --------------------------------------------------------------------------------- */

static double number_of(const carom_mesher *self, const carom_draw_item *item, int number)
{
    return carom_scene_number(self->scene, &item->number[number], self->look);
}

static void point_of(const carom_mesher *self, const carom_draw_item *item, int first, double point[3])
{
    for (int i = 0; i < 3; i++)
        point[i] = i < item->dimension ? number_of(self, item, first + i) : 0.0;
}

static bool add_disc(const carom_mesher *self, const carom_draw_item *item, int owner, carom_mesh *mesh)
{
    double centre[3];
    const double r = number_of(self, item, item->dimension);
    if (!make_room(mesh, AROUND, 1, AROUND))
        return false;
    point_of(self, item, 0, centre);
    for (int i = 0; i < AROUND; i++) {
        const double angle = 2.0 * CAROM_PI * i / AROUND;
        const double x = r * cos(angle), y = r * sin(angle);
        /* In space a ball is a circle in the plane of x and z. */
        const double point[3] = {centre[0] + x, centre[1] + (item->dimension == 2 ? y : 0.0),
                                 centre[2] + (item->dimension == 3 ? y : 0.0)};
        add_point(mesh, point, NULL);
    }
    add_run(mesh, CAROM_CELL_FACE, owner, AROUND, false);
    return true;
}

/* From p to q; a spring has coils, in the plane of x and y, or of x and z. */
static bool add_segment(const carom_mesher *self, const carom_draw_item *item, int owner, carom_mesh *mesh)
{
    const bool coiled = item->kind == CAROM_DRAW_SPRING;
    const int points = coiled ? 2 * COILS + 2 : 2, up = item->dimension - 1;
    double p[3], q[3], across[3] = {0};
    if (!make_room(mesh, (size_t)points, 1, (size_t)points))
        return false;
    point_of(self, item, 0, p);
    point_of(self, item, item->dimension, q);
    if (item->kind == CAROM_DRAW_ARROW)
        for (int i = 0; i < 3; i++)
            q[i] = p[i] + (item->scale > 0.0 ? item->scale : 1.0) * q[i];
    across[0] = -0.06 * (q[up] - p[up]);
    across[up] = 0.06 * (q[0] - p[0]);
    for (int k = 0; k < points; k++) {
        const double part = k == 0 ? 0.0 : k == points - 1 ? 1.0 : (k - 0.5) / (points - 2.0);
        const double side = k == 0 || k == points - 1 ? 0.0 : k % 2 ? 1.0 : -1.0;
        double point[3];
        for (int i = 0; i < 3; i++)
            point[i] = p[i] + part * (q[i] - p[i]) + side * across[i];
        add_point(mesh, point, NULL);
    }
    add_run(mesh, CAROM_CELL_LINE, owner, (size_t)points, false);
    return true;
}

static bool add_points(const carom_mesher *self, const carom_draw_item *item, int owner, carom_mesh *mesh)
{
    const size_t points = (size_t)item->points;
    if (!make_room(mesh, points, 1, points + 1))
        return false;
    for (int i = 0; i < item->points; i++) {
        double point[3];
        point_of(self, item, i * item->dimension, point);
        add_point(mesh, point, NULL);
    }
    if (item->kind == CAROM_DRAW_POLYGON)
        add_run(mesh, CAROM_CELL_FACE, owner, points, false);
    else
        add_run(mesh, points == 1 ? CAROM_CELL_POINT : CAROM_CELL_LINE, owner, points, item->closed);
    return true;
}

static bool add_item(const carom_mesher *self, const carom_draw_item *item, int owner, carom_mesh *mesh)
{
    switch (item->kind) {
    case CAROM_DRAW_DISC:
        return add_disc(self, item, owner, mesh);
    case CAROM_DRAW_SEGMENT:
    case CAROM_DRAW_SPRING:
    case CAROM_DRAW_DAMPER:
    case CAROM_DRAW_ROD:
    case CAROM_DRAW_ARROW:
        return add_segment(self, item, owner, mesh);
    case CAROM_DRAW_POLYGON:
    case CAROM_DRAW_WALL:
    case CAROM_DRAW_CURVE:
    case CAROM_DRAW_PATH:
    case CAROM_DRAW_PIN:
        return add_points(self, item, owner, mesh);
    case CAROM_DRAW_TEXT:
    case CAROM_DRAW_CONTACT: /* carom_mesher_pushes */
    case CAROM_DRAW_KINDS:
        return true;
    }
    return true;
}

carom_status carom_mesher_fill(carom_mesher *mesher, size_t frame, carom_mesh *mesh, carom_error *error)
{
    const carom_scene *scene = mesher->scene;
    const carom_row_layout *layout = &mesher->frames.series->layout;
    const double *row = carom_frame_row(&mesher->frames, frame);
    const int bodies = scene->bodies ? scene->bodies->count : 0;
    mesh->points = mesh->cells = 0;
    if (bodies > 0)
        carom_bodies_poses(scene->bodies, row + layout->q, mesher->pose);
    bool added = make_room(mesh, 0, 1, 0);
    for (int i = 0; added && i < bodies; i++)
        added = add_body(mesher, i, row + layout->v, mesh);
    if (added && scene->profile_points > 0)
        added = add_profile(mesher, row + layout->q, bodies, mesh);
    carom_scene_look(scene, layout, row, mesher->look);
    for (int i = 0; added && i < scene->experiment->draw_count; i++)
        added = add_item(mesher, &scene->experiment->draw[i], bodies + 1 + i, mesh);
    return added ? CAROM_OK : carom_fail_memory(error);
}

/* ---- pushes ---------------------------------------------------------------------------------------- */

static void drawn_push(const carom_mesher *self, const carom_draw_item *item, const double *row,
                       carom_mesh_push *push)
{
    const carom_row_layout *layout = &self->frames.series->layout;
    double normal[3];
    point_of(self, item, 0, push->at);
    point_of(self, item, item->dimension, normal);
    const double *impulse = row + layout->impulse + CAROM_CONTACT_COMPONENTS * item->contact;
    /* The first tangent is the normal turned to the right, as slips of the plane are counted. */
    const double tangent[3] = {item->dimension == 2 ? normal[1] : 0.0,
                               item->dimension == 2 ? -normal[0] : 0.0, 0.0};
    for (int i = 0; i < 3; i++)
        push->impulse[i] = impulse[0] * normal[i] + impulse[1] * tangent[i];
    push->regime = (int)row[layout->regime + item->contact];
}

void carom_push_show(const carom_bodies *bodies, const carom_pose *pose, const carom_push *push, double at[3],
                     double impulse[3])
{
    const bool from_b = bodies->body[push->a].kind == CAROM_BODY_FIXED; /* half spaces have no place */
    const carom_pose *place = &pose[from_b ? push->b : push->a];
    double along = 0.0;
    for (int i = 0; i < 3; i++)
        along += bodies->gravity[i] * (double)push->impulse[i];
    const double sign = along > 0.0 || (along == 0.0 && from_b) ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++) {
        at[i] = place->x[i] + (double)push->arm[from_b][i];
        impulse[i] = sign * (double)push->impulse[i];
    }
}

static void body_push(const carom_mesher *self, const carom_push *from, carom_mesh_push *push)
{
    carom_push_show(self->scene->bodies, self->pose, from, push->at, push->impulse);
    push->regime = from->slips ? CAROM_CONTACT_SLIP : CAROM_CONTACT_STICK;
}

/* The output of that time; count: there is none. */
static size_t output_at(const carom_push_series *pushes, double t)
{
    size_t low = 0, high = pushes->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (pushes->t[middle] < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low < pushes->count && pushes->t[low] == t ? low : pushes->count;
}

size_t carom_mesher_pushes(carom_mesher *mesher, size_t frame, const carom_push_series *pushes, size_t room,
                           carom_mesh_push *push)
{
    const carom_scene *scene = mesher->scene;
    const carom_row_layout *layout = &mesher->frames.series->layout;
    const double *row = carom_frame_row(&mesher->frames, frame);
    size_t count = 0;
    carom_scene_look(scene, layout, row, mesher->look);
    for (int i = 0; i < scene->experiment->draw_count; i++) {
        const carom_draw_item *item = &scene->experiment->draw[i];
        if (item->kind != CAROM_DRAW_CONTACT || row[layout->regime + item->contact] == CAROM_CONTACT_OPEN)
            continue;
        if (count < room)
            drawn_push(mesher, item, row, &push[count]);
        count++;
    }
    if (!scene->bodies || !pushes)
        return count;
    carom_bodies_poses(scene->bodies, row + layout->q, mesher->pose);
    const size_t output = output_at(pushes, row[0]);
    for (size_t i = 0; output < pushes->count && i < pushes->first[output + 1] - pushes->first[output]; i++) {
        if (count < room)
            body_push(mesher, &pushes->point[pushes->first[output] + i], &push[count]);
        count++;
    }
    return count;
}
