/* Controllers of drill strings as text:
 *
 *   nc ne                   states, inputs: 1 (speed error) or 2 (and error of the pipe's torque)
 *   Ac Bc Cc Dc             row by row: nc x nc, nc x ne, nc, ne numbers
 *
 * Numbers stand between white space; # begins a comment that ends with the line. */
#include <math.h>
#include <string.h>

#include "carom/subject/drilling.h"

enum {
    TOKEN_MOST = 63
};

typedef struct number_reader {
    const char *at;
    const char *path;
    int line;
    carom_error *error;
} number_reader;

enum {
    END = -1 /* of the text */
};

static int next_byte(number_reader *r)
{
    if (!*r->at)
        return END;
    const int byte = (unsigned char)*r->at++;
    r->line += byte == '\n';
    return byte;
}

/* The first byte of the next word; END: there is none. */
static int skip_space(number_reader *r)
{
    int byte = next_byte(r);
    while (byte == ' ' || (byte >= '\t' && byte <= '\r') || byte == '#') {
        while (byte == '#' && (byte = next_byte(r)) != '\n' && byte != END)
            byte = '#';
        if (byte != END)
            byte = next_byte(r);
    }
    return byte;
}

/* Length of the next word; 0 at the end of the file. */
static int next_word(number_reader *r, char word[TOKEN_MOST + 1])
{
    int length = 0, byte = skip_space(r);
    while (byte != END && byte != '#' && byte != ' ' && !(byte >= '\t' && byte <= '\r') &&
           length < TOKEN_MOST) {
        const bool plain = byte > ' ' && byte < 127;
        word[length++] = (char)(plain ? byte : '?');
        byte = next_byte(r);
    }
    if (length == TOKEN_MOST)
        word[length - 1] = '?'; /* no number is as long */
    word[length] = '\0';
    if (byte != END) { /* what ends a word belongs to what follows */
        r->at--;
        r->line -= byte == '\n';
    }
    return length;
}

static carom_status read_number(number_reader *r, const char *what, int row, int column, double *value)
{
    char word[TOKEN_MOST + 1];
    const int length = next_word(r, word);
    if (length == 0)
        return carom_fail(
            r->error, CAROM_BAD_INPUT,
            "%s:%d: the file ends where %s[%d][%d] should be; it holds nc, ne, then A (nc x nc), "
            "B (nc x ne), C (nc) and D (ne), row by row",
            r->path, r->line, what, row + 1, column + 1);
    if (!carom_parse_number(word, value) || !isfinite(*value))
        return carom_fail(r->error, CAROM_BAD_INPUT, "%s:%d: %s[%d][%d] is not a finite number", r->path,
                          r->line, what, row + 1, column + 1);
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
        return carom_fail(r->error, CAROM_BAD_INPUT, "%s:%d: %s is not a whole number from %d to %d", r->path,
                          r->line, what, least, most);
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
            "%s:%d: something follows the last number: nc = %d and ne = %d make %d numbers after them",
            r->path, r->line, states, inputs, states * states + states * inputs + states + inputs);
    return status;
}

carom_status carom_drill_controller_parse(const char *path, const char *text,
                                          carom_drill_controller **controller, carom_error *error)
{
    number_reader reader = {.at = text, .path = path, .line = 1, .error = error};
    *controller = NULL;
    const carom_status status = read_controller(&reader, controller);
    if (status != CAROM_OK) {
        carom_drill_controller_free(*controller);
        *controller = NULL;
    }
    return status;
}
