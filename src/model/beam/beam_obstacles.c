/* Obstacles and stops: rows that read the displacement of a node, and their bounds. */
#include <math.h>
#include <stdio.h>

#include "beam.h"

bool beam_obstacles_take(beam_work *work)
{
    const beam_model *model = beam_of(work);
    const size_t rows = (size_t)model->rows, obstacles = (size_t)model->obstacles;
    carom_arena *arena = work->arena;
    work->bounds_work =
        carom_arena_take(arena, carom_tape_work_size(model->bounds), sizeof *work->bounds_work);
    work->bound = carom_arena_take(arena, 2 * obstacles, sizeof *work->bound);
    work->row_start = carom_arena_take(arena, rows + 1, sizeof *work->row_start);
    work->column = carom_arena_take(arena, rows * BEAM_ROW_MAX, sizeof *work->column);
    work->entry = carom_arena_take(arena, rows * BEAM_ROW_MAX, sizeof *work->entry);
    work->lower = carom_arena_take(arena, rows, sizeof *work->lower);
    work->upper = carom_arena_take(arena, rows, sizeof *work->upper);
    work->place = carom_arena_take(arena, rows, sizeof *work->place);
    carom_structure *structure = &work->structure;
    structure->rows = model->rows;
    structure->row_start = work->row_start;
    structure->column = work->column;
    structure->entry = work->entry;
    structure->lower = work->lower;
    structure->upper = work->upper;
    structure->lower_contact = model->lower_contact;
    structure->upper_contact = model->upper_contact;
    structure->place = work->place;
    return work->bounds_work && work->bound && work->row_start && work->column && work->entry &&
           work->lower && work->upper && work->place;
}

/* Rows are written in order, one after the other. */
static void write_row(beam_work *work, int index, int node, double lower, double upper)
{
    const beam_space *space = &beam_of(work)->space;
    const beam_row row = beam_node_row(space, node);
    const int start = work->row_start[index];
    for (int k = 0; k < row.count; k++) {
        work->column[start + k] = row.column[k];
        work->entry[start + k] = row.entry[k];
    }
    work->row_start[index + 1] = start + row.count;
    work->lower[index] = lower;
    work->upper[index] = upper;
    work->place[index] = beam_node_place(space, work->length, node);
}

/* ---- obstacles ---------------------------------------------------------------------------------- */

static bool covers(const beam_work *work, const beam_obstacle *obstacle, double x)
{
    const double tolerance = 1e-9 * work->length;
    return !(obstacle->from >= 0 && x < work->number[obstacle->from] - tolerance) &&
           !(obstacle->to >= 0 && x > work->number[obstacle->to] + tolerance);
}

/* A NaN stays: it must be found. */
void beam_obstacle_bounds(beam_work *work, double x, double *lower, double *upper)
{
    const beam_model *model = beam_of(work);
    *lower = -INFINITY;
    *upper = INFINITY;
    carom_tape_evaluate(model->bounds, work->bounds_work, &(carom_inputs){.place = x}, work->bound);
    for (int k = 0; k < model->obstacles; k++) {
        if (!covers(work, &model->obstacle[k], x))
            continue;
        const double below = work->bound[2 * (size_t)k], above = work->bound[2 * (size_t)k + 1];
        if (isnan(below) || below > *lower)
            *lower = below;
        if (isnan(above) || above < *upper)
            *upper = above;
    }
}

/* As above; the tightest is the one that bind has found. */
void beam_obstacle_bounds_along(beam_work *work, const beam_along *along, double x, double *lower,
                                double *upper)
{
    const beam_model *model = beam_of(work);
    double tightest[2] = {-INFINITY, INFINITY};
    int index[2] = {0, 1};
    carom_tape_evaluate(model->bounds, work->bounds_work, &(carom_inputs){.place = x}, work->bound);
    for (int k = 0; k < 2 * model->obstacles; k++) {
        const double bound = work->bound[k];
        const int side = k % 2;
        if (!covers(work, &model->obstacle[k / 2], x) ||
            (side == 0 ? bound <= tightest[0] : bound >= tightest[1]))
            continue;
        tightest[side] = bound;
        index[side] = k;
    }
    if (model->obstacles > 0)
        carom_tape_along(model->bounds, work->bounds_work, along->bounds_tangent,
                         &(carom_inputs){.place = x * along->length / work->length}, work->bound);
    *lower = isfinite(tightest[0]) ? work->bound[index[0]] : 0.0;
    *upper = isfinite(tightest[1]) ? work->bound[index[1]] : 0.0;
}

static void check_ranges(beam_work *work)
{
    const beam_model *model = beam_of(work);
    for (int k = 0; k < model->obstacles; k++) {
        const beam_obstacle *obstacle = &model->obstacle[k];
        const double from = obstacle->from < 0 ? 0.0 : work->number[obstacle->from];
        const double to = obstacle->to < 0 ? work->length : work->number[obstacle->to];
        if (isnan(from) || isnan(to) || from > to)
            beam_problem(work, obstacle->line,
                         "obstacle: from = %g and to = %g; from must not be greater than to", from, to);
    }
}

/* The line of the only obstacle; with several the text says where the trouble is. */
static int obstacle_line(const beam_model *model)
{
    return model->obstacles == 1 ? model->obstacle[0].line : model->line;
}

