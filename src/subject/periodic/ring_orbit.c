/* ring_orbit { p =, gamma =, T =, I1 = { ... }, I2 = { ... } }: the periodic motion of a ring of oscillators over an
 * obstacle with a given pattern of impacts. */
#include <math.h>

#include "carom/periodic.h"
#include "carom/run/study.h"

enum {
    MOST_PARTICLES = 2000
};

typedef struct ring_request {
    int particles;
    double coupling, period;
    int half_count, start_count;
    int *half, *start;
} ring_request;

/* A list of particles, numbered from 0. */
static int *read_particles(carom_study_call *call, const char *key, int *count)
{
    *count = carom_study_list_length(call, key);
    const double *given = carom_study_list(call, key, *count);
    int *list = carom_study_take(call, (size_t)*count, sizeof *list);
    for (int i = 0; given && list && i < *count; i++) {
        if (given[i] != floor(given[i]) || fabs(given[i]) > 1e6)
            carom_study_fail(call, CAROM_BAD_INPUT, "%s[%d] must be a whole number; got %g", key, i + 1,
                             given[i]);
        else
            list[i] = (int)given[i];
    }
    return list;
}

static void give_orbit(carom_study_call *call, const carom_orbit *orbit)
{
    carom_study_give_list(call, "y", orbit->size, orbit->y0);
    carom_study_give_list(call, "v", orbit->size, orbit->v0);
    carom_study_give_list(call, "y_half", orbit->size, orbit->yh);
    carom_study_give_list(call, "speed", orbit->size, orbit->speed);
    carom_study_give_number(call, "energy", orbit->energy);
    carom_study_give_number(call, "margin", orbit->margin);
    carom_study_give_number(call, "condition", orbit->condition);
    carom_study_give_flag(call, "admissible", orbit->word == CAROM_ORBIT_OK);
}

static carom_status give_multipliers(carom_study_call *call, const carom_linear_oscillator *ring,
                                     const carom_orbit *orbit)
{
    carom_floquet *floquet = NULL;
    const carom_floquet_options options = carom_floquet_defaults();
    const bool admissible = orbit->word == CAROM_ORBIT_OK;
    carom_status status = admissible ? carom_floquet_create(ring, &floquet, call->error) : CAROM_OK;
    if (status == CAROM_OK && admissible)
        status = carom_floquet_compute(floquet, ring, orbit, &options, call->error);
    if (status == CAROM_OK) {
        carom_study_give_number(call, "max_multiplier", admissible ? floquet->largest : 0.0);
        carom_study_give_number(call, "off_circle", admissible ? floquet->off_circle : 0);
        carom_study_give_flag(call, "stable", admissible && floquet->stable);
    }
    carom_floquet_free(floquet);
    return status;
}

static carom_status solve_ring(carom_study_call *call, const ring_request *request, carom_phase *pattern)
{
    carom_linear_oscillator *ring = NULL;
    carom_orbit *orbit = NULL;
    const carom_orbit_options options = carom_orbit_defaults();
    carom_error *error = call->error;
    carom_status status = carom_ring_create(request->particles, request->coupling, &ring, error);
    if (status == CAROM_OK)
        status = carom_pattern_make(request->particles, request->half_count, request->half,
                                    request->start_count, request->start, pattern, error);
    if (status == CAROM_OK)
        status = carom_orbit_create(ring, &orbit, error);
    if (status == CAROM_OK)
        status = carom_orbit_solve(orbit, ring, request->period, pattern, &options, error);
    if (status == CAROM_OK) {
        char verdict[300];
        carom_orbit_describe(orbit, ring, sizeof verdict, verdict);
        give_orbit(call, orbit);
        carom_study_give_text(call, "verdict", verdict);
        status = give_multipliers(call, ring, orbit);
    }
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(ring);
    return status;
}

static carom_status compute(carom_study_call *call)
{
    ring_request request = {.particles = carom_study_whole(call, "p"),
                            .coupling = carom_study_number(call, "gamma"),
                            .period = carom_study_number(call, "T")};
    request.half = read_particles(call, "I1", &request.half_count);
    request.start = read_particles(call, "I2", &request.start_count);
    carom_phase *pattern = carom_study_take(call, (size_t)request.particles, sizeof *pattern);
    return call->status == CAROM_OK ? solve_ring(call, &request, pattern) : call->status;
}

static const carom_study_input inputs[] = {
    {"p", CAROM_STUDY_WHOLE, NULL, "particles", .value = NAN, .min = 1, .max = MOST_PARTICLES},
    {"gamma", CAROM_STUDY_NUMBER, NULL, "stiffness of the springs between neighbours", .value = 0.0},
    {"T", CAROM_STUDY_NUMBER, NULL, "period", .value = NAN},
    {"I1", CAROM_STUDY_LIST, NULL, "particles, from 0, that hit half a period after those of I2",
     .usual = "none"},
    {"I2", CAROM_STUDY_LIST, NULL, "particles, from 0, that hit at the start", .usual = "none"},
    {0}};

static const carom_study_output outputs[] = {
    {"y", CAROM_STUDY_LIST, NULL, "positions at the start"},
    {"v", CAROM_STUDY_LIST, NULL, "velocities at the start"},
    {"y_half", CAROM_STUDY_LIST, NULL, "positions half a period later"},
    {"speed", CAROM_STUDY_LIST, NULL, "speeds of impact; 0 where a particle does not hit"},
    {"energy", CAROM_STUDY_NUMBER, NULL, "energy"},
    {"margin", CAROM_STUDY_NUMBER, NULL, "smallest distance from the obstacle between impacts"},
    {"condition", CAROM_STUDY_NUMBER, NULL, "condition number of the linear system"},
    {"max_multiplier", CAROM_STUDY_NUMBER, NULL,
     "largest modulus of the Floquet multipliers; 0 for no motion"},
    {"off_circle", CAROM_STUDY_WHOLE, NULL, "multipliers off the unit circle"},
    {"admissible", CAROM_STUDY_FLAG, NULL, "whether it is a motion"},
    {"stable", CAROM_STUDY_FLAG, NULL, "whether all multipliers are on the circle"},
    {"verdict", CAROM_STUDY_TEXT, NULL, "what it is, or why it is none"},
    {0}};

const carom_study_ops study_ring_orbit = {
    .name = "ring_orbit",
    .summary = "periodic motion of a ring of oscillators over an obstacle, by its pattern of impacts",
    .inputs = inputs,
    .outputs = outputs,
    .compute = compute};
