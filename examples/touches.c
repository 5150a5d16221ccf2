/* Where shapes touch: a crate that stands on the edge of a table, half over it, and a ball beside it.
 *
 * A collider takes shapes once and finds their touches at any poses. Each touch has a gap (negative: depth), a normal from
 * the second shape to the first, the two points, and a number that stays the same from one search to the next. */
#include <stdio.h>
#include <stdlib.h>

#include <carom/shape.h>

static carom_error error;

static void check(carom_status status)
{
    if (status == CAROM_OK)
        return;
    fprintf(stderr, "%s\n", error.text);
    exit(EXIT_FAILURE);
}

int main(void)
{
    carom_shape *table = NULL, *crate = NULL, *ball = NULL;
    check(carom_shape_box(CAROM_SPACE, (const double[]){2.0, 1.0, 0.1}, &table, &error));
    check(carom_shape_box(CAROM_SPACE, (const double[]){0.5, 0.5, 0.5}, &crate, &error));
    check(carom_shape_sphere(CAROM_SPACE, 0.125, &ball, &error));

    carom_shape_mass mass;
    carom_shape_mass_of(ball, &mass);
    printf("ball: volume %.6f, inertia of unit density %.6f\n", mass.volume, mass.inertia[0]);

    const carom_shape *const shape[] = {table, crate, ball};
    const int group[] = {0, 1, 2}; /* shapes of one group never touch */
    carom_collider *collider = NULL;
    check(carom_collider_setup(CAROM_SPACE, 3, shape, group, 0, NULL, 0.01, &collider, &error));

    carom_pose pose[3] = {carom_pose_identity(), carom_pose_identity(), carom_pose_identity()};
    pose[1].x[0] = 1.0;   /* the table ends at x = 1 */
    pose[1].x[2] = 0.298; /* 2 mm deep */
    pose[2].x[0] = 0.62;
    pose[2].x[2] = 0.17; /* 5 mm deep in the table, 5 mm from the crate */

    const carom_touch *touch = NULL;
    size_t count = 0;
    check(carom_collider_find(collider, pose, &touch, &count, &error));
    for (size_t i = 0; i < count; i++)
        printf("%d at %d: gap %6.3f at (%5.3f, %6.3f, %5.3f), normal (%2.0f, %2.0f, %2.0f)\n", touch[i].b,
               touch[i].a, touch[i].gap, touch[i].point_a[0], touch[i].point_a[1], touch[i].point_a[2],
               touch[i].normal[0] + 0.0, touch[i].normal[1] + 0.0, touch[i].normal[2] + 0.0);

    /* Within one step the ball flies through the table top. */
    carom_pose after[3] = {pose[0], pose[1], pose[2]};
    pose[2].x[2] = 0.5;
    after[2].x[2] = -0.5;
    int a = 0, b = 0;
    double part = 0.0;
    if (carom_collider_crossing(collider, pose, after, &a, &b, &part))
        printf("%d passed through %d after %.2f of the step\n", b, a, part);

    carom_collider_free(collider);
    carom_shape_free(table);
    carom_shape_free(crate);
    carom_shape_free(ball);
    return 0;
}
