/* Time of one search for touches, settled and moving.
 *
 *   collide            all scenes
 *   collide SCENE      one of them
 *
 * Rows: SCENE, shapes, touches, microseconds per search and nanoseconds per touch, best of several; "still" when every shape
 * trembles by 1e-9 of its size, "moving" when each moves by a hundredth of its size per search. */
#include "measure.h"

#include "carom/shape.h"

enum {
    SEARCHES = 20
};

typedef struct scene {
    const char *name;
    int dim, shapes;
    const carom_shape **shape;
    int *group;
    carom_pose *pose;
    double size;
} scene;

static scene scene_of(const char *name, int dim, int shapes, double size)
{
    scene s = {name,
               dim,
               shapes,
               calloc((size_t)shapes, sizeof *s.shape),
               calloc((size_t)shapes, sizeof *s.group),
               calloc((size_t)shapes, sizeof *s.pose),
               size};
    if (!s.shape || !s.group || !s.pose)
        exit(EXIT_FAILURE);
    for (int i = 0; i < shapes; i++) {
        s.pose[i] = carom_pose_identity();
        s.group[i] = i;
    }
    return s;
}

static void check(carom_status status, const carom_error *error)
{
    if (status != CAROM_OK)
        stop("collide", error);
}

static double seconds_per_search(const scene *s, carom_collider *collider, double step, size_t *touches)
{
    carom_error error;
    carom_random random = {1};
    const carom_touch *touch = NULL;
    check(carom_collider_find(collider, s->pose, &touch, touches, &error), &error);
    double best = INFINITY;
    for (int round = 0; round < SEARCHES; round++) {
        for (int i = 0; i < s->shapes; i++)
            for (int k = 0; k < s->dim && s->group[i] > 0; k++)
                s->pose[i].x[k] += carom_random_uniform(&random, -step, step) * s->size;
        const double started = processor_seconds();
        check(carom_collider_find(collider, s->pose, &touch, touches, &error), &error);
        best = fmin(best, processor_seconds() - started);
    }
    return best;
}

static void measure(scene *s)
{
    carom_error error;
    carom_collider *collider = NULL;
    size_t touches = 0;
    check(carom_collider_setup(s->dim, s->shapes, s->shape, s->group, 0, NULL, 0.01 * s->size, &collider,
                               &error),
          &error);
    for (int moving = 0; moving < 2; moving++) {
        const double seconds = seconds_per_search(s, collider, moving ? 1e-2 : 1e-9, &touches);
        printf("%-10s %-6s %7d shapes %8zu touches %10.1f us %8.1f ns/touch\n", s->name,
               moving ? "moving" : "still", s->shapes, touches, 1e6 * seconds,
               1e9 * seconds / (double)touches);
    }
    carom_collider_free(collider);
    free(s->shape);
    free(s->group);
    free(s->pose);
}

/* Discs of a bin in rows, every second one shifted, 0.2 % into each other; three half planes. */
static void measure_bin(int discs)
{
    carom_error error;
    carom_shape *disc = NULL, *wall[3] = {NULL};
    scene s = scene_of("bin", CAROM_PLANE, discs + 3, 1.0);
    const int columns = (int)ceil(sqrt((double)discs));
    const double normal[3][2] = {{0, 1}, {1, 0}, {-1, 0}}, offset[3] = {-0.5, -0.5, -(double)columns};
    check(carom_shape_sphere(CAROM_PLANE, 0.501, &disc, &error), &error);
    for (int i = 0; i < 3; i++) {
        check(carom_shape_halfspace(CAROM_PLANE, normal[i], offset[i], &wall[i], &error), &error);
        s.shape[i] = wall[i];
        s.group[i] = 0;
    }
    for (int i = 0; i < discs; i++) {
        s.shape[3 + i] = disc;
        s.pose[3 + i].x[0] = i % columns + 0.5 * (i / columns % 2);
        s.pose[3 + i].x[1] = sqrt(0.75) * (i / columns);
    }
    measure(&s);
    carom_shape_free(disc);
    for (int i = 0; i < 3; i++)
        carom_shape_free(wall[i]);
}

