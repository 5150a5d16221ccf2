/* What the record of a program says of its result, by carom's own functions, the same for all programs.
 *
 *   judge SCENE RECORD
 *
 * One row: SECONDS/STEP STEPS SAMPLES CONTACTS COULOMB COULOMB_WORST MOMENTUM PENETRATION ENERGY NOTE
 *
 *   COULOMB      carom_pairs_error: |s r - P_K(s r - u - (mu |u_T|, 0, 0))| / |q|, r the program's impulses, q the relative
 *                velocities without contacts, u those after the step: the larger of two errors, with u as the program itself
 *                has it and with u = q + W r, which its impulses give; median of the samples, and the largest
 *   MOMENTUM     |v+ - v - h g - M^-1 H^T r| in the norm of the masses, over that of h g; median
 *   PENETRATION  deepest at the end of a sampled step, by carom_collider_find, over the size of the scene
 *   ENERGY       largest rise of the energy from an earlier sample to a later one, over weight times size
 *
 * The gyroscopic term is left out of the momentum: the bodies of these scenes are round or hardly turn. */
#include "scene.h"

#include "carom/contact/pairs.h"
#include "carom/shape.h"

typedef struct placed {
    double x[3], r[9], v[6];
} placed;

typedef struct sample {
    placed *before, *after;
    int contacts, room;
    carom_pair_rows *row;
    double *q, *r;
} sample;

typedef struct figures {
    int samples, judged; /* those with contacts */
    double coulomb[4 * SAMPLES], momentum[4 * SAMPLES], contacts;
    double penetration, lowest, gain;
} figures;

typedef struct judge {
    scene scene;
    sample sample;
    figures figures;
    double *inverse_mass, *velocity, *motion;
    double *inverse_inertia; /* 9 per body, along the axes of space */
    carom_shape **shape;
    carom_pose *pose;
    carom_collider *collider;
} judge;

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (!memory)
        scene_stop("judge", "out of memory");
    return memory;
}

static void check(carom_status status, const carom_error *error)
{
    if (status != CAROM_OK)
        scene_stop("judge", error->text);
}

static void set_up_collider(judge *self)
{
    const scene *s = &self->scene;
    const int count = s->bodies + s->halfspaces;
    int *group = take((size_t)count, sizeof *group);
    carom_error error;
    self->shape = take((size_t)count, sizeof *self->shape);
    self->pose = take((size_t)count, sizeof *self->pose);
    for (int i = 0; i < count; i++) {
        group[i] = i < s->bodies ? i + 1 : 0;
        self->pose[i] = carom_pose_identity();
        if (i >= s->bodies)
            check(carom_shape_halfspace(s->dimension, s->normal[i - s->bodies], s->offset[i - s->bodies],
                                        &self->shape[i], &error),
                  &error);
        else if (s->body[i].is_box)
            check(carom_shape_box(s->dimension, s->body[i].edge, &self->shape[i], &error), &error);
        else
            check(carom_shape_sphere(s->dimension, s->body[i].edge[0], &self->shape[i], &error), &error);
    }
    check(carom_collider_setup(s->dimension, count, (const carom_shape *const *)self->shape, group, 0, NULL,
                               0.0, &self->collider, &error),
          &error);
    free(group);
}

static void set_up(judge *self, const char *path)
{
    self->scene = scene_read(path);
    const size_t n = (size_t)self->scene.bodies;
    self->sample.before = take(n, sizeof *self->sample.before);
    self->sample.after = take(n, sizeof *self->sample.after);
    self->inverse_mass = take(n, sizeof *self->inverse_mass);
    self->inverse_inertia = take(9 * n, sizeof *self->inverse_inertia);
    self->velocity = take(6 * n, sizeof *self->velocity);
    self->motion = take(6 * n, sizeof *self->motion);
    self->figures.lowest = INFINITY;
    for (size_t i = 0; i < n; i++)
        self->inverse_mass[i] = 1.0 / self->scene.body[i].mass;
    set_up_collider(self);
}

/* ---- reading ---------------------------------------------------------------------------------------------- */

