/* Steps per second of the schemes, without recording.
 *
 *   steps [PART]     trial, ball-inel, ball-moreau-jean or chain; default: all
 *
 * Run from the root of the source tree.
 *
 * The rows and heights of the ball are read by bench/run, which compares them with Siconos. */
#include <string.h>

#include "measure.h"

/* The data of siconos_ball.py: whoever changes a number here changes it there. */
static const char ball_model[] = "local e     = param { 'e', 0.8, min = 0, max = 1 }\n"
                                 "local start = param { 'start', 1 }\n"
                                 "local radius, mass, gravity = 0.1, 1, 9.81\n"
                                 "local height, sideways, spin = coordinates('height', 'sideways', 'spin')\n"
                                 "kinetic   (mass * (dot(height)^2 + dot(sideways)^2) / 2\n"
                                 "           + mass * radius^2 * dot(spin)^2 / 5)\n"
                                 "potential (mass * gravity * height)\n"
                                 "contact   { 'floor', gap = height - radius, restitution = e }\n"
                                 "initial   { height = start }\n"
                                 "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 20 }\n";

typedef struct ball_case {
    const char *system;
    const char *start; /* height */
    double until;
} ball_case;

static const ball_case ball_cases[] = {{"bouncing", "1", 4.0}, {"resting", "0.1", 20.0}};
static const double check_times[] = {1.0, 2.0, 3.0, 4.0};

/* Masses and springs that fly against a wall on the left of the first. */
static const char chain_model[] = "local N = setting { 'N', 8, integer = true, min = 2 }\n"
                                  "local name = {}\n"
                                  "for i = 1, N do name[i] = 'x' .. i end\n"
                                  "local x = { coordinates(table.unpack(name)) }\n"
                                  "local start = {}\n"
                                  "for i = 1, N do\n"
                                  "  kinetic(dot(x[i])^2 / 2)\n"
                                  "  start[dot(x[i])] = math.sin(i) - 1\n"
                                  "end\n"
                                  "for i = 2, N do potential((x[i] - x[i - 1])^2 / 2) end\n"
                                  "contact   { 'wall', gap = x[1] + 0.5 }\n"
                                  "initial   (start)\n"
                                  "integrate { scheme = 'elast', h = 0.01, until_t = 1 }\n";

/* Takes twice as many steps until they last `seconds` longer than one step, with its set-up, does. */
static timing time_steps_for(double seconds, const carom_experiment *experiment, const char *scheme, double h)
{
    carom_run_request request = {
        .experiment = experiment, .scheme = scheme, .h = NAN, .until = h, .max_steps = 1, .bare = true};
    const double one = best_of(&request).seconds;
    request.max_steps = 0;
    double steps = 64.0, lasted = 0.0;
    while (lasted - one < seconds) {
        steps *= 2.0;
        request.until = steps * h;
        carom_run_result result = run(&request);
        lasted = result.wall_seconds;
        carom_run_result_free(&result);
    }
    request.until = steps * h;
    return time_steps(request);
}

/* ---- small systems -------------------------------------------------------------------------------- */

static void print_line(const char *system, const char *scheme, timing measured)
{
    print_row(system, scheme, measured);
    printf("\n");
}

static void measure_trial(void)
{
    carom_experiment *experiment =
        load(&(carom_load_request){.name = "trial-04", .file = "experiments/moreau-1986/trial-04.lua"});
    print_line("trial-04", "elast", time_steps_for(0.5, experiment, "elast", 0.005));
    carom_experiment_free(experiment);
}

static void set(carom_experiment *experiment, const char *name, const char *value)
{
    carom_error error;
    if (carom_experiment_set(experiment, name, value, &error) != CAROM_OK)
        stop(experiment->name, &error);
}

/* Where moreau-jean takes the ball, for comparison with another program. */
static void print_heights(const carom_experiment *ball)
{
    carom_run_request request = {
        .experiment = ball, .scheme = "moreau-jean", .h = NAN, .until = NAN, .bare = true};
    for (size_t i = 0; i < sizeof check_times / sizeof *check_times; i++) {
        request.until = check_times[i];
        carom_run_result result = run(&request);
        printf("height carom t = %g %.15f\n", request.until, result.final[result.layout.q]);
        carom_run_result_free(&result);
    }
}

