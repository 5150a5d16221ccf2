#include "contact_tangent.h"

#include <math.h>
#include <string.h>

#include "step_tangent.h"

/* ---- the friction set along its coefficients -------------------------------------------------------------- */

static bool is_known(const carom_friction_cone *cone)
{
    return !cone->shape || cone->shape == &carom_friction_isotropic ||
           cone->shape == &carom_friction_asymmetric || cone->shape == &carom_friction_elliptic ||
           cone->shape == &carom_friction_polygonal || cone->shape == &carom_friction_weakening;
}

carom_status contact_tangent_accepts(const carom_model *model, carom_error *error)
{
    for (int k = 0; k < model->contacts; k++) {
        const carom_friction_law *law = &model->contact[k].friction;
        const carom_friction_cone *cone = !is_known(&law->dynamic_cone) ? &law->dynamic_cone
                                          : law->two_level && !is_known(&law->static_cone) ? &law->static_cone
                                                                                           : NULL;
        if (cone)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the friction law '%s' of contact '%s' has no derivatives", cone->shape->name,
                              model->contact[k].name);
    }
    return step_tangent_check_size(
        (double)model->dof + model->joints + CAROM_CONTACT_COMPONENTS * (double)model->contacts, error);
}

/* Q^2 of a slip rule of its own: (p_i / mu_i)^2, divided by the larger one. */
static void rule_along(const double *c, const double *dc, const carom_planar_set *set,
                       carom_planar_set *along)
{
    double rate[2]; /* d log Q_i^2 */
    for (int i = 0; i < 2; i++)
        rate[i] = 2.0 * (dc[3 + i] / c[3 + i] - dc[i] / c[i]);
    const int larger = set->q2[1] > set->q2[0];
    for (int i = 0; i < 2; i++)
        along->q2[i] = set->q2[i] * (rate[i] - rate[larger]);
}

/* Sets of these laws are linear in their coefficients, but for a slip rule. */
static carom_planar_set set_along(const contact_status *s, const carom_contact_frame *along)
{
    const carom_friction_law *law = &s->info->friction;
    carom_planar_set set = carom_friction_law_set(law, along->coefficients, s->info->tangents, s->sticking);
    set.q2[0] = set.q2[1] = 0.0;
    const int behind = law->two_level && !s->sticking ? law->static_cone.coefficients : 0;
    if (s->set.q2[0] != 0.0 || s->set.q2[1] != 0.0)
        rule_along(s->coefficients + behind, along->coefficients + behind, &s->set, &set);
    return set;
}

/* ---- x, the friction per normal impulse of a slip --------------------------------------------------------- */

static void disk_along(const contact_status *s, const carom_planar_set *d, const double *dv, double *dx)
{
    const double *v = s->u + 1;
    const double speed = hypot(v[0], v[1]), n[2] = {v[0] / speed, v[1] / speed};
    const double along = n[0] * dv[0] + n[1] * dv[1];
    for (int i = 0; i < 2; i++)
        dx[i] = -d->a * n[i] - s->set.a * (dv[i] - n[i] * along) / speed;
}

/* x = -A^2 w / |A w| along the axes, w = Q^2 u there. */
static void ellipse_along(const contact_status *s, const carom_planar_set *d, const double *du, double *dx)
{
    const carom_planar_set *set = &s->set;
    const double c = cos(set->angle), sn = sin(set->angle), *u = s->u + 1;
    const double axis[2] = {set->a, set->b}, d_axis[2] = {d->a, d->b};
    const bool own = set->q2[0] != 0.0 || set->q2[1] != 0.0;
    double w[2] = {c * u[0] + sn * u[1], c * u[1] - sn * u[0]};
    double dw[2] = {c * du[0] + sn * du[1] + d->angle * w[1], c * du[1] - sn * du[0] - d->angle * w[0]};
    double g[2], dg[2], x[2], turned[2];
    for (int i = 0; i < 2; i++) {
        if (own) {
            dw[i] = set->q2[i] * dw[i] + d->q2[i] * w[i];
            w[i] *= set->q2[i];
        }
        g[i] = axis[i] * w[i];
        dg[i] = d_axis[i] * w[i] + axis[i] * dw[i];
    }
    const double size = hypot(g[0], g[1]), along = (g[0] * dg[0] + g[1] * dg[1]) / size;
    for (int i = 0; i < 2; i++) {
        x[i] = -axis[i] * g[i] / size;
        turned[i] = -d_axis[i] * g[i] / size - axis[i] * (dg[i] - g[i] * along / size) / size;
    }
    dx[0] = c * turned[0] - sn * turned[1] - d->angle * (sn * x[0] + c * x[1]);
    dx[1] = sn * turned[0] + c * turned[1] + d->angle * (c * x[0] - sn * x[1]);
}

