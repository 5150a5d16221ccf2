/* Models and made-up measurements for the tests of fits. */
#ifndef CAROM_TEST_SURVEY_FIT_SYNTHETIC_H
#define CAROM_TEST_SURVEY_FIT_SYNTHETIC_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/io.h"
#include "survey/fit/fit.h"

static const char ball_text[] = "local e = param { 'e', 0.7, min = 0, max = 1 }\n"
                                "local g = param { 'g', 9.6, min = 1, max = 30 }\n"
                                "local m = param { 'm', 2, min = 0.1, max = 10 }\n"
                                "local n = param { 'n', 1, integer = true }\n"
                                "local h = param { 'h', 0.01, min = 1e-5 }\n"
                                "local y0 = param { 'y0', 1, min = 0.01, max = 10 }\n"
                                "local shape = setting { 'shape', 1 }\n"
                                "local y = coordinates('y')\n"
                                "mass(m)\n"
                                "potential(m*g*y)\n"
                                "contact { 'floor', gap = y, restitution = e }\n"
                                "initial { y = y0 }\n"
                                "record { height = y, speed = dot(y), twice = 2*y + e }\n"
                                "integrate { scheme = 'event-driven', h = h, until_t = 2 }\n";

static const char oscillator_text[] = "local e = param { 'e', 0.75, min = 0, max = 1 }\n"
                                      "local k = param { 'k', 1.1, min = 0.1, max = 5 }\n"
                                      "local w = param { 'w', 2.15, min = 0.5, max = 5 }\n"
                                      "local c = param { 'c', 0.05, min = 0, max = 1 }\n"
                                      "local m = param { 'm', 1, min = 0.1, max = 5 }\n"
                                      "local x = coordinates('x')\n"
                                      "mass(m)\n"
                                      "force { x = -k*x - c*dot(x) + m*cos(w*time()) }\n"
                                      "contact { 'wall', gap = x, restitution = e }\n"
                                      "initial { x = 0.5 }\n"
                                      "integrate { scheme = 'event-driven', h = 0.05, until_t = 12 }\n";

static const char belt_text[] = "local k = param { 'k', 1.5, min = 0.1, max = 10 }\n"
                                "local c = param { 'c', 0.05, min = 0, max = 2 }\n"
                                "local mu = param { 'mu', 0.27, min = 0, max = 2 }\n"
                                "local x = coordinates('x')\n"
                                "mass(1)\n"
                                "force { x = -k*x - c*dot(x) }\n"
                                "friction_force { 'belt', slip = dot(x) - 0.5, bound = 9.81*mu }\n"
                                "initial { x = 0 }\n"
                                "integrate { scheme = 'event-driven', h = 0.05, until_t = 12 }\n";

static inline carom_experiment *load_model(const char *text)
{
    const carom_load_request request = {.name = "model", .file = "model.lua", .text = text};
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(&request, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

/* Normal noise (Box and Muller). */
static inline double noise(carom_random *random)
{
    const double u = carom_random_uniform(random, 0.0, 1.0), v = carom_random_uniform(random, 0.0, 1.0);
    return sqrt(-2.0 * log(1.0 - u)) * cos(2.0 * acos(-1.0) * v);
}

/* Height of a ball that falls from y0 at rest. */
static inline double ball_height(double e, double g, double y0, double t)
{
    const double first = sqrt(2.0 * y0 / g);
    if (t < first)
        return y0 - 0.5 * g * t * t;
    double v = e * g * first;
    for (t -= first; v > 1e-12; v *= e) {
        const double hop = 2.0 * v / g;
        if (t < hop)
            return v * t - 0.5 * g * t * t;
        t -= hop;
    }
    return 0.0;
}

/* What would be measured at x, the unknowns of the request in their order, without noise. */
static inline void predict(const carom_fit_request *request, const double *x, double *value)
{
    fit_problem problem;
    carom_error error = {0};
    if (fit_problem_create(request, &problem, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    fit_prediction prediction = {.run = 0, .rows = problem.run[0].rows, .value = value};
    if (fit_predict(&problem, x, &prediction, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    fit_problem_free(&problem);
}

#endif
