/* Exact derivatives of a traced model against central finite differences of what the user wrote. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/model/scales.h"
#include "derive.h"
#include "lengths.h"
#include "sparse_tape.h"

/* A point of evaluation, laid out flat so that one loop can disturb any component: t, then q, then u. */
typedef struct point {
    int dof;
    double *x; /* 1 + 2 dof */
} point;

/* Tape outputs as a function of the point. */
typedef struct function {
    carom_tape *tape;
    double *work;
    int outputs;
} function;

typedef struct checker {
    const carom_traced_spec *spec;
    const double *parameters;
    carom_arena *arena;
    carom_scales scales; /* of the model at this point */
    double *unit;        /* the scale of every component of the point */
    point at;
    double *moved;          /* a point beside it */
    double *value, *coarse; /* 2 x and 1 x dof: as many as functions have outputs */
    bool no_memory;
} checker;

/* Of large models not every derivative is compared, but so many columns and contacts, evenly spread: each costs an
 * evaluation of the whole model. */
enum {
    LOOKS_MAX = 100
};

static bool looks_at(int index, int count)
{
    return index % (1 + (count - 1) / LOOKS_MAX) == 0;
}

static carom_inputs inputs_of(const point *at)
{
    return (carom_inputs){.t = at->x[0], .q = at->x + 1, .u = at->x + 1 + at->dof};
}

static void evaluate(const function *f, const point *at, double *outputs)
{
    const carom_inputs inputs = inputs_of(at);
    carom_tape_evaluate(f->tape, f->work, &inputs, outputs);
}

static function compile(checker *check, int outputs, const carom_node *nodes)
{
    function f = {.outputs = outputs, .tape = carom_tape_compile(check->spec->graph, outputs, nodes)};
    if (f.tape)
        f.work = carom_arena_take(check->arena, carom_tape_work_size(f.tape), sizeof(double));
    if (!f.work)
        check->no_memory = true;
    else
        carom_tape_bind(f.tape, check->parameters, f.work);
    return f;
}

/* 1e-3 of the component along a direction, or of its scale where the component is larger. */
static double step_along(const checker *check, const double *direction)
{
    double step = INFINITY;
    for (int i = 0; i < 1 + 2 * check->at.dof; i++) {
        const double unit = check->unit[i], own = fmax(1e-2 * unit, fmin(unit, fabs(check->at.x[i])));
        if (direction[i] != 0.0)
            step = fmin(step, 1e-3 * own / fabs(direction[i]));
    }
    return isfinite(step) ? step : 0.0;
}

/* Derivative of all outputs along `direction` by central differences at two steps and Richardson's
 * extrapolation: fourth order, so that a step of 1e-3 leaves an error near 1e-12. */
static void difference(checker *check, const function *f, const double *direction, double *slope)
{
    const int size = 1 + 2 * check->at.dof;
    const point moved = {.dof = check->at.dof, .x = check->moved};
    const double step = step_along(check, direction);
    double *value = check->value, *coarse = check->coarse;
    for (int level = 0; level < 2; level++) {
        const double h = level == 0 ? step : step / 2.0;
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < size; i++)
                moved.x[i] = check->at.x[i] + (side ? -h : h) * direction[i];
            evaluate(f, &moved, value + (size_t)side * (size_t)f->outputs);
        }
        for (int o = 0; o < f->outputs; o++) {
            const double central = h > 0.0 ? (value[o] - value[f->outputs + o]) / (2.0 * h) : 0.0;
            if (level == 0)
                coarse[o] = central;
            else
                slope[o] = central + (central - coarse[o]) / 3.0;
        }
    }
}

/* |a - b| relative to the size of what is compared; NaN counts as infinitely wrong. */
static void compare(double exact, double approximate, double scale, double *worst)
{
    const double difference_size = fabs(exact - approximate) / fmax(scale, 1e-300);
    if (!(difference_size <= *worst))
        *worst = isnan(difference_size) ? INFINITY : difference_size;
}

