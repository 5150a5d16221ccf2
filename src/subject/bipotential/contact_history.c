/* contact_history { W = { ... }, path = { { n, x, y }, ... }, mu = ... }: quasi-static loading. The bodies move
 * together by `path` (totals, one row per step) while the contacts hold them back; every step is one problem for the
 * increments of slip,
 *
 *   u = q + W r,   q = (path_N, path_T - slip so far),
 *
 * from the reactions of the step before. Friction and options are those of contact_solve. */
#include <string.h>

#include "carom/linalg.h"
#include "study_inputs.h"

enum {
    MOST_STEPS = 10000
};

/* As many contacts as W has rows of three. */
static int contacts_of_matrix(carom_study_call *call)
{
    const double entries = carom_study_list_length(call, "W");
    const int contacts = (int)lround(sqrt(entries) / 3.0);
    if (contacts < 1 || contacts > BIPOTENTIAL_CONTACTS_MAX || 9.0 * contacts * contacts != entries)
        carom_study_fail(
            call, CAROM_BAD_INPUT,
            "W has 3 rows and 3 columns per contact, row by row in one list, for 1 to %d contacts",
            BIPOTENTIAL_CONTACTS_MAX);
    return contacts;
}

/* 3 numbers per step. */
static const double *read_path(carom_study_call *call, int *steps)
{
    const carom_data *path = carom_data_find(call->input, "path");
    const int rows = path->kind == CAROM_DATA_TABLE ? carom_data_length(path) : path->rows;
    if (rows < 1 || rows > MOST_STEPS)
        carom_study_fail(call, CAROM_BAD_INPUT, "path = { { n, x, y }, ... } has 1 to %d rows", MOST_STEPS);
    for (int i = 0; call->status == CAROM_OK && i < rows; i++) {
        carom_data row;
        const carom_data *found = carom_data_row(path, i, &row);
        if (!found || found->kind != CAROM_DATA_LIST || found->rows != 3)
            carom_study_fail(call, CAROM_BAD_INPUT, "path[%d] must be three numbers { n, x, y }", i + 1);
    }
    for (int i = 0; call->status == CAROM_OK && i < 3 * rows; i++)
        if (!isfinite(path->list[i]))
            carom_study_fail(call, CAROM_BAD_INPUT, "number %d of path[%d] must be a finite number",
                             i % 3 + 1, i / 3 + 1);
    *steps = rows;
    return path->list;
}

/* Everything of the loading so far, and what is kept of every step. */
typedef struct history {
    carom_elliptic_problem problem;
    carom_uzawa_options options;
    double *q, *r, *slip; /* 3, 3 and 2 per contact */
    double dissipation;
    double *forces, *reactions, *slips; /* a row per step */
    double *dissipations, *iterations, *errors, *powers, *penetrations;
} history;

static carom_status read_history(carom_study_call *call, int contacts, int steps, history *at)
{
    const size_t size = 3 * (size_t)contacts, count = (size_t)steps;
    *at = (history){.problem = bipotential_read_problem(call, contacts),
                    .options = bipotential_read_options(call),
                    .q = carom_study_take(call, size, sizeof(double)),
                    .r = carom_study_take(call, size, sizeof(double)),
                    .slip = carom_study_take(call, size, sizeof(double)),
                    .forces = carom_study_take(call, 3 * count, sizeof(double)),
                    .reactions = carom_study_take(call, carom_product(size, count), sizeof(double)),
                    .slips = carom_study_take(call, carom_product(size, count), sizeof(double)),
                    .dissipations = carom_study_take(call, count, sizeof(double)),
                    .iterations = carom_study_take(call, count, sizeof(double)),
                    .errors = carom_study_take(call, count, sizeof(double)),
                    .powers = carom_study_take(call, count, sizeof(double)),
                    .penetrations = carom_study_take(call, count, sizeof(double))};
    at->problem.q = at->q;
    if (call->status != CAROM_OK)
        return call->status;
    return carom_elliptic_problem_check(&at->problem, carom_study_flag(call, "allow_penetration"),
                                        call->error);
}

