/* Every shape of the language falls a little way, on every kind of ground, and lies there: the ground carries its weight,
 * and nothing moves. */
#include "scenes.h"

#include "carom/shape.h"

typedef struct sample {
    const char *name, *text;
    double volume; /* or area; 0: not looked at */
    double height; /* of the origin when it lies on a level ground; 0: not looked at */
} sample;

static const sample space[] = {
    {"sphere", "sphere { 0.1 }", 4.0 / 3.0 * 3.14159265358979323846e-3, 0.1},
    {"box", "box { 0.4, 0.3, 0.2 }", 0.024, 0.1},
    {"capsule", "capsule { radius = 0.05, length = 0.2 }",
     3.14159265358979323846 * (0.0025 * 0.2 + 4.0 / 3.0 * 0.000125), 0.0},
    {"cylinder", "cylinder { radius = 0.1, height = 0.2 }", 3.14159265358979323846e-3 * 2.0, 0.1},
    {"convex", "convex { {-0.1, -0.1, 0}, {0.1, -0.1, 0}, {0.1, 0.1, 0}, {-0.1, 0.1, 0}, {0, 0, 0.2} }",
     0.04 * 0.2 / 3.0, 0.05},
    {"compound",
     "compound { { box { 0.4, 0.1, 0.1 }, at = { 0, 0.2, 0 } }, { box { 0.1, 0.4, 0.1 }, at = { 0, -0.05, 0 "
     "} } }",
     0.008, 0.05},
    {"compound with a turn",
     "compound { { box { 0.4, 0.1, 0.1 } }, { box { 0.1, 0.4, 0.1 }, at = { 0.25, 0, 0 }, rotation = { axis "
     "= { 0, 0, 1 }, "
     "angle = 0 } } }",
     0.008, 0.05},
};

static const sample ground_of_space[] = {
    {"plane", "plane { normal = { 0, 0, 1 }, offset = 0 }", 0.0, 0.0},
    {"box", "box { 6, 6, 1 }", 0.0, -0.5},
    {"mesh",
     "mesh { points = { {-3,-3,0}, {3,-3,0}, {3,3,0}, {-3,3,0} }, triangles = { {1, 2, 3}, {1, 3, 4} } }",
     0.0, 0.0},
    {"heightfield", "heightfield { dx = 6, dy = 3, { 0, 0 }, { 0, 0 }, { 0, 0 } }", 0.0, 0.0},
    {"compound",
     "compound { { box { 3, 6, 1 }, at = { -1.5, 0, 0 } }, { box { 3, 6, 1 }, at = { 1.5, 0, 0 } } }", 0.0,
     -0.5},
};

static const sample plane[] = {
    {"disc", "disc { 0.1 }", 3.14159265358979323846e-2, 0.1},
    {"box", "box { 0.4, 0.2 }", 0.08, 0.1},
    {"polygon", "polygon { {-0.2, 0}, {0.2, 0}, {0.2, 0.1}, {-0.2, 0.1} }", 0.04, 0.05},
    {"polygon that is not convex",
     "polygon { {-0.2, 0}, {-0.1, 0}, {-0.1, 0.1}, {0.1, 0.1}, {0.1, 0}, {0.2, 0}, {0.2, 0.2}, {-0.2, 0.2} }",
     0.06, 0.7 / 6.0},
    {"convex", "convex { {-0.2, 0}, {0.2, 0}, {0, 0.3} }", 0.06, 0.1},
    {"capsule", "capsule { radius = 0.05, length = 0.2 }", 0.02 + 3.14159265358979323846 * 0.0025, 0.05},
    {"compound", "compound { { box { 0.4, 0.1 } }, { disc { 0.05 }, at = { 0, 0.1 } } }",
     0.04 + 0.0025 * 3.14159265358979323846, 0.0},
};

static const sample ground_of_plane[] = {
    {"plane", "plane { normal = { 0, 1 }, offset = 0 }", 0.0, 0.0},
    {"box", "box { 6, 1 }", 0.0, -0.5},
    {"polyline", "polyline { {-3, 0}, {-1, 0}, {0, 0}, {3, 0} }", 0.0, 0.0},
    {"polygon", "polygon { {-3, -1}, {3, -1}, {3, 0}, {-3, 0} }", 0.0, 0.0},
};

/* Falls from 1 cm above where it will lie, a little turned when it has no flat side of its own. */
static void fall(const sample *body, const sample *ground, bool in_plane)
{
    char text[3000];
    const char *at = strcmp(ground->name, "heightfield") == 0 ? "-3, -3," : in_plane ? "0," : "0, 0,";
    snprintf(text, sizeof text,
             "world { gravity = { 0, %s-9.81 } }\n"
             "pair { friction = 0.5, rolling = 2e-3%s }\n"
             "local ground = fixed { 'ground', shape = %s, at = { %s %g } }\n"
             "local b = body { 'b', shape = %s, density = 10, at = { 0.02, %s%g } }\n"
             "measure { force = impulse(b, ground) / 1e-3, speed = b:speed(), height = b.%s }\n"
             "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 3 }\n",
             in_plane ? "" : "0, ", in_plane ? "" : ", torsion = 1e-3", ground->text, at, ground->height,
             body->text, in_plane ? "" : "0.01, ", body->height > 0.0 ? body->height + 0.01 : 0.25,
             in_plane ? "y" : "z");
    carom_experiment *experiment = NULL;
    carom_run_result result = {0};
    carom_error error = {0};
    if (carom_experiment_load(&(carom_load_request){.name = "scene", .text = text}, &experiment, &error) !=
            CAROM_OK ||
        carom_run(&(carom_run_request){.experiment = experiment}, &result, &error) != CAROM_OK)
        fail_msg("%s on %s: %s\n%s", body->name, ground->name, error.text, text);
    const double weight = 98.1 * body->volume, force = measure_of(experiment, &result, "force");
    if (!(fabs(force - weight) <= 1e-6 * weight))
        fail_msg("%s on %s: %.10g is carried, not %.10g", body->name, ground->name, force, weight);
    const double height = measure_of(experiment, &result, "height");
    if (body->height > 0.0 && !(fabs(height - body->height) <= 1e-6))
        fail_msg("%s on %s lies at %.10g, not %.10g", body->name, ground->name, height, body->height);
    if (measure_of(experiment, &result, "speed") != 0.0)
        fail_msg("%s on %s moves", body->name, ground->name);
    if (!result.certificate.trusted)
        fail_msg("%s on %s: %s", body->name, ground->name, result.certificate.doubt[0]);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void shapes_of_space(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(space); i++)
        for (size_t k = 0; k < COUNT(ground_of_space); k++)
            fall(&space[i], &ground_of_space[k], false);
}

static void shapes_of_the_plane(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(plane); i++)
        for (size_t k = 0; k < COUNT(ground_of_plane); k++)
            fall(&plane[i], &ground_of_plane[k], true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_of_space),
        cmocka_unit_test(shapes_of_the_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
