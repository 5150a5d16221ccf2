#include "step_report.h"

#include <math.h>
#include <stdio.h>

carom_status(fail_step)(carom_error *error, double t, long step, const char *format, ...)
{
    char what[1536];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return carom_fail(error, CAROM_FAILED, "t = %.9g, step %ld: %s", t, step, what);
}

int first_not_finite(int n, const double *x)
{
    int i = 0;
    while (i < n && isfinite(x[i]))
        i++;
    return i;
}

carom_status fail_not_finite(carom_error *error, double t, long step, const carom_model *model,
                             const double *force, const double *velocity)
{
    int i = first_not_finite(model->dof, force);
    if (i < model->dof)
        return fail_step(error, t, step, "the force of coordinate '%s' is %g; it must be a finite number",
                         model->coordinate[i], force[i]);
    i = first_not_finite(model->dof, velocity);
    if (i == model->dof)
        i = 0;
    return fail_step(error, t, step,
                     "the velocity of coordinate '%s' is %g; the motion has left the range of numbers. Look "
                     "where it begins to grow: if it does so with half the step, too, the model is the cause",
                     model->coordinate[i], velocity[i]);
}

const char *schemes_for_anything(char *text, size_t size)
{
    const unsigned abilities = CAROM_SCHEME_ANY_MASS | CAROM_SCHEME_RESTITUTION | CAROM_SCHEME_FRICTION |
                               CAROM_SCHEME_FRICTION_FORCES | CAROM_SCHEME_JOINTS;
    size_t used = 0;
    for (size_t i = 0; i < carom_scheme_count() && used < size; i++) {
        const carom_scheme_ops *scheme = carom_scheme_at(i);
        const bool has_steps = !(scheme->abilities & (CAROM_SCHEME_LOCATES_IMPACTS | CAROM_SCHEME_OWN_STEPS));
        if ((scheme->abilities & abilities) == abilities && has_steps && !scheme->for_comparison)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? " or " : "", scheme->name);
    }
    return text;
}
