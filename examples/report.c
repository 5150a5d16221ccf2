/* A run, the numbers of its plot, and its report page: what `carom run --plot` and `--report` show, for programs that draw
 * it themselves.
 *
 *   cc report.c $(pkg-config --cflags --libs carom) -o report && ./report
 */
#include <carom/carom.h>
#include <carom/io/report.h>
#include <stdio.h>

/* A fall from 0.8 m, in the model language. */
static const char model[] =
    "experiment { title = 'A ball' }\n"
    "local y = coordinates('y')\n"
    "mass(1)\n"
    "potential(10 * y)\n"
    "contact { 'floor', gap = y, restitution = 0.5 }\n"
    "initial { y = 0.8 }\n"
    "integrate { scheme = 'event-driven', h = 0.125, until_t = 0.75 }\n"
    "draw { disc(0, y + 0.1, 0.1), wall { { -1, 0 }, { 1, 0 } } }\n"
    "plot { 'speed', ylabel = 'm/s', line { time(), dot(y), label = 'v', marks = true } }\n";

/* Every curve of the plot; where the line jumps, both sides are there. */
static void print_figure(const carom_figure *figure)
{
    for (int p = 0; p < figure->panel_count; p++) {
        const carom_figure_panel *panel = &figure->panel[p];
        printf("%s: t from %g to %g, %s from %.2f to %.2f\n", figure->plot->name, panel->x.low, panel->x.high,
               panel->panel->ylabel, panel->y.low, panel->y.high);
        for (int k = 0; k < panel->curve_count; k++) {
            const carom_curve *curve = &panel->curve[k];
            printf("%s (%s)\n", curve->label ? curve->label : "", curve->style);
            for (size_t i = 0; i < curve->count; i++)
                printf("  %6.3f %7.3f\n", curve->x[i], curve->y[i]);
        }
    }
}

int main(void)
{
    carom_experiment *experiment = NULL;
    carom_figure *figure = NULL;
    carom_run_result result = {0};
    carom_series series = {0};
    carom_error error = {0};
    carom_status status = carom_experiment_load(
        &(carom_load_request){.name = "ball", .file = "ball.lua", .text = model}, &experiment, &error);
    if (status == CAROM_OK) {
        series.layout = carom_row_layout_of(experiment);
        const carom_recorder rows = carom_series_recorder(&series);
        status = carom_run(&(carom_run_request){.experiment = experiment,
                                                .recorder_count = 1,
                                                .recorder = &rows,
                                                .events = true,
                                                .event_points = true},
                           &result, &error);
    }
    if (status == CAROM_OK)
        status = carom_figure_create(&(carom_curve_source){.experiment = experiment,
                                                           .values = result.values,
                                                           .series = &series,
                                                           .points = &result.points},
                                     0, &figure, &error);
    if (status == CAROM_OK)
        print_figure(figure);
    if (status == CAROM_OK &&
        carom_report_available()) /* not where npm was missing when the library was built */
        status = carom_report_run(
            &(carom_report_source){.experiment = experiment, .result = &result, .series = &series},
            "ball.html", &error);
    if (status != CAROM_OK)
        fprintf(stderr, "report: %s\n", error.text);
    carom_figure_free(figure);
    carom_run_result_free(&result);
    carom_series_free(&series);
    carom_experiment_free(experiment);
    return status != CAROM_OK;
}
