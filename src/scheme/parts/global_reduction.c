#include "global_reduction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COMPONENTS = CAROM_CONTACT_COMPONENTS
};

/* What a unit impulse along each row of a contact does to the coordinates that contacts act on. */
typedef struct answer {
    double *velocity;               /* columns for each */
    double *row[COMPONENTS];        /* the entries that it belongs to */
    long factorisation[COMPONENTS]; /* ... and the factors of A; 0: none */
} answer;

struct global_reduction {
    sparse_matrix *A;
    double entries, flops, entries_of_A; /* reduction_counts */
    int columns, *column;                /* the coordinates that contacts act on */
    int *place;                          /* per coordinate: its place among them */
    answer *answer;                      /* per contact of the model; memory comes when it acts */
    const carom_model *model;
    int capacity; /* contacts that there is room for in */
    double *W, *u_free, *target;
    int *tangents;
    carom_planar_set *set;
    unsigned char *regime;
    carom_solver *solver;
};

/* ---- costs ------------------------------------------------------------------------------------------------- */

/* Nanoseconds on one core of a common machine, measured with elastic/grid and elastic/block of 12 to 400 contacts, bench/chain.lua and
 * bench/cable.lua: docs/rooms/scheme.md. Only their ratios matter, and what they are wrong by costs time, not digits. */
static const double per_flop = 0.34;          /* of factors */
static const double per_factor_entry = 5.4;   /* growth of pivots, solution and its refinement */
static const double per_unknown = 40.0;       /* residuals, in an iteration */
static const double per_solved_entry = 2.5;   /* of factors of A, for an answer */
static const double per_solved_unknown = 8.0; /* ... and of its velocities */
static const double per_place = 100.0; /* of W: filled, then swept over and factored by the solver of steps */
static const double per_cube = 0.05;   /* rows to the third: factors of W */
/* Factors that a problem takes in the space of velocities: 3 to 6 in chains and cables, 18 to 61 in the mean in grids and blocks. */
static const double factors_narrow = 4.0, factors_filled = 40.0;
/* Problems that an answer serves where A and the rows stay: masses of chains strike and leave, solids stay pressed. */
static const double uses_narrow = 2.0, uses_filled = 20.0;
/* Most contacts of W, for which the solver of steps takes 0.3 GB, and most numbers in the answers of all contacts, half a gigabyte:
 * models that may have more are left to the space of velocities. */
static const int contacts_most = 1000;
static const double numbers_most = 6.4e7;

double global_reduction_cost_of_velocities(const reduction_counts *counts)
{
    const double once =
        per_flop * counts->flops + per_factor_entry * counts->entries + per_unknown * counts->size;
    return once * (counts->narrow ? factors_narrow : factors_filled);
}

double global_reduction_cost_of_W(const reduction_counts *counts)
{
    const double rows = counts->rows, kept = rows - counts->passing_rows;
    const double uses = counts->narrow ? uses_narrow : uses_filled;
    if (counts->contacts > contacts_most)
        return INFINITY;
    const double answers = counts->passing_rows + kept / uses + 1.0; /* and the motion */
    return answers * (per_solved_entry * counts->entries_of_A + per_solved_unknown * counts->size) +
           per_place * rows * rows + per_cube * rows * rows * rows;
}

bool global_reduction_pays(const reduction_counts *counts)
{
    return global_reduction_cost_of_W(counts) < global_reduction_cost_of_velocities(counts);
}

static int first_component(const global_contact *contact)
{
    return contact->has_normal ? 0 : 1;
}

