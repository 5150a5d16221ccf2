/* The picture of `carom bifurcation`: a panel per shown entry of the state, its returns over the parameter. Few points are drawn as
 * such; crowds of them as an image, where darkness tells how many fall on a pixel. Directions have their colours, or starts where there
 * is one direction. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/diagram_output.h"
#include "app/plot_parts.h"

enum {
    WIDTH = 860,
    PANEL_HEIGHT = 430,
    TITLE_HEIGHT = 40,
    BOX_WIDTH = 760,
    BOX_HEIGHT = 340,
    COLUMNS = 3 * BOX_WIDTH / 2, /* of the image */
    ROWS = 3 * BOX_HEIGHT / 2,
    CROWD = 30000, /* points of a panel from which on they are an image */
    GROUPS = 6
};

static const char picture_name[] = "bifurcation";
static const char *const colour[GROUPS] = {"0072B2", "D55E00", "009E73", "CC79A7", "E69F00", "333333"};

typedef struct drawing {
    const diagram_output *output;
    const carom_diagram *diagram;
    int groups;
    bool is_image;
    carom_range *shown; /* per panel */
    size_t *place;      /* of the blocks in the data */
    double low, high;   /* of the parameter */
} drawing;

static int group_of(const drawing *self, int course)
{
    return (self->diagram->directions == 2 ? course % 2 : course) % GROUPS;
}

static double entry_of(const drawing *self, const carom_diagram_point *point, int k, int panel)
{
    const int width = self->diagram->positions + self->diagram->dof;
    return point->state[(ptrdiff_t)k * width + self->output->shown[panel]];
}

static void look(drawing *self)
{
    const carom_diagram *diagram = self->diagram;
    long points = 0;
    self->low = INFINITY, self->high = -INFINITY;
    for (int i = 0; i < self->output->shown_count; i++)
        self->shown[i] = (carom_range){INFINITY, -INFINITY};
    for (int i = 0; i < diagram->courses * diagram->points; i++) {
        const carom_diagram_point *point = &diagram->point[i];
        self->low = fmin(self->low, point->value);
        self->high = fmax(self->high, point->value);
        points += point->count;
        for (int panel = 0; panel < self->output->shown_count; panel++)
            for (int k = 0; k < point->count; k++) {
                const double x = entry_of(self, point, k, panel);
                self->shown[panel].low = fmin(self->shown[panel].low, x);
                self->shown[panel].high = fmax(self->shown[panel].high, x);
            }
    }
    for (int i = 0; i < self->output->shown_count; i++) {
        carom_range *range = &self->shown[i];
        const double size = fmax(fabs(range->low), fabs(range->high));
        const double margin = fmax(0.04 * (range->high - range->low), 1e-6 * fmax(size, 1e-12));
        range->low -= margin;
        range->high += margin;
    }
    self->is_image = points > CROWD;
    self->groups = diagram->directions == 2 ? 2 : diagram->courses < GROUPS ? diagram->courses : GROUPS;
    if (!(self->high > self->low)) {
        self->low -= 0.5;
        self->high += 0.5;
    }
}

/* ---- data ------------------------------------------------------------------------------------------------- */

/* Points of one group; what falls on the same half pixel is one point. */
static void append_points(const drawing *self, int panel, int group, carom_text *data)
{
    const carom_diagram *diagram = self->diagram;
    const carom_range range = self->shown[panel];
    const double step = (range.high - range.low) / ROWS;
    unsigned char taken[ROWS + 1];
    bool any = false;
    for (int i = 0; i < diagram->courses * diagram->points; i++) {
        const carom_diagram_point *point = &diagram->point[i];
        if (group_of(self, i / diagram->points) != group)
            continue;
        memset(taken, 0, sizeof taken);
        for (int k = 0; k < point->count; k++) {
            const double x = entry_of(self, point, k, panel);
            const int row = (int)((x - range.low) / step);
            if (row < 0 || row > ROWS || taken[row])
                continue;
            taken[row] = 1;
            any = true;
            carom_text_append(data, "%.10g %.10g\n", point->value, x);
        }
    }
    if (!any)
        carom_text_append(data, "NaN NaN\n");
}

