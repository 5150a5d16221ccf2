/* What of the figures is a doubt, in words. */
#include "certifier.h"

#include <stdio.h>

/* Shares above which a figure is a doubt. */
static const double energy_doubt = 0.01;       /* of the energy that was moved */
static const double energy_rounding = 1e-12;   /* of the energies themselves: nothing moves */
static const double penetration_doubt = 0.01;  /* of the largest gap or displacement */
static const double position_rounding = 1e-14; /* of the coordinates: a violation as small as this is zero */
static const double rounding_doubt = 0.01;     /* of the displacement, or of the way that velocities say */
/* Mean square of the change of the velocity in a step, of that of the velocity: (h omega)^2 of an oscillation. At 1
 * there are six steps in a period; 4 is a velocity that changes its sign in every step. */
static const double resolution_doubt = 1.0;
static const double motion_rounding =
    1e-20; /* of the energies: a kinetic energy as small as this is rounding */
/* Of the energies, and of what forces give in one step: a mean kinetic energy as small as this is noise. */
static const double motion_noise = 1e-10, held_noise = 1e-12;
enum {
    FEW_CHANGES = 4 /* so few steps tell nothing of an oscillation */
};

static void doubt(carom_certificate *found, const char *format, ...) CAROM_PRINTF(2, 3);
static void doubt(carom_certificate *found, const char *format, ...)
{
    if (found->doubts < CAROM_DOUBTS_KEPT) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(found->doubt[found->doubts], sizeof found->doubt[0], format, arguments);
        va_end(arguments);
    }
    found->doubts++;
}

/* A share in words, where there is something to compare with. */
static const char *percent_of(char text[80], double part, double whole, const char *what)
{
    if (!(whole > 0.0) || part > 1e6 * whole)
        snprintf(text, 80, "while next to nothing else moves");
    else
        snprintf(text, 80, "%.3g %% of the %s", 100.0 * part / whole, what);
    return text;
}

static void doubt_energy(const certifier *self, carom_certificate *found)
{
    const double scale = found->energy_scale;
    const double size = fmax(fabs(found->energy_initial), fabs(found->energy_final));
    char share[80];
    if (!isfinite(found->scheme))
        doubt(found, "energy: the works are not finite numbers (forces %g, contacts %g, joints %g)",
              found->forces, found->contacts, found->joints);
    else if (fabs(found->scheme) > energy_doubt * scale && fabs(found->scheme) > energy_rounding * size)
        doubt(found, "energy: the discretisation itself %s %.4g, %s; compare with h/2 (--certify)",
              found->scheme > 0.0 ? "gained" : "lost", fabs(found->scheme),
              percent_of(share, fabs(found->scheme), scale, "energy that moves"));
    if (self->gain > CERTIFIER_GAIN_DOUBT * scale)
        doubt(found,
              "energy: the contacts gained %.4g at t = %.6g (contact '%s'), more than at any other of %ld "
              "such impact%s: "
              "the law of impact or the step creates energy there",
              self->gain, self->gain_time, self->gain_contact, self->gains > 1 ? self->gains : 1,
              self->gains > 1 ? "s" : "");
}

static void doubt_gaps(const certifier *self, carom_certificate *found)
{
    const double displacement = certifier_length_scale(self);
    const double scale = self->own ? self->own_length : fmax(self->gap_length, displacement);
    const double length = self->own ? found->penetration : self->violation;
    const int contact = self->own ? -1 : self->violated;
    char share[80];
    if (length > penetration_doubt * scale && length > position_rounding * self->position_size)
        doubt(found, "penetration: contact '%s' is violated by %.4g at t = %.6g, %s",
              contact < 0 ? found->penetration_contact : self->model->contact[contact].name,
              contact < 0 ? found->penetration : self->deepest[contact],
              contact < 0 ? found->penetration_time : self->deepest_time[contact],
              percent_of(share, length, scale, self->own ? "smallest body" : "largest gap or displacement"));
    if (self->jump_contact >= 0 && self->jump > penetration_doubt * scale)
        doubt(found,
              "penetration: contact '%s' moves the system by %.4g at once at t = %.6g, beyond its velocity: "
              "does its gap jump?",
              self->model->contact[self->jump_contact].name, self->jump, self->jump_time);
    if (found->crossings > 0)
        doubt(found,
              "crossing: the step after t = %.6g passes through contact '%s' (%ld such step%s in all): h is "
              "too large for it",
              found->crossing_time, found->crossing_contact, found->crossings,
              found->crossings == 1 ? "" : "s");
    const double moved = self->own ? fmax(displacement, self->own_length) : displacement;
    if (found->drift > CERTIFIER_DRIFT_DOUBT * moved)
        doubt(found, "joints: joint '%s' is off by %.4g at t = %.6g, while coordinates move by %.4g",
              self->model->joint[found->drift_joint], found->drift, found->drift_time, displacement);
}

