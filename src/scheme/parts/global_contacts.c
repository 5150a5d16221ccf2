#include "global_contacts.h"

#include <math.h>
#include <string.h>

#include "global_reduction.h"

enum {
    COMPONENTS = CAROM_CONTACT_COMPONENTS,
    NEWTON_MAX = 60,       /* iterations for one list of multipliers */
    MULTIPLIERS_MAX = 200, /* lists of multipliers */
    SOFT_MULTIPLIERS = 8,  /* ... of equations that are made stiffer then */
    CAREFUL_MULTIPLIERS = 3,
    CAREFUL_MAX = 24 /* stiffnesses */
};

/* Compliance of the equations against that of a contact: what the first list of multipliers leaves, and how many
 * digits rounding takes from impulses. */
static const double stiffness = 1e3;
static const double careful_ratio = 3.1622776601683795; /* of stiffnesses, with joints */
static const double default_tolerance = 1e-10;
/* What is looked for, whatever is asked, because the iteration of the step compares velocities: of velocities rounding,
 * and of the residual what rounding of velocities makes of impulses. */
static const double velocity_rounding = 1e-15, residual_rounding = 1e-12;

/* ---- the laws ---------------------------------------------------------------------------------------------- */

static int first_component(const global_contact *contact)
{
    return contact->has_normal ? 0 : 1;
}

/* What turns residuals into velocities: the diagonal of A; of a joint the largest entry of its row. */
static void find_diagonal(global_contacts *self)
{
    const carom_sparse *A = &self->A->pattern;
    const double *value = self->A->value, *scale = self->scale;
    for (int i = 0; i < self->dof; i++) {
        self->diagonal[i] = value[carom_sparse_place(A, i, i)];
        if (scale)
            self->diagonal[i] /= scale[i] * scale[i];
    }
    for (int i = self->dof; scale && i < self->size; i++) { /* where there are joints A is scaled */
        double largest = 0.0;
        for (int k = A->column_start[i]; k < A->column_start[i + 1]; k++)
            largest = fmax(largest, fabs(value[k]) / (scale[i] * scale[A->row[k]]));
        self->diagonal[i] = largest > 0.0 ? largest : 1.0;
    }
}

/* Compliances of rows as if A were diagonal: they turn impulses into velocities. */
static void find_compliances(global_contacts *self)
{
    find_diagonal(self);
    for (int c = 0; c < self->count; c++) {
        const global_contact *contact = &self->contact[c];
        double sum[2] = {0.0, 0.0};
        for (int k = first_component(contact); k <= contact->tangents; k++) {
            const carom_row *row = contact->row[k];
            double own = 0.0;
            for (int i = 0; i < row->count; i++)
                own += row->value[i] * row->value[i] / self->diagonal[carom_row_column(row, i)];
            sum[k > 0] = fmax(sum[k > 0], own);
        }
        for (int k = 0; k < 2; k++)
            self->compliance[2 * c + k] = sum[k] > 0.0 ? sum[k] : 1.0;
    }
}

static void set_penalties(global_contacts *self, double factor)
{
    self->stiffness = factor;
    for (int c = 0; c < 2 * self->count; c++)
        self->penalty[c] = factor / self->compliance[c];
}

/* u - target at the velocity v. */
static void find_velocities(global_contacts *self, const double *v)
{
    for (int c = 0; c < self->count; c++) {
        const global_contact *contact = &self->contact[c];
        for (int k = first_component(contact); k <= contact->tangents; k++)
            self->velocity[COMPONENTS * c + k] =
                carom_row_dot(contact->row[k], v) + contact->rate[k] - (k == 0 ? contact->target : 0.0);
    }
}

/* The end of an interval that x lies beyond, or the interval itself: -1, 1, 0. */
static int side_of(double x, double low, double high)
{
    return x < low ? -1 : x > high ? 1 : 0;
}

