#include "impact_bridge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge.h"

enum {
    ROWS_MOST = 20000,
    NUMBERS_MOST = 8000000,
};

carom_status carom_python_impact_columns(carom_arena *arena, const carom_python_matrix *W,
                                         carom_impact *impact, carom_error *error)
{
    carom_sparse columns;
    const carom_status status = carom_python_matrix_take(arena, W, 0, &columns, error);
    if (status != CAROM_OK)
        return status;
    impact->coordinates = columns.rows;
    impact->contacts = columns.columns;
    impact->column_start = columns.column_start;
    impact->row = columns.row;
    impact->value = columns.value;
    return CAROM_OK;
}

/* ---- the course -------------------------------------------------------------------------------------- */

void carom_python_course_free(carom_python_course *course)
{
    free(course->rows);
    *course = (carom_python_course){0};
}

static void start_course(const carom_impact *impact, carom_python_course *course)
{
    *course =
        (carom_python_course){.contacts = impact->contacts, .coordinates = impact->coordinates, .stride = 1};
    course->width = 1 + 2 * (size_t)impact->contacts + (size_t)impact->coordinates;
    const size_t rows = NUMBERS_MOST / course->width;
    course->limit = rows > ROWS_MOST ? ROWS_MOST : rows < 16 ? 16 : rows / 2 * 2;
}

static void drop_every_other(carom_python_course *course)
{
    for (size_t i = 0; 2 * i < course->count; i++)
        memmove(course->rows + i * course->width, course->rows + 2 * i * course->width,
                course->width * sizeof *course->rows);
    course->count = (course->count + 1) / 2;
    course->stride *= 2;
}

/* For one row behind those that are kept: the latest, which the next one replaces unless it is kept itself. */
static bool has_room(carom_python_course *course)
{
    if (course->count < course->capacity)
        return true;
    const size_t capacity = course->capacity ? 2 * course->capacity : 64;
    double *larger = realloc(course->rows, capacity * course->width * sizeof *larger);
    if (!larger)
        return false;
    course->rows = larger;
    course->capacity = capacity;
    return true;
}

static void observe(void *context, double t, const double *energy, const double *force,
                    const double *velocity)
{
    carom_python_course *course = context;
    const size_t contacts = (size_t)course->contacts;
    if (course->count >= course->limit)
        drop_every_other(course);
    course->is_short = course->is_short || !has_room(course);
    if (course->is_short)
        return;
    double *row = course->rows + course->count * course->width;
    row[0] = t;
    memcpy(row + 1, energy, contacts * sizeof *row);
    memcpy(row + 1 + contacts, force, contacts * sizeof *row);
    memcpy(row + 1 + 2 * contacts, velocity, (size_t)course->coordinates * sizeof *row);
    course->has_latest = course->seen++ % course->stride != 0;
    course->count += !course->has_latest;
}

/* ---- one impact ---------------------------------------------------------------------------------------- */

/* Pairs of contacts that may couple, what the matrix of a law holds: more than this is no matrix for a law. */
static carom_status check_pairs(const carom_impact *impact, const carom_impact_sizes *sizes,
                                carom_error *error)
{
    const double most = 1e8, all = (double)impact->contacts * impact->contacts;
    const double pairs = sizes->couplings > 0 ? sizes->couplings : all;
    if (pairs <= most)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "%d contacts that act on one another in %.3g pairs: at most %.3g pairs are possible",
                      impact->contacts, pairs, most);
}

static carom_status solve(const carom_impact_law_ops *law, const carom_impact *impact,
                          carom_impact_options *options, carom_python_impact_call *call)
{
    const carom_impact_sizes sizes = carom_impact_sizes_of(impact);
    carom_impact_work *work = NULL;
    carom_status status = check_pairs(impact, &sizes, &call->error);
    if (status == CAROM_OK)
        status = carom_impact_work_create(law, &sizes, &work, &call->error);
    if (status != CAROM_OK)
        return status;
    const double started = carom_seconds();
    status = carom_impact_solve(work, impact, options, &call->result, &call->error);
    call->seconds = carom_seconds() - started;
    carom_impact_work_free(work);
    return status;
}

carom_status carom_python_impact(const carom_impact_law_ops *law, const carom_impact *impact,
                                 carom_python_impact_call *call)
{
    carom_impact_options options = carom_impact_defaults();
    carom_status status = carom_impact_options_resolve(law, call->option, &options, &call->error);
    if (status != CAROM_OK)
        return status;
    options.allow_gain = call->allow_gain;
    if (call->course) {
        start_course(impact, call->course);
        options.observe = observe;
        options.context = call->course;
    }
    options.progress = carom_python_progress(NULL);
    carom_python_begin();
    status = solve(law, impact, &options, call);
    call->interrupted = carom_python_end();
    if (call->course && call->course->has_latest)
        call->course->count++;
    return status;
}

/* ---- of a model ---------------------------------------------------------------------------------------- */

void carom_python_model_impact_free(carom_python_model_impact *made)
{
    if (made)
        carom_arena_free(made->arena); /* holds *made itself */
}

carom_status carom_python_model_impact_take(const carom_model_impact_request *request,
                                            carom_python_model_impact **made, carom_error *error)
{
    carom_arena *arena = carom_arena_create();
    carom_python_model_impact *taken = arena ? carom_arena_take(arena, 1, sizeof *taken) : NULL;
    *made = NULL;
    if (!taken) {
        carom_arena_free(arena);
        return carom_fail_memory(error);
    }
    taken->arena = arena;
    const carom_status status = carom_model_impact_take(arena, request, &taken->model, error);
    if (status == CAROM_OK)
        *made = taken;
    else
        carom_arena_free(arena);
    return status;
}
