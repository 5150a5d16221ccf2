/* Plots of an experiment: writes data and scripts, and runs gnuplot on them. */
#include "app/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/plot_parts.h"
#include "carom/io.h"

/* ---- data file ------------------------------------------------------------------------------------- */

static void append_column_names(const carom_experiment *experiment, const carom_curve *curve,
                                carom_text *data)
{
    const carom_layer *layer = curve->layer;
    if (layer->kind == CAROM_LAYER_OUTLINE) {
        carom_text_append(data, "# x  y\n");
        return;
    }
    if (layer->kind == CAROM_LAYER_PROFILE || layer->kind == CAROM_LAYER_CONTACTS) {
        carom_text_append(data, "# t  x=place  y=%s\n",
                          layer->kind == CAROM_LAYER_PROFILE ? "displacement" : "t");
        return;
    }
    if (layer->kind == CAROM_LAYER_SCENE) {
        carom_text_append(data, "# t  x  y  colour\n");
        return;
    }
    if (layer->kind == CAROM_LAYER_VALUES) {
        carom_text_append(data, "# t  x=number  y=value\n");
        return;
    }
    const int column[4] = {layer->x, layer->y, layer->x2, layer->y2};
    const char *const word[4] = {"x", "y", "x2", "y2"};
    carom_text_append(data, "# t");
    for (int i = 0; i < (layer->kind == CAROM_LAYER_SEGMENTS ? 4 : 2); i++) {
        const char *name = column[i] < experiment->named_columns ? experiment->column[column[i]] : NULL;
        carom_text_append(data, "  %s", word[i]);
        if (name)
            carom_text_append(data, "=");
        plot_append_comment(data, name);
    }
    carom_text_append(data, layer->numbered && curve->mark < 0 ? "  number_x  number_y  number\n" : "\n");
}

static void append_block_head(const carom_experiment *experiment, const carom_curve *curve,
                              const char *member_label, int panel, int block, carom_text *data)
{
    static const char *const kinds[] = {"line",    "points",   "segments", "outline",
                                        "profile", "contacts", "values",   "scene"};
    carom_text_append(data, "# index %d: panel %d, %s", block, panel, kinds[curve->layer->kind]);
    if (curve->layer->kind == CAROM_LAYER_CONTACTS)
        carom_text_append(data, " of the %s side", curve->layer->upper ? "upper" : "lower");
    if (curve->mark >= 0)
        carom_text_append(data, ", marks of %s", carom_event_word((carom_event_kind)curve->mark));
    if (curve->layer->label) {
        carom_text_append(data, ", label: ");
        plot_append_comment(data, curve->layer->label);
    }
    if (curve->member >= 0) {
        carom_text_append(data, ", member %d: ", curve->member);
        plot_append_comment(data, member_label);
    }
    carom_text_append(data, "\n");
    append_column_names(experiment, curve, data);
}

static void append_row(const plot_box *box, const carom_curve *curve, size_t index, int number,
                       carom_text *data)
{
    const double t = curve->t[index], x = curve->x[index], y = curve->y[index];
    if (curve->layer->kind == CAROM_LAYER_OUTLINE) {
        carom_text_append(data, "%.10g %.10g\n", x, y);
        return;
    }
    carom_text_append(data, "%.10g %.10g %.10g", t, x, y);
    if (curve->x2)
        carom_text_append(data, " %.10g %.10g", curve->x2[index], curve->y2[index]);
    if (curve->rgb)
        carom_text_append(data, " %.10g", curve->rgb[index]);
    if (curve->layer->numbered && curve->mark < 0) {
        double place[2];
        plot_number_place(box, curve, index, place);
        carom_text_append(data, " %.10g %.10g %d", place[0], place[1], number);
    }
    carom_text_append(data, "\n");
}

/* An empty line interrupts a line; two end the block. */
static void append_block(const plot_box *box, const carom_curve *curve, carom_text *data)
{
    bool interrupt = false;
    int number = 0;
    for (size_t i = 0; i < curve->count; i++) {
        if (isnan(curve->x[i])) {
            interrupt = number > 0;
            continue;
        }
        if (interrupt)
            carom_text_append(data, "\n");
        interrupt = false;
        append_row(box, curve, i, number++, data);
    }
    carom_text_append(data, "\n\n");
}

static void append_data(const carom_curve_source *source, const plot_drawing *drawing, carom_text *data)
{
    carom_text_append(data, "# Data of %s.gp, made by carom: one block (gnuplot index) per curve.\n\n",
                      drawing->file_name);
    for (int i = 0; i < drawing->figure->panel_count; i++) {
        const plot_box *box = &drawing->box[i];
        for (int k = 0; k < box->shown->curve_count; k++) {
            const carom_curve *curve = &box->shown->curve[k];
            const char *member_label = curve->member >= 0 ? source->family.label[curve->member] : NULL;
            append_block_head(source->experiment, curve, member_label, i + 1, box->first_block + k, data);
            append_block(box, curve, data);
        }
    }
}