/* Tangential part of P at t for the normal impulse n, and its derivatives: D = dP/dt, d = dP/dn. */
static void project_tangents(const global_contact *contact, double n, const double *t, double *p, double *D,
                             double *d)
{
    const carom_planar_set *set = &contact->set;
    if (contact->tangents == 1) {
        const double low = set->kind == CAROM_PLANAR_DISK ? -set->a : set->a,
                     high = set->kind == CAROM_PLANAR_DISK ? set->a : set->b;
        const int side = side_of(t[0], n * low, n * high);
        p[0] = side == 0 ? t[0] : n * (side < 0 ? low : high);
        D[0] = side == 0 ? 1.0 : 0.0;
        d[0] = side == 0 ? 0.0 : side < 0 ? low : high;
        return;
    }
    const double size = hypot(t[0], t[1]), radius = n * set->a;
    const bool inside = size <= radius;
    const double e[2] = {inside || size == 0.0 ? 0.0 : t[0] / size,
                         inside || size == 0.0 ? 0.0 : t[1] / size};
    for (int i = 0; i < 2; i++) {
        p[i] = inside ? t[i] : radius * e[i];
        d[i] = inside ? 0.0 : set->a * e[i];
        for (int j = 0; j < 2; j++)
            D[2 * i + j] = inside ? (i == j) : radius / size * ((i == j) - e[i] * e[j]);
    }
}

/* p = P(l - r (u - target)) of one contact; with `jacobian` r P', 3 x 3. `bound` >= 0: the normal impulse that friction
 * is told (Tresca's law); else it is that of p. */
static void project(const global_contacts *self, int c, double bound, double *p, double *jacobian)
{
    const global_contact *contact = &self->contact[c];
    const double *l = self->multiplier + COMPONENTS * c, *u = self->velocity + COMPONENTS * c;
    const double r = self->penalty[2 * c], r_T = self->penalty[2 * c + 1];
    double trial[2], D[4] = {0}, d[2] = {0};
    p[0] = contact->has_normal ? l[0] - r * u[0] : contact->normal;
    const bool pressed = p[0] > 0.0;
    if (!pressed)
        p[0] = 0.0;
    for (int k = 0; k < contact->tangents; k++)
        trial[k] = l[1 + k] - r_T * u[1 + k];
    if (contact->tangents > 0)
        project_tangents(contact, bound >= 0.0 ? bound : p[0], trial, p + 1, D, d);
    if (!jacobian)
        return;
    memset(jacobian, 0, 9 * sizeof *jacobian);
    const bool moves = contact->has_normal && pressed;
    jacobian[0] = moves ? r : 0.0;
    for (int i = 0; i < contact->tangents; i++) {
        jacobian[3 * (1 + i)] = moves && bound < 0.0 ? r * d[i] : 0.0;
        for (int j = 0; j < contact->tangents; j++)
            jacobian[3 * (1 + i) + 1 + j] = r_T * D[contact->tangents * i + j];
    }
}

static double bound_of(const global_contacts *self, const double *bound, int c)
{
    return bound && self->contact[c].has_normal ? bound[COMPONENTS * c] : -1.0;
}

/* ---- Newton's method for v --------------------------------------------------------------------------------- */

/* moved = v - v_free, residual = A moved */
static void find_momentum(global_contacts *self, const double *v, const double *v_free)
{
    const double *scale = self->scale;
    for (int i = 0; i < self->size; i++) {
        self->moved[i] = scale ? (v[i] - v_free[i]) / scale[i] : v[i] - v_free[i];
        self->residual[i] = 0.0;
    }
    sparse_matrix_add(self->A, 1.0, self->moved, self->residual);
    for (int i = 0; scale && i < self->size; i++) {
        self->moved[i] *= scale[i];
        self->residual[i] /= scale[i];
    }
}

