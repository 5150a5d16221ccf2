/* harmonic_balance { w =, N =, gap = }: one mass, the contact force as a cosine series. */
#include <math.h>

#include "carom/periodic.h"
#include "carom/run/study.h"

enum {
    MOST_HARMONICS = 2000
};

static carom_status compute(carom_study_call *call)
{
    static const double one = 1.0, away = -1.0;
    const carom_mode_system system = {1, &one, &one, &away, carom_study_number(call, "gap")};
    carom_harmonic_options options = carom_harmonic_defaults();
    options.harmonics = carom_study_whole(call, "N");
    options.alpha = carom_study_number(call, "alpha");
    carom_mode_basis *basis = NULL;
    carom_harmonic_motion motion = {0};
    carom_status status = carom_mode_basis_create(&system, &basis, call->error);
    if (status == CAROM_OK)
        status = carom_harmonic_balance(basis, carom_study_number(call, "w"), &options, NULL, &motion,
                                        call->error);
    carom_mode_basis_free(basis);
    if (status != CAROM_OK)
        return status;
    carom_study_give_number(call, "energy", motion.energy);
    carom_study_give_number(call, "penetration", motion.penetration);
    carom_study_give_number(call, "impulse", motion.impulse);
    carom_study_give_number(call, "iterations", motion.iterations);
    carom_study_give_flag(call, "trivial", motion.trivial);
    return CAROM_OK;
}

static const carom_study_input inputs[] = {
    {"w", CAROM_STUDY_NUMBER, NULL, "frequency of the motion", .value = NAN},
    {"N", CAROM_STUDY_WHOLE, NULL, "harmonics", .value = NAN, .min = 1, .max = MOST_HARMONICS},
    {"gap", CAROM_STUDY_NUMBER, NULL, "between the mass at rest and the wall", .value = 1.0},
    {"alpha", CAROM_STUDY_NUMBER, NULL, "of the complementarity equation", .value = 1.0},
    {0}};

static const carom_study_output outputs[] = {
    {"energy", CAROM_STUDY_NUMBER, NULL, "energy"},
    {"penetration", CAROM_STUDY_NUMBER, NULL, "how far the mass goes into the wall"},
    {"impulse", CAROM_STUDY_NUMBER, NULL, "of the contact force in a period"},
    {"iterations", CAROM_STUDY_WHOLE, NULL, "of Newton's method"},
    {"trivial", CAROM_STUDY_FLAG, NULL, "only rest was found"},
    {0}};

const carom_study_ops study_harmonic_balance = {
    .name = "harmonic_balance",
    .summary = "periodic motion of one mass against a wall as a cosine series",
    .inputs = inputs,
    .outputs = outputs,
    .compute = compute};
