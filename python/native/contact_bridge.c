#include "contact_bridge.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge.h"

/* ---- matrices ---------------------------------------------------------------------------------------- */

typedef struct entry_list {
    size_t count, capacity;
    int *row, *column;
    double *value;
} entry_list;

static bool entry_list_take(entry_list *list, size_t capacity)
{
    *list = (entry_list){.capacity = capacity,
                         .row = carom_new_array(capacity, sizeof *list->row),
                         .column = carom_new_array(capacity, sizeof *list->column),
                         .value = carom_new_array(capacity, sizeof *list->value)};
    return list->row && list->column && list->value;
}

static void entry_list_free(entry_list *list)
{
    free(list->row);
    free(list->column);
    free(list->value);
}

/* One entry, which may be anywhere and anything. */
static carom_status put(entry_list *list, const carom_python_matrix *from, long row, long column,
                        double value, carom_error *error)
{
    if (row < 0 || row >= from->rows || column < 0 || column >= from->columns)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s: an entry stands at (%ld, %ld), outside its shape (%d, %d)", from->name, row,
                          column, from->rows, from->columns);
    if (!isfinite(value))
        return carom_fail(error, CAROM_BAD_INPUT, "%s: entry (%ld, %ld) is %g; finite numbers are needed",
                          from->name, row, column, value);
    list->row[list->count] = (int)row;
    list->column[list->count] = (int)column;
    list->value[list->count++] = value;
    return CAROM_OK;
}

static carom_status put_dense(entry_list *list, const carom_python_matrix *from, carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int j = 0; j < from->columns; j++)
        for (int i = 0; i < from->rows; i++) {
            const double value = from->value[i * from->row_stride + j * from->column_stride];
            if (value == 0.0)
                continue;
            status = put(list, from, i, j, value, error);
            if (status != CAROM_OK)
                return status;
        }
    return CAROM_OK;
}

static carom_status put_block(entry_list *list, const carom_python_matrix *from, int line, int k,
                              carom_error *error)
{
    const int p = from->block_rows, q = from->block_columns;
    const double *block = from->value + (ptrdiff_t)k * p * q;
    carom_status status = CAROM_OK;
    for (int i = 0; i < p; i++)
        for (int j = 0; status == CAROM_OK && j < q; j++)
            status =
                put(list, from, (long)line * p + i, (long)from->index[k] * q + j, block[i * q + j], error);
    return status;
}

/* CSC, CSR and BSR. */
static carom_status put_compressed(entry_list *list, const carom_python_matrix *from, carom_error *error)
{
    const int lines = from->layout == CAROM_PYTHON_CSC   ? from->columns
                      : from->layout == CAROM_PYTHON_CSR ? from->rows
                                                         : from->rows / from->block_rows;
    int last = 0;
    for (int line = 0; line < lines; line++) {
        const int first = from->start[line], end = from->start[line + 1];
        if (first != last || end < first || end > from->entries)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "%s: indptr[%d] and indptr[%d] are %d and %d; they must rise from 0 to %d",
                              from->name, line, line + 1, first, end, from->entries);
        last = end;
        for (int k = first; k < end; k++) {
            const carom_status status = from->layout == CAROM_PYTHON_BSR
                                            ? put_block(list, from, line, k, error)
                                        : from->layout == CAROM_PYTHON_CSC
                                            ? put(list, from, from->index[k], line, from->value[k], error)
                                            : put(list, from, line, from->index[k], from->value[k], error);
            if (status != CAROM_OK)
                return status;
        }
    }
    return CAROM_OK;
}

static carom_status put_coordinates(entry_list *list, const carom_python_matrix *from, carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < from->entries; k++)
        status = put(list, from, from->index[k], from->other[k], from->value[k], error);
    return status;
}

static size_t room_of(const carom_python_matrix *from)
{
    if (from->layout == CAROM_PYTHON_DENSE)
        return carom_product((size_t)from->rows, (size_t)from->columns);
    if (from->layout == CAROM_PYTHON_BSR)
        return carom_product((size_t)from->entries,
                             carom_product((size_t)from->block_rows, (size_t)from->block_columns));
    return (size_t)from->entries;
}