/* residual = A (v - v_free) - H^T p; returns its largest entry as a velocity. */
static double find_residual(global_contacts *self, const double *v, const double *v_free, const double *bound,
                            bool jacobian)
{
    find_momentum(self, v, v_free);
    find_velocities(self, v);
    for (int c = 0; c < self->count; c++) {
        const global_contact *contact = &self->contact[c];
        double *p = self->impulse + COMPONENTS * c;
        project(self, c, bound_of(self, bound, c), p, jacobian ? self->jacobian + 9 * (ptrdiff_t)c : NULL);
        for (int k = first_component(contact); k <= contact->tangents; k++)
            carom_row_add(contact->row[k], -p[k], self->residual);
    }
    double largest = 0.0;
    for (int i = 0; i < self->size; i++)
        largest = fmax(largest, fabs(self->residual[i]) / self->diagonal[i]);
    return largest;
}

/* The convex function whose derivative the residual is, without friction or with Tresca's:
 *   1/2 (v - v_free).A (v - v_free) + sum over contacts of the squares of p along their cones / (2 r). */
static double potential(global_contacts *self, const double *v, const double *v_free, const double *bound)
{
    find_momentum(self, v, v_free);
    double sum = 0.5 * carom_dot(self->size, self->moved, self->residual);
    find_velocities(self, v);
    for (int c = 0; c < self->count; c++) {
        const global_contact *contact = &self->contact[c];
        const double *l = self->multiplier + COMPONENTS * c, *u = self->velocity + COMPONENTS * c;
        double p[COMPONENTS];
        project(self, c, bound_of(self, bound, c), p, NULL);
        for (int k = first_component(contact); k <= contact->tangents; k++) {
            /* of the projection p of t: p.(t - p / 2) / r */
            const double r = self->penalty[2 * c + (k > 0)], t = l[k] - r * u[k];
            sum += p[k] * (t - 0.5 * p[k]) / r;
        }
    }
    return sum;
}

/* factor a b^T */
static void add_product(global_contacts *self, double factor, const carom_row *a, const carom_row *b,
                        const int *place)
{
    const double *scale = self->scale;
    double *value = self->matrix.value;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++) {
            double product = factor * a->value[i] * b->value[j];
            if (scale)
                product *= scale[carom_row_column(a, i)] * scale[carom_row_column(b, j)];
            value[place[i * b->count + j]] += product;
        }
}

static void assemble(global_contacts *self)
{
    const carom_sparse *A = &self->A->pattern;
    double *value = self->matrix.value;
    memset(value, 0, (size_t)carom_sparse_entries(&self->matrix.pattern) * sizeof *value);
    for (int k = 0; k < carom_sparse_entries(A); k++)
        value[self->place_of_A[k]] += self->A->value[k];
    for (int c = 0; c < self->count; c++) {
        const global_contact *contact = &self->contact[c];
        const double *jacobian = self->jacobian + 9 * (ptrdiff_t)c;
        const int *place = contact->place;
        for (int k = 0; k <= contact->tangents; k++)
            for (int l = 0; l <= contact->tangents; l++) {
                const carom_row *a = contact->row[k], *b = contact->row[l];
                const double factor = jacobian[3 * k + l];
                if (factor != 0.0)
                    add_product(self, factor, a, b, place);
                place += (ptrdiff_t)a->count * b->count;
            }
    }
}

/* The share of a step that makes the potential smaller as it should. */
static double shorten(global_contacts *self, const double *v_free, const double *bound, double before,
                      double slope)
{
    double share = 1.0;
    if (-slope <= 1e-11 * fabs(before)) /* the difference would be rounding */
        return share;
    for (int i = 0; i < 40; i++, share *= 0.5) {
        for (int k = 0; k < self->size; k++)
            self->next[k] = self->v[k] + share * self->change[k];
        if (potential(self, self->next, v_free, bound) <=
            before + 1e-4 * share * slope + 1e-14 * fabs(before))
            break;
    }
    return share;
}

/* Of a step of Newton's method that has no potential: with joints contacts that go to and fro between states take others
 * with them. */
static double damping(const global_contacts *self, int worse)
{
    static const double share[] = {1.0, 1.0, 0.5, 0.75, 0.25, 1.0, 0.4, 0.6};
    return self->size > self->dof ? share[worse % 8] : 1.0;
}

