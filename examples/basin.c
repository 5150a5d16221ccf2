/* Long-term behaviour from C: where the motions of a driven oscillator against a wall settle, over a parameter and over starts.
 *
 *   cc basin.c $(pkg-config --cflags --libs carom) -o basin && ./basin
 */
#include <carom/carom.h>
#include <carom/survey/basin.h>
#include <carom/survey/diagram.h>
#include <stdio.h>

static const char oscillator[] = "local w = param { 'w', 2.6 }\n"
                                 "local x = coordinates('x')\n"
                                 "mass(1)\n"
                                 "force { x = -x - 0.05*dot(x) + cos(w*time()) }\n"
                                 "contact { 'wall', gap = x, restitution = 0.8 }\n"
                                 "initial { x = 0.5 }\n"
                                 "integrate { scheme = 'event-driven', h = 0.1, until_t = 50 }\n";

/* Periods over the frequency: one, then two. */
static carom_status follow(const carom_experiment *experiment, carom_error *error)
{
    const carom_diagram_request request = {.returns = {.experiment = experiment},
                                           .parameter = "w",
                                           .from = 2.5,
                                           .to = 2.7,
                                           .points = 5,
                                           .skip = 1000,
                                           .iterates = 20};
    carom_diagram diagram;
    const carom_status status = carom_diagram_run(&request, &diagram, error);
    for (int i = 0; status == CAROM_OK && i < diagram.points; i++) {
        const carom_diagram_point *point = carom_diagram_at(&diagram, 0, i);
        printf("w = %.2f: period %d, %d impact%s, x = %.5f\n", point->value, point->period,
               point->period_impacts, point->period_impacts == 1 ? "" : "s",
               point->state[2 * (point->count - 1)]);
    }
    carom_diagram_free(&diagram);
    return status;
}

/* Two attractors at w = 2.6. */
static carom_status map(const carom_experiment *experiment, carom_error *error)
{
    const carom_basin_request request = {
        .returns = {.experiment = experiment},
        .axis_count = 2,
        .axis = {{CAROM_BASIN_POSITION, 0, 0.0, 2.0, 20}, {CAROM_BASIN_VELOCITY, 0, -2.0, 2.0, 20}},
        .periods = 100};
    carom_basin basin;
    const carom_status status = carom_basin_run(&request, &basin, error);
    for (int i = 0; status == CAROM_OK && i < basin.attractor_count; i++)
        printf("period %d with %d impact%s: %.1f %% of the starts\n", basin.attractor[i].period,
               basin.attractor[i].impacts, basin.attractor[i].impacts == 1 ? "" : "s",
               100.0 * basin.attractor[i].cells / basin.cells);
    carom_basin_free(&basin);
    return status;
}

int main(void)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    carom_status status = carom_experiment_load(
        &(carom_load_request){.file = "oscillator.lua", .text = oscillator}, &experiment, &error);
    if (status == CAROM_OK)
        status = follow(experiment, &error);
    if (status == CAROM_OK)
        status = map(experiment, &error);
    if (status != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    if (experiment)
        carom_experiment_free(experiment);
    return status == CAROM_OK ? 0 : 1;
}