/* ---- files ----------------------------------------------------------------------------------------- */

carom_status plot_make_directory(const char *directory, carom_error *error)
{
    carom_text path = {0};
    carom_text_append(&path, "%s", directory);
    if (path.failed)
        return carom_fail_memory(error);
    int failure = 0;
    for (char *c = path.bytes + (path.bytes[0] != '\0'); !failure; c++) {
        bool end = *c == '\0';
        if (!end && *c != '/')
            continue;
        *c = '\0';
        if (mkdir(path.bytes, 0777) != 0 && errno != EEXIST)
            failure = errno;
        if (end)
            break;
        *c = '/';
    }
    carom_text_free(&path);
    struct stat info;
    if (!failure && stat(directory, &info) == 0 && !S_ISDIR(info.st_mode))
        failure = ENOTDIR;
    if (failure)
        return carom_fail(error, CAROM_BAD_INPUT, "cannot make the directory %s: %s", directory,
                          strerror(failure));
    return CAROM_OK;
}

carom_status plot_write_text(const char *directory, const char *name, const char *extension,
                             const carom_text *text, carom_error *error)
{
    carom_text path = {0};
    carom_text_append(&path, "%s/%s.%s", directory, name, extension);
    if (path.failed || text->failed) {
        carom_text_free(&path);
        return carom_fail_memory(error);
    }
    const carom_status status = carom_output_write(path.bytes, false, text->bytes, text->length, error);
    carom_text_free(&path);
    return status;
}

/* What stands in a file name for a character of a plot's name. */
static char file_character(char c)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    if (strchr(good, c)) /* the end of the text is in `good` too */
        return c;
    return '-';
}

static bool same_file_name(const char *a, const char *b)
{
    while (*a && file_character(*a) == file_character(*b))
        a++, b++;
    return *a == *b;
}

/* The plot's name with only characters that are good in file names; numbered when an earlier plot has the
 * same. */
static char *file_name_of(const carom_experiment *experiment, int plot, carom_arena *arena)
{
    const char *name = experiment->plot[plot].name;
    int same = 1;
    for (int i = 0; i < plot; i++)
        same += same_file_name(experiment->plot[i].name, name);
    carom_text text = {0};
    carom_text_append(&text, *name && *name != '.' ? "" : "plot");
    for (const char *c = name; *c; c++)
        carom_text_append(&text, "%c", file_character(*c));
    if (same > 1)
        carom_text_append(&text, "-%d", same);
    char *copy = text.failed ? NULL : carom_arena_copy_text(arena, text.bytes);
    carom_text_free(&text);
    return copy;
}

static carom_status write_drawing(const carom_curve_source *source, plot_drawing *drawing,
                                  const char *directory, carom_error *error)
{
    carom_status status = plot_lay_out(source, drawing, error);
    if (status != CAROM_OK)
        return status;
    carom_text data = {0}, script = {0};
    append_data(source, drawing, &data);
    plot_write_script(drawing, &script);
    status = plot_write_text(directory, drawing->file_name, "dat", &data, error);
    if (status == CAROM_OK)
        status = plot_write_text(directory, drawing->file_name, "gp", &script, error);
    carom_text_free(&script);
    carom_text_free(&data);
    return status;
}

/* ---- gnuplot --------------------------------------------------------------------------------------- */

enum {
    EXIT_NO_DIRECTORY = 125,
    EXIT_NOT_STARTED = 126,
    EXIT_NOT_FOUND = 127
};

/* In the child process: only calls that are safe after fork. */
static void become_gnuplot(const char *directory, char *script_name, int messages)
{
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0 ||
        dup2(messages, STDERR_FILENO) < 0 || chdir(directory) != 0)
        _exit(EXIT_NO_DIRECTORY);
    /* -d: the user's own start file must not change the pictures. */
    char program[] = "gnuplot", defaults[] = "-d";
    char *const arguments[] = {program, defaults, script_name, NULL};
    execvp(program, arguments);
    _exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_STARTED);
}

/* Reads all, without the empty lines at its ends; what does not fit is dropped. */
static void read_messages(int descriptor, char *text, size_t size)
{
    size_t length = 0;
    char piece[512];
    for (;;) {
        ssize_t got = read(descriptor, piece, sizeof piece);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        size_t taken = (size_t)got < size - 1 - length ? (size_t)got : size - 1 - length;
        memcpy(text + length, piece, taken);
        length += taken;
    }
    while (length > 0 && strchr(" \n", text[length - 1]))
        length--;
    text[length] = '\0';
    size_t start = strspn(text, " \n");
    memmove(text, text + start, length - start + 1);
}