/* v for these multipliers; bound NULL: Coulomb's law. The largest residual that is left. */
static double find_velocity(global_contacts *self, const double *v_free, const double *bound, bool convex,
                            double good)
{
    double left = find_residual(self, self->v, v_free, bound, true), best = INFINITY;
    int worse = 0;
    for (int i = 0; i < NEWTON_MAX && left > good && worse < (convex ? NEWTON_MAX : 12); i++) {
        assemble(self);
        if (sparse_matrix_factor(&self->matrix) != 0) {
            self->failed++;
            if (self->matrix.no_memory)
                self->report.word = CAROM_SOLVE_MEMORY;
            return INFINITY;
        }
        self->report.iterations++;
        for (int k = 0; k < self->size; k++)
            self->change[k] = self->scale ? -self->scale[k] * self->residual[k] : -self->residual[k];
        sparse_matrix_solve(&self->matrix, self->change);
        for (int k = 0; self->scale && k < self->size; k++)
            self->change[k] *= self->scale[k];
        const double slope = carom_dot(self->size, self->residual, self->change);
        const double share =
            convex ? shorten(self, v_free, bound, potential(self, self->v, v_free, bound), slope)
                   : damping(self, worse);
        carom_axpy(self->size, share, self->change, self->v);
        left = find_residual(self, self->v, v_free, bound, true);
        worse = left < 0.5 * best ? 0 : worse + 1;
        best = fmin(best, left);
        if (worse >= 2 && left <= 1e3 * good) /* rounding */
            break;
    }
    return left;
}

/* ---- multipliers ------------------------------------------------------------------------------------------- */

/* l := p; the largest change, as a velocity. */
static double take_over(global_contacts *self)
{
    double change = 0.0;
    for (int c = 0; c < self->count; c++)
        for (int k = first_component(&self->contact[c]); k <= self->contact[c].tangents; k++) {
            const int i = COMPONENTS * c + k;
            change =
                fmax(change, fabs(self->impulse[i] - self->multiplier[i]) / self->penalty[2 * c + (k > 0)]);
            self->multiplier[i] = self->impulse[i];
        }
    return change;
}

/* Joints hang the masses of others on a contact: it may be as many times less compliant than its own masses say, and
 * multipliers come as many times more slowly. */
static void stiffen(global_contacts *self)
{
    const double most = stiffness * (1.0 + (double)(self->size - self->dof));
    if (self->stiffness >= stiffness && self->stiffness < most)
        set_penalties(self, fmin(10.0 * self->stiffness, most));
}

/* Back to the last multipliers and the velocity that belonged to them. */
static void go_back(global_contacts *self)
{
    memcpy(self->v, self->kept, (size_t)self->size * sizeof *self->v);
    memcpy(self->impulse, self->multiplier, COMPONENTS * (size_t)self->count * sizeof *self->impulse);
}

/* Friction with the normal impulses of the multipliers before (Tresca's law), or Coulomb's law itself. False: there is no
 * velocity for the last ones. */
static bool find_multipliers(global_contacts *self, const double *v_free, double size, int most, bool tresca,
                             bool convex)
{
    double last = INFINITY;
    int slow = 0;
    for (int i = 0; i < most && slow < 20; i++) {
        double *bound = tresca ? self->trial : NULL;
        if (tresca)
            memcpy(bound, self->multiplier, COMPONENTS * (size_t)self->count * sizeof *bound);
        const double left = find_velocity(self, v_free, bound, tresca || convex, residual_rounding * size);
        if (!(left <= 1e-6 * size)) /* not the solution for any multipliers */
            return false;
        const double change = take_over(self);
        if (self->size > self->dof)
            memcpy(self->kept, self->v, (size_t)self->size * sizeof *self->v);
        if (change <= fmax(velocity_rounding, self->coarseness) * size)
            return true;
        slow = change < 0.9 * last ? 0 : slow + 1;
        if (self->size > self->dof && change > 0.1 * last)
            stiffen(self);
        last = change;
    }
    return true;
}

