/* Models that tests of tangents share, and motions of them against differences. */
#ifndef CAROM_TEST_SCHEME_TANGENT_MODELS_H
#define CAROM_TEST_SCHEME_TANGENT_MODELS_H

#include "test/scheme/tangent_check.h"

static inline carom_model *finish_model(carom_builder *b)
{
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_build_model(b, &model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_builder_free(b);
    return model;
}

/* e, g */
static inline carom_model *ball_model(void)
{
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "y");
    carom_build_parameter(b, "e", 0.8);
    carom_build_parameter(b, "g", 10.0);
    carom_build_kinetic(b, carom_build_formula(b, "1/2*dot(y)^2"));
    carom_build_potential(b, carom_build_formula(b, "g*y"));
    const int floor = carom_build_contact(b, "floor", carom_build_formula(b, "y"));
    carom_build_restitution(b, floor, carom_build_formula(b, "e"));
    return finish_model(b);
}

/* Two masses between two walls, one of which moves, with a spring that hardens: constant masses, rows that are not. k, m, w */
static inline carom_model *carts_model(const char *restitution)
{
    carom_builder *b = carom_builder_create();
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_parameter(b, "k", 20.0);
    carom_build_parameter(b, "m", 2.0);
    carom_build_parameter(b, "w", 3.0);
    carom_build_kinetic(b, carom_build_formula(b, "1/2*m*dot(x)^2 + dot(y)^2 + 0.3*dot(x)*dot(y)"));
    carom_build_potential(b, carom_build_formula(b, "1/2*k*(y - x)^2 + 0.2*k*x^4"));
    carom_build_force(b, x, carom_build_formula(b, "4*sin(w*t) - 0.1*dot(x)"));
    const int left =
        carom_build_contact(b, "left", carom_build_formula(b, "x + 0.1*sin(x) + 0.4 + 0.02*sin(w*t)"));
    const int right = carom_build_contact(b, "right", carom_build_formula(b, "0.5 - y"));
    if (restitution) {
        carom_build_restitution(b, left, carom_build_formula(b, restitution));
        carom_build_restitution(b, right, carom_build_formula(b, restitution));
    }
    return finish_model(b);
}

/* A puck in space on a floor that is not quite plane, with friction. mu, k */
static inline carom_model *puck_model(const char *restitution)
{
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_coordinate(b, "z");
    carom_build_parameter(b, "mu", 0.4);
    carom_build_parameter(b, "k", 30.0);
    carom_build_kinetic(
        b, carom_build_formula(b, "1/2*dot(x)^2 + 1/2*dot(y)^2 + 1/2*dot(z)^2 + 0.3*dot(x)*dot(z)"));
    carom_build_potential(b, carom_build_formula(b, "9.81*z + 1/2*k*(x^2 + 2*y^2)"));
    const int floor = carom_build_contact(b, "floor", carom_build_formula(b, "z + 0.02*x^2"));
    carom_build_slip(b, floor, carom_build_formula(b, "dot(x) + 0.1*sin(3*t)"));
    carom_build_slip(b, floor, carom_build_formula(b, "dot(y)"));
    carom_build_friction(b, floor, carom_build_formula(b, "mu"));
    carom_build_restitution(b, floor, carom_build_formula(b, restitution));
    return finish_model(b);
}

/* A mass on a rod whose other end slides, and a wall. l, m */
static inline carom_model *rod_model(void)
{
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_coordinate(b, "s");
    carom_build_parameter(b, "l", 1.0);
    carom_build_parameter(b, "m", 0.5);
    carom_build_kinetic(b, carom_build_formula(b, "1/2*m*(dot(x)^2 + dot(y)^2) + 1/2*dot(s)^2"));
    carom_build_potential(b, carom_build_formula(b, "9.81*m*y + 4*s^2"));
    carom_build_joint(b, "rod", carom_build_formula(b, "((x - s)^2 + y^2 - l^2)/2"));
    const int wall = carom_build_contact(b, "wall", carom_build_formula(b, "x + 0.2"));
    carom_build_restitution(b, wall, carom_build_formula(b, "0.7"));
    return finish_model(b);
}

/* After all steps, and after half of them; with steps of differences that suit the scheme. */
static inline void check_carts_by(const char *scheme, const char *restitution, const carom_option *option,
                                  int steps, double difference, double tolerance)
{
    carom_model *model = carts_model(restitution);
    motion_case m = {.model = model,
                     .scheme = scheme,
                     .option = option,
                     .steps = steps,
                     .h = 0.004,
                     .parameter = {20.0, 2.0, 3.0},
                     .q = {-0.25, 0.38},
                     .v = {-2.0, 1.5},
                     .difference = difference};
    const motion_case by = {
        .parameter = {2.0, 0.3, 0.5}, .q = {-0.25, 0.38}, .v = {0.3, -0.4}, .t0 = 0.2, .h = 0.0004};
    check_tangent(&m, &by, tolerance);
    m.steps = steps / 2;
    check_tangent(&m, &by, tolerance);
    carom_model_free(model);
}

static inline void check_carts(const char *scheme, const char *restitution, const carom_option *option,
                               int steps, double tolerance)
{
    check_carts_by(scheme, restitution, option, steps, 1e-5, tolerance);
}

/* A mass that depends on the position, forces that depend on everything, a wall that moves, a restitution that varies.
 * l, e, w, c */
static const char pendulum_gap[] = "x + l*sin(phi) + 0.3 + 0.05*sin(w*t)";
static inline carom_model *pendulum_model(const char *gap)
{
    carom_builder *b = carom_builder_create();
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "phi");
    carom_build_parameter(b, "l", 0.8);
    carom_build_parameter(b, "e", 0.6);
    carom_build_parameter(b, "w", 3.0);
    carom_build_parameter(b, "c", 0.2);
    carom_build_kinetic(b,
                        carom_build_formula(b, "dot(x)^2 + 1/2*l^2*dot(phi)^2 + l*cos(phi)*dot(x)*dot(phi)"));
    carom_build_potential(b, carom_build_formula(b, "-9.81*l*cos(phi) + 5*x^2"));
    carom_build_force(b, x, carom_build_formula(b, "sin(w*t) - c*dot(x)*dot(phi)^2"));
    const int wall = carom_build_contact(b, "wall", carom_build_formula(b, gap));
    carom_build_restitution(b, wall, carom_build_formula(b, "e*exp(-x^2)"));
    return finish_model(b);
}

/* A rod on a slider between walls: joints, contacts, masses that depend on the position. l, m, e */
static inline carom_model *slider_model(void)
{
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_coordinate(b, "s");
    carom_build_parameter(b, "l", 1.0);
    carom_build_parameter(b, "m", 0.5);
    carom_build_parameter(b, "e", 0.6);
    carom_build_kinetic(b,
                        carom_build_formula(b, "1/2*m*(dot(x)^2 + dot(y)^2) + 1/2*(1 + 0.2*s^2)*dot(s)^2"));
    carom_build_potential(b, carom_build_formula(b, "9.81*m*y + 4*s^2"));
    carom_build_joint(b, "rod", carom_build_formula(b, "((x - s)^2 + y^2 - l^2)/2"));
    const int wall = carom_build_contact(b, "wall", carom_build_formula(b, "x - 0.25 + 0.05*y^2"));
    carom_build_restitution(b, wall, carom_build_formula(b, "e*(1 - 0.1*s)"));
    return finish_model(b);
}

#endif