static void slip_along(const contact_status *s, const carom_planar_set *d, const double *du, double *dx)
{
    switch (s->set.kind) {
    case CAROM_PLANAR_INTERVAL:
        dx[0] = s->vertex == 0 ? d->a : d->b;
        break;
    case CAROM_PLANAR_DISK:
        disk_along(s, d, du + 1, dx);
        break;
    case CAROM_PLANAR_ELLIPSE:
        ellipse_along(s, d, du + 1, dx);
        break;
    case CAROM_PLANAR_POLYGON:
        dx[0] = d->vertex[2 * s->vertex];
        dx[1] = d->vertex[2 * s->vertex + 1];
        break;
    case CAROM_PLANAR_POINT:
        dx[0] = dx[1] = 0.0;
        break;
    }
}

static bool weakens(const contact_status *s)
{
    return s->info->friction.dynamic_cone.shape == &carom_friction_weakening;
}

/* x = -Sign(u) T(|u|), T = Td + (Ts - Td) exp(-vd |u|) */
static double weakening_along(const contact_status *s, const double *dc, double du)
{
    const double sign = s->u[1] < 0.0 ? -1.0 : 1.0, speed = fabs(s->u[1]);
    const carom_weakening law = {
        .Td = s->coefficients[0], .Ts = s->coefficients[1], .vd = s->coefficients[2]};
    const double left = exp(-law.vd * speed);
    return -sign * (dc[0] * (1.0 - left) + dc[1] * left - (law.Ts - law.Td) * speed * left * dc[2] -
                    carom_weakening_slope(&law, speed) * sign * du);
}

/* ---- reading a status --------------------------------------------------------------------------------------- */

static double cross(const double a[2], const double b[2])
{
    return a[0] * b[1] - a[1] * b[0];
}

/* Of a polygon: the vertex that x is, or the edge that it is on. */
static void read_polygon(contact_status *s)
{
    const int count = s->set.vertices;
    const double *vertex = s->set.vertex;
    double nearest = INFINITY, closest = INFINITY, size = 0.0;
    int edge = 0;
    for (int i = 0; i < count; i++) {
        const double *a = vertex + 2 * i, *b = vertex + 2 * ((i + 1) % count);
        const double side[2] = {b[0] - a[0], b[1] - a[1]}, to[2] = {s->x[0] - a[0], s->x[1] - a[1]};
        const double away = hypot(to[0], to[1]), length = hypot(side[0], side[1]);
        const double off = length > 0.0 ? fabs(cross(side, to)) / length : INFINITY;
        size = fmax(size, hypot(a[0], a[1]));
        if (away < nearest) {
            nearest = away;
            s->vertex = i;
        }
        if (off < closest) {
            closest = off;
            edge = i;
        }
    }
    s->slip = nearest <= 1e-9 * size ? SLIP_VERTEX : SLIP_EDGE;
    if (s->slip == SLIP_EDGE)
        s->vertex = edge;
}

static void read_slip(contact_status *s)
{
    for (int i = 0; i < s->tangents; i++)
        s->x[i] = s->p[1 + i] / s->p[0];
    s->slip = SLIP_SMOOTH;
    if (s->set.kind == CAROM_PLANAR_INTERVAL)
        s->vertex = fabs(s->x[0] - s->set.a) > fabs(s->x[0] - s->set.b);
    else if (s->set.kind == CAROM_PLANAR_POLYGON)
        read_polygon(s);
}