/* Mean square of the velocity about its mean, times the number of looks; in every frame the same. */
static double speed_of(const certifier *self, int i)
{
    return fmax(0.0,
                self->speeds[i] - self->velocities[i] / (double)self->changes_seen * self->velocities[i]);
}

/* Does the step follow the motion at all? Schemes that keep the energy do so for any step. */
static void doubt_resolution(const certifier *self, const carom_stepper *stepper, carom_certificate *found)
{
    const double energies =
        fmax(certifier_energy_moved(self), fmax(fabs(found->energy_initial), fabs(found->energy_final)));
    double speed = 0.0, change = 0.0, most = -1.0;
    int fastest = 0;
    if (!stepper || self->located || self->changes_seen < FEW_CHANGES)
        return;
    for (int i = 0; i < self->layout.dof; i++) {
        const double part = self->inertia[i] * self->changes[i];
        speed += self->inertia[i] * speed_of(self, i);
        change += part;
        if (part > most) {
            most = part;
            fastest = i;
        }
    }
    if (!(change > resolution_doubt * speed) ||
        !(speed > (double)self->changes_seen * fmax(motion_noise * energies, held_noise * self->step_energy)))
        return;
    doubt(found,
          "resolution: the velocity, that of '%s' most of all, changes by %.3g times itself in each step "
          "(mean square): "
          "h = %g has less than six steps per oscillation, and does not follow the motion",
          carom_model_velocity_name(self->model, fastest), sqrt(change / speed), stepper->h);
}

/* Do positions follow velocities? Far from zero the steps are below their last digits. */
static void doubt_rounding(const certifier *self, const carom_stepper *stepper, carom_certificate *found)
{
    const double displacement = certifier_displacement(self);
    double lost = 0.0, way = 0.0;
    int most = -1;
    if (!stepper || self->located)
        return;
    for (int i = 0; i < self->layout.dof; i++) {
        way = fmax(way, fabs(self->told[i]));
        if (self->lost[i] > lost) {
            lost = self->lost[i];
            most = i;
        }
    }
    const double energies =
        fmax(found->energy_scale, fmax(fabs(found->energy_initial), fabs(found->energy_final)));
    if (!(lost > rounding_doubt * fmax(displacement, way)) || most < 0)
        return;
    const double speed = way / (self->sample_time - self->start_time);
    if (!(self->inertia[most] * speed * speed > motion_rounding * energies))
        return; /* what rests trembles */
    doubt(found,
          "rounding: positions cannot resolve the step. '%s' lost %.4g of its way, since h v is below the "
          "last digits of %.6g; "
          "choose an origin nearer to the motion",
          carom_model_velocity_name(self->model, most), lost, self->start[self->position[most]]);
}

void certifier_note_doubts(const certifier *self, const carom_stepper *stepper,
                           const carom_run_result *result, carom_certificate *found)
{
    if (result->steps > 0) {
        doubt_energy(self, found);
        doubt_gaps(self, found);
        doubt_resolution(self, stepper, found);
        doubt_rounding(self, stepper, found);
    }
    if (found->unsolved_steps > 0)
        doubt(found,
              "contacts: %ld step%s went on with a contact problem that was not solved to its tolerance",
              found->unsolved_steps, found->unsolved_steps == 1 ? "" : "s");
    for (int i = 0; i < result->warnings.count && i < CAROM_WARNINGS_KEPT; i++)
        if (result->warnings.is_doubt[i])
            doubt(found, "%s", result->warnings.text[i]);
    if (result->status != CAROM_OK)
        doubt(found, "end: the run stopped at t = %.6g, before its end", result->t_end);
}
