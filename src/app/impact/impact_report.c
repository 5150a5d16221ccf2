/* Outcomes of carom impact as text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/impact_output.h"

enum {
    ROWS_MAX = 24, /* longer tables show their ends */
    ROWS_END = 8,
    NAME_WIDTH = 12,
};

static const char *yes_no(bool value)
{
    return value ? "yes" : "no";
}

/* Row i is shown; a line of dots stands for those between. */
static bool shows_row(int count, int i)
{
    if (count <= ROWS_MAX || i < ROWS_END || i >= count - ROWS_END)
        return true;
    if (i == ROWS_END)
        printf("  %*s  (%d more)\n", NAME_WIDTH, "...", count - 2 * ROWS_END);
    return false;
}

static void print_name(char *const *names, int index)
{
    char text[16];
    printf("  %*.*s", NAME_WIDTH, 2 * NAME_WIDTH, impact_label(names, index, text, sizeof text));
}

/* A number that is not one is a hyphen. */
static void print_number(double value)
{
    if (isfinite(value))
        printf("  %14.8g", value);
    else
        printf("  %14s", "-");
}

/* ---- one law ----------------------------------------------------------------------------------------- */

static void print_velocities(const impact_output *output, const impact_outcome *outcome)
{
    const impact_case *made = output->system;
    const carom_impact *impact = &made->impact;
    printf("\n  %*s%s  %14s  %14s\n", NAME_WIDTH, made->item, impact->masses ? "            mass" : "",
           "v before", "v after");
    for (int i = 0; i < impact->coordinates; i++) {
        if (!shows_row(impact->coordinates, i))
            continue;
        print_name(made->coordinate, i);
        if (impact->masses)
            print_number(impact->masses[i]);
        print_number(impact->velocity[i]);
        print_number(outcome->result.velocity[i]);
        printf("\n");
    }
}

static bool has_compression(const impact_outcome *outcome)
{
    return (outcome->law->tells & CAROM_IMPACT_TELLS_COMPRESSION) != 0;
}

static void print_impulses(const impact_output *output, const impact_outcome *outcome)
{
    const impact_case *made = output->system;
    const carom_impact_result *result = &outcome->result;
    const bool compression = has_compression(outcome), lzb = law_has_course(outcome->law);
    printf("\n  %*s  %14s  %14s  %14s  %14s%s%s\n", NAME_WIDTH, "contact", "restitution", "gamma before",
           "gamma after", "impulse", compression ? "     compression" : "",
           lzb ? "      peak force  closings  repeats" : "");
    for (int j = 0; j < made->impact.contacts; j++) {
        if (!shows_row(made->impact.contacts, j))
            continue;
        print_name(made->contact, j);
        print_number(made->impact.restitution[j]);
        print_number(made->gamma[j]);
        print_number(outcome->gamma[j]);
        print_number(result->impulse[j]);
        if (compression)
            print_number(result->compression[j]);
        if (lzb) {
            print_number(result->peak_force[j]);
            printf("  %8d  %7d", result->closings[j], result->repeats[j]);
        }
        printf("\n");
    }
}

static void print_reactions(const impact_output *output, const impact_outcome *outcome)
{
    const impact_case *made = output->system;
    printf("\n  %*s  %14s\n", NAME_WIDTH, "joint", "impulse");
    for (int k = 0; k < made->impact.joints; k++) {
        if (!shows_row(made->impact.joints, k))
            continue;
        print_name(made->joint, k);
        print_number(outcome->result.reaction[k]);
        printf("\n");
    }
}

static void print_work(const impact_outcome *outcome)
{
    const carom_impact_result *result = &outcome->result;
    if (law_has_collisions(outcome->law))
        printf("  collisions  %ld, the slowest approach %.6g; %.3g is left\n", result->collisions,
               result->smallest_approach, fmax(result->largest_left, 0.0));
    else if (law_has_course(outcome->law))
        printf("  steps       %ld, duration %.10g\n", result->steps, result->duration);
    else
        printf("  residual    %.3g\n", result->residual);
}

