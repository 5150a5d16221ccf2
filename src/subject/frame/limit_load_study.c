/* limit_load { matrix = { { ... }, ... }, load = { ... }, capacity = { ... },
 *              supports = { { tangent = 1, normal = 2, mu = 0.2 } } } */
#include "study_parts.h"

static const double *read_matrix(carom_study_call *call, int rows, int columns)
{
    const carom_data *given = carom_data_find(call->input, "matrix");
    double *matrix = carom_study_take(call, carom_product((size_t)rows, (size_t)columns), sizeof *matrix);
    for (int i = 0; matrix && call->status == CAROM_OK && i < rows; i++) {
        carom_data row;
        const carom_data *found = carom_data_row(given, i, &row);
        if (!found || found->kind != CAROM_DATA_LIST)
            carom_study_fail(call, CAROM_BAD_INPUT, "matrix[%d] must be a list of numbers", i + 1);
        else if (found->rows != columns)
            carom_study_fail(call, CAROM_BAD_INPUT, "row %d of matrix has %d numbers; capacity has %d", i + 1,
                             found->rows, columns);
        for (int j = 0; found && call->status == CAROM_OK && j < columns; j++)
            matrix[(ptrdiff_t)i * columns + j] = found->list[j];
    }
    return matrix;
}

static const carom_limit_contact *read_supports(carom_study_call *call, int *count)
{
    static const char *const known[] = {"tangent", "normal", "mu", NULL};
    const carom_data *given = carom_data_find(call->input, "supports");
    *count = given ? limit_length(call, "supports", "{ { tangent = 1, normal = 2, mu = 0.2 } }") : 0;
    carom_limit_contact *contact = carom_study_take(call, (size_t)*count, sizeof *contact);
    for (int c = 0; call->status == CAROM_OK && c < *count; c++) {
        const carom_data *entry = carom_data_at(given, c);
        if (!entry || entry->kind != CAROM_DATA_TABLE) {
            carom_study_fail(call, CAROM_BAD_INPUT,
                             "supports[%d] must be a table { tangent =, normal =, mu = }", c + 1);
            return NULL;
        }
        limit_check_names(call, entry, "a support", known);
        contact[c].tangent = limit_place(call, "tangent", limit_needed(call, entry, "support", c, "tangent"));
        contact[c].normal = limit_place(call, "normal", limit_needed(call, entry, "support", c, "normal"));
        contact[c].mu = limit_needed(call, entry, "support", c, "mu");
    }
    return contact;
}

static carom_status compute(carom_study_call *call)
{
    carom_limit_problem problem = {.equations = limit_length(call, "matrix", "{ { 1, 0 }, { 0, 1 } }"),
                                   .stresses = limit_length(call, "capacity", "{ 1, 1 }")};
    const int loads = limit_length(call, "load", "{ 1, 1 }, one number per row of matrix");
    if (call->status == CAROM_OK)
        problem.matrix = read_matrix(call, problem.equations, problem.stresses);
    if (loads != problem.equations)
        carom_study_fail(call, CAROM_BAD_INPUT, "load has %d numbers; matrix has %d rows", loads,
                         problem.equations);
    problem.load = carom_study_list(call, "load", problem.equations);
    problem.capacity = carom_study_list(call, "capacity", problem.stresses);
    problem.contact = read_supports(call, &problem.contacts);
    return call->status == CAROM_OK ? limit_analyse(call, &problem) : call->status;
}

static const carom_study_input inputs[] = {
    {"matrix", CAROM_STUDY_TABLE, NULL, "equilibrium: a row per equation, a number per stress", .value = NAN},
    {"load", CAROM_STUDY_LIST, NULL, "reference load, a number per equation", .value = NAN},
    {"capacity", CAROM_STUDY_LIST, NULL, "plastic bounds, a number per stress; not read of supports",
     .value = NAN},
    {"supports", CAROM_STUDY_TABLE, NULL,
     "with friction: { { tangent = 1, normal = 2, mu = 0.2 }, ... }, stresses from 1", .usual = "none"},
    LIMIT_INPUTS,
    {0}};

const carom_study_ops study_limit_load = {
    .name = "limit_load",
    .summary = "limit load of a structure with frictional supports, from matrices",
    .inputs = inputs,
    .outputs = limit_outputs,
    .compute = compute};
