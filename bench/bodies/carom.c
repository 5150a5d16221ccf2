/* A scene of bench-bodies by carom.
 *
 *   carom SCENE TOLERANCE SECONDS
 *   carom settle SCENE SECONDS          writes the scene as it is after 2 s of motion, or after so many seconds of the processor
 *
 * A settled scene is at rest, and its balls are smaller by 3e-4: nothing overlaps. */
#include "scene.h"

#include "carom/model/bodies.h"
#include "carom/scheme.h"
#include "carom/version.h"

typedef struct run {
    scene scene;
    carom_model *model;
    carom_model_work *work;
    const carom_bodies *bodies;
    carom_stepper *stepper;
    double *moved; /* positions half a step ahead, where contacts are looked for; */
    double *place; /* ... the points of them */
    carom_pose *pose;
    int room;
    carom_body_point *point;
} run;

static void check(carom_status status, const carom_error *error)
{
    if (status != CAROM_OK)
        scene_stop("carom", error->text);
}

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        scene_stop("carom", "out of memory");
    return memory;
}

/* ---- the model: bodies first, then the half spaces ---------------------------------------------------------- */

static void describe_body(const scene *s, carom_graph *graph, int i, carom_body_spec *spec)
{
    const scene_body *body = &s->body[i];
    const double angle = 2.0 * atan2(body->q[3], body->q[0]);
    spec->kind = CAROM_BODY_FREE;
    spec->mass = carom_constant(graph, body->mass);
    for (int k = 0; k < 6; k++)
        spec->inertia[k] = k < 3 ? carom_constant(graph, body->inertia[k]) : CAROM_NO_NODE;
    for (int k = 0; k < 3; k++)
        spec->at[k] = carom_constant(graph, body->x[k]);
    for (int k = 0; k < 4; k++)
        spec->rotation[k] = carom_constant(graph, s->dimension == 2 ? angle : body->q[k]);
}

static void make_shape(const scene *s, int i, carom_shape **shape)
{
    carom_error error;
    if (i >= s->bodies)
        check(carom_shape_halfspace(s->dimension, s->normal[i - s->bodies], s->offset[i - s->bodies], shape,
                                    &error),
              &error);
    else if (s->body[i].is_box)
        check(carom_shape_box(s->dimension, s->body[i].edge, shape, &error), &error);
    else
        check(carom_shape_sphere(s->dimension, s->body[i].edge[0], shape, &error), &error);
}

static carom_model *make_model(const scene *s)
{
    const int count = s->bodies + s->halfspaces;
    carom_graph *graph = carom_graph_create(0);
    carom_body_spec *body = take((size_t)count, sizeof *body);
    carom_shape **shape = take((size_t)count, sizeof *shape);
    char(*name)[16] = take((size_t)count, sizeof *name);
    for (int i = 0; i < count; i++) {
        make_shape(s, i, &shape[i]);
        snprintf(name[i], sizeof name[i], "b%d", i);
        body[i] = (carom_body_spec){.name = name[i],
                                    .shape = shape[i],
                                    .kind = CAROM_BODY_FIXED,
                                    .mass = CAROM_NO_NODE,
                                    .at = {CAROM_NO_NODE, CAROM_NO_NODE, CAROM_NO_NODE}};
        for (int k = 0; k < 6; k++)
            body[i].inertia[k] = CAROM_NO_NODE;
        for (int k = 0; k < 4; k++)
            body[i].rotation[k] = CAROM_NO_NODE;
        for (int k = 0; k < 3; k++)
            body[i].velocity[k] = body[i].spin[k] = CAROM_NO_NODE;
        if (i < s->bodies)
            describe_body(s, graph, i, &body[i]);
    }
    const carom_material_pair pair = {.material = {-1, -1},
                                      .friction = carom_constant(graph, s->friction),
                                      .restitution = carom_constant(graph, 0.0),
                                      .rolling = CAROM_NO_NODE,
                                      .torsion = CAROM_NO_NODE};
    const carom_bodies_spec spec = {.graph = graph,
                                    .dimension = s->dimension,
                                    .gravity = {carom_constant(graph, s->gravity[0]),
                                                carom_constant(graph, s->gravity[1]),
                                                carom_constant(graph, s->gravity[2])},
                                    .shapes = count,
                                    .shape = shape,
                                    .bodies = count,
                                    .body = body,
                                    .materials = 1,
                                    .pairs = 1,
                                    .pair = &pair,
                                    .potential = CAROM_NO_NODE};
    carom_model *model = NULL;
    carom_error error;
    check(carom_bodies_model_create(&spec, &model, &error), &error);
    carom_graph_free(graph);
    free(body);
    free(shape);
    free(name);
    return model;
}

/* ---- steps ------------------------------------------------------------------------------------------------ */

static void quaternion_of(const double r[9], double q[4])
{
    const double trace[4] = {1.0 + r[0] + r[4] + r[8], 1.0 + r[0] - r[4] - r[8], 1.0 - r[0] + r[4] - r[8],
                             1.0 - r[0] - r[4] + r[8]};
    const double turn[3] = {r[7] - r[5], r[2] - r[6], r[3] - r[1]};
    const double sum[3] = {r[5] + r[7], r[2] + r[6], r[1] + r[3]};
    int largest = 0;
    for (int k = 1; k < 4; k++)
        if (trace[k] > trace[largest])
            largest = k;
    const double d = 2.0 * sqrt(trace[largest]);
    if (largest == 0) {
        q[0] = 0.25 * d;
        for (int k = 0; k < 3; k++)
            q[1 + k] = turn[k] / d;
        return;
    }
    const int i = largest - 1, j = (i + 1) % 3, k = (i + 2) % 3;
    q[0] = turn[i] / d;
    q[1 + i] = 0.25 * d;
    q[1 + j] = sum[k] / d;
    q[1 + k] = sum[j] / d;
}