/* A spot of 3 x 3 pixels, darkest in the middle. */
static void stamp(float *image, int column, int row)
{
    for (int y = row - 1; y <= row + 1; y++)
        for (int x = column - 1; x <= column + 1; x++)
            if (x >= 0 && x < COLUMNS && y >= 0 && y < ROWS)
                image[(size_t)y * COLUMNS + (size_t)x] += (float)((x == column ? 2 : 1) * (y == row ? 2 : 1));
}

static void read_colour(int group, unsigned char part[3])
{
    for (int i = 0; i < 3; i++)
        part[i] =
            (unsigned char)strtoul((char[]){colour[group][2 * i], colour[group][2 * i + 1], '\0'}, NULL, 16);
}

/* Four bytes per pixel, red, green, blue and how opaque it is, row by row: what gnuplot draws without computing, which would take it
 * seconds. */
static bool append_image(const drawing *self, int panel, int group, carom_text *data)
{
    const carom_diagram *diagram = self->diagram;
    const carom_range range = self->shown[panel];
    float *image = carom_new_array((size_t)COLUMNS * ROWS, sizeof *image);
    if (!image)
        return false;
    for (int i = 0; i < diagram->courses * diagram->points; i++) {
        const carom_diagram_point *point = &diagram->point[i];
        if (group_of(self, i / diagram->points) != group)
            continue;
        const int column =
            (int)floor((point->value - self->low) / (self->high - self->low) * (COLUMNS - 1) + 0.5);
        for (int k = 0; k < point->count; k++)
            stamp(image, column,
                  (int)((entry_of(self, point, k, panel) - range.low) / (range.high - range.low) * ROWS));
    }
    unsigned char part[3];
    read_colour(group, part);
    for (size_t row = 0; row < ROWS; row++) {
        unsigned char line[COLUMNS][4];
        for (size_t column = 0; column < COLUMNS; column++) {
            const double ink = 1.0 - exp(-(double)image[row * COLUMNS + column] / 8.0);
            memcpy(line[column], part, sizeof part);
            line[column][3] = (unsigned char)lround(255.0 * ink);
        }
        carom_text_append_bytes(data, (const char *)line, sizeof line);
    }
    free(image);
    return true;
}

static bool append_data(drawing *self, carom_text *data)
{
    carom_text_append(data, "# Data of %s.gp, made by carom: one block per panel and colour, %s.\n\n",
                      picture_name,
                      self->is_image ? "an image: red, green, blue and opacity of each pixel as bytes"
                                     : "a gnuplot index: value  x");
    for (int panel = 0; panel < self->output->shown_count; panel++)
        for (int group = 0; group < self->groups; group++) {
            self->place[panel * self->groups + group] = data->length;
            if (self->is_image && !append_image(self, panel, group, data))
                return false;
            if (!self->is_image)
                append_points(self, panel, group, data);
            carom_text_append(data, "\n\n");
        }
    return true;
}

/* ---- script ------------------------------------------------------------------------------------------------ */

static void append_label(const char *axis, const char *text, carom_text *script)
{
    carom_text_append(script, "    set %slabel ", axis);
    plot_append_quoted(script, text);
    carom_text_append(script, "\n");
}

static void group_name(const drawing *self, int group, char *text, size_t size)
{
    if (self->diagram->directions == 2)
        snprintf(text, size, "%s", group ? "down" : "up");
    else
        snprintf(text, size, "start %d", group + 1);
}