static double largest(int count, const double *value)
{
    double size = 0.0;
    for (int i = 0; i < count; i++)
        size = fmax(size, fabs(value[i]));
    return size;
}

/* Compares d f_row / d x_(first + column) with the rows of a Jacobian, entry by entry: those that it does not have are
 * zero. unit: the scale of the rows. */
static void check_rows(checker *check, int rows, const carom_node *nodes, double unit, int first, int columns,
                       const carom_node_row *jacobian, double *worst)
{
    carom_arena *arena = check->arena;
    sparse_tape exact = {0};
    function f = compile(check, rows, nodes);
    double *slope = carom_arena_take(arena, (size_t)rows, sizeof *slope);
    double *value = carom_arena_take(arena, (size_t)rows, sizeof *value);
    double *size = carom_arena_take(arena, (size_t)rows, sizeof *size);
    double *direction = carom_arena_take(arena, 1 + 2 * (size_t)check->at.dof, sizeof *direction);
    if (!slope || !value || !size || !direction ||
        !sparse_tape_compile(check->spec->graph, rows, columns, jacobian, arena, &exact))
        check->no_memory = true;
    double *work = NULL, *entry = NULL;
    if (!check->no_memory) {
        work = carom_arena_take(arena, carom_tape_work_size(exact.tape), sizeof *work);
        entry = carom_arena_take(arena, (size_t)carom_tape_outputs(exact.tape), sizeof *entry);
        check->no_memory = !work || !entry;
    }
    if (!check->no_memory) {
        const carom_inputs inputs = inputs_of(&check->at);
        const int *start = exact.pattern.column_start, *row = exact.pattern.row;
        carom_tape_bind(exact.tape, check->parameters, work);
        carom_tape_evaluate(exact.tape, work, &inputs, entry);
        evaluate(&f, &check->at, value);
        for (int k = 0; k < start[columns]; k++)
            size[row[k]] = fmax(size[row[k]], fabs(entry[k]));
        for (int c = 0; c < columns; c++) {
            /* one row with few derivatives is looked at where it has them */
            const bool few = rows == 1 && columns > LOOKS_MAX && start[columns] <= LOOKS_MAX;
            if (few ? start[c + 1] == start[c] : !looks_at(c, columns))
                continue;
            direction[first + c] = 1.0;
            difference(check, &f, direction, slope);
            direction[first + c] = 0.0;
            for (int r = 0, k = start[c]; r < rows; r++) {
                const double exact_entry = k < start[c + 1] && row[k] == r ? entry[k++] : 0.0;
                /* A zero derivative of a large function is compared with the function's own size. */
                const double own = fmax(fabs(value[r]), 1e-3 * unit) / check->unit[first + c];
                compare(exact_entry, slope[r], fmax(size[r], own), worst);
            }
        }
    }
    carom_tape_free(f.tape);
    carom_tape_free(exact.tape);
}

/* The same of one node, with all its derivatives. */
static void check_gradient(checker *check, carom_node node, double unit, int first, int columns,
                           const carom_node *gradient, double *worst)
{
    carom_node_row row = {columns, carom_arena_take(check->arena, (size_t)columns, sizeof *row.entry)};
    if (!row.entry) {
        check->no_memory = true;
        return;
    }
    for (int i = 0; i < columns; i++)
        row.entry[i] = (carom_node_entry){i, gradient[i]};
    check_rows(check, 1, &node, unit, first, columns, &row, worst);
}

