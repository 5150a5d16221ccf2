/* Controllers of the user's own: matrices { A =, B =, C =, D = }, or a file of numbers. */
#include <string.h>

#include "study_inputs.h"

static const carom_study_input matrix_inputs[] = {
    {"A", CAROM_STUDY_MATRIX, NULL, "states x states", .usual = "none"},
    {"B", CAROM_STUDY_MATRIX, NULL, "states x 2", .usual = "none"},
    {"C", CAROM_STUDY_MATRIX, NULL, "1 x states", .usual = "none"},
    {"D", CAROM_STUDY_MATRIX, NULL, "1 x 2", .usual = "0"},
    {"states", CAROM_STUDY_NUMBER, NULL, "how many", .value = NAN, .usual = "numbers of C"},
    {0}};
static const carom_study_ops matrices_table = {.name = "controller", .inputs = matrix_inputs};

/* Of what is neither a list of numbers nor one of rows of the same length. */
static void tell_what_is_wrong(carom_study_call *call, const char *key, const carom_data *given, int columns)
{
    int place = 0;
    for (const carom_data *entry = given->first; entry; entry = entry->next, place++) {
        const bool row = entry->kind == CAROM_DATA_LIST;
        if (row && entry->rows != columns)
            carom_study_fail(call, CAROM_BAD_INPUT, "controller: row %d of %s must be a list of %d numbers",
                             place + 1, key, columns);
        else if (!row && entry->kind != CAROM_DATA_NUMBER)
            carom_study_fail(call, CAROM_BAD_INPUT, "controller: %s[%d][%d] is %s; wanted: a finite number",
                             key, columns > 0 ? place / columns + 1 : 1,
                             columns > 0 ? place % columns + 1 : 1,
                             entry->kind == CAROM_DATA_TEXT ? "string" : "table");
    }
    carom_study_fail(call, CAROM_BAD_INPUT, "controller: %s mixes numbers and rows", key);
}

/* rows x columns numbers; zeros when they are not there and may be missing. */
static double *read_matrix(carom_study_call *call, const char *key, int rows, int columns, bool needed)
{
    const carom_data *given = carom_data_find(call->input, key);
    double *value = carom_study_take(call, carom_product((size_t)rows, (size_t)columns), sizeof *value);
    if (!given && needed)
        carom_study_fail(call, CAROM_BAD_INPUT,
                         "controller needs %s = a list of %d x %d numbers, row by row; got nothing", key,
                         rows, columns);
    if (!given || !value)
        return value;
    if (given->kind == CAROM_DATA_TABLE) {
        tell_what_is_wrong(call, key, given, columns);
        return value;
    }
    const bool nested = given->kind == CAROM_DATA_MATRIX;
    if (given->rows * given->columns != rows * columns || (nested && given->rows != rows)) {
        carom_study_fail(call, CAROM_BAD_INPUT,
                         "controller: %s has %d %s; wanted: %d x %d, for as many states as C has numbers",
                         key, given->rows, nested ? "rows" : "numbers", rows, columns);
        return value;
    }
    for (int i = 0; i < rows * columns; i++) {
        if (!isfinite(given->list[i]))
            carom_study_fail(call, CAROM_BAD_INPUT,
                             "controller: %s[%d][%d] is not finite; wanted: a finite number", key,
                             i / columns + 1, i % columns + 1);
        value[i] = given->list[i];
    }
    return value;
}

static void read_matrices(carom_study_call *call, const carom_data *table, drill_data *data)
{
    carom_study_call inner = *call;
    carom_error error = {0};
    inner.study = &matrices_table;
    inner.input = table;
    if (carom_study_check(inner.study, table, &error) != CAROM_OK) {
        carom_study_fail(call, CAROM_BAD_INPUT, "%s", error.text);
        return;
    }
    /* C is one row: as many numbers as there are states */
    const int n = data->states = carom_study_list_length(&inner, "C");
    if (n > CAROM_DRILL_CONTROLLER_STATES) {
        carom_study_fail(call, CAROM_BAD_INPUT, "controller has %d states; wanted: %d at most", n,
                         CAROM_DRILL_CONTROLLER_STATES);
        return;
    }
    data->A = read_matrix(&inner, "A", n, n, n > 0);
    data->B = read_matrix(&inner, "B", n, 2, n > 0);
    data->C = read_matrix(&inner, "C", 1, n, n > 0);
    data->D = read_matrix(&inner, "D", 1, 2, n == 0);
    call->status = inner.status;
}

void drill_read_controller(carom_study_call *call, drill_data *data)
{
    const carom_data *given = carom_data_find(call->input, "controller");
    const bool file = carom_study_given(call, "controller_file");
    if (given && given->kind != CAROM_DATA_TEXT) {
        data->controller = DRILL_MATRICES;
        read_matrices(call, given, data);
    } else if (!given && file) {
        data->controller = DRILL_FILE;
    } else {
        data->controller = (drill_controller_kind)carom_study_word(call, "controller");
    }
    if (data->controller == DRILL_FILE && !file)
        carom_study_fail(call, CAROM_BAD_INPUT, "controller = \"file\" needs controller_file = \"its name\"");
    if (data->controller == DRILL_FILE && file)
        carom_study_file(call, "controller_file", &data->path, &data->text);
    if (data->controller != DRILL_FILE && file)
        carom_study_fail(call, CAROM_BAD_INPUT, "controller_file is read with controller = \"file\" only");
}

carom_status drill_make_given(const drill_data *data, carom_drill_controller **controller, carom_error *error)
{
    if (data->controller == DRILL_FILE)
        return carom_drill_controller_parse(data->path, data->text, controller, error);
    const carom_status status = carom_drill_controller_create(data->states, controller, error);
    if (status == CAROM_OK) {
        const size_t n = (size_t)data->states;
        memcpy((*controller)->A, data->A, n * n * sizeof(double));
        memcpy((*controller)->B, data->B, 2 * n * sizeof(double));
        memcpy((*controller)->C, data->C, n * sizeof(double));
        memcpy((*controller)->D, data->D, 2 * sizeof(double));
    }
    return status;
}

static bool put(carom_study_call *call, carom_data *table, const char *name, int rows, int columns,
                const double *value)
{
    const bool matrix = rows != 1;
    carom_data *entry =
        carom_data_add(call->arena, table, name, matrix ? CAROM_DATA_MATRIX : CAROM_DATA_LIST);
    const size_t count = (size_t)rows * (size_t)columns;
    if (!entry || !(entry->list = carom_study_take(call, count, sizeof *value)))
        return false;
    entry->rows = matrix ? rows : columns;
    entry->columns = matrix ? columns : 1;
    if (count)
        memcpy(entry->list, value, count * sizeof *value);
    return true;
}

void drill_give_controller(carom_study_call *call, const carom_drill_controller *controller)
{
    carom_data *table = carom_data_add(call->arena, call->output, "controller",
                                       controller ? CAROM_DATA_TABLE : CAROM_DATA_NONE);
    if (!table || !controller)
        return;
    const int n = controller->states;
    carom_data *states = NULL;
    if (put(call, table, "A", n, n, controller->A) && put(call, table, "B", n, 2, controller->B) &&
        put(call, table, "C", 1, n, controller->C) && put(call, table, "D", 1, 2, controller->D))
        states = carom_data_add(call->arena, table, "states", CAROM_DATA_NUMBER);
    if (states)
        states->number = n;
    else
        carom_study_fail(call, CAROM_NO_MEMORY, "out of memory");
}