static void print_one(const impact_output *output, const impact_outcome *outcome)
{
    const carom_impact_result *result = &outcome->result;
    printf("%s, law %s: %s\n", output->system->title, outcome->law->name,
           carom_impact_word_text(result->word));
    print_velocities(output, outcome);
    print_impulses(output, outcome);
    if (output->system->impact.joints > 0)
        print_reactions(output, outcome);
    printf("\n  energy      before %.10g, after %.10g", result->energy_before, result->energy_after);
    if (isfinite(outcome->energy_ratio))
        printf(", T+/T- = %.10g", outcome->energy_ratio);
    printf("\n  momentum    residual %.3g\n", outcome->momentum_residual);
    print_work(outcome);
    if (isfinite(outcome->dispersion))
        printf("  dispersion  C_KE = %.8g\n", outcome->dispersion);
    printf("  flags       kinematic %s, kinetic %s, energetic %s\n", yes_no(result->kinematic),
           yes_no(result->kinetic), yes_no(result->energetic));
}

/* ---- several laws ------------------------------------------------------------------------------------ */

static void print_heading(const impact_output *output)
{
    printf("  %-24s%14s", output->system->item, "before");
    for (int k = 0; k < output->laws->count; k++)
        printf("  %14s", output->laws->law[k]->name);
    printf("\n");
}

static void print_compared_velocities(const impact_output *output)
{
    const impact_case *made = output->system;
    const int n = made->impact.coordinates;
    for (int i = 0; i < n; i++) {
        char text[16];
        if (n > ROWS_MAX && i == ROWS_END)
            printf("  ... (%d more)\n", n - 2 * ROWS_END);
        if (n > ROWS_MAX && i >= ROWS_END && i < n - ROWS_END)
            continue;
        printf("  %-22.22s", impact_label(made->coordinate, i, text, sizeof text));
        print_number(made->impact.velocity[i]);
        for (int k = 0; k < output->laws->count; k++)
            print_number(output->outcome[k].status == CAROM_OK ? output->outcome[k].result.velocity[i] : NAN);
        printf("\n");
    }
}

typedef double measure_of(const impact_outcome *outcome);

static double ratio_of(const impact_outcome *outcome)
{
    return outcome->energy_ratio;
}
static double momentum_of(const impact_outcome *outcome)
{
    return outcome->momentum_residual;
}
static double dispersion_of(const impact_outcome *outcome)
{
    return outcome->dispersion;
}
static double gap_of(const impact_outcome *outcome)
{
    return outcome->gap;
}
static double good_of(const impact_outcome *outcome)
{
    if (outcome->good < 0)
        return NAN;
    return outcome->good;
}
static double collisions_of(const impact_outcome *outcome)
{
    return law_has_collisions(outcome->law) ? (double)outcome->result.collisions : NAN;
}
static double steps_of(const impact_outcome *outcome)
{
    return law_has_course(outcome->law) ? (double)outcome->result.steps : NAN;
}
static double duration_of(const impact_outcome *outcome)
{
    return law_has_course(outcome->law) ? outcome->result.duration : NAN;
}

/* A line of one measure, unless no law has it. */
static void print_measure(const impact_output *output, const char *name, double before, measure_of *measure)
{
    bool is_there = false;
    for (int k = 0; k < output->laws->count; k++)
        is_there =
            is_there || (output->outcome[k].status == CAROM_OK && isfinite(measure(&output->outcome[k])));
    if (!is_there)
        return;
    printf("  %-22s", name);
    print_number(before);
    for (int k = 0; k < output->laws->count; k++)
        print_number(output->outcome[k].status == CAROM_OK ? measure(&output->outcome[k]) : NAN);
    printf("\n");
}

static void print_words(const impact_output *output)
{
    static const char *const name[] = {"kinematic", "kinetic", "energetic"};
    for (int f = 0; f < 3; f++) {
        printf("  %-22s  %14s", name[f], "");
        for (int k = 0; k < output->laws->count; k++) {
            const carom_impact_result *result = &output->outcome[k].result;
            const bool flag[] = {result->kinematic, result->kinetic, result->energetic};
            printf("  %14s", output->outcome[k].status == CAROM_OK ? yes_no(flag[f]) : "-");
        }
        printf("\n");
    }
    printf("  %-22s  %14s", "status", "");
    for (int k = 0; k < output->laws->count; k++)
        printf("  %14.17s", output->outcome[k].status == CAROM_OK
                                ? carom_impact_word_text(output->outcome[k].result.word)
                                : carom_status_word(output->outcome[k].status));
    printf("\n");
}

