/* Basins of attraction:
 *
 *   blocks of cells, each a piece of work: bytes -> [in the order of the cells] attractors, shares
 *
 * A cell is a motion of its own, so it is the same whichever thread or process computes it; attractors are told apart afterwards. */
#include "carom/survey/basin.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "basin_attractors.h"
#include "basin_motion.h"
#include "returns_room.h"
#include "values.h"

enum {
    DEFAULT_PERIODS = 200,
    DEFAULT_LONGEST = 32,
    LONGEST_MAX = 10000
};

typedef struct active_basin {
    const carom_basin_request *request;
    carom_basin *basin;
    bool varies;  /* a parameter does */
    int told;     /* cell whose message is kept */
    int finished; /* blocks */
} active_basin;

/* What a thread has: a block of cells, with why its first failed motion did so. */
typedef struct basin_room {
    returns_room base;
    carom_returns_beside beside;      /* lanes NULL: motions go one after the other */
    basin_motion motion[CAROM_LANES]; /* the first, or one in each lane */
    int cell_of[CAROM_LANES];
    double *scratch; /* of the motions */
    size_t scratch_each;
    carom_basin_cell *cell;
    double *last;
    int told; /* -1: none failed */
    char message[sizeof((carom_basin *)0)->message];
} basin_room;

double carom_basin_axis_value(const carom_basin_axis *axis, int place)
{
    return survey_value(axis->from, axis->to, axis->count, place);
}

/* ---- one cell ------------------------------------------------------------------------------------------- */

/* Where a cell stands on an axis. */
static int place_of(const carom_basin *basin, int axis, int cell)
{
    return axis == basin->axis_count - 1 ? cell % basin->axis[axis].count
                                         : cell / basin->axis[basin->axis_count - 1].count;
}

/* Parameters first: the start of the experiment may depend on them. BAD_INPUT: there is no motion with them. */
static carom_status begin_cell(const carom_basin *basin, bool varies, int cell, carom_returns *returns,
                               bool *inside, carom_error *error)
{
    bool changed = false;
    for (int i = 0; i < basin->axis_count; i++) {
        const carom_basin_axis *axis = &basin->axis[i];
        const double value = carom_basin_axis_value(axis, place_of(basin, i, cell));
        if (axis->kind != CAROM_BASIN_PARAMETER || returns->parameter[axis->index] == value)
            continue;
        returns->parameter[axis->index] = value;
        changed = true;
    }
    const carom_status status = varies && changed ? carom_returns_bind(returns, NULL, error) : CAROM_OK;
    if (status != CAROM_OK) {
        for (int i = 0; i < basin->axis_count; i++) /* to be bound again, whatever comes next */
            if (basin->axis[i].kind == CAROM_BASIN_PARAMETER)
                returns->parameter[basin->axis[i].index] = NAN;
        return status;
    }
    return basin_start_cell(basin, cell, returns, inside, error);
}

/* The first cell of the block whose motion failed is told. */
static void tell(basin_room *room, int cell, const carom_error *error)
{
    if (room->told >= 0 && room->told < cell)
        return;
    carom_plain_copy(error->text, room->message, sizeof room->message);
    room->told = cell;
}

/* A motion that has begun is in the lane; false: there is none, and the cell says why. */
static carom_status start_motion(const active_basin *active, int first, int cell, int lane, basin_room *room,
                                 bool *begun, carom_error *error)
{
    const carom_basin *basin = active->basin;
    carom_returns *returns = room->beside.lanes ? room->beside.returns[lane] : room->base.returns;
    carom_basin_cell *to = &room->cell[cell - first];
    double *last = room->last + (ptrdiff_t)(cell - first) * basin->state;
    bool inside = false;
    memset(last, 0, (size_t)basin->state * sizeof *last);
    room->cell_of[lane] = cell;
    const carom_status status = begin_cell(basin, active->varies, cell, returns, &inside, error);
    *begun = status == CAROM_OK && !inside;
    *to = (carom_basin_cell){.end = inside ? CAROM_BASIN_OUTSIDE : CAROM_BASIN_FAILED, .attractor = -1};
    if (*begun) {
        room->motion[lane] = (basin_motion){.positions = basin->positions,
                                            .dof = basin->dof,
                                            .periods = basin->periods,
                                            .longest = basin->longest,
                                            .tolerance = basin->tolerance};
        basin_motion_begin(&room->motion[lane], returns, room->scratch + (size_t)lane * room->scratch_each,
                           to);
    }
    if (status == CAROM_OK || status == CAROM_NO_MEMORY || status == CAROM_INTERRUPTED)
        return status;
    tell(room, cell, error);
    return CAROM_OK;
}