carom_status carom_python_matrix_take(carom_arena *arena, const carom_python_matrix *from, int rows,
                                      carom_sparse *to, carom_error *error)
{
    if (!from)
        return carom_sparse_take(arena, rows, 0, 0, NULL, NULL, NULL, to) ? CAROM_OK
                                                                          : carom_fail_memory(error);
    entry_list list;
    carom_status status = entry_list_take(&list, room_of(from)) ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = from->layout == CAROM_PYTHON_DENSE ? put_dense(&list, from, error)
                 : from->layout == CAROM_PYTHON_COO ? put_coordinates(&list, from, error)
                                                    : put_compressed(&list, from, error);
    if (status == CAROM_OK && !carom_sparse_take(arena, from->rows, from->columns, list.count, list.row,
                                                 list.column, list.value, to))
        status = carom_fail_memory(error);
    entry_list_free(&list);
    return status;
}

/* ---- contact problems -------------------------------------------------------------------------------- */

static carom_python_contact *new_contact(void)
{
    carom_python_contact *made = carom_new_array(1, sizeof *made);
    carom_arena *arena = carom_arena_create();
    if (made && arena)
        made->content = carom_arena_take(arena, 1, sizeof *made->content);
    if (!made || !made->content) {
        carom_arena_free(arena);
        free(made);
        return NULL;
    }
    made->content->arena = arena;
    return made;
}

void carom_python_contact_free(carom_python_contact *contact)
{
    if (!contact)
        return;
    carom_fclib_free(contact->content);
    carom_arena_free(contact->arena);
    free(contact);
}

static const double *take_numbers(carom_arena *arena, int count, const double *from, carom_status *status,
                                  carom_error *error)
{
    double *copy = *status == CAROM_OK ? carom_arena_take(arena, (size_t)count, sizeof *copy) : NULL;
    if (copy && count > 0)
        memcpy(copy, from, (size_t)count * sizeof *copy);
    if (!copy && *status == CAROM_OK)
        *status = carom_fail_memory(error);
    return copy;
}

static carom_status check_friction(const char *name, int contacts, const double *mu, carom_error *error)
{
    for (int i = 0; mu && i < contacts; i++)
        if (!(mu[i] >= 0.0))
            return carom_fail(error, CAROM_BAD_INPUT, "%s[%d] = %g; friction coefficients must be >= 0", name,
                              i, mu[i]);
    return CAROM_OK;
}

static carom_status check_coefficients(int contacts, const double *mu, const double *mu_r, const double *mu_t,
                                       carom_error *error)
{
    carom_status status = check_friction("mu", contacts, mu, error);
    if (status == CAROM_OK)
        status = check_friction("mu_r", contacts, mu_r, error);
    return status == CAROM_OK ? check_friction("mu_t", contacts, mu_t, error) : status;
}

static carom_status finish(carom_python_contact *made, carom_status status, carom_python_contact **contact)
{
    if (status == CAROM_OK)
        *contact = made;
    else
        carom_python_contact_free(made);
    return status;
}

carom_status carom_python_contact_local(int dimension, int contacts, const carom_python_matrix *W,
                                        const carom_python_matrix *V, const carom_python_matrix *R,
                                        const double *q, const double *s, const double *mu,
                                        const double *mu_r, const double *mu_t,
                                        carom_python_contact **contact, carom_error *error)
{
    carom_python_contact *made = new_contact();
    *contact = NULL;
    if (!made)
        return carom_fail_memory(error);
    carom_arena *arena = made->content->arena;
    carom_coulomb_local *local = &made->content->local;
    *local = (carom_coulomb_local){.dimension = dimension, .contacts = contacts};
    carom_status status = check_coefficients(contacts, mu, mu_r, mu_t, error);
    if (status == CAROM_OK)
        status = carom_python_matrix_take(arena, W, 0, &local->W, error);
    if (status == CAROM_OK)
        status = carom_python_matrix_take(arena, V, dimension * contacts, &local->V, error);
    if (status == CAROM_OK)
        status = carom_python_matrix_take(arena, R, 0, &local->R, error);
    local->q = take_numbers(arena, dimension * contacts, q, &status, error);
    local->mu = take_numbers(arena, contacts, mu, &status, error);
    if (mu_r)
        local->mu_r = take_numbers(arena, contacts, mu_r, &status, error);
    if (mu_t)
        local->mu_t = take_numbers(arena, contacts, mu_t, &status, error);
    made->is_rolling = mu_r;
    if (R)
        local->s = take_numbers(arena, R->rows, s, &status, error);
    return finish(made, status, contact);
}