static void print_several(const impact_output *output)
{
    double dispersion_before = NAN;
    for (int k = 0; k < output->laws->count; k++)
        if (output->outcome[k].status == CAROM_OK)
            dispersion_before = output->outcome[k].dispersion_before;
    printf("%s, %d laws\n\n", output->system->title, output->laws->count);
    print_heading(output);
    print_compared_velocities(output);
    printf("\n");
    print_measure(output, "T+/T-", NAN, ratio_of);
    print_measure(output, "momentum residual", NAN, momentum_of);
    print_measure(output, "dispersion C_KE", dispersion_before, dispersion_of);
    print_measure(output, "gap Phi to lzb (%)", NAN, gap_of);
    print_measure(output, "good velocities", NAN, good_of);
    print_measure(output, "collisions", NAN, collisions_of);
    print_measure(output, "steps", NAN, steps_of);
    print_measure(output, "duration", NAN, duration_of);
    print_words(output);
}

void print_impact_text(const impact_output *output)
{
    if (output->laws->count > 1)
        print_several(output);
    else if (output->outcome->status == CAROM_OK) /* else all there is to say is the message */
        print_one(output, output->outcome);
}

/* ---- warnings ---------------------------------------------------------------------------------------- */

static void explain_word(const impact_output *output, const impact_outcome *outcome)
{
    const carom_impact_result *result = &outcome->result;
    const carom_chain *chain = output->system->chain;
    const char *law = outcome->law->name;
    if (result->word == CAROM_IMPACT_OK)
        return;
    fprintf(stderr, "carom: %s: %s", law, carom_impact_word_text(result->word));
    if (result->word == CAROM_IMPACT_NONE)
        fprintf(stderr, ": no contact approaches, nothing changes");
    if (result->word == CAROM_IMPACT_INFEASIBLE)
        fprintf(stderr, ": no velocity after the impact satisfies all contacts");
    if (result->word == CAROM_IMPACT_ROUNDING)
        fprintf(stderr,
                ": the last of %ld collisions were at rounding level (slowest approach %.3g): their number "
                "means nothing; --tolerance 1e-9 ends them earlier",
                result->collisions, result->smallest_approach);
    if (result->word == CAROM_IMPACT_NOT_CONVERGED && law_has_collisions(outcome->law))
        fprintf(stderr, " after %ld collisions: an approach speed of %.6g is left; give a --tolerance",
                result->collisions, result->largest_left);
    if (result->word == CAROM_IMPACT_NOT_CONVERGED && law_has_course(outcome->law))
        fprintf(stderr,
                " after %ld steps: a closing speed of %.6g is left; give a larger --tolerance (small "
                "restitution), "
                "a larger --dt or more --max-steps",
                result->steps, result->largest_left);
    if (result->word == CAROM_IMPACT_NOT_CONVERGED && !law_has_course(outcome->law) &&
        !law_has_collisions(outcome->law))
        fprintf(stderr, ": the residual is %.3g", result->residual);
    if (law_has_collisions(outcome->law) && chain && chain->balls == 3 && !chain->wall &&
        result->word != CAROM_IMPACT_NONE && chain->restitution[0] == chain->restitution[1])
        fprintf(stderr, "; three balls with z = %.6g, infinitely many collisions from 1 on",
                carom_binary_three_ball_z(chain->mass, chain->restitution[0]));
    fprintf(stderr, "\n");
}

void print_impact_warnings(const impact_output *output, const impact_outcome *outcome)
{
    const char *law = outcome->law->name;
    if (outcome->status != CAROM_OK) {
        report_reason("%s%s: %s", output->laws->all ? "warning: " : "", law, outcome->message);
        return;
    }
    for (int bit = 0; bit < CAROM_IMPACT_NOTES; bit++)
        if (outcome->result.notes & (1u << bit))
            fprintf(stderr, "carom: warning: %s: %s\n", law, carom_impact_note_text(bit));
    explain_word(output, outcome);
}
