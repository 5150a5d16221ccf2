/* Restitution and height of a ball that was filmed: a model fitted to measured heights.
 *
 *   cc fit.c $(pkg-config --cflags --libs carom) -o fit && ./fit
 */
#include <carom/carom.h>
#include <carom/survey/fit.h>
#include <math.h>
#include <stdio.h>

static const char ball[] = "local e = param { 'e', 0.6, min = 0, max = 1 }\n"
                           "local y = coordinates('y')\n"
                           "mass(1)\n"
                           "potential(9.81*y)\n"
                           "contact { 'floor', gap = y, restitution = e }\n"
                           "initial { y = 1 }\n"
                           "integrate { scheme = 'event-driven', h = 0.01, until_t = 2 }\n";

/* Every 50 ms, in metres, to the centimetre; in one picture the ball was not to be found. */
static const double height[] = {1.04, 1.03, 0.99, 0.93, 0.84, 0.73, 0.60, 0.44, 0.26, 0.05,
                                0.13, 0.28, NAN,  0.49, 0.56, 0.61, 0.63, 0.63, 0.60, 0.55};
enum {
    COUNT = sizeof height / sizeof *height
};

static void show(const carom_fit *fit)
{
    for (int i = 0; i < fit->count; i++)
        printf("%-4s %.4f +- %.4f   95 %%: %.4f to %.4f\n", fit->parameter[i].name, fit->parameter[i].value,
               fit->parameter[i].error, fit->parameter[i].low, fit->parameter[i].high);
    printf("%ld data, off by %.4f; %s, %s derivatives\n", fit->residuals, fit->rms, fit->word,
           fit->exact ? "exact" : "approximate");
    for (int i = 0; i < fit->warnings; i++)
        printf("note: %s\n", fit->warning[i]);
}

int main(void)
{
    double time[COUNT];
    for (int i = 0; i < COUNT; i++)
        time[i] = 0.05 * i;
    const carom_load_request model = {.name = "ball", .file = "ball.lua", .text = ball};
    const carom_fit_data film = {.name = "film", .count = COUNT, .t = time, .value = height};
    const carom_fit_parameter sought[] = {{.name = "e"}, {.name = "q:y"}};
    carom_experiment *experiment = NULL;
    carom_fit fit = {0};
    carom_error error;
    carom_status status = carom_experiment_load(&model, &experiment, &error);
    const carom_fit_request request = {.experiment = experiment,
                                       .output_count = 1,
                                       .output = (const char *const[]){"y"},
                                       .data_count = 1,
                                       .data = &film,
                                       .parameter_count = 2,
                                       .parameter = sought};
    if (status == CAROM_OK)
        status = carom_fit_run(&request, &fit, &error);
    if (status == CAROM_OK)
        show(&fit);
    else
        fprintf(stderr, "fit: %s\n", error.text);
    carom_fit_free(&fit);
    carom_experiment_free(experiment);
    return status == CAROM_OK ? 0 : 1;
}