carom_status carom_python_contact_global(int dimension, int contacts, const carom_python_matrix *M,
                                         const carom_python_matrix *H, const carom_python_matrix *G,
                                         const double *f, const double *w, const double *b, const double *mu,
                                         const double *mu_r, const double *mu_t,
                                         carom_python_contact **contact, carom_error *error)
{
    carom_python_contact *made = new_contact();
    *contact = NULL;
    if (!made)
        return carom_fail_memory(error);
    carom_arena *arena = made->content->arena;
    carom_coulomb_global *global = &made->content->global;
    made->content->is_global = true;
    *global = (carom_coulomb_global){.dimension = dimension, .contacts = contacts};
    carom_status status = check_coefficients(contacts, mu, mu_r, mu_t, error);
    if (status == CAROM_OK)
        status = carom_python_matrix_take(arena, M, 0, &global->M, error);
    if (status == CAROM_OK)
        status = carom_python_matrix_take(arena, H, 0, &global->H, error);
    if (status == CAROM_OK)
        status = carom_python_matrix_take(arena, G, M->rows, &global->G, error);
    global->f = take_numbers(arena, M->rows, f, &status, error);
    global->w = take_numbers(arena, dimension * contacts, w, &status, error);
    global->mu = take_numbers(arena, contacts, mu, &status, error);
    if (mu_r)
        global->mu_r = take_numbers(arena, contacts, mu_r, &status, error);
    if (mu_t)
        global->mu_t = take_numbers(arena, contacts, mu_t, &status, error);
    made->is_rolling = mu_r;
    if (G)
        global->b = take_numbers(arena, G->columns, b, &status, error);
    return finish(made, status, contact);
}

carom_status carom_python_contact_read(const char *path, carom_python_contact **contact, carom_error *error)
{
    carom_python_contact *made = carom_new_array(1, sizeof *made);
    *contact = NULL;
    if (!made)
        return carom_fail_memory(error);
    const carom_status status = carom_fclib_read(path, &made->content, error);
    if (status == CAROM_OK)
        made->is_rolling = made->content->is_global ? made->content->global.mu_r : made->content->local.mu_r;
    return finish(made, status, contact);
}

carom_status carom_python_contact_reduce(carom_python_contact *contact, carom_error *error)
{
    if (contact->is_reduced)
        return CAROM_OK;
    carom_arena *arena = carom_arena_create();
    if (!arena)
        return carom_fail_memory(error);
    const carom_fclib *content = contact->content;
    carom_status status;
    if (contact->is_rolling) {
        status = content->is_global ? carom_rolling_reduce(&content->global, arena, &contact->rolling, error)
                                    : carom_rolling_embed(&content->local, arena, &contact->rolling, error);
        contact->problem = contact->rolling.parts;
    } else {
        status = content->is_global ? carom_coulomb_reduce(&content->global, arena, &contact->problem, error)
                                    : carom_coulomb_embed(&content->local, arena, &contact->problem, error);
    }
    if (status != CAROM_OK) {
        carom_arena_free(arena);
        return status;
    }
    contact->arena = arena;
    contact->is_reduced = true;
    return CAROM_OK;
}

