/* collide { masses = { 1, 1, 1 }, law = "lzb", restitution = 0.9 }: one impact of a chain of balls. */
#include <math.h>
#include <string.h>

#include "carom/model/chain.h"
#include "carom/run/study.h"

/* What is given; NULL: the default of carom_chain_create. */
typedef struct chain_numbers {
    int balls, contacts;
    bool wall;
    double *mass, *velocity, *stiffness, *exponent, *restitution;
} chain_numbers;

static carom_impact_options read_options(const carom_study_call *call)
{
    carom_impact_options options = carom_impact_defaults();
    options.order = (carom_impact_order)carom_study_word(call, "order");
    options.method = (carom_lzb_method)carom_study_word(call, "method");
    options.seed = (unsigned)carom_study_number(call, "seed");
    options.one_sweep = carom_study_flag(call, "once");
    options.collision_tolerance = carom_study_number(call, "tolerance");
    options.velocity_tolerance = options.collision_tolerance;
    options.step = carom_study_number(call, "step");
    options.max_collisions = options.max_steps = (long)carom_study_number(call, "limit");
    return options;
}

static chain_numbers read_chain(carom_study_call *call)
{
    chain_numbers given = {.wall = carom_study_flag(call, "wall")};
    given.balls = carom_study_list_length(call, "masses");
    given.contacts = given.wall ? given.balls : given.balls - 1;
    if (given.contacts < 1) {
        carom_study_fail(call, CAROM_BAD_INPUT, "%d balls%s have no contact", given.balls,
                         given.wall ? "" : " without a wall");
        return given;
    }
    given.mass = carom_study_list(call, "masses", given.balls);
    given.velocity = carom_study_list(call, "velocity", given.balls);
    given.stiffness = carom_study_list(call, "stiffness", given.contacts);
    given.exponent = carom_study_list(call, "exponent", given.contacts);
    given.restitution = carom_study_list(call, "restitution", given.contacts);
    return given;
}

static void copy_numbers(int count, const double *from, double *to)
{
    if (from)
        memcpy(to, from, (size_t)count * sizeof *to);
}

static carom_status solve(const chain_numbers *given, const carom_impact_law_ops *law,
                          const carom_impact_options *options, carom_impact_result *result,
                          carom_error *error)
{
    carom_chain *chain = NULL;
    carom_impact_work *work = NULL;
    carom_status status = carom_chain_create(given->balls, given->wall, &chain, error);
    if (status != CAROM_OK)
        return status;
    copy_numbers(given->balls, given->mass, chain->mass);
    copy_numbers(given->balls, given->velocity, chain->velocity);
    copy_numbers(given->contacts, given->stiffness, chain->stiffness);
    copy_numbers(given->contacts, given->exponent, chain->exponent);
    copy_numbers(given->contacts, given->restitution, chain->restitution);
    const carom_impact impact = carom_chain_impact(chain);
    const carom_impact_sizes sizes = carom_impact_sizes_of(&impact);
    status = carom_chain_check(chain, false, error);
    if (status == CAROM_OK)
        status = carom_impact_work_create(law, &sizes, &work, error);
    if (status == CAROM_OK)
        status = carom_impact_solve(work, &impact, options, result, error);
    carom_impact_work_free(work);
    carom_chain_free(chain);
    return status;
}

static carom_status compute(carom_study_call *call)
{
    const char *name = carom_study_text(call, "law");
    const carom_impact_law_ops *law = carom_impact_law_find(name ? name : "moreau", call->error);
    if (!law)
        return CAROM_BAD_INPUT;
    const chain_numbers chain = read_chain(call);
    if (call->status != CAROM_OK)
        return call->status;
    const carom_impact_options options = read_options(call);
    carom_impact_result result = {.velocity = carom_study_take(call, (size_t)chain.balls, sizeof(double)),
                                  .impulse = carom_study_take(call, (size_t)chain.contacts, sizeof(double))};
    carom_status status = call->status;
    if (status == CAROM_OK)
        status = solve(&chain, law, &options, &result, call->error);
    if (status != CAROM_OK)
        return status;
    carom_study_give_list(call, "velocity", chain.balls, result.velocity);
    carom_study_give_list(call, "impulses", chain.contacts, result.impulse);
    carom_study_give_number(call, "energy_ratio",
                            result.energy_before > 0.0 ? result.energy_after / result.energy_before : 1.0);
    carom_study_give_number(call, "collisions", (double)result.collisions);
    carom_study_give_number(call, "steps", (double)result.steps);
    carom_study_give_number(call, "duration", result.duration);
    carom_study_give_text(call, "status", carom_impact_word_text(result.word));
    return CAROM_OK;
}

static const char *const orders[] = {"lr", "rl", "random", NULL};
static const char *const methods[] = {"events", "time", "impulse", "implicit", NULL};

static const carom_study_input inputs[] = {
    {"masses", CAROM_STUDY_LIST, NULL, "of the balls, in their order", .value = NAN},
    {"velocity", CAROM_STUDY_LIST, NULL, "before the impact, a number per ball", .usual = "1, 0, 0, ..."},
    {"wall", CAROM_STUDY_FLAG, NULL, "the last ball touches a wall", .value = 0.0},
    {"law", CAROM_STUDY_TEXT, NULL, "impact law, a name of carom list laws", .usual = "moreau"},
    {"restitution", CAROM_STUDY_LIST, NULL, "one, or a number per contact", .usual = "1"},
    {"stiffness", CAROM_STUDY_LIST, NULL, "law lzb: K of K x^eta, one or per contact", .usual = "1"},
    {"exponent", CAROM_STUDY_LIST, NULL, "law lzb: eta, one or per contact", .usual = "1.5"},
    {"order", CAROM_STUDY_WORD, NULL, "law binary: order of the collisions", .choices = orders},
    {"seed", CAROM_STUDY_NUMBER, NULL, "of the random order", .value = 1.0},
    {"once", CAROM_STUDY_FLAG, NULL, "law binary: one sweep only", .value = 0.0},
    {"tolerance", CAROM_STUDY_NUMBER, NULL, "approach that counts as none", .value = 0.0},
    {"method", CAROM_STUDY_WORD, NULL, "law lzb: how it is integrated", .choices = methods},
    {"step", CAROM_STUDY_NUMBER, NULL, "law lzb: its step; 0: automatic", .value = 0.0},
    {"limit", CAROM_STUDY_NUMBER, NULL, "most collisions or steps", .value = 1e7, .min = 1, .max = 1e9},
    {0}};

static const carom_study_output outputs[] = {
    {"velocity", CAROM_STUDY_LIST, NULL, "of the balls after the impact"},
    {"impulses", CAROM_STUDY_LIST, NULL, "of the contacts"},
    {"energy_ratio", CAROM_STUDY_NUMBER, NULL, "kinetic energy after over before"},
    {"collisions", CAROM_STUDY_WHOLE, NULL, "law binary: how many"},
    {"steps", CAROM_STUDY_WHOLE, NULL, "law lzb: how many"},
    {"duration", CAROM_STUDY_NUMBER, NULL, "law lzb: time of the impact"},
    {"status", CAROM_STUDY_TEXT, NULL, "how it ended"},
    {0}};

const carom_study_ops study_collide = {.name = "collide",
                                       .summary = "one impact of a chain of touching balls",
                                       .inputs = inputs,
                                       .outputs = outputs,
                                       .compute = compute};
