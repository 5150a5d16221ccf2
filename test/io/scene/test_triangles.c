/* Files of triangles: what is read, and what is refused with file and line. */
#include "test/near.h"

#include <string.h>

#include "carom/io.h"
#include "carom/shape.h"

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

static carom_triangles *read_text(const char *path, const char *text)
{
    carom_triangles *triangles = NULL;
    carom_error error = {0};
    write_file(path, text, strlen(text));
    if (carom_read_triangles(path, false, &triangles, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return triangles;
}

static void refuses(const char *path, const void *bytes, size_t size, const char *words)
{
    carom_triangles *triangles = NULL;
    carom_error error = {0};
    write_file(path, bytes, size);
    assert_int_equal(carom_read_triangles(path, false, &triangles, &error), CAROM_BAD_INPUT);
    assert_null(triangles);
    if (!strstr(error.text, words) || !strstr(error.text, path))
        fail_msg("'%s' does not say '%s'", error.text, words);
}

static void refuses_text(const char *path, const char *text, const char *words)
{
    refuses(path, text, strlen(text), words);
}

static void obj(void **state)
{
    (void)state;
    carom_triangles *t =
        read_text("pyramid.obj", "# a pyramid\r\no thing\nv 0 0 0\nv 1 0 0 1.0\n\tv 1 1 0\nv 0 1 0\n"
                                 "vn 0 0 1\nv .5 5e-1 1\nf 4 3 2 1\nf 1/1/1 2/2 -1\nf 2//3 3//3 5//1\n"
                                 "usemtl x\nf 3 4 5\nf 4 1 5");
    assert_int_equal(t->points, 5);
    assert_int_equal(t->triangles, 6);
    assert_all_near(3, t->point + 12, ((double[]){0.5, 0.5, 1}), 0.0);
    const int first[] = {3, 2, 1, 3, 1, 0, 0, 1, 4};
    assert_memory_equal(t->corner, first, sizeof first);
    carom_shape *mesh = NULL, *hull = NULL;
    carom_error error = {0};
    assert_int_equal(carom_shape_mesh(t->points, t->point, t->triangles, t->corner, &mesh, &error), CAROM_OK);
    assert_int_equal(carom_shape_convex(3, t->points, t->point, &hull, &error), CAROM_OK);
    carom_shape_mass mass;
    carom_shape_mass_of(hull, &mass);
    assert_near(mass.volume, 1.0 / 3.0, 1e-15);
    carom_shape_free(mesh);
    carom_shape_free(hull);
    carom_triangles_free(t);
    write_file("points.obj", "v 1 2 3\n", 8);
    assert_int_equal(carom_read_obj("points.obj", true, &t, &error), CAROM_OK);
    assert_int_equal(t->points, 1);
    carom_triangles_free(t);
}

static void obj_refusals(void **state)
{
    (void)state;
    refuses_text("a.obj", "v 0 0 0\nv 1 2\n", "a.obj:2: a point is v and three numbers");
    refuses_text("a.obj", "v 0 0 0\nv 1 2 x3\n", "a.obj:2: ");
    refuses_text("a.obj", "v 0 0 0\nv 1 2 inf\n", "line 2: a coordinate is not finite");
    refuses_text("a.obj", "v 0 0 0\n\nf 1 1 2\n", "a.obj:3: a corner of a face");
    refuses_text("a.obj", "v 0 0 0\nf 1 0 1\n", "a.obj:2: a corner of a face");
    refuses_text("a.obj", "v 0 0 0\nf 1 1 -2\n", "a.obj:2: a corner of a face");
    refuses_text("a.obj", "v 0 0 0\nf 1 1 99999999999999999999999\n", "a.obj:2: a corner of a face");
    refuses_text("a.obj", "v 0 0 0\nf 1 1\n", "a.obj:2: a face has three corners");
    refuses_text("a.obj", "secret words\n", "no faces");
    refuses_text("a.obj", "", "no faces");
    refuses_text("a.ply", "", "end with .obj or .stl");
    carom_triangles *t = NULL;
    carom_error error = {0};
    assert_int_equal(carom_read_obj("none.obj", false, &t, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_read_stl(".", &t, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "not a plain file"));
}

static void stl_text(void **state)
{
    (void)state;
    carom_triangles *t = read_text(
        "one.STL", "solid one\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n"
                   "   vertex 0 1 -2.5e-1\n  endloop\n endfacet\nendsolid one\n");
    assert_int_equal(t->points, 3);
    assert_int_equal(t->triangles, 1);
    assert_near(t->point[8], -0.25, 0.0);
    carom_triangles_free(t);
    refuses_text("a.stl", "solid\nvertex 0 0\n", "a.stl:2: a corner is vertex");
    refuses_text("a.stl", "solid\nvertex 0 0 0\nendloop\n", "a.stl:3: a triangle has 3 corners, not 1");
    refuses_text("a.stl", "solid\nvertex 0 0 0\n", "inside a triangle");
    refuses_text("a.stl", "solid\n", "without a triangle");
    refuses_text("a.stl", "solid\nnonsense\n", "a.stl:2: not a line");
    refuses_text("a.stl", "", "neither STL as text");
}

static void stl_binary(void **state)
{
    (void)state;
    unsigned char bytes[84 + 2 * 50] = "solid, although it is not text";
    const float corner[9] = {0, 0, 0, 1, 0, 0, 0, 2, 0.5f};
    bytes[80] = 2;
    for (size_t i = 0; i < 2; i++)
        memcpy(bytes + 84 + 50 * i + 12, corner, sizeof corner);
    carom_triangles *t = NULL;
    carom_error error = {0};
    write_file("two.stl", bytes, sizeof bytes);
    assert_int_equal(carom_read_stl("two.stl", &t, &error), CAROM_OK);
    assert_int_equal(t->points, 6);
    assert_int_equal(t->triangles, 2);
    assert_all_near(3, t->point + 15, ((double[]){0, 2, 0.5}), 0.0);
    carom_triangles_free(t);
    bytes[0] = 'x';
    refuses("two.stl", bytes, sizeof bytes - 1, "neither STL as text");
    bytes[80] = 3;
    refuses("two.stl", bytes, sizeof bytes, "184 bytes");
    bytes[80] = 2;
    memcpy(bytes + 84 + 50 + 12, &(float){INFINITY}, sizeof(float));
    refuses("two.stl", bytes, sizeof bytes, "triangle 2: a coordinate is not finite");
}

/* Points that repeat are one; what is written reads back to the same bits; bytes in memory are read as files are. */
static void joined_and_written(void **state)
{
    (void)state;
    static const char text[] = "solid\nvertex 0 0 0\nvertex 1 0 0\nvertex 0.1 1 0\nendloop\nvertex 1 0 "
                               "0\nvertex 1 1 0.3333333333333333\n"
                               "vertex 0.1 1 -0\nendloop\n";
    carom_triangles *t = NULL, *again = NULL;
    carom_error error = {0};
    carom_text written = {0};
    assert_int_equal(carom_parse_triangles("b.stl", text, strlen(text), false, &t, &error), CAROM_OK);
    assert_int_equal(t->points, 6);
    assert_int_equal(carom_triangles_join(t, &error), CAROM_OK);
    assert_int_equal(t->points, 4);
    const int corner[] = {0, 1, 2, 1, 3, 2};
    assert_memory_equal(t->corner, corner, sizeof corner);
    carom_triangles_write(t, &written);
    assert_int_equal(carom_parse_triangles("b.OBJ", written.bytes, written.length, false, &again, &error),
                     CAROM_OK);
    assert_int_equal(again->points, 4);
    assert_int_equal(again->triangles, 2);
    assert_memory_equal(again->point, t->point, 12 * sizeof(double));
    assert_memory_equal(again->corner, t->corner, 6 * sizeof(int));
    carom_text_free(&written);
    carom_triangles_free(t);
    carom_triangles_free(again);
    assert_int_equal(carom_parse_triangles("b.stl", text, strlen(text) - 9, false, &t, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "b.stl: it ends inside a triangle"));
    assert_null(t);
    assert_int_equal(carom_parse_triangles("b", text, strlen(text), false, &t, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "end with .obj or .stl"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj),        cmocka_unit_test(obj_refusals),       cmocka_unit_test(stl_text),
        cmocka_unit_test(stl_binary), cmocka_unit_test(joined_and_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
