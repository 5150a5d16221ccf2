/* Any bytes as a file of triangles, OBJ and STL: they are read or refused; what was read is made a mesh and a hull, or refused, and a ball
 * is put on them. */
#include "carom/io.h"
#include "carom/shape.h"
#include "fuzz.h"

static void use_shape(carom_shape *shape)
{
    carom_shape *ball = NULL;
    carom_collider *collider = NULL;
    carom_error error = {0};
    fuzz_expect(carom_shape_sphere(CAROM_SPACE, 1.0, &ball, &error) == CAROM_OK);
    const carom_shape *const both[] = {ball, shape};
    const carom_pose pose[] = {carom_pose_identity(), carom_pose_identity()};
    const carom_touch *touch = NULL;
    size_t count = 0;
    fuzz_expect(carom_collider_setup(CAROM_SPACE, 2, both, NULL, 0, NULL, 0.1, &collider, &error) ==
                CAROM_OK);
    fuzz_expect(carom_collider_find(collider, pose, &touch, &count, &error) == CAROM_OK);
    carom_collider_free(collider);
    carom_shape_free(ball);
    carom_shape_free(shape);
}

static void use_triangles(const carom_triangles *triangles)
{
    carom_shape *shape = NULL;
    carom_error error = {0};
    if (carom_shape_mesh(triangles->points, triangles->point, triangles->triangles, triangles->corner, &shape,
                         &error) == CAROM_OK)
        use_shape(shape);
    if (triangles->points < 200 &&
        carom_shape_convex(CAROM_SPACE, triangles->points, triangles->point, &shape, &error) == CAROM_OK)
        use_shape(shape);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const path[] = {"input.obj", "input.stl"};
    for (int i = 0; i < 2; i++) {
        carom_triangles *triangles = NULL;
        carom_error error = {0};
        fuzz_write(path[i], bytes, size);
        const carom_status status = carom_read_triangles(path[i], i == 0, &triangles, &error);
        fuzz_expect(status == CAROM_OK || status == CAROM_BAD_INPUT);
        fuzz_expect((status == CAROM_OK) == (triangles != NULL) && carom_is_plain(error.text));
        if (triangles)
            use_triangles(triangles);
        carom_triangles_free(triangles);
    }
    return 0;
}