/* The largest velocity that is given. */
static double size_of(const global_contacts *self, const double *v_free)
{
    double size = 0.0;
    for (int c = 0; c < self->count; c++) {
        const global_contact *contact = &self->contact[c];
        size = fmax(size, contact->has_normal ? fabs(contact->target) : 0.0);
        for (int k = first_component(contact); k <= contact->tangents; k++)
            size = fmax(size, fabs(carom_row_dot(contact->row[k], v_free) + contact->rate[k]));
    }
    return size;
}

/* How far (v, p) is from motion and laws, in velocities: the residual over the diagonal of A, and of each contact
 * |min(w p_N, u_N - target)| and |p_T - P(p_T - u_T / w)| w with its compliance w. */
static double error_of(global_contacts *self, const double *v, const double *v_free)
{
    find_momentum(self, v, v_free);
    find_velocities(self, v);
    double worst = 0.0;
    for (int c = 0; c < self->count; c++) {
        const global_contact *contact = &self->contact[c];
        const double *p = self->impulse + COMPONENTS * c, *u = self->velocity + COMPONENTS * c;
        const double w = self->compliance[2 * c], w_T = self->compliance[2 * c + 1];
        double t[2], nearest[2], D[4], d[2];
        if (contact->has_normal)
            worst = fmax(worst, fabs(fmin(w * p[0], u[0])));
        for (int k = 0; k < contact->tangents; k++)
            t[k] = p[1 + k] - u[1 + k] / w_T;
        if (contact->tangents > 0)
            project_tangents(contact, p[0], t, nearest, D, d);
        for (int k = 0; k < contact->tangents; k++)
            worst = fmax(worst, fabs(p[1 + k] - nearest[k]) * w_T);
        for (int k = first_component(contact); k <= contact->tangents; k++)
            carom_row_add(contact->row[k], -p[k], self->residual);
    }
    for (int i = 0; i < self->size; i++)
        worst = fmax(worst, fabs(self->residual[i]) / self->diagonal[i]);
    return worst;
}

static unsigned char regime_of(const global_contacts *self, int c)
{
    const global_contact *contact = &self->contact[c];
    const double *p = self->impulse + COMPONENTS * c;
    if (!(p[0] > 0.0))
        return CAROM_CONTACT_OPEN;
    if (contact->tangents == 0)
        return CAROM_CONTACT_SLIP;
    double D[4] = {0}, d[2] = {0}, t[2], nearest[2];
    for (int k = 0; k < contact->tangents; k++)
        t[k] = p[1 + k] - self->penalty[2 * c + 1] * self->velocity[COMPONENTS * c + 1 + k];
    project_tangents(contact, p[0], t, nearest, D, d);
    for (int k = 0; k < contact->tangents; k++)
        if (d[k] != 0.0)
            return CAROM_CONTACT_SLIP;
    return CAROM_CONTACT_STICK;
}

static void begin_with(global_contacts *self, const double *v_free, const double *start)
{
    memcpy(self->multiplier, start, COMPONENTS * (size_t)self->count * sizeof(double));
    if (self->continues) {
        self->continues = false;
        return;
    }
    memcpy(self->v, v_free, (size_t)self->size * sizeof(double));
}

static double solve_directly(global_contacts *self, const double *v_free, const double *start, double size,
                             bool convex)
{
    begin_with(self, v_free, start);
    set_penalties(self, stiffness);
    find_multipliers(self, v_free, size, MULTIPLIERS_MAX, false, convex);
    return error_of(self, self->v, v_free) / size;
}

/* Where Newton's method does not settle, contacts jump between states because the equations are stiff: soft ones first,
 * whose multipliers come slowly, but surely, then stiffer ones from there. */
static double solve_from_soft(global_contacts *self, const double *v_free, const double *start, double size,
                              bool tresca, bool convex)
{
    begin_with(self, v_free, start);
    for (double factor = 1.0; factor <= stiffness; factor *= 10.0) {
        set_penalties(self, factor);
        find_multipliers(self, v_free, size, factor < stiffness ? SOFT_MULTIPLIERS : MULTIPLIERS_MAX, tresca,
                         convex);
    }
    return error_of(self, self->v, v_free) / size;
}