/* True when the motion of the lane has ended. */
static bool take_return(const active_basin *active, int first, int lane, carom_return end, basin_room *room,
                        const carom_error *error)
{
    const int cell = room->cell_of[lane];
    if (basin_motion_take(&room->motion[lane], end))
        return false;
    basin_motion_end(&room->motion[lane], room->last + (ptrdiff_t)(cell - first) * active->basin->state);
    if (room->cell[cell - first].end == CAROM_BASIN_FAILED)
        tell(room, cell, error);
    return true;
}

/* As many motions at a time as there are lanes; where one ends the next begins. */
static carom_status run_cells(const active_basin *active, int first, int count, basin_room *room,
                              carom_error *error)
{
    const int lanes = room->beside.lanes ? CAROM_LANES : 1;
    carom_error why[CAROM_LANES] = {0};
    carom_return end[CAROM_LANES];
    carom_status status = CAROM_OK;
    unsigned running = 0;
    int next = first;
    for (;;) {
        for (int lane = 0; lane < lanes; lane++)
            while (!(running >> lane & 1) && next < first + count) {
                bool begun;
                status = start_motion(active, first, next++, lane, room, &begun, error);
                if (status != CAROM_OK)
                    return status;
                running |= (unsigned)begun << lane;
            }
        if (!running)
            return CAROM_OK;
        if (room->beside.lanes)
            status = carom_returns_beside_next(&room->beside, running, end, why, error);
        else if ((status = carom_returns_next(room->base.returns, &end[0], &why[0])) != CAROM_OK)
            *error = why[0];
        if (status != CAROM_OK)
            return status;
        for (int lane = 0; lane < lanes; lane++)
            if (running >> lane & 1 && take_return(active, first, lane, end[lane], room, &why[lane]))
                running &= ~(1U << lane);
    }
}

/* ---- blocks ------------------------------------------------------------------------------------------------ */

static int block_count(const carom_basin *basin, int block)
{
    const int first = block * basin->block;
    return basin->block <= basin->cells - first ? basin->block : basin->cells - first;
}

static carom_status enter(void *context, void **room, carom_error *error)
{
    const active_basin *active = context;
    const carom_basin *basin = active->basin;
    basin_room *self = carom_new_array(1, sizeof *self);
    *room = self;
    if (!self)
        return carom_fail_memory(error);
    self->cell = carom_new_array((size_t)basin->block, sizeof *self->cell);
    self->last =
        carom_new_array(carom_product((size_t)basin->block, (size_t)basin->state), sizeof *self->last);
    self->scratch_each = carom_basin_room(basin->state, basin->longest);
    self->scratch = carom_new_array(carom_product(CAROM_LANES, self->scratch_each), sizeof *self->scratch);
    if (!self->scratch || !self->cell || !self->last)
        return carom_fail_memory(error);
    const carom_status status = returns_room_open(&self->base, &active->request->returns, error);
    if (status != CAROM_OK || active->request->alone)
        return status;
    return returns_room_widen(&self->base, &active->request->returns, &self->beside, error);
}

static void leave(void *context, void *room)
{
    (void)context;
    basin_room *self = room;
    if (!self)
        return;
    carom_returns_beside_free(&self->beside);
    returns_room_close(&self->base);
    free(self->scratch);
    free(self->cell);
    free(self->last);
    free(self);
}

void carom_basin_cells_pack(carom_snapshot *snapshot, int count, int state, carom_basin_cell *cell,
                            double *last)
{
    for (int i = 0; i < count && !snapshot->failed; i++) {
        carom_snapshot_block(snapshot, &cell[i].end, sizeof cell[i].end);
        carom_snapshot_block(snapshot, &cell[i].period, sizeof cell[i].period);
        carom_snapshot_block(snapshot, &cell[i].impacts, sizeof cell[i].impacts);
        const bool periodic = cell[i].end == CAROM_BASIN_PERIODIC;
        if (cell[i].end >= CAROM_BASIN_ENDS ||
            (periodic && (cell[i].period < 1 || cell[i].period > LONGEST_MAX)))
            snapshot->failed = true;
    }
    carom_snapshot_block(snapshot, last, (size_t)count * (size_t)state * sizeof *last);
}

/* Both ways. */
static void pack_block(carom_snapshot *snapshot, int count, int state, carom_basin_cell *cell, double *last,
                       int *told, char *message, size_t size)
{
    carom_basin_cells_pack(snapshot, count, state, cell, last);
    carom_snapshot_block(snapshot, told, sizeof *told);
    carom_snapshot_block(snapshot, message, size);
}