static void bin(void)
{
    measure_bin(100);
    measure_bin(1000);
    measure_bin(10000);
}

/* Rows of boxes, each row one less; in the plane. */
static void pyramid(void)
{
    enum {
        ROWS = 100
    };
    carom_error error;
    carom_shape *box = NULL, *floor_shape = NULL;
    scene s = scene_of("pyramid", CAROM_PLANE, ROWS * (ROWS + 1) / 2 + 1, 1.0);
    check(carom_shape_box(CAROM_PLANE, (const double[]){1.0, 1.0}, &box, &error), &error);
    check(carom_shape_halfspace(CAROM_PLANE, (const double[]){0, 1}, 0.0, &floor_shape, &error), &error);
    s.shape[0] = floor_shape;
    s.group[0] = 0;
    int i = 1;
    for (int row = 0; row < ROWS; row++)
        for (int k = 0; k < ROWS - row; k++, i++) {
            s.shape[i] = box;
            s.pose[i].x[0] = 1.0 * k + 0.5 * row;
            s.pose[i].x[1] = 0.5 + row;
        }
    measure(&s);
    carom_shape_free(box);
    carom_shape_free(floor_shape);
}

/* Layers of boxes across each other, as towers of wooden planks have them; balls in rows on a half-space. */
static void measure_layers(const char *name, carom_shape *solid, int layers, const double spacing[3],
                           bool crossed)
{
    enum {
        ROW = 10
    };
    carom_error error;
    carom_shape *floor_shape = NULL;
    scene s = scene_of(name, CAROM_SPACE, layers * ROW * ROW + 1, 1.0);
    check(carom_shape_halfspace(CAROM_SPACE, (const double[]){0, 0, 1}, -0.5 * spacing[2], &floor_shape,
                                &error),
          &error);
    s.shape[0] = floor_shape;
    s.group[0] = 0;
    for (int i = 1; i < s.shapes; i++) {
        const int at = i - 1, layer = at / (ROW * ROW);
        carom_pose *pose = &s.pose[i];
        s.shape[i] = solid;
        for (int k = 0; k < 3; k++)
            pose->x[k] = spacing[k] * (double[]){at % ROW, at / ROW % ROW, layer}[k];
        if (crossed && layer % 2) {
            const double quarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, x = pose->x[0];
            memcpy(pose->r, quarter, sizeof quarter);
            pose->x[0] = pose->x[1];
            pose->x[1] = x;
        }
    }
    measure(&s);
    carom_shape_free(solid);
    carom_shape_free(floor_shape);
}

static void balls(void)
{
    carom_error error;
    carom_shape *ball = NULL;
    check(carom_shape_sphere(CAROM_SPACE, 0.501, &ball, &error), &error);
    measure_layers("balls", ball, 10, (const double[]){1, 1, 1}, false);
}

static void planks(void)
{
    carom_error error;
    carom_shape *plank = NULL;
    check(carom_shape_box(CAROM_SPACE, (const double[]){3.0, 0.6, 0.2}, &plank, &error), &error);
    measure_layers("planks", plank, 10, (const double[]){3.1, 0.9, 0.2}, true);
}

static void cans(void)
{
    carom_error error;
    carom_shape *can = NULL;
    check(carom_shape_cylinder(0.501, 1.0, &can, &error), &error);
    measure_layers("cans", can, 3, (const double[]){1, 1, 1}, false);
}

int main(int argc, char **argv)
{
    const part parts[] = {
        {"bin", bin}, {"pyramid", pyramid}, {"balls", balls}, {"planks", planks}, {"cans", cans}};
    return run_parts(argc, argv, sizeof parts / sizeof *parts, parts);
}
