/* Files of controllers of drill strings: see subject/drilling/controller_text.c for what stands in them. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "carom/io.h"
#include "carom/subject/drilling.h"
#include "io/parts/text_file.h"

carom_status carom_drill_controller_read(const char *path, carom_drill_controller **controller,
                                         carom_error *error)
{
    *controller = NULL;
    carom_arena *arena = carom_arena_create();
    if (!arena)
        return carom_fail_memory(error);
    const char *text = NULL;
    carom_status status = text_file_read(arena, "controller file", path, &text, error);
    if (status == CAROM_OK)
        status = carom_drill_controller_parse(path, text, controller, error);
    carom_arena_free(arena);
    return status;
}

/* ---- writing -------------------------------------------------------------------------------- */

static void write_rows(FILE *stream, const char *what, int rows, int width, const double *from)
{
    fprintf(stream, "# %s\n", what);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < width; j++)
            fprintf(stream, "%.17g%c", from[i * width + j], j + 1 < width ? ' ' : '\n');
}

carom_status carom_drill_controller_write(const char *path, const carom_drill_controller *controller,
                                          bool overwrite, carom_error *error)
{
    const int n = controller->states;
    carom_output *output = NULL;
    const carom_status status = carom_output_open(path, !overwrite, &output, error);
    if (status != CAROM_OK)
        return status;
    FILE *stream = carom_output_stream(output);
    fprintf(stream, "# x' = A x + B e, u = C x + D e, e = [speed error; error of the pipe's torque]\n%d 2\n",
            n);
    const carom_number_format numbers = carom_numbers_begin();
    write_rows(stream, "A", n, n, controller->A);
    write_rows(stream, "B", n, 2, controller->B);
    write_rows(stream, "C", 1, n, controller->C);
    write_rows(stream, "D", 1, 2, controller->D);
    carom_numbers_end(numbers);
    return carom_output_commit(output, error);
}