void carom_python_contact_pack(const carom_python_contact *contact, bool velocities, const double *given,
                               double *three)
{
    if (velocities)
        carom_rolling_pack_velocities(&contact->rolling, given, three);
    else
        carom_rolling_pack_reactions(&contact->rolling, given, three);
}

void carom_python_contact_unpack(const carom_python_contact *contact, bool velocities, const double *three,
                                 double *given)
{
    if (velocities)
        carom_rolling_unpack_velocities(&contact->rolling, three, given);
    else
        carom_rolling_unpack_reactions(&contact->rolling, three, given);
}

/* Of r, which is not to be changed. False when memory is short. */
static bool examine_rolling(const carom_python_contact *contact, const double *r, double *u,
                            unsigned char *regime, carom_coulomb_summary *summary, double *error)
{
    const size_t size = 3 * (size_t)contact->problem.contacts;
    double *copy = carom_new_array(size, sizeof *copy), *own = u ? NULL : carom_new_array(size, sizeof *own);
    const bool taken = copy && (u || own);
    if (taken) {
        double *velocity = u ? u : own;
        memcpy(copy, r, size * sizeof *copy);
        carom_rolling_examine(&contact->rolling, copy, velocity, regime, summary, NULL);
        if (error)
            *error = carom_rolling_error(&contact->rolling, copy, velocity);
    }
    free(copy);
    free(own);
    return taken;
}

double carom_python_contact_error(const carom_python_contact *contact, const double *r)
{
    double error = NAN;
    if (!contact->is_rolling)
        return carom_coulomb_error(&contact->problem, r);
    examine_rolling(contact, r, NULL, NULL, NULL, &error);
    return error;
}

carom_status carom_python_contact_write(const char *path, const carom_python_contact *contact, bool texts,
                                        const char *title, const char *description, const char *math_info,
                                        const carom_fclib_solution *solution, bool overwrite,
                                        carom_error *error)
{
    carom_fclib copy = *contact->content;
    if (texts) { /* which are written as they are */
        copy.title = (char *)(uintptr_t)title;
        copy.description = (char *)(uintptr_t)description;
        copy.math_info = (char *)(uintptr_t)math_info;
    }
    if (solution)
        copy.solution = *solution;
    return carom_fclib_write(path, &copy, overwrite, error);
}

/* ---- solve ------------------------------------------------------------------------------------------- */

void carom_python_history_free(carom_python_history *history)
{
    free(history->point);
    *history = (carom_python_history){0};
}

static void keep_point(void *context, int iteration, double error, double seconds)
{
    carom_python_history *history = context;
    if (history->count == history->capacity) {
        const size_t capacity = history->capacity ? 2 * history->capacity : 256;
        double *larger = history->is_short ? NULL : realloc(history->point, 3 * capacity * sizeof *larger);
        if (!larger) {
            history->is_short = true;
            return;
        }
        history->point = larger;
        history->capacity = capacity;
    }
    double *point = history->point + 3 * history->count++;
    point[0] = iteration;
    point[1] = error;
    point[2] = seconds;
}

static bool go_on(void *context, double done, double total)
{
    const double soon = 1e-3; /* seconds: nobody waits that short for Ctrl-C */
    (void)done;
    (void)total;
    carom_python_solving *call = context;
    if (!call->hears && carom_seconds() - call->started > soon) {
        carom_python_hear();
        call->hears = true;
    }
    return !carom_python_stopped();
}

static void begin_call(carom_python_solving *call)
{
    call->options.report = call->history ? keep_point : NULL;
    call->options.context = call->history;
    call->options.progress = (carom_progress){go_on, call};
    carom_python_begin_short();
    call->started = carom_seconds();
}

static bool end_call(carom_python_solving *call)
{
    call->seconds = carom_seconds() - call->started;
    call->interrupted = carom_python_end();
    return call->status == CAROM_OK && call->report.word == CAROM_SOLVE_OK && !call->interrupted;
}

