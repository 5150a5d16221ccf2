/* impact_mode { n =, m =, k =, gap =, T =, impacts = }: periodic motions of a chain whose last mass meets a wall. */
#include <math.h>

#include "carom/periodic.h"
#include "carom/run/study.h"

enum {
    MOST_MASSES = 500,
    MOST_MOTIONS = 16
};

/* The first motion that is one; the first candidate when none is. */
static int first_admissible(int found, carom_mode *const *mode)
{
    for (int i = 0; i < found; i++)
        if (mode[i]->verdict == CAROM_MODE_ADMISSIBLE)
            return i + 1;
    return 1;
}

static carom_status give_mode(carom_study_call *call, const carom_mode *mode, int masses, int found)
{
    const bool admissible = mode->verdict == CAROM_MODE_ADMISSIBLE;
    double largest = 0.0;
    if (admissible) {
        const carom_status status = carom_mode_multipliers(mode, NULL, NULL, &largest, call->error);
        if (status != CAROM_OK)
            return status;
    }
    carom_study_give_list(call, "u", masses, mode->q);
    carom_study_give_list(call, "v", masses, mode->v);
    carom_study_give_list(call, "flights", mode->impacts, mode->flight);
    carom_study_give_list(call, "impulses", mode->impacts, mode->impulse);
    carom_study_give_number(call, "energy", mode->energy);
    carom_study_give_number(call, "margin", mode->gap);
    carom_study_give_number(call, "max_multiplier", largest);
    carom_study_give_number(call, "found", found);
    carom_study_give_flag(call, "admissible", admissible);
    carom_study_give_text(call, "verdict", mode->text);
    return CAROM_OK;
}

/* One impact per period, or the `which`-th motion with two; which = 0: the first that is a motion. */
static carom_status solve_mode(carom_study_call *call, const carom_mode_system *system, double period,
                               int impacts, int which)
{
    carom_mode_basis *basis = NULL;
    carom_mode *mode[MOST_MOTIONS] = {NULL};
    int found = 0;
    carom_error *error = call->error;
    carom_status status = carom_mode_basis_create(system, &basis, error);
    if (status == CAROM_OK && impacts == 1) {
        status = carom_mode_one_impact(basis, period, &mode[0], error);
        found = status == CAROM_OK;
    } else if (status == CAROM_OK) {
        status = carom_mode_two_impacts(basis, period, MOST_MOTIONS, mode, &found, error);
    }
    if (status == CAROM_OK && which == 0)
        which = first_admissible(found, mode);
    if (status == CAROM_OK && which > found)
        status = carom_fail(
            error, CAROM_BAD_INPUT,
            "there are %d motions with %d impacts per period at T = %.10g; motion %d was asked for", found,
            impacts, period, which);
    if (status == CAROM_OK)
        status = give_mode(call, mode[which - 1], system->dof, found);
    for (int i = 0; i < MOST_MOTIONS; i++)
        carom_mode_free(mode[i]);
    carom_mode_basis_free(basis);
    return status;
}

static carom_status compute(carom_study_call *call)
{
    const int n = carom_study_whole(call, "n");
    const double given_m = carom_study_number(call, "m"), given_k = carom_study_number(call, "k");
    const double m = isnan(given_m) ? 1.0 / n : given_m, k = isnan(given_k) ? n : given_k;
    const size_t size = (size_t)n;
    double *mass = carom_study_take(call, carom_product(size, size), sizeof *mass),
           *stiffness = carom_study_take(call, carom_product(size, size), sizeof *mass),
           *direction = carom_study_take(call, size, sizeof *mass);
    if (call->status != CAROM_OK)
        return call->status;
    carom_mode_chain(n, m, k, mass, stiffness, direction);
    const carom_mode_system system = {n, mass, stiffness, direction, carom_study_number(call, "gap")};
    return solve_mode(call, &system, carom_study_number(call, "T"), carom_study_whole(call, "impacts"),
                      (int)carom_study_number(call, "which"));
}

static const carom_study_input inputs[] = {
    {"n", CAROM_STUDY_WHOLE, NULL, "masses", .value = NAN, .min = 1, .max = MOST_MASSES},
    {"m", CAROM_STUDY_NUMBER, NULL, "mass of each", .value = NAN, .usual = "1/n"},
    {"k", CAROM_STUDY_NUMBER, NULL, "stiffness of each spring", .value = NAN, .usual = "n"},
    {"gap", CAROM_STUDY_NUMBER, NULL, "between the chain at rest and the wall", .value = 1.0},
    {"T", CAROM_STUDY_NUMBER, NULL, "period", .value = NAN},
    {"impacts", CAROM_STUDY_WHOLE, NULL, "impacts per period", .value = 1, .min = 1, .max = 2},
    {"which", CAROM_STUDY_WHOLE, NULL, "which of the motions with two impacts; 0: the first admissible one",
     .value = 0, .min = 0, .max = MOST_MOTIONS},
    {0}};

static const carom_study_output outputs[] = {
    {"u", CAROM_STUDY_LIST, NULL, "displacements just after an impact"},
    {"v", CAROM_STUDY_LIST, NULL, "velocities then"},
    {"flights", CAROM_STUDY_LIST, NULL, "times between impacts"},
    {"impulses", CAROM_STUDY_LIST, NULL, "impulses of the impacts"},
    {"energy", CAROM_STUDY_NUMBER, NULL, "energy"},
    {"margin", CAROM_STUDY_NUMBER, NULL, "smallest gap between impacts"},
    {"max_multiplier", CAROM_STUDY_NUMBER, NULL, "largest modulus of the multipliers; 0 for no motion"},
    {"found", CAROM_STUDY_WHOLE, NULL, "candidates found"},
    {"admissible", CAROM_STUDY_FLAG, NULL, "whether it is a motion"},
    {"verdict", CAROM_STUDY_TEXT, NULL, "what it is, or why it is none"},
    {0}};

const carom_study_ops study_impact_mode = {
    .name = "impact_mode",
    .summary = "periodic motion of a chain of masses with one or two impacts per period",
    .inputs = inputs,
    .outputs = outputs,
    .compute = compute};
