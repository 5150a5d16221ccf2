#include "step_failure.h"

#include <math.h>
#include <stdio.h>

carom_status fail_step(carom_error *error, double t, long step, const char *format, ...)
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
                     "the velocity of coordinate '%s' is %g; the motion has left the range of numbers "
                     "(a smaller step h may help)",
                     model->coordinate[i], velocity[i]);
}

static carom_status check_option(const carom_scheme_ops *scheme, int option, double value, carom_error *error)
{
    const carom_option_info *info = &scheme->options[option];
    if (value >= info->min && value <= info->max)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "scheme '%s': option %s = %g is not in [%g, %g]", scheme->name,
                      info->name, value, info->min, info->max);
}

static carom_status check_initial(const carom_model *model, const char *what, const double *x,
                                  carom_error *error)
{
    int i = first_not_finite(model->dof, x);
    if (i == model->dof)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "the initial %s of coordinate '%s' is %g; it must be finite",
                      what, model->coordinate[i], x[i]);
}

carom_status check_step_settings(const carom_scheme_ops *scheme, const carom_model *model,
                                 const carom_step_settings *settings, const double *q0, const double *v0,
                                 carom_error *error)
{
    carom_status status = carom_scheme_accepts(scheme, model, error);
    if (status != CAROM_OK)
        return status;
    if (!(settings->h > 0.0) || !isfinite(settings->h))
        return carom_fail(error, CAROM_BAD_INPUT, "the time step h = %g must be a positive finite number",
                          settings->h);
    if (!isfinite(settings->t0))
        return carom_fail(error, CAROM_BAD_INPUT, "the initial time t0 = %g must be finite", settings->t0);
    for (int i = 0; i < scheme->option_count && status == CAROM_OK; i++)
        status = check_option(scheme, i, settings->options[i], error);
    if (status == CAROM_OK)
        status = check_initial(model, "position", q0, error);
    if (status == CAROM_OK)
        status = check_initial(model, "velocity", v0, error);
    return status;
}