static carom_status refuse_plane(const carom_python_contact *contact, carom_error *error)
{
    const carom_fclib *content = contact->content;
    if (contact->is_rolling)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a problem with rolling friction; it is not solved beside orthotropic friction "
                          "(ratio, slip_ratio, angle)");
    if ((content->is_global ? content->global.dimension : content->local.dimension) == 3)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "a problem in the plane; orthotropic friction (ratio, slip_ratio, angle) needs two tangents");
}

bool carom_python_contact_solve(const carom_python_contact *contact, const carom_solver_ops *ops, double *r,
                                carom_python_solving *call)
{
    carom_orthotropy orthotropy;
    call->orthotropic =
        call->options.option && carom_solver_orthotropy(ops, call->options.option, &orthotropy);
    call->status = call->orthotropic ? refuse_plane(contact, &call->error) : CAROM_OK;
    if (call->status != CAROM_OK)
        return false;
    begin_call(call);
    if (call->starts_at_zero)
        memset(r, 0, 3 * (size_t)contact->problem.contacts * sizeof *r);
    call->status =
        contact->is_rolling
            ? carom_rolling_solve(ops, &contact->rolling, &call->options, r, &call->report, &call->error)
            : carom_coulomb_solve(ops, &contact->problem, &call->options, r, &call->report, &call->error);
    return end_call(call);
}

bool carom_python_contact_solve_directly(const carom_python_contact *contact, double *v, double *r,
                                         carom_python_solving *call)
{
    const carom_coulomb_global *global = &contact->content->global;
    begin_call(call);
    call->status =
        contact->is_rolling
            ? carom_rolling_solve_global(global, &call->options, v, r, &call->report, &call->error)
            : carom_coulomb_solve_global(global, &call->options, v, r, &call->report, &call->error);
    return end_call(call);
}

carom_status carom_python_contact_summarise(const carom_python_contact *contact, const carom_solver_ops *ops,
                                            const carom_option *options, const double *r, double *u,
                                            unsigned char *regime, carom_coulomb_summary *summary,
                                            carom_error *error)
{
    carom_orthotropy orthotropy;
    if (contact->is_rolling)
        return examine_rolling(contact, r, u, regime, summary, NULL) ? CAROM_OK : carom_fail_memory(error);
    if (!options || !carom_solver_orthotropy(ops, options, &orthotropy)) {
        carom_coulomb_summarise(&contact->problem, r, u, regime, summary);
        return CAROM_OK;
    }
    carom_elliptic_problem elliptic;
    carom_arena *arena = carom_arena_create();
    const carom_status status =
        arena ? carom_elliptic_from_coulomb(&contact->problem, &orthotropy, arena, &elliptic, error)
              : carom_fail_memory(error);
    if (status == CAROM_OK)
        carom_elliptic_summarise(&elliptic, r, u, regime, summary);
    carom_arena_free(arena);
    return status;
}

/* ---- linear complementarity, quadratic programs ------------------------------------------------------ */

carom_status carom_python_lcp(const carom_solver_ops *ops, const carom_lcp *problem,
                              const carom_solver_options *options, double *z, carom_solve_report *report,
                              carom_error *error)
{
    const carom_problem_shape shape = {.kind = CAROM_PROBLEM_LCP, .size = problem->size};
    carom_solver *solver = NULL;
    const carom_status status = carom_solver_create(ops, &shape, options, &solver, error);
    if (status != CAROM_OK)
        return status;
    *report = carom_solver_lcp(solver, problem, z);
    carom_solver_free(solver);
    return CAROM_OK;
}

carom_status carom_python_qp(const carom_solver_ops *ops, const carom_qp *problem,
                             const carom_solver_options *options, double *x, double *r,
                             carom_solve_report *report, carom_error *error)
{
    const carom_problem_shape shape = {.kind = CAROM_PROBLEM_QP, .qp = problem};
    carom_solver *solver = NULL;
    const carom_status status = carom_solver_create(ops, &shape, options, &solver, error);
    if (status != CAROM_OK)
        return status;
    *report = carom_solver_qp(solver, problem, x, r);
    carom_solver_free(solver);
    return CAROM_OK;
}
