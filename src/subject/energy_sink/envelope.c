/* First harmonics of a motion. */
#include <math.h>

#include "carom/subject/energy_sink.h"

carom_envelope carom_envelope_of(double w, int samples)
{
    return (carom_envelope){.w = w, .samples = samples > 0 ? samples : 1};
}

bool carom_envelope_take(carom_envelope *envelope, double t, double q, double q_dot)
{
    const double c = cos(envelope->w * t), s = sin(envelope->w * t), wq = envelope->w * q;
    envelope->real += q_dot * c + wq * s;
    envelope->imaginary += wq * c - q_dot * s;
    if (++envelope->taken < envelope->samples)
        return false;
    envelope->value_real = envelope->real / envelope->samples;
    envelope->value_imaginary = envelope->imaginary / envelope->samples;
    envelope->modulus = hypot(envelope->value_real, envelope->value_imaginary);
    envelope->real = envelope->imaginary = 0.0;
    envelope->taken = 0;
    return true;
}
