/* Patterns from lists, verdicts as words and sentences, the motion at any time. */
#include <math.h>
#include <stdio.h>

#include "ring.h"

static carom_status put(int contacts, int count, const int *list, carom_phase phase, carom_phase *pattern,
                        carom_error *error)
{
    for (int i = 0; i < count; i++) {
        const int c = list[i];
        if (c < 0 || c >= contacts)
            return carom_fail(error, CAROM_BAD_INPUT, "particle %d: indices go from 0 to %d", c,
                              contacts - 1);
        if (pattern[c] != CAROM_PHASE_NEVER && pattern[c] != phase)
            return carom_fail(error, CAROM_BAD_INPUT, "particle %d cannot impact at both 0 and T/2", c);
        pattern[c] = phase;
    }
    return CAROM_OK;
}

carom_status carom_pattern_make(int contacts, int half_count, const int *half, int start_count,
                                const int *start, carom_phase *pattern, carom_error *error)
{
    if (half_count < 1 && start_count < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "no impacting particle: this is a linear mode");
    for (int c = 0; c < contacts; c++)
        pattern[c] = CAROM_PHASE_NEVER;
    carom_status status = put(contacts, half_count, half, CAROM_PHASE_HALF, pattern, error);
    return status == CAROM_OK ? put(contacts, start_count, start, CAROM_PHASE_START, pattern, error) : status;
}

static const char *const words[] = {
    [CAROM_ORBIT_OK] = "ok",
    [CAROM_ORBIT_GRAZE] = "graze",
    [CAROM_ORBIT_PULL] = "pull",
    [CAROM_ORBIT_TOUCH] = "touch",
    [CAROM_ORBIT_PENETRATE] = "penetrate",
    [CAROM_ORBIT_SINGULAR] = "singular",
    [CAROM_ORBIT_DIVERGE] = "diverge",
};

const char *carom_orbit_word_text(carom_orbit_word word)
{
    return words[word];
}

static void describe_resonance(const carom_orbit *orbit, const carom_linear_oscillator *o, size_t size,
                               char *text)
{
    carom_format(text, size, "T = %.10g is resonant with %smode %s%d (condition %.1e): perturb T",
                 orbit->period, o->ring ? "ring " : "", o->ring ? "k = " : "", orbit->resonance,
                 orbit->condition);
}

void carom_orbit_describe(const carom_orbit *orbit, const carom_linear_oscillator *o, size_t size, char *text)
{
    const char *const what = o->ring ? "particle" : "contact";
    switch (orbit->word) {
    case CAROM_ORBIT_OK:
        carom_format(text, size, "a motion: the smallest gap between impacts is %.6g, of %s %d at t = %.6g",
                     orbit->margin, what, orbit->contact, orbit->time);
        break;
    case CAROM_ORBIT_GRAZE:
        carom_format(text, size, "NOT a motion: %s %d only grazes, velocity %.3g at t = %.6g", what,
                     orbit->contact, orbit->margin, orbit->time);
        break;
    case CAROM_ORBIT_PULL:
        carom_format(text, size,
                     "NOT a motion: the obstacle would have to pull %s %d, velocity %.6g at t = %.6g", what,
                     orbit->contact, orbit->margin, orbit->time);
        break;
    case CAROM_ORBIT_TOUCH:
    case CAROM_ORBIT_PENETRATE:
        if (orbit->margin < 0.0)
            carom_format(text, size, "NOT a motion: %s %d penetrates by %.6g at t = %.6g%s", what,
                         orbit->contact, -orbit->margin, orbit->time,
                         orbit->word == CAROM_ORBIT_TOUCH ? ", where the pattern has no impact" : "");
        else
            carom_format(text, size, "NOT a motion: %s %d touches without impact at t = %.6g", what,
                         orbit->contact, orbit->time);
        break;
    case CAROM_ORBIT_SINGULAR:
        describe_resonance(orbit, o, size, text);
        break;
    case CAROM_ORBIT_DIVERGE:
        carom_format(text, size, "amplitude %.3g: next to a pole, at which the motion diverges",
                     orbit->amplitude);
        break;
    }
}

/* Even about 0 and T/2: times are folded to the first half period. */
void carom_orbit_state(const carom_orbit *orbit, const carom_linear_oscillator *o, double t, bool left,
                       double *y, double *v, double *work)
{
    const double T = orbit->period;
    double s = fmod(t, T);
    s += s < 0.0 ? T : 0.0;
    bool mirrored = s > 0.5 * T || (s == 0.5 * T && !left) || (s == 0.0 && left);
    if (s > 0.5 * T)
        s = T - s;
    carom_linear_flow(o, s, orbit->y0, orbit->v0, y, v, work);
    for (int i = 0; mirrored && i < o->size; i++)
        v[i] = -v[i];
}
