/* Time per step of mechanisms with joints: a chain of planar links that falls on a floor.
 *
 *   mechanism
 *
 * Every link has three coordinates and hangs in the one before by two equations, so that cost per link shows
 * whether a step is linear in the number of bodies. */
#include "measure.h"

/* Links of length 1, at rest and horizontal at the start; the tip of the last link meets the floor. */
static const char chain_model[] =
    "local N = setting { 'N', 10, integer = true, min = 1 }\n"
    "local name = {}\n"
    "for i = 1, N do\n"
    "  for _, c in ipairs { 'x', 'y', 'angle' } do name[#name + 1] = c .. i end\n"
    "end\n"
    "local q = { coordinates(table.unpack(name)) }\n"
    "local length, mass = 1, 1\n"
    "local end_x, end_y, start = 0, 0, {}\n"
    "for i = 1, N do\n"
    "  local x, y, angle = q[3 * i - 2], q[3 * i - 1], q[3 * i]\n"
    "  local along_x, along_y = length / 2 * cos(angle), length / 2 * sin(angle)\n"
    "  kinetic(mass / 2 * (dot(x)^2 + dot(y)^2 + length^2 / 12 * dot(angle)^2))\n"
    "  potential(9.81 * mass * y)\n"
    "  joint { 'pin_x' .. i, x - along_x - end_x }\n"
    "  joint { 'pin_y' .. i, y - along_y - end_y }\n"
    "  end_x, end_y = x + along_x, y + along_y\n"
    "  start[x] = (i - 0.5) * length\n"
    "end\n"
    "contact   { 'floor', gap = end_y + 0.5, restitution = 0.5 }\n"
    "initial   (start)\n"
    "integrate { scheme = 'generalized-alpha', h = 1e-3, until_t = 0.4 }\n";

static void measure_chain(const char *links)
{
    carom_override override = {.name = (char *)"N", .value = (char *)links};
    carom_experiment *experiment = load(&(carom_load_request){
        .name = "chain", .file = "chain", .text = chain_model, .override_count = 1, .override = &override});
    const carom_run_request request = {.experiment = experiment, .h = NAN, .until = NAN, .bare = true};
    carom_run_result whole = run(&request);
    const timing measured = time_steps(request);
    char name[32];
    snprintf(name, sizeof name, "links-%s", links);
    print_row(name, experiment->scheme, measured);
    printf(" %10.1f ns/step/link %8.3f iterations/step\n", nanoseconds_per_step(measured) / atof(links),
           (double)whole.counts.solver_iterations / (double)whole.steps);
    carom_run_result_free(&whole);
    carom_experiment_free(experiment);
}

int main(void)
{
    carom_linalg_serial(); /* the factorisation at the start would leave threads that wait and count */
    measure_chain("1");
    measure_chain("10");
    measure_chain("30");
    measure_chain("100");
    return EXIT_SUCCESS;
}