static void matrix_of(const double q[4], double r[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double matrix[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                              2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                              2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(r, matrix, sizeof matrix);
}

static void read_numbers(const char *line, int count, double *number)
{
    char *end = NULL;
    for (int i = 0; i < count; i++, line = end) {
        number[i] = strtod(line, &end);
        if (end == line)
            scene_stop("judge: a number is missing", line);
    }
}

static void read_placed(const char *line, placed *body)
{
    double number[13];
    read_numbers(line, 13, number);
    memcpy(body->x, number, sizeof body->x);
    matrix_of(number + 3, body->r);
    memcpy(body->v, number + 7, sizeof body->v);
}

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* Normal and two tangents; in the plane the second tangent points out of it. */
static void make_frame(bool plane, const double normal[3], double frame[9])
{
    const double length = sqrt(carom_dot(3, normal, normal));
    double other[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++)
        frame[k] = normal[k] / length;
    int least = 2;
    for (int k = 0; k < 2 && !plane; k++)
        if (fabs(frame[k]) < fabs(frame[least]))
            least = k;
    other[least] = 1.0;
    cross(other, frame, frame + 3);
    const double tangent = sqrt(carom_dot(3, frame + 3, frame + 3));
    for (int k = 3; k < 6; k++)
        frame[k] /= tangent;
    cross(frame, frame + 3, frame + 6);
}

static void fill_side(const judge *self, const double point[3], carom_pair_rows *row, int side)
{
    const int body = row->body[side];
    if (body < 0)
        return;
    const double *x = self->sample.before[body].x, *inverse = self->inverse_inertia + 9 * (ptrdiff_t)body;
    const double arm[3] = {point[0] - x[0], point[1] - x[1], point[2] - x[2]};
    for (int k = 0; k < 3; k++) {
        cross(arm, row->direction + 3 * (ptrdiff_t)k, row->turn[side] + 3 * (ptrdiff_t)k);
        for (int c = 0; c < 3; c++)
            row->answer[side][3 * k + c] =
                carom_dot(3, inverse + 3 * (ptrdiff_t)c, row->turn[side] + 3 * (ptrdiff_t)k);
    }
}

/* All bodies of the sample have been read: contacts come last. */
static void find_inertias(judge *self)
{
    for (int i = 0; i < self->scene.bodies; i++) {
        const double *r = self->sample.before[i].r, *inertia = self->scene.body[i].inertia;
        double *inverse = self->inverse_inertia + 9 * (ptrdiff_t)i;
        memset(inverse, 0, 9 * sizeof *inverse);
        if (self->scene.dimension == 2) {
            inverse[8] = 1.0 / inertia[2];
            continue;
        }
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                for (int k = 0; k < 3; k++)
                    inverse[3 * a + b] += r[3 * a + k] * r[3 * b + k] / inertia[k];
    }
}

static void read_contact(judge *self, const char *line)
{
    sample *s = &self->sample;
    double number[15];
    read_numbers(line, 15, number);
    if (s->contacts == s->room) {
        s->room = 2 * s->room + 64;
        s->row = realloc(s->row, (size_t)s->room * sizeof *s->row);
        s->q = realloc(s->q, 3 * (size_t)s->room * sizeof *s->q);
        s->r = realloc(s->r, 3 * (size_t)s->room * sizeof *s->r);
        if (!s->row || !s->q || !s->r)
            scene_stop("judge", "out of memory");
    }
    const bool plane = self->scene.dimension == 2;
    double *point_a = number + 2, *point_b = number + 5, *normal = number + 8, *impulse = number + 11;
    if (plane)
        point_a[2] = point_b[2] = normal[2] = impulse[2] = 0.0;
    carom_pair_rows *row = &s->row[s->contacts];
    *row = (carom_pair_rows){.mu = self->scene.friction};
    for (int side = 0; side < 2; side++)
        row->body[side] = number[side] < 0.0 ? -1 : (int)number[side];
    make_frame(plane, normal, row->direction);
    fill_side(self, point_a, row, 0);
    fill_side(self, point_b, row, 1);
    double *q = s->q + 3 * (ptrdiff_t)s->contacts, *r = s->r + 3 * (ptrdiff_t)s->contacts;
    q[0] = number[14];
    q[1] = q[2] = 0.0;
    for (int k = 0; k < 3; k++)
        r[k] = carom_dot(3, row->direction + 3 * (ptrdiff_t)k, impulse);
    s->contacts++;
}

/* ---- figures ---------------------------------------------------------------------------------------------- */

/* velocity := v + h g, from before the step. */
static void find_free(const judge *self, double *velocity)
{
    for (int i = 0; i < self->scene.bodies; i++)
        for (int k = 0; k < 6; k++)
            velocity[6 * i + k] =
                self->sample.before[i].v[k] + (k < 3 ? self->scene.step * self->scene.gravity[k] : 0.0);
}

static double mass_norm(const judge *self, const double *velocity)
{
    double sum = 0.0;
    for (int i = 0; i < self->scene.bodies; i++) {
        const scene_body *body = &self->scene.body[i];
        const double *v = velocity + 6 * (ptrdiff_t)i, *r = self->sample.before[i].r;
        sum += body->mass * carom_dot(3, v, v);
        for (int k = 0; k < 3; k++) {
            const double along = r[k] * v[3] + r[3 + k] * v[4] + r[6 + k] * v[5];
            sum += body->inertia[k] * along * along;
        }
    }
    return sqrt(sum);
}

static void judge_laws(judge *self)
{
    const scene *s = &self->scene;
    sample *now = &self->sample;
    figures *f = &self->figures;
    const size_t numbers = 6 * (size_t)s->bodies;
    carom_pairs problem = {.contacts = now->contacts,
                           .bodies = s->bodies,
                           .row = now->row,
                           .inverse_mass = self->inverse_mass,
                           .q = now->q,
                           .plane = s->dimension == 2};
    find_free(self, self->velocity);
    for (int i = 0; i < now->contacts; i++) { /* q: the shift, and the velocities without contacts */
        double u[3];
        carom_pairs_velocity(&problem, i, self->velocity, u);
        memcpy(now->q + 3 * (ptrdiff_t)i, u, sizeof u);
    }
    for (size_t i = 0; i < numbers; i++)
        self->velocity[i] = now->after[i / 6].v[i % 6] - self->velocity[i];
    carom_pairs_motion(&problem, now->r, self->motion);
    if (now->contacts > 0) {
        const double scale = carom_pairs_scale(&problem);
        f->coulomb[f->judged] = fmax(carom_pairs_error(&problem, scale, now->r, self->velocity),
                                     carom_pairs_error(&problem, scale, now->r, self->motion));
    }
    double pull = 0.0;
    for (int i = 0; i < s->bodies; i++)
        pull += s->body[i].mass * carom_dot(3, s->gravity, s->gravity) * s->step * s->step;
    for (size_t i = 0; i < numbers; i++)
        self->motion[i] = self->velocity[i] - self->motion[i];
    f->momentum[f->judged] = mass_norm(self, self->motion) / sqrt(pull);
    f->judged += now->contacts > 0;
    f->contacts += now->contacts;
}

static double energy_of(const judge *self, const placed *body)
{
    double energy = 0.0;
    for (int i = 0; i < self->scene.bodies; i++) {
        const scene_body *is = &self->scene.body[i];
        energy += is->mass *
                  (0.5 * carom_dot(3, body[i].v, body[i].v) - carom_dot(3, self->scene.gravity, body[i].x));
        for (int k = 0; k < 3; k++) {
            const double along = body[i].r[k] * body[i].v[3] + body[i].r[3 + k] * body[i].v[4] +
                                 body[i].r[6 + k] * body[i].v[5];
            energy += 0.5 * is->inertia[k] * along * along;
        }
    }
    return energy;
}

static void judge_energy(judge *self, double energy)
{
    self->figures.lowest = fmin(self->figures.lowest, energy);
    self->figures.gain = fmax(self->figures.gain, energy - self->figures.lowest);
}

static void judge_penetration(judge *self)
{
    const carom_touch *touch = NULL;
    size_t count = 0;
    carom_error error;
    for (int i = 0; i < self->scene.bodies; i++) {
        memcpy(self->pose[i].x, self->sample.after[i].x, sizeof self->pose[i].x);
        memcpy(self->pose[i].r, self->sample.after[i].r, sizeof self->pose[i].r);
    }
    check(carom_collider_find(self->collider, self->pose, &touch, &count, &error), &error);
    for (size_t i = 0; i < count; i++)
        self->figures.penetration = fmax(self->figures.penetration, -touch[i].gap);
}

static void judge_sample(judge *self)
{
    if (self->figures.samples == 4 * SAMPLES)
        scene_stop("judge", "too many samples");
    judge_laws(self);
    judge_energy(self, energy_of(self, self->sample.after));
    judge_penetration(self);
    self->figures.samples++;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(int count, double *number)
{
    if (count == 0)
        return NAN;
    qsort(number, (size_t)count, sizeof *number, compare);
    return number[count / 2];
}

static void start_energy(judge *self)
{
    for (int i = 0; i < self->scene.bodies; i++) {
        placed *body = &self->sample.after[i];
        *body = (placed){0};
        memcpy(body->x, self->scene.body[i].x, sizeof body->x);
        matrix_of(self->scene.body[i].q, body->r);
    }
    judge_energy(self, energy_of(self, self->sample.after));
}

int main(int argc, char **argv)
{
    judge self = {.figures.gain = 0.0};
    char line[1024], note[512] = "-";
    double seconds = NAN, weight = 0.0;
    int steps = 0, before = 0, after = 0;
    bool open = false;
    FILE *file = argc == 3 ? fopen(argv[2], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: %s SCENE RECORD\n", argv[0]);
        return 2;
    }
    set_up(&self, argv[1]);
    start_energy(&self);
    while (fgets(line, sizeof line, file)) {
        const bool ends = strncmp(line, "sample", 6) == 0 || strncmp(line, "time", 4) == 0;
        if (ends && open && after == self.scene.bodies)
            judge_sample(&self);
        if (ends)
            open = false;
        if (strncmp(line, "sample", 6) == 0) {
            open = true;
            before = after = self.sample.contacts = 0;
        } else if (line[0] == 'b' && before < self.scene.bodies) {
            read_placed(line + 1, &self.sample.before[before++]);
        } else if (line[0] == 'a' && after < self.scene.bodies) {
            read_placed(line + 1, &self.sample.after[after++]);
            if (after == self.scene.bodies)
                find_inertias(&self);
        } else if (line[0] == 'c') {
            read_contact(&self, line + 1);
        } else if (sscanf(line, "time %lf %d", &seconds, &steps) == 2) {
            continue;
        } else if (sscanf(line, "note %511[^\n]", note) == 1) {
            for (char *at = note; *at; at++)
                *at = *at == ' ' ? '_' : *at;
        }
    }
    fclose(file);
    for (int i = 0; i < self.scene.bodies; i++)
        weight += self.scene.body[i].mass * sqrt(carom_dot(3, self.scene.gravity, self.scene.gravity));
    figures *f = &self.figures;
    const double usual = median(f->judged, f->coulomb);
    printf("%.4g %d %d %.0f %.3g %.3g %.3g %.3g %.3g %s\n", seconds / steps, steps, f->samples,
           f->contacts / f->samples, usual, f->judged ? f->coulomb[f->judged - 1] : NAN,
           median(f->judged, f->momentum), f->penetration / self.scene.size,
           f->gain / (weight * self.scene.size), note);
    for (int i = 0; i < self.scene.bodies + self.scene.halfspaces; i++)
        carom_shape_free(self.shape[i]);
    carom_collider_free(self.collider);
    free(self.shape);
    free(self.pose);
    free(self.sample.before);
    free(self.sample.after);
    free(self.sample.row);
    free(self.sample.q);
    free(self.sample.r);
    free(self.inverse_mass);
    free(self.inverse_inertia);
    free(self.velocity);
    free(self.motion);
    free(self.scene.body);
    return EXIT_SUCCESS;
}