static carom_status report_gnuplot(int exit_status, const char *directory, const char *script_name,
                                   const char *messages, carom_error *error)
{
    if (WIFEXITED(exit_status) && WEXITSTATUS(exit_status) == 0)
        return CAROM_OK;
    if (WIFEXITED(exit_status) && WEXITSTATUS(exit_status) == EXIT_NOT_FOUND)
        return carom_fail(error, CAROM_IO_ERROR,
                          "gnuplot is not installed (Debian package gnuplot-nox); data and scripts are kept "
                          "in %s: run \"gnuplot %s\" there later",
                          directory, script_name);
    return carom_fail(error, CAROM_IO_ERROR, "gnuplot could not draw %s/%s, which is kept: %s", directory,
                      script_name, messages[0] ? messages : "it gave no reason");
}

/* Runs ../SCRIPT in the folder `scratch` of the directory. */
static carom_status run_script(const char *directory, const char *scratch, char *script, carom_error *error)
{
    const char *script_name = script + strlen("../");
    int messages[2];
    if (pipe(messages) != 0)
        return carom_fail(error, CAROM_IO_ERROR, "cannot start gnuplot: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        close(messages[0]);
        become_gnuplot(scratch, script, messages[1]);
    }
    close(messages[1]);
    if (child < 0) {
        close(messages[0]);
        return carom_fail(error, CAROM_IO_ERROR, "cannot start gnuplot: %s", strerror(errno));
    }
    char text[1024];
    read_messages(messages[0], text, sizeof text);
    close(messages[0]);
    int exit_status = 0;
    while (waitpid(child, &exit_status, 0) < 0 && errno == EINTR)
        continue;
    return report_gnuplot(exit_status, directory, script_name, text, error);
}

carom_status plot_run_gnuplot(const char *directory, const char *name, carom_error *error)
{
    carom_text script = {0};
    char *scratch = NULL;
    carom_text_append(&script, "../%s.gp", name);
    carom_status status =
        script.failed ? carom_fail_memory(error) : plot_scratch_open(directory, name, &scratch, error);
    if (status == CAROM_OK) {
        status = run_script(directory, scratch, script.bytes, error);
        if (status == CAROM_OK)
            status = plot_scratch_take(scratch, directory, name, error);
        plot_scratch_close(scratch, name);
    }
    carom_text_free(&script);
    return status;
}

carom_status plot_write_and_draw(const char *directory, const char *name, const carom_text *data,
                                 const carom_text *script, carom_error *error)
{
    carom_status status = plot_make_directory(directory, error);
    if (status == CAROM_OK)
        status = plot_write_text(directory, name, "dat", data, error);
    if (status == CAROM_OK)
        status = plot_write_text(directory, name, "gp", script, error);
    return status == CAROM_OK ? plot_run_gnuplot(directory, name, error) : status;
}

static carom_status draw(const carom_experiment *experiment, int plot, const char *directory,
                         carom_arena *arena, carom_error *error)
{
    const char *name = file_name_of(experiment, plot, arena);
    return name ? plot_run_gnuplot(directory, name, error) : carom_fail_memory(error);
}

/* ---- all plots ------------------------------------------------------------------------------------- */

static carom_status write_plot(const carom_curve_source *source, int plot, const char *directory,
                               carom_error *error)
{
    const carom_experiment *experiment = source->experiment;
    plot_drawing drawing = {.arena = carom_arena_create(), .plot = plot};
    if (!drawing.arena)
        return carom_fail_memory(error);
    drawing.file_name = file_name_of(experiment, plot, drawing.arena);
    carom_status status =
        drawing.file_name ? write_drawing(source, &drawing, directory, error) : carom_fail_memory(error);
    carom_figure_free(drawing.figure);
    carom_arena_free(drawing.arena);
    return status;
}

carom_status plot_render(const carom_curve_source *source, const char *directory, int *pictures,
                         carom_error *error)
{
    const carom_experiment *experiment = source->experiment;
    int drawn = 0;
    carom_status status = plot_make_directory(directory, error);
    /* All scripts first, so that they are there when gnuplot is not. */
    for (int i = 0; status == CAROM_OK && i < experiment->plot_count; i++)
        if (experiment->plot[i].panel_count > 0)
            status = write_plot(source, i, directory, error);
    carom_arena *arena = status == CAROM_OK ? carom_arena_create() : NULL;
    if (status == CAROM_OK && !arena)
        status = carom_fail_memory(error);
    for (int i = 0; status == CAROM_OK && i < experiment->plot_count; i++) {
        if (experiment->plot[i].panel_count == 0)
            continue;
        status = draw(experiment, i, directory, arena, error);
        drawn += status == CAROM_OK;
    }
    carom_arena_free(arena);
    if (pictures)
        *pictures = drawn;
    return status;
}
