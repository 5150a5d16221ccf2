/* Controllers of drill strings in text files:
 *
 *   nc ne                   states, inputs: 1 (speed error) or 2 (and error of the pipe's torque)
 *   Ac Bc Cc Dc             row by row: nc x nc, nc x ne, nc, ne numbers
 *
 * Numbers stand between white space; # begins a comment that ends with the line. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "carom/io.h"
#include "carom/subject/drilling.h"

enum {
    FILE_LIMIT_MB = 16,
    TOKEN_MOST = 63
};

typedef struct number_reader {
    FILE *stream;
    const char *path;
    int line;
    long bytes;
    carom_error *error;
} number_reader;

static int next_byte(number_reader *r)
{
    const int byte = fgetc(r->stream);
    r->line += byte == '\n';
    r->bytes++;
    return byte;
}

/* The first byte of the next word; EOF: there is none. */
static int skip_space(number_reader *r)
{
    int byte = next_byte(r);
    while (byte == ' ' || (byte >= '\t' && byte <= '\r') || byte == '#') {
        while (byte == '#' && (byte = next_byte(r)) != '\n' && byte != EOF)
            byte = '#';
        if (byte != EOF)
            byte = next_byte(r);
    }
    return byte;
}

/* Length of the next word; 0 at the end of the file. */
static int next_word(number_reader *r, char word[TOKEN_MOST + 1])
{
    int length = 0, byte = skip_space(r);
    while (byte != EOF && byte != '#' && byte != ' ' && !(byte >= '\t' && byte <= '\r') &&
           length < TOKEN_MOST) {
        const bool plain = byte > ' ' && byte < 127;
        word[length++] = (char)(plain ? byte : '?');
        byte = next_byte(r);
    }
    if (length == TOKEN_MOST)
        word[length - 1] = '?'; /* no number is as long */
    word[length] = '\0';
    if (byte != EOF) { /* what ends a word belongs to what follows */
        ungetc(byte, r->stream);
        r->line -= byte == '\n';
        r->bytes--;
    }
    return length;
}

static carom_status read_number(number_reader *r, const char *what, int row, int column, double *value)
{
    char word[TOKEN_MOST + 1];
    const int length = next_word(r, word);
    if (r->bytes > (long)FILE_LIMIT_MB << 20)
        return carom_fail(r->error, CAROM_BAD_INPUT, "%s is larger than %d MiB", r->path, FILE_LIMIT_MB);
    if (length == 0)
        return carom_fail(
            r->error, CAROM_BAD_INPUT,
            "%s:%d: the file ends where %s[%d][%d] should be; it holds nc, ne, then A (nc x nc), "
            "B (nc x ne), C (nc) and D (ne), row by row",
            r->path, r->line, what, row + 1, column + 1);
    if (!carom_parse_number(word, value) || !isfinite(*value))
        return carom_fail(r->error, CAROM_BAD_INPUT, "%s:%d: %s[%d][%d] is '%s'; wanted: a finite number",
                          r->path, r->line, what, row + 1, column + 1, word);
    return CAROM_OK;
}

static carom_status read_size(number_reader *r, const char *what, int least, int most, int *size)
{
    char word[TOKEN_MOST + 1];
    double value = NAN;
    if (next_word(r, word) == 0)
        return carom_fail(r->error, CAROM_BAD_INPUT,
                          "%s:%d: the file ends before %s; it begins with nc, the number of states, and ne, "
                          "that of inputs (1 or 2)",
                          r->path, r->line, what);
    if (!carom_parse_number(word, &value) || !(value >= least && value <= most) || value != floor(value))
        return carom_fail(r->error, CAROM_BAD_INPUT,
                          "%s:%d: %s is '%s'; wanted: a whole number from %d to %d", r->path, r->line, what,
                          word, least, most);
    *size = (int)value;
    return CAROM_OK;
}

/* `width` numbers for every row, into rows of `stride`. */
static carom_status read_rows(number_reader *r, const char *what, int rows, int width, int stride, double *to)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < width; j++) {
            const carom_status status = read_number(r, what, i, j, &to[i * stride + j]);
            if (status != CAROM_OK)
                return status;
        }
    return CAROM_OK;
}

static carom_status read_controller(number_reader *r, carom_drill_controller **controller)
{
    int states = 0, inputs = 0;
    carom_status status = read_size(r, "nc", 0, CAROM_DRILL_CONTROLLER_STATES, &states);
    if (status == CAROM_OK)
        status = read_size(r, "ne", 1, 2, &inputs);
    if (status == CAROM_OK)
        status = carom_drill_controller_create(states, controller, r->error);
    if (status != CAROM_OK)
        return status;
    carom_drill_controller *c = *controller;
    status = read_rows(r, "A", states, states, states, c->A);
    if (status == CAROM_OK)
        status = read_rows(r, "B", states, inputs, 2, c->B);
    if (status == CAROM_OK)
        status = read_rows(r, "C", 1, states, states, c->C);
    if (status == CAROM_OK)
        status = read_rows(r, "D", 1, inputs, 2, c->D);
    char word[TOKEN_MOST + 1];
    if (status == CAROM_OK && next_word(r, word) > 0)
        status = carom_fail(
            r->error, CAROM_BAD_INPUT,
            "%s:%d: '%s' follows the last number: nc = %d and ne = %d make %d numbers after them", r->path,
            r->line, word, states, inputs, states * states + states * inputs + states + inputs);
    return status;
}

carom_status carom_drill_controller_read(const char *path, carom_drill_controller **controller,
                                         carom_error *error)
{
    *controller = NULL;
    struct stat about;
    if (stat(path, &about) != 0)
        return carom_fail(error, CAROM_BAD_INPUT, "cannot read controller file '%s': %s", path,
                          strerror(errno));
    if (!S_ISREG(about.st_mode)) /* a pipe would be waited for */
        return carom_fail(error, CAROM_BAD_INPUT, "cannot read controller file '%s': it is not a plain file",
                          path);
    number_reader reader = {.stream = fopen(path, "rb"), .path = path, .line = 1, .error = error};
    if (!reader.stream)
        return carom_fail(error, CAROM_BAD_INPUT, "cannot read controller file '%s': %s", path,
                          strerror(errno));
    const carom_status status = read_controller(&reader, controller);
    fclose(reader.stream);
    if (status != CAROM_OK) {
        carom_drill_controller_free(*controller);
        *controller = NULL;
    }
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
    FILE *stream = fopen(path, overwrite ? "wb" : "wbx");
    if (!stream)
        return carom_fail(error, CAROM_BAD_INPUT, "cannot write '%s': %s", path, strerror(errno));
    fprintf(stream, "# x' = A x + B e, u = C x + D e, e = [speed error; error of the pipe's torque]\n%d 2\n",
            n);
    write_rows(stream, "A", n, n, controller->A);
    write_rows(stream, "B", n, 2, controller->B);
    write_rows(stream, "C", 1, n, controller->C);
    write_rows(stream, "D", 1, 2, controller->D);
    const bool written = !ferror(stream);
    if (fclose(stream) != 0 || !written)
        return carom_fail(error, CAROM_FAILED, "writing '%s' failed; is the disk full?", path);
    return CAROM_OK;
}