static carom_status compute_block(void *context, void *given, carom_snapshot *brief,
                                  const carom_worker *worker, carom_error *error)
{
    (void)brief;
    const active_basin *active = context;
    const carom_basin *basin = active->basin;
    basin_room *room = given;
    const int first = worker->piece * basin->block, count = block_count(basin, worker->piece);
    room->base.worker = worker;
    room->told = -1;
    const carom_status status = run_cells(active, first, count, room, error);
    if (status != CAROM_OK)
        return status;
    carom_snapshot answer = {0};
    pack_block(&answer, count, basin->state, room->cell, room->last, &room->told, room->message,
               sizeof room->message);
    return worker->answer(worker, &answer, error);
}

static carom_status take_block(void *context, int block, carom_snapshot *answer, carom_error *error)
{
    active_basin *active = context;
    carom_basin *basin = active->basin;
    const carom_basin_request *request = active->request;
    const int first = block * basin->block, count = block_count(basin, block);
    carom_basin_cell *cell = basin->cell + first;
    double *last = basin->last + (ptrdiff_t)first * basin->state;
    char message[sizeof basin->message];
    int told = -1;
    pack_block(answer, count, basin->state, cell, last, &told, message, sizeof message);
    if (answer->failed)
        return carom_fail_memory(error);
    if (told >= 0 && (!basin->message[0] || told < active->told)) {
        memcpy(basin->message, message, sizeof basin->message);
        active->told = told;
    }
    basin->done[block] = true;
    active->finished++;
    return request->keep ? request->keep(request->keep_context, block, count, basin->state, cell, last, error)
                         : CAROM_OK;
}

static bool wants_block(void *context, int block)
{
    const active_basin *active = context;
    return !active->basin->done[block];
}

static bool report(void *context)
{
    const active_basin *active = context;
    const carom_progress *progress = &active->request->progress;
    return !progress->report || progress->report(progress->context, active->finished, active->basin->blocks);
}

static carom_status run_blocks(active_basin *active, carom_error *error)
{
    const carom_work work = {.context = active,
                             .count = active->basin->blocks,
                             .threads = active->basin->threads,
                             .enter = enter,
                             .leave = leave,
                             .compute = compute_block,
                             .wants = wants_block,
                             .take = take_block,
                             .goes_on = report};
    return returns_interrupted(carom_work_run(&work, active->request->workers, error), active->finished,
                               active->basin->blocks, "blocks of cells", error);
}

static int recall(active_basin *active)
{
    const carom_basin_request *request = active->request;
    carom_basin *basin = active->basin;
    int recalled = 0;
    for (int block = 0; request->recall && block < basin->blocks; block++) {
        const int first = block * basin->block;
        basin->done[block] =
            request->recall(request->keep_context, block, block_count(basin, block), basin->state,
                            basin->cell + first, basin->last + (ptrdiff_t)first * basin->state);
        recalled += basin->done[block];
    }
    return recalled;
}

/* ---- set-up --------------------------------------------------------------------------------------------------- */

static carom_status check_axis(const carom_basin_request *request, int which, carom_error *error)
{
    const carom_basin_axis *axis = &request->axis[which];
    const carom_model *model = request->returns.experiment->model;
    const int most = axis->kind == CAROM_BASIN_PARAMETER  ? model->parameters
                     : axis->kind == CAROM_BASIN_POSITION ? carom_model_positions(model)
                                                          : model->dof;
    if (axis->index < 0 || axis->index >= most)
        return carom_fail(error, CAROM_BAD_INPUT, "axis %d has the index %d: from 0 to %d", which + 1,
                          axis->index, most - 1);
    if (axis->count < 2 || !isfinite(axis->from) || !isfinite(axis->to) || axis->from == axis->to)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "axis %d goes from %g to %g in %d values: two values at least, finite ends that differ",
            which + 1, axis->from, axis->to, axis->count);
    return CAROM_OK;
}

static carom_status check_parameter(const carom_basin_request *request, const carom_basin_axis *axis,
                                    carom_error *error)
{
    const carom_experiment *experiment = request->returns.experiment;
    return survey_check_values(experiment, experiment->model->parameter[axis->index].name, axis->from,
                               axis->to, axis->count, error);
}