static void append_group(const drawing *self, int panel, int group, carom_text *script)
{
    const int block = panel * self->groups + group;
    const carom_range range = self->shown[panel];
    const char *c = colour[group];
    if (self->is_image) {
        const double across = (self->high - self->low) / (COLUMNS - 1);
        const double up = (range.high - range.low) / ROWS;
        carom_text_append(
            script,
            "data binary skip=%zu array=(%d,%d) format='%%4uchar' origin=(%.10g,%.10g) dx=%.10g dy=%.10g \\\n"
            "         using 1:2:3:4 with rgbalpha notitle",
            self->place[block], COLUMNS, ROWS, self->low, range.low + 0.5 * up, across, up);
        return;
    }
    carom_text_append(
        script,
        "data index %d using 1:2 with points pointtype 7 pointsize 0.16 linecolor rgb '#50%s' notitle", block,
        c);
}

static void append_panel(const drawing *self, int panel, carom_text *script)
{
    char name[200];
    const bool has_key = self->groups > 1 && panel == 0;
    state_name(self->diagram->model, self->output->shown[panel], name, sizeof name);
    append_label("y", name, script);
    plot_append_range(script, "y", self->shown[panel]);
    plot_append_linear_tics(script, "y", self->shown[panel], BOX_HEIGHT);
    carom_text_append(script, has_key ? "    set key above Left reverse samplen 1 textcolor rgb '#303030'\n"
                                      : "    unset key\n");
    carom_text_append(script, "    plot ");
    for (int group = 0; group < self->groups; group++) {
        carom_text_append(script, group ? ", \\\n         " : "");
        append_group(self, panel, group, script);
    }
    for (int group = 0; has_key && group < self->groups; group++) {
        group_name(self, group, name, sizeof name);
        carom_text_append(
            script, ", \\\n         NaN with points pointtype 7 pointsize 0.8 linecolor rgb '#%s' title '%s'",
            colour[group], name);
    }
    carom_text_append(script, "\n");
}

static void append_script(const drawing *self, carom_text *script)
{
    const diagram_output *output = self->output;
    plot_append_head(script, picture_name);
    carom_text_append(script, "\n");
    plot_append_terminals(script, picture_name, WIDTH, output->shown_count * PANEL_HEIGHT + TITLE_HEIGHT);
    carom_text title = {0};
    carom_text_append(&title, "%s over %s", output->experiment->name, output->parameter);
    if (output->section)
        carom_text_append(&title, ", at impacts of %s", output->section);
    carom_text_append(script, "    set multiplot layout %d,1 title ", output->shown_count);
    plot_append_text(script, &title);
    carom_text_free(&title);
    carom_text_append(script, " font ',11'\n    set lmargin 11\n    set rmargin 3\n");
    append_label("x", output->parameter, script);
    const carom_range along = {self->low, self->high};
    plot_append_range(script, "x", along);
    plot_append_linear_tics(script, "x", along, BOX_WIDTH);
    for (int panel = 0; panel < output->shown_count; panel++)
        append_panel(self, panel, script);
    carom_text_append(script, "    unset multiplot\n    unset output\n}\n");
}

carom_status draw_diagram(const diagram_output *output, const char *directory, carom_error *error)
{
    drawing self = {.output = output, .diagram = output->diagram};
    self.shown = carom_new_array((size_t)output->shown_count, sizeof *self.shown);
    self.place = carom_new_array((size_t)output->shown_count * GROUPS, sizeof *self.place);
    if (!self.shown || !self.place) {
        free(self.shown);
        free(self.place);
        return carom_fail_memory(error);
    }
    look(&self);
    carom_text data = {0}, script = {0};
    carom_status status = CAROM_OK;
    if (!isfinite(self.shown[0].low))
        status = carom_fail(error, CAROM_FAILED, "nothing to draw: no value has a return");
    if (status == CAROM_OK && !append_data(&self, &data))
        status = carom_fail_memory(error);
    if (status == CAROM_OK) {
        append_script(&self, &script);
        status = plot_write_and_draw(directory, picture_name, &data, &script, error);
    }
    carom_text_free(&data);
    carom_text_free(&script);
    free(self.shown);
    free(self.place);
    return status;
}
