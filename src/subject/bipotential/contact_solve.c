/* contact_solve { W = { ... }, q = { ... }, mu =, gap = }: contacts u = q + W r by Uzawa's iteration. */
#include <string.h>

#include "study_inputs.h"

static int count_contacts(carom_study_call *call)
{
    const int length = carom_study_list_length(call, "q");
    if (length < 3 || length % 3 != 0 || length > 3 * BIPOTENTIAL_CONTACTS_MAX)
        carom_study_fail(call, CAROM_BAD_INPUT,
                         "q has three numbers per contact, for 1 to %d contacts: q = { n, x, y, ... }",
                         BIPOTENTIAL_CONTACTS_MAX);
    return length / 3;
}

static void give_contacts(carom_study_call *call, const carom_elliptic_problem *problem, const double *r,
                          const double *u, const carom_uzawa_report *report)
{
    double *state = carom_study_take(call, (size_t)problem->contacts, sizeof *state);
    for (int a = 0; state && a < problem->contacts; a++)
        state[a] = bipotential_state(problem->cone + a, r + 3 * (ptrdiff_t)a);
    if (!state)
        return;
    carom_study_give_list(call, "r", 3 * problem->contacts, r);
    carom_study_give_list(call, "u", 3 * problem->contacts, u);
    carom_study_give_list(call, "state", problem->contacts, state);
    carom_study_give_flag(call, "converged", report->status == CAROM_OK);
    carom_study_give_number(call, "iterations", report->iterations);
    carom_study_give_number(call, "change", report->change);
    carom_study_give_number(call, "halvings", report->halvings);
    carom_study_give_number(call, "error", report->error);
    carom_study_give_number(call, "power", report->certificate.power);
    carom_study_give_number(call, "penetration", report->certificate.penetration);
    carom_study_give_number(call, "outside", report->certificate.outside);
}

static carom_status compute(carom_study_call *call)
{
    const int contacts = count_contacts(call);
    if (call->status != CAROM_OK)
        return call->status;
    const size_t size = 3 * (size_t)contacts;
    carom_elliptic_problem problem = bipotential_read_problem(call, contacts);
    problem.q = bipotential_read_needed(call, "q", 3 * contacts);
    const carom_uzawa_options options = bipotential_read_options(call);
    double *r = carom_study_take(call, size, sizeof *r), *u = carom_study_take(call, size, sizeof *u);
    const double *start =
        carom_study_given(call, "start") ? bipotential_read_needed(call, "start", 3 * contacts) : NULL;
    if (call->status != CAROM_OK)
        return call->status;
    if (start)
        memcpy(r, start, size * sizeof *r);
    const carom_status status =
        carom_elliptic_problem_check(&problem, carom_study_flag(call, "allow_penetration"), call->error);
    if (status != CAROM_OK)
        return status;
    const carom_uzawa_report report = carom_uzawa_solve(&problem, &options, r, call->error);
    if (report.status != CAROM_OK && report.status != CAROM_FAILED)
        return report.status;
    carom_elliptic_certify(&problem, r, u);
    give_contacts(call, &problem, r, u, &report);
    return CAROM_OK;
}

static const carom_study_input inputs[] = {
    {"q", CAROM_STUDY_LIST, NULL, "free motion { n, x, y, ... }, three numbers per contact", .value = NAN},
    PROBLEM_INPUTS,
    {"start", CAROM_STUDY_LIST, NULL, "reactions to start from", .usual = "0"},
    {0}};

static const carom_study_output outputs[] = {
    {"r", CAROM_STUDY_LIST, NULL, "reactions { n, x, y, ... }"},
    {"u", CAROM_STUDY_LIST, NULL, "u = q + W r"},
    {"state", CAROM_STUDY_LIST, NULL, "of every contact: 0 open, 1 slip, 2 stick"},
    {"converged", CAROM_STUDY_FLAG, NULL, "whether the tolerance was reached"},
    {"iterations", CAROM_STUDY_WHOLE, NULL, "iterations made"},
    {"change", CAROM_STUDY_NUMBER, NULL, "relative change in the last one"},
    {"halvings", CAROM_STUDY_WHOLE, NULL, "how often rho was halved"},
    {"error", CAROM_STUDY_NUMBER, NULL, "error of the problem"},
    {"power", CAROM_STUDY_NUMBER, NULL, "bipotential above the dissipated power: 0 exactly on the law"},
    {"penetration", CAROM_STUDY_NUMBER, NULL, "deepest penetration"},
    {"outside", CAROM_STUDY_NUMBER, NULL, "how far a reaction is outside its cone"},
    {0}};

const carom_study_ops study_contact_solve = {.name = "contact_solve",
                                             .summary =
                                                 "contacts with orthotropic friction by Uzawa's iteration",
                                             .inputs = inputs,
                                             .outputs = outputs,
                                             .compute = compute};