static void keep_step(history *at, int step, const carom_uzawa_report *report)
{
    const int contacts = at->problem.contacts;
    const size_t row = (size_t)step, three = 3 * (size_t)contacts, two = 2 * (size_t)contacts;
    for (int i = 0; i < 3 * contacts; i++)
        at->forces[3 * step + i % 3] += at->r[i];
    memcpy(at->reactions + row * three, at->r, three * sizeof(double));
    memcpy(at->slips + row * two, at->slip, two * sizeof(double));
    at->dissipations[step] = at->dissipation;
    at->iterations[step] = report->iterations;
    at->errors[step] = report->error;
    at->powers[step] = report->certificate.power;
    at->penetrations[step] = report->certificate.penetration;
}

static carom_status take_step(carom_study_call *call, history *at, int step, const double path[3])
{
    carom_error error;
    const int contacts = at->problem.contacts;
    for (int a = 0; a < contacts; a++) {
        at->q[3 * a] = path[0];
        for (int k = 0; k < 2; k++)
            at->q[3 * a + 1 + k] = path[1 + k] - at->slip[2 * a + k];
    }
    const carom_uzawa_report report =
        carom_uzawa_load_step(&at->problem, &at->options, at->r, at->slip, &at->dissipation, &error);
    if (report.status != CAROM_OK)
        return carom_study_fail(call, report.status, "step %d: %s", step + 1, error.text);
    /* where the load goes back to zero, reactions are resolved against the largest there were */
    at->options.scale = fmax(at->options.scale, carom_largest(3 * contacts, at->r));
    keep_step(at, step, &report);
    return CAROM_OK;
}

static void give(carom_study_call *call, const history *at, int steps)
{
    const int contacts = at->problem.contacts;
    carom_study_give_matrix(call, "force", steps, 3, at->forces);
    carom_study_give_matrix(call, "r", steps, 3 * contacts, at->reactions);
    carom_study_give_matrix(call, "slip", steps, 2 * contacts, at->slips);
    carom_study_give_list(call, "dissipation", steps, at->dissipations);
    carom_study_give_list(call, "iterations", steps, at->iterations);
    carom_study_give_list(call, "error", steps, at->errors);
    carom_study_give_list(call, "power", steps, at->powers);
    carom_study_give_list(call, "penetration", steps, at->penetrations);
}

static carom_status compute(carom_study_call *call)
{
    int steps = 0;
    const double *path = read_path(call, &steps);
    const int contacts = contacts_of_matrix(call);
    if (call->status != CAROM_OK)
        return call->status;
    history at;
    carom_status status = read_history(call, contacts, steps, &at);
    for (int step = 0; status == CAROM_OK && step < steps; step++) {
        status = take_step(call, &at, step, path + 3 * (ptrdiff_t)step);
        if (status == CAROM_OK && carom_study_stopped(call, step + 1, steps))
            status = call->status;
    }
    if (status == CAROM_OK)
        give(call, &at, steps);
    return status;
}

static const carom_study_input inputs[] = {{"path", CAROM_STUDY_TABLE, NULL,
                                            "where the bodies are at the steps: { { n, x, y }, ... }",
                                            .value = NAN},
                                           PROBLEM_INPUTS,
                                           {0}};

static const carom_study_output outputs[] = {
    {"force", CAROM_STUDY_MATRIX, NULL, "a row per step: sum of the reactions { n, x, y }"},
    {"r", CAROM_STUDY_MATRIX, NULL, "a row per step: reactions { n, x, y, ... }"},
    {"slip", CAROM_STUDY_MATRIX, NULL, "a row per step: slips so far { x, y, ... }"},
    {"dissipation", CAROM_STUDY_LIST, NULL, "energy lost so far"},
    {"iterations", CAROM_STUDY_LIST, NULL, "of the steps"},
    {"error", CAROM_STUDY_LIST, NULL, "of the problems"},
    {"power", CAROM_STUDY_LIST, NULL, "bipotential above the dissipated power"},
    {"penetration", CAROM_STUDY_LIST, NULL, "deepest penetrations"},
    {0}};

const carom_study_ops study_contact_history = {.name = "contact_history",
                                               .summary = "contacts under quasi-static loading, step by step",
                                               .inputs = inputs,
                                               .outputs = outputs,
                                               .compute = compute};