/* Inertia terms: dT/dq - (dp/dq) u - dp/dt, the latter two as the derivative of p along (1, u, 0). */
static void check_inertia(checker *check, const derived_model *derived, double *worst)
{
    const int n = check->at.dof;
    function kinetic = compile(check, 1, &derived->kinetic), momentum = compile(check, n, derived->momentum);
    function exact = compile(check, n, derived->inertia);
    double *along = carom_arena_take(check->arena, (size_t)n, sizeof *along);
    double *entry = carom_arena_take(check->arena, (size_t)n, sizeof *entry);
    double *direction = carom_arena_take(check->arena, 1 + 2 * (size_t)n, sizeof *direction);
    if (!along || !entry || !direction)
        check->no_memory = true;
    if (!check->no_memory) {
        direction[0] = 1.0;
        memcpy(direction + 1, check->at.x + 1 + n, (size_t)n * sizeof *direction);
        difference(check, &momentum, direction, along);
        evaluate(&exact, &check->at, entry);
        double energy;
        evaluate(&kinetic, &check->at, &energy);
        memset(direction, 0, (1 + 2 * (size_t)n) * sizeof *direction);
        for (int i = 0; i < n; i++) {
            double slope = 0.0;
            if (!looks_at(i, n))
                continue;
            direction[1 + i] = 1.0;
            difference(check, &kinetic, direction, &slope);
            direction[1 + i] = 0.0;
            const double own =
                fmax(fabs(energy), 1e-3 * carom_scales_energy(&check->scales)) / check->unit[1 + i];
            compare(entry[i], slope - along[i], fmax(fmax(largest(n, entry), fabs(slope)), own), worst);
        }
    }
    carom_tape_free(kinetic.tape);
    carom_tape_free(momentum.tape);
    carom_tape_free(exact.tape);
}

/* dV/dq, recovered from the force: force - applied - inertia = -dV/dq. */
static void check_potential(checker *check, const derived_model *derived, double *worst)
{
    const int n = check->at.dof;
    carom_graph *graph = check->spec->graph;
    carom_node *slope = carom_arena_take(check->arena, (size_t)n, sizeof *slope);
    if (!slope) {
        check->no_memory = true;
        return;
    }
    for (int i = 0; i < n; i++) {
        const carom_node applied = check->spec->force ? check->spec->force[i] : carom_constant(graph, 0.0);
        const carom_node other = carom_binary(graph, CAROM_OP_ADD, applied, derived->inertia[i]);
        slope[i] = carom_binary(graph, CAROM_OP_SUB, other, derived->force[i]);
    }
    check_gradient(check, derived->potential, carom_scales_energy(&check->scales), 1, n, slope, worst);
}

static void check_contact(checker *check, int k, const derived_contact *derived,
                          carom_derivative_report *report)
{
    const int n = check->at.dof;
    const carom_traced_contact *contact = &check->spec->contact[k];
    const double length = check->scales.length, speed = carom_scales_speed(&check->scales);
    check_rows(check, 1, &derived->gap, length, 1, n, &derived->row[0], &report->gap);
    check_gradient(check, derived->gap, length, 0, 1, &derived->rate[0], &report->gap);
    for (int c = 0; c < contact->tangents; c++)
        check_rows(check, 1, &contact->slip[c], speed, 1 + n, n, &derived->row[1 + c], &report->slip);
}

/* A coordinate of inertia m_i has the length sqrt(m / m_i) l: an angle in a motion of the length l then has a scale without unit. */
static void find_units(checker *check, const derived_model *derived)
{
    const int n = check->at.dof;
    carom_node *node = carom_arena_take(check->arena, (size_t)n, sizeof *node);
    double *inertia = carom_arena_take(check->arena, (size_t)n, sizeof *inertia);
    if (!node || !inertia) {
        check->no_memory = true;
        return;
    }
    for (int i = 0; i < n; i++) {
        node[i] = carom_constant(check->spec->graph, 0.0);
        for (int k = 0; k < derived->mass[i].count; k++)
            if (derived->mass[i].entry[k].index == i)
                node[i] = derived->mass[i].entry[k].node;
    }
    function f = compile(check, n, node);
    if (!check->no_memory)
        evaluate(&f, &check->at, inertia);
    carom_tape_free(f.tape);
    check->unit[0] = check->scales.time;
    for (int i = 0; i < n; i++) {
        const double share = check->scales.mass / inertia[i],
                     length = check->scales.length * (share > 0.0 && isfinite(share) ? sqrt(share) : 1.0);
        check->unit[1 + i] = length;
        check->unit[1 + n + i] = length / check->scales.time;
    }
}

