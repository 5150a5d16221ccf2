/* Scenes of bodies with closed forms: each is run as it is written, with its bodies in another order, and turned. */
#ifndef CAROM_TEST_SCHEME_BODIES_SCENES_H
#define CAROM_TEST_SCHEME_BODIES_SCENES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/io.h"

/* Words of the scenes: V(x, y, z) turns a vector, T(axis, angle) is a rotation in the turned scene, inorder { f, g, h } calls
 * functions forwards or backwards. `turn` is a quaternion. */
static const char words[] =
    "local c, s = setting { 'turn_c', 1 }, setting { 'turn_s', 0 }\n"
    "local ax, ay, az = setting { 'ax', 0 }, setting { 'ay', 0 }, setting { 'az', 1 }\n"
    "local backwards = setting { 'backwards', 0 }\n"
    "local Q = { c, s * ax, s * ay, s * az }\n"
    "local function times(p, q)\n"
    "  return { p[1]*q[1] - p[2]*q[2] - p[3]*q[3] - p[4]*q[4], p[1]*q[2] + p[2]*q[1] + p[3]*q[4] - "
    "p[4]*q[3],\n"
    "           p[1]*q[3] + p[3]*q[1] + p[4]*q[2] - p[2]*q[4], p[1]*q[4] + p[4]*q[1] + p[2]*q[3] - p[3]*q[2] "
    "}\n"
    "end\n"
    "local function V(x, y, z)\n"
    "  local r = times(times(Q, { 0, x, y, z }), { Q[1], -Q[2], -Q[3], -Q[4] })\n"
    "  return { r[2], r[3], r[4] }\n"
    "end\n"
    "local function T(x, y, z, angle)\n"
    "  local w = { math.cos(angle/2), math.sin(angle/2)*x, math.sin(angle/2)*y, math.sin(angle/2)*z }\n"
    "  return times(Q, w)\n"
    "end\n"
    "local function dot3(a, b) return a[1]*b[1] + a[2]*b[2] + a[3]*b[3] end\n"
    "local function place(b) return { b.x, b.y, b.z } end\n"
    "local function rate(b) return { dot(b.x), dot(b.y), dot(b.z) } end\n"
    "local function inorder(list)\n"
    "  local made = {}\n"
    "  for k = 1, #list do\n"
    "    local i = backwards == 0 and k or #list + 1 - k\n"
    "    made[i] = list[i]()\n"
    "  end\n"
    "  return table.unpack(made)\n"
    "end\n"
    "world { gravity = V(0, 0, -9.81) }\n";

/* The same of the plane: V(x, y), `turned` is the angle of the scene. */
static const char plane_words[] = "local c, s = setting { 'turn_c', 1 }, setting { 'turn_s', 0 }\n"
                                  "setting { 'ax', 0 } setting { 'ay', 0 } setting { 'az', 1 }\n"
                                  "local backwards = setting { 'backwards', 0 }\n"
                                  "local C, S = c * c - s * s, 2 * c * s\n"
                                  "local turned = 2 * math.atan(s, c)\n"
                                  "local function V(x, y) return { C * x - S * y, S * x + C * y } end\n"
                                  "local function dot2(a, b) return a[1]*b[1] + a[2]*b[2] end\n"
                                  "local function place(b) return { b.x, b.y } end\n"
                                  "local function rate(b) return { dot(b.x), dot(b.y) } end\n"
                                  "local function inorder(list)\n"
                                  "  local made = {}\n"
                                  "  for k = 1, #list do\n"
                                  "    local i = backwards == 0 and k or #list + 1 - k\n"
                                  "    made[i] = list[i]()\n"
                                  "  end\n"
                                  "  return table.unpack(made)\n"
                                  "end\n"
                                  "world { gravity = V(0, -9.81) }\n";

typedef struct expected {
    const char *measure;
    double value, tolerance;
} expected;

enum {
    MOST = 6
};
typedef struct scene {
    const char *name, *text;
    expected expected[MOST];
    bool plane;
} scene;

static inline double measure_of(const carom_experiment *experiment, const carom_run_result *result,
                                const char *name)
{
    for (int i = 0; i < experiment->measure_count; i++)
        if (strcmp(experiment->measure[i].name, name) == 0 && result->measure[i].count == 1)
            return result->measure[i].value[0];
    fail_msg("there is no measure '%s'", name);
    return NAN;
}

/* The scene as it is written, and turned by `half` (cos, sin of half the angle) about an axis, and backwards. */
static inline void run_scene(const scene *given, double cosine, double sine, const double axis[3],
                             bool backwards)
{
    char text[8192], value[5][40];
    snprintf(text, sizeof text, "%s%s", given->plane ? plane_words : words, given->text);
    const double number[5] = {cosine, sine, axis[0], axis[1], axis[2]};
    static char name[6][10] = {"turn_c", "turn_s", "ax", "ay", "az", "backwards"};
    static char yes[] = "1", no[] = "0";
    carom_override set[6];
    for (int i = 0; i < 5; i++) {
        snprintf(value[i], sizeof value[i], "%.17g", number[i]);
        set[i] = (carom_override){name[i], value[i]};
    }
    set[5] = (carom_override){name[5], backwards ? yes : no};
    const carom_load_request request = {
        .name = given->name, .file = "scene.lua", .text = text, .override_count = 6, .override = set};
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(&request, &experiment, &error) != CAROM_OK)
        fail_msg("%s: %s", given->name, error.text);
    carom_run_result result = {0};
    const carom_status status = carom_run(&(carom_run_request){.experiment = experiment}, &result, &error);
    if (status != CAROM_OK)
        fail_msg("%s: %s", given->name, error.text);
    for (int i = 0; i < MOST && given->expected[i].measure; i++) {
        const expected *wanted = &given->expected[i];
        const double found = measure_of(experiment, &result, wanted->measure);
        if (!(fabs(found - wanted->value) <= wanted->tolerance))
            fail_msg("%s%s: %s is %.12g, not %.12g to %g", given->name, backwards ? " backwards" : "",
                     wanted->measure, found, wanted->value, wanted->tolerance);
    }
    if (!result.certificate.trusted)
        fail_msg("%s: %s", given->name, result.certificate.doubt[0]);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static inline void check_scene(const scene *given)
{
    static const double up[3] = {0.0, 0.0, 1.0}, askew[3] = {2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0};
    run_scene(given, 1.0, 0.0, up, false);
    run_scene(given, 1.0, 0.0, up, true);
    run_scene(given, cos(0.6), sin(0.6), askew, false);
    run_scene(given, cos(-1.3), sin(-1.3), askew, true);
}

#endif
