/* The page of an impact: what each law makes of it. */
#include <math.h>
#include <stdlib.h>

#include "app/command_pages.h"

static void write_velocities(carom_page *self, const impact_output *output, double *number)
{
    const int n = output->system->impact.coordinates;
    for (int i = 0; i < n; i++)
        number[i] = i + 1.0;
    carom_page_list_begin(self, "figures");
    carom_page_figure(self, "impact", NULL, 1);
    carom_page_panel(self, &(carom_page_panel_look){.title = "velocities",
                                                    .x = {output->system->item, false, NAN, NAN},
                                                    .y = {"velocity", false, NAN, NAN}});
    carom_page_curves(self);
    carom_page_curve(self, &(carom_page_curve_data){.label = "before",
                                                    .style = "circle",
                                                    .colour = 7,
                                                    .count = (size_t)n,
                                                    .x = number,
                                                    .y = output->system->impact.velocity});
    for (int k = 0; k < output->laws->count; k++)
        if (output->outcome[k].status == CAROM_OK)
            carom_page_curve(self, &(carom_page_curve_data){.label = output->laws->law[k]->name,
                                                            .style = "linepoints",
                                                            .colour = k % 7,
                                                            .count = (size_t)n,
                                                            .x = number,
                                                            .y = output->outcome[k].result.velocity});
    carom_page_marks(self);
    carom_page_panel_end(self);
    carom_page_figure_end(self);
    carom_page_list_end(self);
}

static void write_laws_table(carom_page *self, const impact_output *output)
{
    static const char *const column[] = {"law", "result", "energy after / before", "error of momentum",
                                         "note"};
    carom_page_table(self, "Laws", (int)(sizeof column / sizeof *column), column, false);
    for (int k = 0; k < output->laws->count; k++) {
        const impact_outcome *outcome = &output->outcome[k];
        carom_page_row(self);
        carom_page_cell_text(self, output->laws->law[k]->name);
        carom_page_cell_text(self, outcome->status == CAROM_OK ? "ok" : "refused");
        carom_page_cell_number(self, outcome->status == CAROM_OK ? outcome->energy_ratio : NAN);
        carom_page_cell_number(self, outcome->status == CAROM_OK ? outcome->momentum_residual : NAN);
        carom_page_cell_text(self, outcome->message ? outcome->message : "");
        carom_page_row_end(self);
    }
    carom_page_table_end(self);
}

static carom_status write_velocity_table(carom_page *self, const impact_output *output, carom_error *error)
{
    const int n = output->system->impact.coordinates;
    const char **column = carom_new_array((size_t)output->laws->count + 2, sizeof *column);
    int columns = 0;
    if (!column)
        return carom_fail_memory(error);
    column[columns++] = output->system->item;
    column[columns++] = "before";
    for (int k = 0; k < output->laws->count; k++)
        if (output->outcome[k].status == CAROM_OK)
            column[columns++] = output->laws->law[k]->name;
    carom_page_table(self, "Velocities", columns, column, false);
    for (int i = 0; i < n; i++) {
        char text[80];
        carom_page_row(self);
        carom_page_cell_text(self, impact_label(output->system->coordinate, i, text, sizeof text));
        carom_page_cell_number(self, output->system->impact.velocity[i]);
        for (int k = 0; k < output->laws->count; k++)
            if (output->outcome[k].status == CAROM_OK)
                carom_page_cell_number(self, output->outcome[k].result.velocity[i]);
        carom_page_row_end(self);
    }
    carom_page_table_end(self);
    free((void *)column);
    return CAROM_OK;
}

carom_status page_of_impact(const impact_output *output, int argc, char **argv, const char *path,
                            carom_error *error)
{
    carom_page self = {0};
    double *number = carom_new_array((size_t)output->system->impact.coordinates, sizeof *number);
    carom_status status =
        number ? page_open_for(&self, output->system->title, &command_impact, argc, argv, error)
               : carom_fail_memory(error);
    if (status == CAROM_OK) {
        carom_json_text(&self.json, "status", "ok");
        carom_page_list_begin(&self, "tables");
        write_laws_table(&self, output);
        status = write_velocity_table(&self, output, error);
        carom_page_list_end(&self);
        write_velocities(&self, output, number);
    }
    free(number);
    return carom_page_end(&self, status, path, error);
}