static carom_status find_scales(const carom_traced_spec *given, const double *parameters, double t,
                                const double *q, const double *u, carom_scales *scales, carom_error *error)
{
    carom_model *model = NULL;
    carom_model_work *work = NULL;
    carom_status status = carom_traced_model_create(given, &model, error);
    if (status == CAROM_OK)
        status = carom_model_work_create(model, parameters, &work, error);
    if (status == CAROM_OK)
        status = carom_model_scales(work, t, q, u, 1.0, scales, error);
    carom_model_work_free(work);
    carom_model_free(model);
    return status;
}

double carom_derivative_report_worst(const carom_derivative_report *report)
{
    const double all[] = {report->momentum, report->mass, report->inertia, report->potential,
                          report->gap,      report->slip, report->force};
    return largest((int)(sizeof all / sizeof *all), all);
}

carom_status carom_traced_check(const carom_traced_spec *given, const double *parameters, double t,
                                const double *q, const double *u, carom_derivative_report *report,
                                carom_error *error)
{
    spec_in_lengths lengths;
    const carom_traced_spec *spec = &lengths.spec;
    *report = (carom_derivative_report){0};
    checker check = {.spec = spec, .parameters = parameters, .arena = carom_arena_create()};
    if (!check.arena)
        return carom_fail_memory(error);
    derived_model derived;
    const int n = given->dof;
    carom_status status = spec_to_lengths(given, check.arena, &lengths, error);
    if (status == CAROM_OK)
        status = derive_model(spec, check.arena, &derived, error);
    if (status == CAROM_OK)
        status = find_scales(given, parameters, t, q, u, &check.scales, error);
    check.at = (point){.dof = n, .x = carom_arena_take(check.arena, 1 + 2 * (size_t)n, sizeof(double))};
    check.moved = carom_arena_take(check.arena, 1 + 2 * (size_t)n, sizeof(double));
    check.value = carom_arena_take(check.arena, 2 * (size_t)n + 2, sizeof(double));
    check.coarse = carom_arena_take(check.arena, (size_t)n + 1, sizeof(double));
    check.unit = carom_arena_take(check.arena, 1 + 2 * (size_t)n, sizeof(double));
    if (status == CAROM_OK && (!check.at.x || !check.unit || !check.moved || !check.value || !check.coarse))
        status = carom_fail_memory(error);
    else if (status == CAROM_OK) {
        check.at.x[0] = t;
        memcpy(check.at.x + 1, q, (size_t)n * sizeof(double));
        memcpy(check.at.x + 1 + n, u, (size_t)n * sizeof(double));
        find_units(&check, &derived);
        const double energy = carom_scales_energy(&check.scales), force = energy / check.scales.length,
                     momentum = force * check.scales.time;
        check_gradient(&check, derived.kinetic, energy, 1 + n, n, derived.momentum, &report->momentum);
        check_rows(&check, n, derived.momentum, momentum, 1 + n, n, derived.mass, &report->mass);
        check_inertia(&check, &derived, &report->inertia);
        check_potential(&check, &derived, &report->potential);
        check_rows(&check, n, derived.force, force, 1, n, derived.force_by_q, &report->force);
        check_rows(&check, n, derived.force, force, 1 + n, n, derived.force_by_u, &report->force);
        for (int k = 0; k < spec->contacts; k++)
            if (looks_at(k, spec->contacts))
                check_contact(&check, k, &derived.contact[k], report);
        if (check.no_memory)
            status = carom_fail_memory(error);
    }
    carom_arena_free(check.arena);
    return status;
}
