/* The data of a fit, from the command line and their files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/fit_output.h"

/* One file under way. */
typedef struct data_reader {
    carom_arena *arena;
    const fit_columns *columns;
    const char *path, *text;
    int name_count;
    char **name;
    int asked; /* columns of the file: the time, those measured, standard deviations, initial values */
    carom_csv_column column[CAROM_CSV_COLUMNS_MAX];
    int *sigma_place; /* per output: place among those asked; -1: none */
} data_reader;

/* ---- columns ---------------------------------------------------------------------------------------------- */

static bool has_name(const data_reader *self, const char *name)
{
    for (int i = 0; i < self->name_count; i++)
        if (strcmp(self->name[i], name) == 0)
            return true;
    return false;
}

/* By name, or where there are no names by number. */
static carom_status ask_column(data_reader *self, const char *name, int *place, carom_error *error)
{
    double number;
    if (self->asked == CAROM_CSV_COLUMNS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: at most %d columns can be used", self->path,
                          CAROM_CSV_COLUMNS_MAX);
    carom_csv_column *column = &self->column[self->asked];
    *column = (carom_csv_column){.name = name};
    if (!has_name(self, name) && carom_parse_number(name, &number) && number >= 1.0 && number <= 1e6 &&
        number == floor(number))
        *column = (carom_csv_column){.number = (int)number};
    *place = self->asked++;
    return CAROM_OK;
}

static const char *time_column(const data_reader *self)
{
    if (self->columns->time)
        return self->columns->time;
    return has_name(self, "t") ? "t" : has_name(self, "time") ? "time" : "1";
}

static carom_status ask_columns(data_reader *self, carom_error *error)
{
    int place = 0;
    carom_status status = ask_column(self, time_column(self), &place, error);
    self->sigma_place = carom_arena_take(self->arena, (size_t)self->columns->count + 1, sizeof(int));
    if (!self->sigma_place)
        return carom_fail_memory(error);
    for (int i = 0; status == CAROM_OK && !self->columns->events && i < self->columns->count; i++)
        status = ask_column(self, self->columns->map[i].name, &place, error);
    for (int i = 0; status == CAROM_OK && i < self->columns->count; i++) {
        const carom_override *sigma = &self->columns->sigma[i];
        double number;
        self->sigma_place[i] = -1;
        if (sigma->name && (!carom_parse_number(sigma->value, &number) || has_name(self, sigma->value)))
            status = ask_column(self, sigma->value, &self->sigma_place[i], error);
    }
    return status;
}

/* ---- what a motion began with ------------------------------------------------------------------------------ */

static double first_number(const carom_csv_numbers *numbers, int place)
{
    for (int i = 0; i < numbers->rows; i++)
        if (!isnan(numbers->column[place][i]))
            return numbers->column[place][i];
    return NAN;
}

/* "q:y=1.2,v:y=speed": numbers, or columns whose first number is meant. */
static carom_status list_settings(data_reader *self, const char *given, carom_fit_value **list, int **place,
                                  int *count, carom_error *error)
{
    char *text = carom_arena_copy_text(self->arena, given);
    const char **word = text ? split_list(self->arena, text, count) : NULL;
    *list = word ? carom_arena_take(self->arena, (size_t)*count + 1, sizeof **list) : NULL;
    *place = word ? carom_arena_take(self->arena, (size_t)*count + 1, sizeof **place) : NULL;
    if (!word || !*list || !*place)
        return carom_fail_memory(error);
    for (int i = 0; i < *count; i++) {
        char *name = carom_arena_copy_text(self->arena, word[i]);
        char *value = name ? strchr(name, '=') : NULL;
        if (!name)
            return carom_fail_memory(error);
        if (!value || value == name || !value[1])
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "--data %s:%s: behind the file stand values of this motion, such as q:y=1.2,v:y=0; got '%s'",
                self->path, given, word[i]);
        *value++ = '\0';
        for (int k = 0; k < i; k++)
            if (strcmp((*list)[k].name, name) == 0)
                return carom_fail(error, CAROM_BAD_INPUT, "--data %s:%s: '%s' is given twice", self->path,
                                  given, name);
        (*list)[i].name = name;
        (*place)[i] = -1;
        if (carom_parse_number(value, &(*list)[i].value) && !has_name(self, value))
            continue;
        const carom_status status = ask_column(self, value, &(*place)[i], error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

/* ---- numbers ---------------------------------------------------------------------------------------------- */

static carom_status put_cells(data_reader *self, const carom_csv_numbers *numbers, carom_fit_data *data,
                              carom_error *error)
{
    const fit_columns *columns = self->columns;
    const size_t outputs = (size_t)columns->count, rows = (size_t)numbers->rows;
    double *value = carom_arena_take(self->arena, carom_product(rows, outputs), sizeof *value);
    double *sigma = carom_arena_take(self->arena, carom_product(rows, outputs), sizeof *sigma);
    if (!value || !sigma)
        return carom_fail_memory(error);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < outputs; k++) {
            double deviation = NAN;
            if (columns->sigma[k].name && self->sigma_place[k] < 0)
                carom_parse_number(columns->sigma[k].value, &deviation);
            else if (columns->sigma[k].name)
                deviation = numbers->column[self->sigma_place[k]][i];
            value[i * outputs + k] = numbers->column[columns->events ? 0 : k + 1][i];
            sigma[i * outputs + k] = deviation;
        }
    data->count = numbers->rows;
    data->t = numbers->column[0];
    data->value = value;
    data->sigma = sigma;
    return CAROM_OK;
}

/* Where the file's name ends. */
static size_t path_length(const char *given)
{
    const size_t whole = strlen(given);
    if (access(given, F_OK) == 0)
        return whole;
    for (const char *colon = strchr(given, ':'); colon; colon = strchr(colon + 1, ':'))
        if (strchr(colon, '='))
            return (size_t)(colon - given);
    return whole;
}

carom_status read_fit_data(carom_arena *arena, const char *given, const fit_columns *columns,
                           carom_fit_data *data, carom_error *error)
{
    data_reader self = {.arena = arena, .columns = columns};
    char *path = carom_arena_copy_text(arena, given);
    if (!path)
        return carom_fail_memory(error);
    const size_t length = path_length(given);
    path[length] = '\0';
    self.path = path;
    carom_status status = carom_csv_file_read(path, arena, &self.text, error);
    if (status == CAROM_OK)
        status = carom_csv_names(path, self.text, arena, &self.name_count, &self.name, error);
    if (status == CAROM_OK)
        status = ask_columns(&self, error);
    carom_fit_value *set = NULL;
    int *place = NULL, count = 0;
    if (status == CAROM_OK && given[length] == ':')
        status = list_settings(&self, given + length + 1, &set, &place, &count, error);
    const carom_csv_request request = {.file = path,
                                       .column_count = self.asked,
                                       .column = self.column,
                                       .first_grows = !columns->events,
                                       .may_miss = true};
    carom_csv_numbers numbers = {0};
    if (status == CAROM_OK)
        status = carom_csv_numbers_parse(&request, self.text, arena, &numbers, error);
    if (status != CAROM_OK)
        return status;
    for (int i = 0; i < count; i++)
        if (place[i] >= 0)
            set[i].value = first_number(&numbers, place[i]);
    data->name = path;
    data->set = set;
    data->set_count = count;
    return put_cells(&self, &numbers, data, error);
}