static carom_experiment *measure_ball(const char *scheme, const char *restitution)
{
    carom_experiment *ball =
        load(&(carom_load_request){.name = "ball", .file = "ball.lua", .text = ball_model});
    set(ball, "e", restitution);
    for (size_t i = 0; i < sizeof ball_cases / sizeof *ball_cases; i++) {
        set(ball, "start", ball_cases[i].start);
        print_line(ball_cases[i].system, scheme,
                   time_steps((carom_run_request){
                       .experiment = ball, .scheme = scheme, .h = NAN, .until = ball_cases[i].until}));
    }
    return ball;
}

static void measure_ball_inel(void)
{
    carom_experiment_free(measure_ball("inel", "0"));
}

static void measure_ball_moreau_jean(void)
{
    carom_experiment *ball = measure_ball("moreau-jean", "0.8");
    set(ball, "start", ball_cases[0].start);
    print_heights(ball);
    carom_experiment_free(ball);
}

/* ---- cost against size ---------------------------------------------------------------------------- */

static carom_experiment *load_chain(int masses)
{
    char name[] = "N", value[16];
    snprintf(value, sizeof value, "%d", masses);
    const carom_override override = {.name = name, .value = value};
    return load(&(carom_load_request){.name = "chain",
                                      .file = "chain.lua",
                                      .text = chain_model,
                                      .override_count = 1,
                                      .override = &override});
}

static int tape_length(const carom_graph *graph, int outputs, const carom_node *nodes)
{
    carom_tape *tape = carom_tape_compile(graph, outputs, nodes);
    if (!tape) {
        carom_error error;
        carom_fail_memory(&error);
        stop("chain", &error);
    }
    int length = carom_tape_length(tape);
    carom_tape_free(tape);
    return length;
}

/* Instructions that every step of an explicit scheme evaluates: those of -dV/dq and of the gap. */
static int step_instructions(const carom_traced_spec *spec)
{
    carom_node *coordinate = carom_new_array((size_t)spec->dof, sizeof *coordinate);
    carom_node *force = carom_new_array((size_t)spec->dof, sizeof *force);
    if (!coordinate || !force) {
        free(coordinate);
        free(force);
        return 0;
    }
    for (int i = 0; i < spec->dof; i++)
        coordinate[i] = carom_leaf(spec->graph, CAROM_OP_COORDINATE, i);
    carom_gradient(spec->graph, spec->potential, spec->dof, coordinate, force);
    for (int i = 0; i < spec->dof; i++)
        force[i] = carom_unary(spec->graph, CAROM_OP_NEG, force[i]);
    int instructions =
        tape_length(spec->graph, spec->dof, force) + tape_length(spec->graph, 1, &spec->contact[0].gap);
    free(coordinate);
    free(force);
    return instructions;
}

static void measure_chain(int masses)
{
    double started = carom_seconds();
    carom_experiment *chain = load_chain(masses);
    double load_seconds = carom_seconds() - started;
    double explicit_ns = nanoseconds_per_step(time_steps_for(0.05, chain, "elast", 0.01));
    double implicit_ns = nanoseconds_per_step(time_steps_for(0.05, chain, "moreau-jean", 0.01));
    int instructions = step_instructions(&chain->spec);
    printf("%5d %12d %10.1f %8.2f %12.2f %14.1f %10.2f %10.4f\n", masses, instructions, explicit_ns,
           explicit_ns / masses, explicit_ns / instructions, implicit_ns,
           implicit_ns / ((double)masses * masses), load_seconds);
    carom_experiment_free(chain);
}

static void measure_chains(void)
{
    printf("chain of N masses: elast (explicit, diagonal mass) and moreau-jean (implicit, dense matrix)\n");
    printf("%5s %12s %10s %8s %12s %14s %10s %10s\n", "N", "instructions", "elast ns", "ns/N", "ns/instr",
           "moreau-jean ns", "ns/N^2", "load s");
    for (int masses = 8; masses <= 512; masses *= 2)
        measure_chain(masses);
}

static const part parts[] = {{"trial", measure_trial},
                             {"ball-inel", measure_ball_inel},
                             {"ball-moreau-jean", measure_ball_moreau_jean},
                             {"chain", measure_chains}};

int main(int argc, char **argv)
{
    return run_parts(argc, argv, sizeof parts / sizeof *parts, parts);
}