static void record_poses(void *context, char kind)
{
    run *self = context;
    const carom_state *state = &self->stepper->state;
    const double ahead = kind == 'b' ? 0.5 * self->scene.step : 0.0;
    const bool plane = self->scene.dimension == 2;
    for (int i = 0; i < self->scene.bodies; i++)
        carom_body_move(self->bodies, &self->bodies->body[i], ahead, state->v, state->q, self->moved);
    carom_bodies_poses(self->bodies, self->moved, self->pose);
    for (int i = 0; i < self->scene.bodies; i++) {
        const double *v = state->v + self->bodies->body[i].v;
        double q[4];
        quaternion_of(self->pose[i].r, q);
        record_body(kind, self->pose[i].x, q, (const double[3]){v[0], v[1], plane ? 0.0 : v[2]},
                    (const double[3]){plane ? 0.0 : v[3], plane ? 0.0 : v[4], plane ? v[2] : v[5]});
        if (kind == 'b')
            memcpy(self->place + 3 * (ptrdiff_t)i, self->pose[i].x, 3 * sizeof(double));
    }
}

static bool step(void *context, bool sampled)
{
    run *self = context;
    carom_error error;
    (void)sampled;
    if (carom_stepper_step(self->stepper, &error) == CAROM_OK)
        return true;
    printf("note failed: %s\n", error.text);
    return false;
}

static int number_of(const run *self, int body)
{
    return body < self->scene.bodies ? body : -1 - (body - self->scene.bodies);
}

static void record_contacts(void *context)
{
    run *self = context;
    const int count = carom_stepper_body_points(self->stepper, self->room, self->point);
    if (count > self->room) {
        free(self->point);
        self->room = 2 * count;
        self->point = take((size_t)self->room, sizeof *self->point);
        carom_stepper_body_points(self->stepper, self->room, self->point);
    }
    for (int i = 0; i < count; i++) {
        const carom_body_point *point = &self->point[i];
        const int free_side = point->a < self->scene.bodies ? 0 : 1;
        const double *x = self->place + 3 * (ptrdiff_t)(free_side == 0 ? point->a : point->b);
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = x[k] + point->arm[free_side][k];
        record_contact(number_of(self, point->a), number_of(self, point->b), at, at, point->normal,
                       point->impulse, point->shift);
    }
}

/* The lines of the scene at `path`, its balls where they are after a while. */
static void settle(run *self, const char *path, double seconds)
{
    const double until = 2.0, started = scene_seconds();
    carom_error error;
    char line[1024];
    int i = 0;
    while (self->stepper->state.t < until && scene_seconds() < started + seconds)
        check(carom_stepper_step(self->stepper, &error), &error);
    if (self->stepper->state.t < until)
        fprintf(stderr, "carom: %s moved for %.3g s only\n", path, self->stepper->state.t);
    FILE *file = fopen(path, "r");
    if (!file)
        scene_stop(path, "cannot be read");
    while (fgets(line, sizeof line, file)) {
        const scene_body *body = &self->scene.body[i];
        if (strncmp(line, "ball", 4) != 0) {
            fputs(line, stdout);
            continue;
        }
        const double *x = self->stepper->state.q + self->bodies->body[i++].q;
        printf("ball %.17g %.17g %.17g %.17g %.17g %.17g\n", (1.0 - 3e-4) * body->edge[0], body->mass,
               body->inertia[2], x[0], x[1], self->scene.dimension == 2 ? 0.0 : x[2]);
    }
    fclose(file);
}

int main(int argc, char **argv)
{
    const bool settles = argc == 4 && strcmp(argv[1], "settle") == 0;
    const char *path = argv[settles ? 2 : 1];
    if (argc != 4) {
        fprintf(stderr, "usage: %s SCENE TOLERANCE SECONDS | settle SCENE SECONDS\n", argv[0]);
        return 2;
    }
    run self = {.scene = scene_read(path)};
    carom_error error;
    self.model = make_model(&self.scene);
    check(carom_model_work_create(self.model, NULL, &self.work, &error), &error);
    self.bodies = carom_model_bodies(self.work);
    double *q = take((size_t)carom_model_positions(self.model), sizeof *q),
           *v = take((size_t)self.model->dof, sizeof *v);
    self.moved = take(7 * (size_t)self.scene.bodies, sizeof *self.moved);
    self.place = take(3 * (size_t)self.scene.bodies, sizeof *self.place);
    self.pose = take((size_t)self.bodies->count, sizeof *self.pose);
    self.model->ops->initial(self.work, q, v);
    const carom_step_settings settings = {
        .h = self.scene.step, .option = (carom_option[]){{"tolerance", settles ? 1e-4 : atof(argv[2])}, {0}}};
    check(carom_stepper_create(carom_scheme_find("moreau-jean", &error), self.work, &settings, q, v,
                               &self.stepper, &error),
          &error);
    if (settles) {
        settle(&self, path, atof(argv[3]));
    } else {
        printf("program carom %s\n", CAROM_VERSION);
        run_steps(
            &self.scene,
            &(stepped){.context = &self, .poses = record_poses, .step = step, .contacts = record_contacts},
            atof(argv[3]));
        if (self.stepper->counts.unsolved > 0)
            printf("note %ld steps above the tolerance\n", self.stepper->counts.unsolved);
    }
    carom_stepper_free(self.stepper);
    carom_model_work_free(self.work);
    carom_model_free(self.model);
    free(self.scene.body);
    free(self.moved);
    free(self.place);
    free(self.pose);
    free(self.point);
    free(q);
    free(v);
    return EXIT_SUCCESS;
}
