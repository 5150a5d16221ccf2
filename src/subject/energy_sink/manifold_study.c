/* sink_manifold { eps =, w1 =, ... }: the slow invariant manifold of the energy sink. */
#include "study_inputs.h"

enum {
    CURVE_POINTS = 201
};

static carom_status compute(carom_study_call *call)
{
    const carom_energy_sink sink = energy_sink_read(call);
    const double most = carom_study_number(call, "n2_max");
    if (call->status != CAROM_OK)
        return call->status;
    carom_manifold_fold fold[2];
    const int folds = carom_manifold_folds(&sink, fold);
    double n2[2], n1[2], landing[2], forcing[2], phase[2], angle[2], curve[2 * CURVE_POINTS];
    for (int i = 0; i < folds; i++) {
        n2[i] = fold[i].n2;
        n1[i] = fold[i].n1;
        landing[i] = fold[i].landing;
        forcing[i] = fold[i].forcing;
        phase[i] = fold[i].phase;
        angle[i] = fold[i].angle;
    }
    for (int i = 0; i < CURVE_POINTS; i++) {
        curve[2 * i] = most * i / (CURVE_POINTS - 1);
        curve[2 * i + 1] = carom_manifold_amplitude(&sink, curve[2 * i]);
    }
    carom_study_give_list(call, "folds", folds, n2);
    carom_study_give_list(call, "fold_n1", folds, n1);
    carom_study_give_list(call, "fold_phase", folds, phase);
    carom_study_give_list(call, "landings", folds, landing);
    carom_study_give_list(call, "fold_forcing", folds, forcing);
    carom_study_give_list(call, "fold_angle", folds, angle);
    carom_study_give_matrix(call, "curve", CURVE_POINTS, 2, curve);
    return CAROM_OK;
}

static const carom_study_input inputs[] = {
    ENERGY_SINK_INPUTS,
    {"n2_max", CAROM_STUDY_NUMBER, NULL, "N2 at the end of the curve", .value = 6.0},
    {0}};

static const carom_study_output outputs[] = {
    {"folds", CAROM_STUDY_LIST, NULL, "N2 at the maximum and the minimum of N1; empty without folds"},
    {"fold_n1", CAROM_STUDY_LIST, NULL, "N1 there"},
    {"fold_phase", CAROM_STUDY_LIST, "rad", "phase between both there"},
    {"fold_forcing", CAROM_STUDY_LIST, NULL, "f0 for which the fold is an equilibrium"},
    {"fold_angle", CAROM_STUDY_LIST, "rad", "angle of the forcing for it"},
    {"landings", CAROM_STUDY_LIST, NULL, "N2 where the fast flow goes from the folds"},
    {"curve", CAROM_STUDY_MATRIX, NULL, "points { N2, N1 } of the manifold"},
    {0}};

const carom_study_ops study_sink_manifold = {
    .name = "sink_manifold",
    .summary = "slow invariant manifold of the energy sink: folds, landing points, their forcing",
    .inputs = inputs,
    .outputs = outputs,
    .compute = compute};
