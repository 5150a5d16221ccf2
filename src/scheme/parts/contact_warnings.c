#include "contact_warnings.h"

#include <math.h>

/* Gradients whose product is below this share of their lengths are orthogonal. */
static const double angle_tolerance = 1e-12;

/* A rate below this share of its own terms is rounding. */
static const double rate_rounding = 1e-12;

bool is_closing(const contact_rows *rows, int contact, const double *v)
{
    const carom_contact_frame *frame = &rows->frame[contact];
    double size = fabs(frame->normal_rate);
    for (int i = 0; i < frame->normal.count; i++)
        size = fmax(size, fabs(frame->normal.value[i] * v[carom_row_column(&frame->normal, i)]));
    return contact_velocity(rows, contact, 0, v) < -rate_rounding * size;
}

/* An initial velocity that drives into a closed contact: the first step makes an impact of it. */
static void warn_about_velocity(carom_warnings *warnings, const carom_contact_info *info,
                                const contact_rows *rows, int contact, double gap, const double *v)
{
    if (gap <= 0.0 && is_closing(rows, contact, v))
        carom_warn(
            warnings,
            "contact '%s' is closed at the start and closing (gap rate %g): the first step is an impact",
            info->name, contact_velocity(rows, contact, 0, v));
}

/* Static friction below dynamic friction: a contact that sticks would be held less than one that slides. */
static void warn_about_friction(carom_warnings *warnings, const carom_contact_info *info,
                                const carom_contact_frame *frame)
{
    const carom_friction_law *law = &info->friction;
    const int count = law->static_cone.coefficients;
    if (!law->two_level || law->static_cone.shape != law->dynamic_cone.shape ||
        count != law->dynamic_cone.coefficients || law->static_cone.shape == &carom_friction_polygonal)
        return;
    /* of an ellipse the semi-axes, where the axes are the same */
    const bool turned = law->static_cone.shape == &carom_friction_elliptic && count > 2;
    if (turned && frame->coefficients[2] != frame->coefficients[count + 2])
        return;
    for (int i = 0; i < (turned ? 2 : count); i++)
        if (frame->coefficients[i] < frame->coefficients[count + i]) {
            carom_warn(warnings, "contact '%s': static friction %g is below dynamic friction %g", info->name,
                       frame->coefficients[i], frame->coefficients[count + i]);
            return;
        }
}

void warn_about_start(carom_warnings *warnings, const carom_model *model, const contact_rows *rows,
                      const double *gap, const double *v)
{
    for (int contact = 0; contact < model->contacts; contact++) {
        const carom_contact_info *info = &model->contact[contact];
        warn_about_velocity(warnings, info, rows, contact, gap[contact], v);
        warn_about_friction(warnings, info, &rows->frame[contact]);
    }
}

void warn_about_angles(carom_warnings *warnings, bool *warned, int count, const double *matrix,
                       double restitution, double t)
{
    for (int k = 0; k < count && !*warned; k++)
        for (int l = 0; l < k && !*warned; l++) {
            const double product = matrix[k * count + l];
            const double limit = angle_tolerance * sqrt(matrix[k * count + k] * matrix[l * count + l]);
            if (product <= limit && (restitution == 0.0 || product >= -limit))
                continue;
            *warned = true;
            carom_warn(
                warnings,
                "corner at t=%g violates the angle condition (g1.M^-1.g2=%g, e=%g): outcome may depend "
                "discontinuously on data and step",
                t, product, restitution);
        }
}