static void check_node_bounds(beam_work *work, int node, double lower, double upper)
{
    const beam_model *model = beam_of(work);
    const double x = beam_node_place(&model->space, work->length, node);
    const int line = obstacle_line(model);
    if (isnan(lower) || lower == INFINITY)
        beam_problem(work, line, "obstacle at node %d, x = %g: lower is %g; give a number, or -inf for none",
                     node, x, lower);
    if (isnan(upper) || upper == -INFINITY)
        beam_problem(work, line, "obstacle at node %d, x = %g: upper is %g; give a number, or inf for none",
                     node, x, upper);
    if (lower > upper)
        beam_problem(work, line,
                     "obstacle at node %d, x = %g: lower = %g > upper = %g; lower must not exceed upper",
                     node, x, lower, upper);
}

/* ---- stops -------------------------------------------------------------------------------------- */

/* Finite elements need a node at a stop; finite differences take the nearest one. */
static void check_stop_node(beam_work *work, const beam_stop *stop, const char *what)
{
    const beam_space *space = &beam_of(work)->space;
    const double x = work->number[stop->x];
    if (beam_is_node(space, work->length, x))
        return;
    const int before = (int)floor(beam_position(space, work->length, x));
    beam_problem(
        work, stop->line,
        "%s: x = %g is not a node; the nearest nodes are at x = %.10g and x = %.10g; choose J so that "
        "the element length L/J (now %g) divides x, or move the stop",
        what, x, beam_node_place(space, work->length, before),
        beam_node_place(space, work->length, before + 1), work->element_length);
}

static void check_stop_bounds(beam_work *work, const beam_stop *stop, const char *what, double lower,
                              double upper)
{
    if (isnan(lower) || lower == INFINITY)
        beam_problem(work, stop->line, "%s: lower is %g; give a number, or -inf for none", what, lower);
    if (isnan(upper) || upper == -INFINITY)
        beam_problem(work, stop->line, "%s: upper is %g; give a number, or inf for none", what, upper);
    if (lower > upper)
        beam_problem(work, stop->line,
                     "%s: empty guide gap: lower = %g > upper = %g; lower must not exceed upper", what, lower,
                     upper);
}

/* One node has one pair of bounds. */
static void check_stop_alone(beam_work *work, int index, const char *what, int node)
{
    const beam_model *model = beam_of(work);
    const beam_stop *stop = &model->stop[index];
    const double x = beam_node_place(&model->space, work->length, node);
    const int obstacle_row = node - model->first_node;
    if (model->obstacle_nodes > 0 &&
        (isfinite(work->lower[obstacle_row]) || isfinite(work->upper[obstacle_row])))
        beam_problem(work, stop->line,
                     "%s: node %d at x = %g has an obstacle already (lower = %g, upper = %g); put the stop's "
                     "bounds into the obstacle, or end the obstacle before it with from and to",
                     what, node, x, work->lower[obstacle_row], work->upper[obstacle_row]);
    for (int k = 0; k < index; k++)
        if (work->place[model->obstacle_nodes + k] == x)
            beam_problem(work, stop->line,
                         "stops '%s' and '%s' are both at node %d, x = %g; keep one, with both bounds",
                         model->stop[k].name, stop->name, node, x);
}

static void bind_stop(beam_work *work, int index)
{
    const beam_model *model = beam_of(work);
    const beam_space *space = &model->space;
    const beam_stop *stop = &model->stop[index];
    const double lower = stop->lower < 0 ? -INFINITY : work->number[stop->lower];
    const double upper = stop->upper < 0 ? INFINITY : work->number[stop->upper];
    char what[128];
    snprintf(what, sizeof what, "stop '%s'", stop->name);
    int node = beam_nearest_node(space, work->length, work->number[stop->x]);
    if (beam_place_is_free(work, stop->line, what, work->number[stop->x]))
        check_stop_node(work, stop, what);
    else
        node = 1; /* any node that moves */
    check_stop_alone(work, index, what, node);
    check_stop_bounds(work, stop, what, lower, upper);
    write_row(work, model->obstacle_nodes + index, node, lower, upper);
}

void beam_obstacles_bind(beam_work *work)
{
    const beam_model *model = beam_of(work);
    work->row_start[0] = 0;
    check_ranges(work);
    for (int row = 0; row < model->obstacle_nodes; row++) {
        const int node = model->first_node + row;
        double lower, upper;
        beam_obstacle_bounds(work, beam_node_place(&model->space, work->length, node), &lower, &upper);
        check_node_bounds(work, node, lower, upper);
        write_row(work, row, node, lower, upper);
    }
    for (int k = 0; k < model->stops; k++)
        bind_stop(work, k);
}

/* ---- along a direction -------------------------------------------------------------------------- */

/* A stop of finite elements stands at a node: one that leaves it is none. */
static bool leaves_node(const beam_work *work, const beam_along *along, const beam_stop *stop)
{
    const double moves = along->number[stop->x],
                 carried = work->number[stop->x] * along->length / work->length;
    return beam_of(work)->space.basis != CAROM_BEAM_DIFFERENCE &&
           !(fabs(moves - carried) <= 1e-12 * (fabs(moves) + fabs(carried)));
}

void beam_obstacles_bind_along(beam_work *work, beam_along *along)
{
    const beam_model *model = beam_of(work);
    for (int row = 0; row < model->obstacle_nodes; row++)
        beam_obstacle_bounds_along(work, along, work->place[row], &along->lower[row], &along->upper[row]);
    for (int k = 0; k < model->stops; k++) {
        const beam_stop *stop = &model->stop[k];
        const double off = leaves_node(work, along, stop) ? NAN : 0.0;
        along->lower[model->obstacle_nodes + k] = off + beam_number_along(along, stop->lower);
        along->upper[model->obstacle_nodes + k] = off + beam_number_along(along, stop->upper);
    }
}