/* The same with joints: smaller steps of stiffness, and still smaller ones from where it went well when one does not. */
static double solve_carefully(global_contacts *self, const double *v_free, const double *start, double size,
                              bool tresca, bool convex)
{
    double good = 0.0, ratio = careful_ratio;
    begin_with(self, v_free, start);
    memcpy(self->kept, self->v, (size_t)self->size * sizeof *self->v);
    for (int i = 0; i < CAREFUL_MAX && good < stiffness && ratio > 1.1; i++) {
        const double factor = fmin(good > 0.0 ? ratio * good : 1.0, stiffness);
        set_penalties(self, factor);
        if (find_multipliers(self, v_free, size, factor < stiffness ? CAREFUL_MULTIPLIERS : MULTIPLIERS_MAX,
                             tresca, convex)) {
            good = factor;
            continue;
        }
        go_back(self);
        ratio = sqrt(ratio);
    }
    if (good > 0.0 && good < stiffness) {
        set_penalties(self, good);
        if (!find_multipliers(self, v_free, size, MULTIPLIERS_MAX, tresca, convex))
            go_back(self);
    }
    return error_of(self, self->v, v_free) / size;
}

static double solve_reduced(global_contacts *self, const double *v_free, const double *start, double size,
                            double tolerance)
{
    if (!global_reduction_solve(self, v_free, start, tolerance))
        return INFINITY;
    set_penalties(self, stiffness);
    return error_of(self, self->v, v_free) / size;
}

carom_solve_report global_contacts_solve(global_contacts *self, const double *v_free, double *v,
                                         double *impulse, unsigned char *regime)
{
    const double size = size_of(self, v_free);
    const double asked = self->tolerance > 0.0 ? self->tolerance : default_tolerance;
    const double tolerance = fmax(asked, 10.0 * self->coarseness);
    bool friction = false;
    for (int c = 0; c < self->count; c++)
        friction = friction || (self->contact[c].tangents > 0 && self->contact[c].has_normal);
    self->report = (carom_solve_report){.failed_contact = -1, .tolerance = tolerance};
    self->failed = 0;
    find_compliances(self);
    const bool reduced = size > 0.0 && global_reduction_suits(self);
    if (reduced)
        self->report.error = solve_reduced(self, v_free, impulse, size, tolerance);
    if (reduced && self->report.error <= tolerance) {
        self->continues = false;
    } else if (size > 0.0) {
        self->report.error = solve_directly(self, v_free, impulse, size, !friction);
        double (*softly)(global_contacts *, const double *, const double *, double, bool, bool) =
            self->size > self->dof ? solve_carefully : solve_from_soft;
        if (!(self->report.error <= tolerance))
            self->report.error = softly(self, v_free, impulse, size, false, !friction);
        if (!(self->report.error <= tolerance) && friction)
            self->report.error = softly(self, v_free, impulse, size, true, false);
    } else {
        memcpy(self->v, v_free, (size_t)self->size * sizeof *v);
        memset(self->impulse, 0, COMPONENTS * (size_t)self->count * sizeof(double));
        for (int c = 0; c < self->count; c++)
            self->impulse[COMPONENTS * c] = self->contact[c].has_normal ? 0.0 : self->contact[c].normal;
        find_velocities(self, v_free);
    }
    if (self->report.word == CAROM_SOLVE_MEMORY) { /* what was found then, another way found */
        self->report.status = CAROM_NO_MEMORY;
    } else if (!(self->report.error <= tolerance)) {
        self->report.status = CAROM_FAILED;
        self->report.word = CAROM_SOLVE_STALLED;
    }
    memcpy(v, self->v, (size_t)self->size * sizeof *v);
    memcpy(impulse, self->impulse, COMPONENTS * (size_t)self->count * sizeof *impulse);
    for (int c = 0; c < self->count; c++)
        regime[c] = regime_of(self, c);
    return self->report;
}