bool global_reduction_suits(const global_contacts *self)
{
    const global_reduction *reduction = self->reduction;
    if (!reduction)
        return false;
    reduction_counts counts = {.size = self->size,
                               .entries = reduction->entries,
                               .flops = reduction->flops,
                               .entries_of_A = reduction->entries_of_A,
                               .narrow = self->matrix.narrow || self->matrix.diagonal,
                               .contacts = self->count};
    for (int c = 0; c < self->count; c++) {
        const global_contact *contact = &self->contact[c];
        const int rows = contact->tangents + 1 - first_component(contact);
        counts.rows += rows;
        counts.passing_rows += self->constant && contact->constant_rows ? 0 : rows;
    }
    return global_reduction_pays(&counts);
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

static int row_count(const carom_model *model, int contact, int component)
{
    const carom_row_pattern *row = &model->contact[contact].row[component];
    return row->column ? row->count : model->dof;
}

/* Numbers in the answers of all contacts: their rows times the coordinates that contacts act on. */
static double count_numbers(const carom_model *model, int columns)
{
    double rows = 0.0;
    for (int c = 0; c < model->contacts; c++)
        rows += model->contact[c].tangents + 1;
    return rows * columns;
}

static void find_columns(global_reduction *reduction, const carom_model *model)
{
    memset(reduction->place, -1, (size_t)model->dof * sizeof *reduction->place);
    for (int c = 0; c < model->contacts; c++)
        for (int k = 0; k <= model->contact[c].tangents; k++)
            for (int i = 0; i < row_count(model, c, k); i++) {
                const carom_row_pattern *row = &model->contact[c].row[k];
                int *place = &reduction->place[row->column ? row->column[i] : i];
                if (*place >= 0)
                    continue;
                *place = reduction->columns;
                reduction->column[reduction->columns++] = row->column ? row->column[i] : i;
            }
}

bool global_reduction_take(global_contacts *self, carom_arena *arena, const carom_model *model,
                           sparse_matrix *A)
{
    global_reduction *reduction = carom_arena_take(arena, 1, sizeof *reduction);
    if (!reduction)
        return false;
    *reduction = (global_reduction){.A = A, .model = model};
    reduction->place = carom_arena_take(arena, (size_t)model->dof, sizeof *reduction->place);
    reduction->column = carom_arena_take(arena, (size_t)model->dof, sizeof *reduction->column);
    reduction->answer = carom_arena_take(arena, (size_t)model->contacts, sizeof *reduction->answer);
    if (!reduction->place || !reduction->column || !reduction->answer)
        return false;
    find_columns(reduction, model);
    if (count_numbers(model, reduction->columns) > numbers_most)
        return true;
    double flops_of_A = 0.0;
    if (!sparse_matrix_cost(&self->matrix, &reduction->entries, &reduction->flops) ||
        !sparse_matrix_cost(A, &reduction->entries_of_A, &flops_of_A))
        return false;
    self->reduction = reduction;
    return true;
}

static void free_problem(global_reduction *reduction)
{
    carom_solver_free(reduction->solver);
    free(reduction->W);
    free(reduction->u_free);
    free(reduction->target);
    free(reduction->tangents);
    free(reduction->set);
    free(reduction->regime);
    reduction->solver = NULL;
    reduction->W = reduction->u_free = reduction->target = NULL;
    reduction->tangents = NULL;
    reduction->set = NULL;
    reduction->regime = NULL;
    reduction->capacity = 0;
}

void global_reduction_free(global_reduction *reduction)
{
    if (!reduction)
        return;
    free_problem(reduction);
    for (int c = 0; c < reduction->model->contacts; c++)
        free(reduction->answer[c].velocity);
}

/* Room for so many contacts, with some to spare: only few of many act at once, mostly. */
static bool make_room(global_reduction *reduction, int count)
{
    if (count <= reduction->capacity)
        return true;
    const int contacts = reduction->model->contacts, doubled = count < contacts / 2 ? 2 * count : contacts;
    const size_t room = (size_t)doubled, size = COMPONENTS * room;
    free_problem(reduction);
    reduction->W = carom_new_array(carom_product(size, size), sizeof(double));
    reduction->u_free = carom_new_array(size, sizeof(double));
    reduction->target = carom_new_array(room, sizeof(double));
    reduction->tangents = carom_new_array(room, sizeof *reduction->tangents);
    reduction->set = carom_new_array(room, sizeof *reduction->set);
    reduction->regime = carom_new_array(room, 1);
    const carom_problem_shape shape = {.kind = CAROM_PROBLEM_STEP, .size = doubled};
    carom_error why;
    if (!reduction->W || !reduction->u_free || !reduction->target || !reduction->tangents ||
        !reduction->set || !reduction->regime ||
        carom_solver_create(&carom_step_auto, &shape, NULL, &reduction->solver, &why) != CAROM_OK) {
        free_problem(reduction);
        return false;
    }
    reduction->capacity = doubled;
    return true;
}

/* ---- W ----------------------------------------------------------------------------------------------------- */

static void scale_by(const global_contacts *self, double *x)
{
    for (int i = 0; self->scale && i < self->size; i++)
        x[i] *= self->scale[i];
}

static bool take_answer(const global_reduction *reduction, int contact)
{
    answer *taken = &reduction->answer[contact];
    const int tangents = reduction->model->contact[contact].tangents;
    size_t numbers = (size_t)(tangents + 1) * (size_t)reduction->columns;
    for (int k = 0; k <= tangents; k++)
        numbers += (size_t)row_count(reduction->model, contact, k);
    taken->velocity = carom_new_array(numbers, sizeof(double));
    if (!taken->velocity)
        return false;
    double *next = taken->velocity + (ptrdiff_t)(tangents + 1) * reduction->columns;
    for (int k = 0; k <= tangents; k++) {
        taken->row[k] = next;
        next += row_count(reduction->model, contact, k);
    }
    return true;
}

/* Rounding is not taken out of it: the solution is verified with velocities that are found without W. */
static void find_answer(const global_contacts *self, const carom_row *row, double *velocity)
{
    const global_reduction *reduction = self->reduction;
    double *x = self->change;
    memset(x, 0, (size_t)self->size * sizeof *x);
    carom_row_add(row, 1.0, x);
    scale_by(self, x);
    sparse_matrix_solve_once(reduction->A, x);
    scale_by(self, x);
    for (int i = 0; i < reduction->columns; i++)
        velocity[i] = x[reduction->column[i]];
}

/* Those of one contact, as far as they are not known. */
static bool find_answers(const global_contacts *self, const global_contact *contact)
{
    const global_reduction *reduction = self->reduction;
    answer *known = &reduction->answer[contact->index];
    const long factors = reduction->A->factorisation;
    if (!known->velocity && !take_answer(reduction, contact->index))
        return false;
    for (int k = first_component(contact); k <= contact->tangents; k++) {
        const carom_row *row = contact->row[k];
        const size_t bytes = (size_t)row->count * sizeof *row->value;
        if (known->factorisation[k] == factors && memcmp(known->row[k], row->value, bytes) == 0)
            continue;
        find_answer(self, row, known->velocity + (ptrdiff_t)k * reduction->columns);
        memcpy(known->row[k], row->value, bytes);
        known->factorisation[k] = factors;
    }
    return true;
}

static double couple(const global_reduction *reduction, const carom_row *row, const double *velocity)
{
    double sum = 0.0;
    for (int i = 0; i < row->count; i++)
        sum += row->value[i] * velocity[reduction->place[carom_row_column(row, i)]];
    return sum;
}

/* Block (a, b) of W and its mirror image. */
static void fill_block(const global_contacts *self, int a, int b)
{
    const global_reduction *reduction = self->reduction;
    const global_contact *one = &self->contact[a], *other = &self->contact[b];
    const double *velocity = reduction->answer[other->index].velocity;
    const ptrdiff_t width = COMPONENTS * self->count;
    for (int i = first_component(one); i <= one->tangents; i++)
        for (int j = first_component(other); j <= other->tangents; j++) {
            const ptrdiff_t row = COMPONENTS * a + i, column = COMPONENTS * b + j;
            const double w = couple(reduction, one->row[i], velocity + (ptrdiff_t)j * reduction->columns);
            reduction->W[row * width + column] = reduction->W[column * width + row] = w;
        }
}

/* Of a friction force: makes a velocity of p_N - normal that is like the others of the contact, by a power of two. */
static double normal_factor(const global_reduction *reduction, const global_contact *contact, int a,
                            size_t size)
{
    const size_t place = COMPONENTS * (size_t)a + 1;
    if (contact->tangents == 0)
        return 1.0; /* nothing acts: nothing is compared with it */
    const double velocity = reduction->W[place * (size + 1)] * fmax(-contact->set.a, contact->set.b) +
                            fabs(reduction->u_free[place]) / contact->normal;
    return velocity > 0.0 ? scalbn(1.0, ilogb(velocity)) : 1.0;
}

static void fill_problem(global_contacts *self, const double *v_free, const double *start)
{
    global_reduction *reduction = self->reduction;
    const size_t size = COMPONENTS * (size_t)self->count;
    memset(reduction->W, 0, size * size * sizeof *reduction->W);
    memcpy(self->impulse, start, size * sizeof *start);
    for (int a = 0; a < self->count; a++) {
        const global_contact *contact = &self->contact[a];
        reduction->tangents[a] = contact->tangents;
        reduction->target[a] = contact->has_normal ? contact->target : 0.0;
        reduction->set[a] = contact->set;
        for (int k = first_component(contact); k <= contact->tangents; k++)
            reduction->u_free[COMPONENTS * a + k] = carom_row_dot(contact->row[k], v_free) + contact->rate[k];
        for (int b = 0; b <= a; b++)
            fill_block(self, a, b);
        if (!contact->has_normal) { /* its normal row is zero: u_N = w (p_N - normal) */
            const double w = normal_factor(reduction, contact, a, size);
            reduction->W[COMPONENTS * (size_t)a * (size + 1)] = w;
            reduction->u_free[COMPONENTS * a] = -w * contact->normal;
            self->impulse[COMPONENTS * a] = contact->normal;
        }
    }
}

/* v = v_free + A^-1 H^T p */
static void move(global_contacts *self, const double *v_free)
{
    double *x = self->change;
    memset(x, 0, (size_t)self->size * sizeof *x);
    for (int c = 0; c < self->count; c++) {
        const global_contact *contact = &self->contact[c];
        for (int k = first_component(contact); k <= contact->tangents; k++)
            carom_row_add(contact->row[k], self->impulse[COMPONENTS * c + k], x);
    }
    scale_by(self, x);
    sparse_matrix_solve(self->reduction->A, x);
    scale_by(self, x);
    for (int i = 0; i < self->size; i++)
        self->v[i] = v_free[i] + x[i];
}

bool global_reduction_solve(global_contacts *self, const double *v_free, const double *start,
                            double tolerance)
{
    global_reduction *reduction = self->reduction;
    if (sparse_matrix_factor(reduction->A) != 0 && !reduction->A->no_memory)
        return false;
    bool room = !reduction->A->no_memory && make_room(reduction, self->count);
    for (int c = 0; room && c < self->count; c++)
        room = find_answers(self, &self->contact[c]);
    if (!room) {
        self->report.word = CAROM_SOLVE_MEMORY;
        return false;
    }
    fill_problem(self, v_free, start);
    const carom_friction_problem problem = {.count = self->count,
                                            .tangents = reduction->tangents,
                                            .target = reduction->target,
                                            .set = reduction->set,
                                            .W = reduction->W,
                                            .u_free = reduction->u_free};
    carom_error why;
    reduction->solver->limits.tolerance = tolerance;
    const carom_solve_report report =
        carom_solver_step(reduction->solver, &problem, self->impulse, reduction->regime, &why);
    self->report.iterations += report.iterations;
    if (report.status == CAROM_NO_MEMORY)
        self->report.word = CAROM_SOLVE_MEMORY;
    if (report.failed_contact >= 0)
        return false;
    move(self, v_free);
    return true;
}