static carom_status check(active_basin *active, carom_error *error)
{
    const carom_basin_request *request = active->request;
    if (!request->returns.experiment)
        return carom_fail(error, CAROM_BAD_INPUT, "no motion to look at: give an experiment");
    if (request->returns.at_impact)
        return carom_fail(error, CAROM_BAD_INPUT, "basins are looked at once per period, not at impacts");
    if (request->axis_count < 1 || request->axis_count > CAROM_BASIN_AXES_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%d axes: a basin has one or two", request->axis_count);
    if (request->periods < 0 || request->longest < 0 || request->longest > LONGEST_MAX)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "periods = %d, longest = %d: not negative, longest at most %d", request->periods,
                          request->longest, LONGEST_MAX);
    if (!(request->tolerance >= 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "tolerance = %g: must be above 0", request->tolerance);
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < request->axis_count; i++) {
        status = check_axis(request, i, error);
        const bool varies = status == CAROM_OK && request->axis[i].kind == CAROM_BASIN_PARAMETER;
        active->varies = active->varies || varies;
        if (varies)
            status = check_parameter(request, &request->axis[i], error);
    }
    const carom_basin_axis *axis = request->axis;
    if (status == CAROM_OK && request->axis_count == 2 && axis[0].kind == axis[1].kind &&
        axis[0].index == axis[1].index)
        return carom_fail(error, CAROM_BAD_INPUT, "both axes are the same: vary two different things");
    if (status == CAROM_OK && request->axis_count == 2 && axis[0].count > INT_MAX / axis[1].count)
        return carom_fail(error, CAROM_BAD_INPUT, "%d x %d cells are too many", axis[0].count, axis[1].count);
    return status;
}

static carom_status set_up(active_basin *active, carom_error *error)
{
    const carom_basin_request *request = active->request;
    carom_basin *basin = active->basin;
    carom_status status = check(active, error);
    if (status != CAROM_OK)
        return status;
    const carom_model *model = request->returns.experiment->model;
    basin->model = model;
    basin->axis_count = request->axis_count;
    basin->cells = 1;
    for (int i = 0; i < request->axis_count; i++) {
        basin->axis[i] = request->axis[i];
        basin->cells *= request->axis[i].count;
    }
    basin->positions = carom_model_positions(model);
    basin->dof = model->dof;
    basin->state = basin->positions + basin->dof;
    basin->periods = request->periods > 0 ? request->periods : DEFAULT_PERIODS;
    basin->longest = request->longest > 0 ? request->longest : DEFAULT_LONGEST;
    basin->tolerance = request->tolerance > 0.0 ? request->tolerance : 1e-6;
    basin->by_name = active->varies;
    basin->block = request->axis_count == 2 && request->axis[1].count < CAROM_BASIN_BLOCK
                       ? request->axis[1].count
                       : CAROM_BASIN_BLOCK;
    basin->blocks = (basin->cells - 1) / basin->block + 1;
    basin->arena = carom_arena_create();
    if (!basin->arena)
        return carom_fail_memory(error);
    basin->cell = carom_arena_take(basin->arena, (size_t)basin->cells, sizeof *basin->cell);
    basin->last = carom_arena_take(basin->arena, carom_product((size_t)basin->cells, (size_t)basin->state),
                                   sizeof(double));
    basin->done = carom_arena_take(basin->arena, (size_t)basin->blocks, sizeof *basin->done);
    if (!basin->cell || !basin->last || !basin->done)
        return carom_fail_memory(error);
    for (int i = 0; i < basin->cells; i++)
        basin->cell[i].attractor = -1; /* none, until its block is done */
    return carom_work_threads(request->threads, basin->blocks, request->workers, &basin->threads, error);
}

/* A motion that is begun finds what is wrong with scheme, options and period. */
static carom_status try_motion(const active_basin *active, carom_error *error)
{
    carom_returns *returns = NULL;
    const carom_status status =
        carom_returns_create(&active->request->returns, (carom_stop){0}, &returns, error);
    if (status != CAROM_OK)
        return status;
    active->basin->scheme = returns->scheme;
    active->basin->period = active->varies && active->request->returns.period == 0.0 ? NAN : returns->period;
    carom_returns_free(returns);
    return CAROM_OK;
}

carom_status carom_basin_run(const carom_basin_request *request, carom_basin *basin, carom_error *error)
{
    carom_error unseen;
    if (!error)
        error = &unseen;
    *basin = (carom_basin){0};
    active_basin active = {.request = request, .basin = basin};
    carom_status status = set_up(&active, error);
    if (status == CAROM_OK)
        status = try_motion(&active, error);
    if (status == CAROM_OK) {
        const double started = carom_seconds();
        const bool follows = request->workers && request->workers->follows;
        active.finished = recall(&active);
        status = run_blocks(&active, error);
        if (follows)
            return status;
        carom_error telling = {0};
        const carom_status told = status == CAROM_OK || status == CAROM_INTERRUPTED
                                      ? basin_find_attractors(basin, &request->returns, &telling)
                                      : CAROM_OK;
        if (told != CAROM_OK) {
            status = told;
            *error = telling;
        }
        basin->wall_seconds = carom_seconds() - started;
    }
    if (status != CAROM_OK && status != CAROM_INTERRUPTED)
        carom_basin_free(basin);
    return status;
}

void carom_basin_free(carom_basin *basin)
{
    carom_arena_free(basin->arena);
    *basin = (carom_basin){0};
}