void contact_tangent_read(contact_status *status, const carom_contact_info *info,
                          const carom_contact_frame *frame, bool sticking, carom_contact_regime regime,
                          const double *p, const double *u)
{
    status->info = info;
    status->sticking = sticking;
    status->regime = regime;
    status->slip = SLIP_NONE;
    status->from = info->friction_force ? 1 : 0;
    status->tangents = carom_friction_law_acts(&info->friction, frame->coefficients) ? info->tangents : 0;
    status->coefficients = frame->coefficients;
    status->set = carom_friction_law_set(&info->friction, frame->coefficients, info->tangents, sticking);
    memcpy(status->p, p, sizeof status->p);
    memcpy(status->u, u, sizeof status->u);
    status->open = !info->friction_force && !(p[0] > 0.0);
    if (status->tangents == 0) {
        status->open = status->open || info->friction_force; /* a bound of zero */
        return;
    }
    if (!status->open && regime != CAROM_CONTACT_STICK)
        read_slip(status);
}

/* ---- the law ------------------------------------------------------------------------------------------------ */

/* Along an edge from V in the direction e, with its normal n: u.e = 0, (p_T - p_N V).n = 0. */
static void edge_rows(const contact_status *s, const carom_planar_set *d, const double *dp, const double *du,
                      double *row)
{
    const int next = (s->vertex + 1) % s->set.vertices;
    const double *V = s->set.vertex + 2 * s->vertex, *W = s->set.vertex + 2 * next;
    const double *dV = d->vertex + 2 * s->vertex, *dW = d->vertex + 2 * next;
    const double e[2] = {W[0] - V[0], W[1] - V[1]}, de[2] = {dW[0] - dV[0], dW[1] - dV[1]};
    double off[2], d_off[2];
    for (int i = 0; i < 2; i++) {
        off[i] = s->p[1 + i] - s->p[0] * V[i];
        d_off[i] = dp[1 + i] - dp[0] * V[i] - s->p[0] * dV[i];
    }
    row[0] = du[1] * e[0] + du[2] * e[1] + s->u[1] * de[0] + s->u[2] * de[1];
    row[1] = cross(e, d_off) + cross(de, off);
}

void contact_tangent_rows(const contact_status *status, const carom_contact_frame *frame_along,
                          const double *dp, const double *du, double *row)
{
    if (status->open)
        return;
    if (status->from == 0)
        *row++ = du[0];
    if (status->slip == SLIP_NONE) {
        for (int i = 1; i <= status->tangents; i++)
            *row++ = du[i];
        return;
    }
    const carom_planar_set along = set_along(status, frame_along);
    if (status->slip == SLIP_EDGE) {
        edge_rows(status, &along, dp, du, row);
        return;
    }
    double dx[CAROM_TANGENTS_MAX] = {0};
    if (weakens(status))
        dx[0] = weakening_along(status, frame_along->coefficients, du[1]);
    else
        slip_along(status, &along, du, dx);
    for (int i = 0; i < status->tangents; i++)
        *row++ = dp[1 + i] - dp[0] * status->x[i] - status->p[0] * dx[i];
}

double contact_tangent_margin(const contact_status *status, double impulse, double velocity,
                              const char **other)
{
    *other = "closes";
    if (status->open)
        return status->from == 0 && velocity > 0.0 ? fabs(status->u[0]) / velocity : 1.0;
    double margin = 1.0;
    if (status->from == 0) {
        *other = "opens";
        margin = impulse > 0.0 ? fabs(status->p[0]) / impulse : 0.0;
    }
    if (status->tangents == 0)
        return margin;
    double free = 1.0;
    if (status->slip == SLIP_NONE) { /* how far p_T is from the boundary of the set */
        const double scale = 1.0 + 1e-9,
                     pushed[2] = {scale * status->p[1], status->tangents > 1 ? scale * status->p[2] : 0.0};
        double nearest[2];
        free = carom_planar_project(&status->set, status->p[0], pushed, nearest) ? 1.0 : 0.0;
    } else if (status->slip != SLIP_EDGE) {
        const double slip = hypot(status->u[1], status->tangents > 1 ? status->u[2] : 0.0);
        free = velocity > 0.0 ? slip / velocity : 0.0; /* a slip of zero: at rest, and about to move */
    }
    if (free < margin)
        *other = status->slip == SLIP_NONE ? "slips" : "sticks";
    return fmin(free, margin);
}
