/* The contact problem of a step as a global one, for somebody who wants to keep it: that of the first iteration,
 *
 *   A v = H r + f,  u = H^T v + w,   A = M + h theta C + h^2 theta^2 K,  f = A v_free,  w = rates - targets.
 *
 * Contacts without friction have mu = 0, and columns of H without entries where others have tangents. */
#include <string.h>

#include "moreau_jean.h"
#include "scheme/parts/problem_entries.h"

enum {
    COMPONENTS = CAROM_CONTACT_COMPONENTS
};

/* Round cones in the plane or in space, no forces within bounds, no joints. */
bool moreau_jean_tells_problems(const moreau_jean *self)
{
    const carom_model *model = self->stepper.model;
    int tangents = 0;
    for (int i = 0; i < model->contacts; i++) {
        const carom_contact_info *info = &model->contact[i];
        const carom_friction_law *law = &info->friction;
        if (info->friction_force ||
            (law->dynamic_cone.shape && law->dynamic_cone.shape != &carom_friction_isotropic) ||
            (law->two_level && law->static_cone.shape != &carom_friction_isotropic) ||
            (tangents > 0 && info->tangents > 0 && info->tangents != tangents))
            return false;
        tangents = info->tangents > 0 ? info->tangents : tangents;
    }
    return model->contacts > 0 && model->joints == 0 && !self->oblique;
}

static int dimension_of(const carom_model *model)
{
    int dimension = 2;
    for (int i = 0; i < model->contacts; i++)
        dimension = model->contact[i].tangents == 2 ? 3 : dimension;
    return dimension;
}

/* A disk's radius, an interval's end: the cone is round. */
static double coefficient_of(const moreau_jean *self, int contact)
{
    const carom_contact_info *info = &self->stepper.model->contact[contact];
    const carom_contact_frame *frame = &self->rows.frame[contact];
    if (!contact_has_friction(info, frame))
        return 0.0;
    const bool sticking = self->stepper.state.regime[contact] == CAROM_CONTACT_STICK;
    const carom_planar_set set =
        carom_friction_law_set(&info->friction, frame->coefficients, info->tangents, sticking);
    return info->tangents == 1 ? set.b : set.a;
}

static bool take_matrix(const moreau_jean *self, carom_arena *arena, carom_sparse *A)
{
    const size_t n = (size_t)self->stepper.dof;
    if (self->is_sparse) {
        *A = self->sparse.newton.pattern; /* with its values; the listener copies what it keeps */
        return true;
    }
    problem_entries list;
    if (!problem_entries_take(arena, carom_product(n, n), &list))
        return false;
    for (size_t k = 0; k < n * n; k++)
        if (self->newton.matrix[k] != 0.0)
            problem_entries_add(&list, (int)(k / n), (int)(k % n), self->newton.matrix[k]);
    return carom_sparse_take(arena, (int)n, (int)n, list.count, list.row, list.column, list.value, A);
}

/* Columns of H and numbers of w and r of one active contact. */
static void add_contact(const moreau_jean *self, int k, int d, problem_entries *H, double *w, double *r)
{
    const int contact = self->active[k];
    const carom_contact_frame *frame = &self->rows.frame[contact];
    for (int i = 0; i <= self->stepper.model->contact[contact].tangents; i++) {
        const carom_row *row = contact_row(&self->rows, contact, i);
        w[d * k + i] = i == 0 ? frame->normal_rate - self->target[contact] : frame->tangent_rate[i - 1];
        r[d * k + i] = self->stepper.state.impulse[COMPONENTS * contact + i];
        for (int e = 0; e < row->count; e++)
            if (row->value[e] != 0.0)
                problem_entries_add(H, row->column ? row->column[e] : e, d * k + i, row->value[e]);
    }
}

static carom_status pose(const void *step, carom_arena *arena, carom_coulomb_global *problem, double **r,
                         carom_error *error)
{
    const moreau_jean *self = step;
    const int n = self->stepper.dof, count = self->active_count, d = dimension_of(self->stepper.model);
    const size_t rows = (size_t)(d * count);
    size_t room = 0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i <= self->stepper.model->contact[self->active[k]].tangents; i++)
            room += (size_t)contact_row(&self->rows, self->active[k], i)->count;
    problem_entries H;
    double *f = carom_arena_take(arena, (size_t)n, sizeof *f);
    double *w = carom_arena_take(arena, rows, sizeof *w);
    double *mu = carom_arena_take(arena, (size_t)count, sizeof *mu);
    *r = carom_arena_take(arena, rows, sizeof **r);
    if (!problem_entries_take(arena, room, &H) || !f || !w || !mu || !*r)
        return carom_fail_memory(error);
    for (int k = 0; k < count; k++) {
        add_contact(self, k, d, &H, w, *r);
        mu[k] = coefficient_of(self, self->active[k]);
    }
    *problem = (carom_coulomb_global){.dimension = d, .contacts = count, .f = f, .w = w, .mu = mu};
    if (!take_matrix(self, arena, &problem->M) ||
        !carom_sparse_take(arena, n, (int)rows, H.count, H.row, H.column, H.value, &problem->H))
        return carom_fail_memory(error);
    carom_sparse_add(&problem->M, self->v_free, f);
    return CAROM_OK;
}

carom_status moreau_jean_tell_problem(moreau_jean *self, carom_error *error)
{
    const carom_problem_listener *listener = &self->stepper.problems;
    if (!listener->take || self->problem_told || self->active_count == 0)
        return CAROM_OK;
    self->problem_told = true;
    return problem_tell(listener, self->t, pose, self, error);
}
